//! Family `commands`: single functions of the interpreter and its formulas (rules F2, F3, F9–F14, C25, K10).

use acmotion::components::{Axis, Body, Interpreter, PhysicsState, TransientState};
use acmotion::internals::interp::{self, motion_allows_jump};
use acmotion::types::{CellPosition, Era, MotionCommand};
use acmotion::{HoldKey, MotionError, PlayerWeenie, RemoteWeenie, Weenie};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_vector};
use super::motion_table::{LENGTH_TOLERANCE, RATE_TOLERANCE};
use super::{CaseResult, Family};

pub(super) struct CommandsFamily;

impl Family for CommandsFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("fn")?.text()? {
            "adjust_motion" => adjust_motion(case),
            "apply_run_to_command" => apply_run(case),
            "speeds" => speeds(case),
            "motion_allows_jump" => allows_jump(case),
            "contact_allows_move" => contact_allows(case),
            "jump_checks" => jump_checks(case),
            "jump_velocity" => jump_velocity(case),
            "movement_system" => movement_system(case),
            "encumbrance" => encumbrance(case),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

/// Returns the weenie that a case describes; `null` is none. Its run rate must be the one in the case, or none.
pub(super) fn weenie(case: Field<'_>) -> CheckResult<Option<Box<dyn Weenie>>> {
    let kind = case.find("weenie").map_or(Ok("null"), Field::text)?;
    let weenie: Option<Box<dyn Weenie>> = match kind {
        "null" => None,
        "creature" => Some(Box::new(RemoteWeenie::Creature)),
        "object" => Some(Box::new(RemoteWeenie::Object)),
        "player" => Some(Box::new(player(case)?)),
        other => return Err(Difference::new("weenie", "null, creature, object or player", other)),
    };
    // A case in which the run rate does not matter does not describe the player.
    if kind != "player" || case.find("player").is_some() {
        let expected = case.find("run_rate").map(Field::double).transpose()?;
        match (expected, weenie.as_ref().and_then(|weenie| weenie.run_rate())) {
            (Some(expected), Some(got)) => near("run_rate", expected, got.into(), RATE_TOLERANCE)?,
            (expected, got) => exact("run_rate", expected, got.map(f64::from))?,
        }
    }
    Ok(weenie)
}

fn player(case: Field<'_>) -> CheckResult<PlayerWeenie> {
    let Some(player) = case.find("player") else { return Ok(PlayerWeenie::default()) };
    Ok(PlayerWeenie {
        run_skill: player.get("run_skill")?.unsigned()? as u32,
        jump_skill: player.get("jump_skill")?.unsigned()? as u32,
        load: player.get("load")?.float()?,
        stamina: player.get("stamina")?.unsigned()? as u32,
        fights_players: false,
    })
}

pub(super) fn command(case: Field<'_>, name: &'static str) -> CheckResult<MotionCommand> {
    case.get(name)?.hex().map(MotionCommand)
}

fn key(case: Field<'_>, name: &'static str) -> CheckResult<HoldKey> {
    Ok(HoldKey(case.get(name)?.unsigned()? as u32))
}

fn check_adjusted(case: Field<'_>, (motion, speed): (MotionCommand, f32)) -> CheckResult {
    exact("out_motion", command(case, "out_motion")?, motion)?;
    near("out_speed", case.get("out_speed")?.double()?, speed.into(), RATE_TOLERANCE)
}

fn adjust_motion(case: Field<'_>) -> CheckResult {
    let weenie = weenie(case)?;
    let mut interpreter = Interpreter::default();
    interpreter.my_run_rate = case.get("my_run_rate")?.float()?;
    interpreter.raw.current_hold_key = key(case, "cur_hold")?;
    let (motion, speed) = (command(case, "motion")?, case.get("speed")?.float()?);
    check_adjusted(case, interpreter.adjust_motion(weenie.as_deref(), motion, speed, key(case, "hold")?))
}

fn apply_run(case: Field<'_>) -> CheckResult {
    let weenie = weenie(case)?;
    let mut interpreter = Interpreter::default();
    interpreter.my_run_rate = case.get("my_run_rate")?.float()?;
    let (motion, speed) = (command(case, "motion")?, case.get("speed")?.float()?);
    check_adjusted(case, interpreter.apply_run_to_command(weenie.as_deref(), motion, speed))
}

fn axis(case: Field<'_>, name: &'static str, speed: &'static str) -> CheckResult<Axis> {
    Ok(Axis { command: command(case, name)?, speed: case.get(speed)?.float()? })
}

fn speeds(case: Field<'_>) -> CheckResult {
    let weenie = weenie(case)?;
    let weenie = weenie.as_deref();
    let mut interpreter = Interpreter::default();
    interpreter.my_run_rate = case.get("my_run_rate")?.float()?;
    interpreter.current_speed_factor = case.get("speed_factor")?.float()?;
    interpreter.interpreted.forward = axis(case, "fwd", "fwd_speed")?;
    interpreter.interpreted.sidestep = axis(case, "side", "side_speed")?;
    let velocity = case.get("state_velocity")?.vector()?;
    near_vector("state_velocity", velocity, interpreter.state_velocity(weenie), LENGTH_TOLERANCE)?;
    near(
        "max_speed",
        case.get("max_speed")?.double()?,
        interpreter.max_speed(weenie).into(),
        RATE_TOLERANCE,
    )?;
    let adjusted = interpreter.adjusted_max_speed(weenie);
    near("adjusted_max_speed", case.get("adjusted_max_speed")?.double()?, adjusted.into(), RATE_TOLERANCE)
}

/// Skips the ids listed under `open`, which are disputed. An entry is an id, or an id with an answer.
fn allows_jump(case: Field<'_>) -> CheckResult {
    let mut open = Vec::new();
    for entry in case.find("open").map(Field::elements).transpose()?.into_iter().flatten() {
        let motion = entry.hex().or_else(|_| entry.array().and_then(|[motion, _]| motion.hex()))?;
        open.push(motion);
    }
    for entry in case.get("result")?.elements()? {
        let [motion, code] = entry.array()?;
        let motion = MotionCommand(motion.hex()?);
        if !open.contains(&motion.0) {
            let got = MotionError::code_of(motion_allows_jump(motion, Era::EndOfRetail));
            exact(&format!("result[{motion}]"), code.unsigned()?, got.into())?;
        }
    }
    Ok(())
}

/// Returns a body with the gravity and contact of a case.
fn body(case: Field<'_>) -> CheckResult<Body> {
    let mut body = Body::new(CellPosition::default());
    body.state.set(PhysicsState::GRAVITY, case.get("gravity")?.boolean()?);
    body.transient.set(TransientState::CONTACT, case.get("contact")?.boolean()?);
    body.transient.set(TransientState::ON_WALKABLE, case.get("on_walkable")?.boolean()?);
    Ok(body)
}

fn contact_allows(case: Field<'_>) -> CheckResult {
    let (weenie, body) = (weenie(case)?, body(case)?);
    let interpreter = Interpreter::default();
    for entry in case.get("result")?.elements()? {
        let [motion, allowed] = entry.array()?;
        let motion = MotionCommand(motion.hex()?);
        let got = interpreter.contact_allows_move(&body, weenie.as_deref(), motion);
        exact(&format!("result[{motion}]"), allowed.boolean()?, got)?;
    }
    Ok(())
}

fn jump_checks(case: Field<'_>) -> CheckResult {
    let (weenie, body) = (weenie(case)?, body(case)?);
    let weenie = weenie.as_deref();
    let mut interpreter = Interpreter::default();
    interpreter.interpreted.forward.command = command(case, "fwd")?;
    interpreter.interpreted.sidestep.command = command(case, "side")?;
    interpreter.interpreted.turn.command = command(case, "turn")?;
    for entry in case.get("pending")?.elements()? {
        let [motion, code] = entry.array()?;
        let no_jump = MotionError::from_code(code.unsigned()? as u32);
        interpreter.enqueue(0, MotionCommand(motion.hex()?), no_jump);
    }
    let (extent, is_constrained) = (case.get("extent")?.float()?, case.get("fully_constrained")?.boolean()?);
    let code = |name, got: Result<(), MotionError>| {
        exact(name, case.get(name)?.unsigned()?, MotionError::code_of(got).into())
    };
    code("jump_is_allowed", interpreter.jump_is_allowed(&body, weenie, extent, is_constrained))?;
    code("jump_charge_is_allowed", interpreter.jump_charge_is_allowed(weenie))?;
    code("charge_jump", interpreter.charge_jump(&body, weenie))?;
    exact("standing_long_jump", case.get("standing_long_jump")?.boolean()?, interpreter.standing_long_jump)?;
    exact(
        "is_standing_still",
        case.get("is_standing_still")?.boolean()?,
        interpreter.is_standing_still(&body),
    )
}

fn jump_velocity(case: Field<'_>) -> CheckResult {
    if let Some(burden) = case.find("burden") {
        near("burden", burden.double()?, carried_load(case)?.into(), RATE_TOLERANCE)?;
    }
    let weenie = weenie(case)?;
    let weenie = weenie.as_deref();
    let mut interpreter = Interpreter::default();
    interpreter.jump_extent = case.get("extent")?.float()?;
    interpreter.my_run_rate = case.get("my_run_rate")?.float()?;
    interpreter.interpreted.forward = axis(case, "fwd", "fwd_speed")?;
    interpreter.interpreted.sidestep = axis(case, "side", "side_speed")?;
    let mut body = Body::new(CellPosition::default());
    body.position.frame.rotation = case.get("orientation_wxyz")?.quat()?;
    body.velocity = case.get("velocity")?.vector()?;
    near("jump_v_z", case.get("jump_v_z")?.double()?, interpreter.jump_v_z(weenie).into(), LENGTH_TOLERANCE)?;
    let velocity = interpreter.leave_ground_velocity(&body, weenie);
    near_vector(
        "leave_ground_velocity",
        case.get("leave_ground_velocity")?.vector()?,
        velocity,
        LENGTH_TOLERANCE,
    )
}

/// Returns the load that a case describes.
fn carried_load(case: Field<'_>) -> CheckResult<f32> {
    let number = |name| -> CheckResult<i32> { Ok(case.get(name)?.signed()? as i32) };
    let capacity = interp::carrying_capacity(number("strength")?, number("augs")?);
    Ok(interp::load(number("encumbrance")?, capacity))
}

fn movement_system(case: Field<'_>) -> CheckResult {
    let (load, skill) = (case.get("burden")?.float()?, case.get("skill")?.unsigned()? as u32);
    let (extent, pk) = (case.get("extent")?.float()?, case.get("pk")?.boolean()?);
    let check = |name, got: f64, tolerance| near(name, case.get(name)?.double()?, got, tolerance);
    check("burden_mod", interp::load_modifier(load).into(), RATE_TOLERANCE)?;
    check("run_rate", interp::run_rate(load, skill), RATE_TOLERANCE)?;
    check("jump_height", interp::jump_height(load, skill, extent), LENGTH_TOLERANCE)?;
    check("jump_v_z", interp::jump_speed(load, skill, extent).into(), LENGTH_TOLERANCE)?;
    let cost = interp::jump_stamina_cost(load, extent, pk);
    exact("jump_stamina_cost", case.get("jump_stamina_cost")?.signed()?, cost.into())
}

fn encumbrance(case: Field<'_>) -> CheckResult {
    let number = |name| -> CheckResult<i32> { Ok(case.get(name)?.signed()? as i32) };
    let capacity = interp::carrying_capacity(number("strength")?, number("augs")?);
    exact("capacity", case.get("capacity")?.signed()?, capacity)?;
    near("burden", case.get("burden")?.double()?, carried_load(case)?.into(), RATE_TOLERANCE)
}
