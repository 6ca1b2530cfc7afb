//! The entities listed in one cell, in the order of the list (`docs/collision.md` 8.1), and a quick search among them.
//!
//! The order decides what a body hits first, so the search must keep it. It therefore works with sets of indices of the
//! list, as bits, which are found in ascending order. Every entity found is compared with the body's exact reach, as a
//! search through the whole list would do.
//!
//! In a short list the circles of all entities are compared with that of the body, several at a time. In a
//! [long one](strips) sets that are kept for the purpose leave out most of them.

mod strips;

use super::{Bounds, MapReach};
use strips::{StripIndex, Strips};

/// The number of entities in a chunk.
const CHUNK: usize = u64::BITS as usize;
/// The number of entities in a lane of circles.
const LANE: usize = 8;
/// The number of entities from which on a list is long, and up to which a long one becomes short again.
const LONG: usize = CHUNK + 1;
const SHORT: usize = CHUNK / 2;

/// Where a body looks for entities: its reach, and the strips of it.
pub(super) struct Search {
    reach: MapReach,
    strips: Option<Strips>,
}

impl Search {
    pub(super) fn new(reach: MapReach) -> Self {
        Self { reach, strips: None }
    }
}

/// The circles of entities that follow each other in the list. Those behind its end are left over.
#[derive(Clone, Default)]
struct Circles {
    x: [f32; LANE],
    y: [f32; LANE],
    radius: [f32; LANE],
}

impl Circles {
    fn set(&mut self, lane: usize, bounds: &Bounds) {
        (self.x[lane], self.y[lane], self.radius[lane]) = (bounds.x, bounds.y, bounds.radius);
    }

    /// Returns those that the circle of a reach meets, as bits, and perhaps others. A number that is NaN meets everything,
    /// as in [`MapReach::misses`].
    #[inline]
    fn near(&self, reach: &MapReach) -> u8 {
        let mut near = [0_u8; LANE];
        for (lane, near) in near.iter_mut().enumerate() {
            let (east, north) = (self.x[lane] - reach.centre.x, self.y[lane] - reach.centre.y);
            let apart = self.radius[lane] + reach.radius;
            let is_missed = east * east + north * north > apart * apart;
            *near = u8::from(!is_missed);
        }
        // Moves the lowest bit of each byte into the highest byte.
        (u64::from_le_bytes(near).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }
}

/// The entities listed in one cell.
#[derive(Clone, Default)]
pub(super) struct CellList {
    slots: Vec<u32>,
    /// The bounds of each, in the order of `slots`.
    bounds: Vec<Bounds>,
    /// The circles of each eight of them. There may be more, which are left over.
    circles: Vec<Circles>,
    /// Those that a plain player does not pass through in any case, as bits. There may be more words, which are 0.
    blocking: Vec<u64>,
    /// The sets of a long list, `None` in a short one. Boxed, because few are long.
    index: Option<Box<StripIndex>>,
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
        self.slots.push(slot);
        self.bounds.push(bounds);
        if self.circles.len() * LANE <= index {
            self.circles.push(Circles::default());
        }
        if self.blocking.len() * CHUNK <= index {
            self.blocking.push(0);
        }
        self.circles[index / LANE].set(index % LANE, &bounds);
        self.set_blocking(index, blocks_players);
        match &mut self.index {
            Some(sets) => sets.push(&bounds),
            None if self.slots.len() >= LONG => self.index = Some(Box::new(self.bounds.iter().collect())),
            None => {}
        }
    }

    /// Removes an entity; the last one moves to its index (`docs/collision.md` 8.1).
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(index) = self.index_of(slot) else { return };
        let last = self.slots.len() - 1;
        if index != last {
            self.circles[index / LANE].set(index % LANE, &self.bounds[last]);
            self.set_blocking(index, self.is_blocking(last));
        }
        self.set_blocking(last, false);
        self.slots.swap_remove(index);
        self.bounds.swap_remove(index);
        self.next_removed = index + 1;
        if let Some(sets) = &mut self.index {
            sets.swap_remove(index);
            if last <= SHORT {
                self.index = None;
            }
        }
    }

    /// Removes an entity and adds it at the end of the list again, with other bounds.
    pub(super) fn relist(&mut self, slot: u32, bounds: Bounds, blocks_players: bool) {
        self.remove(slot);
        self.push(slot, bounds, blocks_players);
    }

    /// Sets whether an entity blocks plain players.
    pub(super) fn set_blocks_players(&mut self, slot: u32, blocks_players: bool) {
        if let Some(index) = self.index_of(slot) {
            self.set_blocking(index, blocks_players);
        }
    }

    fn set_blocking(&mut self, index: usize, blocks_players: bool) {
        let (word, bit) = (&mut self.blocking[index / CHUNK], bit_of(index));
        *word = if blocks_players { *word | bit } else { *word & !bit };
    }

    fn is_blocking(&self, index: usize) -> bool {
        self.blocking[index / CHUNK] & bit_of(index) != 0
    }

    fn index_of(&self, slot: u32) -> Option<usize> {
        let guess = self.next_removed.min(self.slots.len());
        let (before, after) = self.slots.split_at(guess);
        let find = |slots: &[u32]| slots.iter().position(|listed| *listed == slot);
        find(after).map(|index| guess + index).or_else(|| find(before))
    }

    /// Returns the index of the first entity from `start` on whose bounds are not out of reach; for a plain player those that
    /// it passes through are left out.
    pub(super) fn next_near(
        &self,
        search: &mut Search,
        start: usize,
        is_plain_player: bool,
    ) -> Option<usize> {
        let count = self.slots.len().div_ceil(CHUNK);
        let mut from_start = u64::MAX << (start % CHUNK);
        for chunk in start / CHUNK..count {
            let counted = if is_plain_player { self.blocking[chunk] } else { u64::MAX };
            let mut found = self.near_in(chunk, search) & counted & from_start;
            while found != 0 {
                let index = chunk * CHUNK + found.trailing_zeros() as usize;
                if !search.reach.misses(&self.bounds[index]) {
                    return Some(index);
                }
                found &= found - 1;
            }
            from_start = u64::MAX;
        }
        None
    }

    /// Returns the entities of a chunk that may be near, as bits.
    #[inline]
    fn near_in(&self, chunk: usize, search: &mut Search) -> u64 {
        if let Some(sets) = &self.index {
            let strips = search.strips.get_or_insert_with(|| Strips::of_reach(&search.reach));
            return sets.reaching(chunk, *strips);
        }
        let left = self.slots.len() - chunk * CHUNK;
        let lanes = self.circles[chunk * CHUNK / LANE..].iter().take(left.div_ceil(LANE));
        let near = lanes
            .enumerate()
            .fold(0, |near, (lane, circles)| near | u64::from(circles.near(&search.reach)) << (lane * LANE));
        // Without those that are left over.
        near & u64::MAX >> (CHUNK - left.min(CHUNK))
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
            mut changes in prop::collection::vec(change(), 1..400),
            removed in prop::collection::vec(0..150u32, 0..200),
            reaches in prop::collection::vec((coordinate(), coordinate(), radius(), -1.0..4.0f32), 1..8),
        ) {
            let (mut list, mut plain) = (CellList::default(), Vec::<(u32, Bounds, bool)>::new());
            // Most lists become long, and some short again.
            changes.extend(removed.into_iter().map(Change::Remove));
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
                        list.relist(slot, bounds, blocks);
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
                    let (mut search, mut start) = (Search::new(reach()), 0);
                    let found = std::iter::from_fn(|| {
                        let index = list.next_near(&mut search, start, is_plain_player)?;
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
