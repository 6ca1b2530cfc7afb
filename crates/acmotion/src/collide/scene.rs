//! The static world: land, rooms, buildings and scenery (`docs/collision.md` 6 and 7).
//!
//! A [`Scene`] is immutable and shared by all bodies. A [`SceneLoader`] reads landblocks from dat files; a [`SceneBuilder`]
//! takes them from code.

mod adjust;
mod boxes;
mod builder;
mod building;
mod cell_array;
mod find_cells;
mod line_cells;
mod line_query;
mod load;
mod questions;
mod room;
mod scenery;
mod shadow_cells;
mod stride;
mod surroundings;
mod terrain;

use std::sync::Arc;

use acmotion_types::{CellId, Guid, Vec3};

pub use adjust::RoomSearch;
pub use builder::{SceneBuilder, SceneError};
pub use building::{Building, BuildingPortal};
pub use cell_array::CellArray;
pub(super) use find_cells::outdoor_cell_at;
pub use find_cells::{ContainingCell, add_all_outside_cells};
pub use load::{LoadError, SceneLoader};
use questions::height_on;
pub use room::{Portal, Room};
pub use scenery::Scenery;
pub use surroundings::{place_inspected, sweep_inspected};
pub use terrain::{Ground, HeightTable, Terrain, Water, is_cut_from_south_west};

/// Everything that never moves: land, rooms, buildings and scenery. Cloning is cheap, and lookups do not depend on the size
/// of the scene.
#[derive(Clone, Default)]
pub struct Scene {
    blocks: Arc<Blocks>,
}

/// The landblocks of a scene, indexed by column and row.
#[derive(Clone, Default)]
struct Blocks {
    /// Empty, or for each column the indices of its blocks in `list`.
    columns: Vec<Option<Box<[u32; 256]>>>,
    list: Vec<Arc<Block>>,
    /// The scenery index of each block of `list`.
    scenery_indices: Vec<scenery::SceneryIndex>,
}

/// The index of a block that is not in the scene.
const NO_BLOCK: u32 = u32::MAX;

/// One landblock.
#[derive(Clone, Default)]
struct Block {
    id: u16,
    terrain: Option<Box<Terrain>>,
    buildings: Vec<Building>,
    /// The building of each land cell as an index into `buildings` plus 1, or 0 if there is none.
    building_slots: LandCells<u8>,
    /// Sorted by cell.
    rooms: Vec<Room>,
    scenery: Vec<Scenery>,
    /// The restriction objects of land cells. Sorted by cell.
    restrictions: Vec<(CellId, Guid)>,
}

/// A value for each of the 64 land cells of a landblock.
#[derive(Clone)]
struct LandCells<T>([T; 64]);

impl<T: Copy + Default> Default for LandCells<T> {
    fn default() -> Self {
        Self([T::default(); 64])
    }
}

/// A cell of a scene.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::scene::geometry::{Polygon, PolygonId};
/// use acmotion::scene::{BuildingPortal, Cell, Ground, LandCell, Plane, Portal, Room, Scene, Scenery, Water};
/// use acmotion::types::{CellId, CellPosition};
///
/// /// Returns the rooms that can be entered from a cell.
/// fn doors(cell: &Cell<'_>) -> Vec<CellId> {
///     match cell {
///         Cell::Land(land) => {
///             let portals = land.building().map_or(&[][..], |building| &building.portals);
///             portals.iter().map(|BuildingPortal { room, .. }| *room).collect()
///         }
///         Cell::Room(room) => room.portals.iter().filter_map(|portal: &Portal| portal.other).collect(),
///     }
/// }
///
/// /// Returns `true` if a walker keeps its feet dry at a position of a land cell and does not slide.
/// fn is_good_ground(land: &LandCell<'_>, position: &CellPosition) -> bool {
///     let is_flat = |Ground { plane, .. }: Ground| plane.is_walkable();
///     land.water() == Water::Not && land.ground_at(position.frame.origin).is_some_and(is_flat)
/// }
///
/// /// Returns the planes of a room's floor, walls and ceiling, in the room's axes.
/// fn planes(room: &Room) -> Vec<Plane> {
///     let Some(solid) = &room.solid else { return Vec::new() };
///     let plane = |index| {
///         let polygon: Polygon<'_> = solid.polygon(PolygonId(index));
///         polygon.plane
///     };
///     (0..solid.polygon_count() as u32).map(plane).collect()
/// }
///
/// /// Returns the number of objects that collide by their polygons in a cell.
/// fn solid_objects(scene: &Scene, cell: CellId) -> usize {
///     scene.scenery(cell).filter(|object: &&Scenery| !object.parts.is_empty()).count()
/// }
///
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// let town = landmarks();
/// let hall = scene.cell(town.hall.cell).expect("the hall exists");
/// assert!(!doors(&hall).is_empty());
/// if let Cell::Room(room) = hall {
///     assert!(planes(room).iter().any(Plane::is_walkable), "it has a floor");
/// }
/// if let Some(Cell::Land(land)) = scene.cell(town.spawn.cell) {
///     assert!(is_good_ground(&land, &town.spawn));
/// }
/// assert!(solid_objects(&scene, town.wall.cell) > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
#[doc(alias = "CObjCell")]
pub enum Cell<'a> {
    /// A land cell.
    Land(LandCell<'a>),
    /// A room.
    Room(&'a Room),
}

/// A land cell: 24 metres square, with at most one building.
#[derive(Clone, Copy)]
#[doc(alias = "CLandCell")]
pub struct LandCell<'a> {
    id: CellId,
    block: &'a Block,
    terrain: &'a Terrain,
}

