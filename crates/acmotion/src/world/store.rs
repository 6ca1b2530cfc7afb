//! The entities of a world in one dense list, with handles that stay valid when entities move within it.

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid};
use rustc_hash::FxHashMap;

use super::Resident;
use super::awake::{AwakeSet, Word};
use super::collision_shape::CollisionShape;
use super::grid::Grid;
use super::houses::{HouseGuard, Houses};
use super::obstacles::WorldObstacles;
use super::shadows::Shadows;
use crate::collide::Surroundings;
use crate::entity::SteadyCruise;
use crate::library::Library;
use crate::sequence::Rest;
use crate::steer::{Neighbour, Neighbours};

#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
pub(super) use saved::SavedSlots;

/// A handle to an entity of a world. It never refers to another entity: once its own is removed, it finds nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntityId {
    pub(super) slot: u32,
    generation: u32,
}

impl EntityId {
    /// Returns the slot.
    pub(super) fn slot(self) -> usize {
        self.slot as usize
    }

    /// Returns how many entities had the slot before this one.
    pub(super) fn generation(self) -> u32 {
        self.generation
    }
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot {
    generation: u32,
    /// The index of the slot's entity in the list, `None` if the slot is free.
    index: Option<u32>,
}

/// The entities in one dense list, found by handle or by guid.
#[derive(Clone)]
pub(super) struct Store {
    list: Vec<Resident>,
    free: Vec<u32>,
    others: EntityIndex,
    /// The entities by where they are.
    grid: Grid,
    /// The entities that ticks visit: every access that can change an entity adds it.
    awake: AwakeSet,
    /// The index of the entity that is probably looked for next, `usize::MAX` if none is.
    expected: usize,
}

/// All entities, or some that follow each other in the list, with the sets of those that are awake, rest and cruise.
#[cfg(feature = "parallel")]
pub(super) struct Residents<'a> {
    pub(super) list: &'a mut [Resident],
    pub(super) words: &'a mut [Word],
    pub(super) rests: &'a mut [Rest],
    pub(super) cruises: &'a mut [SteadyCruise],
}

/// What entities see of each other. Kept apart from the entities, so that one can be changed while it sees the others.
#[derive(Clone, Default)]
pub(super) struct EntityIndex {
    slots: Vec<Slot>,
    /// The index of each entity in the list.
    guids: FxHashMap<Guid, u32>,
    /// The entities as others see them, in the order of the list.
    neighbours: Vec<Neighbour>,
    /// The entities as obstacles; empty if entities do not collide.
    pub(super) shadows: Shadows,
    /// The houses, and which players they let in.
    pub(super) houses: Houses,
}

impl EntityIndex {
    /// Returns `true` if there is an entity with this guid.
    pub(super) fn contains(&self, guid: Guid) -> bool {
        self.guids.contains_key(&guid)
    }

    /// The entities as a sweep sees them. `guard` answers for houses before the world does.
    #[inline]
    pub(super) fn obstacles<'a>(&'a self, guard: Option<&'a dyn HouseGuard>) -> WorldObstacles<'a> {
        WorldObstacles { index: self, guard }
    }

    #[inline]
    fn index_of(&self, guid: Guid) -> Option<usize> {
        self.guids.get(&guid).map(|index| *index as usize)
    }

    fn index_of_id(&self, id: EntityId) -> Option<usize> {
        let slot = self.slots.get(id.slot as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        slot.index.map(|index| index as usize)
    }
}

impl Neighbours for EntityIndex {
    fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
        self.neighbours.get(self.index_of(guid)?).copied()
    }
}

impl Default for Store {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            free: Vec::new(),
            others: EntityIndex::default(),
            grid: Grid::default(),
            awake: AwakeSet::default(),
            expected: usize::MAX,
        }
    }
}

impl Store {
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Resident> {
        self.list.iter()
    }

    pub(super) fn get(&self, id: EntityId) -> Option<&Resident> {
        self.list.get(self.others.index_of_id(id)?)
    }

    pub(super) fn get_mut(&mut self, id: EntityId) -> Option<&mut Resident> {
        let index = self.others.index_of_id(id)?;
        self.at_mut(index)
    }

