//! The server in a box: handles movement messages as community servers do, for tests and demonstrations.
//!
//! It is a test partner, not a game. It follows the recordings and the rules:
//!
//! - A player's raw state becomes an interpreted one and is sent to all clients, the player's own included.
//! - Positions of players are trusted, and sent about once a second. A jump is a velocity.
//! - Creatures move by orders, and their positions are sent five times a second.
//! - Stances, deaths, teleports and doors are movements of the server itself, with a newer server-control stamp.
//! - Players hold what they wield in the stances that use it. Arrows and bolts are objects that fly.
//!
//! All messages are real bytes, in both directions.

mod client_messages;
mod combat;
mod creatures;
mod items;
mod messages;
mod missiles;
mod object;
mod orders;
mod sight;

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion::components::RawState;
use acmotion::dat::Assets;
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{Movement, S2C};
use acmotion::{Description, Event, PlayerWeenie, Resident, Settings, StampKind, World};
use rustc_hash::{FxHashMap, FxHashSet};

pub use items::Item;
pub use object::ServerObject;

use crate::scenario::{
    ClientSpec, CreatureKind, CreatureSpec, ItemKind, LocalPosition, Scenario, ServerSettings,
    SharedSurroundings, height_at,
};
use crate::view::ClientId;
use missiles::Missile;
use object::Role;

/// A message to a client.
#[derive(Clone)]
pub(crate) struct ServerMessage {
    pub(crate) to: ClientId,
    pub(crate) bytes: Arc<[u8]>,
    /// Whether it is sent again until it arrives, whatever the network settings: messages that create objects are.
    pub(crate) must_arrive: bool,
}

/// The connection of a client.
#[derive(Clone)]
struct Connection {
    guid: Guid,
    weenie: PlayerWeenie,
    is_observer: bool,
    has_entered: bool,
    /// The player's last raw state.
    raw: RawState,
    event_sequence: u32,
    /// The number of times that its player has entered the world.
    entries: u16,
    /// The objects that its client has, if it is sent only those that are near.
    known: FxHashSet<Guid>,
}

/// The server: its own world, the objects in it, and the connections of its clients.
#[derive(Clone)]
pub struct Server {
    world: World,
    settings: ServerSettings,
    landblock: u16,
    surroundings: SharedSurroundings,
    objects: Vec<ServerObject>,
    /// The indices of the objects.
    indices: FxHashMap<Guid, usize>,
    /// The items, by their ids.
    items: BTreeMap<Guid, Item>,
    /// The missiles that fly or stick in something, oldest first.
    missiles: Vec<Missile>,
    /// The number of missiles so far.
    missile_count: u32,
    connections: Vec<Connection>,
    /// The time, in seconds, at which it is next determined which objects are near a client.
    sight_due: f64,
    send_queue: Vec<ServerMessage>,
    ignored: u64,
}

impl Server {
    pub(crate) fn new(scenario: &Scenario, assets: Assets, surroundings: SharedSurroundings) -> Self {
        let settings = Settings { surroundings: Some(Arc::clone(&surroundings)), ..Settings::default() };
        let connection = |(index, spec): (usize, &ClientSpec)| Connection {
            guid: player_guid(index),
            weenie: PlayerWeenie {
                run_skill: spec.run_skill,
                jump_skill: spec.jump_skill,
                load: spec.load,
                ..PlayerWeenie::default()
            },
            is_observer: spec.is_observer,
            has_entered: false,
            raw: RawState::default(),
            event_sequence: 0,
            entries: 0,
            known: FxHashSet::default(),
        };
        Self {
            world: World::with_settings(assets, settings),
            settings: scenario.server,
            landblock: scenario.landblock,
            surroundings,
            objects: Vec::new(),
            indices: FxHashMap::default(),
            items: BTreeMap::new(),
            missiles: Vec::new(),
            missile_count: 0,
            connections: scenario.clients.iter().enumerate().map(connection).collect(),
            sight_due: 0.0,
            send_queue: Vec::new(),
            ignored: 0,
        }
    }

    /// Returns the server's own world. Creatures move in it, and players as far as their messages say.
    pub fn world(&self) -> &World {
        &self.world
    }

    pub(crate) fn surroundings(&self) -> SharedSurroundings {
        Arc::clone(&self.surroundings)
    }

    /// Returns the settings.
    pub fn settings(&self) -> ServerSettings {
        self.settings
    }

    /// Changes the settings. The tick rate stays.
    pub fn set_settings(&mut self, settings: ServerSettings) {
        self.settings = ServerSettings { tick_rate: self.settings.tick_rate, ..settings };
    }

    /// Returns all objects of its world.
    pub fn objects(&self) -> &[ServerObject] {
        &self.objects
    }

