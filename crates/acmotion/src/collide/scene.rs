//! The land, its rooms and buildings, and the scenery in them: shared by all bodies, and never changed
//! (`docs/collision.md` 6 and 7).
//!
//! A [`SceneLoader`] takes landblocks out of dat files; a [`SceneBuilder`] takes them as they are made:
//!
//! ```
//! use acmotion::collide::scene::{CellArray, SceneBuilder};
//! use acmotion::dat::{Sphere, Terrain};
//! use acmotion::types::{CellId, CellPosition, Vec3};
//!
//! let mut builder = SceneBuilder::new(&[94.0; 256]); // every height byte stands for 94 metres
//! builder.add_land(0xA9B4, &[0; 81], &[Terrain::of(1); 81]);
//! let scene = builder.finish();
//!
//! let at = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(23.9, 12.0, 94.0));
//! let foot = Sphere { origin: at.frame.origin, radius: 0.48 };
//! let mut cells = CellArray::default();
//! let found = scene.find_cell_list(&at, &[foot], &mut cells);
//! assert_eq!(found.cell, Some(CellId(0xA9B4_0001)));
//! assert_eq!(cells.iter().collect::<Vec<_>>(), [CellId(0xA9B4_0001), CellId(0xA9B4_0009)]);
//! ```

mod boxes;
mod builder;
mod building;
mod cell_array;
mod find;
mod listed;
mod load;
mod place;
mod room;
mod scenery;
mod surroundings;
mod terrain;

use std::sync::Arc;

use acmotion_types::{CellId, Guid, Vec3};

pub use builder::{SceneBuilder, SceneError};
pub use building::{Building, BuildingPortal};
pub use cell_array::CellArray;
pub(super) use find::outdoor_cell_at;
pub use find::{Containing, outside_cells};
pub use load::{LoadError, SceneLoader};
pub use place::Search;
pub use room::{Portal, Room};
pub use scenery::Scenery;
pub use terrain::{Ground, HeightTable, Terrain, Water, is_cut_from_south_west};

/// Everything that stands still: land, rooms, buildings, scenery. Cheap to clone; what is near is found without regard to
/// how much there is elsewhere.
#[derive(Clone, Default)]
pub struct Scene {
    blocks: Arc<Blocks>,
}

/// The landblocks that are there, by column and row.
#[derive(Clone, Default)]
struct Blocks {
    /// Empty, or one for each column: where its blocks are.
    columns: Vec<Option<Box<[u32; 256]>>>,
    list: Vec<Arc<Block>>,
    /// For each block of the list.
    listings: Vec<scenery::Listing>,
}

/// The place of a block that is not there.
const NOWHERE: u32 = u32::MAX;

/// What one landblock has.
#[derive(Clone, Default)]
struct Block {
    id: u16,
    terrain: Option<Box<Terrain>>,
    buildings: Vec<Building>,
    /// The building of each outdoor cell: its place and one, or 0.
    building_of: LandCells<u8>,
    /// Sorted by cell.
    rooms: Vec<Room>,
    scenery: Vec<Scenery>,
    /// Who may enter cells of the land; sorted by cell.
    guards: Vec<(CellId, Guid)>,
}

/// Something for each of a landblock's 64 outdoor cells.
#[derive(Clone)]
struct LandCells<T>([T; 64]);

impl<T: Copy + Default> Default for LandCells<T> {
    fn default() -> Self {
        Self([T::default(); 64])
    }
}

/// A cell that is there.
#[derive(Clone, Copy)]
#[doc(alias = "CObjCell")]
pub enum Cell<'a> {
    /// A piece of land.
    Land(LandCell<'a>),
    /// A room.
    Room(&'a Room),
}

/// A piece of land: 24 metres square, with up to one building.
#[derive(Clone, Copy)]
#[doc(alias = "CLandCell")]
pub struct LandCell<'a> {
    id: CellId,
    block: &'a Block,
    terrain: &'a Terrain,
}

impl<'a> Cell<'a> {
    /// Its id.
    pub fn id(&self) -> CellId {
        match self {
            Self::Land(land) => land.id,
            Self::Room(room) => room.id(),
        }
    }

