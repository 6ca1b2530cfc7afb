//! Everything that moves, in one place: messages in, motion out (rules B1–B3, D, P2, P7, P8).
//!
//! ```
//! use acmotion::World;
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::types::{CellId, CellPosition, Guid, Vec3};
//!
//! let mut world = World::new(Assets::mannequin());
//! let place = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
//! let id = world.add_stand_in(Guid(0x5000_0001), &place, 0.0);
//! world.tick(1.0 / 30.0);
//! let entity = world.get(id).unwrap();
//! assert!(entity.body().is_standing());
//! assert_eq!(world.drain_events().next().unwrap().guid, Guid(0x5000_0001));
//! ```

mod asset_cache;
mod collision_shape;
mod create;
mod event;
mod ground;
mod handlers;
#[cfg(feature = "parallel")]
mod parallel;
mod player;
mod receive;
mod resident;
#[cfg(feature = "parallel")]
mod serial_set;
mod shadows;
mod store;

use std::sync::Arc;

use acmotion_dat::Assets;
use acmotion_types::{CellPosition, Era, Guid};

pub use event::{DeleteReason, Event, EventKind, Rejection};
pub use player::{Identity, PlayerState};
pub use resident::{Resident, StandIn};
pub use store::EntityId;

use crate::body::{PhysicsGate, Surroundings};
use crate::correction::StepExplanation;
use crate::entity::{Actor, Events};
use crate::gate::{MessageList, PendingLimits, PendingMessages};
use crate::interp::{PlayerWeenie, Weenie};
use crate::library::Library;
use crate::player::LocalPlayer;
use asset_cache::AssetCache;
use store::Store;

/// How a world is set up.
#[derive(Clone, Default)]
pub struct Settings {
    /// Who the local player is.
    pub player: Identity,
    /// Which client's numbering the commands of messages follow.
    pub era: Era,
    /// How much may wait for objects that are still to come.
    pub limits: PendingLimits,
    /// Does an object that is reported but was never created get a humanoid as a stand-in? So recordings that begin late
    /// can be looked at. The original only waits.
    pub stand_ins_for_unknown: bool,
    /// Does a remote that leaves the ground take the speed of its own motion even if the server has just given it
    /// another? So says the letter of the original (rule N1, open): a remote's running jump is then flat. By default it
    /// keeps what the server gave it.
    pub flat_remote_jumps: bool,
    /// What is around bodies. Without it each stands on level ground at the height at which it was last reported
    /// standing.
    pub surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
    /// Does a body in a cell that the surroundings do not know, or that is reported standing far from any ground they
    /// have, stand on level ground as if there were none? So recordings can be looked at of which not all of the land is
    /// at hand. In the original such a body is lost until it is somewhere else, or falls.
    pub level_where_unknown: bool,
}

/// All entities, the messages that are still to come to them, and what happened.
///
/// The same messages at the same times give the same motion, bit for bit.
#[doc(alias = "SmartBox")]
#[doc(alias = "CObjectMaint")]
pub struct World {
    settings: Settings,
    library: Library,
    assets: AssetCache,
    store: Store,
    waiting: PendingMessages,
    /// What waited and is being gone through: an object's own messages before those of who made it appear.
    replaying: Vec<(MessageList, usize)>,
    gate: PhysicsGate,
    /// Do entities bump into each other?
    collides: bool,
    pub(crate) player: PlayerState,
    player_weenie: Arc<dyn Weenie>,
    pub(crate) local: LocalPlayer,
    scratch: Events,
    events: event::EventLog,
    #[cfg(feature = "parallel")]
    lanes: parallel::ParallelBuffers,
}

impl World {
    /// A world in which nobody is the local player.
    pub fn new(assets: Assets) -> Self {
        Self::with_settings(assets, Settings::default())
    }

    /// A world set up in a certain way.
    pub fn with_settings(assets: Assets, settings: Settings) -> Self {
        let mut library = Library::new();
        let assets = AssetCache::new(assets, &mut library);
        Self {
            library,
            assets,
            store: Store::default(),
            waiting: PendingMessages::new(settings.limits),
            replaying: Vec::new(),
            gate: PhysicsGate::default(),
            collides: settings.surroundings.as_ref().is_some_and(|around| around.has_obstacles()),
            player: PlayerState::new(settings.player),
            player_weenie: Arc::new(PlayerWeenie::default()),
            local: LocalPlayer::default(),
            scratch: Events::new(),
            events: event::EventLog::default(),
            #[cfg(feature = "parallel")]
            lanes: parallel::ParallelBuffers::default(),
            settings,
        }
    }

    /// Lets time pass: thirty times a second at most every entity is brought up to `now` (rules B2, B3). Says whether it
    /// was. Call it before the frame's messages, as the original does (rule B1).
    pub fn tick(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        // Everybody looks at where the player was before this tick, whatever the order.
        let player = self.player_position();
        for place in 0..self.store.len() {
            self.update_at(place, player, now);
        }
        true
    }

    /// What comes before the entities; says whether it is their turn (rule B2).
    fn begin_tick(&mut self, now: f64) -> bool {
        self.player.settle(self.player_position().is_some());
        self.expire(now);
        self.gate.opens(now)
    }