    /// Returns the number of messages that could not be decoded, or were stale.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    pub(crate) fn explain(&mut self, guid: Guid, explained: bool) -> bool {
        self.world.explain(guid, explained)
    }

    pub(crate) fn take_messages(&mut self) -> Vec<ServerMessage> {
        std::mem::take(&mut self.send_queue)
    }

    pub(crate) fn drain_events(&mut self) -> Vec<Event> {
        self.world.drain_events().collect()
    }

    /// Updates the world. Returns `true` if the physics gate was open (rule B2).
    pub(crate) fn tick(&mut self, now: f64) -> bool {
        let ticked = self.world.tick(now);
        self.run_tasks(now);
        self.run_player_actions(now);
        self.update_missiles(now);
        self.end_portals(now);
        self.update_sight(now);
        self.send_positions(now);
        ticked
    }

    /// Returns the world position of a position in the scenario; `None` off the map, or without ground below if no height
    /// is given.
    pub(crate) fn resolve(&self, local: &LocalPosition) -> Option<CellPosition> {
        let mut position = local.at_height(self.landblock, local.z.unwrap_or(ABOVE_ALL_GROUND))?;
        if local.z.is_none() {
            position.frame.origin.z = height_at(&*self.surroundings, &position)?;
        }
        Some(position)
    }

    pub(crate) fn object(&self, guid: Guid) -> Option<&ServerObject> {
        self.objects.get(*self.indices.get(&guid)?)
    }

    fn object_mut(&mut self, guid: Guid) -> Option<&mut ServerObject> {
        self.objects.get_mut(*self.indices.get(&guid)?)
    }

    /// Adds an object to the world. Returns `false` if it cannot be placed there.
    fn add(&mut self, mut object: ServerObject, local: &LocalPosition, now: f64) -> bool {
        let Some(position) = self.resolve(local) else { return false };
        let Ok(id) = self.world.spawn(&object.spec(position), now) else { return false };
        object.reported = self.world.get(id).map(Resident::position).unwrap_or(position);
        self.indices.insert(object.guid, self.objects.len());
        self.objects.push(object);
        true
    }

    /// Adds a creature. Returns `false` if it cannot be placed.
    pub(crate) fn add_creature(&mut self, spec: &CreatureSpec, guid: Guid, now: f64) -> bool {
        let mut object = ServerObject::new(guid, &spec.name, spec.kind, Role::creature(spec.run_rate));
        if spec.kind == CreatureKind::Door {
            object.forward = MotionCommand::OFF;
        }
        if !self.add(object, &spec.position, now) {
            return false;
        }
        for client in self.recipients(guid).collect::<Vec<_>>() {
            self.send_create(client, guid);
        }
        true
    }

    /// Lets a player enter the world: sends its client the player and everything in the world, and the player to all
    /// others. Returns `false` if it cannot be placed.
    pub(crate) fn enter(&mut self, client: ClientId, spec: &ClientSpec, now: f64) -> bool {
        let Some(connection) = self.connections.get(client.0) else { return false };
        let (guid, weenie, is_observer) = (connection.guid, connection.weenie, connection.is_observer);
        let entries = connection.entries.wrapping_add(1);
        let role = Role::Player { client, is_seen: !is_observer };
        let mut object = ServerObject::new(guid, &spec.name, CreatureKind::Human, role);
        object.instance = Stamp(entries);
        if !self.add(object, &spec.position, now) {
            return false;
        }
        let weapons =
            [(spec.has_sword, ItemKind::Sword, FIRST_SWORD), (spec.has_bow, ItemKind::Bow, FIRST_BOW)];
        for (_, kind, first) in weapons.into_iter().filter(|(has_it, ..)| *has_it) {
            self.add_item(Item::wielded(Guid(first + client.0 as u32), kind, guid), None, now);
        }
        let connection = &mut self.connections[client.0];
        connection.has_entered = true;
        connection.entries = entries;
        connection.event_sequence += 1;
        let sequence = connection.event_sequence;
        for bytes in [messages::player_description(guid, sequence, &weenie), messages::player_create(guid)] {
            self.send(client, &bytes.into(), true);
        }
        self.send_create(client, guid);
        if self.settings.view_distance.is_none() {
            let seen = self.objects.iter().filter(|object| object.is_seen());
            let others: Vec<Guid> = seen.map(|object| object.guid).filter(|other| *other != guid).collect();
            for other in others {
                self.send_create(client, other);
            }
        }
        for item in self.items_of(None) {
            self.send_create_item(client, item);
        }
        if !is_observer {
            let recipients: Vec<ClientId> = self.recipients(guid).filter(|other| *other != client).collect();
            for recipient in recipients {
                self.send_create(recipient, guid);
            }
        }
        true
    }

    /// Sends a client an object as it is now, and its items.
    fn send_create(&mut self, client: ClientId, guid: Guid) {
        let description = self.world.id_of(guid).and_then(|id| self.world.describe(id));
        let (Some(object), Some(description)) = (self.object(guid), description) else { return };
        let description = description.named(object.name.as_str());
        self.send_description(client, &description);
        for item in self.items_of(Some(guid)) {
            self.send_create_item(client, item);
        }
    }

    /// Sends a client the description of an object.
    fn send_description(&mut self, client: ClientId, description: &Description) {
        let mut bytes = Vec::new();
        description.encode(&mut bytes);
        self.send(client, &bytes.into(), true);
    }

    fn send(&mut self, to: ClientId, bytes: &Arc<[u8]>, must_arrive: bool) {
        self.send_queue.push(ServerMessage { to, bytes: Arc::clone(bytes), must_arrive });
    }

    /// Iterates over the clients that receive messages about an object.
    fn recipients(&self, guid: Guid) -> impl Iterator<Item = ClientId> {
        let is_seen = self.object(guid).is_some_and(ServerObject::is_seen);
        let sees_all = self.settings.view_distance.is_none();
        let has_object = move |connection: &Connection| {
            let is_near = sees_all || connection.known.contains(&guid);
            connection.has_entered && ((is_seen && is_near) || connection.guid == guid)
        };
        let connections = self.connections.iter().enumerate();
        connections.filter(move |(_, connection)| has_object(connection)).map(|(id, _)| ClientId(id))
    }

    /// Sends a message about an object to all its recipients.
    fn broadcast<'a>(&mut self, guid: Guid, message: impl Into<S2C<'a>>) {
        let bytes: Arc<[u8]> = messages::encoded(message).into();
        for client in self.recipients(guid).collect::<Vec<_>>() {
            self.send(client, &bytes, false);
        }
    }

    /// Sets the movement of an object, in the server's own world and for all clients (`docs/wire.md` 5).
    fn set_movement(&mut self, guid: Guid, movement: Movement<'_>, autonomous: bool, now: f64) {
        let Some(id) = self.world.id_of(guid) else { return };
        if let Some(message) = self.world.set_movement(id, movement, autonomous, now) {
            self.broadcast(guid, message);
        }
    }

    /// Sends the positions of all objects that have moved and are due, about as often as community servers do.
    fn send_positions(&mut self, now: f64) {
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            let interval = match object.role {
                Role::Player { .. } => self.settings.position_interval,
                Role::Creature(_) => self.settings.creature_interval,
            };
            let Some(resident) = self.world.find(object.guid) else { continue };
            let position = resident.position();
            let has_moved =
                position.cell != object.reported.cell || !position.frame.is_close_to(&object.reported.frame);
            if has_moved && now >= object.reported_at + interval && !object.is_in_portal_space() {
                self.send_position(self.objects[index].guid, now);
            }
        }
    }

    /// Sends the position of an object that has moved to all clients.
    fn send_position(&mut self, guid: Guid, now: f64) {
        if let Some(id) = self.world.id_of(guid) {
            self.world.next_stamp(id, StampKind::Position);
        }
        self.send_described_position(guid, now);
    }

    /// Sends the position of an object to all clients, with the stamps that it has.
    fn send_described_position(&mut self, guid: Guid, now: f64) {
        let id = self.world.id_of(guid);
        let Some(message) = id.and_then(|id| self.world.describe_position(id)) else { return };
        let Some(object) = self.object_mut(guid) else { return };
        (object.reported, object.reported_at) = (message.pack.position, now);
        self.broadcast(guid, message);
    }

    /// Places a body of the server's world. Clients are not notified.
    fn set_position(&mut self, guid: Guid, position: &CellPosition, now: f64) {
        self.world.act(guid, now, |actor, surroundings| actor.set_position(position, true, surroundings));
    }

    /// Sets the velocity of an object, in the server's own world and for all clients (rule D10).
    fn set_velocity(&mut self, guid: Guid, velocity: Vec3, now: f64) {
        let Some(id) = self.world.id_of(guid) else { return };
        if let Some(message) = self.world.set_velocity(id, velocity, Vec3::ZERO, now) {
            self.broadcast(guid, message);
        }
    }
}

/// A height above any ground, in metres.
const ABOVE_ALL_GROUND: f32 = 1_000.0;
/// The id of the first client's body.
const FIRST_PLAYER: u32 = 0x5000_0001;
/// The ids of the first client's sword and bow, and of the first item on the ground.
const FIRST_SWORD: u32 = 0x6000_0001;
const FIRST_BOW: u32 = 0x6100_0001;
const FIRST_GROUND_ITEM: u32 = 0x6200_0001;

/// Returns the id of the body of the client at an index.
pub(crate) fn player_guid(index: usize) -> Guid {
    Guid(FIRST_PLAYER + index as u32)
}

/// Returns the index of the client whose body has an id, if there are that many clients.
pub(crate) fn player_index(guid: Guid) -> Option<usize> {
    guid.0.checked_sub(FIRST_PLAYER).map(|index| index as usize)
}

/// Returns the id of the scenario's item at an index.
pub(crate) fn item_guid(index: usize) -> Guid {
    Guid(FIRST_GROUND_ITEM + index as u32)
}

/// Returns the id of the creature at an index.
pub(crate) fn creature_guid(index: usize) -> Guid {
    Guid(0x8000_0001 + index as u32)
}
