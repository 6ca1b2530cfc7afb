//! The jump (rules C23–C27, F12, F13).

use acmotion_types::{EPS, Vec3};

use super::{Interpreter, Weenie};
use crate::body::{Body, set_on_walkable};
use crate::entity::Actor;
use crate::table::MotionError;

/// How fast a body without a weenie jumps, whatever the extent.
const DEFAULT_JUMP_SPEED: f32 = 10.0;

impl Interpreter {
    /// How fast it leaves the ground upwards, by the extent of the jump under way (rule C25).
    #[doc(alias = "get_jump_v_z")]
    pub fn jump_v_z(&self, weenie: Option<&dyn Weenie>) -> f32 {
        let extent = self.jump_extent.min(1.0);
        if extent < EPS {
            return 0.0;
        }
        weenie.map_or(DEFAULT_JUMP_SPEED, |weenie| weenie.jump_speed(extent).unwrap_or(0.0))
    }

    /// With what velocity it leaves the ground, in its own axes: that of what it does, and upwards that of the jump; what
    /// it has if both are next to nothing (rule C26).
    #[doc(alias = "get_leave_ground_velocity")]
    pub fn leave_ground_velocity(&self, body: &Body, weenie: Option<&dyn Weenie>) -> Vec3 {
        let velocity = Vec3 { z: self.jump_v_z(weenie), ..self.state_velocity(weenie) };
        let is_small = [velocity.x, velocity.y, velocity.z].into_iter().all(|part| part.abs() < EPS);
        if is_small { body.local_velocity() } else { velocity }
    }
}

impl Actor<'_> {
    /// Charges a jump (rule F12): see [`Interpreter::charge_jump`].
    ///
    /// # Errors
    /// [`MotionError::LoadedDown`] or [`MotionError::CannotJumpHere`].
    pub fn charge_jump(&mut self) -> Result<(), MotionError> {
        let entity = &mut *self.entity;
        entity.interp.charge_jump(&entity.body, entity.weenie.as_deref())
    }

    /// Jumps (rule C24). `extent` goes from 0 to 1. The body leaves the ground with the speed of what it does; contact is
    /// lost in the next sweep.
    ///
    /// # Errors
    /// The first reason against it (rule F13); a long jump that was being prepared is off then.
    pub fn jump(&mut self, extent: f32) -> Result<(), MotionError> {
        self.cancel_move_to(MotionError::ActionCancelled);
        let leashed = self.is_fully_constrained();
        let entity = &mut *self.entity;
        if let Err(reason) = entity.interp.jump_is_allowed(&entity.body, entity.weenie(), extent, leashed) {
            entity.interp.standing_long_jump = false;
            return Err(reason);
        }
        entity.interp.jump_extent = extent;
        set_on_walkable(self, false);
        Ok(())
    }

    /// Lets the jump key go (rule C23): the long jump is no longer being prepared, but what the state holds is the run-up.
    /// Returns the velocity in the body's own axes, for the message to the server.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    #[doc(alias = "DoJump")]
    #[doc(alias = "FinishJump")]
    pub fn release_jump(&mut self, extent: f32) -> Result<Vec3, MotionError> {
        self.entity.interp.standing_long_jump = false;
        self.jump(extent)?;
        Ok(self.entity.body.local_velocity())
    }
}
