//! The jump (rules C23–C27, F12, F13).

use acmotion_types::{EPS, Vec3};

use super::{Interpreter, Weenie};
use crate::body::{Body, set_on_walkable};
use crate::entity::Actor;
use crate::table::MotionError;

/// The launch speed, in metres a second, of a body without a weenie, whatever the extent.
const DEFAULT_JUMP_SPEED: f32 = 10.0;

impl Interpreter {
    /// Returns the upward launch speed of the jump under way, in metres a second; 0 without a jump (rule C25).
    #[doc(alias = "get_jump_v_z")]
    pub fn jump_v_z(&self, weenie: Option<&dyn Weenie>) -> f32 {
        let extent = self.jump_extent.min(1.0);
        if extent < EPS {
            return 0.0;
        }
        weenie.map_or(DEFAULT_JUMP_SPEED, |weenie| weenie.jump_speed(extent).unwrap_or(0.0))
    }

    /// Returns the velocity with which the body leaves the ground, in its own axes: that of the interpreted state and,
    /// upwards, of the jump; its present velocity if both are almost zero (rule C26).
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

    /// Jumps (rule C24). `extent` is between 0 and 1. The body leaves the ground with the velocity of the interpreted
    /// state; contact is lost in the next sweep.
    ///
    /// # Errors
    /// The first reason why the body cannot jump (rule F13). A standing long jump is then no longer charged.
    pub fn jump(&mut self, extent: f32) -> Result<(), MotionError> {
        self.cancel_move_to(MotionError::ActionCancelled);
        let is_constrained = self.is_fully_constrained();
        let entity = &mut *self.entity;
        let (interp, body) = (&entity.interp, &entity.body);
        if let Err(reason) = interp.jump_is_allowed(body, entity.weenie(), extent, is_constrained) {
            entity.interp.standing_long_jump = false;
            return Err(reason);
        }
        entity.interp.jump_extent = extent;
        set_on_walkable(self, false);
        Ok(())
    }

    /// Releases the jump key (rule C23): the standing long jump is no longer charged, but the run that the state holds sets
    /// the launch velocity. Returns the velocity in the body's own axes, for the message to the server.
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
