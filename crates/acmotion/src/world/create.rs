//! Objects come and go (rules D11–D13).

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid, Stamp};
use acmotion_wire::{InitialMovement, ObjectDesc, ObjectStamps, PhysicsDesc};

use super::asset_cache::Archetype;
use super::ground::FallbackGround;
use super::resident::{Resident, StandIn, UnknownStamps, before};
use super::{DeleteReason, EntityId, EventKind, Rejection, World, apply};
use crate::body::{Body, BodyFlags, MoverFlags, PhysicsState};
use crate::entity::Entity;
use crate::gate::{self, Action, CreateVerdict, MotionReport, PositionReport, StateReport};
use crate::interp::Weenie;

/// The bit of an item type that says creature or player.
const CREATURE: u32 = 0x10;

/// What the bits of an object's flags mean for those who bump into it, or whom it bumps into.
#[doc(alias = "PublicWeenieDesc")]
const OBJECT_FLAGS: [(u32, MoverFlags); 4] = [
    (0x8, MoverFlags::IS_PLAYER),
    (0x20, MoverFlags::IS_PK),
    (0x20_0000, MoverFlags::IS_IMPENETRABLE),
    (0x200_0000, MoverFlags::IS_PKLITE),
];

impl World {
    /// An object is described (rules D12, D13).
    pub(super) fn described(&mut self, desc: &ObjectDesc<'_>, forced: bool, bytes: &[u8], now: f64) {
        if let Some(parent) = desc.physics.parent
            && self.store.find(parent.guid).is_none()
        {
            return self.wait_for(parent.guid, bytes, now);
        }
        let known = self.store.find(desc.guid).map(|resident| resident.stamps.instance);
        match gate::check_create(known, desc.physics.stamps.instance, forced) {
            CreateVerdict::Create | CreateVerdict::Recreate => self.create(desc, now),
            CreateVerdict::Update => self.described_again(desc, now),
            CreateVerdict::Drop(stale) => self.reject(desc.guid, Rejection::Stale(stale), now),
        }
    }

    /// An object appears, in place of an earlier life of it. What waited for it follows.
    fn create(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        let physics = &desc.physics;
        let role = self.cast.archetype(&mut self.library, physics.motion_table, physics.setup);
        let mut entity = Entity::new(desc.guid, role.table);
        entity.interp.era = self.settings.era;
        let is_creature = desc.weenie.item_type() & CREATURE != 0;
        entity.mover_flags = self.mover_flags(desc);
        entity.set_weenie(Some(self.weenie_of(desc.guid, is_creature)));
        let id = self.admit(entity, &role, physics.stamps, now);
        self.describe(desc, now);
        if let Some(parent) = physics.parent {
            if let Some(resident) = self.store.get_mut(id) {
                resident.parent = parent.guid;
                resident.entity.body.flags.insert(BodyFlags::HAS_PARENT);
            }
        } else if let Some(position) = physics.position {
            self.enter_world(desc.guid, &position, now);
        }
        self.replay_waiting(desc.guid);
    }

    fn mover_flags(&self, desc: &ObjectDesc<'_>) -> MoverFlags {
        let told = desc.weenie.object_flags();
        let mut flags: MoverFlags =
            OBJECT_FLAGS.iter().filter(|(bit, _)| told & bit != 0).map(|(_, flag)| *flag).collect();
        if self.player.guid() == Some(desc.guid) {
            flags.insert(MoverFlags::IS_PLAYER);
        }
        flags
    }

    fn weenie_of(&self, guid: Guid, is_creature: bool) -> Arc<dyn Weenie> {
        if self.player.guid() == Some(guid) {
            return Arc::clone(&self.player_weenie);
        }
        self.cast.weenie(is_creature)
    }

