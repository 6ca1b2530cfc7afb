//! Creating objects: from a spec, from the server's description, which is translated into one, or as stand-ins for objects
//! that were never described (rules C17, D13).

use std::sync::Arc;

use acmotion_dat::DataId;
use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{
    ActionItem, Attachment, InitialMovement, MotionFlags, Movement, MovementBody, ObjectDesc, ObjectStamps,
    PositionPack, WireBool,
};

use super::asset_cache::Archetype;
use super::clock::is_valid_time;
use super::ground::FallbackGround;
use super::handlers::usable_position;
use super::resident::{Resident, UnknownStamps, preceding};
use super::spec::SPEC_FLAGS;
use super::{
    DeleteReason, EntityId, EntitySpec, EventKind, HeldBy, PlacementFailure, Rejection, SpawnError, World,
};
use crate::body::{Body, BodyFlags, PhysicsState, SMALL_VELOCITY};
use crate::collide::MoverFlags;
use crate::effects::ScriptType;
use crate::entity::{Actor, Entity};
use crate::interp::{InterpretedState, Weenie};
use crate::library::ModelId;

/// The item type bit of creatures and players.
pub(super) const CREATURE: u32 = 0x10;

/// Which object flags of a description are passed on to collision. All bits of an entry must be set: only an
/// administrator that is immune to cell restrictions bypasses them.
#[doc(alias = "PublicWeenieDesc")]
pub(super) const OBJECT_FLAGS: [(u32, MoverFlags); 6] = [
    (0x8, MoverFlags::IS_PLAYER),
    (0x20, MoverFlags::IS_PK),
    (0x2000, MoverFlags::IS_FORCED_INTO_CELL),
    (0x20_0000, MoverFlags::IS_IMPENETRABLE),
    (0x50_0000, MoverFlags::BYPASSES_RESTRICTIONS),
    (0x200_0000, MoverFlags::IS_PKLITE),
];

/// The weenie class of the storage of houses.
const STORAGE_CLASS: u32 = 9687;

impl World {
    /// Creates an object from its description, replacing an earlier instance (rule D13). Messages that waited for it are
    /// handled next. If the world is full, it is not created.
    pub(super) fn create_object(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        if !self.has_room_for(desc.guid) {
            return self.reject(desc.guid, Rejection::TooManyEntities, now);
        }
        let spec = self.spec_of_desc(desc);
        let id = self.add_entity(&spec, now);
        self.describe_house(desc, now);
        self.set_description(id, &spec, desc.physics.movement.as_ref(), now);
        self.attach_children(desc, now);
        // What fails is an event, and the rest of the message counts.
        let _ = self.enter(id, &spec, desc.physics.movement.is_some(), now);
        self.replay_waiting(desc.guid);
    }

    /// Adds an entity that is not in the world yet. See [`EntitySpec`] for what it is made of. Messages that waited for it
    /// are handled next.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{EntitySpec, SpawnError, World};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// let spec = EntitySpec::new(Guid(0x8000_0001), position);
    /// let id = world.spawn(&spec, 0.0)?;
    /// assert!(world.get(id).is_some_and(|creature| creature.body().is_standing()));
    /// assert_eq!(world.spawn(&spec, 0.0), Err(SpawnError::AlreadyExists(spec.guid)));
    /// # Ok::<(), SpawnError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`SpawnError`] if the spec is not valid, the entity has no room or no cell at its position, or it cannot be
    /// attached. The world is then as it was before; what was loaded from the assets stays loaded.
    pub fn spawn(&mut self, spec: &EntitySpec, now: f64) -> Result<EntityId, SpawnError> {
        spec.check()?;
        if !is_valid_time(now) {
            return Err(SpawnError::InvalidNumber { field: "now" });
        }
        if self.store.index_of(spec.guid).is_some() {
            return Err(SpawnError::AlreadyExists(spec.guid));
        }
        if !self.has_room_for(spec.guid) {
            return Err(SpawnError::TooManyEntities { max: self.settings.capacity.entities });
        }
        let mark = self.events.mark();
        let id = self.add_entity(spec, now);
        let mut actions = Vec::new();
        let motion = spec.motion.as_ref().filter(|_| spec.motion_table.is_some());
        let movement = motion.map(|state| InitialMovement::Movement {
            movement: movement_of(state, &mut actions),
            autonomous: WireBool::from(spec.is_autonomous),
        });
        self.set_description(id, spec, movement.as_ref(), now);
        if let Err(error) = self.enter(id, spec, spec.motion_table.is_some(), now) {
            self.static_animating.remove(id);
            self.store.remove(spec.guid);
            self.events.roll_back(mark);
            return Err(error);
        }
        self.replay_waiting(spec.guid);
        self.replay(now);
        Ok(id)
    }

