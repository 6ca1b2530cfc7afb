//! The entities listed in one cell, in the order of the list (`docs/collision.md` 8.1), and a quick search among them.
//!
//! The order decides what a body hits first, so the search must keep it. It therefore works with sets of indices of the
//! list, as bits, which are found in ascending order. Every entity found is compared with the body's exact reach, as a
//! search through the whole list would do. How the sets are found depends on the [length](Finder) of the list.

mod circles;
mod strips;

use std::ops::ControlFlow;

use super::{Bounds, MapReach};
use circles::Circles;
use strips::{StripIndex, Strips};

/// The number of entities in a set.
const CHUNK: usize = u64::BITS as usize;
/// The number of entities up to which a long list becomes short again.
const SHORT: usize = CHUNK / 2;

/// Where a body looks for entities.
pub(super) struct Search {
    reach: MapReach,
    /// The strips of the reach, once they are needed.
    strips: Option<Strips>,
}

impl Search {
    pub(super) fn new(reach: MapReach) -> Self {
        Self { reach, strips: None }
    }
}

/// What finds the entities near a body. To change it costs the least for short lists, the search for long ones.
#[derive(Clone)]
enum Finder {
    /// For lists of up to 64 entities.
    Circles(Box<Circles>),
    /// For longer ones.
    Strips(Box<StripIndex>),
}

/// The entities listed in one cell.
#[derive(Clone)]
pub(super) struct CellList {
    slots: Vec<u32>,
    /// The bounds of each, in the order of `slots`.
    bounds: Vec<Bounds>,
    /// Those that a plain player does not pass through in any case, as sets. There may be more sets, which are empty.
    blocking: Vec<u64>,
    finder: Finder,
    /// The index behind the one that was last removed. Bodies move in the same order in every tick, so that the next one to
    /// be removed is mostly there.
    next_removed: usize,
}

impl Default for CellList {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            bounds: Vec::new(),
            blocking: Vec::new(),
            finder: Finder::Circles(Box::default()),
            next_removed: 0,
        }
    }
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
    #[inline]
    pub(super) fn push(&mut self, slot: u32, bounds: Bounds, blocks_players: bool) {
        let index = self.slots.len();
        self.slots.push(slot);
        self.bounds.push(bounds);
        if self.blocking.len() * CHUNK <= index {
            self.blocking.push(0);
        }
        self.set_blocking(index, blocks_players);
        match &mut self.finder {
            Finder::Circles(circles) if index < CHUNK => circles.set(index, &bounds),
            Finder::Circles(_) => self.finder = Finder::Strips(Box::new(self.bounds.iter().collect())),
            Finder::Strips(strips) => strips.push(&bounds),
        }
    }

    /// Removes an entity; the last one moves to its index (`docs/collision.md` 8.1).
    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(index) = self.index_of(slot) else { return };
        let last = self.slots.len() - 1;
        self.set_blocking(index, self.is_blocking(last));
        self.set_blocking(last, false);
        self.slots.swap_remove(index);
        self.bounds.swap_remove(index);
        self.next_removed = index + 1;
        match &mut self.finder {
            Finder::Circles(circles) => {
                if let Some(moved) = self.bounds.get(index) {
                    circles.set(index, moved);
                }
            }
            Finder::Strips(_) if last <= SHORT => self.shorten(),
            Finder::Strips(strips) => strips.swap_remove(index),
        }
    }

    /// Changes to the search in a short list.
    #[cold]
    fn shorten(&mut self) {
        let mut circles = Box::<Circles>::default();
        self.bounds.iter().enumerate().for_each(|(index, bounds)| circles.set(index, bounds));
        self.finder = Finder::Circles(circles);
    }

    /// Sets whether an entity blocks plain players.
    pub(super) fn set_blocks_players(&mut self, slot: u32, blocks_players: bool) {
        if let Some(index) = self.index_of(slot) {
            self.set_blocking(index, blocks_players);
        }
    }

    #[inline]
    fn set_blocking(&mut self, index: usize, blocks_players: bool) {
        let set = &mut self.blocking[index / CHUNK];
        *set = *set & !bit_of(index) | u64::from(blocks_players) << (index % CHUNK);
    }

    #[inline]
    fn is_blocking(&self, index: usize) -> bool {
        self.blocking[index / CHUNK] & bit_of(index) != 0
    }

    #[inline]
    fn index_of(&self, slot: u32) -> Option<usize> {
        if self.slots.get(self.next_removed) == Some(&slot) {
            return Some(self.next_removed);
        }
        let guess = self.next_removed.min(self.slots.len());
        let (before, after) = self.slots.split_at(guess);
        find(after, slot).map(|index| guess + index).or_else(|| find(before, slot))
    }

    /// Visits the entities whose bounds are not out of reach, in order, by their indices; for a plain player those that it
    /// passes through are left out. The visitor may end the search, or change it for those that follow.
    pub(super) fn visit_near(
        &self,
        mut search: Search,
        is_plain_player: bool,
        mut visit: impl FnMut(usize) -> ControlFlow<(), Option<Search>>,
    ) {
        for chunk in 0..self.slots.len().div_ceil(CHUNK) {
            let counted = if is_plain_player { self.blocking[chunk] } else { u64::MAX };
            let mut found = self.near_in(chunk, &mut search) & counted;
            while found != 0 {
                let bit = found.trailing_zeros();
                found &= found - 1;
                let index = chunk * CHUNK + bit as usize;
                if search.reach.misses(&self.bounds[index]) {
                    continue;
                }
                match visit(index) {
                    ControlFlow::Break(()) => return,
                    ControlFlow::Continue(None) => {}
                    ControlFlow::Continue(Some(changed)) => {
                        search = changed;
                        let following = u64::MAX << bit << 1;
                        found = self.near_in(chunk, &mut search) & counted & following;
                    }
                }
            }
        }
    }

    /// Returns the entities of a set that may be near.
    #[inline]
    fn near_in(&self, chunk: usize, search: &mut Search) -> u64 {
        match &self.finder {
            Finder::Circles(circles) => circles.near(&search.reach, self.slots.len()),
            Finder::Strips(index) => {
                let strips = search.strips.get_or_insert_with(|| Strips::of_reach(&search.reach));
                index.reaching(chunk, *strips)
            }
        }
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

/// Returns the index of the first of equal numbers. Looks at several at a time, because lists can be long.
fn find(slots: &[u32], slot: u32) -> Option<usize> {
    const GROUP: usize = 16;
    let is_in = |group: &[u32; GROUP]| group.iter().fold(false, |found, listed| found | (*listed == slot));
    let (groups, rest) = slots.as_chunks::<GROUP>();
    let start = groups.iter().position(is_in).map_or(slots.len() - rest.len(), |group| group * GROUP);
    slots[start..].iter().position(|listed| *listed == slot).map(|index| start + index)
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
                    let mut found = Vec::new();
                    list.visit_near(Search::new(reach()), is_plain_player, |index| {
                        found.push(index);
                        // The same search begun again goes on where it was.
                        ControlFlow::Continue((index % 3 == 0).then(|| Search::new(reach())))
                    });
                    prop_assert_eq!(
                        found,
                        expected.map(|(index, _)| index).collect::<Vec<_>>()
                    );
                }
            }
        }
    }
}
