//! A soak: hours of play with churn and hostile messages, to find what leaks, overflows or differs from run to run.
//!
//! Players and creatures come and go in the mannequin's town. Players press keys, walk, jump, fight and cast; creatures
//! patrol, chase and strike. Each client sees what is within [`SoakSettings::view_distance`] of its player. A share of all
//! messages, in both directions, is hostile: real ones with changed bits, absurd numbers or lengths, stale ones, and random
//! bytes. They can put a client's world into any state that a hostile server can, until its player leaves and the client
//! starts over.
//!
//! ```
//! use acmotion_sim::soak::{Soak, SoakSettings};
//!
//! let settings = SoakSettings { clients: 4, creatures: 2, ..SoakSettings::default() };
//! let mut soak = Soak::new(&settings)?;
//! for _second in 0..3 {
//!     soak.step();
//! }
//! assert_eq!(soak.totals().non_finite, 0);
//! # Ok::<(), acmotion_sim::scenario::ScenarioError>(())
//! ```

mod digest;
mod hostile;

use std::sync::Arc;

use acmotion::dat::mannequin::town;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{AttackHeight, CombatMode, Direction};
use acmotion::{Event, EventKind, MotionEvent, Resident, World};

use crate::client::Client;
use crate::network::LinkSettings;
use crate::network::random::Random;
use crate::scenario::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, Ground, Input, LocalPosition, Scenario,
    ScenarioError, ServerSettings, WalkOptions,
};
use crate::simulation::Simulation;
use crate::view::{ClientId, Delivered, EventHandler, Sent, View};
pub use digest::Digest;
use hostile::corrupt;

/// The frames a second of the server and of each client: the rate at which worlds are updated (rule B2).
const FRAME_RATE: f64 = 30.0;
/// The number of parts of a second after each of which hostile messages are sent.
const PARTS: u32 = 4;
/// The mean time, in seconds, between the first appearances of two players, and of two creatures.
const ENTRY_INTERVAL: f64 = 0.3;
/// Half the width of the square, in metres, in which players and creatures appear.
const HALF_WIDTH: f32 = 150.0;
/// The maximum share of hostile messages.
const MAX_HOSTILE: f64 = 0.9;
/// The number of messages that hostile ones are made of.
const POOL_SIZE: usize = 64;

/// What a soak consists of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SoakSettings {
    /// The number of clients. Most of them are connected at any time.
    pub clients: usize,
    /// The maximum number of creatures at a time.
    pub creatures: usize,
    /// The seed of everything that is random.
    pub seed: u64,
    /// The share of hostile messages among all messages, from 0 to 0.9.
    pub hostile: f64,
    /// The distance, in metres, up to which a client sees others.
    pub view_distance: f32,
}

impl Default for SoakSettings {
    /// 200 clients and 60 creatures, of which each client sees about ten; every tenth message is hostile.
    fn default() -> Self {
        Self { clients: 200, creatures: 60, seed: 1, hostile: 0.1, view_distance: 40.0 }
    }
}

/// What a soak has counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SoakTotals {
    /// Simulated seconds.
    pub seconds: u64,
    /// Players that have entered the world.
    pub entered: u64,
    /// Players that have left the world.
    pub left: u64,
    /// Creatures that were added.
    pub creatures_added: u64,
    /// Creatures that were removed.
    pub creatures_removed: u64,
    /// Messages that were delivered, hostile ones included.
    pub delivered: u64,
    /// Hostile messages that were delivered.
    pub hostile: u64,
    /// Messages that could not be decoded, by clients that are still connected or by the server.
    pub unreadable: u64,
    /// Events of all worlds.
    pub events: u64,
    /// Updates of one body in one world.
    pub body_ticks: u64,
    /// The maximum number of bodies in all worlds at the end of a second.
    pub max_bodies: usize,
    /// Bodies and events, counted once for each tick, with a number that is not finite.
    pub non_finite: u64,
    /// What the first of these was; `None` if there was none.
    pub first_non_finite: Option<String>,
}

/// A soak that runs.
pub struct Soak {
    simulation: Simulation,
    random: Random,
    clients: Vec<Presence>,
    creatures: Vec<(Option<Guid>, f64)>,
    watch: Watch,
}

/// Whether a client is connected, and the time, in seconds, at which that changes.
#[derive(Clone, Copy)]
struct Presence {
    is_connected: bool,
    until: f64,
}

