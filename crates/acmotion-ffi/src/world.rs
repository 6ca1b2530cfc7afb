//! Worlds: created, filled, advanced, saved and restored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use acmotion::components::RawState;
use acmotion::dat::DataId;
use acmotion::scene::{MoverFlags, Surroundings};
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::PhysicsState;
use acmotion::{
    Capacity, EntityId, EntitySpec, Event, HeldBy, Identity, MessageBatch, PendingLimits, PlayerWeenie,
    PresentedBody, QueueError, Settings, SpawnError, World,
};

use crate::dat::AcmAssets;
use crate::handle::{ASSETS, SCENES, WORLDS, lock};
use crate::memory::{Out, OutList, Versioned, inputs, sized};
use crate::scene::AcmScene;
use crate::server::Broadcasts;
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::{AcmPosition, AcmVec3, era};

/// A handle of a world.
pub type AcmWorld = u64;

/// `AcmWorldSettings::flags`: an object that is reported but was never created gets a humanoid stand-in.
pub const ACM_WORLD_STAND_INS: u32 = 1;
/// `AcmWorldSettings::flags`: a remote that leaves the ground takes the velocity of its own motion.
pub const ACM_WORLD_FLAT_REMOTE_JUMPS: u32 = 2;
/// `AcmWorldSettings::flags`: a body stands on level ground where the scene is unknown.
pub const ACM_WORLD_LEVEL_WHERE_UNKNOWN: u32 = 4;
/// `AcmWorldSettings::flags`: bodies can be presented between ticks, for displays.
pub const ACM_WORLD_PRESENTS_BETWEEN_TICKS: u32 = 8;
/// `AcmWorldSettings::flags`: all messages wait until the server names the player.
pub const ACM_WORLD_AWAITS_PLAYER: u32 = 16;

/// `AcmEntitySpec::flags`: it is a creature or a player.
pub const ACM_SPEC_CREATURE: u32 = 1;
/// `AcmEntitySpec::flags`: it has a position.
pub const ACM_SPEC_POSITION: u32 = 2;
/// `AcmEntitySpec::flags`: `velocity` counts.
pub const ACM_SPEC_VELOCITY: u32 = 4;
/// `AcmEntitySpec::flags`: `translucency` counts.
pub const ACM_SPEC_TRANSLUCENCY: u32 = 8;
/// `AcmEntitySpec::flags`: it is a player whose skills are `run_skill`, `jump_skill`, `load` and `stamina`.
pub const ACM_SPEC_SKILLS: u32 = 16;
/// `AcmEntitySpec::flags`: it starts with `style`, `forward` and `forward_speed`.
pub const ACM_SPEC_MOTION: u32 = 32;

/// The settings of a world. Call `acm_world_settings_init` first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmWorldSettings {
    /// `sizeof(AcmWorldSettings)`.
    pub struct_size: u32,
    /// The guid of the local player; 0 for none.
    pub player: u32,
    /// `ACM_ERA_END_OF_RETAIL` or `ACM_ERA_SEPTEMBER_2013`.
    pub era: u32,
    /// `ACM_WORLD_…`.
    pub flags: u32,
    /// The time after which messages for an unknown object are dropped, in seconds.
    pub waiting_seconds: f64,
    /// The maximum number of messages that wait for objects.
    pub waiting_messages: u64,
    /// The maximum size of all messages that wait for objects, in bytes.
    pub waiting_bytes: u64,
    /// The maximum number of entities.
    pub entities: u64,
    /// The maximum number of messages queued for the next frame.
    pub queued_messages: u64,
    /// The maximum size of all messages queued for the next frame, in bytes.
    pub queued_bytes: u64,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmWorldSettings {}

