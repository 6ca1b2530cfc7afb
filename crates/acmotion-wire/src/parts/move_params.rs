//! The parameters of move-to and turn-to orders, in the short forms of the wire.

use crate::cursor::{ReadResult, Reader};
use crate::flags::MoveFlags;

/// The parameters of a move-to order, 28 bytes (rule E5, `docs/wire.md` §2.5).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementParameters")]
#[doc(alias = "UnPackNet")]
pub struct MoveToParams {
    /// The options.
    pub flags: MoveFlags,
    /// The distance at which to stop, in metres.
    pub distance_to_object: f32,
    /// The distance below which not to approach, in metres.
    pub min_distance: f32,
    /// The distance travelled after which to give up, in metres.
    pub fail_distance: f32,
    /// The speed factor.
    pub speed: f32,
    /// The distance beyond the stopping distance, in metres, from which to run instead of walking.
    pub walk_run_threshold: f32,
    /// The heading to turn to at the end, in degrees.
    pub desired_heading: f32,
}

/// The original client's defaults.
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
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
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

    /// Returns the fields in wire order.
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

/// The parameters of a turn-to order, 12 bytes (rule E5, `docs/wire.md` §2.5).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnToParams {
    /// The options.
    pub flags: MoveFlags,
    /// The speed factor.
    pub speed: f32,
    /// The heading to turn to, in degrees.
    pub desired_heading: f32,
}

/// The original client's defaults.
impl Default for TurnToParams {
    fn default() -> Self {
        Self { flags: MoveFlags::default(), speed: 1.0, desired_heading: 0.0 }
    }
}

impl TurnToParams {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let (flags, speed, desired_heading) =
            reader.group(&["params.flags", "params.speed", "params.desired_heading"])?;
        Ok(Self { flags: MoveFlags::from_bits_retain(flags), speed, desired_heading })
    }

    /// Returns the fields in wire order.
    #[inline]
    pub(crate) fn fields(&self) -> (u32, f32, f32) {
        (self.flags.bits(), self.speed, self.desired_heading)
    }
}