impl Soak {
    /// Creates a soak.
    ///
    /// # Errors
    /// If there are more clients than a simulation can have.
    pub fn new(settings: &SoakSettings) -> Result<Self, ScenarioError> {
        let spawn = LocalPosition::from_position(&town::landmarks().spawn, LANDBLOCK);
        let link = LinkSettings { latency: 0.05, jitter: 0.01, loss: 0.01, ..LinkSettings::PERFECT };
        let client = |index: usize| ClientSpec {
            name: player_name(index),
            position: spawn,
            enters: f64::INFINITY,
            has_sword: index.is_multiple_of(3),
            frame_rate: FRAME_RATE,
            network: link.into(),
            ..ClientSpec::default()
        };
        let scenario = Scenario {
            seed: settings.seed,
            landblock: LANDBLOCK,
            ground: Ground::Town,
            server: ServerSettings {
                tick_rate: FRAME_RATE,
                view_distance: Some(settings.view_distance),
                ..ServerSettings::default()
            },
            clients: (0..settings.clients).map(client).collect(),
            ..Scenario::default()
        };
        let mut simulation = Simulation::new(&scenario)?;
        simulation.disable_checks();
        let mut random = Random::new(settings.seed);
        let absent = Presence { is_connected: false, until: 0.0 };
        let (mut clients, mut creatures) =
            (vec![absent; settings.clients], vec![(None, 0.0); settings.creatures]);
        schedule(&mut clients, &mut creatures, 0.0, &mut random);
        let watch = Watch::new(settings.hostile.clamp(0.0, MAX_HOSTILE), random.split());
        Ok(Self { simulation, random, clients, creatures, watch })
    }

    /// Runs one second.
    pub fn step(&mut self) {
        let start = self.watch.totals.seconds as f64;
        self.change_clients(start);
        self.change_creatures(start);
        for part in 1..=PARTS {
            self.simulation.step(start + f64::from(part) / f64::from(PARTS), &mut self.watch);
            for (client, direction, bytes) in self.watch.hostile.drain(..) {
                self.simulation.inject(client, direction, bytes);
            }
        }
        self.watch.totals.seconds += 1;
        self.add_states();
    }

    /// Lets all players leave and removes all creatures. They come back as they came at the start.
    ///
    /// What is in memory then belongs to none of them. How many there are and what they see varies so much from second to
    /// second that a leak can hardly be seen while they are there.
    pub fn rest(&mut self) {
        for (index, presence) in self.clients.iter_mut().enumerate() {
            if std::mem::take(&mut presence.is_connected) {
                self.simulation.leave(ClientId(index));
                self.watch.totals.left += 1;
            }
        }
        for (creature, _) in &mut self.creatures {
            if let Some(guid) = creature.take() {
                self.simulation.remove_creature(guid);
                self.watch.totals.creatures_removed += 1;
            }
        }
        let now = self.watch.totals.seconds as f64;
        schedule(&mut self.clients, &mut self.creatures, now, &mut self.random);
    }

    /// Returns what was counted so far.
    pub fn totals(&self) -> SoakTotals {
        let unreadable = self.simulation.clients().iter().map(Client::unreadable).sum::<u64>();
        SoakTotals {
            unreadable: unreadable + self.simulation.server().ignored(),
            ..self.watch.totals.clone()
        }
    }

    /// Returns a digest of all messages that were delivered and of all bodies after each second. It is the same for the
    /// same settings, on every platform.
    pub fn digest(&self) -> u64 {
        self.watch.digest.value()
    }

