//! Entities side by side, with handles that outlive their moving about.

use std::sync::Arc;

use acmotion_types::Guid;
use rustc_hash::FxHashMap;

use super::Resident;
use super::collision_shape::CollisionShape;
#[cfg(feature = "parallel")]
use super::shadows::Bounds;
use super::shadows::Shadows;
use crate::body::Surroundings;
use crate::library::Library;
use crate::steer::{Neighbour, Neighbours};

/// A handle to an entity of a world. When the entity is gone it leads nowhere, also if another has taken its place or its
/// id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntityId {
    slot: u32,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    /// Where in the list, if it is taken.
    place: Option<u32>,
}

/// Entities in one dense list, found by handle or by id.
#[derive(Default)]
pub(super) struct Store {
    list: Vec<Resident>,
    free: Vec<u32>,
    others: EntityIndex,
}

/// What entities see of each other, beside the entities themselves, so that one can act while the others are looked at.
#[derive(Default)]
pub(super) struct EntityIndex {
    slots: Vec<Slot>,
    guids: FxHashMap<Guid, u32>,
    /// In the order of the list.
    seen: Vec<Neighbour>,
    /// What of them bumps; of nobody, where nobody minds.
    pub(super) shadows: Shadows,
}

impl EntityIndex {
    #[inline]
    fn index_of(&self, guid: Guid) -> Option<usize> {
        let slot = *self.guids.get(&guid)?;
        self.slots.get(slot as usize)?.place.map(|place| place as usize)
    }

    fn index_of_id(&self, id: EntityId) -> Option<usize> {
        let slot = self.slots.get(id.slot as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        slot.place.map(|place| place as usize)
    }
}

impl Neighbours for EntityIndex {
    fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
        self.seen.get(self.index_of(guid)?).copied()
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
        let place = self.others.index_of_id(id)?;
        self.list.get_mut(place)
    }

    pub(super) fn find(&self, guid: Guid) -> Option<&Resident> {
        self.list.get(self.index_of(guid)?)
    }

    #[inline]
    pub(super) fn find_mut(&mut self, guid: Guid) -> Option<&mut Resident> {
        let place = self.index_of(guid)?;
        self.list.get_mut(place)
    }

    /// Everybody, to be changed side by side, and what they see of each other, which is to be
    /// [refreshed](Self::refresh) then.
    #[cfg(feature = "parallel")]
    pub(super) fn list_mut(&mut self) -> (&mut [Resident], &EntityIndex) {
        (&mut self.list, &self.others)
    }

    /// Where on the map an entity is for others to bump into, if it is.
    #[cfg(feature = "parallel")]
    pub(super) fn bounds(&self, resident: &Resident) -> Option<Bounds> {
        self.others.shadows.bounds(resident.id().slot)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Where in the list an entity is, until somebody comes or goes.
    pub(super) fn index_of(&self, guid: Guid) -> Option<usize> {
        self.others.index_of(guid)
    }

    /// The entity at a place of the list.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Option<&Resident> {
        self.list.get(place)
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn at_mut(&mut self, place: usize) -> Option<&mut Resident> {
        self.list.get_mut(place)
    }

    /// The entity at a place of the list, and what it sees of the others.
    #[inline]
    pub(super) fn split(&mut self, place: usize) -> Option<(&mut Resident, &EntityIndex)> {
        Some((self.list.get_mut(place)?, &self.others))
    }

    /// The entity at a place of the list has acted: the others see where it is now.
    #[inline]
    pub(super) fn refresh(&mut self, place: usize) {
        if let (Some(resident), Some(seen)) = (self.list.get(place), self.others.seen.get_mut(place)) {
            *seen = resident.as_neighbour();
        }
    }

    /// Nobody is there to bump into.
    pub(super) fn forget_shadows(&mut self) {
        self.others.shadows = Shadows::default();
    }

    /// The entity of a handle is there for others to bump into.
    pub(super) fn embody(&mut self, id: EntityId, bulk: Arc<CollisionShape>) {
        self.others.shadows.embody(id.slot, bulk);
    }

    /// The entity at a place of the list has acted: others bump into it where it is now.
    pub(super) fn refresh_shadow(
        &mut self,
        place: usize,
        library: &Library,
        surroundings: &dyn Surroundings,
    ) {
        if let Some(resident) = self.list.get(place) {
            self.others.shadows.refresh(resident.id().slot, resident, library, surroundings);
        }
    }

    /// Puts in an entity; one of the same id is taken out and comes back.
    pub(super) fn insert(&mut self, make: impl FnOnce(EntityId) -> Resident) -> (EntityId, Option<Resident>) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.others.slots.push(Slot { generation: 0, place: None });
            self.others.slots.len() as u32 - 1
        });
        let id = EntityId { slot, generation: self.others.slots[slot as usize].generation };
        let resident = make(id);
        let before = self.remove(resident.guid());
        self.others.slots[slot as usize].place = Some(self.list.len() as u32);
        self.others.guids.insert(resident.guid(), slot);
        self.others.seen.push(resident.as_neighbour());
        self.list.push(resident);
        (id, before)
    }

    /// Takes out an entity; the last of the list takes its place.
    pub(super) fn remove(&mut self, guid: Guid) -> Option<Resident> {
        let slot = self.others.guids.remove(&guid)?;
        let place = self.others.slots[slot as usize].place.take()? as usize;
        self.others.slots[slot as usize].generation =
            self.others.slots[slot as usize].generation.wrapping_add(1);
        self.free.push(slot);
        self.others.shadows.unlist(slot);
        let removed = self.list.swap_remove(place);
        self.others.seen.swap_remove(place);
        if let Some(moved) = self.list.get(place) {
            self.others.slots[moved.id().slot as usize].place = Some(place as u32);
        }
        Some(removed)
    }
}
