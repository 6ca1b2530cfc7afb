//! Clips: animations, with their frames as matrices once a pose needs them.

use std::sync::{Arc, OnceLock};

use acmotion_dat::Animation;
#[cfg(feature = "parallel")]
use acmotion_types::Frame;
use acmotion_types::Vec3;

use crate::pose::Matrix;

/// The handle of a clip in a [`Library`](super::Library).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClipId(u32);

impl ClipId {
    pub(super) fn at(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An animation that bodies play.
#[derive(Clone, Debug)]
pub struct Clip {
    animation: Arc<Animation>,
    matrices: OnceLock<Arc<[Matrix]>>,
    /// The sums of the position frames before each frame, and before the end.
    ways: OnceLock<Arc<[Vec3]>>,
    #[cfg(feature = "parallel")]
    reach: OnceLock<ClipReach>,
}

/// How far a clip can move and extend a body, for the tick on several cores.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipReach {
    /// The maximum distance, in metres, by which a position frame moves the body; infinite if one is not finite.
    pub(crate) step: f32,
    /// Whether a position frame tilts the body.
    pub(crate) tilts: bool,
    /// The maximum distance of a part from the body's origin, in metres and unscaled; infinite if one is not finite.
    pub(crate) parts: f32,
}

#[cfg(feature = "parallel")]
impl ClipReach {
    fn of(animation: &Animation) -> Self {
        let length =
            |frame: &Frame| if frame.origin.is_finite() { frame.origin.length() } else { f32::INFINITY };
        let positions = animation.position_frames();
        let poses = (0..animation.frame_count()).flat_map(|frame| animation.pose(frame));
        Self {
            step: positions.iter().map(length).fold(0.0, f32::max),
            tilts: positions.iter().any(|position| position.rotation.x != 0.0 || position.rotation.y != 0.0),
            parts: poses.map(length).fold(0.0, f32::max),
        }
    }
}

impl Clip {
    pub(super) fn new(animation: Arc<Animation>) -> Self {
        Self {
            animation,
            matrices: OnceLock::new(),
            ways: OnceLock::new(),
            #[cfg(feature = "parallel")]
            reach: OnceLock::new(),
        }
    }

    /// Returns how far it can move and extend a body, computed at the first call.
    #[cfg(feature = "parallel")]
    pub(crate) fn reach(&self) -> &ClipReach {
        self.reach.get_or_init(|| ClipReach::of(&self.animation))
    }

    /// Returns the animation as decoded from the dat file.
    #[inline]
    pub fn animation(&self) -> &Animation {
        &self.animation
    }

    /// Returns every part of every frame as a matrix, computed at the first call.
    pub(crate) fn matrices(&self) -> &[Matrix] {
        self.matrices.get_or_init(|| {
            let frames = 0..self.animation.frame_count();
            frames.flat_map(|frame| self.animation.pose(frame)).map(Matrix::from_frame).collect()
        })
    }

    /// Returns the parts of one frame as matrices; empty if the frame does not exist.
    #[inline]
    pub(crate) fn frame_matrices(&self, frame: usize) -> &[Matrix] {
        let parts = self.animation.part_count();
        self.matrices().get(frame.wrapping_mul(parts)..).and_then(|rest| rest.get(..parts)).unwrap_or(&[])
    }

    /// Returns the sums of the position frames, computed at the first call.
    #[inline]
    pub(crate) fn ways(&self) -> Ways<'_> {
        Ways(self.ways.get_or_init(|| {
            let mut sum = Vec3::ZERO;
            let positions = self.animation.position_frames().iter();
            let sums = positions.map(|position| {
                sum += position.origin;
                sum
            });
            std::iter::once(Vec3::ZERO).chain(sums).collect()
        }))
    }
}

/// The sums of the position frames of a clip before each of its frames, and of all. Turns of position frames are ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<'a>(&'a [Vec3]);

impl Ways<'_> {
    /// Returns the sum of the position frames up to a frame number, in metres in the axes of the first frame.
    #[inline]
    pub(crate) fn until(self, frame: f64) -> Vec3 {
        let last = self.0.len() - 1;
        let frame = frame.clamp(0.0, last as f64);
        let whole = frame as usize;
        let before = self.0[whole];
        let after = self.0[(whole + 1).min(last)];
        before + (after - before) * (frame - whole as f64) as f32
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{AnimationFrame, DataId};
    use acmotion_types::{Frame, Quat};

    use super::*;

    fn clip(steps: &[f32]) -> Clip {
        let positions = steps.iter().map(|step| Frame::from_origin(Vec3::new(0.0, *step, 0.25)));
        let frame = |index: usize| AnimationFrame {
            parts: (0..2).map(|part| Frame::from_origin(Vec3::new(index as f32, part as f32, 0.0))).collect(),
            ..AnimationFrame::default()
        };
        let frames = (0..steps.len()).map(frame).collect();
        Clip::new(Arc::new(Animation::new(DataId(1), Some(positions.collect()), frames)))
    }

    /// The way grows evenly within a frame.
    #[test]
    fn the_way_until_a_frame_is_the_sum_of_those_before() {
        let clip = clip(&[1.0, 2.0, 4.0]);
        let way = |frame: f64| {
            let way = clip.ways().until(frame);
            (way.y, way.z)
        };
        assert_eq!([0.0, 1.0, 2.0, 3.0].map(way), [(0.0, 0.0), (1.0, 0.25), (3.0, 0.5), (7.0, 0.75)]);
        assert_eq!([0.5, 1.25, 2.75].map(|frame| way(frame).0), [0.5, 1.5, 6.0]);
        assert_eq!([-1.0, 9.0].map(|frame| way(frame).0), [0.0, 7.0], "before the start and after the end");
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn the_reach_of_a_clip_is_that_of_its_longest_step_and_farthest_part() {
        let reach = |steps: &[f32]| *clip(steps).reach();
        let moving = reach(&[0.1, -3.0, 2.0]);
        assert!((moving.step - 9.0625f32.sqrt()).abs() < 1e-6 && !moving.tilts);
        assert!((moving.parts - 5.0f32.sqrt()).abs() < 1e-6, "part 1 of frame 2");
        assert_eq!(reach(&[0.1, f32::NAN]).step, f32::INFINITY);
        assert_eq!((reach(&[]).step, reach(&[]).parts), (0.0, 0.0));
        let turned = |axis| {
            let position = Frame::new(Vec3::ZERO, Quat::from_axis_angle(axis, 0.1));
            let animation = Animation::new(DataId(1), Some(vec![position]), vec![AnimationFrame::default()]);
            Clip::new(Arc::new(animation)).reach().tilts
        };
        assert!(!turned(Vec3::new(0.0, 0.0, 1.0)) && turned(Vec3::new(1.0, 0.0, 0.0)));
        assert!(turned(Vec3::new(0.0, 1.0, 0.0)));
    }

    #[test]
    fn the_matrices_of_a_frame_are_those_of_its_parts() {
        let clip = clip(&[0.0; 3]);
        let origins =
            |frame: usize| -> Vec<Vec3> { clip.frame_matrices(frame).iter().map(Matrix::origin).collect() };
        assert_eq!(origins(1), [Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 0.0)]);
        assert_eq!(origins(2), [Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 0.0)]);
        assert!(origins(3).is_empty(), "there is no such frame");
        assert_eq!(clip.matrices().len(), 6);
    }
}
