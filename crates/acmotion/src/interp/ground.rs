//! Landing, leaving the ground, and the completion of motions (rules C26, C28, C30, F15).

use crate::body::{BodyFlags, PhysicsState};
use crate::entity::Actor;

impl Actor<'_> {
    /// Leaves the ground with the velocity of the interpreted state and of the jump under way; without either, the body
    /// keeps its velocity (rule C26). It also keeps a velocity that the server has just set (rule N1). Root motion ends and
    /// falling starts.
    pub(crate) fn interpret_leave_ground(&mut self) {
        if !self.reacts_to_ground() {
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

    /// Lands and resumes the current movement without links (rule C30). The body's own velocity is left to friction.
    pub(crate) fn interpret_hit_ground(&mut self) {
        if self.reacts_to_ground() {
            self.remove_link_animations();
            self.apply_current_movement(false, false);
        }
    }

    /// Completes the oldest pending motion, whichever motion was reported as done (rule F15). An action unsticks the body.
    #[doc(alias = "MotionDone")]
    pub fn command_done(&mut self) {
        let Some(oldest) = self.entity.interp.pending.first() else { return };
        if oldest.motion.is_action() {
            self.unstick();
            self.entity.interp.interpreted.actions.remove_first();
            self.entity.interp.raw.actions.remove_first();
        }
        let interp = &mut self.entity.interp;
        interp.pending.remove_first();
        interp.is_overflowing &= interp.has_pending();
    }

    /// Returns `true` if the body has gravity and is a creature or has no weenie (rules C26, C30).
    fn reacts_to_ground(&self) -> bool {
        self.entity.weenie().is_none_or(|weenie| weenie.is_creature())
            && self.entity.body.state.contains(PhysicsState::GRAVITY)
    }
}
