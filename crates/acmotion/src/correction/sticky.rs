//! Sticking to another body (rules I10, Q5, R6).

use acmotion_types::{CellPosition, Cylinder, EPS, Frame, Guid, Vec3};

use super::CorrectionInput;

/// The maximum time that a body sticks to an object, in seconds. It is never extended (rules I10, Q5).
pub const STICKY_SECONDS: f64 = 1.0;
/// The gap kept between the two bodies, in metres.
#[doc(alias = "STICKY_RADIUS")]
const GAP: f32 = 0.3;
/// The factor by which a sticking body may exceed the speed limit of its own motions.
const SPEED_FACTOR: f32 = 5.0;
/// The speed, in metres a second, if the interpreter gives none.
const FALLBACK_SPEED: f32 = 15.0;

/// The state of a body that sticks to an object (rule I10).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "StickyManager")]
pub struct Sticky {
    target: Guid,
    target_radius: f32,
    /// The target's position in its last update.
    target_position: CellPosition,
    /// Whether the target has sent an update. Nothing happens before that.
    initialized: bool,
    deadline: f64,
}

impl Sticky {
    pub(super) fn begin(&mut self, target: Guid, target_radius: f32, now: f64) {
        self.target = target;
        self.target_radius = target_radius;
        self.deadline = now + STICKY_SECONDS;
        self.initialized = false;
    }

    /// Stops sticking. The target's last position stays, but is not used.
    pub(super) fn end(&mut self) {
        self.target = Guid::NONE;
        self.initialized = false;
    }

    /// Moves the deadline by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.deadline += by;
    }

    pub(super) fn set_target_position(&mut self, position: &CellPosition) {
        self.target_position = *position;
        self.initialized = true;
    }

    /// The object that the body sticks to, `None` if it does not.
    pub fn target(&self) -> Option<Guid> {
        (!self.target.is_none()).then_some(self.target)
    }

    /// Returns `true` if the target has sent its position.
    pub fn is_initialized(&self) -> bool {
        self.initialized
    }

    /// The time at which sticking ends, in seconds of the world's clock.
    pub fn deadline(&self) -> f64 {
        self.deadline
    }

    /// Returns `true` if the deadline has passed. At the deadline itself it has not (rule Q5).
    pub fn is_over(&self, now: f64) -> bool {
        self.target().is_some() && self.deadline < now
    }

    /// Replaces the offset so that the body moves to the gap from its target and turns to face it at once (rule I10).
    /// Returns `false` if the body does not stick or the target has not sent its position.
    ///
    /// If the body is too close by more than it can move in a step, it moves *towards* the target: a quirk of the original
    /// (rule R6).
    pub fn adjust_offset(&self, offset: &mut Frame, quantum: f32, body: &CorrectionInput) -> bool {
        if self.target.is_none() || !self.initialized {
            return false;
        }
        let own = &body.position;
        let target = body.sticky_target.unwrap_or(self.target_position);
        let mut direction = own.frame.global_to_local_vec(own.offset_to(&target));
        direction.z = 0.0;
        let direction = direction.normalized().unwrap_or(Vec3::ZERO);
        let size = |radius| Cylinder { radius, height: 0.0 };
        let gap = own.cylinder_distance_no_z(size(body.radius), &target, size(self.target_radius)) - GAP;
        let reach = sticky_speed(body.max_speed) * quantum;
        offset.origin = direction * if reach < gap.abs() { reach } else { gap };
        offset.set_heading(turn(own.heading_to(&target) - own.frame.heading()));
        true
    }
}

/// Five times the speed limit of the body's own motions (rule I10).
pub(super) fn sticky_speed(max_speed: f32) -> f32 {
    let speed = max_speed * SPEED_FACTOR;
    if speed < EPS { FALLBACK_SPEED } else { speed }
}

/// Returns a turn to the right, in degrees; 0 if it is smaller than EPS.
fn turn(degrees: f32) -> f32 {
    if degrees.abs() < EPS {
        0.0
    } else if degrees < -EPS {
        degrees + 360.0
    } else {
        degrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn to the left is a heading of more than 180 degrees, unless it is one by EPS itself (rule I10).
    #[test]
    fn i10_a_turn_to_the_left_is_a_large_heading() {
        assert_eq!([90.0, -90.0, -EPS].map(turn), [90.0, 270.0, -EPS]);
        assert_eq!([0.5 * EPS, -0.5 * EPS].map(turn), [0.0, 0.0]);
    }
}
