//! A walk: the player, the simulated server, an observer and the network between them, recorded tick by tick.

mod buffer;
mod checkpoints;
mod control;
mod moment;
mod recorder;
mod requests;
#[cfg(test)]
mod tests;
mod town;

use std::sync::{Arc, RwLock};

use acmotion::EntityFilter;
use acmotion::scene::NoObstacles;
use acmotion::types::Guid;

use crate::protocol::{Command, Key, LandKind, Stance, ViewInfo, WalkState};
use crate::record::{BodyKey, Limits, SharedTimeline, Timeline, View, read, write};
use crate::session::HISTORY_SECONDS;
use crate::values::Origin;
use checkpoints::{Checkpoints, Rewound};
use moment::Moment;
pub(crate) use recorder::Recorder;
pub(crate) use town::{Land, Town};

/// The maximum size of the crowd.
pub(crate) const MAX_CROWD: u32 = 500;
/// The maximum number of commands between two ticks. Only keys can be released after that many.
const MAX_COMMANDS_PER_TICK: u32 = 1000;

/// The limits of a walk's timeline.
const LIMITS: Limits = Limits { seconds: HISTORY_SECONDS, bytes: 256 << 20, thins: false };
/// The true state: of a player in its own client's world, of everything else in the server's.
pub(crate) const TRUTH: View = 0;
/// The views besides the truth: of the observer, of the player's client, and of the observer with comfort.
pub(crate) const OBSERVED: View = 1;
pub(crate) const OWN: View = 2;
pub(crate) const COMFORT: View = 3;
/// The length of a tick in seconds, slightly longer than the interval of the physics gate.
const TICK: f64 = 1.0 / 30.0 + 2e-7;

/// What changes in the state of a walk without a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Answers {
    stance: Stance,
    requests: u64,
    open_doors: usize,
}

/// A walk in progress.
pub(crate) struct Walk {
    town: Arc<Town>,
    timeline: SharedTimeline,
    origin: Origin,
    selected: Option<BodyKey>,
    crowd: u32,
    now: Moment,
    checkpoints: Checkpoints,
    /// The number of commands since the last tick.
    commands: u32,
}

impl Walk {
    /// Starts a walk.
    ///
    /// # Errors
    ///
    /// Returns the reason why the town cannot be simulated.
    pub(crate) fn new(town: Arc<Town>) -> Result<Self, String> {
        let scenario = town.scenario(0, None);
        let origin = Origin::of_block(scenario.landblock);
        let mut walk = Self {
            timeline: Arc::new(RwLock::new(Timeline::new(LIMITS))),
            now: Moment::new(town.simulation(&scenario)?, origin),
            town,
            origin,
            selected: None,
            crowd: 0,
            checkpoints: Checkpoints::default(),
            commands: 0,
        };
        walk.enter();
        Ok(walk)
    }

    /// Starts over with a crowd of this size. The player stays where it is, or goes back to the start.
    fn restart(&mut self, crowd: u32, stays: bool) -> Result<(), String> {
        let home = self.town.land().home;
        let position = if stays { self.now.player_position(home) } else { None };
        let scenario = self.town.scenario(crowd, position);
        let simulation = self.town.simulation(&scenario)?;
        self.checkpoints = Checkpoints::default();
        *write(&self.timeline) = Timeline::new(LIMITS);
        let network = std::mem::replace(&mut self.now, Moment::new(simulation, self.origin)).network;
        self.now.network = network;
        self.crowd = crowd;
        self.enter();
        Ok(())
    }

    fn enter(&mut self) {
        write(&self.timeline).origin = self.origin;
        self.now.enter(&self.timeline, self.selected);
        self.update_checkpoints();
    }

    pub(crate) fn timeline(&self) -> SharedTimeline {
        Arc::clone(&self.timeline)
    }

    pub(crate) fn player(&self) -> Guid {
        self.now.player()
    }

    /// Returns the time at which the next tick is due, in seconds of the walk.
    pub(crate) fn next_tick(&self) -> f64 {
        self.now.last_tick() + TICK
    }

    /// Simulates up to the next tick of the player's client.
    pub(crate) fn advance(&mut self) {
        self.now.advance(&self.timeline, self.selected);
        self.commands = 0;
        self.update_checkpoints();
    }

    fn update_checkpoints(&mut self) {
        let (messages_end, first_tick) = {
            let timeline = read(&self.timeline);
            (timeline.messages.end(), timeline.first().map_or(0, |tick| tick.number))
        };
        self.checkpoints.update(&self.now, messages_end, first_tick);
    }

