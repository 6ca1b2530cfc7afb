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
