//! The entities by the squares of the map that they are in, for questions about what is near. Entities are identified by
//! their slots.
//!
//! The squares are those of the land cells, and extend below and above them: rooms have none of their own. A move within a
//! square changes nothing, and a move to another allocates nothing.

use acmotion_types::{CELL_LENGTH, CellId, CellPosition, Vec3};

use crate::interior::{Interior, MARGIN};

#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
pub(super) use saved::SavedGrid;

/// The end of a list.
const END: u32 = u32::MAX;

/// A square of the map: its column and row, counted from the south-west corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Square {
    x: i32,
    y: i32,
}

impl Square {
    /// Returns the square of a point of a cell's landblock.
    #[inline]
    fn at(cell: CellId, Vec3 { x, y, .. }: Vec3) -> Self {
        let along = |block: u8, v: f32| {
            // Rounded down. The conversion saturates, so that positions far off the map are all in the same squares.
            let squares = v * (1.0 / CELL_LENGTH);
            let towards_zero = squares as i32;
            let square = towards_zero.saturating_sub(i32::from(towards_zero as f32 > squares));
            square.saturating_add(i32::from(block) * 8)
        };
        Self { x: along(cell.block_x(), x), y: along(cell.block_y(), y) }
    }

    /// Returns a number that spreads neighbouring squares over different lists.
    #[inline]
    fn hash(self) -> u32 {
        (self.x as u32).wrapping_mul(0x9E37_79B1) ^ (self.y as u32).wrapping_mul(0x85EB_CA77)
    }
}

/// The entities of each square.
#[derive(Clone, Default)]
pub(super) struct Grid {
    /// The first slot of each list. A list holds the slots of all squares with the same hash.
    heads: Vec<u32>,
    slots: Vec<GridSlot>,
}

#[derive(Clone, Copy)]
struct GridSlot {
    /// The square it is listed in, if any.
    square: Option<Square>,
    previous: u32,
    next: u32,
    interior: Interior,
}

impl GridSlot {
    /// A slot that is not listed.
    const FREE: Self = Self { square: None, previous: END, next: END, interior: Interior::NONE };
}

impl Grid {
    /// Updates the position of an entity; `None` if it is in no cell.
    #[inline]
    pub(super) fn update(&mut self, slot: u32, position: Option<&CellPosition>) {
        if let Some(square) = self.new_square(slot, position) {
            self.relist(slot, square);
        }
    }

    /// Returns `true` if an [`update`](Self::update) would change anything.
    #[cfg(feature = "parallel")]
    pub(super) fn needs_update(&self, slot: u32, position: Option<&CellPosition>) -> bool {
        self.new_square(slot, position).is_some()
    }

    /// Returns the square that an entity is to be listed in; `None` if it is listed rightly.
    #[inline]
    fn new_square(&self, slot: u32, position: Option<&CellPosition>) -> Option<Option<Square>> {
        let listed = self.slots.get(slot as usize);
        if let (Some(position), Some(listed)) = (position, listed)
            && listed.interior.contains(position)
        {
            return None;
        }
        let square = position.map(|position| Square::at(position.cell, position.frame.origin));
        listed.is_none_or(|listed| listed.square != square).then_some(square)
    }

    #[cold]
    fn relist(&mut self, slot: u32, square: Option<Square>) {
        let index = slot as usize;
        if self.slots.len() <= index {
            if square.is_none() {
                return;
            }
            self.slots.resize(index + 1, GridSlot::FREE);
        }
        self.unlist(slot);
        if self.heads.len() < self.slots.len() {
            self.grow();
        }
        if let Some(square) = square {
            self.list(slot, square);
        }
    }

    /// Doubles the number of lists.
    fn grow(&mut self) {
        let count = self.slots.len().next_power_of_two().max(16);
        self.heads.clear();
        self.heads.resize(count, END);
        for slot in 0..self.slots.len() {
            if let Some(square) = self.slots[slot].square {
                self.list(slot as u32, square);
            }
        }
    }

    fn list_of(&self, square: Square) -> usize {
        // The upper bits of the hash are the better ones.
        let hash = square.hash();
        (hash ^ (hash >> 16)) as usize & (self.heads.len() - 1)
    }

    fn list(&mut self, slot: u32, square: Square) {
        let list = self.list_of(square);
        let next = std::mem::replace(&mut self.heads[list], slot);
        self.slots[slot as usize] = GridSlot {
            square: Some(square),
            previous: END,
            next,
            interior: Interior::new(square.x, square.y),
        };
        if let Some(next) = self.slots.get_mut(next as usize) {
            next.previous = slot;
        }
    }

    /// Removes an entity.
    pub(super) fn unlist(&mut self, slot: u32) {
        let Some(listed) = self.slots.get_mut(slot as usize) else { return };
        let GridSlot { square: Some(square), previous, next, .. } = *listed else { return };
        (listed.square, listed.interior) = (None, Interior::NONE);
        if let Some(next) = self.slots.get_mut(next as usize) {
            next.previous = previous;
        }
        match self.slots.get_mut(previous as usize) {
            Some(previous) => previous.next = next,
            None => {
                let list = self.list_of(square);
                self.heads[list] = next;
            }
        }
    }

    /// Returns the squares within a distance of a position; `None` if there are more than `limit`, or a number is not
    /// finite.
    pub(super) fn area(position: &CellPosition, distance: f32, limit: usize) -> Option<Area> {
        let reach = Vec3::ONE * (distance + MARGIN);
        let origin = position.frame.origin;
        if !(origin.is_finite() && reach.is_finite()) {
            return None;
        }
        let low = Square::at(position.cell, origin - reach);
        let high = Square::at(position.cell, origin + reach);
        let count = |low: i32, high: i32| (i64::from(high) - i64::from(low) + 1) as usize;
        let squares = count(low.x, high.x).checked_mul(count(low.y, high.y))?;
        (squares <= limit).then_some(Area { low, high })
    }

    /// Iterates over the entities in an area.
    pub(super) fn slots_in(&self, area: Area) -> impl Iterator<Item = u32> + '_ {
        let squares = (area.low.x..=area.high.x)
            .flat_map(move |x| (area.low.y..=area.high.y).map(move |y| Square { x, y }));
        squares.filter(|_| !self.heads.is_empty()).flat_map(|square| {
            let listed = |slot: u32| self.slots.get(slot as usize).map(|listed| (slot, listed));
            std::iter::successors(listed(self.heads[self.list_of(square)]), move |(_, entry)| {
                listed(entry.next)
            })
            .filter(move |(_, entry)| entry.square == Some(square))
            .map(|(slot, _)| slot)
        })
    }
}

/// A rectangle of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    low: Square,
    high: Square,
}