    /// Returns the number of bodies in all worlds.
    pub fn body_count(&self) -> usize {
        worlds(&self.simulation).map(|world| world.entities().len()).sum()
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Lets players enter and leave, and gives those that are there something to do.
    fn change_clients(&mut self, now: f64) {
        for index in 0..self.clients.len() {
            let id = ClientId(index);
            let Presence { is_connected, until } = self.clients[index];
            if until > now {
                if is_connected && self.random.next() < 0.4 {
                    let input = self.input();
                    self.simulation.input(id, input);
                }
            } else if is_connected {
                self.simulation.leave(id);
                self.watch.totals.left += 1;
                let until = now + (1.0 + 20.0 * self.random.next()).floor();
                self.clients[index] = Presence { is_connected: false, until };
            } else {
                let position = self.position();
                // Where there is no room, another position is tried a second later.
                if self.simulation.enter(id, position) {
                    self.watch.totals.entered += 1;
                    let until = now + (20.0 + 300.0 * self.random.next()).floor();
                    self.clients[index] = Presence { is_connected: true, until };
                }
            }
        }
    }

    /// Lets creatures come and go, and gives those that are there orders.
    fn change_creatures(&mut self, now: f64) {
        for index in 0..self.creatures.len() {
            match self.creatures[index] {
                (Some(guid), until) if until > now => {
                    if self.random.next() < 0.1 {
                        let order = self.order();
                        self.simulation.order(guid, order);
                    }
                }
                (Some(guid), _) => {
                    self.simulation.remove_creature(guid);
                    self.watch.totals.creatures_removed += 1;
                    self.creatures[index] = (None, now + (1.0 + 10.0 * self.random.next()).floor());
                }
                (None, until) if until > now => {}
                (None, _) => {
                    let kind =
                        if self.random.next() < 0.5 { CreatureKind::Beast } else { CreatureKind::Human };
                    let position = self.position();
                    let spec = CreatureSpec { kind, position, ..CreatureSpec::default() };
                    if let Some(guid) = self.simulation.add_creature(&spec) {
                        self.watch.totals.creatures_added += 1;
                        self.creatures[index] =
                            (Some(guid), now + (10.0 + 120.0 * self.random.next()).floor());
                    }
                }
            }
        }
    }

    /// Returns a position in or around the town, facing anywhere.
    fn position(&mut self) -> LocalPosition {
        let spawn = town::landmarks().spawn.frame.origin;
        let mut offset = || (2.0 * self.random.next() as f32 - 1.0) * HALF_WIDTH;
        let (x, y) = (spawn.x + offset(), spawn.y + offset());
        LocalPosition::new(x, y).with_heading(360.0 * self.random.next() as f32)
    }

    /// Returns the id of a player or a creature, which may have left.
    fn target(&mut self) -> Guid {
        let creature = self.random.below(self.creatures.len());
        let player = self.random.below(self.clients.len());
        match self.creatures.get(creature) {
            Some((Some(guid), _)) if self.random.next() < 0.5 => *guid,
            _ => self.simulation.client(ClientId(player)).map_or(Guid(0), Client::guid),
        }
    }

    fn input(&mut self) -> Input {
        const KEYS: [MotionCommand; 7] = [
            MotionCommand::WALK_FORWARD,
            MotionCommand::WALK_BACKWARDS,
            MotionCommand::TURN_LEFT,
            MotionCommand::TURN_RIGHT,
            MotionCommand::SIDE_STEP_LEFT,
            MotionCommand::SIDE_STEP_RIGHT,
            MotionCommand::AUTO_RUN,
        ];
        let key = KEYS[self.random.below(KEYS.len())];
        match self.random.below(12) {
            0..=2 => Input::Press(key),
            3..=4 => Input::Release(key),
            5 => Input::Jump(self.random.next() as f32),
            6..=7 => Input::WalkTo(self.position(), WalkOptions::default()),
            8 => Input::Emote(MotionCommand::WAVE),
            9 => Input::Stance(if self.random.next() < 0.5 {
                CombatMode::MELEE
            } else {
                CombatMode::NON_COMBAT
            }),
            10 => Input::Attack { target: self.target(), height: AttackHeight::MEDIUM, power: 0.5 },
            _ => Input::Cast { spell: 1, target: Some(self.target()) },
        }
    }

    fn order(&mut self) -> CreatureOrder {
        let player = player_name(self.random.below(self.clients.len()));
        match self.random.below(6) {
            0 => CreatureOrder::GoTo(self.position()),
            1 => CreatureOrder::Patrol(vec![self.position(), self.position()]),
            2 => CreatureOrder::Chase(player),
            3 => CreatureOrder::Attack(player),
            4 => CreatureOrder::Emote(MotionCommand::WAVE),
            _ => CreatureOrder::TurnTo(360.0 * self.random.next() as f32),
        }
    }

    /// Adds the state of every body of every world to the digest.
    fn add_states(&mut self) {
        self.watch.totals.max_bodies = self.watch.totals.max_bodies.max(self.body_count());
        for world in worlds(&self.simulation) {
            world.entities().for_each(|resident| self.watch.add_state(resident));
        }
    }
}

/// Iterates over the worlds of the server and of all clients.
fn worlds(simulation: &Simulation) -> impl Iterator<Item = &World> {
    let clients = simulation.clients().iter().map(Client::world);
    std::iter::once(simulation.server().world()).chain(clients)
}

/// Sets the times at which clients and creatures that are not there appear: one after the other, so that they do not all
/// leave together either.
fn schedule(clients: &mut [Presence], creatures: &mut [(Option<Guid>, f64)], now: f64, random: &mut Random) {
    let mut first = |count: usize| now + (ENTRY_INTERVAL * count as f64 * random.next()).floor();
    let count = clients.len();
    clients.iter_mut().for_each(|client| client.until = first(count));
    let count = creatures.len();
    creatures.iter_mut().for_each(|(_, until)| *until = first(count));
}

/// The landblock of the town.
const LANDBLOCK: u16 = 0xA9B4;

fn player_name(index: usize) -> String {
    format!("P{index}")
}

/// Counts, checks and hashes what happens, and makes hostile messages of real ones.
struct Watch {
    totals: SoakTotals,
    digest: Digest,
    random: Random,
    /// The number of hostile messages for each real one.
    ratio: f64,
    /// Real messages, which hostile ones are made of.
    pool: Vec<Arc<[u8]>>,
    /// Hostile messages to be sent.
    hostile: Vec<(ClientId, Direction, Arc<[u8]>)>,
}

impl Watch {
    fn new(share: f64, random: Random) -> Self {
        Self {
            totals: SoakTotals::default(),
            digest: Digest::new(),
            random,
            ratio: share / (1.0 - share),
            pool: Vec::new(),
            hostile: Vec::new(),
        }
    }