    /// Translates a description. Values that are missing take their defaults (rule D13).
    fn spec_of_desc(&self, desc: &ObjectDesc<'_>) -> EntitySpec {
        let physics = &desc.physics;
        let default = EntitySpec::default();
        let held_by = |parent: Attachment| HeldBy { parent: parent.guid, location: parent.location };
        let script = physics.default_script.filter(|script| *script != 0);
        let intensity = physics.default_script_intensity.unwrap_or(0.0);
        EntitySpec {
            guid: desc.guid,
            setup: physics.setup.map(DataId),
            motion_table: physics.motion_table.map(DataId),
            position: physics.position,
            held_by: physics.parent.map(held_by),
            placement: physics.placement.unwrap_or(0),
            motion: None,
            is_autonomous: false,
            state: physics.state,
            scale: physics.scale.unwrap_or(default.scale),
            friction: physics.friction.unwrap_or(default.friction),
            elasticity: physics.elasticity.unwrap_or(default.elasticity),
            translucency: physics.translucency,
            velocity: physics.velocity,
            omega: physics.omega.unwrap_or(default.omega),
            default_script: script.map(|script| (ScriptType(script), intensity)),
            is_creature: desc.weenie.item_type() & CREATURE != 0,
            mover_flags: self.mover_flags(desc),
            weenie: None,
            stamps: physics.stamps,
        }
    }

    /// Loads the data that entities with a setup and a motion table need, so that clones of this world share it instead of
    /// each loading their own. Missing or damaged data is skipped.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::{Assets, mannequin};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// world.preload(mannequin::BEAST_SETUP, Some(mannequin::BEAST_TABLE));
    /// let clients: Vec<World> = (0..100).map(|_| world.clone()).collect();
    /// # assert!(clients.iter().all(|client| std::ptr::eq(client.library(), world.library())));
    /// ```
    pub fn preload(&mut self, setup: DataId, motion_table: Option<DataId>) {
        let table = motion_table.map(|id| id.0);
        let archetype = self.assets.archetype(&mut self.library, table, Some(setup.0));
        self.assets.collision_shape(&self.library, archetype.model);
    }

    /// Reserves memory for exactly this many more entities, or as many as [`Capacity`](super::Capacity) lets in. Without it a
    /// world takes up to twice the memory that its entities need, and moves them whenever that is used up. Clones do not
    /// keep what is unused.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::Assets;
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// world.reserve(500); // before the messages that create them
    /// ```
    pub fn reserve(&mut self, entities: usize) {
        let free = self.settings.capacity.entities.saturating_sub(self.store.len());
        self.store.reserve(entities.min(free));
    }

    /// Adds an entity in no cell. An entity of the same guid leaves the world first.
    fn add_entity(&mut self, spec: &EntitySpec, now: f64) -> EntityId {
        let (table, setup) = (spec.motion_table.map(|id| id.0), spec.setup.map(|id| id.0));
        let archetype = self.assets.archetype(&mut self.library, table, setup);
        let mut entity = Entity::new(spec.guid, archetype.table);
        entity.interp.era = self.settings.era;
        entity.mover_flags = spec.mover_flags & SPEC_FLAGS;
        if self.is_player(spec.guid) {
            entity.mover_flags.insert(MoverFlags::IS_PLAYER);
        }
        let weenie = spec.weenie.clone().unwrap_or_else(|| self.weenie_of(spec.guid, spec.is_creature));
        entity.set_weenie(Some(weenie));
        let id = self.insert(entity, &archetype, spec.stamps, now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.remember_missing(spec);
        }
        id
    }

    /// Attaches to a new object the children of its description that exist (rule D13). Children that do not exist yet name
    /// their parent when they are described.
    fn attach_children(&mut self, desc: &ObjectDesc<'_>, now: f64) {
        for child in desc.physics.children.iter().flat_map(|children| children.iter()) {
            if let Some(index) = self.store.index_of(child.guid) {
                // What cannot be attached is an event.
                let _ = self.attach(index, HeldBy { parent: desc.guid, location: child.location }, now);
            }
        }
    }

    /// Attaches a new entity to the one that holds it, or places it in its cell (rules C17, D13). One that cannot be
    /// attached is placed if it has a position. What fails is reported as an event, too.
    fn enter(&mut self, id: EntityId, spec: &EntitySpec, can_move: bool, now: f64) -> Result<(), SpawnError> {
        let mut result = Ok(());
        if let (Some(held_by), Some(index)) = (spec.held_by, self.store.index_of(spec.guid)) {
            result = self.attach(index, held_by, now).map_err(SpawnError::from);
        }
        let is_free = self.store.get(id).is_some_and(|resident| resident.parent().is_none());
        if let Some(position) = spec.position.filter(|_| is_free) {
            let stands = !is_airborne(spec, can_move);
            let placed = self.enter_world(spec.guid, &position, stands, now).map_err(SpawnError::from);
            return result.and(placed);
        }
        result
    }

