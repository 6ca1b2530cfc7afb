//! The static entities that are animated after all others have been updated (rules B2, B7).

use acmotion_types::Guid;

use super::{EntityId, World};

/// The static entities that have a default animation or script, in the order of their handles.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct StaticAnimating {
    list: Vec<EntityId>,
}

impl StaticAnimating {
    /// Unregisters an entity that is removed.
    pub(super) fn remove(&mut self, id: EntityId) {
        if let Ok(at) = self.list.binary_search(&id) {
            self.list.remove(at);
        }
    }
}

#[cfg(feature = "serde")]
impl StaticAnimating {
    /// Checks a list that was read from a snapshot.
    pub(super) fn check(&self) -> crate::restore::Checked {
        crate::restore::require(self.list.is_sorted_by(|a, b| a < b), "animated entities out of order")
    }
}

impl World {
    /// Registers an entity to be animated, if it is static and has something to play. The next tick drops those that are no
    /// longer static.
    #[doc(alias = "AddStaticAnimatingObject")]
    pub(super) fn register_static(&mut self, guid: Guid) {
        if let Some(index) = self.store.index_of(guid) {
            self.register_static_at(index);
        }
    }

    /// [`register_static`](Self::register_static) for the entity at an index of the store.
    pub(super) fn register_static_at(&mut self, index: usize) {
        let Some(resident) = self.store.at(index) else { return };
        let (id, list) = (resident.id(), &mut self.static_animating.list);
        if let (true, Err(at)) = (resident.entity.is_static_animating(), list.binary_search(&id)) {
            list.insert(at, id);
        }
    }

    /// Animates the registered entities (rule B7).
    pub(super) fn animate_static_objects(&mut self, now: f64) {
        if self.static_animating.list.is_empty() {
            return;
        }
        let mut list = std::mem::take(&mut self.static_animating.list);
        list.retain(|id| {
            let resident = self.store.get(*id).filter(|resident| resident.entity.is_static_animating());
            let Some(index) = resident.and_then(|resident| self.store.index_of(resident.guid())) else {
                return false;
            };
            self.act_at(index, now, |actor, _| actor.animate_static_object());
            true
        });
        self.static_animating.list = list;
    }
}
