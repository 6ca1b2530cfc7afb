//! Applies whole states: the raw one, the interpreted one, and one that the server sent (rules E2–E8, F7, F8, F16, F20).

use acmotion_types::MotionCommand;
use acmotion_wire::{Movement, MovementBody};

use super::{InterpretedState, MoveFlags, MovementParams, RawState, motion_allows_jump};
use crate::body::BodyFlags;
use crate::entity::Actor;
use crate::table::MotionError;

impl Actor<'_> {
    /// Resets both states, enters the table's default state, and leaves the ground until a sweep finds contact (rule F16).
    pub fn enter_default_state(&mut self) {
        self.make_room();
        let entity = &mut *self.entity;
        entity.body.flags.insert(BodyFlags::MANAGED);
        entity.interp.raw = RawState::default();
        entity.interp.interpreted = InterpretedState::default();
        // A body without a table has no default state to enter; the rest is the same.
        let _ = entity.animator.initialize(self.library);
        entity.interp.enqueue(0, MotionCommand::READY, None);
        entity.interp.is_initialised = true;
        self.interpret_leave_ground();
    }

    /// Applies a movement that the server sent (rules E2–E5). It cancels any order, and the style changes first.
    pub fn unpack_movement(&mut self, movement: &Movement<'_>) {
        if !self.entity.body.flags.contains(BodyFlags::MANAGED) {
            return;
        }
        self.start_movement(movement.style);
        match &movement.body {
            MovementBody::Interpreted { state, sticky } => {
                self.move_to_interpreted_state(&InterpretedState::from(state));
                if let Some(object) = sticky.filter(|object| object.0 != 0) {
                    self.stick_to(object);
                }
                self.entity.interp.standing_long_jump = movement.is_standing_long_jump();
            }
            order => {
                if let MovementBody::MoveToObject { run_rate, .. }
                | MovementBody::MoveToPosition { run_rate, .. } = order
                {
                    self.entity.interp.my_run_rate = *run_rate;
                }
                self.follow_server_order(order);
            }
        }
    }

    /// Starts every movement from the server: cancels the order before, unsticks, and changes to another style (rules E2,
    /// E3). On the ground, a style that the table does not have changes nothing.
    pub fn start_movement(&mut self, style: MotionCommand) {
        self.cancel_move_to(MotionError::ActionCancelled);
        self.unstick();
        if self.entity.interp.interpreted.style != style {
            // The rest of the movement applies even if the style is refused (rule E3).
            let _ = self.do_motion(style, &MovementParams::default());
        }
    }

    /// Moves as the server says (rule E8). Each action is played once, by its stamp; autonomous actions of the local
    /// player, which are echoes, are skipped.
    pub fn move_to_interpreted_state(&mut self, state: &InterpretedState) {
        self.entity.interp.raw.style = state.style;
        self.cancel_move_to(MotionError::ActionCancelled);
        let interp = &mut self.entity.interp;
        let no_jump = motion_allows_jump(interp.interpreted.forward.command, interp.era).is_err();
        interp.interpreted.copy_movement_from(state);
        self.apply_current_movement(true, no_jump);
        let is_other = self.entity.weenie().is_some_and(|weenie| !weenie.is_local_player());
        for action in state.actions.iter() {
            let newer = action.stamp.is_newer_than(self.entity.interp.server_action_stamp);
            let own_echo = action.autonomous && !is_other;
            if !newer || own_echo {
                continue;
            }
            self.entity.interp.server_action_stamp = action.stamp;
            let mut params = MovementParams::default().at_speed(action.speed);
            params.flags.set(MoveFlags::AUTONOMOUS, action.autonomous);
            // An action that cannot be played is skipped.
            let _ = self.do_interpreted_motion(action.motion, &params);
        }
    }

    /// Applies the raw state if the body's own client moved it last, else the interpreted state (rule F8).
    pub fn apply_current_movement(&mut self, cancel_move_to: bool, no_jump: bool) {
        if !self.entity.interp.is_initialised {
            return;
        }
        let own = self.entity.weenie().is_none_or(|weenie| weenie.is_local_player());
        if own && self.entity.body.flags.contains(BodyFlags::AUTONOMOUS) {
            self.apply_raw_movement(cancel_move_to, no_jump);
        } else {
            self.apply_interpreted_movement(cancel_move_to, no_jump);
        }
    }

    /// Translates the raw state into the interpreted state and applies it (rule F8).
    pub fn apply_raw_movement(&mut self, cancel_move_to: bool, no_jump: bool) {
        let entity = &mut *self.entity;
        let state = entity.interp.interpret_raw(entity.weenie.as_deref());
        entity.interp.interpreted.copy_movement_from(&state);
        self.apply_interpreted_movement(cancel_move_to, no_jump);
    }

    /// Plays the interpreted state: style, forward motion or falling, sidestep, turn (rule F7). Motions that the table
    /// refuses are skipped.
    pub fn apply_interpreted_movement(&mut self, cancel_move_to: bool, no_jump: bool) {
        let mut params = MovementParams::default();
        params.flags.remove(MoveFlags::SET_HOLD_KEY | MoveFlags::MODIFY_INTERPRETED_STATE);
        params.flags.set(MoveFlags::CANCEL_MOVE_TO, cancel_move_to);
        params.flags.set(MoveFlags::DISABLE_JUMP_DURING_LINK, no_jump);
        let interp = &mut self.entity.interp;
        let forward = interp.interpreted.forward;
        if forward.command == MotionCommand::RUN_FORWARD {
            interp.my_run_rate = forward.speed;
        }
        let style = interp.interpreted.style;
        let _ = self.do_interpreted_motion(style, &params);
        if self.contact_allows(self.entity.interp.interpreted.forward.command) {
            self.apply_forward(&params);
        } else {
            let _ = self.do_interpreted_motion(MotionCommand::FALLING, &params);
        }
        self.apply_turn(&params);
    }

    fn apply_forward(&mut self, params: &MovementParams) {
        let state = &self.entity.interp.interpreted;
        let (forward, sidestep) = (state.forward, state.sidestep);
        let is_charging = self.entity.interp.standing_long_jump;
        if is_charging {
            let _ = self.do_interpreted_motion(MotionCommand::READY, params);
        } else {
            let _ = self.do_interpreted_motion(forward.command, &params.at_speed(forward.speed));
        }
        if is_charging || sidestep.command == MotionCommand::NONE {
            let _ = self.stop_interpreted_motion(MotionCommand::SIDE_STEP_RIGHT, params);
        } else {
            let _ = self.do_interpreted_motion(sidestep.command, &params.at_speed(sidestep.speed));
        }
    }

    fn apply_turn(&mut self, params: &MovementParams) {
        let turn = self.entity.interp.interpreted.turn;
        if turn.command == MotionCommand::NONE {
            let _ = self.stop_in_table(MotionCommand::TURN_RIGHT, 0);
            self.drop_links_without_cell();
        } else {
            let _ = self.do_interpreted_motion(turn.command, &params.at_speed(turn.speed));
        }
    }

    /// Applies the current movement again after the player has used up its stamina (rule F20).
    #[doc(alias = "ReportExhaustion")]
    pub fn report_exhaustion(&mut self) {
        self.apply_current_movement(false, false);
    }
}
