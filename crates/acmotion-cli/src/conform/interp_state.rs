//! Families `interp_state` and `interp_directed`: the motion interpreter of a body in a world, with its motion table, step by
//! step (rules F1–F20, E2–E8, C24–C26).

use std::sync::Arc;

use acmotion::components::{
    Action, Actor, Axis, Entity, InterpretedState, MovementParams, MovementRequest, RawAxis, RawState,
    TransientState,
};
use acmotion::internals::body::{BodyFlags, BodyHost as _, set_on_walkable};
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::table::check_for_completed_motions;
use acmotion::types::{ActionStamp, CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{
    ActionItem, Actions, InterpretedState as WireState, MotionFlags, Movement, MovementBody,
};
use acmotion::{Animator, HoldKey, MotionError, MotionHost as _};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_vector};
use super::commands::{command, weenie};
use super::motion_table::{DefinedTable, LENGTH_TOLERANCE, RATE_TOLERANCE, Tables, check_state};
use super::motion_table_manager::{check_done, completed};
use super::stage::{Space, Stage};
use super::steps::Steps;
use super::{CaseResult, Family};

const BODY: Guid = Guid(1);
/// The duration of the tick before the first step of a directed case, in seconds.
const FIRST_TICK: f32 = 0.01;

#[derive(Default)]
pub(super) struct InterpStateFamily {
    tables: Tables,
    /// Whether the file is `interp_directed`.
    is_directed: bool,
}

impl InterpStateFamily {
    pub(super) fn directed() -> Self {
        Self { is_directed: true, ..Self::default() }
    }
}

impl Family for InterpStateFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "table" => self.tables.add(case),
            "case" => self.script(case),
            other => Err(Difference::new("kind", "table or case", other)),
        }
    }
}

impl InterpStateFamily {
    fn script(&self, case: Field<'_>) -> CheckResult<CaseResult> {
        let steps = Steps::of(case)?;
        let mut script = Script::begin(case, self.tables.first()?)?;
        if self.is_directed {
            script.stage.act(BODY, 0.0, |actor| tick(actor, FIRST_TICK))?;
        }
        script.stage.clear_events();
        let initial = case.get("initial")?;
        script.check(initial).map_err(|difference| difference.within("initial"))?;
        steps.check(|step| script.step(step))
    }
}

/// The body of one case.
struct Script {
    stage: Stage,
}

