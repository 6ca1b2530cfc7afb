//! A position report of the server.

use acmotion_types::{CellPosition, Frame, Quat, Stamp};

use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::PositionFlags;

/// A position report with its stamps (rule D5, `docs/wire.md` §2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionPack {
    /// The leading word as received: whether the body is grounded, and which zero components of the rotation are
    /// omitted. When encoding, the bits for velocity and placement are set from the fields; see
    /// [`wire_flags`](Self::wire_flags).
    pub flags: PositionFlags,
    /// The position. Its rotation is as received, not normalised.
    pub position: CellPosition,
    /// The velocity, in metres a second. The original client ignores it.
    pub velocity: Option<acmotion_types::Vec3>,
    /// The placement frame.
    pub placement: Option<u32>,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The position stamp of the object.
    pub position_stamp: Stamp,
    /// The teleport stamp of the object.
    pub teleport: Stamp,
    /// The force-position stamp of the object.
    pub force_position: Stamp,
}

impl PositionPack {
    /// Creates a report of a body that stands on the ground. Every stamp is 0.
    ///
    /// ```
    /// use acmotion_wire::{CellId, CellPosition, Guid, PositionPack, S2C, Stamp, UpdatePosition, Vec3};
    ///
    /// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 4.0, 94.0));
    /// let pack = PositionPack { position_stamp: Stamp(2), ..PositionPack::grounded(position) };
    /// let bytes = S2C::from(UpdatePosition { guid: Guid(0x5000_0001), pack }).to_bytes();
    /// assert_eq!(bytes.len(), 52);
    /// ```
    pub const fn grounded(position: CellPosition) -> Self {
        Self {
            flags: PositionFlags::GROUNDED,
            position,
            velocity: None,
            placement: None,
            instance: Stamp(0),
            position_stamp: Stamp(0),
            teleport: Stamp(0),
            force_position: Stamp(0),
        }
    }

    /// Returns `true` if the body is in contact with the ground.
    #[doc(alias = "has_contact")]
    pub fn is_grounded(&self) -> bool {
        self.flags.contains(PositionFlags::GROUNDED)
    }

    /// Sets the flags so that every zero component of the rotation is omitted, as servers do.
    #[must_use]
    pub fn compact(mut self) -> Self {
        for (bit, part) in self.rotation_parts() {
            self.flags.set(bit, part == 0.0);
        }
        self
    }

    /// Returns the leading word as it is encoded: a field that is present is announced, and only zero components (of
    /// either sign) are omitted.
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
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
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
