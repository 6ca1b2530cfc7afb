//! Motion tables, 0x09 (`docs/dat.md` §2; rules G1, G2).

use acmotion_types::{MotionCommand, Vec3};
use bitflags::bitflags;

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, KeyedList, decode_whole};

/// A motion table: the animations that a body plays for each motion, and for the transitions between motions.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CMotionTable")]
pub struct MotionTable {
    /// The id.
    pub id: DataId,
    /// The initial style of a body.
    pub default_style: MotionCommand,
    /// The default substate of each style, by the full id of the style.
    pub style_defaults: KeyedList<MotionCommand>,
    /// The motions that loop while a substate lasts, by [`cycle_key`].
    pub cycles: KeyedList<MotionData>,
    /// The motions that are added to a cycle, by [`cycle_key`] or by the low 24 bits of the motion alone.
    pub modifiers: KeyedList<MotionData>,
    /// The transitions between motions. The outer key is the [`cycle_key`] of the style and the motion that is left,
    /// or of the style alone; the inner key is the full id of the motion that is entered.
    pub links: KeyedList<KeyedList<MotionData>>,
}

/// Returns the key of a motion in a style: the style's low word above the motion's low 24 bits (rule G1).
///
/// ```
/// use acmotion_dat::motion_table::cycle_key;
/// use acmotion_types::MotionCommand;
///
/// assert_eq!(cycle_key(MotionCommand::NON_COMBAT, MotionCommand::READY), 0x003D_0003);
/// ```
pub const fn cycle_key(style: MotionCommand, motion: MotionCommand) -> u32 {
    (style.0 << 16) | (motion.0 & 0x00FF_FFFF)
}

/// The data of one motion: a sequence of animations, and the velocities that go with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MotionData {
    /// The conditions for entering the motion, and the effects of entering it.
    pub flags: MotionFlags,
    /// The byte that aligns the following fields. It is kept so that the motion encodes to the same bytes.
    pub padding: u8,
    /// The animations, in order of playback.
    pub anims: Vec<AnimData>,
    /// The velocity in the body's axes, in metres a second at speed 1. `None` means zero and takes no bytes.
    pub velocity: Option<Vec3>,
    /// The angular velocity about the body's axes, in radians a second at speed 1. `None` means zero and takes no
    /// bytes.
    pub omega: Option<Vec3>,
    /// The unknown bits of the third header byte, other than velocity (1) and omega (2).
    pub other_flags: u8,
}

bitflags! {
    /// The "bitfield" of a motion (rule G2).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct MotionFlags: u8 {
        /// Entering the cycle clears all modifiers, and none can be added while it is current.
        const CLEARS_MODIFIERS = 1;
        /// The motion can be entered only from the style's default substate or from itself.
        const ONLY_FROM_DEFAULT = 2;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

/// A range of frames of an animation, played at a frame rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnimData {
    /// The animation.
    pub animation: DataId,
    /// The first frame.
    pub low: i32,
    /// The last frame; −1 means the last frame of the animation.
    pub high: i32,
    /// The frame rate, in frames a second. Negative rates play backwards.
    pub framerate: f32,
}

impl AnimData {
    /// Returns the first and the last frame in an animation of `frames` frames, clamped as in the original client
    /// (rules H2, R3), or `None` if the animation is empty.
    #[doc(alias = "set_animation_id")]
    pub fn range(&self, frames: usize) -> Option<(usize, usize)> {
        let last = frames.checked_sub(1)?;
        // The original compares unsigned, so a negative first frame exceeds every upper bound.
        let clamp = |frame: i32| usize::try_from(frame).map_or(last, |frame| frame.min(last));
        let low = clamp(self.low);
        let high = clamp(self.high);
        Some((low, high.max(low)))
    }
}

/// The size of a style default, in bytes: style and substate.
const STYLE_DEFAULT_SIZE: usize = 8;
/// The minimum size of a motion, in bytes: three header bytes and padding.
const MOTION_SIZE: usize = 4;
const ANIM_SIZE: usize = 16;
const HAS_VELOCITY: u8 = 1;
const HAS_OMEGA: u8 = 2;

