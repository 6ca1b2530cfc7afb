//! The path on which a method shows an entity, and how smooth it is.

use acmotion::types::{CellPosition, Vec3};

use crate::measure::{MAX_SPEED, MIN_BACKWARD_STEP, MIN_STEP, Place};

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
}

impl Smoothness {
    pub(super) fn merge(&mut self, other: &Self) {
        self.moving += other.moving;
        self.backward += other.backward;
        self.jump = self.jump.max(other.jump);
        self.jerk += other.jerk;
        self.jerks += other.jerks;
        self.slid += other.slid;
    }
}

/// The path on which an entity is shown. Heights do not count for how smooth it is: the ground has steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Where it was shown at each tick.
    pub(super) samples: Vec<(f64, Place)>,
    /// The last step, and its velocity and the change of that; `None` where it was placed since.
    step: Option<Vec3>,
    velocity: Option<Vec3>,
    acceleration: Option<Vec3>,
    /// Whether it was placed since the last tick, so that the next step is not motion.
    pub(super) was_placed: bool,
    pub(super) smoothness: Smoothness,
}

impl Path {
    /// Adds where it is shown. `motion` is how fast the motion that plays carries it, in metres a second.
    pub(super) fn push(&mut self, time: f64, position: &CellPosition, motion: f32) {
        let place = Place::new(position);
        let last = self.samples.last().copied();
        self.samples.push((time, place));
        let was_placed = std::mem::take(&mut self.was_placed);
        let Some((before, from)) = last.filter(|(before, _)| !was_placed && *before < time) else {
            (self.step, self.velocity, self.acceleration) = (None, None, None);
            return;
        };
        let seconds = (time - before) as f32;
        let step = Vec3 { z: 0.0, ..from.offset_to(&place) };
        let is_moving = step.length() >= MIN_STEP;
        self.smoothness.moving += u64::from(is_moving);
        if let Some(previous) = self.step {
            let is_long = step.length() > MIN_BACKWARD_STEP && previous.length() > MIN_BACKWARD_STEP;
            self.smoothness.backward += u64::from(is_long && step.dot(previous) < 0.0);
            let expected = previous.length().max(motion * seconds);
            self.smoothness.jump = self.smoothness.jump.max(step.length() - expected);
        }
        let velocity = step * (1.0 / seconds);
        let acceleration = self.velocity.map(|last| (velocity - last) * (1.0 / seconds));
        let was_moving = self.step.is_some_and(|step| step.length() >= MIN_STEP);
        if let Some((last, now)) = self.acceleration.zip(acceleration).filter(|_| is_moving || was_moving) {
            self.smoothness.jerk += f64::from(((now - last) * (1.0 / seconds)).length_squared());
            self.smoothness.jerks += 1;
        }
        (self.step, self.velocity, self.acceleration) = (Some(step), Some(velocity), acceleration);
    }

    /// Forgets where it was shown before the last tick.
    pub(super) fn keep_last(&mut self) {
        let before = self.samples.len().saturating_sub(1);
        self.samples.drain(..before);
    }

    /// Returns where it was at a time, by a straight line between two ticks; `None` outside of the path.
    pub(super) fn at(&self, time: f64) -> Option<Place> {
        let after = self.samples.partition_point(|(sample, _)| *sample <= time);
        let (from, start) = self.samples.get(after.checked_sub(1)?)?;
        let Some((until, end)) = self.samples.get(after) else { return (*from == time).then_some(*start) };
        let (step, passed) = (start.offset_to(end), (until - from) as f32);
        let share = if step.length() <= MAX_SPEED * passed { (time - from) as f32 / passed } else { 0.0 };
        Some(start.moved(step * share))
    }

    /// Returns how far it went over the ground, in metres. What is longer than a step can be was placed.
    pub(super) fn length(&self) -> f64 {
        let steps = self.samples.windows(2).map(|pair| {
            let step = Vec3 { z: 0.0, ..pair[0].1.offset_to(&pair[1].1) };
            (step.length(), (pair[1].0 - pair[0].0) as f32)
        });
        steps.filter(|(step, seconds)| *step <= MAX_SPEED * seconds).map(|(step, _)| f64::from(step)).sum()
    }
}

#[cfg(test)]
mod tests {
    use acmotion::types::CellId;

    use super::*;

    const TICK: f64 = 1.0 / 32.0;

    fn path(positions: &[f32], motion: f32) -> Path {
        let mut path = Path::default();
        for (tick, x) in positions.iter().enumerate() {
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(*x, 0.0, tick as f32));
            path.push(tick as f64 * TICK, &position, motion);
        }
        path
    }

    #[test]
    fn a_step_against_the_one_before_is_backward() {
        let found = path(&[0.0, 0.1, 0.2, 0.15, 0.25, 0.25, 0.2], 0.0).smoothness;
        assert_eq!((found.moving, found.backward), (5, 2), "after a rest it may turn round");
    }

    #[test]
    fn what_neither_the_step_before_nor_the_motion_explains_is_a_jump() {
        let jump = |positions: &[f32], motion| path(positions, motion).smoothness.jump;
        assert!((jump(&[0.0, 0.1, 0.5], 0.0) - 0.3).abs() < 1e-6);
        assert!((jump(&[0.0, 0.1, 0.5], 9.6) - 0.1).abs() < 1e-6, "the motion goes 0.3 m");
        assert_eq!(jump(&[0.0, 0.4, 0.5], 0.0), 0.0, "to stop is none");
        let mut placed = path(&[0.0, 0.1, 0.2], 0.0);
        placed.was_placed = true;
        placed.push(3.0 * TICK, &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(9.0, 0.0, 0.0)), 0.0);
        assert_eq!(placed.smoothness.jump, 0.0, "nor is a teleport");
    }

    #[test]
    fn an_even_speed_has_no_jerk_and_a_sudden_one_has() {
        let even = path(&[0.0, 0.25, 0.5, 0.75, 1.0], 0.0).smoothness;
        assert_eq!((even.jerk, even.jerks), (0.0, 2));
        let sudden = path(&[0.0, 0.0, 0.0, 0.25], 0.0).smoothness;
        assert_eq!((sudden.jerk.sqrt(), sudden.jerks), (0.25 * 32_768.0, 1));
    }

    #[test]
    fn a_path_without_its_past_is_as_smooth() {
        let positions = [0.0, 0.1, 0.2, 0.15, 0.5];
        let mut short = Path::default();
        for (tick, x) in positions.into_iter().enumerate() {
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 0.0, tick as f32));
            short.push(tick as f64 * TICK, &position, 0.0);
            short.keep_last();
            assert_eq!(short.samples.len(), 1);
        }
        assert_eq!(short.smoothness, path(&positions, 0.0).smoothness);
    }

    #[test]
    fn a_path_is_interpolated_and_measured() {
        let path = path(&[0.0, 0.25, 0.5, 60.0], 0.0);
        assert!(path.at(-0.1 * TICK).is_none() && path.at(3.1 * TICK).is_none());
        let within = path.at(0.5 * TICK).unwrap();
        assert!((path.samples[0].1.offset_to(&within).x - 0.125).abs() < 1e-6);
        assert_eq!(path.length(), 0.5, "the last step is too long to be one");
    }
}
