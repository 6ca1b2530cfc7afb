//! Family `moveto`: orders to go and to turn, tick by tick (rules J1–J20, with F, G, H, I10 and I11).

use std::sync::Arc;

use acmotion::body::{BodyFlags, BodyHost as _, InfinitePlane, TransientState};
use acmotion::entity::{Actor, Entity, Events, MotionEvent};
use acmotion::interp::{Axis, HoldKey, MoveFlags, MovementParams};
use acmotion::steer::{
    MoveKind, MoveTo, MoveToEvent, MoveToNode, Neighbour, Neighbours, Notice, Order, TargetHost, TargetInfo,
    TargetManager, TargetStatus, handle_targeting, notify_voyeurs, receive,
};
use acmotion::table::check_for_completed_motions;
use acmotion::types::{CellId, CellPosition, Cylinder, Frame, Guid, MotionCommand, Vec3};
use acmotion::{Library, MotionError, TableId};
use serde_json::{Value, json};

use super::check::{Checked, Difference, Field, exact, near, near_vector};
use super::commands::weenie;
use super::motion_table::{RATE, Tables};
use super::moveto_helpers::near_heading;
use super::{Family, Verdict};

/// Origins that many ticks have added up.
const ACCUMULATED: f64 = 3e-4;
const CELL: CellId = CellId(0xA9B4_0001);
const OWN: Guid = Guid(1);
const TARGET: Guid = Guid(2);
/// From this tick on a blocked body does not get on.
const BLOCKED_FROM: i64 = 10;

#[derive(Default)]
pub(super) struct Moves {
    tables: Tables,
}

impl Family for Moves {
    fn case(&mut self, line: &Value) -> Result<Verdict, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "table" => self.tables.take(case),
            "case" => self.chase(case),
            other => Err(Difference::new("kind", "table or case", other)),
        }
    }
}

impl Moves {
    fn chase(&self, case: Field<'_>) -> Checked<Verdict> {
        let ticks = compared(case)?;
        if ticks.is_empty() {
            return Ok(Verdict::Skipped);
        }
        // Every case is for the file's one table.
        let first = json!({ "table": 0 });
        let (library, table) = self.tables.find(Field::line(&first))?;
        let mut chase = Chase::begin(case, library, table)?;
        for (index, tick) in ticks.into_iter().enumerate() {
            if index > 0 {
                chase.tick(index as i64 - 1);
            }
            chase.check(tick).map_err(|difference| difference.within(format_args!("ticks[{index}]")))?;
        }
        Ok(Verdict::Passed)
    }
}

/// The ticks up to the first that the vectors' README says to leave out.
fn compared(case: Field<'_>) -> Checked<Vec<Field<'_>>> {
    let mut ticks: Vec<_> = case.get("ticks")?.elements()?.collect();
    for name in ["open_from", "fragile_from"] {
        if let Some(first) = case.find(name) {
            ticks.truncate(usize::try_from(first.signed()?).unwrap_or(usize::MAX));
        }
    }
    Ok(ticks)
}

/// What the body goes to: it only moves straight on and tells where it is.
#[derive(Default)]
struct Goal {
    position: CellPosition,
    velocity: Vec3,
    size: Cylinder,
    targets: Option<TargetManager>,
    sent: Vec<Notice>,
}

impl TargetHost for Goal {
    fn guid(&self) -> Guid {
        TARGET
    }

    fn motion(&self) -> (CellPosition, Vec3) {
        (self.position, self.velocity)
    }

    fn targets(&mut self) -> &mut TargetManager {
        self.targets.get_or_insert_default()
    }

    fn send_notice(&mut self, mail: Notice) {
        self.sent.push(mail);
    }

    fn on_target_update(&mut self, _info: &TargetInfo) {}
}

/// Everybody as the body sees it.
struct Around {
    own: Neighbour,
    target: Neighbour,
}

impl Neighbours for Around {
    fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
        match guid {
            OWN => Some(self.own),
            TARGET => Some(self.target),
            _ => None,
        }
    }
}

/// One case's body and its goal.
struct Chase<'a> {
    entity: Entity,
    goal: Goal,
    library: &'a Library,
    events: Events,
    now: f64,
    dt: f32,
    blocked: bool,
    goal_leaves_at: i64,
    contact_lost: Option<(i64, i64)>,
}

impl<'a> Chase<'a> {
    /// In its default state, on the ground, with its order given.
    fn begin(case: Field<'_>, library: &'a Library, table: TableId) -> Checked<Self> {
        let contact_lost: Vec<_> = case.get("contact_lost_ticks")?.elements()?.collect();
        let mut chase = Self {
            entity: body(case, table)?,
            goal: goal(case)?,
            library,
            events: Events::new(),
            now: 0.0,
            dt: case.get("dt")?.float()?,
            blocked: case.get("blocked_after_10")?.truth()?,
            goal_leaves_at: case.get("target_exits_world_at")?.signed()?,
            contact_lost: match contact_lost[..] {
                [from, to] => Some((from.signed()?, to.signed()?)),
                _ => None,
            },
        };
        chase.act(|actor| actor.enter_default_state());
        chase.entity.interp.my_run_rate = case.get("my_run_rate")?.float()?;
        chase.entity.interp.raw.current_hold_key = HoldKey(case.get("raw_hold")?.unsigned()? as u32);
        chase.act(|actor| check_for_completed_motions(actor));
        chase.events.clear();
        let order = order(case)?;
        chase.act(|actor| actor.order(&order));
        Ok(chase)
    }