    pub(super) fn find(&self, guid: Guid) -> Option<&Resident> {
        self.list.get(self.index_of(guid)?)
    }

    #[inline]
    pub(super) fn find_mut(&mut self, guid: Guid) -> Option<&mut Resident> {
        let index = self.index_of(guid)?;
        self.at_mut(index)
    }

    /// All entities, and what they see of each other, for a tick. [`refresh`](Self::refresh) every entity that is changed.
    #[cfg(feature = "parallel")]
    pub(super) fn list_mut(&mut self) -> (Residents<'_>, &EntityIndex) {
        let (words, rests, cruises) = self.awake.parts_mut();
        (Residents { list: &mut self.list, words, rests, cruises }, &self.others)
    }

    /// All entities, what others see of each, and where they are listed, for a tick in which no entity looks at another.
    #[cfg(feature = "parallel")]
    pub(super) fn parts_mut(&mut self) -> (Residents<'_>, &mut [Neighbour], &Grid) {
        let (words, rests, cruises) = self.awake.parts_mut();
        let residents = Residents { list: &mut self.list, words, rests, cruises };
        (residents, &mut self.others.neighbours, &self.grid)
    }

    /// Calls `found` with the index of every entity that anything but ticks may have changed since the last call.
    #[cfg(feature = "parallel")]
    pub(super) fn take_woken(&mut self, mut found: impl FnMut(usize, &Resident)) {
        self.awake.take_woken(|index| {
            if let Some(resident) = self.list.get(index) {
                found(index, resident);
            }
        });
    }

    /// Returns `true` if a tick has to visit the entity at an index.
    #[cfg(feature = "parallel")]
    pub(super) fn is_awake(&self, index: usize) -> bool {
        self.awake.contains(index)
    }

    /// The number of entities.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The index of an entity in the list. Valid until an entity is added or removed.
    #[inline]
    pub(super) fn index_of(&self, guid: Guid) -> Option<usize> {
        let is_expected = self.list.get(self.expected).is_some_and(|resident| resident.guid() == guid);
        if is_expected { Some(self.expected) } else { self.others.index_of(guid) }
    }

    /// Makes the next look-ups of an entity quicker, if it is the one at this index.
    #[inline]
    pub(super) fn expect(&mut self, index: Option<usize>) {
        self.expected = index.unwrap_or(usize::MAX);
    }

    #[inline]
    pub(super) fn at(&self, index: usize) -> Option<&Resident> {
        self.list.get(index)
    }

    #[inline]
    pub(super) fn at_mut(&mut self, index: usize) -> Option<&mut Resident> {
        self.awake.wake(index);
        self.list.get_mut(index)
    }

    /// The entity at an index, and what it sees of the others.
    #[inline]
    pub(super) fn split(&mut self, index: usize) -> Option<(&mut Resident, &EntityIndex)> {
        self.awake.wake(index);
        Some((self.list.get_mut(index)?, &self.others))
    }

    /// Like [`at_mut`](Self::at_mut), for an entity that the same message has woken already.
    #[inline]
    pub(super) fn woken_mut(&mut self, index: usize) -> Option<&mut Resident> {
        self.list.get_mut(index)
    }

    /// Like [`split`](Self::split), for a tick that visits an entity because it is awake.
    #[inline]
    pub(super) fn visit(&mut self, index: usize) -> Option<(&mut Resident, &EntityIndex)> {
        Some((self.list.get_mut(index)?, &self.others))
    }

    /// Which of the entities in a word of the list ticks visit, and which of them rest.
    #[inline]
    pub(super) fn awake_word(&self, number: usize) -> Word {
        self.awake.word(number)
    }

    /// The entity at an index that is among those that [rest](Word::resting), and how it does.
    #[inline]
    pub(super) fn resting_mut(&mut self, index: usize) -> Option<(&mut Resident, &Rest)> {
        Some((self.list.get_mut(index)?, self.awake.rest(index)?))
    }

    /// Keeps how the entity at an index rests, until something changes it or its rest ends.
    #[inline]
    pub(super) fn begin_rest(&mut self, index: usize, rest: Rest) {
        self.awake.begin_rest(index, rest);
    }

