//! How to move or turn to somewhere, in the short forms of the wire.

use crate::cursor::{Read, Reader};
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
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (
            flags,
            distance_to_object,
            min_distance,
            fail_distance,
            speed,
            walk_run_threshold,
            desired_heading,
        ) = reader.group(&[
            "params.flags",
            "params.distance_to_object",
            "params.min_distance",
            "params.fail_distance",
            "params.speed",
            "params.walk_run_threshold",
            "params.desired_heading",
        ])?;
        Ok(Self {
            flags: MoveFlags::from_bits_retain(flags),
            distance_to_object,
            min_distance,
            fail_distance,
            speed,
            walk_run_threshold,
            desired_heading,
        })
    }

    /// In the order of the wire.
    #[inline]
    pub(crate) fn fields(&self) -> (u32, f32, f32, f32, f32, f32, f32) {
        (
            self.flags.bits(),
            self.distance_to_object,
            self.min_distance,
            self.fail_distance,
            self.speed,
            self.walk_run_threshold,
            self.desired_heading,
        )
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
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (flags, speed, desired_heading) =
            reader.group(&["params.flags", "params.speed", "params.desired_heading"])?;
        Ok(Self { flags: MoveFlags::from_bits_retain(flags), speed, desired_heading })
    }

    /// In the order of the wire.
    #[inline]
    pub(crate) fn fields(&self) -> (u32, f32, f32) {
        (self.flags.bits(), self.speed, self.desired_heading)
    }
}
