//! Removing, teleporting, holding and dropping entities without messages (rules C14, C17, C18, D6, D7, D11). Spawning is in
//! [`create`](super::create). The handlers of messages use the same functions.
//!
//! Every change advances the stamp that its message carries (rule D4), so that what [`World`] describes afterwards is newer
//! than what was described before.

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{Pad, PlayerTeleport};

use super::handlers::usable_position;
use super::{
    AttachmentError, DeleteReason, EntityId, EventKind, HeldBy, PlacementFailure, Resident, StampKind, World,
};
use crate::collide::{MoverFlags, NoObstacles, Obstacles};

impl World {
    /// Removes an entity: its motions end, the entities that it holds are in no cell, and
    /// [`EventKind::Deleted`] reports it. Messages that waited for it are dropped. Returns `false` if it does not exist.
    pub fn despawn(&mut self, id: EntityId, now: f64) -> bool {
        let now = self.accept_time(now);
        let Some(guid) = self.store.get(id).map(Resident::guid) else { return false };
        self.remove_entity(guid, DeleteReason::Despawned, now);
        true
    }

    /// Removes an entity and everything that waits for it (rule D11). What it holds is detached.
    pub(super) fn remove_entity(&mut self, guid: Guid, reason: DeleteReason, now: f64) {
        self.act(guid, now, |actor, _| actor.exit_world());
        self.release(guid, now);
        if let Some(removed) = self.store.remove(guid) {
            self.static_animating.remove(removed.id());
        }
        self.waiting.take(guid);
        self.emit(guid, EventKind::Deleted(reason), now);
    }

    /// Moves an entity to a position at once, which interrupts what it does and ends its contacts (rules C15, C18, D7). If it
    /// is held, it is detached first. Advances the stamps `TELEPORT` and `POSITION`: clients that get
    /// [`describe_position`](Self::describe_position) afterwards teleport it, too. To teleport a player, announce it to the
    /// player's client first: see [`begin_teleport`](Self::begin_teleport).
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{EntitySpec, World};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// let position = |x| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 12.0, 94.0));
    /// let id = world.spawn(&EntitySpec::new(Guid(0x8000_0001), position(4.0)), 0.0)?;
    /// world.teleport(id, &position(20.0), 1.0)?;
    /// assert_eq!(world.get(id).map(|moved| moved.position().frame.origin.x), Some(20.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlacementFailure`] if there is no such entity, or no room or no cell at the position. The entity then
    /// stays where it is, and no stamp advances.
    pub fn teleport(
        &mut self,
        id: EntityId,
        position: &CellPosition,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        self.find_room(id, position)?;
        self.next_stamp(id, StampKind::Teleport);
        self.end_teleport(id, position, now)
    }

    /// Starts the teleport of a player: advances its stamp `TELEPORT`, and returns the message that puts its client into
    /// portal space (rules D11, P7). The body stays where it is until [`end_teleport`](Self::end_teleport). Returns `None`
    /// if it does not exist.
    pub fn begin_teleport(&mut self, id: EntityId) -> Option<PlayerTeleport> {
        let teleport = self.next_stamp(id, StampKind::Teleport)?;
        Some(PlayerTeleport { teleport, pad: Pad::ZERO })
    }

    /// Ends a teleport that was [begun](Self::begin_teleport): moves the player to a position as
    /// [`teleport`](Self::teleport) does, and advances only its stamp `POSITION`.
    ///
    /// # Errors
    /// Those of [`teleport`](Self::teleport).
    pub fn end_teleport(
        &mut self,
        id: EntityId,
        position: &CellPosition,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let placement = self.store.get(id).map_or(0, Resident::placement);
        self.drop_at(id, position, placement, now)
    }

    /// Attaches an entity to another, at a holding location and with a placement frame (rules D11, H15). It leaves its
    /// cell, or the entity that held it before. Advances its stamp `POSITION`;
    /// [`describe_parent`](Self::describe_parent) is the message for others.
    ///
    /// # Errors
    /// Returns [`AttachmentError`] if one of the two does not exist, or the first cannot be attached to the second. It then
    /// stays as it is.
    pub fn set_parent(
        &mut self,
        child: EntityId,
        held_by: HeldBy,
        placement: u32,
        now: f64,
    ) -> Result<(), AttachmentError> {
        let now = self.accept_time(now);
        let index = self.index_of_id(child).ok_or(AttachmentError::UnknownChild)?;
        self.check_attachment(index, held_by)?;
        self.next_stamp(child, StampKind::Position);
        self.attach(index, held_by, now)?;
        self.set_placement(index, placement);
        Ok(())
    }

