//! Family `interpolation`: interpolation, sticking and the constraint (rules I3–I10).

use std::sync::Arc;

use acmotion::components::{Actor, Axis, Entity, NoNeighbours, PhysicsState, TransientState};
use acmotion::dat::Assets;
use acmotion::explain::{ConstraintRange, InterpolationStep, StepExplanation};
use acmotion::internals::body::BodyFlags;
use acmotion::internals::correction::{
    adjust_offset, blip_distance, interpolate_to, stick_to, stick_to_object,
};
use acmotion::internals::entity::{displace, move_to_frame};
use acmotion::internals::interp::RUN_SPEED;
use acmotion::scene::Shape;
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::{MotionEvent, RemoteWeenie, World};
use serde_json::Value;

use super::check::{
    CheckResult, Difference, Field, exact, near, near_heading, near_length, near_quat, near_vector,
};
use super::motion_table::RATE_TOLERANCE;
use super::stage::{Space, Stage};
use super::steps::Steps;
use super::{CaseResult, Family};

const TOLERANCE: f64 = 1e-4;
const BODY: Guid = Guid(2);
/// The id of the object that the body sticks to.
const TARGET: Guid = Guid(1);
/// The cell of sticky and constraint cases.
const CELL: CellId = CellId(0x1111_0001);

pub(super) struct InterpolationFamily;

impl Family for InterpolationFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "interp" => interp(case),
            "sticky" => sticky(case),
            "constraint" => constraint(case),
            other => Err(Difference::new("kind", "interp, sticky or constraint", other)),
        }
    }
}

/// Adds the body of a case, which stands if `space` says so. It runs as fast as `adjusted_max_speed`, and could run as fast
/// as `max_speed`, both in metres a second.
fn add_body(
    case: Field<'_>,
    cell: CellId,
    [adjusted_max_speed, max_speed]: [f32; 2],
    space: &Space,
) -> CheckResult<Stage> {
    let mut entity = Entity::new(BODY, None);
    let frame = Frame::new(case.get("start")?.vector()?, case.get("start_q")?.quat()?);
    entity.body.position = CellPosition::new(cell, frame);
    entity.body.flags.insert(BodyFlags::IN_CELL);
    // Only corrections move it.
    entity.body.state.remove(PhysicsState::GRAVITY);
    entity.body.transient = TransientState::ACTIVE;
    let stands = TransientState::CONTACT | TransientState::ON_WALKABLE;
    entity.body.transient.set(stands, space.has_contact);
    entity.interp.my_run_rate = max_speed / RUN_SPEED;
    let speed = adjusted_max_speed / RUN_SPEED;
    entity.interp.interpreted.forward = Axis { command: MotionCommand::RUN_FORWARD, speed };
    entity.set_weenie(Some(Arc::new(RemoteWeenie::Creature)));
    let mut shape = Shape::human();
    shape.radius = case.find("radius").map_or(Ok(0.0), Field::float)?;
    entity.shape = Arc::new(shape);
    let mut stage = Stage::new(World::new(Assets::mannequin()));
    stage.add(entity)?;
    Ok(stage)
}

/// What a step of the body depends on besides its root motion.
struct StepInput {
    space: Space,
    now: f64,
    dt: f32,
    /// Whether the body stays where it is.
    is_blocked: bool,
    /// Whether the body finds other objects.
    knows_others: bool,
}

/// Moves the body by the root motion of a step, ends the step, and checks the offset that the corrections made of it.
/// Returns the explanation of the step.
///
/// The vectors have no sweep. Here the body is swept through open space, except where that makes a difference: a sweep would
/// drop a motion of at most EPS (`docs/collision.md` 2.9), and let a blocked body turn (2.10).
fn check_step<'a>(
    stage: &'a mut Stage,
    step: Field<'_>,
    input: &StepInput,
) -> CheckResult<&'a StepExplanation> {
    let offset = Frame::new(step.get("in")?.vector()?, step.get("in_q")?.quat()?);
    stage.world.explain(BODY, true);
    stage.act(BODY, input.now, |actor| {
        if !input.knows_others {
            actor.neighbours = &NoNeighbours;
        }
        let target = displace(actor, offset, input.dt);
        let body = &mut actor.entity.body;
        if !input.is_blocked && target.origin.is_close_to(body.position.frame.origin) {
            body.position.frame = target;
        } else if !input.is_blocked {
            move_to_frame(actor, target, input.dt, &input.space);
        }
        actor.use_time(&input.space);
    })?;
    let explanation = stage.world.explanation(BODY);
    let explanation = explanation.ok_or_else(|| Difference::new("offset", "an offset", "none"))?;
    check_offset(step, &explanation.offset)?;
    Ok(explanation)
}

