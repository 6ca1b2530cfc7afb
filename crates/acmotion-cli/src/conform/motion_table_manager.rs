//! Family `motion_table_manager`: the queue of motions that wait for their animations to end (rules G13–G17).

use acmotion::internals::table::{animation_done, check_for_completed_motions, enter_world, exit_world};
use acmotion::types::MotionCommand;
use acmotion::{Animator, HookBuffer, Library, MotionError, MotionHost};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, Steps, exact};
use super::motion_table::{FrameTolerance, Tables, check_sequence, check_state, motion};
use super::{CaseResult, Family};

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
        let (library, table) = self.tables.find(case)?;
        let mut body = Body {
            library,
            animator: Animator::new(Some(table)),
            hooks: HookBuffer::new(),
            done: Vec::new(),
            anim_done_hooks: 0,
            tolerance: FrameTolerance::default(),
        };
        steps.check(|step| body.step(step))
    }
}

/// The body of one case.
struct Body<'a> {
    library: &'a Library,
    animator: Animator,
    hooks: HookBuffer,
    /// The motions completed in this step, and whether they succeeded.
    done: Vec<(MotionCommand, bool)>,
    anim_done_hooks: u64,
    tolerance: FrameTolerance,
}

impl MotionHost for Body<'_> {
    fn animator(&mut self) -> &mut Animator {
        &mut self.animator
    }

    fn motion_done(&mut self, motion: MotionCommand, success: bool) {
        self.done.push((motion, success));
    }
}

impl Body<'_> {
    fn step(&mut self, step: Field<'_>) -> CheckResult {
        self.done.clear();
        let result = self.perform(step)?;
        exact("result", step.get("result")?.unsigned()?, u64::from(MotionError::code_of(result)))?;
        if let Some(expected) = step.find("anim_done_hooks") {
            exact("anim_done_hooks", expected.unsigned()?, self.anim_done_hooks)?;
        }
        exact("counter", step.get("counter")?.unsigned()?, u64::from(self.animator.counter()))?;
        self.check_pending(step.get("pending")?)?;
        self.check_done(step.get("done")?)?;
        check_state(step.get("state")?, self.animator.state())?;
        check_sequence(step.get("seq")?, self.animator.sequence(), self.library, &self.tolerance)
    }

    fn perform(&mut self, step: Field<'_>) -> CheckResult<Result<(), MotionError>> {
        let library = self.library;
        match step.get("op")?.text()? {
            "initialize_state" => return Ok(self.animator.initialize(library)),
            "do" => {
                let speed = step.get("speed")?.float()?;
                return Ok(self.animator.do_motion(library, motion(step)?, speed));
            }
            "stop" => return Ok(self.animator.stop_motion(library, motion(step)?)),
            "stop_completely" => return Ok(self.animator.stop_completely(library)),
            "animation_done" => animation_done(self, step.get("success")?.boolean()?),
            "check_completed" => check_for_completed_motions(self),
            "tick" => self.tick(step.get("dt")?.float()?),
            "handle_enter_world" => enter_world(self, library),
            "handle_exit_world" => exit_world(self),
            other => return Err(Difference::new("op", "an operation of this family", other)),
        }
        Ok(Ok(()))
    }

    /// Advances the sequence, reports each animation that is done, and completes the motions without animations.
    fn tick(&mut self, dt: f32) {
        self.hooks.clear();
        self.tolerance.add_update(self.animator.sequence(), self.library, dt);
        self.animator.update(self.library, dt, None, Some(&mut self.hooks));
        let done = self.hooks.events().iter().filter(|event| event.is_animation_done());
        self.anim_done_hooks = done.count() as u64;
        for _ in 0..self.anim_done_hooks {
            animation_done(self, true);
        }
        check_for_completed_motions(self);
    }

    fn check_pending(&self, expected: Field<'_>) -> CheckResult {
        let list = expected.elements()?;
        exact("pending.length", list.len(), self.animator.pending().len())?;
        for (index, (expected, got)) in list.zip(self.animator.pending()).enumerate() {
            let [motion, num_anims] = expected.array()?;
            let expected = (MotionCommand(motion.hex()?), num_anims.unsigned()?);
            exact(&format!("pending[{index}]"), expected, (got.motion, u64::from(got.num_anims)))?;
        }
        Ok(())
    }

    fn check_done(&self, expected: Field<'_>) -> CheckResult {
        let list = expected.elements()?;
        exact("done.length", list.len(), self.done.len())?;
        for (index, (expected, got)) in list.zip(&self.done).enumerate() {
            let [motion, success] = expected.array()?;
            exact(&format!("done[{index}]"), (MotionCommand(motion.hex()?), success.boolean()?), *got)?;
        }
        Ok(())
    }
}
