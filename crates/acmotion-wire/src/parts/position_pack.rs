//! Where a body is, as the server reports it.

use acmotion_types::{CellPosition, Frame, Quat, Stamp};

use crate::cursor::{Read, Reader, Writer};
use crate::flags::PositionFlags;

/// A position report with its stamps (rule D5, `docs/wire.md` §2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionPack {
    /// What the leading word said: whether the body is grounded, and which zeros of the rotation are left out. For
    /// velocity and placement the fields themselves decide when writing.
    pub flags: PositionFlags,
    /// Where; the rotation as it came, not normalised.
    pub position: CellPosition,
    /// How fast, in metres a second. The original client does nothing with it.
    pub velocity: Option<acmotion_types::Vec3>,
    /// Which placement frame.
    pub placement: Option<u32>,
    /// The object's life.
    pub instance: Stamp,
    /// The count of positions.
    pub position_stamp: Stamp,
    /// The count of teleports.
    pub teleport: Stamp,
    /// The count of forced positions.
    pub force_position: Stamp,
}

impl PositionPack {
    /// Does the body stand on something?
    #[doc(alias = "has_contact")]
    pub fn is_grounded(&self) -> bool {
        self.flags.contains(PositionFlags::GROUNDED)
    }

    /// `flags` with the bits set that leave out every zero of the rotation, as servers do.
    #[must_use]
    pub fn compact(mut self) -> Self {
        for (bit, part) in self.rotation_parts() {
            self.flags.set(bit, part == 0.0);
        }
        self
    }

    /// The leading word as it is written: what is there is announced, and only zeros (of either sign) are
    /// left out.
    pub fn wire_flags(&self) -> PositionFlags {
        let mut flags = self.flags;
        flags.set(PositionFlags::VELOCITY, self.velocity.is_some());
        flags.set(PositionFlags::PLACEMENT, self.placement.is_some());
        for (bit, part) in self.rotation_parts() {
            if part != 0.0 {
                flags.remove(bit);
            }
        }
        flags
    }

    #[inline]
    fn rotation_parts(&self) -> [(PositionFlags, f32); 4] {
        let Quat { w, x, y, z } = self.position.frame.rotation;
        [
            (PositionFlags::NO_W, w),
            (PositionFlags::NO_X, x),
            (PositionFlags::NO_Y, y),
            (PositionFlags::NO_Z, z),
        ]
    }

    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (flags, cell, point) = reader.group(&["flags", "position.cell", "position.origin"])?;
        let flags = PositionFlags::from_bits_retain(flags);
        let mut part = |omitted| {
            if flags.contains(omitted) { Ok(0.0) } else { reader.f32("position.rotation") }
        };
        let rotation = Quat::new(
            part(PositionFlags::NO_W)?,
            part(PositionFlags::NO_X)?,
            part(PositionFlags::NO_Y)?,
            part(PositionFlags::NO_Z)?,
        );
        let velocity =
            flags.contains(PositionFlags::VELOCITY).then(|| reader.vec3("velocity")).transpose()?;
        let placement =
            flags.contains(PositionFlags::PLACEMENT).then(|| reader.u32("placement")).transpose()?;
        let (instance, position_stamp, teleport, force_position) =
            reader.group(&["instance_seq", "position_seq", "teleport_seq", "force_position_seq"])?;
        let position = CellPosition::new(cell, Frame::new(point, rotation));
        Ok(Self { flags, position, velocity, placement, instance, position_stamp, teleport, force_position })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        let flags = self.wire_flags();
        writer.fixed((flags.bits(), self.position.cell, self.position.frame.origin));
        for (omitted, part) in self.rotation_parts() {
            if !flags.contains(omitted) {
                writer.f32(part);
            }
        }
        if let Some(velocity) = self.velocity {
            writer.vec3(velocity);
        }
        if let Some(placement) = self.placement {
            writer.u32(placement);
        }
        writer.fixed((self.instance, self.position_stamp, self.teleport, self.force_position));
    }
}