fn interp(case: Field<'_>) -> CheckResult<CaseResult> {
    let steps = Steps::of(case)?;
    let cell = CellId(case.get("cell")?.hex()?);
    let is_player = case.get("is_player")?.boolean()?;
    exact("blip_distance", case.get("blip_distance")?.float()?, blip_distance(cell, is_player))?;
    let space = Space { has_contact: case.get("contact")?.boolean()?, ..Space::OPEN };
    // The vectors have doubled the speed already.
    let adjusted_max_speed = case.get("max_speed")?.float()? * 0.5;
    let mut stage = add_body(case, cell, [adjusted_max_speed; 2], &space)?;
    if case.get("stuck")?.boolean()? {
        // The target is unknown and never sends its position, so that sticking has no other effect and does not end.
        stage.act(BODY, 0.0, |actor| stick_to(actor, TARGET, 0.0, f64::MAX))?;
    }
    let speed = case.get("speed")?.float()?;
    steps.check(|step| {
        match step.get("op")?.text()? {
            "to" => queue_position(&mut stage, step, is_player)?,
            "stop" => stage.act(BODY, 0.0, |actor| actor.entity.correction.interpolation.stop())?,
            "tick" => tick(&mut stage, step, &space, speed)?,
            other => return Err(Difference::new("op", "to, stop or tick", other)),
        }
        check_interpolation(stage.entity(BODY)?, step)
    })
}

fn queue_position(stage: &mut Stage, step: Field<'_>, is_player: bool) -> CheckResult {
    let frame = Frame::new(step.get("pos")?.vector()?, step.get("q")?.quat()?);
    let target = CellPosition::new(CellId(step.get("cell")?.hex()?), frame);
    let keep = step.get("keep_heading")?.boolean()?;
    stage.act(BODY, 0.0, |actor| interpolate_to(actor.entity, &target, keep, is_player))
}

fn tick(stage: &mut Stage, step: Field<'_>, space: &Space, speed: f32) -> CheckResult {
    let input = StepInput {
        space: Space { has_room: !step.get("set_position_fails")?.boolean()?, ..*space },
        now: 0.0,
        dt: step.get("dt")?.float()?,
        is_blocked: step.get("blocked")?.boolean()?,
        knows_others: true,
    };
    let explanation = check_step(stage, step, &input)?;
    if let InterpolationStep::Toward { speed: got, .. } = explanation.adjustment.interpolation {
        near("speed", speed.into(), got.into(), RATE_TOLERANCE)?;
    }
    let has_failed = explanation.blip.is_some_and(|blip| blip.has_no_nodes);
    let is_snap = |event: &MotionEvent| matches!(event, MotionEvent::Snapped { .. });
    let is_placed = stage.drain(BODY).iter().any(is_snap);
    let events = [("blip_empty_queue", has_failed), ("set_position", is_placed)].into_iter();
    let events: Vec<_> = events.filter_map(|(name, happened)| happened.then_some(name)).collect();
    let expected: Vec<_> = match step.find("events") {
        Some(events) => events.elements()?.map(Field::text).collect::<CheckResult<_>>()?,
        None => Vec::new(),
    };
    exact("events", expected, events)
}

fn check_offset(step: Field<'_>, offset: &Frame) -> CheckResult {
    near_vector("offset", step.get("offset")?.vector()?, offset.origin, TOLERANCE)?;
    near_quat("offset_q", step.get("offset_q")?.quat()?, offset.rotation, TOLERANCE)
}

fn check_interpolation(Entity { body, correction, .. }: &Entity, step: Field<'_>) -> CheckResult {
    exact("cell_after", CellId(step.get("cell_after")?.hex()?), body.position.cell)?;
    near_vector("pos_after", step.get("pos_after")?.vector()?, body.position.frame.origin, TOLERANCE)?;
    near_quat("q_after", step.get("q_after")?.quat()?, body.position.frame.rotation, TOLERANCE)?;
    let got = &correction.interpolation;
    let queue = step.get("queue")?.elements()?;
    exact("queue.length", queue.len(), got.nodes().len())?;
    for (index, (expected, node)) in queue.zip(got.nodes()).enumerate() {
        let [x, y, z, heading] = expected.array()?;
        let origin = Vec3::new(x.float()?, y.float()?, z.float()?);
        let path = format!("queue[{index}]");
        near_vector(&path, origin, node.frame.origin, TOLERANCE)?;
        near_heading(&path, heading.float()?, node.frame.heading())?;
    }
    exact("frame_counter", step.get("frame_counter")?.unsigned()?, got.frame_counter().into())?;
    near_length("orig_dist", step.get("orig_dist")?.double()?, got.original_distance().into(), TOLERANCE)?;
    near("progress", step.get("progress")?.double()?, got.progress_quantum().into(), TOLERANCE)?;
    exact("fails", step.get("fails")?.unsigned()?, got.fail_count().into())?;
    exact("keep", step.get("keep")?.boolean()?, got.keeps_heading())
}

