//! The entities listed in one cell, in the order of the list (`docs/collision.md` 8.1), and a quick search among them.
//!
//! The order decides what a body hits first, so the search must keep it. It therefore works with sets of indices of the
//! list, as bits: the map is cut into strips along both axes, and for each strip there is the set of the entities whose
//! bounds reach into it. The entities near a body are in the sets of its own strips. Bits are found in ascending order,
//! which is the order of the list, and every entity found is compared with the body's exact reach, as a search through
//! the whole list would do.

use super::{Bounds, MapReach};

/// The number of strips along an axis. Those farther away share the sets of the first ones again.
const STRIPS: usize = 16;
/// The inverse of the width of a strip, 1.5 m: 16 strips are as wide as a land cell.
const STRIPS_A_METRE: f32 = 1.0 / 1.5;
/// The margin around a reach, in metres: more than rounding can shift the sides of bounds on the map.
const MARGIN: f32 = 0.02;
/// The largest map coordinate for which the margin is large enough.
const MAX_COORDINATE: f32 = 65_536.0;

/// The number of entities in a chunk.
const CHUNK: usize = u64::BITS as usize;

/// The strips that something reaches into, as bits: along the x axis in the lower half, along the y axis in the upper.
#[derive(Clone, Copy)]
struct Strips(u32);

impl Strips {
    /// Returns the strips of a circle. All of them, if it is too wide or off the map, its radius is negative or a number is
    /// not finite.
    fn of(x: f32, y: f32, radius: f32) -> Self {
        match (along(x, radius), along(y, radius)) {
            (Some(x), Some(y)) => Self(u32::from(x) | u32::from(y) << STRIPS),
            _ => Self(u32::MAX),
        }
    }

    fn x(self) -> u16 {
        self.0 as u16
    }

    fn y(self) -> u16 {
        (self.0 >> STRIPS) as u16
    }
}

/// Returns the strips between `centre - radius` and `centre + radius`; `None` if they cannot be told.
fn along(centre: f32, radius: f32) -> Option<u16> {
    let (low, high) = ((centre - radius) * STRIPS_A_METRE, (centre + radius) * STRIPS_A_METRE);
    // NaN fails this test.
    let is_on_map = low > -MAX_COORDINATE && high < MAX_COORDINATE;
    if !(is_on_map && radius >= 0.0 && high - low < (STRIPS - 2) as f32) {
        return None;
    }
    let round_down = |v: f32| v as i32 - i32::from(v as i32 as f32 > v);
    let (first, last) = (round_down(low), round_down(high));
    let count = (last - first + 1).clamp(1, STRIPS as i32) as u32;
    let mask = u16::MAX >> (STRIPS as u32 - count);
    Some(mask.rotate_left(first.rem_euclid(STRIPS as i32) as u32))
}

/// The sets of 64 entities that follow each other in the list.
#[derive(Clone, Default)]
struct Chunk {
    /// For each strip along the x axis, those whose bounds reach into it.
    x: [u64; STRIPS],
    /// For each strip along the y axis, those whose bounds reach into it.
    y: [u64; STRIPS],
    /// Those that a plain player does not pass through in any case.
    blocks_players: u64,
}

impl Chunk {
    fn insert(&mut self, bit: u64, strips: Strips, blocks_players: bool) {
        for_each_bit(strips.x(), |strip| self.x[strip] |= bit);
        for_each_bit(strips.y(), |strip| self.y[strip] |= bit);
        self.blocks_players |= if blocks_players { bit } else { 0 };
    }

    fn remove(&mut self, bit: u64, strips: Strips) {
        for_each_bit(strips.x(), |strip| self.x[strip] &= !bit);
        for_each_bit(strips.y(), |strip| self.y[strip] &= !bit);
        self.blocks_players &= !bit;
    }

    /// Returns those that reach into one of the strips along each axis.
    fn reaching(&self, strips: Strips) -> u64 {
        let (mut x, mut y) = (0, 0);
        for_each_bit(strips.x(), |strip| x |= self.x[strip]);
        for_each_bit(strips.y(), |strip| y |= self.y[strip]);
        x & y
    }
}

