//! Which entities a tick visits.
//!
//! A visit to an entity that is in no cell, or frozen, changes nothing, and will change nothing until something else
//! changes the entity: it is not updated (rule B3), what others see of it is what it is, and it neither holds anything nor
//! is held. In a client most entities are like that, such as what is in packs and shops. A tick that has found one so
//! leaves it out from then on. Every access that can change an entity makes ticks visit it again, so that the result is
//! the same as if all were visited, to the bit.
//!
//! The set is no state of the world: it is not in snapshots, and a restored world visits all entities at first.

use super::Resident;
use crate::body::{BodyFlags, PhysicsState, TransientState};

/// The number of entities in a word of the set.
pub(super) const WORD: usize = u64::BITS as usize;

/// The entities that ticks visit, by their indices in the list.
#[derive(Clone, Default)]
pub(super) struct AwakeSet {
    words: Vec<u64>,
    /// The entities that were woken since they were last refreshed: what others see of them may differ from what they are.
    changed: Vec<u64>,
}

impl AwakeSet {
    /// Adds an entity that may be changed.
    #[inline]
    pub(super) fn wake(&mut self, index: usize) {
        for words in [&mut self.words, &mut self.changed] {
            if let Some(word) = words.get_mut(index / WORD) {
                *word |= 1 << (index % WORD);
            }
        }
    }

    /// Returns `true` if an entity was woken since this was last called for it.
    #[inline]
    pub(super) fn take_changed(&mut self, index: usize) -> bool {
        let Some(word) = self.changed.get_mut(index / WORD) else { return true };
        let bit = 1 << (index % WORD);
        let was_changed = *word & bit != 0;
        if was_changed {
            *word &= !bit;
        }
        was_changed
    }

    /// Adds the entity at an index that was the length of the list.
    pub(super) fn push(&mut self, index: usize) {
        for words in [&mut self.words, &mut self.changed] {
            words.resize(index / WORD + 1, 0);
        }
        self.wake(index);
    }

    /// Removes an entity.
    pub(super) fn sleep(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / WORD) {
            *word &= !(1 << (index % WORD));
        }
    }

    /// Moves the last entity of the list to the index of one that is removed.
    pub(super) fn swap_remove(&mut self, index: usize, last: usize) {
        let is_awake = self.contains(last);
        self.wake(index);
        if !is_awake {
            self.sleep(index);
        }
        self.sleep(last);
    }

    /// The words of the set, for a tick that visits entities in chunks.
    #[cfg(feature = "parallel")]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the first entity at or after an index.
    #[inline]
    pub(super) fn next(&self, index: usize) -> Option<usize> {
        let first = index / WORD;
        let rest = *self.words.get(first)? & (u64::MAX << (index % WORD));
        if rest != 0 {
            return Some(first * WORD + rest.trailing_zeros() as usize);
        }
        let later = self.words[first + 1..].iter().position(|word| *word != 0)? + first + 1;
        Some(later * WORD + self.words[later].trailing_zeros() as usize)
    }

    /// Returns `true` if an entity is in the set.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.words.get(index / WORD).is_some_and(|word| word >> (index % WORD) & 1 != 0)
    }
}

impl Resident {
    /// Returns `true` if a tick that has just visited the entity need not visit it again until it is changed.
    #[inline]
    pub(super) fn is_dormant(&self) -> bool {
        let body = self.body();
        let is_held_back = !body.is_in_cell() || body.state.contains(PhysicsState::FROZEN);
        is_held_back
            && !body.transient.contains(TransientState::ACTIVE)
            && !body.flags.contains(BodyFlags::HAS_PARENT)
            && !self.has_links()
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, CellPosition, Guid, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::world::{EntitySpec, World};

    #[test]
    fn what_is_stored_is_left_out_until_it_is_changed() {
        let mut world = World::new(Assets::mannequin());
        let sword =
            world.spawn(&EntitySpec::item(Guid(1), mannequin::SWORD_SETUP), 0.0).expect("there is room");
        assert_eq!(world.store.next_awake(0), Some(0), "it is new");
        world.tick(1.0);
        assert_eq!(world.store.next_awake(0), None);
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        assert!(world.drop_at(sword, &position, 0, 1.0).is_ok());
        world.tick(2.0);
        assert_eq!(world.store.next_awake(0), Some(0), "its clock goes on");
        world.pick_up(sword, 2.0);
        assert_eq!(world.store.next_awake(0), Some(0), "it has changed");
        world.tick(3.0);
        assert_eq!(world.store.next_awake(0), None);
    }

    proptest! {
        /// Compares the set with a plain list of yes and no, over pushes, removals, sleeping and waking.
        #[test]
        fn the_set_follows_the_list(edits in proptest::collection::vec((0..5_u8, any::<usize>()), 0..400)) {
            let (mut set, mut plain) = (AwakeSet::default(), Vec::new());
            for (edit, number) in edits {
                let index = if plain.is_empty() { 0 } else { number % plain.len() };
                match edit {
                    0 | 1 => {
                        set.push(plain.len());
                        plain.push(true);
                    }
                    _ if plain.is_empty() => {}
                    2 => {
                        set.swap_remove(index, plain.len() - 1);
                        plain.swap_remove(index);
                    }
                    3 => {
                        set.sleep(index);
                        plain[index] = false;
                    }
                    _ => {
                        set.wake(index);
                        plain[index] = true;
                    }
                }
                let visited = std::iter::successors(set.next(0), |index| set.next(index + 1));
                let expected = plain.iter().enumerate().filter(|(_, awake)| **awake).map(|(index, _)| index);
                prop_assert_eq!(visited.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            }
        }
    }
}