fn sticky(case: Field<'_>) -> CheckResult<CaseResult> {
    let steps = Steps::of(case)?;
    let velocity = case.get("target_velocity")?.vector()?;
    let dt = case.get("dt")?.float()?;
    let mut stage = add_body(case, CELL, [case.get("max_speed")?.float()?; 2], &Space::OPEN)?;
    let mut target = Entity::new(TARGET, None);
    target.body.position = CellPosition::at(CELL, case.get("target_start")?.vector()?);
    target.body.flags.insert(BodyFlags::IN_CELL);
    Arc::make_mut(&mut target.shape).radius = case.get("target_radius")?.float()?;
    stage.add(target)?;
    stage.act(BODY, 0.0, |actor| stick_to_object(actor, TARGET))?;
    let unknown_from = u64::try_from(case.get("target_unknown_from")?.signed()?).ok();
    let (mut now, mut index) = (0.0, 0);
    steps.check(|step| {
        now += f64::from(dt);
        stage.act(TARGET, now, |actor| actor.entity.body.position.frame.origin += velocity * dt)?;
        let origin = stage.entity(TARGET)?.body.position.frame.origin;
        near_vector("target", step.get("target")?.vector()?, origin, TOLERANCE)?;
        let knows_others = unknown_from.is_none_or(|first| index < first);
        index += 1;
        let input = StepInput { space: Space::OPEN, now, dt, is_blocked: false, knows_others };
        check_step(&mut stage, step, &input)?;
        let Entity { body, correction, .. } = stage.entity(BODY)?;
        near_vector("pos", step.get("pos")?.vector()?, body.position.frame.origin, TOLERANCE)?;
        near_heading("heading", step.get("heading")?.float()?, body.position.frame.heading())?;
        let stuck_to = correction.sticky_target().unwrap_or(Guid::NONE);
        exact("stuck_to", Guid(step.get("stuck_to")?.hex()?), stuck_to)
    })
}

fn constraint(case: Field<'_>) -> CheckResult<CaseResult> {
    let steps = Steps::of(case)?;
    let own = CellPosition::at(CELL, case.get("pos")?.vector()?);
    let range = ConstraintRange {
        start: case.get("start_distance")?.float()?,
        max: case.get("max_distance")?.float()?,
    };
    let mut entity = Entity::new(BODY, None);
    entity.body.position = own;
    entity.correction.constraint.constrain_to(
        &CellPosition::at(CELL, case.get("anchor")?.vector()?),
        &own,
        range,
    );
    let mut stage = Stage::new(World::new(Assets::mannequin()));
    stage.add(entity)?;
    let offset = stage.entity(BODY)?.correction.constraint.pos_offset();
    near_length("offset0", case.get("offset0")?.double()?, offset.into(), TOLERANCE)?;
    steps.check(|step| {
        stage.act(BODY, 0.0, |actor| constraint_step(actor, step, range))??;
        let constraint = &stage.entity(BODY)?.correction.constraint;
        exact("active", step.get("active")?.boolean()?, constraint.is_active())?;
        near_length(
            "pos_offset",
            step.get("pos_offset")?.double()?,
            constraint.pos_offset().into(),
            TOLERANCE,
        )?;
        exact("fully", step.get("fully")?.boolean()?, constraint.is_fully_constrained())
    })
}

fn constraint_step(actor: &mut Actor<'_>, step: Field<'_>, range: ConstraintRange) -> CheckResult {
    let own = actor.entity.body.position;
    match step.get("op")?.text()? {
        "adjust" => {
            let mut offset = Frame::from_origin(step.get("in")?.vector()?);
            let contact = step.get("contact")?.boolean()?;
            actor.entity.body.transient.set(TransientState::CONTACT, contact);
            adjust_offset(actor, &mut offset, 0.1);
            near_vector("out", step.get("out")?.vector()?, offset.origin, TOLERANCE)
        }
        "constrain" => {
            let anchor = CellPosition::at(CELL, step.get("anchor")?.vector()?);
            actor.entity.correction.constraint.constrain_to(&anchor, &own, range);
            Ok(())
        }
        "unconstrain" => {
            actor.entity.correction.constraint.release();
            Ok(())
        }
        other => Err(Difference::new("op", "adjust, constrain or unconstrain", other)),
    }
}
