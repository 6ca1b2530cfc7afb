//! Rooms, ids `XXYYnnnn` of a cell file: an environment's shape at a frame, linked by portals (`docs/dat.md` §7.2).

use acmotion_types::Frame;
use bitflags::bitflags;

use crate::cursor::{ByteWriter, FRAME_SIZE, Reader};
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// A room: its shape, its frame in the landblock, and the cells behind its portals.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CEnvCell")]
pub struct EnvCell {
    /// The id.
    pub id: DataId,
    /// The flags; they indicate which optional fields are present.
    pub flags: EnvCellFlags,
    /// The surfaces of its polygons: the lower 16 bits of 0x08 ids.
    pub surfaces: Vec<u16>,
    /// The lower 16 bits of the id of its [`Environment`](crate::Environment).
    pub environment: u16,
    /// The key of its shape in the environment.
    pub structure: u16,
    /// The frame of the room in its landblock.
    pub frame: Frame,
    /// The portals, in the order of the shape's portal polygons.
    pub portals: Vec<CellPortal>,
    /// The cells visible from this one: the lower 16 bits of their ids.
    #[doc(alias = "stab_list")]
    pub visible: Vec<u16>,
    /// The static objects in the room; present if flagged.
    pub objects: Vec<StaticObject>,
    /// The object that controls access to the room; present if flagged.
    pub restriction: Option<u32>,
}

bitflags! {
    /// The flags of a room.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct EnvCellFlags: u32 {
        /// The land is visible from the room.
        const SEEN_OUTSIDE = 1;
        /// Static objects follow.
        const OBJECTS = 2;
        /// A restriction object follows.
        const RESTRICTION = 8;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

bitflags! {
    /// The flags of a portal.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct PortalFlags: u16 {
        /// The portal polygons of both sides are identical.
        const EXACT_MATCH = 1;
        /// The room lies behind its portal polygon, not in front of it.
        const PORTAL_SIDE = 2;
        /// The portal leads to the land. The game's files set it there; [`CellPortal::leads_outside`] does not need it.
        const TO_OUTSIDE = 4;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

/// A portal: an opening from a room to another room or to the land.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "CCellPortal")]
pub struct CellPortal {
    /// The flags.
    pub flags: PortalFlags,
    /// The key of the portal polygon in the shape.
    pub polygon: u16,
    /// The cell behind the portal: the lower 16 bits of its id, or [`CellPortal::OUTSIDE`].
    pub other_cell: u16,
    /// The index of the matching portal in that cell.
    pub other_portal: u16,
}

impl CellPortal {
    /// The value of [`CellPortal::other_cell`] for a portal to the land.
    pub const OUTSIDE: u16 = 0xFFFF;

    /// Returns `true` if the portal leads to the land.
    pub const fn leads_outside(&self) -> bool {
        self.other_cell == Self::OUTSIDE
    }
}

/// A model at a fixed frame.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "Stab")]
pub struct StaticObject {
    /// The model: a mesh (0x01) or a setup (0x02).
    pub model: DataId,
    /// The frame of the model in its landblock.
    pub frame: Frame,
}

pub(super) const STATIC_SIZE: usize = 4 + FRAME_SIZE;
const PORTAL_SIZE: usize = 8;

impl EnvCell {
    /// Returns the full id of the environment.
    pub const fn environment_id(&self) -> DataId {
        DataId(0x0D00_0000 | self.environment as u32)
    }

    /// Returns the full id of the surface at `index`, or `None` if there is none.
    pub fn surface_id(&self, index: usize) -> Option<DataId> {
        self.surfaces.get(index).map(|low| DataId(0x0800_0000 | u32::from(*low)))
    }

    /// Returns the full id of another cell of the same landblock.
    pub const fn neighbour(&self, low: u16) -> DataId {
        DataId(self.id.0 & 0xFFFF_0000 | low as u32)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let flags = EnvCellFlags::from_bits_retain(reader.u32("flags")?);
        let offset = reader.offset();
        let found = reader.id("second id")?;
        if found != id {
            return reader.error_at(offset, "second id", Problem::OtherId { found, expected: id });
        }
        let offset = reader.offset();
        let surface_count = u64::from(reader.u8("surface count")?);
        let portal_count = u64::from(reader.u8("portal count")?);
        let visible_count = u64::from(reader.u16("visible cell count")?);
        let count = reader.checked_count(offset, surface_count, "surface count", 2)?;
        let surfaces = (0..count).map(|_| reader.u16("surface")).collect::<Result<_, _>>()?;
        let environment = reader.u16("environment")?;
        let structure = reader.u16("cell structure")?;
        let frame = reader.frame("position")?;
        let count = reader.checked_count(offset, portal_count, "portal count", PORTAL_SIZE)?;
        let portals = (0..count).map(|_| read_portal(reader)).collect::<Result<_, _>>()?;
        let count = reader.checked_count(offset, visible_count, "visible cell count", 2)?;
        let visible = (0..count).map(|_| reader.u16("visible cell")).collect::<Result<_, _>>()?;
        let mut objects = Vec::new();
        if flags.contains(EnvCellFlags::OBJECTS) {
            let count = reader.count("object count", STATIC_SIZE)?;
            objects = (0..count).map(|_| read_static(reader)).collect::<Result<_, _>>()?;
        }
        let restricted = flags.contains(EnvCellFlags::RESTRICTION);
        let restriction = restricted.then(|| reader.u32("restriction object")).transpose()?;
        Ok(Self {
            id,
            flags,
            surfaces,
            environment,
            structure,
            frame,
            portals,
            visible,
            objects,
            restriction,
        })
    }
}

impl DatObject for EnvCell {
    const KIND: ObjectKind = ObjectKind::EnvCell;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.flags.bits());
        out.id(self.id);
        out.u8(self.surfaces.len() as u8);
        out.u8(self.portals.len() as u8);
        out.u16(self.visible.len() as u16);
        self.surfaces.iter().for_each(|surface| out.u16(*surface));
        out.u16(self.environment);
        out.u16(self.structure);
        out.frame(&self.frame);
        for portal in &self.portals {
            for number in [portal.flags.bits(), portal.polygon, portal.other_cell, portal.other_portal] {
                out.u16(number);
            }
        }
        self.visible.iter().for_each(|cell| out.u16(*cell));
        if self.flags.contains(EnvCellFlags::OBJECTS) {
            write_statics(out, &self.objects);
        }
        if let Some(restriction) = self.restriction {
            out.u32(restriction);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

fn read_portal(reader: &mut Reader<'_>) -> Result<CellPortal, ParseError> {
    Ok(CellPortal {
        flags: PortalFlags::from_bits_retain(reader.u16("portal flags")?),
        polygon: reader.u16("portal polygon")?,
        other_cell: reader.u16("portal's other cell")?,
        other_portal: reader.u16("portal's other portal")?,
    })
}

pub(super) fn read_static(reader: &mut Reader<'_>) -> Result<StaticObject, ParseError> {
    Ok(StaticObject { model: reader.id("object model")?, frame: reader.frame("object frame")? })
}

pub(super) fn write_statics(out: &mut Vec<u8>, objects: &[StaticObject]) {
    out.count(objects.len());
    for object in objects {
        out.id(object.model);
        out.frame(&object.frame);
    }
}
