//! Motions asked for and ended (rules F4–F6, F18, F19).

use acmotion_types::MotionCommand;

use super::{HoldKey, MoveFlags, MovementParams, MovementRequest, motion_allows_jump};
use crate::entity::Actor;
use crate::table::{MotionError, check_for_completed_motions};

/// How many actions may wait (rule F4).
const MAX_ACTIONS: usize = 6;

type MotionResult = Result<(), MotionError>;

impl Actor<'_> {
    /// The front door (rule F19): wakes the body, does what is asked, and completes what takes no time.
    ///
    /// # Errors
    /// Why it was refused.
    #[doc(alias = "PerformMovement")]
    pub fn perform(&mut self, request: &MovementRequest) -> MotionResult {
        self.entity.body.set_active(self.now);
        let outcome = match request {
            MovementRequest::Do(motion, params) => self.do_motion(*motion, params),
            MovementRequest::DoInterpreted(motion, params) => self.do_interpreted_motion(*motion, params),
            MovementRequest::Stop(motion, params) => self.stop_motion(*motion, params),
            MovementRequest::StopInterpreted(motion, params) => self.stop_interpreted_motion(*motion, params),
            MovementRequest::StopCompletely => self.stop_completely(),
        };
        check_for_completed_motions(self);
        outcome
    }

    /// A motion as keys ask for it (rule F4): adjusted, judged, played, and noted in the raw state as it was asked.
    ///
    /// # Errors
    /// Combat refusals, too many actions, or what [`do_interpreted_motion`](Self::do_interpreted_motion) says.
    pub fn do_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        let cancels = params.has(MoveFlags::CANCEL_MOVE_TO);
        if cancels {
            self.cancel_move_to(MotionError::ActionCancelled);
        }
        if params.has(MoveFlags::SET_HOLD_KEY) {
            self.set_hold_key(params.hold_key, cancels);
        }
        let (adjusted, speed) = self.adjusted(motion, params);
        self.refuse_in_combat(motion)?;
        if motion.is_action() && self.entity.interp.interpreted.actions.len() >= MAX_ACTIONS {
            return Err(MotionError::TooManyActions);
        }
        self.do_interpreted_motion(adjusted, &params.at_speed(speed))?;
        if params.has(MoveFlags::MODIFY_RAW_STATE) {
            self.entity.interp.raw.apply(motion, params);
        }
        Ok(())
    }

    /// The end of a motion as keys ask for it (rule F6).
    ///
    /// # Errors
    /// What [`stop_interpreted_motion`](Self::stop_interpreted_motion) says.
    pub fn stop_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        if params.has(MoveFlags::CANCEL_MOVE_TO) {
            self.cancel_move_to(MotionError::ActionCancelled);
        }
        let (adjusted, speed) = self.adjusted(motion, params);
        self.stop_interpreted_motion(adjusted, &params.at_speed(speed))?;
        if params.has(MoveFlags::MODIFY_RAW_STATE) {
            self.entity.interp.raw.remove(motion);
        }
        Ok(())
    }

    /// Stands still (rule F6). Its own velocity, stance and actions stay.
    ///
    /// # Errors
    /// None; a body without a motion table stands still too.
    #[doc(alias = "StopCompletely")]
    pub fn stop_completely(&mut self) -> MotionResult {
        self.cancel_move_to(MotionError::ActionCancelled);
        let interp = &mut self.entity.interp;
        let no_jump = motion_allows_jump(interp.interpreted.forward.command, interp.era).err();
        interp.raw.stand_still();
        interp.interpreted.stand_still();
        // The table's answer does not count: without one there is nothing to stop.
        let _ = self.entity.animator.stop_completely(self.library);
        self.entity.interp.enqueue(0, MotionCommand::READY, no_jump);
        self.drop_links_outside();
        Ok(())
    }

    /// A motion as it is played (rule F5). In the air only the state changes, and actions are refused; a body that prepares
    /// a long jump from standing only remembers that it is to walk.
    ///
    /// # Errors
    /// [`MotionError::NotGrounded`] for an action in the air; [`MotionError::NoMotionTable`],
    /// [`MotionError::NoMotionData`] or [`MotionError::Failed`] if it cannot be played.
    pub fn do_interpreted_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        let outcome = if !self.contact_allows(motion) {
            if motion.is_action() { Err(MotionError::NotGrounded) } else { Ok(()) }
        } else if self.is_held_by_long_jump(motion) {
            Ok(())
        } else {
            self.play(motion, params)
        };
        if outcome.is_ok() && params.has(MoveFlags::MODIFY_INTERPRETED_STATE) {
            self.entity.interp.interpreted.apply(motion, params);
        }
        self.drop_links_outside();
        outcome
    }

    /// The end of a motion as it is played (rule F6).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`], [`MotionError::NoMotionData`] or [`MotionError::Failed`] if there is nothing to end.
    pub fn stop_interpreted_motion(
        &mut self,
        motion: MotionCommand,
        params: &MovementParams,
    ) -> MotionResult {
        let only_state = !self.contact_allows(motion) || self.is_held_by_long_jump(motion);
        let outcome = if only_state { Ok(()) } else { self.stop_playing(motion, params.context) };
        if outcome.is_ok() && params.has(MoveFlags::MODIFY_INTERPRETED_STATE) {
            self.entity.interp.interpreted.remove(motion);
        }
        self.drop_links_outside();
        outcome
    }

    /// Holds a key, or lets it go; what the body does follows (rule F18).
    #[doc(alias = "SetHoldKey")]
    pub fn set_hold_key(&mut self, key: HoldKey, cancel_move_to: bool) {
        let current = self.entity.interp.raw.current_hold_key;
        let changes = match key {
            HoldKey::NONE => current == HoldKey::RUN,
            HoldKey::RUN => current != HoldKey::RUN,
            _ => false,
        };
        if changes {
            self.entity.interp.raw.current_hold_key = key;
            self.apply_current_movement(cancel_move_to, false);
        }
    }

    /// Holds the run key, or lets it go (rule F18).
    pub fn set_hold_run(&mut self, run: bool, cancel_move_to: bool) {
        let raw = &mut self.entity.interp.raw;
        if run != (raw.current_hold_key == HoldKey::RUN) {
            raw.current_hold_key = if run { HoldKey::RUN } else { HoldKey::NONE };
            self.apply_current_movement(cancel_move_to, false);
        }
    }

    /// The motion table is asked; what it takes up waits in the queue, with the reason why there is no jumping while it is
    /// the oldest (rule F5).
    fn play(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        if motion == MotionCommand::DEAD {
            self.remove_link_animations();
        }
        let entity = &mut *self.entity;
        if !entity.has_parts {
            return Err(MotionError::Failed);
        }
        entity.animator.do_motion(self.library, motion, params.speed)?;
        let interp = &mut entity.interp;
        let no_jump = if params.has(MoveFlags::DISABLE_JUMP_DURING_LINK) {
            Some(MotionError::CannotJumpHere)
        } else {
            let while_moving = || motion_allows_jump(interp.interpreted.forward.command, interp.era);
            let allowed = motion_allows_jump(motion, interp.era);
            allowed.and_then(|()| if motion.is_action() { Ok(()) } else { while_moving() }).err()
        };
        interp.enqueue(params.context, motion, no_jump);
        Ok(())
    }

    pub(super) fn stop_playing(&mut self, motion: MotionCommand, context: u32) -> MotionResult {
        let entity = &mut *self.entity;
        if !entity.has_parts {
            return Err(MotionError::Failed);
        }
        entity.animator.stop_motion(self.library, motion)?;
        entity.interp.enqueue(context, MotionCommand::READY, None);
        Ok(())
    }

    /// A body without a cell plays no links (rule F5).
    pub(super) fn drop_links_outside(&mut self) {
        if !self.entity.body.is_in_cell() {
            self.remove_link_animations();
        }
    }

    pub(super) fn contact_allows(&self, motion: MotionCommand) -> bool {
        let entity = &*self.entity;
        entity.interp.contact_allows_move(&entity.body, entity.weenie(), motion)
    }

    fn adjusted(&self, motion: MotionCommand, params: &MovementParams) -> (MotionCommand, f32) {
        let entity = &*self.entity;
        entity.interp.adjust_motion(entity.weenie(), motion, params.speed, params.hold_key)
    }

    fn is_held_by_long_jump(&self, motion: MotionCommand) -> bool {
        let walks = matches!(
            motion,
            MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD | MotionCommand::SIDE_STEP_RIGHT
        );
        walks && self.entity.interp.standing_long_jump
    }

    /// What a body in a combat stance will not do (rule F4).
    fn refuse_in_combat(&self, motion: MotionCommand) -> MotionResult {
        if self.entity.interp.interpreted.style == MotionCommand::NON_COMBAT {
            return Ok(());
        }
        match motion {
            MotionCommand::CROUCH => Err(MotionError::CannotCrouch),
            MotionCommand::SITTING => Err(MotionError::CannotSit),
            MotionCommand::SLEEPING => Err(MotionError::CannotSleep),
            _ if motion.is_chat_emote() => Err(MotionError::CannotEmoteInCombat),
            _ => Ok(()),
        }
    }
}