#[inline]
fn for_each_bit(mut bits: u16, mut action: impl FnMut(usize)) {
    while bits != 0 {
        action(bits.trailing_zeros() as usize % STRIPS);
        bits &= bits - 1;
    }
}

/// Where a body looks for entities: its reach, and the strips of it.
pub(super) struct Search {
    reach: MapReach,
    strips: Strips,
}

impl Search {
    pub(super) fn new(reach: MapReach) -> Self {
        let strips = Strips::of(reach.centre.x, reach.centre.y, reach.radius + MARGIN);
        Self { reach, strips }
    }
}

/// An entity in the list of a cell.
#[derive(Clone)]
struct Entry {
    bounds: Bounds,
    strips: Strips,
}

/// The entities listed in one cell.
#[derive(Clone, Default)]
pub(super) struct CellList {
    slots: Vec<u32>,
    /// The bounds of each, in the order of `slots`.
    entries: Vec<Entry>,
    /// The sets of each 64 of them. There may be more, which are empty.
    chunks: Vec<Chunk>,
    /// The index behind the one that was last removed. Bodies move in the same order in every tick, so that the next one to
    /// be removed is mostly there.
    next_removed: usize,
}

impl CellList {
    /// The slots of the entities, in order.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds an entity at the end of the list. A plain player passes through it unless `blocks_players`.
    pub(super) fn push(&mut self, slot: u32, bounds: Bounds, blocks_players: bool) {
        let index = self.slots.len();
        let strips = Strips::of(bounds.x, bounds.y, bounds.radius);
        self.slots.push(slot);
        self.entries.push(Entry { bounds, strips });
        if self.chunks.len() * CHUNK <= index {
            self.chunks.push(Chunk::default());
        }
        self.chunks[index / CHUNK].insert(bit_of(index), strips, blocks_players);
    }

    /// Removes an entity; the last one moves to its index (`docs/collision.md` 8.1).
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(index) = self.index_of(slot) else { return };
        let last = self.slots.len() - 1;
        let (own, moved) = (self.entries[index].strips, self.entries[last].strips);
        let blocks_players = self.blocks_players(last);
        self.chunks[index / CHUNK].remove(bit_of(index), own);
        if index != last {
            self.chunks[last / CHUNK].remove(bit_of(last), moved);
            self.chunks[index / CHUNK].insert(bit_of(index), moved, blocks_players);
        }
        self.slots.swap_remove(index);
        self.entries.swap_remove(index);
        self.next_removed = index + 1;
    }

    /// Sets whether an entity blocks plain players.
    pub(super) fn set_blocks_players(&mut self, slot: u32, blocks_players: bool) {
        let Some(index) = self.index_of(slot) else { return };
        let blocking = &mut self.chunks[index / CHUNK].blocks_players;
        *blocking &= !bit_of(index);
        *blocking |= if blocks_players { bit_of(index) } else { 0 };
    }

    fn blocks_players(&self, index: usize) -> bool {
        self.chunks[index / CHUNK].blocks_players & bit_of(index) != 0
    }

    fn index_of(&self, slot: u32) -> Option<usize> {
        let guess = self.next_removed.min(self.slots.len());
        let (before, after) = self.slots.split_at(guess);
        let find = |slots: &[u32]| slots.iter().position(|listed| *listed == slot);
        find(after).map(|index| guess + index).or_else(|| find(before))
    }

    /// Returns the index of the first entity from `start` on whose bounds are not out of reach; for a plain player those that
    /// it passes through are left out.
    pub(super) fn next_near(&self, search: &Search, start: usize, is_plain_player: bool) -> Option<usize> {
        let count = self.slots.len().div_ceil(CHUNK);
        let mut from_start = u64::MAX << (start % CHUNK);
        for chunk in start / CHUNK..count {
            let sets = &self.chunks[chunk];
            let counted = if is_plain_player { sets.blocks_players } else { u64::MAX };
            let mut found = sets.reaching(search.strips) & counted & from_start;
            while found != 0 {
                let index = chunk * CHUNK + found.trailing_zeros() as usize;
                if !search.reach.misses(&self.entries[index].bounds) {
                    return Some(index);
                }
                found &= found - 1;
            }
            from_start = u64::MAX;
        }
        None
    }
}