impl MotionTable {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let default_style = reader.command("default style")?;
        let count = reader.count("style default count", STYLE_DEFAULT_SIZE)?;
        let mut style_defaults = Vec::with_capacity(count);
        for _ in 0..count {
            style_defaults.push((reader.u32("style")?, reader.command("default substate")?));
        }
        let cycles = read_motions(reader, "cycle count")?;
        let modifiers = read_motions(reader, "modifier count")?;
        let count = reader.count("link count", 8)?;
        let mut links = Vec::with_capacity(count);
        for _ in 0..count {
            links.push((reader.u32("link outer key")?, read_motions(reader, "link inner count")?));
        }
        Ok(Self {
            id,
            default_style,
            style_defaults: style_defaults.into_iter().collect(),
            cycles,
            modifiers,
            links: links.into_iter().collect(),
        })
    }
}

impl DatObject for MotionTable {
    const KIND: ObjectKind = ObjectKind::MotionTable;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.default_style.0);
        out.count(self.style_defaults.len());
        for (style, substate) in self.style_defaults.iter() {
            out.u32(style);
            out.u32(substate.0);
        }
        write_motions(out, &self.cycles);
        write_motions(out, &self.modifiers);
        out.count(self.links.len());
        for (key, inner) in self.links.iter() {
            out.u32(key);
            write_motions(out, inner);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

fn read_motions(reader: &mut Reader<'_>, field: &'static str) -> Result<KeyedList<MotionData>, ParseError> {
    let count = reader.count(field, 4 + MOTION_SIZE)?;
    let mut motions = Vec::with_capacity(count);
    for _ in 0..count {
        motions.push((reader.u32("motion key")?, read_motion(reader)?));
    }
    Ok(motions.into_iter().collect())
}

fn write_motions(out: &mut Vec<u8>, motions: &KeyedList<MotionData>) {
    out.count(motions.len());
    for (key, motion) in motions.iter() {
        out.u32(key);
        write_motion(out, motion);
    }
}

fn read_motion(reader: &mut Reader<'_>) -> Result<MotionData, ParseError> {
    let offset = reader.offset();
    let count = reader.u8("animation count")?;
    let flags = MotionFlags::from_bits_retain(reader.u8("motion bitfield")?);
    let present = reader.u8("motion flags")?;
    let padding = reader.u8("motion padding")?;
    let count = reader.checked_count(offset, u64::from(count), "animation count", ANIM_SIZE)?;
    let mut anims = Vec::with_capacity(count);
    for _ in 0..count {
        anims.push(AnimData {
            animation: reader.id("animation id")?,
            low: reader.i32("low frame")?,
            high: reader.i32("high frame")?,
            framerate: reader.f32("framerate")?,
        });
    }
    let mut vector = |bit, field| (present & bit != 0).then(|| reader.vec3(field)).transpose();
    let velocity = vector(HAS_VELOCITY, "velocity")?;
    let omega = vector(HAS_OMEGA, "omega")?;
    let other_flags = present & !(HAS_VELOCITY | HAS_OMEGA);
    Ok(MotionData { flags, padding, anims, velocity, omega, other_flags })
}

fn write_motion(out: &mut Vec<u8>, motion: &MotionData) {
    let bit = |present: bool, bit: u8| if present { bit } else { 0 };
    let present = bit(motion.velocity.is_some(), HAS_VELOCITY) | bit(motion.omega.is_some(), HAS_OMEGA);
    out.u8(motion.anims.len() as u8);
    out.u8(motion.flags.bits());
    out.u8(present | motion.other_flags);
    out.u8(motion.padding);
    for anim in &motion.anims {
        out.id(anim.animation);
        out.i32(anim.low);
        out.i32(anim.high);
        out.f32(anim.framerate);
    }
    for vector in [motion.velocity, motion.omega].into_iter().flatten() {
        out.vec3(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_ranges_are_clamped_to_the_animation() {
        let range = |low, high| AnimData { animation: DataId(1), low, high, framerate: 30.0 }.range(10);
        assert_eq!(range(0, -1), Some((0, 9)));
        assert_eq!(range(3, 5), Some((3, 5)));
        assert_eq!(range(12, 40), Some((9, 9)));
        assert_eq!(range(6, 2), Some((6, 6)), "a reversed range is one frame");
        assert_eq!(range(-5, 4), Some((9, 9)), "a negative first frame clamps to the last (rule R3)");
        assert_eq!(AnimData { animation: DataId(1), low: 0, high: -1, framerate: 30.0 }.range(0), None);
    }
}
