//! Making scenes.

use std::sync::Arc;

use acmotion_types::CellId;
use thiserror::Error;

use super::{Block, Blocks, Building, HeightTable, NOWHERE, Room, Scene, Terrain};

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

    /// Adds a building to the piece of land that its place is on. Where there is one already, that one stays
    /// (`docs/collision.md` 7.5).
    ///
    /// # Errors
    /// When its place is not on the map, or not sound.
    pub fn add_building(&mut self, building: Building) -> Result<&mut Self, SceneError> {
        let position = building.position;
        let bad = SceneError::BadPlace { what: "a building", cell: position.cell };
        if !position.frame.is_valid() || !building.scale.is_finite() {
            return Err(bad);
        }
        let land = position.adjusted_to_outside().ok_or(bad)?.cell;
        let block = self.block_mut(land.block());
        let slot = &mut block.building_of.0[usize::from(land.low() - 1) & 63];
        if *slot == 0 {
            block.buildings.push(building);
            *slot = block.buildings.len() as u8;
        }
        Ok(self)
    }

    /// The scene.
    pub fn finish(self) -> Scene {
        Scene { blocks: Arc::new(self.blocks) }
    }

    fn block_mut(&mut self, id: u16) -> &mut Block {
        let blocks = &mut self.blocks;
        blocks.columns.resize(256, None);
        let column = blocks.columns[usize::from(id >> 8)].get_or_insert_with(|| Box::new([NOWHERE; 256]));
        let place = &mut column[usize::from(id & 0xFF)];
        if *place == NOWHERE {
            *place = blocks.list.len() as u32;
            blocks.list.push(Arc::new(Block { id, ..Block::default() }));
        }
        Arc::make_mut(&mut blocks.list[*place as usize])
    }
}