impl Script {
    /// Creates the body in its default state, on the ground.
    fn begin(case: Field<'_>, table: &DefinedTable) -> CheckResult<Self> {
        let mut entity = Entity::new(BODY, Some(table.id));
        entity.set_weenie(weenie(case)?.map(Arc::from));
        entity.body.position = CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO);
        entity.body.flags.set(BodyFlags::IN_CELL, case.get("in_cell")?.boolean()?);
        entity.body.transient =
            TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
        let mut stage = Stage::new(table.world.clone());
        stage.add(entity)?;
        let my_run_rate = case.get("initial")?.get("my_run_rate")?.float()?;
        let is_autonomous = case.get("autonomous")?.boolean()?;
        let orientation = case.find("orientation_wxyz").map(Field::quat).transpose()?;
        stage.act(BODY, 0.0, |actor| {
            actor.enter_default_state();
            actor.entity.interp.my_run_rate = my_run_rate;
            actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, is_autonomous);
            if let Some(orientation) = orientation {
                actor.entity.body.position.frame.rotation = orientation;
            }
        })?;
        Ok(Self { stage })
    }

    fn step(&mut self, step: Field<'_>) -> CheckResult {
        let result = self.stage.act(BODY, 0.0, |actor| perform(actor, step))??;
        exact("result", step.get("result")?.unsigned()?, result.into())?;
        let events = self.stage.drain(BODY);
        match (step.get("op")?.text()?, step.find("done")) {
            // The vector raises it itself and therefore does not list it.
            ("motion_done", None) => {
                let success = step.get("success")?.boolean()?;
                exact("success", vec![(MotionCommand::READY, success)], completed(&events))?;
            }
            (_, Some(done)) => check_done(done, &events)?,
            (_, None) => exact("done", vec![], completed(&events))?,
        }
        self.check(step)
    }

    fn check(&self, expected: Field<'_>) -> CheckResult {
        let Entity { interp, body, animator, .. } = self.stage.entity(BODY)?;
        check_raw(expected.get("raw")?, &interp.raw).map_err(|difference| difference.within("raw"))?;
        check_interpreted(expected.get("interp")?, &interp.interpreted)
            .map_err(|difference| difference.within("interp"))?;
        let mut pending = Vec::new();
        for entry in expected.get("pending")?.elements()? {
            let [context, motion, code] = entry.array()?;
            pending.push((context.unsigned()? as u32, MotionCommand(motion.hex()?), code.unsigned()? as u32));
        }
        let got = interp
            .pending()
            .map(|entry| (entry.context, entry.motion, entry.jump_error.map_or(0, MotionError::code)));
        exact("pending", pending, got.collect())?;
        near(
            "my_run_rate",
            expected.get("my_run_rate")?.double()?,
            interp.my_run_rate.into(),
            RATE_TOLERANCE,
        )?;
        exact("slj", expected.get("slj")?.boolean()?, interp.standing_long_jump)?;
        near(
            "jump_extent",
            expected.get("jump_extent")?.double()?,
            interp.jump_extent.into(),
            RATE_TOLERANCE,
        )?;
        let stamp = interp.server_action_stamp.get();
        exact("action_stamp", expected.get("action_stamp")?.unsigned()?, stamp.into())?;
        exact("animating", expected.get("animating")?.boolean()?, interp.has_pending())?;
        exact("transient", read_transient(expected.get("transient")?)?, body.transient)?;
        near_vector("vel", expected.get("vel")?.vector()?, body.velocity, LENGTH_TOLERANCE)?;
        self.check_animator(expected, animator)
    }

    fn check_animator(&self, expected: Field<'_>, animator: &Animator) -> CheckResult {
        let library = self.stage.world.library();
        check_state(expected.get("mt_state")?, animator.state())
            .map_err(|difference| difference.within("mt_state"))?;
        let mut pending = Vec::new();
        for entry in expected.get("mt_pending")?.elements()? {
            let [motion, count] = entry.array()?;
            pending.push((MotionCommand(motion.hex()?), count.unsigned()? as u32));
        }
        let got = animator.pending().map(|entry| (entry.motion, entry.num_anims));
        exact("mt_pending", pending, got.collect())?;
        exact("mt_counter", expected.get("mt_counter")?.unsigned()?, animator.counter().into())?;
        let sequence = animator.sequence();
        let nodes = expected.get("seq")?.elements()?;
        exact("seq.length", nodes.len(), sequence.nodes(library).len())?;
        for (index, (entry, got)) in nodes.zip(sequence.nodes(library)).enumerate() {
            let [id, framerate] = entry.array()?;
            exact(&format!("seq[{index}]"), id.hex()?, got.id().0)?;
            near(
                &format!("seq[{index}].framerate"),
                framerate.double()?,
                got.framerate.into(),
                RATE_TOLERANCE,
            )?;
        }
        near_vector("seq_vel", expected.get("seq_vel")?.vector()?, sequence.velocity(), LENGTH_TOLERANCE)?;
        near_vector("seq_omega", expected.get("seq_omega")?.vector()?, sequence.omega(), LENGTH_TOLERANCE)
    }
}

/// Performs the operation of a step and returns its result code.
fn perform(actor: &mut Actor<'_>, step: Field<'_>) -> CheckResult<u32> {
    let op = step.get("op")?.text()?;
    if let Some(bits) = step.find("transient_in") {
        actor.entity.body.transient = read_transient(bits)?;
    }
    let flag = |name| step.get(name)?.boolean();
    match op {
        "do_motion" | "stop_motion" | "do_interpreted" | "stop_interpreted" => {
            return perform_motion(actor, op, step);
        }
        "perform" => return perform_request(actor, step),
        "stop_completely" => return Ok(MotionError::code_of(actor.stop_completely())),
        "move_to_interpreted_state" => {
            actor.move_to_interpreted_state(&read_interpreted(step.get("state")?)?);
            return Ok(1);
        }
        "unpack_movement" => {
            unpack_movement(actor, step)?;
            return Ok(1);
        }
        "jump" => return Ok(MotionError::code_of(actor.jump(step.get("extent")?.float()?))),
        "charge_jump" => return Ok(MotionError::code_of(actor.charge_jump())),
        "apply_raw_movement" => {
            actor.entity.interp.raw = read_raw(step.get("raw_in")?)?;
            actor.apply_raw_movement(flag("cancel_moveto")?, flag("disallow_jump")?);
        }
        "apply_current_movement" => {
            actor.apply_current_movement(flag("cancel_moveto")?, flag("disallow_jump")?);
        }
        "tick" => tick(actor, step.get("dt")?.float()?),
        // The interpreter completes its oldest motion whichever is reported (rule F15).
        "motion_done" => actor.motion_done(MotionCommand::READY, flag("success")?),
        "set_hold_key" => {
            actor.set_hold_key(HoldKey(step.get("key")?.unsigned()? as u32), flag("cancel_moveto")?);
        }
        "set_hold_run" => actor.set_hold_run(is_set(step.get("val")?)?, flag("cancel_moveto")?),
        "hit_ground" => actor.hit_ground(),
        "leave_ground" => actor.leave_ground(),
        // No rule reacts to the loss of contact alone: nothing but the bits that were set above may change.
        "lose_contact" => {}
        "set_on_walkable" => set_on_walkable(actor, is_set(step.get("val")?)?),
        "set_autonomous" => actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, is_set(step.get("val")?)?),
        "check_completed" => check_for_completed_motions(actor),
        "report_exhaustion" => actor.report_exhaustion(),
        other => return Err(Difference::new("op", "an operation of this family", other)),
    }
    Ok(0)
}

