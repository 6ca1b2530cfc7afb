//! How to move or turn to somewhere, in the short forms of the wire.

use crate::cursor::{Reader, Writer};
use crate::error::DecodeError;
use crate::flags::MoveFlags;

/// How to move to an object or a position, 28 bytes (rule E5, `docs/wire.md` §2.5).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementParameters")]
#[doc(alias = "UnPackNet")]
pub struct MoveToParams {
    /// What is allowed and asked for.
    pub flags: MoveFlags,
    /// Stop this near, in metres.
    pub distance_to_object: f32,
    /// Do not come nearer than this.
    pub min_distance: f32,
    /// Give up after travelling this far.
    pub fail_distance: f32,
    /// How fast.
    pub speed: f32,
    /// Run if it is at least this much farther than the stopping distance.
    pub walk_run_threshold: f32,
    /// Where to look at the end, in degrees.
    pub desired_heading: f32,
}

/// The client's defaults.
impl Default for MoveToParams {
    fn default() -> Self {
        Self {
            flags: MoveFlags::default(),
            distance_to_object: 0.6,
            min_distance: 0.0,
            fail_distance: f32::MAX,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading: 0.0,
        }
    }
}

impl MoveToParams {
    #[inline]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            flags: MoveFlags::from_bits_retain(reader.u32("params.flags")?),
            distance_to_object: reader.f32("params.distance_to_object")?,
            min_distance: reader.f32("params.min_distance")?,
            fail_distance: reader.f32("params.fail_distance")?,
            speed: reader.f32("params.speed")?,
            walk_run_threshold: reader.f32("params.walk_run_threshold")?,
            desired_heading: reader.f32("params.desired_heading")?,
        })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.flags.bits());
        writer.f32(self.distance_to_object);
        writer.f32(self.min_distance);
        writer.f32(self.fail_distance);
        writer.f32(self.speed);
        writer.f32(self.walk_run_threshold);
        writer.f32(self.desired_heading);
    }
}

/// How to turn to an object or a heading, 12 bytes (rule E5, `docs/wire.md` §2.5).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnToParams {
    /// What is allowed and asked for.
    pub flags: MoveFlags,
    /// How fast.
    pub speed: f32,
    /// Where to look at the end, in degrees.
    pub desired_heading: f32,
}

/// The client's defaults.
impl Default for TurnToParams {
    fn default() -> Self {
        Self { flags: MoveFlags::default(), speed: 1.0, desired_heading: 0.0 }
    }
}

impl TurnToParams {
    #[inline]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            flags: MoveFlags::from_bits_retain(reader.u32("params.flags")?),
            speed: reader.f32("params.speed")?,
            desired_heading: reader.f32("params.desired_heading")?,
        })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.flags.bits());
        writer.f32(self.speed);
        writer.f32(self.desired_heading);
    }
}
