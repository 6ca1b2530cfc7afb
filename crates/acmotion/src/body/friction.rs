//! Friction on the ground (rule C5).

use acmotion_types::Vec3;

use super::{Body, PhysicsState, SMALL_VELOCITY};

/// The friction of a sledding body, unless it is slow or on almost level ground.
const SLED_FRICTION: f32 = 0.2;
/// The squared speed below which a sledding body stops: (1.25 m/s)².
const SLED_STOP_SQUARED: f32 = 1.5625;
/// The squared speed below which a sledding body has its own friction: (2.5 m/s)².
const SLED_SLOW_SQUARED: f32 = 6.25;
/// The minimum z of the normal of ground that counts as level for a sledding body: the cosine of 10°.
const SLED_LEVEL_Z: f32 = 0.984_807_7;

impl Body {
    /// Removes the velocity into the surface and reduces the rest (rule C5). `speed_squared` is the squared speed before.
    /// The velocity is unchanged if the body moves off the surface or is not on a walkable one.
    pub fn calc_friction(&mut self, quantum: f32, speed_squared: f32) {
        if !self.is_on_walkable() {
            return;
        }
        let normal = self.contact_plane.normal;
        let away = self.velocity.dot(normal);
        if away >= SMALL_VELOCITY {
            return;
        }
        self.velocity -= normal * away;
        let kept = 1.0 - f64::from(self.effective_friction(normal, speed_squared));
        self.velocity *= libm::pow(kept, f64::from(quantum)) as f32;
    }

    fn effective_friction(&self, normal: Vec3, speed_squared: f32) -> f32 {
        if !self.state.contains(PhysicsState::SLEDDING) {
            self.friction
        } else if speed_squared < SLED_STOP_SQUARED {
            1.0
        } else if speed_squared < SLED_SLOW_SQUARED || normal.z >= SLED_LEVEL_Z {
            self.friction
        } else {
            SLED_FRICTION
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition};

    use super::super::TransientState;
    use super::*;
    use crate::collide::Plane;

    fn grounded(normal: Vec3, state: PhysicsState) -> Body {
        let mut body = Body::new(CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO));
        body.transient = TransientState::CONTACT | TransientState::ON_WALKABLE;
        body.contact_plane = Plane::new(normal, 0.0);
        body.state |= state;
        body
    }

    /// Returns the share of a speed along the surface that is left after a second.
    fn kept(normal_z: f32, speed: f32, state: PhysicsState) -> f32 {
        let across = (1.0 - normal_z * normal_z).sqrt();
        let mut body = grounded(Vec3::new(0.0, across, normal_z), state);
        body.velocity = Vec3::new(speed, 0.0, 0.0);
        body.calc_friction(1.0, speed * speed);
        body.velocity.x / speed
    }

    #[test]
    fn a_sledding_body_keeps_most_of_its_speed_on_a_slope() {
        assert!((kept(0.9, 3.0, PhysicsState::SLEDDING) - 0.8).abs() < 1e-5);
        assert!((kept(0.999, 3.0, PhysicsState::SLEDDING) - 0.05).abs() < 1e-5, "level ground brakes");
        assert_eq!(kept(0.9, 1.0, PhysicsState::SLEDDING), 0.0, "too slow");
        assert!((kept(0.9, 2.0, PhysicsState::SLEDDING) - 0.05).abs() < 1e-5);
        assert!((kept(0.9, 3.0, PhysicsState::empty()) - 0.05).abs() < 1e-5, "not sledding");
    }

    #[test]
    fn a_body_moving_off_the_surface_or_not_on_a_walkable_one_keeps_its_speed() {
        let mut body = grounded(Vec3::new(0.0, 0.0, 1.0), PhysicsState::empty());
        body.velocity = Vec3::new(1.0, 0.0, 0.3);
        body.calc_friction(1.0, 1.09);
        assert_eq!(body.velocity, Vec3::new(1.0, 0.0, 0.3));
        body.velocity.z = 0.2;
        body.transient.remove(TransientState::ON_WALKABLE);
        body.calc_friction(1.0, 1.04);
        assert_eq!(body.velocity, Vec3::new(1.0, 0.0, 0.2));
    }
}
