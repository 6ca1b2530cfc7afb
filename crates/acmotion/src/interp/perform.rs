//! Starting and stopping motions (rules F4–F6, F18, F19).

use acmotion_types::MotionCommand;

use super::{HoldKey, MoveFlags, MovementParams, MovementRequest, motion_allows_jump};
use crate::entity::Actor;
use crate::table::{MotionError, check_for_completed_motions};

/// The maximum number of actions in the interpreted state (rule F4).
const MAX_ACTIONS: usize = 6;

type MotionResult = Result<(), MotionError>;

impl Actor<'_> {
    /// Activates the body, performs a request, and completes motions without animations (rule F19).
    ///
    /// # Errors
    /// The reason why the request was refused.
    #[doc(alias = "PerformMovement")]
    pub fn perform(&mut self, request: &MovementRequest) -> MotionResult {
        self.entity.body.set_active(self.now);
        let result = match request {
            MovementRequest::Do(motion, params) => self.do_motion(*motion, params),
            MovementRequest::DoInterpreted(motion, params) => self.do_interpreted_motion(*motion, params),
            MovementRequest::Stop(motion, params) => self.stop_motion(*motion, params),
            MovementRequest::StopInterpreted(motion, params) => self.stop_interpreted_motion(*motion, params),
            MovementRequest::StopCompletely => self.stop_completely(),
        };
        check_for_completed_motions(self);
        result
    }

    /// Starts a motion of the raw state (rule F4): adjusts it, checks it, plays it, and records it in the raw state as it
    /// was requested.
    ///
    /// # Errors
    /// Combat refusals, too many actions, or an error of [`do_interpreted_motion`](Self::do_interpreted_motion).
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

    /// Stops a motion of the raw state (rule F6).
    ///
    /// # Errors
    /// An error of [`stop_interpreted_motion`](Self::stop_interpreted_motion).
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

    /// Stops moving, sidestepping and turning (rule F6). The body's own velocity, style and actions stay.
    ///
    /// # Errors
    /// Never; a body without a motion table stops too.
    #[doc(alias = "StopCompletely")]
    pub fn stop_completely(&mut self) -> MotionResult {
        self.cancel_move_to(MotionError::ActionCancelled);
        let interp = &mut self.entity.interp;
        let no_jump = motion_allows_jump(interp.interpreted.forward.command, interp.era).err();
        interp.raw.stand_still();
        interp.interpreted.stand_still();
        self.make_room();
        // The result is ignored: a body without a table has nothing to stop.
        let _ = self.entity.animator.stop_completely(self.library);
        self.entity.interp.enqueue(0, MotionCommand::READY, no_jump);
        self.drop_links_without_cell();
        Ok(())
    }

    /// Starts a motion of the interpreted state (rule F5). In the air only the state changes, and actions are refused;
    /// while a standing long jump is charged, walks and sidesteps also change only the state.
    ///
    /// # Errors
    /// [`MotionError::NotGrounded`] for an action in the air; [`MotionError::NoMotionTable`],
    /// [`MotionError::NoMotionData`] or [`MotionError::Failed`] if it cannot be played.
    pub fn do_interpreted_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        let result = if !self.contact_allows(motion) {
            if motion.is_action() { Err(MotionError::NotGrounded) } else { Ok(()) }
        } else if self.is_suppressed_by_long_jump(motion) {
            Ok(())
        } else {
            self.play(motion, params)
        };
        if result.is_ok() && params.has(MoveFlags::MODIFY_INTERPRETED_STATE) {
            self.entity.interp.interpreted.apply(motion, params);
        }
        self.drop_links_without_cell();
        result
    }

    /// Stops a motion of the interpreted state (rule F6).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`], [`MotionError::NoMotionData`] or [`MotionError::Failed`] if it cannot be stopped.
    pub fn stop_interpreted_motion(
        &mut self,
        motion: MotionCommand,
        params: &MovementParams,
    ) -> MotionResult {
        let only_state = !self.contact_allows(motion) || self.is_suppressed_by_long_jump(motion);
        let result = if only_state { Ok(()) } else { self.stop_in_table(motion, params.context) };
        if result.is_ok() && params.has(MoveFlags::MODIFY_INTERPRETED_STATE) {
            self.entity.interp.interpreted.remove(motion);
        }
        self.drop_links_without_cell();
        result
    }

    /// Sets the current hold key and applies the movement again if it changed (rule F18).
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

    /// Presses or releases the run key, and applies the movement again if that changed it (rule F18).
    pub fn set_hold_run(&mut self, run: bool, cancel_move_to: bool) {
        let raw = &mut self.entity.interp.raw;
        if run != (raw.current_hold_key == HoldKey::RUN) {
            raw.current_hold_key = if run { HoldKey::RUN } else { HoldKey::NONE };
            self.apply_current_movement(cancel_move_to, false);
        }
    }

    /// Plays a motion by the motion table and appends it to the queue, with the reason why the body cannot jump while it is
    /// the oldest (rule F5).
    fn play(&mut self, motion: MotionCommand, params: &MovementParams) -> MotionResult {
        if motion == MotionCommand::DEAD {
            self.remove_link_animations();
        }
        if !self.entity.has_parts {
            return Err(MotionError::Failed);
        }
        self.make_room();
        let entity = &mut *self.entity;
        entity.animator.do_motion(self.library, motion, params.speed)?;
        let interp = &mut entity.interp;
        let no_jump = if params.has(MoveFlags::DISABLE_JUMP_DURING_LINK) {
            Some(MotionError::CannotJumpHere)
        } else {
            let forward = || motion_allows_jump(interp.interpreted.forward.command, interp.era);
            let allowed = motion_allows_jump(motion, interp.era);
            allowed.and_then(|()| if motion.is_action() { Ok(()) } else { forward() }).err()
        };
        interp.enqueue(params.context, motion, no_jump);
        Ok(())
    }

    /// Stops a motion by the motion table and appends Ready to the queue (rule F6).
    pub(super) fn stop_in_table(&mut self, motion: MotionCommand, context: u32) -> MotionResult {
        if !self.entity.has_parts {
            return Err(MotionError::Failed);
        }
        self.make_room();
        let entity = &mut *self.entity;
        entity.animator.stop_motion(self.library, motion)?;
        entity.interp.enqueue(context, MotionCommand::READY, None);
        Ok(())
    }

    /// Removes the links of a body without a cell (rule F5).
    pub(super) fn drop_links_without_cell(&mut self) {
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

    fn is_suppressed_by_long_jump(&self, motion: MotionCommand) -> bool {
        let walks = matches!(
            motion,
            MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD | MotionCommand::SIDE_STEP_RIGHT
        );
        walks && self.entity.interp.standing_long_jump
    }

    /// Refuses crouching, sitting, sleeping and chat emotes in a combat style (rule F4).
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
