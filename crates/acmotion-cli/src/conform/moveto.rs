//! Family `moveto`: MoveTo and TurnTo orders, tick by tick (rules J1–J20, with F, G, H, I10 and I11).

use std::ops::Range;
use std::sync::Arc;

use acmotion::components::{
    Actor, Axis, Entity, MoveKind, MoveTo, MoveToNode, MovementParams, Order, TransientState,
};
use acmotion::internals::body::{BodyFlags, BodyHost as _};
use acmotion::internals::entity::move_to_frame;
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::table::check_for_completed_motions;
use acmotion::scene::Shape;
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, MotionError, MotionEvent, MoveToEvent, TableId};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_heading, near_vector, within};
use super::commands::weenie;
use super::motion_table::{DefinedTable, RATE_TOLERANCE, Tables};
use super::stage::{Space, Stage};
use super::steps::Steps;
use super::{CaseResult, Family};

/// The tolerance for origins after many ticks.
const ACCUMULATED_TOLERANCE: f64 = 3e-4;
/// The tolerance for times, in seconds: far less than a tick.
const TIME_TOLERANCE: f64 = 1e-6;
const CELL: CellId = CellId(0xA9B4_0001);
const OWN: Guid = Guid(1);
const TARGET: Guid = Guid(2);
/// The first tick in which a blocked body cannot move.
const BLOCKED_FROM: i64 = 10;

#[derive(Default)]
pub(super) struct MoveToFamily {
    tables: Tables,
}

impl Family for MoveToFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "table" => self.tables.add(case),
            "case" => self.run(case),
            other => Err(Difference::new("kind", "table or case", other)),
        }
    }
}

impl MoveToFamily {
    fn run(&self, case: Field<'_>) -> CheckResult<CaseResult> {
        let ticks = Steps::listed(case, "ticks")?;
        let mut script = Script::begin(case, self.tables.first()?)?;
        // The first is the state right after the order was given.
        let mut index = -1;
        ticks.check(|tick| {
            if index >= 0 {
                script.tick(index)?;
            }
            index += 1;
            script.check(tick)
        })
    }
}

/// The body of one case and its target.
struct Script {
    stage: Stage,
    now: f64,
    dt: f32,
    target_velocity: Vec3,
    blocked: bool,
    /// The tick in which the target leaves the world; negative for never.
    target_exits_at: i64,
    /// The ticks in which the body has no contact with the ground.
    contact_lost: Range<i64>,
    /// The codes with which orders have ended since the tick before; 0 is arrival.
    ends: Vec<u64>,
}

impl Script {
    /// Creates the body in its default state, on the ground, and gives it its order.
    fn begin(case: Field<'_>, table: &DefinedTable) -> CheckResult<Self> {
        let mut stage = Stage::new(table.world.clone());
        stage.add(read_body(case, table.id)?)?;
        stage.add(read_target(case)?)?;
        let my_run_rate = case.get("my_run_rate")?.float()?;
        let hold_key = HoldKey(case.get("raw_hold")?.unsigned()? as u32);
        stage.act(OWN, 0.0, |actor| {
            actor.enter_default_state();
            actor.entity.interp.my_run_rate = my_run_rate;
            actor.entity.interp.raw.current_hold_key = hold_key;
            check_for_completed_motions(actor);
        })?;
        stage.clear_events();
        let order = read_order(case)?;
        stage.act(OWN, 0.0, |actor| actor.order(&order))?;
        let contact_lost: Vec<_> = case.get("contact_lost_ticks")?.elements()?.collect();
        let mut script = Self {
            stage,
            now: 0.0,
            dt: case.get("dt")?.float()?,
            target_velocity: case.get("target_velocity")?.vector()?,
            blocked: case.get("blocked_after_10")?.boolean()?,
            target_exits_at: case.get("target_exits_world_at")?.signed()?,
            contact_lost: match contact_lost[..] {
                [from, to] => from.signed()?..to.signed()?,
                _ => 0..0,
            },
            ends: Vec::new(),
        };
        script.collect_ends();
        Ok(script)
    }

