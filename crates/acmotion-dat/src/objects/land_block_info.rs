//! The static objects and buildings of a landblock, ids `XXYYFFFE` of a cell file (`docs/dat.md` §7.3).

use acmotion_types::Frame;
use bitflags::bitflags;

use crate::cursor::{ByteWriter, FRAME_SIZE, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::env_cell::{PortalFlags, STATIC_SIZE, StaticObject, read_static, write_statics};
use crate::objects::{DatObject, decode_whole};

/// The static objects and buildings of a landblock, and the number of its rooms.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CLandBlockInfo")]
pub struct LandBlockInfo {
    /// The id.
    pub id: DataId,
    /// The number of rooms in the landblock. Their ids start at `XXYY0100`.
    pub cell_count: u32,
    /// The static objects on the land.
    pub objects: Vec<StaticObject>,
    /// The flags; they indicate whether a restriction table follows the buildings.
    pub flags: LandBlockInfoFlags,
    /// The buildings.
    pub buildings: Vec<Building>,
    /// The rooms with restricted access; present if flagged.
    pub restrictions: Option<CellRestrictions>,
}

bitflags! {
    /// The flags of a landblock's info.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct LandBlockInfoFlags: u16 {
        /// A restriction table follows.
        const RESTRICTIONS = 1;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

/// A building: a shell on the land and portals into its rooms.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CBldPortal")]
pub struct Building {
    /// The shell: a mesh (0x01) or a setup (0x02).
    pub model: DataId,
    /// The frame of the shell in the landblock.
    pub frame: Frame,
    /// The number of leaves in the shell's BSP tree.
    pub leaf_count: u32,
    /// The portals from the land into the rooms.
    pub portals: Vec<BuildingPortal>,
}

/// A portal from the land into a building.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CBldPortal")]
pub struct BuildingPortal {
    /// The flags: the side of the portal polygon, and whether it matches exactly.
    pub flags: PortalFlags,
    /// The room behind the portal: the lower 16 bits of its id.
    pub other_cell: u16,
    /// The index of the matching portal in that room.
    pub other_portal: u16,
    /// The rooms visible through the portal: the lower 16 bits of their ids.
    pub visible: Vec<u16>,
    /// The padding up to a multiple of four bytes; unused bytes are ignored.
    pub padding: [u8; 3],
}

/// The rooms with restricted access, such as those of player housing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellRestrictions {
    /// The number of buckets of the client's hash table.
    pub buckets: u16,
    /// Cell ids, each with the guid of the object that controls access.
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
    let other_cell = reader.u16("building portal's other cell")?;
    let other_portal = reader.u16("building portal's other portal")?;
    let offset = reader.offset();
    let count = u64::from(reader.u16("building portal's visible cell count")?);
    let count = reader.checked_count(offset, count, "building portal's visible cell count", 2)?;
    let visible =
        (0..count).map(|_| reader.u16("building portal's visible cell")).collect::<Result<_, _>>()?;
    let padding = reader.align4("padding of a building portal")?;
    Ok(BuildingPortal { flags, other_cell, other_portal, visible, padding })
}

fn read_restrictions(reader: &mut Reader<'_>) -> Result<CellRestrictions, ParseError> {
    let offset = reader.offset();
    let count = reader.u16("restriction count")?;
    let buckets = reader.u16("restriction buckets")?;
    let count = reader.checked_count(offset, u64::from(count), "restriction count", 8)?;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        entries.push((reader.u32("restricted cell")?, reader.u32("restriction object")?));
    }
    Ok(CellRestrictions { buckets, entries })
}
