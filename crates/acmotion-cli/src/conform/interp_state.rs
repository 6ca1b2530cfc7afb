//! Families `interp_state` and `interp_directed`: the motion interpreter of a body with its motion table, step by step
//! (rules F1–F20, E2–E8, C24–C26).

use std::sync::Arc;

use acmotion::components::{
    Action, Actor, Axis, Entity, Events, InterpretedState, MovementParams, MovementRequest, RawAxis,
    RawState, TransientState,
};
use acmotion::internals::body::{BodyFlags, BodyHost as _, set_on_walkable};
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::table::{animation_done, check_for_completed_motions};
use acmotion::types::{ActionStamp, CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, HookBuffer, Library, MotionError, MotionEvent, TableId};
use serde_json::{Value, json};

use super::check::{CheckResult, Difference, Field, Steps, exact, near, near_vector};
use super::commands::{command, weenie};
use super::motion_table::{LENGTH_TOLERANCE, RATE_TOLERANCE, Tables, check_state};
use super::{CaseResult, Family};

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
        // The file has one table, which all cases use.
        let first = json!({ "table": 0 });
        let (library, table) = self.tables.find(Field::line(&first))?;
        let mut script = Script::begin(case, library, table)?;
        if self.is_directed {
            script.tick(FIRST_TICK);
        }
        let initial = case.get("initial")?;
        script.check(initial).map_err(|difference| difference.within("initial"))?;
        steps.check(|step| script.step(step))
    }
}

/// The body of one case.
struct Script<'a> {
    entity: Entity,
    library: &'a Library,
    events: Events,
}

impl<'a> Script<'a> {
    /// Creates the body in its default state, on the ground.
    fn begin(case: Field<'_>, library: &'a Library, table: TableId) -> CheckResult<Self> {
        let mut entity = Entity::new(Guid(1), Some(table));
        entity.set_weenie(weenie(case)?.map(Arc::from));
        entity.body.position = CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO);
        entity.body.flags.set(BodyFlags::IN_CELL, case.get("in_cell")?.boolean()?);
        entity.body.transient =
            TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
        let mut script = Self { entity, library, events: Events::new() };
        script.act().enter_default_state();
        script.entity.interp.my_run_rate = case.get("initial")?.get("my_run_rate")?.float()?;
        script.entity.body.flags.set(BodyFlags::AUTONOMOUS, case.get("autonomous")?.boolean()?);
        if let Some(orientation) = case.find("orientation_wxyz") {
            script.entity.body.position.frame.rotation = orientation.quat()?;
        }
        script.events.clear();
        Ok(script)
    }

    fn act(&mut self) -> Actor<'_> {
        self.entity.act(self.library, 0.0, &mut self.events)
    }

    fn step(&mut self, step: Field<'_>) -> CheckResult {
        self.events.clear();
        let result = self.perform(step)?;
        exact("result", step.get("result")?.unsigned()?, result.into())?;
        self.check_done(step)?;
        self.check(step)
    }

    /// Performs the operation of a step and returns its result code.
    fn perform(&mut self, step: Field<'_>) -> CheckResult<u32> {
        let op = step.get("op")?.text()?;
        if let Some(bits) = step.find("transient_in") {
            self.entity.body.transient = read_transient(bits)?;
        }
        let mut act = self.act();
        let flag = |name| step.get(name)?.boolean();
        match op {
            "do_motion" | "stop_motion" | "do_interpreted" | "stop_interpreted" => {
                return perform_motion(&mut act, op, step);
            }
            "perform" => return perform_request(&mut act, step),
            "stop_completely" => return Ok(MotionError::code_of(act.stop_completely())),
            "move_to_interpreted_state" => {
                act.move_to_interpreted_state(&read_interpreted(step.get("state")?)?);
                return Ok(1);
            }
            "unpack_movement" => {
                act.start_movement(command(step, "style")?);
                act.move_to_interpreted_state(&read_interpreted(step.get("state")?)?);
                act.entity.interp.standing_long_jump = flag("long_jump")?;
                return Ok(1);
            }
            "jump" => return Ok(MotionError::code_of(act.jump(step.get("extent")?.float()?))),
            "charge_jump" => return Ok(MotionError::code_of(act.charge_jump())),
            "apply_raw_movement" => {
                act.entity.interp.raw = read_raw(step.get("raw_in")?)?;
                act.apply_raw_movement(flag("cancel_moveto")?, flag("disallow_jump")?);
            }
            "apply_current_movement" => {
                act.apply_current_movement(flag("cancel_moveto")?, flag("disallow_jump")?);
            }
            "tick" => self.tick(step.get("dt")?.float()?),
            "motion_done" => act.command_done(),
            "set_hold_key" => {
                act.set_hold_key(HoldKey(step.get("key")?.unsigned()? as u32), flag("cancel_moveto")?);
            }
            "set_hold_run" => act.set_hold_run(is_set(step.get("val")?)?, flag("cancel_moveto")?),
            "hit_ground" => act.hit_ground(),
            "leave_ground" => act.leave_ground(),
            "lose_contact" => {}
            "set_on_walkable" => set_on_walkable(&mut act, is_set(step.get("val")?)?),
            "set_autonomous" => act.entity.body.flags.set(BodyFlags::AUTONOMOUS, is_set(step.get("val")?)?),
            "check_completed" => check_for_completed_motions(&mut act),
            "report_exhaustion" => act.report_exhaustion(),
            other => return Err(Difference::new("op", "an operation of this family", other)),
        }
        Ok(0)
    }

    /// Advances the sequence, completes the motions whose animations end, and those that have no animation.
    fn tick(&mut self, dt: f32) {
        let mut hooks = HookBuffer::new();
        self.entity.animator.update(self.library, dt, None, Some(&mut hooks));
        let mut act = self.act();
        for hook in hooks.drain() {
            if hook.is_animation_done() {
                animation_done(&mut act, true);
            }
        }
        check_for_completed_motions(&mut act);
    }

    /// Checks `done`, the completed motions in order. The field is absent if there are none.
    fn check_done(&self, step: Field<'_>) -> CheckResult {
        let got = self.events.list().iter().filter_map(|event| match event.kind {
            MotionEvent::MotionDone { motion, success } => Some((motion, success)),
            _ => None,
        });
        let mut expected = Vec::new();
        if let Some(done) = step.find("done") {
            for entry in done.elements()? {
                let [motion, success] = entry.array()?;
                expected.push((MotionCommand(motion.hex()?), success.boolean()?));
            }
        }
        exact("done", expected, got.collect())
    }

    fn check(&self, expected: Field<'_>) -> CheckResult {
        let interp = &self.entity.interp;
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
        exact("transient", read_transient(expected.get("transient")?)?, self.entity.body.transient)?;
        near_vector("vel", expected.get("vel")?.vector()?, self.entity.body.velocity, LENGTH_TOLERANCE)?;
        self.check_animator(expected)
    }

    fn check_animator(&self, expected: Field<'_>) -> CheckResult {
        let animator = &self.entity.animator;
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
        exact("seq.length", nodes.len(), sequence.nodes(self.library).len())?;
        for (index, (entry, got)) in nodes.zip(sequence.nodes(self.library)).enumerate() {
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
