//! Family `interpolation`: interpolation, sticking and the constraint (rules I3–I10).

use acmotion::components::{Constraint, CorrectionInput, Interpolation, PositionManager, QueueResult};
use acmotion::explain::{ConstraintRange, InterpolationStep};
use acmotion::internals::correction::{
    CorrectionHost, TargetRequest, blip_distance, stick_to, target_updated, use_time,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, Steps, exact, near, near_quat, near_vector};
use super::{CaseResult, Family};

const TOLERANCE: f64 = 1e-4;
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

/// A body that is moved only by its corrections.
struct Body {
    position: CellPosition,
    manager: PositionManager,
    /// Whether a placement succeeds.
    can_be_placed: bool,
}

impl CorrectionHost for Body {
    fn position_manager(&mut self) -> &mut PositionManager {
        &mut self.manager
    }

    fn set_target(&mut self, _request: TargetRequest) {}
    fn clear_target(&mut self) {}
    fn cancel_moveto(&mut self) {}
}

impl Body {
    /// Creates the body at the start position of a case.
    fn new(case: Field<'_>, cell: CellId) -> CheckResult<Self> {
        let frame = Frame::new(case.get("start")?.vector()?, case.get("start_q")?.quat()?);
        let position = CellPosition::new(cell, frame);
        Ok(Self { position, manager: PositionManager::default(), can_be_placed: true })
    }

    /// Runs the managers. Returns `true` if they placed the body.
    fn use_time(&mut self, now: f64) -> bool {
        let placed = use_time(self, now, |body, target| {
            if body.can_be_placed {
                body.position = *target;
            }
            body.can_be_placed
        });
        placed.is_some()
    }

    fn interpolation(&self) -> &Interpolation {
        &self.manager.interpolation
    }
}

fn read_offset(step: Field<'_>) -> CheckResult<Frame> {
    Ok(Frame::new(step.get("in")?.vector()?, step.get("in_q")?.quat()?))
}

fn interp(case: Field<'_>) -> CheckResult<CaseResult> {
    let steps = Steps::of(case)?;
    let mut body = Body::new(case, CellId(case.get("cell")?.hex()?))?;
    let is_player = case.get("is_player")?.boolean()?;
    let blip = case.get("blip_distance")?.float()?;
    exact("blip_distance", blip, blip_distance(body.position.cell, is_player))?;
    let settings = Settings {
        is_player,
        contact: case.get("contact")?.boolean()?,
        adjusted_max_speed: case.get("max_speed")?.float()? * 0.5,
        speed: case.get("speed")?.float()?,
    };
    if case.get("stuck")?.boolean()? {
        stick_to(&mut body, TARGET, 0.0, f64::MAX);
    }
    steps.check(|step| {
        match step.get("op")?.text()? {
            "to" => interpolate_to(&mut body, step, &settings)?,
            "stop" => body.manager.interpolation.stop(),
            "tick" => tick(&mut body, step, &settings)?,
            other => return Err(Difference::new("op", "to, stop or tick", other)),
        }
        check_interpolation(&body, step)
    })
}

struct Settings {
    is_player: bool,
    contact: bool,
    /// Half of the maximum speed in the vectors, which have doubled it already.
    adjusted_max_speed: f32,
    speed: f32,
}

fn interpolate_to(body: &mut Body, step: Field<'_>, settings: &Settings) -> CheckResult {
    let frame = Frame::new(step.get("pos")?.vector()?, step.get("q")?.quat()?);
    let target = CellPosition::new(CellId(step.get("cell")?.hex()?), frame);
    let keep = step.get("keep_heading")?.boolean()?;
    let blip = blip_distance(body.position.cell, settings.is_player);
    let received = body.manager.interpolation.interpolate_to(target, keep, &body.position, blip);
    if let QueueResult::There { heading: Some(heading) } = received {
        body.position.frame.set_heading(heading);
    }
    Ok(())
}

