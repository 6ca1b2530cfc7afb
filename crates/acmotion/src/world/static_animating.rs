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

#[cfg(test)]
mod tests {
    use acmotion_dat::{
        Animation, AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Setup,
    };
    use acmotion_types::{CellId, CellPosition, Frame, Vec3};

    use super::*;
    use crate::body::PhysicsState;
    use crate::world::{EntitySpec, HeldBy, SpawnError};

    const MILL: DataId = DataId(0x0200_F001);
    const CLIP: DataId = DataId(0x0300_F001);

    fn assets() -> Assets {
        let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
        let frame = AnimationFrame { parts: vec![Frame::IDENTITY], ..AnimationFrame::default() };
        writer.add_object(&Animation::new(CLIP, None, vec![frame; 4]));
        let parts = vec![DataId(0x0100_F001)];
        writer.add_object(&Setup { id: MILL, parts, default_animation: CLIP, ..Setup::default() });
        Assets::new(Dat::from_bytes(writer.finish().expect("it can be written")).expect("a dat file"))
    }

    fn mill(number: u8) -> EntitySpec {
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(f32::from(number), 12.0, 94.0));
        EntitySpec {
            position: Some(position),
            state: PhysicsState::STATIC,
            ..EntitySpec::item(Guid(number.into()), MILL)
        }
    }

    /// The list holds the mills that exist, and none that failed to be created or is gone.
    #[test]
    fn the_list_holds_what_exists() {
        let mut world = World::new(assets());
        let ids: Vec<EntityId> =
            (1..=3).map(|number| world.spawn(&mill(number), 0.0).expect("there is room")).collect();
        assert_eq!(world.static_animating.list, ids);
        let held = EntitySpec { held_by: Some(HeldBy { parent: Guid(99), location: 1 }), ..mill(4) };
        assert!(matches!(world.spawn(&held, 0.0), Err(SpawnError::NotAttached(_))));
        assert_eq!(world.static_animating.list, ids, "one that was not created");
        world.despawn(ids[1], 0.0);
        assert_eq!(world.static_animating.list, [ids[0], ids[2]]);
        world.tick(1.0);
        assert_eq!(world.static_animating.list, [ids[0], ids[2]], "a tick keeps them");
        world.set_state(ids[0], PhysicsState::empty(), 1.0);
        world.tick(2.0);
        assert_eq!(world.static_animating.list, [ids[2]], "and drops those that are no longer static");
        world.set_state(ids[0], PhysicsState::STATIC, 2.0);
        assert_eq!(world.static_animating.list, [ids[0], ids[2]], "in the order of their handles");
    }

    #[test]
    #[cfg(feature = "serde")]
    fn a_list_out_of_order_is_refused() {
        let mut world = World::new(assets());
        let ids: Vec<EntityId> =
            (1..=2).map(|number| world.spawn(&mill(number), 0.0).expect("there is room")).collect();
        assert!(world.static_animating.check().is_ok());
        for list in [vec![ids[1], ids[0]], vec![ids[0], ids[0]]] {
            assert!(StaticAnimating { list }.check().is_err());
        }
    }
}