    /// Forgets how the entity at an index rests or cruises.
    #[inline]
    pub(super) fn forget(&mut self, index: usize) {
        self.awake.forget(index);
    }

    /// Advances the entity at an index to now, which is among those that [cruise](Word::cruising), and updates what others
    /// see of it. Returns `false`, with nothing done, if the step may do more than to move it straight ahead.
    #[inline(never)]
    pub(super) fn cruise_steadily(
        &mut self,
        index: usize,
        library: &Library,
        player: Option<&CellPosition>,
        now: f64,
    ) -> bool {
        let parts =
            (self.list.get_mut(index), self.awake.cruise(index), self.others.neighbours.get_mut(index));
        let (Some(resident), Some(kept), Some(seen)) = parts else { return false };
        let cruises = resident.cruise_steadily(kept, library, player, now);
        if cruises {
            // Number by number, as they were written: to read them in one piece would have to wait for the writes.
            let own = resident.body().position.frame;
            (seen.position.frame.origin.x, seen.position.frame.origin.y) = (own.origin.x, own.origin.y);
            if !kept.is_settled() {
                seen.position.frame.rotation = own.rotation;
            }
        }
        cruises
    }

    /// The entity at an index that is among those that [cruise](Word::cruising), and how it does.
    #[inline]
    pub(super) fn cruising_mut(&mut self, index: usize) -> Option<(&mut Resident, &mut SteadyCruise)> {
        Some((self.list.get_mut(index)?, self.awake.cruise(index)?))
    }

    /// Keeps how the entity at an index cruises, until something changes it or its cruise ends.
    #[inline]
    pub(super) fn begin_cruise(&mut self, index: usize, cruise: SteadyCruise) {
        self.awake.begin_cruise(index, cruise);
    }

    /// Lets ticks leave out the entity at an index, which one has just visited, until it is changed, if it is dormant.
    #[inline]
    pub(super) fn sleep_if_dormant(&mut self, index: usize) {
        if self.list.get(index).is_some_and(Resident::is_dormant) {
            self.awake.sleep(index);
        }
    }

    /// Updates what the other entities see of the one at an index.
    #[inline]
    pub(super) fn refresh(&mut self, index: usize) {
        if let (Some(resident), Some(seen)) = (self.list.get(index), self.others.neighbours.get_mut(index)) {
            *seen = resident.as_neighbour();
            let body = resident.body();
            self.grid.update(resident.id().slot, body.is_in_cell().then_some(&body.position));
        }
    }

    /// Does what [`refresh`](Self::refresh) does after nothing but the position of the entity has changed.
    #[inline]
    pub(super) fn refresh_position(&mut self, index: usize) {
        if let (Some(resident), Some(seen)) = (self.list.get(index), self.others.neighbours.get_mut(index)) {
            let body = resident.body();
            seen.position = body.position;
            self.grid.update(resident.id().slot, body.is_in_cell().then_some(&body.position));
        }
    }

    /// Iterates over the entities that may be within a distance of a position, and perhaps others.
    pub(super) fn near(&self, position: &CellPosition, distance: f32) -> impl Iterator<Item = &Resident> {
        let area = Grid::area(position, distance, self.list.len());
        let listed = area.into_iter().flat_map(|area| self.grid.slots_in(area)).filter_map(|slot| {
            let index = self.others.slots.get(slot as usize)?.index?;
            self.list.get(index as usize)
        });
        // Around a large area it is quicker to look at all of them.
        let all: &[Resident] = if area.is_some() { &[] } else { &self.list };
        listed.chain(all)
    }

    /// The entities as obstacles.
    pub(super) fn shadows(&self) -> &Shadows {
        &self.others.shadows
    }

    /// The entities as a sweep sees them. `guard` answers for houses before the world does.
    pub(super) fn obstacles<'a>(&'a self, guard: Option<&'a dyn HouseGuard>) -> WorldObstacles<'a> {
        self.others.obstacles(guard)
    }

    /// What is known about houses.
    pub(super) fn houses(&self) -> &Houses {
        &self.others.houses
    }

