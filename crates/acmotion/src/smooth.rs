//! Movement between key frames and between ticks: for the eye only.
//!
//! The original shows whole frames and changes them at most thirty times a second (rule H14). On a screen of today that
//! can be seen; this is what a client may show instead. It reads what the simulation did and gives nothing back, so the
//! simulation is the same bit for bit, whether somebody looks or not.
//!
//! ```
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::types::{Frame, MotionCommand, Vec3};
//! use acmotion::{Animator, Library, move_by, smooth};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut library = Library::new();
//! let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
//! let (mut body, mut place) = (Animator::new(Some(table)), Frame::IDENTITY);
//! body.initialize(&library)?;
//! body.do_motion(&library, MotionCommand::RUN_FORWARD, 1.5)?;
//!
//! // Each tick: keep what was shown before and what is shown now.
//! let before = smooth::Snapshot::of(&library, body.sequence(), &place);
//! let offset = body.sequence_mut().advance(&library, 1.0 / 30.0, None);
//! move_by(&mut place, &offset);
//! let now = smooth::Snapshot::of(&library, body.sequence(), &place);
//!
//! // Each picture in between: where things are a third of a tick later.
//! let mut parts = [Frame::IDENTITY; 64];
//! smooth::pose(&library, &before, &now, 0.33, Vec3::ONE, &mut parts);
//! # Ok(())
//! # }
//! ```

use acmotion_types::{Frame, Quat, Vec3};

use crate::library::{ClipId, Library};
use crate::sequence::Sequence;

/// A step longer than this, in metres, is not a movement but a leap, and is not smoothed.
const LEAP: f32 = 4.0;
/// A turn of more than 120° is not smoothed: the cosine of half of it.
const FLIP: f32 = 0.5;
/// Rotations whose quaternions have a scalar product above this are blended linearly.
const CLOSE: f32 = 0.995;

/// What a body shows at one moment of the simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snapshot {
    place: Frame,
    keys: Option<Keys>,
}

/// Two key frames and how far it is from the one to the other.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Keys {
    from: (ClipId, usize),
    to: (ClipId, usize),
    share: f32,
}

impl Snapshot {
    /// What a body that plays `sequence` at `place` shows now.
    pub fn of(library: &Library, sequence: &Sequence, place: &Frame) -> Self {
        let keys = sequence.shown(library).map(|from| {
            let (to, share) = sequence.shown_next(library).unwrap_or((from, 0.0));
            Keys { from, to, share }
        });
        Self { place: *place, keys }
    }

    /// Where it is.
    pub fn frame(&self) -> &Frame {
        &self.place
    }

    /// Where a part is, in the body's axes.
    fn part(&self, library: &Library, part: usize) -> Option<Frame> {
        let keys = self.keys?;
        let frame =
            |(clip, frame): (ClipId, usize)| library.clip(clip).animation().pose(frame).get(part).copied();
        let from = frame(keys.from)?;
        Some(frame(keys.to).map_or(from, |to| blend(&from, &to, keys.share)))
    }
}

/// Where a body is at `share` (0 to 1) of the way from one tick to the next. The two places must be in the same space.
pub fn frame(from: &Snapshot, to: &Snapshot, share: f32) -> Frame {
    blend(&from.place, &to.place, share)
}

/// Where the parts of a body are at `share` (0 to 1) of the way from one tick to the next. Writes as many as `out` and
/// both moments have, leaves the others as they were, and says how many it wrote.
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
        let (Some(a), Some(b)) = (from.part(library, index), to.part(library, index)) else { break };
        *out = body.combine_scaled(&blend(&a, &b, share), scale);
        count += 1;
    }
    count
}

/// Between two frames: the origin in a straight line, the rotation along the shorter arc. If it is a leap rather than a
/// movement, the first holds.
pub fn blend(from: &Frame, to: &Frame, share: f32) -> Frame {
    let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
    let way = to.origin - from.origin;
    let cos = from.rotation.dot(to.rotation);
    let near = way.length() <= LEAP && cos.abs() >= FLIP;
    if !near || share == 0.0 {
        return *from;
    }
    let mut between = Frame::new(from.origin + way * share, from.rotation);
    between.set_rotation(if cos.abs() > CLOSE {
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
