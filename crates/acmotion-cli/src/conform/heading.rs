//! Family `heading`: headings, outdoor positions, and small tables (rules A4, A5, A13, A14, J5, C22, K5, D8).

use acmotion::explain::ConstraintRange;
use acmotion::formulas::jump_level;
use acmotion::internals::correction::blip_distance;
use acmotion::internals::interp::{heading_diff, heading_is_past, mouse_turn};
use acmotion::types::{CellId, CellPosition, Frame, MotionCommand, Vec3};
use serde_json::Value;

use super::check::{
    CheckResult, Difference, Field, exact, near, near_heading, near_length, near_quat, near_vector, within,
};
use super::motion_table::{LENGTH_TOLERANCE, RATE_TOLERANCE};
use super::{CaseResult, Family};

pub(super) struct HeadingFamily;

impl Family for HeadingFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("fn")?.text()? {
            "set_heading" => set_heading(case),
            "set_vector_heading" => set_vector_heading(case),
            "get_heading" => get_heading(case),
            "heading_to" => heading_to(case),
            "heading_cmp" => heading_cmp(case),
            "adjust_to_outside" => adjust_to_outside(case),
            "jump_charge" => jump_charge(case),
            "mouse_turn" => check_mouse_turn(case),
            "distances" => distances(case),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

fn check_heading(name: &'static str, case: Field<'_>, got: f32) -> CheckResult {
    near_heading(name, case.get(name)?.float()?, got)
}

/// Returns a frame at the origin with the rotation `name`.
fn read_rotation(case: Field<'_>, name: &'static str) -> CheckResult<Frame> {
    Ok(Frame::new(Vec3::ZERO, case.get(name)?.quat()?))
}

fn set_heading(case: Field<'_>) -> CheckResult {
    let mut frame = read_rotation(case, "q_in")?;
    within("forward_z", case.get("forward_z")?.double()?, frame.forward().z.into(), LENGTH_TOLERANCE)?;
    frame.set_heading(case.get("heading")?.float()?);
    near_quat("q", case.get("q")?.quat()?, frame.rotation, LENGTH_TOLERANCE)?;
    check_heading("get_heading", case, frame.heading())?;
    near_vector("forward", case.get("forward")?.vector()?, frame.forward(), LENGTH_TOLERANCE)
}

fn set_vector_heading(case: Field<'_>) -> CheckResult {
    let mut frame = read_rotation(case, "q_in")?;
    frame.set_vector_heading(case.get("dir")?.vector()?);
    near_quat("q", case.get("q")?.quat()?, frame.rotation, LENGTH_TOLERANCE)
}

fn get_heading(case: Field<'_>) -> CheckResult {
    let frame = read_rotation(case, "q")?;
    near_vector("forward", case.get("forward")?.vector()?, frame.forward(), LENGTH_TOLERANCE)?;
    check_heading("heading", case, frame.heading())
}

fn heading_to(case: Field<'_>) -> CheckResult {
    let position = |cell, origin| -> CheckResult<CellPosition> {
        Ok(CellPosition::at(CellId(case.get(cell)?.hex()?), case.get(origin)?.vector()?))
    };
    let (from, to) = (position("cell1", "p1")?, position("cell2", "p2")?);
    near_vector("offset", case.get("offset")?.vector()?, from.offset_to(&to), LENGTH_TOLERANCE)?;
    near_length("distance", case.get("distance")?.double()?, from.distance_to(&to).into(), LENGTH_TOLERANCE)?;
    check_heading("heading", case, from.heading_to(&to))
}

fn heading_cmp(case: Field<'_>) -> CheckResult {
    let (to, from) = (case.get("h1")?.float()?, case.get("h2")?.float()?);
    let turn = MotionCommand(case.get("motion")?.hex()?);
    check_heading("diff", case, heading_diff(to, from, turn))?;
    exact("greater", case.get("greater")?.boolean()?, heading_is_past(to, from, turn))
}

fn adjust_to_outside(case: Field<'_>) -> CheckResult {
    let origin = Vec3::new(case.get("x")?.float()?, case.get("y")?.float()?, 0.0);
    let position = CellPosition::at(CellId(case.get("cell")?.hex()?), origin).adjusted_to_outside();
    exact("ok", case.get("ok")?.boolean()?, position.is_some())?;
    let Some(position) = position else { return Ok(()) };
    exact("cell_out", CellId(case.get("cell_out")?.hex()?), position.cell)?;
    near_length("x_out", case.get("x_out")?.double()?, position.frame.origin.x.into(), LENGTH_TOLERANCE)?;
    near_length("y_out", case.get("y_out")?.double()?, position.frame.origin.y.into(), LENGTH_TOLERANCE)
}

fn jump_charge(case: Field<'_>) -> CheckResult {
    let held = case.get("held_seconds")?.double()?;
    let (level, extent) = jump_level(held, case.get("dual_wield")?.boolean()?);
    near("level", case.get("level")?.double()?, level.into(), RATE_TOLERANCE)?;
    near("extent", case.get("extent")?.double()?, extent.into(), RATE_TOLERANCE)
}

fn check_mouse_turn(case: Field<'_>) -> CheckResult {
    let turn = mouse_turn(case.get("v")?.float()?);
    let name = match turn {
        Some((MotionCommand::TURN_RIGHT, _)) => "turn_right",
        Some(_) => "turn_left",
        None => "stop_both",
    };
    exact("result", case.get("result")?.text()?, name)?;
    match turn {
        Some((_, speed)) => near("speed", case.get("speed")?.double()?, speed.into(), RATE_TOLERANCE),
        None => Ok(()),
    }
}

fn distances(case: Field<'_>) -> CheckResult {
    let cell = CellId(case.get("cell")?.hex()?);
    let range = ConstraintRange::of(cell);
    let check = |name, got: f32| near(name, case.get(name)?.double()?, got.into(), RATE_TOLERANCE);
    check("constraint_start", range.start)?;
    check("constraint_max", range.max)?;
    check("blip_player", blip_distance(cell, true))?;
    check("blip_other", blip_distance(cell, false))
}
