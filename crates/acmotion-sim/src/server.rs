//! The server in a box: what community servers do with the messages of movement, for tests and demonstrations.
//!
//! It is a test partner, not a game. What it does follows the recordings and the rules: a player's raw state becomes an
//! interpreted one and goes to everybody, himself included; places are believed and told about once a second; a jump is
//! a velocity; creatures are moved by orders, and told five times a second; stances, deaths, teleports and doors are the
//! server's own movements, with a newer stamp of control. Everything is a real message in bytes, both ways.

mod client_messages;
mod creatures;
mod messages;
mod object;
mod orders;

use std::sync::Arc;

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::interp::{PlayerWeenie, RawState};
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{Movement, S2C};
use acmotion::world::{Event, Settings};

pub use object::ServerObject;

use crate::scenario::{CreatureKind, LocalPosition, Scenario, ServerSettings, SharedSurroundings, height_at};
use crate::view::ClientId;
use object::Role;

/// A message for somebody.
pub(crate) struct ServerMessage {
    pub(crate) to: ClientId,
    pub(crate) bytes: Arc<[u8]>,
    /// What tells of objects is sent until it arrives, whatever the network.
    pub(crate) must_arrive: bool,
}

/// Somebody's place at the server.
struct Connection {
    guid: Guid,
    weenie: PlayerWeenie,
    is_observer: bool,
    has_entered: bool,
    /// What his keys asked for last.
    raw: RawState,
    event_sequence: u32,
}

/// The server: its own world, what it knows about everything in it, and who is connected.
pub struct Server {
    world: World,
    settings: ServerSettings,
    landblock: u16,
    surroundings: SharedSurroundings,
    things: Vec<ServerObject>,
    seats: Vec<Connection>,
    outbox: Vec<ServerMessage>,
    /// Messages that were not understood, or came too late to count.
    ignored: u64,
}

impl Server {
    pub(crate) fn new(scene: &Scenario, assets: Assets, surroundings: SharedSurroundings) -> Self {
        let settings = Settings { surroundings: Some(Arc::clone(&surroundings)), ..Settings::default() };
        let seat = |(index, role): (usize, &crate::scenario::ClientSpec)| Connection {
            guid: player_guid(index),
            weenie: PlayerWeenie {
                run_skill: role.run_skill,
                jump_skill: role.jump_skill,
                load: role.load,
                ..PlayerWeenie::default()
            },
            is_observer: role.is_observer,
            has_entered: false,
            raw: RawState::default(),
            event_sequence: 0,
        };
        Self {
            world: World::with_settings(assets, settings),
            settings: scene.server,
            landblock: scene.landblock,
            surroundings,
            things: Vec::new(),
            seats: scene.clients.iter().enumerate().map(seat).collect(),
            outbox: Vec::new(),
            ignored: 0,
        }
    }

    /// The server's own world: creatures move in it, players as far as they told.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Its habits.
    pub fn settings(&self) -> ServerSettings {
        self.settings
    }

    /// It takes other habits; the rate of its ticks stays.
    pub fn set_settings(&mut self, settings: ServerSettings) {
        self.settings = ServerSettings { tick_rate: self.settings.tick_rate, ..settings };
    }

    /// Everything in its world.
    pub fn objects(&self) -> &[ServerObject] {
        &self.things
    }

