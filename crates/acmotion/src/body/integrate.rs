//! The integration of velocity and acceleration over one step (rule C4).

use acmotion_types::{EPS, Frame, Vec3};

use super::{Body, BodyFlags, MAX_VELOCITY, SMALL_VELOCITY, TransientState, clamp_speed};

impl Body {
    /// Moves `frame` by the body's velocity, acceleration and angular velocity over `quantum` seconds, in the
    /// original's order (rule C4): first the position by the old velocity and half the acceleration, then the velocity.
    /// A body at rest in the air therefore starts to move in the following step.
    #[doc(alias = "UpdatePhysicsInternal")]
    #[inline]
    pub fn update_physics(&mut self, quantum: f32, frame: &mut Frame) {
        let mut speed_squared = self.velocity.length_squared();
        if speed_squared == 0.0 {
            if !self.flags.contains(BodyFlags::MANAGED) && self.is_on_walkable() {
                self.transient.remove(TransientState::ACTIVE);
            }
        } else {
            if speed_squared > MAX_VELOCITY * MAX_VELOCITY {
                self.velocity = clamp_speed(self.velocity);
                speed_squared = MAX_VELOCITY * MAX_VELOCITY;
            }
            self.calc_friction(quantum, speed_squared);
            // The speed from before friction decides, also in the air (rule O1).
            if speed_squared - SMALL_VELOCITY * SMALL_VELOCITY < EPS {
                self.velocity = Vec3::ZERO;
            }
            frame.origin += self.velocity * quantum + self.acceleration * (0.5 * quantum * quantum);
        }
        self.velocity += self.acceleration * quantum;
        frame.rotate_global(self.omega * quantum);
    }
}
