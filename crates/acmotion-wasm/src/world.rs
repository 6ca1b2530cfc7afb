//! Worlds.

mod player;
mod questions;
mod servers;

use acmotion::components::{Axis, InterpretedState, PhysicsState};
use acmotion::dat::DataId;
use acmotion::json::explanation;
use acmotion::scene::MoverFlags;
use acmotion::types::{Guid, MotionCommand};
use acmotion::{
    Capacity, EntityId, EntitySpec, HeldBy, Identity, MessageBatch, QueueError, Settings as WorldSettings,
};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::assets::Assets;
#[cfg(feature = "full")]
use crate::bytes::Bytes;
use crate::convert::{era, position, vector};
use crate::entities::{entity, event_line};
use crate::errors::{Kind, Outcome};
use crate::scene::Scene;

/// How a world is set up.
#[wasm_bindgen]
#[derive(Default)]
pub struct Settings(WorldSettings);

#[wasm_bindgen]
impl Settings {
    /// Creates the default: no player, level ground.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the local player.
    pub fn set_player(&mut self, guid: u32) {
        self.0.player = Identity::Known(Guid(guid));
    }

    /// Lets all messages wait until the server names the local player.
    pub fn await_player(&mut self) {
        self.0.player = Identity::Awaited;
    }

    /// Sets the numbering of motion commands.
    pub fn set_era(&mut self, name: &str) -> Outcome<()> {
        self.0.era = era(name)?;
        Ok(())
    }

    /// Sets the surroundings of all bodies.
    pub fn set_scene(&mut self, scene: &Scene) {
        self.0.surroundings = Some(scene.surroundings());
    }

    /// Sets the maximum number of entities.
    pub fn set_max_entities(&mut self, count: usize) {
        self.0.capacity = Capacity { entities: count, ..self.0.capacity };
    }

    /// Sets the flags of `acmotion::Settings`.
    pub fn set_flags(&mut self, stand_ins: bool, flat_jumps: bool, level: bool, between_ticks: bool) {
        self.0.stand_ins_for_unknown = stand_ins;
        self.0.flat_remote_jumps = flat_jumps;
        self.0.level_where_unknown = level;
        self.0.presents_between_ticks = between_ticks;
    }
}

/// An entity that is to be added to a world: a human creature, unless told otherwise.
#[wasm_bindgen]
pub struct Spec {
    spec: EntitySpec,
    is_creature: Option<bool>,
}

#[wasm_bindgen]
impl Spec {
    /// Creates the default for a guid.
    #[wasm_bindgen(constructor)]
    pub fn new(guid: u32) -> Self {
        Self { spec: EntitySpec { guid: Guid(guid), ..EntitySpec::default() }, is_creature: None }
    }

    /// Sets the position.
    pub fn set_position(&mut self, at: &[f64]) -> Outcome<()> {
        self.spec.position = Some(position(at)?);
        Ok(())
    }

    /// Sets the setup; `None` for none.
    pub fn set_setup(&mut self, id: Option<u32>) {
        self.spec.setup = id.map(DataId);
    }

    /// Sets the motion table; `None` for none.
    pub fn set_motion_table(&mut self, id: Option<u32>) {
        self.spec.motion_table = id.map(DataId);
    }

    /// Sets the scale.
    pub fn set_scale(&mut self, scale: f32) {
        self.spec.scale = scale;
    }

    /// Sets whether it is a creature. By default everything with a motion table is.
    pub fn set_creature(&mut self, is_creature: bool) {
        self.is_creature = Some(is_creature);
    }

    /// Makes it a player.
    pub fn set_player(&mut self) {
        self.spec.mover_flags = MoverFlags::IS_PLAYER;
    }

    /// Sets the first motion.
    pub fn set_motion(&mut self, style: u32, motion: u32, speed: f32) {
        let axis = Axis { speed, ..Axis::new(MotionCommand(motion)) };
        self.spec.motion = Some(InterpretedState::new(MotionCommand(style), axis));
    }

    /// Sets the velocity, in metres a second.
    pub fn set_velocity(&mut self, velocity: &[f32]) -> Outcome<()> {
        self.spec.velocity = Some(vector(velocity)?);
        Ok(())
    }

    /// Sets the rotation, in radians a second.
    pub fn set_omega(&mut self, omega: &[f32]) -> Outcome<()> {
        self.spec.omega = vector(omega)?;
        Ok(())
    }

    /// Sets the holder.
    pub fn set_holder(&mut self, parent: u32, location: u32) {
        self.spec.held_by = Some(HeldBy { parent: Guid(parent), location });
    }

    /// Sets the physics state.
    pub fn set_state(&mut self, state: u32) {
        self.spec.state = PhysicsState::from_bits_retain(state);
    }

    /// Sets the placement.
    pub fn set_placement(&mut self, placement: u32) {
        self.spec.placement = placement;
    }
}

/// All entities of a client or server, and the buffers for what comes out of it.
#[wasm_bindgen]
pub struct World {
    pub(crate) world: acmotion::World,
    assets: acmotion::dat::Assets,
    /// The time of the last call that had one.
    now: f64,
    events: Vec<acmotion::Event>,
    outbound: MessageBatch,
}

impl World {
    fn wrap(world: acmotion::World, now: f64, assets: acmotion::dat::Assets) -> Self {
        Self { world, assets, now, events: Vec::new(), outbound: MessageBatch::new() }
    }

