//! Creating objects: from the server's description, or as stand-ins for objects that were never described (rules C17, D13).

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{InitialMovement, ObjectDesc, ObjectStamps, PhysicsDesc, PositionPack};

use super::asset_cache::Archetype;
use super::ground::FallbackGround;
use super::handlers::usable_position;
use super::resident::{Resident, StandIn, UnknownStamps, preceding};
use super::{DeleteReason, EntityId, EventKind, HeldBy, Rejection, World};
use crate::body::{Body, BodyFlags, PhysicsState, SMALL_VELOCITY};
use crate::collide::MoverFlags;
use crate::effects::ScriptType;
use crate::entity::{Actor, Entity};
use crate::interp::Weenie;
use crate::library::ModelId;

/// The item type bit of creatures and players.
const CREATURE: u32 = 0x10;

/// Which object flags of a description are passed on to collision.
#[doc(alias = "PublicWeenieDesc")]
const OBJECT_FLAGS: [(u32, MoverFlags); 4] = [
    (0x8, MoverFlags::IS_PLAYER),
    (0x20, MoverFlags::IS_PK),
    (0x20_0000, MoverFlags::IS_IMPENETRABLE),
    (0x200_0000, MoverFlags::IS_PKLITE),
];

impl World {
    /// Creates an object from its description, replacing an earlier instance (rule D13). Messages that waited for it are
    /// handled next.
    pub(super) fn create_object(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        let physics = &desc.physics;
        let archetype = self.assets.archetype(&mut self.library, physics.motion_table, physics.setup);
        let mut entity = Entity::new(desc.guid, archetype.table);
        entity.interp.era = self.settings.era;
        let is_creature = desc.weenie.item_type() & CREATURE != 0;
        entity.mover_flags = self.mover_flags(desc);
        entity.set_weenie(Some(self.weenie_of(desc.guid, is_creature)));
        let id = self.insert(entity, &archetype, physics.stamps, now);
        self.set_description(desc, now);
        self.attach_described(desc, now);
        let is_free = self.store.get(id).is_some_and(|resident| resident.parent().is_none());
        if let Some(position) = physics.position.filter(|_| is_free) {
            self.enter_world(desc.guid, &position, !is_airborne(physics), now);
        }
        self.replay_waiting(desc.guid);
    }

    /// Attaches to a new object the children of its description that exist, and then the object to its parent (rule D13).
    /// Children that do not exist yet name their parent when they are described.
    fn attach_described(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        for child in desc.physics.children.iter().flat_map(|children| children.iter()) {
            if let Some(index) = self.store.index_of(child.guid) {
                self.attach(index, HeldBy { parent: desc.guid, location: child.location }, now);
            }
        }
        if let (Some(parent), Some(index)) = (desc.physics.parent, self.store.index_of(desc.guid)) {
            self.attach(index, HeldBy { parent: parent.guid, location: parent.location }, now);
        }
    }

    /// The flags of a described object that collision depends on.
    pub(super) fn mover_flags(&self, desc: &ObjectDesc<'_>) -> MoverFlags {
        let object_flags = desc.weenie.object_flags();
        let mut flags: MoverFlags =
            OBJECT_FLAGS.iter().filter(|(bit, _)| object_flags & bit != 0).map(|(_, flag)| *flag).collect();
        if self.is_player(desc.guid) {
            flags.insert(MoverFlags::IS_PLAYER);
        }
        flags
    }

    fn weenie_of(&self, guid: Guid, is_creature: bool) -> Arc<dyn Weenie> {
        if self.is_player(guid) {
            return Arc::clone(&self.player_weenie);
        }
        self.assets.weenie(is_creature)
    }

    /// Adds an entity that is not in a cell yet. An entity of the same guid leaves the world first.
    fn insert(&mut self, entity: Entity, archetype: &Archetype, stamps: ObjectStamps, now: f64) -> EntityId {
        let (guid, shape) = (entity.guid, Arc::clone(&archetype.shape));
        self.act(guid, now, |replaced, _| replaced.exit_world());
        self.release(guid, now);
        let (id, replaced) = self.store.insert(|id| Resident {
            entity: Entity { shape, ..entity },
            stamps,
            ground: FallbackGround::default(),
            id,
            model: archetype.model,
            links: None,
            stand_in: archetype.stand_in,
            unknown_stamps: UnknownStamps::empty(),
        });
        self.add_shadow(self.store.len() - 1);
        if replaced.is_some() {
            self.emit(guid, EventKind::Deleted(DeleteReason::Replaced), now);
        }
        self.emit(guid, EventKind::Created, now);
        id
    }