    /// What is known about houses, to be changed.
    pub(super) fn houses_mut(&mut self) -> &mut Houses {
        &mut self.others.houses
    }

    /// Removes all obstacles.
    pub(super) fn clear_shadows(&mut self) {
        self.others.shadows = Shadows::default();
    }

    /// Makes an entity an obstacle to others.
    pub(super) fn add_shadow(&mut self, id: EntityId, shape: Arc<CollisionShape>) {
        self.others.shadows.add(id.slot, shape);
    }

    /// Updates the entity at an index as an obstacle.
    pub(super) fn refresh_shadow(
        &mut self,
        index: usize,
        library: &Library,
        surroundings: &dyn Surroundings,
    ) {
        if let Some(resident) = self.list.get(index) {
            self.others.shadows.refresh(resident.id().slot, resident, library, surroundings);
        }
    }

    /// Reserves memory for some more entities.
    pub(super) fn reserve(&mut self, entities: usize) {
        self.list.reserve_exact(entities);
        self.awake.reserve(entities);
        let EntityIndex { slots, guids, neighbours, .. } = &mut self.others;
        slots.reserve_exact(entities.saturating_sub(self.free.len()));
        guids.reserve(entities);
        neighbours.reserve_exact(entities);
    }

    /// Adds an entity at the end of the list. Removes and returns an earlier one with the same guid.
    pub(super) fn insert(&mut self, make: impl FnOnce(EntityId) -> Resident) -> (EntityId, Option<Resident>) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.others.slots.push(Slot { generation: 0, index: None });
            self.others.slots.len() as u32 - 1
        });
        let id = EntityId { slot, generation: self.others.slots[slot as usize].generation };
        let resident = make(id);
        let replaced = self.remove(resident.guid());
        let index = self.list.len() as u32;
        self.others.slots[slot as usize].index = Some(index);
        self.others.guids.insert(resident.guid(), index);
        self.others.neighbours.push(resident.as_neighbour());
        self.awake.push(self.list.len());
        self.list.push(resident);
        self.refresh(self.list.len() - 1);
        (id, replaced)
    }

    /// Removes an entity. The last one of the list moves to its index.
    pub(super) fn remove(&mut self, guid: Guid) -> Option<Resident> {
        let index = self.others.guids.remove(&guid)? as usize;
        let slot = self.list.get(index)?.id().slot;
        let freed = &mut self.others.slots[slot as usize];
        *freed = Slot { generation: freed.generation.wrapping_add(1), index: None };
        self.free.push(slot);
        self.others.shadows.unlist(slot);
        self.grid.unlist(slot);
        self.others.houses.forget(guid);
        self.awake.swap_remove(index, self.list.len() - 1);
        let removed = self.list.swap_remove(index);
        self.others.neighbours.swap_remove(index);
        if let Some(moved) = self.list.get(index) {
            self.others.slots[moved.id().slot as usize].index = Some(index as u32);
            self.others.guids.insert(moved.guid(), index as u32);
        }
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_types::{CellId, Vec3};

    use super::*;
    use crate::world::{EntitySpec, World};

    fn at(x: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 12.0, 94.0))
    }

    /// Four entities, 5 m apart.
    fn world() -> World {
        let mut world = World::new(Assets::mannequin());
        for number in 1..=4_u8 {
            let spec = EntitySpec::new(Guid(number.into()), at(5.0 * f32::from(number)));
            world.spawn(&spec, 0.0).expect("there is room");
        }
        world
    }

    fn guids(store: &Store) -> Vec<u32> {
        store.iter().map(|resident| resident.guid().0).collect()
    }

    /// The last entity takes the place of one that is removed; handles, guids and what others see still lead to it.
    #[test]
    fn a_removed_entity_leaves_no_trace_in_the_lists() {
        let mut world = world();
        let (second, last) =
            (world.id_of(Guid(2)).expect("it exists"), world.id_of(Guid(4)).expect("it exists"));
        let store = &mut world.store;
        let removed = store.remove(Guid(2)).expect("it exists");
        assert_eq!(removed.id(), second);
        assert!(store.remove(Guid(2)).is_none(), "only once");
        assert_eq!(guids(store), [1, 4, 3]);
        assert_eq!(store.index_of(Guid(4)), Some(1));
        assert_eq!(store.get(last).map(Resident::guid), Some(Guid(4)));
        assert!(store.get(second).is_none() && store.index_of(Guid(2)).is_none());
        let seen = store.others.neighbour(Guid(4)).expect("others see it");
        assert_eq!(seen.position, store.list[1].position());
        assert!(!store.grid.needs_update(second.slot, None), "it is listed nowhere");
        let near = |store: &Store, x: f32| {
            store.near(&at(x), 1.0).filter(|found| found.position().distance_to(&at(x)) < 1.0).count()
        };
        assert_eq!((near(store, 10.0), near(store, 20.0)), (0, 1));
        // The slot is used again, with another generation.
        let (third, replaced) = store.insert(|id| Resident { id, ..removed.clone() });
        assert_eq!(
            (third.slot, third.generation, replaced.is_none()),
            (second.slot, second.generation + 1, true)
        );
        assert_eq!(guids(store), [1, 4, 3, 2]);
        let (fourth, replaced) = store.insert(|id| Resident { id, ..removed.clone() });
        assert_eq!(replaced.map(|replaced| replaced.id()), Some(third), "one of the same guid goes first");
        assert_eq!(fourth.slot, 4, "a slot of its own");
        assert_eq!(guids(store), [1, 4, 3, 2]);
        assert!(store.get(third).is_none() && store.get(fourth).is_some());
    }

    /// A guess at what is looked for next changes nothing but the time that it takes.
    #[test]
    fn a_wrong_guess_is_not_believed() {
        let mut world = world();
        let store = &mut world.store;
        for expected in [Some(0), Some(2), Some(99), None] {
            store.expect(expected);
            for (index, number) in (0..).zip(1..=4) {
                assert_eq!(store.index_of(Guid(number)), Some(index), "expected {expected:?}");
                assert!(store.find(Guid(number)).is_some_and(|found| found.guid() == Guid(number)));
            }
            assert_eq!(store.index_of(Guid(9)), None, "expected {expected:?}");
        }
    }

    /// Others see an entity where it is once it is refreshed, with its size and its holder, or its position alone.
    #[test]
    fn others_see_what_was_refreshed() {
        let mut world = world();
        let store = &mut world.store;
        store.list[1].entity.body.position = at(80.0);
        store.list[1].entity.body.scale = 2.0;
        let seen = |store: &Store| store.others.neighbour(Guid(2)).expect("others see it");
        let before = seen(store);
        assert!(before.position.distance_to(&at(10.0)) < 0.01, "where it was");
        store.refresh_position(1);
        assert_eq!((seen(store).position, seen(store).size), (at(80.0), before.size));
        let found = store.near(&at(80.0), 1.0).any(|found| found.guid() == Guid(2));
        assert!(found, "and it is found there");
        store.list[1].entity.body.position = at(130.0);
        store.refresh(1);
        assert_eq!(seen(store).position, at(130.0));
        assert!((seen(store).size.radius - 2.0 * before.size.radius).abs() < 1e-6);
        assert!(store.near(&at(130.0), 1.0).any(|found| found.guid() == Guid(2)));
        store.list[1].entity.body.flags.remove(crate::body::BodyFlags::IN_CELL);
        store.refresh(1);
        assert!(!store.grid.needs_update(store.list[1].id().slot, None), "in no cell it is listed nowhere");
        store.list[1].entity.body.flags.insert(crate::body::BodyFlags::IN_CELL);
        store.refresh_position(1);
        assert!(store.grid.needs_update(store.list[1].id().slot, None));
    }

    /// Around a large area all are looked at, each once.
    #[test]
    fn a_large_area_is_looked_at_as_a_whole() {
        let world = world();
        assert_eq!(world.store.near(&at(12.0), 1e6).count(), 4);
        assert!(world.store.near(&at(12.0), 1.0).count() <= 4);
        assert_eq!(world.store.near(&at(190.0), 1.0).count(), 0);
    }
}