    /// Remembers a time, for the states of entities.
    fn at(&mut self, now: f64) -> &mut acmotion::World {
        self.now = now;
        &mut self.world
    }

    /// Returns the handle of an entity.
    fn id(&self, guid: u32) -> Outcome<EntityId> {
        let found = self.world.id_of(Guid(guid));
        found.ok_or_else(|| Kind::Entity.error(format_args!("there is no entity {}", Guid(guid))))
    }
}

#[wasm_bindgen]
impl World {
    /// Creates an empty world.
    #[wasm_bindgen(constructor)]
    pub fn new(assets: &Assets, settings: Settings) -> Self {
        Self::wrap(acmotion::World::with_settings(assets.0.clone(), settings.0), 0.0, assets.0.clone())
    }

    /// Returns the world of a snapshot.
    #[cfg(feature = "full")]
    pub fn restore(snapshot: Bytes, assets: &Assets, settings: Settings) -> Outcome<Self> {
        let world = acmotion::World::restore(&snapshot.0, assets.0.clone(), settings.0.surroundings);
        world.map(|world| Self::wrap(world, 0.0, assets.0.clone())).map_err(Kind::Restore.of())
    }

    /// Returns an independent world in the same state.
    pub fn copy(&self) -> Self {
        Self::wrap(self.world.clone(), self.now, self.assets.clone())
    }

    /// Adds an entity.
    pub fn spawn(&mut self, spec: Spec, now: f64) -> Outcome<()> {
        let Spec { mut spec, is_creature } = spec;
        spec.is_creature = is_creature.unwrap_or_else(|| spec.motion_table.is_some());
        self.at(now).spawn(&spec, now).map(drop).map_err(Kind::Spawn.of())
    }

    /// Removes an entity. Returns `false` if it does not exist.
    pub fn despawn(&mut self, guid: u32, now: f64) -> bool {
        let id = self.world.id_of(Guid(guid));
        id.is_some_and(|id| self.at(now).despawn(id, now))
    }

    /// Handles a message of the server at once.
    pub fn receive(&mut self, message: &[u8], now: f64) -> Outcome<()> {
        self.at(now).receive(message, now).map_err(Kind::Decode.of())
    }

    /// Queues a message of the server for the next `advance`.
    pub fn queue(&mut self, message: &[u8]) -> Outcome<()> {
        self.world.queue_message(message).map_err(|error| match error {
            QueueError::Decode(error) => Kind::Decode.error(error),
            _ => Kind::Limit.error(error),
        })
    }

    /// Runs a client frame. Returns `true` if entities were updated.
    pub fn advance(&mut self, now: f64) -> bool {
        self.at(now).advance(now)
    }

    /// Advances all entities, without messages and player. Returns `true` if they were updated.
    pub fn tick(&mut self, now: f64) -> bool {
        self.at(now).tick(now)
    }

    /// Removes and returns the events since the last call, oldest first, as a JSON list.
    pub fn events(&mut self, effects: bool) -> String {
        self.world.swap_events(&mut self.events);
        let library = self.world.library();
        let mut list = String::from("[");
        for line in self.events.iter().filter_map(|event| event_line(event, library, effects)) {
            if list.len() > 1 {
                list.push(',');
            }
            list.push_str(&line);
        }
        list.push(']');
        list
    }

    /// Removes and returns the messages that the local player has for the server.
    pub fn outbound(&mut self) -> Array {
        self.world.swap_outbound(&mut self.outbound);
        self.outbound.iter().map(Uint8Array::from).collect()
    }

    /// Returns the number of events that were lost because `events` was not called in time.
    pub fn lost_events(&self) -> f64 {
        self.world.lost_events() as f64
    }

    /// Returns the number of messages that wait for objects that have not been created.
    pub fn waiting_messages(&self) -> usize {
        self.world.waiting_messages()
    }

    /// Returns the number of entities.
    pub fn size(&self) -> usize {
        self.world.entities().len()
    }

    /// Returns the guids of all entities.
    pub fn guids(&self) -> Vec<u32> {
        self.world.entities().map(|resident| resident.guid().0).collect()
    }

    /// Returns `true` if an entity exists.
    pub fn has(&self, guid: u32) -> bool {
        self.world.id_of(Guid(guid)).is_some()
    }

    /// Returns an entity as JSON; `None` if it does not exist.
    pub fn get(&self, guid: u32) -> Option<String> {
        let resident = self.world.find(Guid(guid))?;
        Some(entity(self.now, resident, self.world.library()))
    }

    /// Starts or stops recording why an entity moves as it does. Returns `false` if it does not exist.
    pub fn explain(&mut self, guid: u32, on: bool) -> bool {
        self.world.explain(Guid(guid), on)
    }

    /// Returns why an entity moved as it did in its last step, as JSON; `None` if that is not recorded.
    pub fn explanation(&self, guid: u32) -> Option<String> {
        let step = self.world.explanation(Guid(guid))?;
        let order = self.world.find(Guid(guid))?.entity().explain_move_to();
        Some(explanation(step, order.as_ref()).to_string())
    }

    /// Returns the whole state of the world.
    #[cfg(feature = "full")]
    pub fn snapshot(&self) -> Vec<u8> {
        self.world.snapshot()
    }
}
