//! All entities of a client: messages in, motion and events out (rules B1–B3, D, P2, P7, P8).
//!
//! ```
//! use acmotion::World;
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::types::{CellId, CellPosition, Guid, Vec3};
//!
//! let mut world = World::new(Assets::mannequin());
//! let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
//! let id = world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
//! world.tick(1.0 / 30.0);
//! let entity = world.get(id).unwrap();
//! assert!(entity.body().is_standing());
//! assert_eq!(world.drain_events().next().unwrap().guid, Guid(0x5000_0001));
//! ```

mod asset_cache;
mod attachment;
mod awake;
mod capacity;
mod clock;
mod collision_shape;
mod comfort;
mod create;
mod describe;
mod event;
mod frame;
mod grid;
mod ground;
mod guarded;
mod handlers;
mod houses;
mod learnt;
mod lifecycle;
mod obstacles;
#[cfg(feature = "parallel")]
mod parallel;
mod player;
mod presentation;
mod questions;
mod receive;
mod resident;
#[cfg(feature = "parallel")]
mod serial_set;
mod server_changes;
mod shadows;
#[cfg(feature = "serde")]
mod snapshot;
mod spec;
mod static_animating;
mod store;

use std::sync::Arc;

use acmotion_dat::Assets;
use acmotion_types::{CellPosition, Era, Guid};

pub use attachment::{AttachmentError, HeldBy, MAX_ATTACHMENT_DEPTH, MAX_CARRIED, MAX_CHILDREN};
pub use capacity::{Capacity, QueueError};
pub use clock::ClockFault;
pub(crate) use clock::is_valid_time;
pub use comfort::ComfortState;
pub use describe::Description;
pub use event::{DeleteReason, Event, EventKind, Rejection};
pub use houses::{House, HouseAccess, HouseGuard};
pub use player::{Identity, PlayerState};
pub use presentation::{PartPoses, Presented, PresentedBatch, PresentedBody, View};
pub use questions::EntityFilter;
pub use resident::{Resident, StandIn};
pub use server_changes::StampKind;
#[cfg(feature = "serde")]
pub use snapshot::{RestoreError, seal_snapshot};
pub use spec::{EntitySpec, PlacementFailure, SpawnError};
pub use store::EntityId;

use crate::body::PhysicsGate;
use crate::collide::Surroundings;
use crate::comfort::Presentation;
use crate::correction::StepExplanation;
use crate::entity::{Actor, Events};
use crate::gate::{PendingLimits, PendingMessages};
use crate::interp::{UndescribedPlayer, Weenie};
use crate::library::Library;
use crate::message_batch::MessageBatch;
use crate::player::LocalPlayer;
use asset_cache::AssetCache;
use awake::WORD;
use comfort::Comfort;
use learnt::Learnt;
use presentation::ShownHistory;
use static_animating::StaticAnimating;
use store::Store;

/// The settings of a [`World`].
#[derive(Clone, Default)]
pub struct Settings {
    /// The identity of the local player.
    pub player: Identity,
    /// The client era whose command numbering the messages use.
    pub era: Era,
    /// The limits on messages that wait for objects that have not been created.
    pub limits: PendingLimits,
    /// How many entities and queued messages the world holds.
    pub capacity: Capacity,
    /// Whether an object that is reported but was never created gets a humanoid stand-in, so that recordings that begin
    /// late can be shown. The original only waits.
    pub stand_ins_for_unknown: bool,
    /// Whether a remote that leaves the ground takes the velocity of its own motion even if the server has just set
    /// another. Read literally, the rules say so (rule N1, open), which flattens a remote's running jump. By default the
    /// remote keeps the server's velocity.
    pub flat_remote_jumps: bool,
    /// The surroundings of all bodies. Without them each body stands on level ground at the height at which it was last
    /// reported standing.
    pub surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
    /// Whether a body stands on level ground if its cell is unknown to the surroundings, or if it is reported standing far
    /// from any ground they have. This shows recordings for which only part of the land is available. In the original such
    /// a body is lost until it is moved somewhere else, or falls.
    pub level_where_unknown: bool,
    /// Whether the world keeps what every body showed after the last two ticks, so that [`World::present`] can show it in
    /// between. For clients with a display; it takes about 250 bytes an entity.
    pub presents_between_ticks: bool,
    /// Whether the ground under a remote takes its slope from the remote's last reports where no land is known. Otherwise it
    /// is level there. The original always has the land.
    pub slope_from_reports: bool,
    /// Whether a creature whose motion table is missing moves at the speed of its reports. Otherwise it moves at the speed
    /// of the humanoid whose table stands in. The original always has the table.
    pub speeds_from_reports: bool,
    /// Whether the local player announces a key that it resumes, such as after a stance change. The original does not
    /// (rule K8): until the next key, other clients learn of the motion only from positions. Use it where you control both
    /// clients and server.
    pub announces_resumed_keys: bool,
    /// How remotes are shown: as the original does, or with more comfort. It can be
    /// [changed](World::set_presentation) at any time, and the simulation does not depend on it.
    pub presentation: Presentation,
    /// Decides which players may enter the cells of houses, before the world decides by what it has
    /// [received](World::house) about their owners and guests. A house that neither of them knows keeps every player out
    /// (`docs/collision.md` 8.7).
    pub house_guard: Option<Arc<dyn HouseGuard>>,
}

