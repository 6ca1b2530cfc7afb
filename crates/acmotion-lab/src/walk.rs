//! A walk: the player, the simulated server, an observer and the network between them, recorded tick by tick.

mod buffer;
mod control;
mod recorder;
mod town;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, RwLock};

use acmotion::types::{Guid, MotionCommand};
use acmotion_sim::scenario::CreatureKind;
use acmotion_sim::server::ServerObject;
use acmotion_sim::{Client, Simulation};

use crate::protocol::{
    CreatureActivity, CreatureOrder, CreatureState, Key, NetworkSettings, PlayerState, Stance, ViewInfo,
    WalkState,
};
use crate::record::{BodyKey, Limits, SharedTimeline, Timeline, write};
use crate::session::HISTORY_SECONDS;
use crate::values::Origin;
pub(crate) use recorder::Recorder;
pub(crate) use town::{Land, Town};
use town::{OBSERVER, PLAYER};

/// The maximum size of the crowd.
pub(crate) const MAX_CROWD: u32 = 500;

/// The limits of a walk's timeline.
const LIMITS: Limits = Limits { seconds: HISTORY_SECONDS, bytes: 256 << 20, thins: false };
/// The length of a tick in seconds, slightly longer than the interval of the physics gate.
const TICK: f64 = 1.0 / 30.0 + 2e-7;
/// How long the clients may take to create the player, in seconds.
const MAX_ENTRY_SECONDS: f64 = 2.0;

/// A walk in progress.
pub(crate) struct Walk {
    town: Arc<Town>,
    simulation: Simulation,
    recorder: Recorder,
    timeline: SharedTimeline,
    origin: Origin,
    /// The time of the last tick.
    last_tick: f64,
    selected: Option<BodyKey>,
    network: NetworkSettings,
    crowd: u32,
    /// The keys that are held.
    keys: BTreeSet<Key>,
    /// The last order of each creature.
    orders: HashMap<Guid, CreatureOrder>,
    open_doors: BTreeSet<Guid>,
}

impl Walk {
    /// Starts a walk.
    ///
    /// # Errors
    ///
    /// Returns the reason why the town cannot be simulated.
    pub(crate) fn new(town: Arc<Town>) -> Result<Self, String> {
        let scenario = town.scenario(0, None);
        let simulation = town.simulation(&scenario)?;
        let origin = Origin::of_block(scenario.landblock);
        let mut walk = Self {
            timeline: Arc::new(RwLock::new(Timeline::new(LIMITS))),
            town,
            simulation,
            recorder: recorder(origin),
            origin,
            last_tick: 0.0,
            selected: None,
            network: control::DEFAULT_NETWORK,
            crowd: 0,
            keys: BTreeSet::new(),
            orders: HashMap::new(),
            open_doors: BTreeSet::new(),
        };
        walk.enter();
        Ok(walk)
    }

    /// Starts over with a crowd of this size. The player stays where it is, or goes back to the start.
    fn restart(&mut self, crowd: u32, stays: bool) -> Result<(), String> {
        let position = if stays { self.player_position() } else { None };
        let scenario = self.town.scenario(crowd, position);
        self.simulation = self.town.simulation(&scenario)?;
        *write(&self.timeline) = Timeline::new(LIMITS);
        self.recorder = recorder(self.origin);
        self.keys.clear();
        self.orders.clear();
        self.open_doors.clear();
        self.crowd = crowd;
        self.enter();
        Ok(())
    }

    /// Runs the simulation over a perfect network until both clients have created the player, and records the first tick.
    fn enter(&mut self) {
        write(&self.timeline).origin = self.origin;
        let player = self.player();
        while self.simulation.now() < MAX_ENTRY_SECONDS && !self.is_visible(player) {
            let due = self.simulation.next_frame();
            self.simulation.step(due, &mut self.recorder.buffer);
        }
        self.apply_network();
        self.advance();
    }

    /// Returns `true` if the player's client and the observer both have an entity.
    fn is_visible(&self, guid: Guid) -> bool {
        [PLAYER, OBSERVER].iter().all(|client| {
            self.simulation.client(*client).is_some_and(|client| client.world().find(guid).is_some())
        })
    }

    pub(crate) fn timeline(&self) -> SharedTimeline {
        Arc::clone(&self.timeline)
    }

    pub(crate) fn player(&self) -> Guid {
        self.simulation.client(PLAYER).map(Client::guid).unwrap_or_default()
    }

    /// Returns the time at which the next tick is due, in seconds of the walk.
    pub(crate) fn next_tick(&self) -> f64 {
        self.last_tick + TICK
    }

    /// Simulates up to the next tick of the player's client.
    pub(crate) fn advance(&mut self) {
        self.last_tick = self.recorder.advance(&mut self.simulation, &self.timeline, self.selected);
    }

    pub(crate) fn views() -> Vec<ViewInfo> {
        let view = |view, name: &str, description: &str| ViewInfo {
            view,
            name: name.into(),
            description: description.into(),
        };
        vec![
            view(0, "truth", "You as your own client sees you, everything else as the server sees it."),
            view(1, "observer", "What another player sees through the network."),
            view(2, "your client", "What your client shows you of the others."),
        ]
    }

    /// Selects a body, which is then explained even in a large crowd.
    pub(crate) fn select(&mut self, key: Option<BodyKey>) {
        self.selected = key;
    }

    pub(crate) fn state(&mut self) -> WalkState {
        let objects = self.simulation.server().objects().iter();
        let creatures = objects
            .filter(|object| object.client().is_none() && !Town::is_walker(&object.name))
            .map(|object| CreatureState {
                guid: object.guid.into(),
                name: object.name.clone(),
                activity: self.activity(object),
            })
            .collect();
        WalkState { network: self.network, player: self.player_state(), creatures, crowd: self.crowd }
    }

    fn style(&self) -> Option<MotionCommand> {
        self.simulation.truth(self.player()).map(|own| own.entity().interp.interpreted.style)
    }

    /// Returns the player's stance.
    pub(crate) fn stance(&self) -> Stance {
        self.style().map_or(Stance::Peace, Stance::of_style)
    }

    fn player_state(&mut self) -> Option<PlayerState> {
        let now = self.simulation.now();
        let (style, stance) = (self.style(), self.stance());
        let controls = self.simulation.controls(PLAYER)?;
        let keyboard = controls.keyboard();
        Some(PlayerState {
            keys: self.keys.iter().copied().collect(),
            autorun: keyboard.auto_run,
            mouse_look: keyboard.mouse_look,
            stance,
            style: style.map(Into::into),
            charge: controls.jump_power(now),
            controlled_by_server: keyboard.controlled_by_server,
        })
    }

    fn activity(&self, object: &ServerObject) -> CreatureActivity {
        if object.kind == CreatureKind::Door {
            let is_open = self.open_doors.contains(&object.guid);
            return if is_open { CreatureActivity::Open } else { CreatureActivity::Closed };
        }
        match self.orders.get(&object.guid) {
            Some(CreatureOrder::Chase) => CreatureActivity::Chase,
            Some(CreatureOrder::Patrol) => CreatureActivity::Patrol,
            Some(CreatureOrder::Stick) => CreatureActivity::Stick,
            Some(CreatureOrder::Stay) | None => CreatureActivity::Stay,
        }
    }

    /// Takes the requests that the player refused: the command and the reason of each.
    pub(crate) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        self.recorder.buffer.take_refusals()
    }
}

/// Creates a recorder whose view 1 is the observer's, and view 2 the player's of the others.
fn recorder(origin: Origin) -> Recorder {
    Recorder::new(vec![OBSERVER, PLAYER], PLAYER, origin)
}
