//! Root motion from velocity and omega (rules H10, Q12).

use std::ops::Range;

use acmotion_types::{EPS, Frame, Quat, Vec3};

use super::Sequence;
use crate::move_by::{combined, move_by, turn_by};

/// The offset by which velocity and omega move the body while one frame of a rate shows. It is cached because it is the
/// same for every frame of a node: a sine for each crossed frame would be most of the work of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameOffset {
    /// The rate for which the offset is valid; 0 for none, since no frame is crossed at that rate.
    framerate: f32,
    /// In the body's axes.
    offset: Frame,
}

/// The maximum length of a step along each axis, in metres. Valid data never gives longer ones.
const MAX_STEP: f32 = 1e30;

impl FrameOffset {
    /// Valid for no rate.
    pub(super) const UNKNOWN: Self = Self { framerate: 0.0, offset: Frame::IDENTITY };

    fn new(framerate: f32, velocity: Vec3, omega: Vec3) -> Self {
        Self { framerate, offset: offset_after(velocity, omega, (1.0 / framerate).abs()) }
    }

    /// Returns `true` if the offset is the identity, to the bit.
    #[inline]
    pub(super) fn is_identity(&self) -> bool {
        is_identity(&self.offset)
    }

    /// Returns the way of a frame at a rate, in metres, if the offset is valid for that rate and does not turn.
    #[inline]
    pub(super) fn straight_at(&self, framerate: f32) -> Option<Vec3> {
        (self.is_valid_at(framerate) && is_unturned(self.offset.rotation)).then_some(self.offset.origin)
    }

    /// Returns `true` if the offset is valid for a rate.
    #[inline]
    pub(super) fn is_valid_at(&self, framerate: f32) -> bool {
        self.framerate == framerate
    }
}

impl Default for FrameOffset {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

/// All are equal: the offset is derived from the rest of the sequence and makes no difference between two of them.
impl PartialEq for FrameOffset {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Sequence {
    /// Adds the root motion of a number of frames at the cached rate to an offset.
    #[inline]
    pub(super) fn add_frames(&self, offset: &mut Frame, frames: u32) {
        let step = &self.frame_offset.offset;
        if is_unturned(offset.rotation) && is_unturned(step.rotation) {
            (0..frames).for_each(|_| offset.origin += step.origin);
        } else {
            (0..frames).for_each(|_| add(offset, step));
        }
    }

    /// Adds the root motion of frames at the cached rate to an offset that is the identity: the position frame of each, none
    /// of which turns, then velocity and omega. As long as the offset is not turned, [`Frame::combine`] is a plain sum, to
    /// the bit.
    #[inline]
    pub(super) fn add_straight_frames(&self, offset: &mut Frame, positions: &[Frame], frames: Range<u32>) {
        let step = &self.frame_offset.offset;
        if is_unturned(step.rotation) {
            // Nothing turns the offset, so it takes sums alone.
            self.sum_straight_frames(&mut offset.origin, positions, frames);
        } else {
            self.add_turning_frames(offset, positions, frames);
        }
        if !offset.origin.is_finite() {
            *offset = Frame::IDENTITY;
        }
    }

    /// Adds the way of frames at the cached rate, none of which turns, to that of an offset that is not turned.
    #[inline]
    pub(super) fn sum_straight_frames(&self, way: &mut Vec3, positions: &[Frame], frames: Range<u32>) {
        let step = self.frame_offset.offset.origin;
        for frame in frames {
            if let Some(position) = positions.get(frame as usize) {
                *way += position.origin;
            }
            *way += step;
        }
    }

    #[inline(never)]
    fn add_turning_frames(&self, offset: &mut Frame, positions: &[Frame], frames: Range<u32>) {
        let step = &self.frame_offset.offset;
        for frame in frames {
            if let Some(position) = positions.get(frame as usize) {
                if is_unturned(offset.rotation) {
                    offset.origin += position.origin;
                } else {
                    *offset = combined(offset, position);
                }
            }
            add(offset, step);
        }
    }

