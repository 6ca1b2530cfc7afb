//! Scenarios: where players, observers and creatures are, what they do and when, and what the network is like.
//!
//! A scenario is plain data, built in code or read from TOML with [`Scenario::parse`]. The files in the repository's
//! `scenes/` folder explain the format by example.

mod error;
mod ground;
mod item;
mod keys;
mod parse;
mod table;

use acmotion::dat::{DataId, mannequin};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{AttackHeight, CombatMode};
use acmotion::{Pace, WalkGoal};

pub use error::ScenarioError;
pub(crate) use ground::height_at;
pub use ground::{Ground, SharedSurroundings};
pub use item::{ItemKind, ItemSpec};
pub(crate) use keys::style_of;

use crate::network::NetworkSettings;

/// Something that happens at a time of the scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed<T> {
    /// The time, in seconds since the start of the scenario.
    pub at: f64,
    /// What happens.
    pub value: T,
}

/// The initial state and the script of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// The title.
    pub title: String,
    /// The duration, in seconds.
    pub seconds: f64,
    /// The seed of the virtual network.
    pub seed: u64,
    /// The landblock in whose axes positions are given.
    pub landblock: u16,
    /// The ground.
    pub ground: Ground,
    /// The settings of the server.
    pub server: ServerSettings,
    /// Everything with a client of its own: players first, then observers.
    pub clients: Vec<ClientSpec>,
    /// Creatures and doors, which the server moves.
    pub creatures: Vec<CreatureSpec>,
    /// Items that lie on the ground.
    pub items: Vec<ItemSpec>,
    /// What the server does to players.
    pub events: Vec<Timed<ServerEvent>>,
}

impl Default for Scenario {
    /// An empty scenario of ten seconds on level ground.
    fn default() -> Self {
        Self {
            title: String::new(),
            seconds: 10.0,
            seed: 0,
            landblock: 0xA9B4,
            ground: Ground::default(),
            server: ServerSettings::default(),
            clients: Vec::new(),
            creatures: Vec::new(),
            items: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// The settings of the server.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ServerSettings {
    /// The number of frames a second, in each of which it handles messages and updates its world.
    pub tick_rate: f64,
    /// The time, in seconds, between two positions of a moving player: 1 in recordings of community servers.
    pub position_interval: f64,
    /// The time, in seconds, between two positions of a moving creature: 0.2 in recordings of community servers.
    pub creature_interval: f64,
    /// The time that a teleport takes, in seconds.
    pub portal_seconds: f64,
    /// The distance, in metres, up to which a client is sent objects; `None` if it is sent all. It keeps those that it
    /// has until they are a fifth farther away.
    pub view_distance: Option<f32>,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            tick_rate: 60.0,
            position_interval: 1.0,
            creature_interval: 0.2,
            portal_seconds: 1.0,
            view_distance: None,
        }
    }
}

/// A position in the axes of the scenario's landblock.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LocalPosition {
    /// Metres east of the landblock's south-west corner.
    pub x: f32,
    /// Metres north of the landblock's south-west corner.
    pub y: f32,
    /// The height in metres; `None` for the height of the ground.
    pub z: Option<f32>,
    /// The heading, in degrees clockwise from north.
    pub heading: f32,
    /// The room; `None` outdoors.
    pub room: Option<CellId>,
}

impl LocalPosition {
    /// Creates a position on the ground, facing north.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y, z: None, heading: 0.0, room: None }
    }

    /// Converts a position of the world to the axes of a landblock.
    pub fn from_position(position: &CellPosition, landblock: u16) -> Self {
        let cell = position.cell;
        let point = position.frame.origin + corner(landblock).block_offset(cell);
        let heading = position.frame.heading();
        Self { x: point.x, y: point.y, z: Some(point.z), heading, room: cell.is_room().then_some(cell) }
    }

    /// Returns the same position with another heading, in degrees clockwise from north.
    #[must_use]
    pub const fn with_heading(mut self, heading: f32) -> Self {
        self.heading = heading;
        self
    }

    /// Converts it to a position of the world, at a height in metres; `None` off the map.
    pub(crate) fn at_height(&self, landblock: u16, z: f32) -> Option<CellPosition> {
        let (corner, point) = (corner(landblock), Vec3::new(self.x, self.y, z));
        let mut position = match self.room {
            Some(room) => CellPosition::at(room, point - corner.block_offset(room)),
            None => CellPosition::at(corner, point).adjusted_to_outside()?,
        };
        position.frame.set_heading(self.heading);
        Some(position)
    }
}