    fn tick(&mut self, index: i64) -> CheckResult {
        self.now += f64::from(self.dt);
        let (now, dt) = (self.now, self.dt);
        self.move_target(index)?;
        let lost = self.contact_lost.clone();
        let is_blocked = self.blocked && index >= BLOCKED_FROM;
        self.stage.act(OWN, now, |actor| {
            actor.entity.body.clock.update_time = now;
            if !lost.is_empty() && index == lost.start {
                actor.entity.body.transient.remove(TransientState::CONTACT);
            } else if !lost.is_empty() && index == lost.end {
                actor.entity.body.transient.insert(TransientState::CONTACT);
                actor.hit_ground();
            }
            let space = Space { is_passable: !is_blocked, ..Space::OPEN };
            if lost.contains(&index) {
                step_without_contact(actor, dt, &space);
            } else {
                actor.step(dt, &space);
            }
        })?;
        self.collect_ends();
        Ok(())
    }

    fn move_target(&mut self, index: i64) -> CheckResult {
        let (now, offset) = (self.now, self.target_velocity * self.dt);
        let exits = index == self.target_exits_at;
        self.stage.act(TARGET, now, |actor| {
            actor.entity.body.clock.update_time = now;
            actor.entity.body.position.frame.origin += offset;
            actor.use_time(&Space::OPEN);
            if exits {
                actor.exit_world();
            }
        })
    }

    fn collect_ends(&mut self) {
        let code = |event| match event {
            MotionEvent::MoveTo(MoveToEvent::Arrived) => Some(0),
            MotionEvent::MoveTo(MoveToEvent::Failed(error)) => Some(MotionError::code(error).into()),
            _ => None,
        };
        self.ends = self.stage.drain(OWN).into_iter().filter_map(code).collect();
    }

    fn check(&self, tick: Field<'_>) -> CheckResult {
        let [
            t,
            x,
            y,
            z,
            heading,
            kind,
            current,
            aux,
            _,
            away,
            forward,
            forward_speed,
            turn,
            turn_speed,
            nodes,
            pending,
            ends,
            stuck,
        ] = tick.array()?;
        within("t", t.double()?, self.now, TIME_TOLERANCE)?;
        let entity = self.stage.entity(OWN)?;
        let frame = &entity.body.position.frame;
        near_vector(
            "origin",
            Vec3::new(x.float()?, y.float()?, z.float()?),
            frame.origin,
            ACCUMULATED_TOLERANCE,
        )?;
        near_heading("heading", heading.float()?, frame.heading())?;
        let order = entity.move_to();
        exact("movement_type", kind.unsigned()?, order.map_or(MoveKind::Idle, MoveTo::kind).number().into())?;
        let command = |of: fn(&MoveTo) -> MotionCommand| order.map_or(MotionCommand::NONE, of);
        exact("current_command", MotionCommand(current.hex()?), command(MoveTo::current_command))?;
        exact("aux_command", MotionCommand(aux.hex()?), command(MoveTo::aux_command))?;
        exact("moving_away", away.boolean()?, order.is_some_and(MoveTo::is_moving_away))?;
        let state = &entity.interp.interpreted;
        check_axis("forward", [forward, forward_speed], state.forward)?;
        check_axis("turn", [turn, turn_speed], state.turn)?;
        check_nodes(nodes, order)?;
        exact("motions_pending", pending.boolean()?, entity.interp.has_pending())?;
        let expected = ends.elements()?.map(Field::unsigned).collect::<CheckResult<Vec<_>>>()?;
        exact("end_codes", &expected, &self.ends)?;
        exact("stuck", stuck.unsigned()?, entity.correction.is_stuck().into())
    }
}