/// Advances the animation, completes the motions whose animations end, and those that have none. In these vectors, bodies in no
/// cell are ticked as well, which a step would leave out (rule B4), and bodies do not move: they have no sweep, and their
/// velocity stays as it is, whatever gravity and friction would make of it.
fn tick(actor: &mut Actor<'_>, dt: f32) {
    let velocity = actor.entity.body.velocity;
    actor.update_position(dt);
    actor.entity.body.velocity = velocity;
    actor.use_time(&Space::OPEN);
}

/// Applies a movement of type 0 as a message carries it.
fn unpack_movement(actor: &mut Actor<'_>, step: Field<'_>) -> CheckResult {
    let state = read_interpreted(step.get("state")?)?;
    let items = state.actions().map(|action| ActionItem {
        command: action.motion,
        stamp: action.stamp,
        autonomous: action.autonomous,
        speed: action.speed,
    });
    let items: Vec<_> = items.collect();
    let mut flags = MotionFlags::empty();
    flags.set(MotionFlags::STANDING_LONG_JUMP, step.get("long_jump")?.boolean()?);
    actor.unpack_movement(&Movement {
        flags,
        style: command(step, "style")?,
        body: MovementBody::Interpreted {
            state: WireState {
                current_style: Some(state.style),
                forward_command: Some(state.forward.command),
                forward_speed: Some(state.forward.speed),
                sidestep_command: Some(state.sidestep.command),
                sidestep_speed: Some(state.sidestep.speed),
                turn_command: Some(state.turn.command),
                turn_speed: Some(state.turn.speed),
                actions: Actions::new(&items),
                ..WireState::default()
            },
            sticky: None,
        },
    });
    Ok(())
}

fn read_transient(bits: Field<'_>) -> CheckResult<TransientState> {
    Ok(TransientState::from_bits_retain(bits.unsigned()? as u16))
}

/// Returns a boolean, which can also be a number: 0 is false, everything else is true.
fn is_set(field: Field<'_>) -> CheckResult<bool> {
    field.boolean().or_else(|_| Ok(field.unsigned()? != 0))
}

fn read_params(step: Field<'_>) -> CheckResult<MovementParams> {
    let params = step.get("params")?;
    Ok(MovementParams {
        flags: MoveFlags::from_bits_retain(params.get("flags")?.hex()?),
        speed: params.get("speed")?.float()?,
        hold_key: HoldKey(params.get("hold")?.unsigned()? as u32),
        context: params.get("context")?.unsigned()? as u32,
        action_stamp: ActionStamp::new(params.get("stamp")?.unsigned()? as u16),
        ..MovementParams::default()
    })
}

fn perform_motion(act: &mut Actor<'_>, op: &str, step: Field<'_>) -> CheckResult<u32> {
    let (motion, params) = (command(step, "motion")?, read_params(step)?);
    Ok(MotionError::code_of(match op {
        "do_motion" => act.do_motion(motion, &params),
        "stop_motion" => act.stop_motion(motion, &params),
        "do_interpreted" => act.do_interpreted_motion(motion, &params),
        _ => act.stop_interpreted_motion(motion, &params),
    }))
}

