//! Building scenes.

use std::sync::Arc;

use acmotion_types::{CellId, Guid};
use thiserror::Error;

use super::scenery::index_scenery;
use super::{Block, Blocks, Building, HeightTable, NO_BLOCK, Room, Scene, Scenery, Terrain};

/// Why something cannot be added to a scene.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The id is not that of a cell of the expected kind.
    #[error("{cell} is not the id of {expected}")]
    WrongCell {
        /// The cell.
        cell: CellId,
        /// What was expected.
        expected: &'static str,
    },
    /// A position or a size is not finite, or a rotation is not valid.
    #[error("the position or size of {what} in {cell} is not valid")]
    InvalidPosition {
        /// What was to be added.
        what: &'static str,
        /// The cell.
        cell: CellId,
    },
}

/// A scene that is being built.
///
/// ```
/// use std::sync::Arc;
///
/// use acmotion::dat::builder::{self, MeshFace, MeshKind};
/// use acmotion::dat::{DataId, Sphere, Terrain};
/// use acmotion::scene::geometry::Solid;
/// use acmotion::scene::{
///     CellArray, ContainingCell, HeightTable, Part, Room, SceneBuilder, SceneError, Scenery,
/// };
/// use acmotion::types::{CellId, CellPosition, Frame, Vec3};
/// use acmotion::wire::PhysicsState;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Level land: every height byte stands for 94 metres.
/// let heights: HeightTable = [94.0; 256];
/// let mut builder = SceneBuilder::new(&heights);
/// builder.add_land(0xA9B4, &[0; 81], &[Terrain::from_kind(1); 81]);
///
/// // A block of stone on it, four metres square and one high.
/// let faces = MeshFace::cuboid(DataId(0x0800_0001), Vec3::ZERO, Vec3::new(4.0, 4.0, 1.0));
/// let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Closed);
/// let stone = Part { solid: Arc::new(Solid::from_gfx_obj(&mesh)?), frame: Frame::IDENTITY, scale: 1.0 };
/// let at = |x, z| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 12.0, z));
/// builder.add_scenery(Scenery {
///     position: at(10.0, 94.0),
///     model: None,
///     scale: 1.0,
///     state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
///     sorting_sphere: stone.solid.sphere(),
///     parts: vec![stone],
///     cylinders: Vec::new(),
///     spheres: Vec::new(),
/// })?;
///
/// // What does not belong into a scene is refused.
/// let misplaced = Room::new(CellId(0xA9B4_0001), Frame::IDENTITY);
/// assert!(matches!(builder.add_room(misplaced), Err(SceneError::WrongCell { .. })));
///
/// let scene = builder.finish();
/// assert_eq!(scene.ground_at(&at(2.0, 97.0)).map(|ground| ground.height()), Some(94.0));
/// assert_eq!(scene.ground_at(&at(11.0, 97.0)).map(|ground| ground.height()), Some(95.0));
///
/// // A foot near the border of its cell reaches into the next.
/// let foot = Sphere { origin: Vec3::new(23.9, 12.0, 94.0), radius: 0.48 };
/// let mut cells = CellArray::default();
/// let ContainingCell { cell, .. } = scene.find_cell_list(&at(23.9, 94.0), &[foot], &mut cells);
/// assert_eq!(cell, Some(CellId(0xA9B4_0001)));
/// assert_eq!(cells.iter().collect::<Vec<_>>(), [CellId(0xA9B4_0001), CellId(0xA9B4_0009)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SceneBuilder {
    table: Box<HeightTable>,
    blocks: Blocks,
}

impl SceneBuilder {
    /// Creates an empty builder. `table` is the region's table of land heights.
    pub fn new(table: &HeightTable) -> Self {
        Self { table: Box::new(*table), blocks: Blocks::default() }
    }

    /// Creates a builder that starts with the landblocks of a scene.
    pub fn from_scene(scene: &Scene, table: &HeightTable) -> Self {
        Self { table: Box::new(*table), blocks: Blocks::clone(&scene.blocks) }
    }

    /// Adds the land of a landblock: a height byte and the terrain type of each corner, at index 9 x + y.
    pub fn add_land(
        &mut self,
        block: u16,
        heights: &[u8; 81],
        grounds: &[acmotion_dat::Terrain; 81],
    ) -> &mut Self {
        let terrain = Terrain::new(block, heights, grounds, &self.table);
        self.block_mut(block).terrain = Some(Box::new(terrain));
        self
    }