/// All entities, the messages that wait for objects, and the events that have not been drained.
///
/// The same messages at the same times give the same motion, bit for bit.
///
/// A clone is an independent world in the same state, for rollback, undo or what-if questions. It copies the entities and
/// shares everything else: the library, the assets, the surroundings and the weenies.
///
/// ```
/// use acmotion::World;
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
///
/// let mut world = World::new(Assets::mannequin());
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
///
/// let kept = world.clone();
/// world.tick(1.0 / 30.0);
/// world = kept; // Undo the tick.
/// assert!(world.get(id).is_some());
/// ```
#[derive(Clone)]
#[doc(alias = "SmartBox")]
#[doc(alias = "CObjectMaint")]
pub struct World {
    settings: Settings,
    library: Arc<Library>,
    assets: AssetCache,
    store: Store,
    waiting: PendingMessages,
    /// Messages that waited and are being replayed, with the index of the next one. A stack: the messages of an object
    /// that one of them creates come before the rest.
    replaying: Vec<(MessageBatch, usize)>,
    gate: PhysicsGate,
    static_animating: StaticAnimating,
    /// Whether entities collide with each other.
    collides: bool,
    pub(crate) player: PlayerState,
    player_weenie: Arc<dyn Weenie>,
    pub(crate) local: LocalPlayer,
    /// Messages that wait for the next client frame.
    inbox: MessageBatch,
    scratch: Events,
    events: event::EventLog,
    /// What is shown between ticks, if anything is.
    shown_history: Option<ShownHistory>,
    /// Where remotes are shown, if not where the original would show them.
    comfort: Option<Box<Comfort>>,
    /// What reports tell about what is missing, if anything is learnt from them.
    learnt: Option<Box<Learnt>>,
    /// The time that a message takes to the server and back, in seconds; 0 if that is not known.
    round_trip: f32,
    #[cfg(feature = "parallel")]
    parallel: parallel::ParallelBuffers,
}

impl World {
    /// Creates an empty world without a local player.
    pub fn new(assets: Assets) -> Self {
        Self::with_settings(assets, Settings::default())
    }

    /// Creates an empty world with the given settings.
    pub fn with_settings(assets: Assets, settings: Settings) -> Self {
        let mut library = Library::new();
        let assets = AssetCache::new(assets, &mut library);
        let mut world = Self {
            library: Arc::new(library),
            assets,
            store: Store::default(),
            waiting: PendingMessages::new(settings.limits),
            replaying: Vec::new(),
            gate: PhysicsGate::default(),
            static_animating: StaticAnimating::default(),
            collides: settings.surroundings.as_ref().is_some_and(|around| around.has_obstacles()),
            player: PlayerState::new(settings.player),
            player_weenie: Arc::new(UndescribedPlayer),
            local: LocalPlayer::default(),
            inbox: MessageBatch::new(),
            scratch: Events::new(),
            events: event::EventLog::default(),
            comfort: Comfort::new(settings.presentation),
            learnt: None,
            round_trip: 0.0,
            shown_history: settings.presents_between_ticks.then(ShownHistory::new),
            #[cfg(feature = "parallel")]
            parallel: parallel::ParallelBuffers::default(),
            settings,
        };
        world.begin_learning();
        world
    }

    /// Advances every entity to `now`, at most 30 times a second (rules B2, B3). Returns `true` if the physics gate was
    /// open and entities were updated. Call it before the messages of the client frame, as the original does (rule B1).
    ///
    /// Any `now` is safe, and a clock that jumps costs no more than one that does not: see [`ClockFault`].
    pub fn tick(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        // Distances are to the player's position before this tick, whatever the order of updates.
        let player = self.player_position();
        self.update_in_order(player.as_ref(), now);
        self.animate_static_objects(now);
        self.update_comfort(now);
        self.record_shown(now);
        true
    }

