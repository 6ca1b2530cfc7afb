//! The world of the built-in dataset: a small island with a town, as objects of a cell file and a portal file.
//!
//! The island consists of two by two landblocks, of which [`HOME_BLOCK`] is the south-western one. The open sea around it
//! blocks movement, so bodies cannot leave the world. The home block is level, with a house in its middle (hall,
//! stairs to a loft, stairs to a cellar) and obstacles around it to climb, to run into and to fall from. To the north
//! is a table mountain, too steep on all sides but one; to the north-east a hill; to the east a lake with a pier.
//! [`landmarks`] gives named positions for all of them.
//!
//! The land and the rooms are in a cell file, [`dat_file`]; the models, the shapes of the rooms and the region are in
//! the dataset's portal file. The door is not part of these files, because it moves: create it at [`Landmarks::door`].
//!
//! ```
//! use acmotion_dat::{Assets, mannequin::town};
//!
//! # fn main() -> Result<(), acmotion_dat::DatError> {
//! let (cells, portal) = (Assets::town(), Assets::mannequin());
//! let hall = cells.env_cell(town::landmarks().hall.cell.0.into())?;
//! let shape = portal.environment(hall.environment_id())?;
//! assert!(shape.structures.get(hall.structure.into()).is_some());
//! # Ok(())
//! # }
//! ```

mod house;
mod land;
mod landmarks;
mod layout;
mod props;
mod room;
mod shed;

use std::sync::{Arc, OnceLock};

use super::clip::DatasetBuilder;
use super::surfaces;
use crate::id::{DataId, DataSet};
use crate::writer::{BlockSize, DatWriter};
pub use landmarks::{Landmarks, landmarks};

/// The landblock of the town: the upper 16 bits of its cell ids. The land extends one block further to the east and
/// to the north.
pub const HOME_BLOCK: u16 = 0xA9B4;
/// The region, which contains the height table.
pub const REGION: DataId = DataId(0x1300_0000);

/// The lower 16 bits of the id of the house's first room. The rooms are doorway, hall, stairs up, landing, loft, the
/// room below the landing, stairs down, the foot of those stairs, and cellar.
pub const FIRST_HOUSE_CELL: u16 = 0x0100;
/// The lower 16 bits of the id of the shed's first room. The rooms are doorway and interior.
pub const FIRST_SHED_CELL: u16 = 0x0109;
/// The shapes of the house's rooms, in the order of the rooms.
pub const HOUSE_ENVIRONMENT: DataId = DataId(0x0D00_0001);
/// The shapes of the shed's rooms.
pub const SHED_ENVIRONMENT: DataId = DataId(0x0D00_0002);
/// The mesh of the house as seen from outside.
pub const HOUSE_SHELL: DataId = DataId(0x0100_0061);
/// The mesh of the shed as seen from outside.
pub const SHED_SHELL: DataId = DataId(0x0100_0062);

/// The models of static objects: meshes that collide by their polygons, and setups that collide by cylinders and
/// spheres.
pub mod models {
    use super::DataId;

    /// A slope of 18 degrees that rises to the north, 3 m wide, with a platform 2 m high behind it.
    pub const RAMP: DataId = DataId(0x0100_0071);
    /// A slope of 55 degrees with a platform 2.5 m high behind it.
    pub const STEEP_RAMP: DataId = DataId(0x0100_0072);
    /// Ten steps of 0.25 m with a platform behind them.
    pub const STAIRS: DataId = DataId(0x0100_0073);
    /// A wall, 8 m long, 0.5 m thick, 3 m high.
    pub const WALL: DataId = DataId(0x0100_0074);
    /// A block 4 m wide and 1.4 m high.
    pub const LEDGE: DataId = DataId(0x0100_0075);
    /// A beam on two posts, from 1.5 m to 1.9 m above the ground.
    pub const BEAM: DataId = DataId(0x0100_0076);
    /// A table.
    pub const TABLE: DataId = DataId(0x0100_0077);
    /// A crate with sides of 1 m.
    pub const CRATE: DataId = DataId(0x0100_0078);
    /// A pier, 36 m long.
    pub const PIER: DataId = DataId(0x0100_0079);
    /// Blocks 2.4 m wide, with the heights in [`STEP_HEIGHTS`].
    pub const STEPS: [DataId; 4] =
        [DataId(0x0100_007A), DataId(0x0100_007B), DataId(0x0100_007C), DataId(0x0100_007D)];
    /// The heights of the [`STEPS`] in metres: a human can step onto the first two, the other two block.
    pub const STEP_HEIGHTS: [f32; 4] = [0.3, 0.5, 0.7, 0.95];

    /// A tree: a cylinder with a radius of 0.35 m.
    pub const TREE: DataId = DataId(0x0200_0011);
    /// A pillar: a cylinder with a radius of 0.4 m.
    pub const PILLAR: DataId = DataId(0x0200_0012);
    /// A barrel: a cylinder with a radius of 0.4 m, 0.95 m high.
    pub const BARREL: DataId = DataId(0x0200_0013);
    /// A boulder: a sphere with a radius of 1.2 m, half buried.
    pub const BOULDER: DataId = DataId(0x0200_0014);
    /// The meshes of tree, pillar, barrel and boulder. They are only drawn.
    pub const ROUND_MESHES: [DataId; 4] =
        [DataId(0x0100_0081), DataId(0x0100_0082), DataId(0x0100_0083), DataId(0x0100_0084)];
}

/// The terrain types of the island.
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

    /// Returns the red, green and blue values in which to draw a terrain type.
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

/// The columns and rows of the world's landblocks, relative to [`HOME_BLOCK`]. The outermost are sea.
const BLOCKS: std::ops::RangeInclusive<i32> = -1..=2;

/// Iterates over the landblocks of the world, including the sea: the upper 16 bits of their cell ids.
pub fn blocks() -> impl Iterator<Item = u16> {
    BLOCKS.flat_map(|east| BLOCKS.map(move |north| land::block_id(east, north) as u16))
}

/// Returns the world as the bytes of a cell file. It is generated at the first call and is the same on every
/// platform.
pub fn dat_file() -> Arc<[u8]> {
    static BUILT: OnceLock<Arc<[u8]>> = OnceLock::new();
    Arc::clone(BUILT.get_or_init(|| {
        let mut writer = DatWriter::new(BlockSize::Small, DataSet::Cell);
        for (east, north) in BLOCKS.flat_map(|east| BLOCKS.map(move |north| (east, north))) {
            let info = layout::info(east, north);
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

/// Adds the models, shapes of rooms and region to the portal file.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    dataset.add(&land::region());
    dataset.add(&house::shell());
    dataset.add(&house::interior().environment());
    dataset.add(&shed::shell());
    dataset.add(&shed::interior().environment());
    props::build(dataset);
}
