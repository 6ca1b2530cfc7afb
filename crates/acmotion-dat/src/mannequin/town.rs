//! The mannequin's world: a small island with a town, as objects of a cell file and a portal file.
//!
//! Two by two landblocks of land, the south-west one [`HOME`], lie in the open sea, which is a wall, so nobody leaves the
//! world. The home block is level: in its middle stands the house (hall, stairs to a loft, stairs to a cellar), around it
//! stand things to climb, to run into and to fall from. To the north is a table mountain, too steep on all sides but one;
//! to the north-east a hill; to the east a lake with a pier. [`places`] knows them by name.
//!
//! What is land and cells is in [`dat_file`], a cell file; models, shapes of rooms and the region are in the dataset's
//! portal file. The door is not part of the world, since it moves: put it where [`Places::door`] says.
//!
//! ```
//! use acmotion_dat::{Assets, mannequin::town};
//!
//! # fn main() -> Result<(), acmotion_dat::DatError> {
//! let (cells, portal) = (Assets::town(), Assets::mannequin());
//! let hall = cells.env_cell(town::places().hall.cell.0.into())?;
//! let shape = portal.environment(hall.environment_id())?;
//! assert!(shape.structures.get(hall.structure.into()).is_some());
//! # Ok(())
//! # }
//! ```

mod house;
mod land;
mod places;
mod plan;
mod room;
mod shed;
mod things;

use std::sync::{Arc, OnceLock};

use super::clip::Shelf;
use super::surfaces;
use crate::id::{DataId, DataSet};
use crate::writer::{BlockSize, DatWriter};
pub use places::{Places, places};

/// The landblock of the town: the upper half of its cells' ids. The land reaches one block further to the east and to
/// the north.
pub const HOME: u16 = 0xA9B4;
/// The region, which has the height table.
pub const REGION: DataId = DataId(0x1300_0000);

/// The number of the house's first cell: doorway, hall, stairs up, landing, loft, the place below the landing, stairs
/// down, their foot, cellar.
pub const HOUSE_CELLS: u16 = 0x0100;
/// The number of the shed's first cell: doorway, room.
pub const SHED_CELLS: u16 = 0x0109;
/// The shapes of the house's rooms, in the order of its cells.
pub const HOUSE_ENVIRONMENT: DataId = DataId(0x0D00_0001);
/// The shapes of the shed's rooms.
pub const SHED_ENVIRONMENT: DataId = DataId(0x0D00_0002);
/// The house as seen from outside.
pub const HOUSE_SHELL: DataId = DataId(0x0100_0061);
/// The shed as seen from outside.
pub const SHED_SHELL: DataId = DataId(0x0100_0062);

/// Things that stand about: meshes that collide by their polygons, and setups that collide by cylinders and spheres.
pub mod models {
    use super::DataId;

    /// A slope of 18 degrees to the north, 3 m wide, and a platform of 2 m behind it.
    pub const RAMP: DataId = DataId(0x0100_0071);
    /// A slope of 55 degrees and a platform of 2.5 m.
    pub const STEEP_RAMP: DataId = DataId(0x0100_0072);
    /// Ten steps of 0.25 m and a platform.
    pub const STAIRS: DataId = DataId(0x0100_0073);
    /// A wall, 8 m long, 0.5 m thick, 3 m high.
    pub const WALL: DataId = DataId(0x0100_0074);
    /// A block 4 m wide and 1.4 m high.
    pub const LEDGE: DataId = DataId(0x0100_0075);
    /// A beam between two posts, from 1.5 to 1.9 m.
    pub const BEAM: DataId = DataId(0x0100_0076);
    /// A table.
    pub const TABLE: DataId = DataId(0x0100_0077);
    /// A crate of one metre.
    pub const CRATE: DataId = DataId(0x0100_0078);
    /// A pier, 36 m long.
    pub const PIER: DataId = DataId(0x0100_0079);
    /// Blocks 2.4 m wide, as high as [`STEP_HEIGHTS`] says.
    pub const STEPS: [DataId; 4] =
        [DataId(0x0100_007A), DataId(0x0100_007B), DataId(0x0100_007C), DataId(0x0100_007D)];
    /// How high the [`STEPS`] are: two that a human steps on and two that block.
    pub const STEP_HEIGHTS: [f32; 4] = [0.3, 0.5, 0.7, 0.95];