    /// Brings the entity at a place of the list up to `now`. Without a player everything counts as near.
    fn update_at(&mut self, place: usize, player: Option<CellPosition>, now: f64) {
        self.act_at(place, now, |actor, surroundings| {
            let player = player.unwrap_or(actor.entity.body.position);
            actor.update(Some(&player), surroundings);
        });
    }

    /// Lets an entity act among the others, by its own motions or [orders](Actor::order); then what they tell each other
    /// is delivered and what happened is written down. `None` if it is not there.
    pub fn act<R>(
        &mut self,
        guid: Guid,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R,
    ) -> Option<R> {
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
        self.settle(now);
        result
    }

    /// Lets the entity at an index act, without delivering the notices it sends.
    #[inline]
    fn run_actor<R>(
        &mut self,
        index: usize,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R,
    ) -> Option<R> {
        let (resident, others) = self.store.split(index)?;
        let mut partly = None;
        let surroundings = self.settings.surroundings_of(&resident.ground, &mut partly);
        let mut actor = resident.entity.act(&self.library, now, &mut self.scratch).among(others);
        if self.collides {
            actor = actor.past(&others.shadows);
        }
        let result = act(&mut actor, surroundings);
        self.refresh(index);
        Some(result)
    }

    /// The entity at a place of the list has acted: the others see, and bump into, what it is now.
    #[inline]
    fn refresh(&mut self, place: usize) {
        self.store.refresh(place);
        if let Some(surroundings) = self.settings.surroundings.as_deref().filter(|_| self.collides) {
            self.store.refresh_shadow(place, &self.library, surroundings);
        }
    }

    /// From now on this is around bodies: more of the land than before, or nothing, and then each stands on level ground
    /// again. Bodies stay where they are.
    pub fn set_surroundings(&mut self, surroundings: Option<Arc<dyn Surroundings + Send + Sync>>) {
        self.collides = surroundings.as_ref().is_some_and(|around| around.has_obstacles());
        self.settings.surroundings = surroundings;
        self.store.forget_shadows();
        for place in 0..self.store.len() {
            self.add_shadow(place);
            self.refresh(place);
        }
    }

    /// Lets others bump into the entity at a place of the list, where anybody minds.
    fn add_shadow(&mut self, place: usize) {
        if let Some(resident) = self.store.at(place).filter(|_| self.collides) {
            let (id, bulk) = (resident.id(), self.assets.collision_shape(&self.library, resident.model()));
            self.store.embody(id, bulk);
        }
    }

    /// Delivers what entities wrote to each other, until nobody writes any more, and takes over what happened.
    #[inline]
    fn settle(&mut self, now: f64) {
        while let Some(mail) = self.scratch.take_notice() {
            if let Some(index) = self.store.index_of(mail.to) {
                self.run_actor(index, now, |actor, _| actor.receive_notice(&mail));
            }
        }
        self.events.take(&mut self.scratch, now);
    }

    /// Objects that were waited for too long are given up (rule D3).
    fn expire(&mut self, now: f64) {
        let events = &mut self.events;
        self.waiting.expire(now, |guid, messages| {
            events.push(now, guid, EventKind::Rejected(Rejection::NeverCreated { messages }));
        });
    }

    /// Everybody, in an order that changes only when somebody comes or goes.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = &Resident> {
        self.store.iter()
    }

    /// An entity by its handle, if it is still there.
    pub fn get(&self, id: EntityId) -> Option<&Resident> {
        self.store.get(id)
    }

    /// An entity by the server's id.
    pub fn find(&self, guid: Guid) -> Option<&Resident> {
        self.store.find(guid)
    }

    /// What all entities share.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The local player's situation.
    pub fn player(&self) -> &PlayerState {
        &self.player
    }

    /// Where the local player is: his body's place, or where he was last said to be.
    pub fn player_position(&self) -> Option<CellPosition> {
        let body = self.player.guid().and_then(|guid| self.store.find(guid)).map(Resident::body);
        body.filter(|body| body.is_in_cell()).map(|body| body.position).or(self.player.position)
    }

    /// Takes out what happened since it was last asked, in order. Ask often: beyond a million events the newest are
    /// lost, see [`lost_events`](Self::lost_events).
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> {
        self.events.drain()
    }

    /// How many events were lost because nobody took them out.
    pub fn lost_events(&self) -> u64 {
        self.events.lost()
    }

    /// How many messages wait for objects that are still to come.
    pub fn waiting_messages(&self) -> usize {
        self.waiting.messages()
    }

    /// From now on keeps why an entity moved as it did, or does not any more. Says whether it is there.
    pub fn explain(&mut self, guid: Guid, explained: bool) -> bool {
        let found = self.store.find_mut(guid);
        found.map(|resident| resident.entity.correction.set_explained(explained)).is_some()
    }

    /// Why an entity moved as it did in its last step, if that is kept.
    pub fn explanation(&self, guid: Guid) -> Option<&StepExplanation> {
        self.store.find(guid)?.entity.correction.explanation()
    }
}
