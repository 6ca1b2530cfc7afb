//! Making scenes.

use std::sync::Arc;

use acmotion_types::{CellId, Guid};
use thiserror::Error;

use super::scenery::list_all;
use super::{Block, Blocks, Building, HeightTable, NOWHERE, Room, Scene, Scenery, Terrain};

/// Why something cannot be part of a scene.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The cell is not one of the kind.
    #[error("{cell} is not {expected}")]
    WrongCell {
        /// The cell.
        cell: CellId,
        /// What it should be.
        expected: &'static str,
    },
    /// A place or a size is not finite.
    #[error("the place of {what} in {cell} is not sound")]
    BadPlace {
        /// What.
        what: &'static str,
        /// The cell.
        cell: CellId,
    },
}

/// A scene in the making.
#[derive(Clone)]
pub struct SceneBuilder {
    table: Box<HeightTable>,
    blocks: Blocks,
}

impl SceneBuilder {
    /// Nothing yet; heights of land by a region's table.
    pub fn new(table: &HeightTable) -> Self {
        Self { table: Box::new(*table), blocks: Blocks::default() }
    }

    /// Goes on from a scene that is there.
    pub fn from_scene(scene: &Scene, table: &HeightTable) -> Self {
        Self { table: Box::new(*table), blocks: Blocks::clone(&scene.blocks) }
    }

    /// Adds the land of a landblock: a height byte and the kind of ground for each corner, 9 x + y.
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

    /// Adds a room; it takes the place of one of the same id.
    ///
    /// # Errors
    /// When its id is not that of a room, or its place is not sound.
    pub fn add_room(&mut self, room: Room) -> Result<&mut Self, SceneError> {
        let cell = room.id();
        if !cell.is_room() {
            return Err(SceneError::WrongCell { cell, expected: "a room" });
        }
        let frame = &room.position().frame;
        if !frame.is_valid() || !frame.origin.is_finite() {
            return Err(SceneError::BadPlace { what: "a room", cell });
        }
        let rooms = &mut self.block_mut(cell.block()).rooms;
        match rooms.binary_search_by_key(&cell, Room::id) {
            Ok(place) => rooms[place] = room,
            Err(place) => rooms.insert(place, room),
        }
        Ok(self)
    }

    /// Adds a building to a piece of land: the one that its origin is on. Where there is one already, that one stays
    /// (`docs/collision.md` 7.5).
    ///
    /// # Errors
    /// When it is not a piece of land, or the building's place is not sound.
    pub fn add_building(&mut self, land: CellId, building: Building) -> Result<&mut Self, SceneError> {
        if !land.is_outdoor() {
            return Err(SceneError::WrongCell { cell: land, expected: "a piece of land" });
        }
        let frame = &building.position.frame;
        if !frame.is_valid() || !frame.origin.is_finite() || !building.scale.is_finite() {
            return Err(SceneError::BadPlace { what: "a building", cell: land });
        }
        let block = self.block_mut(land.block());
        let slot = &mut block.building_of.0[usize::from(land.low() - 1) & 63];
        if *slot == 0 {
            block.buildings.push(building);
            *slot = block.buildings.len() as u8;
        }
        Ok(self)
    }

    /// Adds something that stands still.
    ///
    /// # Errors
    /// When its place or its shapes are not sound.
    pub fn add_scenery(&mut self, scenery: Scenery) -> Result<&mut Self, SceneError> {
        let cell = scenery.position.cell;
        if !(cell.is_outdoor() || cell.is_room()) {
            return Err(SceneError::WrongCell { cell, expected: "a cell" });
        }
        if !scenery.is_sound() {
            return Err(SceneError::BadPlace { what: "scenery", cell });
        }
        self.block_mut(cell.block()).scenery.push(scenery);
        Ok(self)
    }

    /// Lets an object say who may enter a cell of the land (`docs/collision.md` 8.7). Rooms have their own.
    pub fn set_guard(&mut self, cell: CellId, guard: Guid) -> &mut Self {
        let guards = &mut self.block_mut(cell.block()).guards;
        match guards.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(place) => guards[place].1 = guard,
            Err(place) => guards.insert(place, (cell, guard)),
        }
        self
    }

    /// Is the land of a landblock there?
    pub fn has_land(&self, block: u16) -> bool {
        self.blocks.get(block).is_some_and(|block| block.terrain.is_some())
    }

    /// Takes a landblock away, with everything on it.
    pub fn remove_block(&mut self, block: u16) -> &mut Self {
        let kept = self.blocks.list.iter().filter(|own| own.id != block).map(Arc::clone).collect();
        self.blocks.list = kept;
        self.blocks.columns.clear();
        for place in 0..self.blocks.list.len() {
            let id = self.blocks.list[place].id;
            *self.slot(id) = place as u32;
        }
        self
    }

    /// The scene.
    pub fn finish(self) -> Scene {
        Scene { blocks: Arc::new(list_all(self.blocks)) }
    }

    fn block_mut(&mut self, id: u16) -> &mut Block {
        let next = self.blocks.list.len() as u32;
        let slot = self.slot(id);
        if *slot == NOWHERE {
            *slot = next;
        }
        let place = *slot;
        if place == next {
            self.blocks.list.push(Arc::new(Block { id, ..Block::default() }));
        }
        Arc::make_mut(&mut self.blocks.list[place as usize])
    }

    /// Where the place of a landblock is kept.
    fn slot(&mut self, id: u16) -> &mut u32 {
        let columns = &mut self.blocks.columns;
        columns.resize(256, None);
        let column = columns[usize::from(id >> 8)].get_or_insert_with(|| Box::new([NOWHERE; 256]));
        &mut column[usize::from(id & 0xFF)]
    }
}