    /// Takes an entity out of the world without removing it, into a pack for example: it is detached if it is held, and in
    /// no cell (rules C14, D11). Advances its stamp `POSITION`; [`describe_pickup`](Self::describe_pickup) is the message
    /// for others. Returns `false` if it does not exist.
    pub fn pick_up(&mut self, id: EntityId, now: f64) -> bool {
        let now = self.accept_time(now);
        let Some(index) = self.index_of_id(id) else { return false };
        self.next_stamp(id, StampKind::Position);
        self.leave_world_at(index, now);
        true
    }

    /// Places an entity that is held, or in no cell, at a position, with a placement frame if it plays no animation (rules
    /// C18, D6, H15). Advances its stamp `POSITION`;
    /// [`describe_position`](Self::describe_position) is the message for others. An entity that is in a cell is moved
    /// there.
    ///
    /// # Errors
    /// Returns [`PlacementFailure`] if there is no such entity, or no room or no cell at the position. The entity then
    /// stays where it is or with the entity that holds it.
    pub fn drop_at(
        &mut self,
        id: EntityId,
        position: &CellPosition,
        placement: u32,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let now = self.accept_time(now);
        let (index, position) = self.find_room(id, position)?;
        self.next_stamp(id, StampKind::Position);
        self.place_anew(index, &position, placement, now)
    }

    /// Detaches the entity at an index and takes it out of its cell (rules C14, D11).
    pub(super) fn leave_world_at(&mut self, index: usize, now: f64) {
        self.unparent(index, now);
        self.act_at(index, now, |actor, _| actor.leave_world());
    }

    /// The index of an entity in the store. Valid until an entity is added or removed.
    pub(super) fn index_of_id(&self, id: EntityId) -> Option<usize> {
        self.store.index_of(self.store.get(id)?.guid())
    }

    /// Detaches the entity at an index and places it (rules D6, D7). The local player's controls are notified (rule P7).
    fn place_anew(
        &mut self,
        index: usize,
        position: &CellPosition,
        placement: u32,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let Some(guid) = self.store.at(index).map(Resident::guid) else {
            return Err(PlacementFailure::Unknown);
        };
        self.unparent(index, now);
        self.set_placement_if_not_animated(index, placement);
        if let Some(resident) = self.store.at_mut(index) {
            resident.set_reported(position, &self.settings);
        }
        let placed = if self.is_player(guid) {
            self.teleport_player(index, position, now)
        } else {
            self.act_at(index, now, |actor, _| actor.teleport_hook());
            self.set_position_at(index, position, true, now)
        };
        self.refresh(index);
        placed
    }

    /// Checks whether an entity can be placed at a position, and changes nothing. Returns its index and the position with a
    /// valid rotation.
    fn find_room(
        &self,
        id: EntityId,
        position: &CellPosition,
    ) -> Result<(usize, CellPosition), PlacementFailure> {
        let index = self.index_of_id(id).ok_or(PlacementFailure::Unknown)?;
        let resident = self.store.at(index).ok_or(PlacementFailure::Unknown)?;
        let position = usable_position(position, &resident.position());
        let position = position.ok_or(PlacementFailure::InvalidPosition)?;
        let ground = resident.ground_reported_at(&position, &self.settings);
        let mut partial = None;
        let surroundings = self.settings.surroundings_of(&ground, &mut partial);
        let known = self.store.obstacles(self.settings.house_guard.as_deref());
        let obstacles: &dyn Obstacles = if self.collides { &known } else { &NoObstacles };
        let entity = &resident.entity;
        let mover = entity.body.placement_mover(entity.guid, &entity.shape, entity.mover_flags);
        if mover.flags.contains(MoverFlags::IS_FORCED_INTO_CELL) {
            let found = surroundings.adjust_to_cell(&mover, &position);
            return found.map(|_| (index, position)).ok_or(PlacementFailure::NoCell);
        }
        let arrival = surroundings.place(&mover, &position, true, obstacles, &mut Vec::new())?;
        if arrival.in_cell { Ok((index, position)) } else { Err(PlacementFailure::NoCell) }
    }
}
