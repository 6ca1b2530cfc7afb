//! Rooms, `XXYYnnnn` of a cell file: a shape of an environment, placed and linked (`docs/dat.md` §7.2).

use acmotion_types::Frame;
use bitflags::bitflags;

use crate::cursor::{FRAME_SIZE, Put, Reader};
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// A room: which shape it has, where it is, what is behind its openings.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CEnvCell")]
pub struct EnvCell {
    /// Its id.
    pub id: DataId,
    /// What is present.
    pub flags: EnvCellFlags,
    /// What its polygons are painted with, the lower half of ids 0x08.
    pub surfaces: Vec<u16>,
    /// The lower half of the id of its [`Environment`](crate::Environment).
    pub environment: u16,
    /// Which of the environment's shapes it has.
    pub structure: u16,
    /// Where it is in its landblock.
    pub frame: Frame,
    /// Its openings, in the order of the shape's portal polygons.
    pub portals: Vec<CellPortal>,
    /// The cells that can be seen from it, the lower half of their ids.
    #[doc(alias = "stab_list")]
    pub visible: Vec<u16>,
    /// What stands in it, if flagged.
    pub objects: Vec<StaticObject>,
    /// The object that decides who may enter, if flagged.
    pub restriction: Option<u32>,
}

bitflags! {
    /// What a cell has.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct EnvCellFlags: u32 {
        /// The world outside can be seen from it.
        const SEEN_OUTSIDE = 1;
        /// Static objects follow.
        const OBJECTS = 2;
        /// A restriction object follows.
        const RESTRICTION = 8;
        /// Others, kept.
        const _ = !0;
    }
}

bitflags! {
    /// How an opening lies.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct PortalFlags: u16 {
        /// The polygons on both sides are the same.
        const EXACT_MATCH = 1;
        /// The cell lies behind its polygon, not before it.
        const PORTAL_SIDE = 2;
        /// Others, kept.
        const _ = !0;
    }
}

/// An opening of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "CCellPortal")]
pub struct CellPortal {
    /// How it lies.
    pub flags: PortalFlags,
    /// The polygon that fills it, a key of the shape's polygons.
    pub polygon: u16,
    /// The cell behind it, the lower half of its id; [`CellPortal::OUTSIDE`] is the land.
    pub other_cell: u16,
    /// Which of that cell's portals it is.
    pub other_portal: u16,
}

impl CellPortal {
    /// The "cell" behind an opening to the land.
    pub const OUTSIDE: u16 = 0xFFFF;

    /// Does it lead to the land?
    pub const fn leads_outside(&self) -> bool {
        self.other_cell == Self::OUTSIDE
    }
}

/// A model that stands somewhere and never moves.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "Stab")]
pub struct StaticObject {
    /// The model, a mesh 0x01 or a setup 0x02.
    pub model: DataId,
    /// Where it stands in its landblock.
    pub frame: Frame,
}

pub(super) const STATIC_SIZE: usize = 4 + FRAME_SIZE;
const PORTAL_SIZE: usize = 8;

impl EnvCell {
    /// The full id of its environment.
    pub const fn environment_id(&self) -> DataId {
        DataId(0x0D00_0000 | self.environment as u32)
    }

    /// The full id of one of its surfaces; `None` if there are not so many.
    pub fn surface_id(&self, index: usize) -> Option<DataId> {
        self.surfaces.get(index).map(|low| DataId(0x0800_0000 | u32::from(*low)))
    }

    /// The full id of a cell of the same landblock.
    pub const fn neighbour(&self, low: u16) -> DataId {
        DataId(self.id.0 & 0xFFFF_0000 | low as u32)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let flags = EnvCellFlags::from_bits_retain(reader.u32("flags")?);
        let offset = reader.offset();
        let found = reader.id("id again")?;
        if found != id {
            return reader.error_at(offset, "id again", Problem::OtherId { found, expected: id });
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
        other_cell: reader.u16("portal's cell")?,
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
