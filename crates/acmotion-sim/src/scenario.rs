//! Scenes: who is where, does what when, and over what network they see each other.
//!
//! A scene is plain data, made by code or read from TOML by [`Scenario::parse`]; the files under `scenes/` show the format
//! by example.

mod error;
mod ground;
mod keys;
mod parse;
mod table;

use acmotion::types::{CellId, CellPosition, MotionCommand, Vec3};
use acmotion::wire::CombatMode;

pub use error::ScenarioError;
pub(crate) use ground::height_at;
pub use ground::{Ground, SharedSurroundings};
pub(crate) use keys::style_of;

use crate::network::NetworkSettings;

/// Something at a time of the scene.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed<T> {
    /// Seconds since the scene began.
    pub at: f64,
    /// What.
    pub value: T,
}

/// Everything there is to know before a simulation begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// What it shows.
    pub title: String,
    /// How long it lasts.
    pub seconds: f64,
    /// What the network's luck follows from.
    pub seed: u64,
    /// The landblock whose axes places are given in.
    pub landblock: u16,
    /// What everybody stands on.
    pub ground: Ground,
    /// The server's habits.
    pub server: ServerSettings,
    /// Everybody with a client of their own: players first, then observers.
    pub clients: Vec<ClientSpec>,
    /// What the server moves.
    pub creatures: Vec<CreatureSpec>,
    /// What the server does to players.
    pub events: Vec<Timed<ServerEvent>>,
}

impl Default for Scenario {
    /// Nobody on level ground for ten seconds.
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
            events: Vec::new(),
        }
    }
}

/// The server's habits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ServerSettings {
    /// How often a second it looks at messages and lets its world move.
    pub tick_rate: f64,
    /// Seconds between two positions of a player who moves: one in recordings of community servers.
    pub position_interval: f64,
    /// Seconds between two positions of a creature that moves: a fifth in recordings of community servers.
    pub creature_interval: f64,
    /// Seconds in portal space.
    pub portal_seconds: f64,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self { tick_rate: 60.0, position_interval: 1.0, creature_interval: 0.2, portal_seconds: 1.0 }
    }
}

/// Where somebody stands, in the axes of the scene's landblock: metres east and north, and up if the ground is not meant.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LocalPosition {
    /// Metres east.
    pub x: f32,
    /// Metres north.
    pub y: f32,
    /// Metres up; the ground if left out.
    pub z: Option<f32>,
    /// Where to look, in degrees clockwise from north.
    pub heading: f32,
    /// The room it is in; outdoors if none is named.
    pub room: Option<CellId>,
}

impl LocalPosition {
    /// On the ground, looking north.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y, z: None, heading: 0.0, room: None }
    }

    /// The spot of a position of the world, in the axes of a landblock.
    pub fn of(position: &CellPosition, landblock: u16) -> Self {
        let cell = position.cell;
        let place = position.frame.origin + corner(landblock).block_offset(cell);
        let heading = position.frame.heading();
        Self { x: place.x, y: place.y, z: Some(place.z), heading, room: cell.is_room().then_some(cell) }
    }

    /// The same, looking elsewhere.
    #[must_use]
    pub const fn facing(mut self, heading: f32) -> Self {
        self.heading = heading;
        self
    }

    /// As a position of the world, at a height; `None` off the map.
    pub(crate) fn place(&self, landblock: u16, z: f32) -> Option<CellPosition> {
        let (corner, point) = (corner(landblock), Vec3::new(self.x, self.y, z));
        let mut place = match self.room {
            Some(room) => CellPosition::at(room, point - corner.block_offset(room)),
            None => CellPosition::at(corner, point).adjusted_to_outside()?,
        };
        place.frame.set_heading(self.heading);
        Some(place)
    }
}

/// The cell in the south-west corner of a landblock.
fn corner(landblock: u16) -> CellId {
    CellId(u32::from(landblock) << 16 | 1)
}

/// Somebody with a client of his own.
#[derive(Clone, PartialEq, Debug)]
pub struct ClientSpec {
    /// The name.
    pub name: String,
    /// Where he stands.
    pub spot: LocalPosition,
    /// Does he only watch? Observers are seen by nobody and have no keys.
    pub is_observer: bool,
    /// When he comes into the world, in seconds of the scene.
    pub enters: f64,
    /// Run skill, everything included (rule K10).
    pub run_skill: u32,
    /// Jump skill, everything included.
    pub jump_skill: u32,
    /// What he carries against what he can (rule K10).
    pub load: f32,
    /// Does he run without the run key?
    pub run_by_default: bool,
    /// How many frames a second his client draws.
    pub frame_rate: f64,
    /// His connection.
    pub network: NetworkSettings,
    /// What he does.
    pub inputs: Vec<Timed<Input>>,
}