/// Returns the cell in the south-west corner of a landblock.
fn corner(landblock: u16) -> CellId {
    CellId(u32::from(landblock) << 16 | 1)
}

/// A player or an observer, with a client of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct ClientSpec {
    /// The name.
    pub name: String,
    /// The position at which it enters the world.
    pub position: LocalPosition,
    /// Whether it only watches. Observers are not shown to other clients and have no inputs.
    pub is_observer: bool,
    /// The time at which it enters the world, in seconds.
    pub enters: f64,
    /// The effective run skill (rule K10).
    pub run_skill: u32,
    /// The effective jump skill.
    pub jump_skill: u32,
    /// The burden as a share of the carrying capacity (rule K10).
    pub load: f32,
    /// Whether the player runs without the run key.
    pub run_by_default: bool,
    /// Whether the player has a sword: `melee` is then `SwordCombat`, and the sword is in the hand in that stance.
    pub has_sword: bool,
    /// Whether the player has a bow, which is in the hand in `BowCombat`.
    pub has_bow: bool,
    /// The frame rate of the client, in frames a second.
    pub frame_rate: f64,
    /// The connection.
    pub network: NetworkSettings,
    /// The inputs of the player.
    pub inputs: Vec<Timed<Input>>,
}

impl Default for ClientSpec {
    fn default() -> Self {
        Self {
            name: String::from("Player"),
            position: LocalPosition::new(96.0, 96.0),
            is_observer: false,
            enters: 0.0,
            run_skill: 200,
            jump_skill: 200,
            load: 0.0,
            run_by_default: true,
            has_sword: false,
            has_bow: false,
            frame_rate: 60.0,
            network: NetworkSettings::default(),
            inputs: Vec::new(),
        }
    }
}

/// How a player walks to a position. The default is that of [`WalkGoal`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WalkOptions {
    /// Whether to run (`true`) or walk; `None` to run only if it is far.
    pub run: Option<bool>,
    /// The distance at which the player has arrived, in metres.
    pub distance: Option<f32>,
    /// The maximum time, in seconds.
    pub timeout: Option<f32>,
}

impl WalkOptions {
    /// Returns the goal of a walk to a position.
    pub fn goal(&self, position: CellPosition) -> WalkGoal {
        let mut goal = WalkGoal::new(position);
        goal.pace = match self.run {
            Some(true) => Pace::Run,
            Some(false) => Pace::Walk,
            None => goal.pace,
        };
        goal.distance = self.distance.unwrap_or(goal.distance);
        goal.timeout = self.timeout;
        goal
    }
}

/// An input of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// Presses a key.
    Press(MotionCommand),
    /// Releases a key.
    Release(MotionCommand),
    /// Presses and releases a key.
    Tap(MotionCommand),
    /// Holds the run key, or releases it.
    HoldRun(bool),
    /// Jumps to an extent from 0 to 1, without charging the jump with the key.
    Jump(f32),
    /// Walks to a position.
    WalkTo(LocalPosition, WalkOptions),
    /// Turns to a heading, in degrees clockwise from north.
    TurnTo(f32),
    /// Plays an emote or another action.
    Emote(MotionCommand),
    /// Requests a stance from the server.
    Stance(CombatMode),
    /// Starts or ends turning by mouse.
    MouseLook(bool),
    /// Moves the mouse to the right, or to the left if negative (rule K5).
    MouseTurn(f32),
    /// Stops every motion.
    StopCompletely,
    /// Attacks an entity.
    Attack {
        /// The entity.
        target: Guid,
        /// The height.
        height: AttackHeight,
        /// The power, from 0 to 1.
        power: f32,
    },
    /// Casts a spell, at an entity if one is given.
    Cast {
        /// The spell.
        spell: u32,
        /// The entity.
        target: Option<Guid>,
    },
    /// Presses the attack key: the power bar starts to fill.
    BeginAttack {
        /// The entity.
        target: Guid,
        /// The height.
        height: AttackHeight,
    },
    /// Releases the attack key: attacks with the power of the bar.
    EndAttack,
    /// Asks the server to cancel the attack.
    CancelAttack,
    /// Uses an entity.
    Use(Guid),
    /// Picks up an item from the ground.
    PickUp(Guid),
    /// Drops an item.
    Drop(Guid),
    /// Wields an item.
    Wield {
        /// The item.
        item: Guid,
        /// The location at which it is worn: see [`ItemKind::wield_location`].
        location: u32,
    },
}

