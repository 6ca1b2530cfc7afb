//! The grid in a snapshot: the order of its lists is that in which entities near a position are found.

use serde::{Deserialize, Serialize};

use super::{Grid, GridSlot, Square};
use crate::restore::require;

/// The lists of a grid.
#[derive(Serialize, Deserialize)]
pub(in crate::world) struct SavedGrid {
    /// The number of slots, on which the number of lists depends.
    slots: u32,
    /// The slots that are listed, list by list, each from its first, with their squares.
    listed: Vec<(u32, Square)>,
}

impl Grid {
    pub(in crate::world) fn saved(&self) -> SavedGrid {
        let mut listed = Vec::new();
        for head in &self.heads {
            let mut next = *head;
            while let Some((GridSlot { next: after, square: Some(square), .. }, slot)) =
                self.slots.get(next as usize).zip(Some(next))
            {
                listed.push((slot, *square));
                next = *after;
            }
        }
        SavedGrid { slots: self.slots.len() as u32, listed }
    }

    /// Rebuilds a grid for at most `slots` slots.
    pub(in crate::world) fn restore(saved: SavedGrid, slots: usize) -> Result<Self, &'static str> {
        require(saved.slots as usize <= slots, "a grid with too many slots")?;
        let mut grid = Self { heads: Vec::new(), slots: vec![GridSlot::FREE; saved.slots as usize] };
        if !grid.slots.is_empty() {
            grid.grow();
        }
        // Each is put in front of those before it.
        for (slot, square) in saved.listed.into_iter().rev() {
            let is_free = grid.slots.get(slot as usize).is_some_and(|slot| slot.square.is_none());
            require(is_free, "a slot that is listed twice or does not exist")?;
            grid.list(slot, square);
        }
        Ok(grid)
    }
}