/// What an entity is made of. Call `acm_entity_spec_init` first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmEntitySpec {
    /// `sizeof(AcmEntitySpec)`.
    pub struct_size: u32,
    /// Its guid, not 0.
    pub guid: u32,
    /// The setup (0x02…); 0 for none.
    pub setup: u32,
    /// The motion table (0x09…); 0 for none.
    pub motion_table: u32,
    /// `ACM_SPEC_…`.
    pub flags: u32,
    /// Where it enters the world.
    pub position: AcmPosition,
    /// The entity that holds it; 0 for none.
    pub parent: u32,
    /// The holding location of the parent: 1 right hand, 2 left hand, 3 shield.
    pub location: u32,
    /// The key of its placement frame.
    pub placement: u32,
    /// The physics state.
    pub physics_state: u32,
    /// Its flags as a mover and an obstacle, those of the original's object info.
    pub mover_flags: u32,
    /// The scale.
    pub scale: f32,
    /// The friction, 0 to 1.
    pub friction: f32,
    /// The elasticity, 0 to 0.1.
    pub elasticity: f32,
    /// The translucency, 0 to 1.
    pub translucency: f32,
    /// The velocity in metres a second.
    pub velocity: AcmVec3,
    /// The angular velocity in radians a second.
    pub omega: AcmVec3,
    /// The style of its first motion.
    pub style: u32,
    /// The forward command of its first motion.
    pub forward: u32,
    /// The speed of its first motion.
    pub forward_speed: f32,
    /// The run skill of a player.
    pub run_skill: u32,
    /// The jump skill of a player.
    pub jump_skill: u32,
    /// The load of a player: 1 is its capacity.
    pub load: f32,
    /// The stamina of a player.
    pub stamina: u32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmEntitySpec {}

/// A world and what its handle keeps between calls.
pub(crate) struct WorldState {
    pub(crate) world: World,
    /// Events that were taken from the world and not yet by the caller, from `next_event` on.
    pub(crate) events: Vec<Event>,
    pub(crate) next_event: usize,
    /// Messages to the server, likewise.
    pub(crate) outbound: MessageBatch,
    pub(crate) next_outbound: usize,
    /// Messages to clients.
    pub(crate) broadcasts: Broadcasts,
    /// What the clients of players last said of their keys.
    pub(crate) raw: HashMap<Guid, RawState>,
    /// Kept so that presenting allocates nothing.
    pub(crate) presented: Vec<PresentedBody>,
}

impl WorldState {
    fn new(world: World) -> Self {
        Self {
            world,
            events: Vec::new(),
            next_event: 0,
            outbound: MessageBatch::new(),
            next_outbound: 0,
            broadcasts: Broadcasts::default(),
            raw: HashMap::new(),
            presented: Vec::new(),
        }
    }

    pub(crate) fn id_of(&self, guid: u32) -> Outcome<EntityId> {
        self.world.id_of(Guid(guid)).ok_or(Failure::NO_ENTITY)
    }
}

/// Runs a function on the world of a handle.
pub(crate) fn with_world<R>(world: AcmWorld, act: impl FnOnce(&mut WorldState) -> Outcome<R>) -> Outcome<R> {
    let world = WORLDS.get(world)?;
    let mut state = lock(&world)?;
    act(&mut state)
}

fn surroundings(scene: AcmScene) -> Outcome<Option<Arc<dyn Surroundings + Send + Sync>>> {
    Ok(SCENES.get_optional(scene)?.map(|scene| scene as Arc<dyn Surroundings + Send + Sync>))
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl AcmWorldSettings {
    fn to_settings(self, scene: AcmScene) -> Outcome<Settings> {
        let has = |flag: u32| self.flags & flag != 0;
        let player = match self.player {
            0 if has(ACM_WORLD_AWAITS_PLAYER) => Identity::Awaited,
            0 => Identity::NoPlayer,
            guid => Identity::Known(Guid(guid)),
        };
        Ok(Settings {
            player,
            era: era(self.era)?,
            limits: PendingLimits {
                seconds: self.waiting_seconds,
                messages: size(self.waiting_messages),
                bytes: size(self.waiting_bytes),
            },
            capacity: Capacity {
                entities: size(self.entities),
                queued_messages: size(self.queued_messages),
                queued_bytes: size(self.queued_bytes),
            },
            stand_ins_for_unknown: has(ACM_WORLD_STAND_INS),
            flat_remote_jumps: has(ACM_WORLD_FLAT_REMOTE_JUMPS),
            surroundings: surroundings(scene)?,
            level_where_unknown: has(ACM_WORLD_LEVEL_WHERE_UNKNOWN),
            presents_between_ticks: has(ACM_WORLD_PRESENTS_BETWEEN_TICKS),
            ..Settings::default()
        })
    }
}

impl AcmEntitySpec {
    fn to_spec(self) -> EntitySpec {
        use acmotion::components::{Axis, InterpretedState};
        let has = |flag: u32| self.flags & flag != 0;
        let id = |id: u32| (id != 0).then_some(DataId(id));
        let motion = has(ACM_SPEC_MOTION).then(|| {
            let forward = Axis { speed: self.forward_speed, ..Axis::new(MotionCommand(self.forward)) };
            InterpretedState::new(MotionCommand(self.style), forward)
        });
        let held_by = HeldBy { parent: Guid(self.parent), location: self.location };
        EntitySpec {
            guid: Guid(self.guid),
            setup: id(self.setup),
            motion_table: id(self.motion_table),
            position: has(ACM_SPEC_POSITION).then(|| self.position.into()),
            held_by: (self.parent != 0).then_some(held_by),
            placement: self.placement,
            motion,
            state: PhysicsState::from_bits_retain(self.physics_state),
            scale: self.scale,
            friction: self.friction,
            elasticity: self.elasticity,
            translucency: has(ACM_SPEC_TRANSLUCENCY).then_some(self.translucency),
            velocity: has(ACM_SPEC_VELOCITY).then(|| self.velocity.into()),
            omega: self.omega.into(),
            is_creature: has(ACM_SPEC_CREATURE),
            mover_flags: MoverFlags::from_bits_truncate(self.mover_flags as _),
            weenie: has(ACM_SPEC_SKILLS).then(|| {
                let skills = AcmSkills {
                    run_skill: self.run_skill,
                    jump_skill: self.jump_skill,
                    load: self.load,
                    stamina: self.stamina,
                };
                Arc::new(PlayerWeenie::from(skills)) as _
            }),
            ..EntitySpec::default()
        }
    }
}

/// What running and jumping depend on.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmSkills {
    /// The run skill.
    pub run_skill: u32,
    /// The jump skill.
    pub jump_skill: u32,
    /// The load: 1 is the capacity.
    pub load: f32,
    /// The stamina; at 0 the player runs and jumps as at skill 0.
    pub stamina: u32,
}

