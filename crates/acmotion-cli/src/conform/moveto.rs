//! Family `moveto`: MoveTo and TurnTo orders, tick by tick (rules J1–J20, with F, G, H, I10 and I11).

use std::sync::Arc;

use acmotion::components::{
    Actor, Axis, Entity, Events, MoveKind, MoveTo, MoveToNode, MovementParams, Neighbour, Neighbours, Notice,
    Order, TargetInfo, TargetManager, TargetStatus, TransientState,
};
use acmotion::internals::body::{BodyFlags, BodyHost as _};
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::steer::{TargetHost, handle_targeting, notify_voyeurs, receive};
use acmotion::internals::table::check_for_completed_motions;
use acmotion::scene::InfinitePlane;
use acmotion::types::{CellId, CellPosition, Cylinder, Frame, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, Library, MotionError, MotionEvent, MoveToEvent, TableId};
use serde_json::{Value, json};

use super::check::{CheckResult, Difference, Field, exact, near, near_vector};
use super::commands::weenie;
use super::motion_table::{RATE_TOLERANCE, Tables};
use super::moveto_helpers::near_heading;
use super::{CaseResult, Family};

/// The tolerance for origins after many ticks.
const ACCUMULATED_TOLERANCE: f64 = 3e-4;
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
        let ticks = compared_ticks(case)?;
        if ticks.is_empty() {
            return Ok(CaseResult::Skipped);
        }
        // The file has one table, which all cases use.
        let first = json!({ "table": 0 });
        let (library, table) = self.tables.find(Field::line(&first))?;
        let mut script = Script::begin(case, library, table)?;
        for (index, tick) in ticks.into_iter().enumerate() {
            if index > 0 {
                script.tick(index as i64 - 1);
            }
            script.check(tick).map_err(|difference| difference.within(format_args!("ticks[{index}]")))?;
        }
        Ok(CaseResult::Passed)
    }
}

/// Returns the ticks up to the first that `docs/conformance.md` says to leave out.
fn compared_ticks(case: Field<'_>) -> CheckResult<Vec<Field<'_>>> {
    let mut ticks: Vec<_> = case.get("ticks")?.elements()?.collect();
    for name in ["open_from", "fragile_from"] {
        if let Some(first) = case.find(name) {
            ticks.truncate(usize::try_from(first.signed()?).unwrap_or(usize::MAX));
        }
    }
    Ok(ticks)
}

/// The target of the body. It moves at a constant velocity and notifies its voyeurs.
#[derive(Default)]
struct Target {
    position: CellPosition,
    velocity: Vec3,
    size: Cylinder,
    targets: Option<TargetManager>,
    sent: Vec<Notice>,
}

impl TargetHost for Target {
    fn guid(&self) -> Guid {
        TARGET
    }

    fn motion(&self) -> (CellPosition, Vec3) {
        (self.position, self.velocity)
    }

    fn targets(&mut self) -> &mut TargetManager {
        self.targets.get_or_insert_default()
    }

    fn send_notice(&mut self, notice: Notice) {
        self.sent.push(notice);
    }

    fn on_target_update(&mut self, _info: &TargetInfo) {}
}

/// The body and its target, as neighbours.
struct Pair {
    own: Neighbour,
    target: Neighbour,
}

impl Neighbours for Pair {
    fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
        match guid {
            OWN => Some(self.own),
            TARGET => Some(self.target),
            _ => None,
        }
    }
}

/// The body of one case and its target.
struct Script<'a> {
    entity: Entity,
    target: Target,
    library: &'a Library,
    events: Events,
    now: f64,
    dt: f32,
    blocked: bool,
    /// The tick in which the target leaves the world; negative for never.
    target_exits_at: i64,
    /// The tick in which the body loses contact with the ground, and the one in which it lands.
    contact_lost: Option<(i64, i64)>,
}

impl<'a> Script<'a> {
    /// Creates the body in its default state, on the ground, and gives it its order.
    fn begin(case: Field<'_>, library: &'a Library, table: TableId) -> CheckResult<Self> {
        let contact_lost: Vec<_> = case.get("contact_lost_ticks")?.elements()?.collect();
        let mut script = Self {
            entity: read_body(case, table)?,
            target: read_target(case)?,
            library,
            events: Events::new(),
            now: 0.0,
            dt: case.get("dt")?.float()?,
            blocked: case.get("blocked_after_10")?.boolean()?,
            target_exits_at: case.get("target_exits_world_at")?.signed()?,
            contact_lost: match contact_lost[..] {
                [from, to] => Some((from.signed()?, to.signed()?)),
                _ => None,
            },
        };
        script.act(|actor| actor.enter_default_state());
        script.entity.interp.my_run_rate = case.get("my_run_rate")?.float()?;
        script.entity.interp.raw.current_hold_key = HoldKey(case.get("raw_hold")?.unsigned()? as u32);
        script.act(|actor| check_for_completed_motions(actor));
        script.events.clear();
        let order = read_order(case)?;
        script.act(|actor| actor.order(&order));
        Ok(script)
    }