    /// Adds a room, replacing one with the same id.
    ///
    /// # Errors
    /// Returns an error if its id is not that of a room or its position is not valid.
    pub fn add_room(&mut self, room: Room) -> Result<&mut Self, SceneError> {
        let cell = room.id();
        if !cell.is_room() {
            return Err(SceneError::WrongCell { cell, expected: "a room" });
        }
        let frame = &room.position().frame;
        if !frame.is_valid() || !frame.origin.is_finite() {
            return Err(SceneError::InvalidPosition { what: "a room", cell });
        }
        let rooms = &mut self.block_mut(cell.block()).rooms;
        match rooms.binary_search_by_key(&cell, Room::id) {
            Ok(index) => rooms[index] = room,
            Err(index) => rooms.insert(index, room),
        }
        Ok(self)
    }

    /// Adds a building to a land cell, which should be the one that contains its origin. If the cell has a building
    /// already, that one stays (`docs/collision.md` 7.5).
    ///
    /// # Errors
    /// Returns an error if it is not a land cell or the building's position is not valid.
    pub fn add_building(&mut self, land: CellId, building: Building) -> Result<&mut Self, SceneError> {
        if !land.is_outdoor() {
            return Err(SceneError::WrongCell { cell: land, expected: "a land cell" });
        }
        let frame = &building.position.frame;
        if !frame.is_valid() || !frame.origin.is_finite() || !building.scale.is_finite() {
            return Err(SceneError::InvalidPosition { what: "a building", cell: land });
        }
        let block = self.block_mut(land.block());
        let slot = &mut block.building_slots.0[usize::from(land.low() - 1) & 63];
        if *slot == 0 {
            block.buildings.push(building);
            *slot = block.buildings.len() as u8;
        }
        Ok(self)
    }

    /// Adds an object that never moves.
    ///
    /// # Errors
    /// Returns an error if its position or its shapes are not valid.
    pub fn add_scenery(&mut self, scenery: Scenery) -> Result<&mut Self, SceneError> {
        let cell = scenery.position.cell;
        if !(cell.is_outdoor() || cell.is_room()) {
            return Err(SceneError::WrongCell { cell, expected: "a cell" });
        }
        if !scenery.is_valid() {
            return Err(SceneError::InvalidPosition { what: "scenery", cell });
        }
        self.block_mut(cell.block()).scenery.push(scenery);
        Ok(self)
    }

    /// Sets the object that decides which players may enter a land cell (`docs/collision.md` 8.7). Rooms have their own.
    pub fn set_restriction(&mut self, cell: CellId, restriction: Guid) -> &mut Self {
        let restrictions = &mut self.block_mut(cell.block()).restrictions;
        match restrictions.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(index) => restrictions[index].1 = restriction,
            Err(index) => restrictions.insert(index, (cell, restriction)),
        }
        self
    }

    /// Returns `true` if the land of a landblock has been added.
    pub fn has_land(&self, block: u16) -> bool {
        self.blocks.get(block).is_some_and(|block| block.terrain.is_some())
    }

    /// Removes a landblock with everything on it.
    pub fn remove_block(&mut self, block: u16) -> &mut Self {
        let kept = self.blocks.list.iter().filter(|own| own.id != block).map(Arc::clone).collect();
        self.blocks.list = kept;
        self.blocks.columns.clear();
        for index in 0..self.blocks.list.len() {
            let id = self.blocks.list[index].id;
            *self.slot(id) = index as u32;
        }
        self
    }

    /// Builds the scene.
    pub fn finish(self) -> Scene {
        Scene { blocks: Arc::new(index_scenery(self.blocks)) }
    }

    /// Returns a landblock, adding an empty one if it is missing.
    fn block_mut(&mut self, id: u16) -> &mut Block {
        let next = self.blocks.list.len() as u32;
        let slot = self.slot(id);
        if *slot == NO_BLOCK {
            *slot = next;
        }
        let index = *slot;
        if index == next {
            self.blocks.list.push(Arc::new(Block { id, ..Block::default() }));
        }
        Arc::make_mut(&mut self.blocks.list[index as usize])
    }

    /// Returns the entry that holds the index of a landblock.
    fn slot(&mut self, id: u16) -> &mut u32 {
        let columns = &mut self.blocks.columns;
        columns.resize(256, None);
        let column = columns[usize::from(id >> 8)].get_or_insert_with(|| Box::new([NO_BLOCK; 256]));
        &mut column[usize::from(id & 0xFF)]
    }
}