impl From<AcmSkills> for PlayerWeenie {
    fn from(skills: AcmSkills) -> Self {
        let AcmSkills { run_skill, jump_skill, load, stamina } = skills;
        Self { run_skill, jump_skill, load, stamina, ..Self::default() }
    }
}

/// Fills in the default settings: no player, no flags, the limits of `docs/limits.md`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_settings_init(settings: *mut AcmWorldSettings) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(settings, "settings")? };
        let Settings { limits, capacity, .. } = Settings::default();
        out.set(AcmWorldSettings {
            struct_size: size_of::<AcmWorldSettings>() as u32,
            waiting_seconds: limits.seconds,
            waiting_messages: limits.messages as u64,
            waiting_bytes: limits.bytes as u64,
            entities: capacity.entities as u64,
            queued_messages: capacity.queued_messages as u64,
            queued_bytes: capacity.queued_bytes as u64,
            ..AcmWorldSettings::default()
        });
        Ok(())
    })
}

/// Creates an empty world. `scene` is 0 or the land and walls that all bodies move in; without it each body stands on level
/// ground where it was last reported. `settings` may be NULL for the default ones. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_new(
    assets: AcmAssets,
    scene: AcmScene,
    settings: *const AcmWorldSettings,
    world: *mut AcmWorld,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (settings, out) = unsafe {
            let settings = (!settings.is_null()).then(|| sized(settings, "settings")).transpose()?;
            (settings, Out::new(world, "world")?)
        };
        let settings = match settings {
            Some(settings) => settings.to_settings(scene)?,
            None => Settings { surroundings: surroundings(scene)?, ..Settings::default() },
        };
        let world = World::with_settings((*ASSETS.get(assets)?).clone(), settings);
        out.set(WORLDS.add(Mutex::new(WorldState::new(world)))?);
        Ok(())
    })
}

/// Creates an independent world in the same state, for rollback and what-if questions. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_clone(world: AcmWorld, clone: *mut AcmWorld) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(clone, "clone")? };
        let mut copy = None;
        with_world(world, |state| {
            let mut own = WorldState::new(state.world.clone());
            own.events.extend_from_slice(&state.events[state.next_event..]);
            own.outbound = state.outbound.clone();
            own.next_outbound = state.next_outbound;
            own.broadcasts = state.broadcasts.clone();
            own.raw = state.raw.clone();
            copy = Some(own);
            Ok(())
        })?;
        out.set(WORLDS.add(Mutex::new(copy.ok_or(Failure::NOTHING)?))?);
        Ok(())
    })
}

/// Replaces the scene of a world, for example when more land has been loaded; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_set_scene(world: AcmWorld, scene: AcmScene) -> AcmStatus {
    guard(|| {
        let around = surroundings(scene)?;
        with_world(world, |state| {
            state.world.set_surroundings(around);
            Ok(())
        })
    })
}

