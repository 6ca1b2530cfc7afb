//! Poses as lists of numbers, and motions as poses at key frames.

use std::ops::Index;

use super::curve::{mix, through};

/// The place of one number in a pose: an angle in degrees or a length in metres.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Channel(pub(super) usize);

/// A pose: a number for each of the body's channels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pose<const N: usize>(pub(super) [f32; N]);

impl<const N: usize> Index<Channel> for Pose<N> {
    type Output = f32;

    fn index(&self, channel: Channel) -> &f32 {
        &self.0[channel.0]
    }
}

impl<const N: usize> Pose<N> {
    /// The same pose with some channels set.
    pub(super) fn with(mut self, values: &[(Channel, f32)]) -> Self {
        for (channel, value) in values {
            self.0[channel.0] = *value;
        }
        self
    }

    /// The same pose with something added to some channels.
    pub(super) fn plus(mut self, values: &[(Channel, f32)]) -> Self {
        for (channel, value) in values {
            self.0[channel.0] += *value;
        }
        self
    }

    /// Between this pose and another.
    pub(super) fn mixed(mut self, other: &Self, t: f32) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = mix(*value, other, t);
        }
        self
    }
}

/// Poses at key frames, with smooth curves in between (see [`through`]).
#[derive(Clone)]
pub(super) struct Keys<const N: usize> {
    base: Pose<N>,
    keys: Vec<(f32, Pose<N>)>,
}

impl<const N: usize> Keys<N> {
    /// A motion that starts in the pose at frame 0; later keys are given by what differs from it.
    pub(super) fn from(base: Pose<N>) -> Self {
        Self { base, keys: vec![(0.0, base)] }
    }

    /// A key: the first pose with some channels set.
    pub(super) fn at(self, frame: f32, values: &[(Channel, f32)]) -> Self {
        let pose = self.base.with(values);
        self.pose(frame, pose)
    }

    /// A key: any pose. Keys are given in the order of their frames.
    pub(super) fn pose(mut self, frame: f32, pose: Pose<N>) -> Self {
        self.keys.push((frame, pose));
        self
    }

    /// A key before the first one, which gives the motion a run-up.
    pub(super) fn before(mut self, frame: f32, pose: Pose<N>) -> Self {
        self.keys.insert(0, (frame, pose));
        self
    }

    /// The pose at a frame.
    pub(super) fn get(&self, frame: f32) -> Pose<N> {
        let mut pose = self.base;
        for (channel, value) in pose.0.iter_mut().enumerate() {
            *value = through(self.keys.len(), |k| self.keys[k].0, |k| self.keys[k].1.0[channel], frame);
        }
        pose
    }

    /// The frame of the last key.
    pub(super) fn end(&self) -> usize {
        self.keys.last().map_or(0, |(frame, _)| *frame as usize)
    }

    /// The poses of all frames up to the last key.
    pub(super) fn poses(&self) -> Vec<Pose<N>> {
        (0..=self.end()).map(|frame| self.get(frame as f32)).collect()
    }
}