    /// Applies a description in the original's order: motion table, movement or placement frame, state, and then the
    /// numbers (rule D13).
    fn set_description(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        let physics = &desc.physics;
        let model = self.store.find(desc.guid).and_then(Resident::model);
        if let (Some(resident), None) = (self.store.find_mut(desc.guid), &physics.movement) {
            resident.set_placement_key(physics.placement.unwrap_or(0));
        }
        self.act(desc.guid, now, |actor, _| {
            if let Some(model) = model {
                init_defaults(actor, model);
            }
            if actor.entity.animator.table().is_some() {
                enter_default_state_twice(actor);
            }
            match &physics.movement {
                Some(InitialMovement::Movement { movement, autonomous }) => {
                    actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, autonomous.get());
                    actor.unpack_movement(movement);
                }
                Some(InitialMovement::Empty) => {}
                None => {
                    let key = physics.placement.unwrap_or(0).cast_signed();
                    let placement = model.and_then(|model| actor.library.model(model).placement(key));
                    actor.entity.animator.sequence_mut().set_placement(placement);
                }
            }
            actor.set_state(physics.state);
            set_numbers(&mut actor.entity.body, physics, now);
            set_looks(actor.entity, physics);
        });
        self.register_static(desc.guid);
    }

    /// Places a new object in its cell (rules C17, P8). Without a usable position it stays outside of the world. Where the
    /// terrain is unknown it stands if `stands` is `true`, and is in the air otherwise.
    fn enter_world(&mut self, guid: Guid, position: &CellPosition, stands: bool, now: f64) {
        let Some(resident) = self.store.find_mut(guid) else { return };
        let Some(position) = usable_position(position, &resident.position()) else {
            return self.reject(guid, Rejection::BadPosition, now);
        };
        if stands {
            resident.set_reported(&position, &self.settings);
        } else {
            resident.set_airborne(&self.settings);
        }
        self.act(guid, now, |actor, surroundings| actor.enter_world(&position, true, surroundings));
    }

    /// Adds a humanoid that was never described, at a position. It behaves like any other entity; the first message of
    /// each kind is accepted whatever its stamp.
    pub fn add_stand_in(&mut self, guid: Guid, position: &CellPosition, now: f64) -> EntityId {
        self.add_humanoid(guid, position, true, now)
    }

    /// [`add_stand_in`](Self::add_stand_in) for a humanoid that stands or is in the air.
    fn add_humanoid(&mut self, guid: Guid, position: &CellPosition, stands: bool, now: f64) -> EntityId {
        let archetype = self.assets.humanoid();
        let mut entity = Entity::new(guid, archetype.table);
        entity.interp.era = self.settings.era;
        entity.set_weenie(Some(self.weenie_of(guid, true)));
        let id = self.insert(entity, &archetype, ObjectStamps::default(), now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.unknown_stamps = UnknownStamps::all();
            resident.stand_in = StandIn::all();
        }
        self.act(guid, now, |actor, _| enter_default_state_twice(actor));
        self.enter_world(guid, position, stands, now);
        id
    }

    /// Adds a stand-in for an object that is reported but was never created, if
    /// [`stand_ins_for_unknown`](super::Settings::stand_ins_for_unknown) is set. Messages that waited for it are
    /// handled after the report.
    pub(super) fn add_stand_in_if_unknown(&mut self, guid: Guid, pack: &PositionPack, now: f64) {
        if !self.settings.stand_ins_for_unknown || self.store.index_of(guid).is_some() {
            return;
        }
        let id = self.add_humanoid(guid, &pack.position, pack.is_grounded(), now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.stamps = ObjectStamps {
                position: preceding(pack.position_stamp),
                teleport: pack.teleport,
                force_position: pack.force_position,
                instance: pack.instance,
                ..ObjectStamps::default()
            };
        }
        self.replay_waiting(guid);
    }
}

/// Returns `true` if a described object is certainly in the air: a missile, or a body that can move by itself and
/// rises. Others keep the velocity of their flight in the description after it has ended.
fn is_airborne(physics: &PhysicsDesc<'_>) -> bool {
    let rises = physics.velocity.is_some_and(|velocity| velocity.z > SMALL_VELOCITY);
    physics.state.contains(PhysicsState::MISSILE) || (physics.movement.is_some() && rises)
}

/// Enters the motion table's default state twice, as the original does when it sets the table (rule D13). The second entry
/// shows: a weenie that is not a creature keeps two Ready motions pending, everything else none.
fn enter_default_state_twice(actor: &mut Actor<'_>) {
    actor.enter_default_state();
    actor.enter_default_state();
}

/// Starts what the setup gives every new object: the default animation (rule H16), which a motion table replaces, and the
/// default script.
#[doc(alias = "InitDefaults")]
fn init_defaults(actor: &mut Actor<'_>, model: ModelId) {
    let model = actor.library.model(model);
    if actor.entity.animator.table().is_none() {
        actor.entity.animator.sequence_mut().play_default(actor.library, model, 0);
    }
    if let Some(script) = model.default_script() {
        actor.entity.effects_mut().set_setup_script(script);
        actor.play_script(script);
    }
}

/// Sets the translucency and the default script of a description (rule D13).
fn set_looks(entity: &mut Entity, physics: &PhysicsDesc<'_>) {
    if let Some(translucency) = physics.translucency {
        entity.effects_mut().set_original_translucency(translucency);
    }
    if let Some(script) = physics.default_script.filter(|script| *script != 0) {
        let intensity = physics.default_script_intensity.unwrap_or(0.0);
        entity.effects_mut().set_script_type(ScriptType(script), intensity);
    }
}

/// Sets scale, friction, elasticity, velocity and omega; values that are missing or invalid are ignored (rules C6, C7,
/// D13).
fn set_numbers(body: &mut Body, physics: &PhysicsDesc<'_>, now: f64) {
    if let Some(scale) = physics.scale {
        body.set_scale(scale);
    }
    if let Some(friction) = physics.friction {
        body.set_friction(friction);
    }
    if let Some(elasticity) = physics.elasticity {
        body.set_elasticity(elasticity);
    }
    if let Some(velocity) = physics.velocity {
        body.set_velocity(velocity, now);
    }
    if let Some(omega) = physics.omega {
        body.set_omega(omega);
    }
}