    fn add_state(&mut self, resident: &Resident) {
        let (position, velocity) = (resident.position(), resident.body().velocity);
        self.digest.add(u64::from(resident.guid().0) << 32 | u64::from(position.cell.0));
        let (origin, heading) = (position.frame.origin, position.frame.heading());
        for value in [origin.x, origin.y, origin.z, heading, velocity.x, velocity.y, velocity.z] {
            self.digest.add(u64::from(value.to_bits()));
        }
    }

    fn on_non_finite(&mut self, describe: impl FnOnce() -> String) {
        self.totals.non_finite += 1;
        self.totals.first_non_finite.get_or_insert_with(describe);
    }
}

/// Returns `true` if every number of a body's state is finite.
fn is_finite(resident: &Resident) -> bool {
    let body = resident.body();
    let frame = &body.position.frame;
    let vectors = [frame.origin, body.velocity, body.acceleration, body.omega, body.cached_velocity];
    frame.is_valid() && body.scale.is_finite() && vectors.into_iter().all(|vector| vector.is_finite())
}

impl EventHandler for Watch {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        for resident in world.entities() {
            self.totals.body_ticks += 1;
            if !is_finite(resident) {
                self.on_non_finite(|| {
                    format!(
                        "{} in the world of {view:?} at {now:.2} s: {:?}",
                        resident.guid(),
                        resident.body()
                    )
                });
            }
        }
    }

    fn on_event(&mut self, view: View, event: &Event, _world: &World) {
        self.totals.events += 1;
        let is_finite = event.time.is_finite()
            && match event.kind {
                EventKind::Motion(
                    MotionEvent::Snapped { distance } | MotionEvent::Teleported { distance },
                ) => distance.is_finite(),
                _ => true,
            };
        if !is_finite {
            self.on_non_finite(|| format!("{event:?} in the world of {view:?}"));
        }
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        let slot = self.random.below(POOL_SIZE);
        match self.pool.get_mut(slot) {
            Some(pooled) => *pooled = Arc::clone(message.bytes),
            None => self.pool.push(Arc::clone(message.bytes)),
        }
        let more = self.random.next() < self.ratio.fract();
        let count = self.ratio.floor() as usize + usize::from(more);
        let (client, direction) = match (message.from, message.to) {
            (View::Client(id), _) => (id, Direction::C2S),
            (_, View::Client(id)) => (id, Direction::S2C),
            (View::Server, View::Server) => return,
        };
        for _ in 0..count {
            let other = &self.pool[self.random.below(self.pool.len())];
            let bytes = corrupt(message.bytes, other, &mut self.random);
            self.hostile.push((client, direction, bytes.into()));
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        self.totals.delivered += 1;
        self.totals.hostile += u64::from(message.is_injected);
        self.digest.add(message.time.to_bits());
        self.digest.add_bytes(message.bytes);
    }
}