    /// Sets what the game knows about the local player: run rate, jump, load.
    pub fn set_player_weenie(&mut self, weenie: Arc<dyn Weenie>) {
        if let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) {
            resident.entity.set_weenie(Some(Arc::clone(&weenie)));
        }
        self.player_weenie = weenie;
    }

    /// Takes in an entity that is nowhere yet.
    fn admit(&mut self, entity: Entity, role: &Archetype, stamps: ObjectStamps, now: f64) -> EntityId {
        let (guid, shape) = (entity.guid, Arc::clone(&role.shape));
        self.act(guid, now, |before, _| before.exit_world());
        let (id, replaced) = self.store.insert(|id| Resident {
            entity: Entity { shape, ..entity },
            stamps,
            ground: FallbackGround::default(),
            id,
            model: role.model,
            parent: Guid::NONE,
            stand_in: role.stand_in,
            unseen: UnknownStamps::empty(),
        });
        self.embody(self.store.len() - 1);
        if replaced.is_some() {
            self.events.push(now, guid, EventKind::Deleted(DeleteReason::Replaced));
        }
        self.events.push(now, guid, EventKind::Created);
        id
    }

    /// What a description says, in the original's order (rule D13).
    fn describe(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        let physics = &desc.physics;
        let model = self.store.find(desc.guid).and_then(Resident::model);
        self.act(desc.guid, now, |actor, _| {
            if actor.entity.animator.table().is_some() {
                actor.enter_default_state();
                actor.enter_default_state();
            }
            match &physics.movement {
                Some(InitialMovement::Movement { movement, autonomous }) => {
                    actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, autonomous.get());
                    actor.unpack_movement(movement);
                }
                Some(InitialMovement::Empty) => {}
                None => {
                    let key = physics.placement.unwrap_or(0) as i32;
                    let placement = model.and_then(|model| actor.library.model(model).placement(key));
                    actor.entity.animator.sequence_mut().set_placement(placement);
                }
            }
            actor.set_state(physics.state);
            take_numbers(&mut actor.entity.body, physics, now);
        });
    }

    /// A described object comes into its cell (rules C17, P8).
    fn enter_world(&mut self, guid: Guid, position: &CellPosition, now: f64) {
        let Some(resident) = self.store.find_mut(guid) else { return };
        let Some(place) = apply::sound(position, &resident.position()) else {
            return self.reject(guid, Rejection::BadPosition, now);
        };
        resident.set_reported(&place, &self.settings);
        self.act(guid, now, |actor, surroundings| actor.enter_world(&place, true, surroundings));
    }

    /// A known object is described again: each part is taken if its own stamp is fresh (rule D12).
    fn described_again(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        let (guid, physics) = (desc.guid, &desc.physics);
        let stamps = physics.stamps;
        self.decide(guid, now, |resident, _| gate::obj_desc(&mut resident.stamps, stamps.visual_desc));
        let flags = self.mover_flags(desc);
        if let Some(resident) = self.store.find_mut(guid) {
            resident.entity.mover_flags = flags;
        }
        if let Some(parent) = physics.parent {
            self.attach(parent.guid, guid, stamps.position, now);
        } else if let Some(position) = physics.position {
            let report = PositionReport {
                position: stamps.position,
                teleport: stamps.teleport,
                force_position: stamps.force_position,
                has_contact: true,
            };
            self.reported(guid, &position, report, now);
        } else {
            self.picked_up(guid, stamps.position, now);
        }
        if let Some(InitialMovement::Movement { movement, autonomous }) = &physics.movement {
            let report = MotionReport {
                movement: stamps.movement,
                server_control: stamps.server_control,
                autonomous: autonomous.get(),
            };
            self.ordered(guid, movement, report, now);
        }
        self.state_set(guid, physics.state, stamps.state, now);
        let (velocity, omega) = (physics.velocity.unwrap_or_default(), physics.omega.unwrap_or_default());
        self.thrown(guid, velocity, omega, stamps.vector, now);
    }

    /// An object is deleted (rule D11).
    pub(super) fn deleted(&mut self, guid: Guid, instance: Stamp, now: f64) {
        let Some(resident) = self.store.find(guid) else {
            return self.reject(guid, Rejection::Unknown, now);
        };
        let is_player = self.player.guid() == Some(guid);
        if !gate::may_delete(resident.stamps.instance, instance, is_player) {
            let why = if is_player { Rejection::IsPlayer } else { Rejection::Stale(gate::Stale::Instance) };
            return self.reject(guid, why, now);
        }
        self.act(guid, now, |actor, _| actor.exit_world());
        self.store.remove(guid);
        self.waiting.take(guid);
        self.events.push(now, guid, EventKind::Deleted(DeleteReason::Deleted));
    }

    /// Adds a humanoid that nobody created, at a place. It takes part like any other; the first message of each kind is
    /// taken whatever its stamp.
    pub fn add_stand_in(&mut self, guid: Guid, place: &CellPosition, now: f64) -> EntityId {
        let role = self.cast.humanoid();
        let mut entity = Entity::new(guid, role.table);
        entity.interp.era = self.settings.era;
        entity.set_weenie(Some(self.weenie_of(guid, true)));
        let id = self.admit(entity, &role, ObjectStamps::default(), now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.unseen = UnknownStamps::all();
            resident.stand_in = StandIn::all();
        }
        self.act(guid, now, |actor, _| {
            actor.enter_default_state();
            actor.enter_default_state();
        });
        self.enter_world(guid, place, now);
        id
    }

    /// A stand-in for an object that is reported though it was never created. What waited for it follows the report.
    pub(super) fn stand_in_for(&mut self, guid: Guid, place: &CellPosition, stamps: ObjectStamps, now: f64) {
        let id = self.add_stand_in(guid, place, now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.stamps = ObjectStamps { position: before(stamps.position), ..stamps };
        }
        self.replay_waiting(guid);
    }

    /// The player is somewhere, says who controls him: his body is put there, or the place only remembered if he has
    /// none.
    pub fn set_player_position(&mut self, place: &CellPosition, now: f64) {
        self.player.place = Some(*place);
        let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) else { return };
        let Some(place) = apply::sound(place, &resident.position()) else { return };
        resident.set_reported(&place, &self.settings);
        let guid = resident.guid();
        self.act(guid, now, |actor, surroundings| actor.set_position(&place, true, surroundings));
    }

    /// Hangs an object on another (rule D11).
    pub(super) fn attach(&mut self, parent: Guid, child: Guid, position: Stamp, now: f64) {
        let Some(actions) =
            self.decide(child, now, |resident, _| gate::parent_event(&mut resident.stamps, position))
        else {
            return;
        };
        if actions.contains(&Action::SetParent)
            && let Some(resident) = self.store.find_mut(child)
        {
            resident.parent = parent;
            resident.entity.body.flags.insert(BodyFlags::HAS_PARENT);
            self.act(child, now, |actor, _| actor.leave_world());
        }
    }

    /// An object is picked up (rule D11).
    pub(super) fn picked_up(&mut self, guid: Guid, position: Stamp, now: f64) {
        let Some(actions) =
            self.decide(guid, now, |resident, _| gate::pickup_event(&mut resident.stamps, position))
        else {
            return;
        };
        if actions.contains(&Action::LeaveWorld)
            && let Some(resident) = self.store.find_mut(guid)
        {
            apply::unparent(resident);
            self.act(guid, now, |actor, _| actor.leave_world());
        }
    }

    /// A physics state (rule D11).
    pub(super) fn state_set(&mut self, guid: Guid, state: PhysicsState, stamp: Stamp, now: f64) {
        let hidden = state.contains(PhysicsState::HIDDEN);
        let is_waiting = self.player.waiting_for_teleport;
        let actions = self.decide(guid, now, |resident, situation| {
            resident.first_of(UnknownStamps::STATE, |stamps| stamps.state = before(stamp));
            let report = StateReport { state: stamp, hidden };
            gate::state(&mut resident.stamps, report, situation.is_player, is_waiting)
        });
        for action in actions.iter().flat_map(|actions| actions.iter()) {
            match action {
                Action::SetState => {
                    self.act(guid, now, |actor, _| actor.set_state(state));
                }
                Action::ClearWaitingForTeleport => {
                    self.player.waiting_for_teleport = false;
                    self.events.push(now, guid, EventKind::PortalSpace(false));
                }
                _ => {}
            }
        }
    }
}

/// Size, friction, elasticity and velocities, as far as they are numbers (rules C6, C7, D13).
fn take_numbers(body: &mut Body, physics: &PhysicsDesc<'_>, now: f64) {
    if let Some(scale) = physics.scale.filter(|scale| scale.is_finite() && *scale > 0.0) {
        body.scale = scale;
    }
    body.set_friction(physics.friction.unwrap_or(f32::NAN));
    body.set_elasticity(physics.elasticity.unwrap_or(f32::NAN));
    if let Some(velocity) = physics.velocity {
        body.set_velocity(velocity, now);
    }
    if let Some(omega) = physics.omega {
        body.set_omega(omega);
    }
}
