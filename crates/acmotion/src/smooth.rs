//! Interpolation between key frames and between ticks, for display only.
//!
//! The original shows whole frames and changes them at most 30 times a second (rule H14), which is visible on a modern
//! display. A client may show this instead. It only reads the results of the simulation, which stays the same to the bit.
//!
//! ```
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::types::{Frame, MotionCommand, Vec3};
//! use acmotion::{Animator, Library, move_by, smooth};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut library = Library::new();
//! let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
//! let (mut body, mut frame) = (Animator::new(Some(table)), Frame::IDENTITY);
//! body.initialize(&library)?;
//! body.do_motion(&library, MotionCommand::RUN_FORWARD, 1.5)?;
//!
//! // Each tick: keep a snapshot of the state before and after.
//! let before = smooth::Snapshot::of(&library, body.sequence(), &frame);
//! let offset = body.sequence_mut().advance(&library, 1.0 / 30.0, None);
//! move_by(&mut frame, &offset);
//! let after = smooth::Snapshot::of(&library, body.sequence(), &frame);
//!
//! // Each displayed frame in between, here a third of a tick later:
//! let mut parts = [Frame::IDENTITY; 64];
//! smooth::pose(&library, &before, &after, 0.33, Vec3::ONE, &mut parts);
//! # Ok(())
//! # }
//! ```

use acmotion_types::{Frame, Quat, Vec3};

use crate::comfort::GaitPose;
use crate::library::{ClipId, Library};
use crate::sequence::{Ahead, KeyFrames, Sequence};

/// The maximum distance, in metres, that is interpolated. A longer one is a jump to another position.
const MAX_DISTANCE: f32 = 4.0;
/// The minimum scalar product of two rotations that are interpolated: the cosine of half the maximum turn, 120°.
const MIN_COS: f32 = 0.5;
/// The scalar product of two rotations above which linear interpolation suffices.
const LINEAR_COS: f32 = 0.995;

/// What a body shows after one tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snapshot {
    frame: Frame,
    keys: Option<KeyFrames>,
    /// Steps that are shown on top.
    gait: Option<GaitPose>,
}

impl Snapshot {
    /// Creates the snapshot of a body that plays `sequence` at `frame`.
    #[inline(always)]
    pub fn of(library: &Library, sequence: &Sequence, frame: &Frame) -> Self {
        let keys = sequence.shown(library).map(|from| {
            let (to, share) = sequence.shown_next(library).unwrap_or((from, 0.0));
            KeyFrames { from, to, share }
        });
        Self { frame: *frame, keys, gait: None }
    }

    /// Creates the snapshot of a body at `frame` that plays `sequence`, as that will be at a moment ahead, with steps on top.
    pub(crate) fn ahead(
        library: &Library,
        sequence: &Sequence,
        ahead: &Ahead,
        gait: Option<GaitPose>,
        frame: &Frame,
    ) -> Self {
        Self { frame: *frame, keys: sequence.key_frames_at(library, ahead), gait }
    }

    /// Returns the frame of the body.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the clip and the key frame of it that the original shows (rule H14).
    pub(crate) fn shown(&self) -> Option<(ClipId, usize)> {
        Some(self.keys?.from)
    }

    /// Returns the two key frames that make up most of the pose, and the share (0 to 1) of the way from one to the other.
    pub(crate) fn main_frames(&self) -> Option<([(ClipId, usize); 2], f32)> {
        let keys = self.keys?;
        Some(match self.gait {
            Some(gait) if gait.weight > 0.5 => (gait.frames.map(|number| (gait.clip, number)), gait.share),
            _ => ([keys.from, keys.to], keys.share),
        })
    }

    /// Returns the frame of a part in the body's axes.
    fn part(&self, library: &Library, part: usize) -> Option<Frame> {
        let keys = self.keys?;
        let frame =
            |(clip, frame): (ClipId, usize)| library.clip(clip).animation().pose(frame).get(part).copied();
        let from = frame(keys.from)?;
        let own = frame(keys.to).map_or(from, |to| blend(&from, &to, keys.share));
        let Some(gait) = self.gait else { return Some(own) };
        let [from, to] = gait.frames.map(|number| frame((gait.clip, number)));
        let step = from.zip(to).map(|(from, to)| blend(&from, &to, gait.share));
        Some(step.map_or(own, |step| blend(&own, &step, gait.weight)))
    }
}

/// Returns the frame of a body when `share` (0 to 1) of the time from one tick to the next has passed. Both snapshots must
/// be in the same coordinate system.
pub fn frame(from: &Snapshot, to: &Snapshot, share: f32) -> Frame {
    blend(&from.frame, &to.frame, share)
}

/// Computes the frames of a body's parts when `share` (0 to 1) of the time from one tick to the next has passed. Writes as
/// many as `out` and both snapshots have, leaves the rest of `out` unchanged, and returns the number written.
pub fn pose(
    library: &Library,
    from: &Snapshot,
    to: &Snapshot,
    share: f32,
    scale: Vec3,
    out: &mut [Frame],
) -> usize {
    let body = frame(from, to, share);
    let mut count = 0;
    for (index, out) in out.iter_mut().enumerate() {
        let Some(part) = part_between(library, from, to, share, index) else { break };
        *out = body.combine_scaled(&part, scale);
        count += 1;
    }
    count
}

/// Returns the frame of a part in the body's axes when `share` (0 to 1) of the time from one tick to the next has passed.
/// `None` if one of the snapshots does not have the part.
pub(crate) fn part_between(
    library: &Library,
    from: &Snapshot,
    to: &Snapshot,
    share: f32,
    index: usize,
) -> Option<Frame> {
    let (from, to) = (from.part(library, index)?, to.part(library, index)?);
    Some(blend(&from, &to, share))
}

/// Interpolates between two frames: the origin along a straight line, the rotation along the shorter arc. Returns `from` if
/// they are more than 4 m or 120° apart.
pub fn blend(from: &Frame, to: &Frame, share: f32) -> Frame {
    let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
    let distance = to.origin - from.origin;
    let cos = from.rotation.dot(to.rotation);
    let is_near = distance.length() <= MAX_DISTANCE && cos.abs() >= MIN_COS;
    if !is_near || share == 0.0 {
        return *from;
    }
    let mut between = Frame::new(from.origin + distance * share, from.rotation);
    between.set_rotation(if cos.abs() > LINEAR_COS {
        linear(from.rotation, to.rotation, share, cos)
    } else {
        Quat::interpolate(from.rotation, to.rotation, share)
    });
    between
}

fn linear(from: Quat, to: Quat, share: f32, cos: f32) -> Quat {
    let (a, b) = (1.0 - share, if cos < 0.0 { -share } else { share });
    Quat::new(from.w * a + to.w * b, from.x * a + to.x * b, from.y * a + to.y * b, from.z * a + to.z * b)
}
