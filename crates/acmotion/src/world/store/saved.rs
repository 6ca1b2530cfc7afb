//! The entity store in a snapshot.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::super::grid::SavedGrid;
use super::{EntityIndex, Grid, Resident, Shadows, Slot, Store};
use crate::restore::{Checked, require};
use crate::steer::Neighbour;

/// The slots of a store: with the handles of the entities, enough to rebuild it.
#[derive(Serialize, Deserialize)]
pub(in crate::world) struct SavedSlots<'a> {
    /// The generation of each slot.
    generations: Vec<u32>,
    /// The free slots; the last one is used first.
    free: Cow<'a, [u32]>,
    grid: SavedGrid,
}

impl Store {
    pub(in crate::world) fn saved_slots(&self) -> SavedSlots<'_> {
        let generations = self.others.slots.iter().map(|slot| slot.generation).collect();
        SavedSlots { generations, free: Cow::Borrowed(&self.free), grid: self.grid.saved() }
    }

    /// What others see of the entity at an index, if that is not what it is by now.
    pub(in crate::world) fn outdated_neighbour(&self, index: usize) -> Option<Neighbour> {
        let seen = *self.others.neighbours.get(index)?;
        (seen != self.list.get(index)?.as_neighbour()).then_some(seen)
    }

    /// Rebuilds a store from its slots and entities, each with what others see of it if that is outdated.
    pub(in crate::world) fn restore(
        saved: SavedSlots<'_>,
        entities: Vec<(Resident, Option<Neighbour>)>,
    ) -> Result<Self, &'static str> {
        let grid = Grid::restore(saved.grid, saved.generations.len())?;
        let slots =
            saved.generations.into_iter().map(|generation| Slot { generation, index: None }).collect();
        let others = EntityIndex { slots, ..EntityIndex::default() };
        let mut store = Self {
            list: Vec::with_capacity(entities.len()),
            free: saved.free.into_owned(),
            others,
            grid,
            ..Self::default()
        };
        for (resident, neighbour) in entities {
            store.restore_entity(resident, neighbour)?;
        }
        store.check_free()?;
        Ok(store)
    }

    fn restore_entity(&mut self, resident: Resident, neighbour: Option<Neighbour>) -> Checked {
        let id = resident.id();
        let slot = self.others.slots.get_mut(id.slot as usize).ok_or("an entity without a slot")?;
        require(
            slot.generation == id.generation && slot.index.is_none(),
            "an entity in the slot of another",
        )?;
        let index = self.list.len() as u32;
        slot.index = Some(index);
        let earlier = self.others.guids.insert(resident.guid(), index);
        require(earlier.is_none(), "two entities of the same guid")?;
        self.others.neighbours.push(neighbour.unwrap_or_else(|| resident.as_neighbour()));
        self.awake.push(self.list.len());
        self.list.push(resident);
        Ok(())
    }

    /// Checks that the free slots are those without an entity, each once.
    fn check_free(&self) -> Checked {
        let mut is_listed = vec![false; self.others.slots.len()];
        for slot in &self.free {
            let is_free = self.others.slots.get(*slot as usize).is_some_and(|slot| slot.index.is_none());
            require(is_free && !is_listed[*slot as usize], "a free slot that is not free")?;
            is_listed[*slot as usize] = true;
        }
        require(self.free.len() + self.list.len() == self.others.slots.len(), "a slot that is lost")
    }

    pub(in crate::world) fn shadows_mut(&mut self) -> (&[Resident], &mut Shadows) {
        (&self.list, &mut self.others.shadows)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_types::{CellId, CellPosition, Guid, Vec3};

    use super::super::EntityId;
    use super::*;
    use crate::world::{EntitySpec, World};

    /// Three entities; the slot of a fourth is free.
    fn store() -> Store {
        let mut world = World::new(Assets::mannequin());
        for number in 1..=4_u8 {
            let origin = Vec3::new(12.0 * f32::from(number), 12.0, 94.0);
            let position = CellPosition::at(CellId(0xA9B4_0001), origin);
            world.spawn(&EntitySpec::new(Guid(number.into()), position), 0.0).expect("there is room");
        }
        world.despawn(world.id_of(Guid(2)).expect("it exists"), 0.0);
        world.store
    }

    type Entities = Vec<(Resident, Option<Neighbour>)>;

    /// Restores what was saved of a store, after a change.
    fn restored(
        change: impl FnOnce(&mut Vec<u32>, &mut Vec<u32>, &mut Entities),
    ) -> Result<Store, &'static str> {
        let store = store();
        let SavedSlots { mut generations, free, grid } = store.saved_slots();
        let mut free = free.into_owned();
        let mut entities: Entities = store.iter().map(|resident| (resident.clone(), None)).collect();
        change(&mut generations, &mut free, &mut entities);
        Store::restore(SavedSlots { generations, free: Cow::Owned(free), grid }, entities)
    }

    fn is_refused(change: impl FnOnce(&mut Vec<u32>, &mut Vec<u32>, &mut Entities)) -> bool {
        restored(change).is_err()
    }

    #[test]
    fn a_store_comes_back_with_its_slots() {
        let (original, restored) = (store(), restored(|_, _, _| {}).expect("nothing was changed"));
        let handles = |store: &Store| store.iter().map(Resident::id).collect::<Vec<EntityId>>();
        assert_eq!(handles(&restored), handles(&original));
        assert_eq!((&restored.free, restored.free.len()), (&original.free, 1));
        for guid in [1, 3, 4].map(Guid) {
            assert_eq!(restored.index_of(guid), original.index_of(guid));
            let index = restored.index_of(guid).expect("it exists");
            assert_eq!(restored.outdated_neighbour(index), None);
            assert!(restored.awake.contains(index), "a restored world visits all");
        }
    }

    #[test]
    fn slots_that_contradict_their_entities_are_refused() {
        assert!(is_refused(|generations, _, _| generations[0] += 1), "of another generation");
        assert!(is_refused(|_, _, entities| entities[1].0.id = entities[0].0.id), "two in a slot");
        assert!(is_refused(|_, _, entities| entities[0].0.entity.guid = Guid(3)), "two of a guid");
        assert!(is_refused(|_, _, entities| entities[0].0.id.slot = 9), "without a slot");
        assert!(is_refused(|_, free, _| free[0] = 0), "a free slot that is used");
        assert!(is_refused(|_, free, _| free.push(1)), "a free slot twice");
        assert!(is_refused(|_, free, _| free.push(9)), "a free slot that does not exist");
        assert!(is_refused(|_, free, _| free.clear()), "a slot that is lost");
        assert!(is_refused(|_, _, entities| drop(entities.pop())), "an entity that is lost");
    }

    /// What others see of an entity is kept if the entity has changed since.
    #[test]
    fn what_others_see_is_kept_if_it_is_outdated() {
        let mut store = store();
        assert_eq!(store.outdated_neighbour(1), None);
        let seen = store.others.neighbours[1];
        store.list[1].entity.body.position.frame.origin.z += 1.0;
        assert_eq!(store.outdated_neighbour(1), Some(seen));
        assert_eq!(store.outdated_neighbour(9), None);
        let restored = restored(|_, _, entities| {
            entities[1].0.entity.body.position.frame.origin.z += 1.0;
            entities[1].1 = Some(seen);
        });
        assert_eq!(restored.expect("a valid store").others.neighbours[1], seen);
    }
}