    /// Does it contain a point of its landblock? Land has no top and no bottom (`docs/collision.md` 6.3, 7.4).
    #[doc(alias = "point_in_cell")]
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Land(land) => land.triangle_at(point).is_some(),
            Self::Room(room) => room.contains(point),
        }
    }

    /// The object that says who may enter, if there is one (`docs/collision.md` 8.7).
    #[doc(alias = "restriction_obj")]
    pub fn guard(&self) -> Option<Guid> {
        match self {
            Self::Land(land) => land.guard(),
            Self::Room(room) => room.guard,
        }
    }
}

impl<'a> LandCell<'a> {
    /// Its id.
    pub fn id(&self) -> CellId {
        self.id
    }

    /// The land of its landblock.
    pub fn terrain(&self) -> &'a Terrain {
        self.terrain
    }

    /// Which of its two triangles is above or below a point of the landblock (`docs/collision.md` 6.3).
    #[doc(alias = "find_terrain_poly")]
    #[inline]
    pub fn triangle_at(&self, point: Vec3) -> Option<usize> {
        self.terrain.triangle_at(self.index(), point)
    }

    /// The ground above or below a point of the landblock (`docs/collision.md` 6.3, 6.4).
    #[inline]
    pub fn ground_at(&self, point: Vec3) -> Option<Ground> {
        self.terrain.ground_at(self.index(), point)
    }

    /// How much of its landblock is water.
    #[inline]
    pub fn block_water(&self) -> Water {
        self.terrain.water()
    }

    /// How much of it is water.
    #[inline]
    pub fn water(&self) -> Water {
        self.terrain.cell_water(self.index())
    }

    /// The building that stands on it.
    #[inline]
    pub fn building(&self) -> Option<&'a Building> {
        let place = self.block.building_of.0[self.index()];
        self.block.buildings.get(usize::from(place.checked_sub(1)?))
    }

    fn guard(&self) -> Option<Guid> {
        let guards = &self.block.guards;
        guards.binary_search_by_key(&self.id, |(cell, _)| *cell).ok().map(|place| guards[place].1)
    }

    /// Its place in its landblock: 8 x + y.
    #[inline]
    fn index(&self) -> usize {
        usize::from(self.id.low() - 1) & 63
    }
}

impl Scene {
    /// A cell, if it is there.
    #[doc(alias = "GetVisible")]
    #[inline]
    pub fn cell(&self, id: CellId) -> Option<Cell<'_>> {
        if id.is_outdoor() { self.land(id).map(Cell::Land) } else { self.room(id).map(Cell::Room) }
    }

    /// A piece of land, if it is there.
    #[inline]
    pub fn land(&self, id: CellId) -> Option<LandCell<'_>> {
        let block = self.block(id)?;
        let terrain = block.terrain.as_deref()?;
        id.is_outdoor().then_some(LandCell { id, block, terrain })
    }

    /// A room, if it is there.
    #[inline]
    pub fn room(&self, id: CellId) -> Option<&Room> {
        let rooms = &self.block(id)?.rooms;
        // Rooms are numbered without gaps as a rule.
        let guess = usize::from(id.low().checked_sub(0x100)?);
        match rooms.get(guess) {
            Some(room) if room.id() == id => Some(room),
            _ => rooms.binary_search_by_key(&id, Room::id).ok().map(|place| &rooms[place]),
        }
    }

    /// The landblocks that are there: the upper 16 bits of their cells.
    pub fn blocks(&self) -> impl Iterator<Item = u16> + '_ {
        self.blocks.list.iter().map(|block| block.id)
    }

    /// The rooms of a landblock.
    pub fn rooms(&self, block: u16) -> &[Room] {
        self.blocks.get(block).map_or(&[], |block| &block.rooms)
    }

    #[inline]
    fn block(&self, id: CellId) -> Option<&Block> {
        self.blocks.get(id.block())
    }
}

impl Blocks {
    #[inline]
    fn get(&self, id: u16) -> Option<&Block> {
        self.list.get(self.place_of(id)?).map(|block| &**block)
    }

    /// The place of a landblock in the list; one that is not there has none in it.
    #[inline]
    fn place_of(&self, id: u16) -> Option<usize> {
        let column = self.columns.get(usize::from(id >> 8))?.as_ref()?;
        Some(column[usize::from(id & 0xFF)] as usize)
    }
}