/// Fills in a human creature without a guid and a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_entity_spec_init(spec: *mut AcmEntitySpec) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(spec, "spec")? };
        let human = EntitySpec::default();
        let weenie = PlayerWeenie::default();
        out.set(AcmEntitySpec {
            struct_size: size_of::<AcmEntitySpec>() as u32,
            setup: human.setup.map_or(0, |id| id.0),
            motion_table: human.motion_table.map_or(0, |id| id.0),
            flags: ACM_SPEC_CREATURE,
            position: acmotion::types::CellPosition::default().into(),
            physics_state: human.state.bits(),
            scale: human.scale,
            friction: human.friction,
            elasticity: human.elasticity,
            forward_speed: 1.0,
            stamina: weenie.stamina,
            ..AcmEntitySpec::default()
        });
        Ok(())
    })
}

/// Adds an entity, at a time in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_spawn(world: AcmWorld, spec: *const AcmEntitySpec, now: f64) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let spec = unsafe { sized(spec, "spec")? };
        with_world(world, |state| {
            let spawned = state.world.spawn(&spec.to_spec(), now);
            spawned.map(drop).map_err(|error| match error {
                SpawnError::TooManyEntities { .. } => Failure::of(AcmStatus::Full, error),
                SpawnError::NoGuid | SpawnError::InvalidNumber { .. } => Failure::bad_argument(error),
                _ => Failure::refused(error),
            })
        })
    })
}

/// Removes an entity, at a time in seconds.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_despawn(world: AcmWorld, guid: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.raw.remove(&Guid(guid));
            if state.world.despawn(state.id_of(guid)?, now) { Ok(()) } else { Err(Failure::NO_ENTITY) }
        })
    })
}

/// Queues a message of the server for the next `acm_world_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_queue(world: AcmWorld, bytes: *const u8, length: usize) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let bytes = unsafe { inputs(bytes, length, "bytes")? };
        with_world(world, |state| {
            state.world.queue_message(bytes).map_err(|error| match error {
                QueueError::Full { .. } => Failure::of(AcmStatus::Full, error),
                _ => Failure::bad_data(error),
            })
        })
    })
}

/// Handles a message of the server at once, at a time in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_receive(
    world: AcmWorld,
    bytes: *const u8,
    length: usize,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let bytes = unsafe { inputs(bytes, length, "bytes")? };
        with_world(world, |state| state.world.receive(bytes, now).map_err(Failure::bad_data))
    })
}

/// Runs a whole client frame at a time in seconds: advances all entities, handles the queued messages, updates the player.
/// `ticked` may be NULL; it is set to 1 if entities were updated, else to 0. Call it once a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_advance(world: AcmWorld, now: f64, ticked: *mut u32) -> AcmStatus {
    // SAFETY: the caller's promise is the same.
    unsafe { step(world, ticked, |world| world.advance(now)) }
}

/// Only advances all entities, without messages and the player. `ticked` as in `acm_world_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_tick(world: AcmWorld, now: f64, ticked: *mut u32) -> AcmStatus {
    // SAFETY: the caller's promise is the same.
    unsafe { step(world, ticked, |world| world.tick(now)) }
}

/// Runs a step of a world.
///
/// # Safety
/// As for [`Out::new`]; NULL is allowed.
unsafe fn step(world: AcmWorld, ticked: *mut u32, act: impl FnOnce(&mut World) -> bool) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's promise is the same.
        let ticked = unsafe { (!ticked.is_null()).then(|| Out::new(ticked, "ticked")).transpose()? };
        let has_ticked = with_world(world, |state| Ok(act(&mut state.world)))?;
        if let Some(ticked) = ticked {
            ticked.set(has_ticked.into());
        }
        Ok(())
    })
}

/// Writes the whole state of a world. Take it when events and messages have been drained: those that were drained in part
/// are not in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_snapshot(
    world: AcmWorld,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::new(buffer, capacity, "buffer")?, Out::new(length, "length")?) };
        with_world(world, |state| buffer.fill(&state.world.snapshot(), &length))
    })
}

/// Creates the world of a snapshot, with the same assets and scene as the world that it was taken of. Free it with
/// `acm_free`. The bytes need not come from a trusted source.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_restore(
    bytes: *const u8,
    length: usize,
    assets: AcmAssets,
    scene: AcmScene,
    world: *mut AcmWorld,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, out) = unsafe { (inputs(bytes, length, "bytes")?, Out::new(world, "world")?) };
        let assets = ASSETS.get(assets)?;
        let restored = World::restore(bytes, (*assets).clone(), surroundings(scene)?);
        let restored = restored.map_err(Failure::bad_data)?;
        out.set(WORLDS.add(Mutex::new(WorldState::new(restored)))?);
        Ok(())
    })
}