    /// The flags of a described object that collision depends on (`docs/collision.md` 2.3, 8.7, 10.2).
    pub(super) fn mover_flags(&self, desc: &ObjectDesc<'_>) -> MoverFlags {
        let object_flags = desc.weenie.object_flags();
        let mut flags: MoverFlags = OBJECT_FLAGS
            .iter()
            .filter(|(bits, _)| object_flags & bits == *bits)
            .map(|(_, flag)| *flag)
            .collect();
        if desc.weenie.is_hook() || desc.weenie.class_id() == STORAGE_CLASS {
            flags.insert(MoverFlags::IS_FORCED_INTO_CELL);
        }
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
    /// numbers (rule D13). Without a movement it takes its placement frame.
    fn set_description(
        &mut self,
        id: EntityId,
        spec: &EntitySpec,
        movement: Option<&InitialMovement<'_>>,
        now: f64,
    ) {
        let model = self.store.get(id).and_then(Resident::model);
        if let (Some(resident), None) = (self.store.get_mut(id), movement) {
            resident.set_placement_key(spec.placement);
        }
        self.act(spec.guid, now, |actor, _| {
            if let Some(model) = model {
                init_defaults(actor, model);
            }
            if actor.entity.animator.table().is_some() {
                enter_default_state_twice(actor);
            }
            match movement {
                Some(InitialMovement::Movement { movement, autonomous }) => {
                    actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, autonomous.get());
                    actor.unpack_movement(movement);
                }
                Some(InitialMovement::Empty) => {}
                None => {
                    let key = spec.placement.cast_signed();
                    let placement = model.and_then(|model| actor.library.model(model).placement(key));
                    actor.entity.animator.sequence_mut().set_placement(placement);
                }
            }
            actor.set_state(spec.state);
            set_numbers(&mut actor.entity.body, spec, now);
            set_looks(actor.entity, spec);
        });
        self.register_static(spec.guid);
    }

    /// Places a new object in its cell (rules C17, P8). Where the terrain is unknown it stands if `stands` is `true`, and is
    /// in the air otherwise. One that cannot be placed stays outside of the world, and that is reported as an event.
    fn enter_world(
        &mut self,
        guid: Guid,
        position: &CellPosition,
        stands: bool,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let resident = self.store.find_mut(guid).ok_or(PlacementFailure::Unknown)?;
        let Some(position) = usable_position(position, &resident.position()) else {
            self.reject(guid, Rejection::BadPosition, now);
            return Err(PlacementFailure::InvalidPosition);
        };
        if stands {
            resident.set_reported(&position, &self.settings);
        } else {
            resident.set_airborne(&self.settings);
        }
        let placed =
            self.act(guid, now, |actor, surroundings| actor.try_enter_world(&position, surroundings));
        self.wait_for_house(guid, &position, placed == Some(Ok(())));
        self.report_placement(guid, placed.unwrap_or(Err(PlacementFailure::Unknown)), now)
    }

    /// Reports a placement that failed as an event.
    pub(super) fn report_placement(
        &mut self,
        guid: Guid,
        placed: Result<(), PlacementFailure>,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        if let Err(failure) = placed {
            self.emit(guid, EventKind::NotPlaced(failure), now);
        }
        placed
    }

    /// Adds a humanoid that was never described, at a position. It behaves like any other entity; the first message of
    /// each kind is accepted whatever its stamp.
    pub fn add_stand_in(&mut self, guid: Guid, position: &CellPosition, now: f64) -> EntityId {
        let now = self.accept_time(now);
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
        }
        self.act(guid, now, |actor, _| enter_default_state_twice(actor));
        // A failure is an event.
        let _ = self.enter_world(guid, position, stands, now);
        id
    }

    /// Adds a stand-in for an object that is reported but was never created, if
    /// [`stand_ins_for_unknown`](super::Settings::stand_ins_for_unknown) is set. Messages that waited for it are
    /// handled after the report.
    pub(super) fn add_stand_in_if_unknown(&mut self, guid: Guid, pack: &PositionPack, now: f64) {
        let is_wanted = self.settings.stand_ins_for_unknown && self.store.index_of(guid).is_none();
        if !is_wanted || !self.has_room_for(guid) {
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
fn is_airborne(spec: &EntitySpec, can_move: bool) -> bool {
    let rises = spec.velocity.is_some_and(|velocity| velocity.z > SMALL_VELOCITY);
    spec.state.contains(PhysicsState::MISSILE) || (can_move && rises)
}

/// Returns a state as a movement; `actions` receives its actions.
pub(super) fn movement_of<'a>(state: &InterpretedState, actions: &'a mut Vec<ActionItem>) -> Movement<'a> {
    let body = MovementBody::Interpreted { state: state.to_wire(actions), sticky: None };
    Movement { flags: MotionFlags::empty(), style: state.style, body }
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
fn set_looks(entity: &mut Entity, spec: &EntitySpec) {
    if let Some(translucency) = spec.translucency {
        entity.effects_mut().set_original_translucency(translucency);
    }
    if let Some((script, intensity)) = spec.default_script {
        entity.effects_mut().set_script_type(script, intensity);
    }
}

/// Sets scale, friction, elasticity, velocity and omega; invalid values are ignored (rules C6, C7, D13).
fn set_numbers(body: &mut Body, spec: &EntitySpec, now: f64) {
    body.set_scale(spec.scale);
    body.set_friction(spec.friction);
    body.set_elasticity(spec.elasticity);
    if let Some(velocity) = spec.velocity {
        body.set_velocity(velocity, now);
    }
    body.set_omega(spec.omega);
}
