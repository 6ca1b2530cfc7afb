//! Sticking to another body (rules I10, Q5, R6).

use acmotion_types::{CellPosition, Cylinder, EPS, Frame, Guid, Vec3};

use super::CorrectionInput;

/// How long a body sticks at most, in seconds; the time is never extended (rules I10, Q5).
pub const STICKY_SECONDS: f64 = 1.0;
/// How much room is left between the two, in metres.
#[doc(alias = "STICKY_RADIUS")]
const GAP: f32 = 0.3;
/// How much faster than by itself the body may go.
const HURRY: f32 = 5.0;
/// The speed of a body whose interpreter gives none, in metres a second.
const FALLBACK_SPEED: f32 = 15.0;

/// To what a body sticks (rule I10).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "StickyManager")]
pub struct Sticky {
    target: Guid,
    target_radius: f32,
    /// Where the target was when it last told; nothing happens before.
    target_position: CellPosition,
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

    /// What it knows of the target stays, but does not count any more.
    pub(super) fn end(&mut self) {
        self.target = Guid::NONE;
        self.initialized = false;
    }

    pub(super) fn found(&mut self, position: &CellPosition) {
        self.target_position = *position;
        self.initialized = true;
    }

    /// The object it sticks to.
    pub fn target(&self) -> Option<Guid> {
        (!self.target.is_none()).then_some(self.target)
    }

    /// Has the target told where it is?
    pub fn is_initialized(&self) -> bool {
        self.initialized
    }

    /// When it ends, in seconds of the world's clock.
    pub fn deadline(&self) -> f64 {
        self.deadline
    }

    /// Is its time over? On the very moment it is not (rule Q5).
    pub fn is_over(&self, now: f64) -> bool {
        self.target().is_some() && self.deadline < now
    }

    /// Goes to where only a gap is left between the two, and turns to the target at once; replaces the offset (rule I10).
    ///
    /// When it is too close by more than a tick's way, it steps *toward* the target: a quirk of the original (rule R6).
    pub fn adjust_offset(&self, offset: &mut Frame, quantum: f32, body: &CorrectionInput) -> bool {
        if self.target.is_none() || !self.initialized {
            return false;
        }
        let own = &body.position;
        let target = body.sticky_target.unwrap_or(self.target_position);
        let mut way = own.frame.global_to_local_vec(own.offset_to(&target));
        way.z = 0.0;
        let way = way.normalized().unwrap_or(Vec3::ZERO);
        let size = |radius| Cylinder { radius, height: 0.0 };
        let gap = own.cylinder_distance_no_z(size(body.radius), &target, size(self.target_radius)) - GAP;
        let reach = speed(body.max_speed) * quantum;
        offset.origin = way * if reach < gap.abs() { reach } else { gap };
        offset.set_heading(turn(own.heading_to(&target) - own.frame.heading()));
        true
    }
}

fn speed(max_speed: f32) -> f32 {
    let speed = max_speed * HURRY;
    if speed < EPS { FALLBACK_SPEED } else { speed }
}

/// A turn in degrees, none if it is small, always to the right.
fn turn(degrees: f32) -> f32 {
    if degrees.abs() < EPS {
        0.0
    } else if degrees < -EPS {
        degrees + 360.0
    } else {
        degrees
    }
}