    /// Does what precedes the entities in a tick. Returns `true` if the physics gate is open (rule B2); never at an invalid
    /// time.
    fn begin_tick(&mut self, now: f64) -> bool {
        if !self.follow_clock(now) {
            return false;
        }
        self.player.complete_position_update(self.player_position().is_some());
        self.expire(now);
        self.gate.opens(now)
    }

    /// Advances all entities that something can happen to, one after the other.
    fn update_in_order(&mut self, player: Option<&CellPosition>, now: f64) {
        for number in 0..self.store.len().div_ceil(WORD) {
            let mut passed = 0;
            // Read again after each, because an entity can wake those behind it.
            while let Some((index, bit)) = self.store.awake_word(number).next(passed) {
                passed |= bit | (bit - 1);
                self.update_at(number * WORD + index, player, now);
            }
        }
    }

    /// Advances the entity at an index to `now`. Without a local player every entity counts as near.
    #[inline(always)]
    fn update_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) {
        let (word, bit) = (self.store.awake_word(index / WORD), 1 << (index % WORD));
        if word.cruising & bit != 0 {
            if !self.store.cruise_steadily(index, &self.library, player, now) {
                self.update_past_event(index, player, now);
            }
        } else if word.resting & bit == 0 || !self.rest_at(index, player, now) {
            self.update_unless_at_rest(index, player, now);
        }
    }

    /// Advances the entity at an index, which was at rest, if it still [is](Resident::rest). Returns `false`, with nothing done, if it does
    /// not.
    #[inline(always)]
    fn rest_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) -> bool {
        let Some((resident, rest)) = self.store.resting_mut(index) else { return false };
        let rests = resident.rest(rest, player, now);
        if !rests {
            self.store.forget(index);
        }
        rests
    }

    /// Advances the entity at an index, which cruises, by a step that does more than to move it straight ahead.
    #[inline(never)]
    fn update_past_event(&mut self, index: usize, player: Option<&CellPosition>, now: f64) {
        let stepped = self.cruise_past_event_at(index, player, now);
        if stepped != Some(true) {
            self.store.forget(index);
        }
        if stepped.is_none() {
            return self.update_unless_at_rest(index, player, now);
        }
        self.store.refresh_position(index);
        self.deliver_notices(now);
        self.events.append(&mut self.scratch, now);
    }

    /// See [`Actor::cruise_past_event`].
    #[inline(always)]
    fn cruise_past_event_at(
        &mut self,
        index: usize,
        player: Option<&CellPosition>,
        now: f64,
    ) -> Option<bool> {
        let (resident, kept) = self.store.cruising_mut(index)?;
        let ground = self.settings.level_ground_of(&resident.ground)?;
        let distance = distance_from(player, &resident.entity.body.position);
        let mut actor = resident.entity.act(&self.library, now, &mut self.scratch);
        actor.cruise_past_event(kept, Some(distance), ground)
    }

    #[inline(never)]
    fn update_unless_at_rest(&mut self, index: usize, player: Option<&CellPosition>, now: f64) {
        let cruises = self.begin_rest_at(index, player, now)
            || self.cruise_at(index, player, now)
            || self.cruise_among_at(index, player, now);
        if !cruises {
            self.update_generally_at(index, player, now);
        }
    }

    /// Advances the entity at an index, if it [is at rest](Resident::begin_rest). Returns `false`, with nothing done, if it
    /// is not.
    #[inline(always)]
    fn begin_rest_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) -> bool {
        let Some((resident, _)) = self.store.visit(index) else { return false };
        let Some(rest) = resident.begin_rest(&self.library, self.collides, player, now) else { return false };
        self.refresh(index);
        self.store.begin_rest(index, rest);
        true
    }

    /// Advances the entity at an index, if it [cruises](Actor::cruise) on level ground. Returns `false`, with nothing
    /// done, if it does not.
    #[inline(always)]
    fn cruise_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) -> bool {
        let Some((resident, others)) = self.store.visit(index) else { return false };
        let Some(ground) = self.settings.level_ground_of(&resident.ground) else { return false };
        let entity = &mut resident.entity;
        let distance = distance_from(player, &entity.body.position);
        let mut actor = entity.act(&self.library, now, &mut self.scratch).with_neighbours(others);
        if !actor.cruise(Some(distance), ground) {
            return false;
        }
        if self.scratch.is_empty() && !resident.has_links() && !self.collides {
            let cruise = resident.entity.find_steady_cruise(&self.library, ground);
            self.store.refresh_position(index);
            if let Some(cruise) = cruise {
                self.store.begin_cruise(index, cruise);
            }
        } else {
            self.refresh(index);
            self.deliver_notices(now);
            self.events.append(&mut self.scratch, now);
        }
        true
    }

    /// Advances the entity at an index, if it [cruises](Actor::cruise_among) in surroundings that are known. Returns `false`,
    /// with nothing done, if it does not.
    #[inline(always)]
    fn cruise_among_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) -> bool {
        let Some(surroundings) =
            self.settings.surroundings.as_deref().filter(|_| !self.settings.level_where_unknown)
        else {
            return false;
        };
        let Some((resident, others)) = self.store.visit(index) else { return false };
        let obstacles = others.obstacles(self.settings.house_guard.as_deref());
        let distance = distance_from(player, &resident.entity.body.position);
        let mut actor = resident.entity.act(&self.library, now, &mut self.scratch).with_neighbours(others);
        if self.collides {
            actor = actor.with_obstacles(&obstacles);
        }
        if !actor.cruise_among(Some(distance), surroundings) {
            return false;
        }
        self.refresh(index);
        self.deliver_notices(now);
        self.events.append(&mut self.scratch, now);
        true
    }

    #[inline(never)]
    fn update_generally_at(&mut self, index: usize, player: Option<&CellPosition>, now: f64) {
        self.act_at(index, now, |actor, surroundings| {
            let player = player.copied().unwrap_or(actor.entity.body.position);
            actor.update(Some(&player), surroundings);
        });
        self.store.sleep_if_dormant(index);
    }

    /// Runs `act` on an entity among the others, for example to perform a motion or give an [order](Actor::order). Then
    /// delivers the notices that entities sent each other and collects the events. Returns `None` if there is no such
    /// entity.
    pub fn act<R>(
        &mut self,
        guid: Guid,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R,
    ) -> Option<R> {
        let now = self.accept_time(now);
        self.act_at(self.store.index_of(guid)?, now, act)
    }

    /// [`act`](Self::act) for the entity at an index of the store.
    #[inline]
    fn act_at<R>(
        &mut self,
        index: usize,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R,
    ) -> Option<R> {
        let result = self.run_actor(index, now, act);
        self.deliver_notices(now);
        self.events.append(&mut self.scratch, now);
        result
    }

    /// Runs `act` on the entity at an index, without delivering notices.
    #[inline]
    fn run_actor<R>(
        &mut self,
        index: usize,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R,
    ) -> Option<R> {
        let (resident, others) = self.store.split(index)?;
        let mut partial = None;
        let surroundings = self.settings.surroundings_of(&resident.ground, &mut partial);
        let obstacles = others.obstacles(self.settings.house_guard.as_deref());
        let mut actor = resident.entity.act(&self.library, now, &mut self.scratch).with_neighbours(others);
        if self.collides {
            actor = actor.with_obstacles(&obstacles);
        }
        let result = act(&mut actor, surroundings);
        self.refresh(index);
        Some(result)
    }

    /// Updates what the other entities see of the one at an index, and collide with, and moves what it holds (rule C13).
    #[inline]
    fn refresh(&mut self, index: usize) {
        let has_links = self.store.at(index).is_some_and(Resident::has_links);
        if has_links {
            self.follow_parent(index);
        }
        self.store.refresh(index);
        if let Some(surroundings) = self.settings.surroundings.as_deref().filter(|_| self.collides) {
            self.store.refresh_shadow(index, &self.library, surroundings);
        }
        if has_links {
            self.update_children(index);
        }
    }

    /// Replaces the surroundings of all bodies, for example when more of the land has been loaded. `None` puts each body on
    /// level ground again. Bodies keep their positions.
    pub fn set_surroundings(&mut self, surroundings: Option<Arc<dyn Surroundings + Send + Sync>>) {
        self.collides = surroundings.as_ref().is_some_and(|around| around.has_obstacles());
        self.settings.surroundings = surroundings;
        self.store.clear_shadows();
        for index in 0..self.store.len() {
            // What it stands on may be another, and whether a body with animated parts can rest depends on whether it
            // collides.
            self.store.forget(index);
            self.add_shadow(index);
            self.refresh(index);
        }
    }

    /// Makes the entity at an index an obstacle to others, if entities collide at all.
    fn add_shadow(&mut self, index: usize) {
        if let Some(resident) = self.store.at(index).filter(|_| self.collides) {
            let (id, shape) = (resident.id(), self.assets.collision_shape(&self.library, resident.model()));
            self.store.add_shadow(id, shape);
        }
    }

    /// Delivers the notices that entities have sent each other, and those sent in reply, until none are left.
    #[inline]
    fn deliver_notices(&mut self, now: f64) {
        while let Some(notice) = self.scratch.take_notice() {
            if let Some(index) = self.store.index_of(notice.to) {
                self.run_actor(index, now, |actor, _| actor.receive_notice(&notice));
            }
        }
    }

    /// Drops the messages of objects that have not been created in time (rule D3).
    fn expire(&mut self, now: f64) {
        let events = &mut self.events;
        self.waiting.expire(now, |guid, messages| {
            events.push(now, guid, EventKind::Rejected(Rejection::NeverCreated { messages }));
        });
    }

    /// Iterates over all entities. The order changes only when an entity is added or removed.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = &Resident> {
        self.store.iter()
    }

    /// Returns the entity of a handle, `None` if it no longer exists.
    pub fn get(&self, id: EntityId) -> Option<&Resident> {
        self.store.get(id)
    }

    /// Returns the entity with a guid, `None` if it is unknown.
    pub fn find(&self, guid: Guid) -> Option<&Resident> {
        self.store.find(guid)
    }

    /// Returns the handle of the entity with a guid, `None` if it is unknown.
    pub fn id_of(&self, guid: Guid) -> Option<EntityId> {
        self.store.find(guid).map(Resident::id)
    }

    /// The library that all entities share.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The state of the local player.
    pub fn player(&self) -> &PlayerState {
        &self.player
    }

    /// The position of the local player: that of its body if it is in a cell, else the last one given to
    /// [`set_player_position`](Self::set_player_position). `None` if neither is known.
    pub fn player_position(&self) -> Option<CellPosition> {
        let body = self.player.guid().and_then(|guid| self.store.find(guid)).map(Resident::body);
        body.filter(|body| body.is_in_cell()).map(|body| body.position).or(self.player.position)
    }

    /// Removes and returns the events since the last call, oldest first. At most a million are kept. Beyond that new ones
    /// are lost: see [`lost_events`](Self::lost_events).
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> {
        self.events.drain()
    }

    /// Replaces the contents of `events` with the events since the last call, oldest first. Unlike
    /// [`drain_events`](Self::drain_events) it does not borrow the world while they are handled, and if the same list is
    /// passed every time, it allocates nothing once the lists have grown to their size.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{EventKind, MotionEvent, World};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
    ///
    /// let mut events = Vec::new();
    /// for tick in 1..60 {
    ///     world.tick(f64::from(tick) / 30.0);
    ///     world.swap_events(&mut events);
    ///     for event in &events {
    ///         match event.kind {
    ///             // Hooks come with their effects.
    ///             EventKind::Motion(MotionEvent::Hook(hook)) => println!("{}: {}", event.guid, hook.effect().name()),
    ///             EventKind::Created => drop(world.explain(event.guid, true)),
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// assert!(world.explanation(Guid(0x5000_0001)).is_some());
    /// ```
    pub fn swap_events(&mut self, events: &mut Vec<Event>) {
        self.events.swap(events);
    }

    /// The number of events lost because they were not drained in time.
    pub fn lost_events(&self) -> u64 {
        self.events.lost()
    }

    /// The number of messages that wait for objects that have not been created.
    pub fn waiting_messages(&self) -> usize {
        self.waiting.messages()
    }

    /// Starts or stops recording why an entity moves as it does. Returns `true` if the entity exists.
    pub fn explain(&mut self, guid: Guid, explained: bool) -> bool {
        let found = self.store.find_mut(guid);
        found.map(|resident| resident.entity.correction.set_explained(explained)).is_some()
    }

    /// Why an entity moved as it did in its last step. `None` if that is not [recorded](Self::explain).
    pub fn explanation(&self, guid: Guid) -> Option<&StepExplanation> {
        self.store.find(guid)?.entity.correction.explanation()
    }
}

/// Returns the distance of an entity from the local player, in metres; 0 without one.
#[inline]
fn distance_from(player: Option<&CellPosition>, own: &CellPosition) -> f32 {
    player.map_or(0.0, |player| player.distance_to(own))
}
