//! A walk: the player, the server in a box, an observer, and the network between them, tick by tick onto the tape.

mod notebook;
mod recorder;
mod steer;
mod town;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, RwLock};

use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::CombatMode;
use acmotion_sim::scenario::{CreatureKind, Scenario};
use acmotion_sim::{Client, Simulation};
use serde_json::{Value, json};

use crate::record::{Key, Limits, Tape};
use crate::session::{HISTORY_SECONDS, SharedTape, write};
use crate::values::{Origin, command};
pub(crate) use recorder::Recorder;
use steer::Connection;
pub(crate) use town::{Land, Town};
use town::{OBSERVER, PLAYER};

/// How large the crowd can be.
pub(crate) const MOST_CROWD: u32 = 500;
/// What can be asked for, by name.
pub(crate) const STANCES: [(&str, CombatMode); 4] = [
    ("peace", CombatMode::NON_COMBAT),
    ("melee", CombatMode::MELEE),
    ("missile", CombatMode::MISSILE),
    ("magic", CombatMode::MAGIC),
];

/// What the tape of a walk holds.
const LIMITS: Limits = Limits { seconds: HISTORY_SECONDS, bytes: 256 << 20, thins: false };
/// Seconds from tick to tick, and a hair.
const TICK: f64 = 1.0 / 30.0 + 2e-7;
/// How long everybody may take to come in, in seconds.
const ENTRANCE: f64 = 2.0;

/// A walk under way.
pub(crate) struct Walk {
    town: Arc<Town>,
    simulation: Simulation,
    recorder: Recorder,
    tape: SharedTape,
    origin: Origin,
    last: f64,
    selected: Option<Key>,
    connection: Connection,
    crowd: u32,
    keys: BTreeSet<&'static str>,
    /// What creatures were told last.
    orders: HashMap<Guid, &'static str>,
    open_doors: BTreeSet<Guid>,
}

impl Walk {
    /// Everybody at the start.
    ///
    /// # Errors
    /// When the town has no place for them.
    pub(crate) fn new(town: Arc<Town>) -> Result<Self, String> {
        let scene = town.scene(0, None);
        let simulation = town.simulation(&scene)?;
        let origin = Origin::of_block(scene.landblock);
        let mut walk = Self {
            tape: Arc::new(RwLock::new(Tape::new(LIMITS))),
            town,
            simulation,
            recorder: recorder(origin),
            origin,
            last: 0.0,
            selected: None,
            connection: Connection::default(),
            crowd: 0,
            keys: BTreeSet::new(),
            orders: HashMap::new(),
            open_doors: BTreeSet::new(),
        };
        walk.enter();
        Ok(walk)
    }

    /// Everything from the beginning, with so many others about, the player where he is or at the start.
    fn begin_again(&mut self, crowd: u32, stays: bool) -> Result<(), String> {
        let spot = if stays { self.player_spot() } else { None };
        let scene: Scenario = self.town.scene(crowd, spot);
        self.simulation = self.town.simulation(&scene)?;
        *write(&self.tape) = Tape::new(LIMITS);
        self.recorder = recorder(self.origin);
        self.keys.clear();
        self.orders.clear();
        self.open_doors.clear();
        self.crowd = crowd;
        self.enter();
        Ok(())
    }

    /// Everybody comes in, over a network that loses nothing; then there is the first tick.
    fn enter(&mut self) {
        write(&self.tape).origin = self.origin;
        let player = self.player();
        while self.simulation.now() < ENTRANCE && !self.is_seen(player) {
            let due = self.simulation.next_frame();
            self.simulation.step(due, &mut self.recorder.notebook);
        }
        self.connect();
        self.advance();
    }

    fn is_seen(&self, guid: Guid) -> bool {
        [PLAYER, OBSERVER].iter().all(|client| {
            self.simulation.client(*client).is_some_and(|client| client.world().find(guid).is_some())
        })
    }

    pub(crate) fn tape(&self) -> SharedTape {
        Arc::clone(&self.tape)
    }

    pub(crate) fn player(&self) -> Guid {
        self.simulation.client(PLAYER).map(Client::guid).unwrap_or_default()
    }

    /// When the next tick is due, by the walk's clock.
    pub(crate) fn next_tick(&self) -> f64 {
        self.last + TICK
    }

    /// The next tick of the player's client, and everything before it.
    pub(crate) fn advance(&mut self) {
        self.last = self.recorder.advance(&mut self.simulation, &self.tape, self.selected);
    }

    /// What the page is told about the views.
    pub(crate) fn views() -> Value {
        json!([
            { "view": 0, "name": "truth", "words": "you as your own client has you, everything else as the server has it" },
            { "view": 1, "name": "observer", "words": "what somebody else sees through the network" },
            { "view": 2, "name": "your client", "words": "what your client shows you of the others" },
        ])
    }

    /// Who is selected is explained from now on, however many there are.
    pub(crate) fn select(&mut self, key: Option<Key>) {
        self.selected = key;
    }

    /// What the page is told with the state.
    pub(crate) fn describe(&mut self, state: &mut Value) {
        let now = self.simulation.now();
        let style = self.simulation.truth(self.player()).map(|own| own.entity().interp.interpreted.style);
        let controls = self.simulation.controls(PLAYER);
        let player = controls.map(|controls| {
            let keys = controls.keyboard();
            json!({
                "keys": self.keys, "autorun": keys.auto_run, "mouse_look": keys.mouse_look,
                "stance": style.map_or("peace", stance_name), "style": style.map(command),
                "charge": controls.jump_power(now), "controlled_by_server": keys.controlled_by_server,
            })
        });
        let things = self.simulation.server().objects().iter();
        let creatures =
            things.filter(|thing| thing.client().is_none() && !Town::is_crowd(&thing.name)).map(|thing| {
                let order = match thing.kind {
                    CreatureKind::Door if self.open_doors.contains(&thing.guid) => "open",
                    CreatureKind::Door => "closed",
                    _ => self.orders.get(&thing.guid).copied().unwrap_or("stay"),
                };
                json!({ "guid": thing.guid.to_string(), "name": thing.name, "order": order })
            });
        state["creatures"] = creatures.collect();
        state["network"] = self.connection.json();
        state["player"] = player.into();
        state["crowd"] = self.crowd.into();
    }

    /// What the player did not do, since this was last asked: what it was, and why not.
    pub(crate) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        self.recorder.notebook.take_refusals()
    }
}

/// View 1 is the observer's, view 2 the player's own of the others.
fn recorder(origin: Origin) -> Recorder {
    Recorder::new(vec![OBSERVER, PLAYER], PLAYER, origin)
}

fn stance_name(style: MotionCommand) -> &'static str {
    match style {
        MotionCommand::NON_COMBAT => "peace",
        MotionCommand::MAGIC => "magic",
        MotionCommand::BOW_COMBAT | MotionCommand::CROSSBOW_COMBAT | MotionCommand::THROWN_WEAPON_COMBAT => {
            "missile"
        }
        _ => "melee",
    }
}
