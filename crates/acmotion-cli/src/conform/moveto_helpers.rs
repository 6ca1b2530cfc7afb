//! Family `moveto_helpers`: the choice of motion by distance, headings, positions and frames (rules J3–J5, A4–A15).

use acmotion::HoldKey;
use acmotion::components::MovementParams;
use acmotion::internals::interp::{MoveFlags, heading_diff, heading_is_past};
use acmotion::internals::steer::desired_heading;
use acmotion::types::{CellId, CellPosition, Cylinder, Frame, MotionCommand, Quat, Vec3};
use serde_json::Value;

use super::check::{
    CheckResult, Difference, Field, exact, near_heading, near_length, near_quat, near_vector,
};
use super::{CaseResult, Family};

const TOLERANCE: f64 = 1e-4;

pub(super) struct MoveToHelpersFamily;

impl Family for MoveToHelpersFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("fn")?.text()? {
            "get_command" => get_command(case),
            "get_desired_heading" => get_desired_heading(case),
            "heading_cmp" => heading_cmp(case),
            "position" => position(case),
            "frame" => frame(case),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

fn read_motion(case: Field<'_>) -> CheckResult<MotionCommand> {
    case.get("motion")?.hex().map(MotionCommand)
}

fn get_command(case: Field<'_>) -> CheckResult {
    let params = MovementParams {
        flags: MoveFlags::from_bits_retain(case.get("flags")?.hex()?),
        distance_to_object: case.get("distance_to_object")?.float()?,
        min_distance: case.get("min_distance")?.float()?,
        walk_run_threshold: case.get("walk_run_threshold")?.float()?,
        ..MovementParams::default()
    };
    let distance = case.get("dist")?.float()?;
    let choice = params.get_command(distance);
    exact("motion", read_motion(case)?, choice.motion.unwrap_or(MotionCommand::NONE))?;
    exact("hold", HoldKey(case.get("hold")?.unsigned()? as u32), choice.gait.hold_key())?;
    if choice.motion.is_some() {
        exact("moving_away", case.get("moving_away")?.boolean()?, choice.moving_away)?;
    }
    let (motion, away) = params.towards_and_away(distance);
    let expected = MotionCommand(case.get("ta_motion")?.hex()?);
    exact("ta_motion", expected, motion.unwrap_or(MotionCommand::NONE))?;
    if motion.is_some() {
        exact("ta_away", case.get("ta_away")?.boolean()?, away)?;
    }
    Ok(())
}

fn get_desired_heading(case: Field<'_>) -> CheckResult {
    let got = desired_heading(read_motion(case)?, case.get("moving_away")?.boolean()?);
    near_heading("out", case.get("out")?.float()?, got)
}

fn heading_cmp(case: Field<'_>) -> CheckResult {
    let (h1, h2) = (case.get("h1")?.float()?, case.get("h2")?.float()?);
    let turn = read_motion(case)?;
    near_heading("diff", case.get("diff")?.float()?, heading_diff(h1, h2, turn))?;
    exact("greater", case.get("greater")?.boolean()?, heading_is_past(h1, h2, turn))
}

fn position(case: Field<'_>) -> CheckResult {
    let position = |cell, origin| -> CheckResult<CellPosition> {
        Ok(CellPosition::at(CellId(case.get(cell)?.hex()?), case.get(origin)?.vector()?))
    };
    let (mut own, other) = (position("cell1", "p1")?, position("cell2", "p2")?);
    own.frame.set_heading(case.get("set_heading")?.float()?);
    near_quat("q", case.get("q")?.quat()?, own.frame.rotation, TOLERANCE)?;
    near_heading("get_heading", case.get("get_heading")?.float()?, own.frame.heading())?;
    near_heading("heading_to", case.get("heading_to")?.float()?, own.heading_to(&other))?;
    near_vector("offset", case.get("offset")?.vector()?, own.offset_to(&other), TOLERANCE)?;
    near_length("distance", case.get("distance")?.double()?, own.distance_to(&other).into(), TOLERANCE)?;
    let size = |radius, height| -> CheckResult<Cylinder> {
        Ok(Cylinder { radius: case.get(radius)?.float()?, height: case.get(height)?.float()? })
    };
    let (own_size, other_size) = (size("radius1", "height1")?, size("radius2", "height2")?);
    let distance = own.cylinder_distance(own_size, &other, other_size);
    near_length("cylinder_distance", case.get("cylinder_distance")?.double()?, distance.into(), TOLERANCE)?;
    let distance = own.cylinder_distance_no_z(own_size, &other, other_size);
    near_length(
        "cylinder_distance_no_z",
        case.get("cylinder_distance_no_z")?.double()?,
        distance.into(),
        TOLERANCE,
    )
}

fn frame(case: Field<'_>) -> CheckResult {
    let vector = |name| -> CheckResult<Vec3> { case.get(name)?.vector() };
    let quat = |name| -> CheckResult<Quat> { case.get(name)?.quat() };
    let same_vector = |name, got| near_vector(name, vector(name)?, got, TOLERANCE);
    let same_quat = |name, got| near_quat(name, quat(name)?, got, TOLERANCE);
    let a = Frame::new(vector("a_o")?, quat("a_q")?);
    let b = Frame::new(vector("b_o")?, quat("b_q")?);
    let pairs = [
        ("combine_o", "combine_q", a.combine(&b)),
        ("subtract1_o", "subtract1_q", a.subtract1(&b)),
        ("subtract2_o", "subtract2_q", a.subtract2(&b)),
        ("interp_o", "interp_q", Frame::interpolate(&a, &b, case.get("t")?.float()?)),
    ];
    for (origin, rotation, got) in pairs {
        same_vector(origin, got.origin)?;
        same_quat(rotation, got.rotation)?;
    }
    let point = vector("v")?;
    same_vector("local_to_global", a.local_to_global(point))?;
    same_vector("global_to_local", a.global_to_local(point))?;
    near_heading("heading", case.get("heading")?.float()?, a.heading())?;
    let about_z = Vec3::new(0.0, 0.0, case.get("rotate_z_local")?.float()?);
    same_quat("rotate_q", rotation_after(a, |frame| frame.rotate_local(about_z)))?;
    let by = vector("rotvec")?;
    same_quat("rotate_local_q", rotation_after(a, |frame| frame.rotate_local(by)))?;
    same_quat("grotate_q", rotation_after(a, |frame| frame.rotate_global(by)))
}

/// Applies `turn` to a frame and returns its rotation.
fn rotation_after(mut frame: Frame, turn: impl FnOnce(&mut Frame)) -> Quat {
    turn(&mut frame);
    frame.rotation
}
