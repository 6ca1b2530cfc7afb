//! Houses in the world: which players they let in, and players that arrive before their house (`docs/collision.md` 8.7).

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::ObjectDesc;

use super::houses::Visitor;
use super::{House, HouseGuard, World};
use crate::collide::MoverFlags;

impl World {
    /// Returns what is known about a house, by the guid of its restriction object: from the description of that object, or
    /// as [set](Self::set_house). `None` if nothing is known.
    ///
    /// An object that was described without an owner is not a house, and lets every player in.
    pub fn house(&self, guid: Guid) -> Option<&House> {
        self.store.houses().get(guid)
    }

    /// Sets the owner and the access rules of a house, until its restriction object is described again or deleted. This is
    /// for servers, which get no descriptions, and for clients, which get changes in messages that are not decoded here
    /// (`HouseUpdateRestrictions`).
    ///
    /// Players that were to be placed in the house before it was known are placed now.
    pub fn set_house(&mut self, guid: Guid, house: House, now: f64) {
        let now = self.accept_time(now);
        self.store.houses_mut().set(guid, house);
        self.admit_visitors(Some(guid), now);
    }

    /// Replaces the guard that decides [before the world does](super::Settings::house_guard) which players may enter the
    /// cells of houses. Players that were to be placed in a house that was not known are placed now, if they may enter.
    pub fn set_house_guard(&mut self, guard: Option<Arc<dyn HouseGuard>>, now: f64) {
        let now = self.accept_time(now);
        self.settings.house_guard = guard;
        self.admit_visitors(None, now);
    }

    /// Records what a description says about houses, and places the players that waited for the object.
    pub(super) fn describe_house(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        self.store.houses_mut().describe(desc.guid, &desc.weenie);
        self.admit_visitors(Some(desc.guid), now);
    }

    /// Makes a player wait that could not be placed in a cell of a house about which nothing is known. A server may
    /// describe a player before the house that it is in; the original has no such wait. A body that was `placed` no
    /// longer waits.
    pub(super) fn wait_for_house(&mut self, guid: Guid, position: &CellPosition, placed: bool) {
        if placed {
            return self.store.houses_mut().stop_waiting(guid);
        }
        if let Some(house) = self.unknown_house_at(guid, position) {
            self.store.houses_mut().wait(Visitor { player: guid, house, position: *position });
        }
    }

    /// Returns the restriction object of the cell at a position, if it would keep an entity out only because nothing is
    /// known about it.
    fn unknown_house_at(&mut self, guid: Guid, position: &CellPosition) -> Option<Guid> {
        let surroundings = self.settings.surroundings.as_deref().filter(|_| self.collides)?;
        let (resident, others) = self.store.split(self.store.index_of(guid)?)?;
        let entity = resident.entity();
        if !entity.mover_flags.contains(MoverFlags::IS_PLAYER) {
            return None;
        }
        let mover = entity.body.placement_mover(guid, &entity.shape, entity.mover_flags);
        let house = surroundings.restriction(surroundings.adjust_to_cell(&mover, position)?.cell)?;
        let guard = self.settings.house_guard.as_deref();
        others.obstacles(guard).answer(guid, house).is_none().then_some(house)
    }

    /// Places the players that wait for a house, or for any house.
    fn admit_visitors(&mut self, house: Option<Guid>, now: f64) {
        // Each at most once: a house about which still nothing is known makes its visitors wait again.
        for _ in 0..self.store.houses().visitors() {
            let Some(visitor) = self.store.houses_mut().take_visitor(house) else { return };
            let Some(index) = self.store.index_of(visitor.player) else { continue };
            // The failure has been reported already.
            let placed = self.act_at(index, now, |actor, surroundings| {
                if actor.entity.body.is_in_cell() {
                    actor.set_position(&visitor.position, true, surroundings)
                } else {
                    actor.enter_world(&visitor.position, true, surroundings)
                }
            });
            self.wait_for_house(visitor.player, &visitor.position, placed == Some(true));
        }
    }
}