    /// Returns the root motion of a number of frames at the cached rate.
    pub(super) fn offset_of_frames(&self, frames: u32) -> Frame {
        let mut offset = Frame::IDENTITY;
        self.add_frames(&mut offset, frames);
        offset
    }

    /// Moves a body by a number of frames at the cached rate.
    #[inline]
    pub(super) fn move_by_frames(&self, body: &mut Frame, frames: u32) {
        match frames {
            0 => {}
            1 => move_by(body, &self.frame_offset.offset),
            _ => move_by(body, &self.offset_of_frames(frames)),
        }
    }

    /// Makes the cached offset valid for a rate.
    #[inline]
    pub(super) fn cache_frame_offset(&mut self, framerate: f32) {
        if !self.frame_offset.is_valid_at(framerate) {
            self.compute_frame_offset(framerate);
        }
    }

    #[inline(never)]
    fn compute_frame_offset(&mut self, framerate: f32) {
        self.frame_offset = FrameOffset::new(framerate, self.velocity, self.omega);
    }

    /// Adds the root motion of one frame at a rate to an offset, or subtracts it if `back`.
    #[inline]
    pub(super) fn apply_frame_physics(&mut self, offset: &mut Frame, framerate: f32, back: bool) {
        self.cache_frame_offset(framerate);
        let Frame { origin, rotation } = self.frame_offset.offset;
        let step = if back { Frame::new(-origin, rotation.conjugate()) } else { self.frame_offset.offset };
        add(offset, &step);
    }

    /// Adds the root motion of `time` seconds to an offset, whatever frame shows.
    pub(super) fn apply_physics(&self, offset: &mut Frame, time: f32) {
        add(offset, &offset_after(self.velocity, self.omega, time));
    }
}

/// Returns `true` if a frame is the identity to the bit: −0 counts as another number.
#[inline]
pub(super) fn is_identity(frame: &Frame) -> bool {
    let Vec3 { x, y, z } = frame.origin;
    x.to_bits() | y.to_bits() | z.to_bits() == 0 && is_unturned(frame.rotation)
}

/// Returns `true` if a rotation is the identity to the bit: −0 counts as another number.
#[inline]
fn is_unturned(Quat { w, x, y, z }: Quat) -> bool {
    w == 1.0 && x.to_bits() | y.to_bits() | z.to_bits() == 0
}

/// Returns the offset by which velocity and omega move a body in `time` seconds. A turn smaller than the epsilon is
/// ignored (rule A10), and so is a step that is longer than [`MAX_STEP`] or NaN.
fn offset_after(velocity: Vec3, omega: Vec3, time: f32) -> Frame {
    let step = velocity * time;
    let is_valid = step.x.abs().max(step.y.abs()).max(step.z.abs()) <= MAX_STEP && !step.is_nan();
    let turn = omega * time;
    let square = turn.length_squared();
    let rotation = if square >= EPS * EPS && square.is_finite() {
        let angle = square.sqrt();
        Quat::from_axis_angle(turn * (1.0 / angle), angle)
    } else {
        Quat::IDENTITY
    };
    Frame::new(if is_valid { step } else { Vec3::ZERO }, rotation)
}

/// Adds a step to an offset: the origin by a plain sum, the turn about the offset's own axes (rule H10).
///
/// The original converts the turn to the parent's axes and turns there (rule A10), which is the same rotation.
#[inline(always)]
fn add(offset: &mut Frame, step: &Frame) {
    offset.origin += step.origin;
    if offset.rotation == Quat::IDENTITY {
        offset.rotation = step.rotation;
    } else if step.rotation != Quat::IDENTITY {
        turn_by(&mut offset.rotation, step.rotation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_absurd_length_is_ignored() {
        for (speed, expected) in
            [(5.0, 10.0), (0.4e30, 0.8e30), (0.6e30, 0.0), (f32::INFINITY, 0.0), (f32::NAN, 0.0)]
        {
            let step = offset_after(Vec3::new(0.0, speed, 0.0), Vec3::ZERO, 2.0);
            assert_eq!(step, Frame::new(Vec3::new(0.0, expected, 0.0), Quat::IDENTITY), "{speed} m/s");
        }
        assert_eq!(MAX_STEP, 1e30);
    }
}
