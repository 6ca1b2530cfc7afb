//! A walk at one tick.

use std::collections::{BTreeSet, HashMap};

use acmotion::types::{Guid, MotionCommand};
use acmotion::{ComfortSettings, Presentation, World};
use acmotion_sim::scenario::{CreatureKind, LocalPosition};
use acmotion_sim::server::ServerObject;
use acmotion_sim::{Client, Simulation, View};

use super::COMFORT;
use super::control::DEFAULT_NETWORK;
use super::recorder::Recorder;
use super::requests::RequestLog;
use super::town::{OBSERVER, PLAYER, Town};
use crate::protocol::{
    CreatureActivity, CreatureOrder, CreatureState, ItemPlace, ItemState, Key, NetworkSettings, PlayerState,
    Stance,
};
use crate::record::{BodyKey, SharedTimeline};
use crate::values::Origin;

/// How long the clients may take to create the player, in seconds.
const MAX_ENTRY_SECONDS: f64 = 2.0;

/// Everything about a walk that changes from tick to tick. A clone can go on independently.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) simulation: Simulation,
    recorder: Recorder,
    /// The time of the last tick.
    last_tick: f64,
    pub(super) network: NetworkSettings,
    /// The keys that are held.
    pub(super) keys: BTreeSet<Key>,
    /// Whether the mouse turns the player.
    pub(super) mouse_look: bool,
    /// The last order of each creature.
    pub(super) orders: HashMap<Guid, CreatureOrder>,
    /// The last requests of the player.
    pub(super) requests: RequestLog,
}

impl Moment {
    /// Creates the first moment of a simulation. The clients have not entered yet.
    pub(super) fn new(mut simulation: Simulation, origin: Origin) -> Self {
        // The recorder keeps how far off the observer is, for as long as ticks are kept.
        simulation.stop_measuring();
        // It changes nothing of what the observer simulates.
        simulation.set_presentation(OBSERVER, Presentation::Comfort(ComfortSettings::default()));
        Self {
            simulation,
            // View 1 is the observer's, and view 2 the player's of the others. `COMFORT` is what the
            // observer shows with comfort.
            recorder: Recorder::new(vec![OBSERVER, PLAYER], PLAYER, origin).with_comfort(COMFORT),
            last_tick: 0.0,
            network: DEFAULT_NETWORK,
            keys: BTreeSet::new(),
            mouse_look: false,
            orders: HashMap::new(),
            requests: RequestLog::default(),
        }
    }

    /// Runs the simulation over a perfect network until both clients have created the player, and records the first tick.
    pub(super) fn enter(&mut self, timeline: &SharedTimeline, selected: Option<BodyKey>) {
        let player = self.player();
        while self.simulation.now() < MAX_ENTRY_SECONDS && !self.is_visible(player) {
            let due = self.simulation.next_frame();
            self.simulation.step(due, &mut self.recorder.buffer);
        }
        self.apply_network();
        self.advance(timeline, selected);
    }

    /// Returns `true` if the player's client and the observer both have an entity.
    fn is_visible(&self, guid: Guid) -> bool {
        [PLAYER, OBSERVER].iter().all(|client| {
            self.simulation.client(*client).is_some_and(|client| client.world().find(guid).is_some())
        })
    }

    /// Simulates up to the next tick of the player's client and records it.
    pub(super) fn advance(&mut self, timeline: &SharedTimeline, selected: Option<BodyKey>) {
        self.last_tick = self.recorder.advance(&mut self.simulation, timeline, selected);
        for event in self.recorder.buffer.take_requests() {
            let name_of = |guid| self.simulation.name_of(guid).map_or_else(|| guid.to_string(), String::from);
            self.requests.on_event(&event, name_of);
        }
    }

    /// Returns the number of the last tick.
    pub(super) fn tick(&self) -> u32 {
        self.recorder.tick()
    }

    /// Returns the time of the last tick, in seconds of the walk.
    pub(super) fn last_tick(&self) -> f64 {
        self.last_tick
    }

    /// Returns the number of bodies in all worlds.
    pub(super) fn body_count(&self) -> usize {
        let clients = self.simulation.clients().iter().map(|client| View::Client(client.id()));
        let worlds = std::iter::once(View::Server).chain(clients);
        worlds.filter_map(|view| self.simulation.world(view)).map(|world| world.entities().count()).sum()
    }

    /// Takes the requests that the player refused: the command and the reason of each.
    pub(super) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        self.recorder.buffer.take_refusals()
    }

    /// Returns the world of the player's client.
    pub(super) fn client_world(&self) -> Option<&World> {
        self.simulation.client(PLAYER).map(Client::world)
    }

    pub(super) fn player(&self) -> Guid {
        self.simulation.client(PLAYER).map(Client::guid).unwrap_or_default()
    }

    /// Returns the true position of the player.
    pub(super) fn player_position(&self, home: u16) -> Option<LocalPosition> {
        let position = self.simulation.truth(self.player())?.position();
        Some(LocalPosition::from_position(&position, home))
    }

    fn style(&self) -> Option<MotionCommand> {
        self.simulation.truth(self.player()).map(|own| own.entity().interp.interpreted.style)
    }

    /// Returns the player's stance.
    pub(super) fn stance(&self) -> Stance {
        self.style().map_or(Stance::Peace, Stance::of_style)
    }

    pub(super) fn player_state(&mut self) -> Option<PlayerState> {
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
            attack_power: controls.attack_power(now),
            controlled_by_server: keyboard.controlled_by_server,
        })
    }

    /// Returns `true` while an attack key is held.
    pub(super) fn is_charging_attack(&mut self) -> bool {
        let now = self.simulation.now();
        self.simulation.controls(PLAYER).is_some_and(|controls| controls.attack_power(now).is_some())
    }

    /// Returns the number of doors that are open.
    pub(super) fn open_doors(&self) -> usize {
        self.simulation.server().objects().iter().filter(|object| object.is_open()).count()
    }

    /// Returns what lies on the ground, and what the player has.
    pub(super) fn items(&self) -> Vec<ItemState> {
        let player = self.player();
        let items = self.simulation.server().items();
        items
            .filter(|item| item.owner.is_none_or(|owner| owner == player))
            .map(|item| ItemState {
                guid: item.guid.into(),
                name: item.name.clone(),
                place: match item.owner {
                    None => ItemPlace::Ground,
                    Some(_) if item.is_wielded => ItemPlace::Wielded,
                    Some(_) => ItemPlace::Pack,
                },
            })
            .collect()
    }

    /// Returns the creatures and doors, without the crowd.
    pub(super) fn creatures(&self) -> Vec<CreatureState> {
        let objects = self.simulation.server().objects().iter();
        objects
            .filter(|object| object.client().is_none() && !Town::is_walker(&object.name))
            .map(|object| CreatureState {
                guid: object.guid.into(),
                name: object.name.clone(),
                activity: self.activity(object),
            })
            .collect()
    }

    fn activity(&self, object: &ServerObject) -> CreatureActivity {
        if object.kind == CreatureKind::Door {
            return if object.is_open() { CreatureActivity::Open } else { CreatureActivity::Closed };
        }
        match self.orders.get(&object.guid) {
            Some(CreatureOrder::Chase) => CreatureActivity::Chase,
            Some(CreatureOrder::Patrol) => CreatureActivity::Patrol,
            Some(CreatureOrder::Stick) => CreatureActivity::Stick,
            Some(CreatureOrder::Stay) | None => CreatureActivity::Stay,
        }
    }
}