    /// A tree: a cylinder of 0.35 m.
    pub const TREE: DataId = DataId(0x0200_0011);
    /// A pillar: a cylinder of 0.4 m.
    pub const PILLAR: DataId = DataId(0x0200_0012);
    /// A barrel: a cylinder of 0.4 m, 0.95 m high.
    pub const BARREL: DataId = DataId(0x0200_0013);
    /// A boulder: a sphere of 1.2 m, half buried.
    pub const BOULDER: DataId = DataId(0x0200_0014);
    /// What is drawn of tree, pillar, barrel and boulder.
    pub const ROUND_MESHES: [DataId; 4] =
        [DataId(0x0100_0081), DataId(0x0100_0082), DataId(0x0100_0083), DataId(0x0100_0084)];
}

/// Types of ground that the island has.
pub mod ground {
    /// Rock.
    pub const ROCK: u8 = 0;
    /// Grass.
    pub const GRASS: u8 = 1;
    /// Lush grass.
    pub const LUSH_GRASS: u8 = 3;
    /// Packed dirt.
    pub const PACKED_DIRT: u8 = 7;
    /// Sand.
    pub const SAND: u8 = 10;
    /// Standing water.
    pub const LAKE: u8 = 17;
    /// Deep sea.
    pub const SEA: u8 = 20;

    /// Red, green and blue of a type of ground, for who draws it.
    pub const fn colour(kind: u8) -> [u8; 3] {
        match kind {
            ROCK => [0x8B, 0x87, 0x80],
            LUSH_GRASS => [0x5E, 0x8F, 0x3E],
            PACKED_DIRT => [0xA3, 0x8C, 0x66],
            SAND => [0xD8, 0xC7, 0x93],
            LAKE => [0x4F, 0x86, 0xA8],
            SEA => [0x2F, 0x5D, 0x8A],
            _ => [0x7C, 0xA1, 0x55],
        }
    }
}

/// Landblocks of the world: the first and the last column and row, counted from [`HOME`]. The outermost are sea.
const BLOCKS: std::ops::RangeInclusive<i32> = -1..=2;

/// The landblocks of the world, the sea's among them: the upper halves of their cells' ids.
pub fn blocks() -> impl Iterator<Item = u16> {
    BLOCKS.flat_map(|east| BLOCKS.map(move |north| land::block_id(east, north) as u16))
}

/// The world as the bytes of a cell file: the same on every platform, made when first asked for.
pub fn dat_file() -> Arc<[u8]> {
    static BUILT: OnceLock<Arc<[u8]>> = OnceLock::new();
    Arc::clone(BUILT.get_or_init(|| {
        let mut writer = DatWriter::new(BlockSize::Small, DataSet::Cell);
        for (east, north) in BLOCKS.flat_map(|east| BLOCKS.map(move |north| (east, north))) {
            let info = plan::info(east, north);
            writer.add_object(&land::land_block(east, north, info.is_some()));
            if let Some(info) = info {
                writer.add_object(&info);
            }
        }
        for cell in [house::interior(), shed::interior()].iter().flat_map(room::Interior::cells) {
            writer.add_object(&cell);
        }
        match writer.finish() {
            Ok(bytes) => bytes.into(),
            Err(error) => unreachable!("the world is small: {error}"),
        }
    }))
}

/// The portal file's part of the world.
pub(super) fn build(shelf: &mut Shelf) {
    shelf.put(&land::region());
    shelf.put(&house::shell());
    shelf.put(&house::interior().environment());
    shelf.put(&shed::shell());
    shelf.put(&shed::interior().environment());
    things::build(shelf);
}