impl Default for ClientSpec {
    fn default() -> Self {
        Self {
            name: String::from("Player"),
            spot: LocalPosition::new(96.0, 96.0),
            is_observer: false,
            enters: 0.0,
            run_skill: 200,
            jump_skill: 200,
            load: 0.0,
            run_by_default: true,
            frame_rate: 60.0,
            network: NetworkSettings::default(),
            inputs: Vec::new(),
        }
    }
}

/// What somebody does at his client.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// A key goes down.
    Press(MotionCommand),
    /// A key goes up.
    Release(MotionCommand),
    /// A key goes down and up.
    Tap(MotionCommand),
    /// The run key is held, or let go.
    HoldRun(bool),
    /// A jump, without holding the key for it.
    Jump(f32),
    /// Goes somewhere by himself.
    WalkTo(LocalPosition),
    /// Turns to a heading by himself.
    TurnTo(f32),
    /// An emote or another action.
    Emote(MotionCommand),
    /// Asks for a stance.
    Stance(CombatMode),
    /// The mouse turns him, or does not any more.
    MouseLook(bool),
    /// A movement of the mouse to the right, or below zero to the left (rule K5).
    MouseTurn(f32),
    /// Lets go of everything.
    StopCompletely,
}

/// What a creature is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum CreatureKind {
    /// The mannequin's human.
    #[default]
    Human,
    /// The mannequin's beast on four legs.
    Beast,
    /// A door.
    Door,
}

/// Something that the server moves.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureSpec {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: CreatureKind,
    /// Where it stands.
    pub spot: LocalPosition,
    /// How fast it runs (rule F3).
    pub run_rate: f32,
    /// What it is told.
    pub orders: Vec<Timed<CreatureOrder>>,
}

impl Default for CreatureSpec {
    fn default() -> Self {
        Self {
            name: String::from("Creature"),
            kind: CreatureKind::Human,
            spot: LocalPosition::new(96.0, 96.0),
            run_rate: 1.5,
            orders: Vec::new(),
        }
    }
}

/// What a creature is told; people are meant by their names.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum CreatureOrder {
    /// Stops, and stands.
    Stand,
    /// Goes to a place.
    GoTo(LocalPosition),
    /// Goes from place to place, round and round.
    Patrol(Vec<LocalPosition>),
    /// Turns to a heading.
    TurnTo(f32),
    /// Turns to somebody.
    Face(String),
    /// Goes to somebody, again whenever he has gone away.
    Chase(String),
    /// Goes to somebody, sticks to him and strikes.
    Attack(String),
    /// An action.
    Emote(MotionCommand),
    /// Takes another stance.
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
    /// Teleports him.
    Teleport {
        /// Whom, by name.
        who: String,
        /// Where to.
        to: LocalPosition,
    },
    /// Kills him.
    Kill {
        /// Whom, by name.
        who: String,
    },
    /// Sends him to somebody or something, as when it is used (rule P5).
    MoveTo {
        /// Whom, by name.
        who: String,
        /// To whom, by name.
        to: String,
    },
}

impl Scenario {
    /// Reads a scene.
    ///
    /// ```
    /// use acmotion_sim::scenario::Scenario;
    ///
    /// let scene = Scene::parse(r#"
    ///     seconds = 3
    ///     [[player]]
    ///     name = "Asha"
    ///     at = [96, 96]
    ///     input = [{ at = 1, press = "forward" }, { at = 2, release = "forward" }]
    /// "#)?;
    /// assert_eq!(scene.clients[0].inputs.len(), 2);
    ///
    /// let error = Scene::parse("seconds = 3\nsecond = 4").unwrap_err();
    /// assert_eq!(error.line, Some(2));
    /// # Ok::<(), acmotion_sim::scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with it, and in which line.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        parse::scene(text)
    }

    /// Players and observers by name.
    pub fn client(&self, name: &str) -> Option<usize> {
        self.clients.iter().position(|role| role.name == name)
    }

    /// Creatures by name.
    pub fn creature(&self, name: &str) -> Option<usize> {
        self.creatures.iter().position(|role| role.name == name)
    }
}