    /// How many messages were not understood, or came too late to count.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    pub(crate) fn explain(&mut self, guid: Guid, explained: bool) -> bool {
        self.world.explain(guid, explained)
    }

    pub(crate) fn take_messages(&mut self) -> Vec<ServerMessage> {
        std::mem::take(&mut self.outbox)
    }

    pub(crate) fn drain_events(&mut self) -> Vec<Event> {
        self.world.drain_events().collect()
    }

    /// Lets its world move; says whether it did (rule B2).
    pub(crate) fn tick(&mut self, now: f64) -> bool {
        let ticked = self.world.tick(now);
        self.follow_orders(now);
        self.end_portals(now);
        self.tell_positions(now);
        ticked
    }

    /// Where a spot of the scene is.
    pub(crate) fn place(&self, spot: &LocalPosition) -> Option<CellPosition> {
        let mut place = spot.place(self.landblock, spot.z.unwrap_or(FAR_UP))?;
        if spot.z.is_none() {
            place.frame.origin.z = height_at(&*self.surroundings, &place)?;
        }
        Some(place)
    }

    fn thing(&self, guid: Guid) -> Option<&ServerObject> {
        self.things.iter().find(|thing| thing.guid == guid)
    }

    fn thing_mut(&mut self, guid: Guid) -> Option<&mut ServerObject> {
        self.things.iter_mut().find(|thing| thing.guid == guid)
    }

    /// Brings a thing into the world; says whether there was room.
    fn add(&mut self, mut thing: ServerObject, spot: &LocalPosition, now: f64) -> bool {
        let Some(place) = self.place(spot) else { return false };
        let bytes = messages::create(&thing, &place, None);
        if self.world.receive(&bytes, now).is_err() {
            return false;
        }
        let Some(resident) = self.world.find(thing.guid) else { return false };
        thing.reported = resident.position();
        self.things.push(thing);
        true
    }

    /// Brings in a creature, before anybody is there to see it.
    pub(crate) fn add_creature(
        &mut self,
        role: &crate::scenario::CreatureSpec,
        guid: Guid,
        now: f64,
    ) -> bool {
        let mut thing = ServerObject::new(guid, &role.name, role.kind, Role::creature(role.run_rate));
        if role.kind == CreatureKind::Door {
            thing.forward = MotionCommand::OFF;
        }
        self.add(thing, &role.spot, now)
    }

    /// Somebody comes into the world: he is told who he is and what is there, and the others that he is.
    pub(crate) fn enter(&mut self, client: ClientId, role: &crate::scenario::ClientSpec, now: f64) -> bool {
        let Some(seat) = self.seats.get(client.0) else { return false };
        let (guid, weenie, is_observer) = (seat.guid, seat.weenie, seat.is_observer);
        let thing = ServerObject::new(
            guid,
            &role.name,
            CreatureKind::Human,
            Role::Player { client, is_seen: !is_observer },
        );
        if !self.add(thing, &role.spot, now) {
            return false;
        }
        let seat = &mut self.seats[client.0];
        seat.has_entered = true;
        seat.event_sequence += 1;
        let first =
            [messages::player_description(guid, seat.event_sequence, &weenie), messages::player_create(guid)];
        for bytes in first {
            self.write(client, &bytes.into(), true);
        }
        let others: Vec<Guid> =
            self.things.iter().filter(|thing| thing.is_seen()).map(|thing| thing.guid).collect();
        self.describe_to(client, guid);
        for other in others {
            if other != guid {
                self.describe_to(client, other);
            }
        }
        if !is_observer {
            let watching: Vec<ClientId> = self.watching(guid).filter(|watcher| *watcher != client).collect();
            for watcher in watching {
                self.describe_to(watcher, guid);
            }
        }
        true
    }

    /// Tells a client of a thing as it is now.
    fn describe_to(&mut self, client: ClientId, guid: Guid) {
        let (Some(thing), Some(resident)) = (self.thing(guid), self.world.find(guid)) else { return };
        let bytes =
            messages::create(thing, &resident.position(), Some(&resident.entity().interp.interpreted));
        self.write(client, &bytes.into(), true);
    }

    fn write(&mut self, to: ClientId, bytes: &Arc<[u8]>, must_arrive: bool) {
        self.outbox.push(ServerMessage { to, bytes: Arc::clone(bytes), must_arrive });
    }

    /// Who is told of a thing.
    fn watching(&self, guid: Guid) -> impl Iterator<Item = ClientId> {
        let is_seen = self.thing(guid).is_some_and(ServerObject::is_seen);
        let seats = self.seats.iter().enumerate();
        seats
            .filter(move |(_, seat)| seat.has_entered && (is_seen || seat.guid == guid))
            .map(|(id, _)| ClientId(id))
    }

    /// Tells everybody something about a thing.
    fn broadcast<'a>(&mut self, guid: Guid, message: impl Into<S2C<'a>>) -> Arc<[u8]> {
        let bytes: Arc<[u8]> = messages::encoded(message).into();
        for client in self.watching(guid).collect::<Vec<_>>() {
            self.write(client, &bytes, false);
        }
        bytes
    }

    /// A thing moves otherwise: everybody is told, and the server's own world does it (`docs/wire.md` 5).
    fn move_thing(&mut self, guid: Guid, movement: Movement<'_>, autonomous: bool, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.stamps.movement = thing.stamps.movement.next();
        if !autonomous {
            thing.stamps.server_control = thing.stamps.server_control.next();
        }
        let message = messages::update_motion(thing, movement, autonomous);
        let bytes = self.broadcast(guid, message);
        // What was just written can be read.
        let _ = self.world.receive(&bytes, now);
    }

    /// Everybody is told where things are, about as often as community servers do.
    fn tell_positions(&mut self, now: f64) {
        for index in 0..self.things.len() {
            let thing = &self.things[index];
            let interval = match thing.role {
                Role::Player { .. } => self.settings.position_interval,
                Role::Creature(_) => self.settings.creature_interval,
            };
            let Some(resident) = self.world.find(thing.guid) else { continue };
            let place = resident.position();
            let has_moved =
                place.cell != thing.reported.cell || !place.frame.is_close_to(&thing.reported.frame);
            if has_moved && now >= thing.reported_at + interval && !thing.is_between_places() {
                self.tell_position(self.things[index].guid, now);
            }
        }
    }

    /// Everybody is told where a thing is.
    fn tell_position(&mut self, guid: Guid, now: f64) {
        let Some(resident) = self.world.find(guid) else { return };
        let (place, grounded) = (resident.position(), resident.body().has_contact());
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.stamps.position = thing.stamps.position.next();
        (thing.reported, thing.reported_at) = (place, now);
        let message = messages::update_position(thing, &place, grounded);
        self.broadcast(guid, message);
    }

    /// Puts a body of the server's world somewhere.
    fn put(&mut self, guid: Guid, place: &CellPosition, now: f64) -> bool {
        let put =
            self.world.act(guid, now, |actor, surroundings| actor.set_position(place, true, surroundings));
        put == Some(true)
    }

    /// Gives a thing a velocity, in the server's world and everybody's (rule D10).
    fn throw(&mut self, guid: Guid, velocity: Vec3, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.stamps.vector = thing.stamps.vector.next();
        let message = messages::vector_update(thing, velocity);
        let bytes = self.broadcast(guid, message);
        let _ = self.world.receive(&bytes, now);
    }
}

/// Higher than any ground, in metres.
const FAR_UP: f32 = 1_000.0;

/// The id of a client's body.
pub(crate) fn player_guid(index: usize) -> Guid {
    Guid(0x5000_0001 + index as u32)
}

/// The id of a creature.
pub(crate) fn creature_guid(index: usize) -> Guid {
    Guid(0x8000_0001 + index as u32)
}