    /// Runs `act` on the body and delivers the notices between body and target.
    fn act(&mut self, act: impl FnOnce(&mut Actor<'_>)) {
        let pair = self.pair();
        act(&mut self.entity.act(self.library, self.now, &mut self.events).with_neighbours(&pair));
        self.deliver(&pair);
    }

    fn pair(&self) -> Pair {
        let own = Neighbour {
            parent: None,
            position: self.entity.body.position,
            size: self.entity.shape.cylinder(1.0),
        };
        let target = Neighbour { parent: None, position: self.target.position, size: self.target.size };
        Pair { own, target }
    }

    fn deliver(&mut self, pair: &Pair) {
        loop {
            let sent = (!self.target.sent.is_empty()).then(|| self.target.sent.remove(0));
            let Some(notice) = self.events.take_notice().or(sent) else { return };
            if notice.to == TARGET {
                receive(&mut self.target, &notice, self.now);
            } else if notice.to == OWN {
                let mut actor =
                    self.entity.act(self.library, self.now, &mut self.events).with_neighbours(pair);
                actor.receive_notice(&notice);
            }
        }
    }

    fn tick(&mut self, index: i64) {
        self.now += f64::from(self.dt);
        self.entity.body.clock.update_time = self.now;
        self.events.clear();
        self.move_target(index);
        match self.contact_lost {
            Some((lost, _)) if lost == index => self.entity.body.transient.remove(TransientState::CONTACT),
            Some((_, landed)) if landed == index => {
                self.entity.body.transient.insert(TransientState::CONTACT);
                self.act(|actor| actor.hit_ground());
            }
            _ => {}
        }
        let (dt, is_blocked) = (self.dt, self.blocked && index >= BLOCKED_FROM);
        self.act(|actor| {
            let wanted = actor.update_position(dt);
            let body = &mut actor.entity.body;
            let before = body.position.frame.origin;
            let origin = if is_blocked { before } else { wanted.origin };
            body.position.frame = Frame::new(origin, wanted.rotation);
            body.cached_velocity = (origin - before) * (1.0 / dt);
            actor.use_time(&InfinitePlane::level(0.0));
        });
    }

    fn move_target(&mut self, index: i64) {
        let target = &mut self.target;
        target.position.frame.origin += target.velocity * self.dt;
        if target.targets.is_some() {
            handle_targeting(target, self.now, self.now);
            if index == self.target_exits_at {
                notify_voyeurs(target, TargetStatus::ExitWorld);
            }
        }
        let pair = self.pair();
        self.deliver(&pair);
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
        near("t", t.double()?, self.now, 1e-6)?;
        let frame = &self.entity.body.position.frame;
        near_vector(
            "origin",
            Vec3::new(x.float()?, y.float()?, z.float()?),
            frame.origin,
            ACCUMULATED_TOLERANCE,
        )?;
        near_heading("heading", heading.float()?, frame.heading())?;
        let order = self.entity.move_to();
        exact("movement_type", kind.unsigned()?, order.map_or(MoveKind::Idle, MoveTo::kind).number().into())?;
        let command = |of: fn(&MoveTo) -> MotionCommand| order.map_or(MotionCommand::NONE, of);
        exact("current_command", MotionCommand(current.hex()?), command(MoveTo::current_command))?;
        exact("aux_command", MotionCommand(aux.hex()?), command(MoveTo::aux_command))?;
        exact("moving_away", away.boolean()?, order.is_some_and(MoveTo::is_moving_away))?;
        let state = &self.entity.interp.interpreted;
        check_axis("forward", [forward, forward_speed], state.forward)?;
        check_axis("turn", [turn, turn_speed], state.turn)?;
        check_nodes(nodes, order)?;
        exact("motions_pending", pending.boolean()?, self.entity.interp.has_pending())?;
        let expected = ends.elements()?.map(Field::unsigned).collect::<CheckResult<Vec<_>>>()?;
        exact("end_codes", expected, self.ends())?;
        exact("stuck", stuck.unsigned()?, self.entity.correction.is_stuck().into())
    }

    /// Returns the codes with which orders have ended; 0 is arrival.
    fn ends(&self) -> Vec<u64> {
        let code = |kind| match kind {
            MotionEvent::MoveTo(MoveToEvent::Arrived) => Some(0),
            MotionEvent::MoveTo(MoveToEvent::Failed(error)) => Some(MotionError::code(error).into()),
            _ => None,
        };
        self.events.list().iter().filter_map(|event| code(event.kind)).collect()
    }
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
    let shape = Arc::make_mut(&mut entity.shape);
    shape.radius = case.get("radius")?.float()?;
    shape.height = case.get("height")?.float()?;
    let frame = Frame::new(case.get("start")?.vector()?, case.get("start_q")?.quat()?);
    entity.body.position = CellPosition::new(CELL, frame);
    entity.body.flags.insert(BodyFlags::IN_CELL);
    entity.body.transient = TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
    Ok(entity)
}

fn read_target(case: Field<'_>) -> CheckResult<Target> {
    let size =
        Cylinder { radius: case.get("target_radius")?.float()?, height: case.get("target_height")?.float()? };
    Ok(Target {
        position: CellPosition::at(CELL, case.get("dest")?.vector()?),
        velocity: case.get("target_velocity")?.vector()?,
        size,
        ..Target::default()
    })
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