fn tick(body: &mut Body, step: Field<'_>, settings: &Settings) -> CheckResult {
    let mut offset = read_offset(step)?;
    let quantum = step.get("dt")?.float()?;
    let input = CorrectionInput {
        position: body.position,
        contact: settings.contact,
        adjusted_max_speed: settings.adjusted_max_speed,
        max_speed: 0.0,
        radius: 0.0,
        sticky_target: None,
    };
    let done = body.manager.adjust_offset(&mut offset, quantum, &input);
    if let InterpolationStep::Toward { speed, .. } = done.interpolation {
        near("speed", settings.speed.into(), speed.into(), TOLERANCE)?;
    }
    check_offset(step, &offset)?;
    if !step.get("blocked")?.boolean()? {
        body.position.frame = body.position.frame.combine(&offset);
    }
    body.can_be_placed = !step.get("set_position_fails")?.boolean()?;
    let was_empty = body.interpolation().is_idle();
    let wants_blip = body.interpolation().blip_target().is_some();
    let placed = body.use_time(0.0);
    let events: Vec<_> = [("blip_empty_queue", wants_blip && was_empty), ("set_position", placed)]
        .into_iter()
        .filter_map(|(name, happened)| happened.then_some(name))
        .collect();
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

fn check_interpolation(body: &Body, step: Field<'_>) -> CheckResult {
    exact("cell_after", CellId(step.get("cell_after")?.hex()?), body.position.cell)?;
    near_vector("pos_after", step.get("pos_after")?.vector()?, body.position.frame.origin, TOLERANCE)?;
    near_quat("q_after", step.get("q_after")?.quat()?, body.position.frame.rotation, TOLERANCE)?;
    let got = body.interpolation();
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
    near("orig_dist", step.get("orig_dist")?.double()?, got.original_distance().into(), TOLERANCE)?;
    near("progress", step.get("progress")?.double()?, got.progress_quantum().into(), TOLERANCE)?;
    exact("fails", step.get("fails")?.unsigned()?, got.fail_count().into())?;
    exact("keep", step.get("keep")?.boolean()?, got.keeps_heading())
}

/// Requires the same heading within 0.02 degrees, modulo 360 degrees.
fn near_heading(path: &str, expected: f32, got: f32) -> CheckResult {
    let difference = (expected - got).abs() % 360.0;
    if difference.min(360.0 - difference) <= 0.02 {
        return Ok(());
    }
    Err(Difference::new(format_args!("{path}.heading"), expected, got))
}

fn sticky(case: Field<'_>) -> CheckResult<CaseResult> {
    let steps = Steps::of(case)?;
    let mut body = Body::new(case, CELL)?;
    let target_start = CellPosition::at(CELL, case.get("target_start")?.vector()?);
    let velocity = case.get("target_velocity")?.vector()?;
    let dt = case.get("dt")?.float()?;
    let max_speed = case.get("max_speed")?.float()?;
    let radius = case.get("radius")?.float()?;
    let unknown_from = u64::try_from(case.get("target_unknown_from")?.signed()?).ok();
    stick_to(&mut body, TARGET, case.get("target_radius")?.float()?, 0.0);
    target_updated(&mut body, TARGET, Some(&target_start));
    let (mut target, mut now, mut index) = (target_start, 0.0, 0);
    steps.check(|step| {
        target.frame.origin += velocity * dt;
        now += f64::from(dt);
        near_vector("target", step.get("target")?.vector()?, target.frame.origin, TOLERANCE)?;
        let is_known = unknown_from.is_none_or(|first| index < first);
        let mut offset = read_offset(step)?;
        let input = CorrectionInput {
            position: body.position,
            contact: true,
            adjusted_max_speed: max_speed,
            max_speed,
            radius,
            sticky_target: is_known.then_some(target),
        };
        body.manager.adjust_offset(&mut offset, dt, &input);
        check_offset(step, &offset)?;
        body.position.frame = body.position.frame.combine(&offset);
        body.use_time(now);
        index += 1;
        near_vector("pos", step.get("pos")?.vector()?, body.position.frame.origin, TOLERANCE)?;
        near_heading("heading", step.get("heading")?.float()?, body.position.frame.heading())?;
        let stuck_to = body.manager.sticky_target().unwrap_or(Guid::NONE);
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
    let mut constraint = Constraint::default();
    constraint.constrain_to(&CellPosition::at(CELL, case.get("anchor")?.vector()?), &own, range);
    near("offset0", case.get("offset0")?.double()?, constraint.pos_offset().into(), TOLERANCE)?;
    steps.check(|step| {
        match step.get("op")?.text()? {
            "adjust" => {
                let mut offset = Frame::from_origin(step.get("in")?.vector()?);
                constraint.adjust_offset(&mut offset, step.get("contact")?.boolean()?);
                near_vector("out", step.get("out")?.vector()?, offset.origin, TOLERANCE)?;
            }
            "constrain" => {
                constraint.constrain_to(&CellPosition::at(CELL, step.get("anchor")?.vector()?), &own, range);
            }
            "unconstrain" => constraint.release(),
            other => return Err(Difference::new("op", "adjust, constrain or unconstrain", other)),
        }
        exact("active", step.get("active")?.boolean()?, constraint.is_active())?;
        near("pos_offset", step.get("pos_offset")?.double()?, constraint.pos_offset().into(), TOLERANCE)?;
        exact("fully", step.get("fully")?.boolean()?, constraint.is_fully_constrained())
    })
}