fn perform_request(act: &mut Actor<'_>, step: Field<'_>) -> CheckResult<u32> {
    let kind = step.get("type")?.unsigned()?;
    let request = if kind == 5 {
        MovementRequest::StopCompletely
    } else {
        let (motion, params) = (command(step, "motion")?, read_params(step)?);
        match kind {
            1 => MovementRequest::Do(motion, params),
            2 => MovementRequest::DoInterpreted(motion, params),
            3 => MovementRequest::Stop(motion, params),
            4 => MovementRequest::StopInterpreted(motion, params),
            other => return Err(Difference::new("type", "1 to 5", other)),
        }
    };
    Ok(MotionError::code_of(act.perform(&request)))
}

/// Reads an action, `[motion, speed, stamp, autonomous]`.
fn read_action(entry: Field<'_>) -> CheckResult<Action> {
    let [motion, speed, stamp, autonomous] = entry.array()?;
    Ok(Action {
        motion: MotionCommand(motion.hex()?),
        speed: speed.float()?,
        stamp: ActionStamp::new(stamp.unsigned()? as u16),
        autonomous: autonomous.boolean()?,
    })
}

fn read_interpreted(state: Field<'_>) -> CheckResult<InterpretedState> {
    let axis = |name, speed| -> CheckResult<Axis> {
        Ok(Axis { command: command(state, name)?, speed: state.get(speed)?.float()? })
    };
    let mut out = InterpretedState::default();
    out.style = command(state, "style")?;
    out.forward = axis("fwd", "fwd_speed")?;
    out.sidestep = axis("side", "side_speed")?;
    out.turn = axis("turn", "turn_speed")?;
    for entry in state.get("actions")?.elements()? {
        out.push_action(read_action(entry)?);
    }
    Ok(out)
}

fn read_raw(state: Field<'_>) -> CheckResult<RawState> {
    let axis = |name, speed, key| -> CheckResult<RawAxis> {
        let hold_key = HoldKey(state.get(key)?.unsigned()? as u32);
        Ok(RawAxis { command: command(state, name)?, speed: state.get(speed)?.float()?, hold_key })
    };
    let mut out = RawState::default();
    out.current_hold_key = HoldKey(state.get("hold")?.unsigned()? as u32);
    out.style = command(state, "style")?;
    out.forward = axis("fwd", "fwd_speed", "fwd_hold")?;
    out.sidestep = axis("side", "side_speed", "side_hold")?;
    out.turn = axis("turn", "turn_speed", "turn_hold")?;
    for entry in state.get("actions")?.elements()? {
        out.push_action(read_action(entry)?);
    }
    Ok(out)
}

fn check_raw(expected: Field<'_>, got: &RawState) -> CheckResult {
    let expected = read_raw(expected)?;
    exact("hold", expected.current_hold_key, got.current_hold_key)?;
    exact("style", expected.style, got.style)?;
    for (name, expected, got) in [
        ("fwd", expected.forward, got.forward),
        ("side", expected.sidestep, got.sidestep),
        ("turn", expected.turn, got.turn),
    ] {
        exact(name, expected.command, got.command)?;
        exact(&format!("{name}_hold"), expected.hold_key, got.hold_key)?;
        near(&format!("{name}_speed"), expected.speed.into(), got.speed.into(), RATE_TOLERANCE)?;
    }
    check_actions(expected.actions(), got.actions())
}

fn check_interpreted(expected: Field<'_>, got: &InterpretedState) -> CheckResult {
    let expected = read_interpreted(expected)?;
    exact("style", expected.style, got.style)?;
    for (name, expected, got) in [
        ("fwd", expected.forward, got.forward),
        ("side", expected.sidestep, got.sidestep),
        ("turn", expected.turn, got.turn),
    ] {
        exact(name, expected.command, got.command)?;
        near(&format!("{name}_speed"), expected.speed.into(), got.speed.into(), RATE_TOLERANCE)?;
    }
    check_actions(expected.actions(), got.actions())
}

fn check_actions(
    expected: impl ExactSizeIterator<Item = Action>,
    got: impl ExactSizeIterator<Item = Action>,
) -> CheckResult {
    exact("actions.length", expected.len(), got.len())?;
    for (index, (expected, got)) in expected.zip(got).enumerate() {
        let key = |action: &Action| (action.motion, action.stamp, action.autonomous);
        exact(&format!("actions[{index}]"), key(&expected), key(&got))?;
        near(&format!("actions[{index}].speed"), expected.speed.into(), got.speed.into(), RATE_TOLERANCE)?;
    }
    Ok(())
}