/// The kind of a creature, which determines its setup and motion table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum CreatureKind {
    /// The mannequin's human.
    #[default]
    Human,
    /// The mannequin's four-legged beast.
    Beast,
    /// The mannequin's door.
    Door,
}

impl CreatureKind {
    /// Returns the id of its motion table.
    pub const fn motion_table(self) -> DataId {
        match self {
            Self::Human => mannequin::HUMAN_TABLE,
            Self::Beast => mannequin::BEAST_TABLE,
            Self::Door => mannequin::DOOR_TABLE,
        }
    }

    /// Returns the id of its setup.
    pub const fn setup(self) -> DataId {
        match self {
            Self::Human => mannequin::HUMAN_SETUP,
            Self::Beast => mannequin::BEAST_SETUP,
            Self::Door => mannequin::DOOR_SETUP,
        }
    }
}

/// A creature or a door, which the server moves.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureSpec {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: CreatureKind,
    /// The position at which it starts.
    pub position: LocalPosition,
    /// The run rate: the factor by which it runs faster than with no run skill (rule F3).
    pub run_rate: f32,
    /// The orders that it is given.
    pub orders: Vec<Timed<CreatureOrder>>,
}

impl Default for CreatureSpec {
    fn default() -> Self {
        Self {
            name: String::from("Creature"),
            kind: CreatureKind::Human,
            position: LocalPosition::new(96.0, 96.0),
            run_rate: 1.5,
            orders: Vec::new(),
        }
    }
}

/// An order to a creature. Targets are given by name.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum CreatureOrder {
    /// Stops.
    Stand,
    /// Moves to a position.
    GoTo(LocalPosition),
    /// Moves from position to position, in a loop.
    Patrol(Vec<LocalPosition>),
    /// Turns to a heading, in degrees clockwise from north.
    TurnTo(f32),
    /// Turns to a target.
    Face(String),
    /// Moves to a target, again whenever the target has moved away.
    Chase(String),
    /// Moves to a target, sticks to it and strikes it.
    Attack(String),
    /// Plays an action.
    Emote(MotionCommand),
    /// Changes to a style.
    Stance(MotionCommand),
    /// Dies.
    Die,
    /// Opens, if it is a door.
    Open,
    /// Closes, if it is a door.
    Close,
}

/// What the server does to a player.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ServerEvent {
    /// Teleports the player.
    Teleport {
        /// The name of the player.
        player: String,
        /// The destination.
        to: LocalPosition,
    },
    /// Kills the player.
    Kill {
        /// The name of the player.
        player: String,
    },
    /// Moves the player to a target, as when the player uses it (rule P5).
    MoveTo {
        /// The name of the player.
        player: String,
        /// The name of the target.
        to: String,
    },
}

impl Scenario {
    /// Parses a scenario from TOML.
    ///
    /// ```
    /// use acmotion_sim::scenario::Scenario;
    ///
    /// let scenario = Scenario::parse(r#"
    ///     seconds = 3
    ///     [[player]]
    ///     name = "Asha"
    ///     at = [96, 96]
    ///     input = [{ at = 1, press = "forward" }, { at = 2, release = "forward" }]
    /// "#)?;
    /// assert_eq!(scenario.clients[0].inputs.len(), 2);
    ///
    /// let error = Scenario::parse("seconds = 3\nsecond = 4").unwrap_err();
    /// assert_eq!(error.line, Some(2));
    /// # Ok::<(), acmotion_sim::scenario::ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not TOML, has unknown keys, or values out of range. The error names the line.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        parse::scenario(text)
    }

    /// Returns the index of the player or observer with a name.
    pub fn client(&self, name: &str) -> Option<usize> {
        self.clients.iter().position(|spec| spec.name == name)
    }

    /// Returns the index of the creature with a name.
    pub fn creature(&self, name: &str) -> Option<usize> {
        self.creatures.iter().position(|spec| spec.name == name)
    }
}
