//! Family `motion_table_manager`: the queue of motions that wait for their animations to end (rules G13–G17), of a body in a
//! world.

use acmotion::components::Entity;
use acmotion::internals::table::{animation_done, check_for_completed_motions, enter_world, exit_world};
use acmotion::types::{Guid, MotionCommand};
use acmotion::{Animator, MotionError, MotionEvent};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact};
use super::motion_table::{FRAME_TOLERANCE, Tables, check_sequence, check_state, motion};
use super::stage::{Space, Stage};
use super::steps::Steps;
use super::{CaseResult, Family};

const BODY: Guid = Guid(1);

#[derive(Default)]
pub(super) struct MotionTableManagerFamily {
    tables: Tables,
}

impl Family for MotionTableManagerFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "table" => self.tables.add(case),
            "case" => self.script(case),
            other => Err(Difference::new("kind", "table or case", other)),
        }
    }
}

impl MotionTableManagerFamily {
    fn script(&self, case: Field<'_>) -> CheckResult<CaseResult> {
        let steps = Steps::of(case)?;
        let table = self.tables.find(case)?;
        let mut stage = Stage::new(table.world.clone());
        stage.add(Entity::new(BODY, Some(table.id)))?;
        let mut script = Script { stage };
        steps.check(|step| script.step(step))
    }
}

/// The body of one case.
struct Script {
    stage: Stage,
}

impl Script {
    fn step(&mut self, step: Field<'_>) -> CheckResult {
        let result = self.perform(step)?;
        exact("result", step.get("result")?.unsigned()?, u64::from(MotionError::code_of(result)))?;
        let events = self.stage.drain(BODY);
        if let Some(expected) = step.find("anim_done_hooks") {
            let is_done =
                |event: &&MotionEvent| matches!(event, MotionEvent::Hook(hook) if hook.is_animation_done());
            exact("anim_done_hooks", expected.unsigned()?, events.iter().filter(is_done).count() as u64)?;
        }
        let animator = &self.stage.entity(BODY)?.animator;
        exact("counter", step.get("counter")?.unsigned()?, u64::from(animator.counter()))?;
        check_pending(step.get("pending")?, animator)?;
        check_done(step.get("done")?, &events)?;
        check_state(step.get("state")?, animator.state())?;
        check_sequence(step.get("seq")?, animator.sequence(), self.stage.world.library(), FRAME_TOLERANCE)
    }

    fn perform(&mut self, step: Field<'_>) -> CheckResult<Result<(), MotionError>> {
        let op = step.get("op")?.text()?;
        let motion = || motion(step);
        let number = |name| step.get(name)?.float();
        self.stage.act(BODY, 0.0, |actor| {
            let (library, animator) = (actor.library, &mut actor.entity.animator);
            match op {
                "initialize_state" => return Ok(animator.initialize(library)),
                "do" => return Ok(animator.do_motion(library, motion()?, number("speed")?)),
                "stop" => return Ok(animator.stop_motion(library, motion()?)),
                "stop_completely" => return Ok(animator.stop_completely(library)),
                "animation_done" => animation_done(actor, step.get("success")?.boolean()?),
                "check_completed" => check_for_completed_motions(actor),
                "tick" => {
                    actor.update_position(number("dt")?);
                    actor.use_time(&Space::OPEN);
                }
                "handle_enter_world" => enter_world(actor, library),
                "handle_exit_world" => exit_world(actor),
                other => return Err(Difference::new("op", "an operation of this family", other)),
            }
            Ok(Ok(()))
        })?
    }
}

fn check_pending(expected: Field<'_>, animator: &Animator) -> CheckResult {
    let list = expected.elements()?;
    exact("pending.length", list.len(), animator.pending().len())?;
    for (index, (expected, got)) in list.zip(animator.pending()).enumerate() {
        let [motion, num_anims] = expected.array()?;
        let expected = (MotionCommand(motion.hex()?), num_anims.unsigned()?);
        exact(&format!("pending[{index}]"), expected, (got.motion, u64::from(got.num_anims)))?;
    }
    Ok(())
}

/// Checks the completed motions, in order.
pub(super) fn check_done(expected: Field<'_>, events: &[MotionEvent]) -> CheckResult {
    let mut list = Vec::new();
    for entry in expected.elements()? {
        let [motion, success] = entry.array()?;
        list.push((MotionCommand(motion.hex()?), success.boolean()?));
    }
    exact("done", list, completed(events))
}

/// Returns the completed motions among events, and whether each succeeded.
pub(super) fn completed(events: &[MotionEvent]) -> Vec<(MotionCommand, bool)> {
    let done = events.iter().filter_map(|event| match *event {
        MotionEvent::MotionDone { motion, success } => Some((motion, success)),
        _ => None,
    });
    done.collect()
}