/// Lists entities in a given order.
#[cfg(feature = "serde")]
impl FromIterator<(u32, Bounds, bool)> for CellList {
    fn from_iter<I: IntoIterator<Item = (u32, Bounds, bool)>>(entities: I) -> Self {
        let mut list = Self::default();
        for (slot, bounds, blocks_players) in entities {
            list.push(slot, bounds, blocks_players);
        }
        list
    }
}

fn bit_of(index: usize) -> u64 {
    1 << (index % CHUNK)
}

#[cfg(test)]
mod tests {
    use acmotion_types::Vec3;
    use proptest::prelude::*;

    use super::*;

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => 30_000.0..30_026.0f32,
            2 => 0.0..200.0f32,
            1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-1e9), Just(1e30)],
        ]
    }

    fn radius() -> impl Strategy<Value = f32> {
        prop_oneof![8 => 0.1..2.0f32, 1 => -5.0..60.0f32, 1 => Just(0.0)]
    }

    fn bounds() -> impl Strategy<Value = Bounds> {
        (coordinate(), coordinate(), radius()).prop_map(|(x, y, radius)| Bounds {
            x,
            y,
            low: 0.0,
            high: 2.0,
            radius,
        })
    }

    #[derive(Clone, Debug)]
    enum Change {
        Relist(u32, Bounds, bool),
        Remove(u32),
        SetBlocking(u32, bool),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            6 => (0..150u32, bounds(), any::<bool>()).prop_map(|(slot, bounds, blocks)| Change::Relist(slot, bounds, blocks)),
            1 => (0..150u32).prop_map(Change::Remove),
            1 => (0..150u32, any::<bool>()).prop_map(|(slot, blocks)| Change::SetBlocking(slot, blocks)),
        ]
    }

    proptest! {
        /// The search finds what a walk through a plain list finds, in the same order, after any changes.
        #[test]
        fn the_search_agrees_with_a_walk_through_the_list(
            changes in prop::collection::vec(change(), 1..400),
            reaches in prop::collection::vec((coordinate(), coordinate(), radius(), -1.0..4.0f32), 1..8),
        ) {
            let (mut list, mut plain) = (CellList::default(), Vec::<(u32, Bounds, bool)>::new());
            for change in changes {
                let slot = match change {
                    Change::Relist(slot, ..) | Change::Remove(slot) | Change::SetBlocking(slot, _) => slot,
                };
                let index = plain.iter().position(|(listed, ..)| *listed == slot);
                match (&change, index) {
                    (Change::SetBlocking(_, blocks), Some(index)) => plain[index].2 = *blocks,
                    (_, Some(index)) => drop(plain.swap_remove(index)),
                    (_, None) => {}
                }
                match change {
                    Change::Relist(_, bounds, blocks) => {
                        list.remove(slot);
                        list.push(slot, bounds, blocks);
                        plain.push((slot, bounds, blocks));
                    }
                    Change::Remove(_) => list.remove(slot),
                    Change::SetBlocking(_, blocks) => list.set_blocks_players(slot, blocks),
                }
            }
            prop_assert!(list.slots().iter().eq(plain.iter().map(|(slot, ..)| slot)));
            for (x, y, radius, z) in reaches {
                let reach = || MapReach { centre: Vec3::new(x, y, z), radius, half_height: 0.9 };
                for is_plain_player in [false, true] {
                    let expected = plain.iter().enumerate().filter(|(_, (_, bounds, blocks))| {
                        !reach().misses(bounds) && (*blocks || !is_plain_player)
                    });
                    let (search, mut start) = (Search::new(reach()), 0);
                    let found = std::iter::from_fn(|| {
                        let index = list.next_near(&search, start, is_plain_player)?;
                        start = index + 1;
                        Some(index)
                    });
                    prop_assert_eq!(
                        found.collect::<Vec<_>>(),
                        expected.map(|(index, _)| index).collect::<Vec<_>>()
                    );
                }
            }
        }
    }
}