    /// Carries out a command.
    ///
    /// # Errors
    ///
    /// Returns the reason why it is refused.
    pub(crate) fn execute(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::Crowd { count } if *count <= MAX_CROWD => return self.restart(*count, true),
            Command::Crowd { count } => {
                return Err(format!("a crowd of {count} is too large: at most {MAX_CROWD} are allowed"));
            }
            Command::Reset => return self.restart(0, false),
            _ => {}
        }
        let is_release = matches!(command, Command::Key { down: false, .. } | Command::ReleaseAll);
        if self.commands >= MAX_COMMANDS_PER_TICK && !is_release {
            return Err(format!("there were {MAX_COMMANDS_PER_TICK} commands since the last tick already"));
        }
        if self.now.execute(&self.town, command)? {
            self.commands += 1;
            self.checkpoints.add_command(self.now.tick(), command);
        }
        Ok(())
    }

    /// Goes back to a tick, so that the next one follows it. The ticks after it are dropped.
    ///
    /// The last checkpoint before the tick is restored and run up to it with the commands of that time, which gives the
    /// same ticks again, to the bit. Then the keys are held that the user holds now, and the network is as the user has set
    /// it.
    ///
    /// # Errors
    ///
    /// Returns the reason why it is refused.
    pub(crate) fn continue_from(&mut self, tick: u32) -> Result<(), String> {
        let Some(Rewound { moment, messages_end, commands }) = self.checkpoints.rewind(tick) else {
            return Err(String::from("this tick is too long ago to continue from: choose a later one"));
        };
        let before = std::mem::replace(&mut self.now, moment);
        self.commands = 0;
        let start = self.now.tick();
        write(&self.timeline).truncate(start, messages_end);
        let mut commands = commands.into_iter().peekable();
        for at in start..tick {
            while let Some((_, command)) = commands.next_if(|(given, _)| *given <= at) {
                // It was carried out before, so it is not refused now.
                let _ = self.now.execute(&self.town, &command);
            }
            self.now.advance(&self.timeline, self.selected);
        }
        // The page has shown them before.
        self.now.take_refusals();
        for key in Key::ALL {
            self.execute(&Command::Key { key, down: before.keys.contains(&key) })?;
        }
        if self.now.mouse_look != before.mouse_look {
            self.execute(&Command::MouseLook { on: before.mouse_look })?;
        }
        if self.now.network != before.network {
            self.execute(&Command::Network(before.network.into()))?;
        }
        Ok(())
    }

    pub(crate) fn views() -> Vec<ViewInfo> {
        let view = |view, name: &str, description: &str| ViewInfo {
            view,
            name: name.into(),
            description: description.into(),
        };
        vec![
            view(TRUTH, "truth", "You as your own client sees you, everything else as the server sees it."),
            view(OBSERVED, "observer", "What another player sees through the network."),
            view(OWN, "your client", "What your client shows you of the others."),
            view(COMFORT, "comfort", "What another player sees through the same network with comfort."),
        ]
    }

    /// Selects a body, which is then explained even in a large crowd.
    pub(crate) fn select(&mut self, key: Option<BodyKey>) {
        self.selected = key;
    }

    pub(crate) fn state(&mut self) -> WalkState {
        WalkState {
            network: self.now.network,
            player: self.now.player_state(),
            creatures: self.now.creatures(),
            crowd: self.crowd,
            items: self.now.items(),
            requests: self.now.requests.states(),
        }
    }

    /// Returns what makes the state worth sending again when it changes: it does so when the server answers.
    pub(crate) fn answers(&self) -> Answers {
        Answers {
            stance: self.now.stance(),
            requests: self.now.requests.version(),
            open_doors: self.now.open_doors(),
        }
    }

    /// Returns the kind of the land.
    pub(crate) fn land_kind(&self) -> LandKind {
        self.town.land_kind()
    }

    /// Returns `true` while an attack key is held: the state then changes with every tick.
    pub(crate) fn is_charging_attack(&mut self) -> bool {
        self.now.is_charging_attack()
    }

    /// Sweeps a camera from the point that it looks at to where it wants to be (`docs/collision.md` 2.8), past what the
    /// player's client knows: a closed door stops it, creatures do not. Returns how far from the point it may be, in metres,
    /// and whether the point is in a room.
    pub(crate) fn camera(&self, pivot: [f32; 3], eye: [f32; 3]) -> (f32, bool) {
        let (pivot, eye) = (pivot.into(), eye.into());
        match self.now.client_world() {
            Some(world) => self.town.camera(pivot, eye, &world.obstacles(EntityFilter::ALL)),
            None => self.town.camera(pivot, eye, &NoObstacles),
        }
    }

    /// Takes the requests that the player refused: the command and the reason of each.
    pub(crate) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        self.now.take_refusals()
    }
}
