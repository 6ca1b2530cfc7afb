//! Vectors, positions, commands, stamps: what all other functions are about.

use std::ffi::c_char;

use acmotion::types::{ActionStamp, CellId, CellPosition, Era, Frame, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::Direction;

use crate::memory::{Out, OutList, input, text};
use crate::status::{AcmStatus, Failure, Outcome, guard};

/// Numbers of the last client, which today's servers use.
pub const ACM_ERA_END_OF_RETAIL: u32 = 0;
/// Numbers of the client of September 2013.
pub const ACM_ERA_SEPTEMBER_2013: u32 = 1;

/// From the server to the client.
pub const ACM_DIRECTION_S2C: u32 = 0;
/// From the client to the server.
pub const ACM_DIRECTION_C2S: u32 = 1;

/// A vector: x is east, y is north, z is up.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmVec3 {
    /// To the east, or to the right.
    pub x: f32,
    /// To the north, or forward.
    pub y: f32,
    /// Up.
    pub z: f32,
}

/// A rotation. All zero is not one; the identity has w = 1.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmQuat {
    /// The real part.
    pub w: f32,
    /// The x component.
    pub x: f32,
    /// The y component.
    pub y: f32,
    /// The z component.
    pub z: f32,
}

/// A position: a cell, and an origin in metres and a rotation in the axes of the cell's landblock.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmPosition {
    /// The cell: the landblock in the high half, the cell in the low half.
    pub cell: u32,
    /// The origin.
    pub origin: AcmVec3,
    /// The rotation.
    pub rotation: AcmQuat,
}

impl From<Vec3> for AcmVec3 {
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x, y, z }
    }
}

impl From<AcmVec3> for Vec3 {
    fn from(AcmVec3 { x, y, z }: AcmVec3) -> Self {
        Self::new(x, y, z)
    }
}

impl From<CellPosition> for AcmPosition {
    fn from(CellPosition { cell, frame }: CellPosition) -> Self {
        let Quat { w, x, y, z } = frame.rotation;
        Self { cell: cell.0, origin: frame.origin.into(), rotation: AcmQuat { w, x, y, z } }
    }
}

impl From<AcmPosition> for CellPosition {
    fn from(AcmPosition { cell, origin, rotation }: AcmPosition) -> Self {
        let AcmQuat { w, x, y, z } = rotation;
        Self::new(CellId(cell), Frame::new(origin.into(), Quat::new(w, x, y, z)))
    }
}

pub(crate) fn era(era: u32) -> Outcome<Era> {
    match era {
        ACM_ERA_END_OF_RETAIL => Ok(Era::EndOfRetail),
        ACM_ERA_SEPTEMBER_2013 => Ok(Era::September2013),
        other => Err(Failure::bad_argument(format_args!("{other} is not an era"))),
    }
}

pub(crate) fn direction(direction: u32) -> Outcome<Direction> {
    match direction {
        ACM_DIRECTION_S2C => Ok(Direction::S2C),
        ACM_DIRECTION_C2S => Ok(Direction::C2S),
        other => Err(Failure::bad_argument(format_args!("{other} is not a direction"))),
    }
}

/// Looks up a motion command by its name; case is ignored. `ACM_STATUS_NOTHING` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_command_find(
    name: *const c_char,
    name_length: usize,
    era: u32,
    command: *mut u32,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (name, command) = unsafe { (text(name, name_length, "name")?, Out::new(command, "command")?) };
        let found = self::era(era)?.find(name).ok_or(Failure::NOTHING)?;
        command.set(found.0);
        Ok(())
    })
}

/// Writes the name of a motion command. `ACM_STATUS_NOTHING` if the era does not list it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_command_name(
    command: u32,
    era: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        let name = self::era(era)?.name(MotionCommand(command)).ok_or(Failure::NOTHING)?;
        buffer.fill(name.as_bytes(), &length)
    })
}

/// Sets `newer` to 1 if one 16-bit stamp of an object is newer than another, else to 0 (rule D2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_stamp_is_newer(stamp: u16, old: u16, newer: *mut u32) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let newer = unsafe { Out::new(newer, "newer")? };
        newer.set(Stamp(stamp).is_newer_than(Stamp(old)).into());
        Ok(())
    })
}

/// Sets `newer` to 1 if one 15-bit stamp of an action is newer than another, else to 0 (rule E8).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_action_stamp_is_newer(stamp: u16, old: u16, newer: *mut u32) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let newer = unsafe { Out::new(newer, "newer")? };
        newer.set(ActionStamp::new(stamp).is_newer_than(ActionStamp::new(old)).into());
        Ok(())
    })
}

/// Sets `heading` to the heading of a position's rotation, in degrees: 0 is north, 90 is east (rule A4).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_position_heading(position: *const AcmPosition, heading: *mut f32) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (position, heading) = unsafe { (input(position, "position")?, Out::new(heading, "heading")?) };
        heading.set(CellPosition::from(position).frame.heading());
        Ok(())
    })
}

/// Turns a position to a heading in degrees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_position_set_heading(position: *mut AcmPosition, heading: f32) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (old, out) = unsafe { (input(position, "position")?, Out::new(position, "position")?) };
        let mut turned = CellPosition::from(old);
        turned.frame.set_heading(heading);
        out.set(turned.into());
        Ok(())
    })
}

/// Sets `distance` to the distance between two positions in metres, across landblocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_position_distance(
    from: *const AcmPosition,
    to: *const AcmPosition,
    distance: *mut f32,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (from, to, distance) =
            unsafe { (input(from, "from")?, input(to, "to")?, Out::new(distance, "distance")?) };
        distance.set(CellPosition::from(from).distance_to(&to.into()));
        Ok(())
    })
}
