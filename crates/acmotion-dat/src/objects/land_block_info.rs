//! What stands on a landblock, `XXYYFFFE` of a cell file (`docs/dat.md` §7.3).

use acmotion_types::Frame;
use bitflags::bitflags;

use crate::cursor::{FRAME_SIZE, Put, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::env_cell::{PortalFlags, STATIC_SIZE, StaticObject, read_static, write_statics};
use crate::objects::{DatObject, decode_whole};

/// The static objects and buildings of a landblock, and how many cells it has.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CLandBlockInfo")]
pub struct LandBlockInfo {
    /// Its id.
    pub id: DataId,
    /// How many indoor cells the landblock has: they are `XXYY0100` and so on.
    pub cell_count: u32,
    /// What stands about.
    pub objects: Vec<StaticObject>,
    /// What the buildings are followed by.
    pub flags: LandBlockInfoFlags,
    /// The buildings.
    pub buildings: Vec<Building>,
    /// Which cells only some may enter, if flagged.
    pub restrictions: Option<Restrictions>,
}

bitflags! {
    /// What a landblock's info has.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct LandBlockInfoFlags: u16 {
        /// A table of restrictions follows.
        const RESTRICTIONS = 1;
        /// Others, kept.
        const _ = !0;
    }
}

/// A house: a shell on the ground and the cells behind its doors.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CBldPortal")]
pub struct Building {
    /// The shell, a mesh 0x01 or a setup 0x02.
    pub model: DataId,
    /// Where it stands in the landblock.
    pub frame: Frame,
    /// Leaves of its tree.
    pub leaf_count: u32,
    /// Its openings.
    pub portals: Vec<BuildingPortal>,
}

/// An opening of a building.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CBldPortal")]
pub struct BuildingPortal {
    /// Which side, and whether the polygon is the opening exactly.
    pub flags: PortalFlags,
    /// The cell behind it, the lower half of its id.
    pub other_cell: u16,
    /// Which of that cell's portals it is.
    pub other_portal: u16,
    /// The cells that can be seen through it.
    pub visible: Vec<u16>,
    /// What fills up to a multiple of four bytes; as many count as are needed.
    pub padding: [u8; 3],
}

/// Cells that only guests of somebody may enter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restrictions {
    /// Buckets of the table in memory.
    pub buckets: u16,
    /// Cells, each with the object that decides.
    pub entries: Vec<(u32, u32)>,
}

const BUILDING_SIZE: usize = 4 + FRAME_SIZE + 8;
const PORTAL_SIZE: usize = 8;

impl LandBlockInfo {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let cell_count = reader.u32("cell count")?;
        let count = reader.count("object count", STATIC_SIZE)?;
        let objects = (0..count).map(|_| read_static(reader)).collect::<Result<_, _>>()?;
        let offset = reader.offset();
        let count = reader.u16("building count")?;
        let flags = LandBlockInfoFlags::from_bits_retain(reader.u16("pack mask")?);
        let count = reader.checked_count(offset, u64::from(count), "building count", BUILDING_SIZE)?;
        let buildings = (0..count).map(|_| read_building(reader)).collect::<Result<_, _>>()?;
        let restricted = flags.contains(LandBlockInfoFlags::RESTRICTIONS);
        let restrictions = restricted.then(|| read_restrictions(reader)).transpose()?;
        Ok(Self { id, cell_count, objects, flags, buildings, restrictions })
    }
}

impl DatObject for LandBlockInfo {
    const KIND: ObjectKind = ObjectKind::LandBlockInfo;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.id(self.id);
        out.u32(self.cell_count);
        write_statics(out, &self.objects);
        out.u16(self.buildings.len() as u16);
        out.u16(self.flags.bits());
        self.buildings.iter().for_each(|building| write_building(out, start, building));
        if let Some(restrictions) = &self.restrictions {
            out.u16(restrictions.entries.len() as u16);
            out.u16(restrictions.buckets);
            for (cell, guid) in &restrictions.entries {
                out.u32(*cell);
                out.u32(*guid);
            }
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

fn read_building(reader: &mut Reader<'_>) -> Result<Building, ParseError> {
    let model = reader.id("building model")?;
    let frame = reader.frame("building frame")?;
    let leaf_count = reader.u32("building leaf count")?;
    let count = reader.count("building portal count", PORTAL_SIZE)?;
    let portals = (0..count).map(|_| read_portal(reader)).collect::<Result<_, _>>()?;
    Ok(Building { model, frame, leaf_count, portals })
}

fn write_building(out: &mut Vec<u8>, start: usize, building: &Building) {
    out.id(building.model);
    out.frame(&building.frame);
    out.u32(building.leaf_count);
    out.count(building.portals.len());
    for portal in &building.portals {
        out.u16(portal.flags.bits());
        out.u16(portal.other_cell);
        out.u16(portal.other_portal);
        out.u16(portal.visible.len() as u16);
        portal.visible.iter().for_each(|cell| out.u16(*cell));
        out.align4(start, portal.padding);
    }
}

fn read_portal(reader: &mut Reader<'_>) -> Result<BuildingPortal, ParseError> {
    let flags = PortalFlags::from_bits_retain(reader.u16("building portal flags")?);
    let other_cell = reader.u16("building portal's cell")?;
    let other_portal = reader.u16("building portal's other portal")?;
    let offset = reader.offset();
    let count = u64::from(reader.u16("building portal's visible cell count")?);
    let count = reader.checked_count(offset, count, "building portal's visible cell count", 2)?;
    let visible =
        (0..count).map(|_| reader.u16("building portal's visible cell")).collect::<Result<_, _>>()?;
    let padding = reader.align4("padding of a building portal")?;
    Ok(BuildingPortal { flags, other_cell, other_portal, visible, padding })
}

fn read_restrictions(reader: &mut Reader<'_>) -> Result<Restrictions, ParseError> {
    let offset = reader.offset();
    let count = reader.u16("restriction count")?;
    let buckets = reader.u16("restriction buckets")?;
    let count = reader.checked_count(offset, u64::from(count), "restriction count", 8)?;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        entries.push((reader.u32("restricted cell")?, reader.u32("restriction object")?));
    }
    Ok(Restrictions { buckets, entries })
}