/// Steps a body that has lost contact but still counts as on walkable ground, which the vectors take away by themselves. No
/// sweep leads to that: one that arrives without contact makes the body fall. So the contact is taken away again after it.
fn step_without_contact(actor: &mut Actor<'_>, dt: f32, space: &Space) {
    let wanted = actor.update_position(dt);
    move_to_frame(actor, wanted, dt, space);
    actor.entity.body.transient.remove(TransientState::CONTACT);
    actor.use_time(space);
}

fn check_axis(path: &str, [command, speed]: [Field<'_>; 2], got: Axis) -> CheckResult {
    exact(path, MotionCommand(command.hex()?), got.command)?;
    near(&format!("{path}.speed"), speed.double()?, got.speed.into(), RATE_TOLERANCE)
}

fn check_nodes(nodes: Field<'_>, order: Option<&MoveTo>) -> CheckResult {
    let got: Vec<MoveToNode> = order.map(|order| order.nodes().collect()).unwrap_or_default();
    let nodes = nodes.elements()?;
    exact("nodes.length", nodes.len(), got.len())?;
    for (index, (expected, got)) in nodes.zip(got).enumerate() {
        let [kind, heading] = expected.array()?;
        let path = format!("nodes[{index}]");
        match got {
            MoveToNode::Move => exact(&path, kind.unsigned()?, 7)?,
            MoveToNode::Turn(got) => {
                exact(&path, kind.unsigned()?, 9)?;
                near_heading(&path, heading.float()?, got)?;
            }
        }
    }
    Ok(())
}

fn read_body(case: Field<'_>, table: TableId) -> CheckResult<Entity> {
    let mut entity = Entity::new(OWN, Some(table));
    entity.set_weenie(weenie(case)?.map(Arc::from));
    let mut shape = Shape::human();
    shape.radius = case.get("radius")?.float()?;
    shape.height = case.get("height")?.float()?;
    entity.shape = Arc::new(shape);
    let frame = Frame::new(case.get("start")?.vector()?, case.get("start_q")?.quat()?);
    entity.body.position = CellPosition::new(CELL, frame);
    entity.body.flags.insert(BodyFlags::IN_CELL);
    entity.body.transient = TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
    Ok(entity)
}

fn read_target(case: Field<'_>) -> CheckResult<Entity> {
    let mut entity = Entity::new(TARGET, None);
    let shape = Arc::make_mut(&mut entity.shape);
    shape.radius = case.get("target_radius")?.float()?;
    shape.height = case.get("target_height")?.float()?;
    entity.body.position = CellPosition::at(CELL, case.get("dest")?.vector()?);
    entity.body.cached_velocity = case.get("target_velocity")?.vector()?;
    entity.body.flags.insert(BodyFlags::IN_CELL);
    Ok(entity)
}

fn read_order(case: Field<'_>) -> CheckResult<Order> {
    let given = case.get("params")?;
    let params = MovementParams {
        flags: MoveFlags::from_bits_retain(given.get("flags")?.hex()?),
        distance_to_object: given.get("distance_to_object")?.float()?,
        min_distance: given.get("min_distance")?.float()?,
        desired_heading: given.get("desired_heading")?.float()?,
        speed: given.get("speed")?.float()?,
        fail_distance: given.get("fail_distance")?.float()?,
        walk_run_threshold: given.get("walk_run_threshold")?.float()?,
        hold_key: HoldKey(given.get("hold")?.unsigned()? as u32),
        ..MovementParams::default()
    };
    let object = if case.get("target_is_self")?.boolean()? { OWN } else { TARGET };
    Ok(match case.get("type")?.text()? {
        "object" => Order::MoveToObject { object, params },
        "position" => {
            Order::MoveToPosition { position: CellPosition::at(CELL, case.get("dest")?.vector()?), params }
        }
        "turn_object" => Order::TurnToObject { object, params },
        "turn_heading" => Order::TurnToHeading { params },
        other => return Err(Difference::new("type", "an order of this family", other)),
    })
}
