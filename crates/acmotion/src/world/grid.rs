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

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as u32 % limit
        }

        /// A position on four landblocks around a corner, some of it out of its block's land.
        fn position(&mut self) -> CellPosition {
            let cell = CellId([0xA9B4_0001, 0xAAB4_0020, 0xA9B5_0100, 0xAAB5_0041][self.below(4) as usize]);
            let mut along = || self.below(2600) as f32 * 0.1 - 30.0;
            CellPosition::at(cell, Vec3::new(along(), along(), 94.0))
        }
    }

    #[test]
    fn a_square_is_24_m_wide_and_counted_over_the_whole_map() {
        let square = |cell: u32, x: f32, y: f32| {
            let Square { x, y } = Square::at(CellId(cell), Vec3::new(x, y, 50.0));
            (x, y)
        };
        assert_eq!(square(0x0000_0001, 0.0, 23.9), (0, 0));
        assert_eq!(square(0x0000_0001, 24.1, 191.0), (1, 7));
        assert_eq!(square(0x0102_0001, 24.1, 50.0), (8 + 1, 16 + 2));
        assert_eq!(square(0x0102_0100, -0.1, -24.1), (7, 14), "west and south of the landblock");
        assert_eq!(square(0x0102_0001, -24.0, 48.0), (7, 18), "on the border of two");
        assert_eq!(square(0x0001_0001, 1e30, -1e30), (i32::MAX, i32::MIN + 8), "as far away as can be");
    }

    #[test]
    fn an_area_reaches_as_far_as_the_distance() {
        let corners = |x: f32, y: f32, distance: f32, limit: usize| {
            let position = CellPosition::at(CellId(0x0000_0001), Vec3::new(x, y, 94.0));
            let Area { low, high } = Grid::area(&position, distance, limit)?;
            Some(([low.x, low.y], [high.x, high.y]))
        };
        assert_eq!(corners(36.0, 60.0, 5.0, 1), Some(([1, 2], [1, 2])));
        assert_eq!(corners(36.0, 60.0, 13.0, 9), Some(([0, 1], [2, 3])));
        assert_eq!(corners(36.0, 60.0, 13.0, 8), None, "more squares than the limit");
        assert_eq!(corners(36.0, 50.0, 5.0, 4), Some(([1, 1], [1, 2])), "two squares");
        // Entities may be listed in a square whose border they have passed by less than the margin.
        assert_eq!(corners(47.97, 60.0, 0.0, 4), Some(([1, 2], [2, 2])));
        assert_eq!(corners(f32::NAN, 60.0, 5.0, 100), None);
        assert_eq!(corners(36.0, 60.0, f32::INFINITY, 100), None);
    }

    /// Compares the grid with a plain list of positions, over moves, removals and searches, and with what comes back from a
    /// snapshot.
    #[test]
    fn what_is_near_is_found_after_any_moves() {
        let (mut random, mut grid) = (Random(0x5DEE_CE66_D000_000B), Grid::default());
        let mut plain: Vec<Option<CellPosition>> = vec![None; 90];
        let mut found_in_all = 0;
        for step in 0..3000 {
            let slot = random.below(90);
            match random.below(8) {
                0 => {
                    grid.unlist(slot);
                    plain[slot as usize] = None;
                }
                1 => {
                    grid.update(slot, None);
                    plain[slot as usize] = None;
                }
                2 => {
                    // A little further, mostly within the square.
                    if let Some(position) = &mut plain[slot as usize] {
                        position.frame.origin.x += 0.3;
                        grid.update(slot, Some(position));
                    }
                }
                _ => {
                    let position = random.position();
                    grid.update(slot, Some(&position));
                    plain[slot as usize] = Some(position);
                }
            }
            if let Some(listed) = &plain[slot as usize] {
                assert!(!grid.needs_update(slot, Some(listed)), "step {step}: it was just updated");
                assert!(grid.needs_update(slot, None), "step {step}: it is listed");
            }
            let moved = CellPosition::at(CellId(0x1010_0001), Vec3::new(12.0, 12.0, 94.0));
            assert!(grid.needs_update(slot, Some(&moved)), "step {step}: far away");
            if step % 7 == 0 {
                let (centre, distance) = (random.position(), random.below(60) as f32);
                let area = Grid::area(&centre, distance, 1000).expect("few squares");
                let mut found: Vec<u32> = grid.slots_in(area).collect();
                let near = |position: &CellPosition| position.distance_to(&centre) <= distance;
                for (slot, position) in (0..).zip(&plain) {
                    if position.as_ref().is_some_and(near) {
                        assert!(found.contains(&slot), "step {step}: {slot} at {position:?} from {centre:?}");
                        found_in_all += 1;
                    }
                }
                let order = found.clone();
                found.sort_unstable();
                found.dedup();
                assert_eq!(found.len(), order.len(), "each once");
                assert!(
                    found.iter().all(|slot| plain[*slot as usize].is_some()),
                    "only those that are listed"
                );
                assert_restored(&grid, area, &order);
            }
        }
        assert!(found_in_all > 100, "{found_in_all}");
    }

    /// A grid that comes back from a snapshot finds the same, in the same order.
    fn assert_restored(_grid: &Grid, _area: Area, _order: &[u32]) {
        #[cfg(feature = "serde")]
        {
            let restored = Grid::restore(_grid.saved(), _grid.slots.len()).expect("it was just saved");
            assert!(restored.slots_in(_area).eq(_order.iter().copied()));
        }
    }

    #[test]
    fn few_entities_share_a_list() {
        let mut grid = Grid::default();
        for slot in 0..64 {
            let position =
                CellPosition::at(CellId(0xA9B4_0001), Vec3::new(slot as f32 * 24.0 + 12.0, 12.0, 94.0));
            grid.update(slot, Some(&position));
        }
        assert!(grid.heads.len() >= grid.slots.len(), "a list for each");
        let used = grid.heads.iter().filter(|head| **head != END).count();
        assert!(used > 32, "64 squares in {used} lists");
    }

    #[test]
    #[cfg(feature = "serde")]
    fn a_grid_with_a_slot_twice_or_too_many_is_refused() {
        let mut grid = Grid::default();
        for slot in 0..3 {
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0 + slot as f32, 94.0));
            grid.update(slot, Some(&position));
        }
        assert!(Grid::restore(grid.saved(), 3).is_ok() && Grid::restore(grid.saved(), 9).is_ok());
        assert!(Grid::restore(grid.saved(), 2).is_err());
        let empty = Grid::restore(Grid::default().saved(), 0).expect("empty");
        assert!(empty.heads.is_empty());
    }
}
