//! The path on which a method shows an entity, and how smooth it is.

use acmotion::types::{CellId, CellPosition, Vec3};

/// The minimum length of a step, in metres, that counts as moving.
const MIN_STEP: f32 = 0.001;
/// The minimum length of a step, in metres, that can count as backward, so that rounding does not.
const MIN_BACKWARD_STEP: f32 = 0.01;

/// A position without its rotation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Place {
    cell: CellId,
    origin: Vec3,
}

impl Place {
    pub(super) fn new(position: &CellPosition) -> Self {
        Self { cell: position.cell, origin: position.frame.origin }
    }

    /// Returns the offset to another place, in metres.
    pub(super) fn offset_to(&self, other: &Self) -> Vec3 {
        CellPosition::at(self.cell, self.origin).offset_to(&CellPosition::at(other.cell, other.origin))
    }
}

/// How smoothly an entity is shown.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Smoothness {
    /// The number of ticks in which it moved, and of those in which it moved against the direction of the tick before.
    pub(super) moving: u64,
    pub(super) backward: u64,
    /// The greatest jump, in metres.
    pub(super) jump: f32,
    /// The sum of the squares of the jerk, in metres a second cubed, and the number of ticks of which it is.
    pub(super) jerk: f64,
    pub(super) jerks: u64,
    /// The distance that planted feet have slid, in metres.
    pub(super) slid: f64,
    pub(super) slid_still: f64,
}

impl Smoothness {
    pub(super) fn merge(&mut self, other: &Self) {
        self.moving += other.moving;
        self.backward += other.backward;
        self.jump = self.jump.max(other.jump);
        self.jerk += other.jerk;
        self.jerks += other.jerks;
        self.slid += other.slid;
        self.slid_still += other.slid_still;
    }
}

/// The path on which an entity is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Where it was shown at each tick.
    pub(super) samples: Vec<(f64, Place)>,
    /// The last step, the velocity of the last step and its change, over the ground; as far as it was not placed.
    step: Option<Vec3>,
    velocity: Option<Vec3>,
    acceleration: Option<Vec3>,
    pub(super) smoothness: Smoothness,
    pub(super) was_placed: bool,
}

impl Path {
    /// Adds where it is shown. `motion` is how fast the motion that plays carries it, in metres a second.
    pub(super) fn push(&mut self, time: f64, position: &CellPosition, motion: f32) {
        let place = Place::new(position);
        let last = self.samples.last().copied();
        self.samples.push((time, place));
        let Some((before, from)) = last else { return };
        if std::mem::take(&mut self.was_placed) {
            (self.step, self.velocity, self.acceleration) = (None, None, None);
            return;
        }
        let seconds = (time - before) as f32;
        let step = Vec3 { z: 0.0, ..from.offset_to(&place) };
        if step.length() >= MIN_STEP {
            self.smoothness.moving += 1;
        }
        if let Some(previous) = self.step {
            let is_long = step.length() > MIN_BACKWARD_STEP && previous.length() > MIN_BACKWARD_STEP;
            self.smoothness.backward += u64::from(is_long && step.dot(previous) < 0.0);
            let expected = previous.length().max(motion * seconds);
            self.smoothness.jump = self.smoothness.jump.max(step.length() - expected);
        }
        let velocity = step * (1.0 / seconds);
        let acceleration = self.velocity.map(|last| (velocity - last) * (1.0 / seconds));
        if let Some((last, now)) = self.acceleration.zip(acceleration)
            && (step.length() >= MIN_STEP || self.step.is_some_and(|step| step.length() >= MIN_STEP))
        {
            let jerk = (now - last) * (1.0 / seconds);
            self.smoothness.jerk += f64::from(jerk.length_squared());
            self.smoothness.jerks += 1;
        }
        (self.step, self.velocity, self.acceleration) = (Some(step), Some(velocity), acceleration);
    }

    /// Returns where it was at a time, by a straight line between two ticks; `None` outside of the path.
    pub(super) fn at(&self, time: f64) -> Option<Place> {
        let after = self.samples.partition_point(|(sample, _)| *sample <= time);
        let (from, start) = self.samples.get(after.checked_sub(1)?)?;
        let Some((until, end)) = self.samples.get(after) else { return (*from == time).then_some(*start) };
        let step = start.offset_to(end);
        let passed = (until - from) as f32;
        let mut place = *start;
        if step.length() <= MAX_SPEED * passed {
            place.origin += step * ((time - from) as f32 / passed);
        }
        Some(place)
    }
}

/// The maximum speed, in metres a second, at which true positions are interpolated. What is faster was placed.
const MAX_SPEED: f32 = 60.0;