impl<'a> Cell<'a> {
    /// Returns the id.
    pub fn id(&self) -> CellId {
        match self {
            Self::Land(land) => land.id,
            Self::Room(room) => room.id(),
        }
    }

    /// Returns `true` if the cell contains a point, given in the axes of its landblock. Land cells have no top and no
    /// bottom (`docs/collision.md` 6.3, 7.4).
    #[doc(alias = "point_in_cell")]
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Land(land) => land.triangle_at(point).is_some(),
            Self::Room(room) => room.contains(point),
        }
    }

    /// Returns the object that decides which players may enter, if there is one (`docs/collision.md` 8.7).
    #[doc(alias = "restriction_obj")]
    pub fn restriction(&self) -> Option<Guid> {
        match self {
            Self::Land(land) => land.guard(),
            Self::Room(room) => room.restriction,
        }
    }
}

impl<'a> LandCell<'a> {
    /// Returns the id.
    pub fn id(&self) -> CellId {
        self.id
    }

    /// Returns the terrain of the landblock.
    pub fn terrain(&self) -> &'a Terrain {
        self.terrain
    }

    /// Returns which of the two triangles is above or below a point of the landblock; `None` outside of the cell
    /// (`docs/collision.md` 6.3).
    #[doc(alias = "find_terrain_poly")]
    #[inline]
    pub fn triangle_at(&self, point: Vec3) -> Option<usize> {
        self.terrain.triangle_at(self.index(), point)
    }

    /// Returns the ground above or below a point of the landblock; `None` outside of the cell (`docs/collision.md` 6.3,
    /// 6.4).
    #[inline]
    pub fn ground_at(&self, point: Vec3) -> Option<Ground> {
        self.terrain.ground_at(self.index(), point)
    }

    /// Returns the height of the land above or below a point of the landblock, in metres; `None` outside of the cell.
    pub fn height_at(&self, point: Vec3) -> Option<f32> {
        self.ground_at(point).map(|ground| height_on(&ground.plane, point))
    }

    /// Returns how much of the landblock is water.
    #[inline]
    pub fn block_water(&self) -> Water {
        self.terrain.water()
    }

    /// Returns how much of the cell is water.
    #[inline]
    pub fn water(&self) -> Water {
        self.terrain.cell_water(self.index())
    }

    /// Returns the building on the cell, if there is one.
    #[inline]
    pub fn building(&self) -> Option<&'a Building> {
        let slot = self.block.building_slots.0[self.index()];
        self.block.buildings.get(usize::from(slot.checked_sub(1)?))
    }

    fn guard(&self) -> Option<Guid> {
        let restrictions = &self.block.restrictions;
        restrictions.binary_search_by_key(&self.id, |(cell, _)| *cell).ok().map(|index| restrictions[index].1)
    }

    /// Returns the index of the cell in its landblock: 8 x + y.
    #[inline]
    fn index(&self) -> usize {
        usize::from(self.id.low() - 1) & 63
    }
}

impl Scene {
    /// Returns a cell; `None` if it is not in the scene.
    #[doc(alias = "GetVisible")]
    #[inline]
    pub fn cell(&self, id: CellId) -> Option<Cell<'_>> {
        if id.is_outdoor() { self.land(id).map(Cell::Land) } else { self.room(id).map(Cell::Room) }
    }

    /// Returns a land cell; `None` if it is not in the scene.
    #[inline]
    pub fn land(&self, id: CellId) -> Option<LandCell<'_>> {
        let block = self.block(id)?;
        let terrain = block.terrain.as_deref()?;
        id.is_outdoor().then_some(LandCell { id, block, terrain })
    }

    /// Returns a room; `None` if it is not in the scene.
    #[inline]
    pub fn room(&self, id: CellId) -> Option<&Room> {
        let rooms = &self.block(id)?.rooms;
        // Rooms are usually numbered without gaps.
        let guess = usize::from(id.low().checked_sub(0x100)?);
        match rooms.get(guess) {
            Some(room) if room.id() == id => Some(room),
            _ => rooms.binary_search_by_key(&id, Room::id).ok().map(|index| &rooms[index]),
        }
    }

    /// Iterates over the landblocks of the scene: the upper 16 bits of their cells' ids.
    pub fn blocks(&self) -> impl Iterator<Item = u16> + '_ {
        self.blocks.list.iter().map(|block| block.id)
    }

    /// Returns the rooms of a landblock, sorted by id.
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
        self.list.get(self.index_of(id)?).map(|block| &**block)
    }

    /// Returns the index of a landblock in the list. For a missing landblock it is `None` or out of range.
    #[inline]
    fn index_of(&self, id: u16) -> Option<usize> {
        let column = self.columns.get(usize::from(id >> 8))?.as_ref()?;
        Some(column[usize::from(id & 0xFF)] as usize)
    }
}