    /// Lets the body act, and delivers what the two have to say to each other.
    fn act(&mut self, act: impl FnOnce(&mut Actor<'_>)) {
        let around = self.around();
        act(&mut self.entity.act(self.library, self.now, &mut self.events).among(&around));
        self.deliver(&around);
    }

    fn around(&self) -> Around {
        let own = Neighbour {
            parent: None,
            position: self.entity.body.position,
            size: self.entity.shape.cylinder(1.0),
        };
        let target = Neighbour { parent: None, position: self.goal.position, size: self.goal.size };
        Around { own, target }
    }

    fn deliver(&mut self, around: &Around) {
        loop {
            let sent = (!self.goal.sent.is_empty()).then(|| self.goal.sent.remove(0));
            let Some(mail) = self.events.take_notice().or(sent) else { return };
            if mail.to == TARGET {
                receive(&mut self.goal, &mail, self.now);
            } else if mail.to == OWN {
                let mut actor = self.entity.act(self.library, self.now, &mut self.events).among(around);
                actor.receive_notice(&mail);
            }
        }
    }

    fn tick(&mut self, index: i64) {
        self.now += f64::from(self.dt);
        self.entity.body.clock.update_time = self.now;
        self.events.clear();
        self.move_goal(index);
        match self.contact_lost {
            Some((lost, _)) if lost == index => self.entity.body.transient.remove(TransientState::CONTACT),
            Some((_, found)) if found == index => {
                self.entity.body.transient.insert(TransientState::CONTACT);
                self.act(|actor| actor.hit_ground());
            }
            _ => {}
        }
        let (dt, frozen) = (self.dt, self.blocked && index >= BLOCKED_FROM);
        self.act(|actor| {
            let wanted = actor.update_position(dt);
            let body = &mut actor.entity.body;
            let before = body.position.frame.origin;
            let origin = if frozen { before } else { wanted.origin };
            body.position.frame = Frame::new(origin, wanted.rotation);
            body.cached_velocity = (origin - before) * (1.0 / dt);
            actor.use_time(&InfinitePlane::level(0.0));
        });
    }

    fn move_goal(&mut self, index: i64) {
        let goal = &mut self.goal;
        goal.position.frame.origin += goal.velocity * self.dt;
        if goal.targets.is_some() {
            handle_targeting(goal, self.now, self.now);
            if index == self.goal_leaves_at {
                notify_voyeurs(goal, TargetStatus::ExitWorld);
            }
        }
        let around = self.around();
        self.deliver(&around);
    }

    fn check(&self, tick: Field<'_>) -> Checked {
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
        near_vector("origin", Vec3::new(x.float()?, y.float()?, z.float()?), frame.origin, ACCUMULATED)?;
        near_heading("heading", heading.float()?, frame.heading())?;
        let order = self.entity.move_to();
        exact("movement_type", kind.unsigned()?, order.map_or(MoveKind::Idle, MoveTo::kind).number().into())?;
        let command = |of: fn(&MoveTo) -> MotionCommand| order.map_or(MotionCommand::NONE, of);
        exact("current_command", MotionCommand(current.hex()?), command(MoveTo::current_command))?;
        exact("aux_command", MotionCommand(aux.hex()?), command(MoveTo::aux_command))?;
        exact("moving_away", away.truth()?, order.is_some_and(MoveTo::is_moving_away))?;
        let state = &self.entity.interp.interpreted;
        check_axis("forward", [forward, forward_speed], state.forward)?;
        check_axis("turn", [turn, turn_speed], state.turn)?;
        check_nodes(nodes, order)?;
        exact("motions_pending", pending.truth()?, self.entity.interp.has_pending())?;
        let expected = ends.elements()?.map(Field::unsigned).collect::<Checked<Vec<_>>>()?;
        exact("end_codes", expected, self.ends())?;
        exact("stuck", stuck.unsigned()?, self.entity.correction.is_stuck().into())
    }

    /// The codes with which orders have ended; 0 for arrival.
    fn ends(&self) -> Vec<u64> {
        let code = |kind| match kind {
            MotionEvent::MoveTo(MoveToEvent::Arrived) => Some(0),
            MotionEvent::MoveTo(MoveToEvent::Failed(error)) => Some(MotionError::code(error).into()),
            _ => None,
        };
        self.events.list().iter().filter_map(|event| code(event.kind)).collect()
    }
}

fn check_axis(path: &str, [command, speed]: [Field<'_>; 2], got: Axis) -> Checked {
    exact(path, MotionCommand(command.hex()?), got.command)?;
    near(&format!("{path}.speed"), speed.double()?, got.speed.into(), RATE)
}

fn check_nodes(nodes: Field<'_>, order: Option<&MoveTo>) -> Checked {
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

fn body(case: Field<'_>, table: TableId) -> Checked<Entity> {
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

fn goal(case: Field<'_>) -> Checked<Goal> {
    let size =
        Cylinder { radius: case.get("target_radius")?.float()?, height: case.get("target_height")?.float()? };
    Ok(Goal {
        position: CellPosition::at(CELL, case.get("dest")?.vector()?),
        velocity: case.get("target_velocity")?.vector()?,
        size,
        ..Goal::default()
    })
}

fn order(case: Field<'_>) -> Checked<Order> {
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
    let object = if case.get("target_is_self")?.truth()? { OWN } else { TARGET };
    Ok(match case.get("type")?.text()? {
        "object" => Order::MoveToObject { object, params },
        "position" => {
            let place = CellPosition::at(CELL, case.get("dest")?.vector()?);
            Order::MoveToPosition { place, params }
        }
        "turn_object" => Order::TurnToObject { object, params },
        "turn_heading" => Order::TurnToHeading { params },
        other => return Err(Difference::new("type", "an order of the README", other)),
    })
}
