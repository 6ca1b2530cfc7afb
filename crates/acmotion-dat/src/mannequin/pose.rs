//! Poses as lists of channel values, and motions as poses at key frames.

use std::ops::Index;

use super::curve::{Location, lerp};

/// The index of one value in a pose: an angle in degrees or a length in metres.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Channel(pub(super) usize);

/// New values for some channels of a pose.
pub(super) type PoseChange = &'static [(Channel, f32)];

/// A pose: a value for each of the body's channels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pose<const N: usize>(pub(super) [f32; N]);

impl<const N: usize> Index<Channel> for Pose<N> {
    type Output = f32;

    fn index(&self, channel: Channel) -> &f32 {
        &self.0[channel.0]
    }
}

impl<const N: usize> Pose<N> {
    /// Returns the pose with some channels set.
    pub(super) fn with(mut self, values: &[(Channel, f32)]) -> Self {
        for (channel, value) in values {
            self.0[channel.0] = *value;
        }
        self
    }

    /// Returns the pose with values added to some channels.
    pub(super) fn plus(mut self, values: &[(Channel, f32)]) -> Self {
        for (channel, value) in values {
            self.0[channel.0] += *value;
        }
        self
    }

    /// Interpolates linearly between this pose and another.
    pub(super) fn blended(mut self, other: &Self, t: f32) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = lerp(*value, other, t);
        }
        self
    }
}

/// Poses at key frames, with smooth curves between them (see [`Location::value`]).
#[derive(Clone)]
pub(super) struct Keyframes<const N: usize> {
    base: Pose<N>,
    keys: Vec<(f32, Pose<N>)>,
}

impl<const N: usize> Keyframes<N> {
    /// Creates a motion that starts with `base` at frame 0.
    pub(super) fn new(base: Pose<N>) -> Self {
        Self { base, keys: vec![(0.0, base)] }
    }

    /// Adds a key: the base pose with some channels set.
    pub(super) fn key(self, frame: f32, values: &[(Channel, f32)]) -> Self {
        let pose = self.base.with(values);
        self.key_pose(frame, pose)
    }

    /// Adds a key with any pose. Keys must be added in the order of their frames.
    pub(super) fn key_pose(mut self, frame: f32, pose: Pose<N>) -> Self {
        self.keys.push((frame, pose));
        self
    }

    /// Adds a key before the first one, so that the motion starts with a slope.
    pub(super) fn key_before(mut self, frame: f32, pose: Pose<N>) -> Self {
        self.keys.insert(0, (frame, pose));
        self
    }

    /// Returns the pose at a frame.
    pub(super) fn sample(&self, frame: f32) -> Pose<N> {
        let location = Location::of(self.keys.len(), |k| self.keys[k].0, frame);
        Pose(std::array::from_fn(|channel| location.value(|k| self.keys[k].1.0[channel])))
    }

    /// Returns the frame of the last key.
    pub(super) fn last_frame(&self) -> usize {
        self.keys.last().map_or(0, |(frame, _)| *frame as usize)
    }

    /// Returns the poses of all frames up to the last key.
    pub(super) fn poses(&self) -> Vec<Pose<N>> {
        (0..=self.last_frame()).map(|frame| self.sample(frame as f32)).collect()
    }
}
