//! Landing, leaving the ground, and motions that are over (rules C26, C28, C30, F15).

use crate::body::{BodyFlags, PhysicsState};
use crate::entity::Actor;

impl Actor<'_> {
    /// Leaves the ground with the speed of what it does, and with that of the jump if it is one; with neither it keeps the
    /// velocity it has (rule C26). So it does if the server has just thrown it (rule N1). Root motion ends; falling begins.
    pub(crate) fn interpret_leave_ground(&mut self) {
        if !self.minds_the_ground() {
            return;
        }
        let entity = &mut *self.entity;
        if !entity.body.flags.contains(BodyFlags::THROWN) {
            let velocity = entity.interp.leave_ground_velocity(&entity.body, entity.weenie());
            entity.body.set_local_velocity(velocity, self.now);
        }
        entity.interp.standing_long_jump = false;
        entity.interp.jump_extent = 0.0;
        self.remove_link_animations();
        self.apply_current_movement(false, false);
    }

    /// Stands again and goes on with what it does, without links (rule C30). Its own velocity stays, for friction to take.
    pub(crate) fn interpret_hit_ground(&mut self) {
        if self.minds_the_ground() {
            self.remove_link_animations();
            self.apply_current_movement(false, false);
        }
    }

    /// The oldest motion is over, whichever that was (rule F15). An action lets go of what the body sticks to.
    #[doc(alias = "MotionDone")]
    pub fn command_done(&mut self) {
        let Some(oldest) = self.entity.interp.pending.first() else { return };
        if oldest.motion.is_action() {
            self.unstick();
            self.entity.interp.interpreted.actions.remove_first();
            self.entity.interp.raw.actions.remove_first();
        }
        self.entity.interp.pending.remove_first();
    }

    /// Only what falls, and is a creature or nobody in particular (rules C26, C30).
    fn minds_the_ground(&self) -> bool {
        self.entity.weenie().is_none_or(|weenie| weenie.is_creature())
            && self.entity.body.state.contains(PhysicsState::GRAVITY)
    }
}
