//! Moves the local player by what its own client sent, for replays: whole raw states and jumps (rules F8, K6, K9).

use acmotion_types::{ActionStamp, CellPosition, Vec3};

use super::{Action, MoveFlags, MovementParams, RawState, motion_allows_jump};
use crate::body::{BodyFlags, TransientState, set_on_walkable};
use crate::entity::Actor;
use crate::table::{MotionError, check_for_completed_motions};

impl Actor<'_> {
    /// Applies a raw state that the body's own client sent (rules F8, K6). It ends any order, as the keys behind it did
    /// (rule K8). Actions are played if their stamps are newer than `last_action`, because a client repeats an action in
    /// every message until it has been played. Returns the stamp of the newest action so far.
    pub fn apply_client_state(
        &mut self,
        state: &RawState,
        is_long_jump: bool,
        last_action: Option<ActionStamp>,
    ) -> Option<ActionStamp> {
        self.entity.body.set_active(self.now);
        self.entity.body.flags.insert(BodyFlags::AUTONOMOUS);
        self.cancel_move_to(MotionError::ActionCancelled);
        let interp = &mut self.entity.interp;
        interp.raw.copy_movement_from(state);
        interp.standing_long_jump = is_long_jump;
        let no_jump = motion_allows_jump(interp.interpreted.forward.command, interp.era).is_err();
        self.apply_raw_movement(true, no_jump);
        let newest = state.actions().fold(last_action, |last, action| {
            if last.is_some_and(|last| !action.stamp.is_newer_than(last)) {
                return last;
            }
            self.play_own_action(action);
            Some(action.stamp)
        });
        check_for_completed_motions(self);
        newest
    }

    /// Plays an action of the raw state. One that cannot be played is skipped.
    fn play_own_action(&mut self, action: Action) {
        let mut params = MovementParams::default().at_speed(action.speed);
        params.action_stamp = action.stamp;
        params.flags.set(MoveFlags::AUTONOMOUS, action.autonomous);
        params.flags.remove(MoveFlags::SET_HOLD_KEY);
        let _ = self.do_motion(action.motion, &params);
    }

    /// Moves the body to a position in the air that its own client sent. Placement would set it down on ground within a
    /// step (`docs/collision.md` 10.4). A body that was standing starts to fall.
    pub fn apply_client_position_in_air(&mut self, position: &CellPosition) {
        let body = &mut self.entity.body;
        body.position = *position;
        if body.has_contact() {
            body.transient.remove(TransientState::CONTACT | TransientState::WATER_CONTACT);
            set_on_walkable(self, false);
        }
    }

    /// Leaves the ground with the velocity of a jump that the body's own client sent, in metres a second in the axes of
    /// the landblock (rules C24, K9). Skills, load and stamina are not checked: the client has done that.
    pub fn apply_client_jump(&mut self, velocity: Vec3) {
        self.cancel_move_to(MotionError::ActionCancelled);
        let body = &mut self.entity.body;
        body.flags.insert(BodyFlags::AUTONOMOUS | BodyFlags::THROWN);
        body.set_velocity(velocity, self.now);
        self.entity.interp.standing_long_jump = false;
        set_on_walkable(self, false);
    }
}
