//! The town of a walk, and the entities in it.

use std::sync::Arc;

use acmotion::dat::mannequin::{self, town};
use acmotion::dat::{Assets, DataId};
use acmotion::scene::{Obstacles, Scene, SceneLoader, Shape};
use acmotion::types::{BLOCK_LENGTH, CellId, CellPosition, Vec3};
use acmotion_sim::scenario::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, ItemKind, ItemSpec, LocalPosition, Scenario,
    SharedSurroundings, Timed,
};
use acmotion_sim::{ClientId, Simulation};

use super::MAX_CROWD;
use crate::protocol::LandKind;

/// The player's client.
pub(super) const PLAYER: ClientId = ClientId(0);
/// The observer's client.
pub(super) const OBSERVER: ClientId = ClientId(1);

/// The number of rounds that are tried for a creature.
const MAX_ROUNDS: u32 = 8;

const PLAYER_NAME: &str = "You";
const OBSERVER_NAME: &str = "Observer";
/// The start of the names of the crowd.
const WALKER_NAME: &str = "Walker ";
/// Where the shield lies: metres to the east and to the north of the start.
const SHIELD_OFFSET: [f32; 2] = [-7.0, 3.0];
const BEAST_NAME: &str = "Beast";
const DOOR_NAME: &str = "Door";
/// The maximum distance of a camera from the point that it looks at, in metres.
const MAX_CAMERA_DISTANCE: f32 = 300.0;
/// The height above a floor at which the room of a position is looked up, in metres.
const ROOM_PROBE_HEIGHT: f32 = 0.5;

/// How far the player starts to the side of the line to the door, in metres, and how far it is turned away from that
/// line, in degrees. A player that runs straight at the closed door would stay there when the door opens: a body that is
/// pushed exactly against the surface it slides along cannot leave it (`docs/collision.md` 2.10), and holding the forward
/// key from the start would do just that.
const START_OFFSET: f32 = 0.23;
const START_HEADING: f32 = 1.0;
/// The angle between two walkers, in radians, that spreads them evenly over a disc (the golden angle).
const GOLDEN_ANGLE: f32 = 2.399_963_2;

/// The surroundings of a walk and the initial positions of its entities.
pub(crate) struct Town {
    /// The bodies' setups and tables.
    assets: Assets,
    land: Land,
    kind: LandKind,
    scene: Scene,
    start: LocalPosition,
    door: LocalPosition,
    /// Whether the bodies' setups include the mannequin's items. In other files their ids are those of other objects.
    has_items: bool,
}

/// Everything that does not move, for drawing.
#[derive(Clone)]
pub(crate) struct Land {
    /// Meshes, setups, environments and the region.
    pub(crate) portal: Assets,
    /// Landblocks and rooms.
    pub(crate) cells: Assets,
    /// The landblock in the centre.
    pub(crate) home: u16,
    /// How many landblocks around it are drawn.
    pub(crate) radius: u8,
}

impl Land {
    /// The land of the mannequin's town.
    pub(crate) fn built_in() -> Self {
        Self { portal: Assets::mannequin(), cells: Assets::town(), home: town::HOME_BLOCK, radius: 2 }
    }
}

impl Town {
    /// Loads the mannequin's town.
    ///
    /// # Errors
    ///
    /// Returns an error if the built-in data cannot be read.
    pub(crate) fn built_in(assets: &Assets) -> Result<Self, String> {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).map_err(|error| error.to_string())?;
        let landmarks = town::landmarks();
        let local = |position: CellPosition| LocalPosition::from_position(&position, town::HOME_BLOCK);
        let start =
            LocalPosition { x: landmarks.spawn.frame.origin.x - START_OFFSET, ..local(landmarks.spawn) };
        Ok(Self {
            has_items: has_items(&body_assets(assets)),
            assets: body_assets(assets),
            land: Land::built_in(),
            kind: LandKind::Town,
            scene,
            start: start.with_heading(START_HEADING),
            door: local(landmarks.door),
        })
    }

    /// Loads the land of a cell file around a suitable landblock.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no land, or it cannot be read.
    pub(crate) fn of_cells(assets: &Assets, cells: &Assets) -> Result<Self, String> {
        let mut loader = SceneLoader::new(assets, cells).map_err(|error| error.to_string())?;
        let home = home_block(cells).ok_or("the cell file has no land")?;
        loader.load_block(home).map_err(|error| error.to_string())?;
        loader.load_around(home, 1);
        let middle = BLOCK_LENGTH / 2.0;
        Ok(Self {
            has_items: has_items(&body_assets(assets)),
            assets: body_assets(assets),
            land: Land { portal: assets.clone(), cells: cells.clone(), home, radius: 1 },
            kind: LandKind::Cells,
            scene: loader.scene(),
            start: LocalPosition::new(middle, middle),
            door: LocalPosition::new(middle - 8.0, middle + 8.0),
        })
    }

    pub(crate) fn land(&self) -> &Land {
        &self.land
    }

    /// Returns the kind of the land.
    pub(super) fn land_kind(&self) -> LandKind {
        self.kind
    }

    /// Returns where the player starts.
    pub(crate) fn start(&self) -> LocalPosition {
        self.start
    }

    /// Converts a position of the scene, which may be in a room.
    pub(super) fn local_position(&self, position: Vec3) -> LocalPosition {
        let corner = CellId(u32::from(self.land.home) << 16 | 1);
        let outside = CellPosition::at(corner, position).adjusted_to_outside();
        let room = outside.and_then(|outside| {
            let point = outside.frame.origin + Vec3::new(0.0, 0.0, ROOM_PROBE_HEIGHT);
            let rooms = self.scene.rooms(outside.cell.block());
            rooms.iter().find(|room| room.contains(point)).map(|room| room.id())
        });
        LocalPosition { z: Some(position.z), room, ..LocalPosition::new(position.x, position.y) }
    }

    /// Sweeps a camera from the point that it looks at to where it wants to be (`docs/collision.md` 2.8). Returns how far
    /// from the point it may be, in metres, and whether the point is in a room.
    pub(super) fn camera(&self, pivot: Vec3, eye: Vec3, obstacles: &dyn Obstacles) -> (f32, bool) {
        let wanted = (eye - pivot).length();
        let corner = CellId(u32::from(self.land.home) << 16 | 1);
        let is_usable = pivot.is_finite() && eye.is_finite() && wanted < MAX_CAMERA_DISTANCE;
        let outside = CellPosition::at(corner, pivot).adjusted_to_outside().filter(|_| is_usable);
        let Some(mut from) = outside else { return (wanted, false) };
        let rooms = self.scene.rooms(from.cell.block());
        if let Some(room) = rooms.iter().find(|room| room.contains(from.frame.origin)) {
            from.cell = room.id();
        }
        let mut to = from;
        to.frame.origin += eye - pivot;
        let view = self.scene.camera_view(&from, &from, &to, obstacles);
        (view.eye.distance_to(&from), from.cell.is_room())
    }

    pub(super) fn player_name() -> &'static str {
        PLAYER_NAME
    }

    /// Returns `true` for the name of a walker of the crowd.
    pub(super) fn is_walker(name: &str) -> bool {
        name.starts_with(WALKER_NAME)
    }

    /// Creates the scenario of a walk with a crowd of this size. The player is at the start if `player` is `None`.
    pub(super) fn scenario(&self, crowd: u32, player: Option<LocalPosition>) -> Scenario {
        let spot = player.unwrap_or(self.start);
        let player = ClientSpec {
            name: PLAYER_NAME.into(),
            position: spot,
            has_sword: self.has_items,
            has_bow: self.has_items,
            ..ClientSpec::default()
        };
        let beside = LocalPosition { x: self.start.x + 12.0, ..self.start };
        let observer = ClientSpec {
            name: OBSERVER_NAME.into(),
            is_observer: true,
            position: beside,
            ..ClientSpec::default()
        };
        let beast = CreatureSpec {
            name: BEAST_NAME.into(),
            kind: CreatureKind::Beast,
            position: self.round(BEAST_NAME)[0],
            ..CreatureSpec::default()
        };
        let door = CreatureSpec {
            name: DOOR_NAME.into(),
            kind: CreatureKind::Door,
            position: self.door,
            ..CreatureSpec::default()
        };
        let shield = ItemSpec {
            name: ItemKind::Shield.name().into(),
            kind: ItemKind::Shield,
            position: LocalPosition::new(self.start.x + SHIELD_OFFSET[0], self.start.y + SHIELD_OFFSET[1]),
        };
        let mut creatures = vec![beast, door];
        creatures.extend((0..crowd).map(|index| self.walker(index)));
        Scenario {
            title: "Walk".into(),
            seed: 1,
            landblock: self.land.home,
            clients: vec![player, observer],
            creatures,
            items: if self.has_items { vec![shield] } else { Vec::new() },
            ..Scenario::default()
        }
    }

    /// Creates a walker of the crowd, which patrols a round of its own.
    fn walker(&self, index: u32) -> CreatureSpec {
        let name = format!("{WALKER_NAME}{}", index + 1);
        let round = self.round(&name);
        CreatureSpec {
            kind: if index % 4 == 3 { CreatureKind::Beast } else { CreatureKind::Human },
            position: round[0],
            run_rate: 1.0 + (index % 5) as f32 * 0.2,
            orders: vec![Timed {
                at: 0.5 + f64::from(index % 30) * 0.1,
                value: CreatureOrder::Patrol(round),
            }],
            name,
        }
    }

    /// Returns the round that a creature patrols: the corners of a square whose position and size depend on its name. There
    /// is room at the first corner, unless that is hard to find.
    pub(super) fn round(&self, name: &str) -> Vec<LocalPosition> {
        let number: u32 = name.strip_prefix(WALKER_NAME).and_then(|number| number.parse().ok()).unwrap_or(0);
        let mut rounds = (0..MAX_ROUNDS).map(|attempt| self.round_of(number + attempt * MAX_CROWD));
        let first = self.round_of(number);
        rounds.find(|round| self.has_room_at(round[0])).unwrap_or(first).into()
    }

    fn round_of(&self, number: u32) -> [LocalPosition; 4] {
        // Spread evenly over a disc, like the seeds of a sunflower.
        let (angle, distance) = (number as f32 * GOLDEN_ANGLE, 8.0 + 2.6 * (number as f32).sqrt());
        let (x, y) = (self.start.x + distance * angle.cos(), self.start.y + distance * angle.sin());
        let size = 3.0 + (number % 4) as f32;
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(east, north)| LocalPosition::new(x + east * size, y + north * size))
    }

    /// Returns `true` if a human can stand on the land at a position.
    fn has_room_at(&self, local: LocalPosition) -> bool {
        let corner = CellId(u32::from(self.land.home) << 16 | 1);
        let outside = CellPosition::at(corner, Vec3::new(local.x, local.y, 0.0)).adjusted_to_outside();
        outside.is_some_and(|mut position| {
            let Some(height) = self.scene.height_at(&position) else { return false };
            position.frame.origin.z = height;
            self.scene.can_stand_at(&Shape::human(), &position).is_ok()
        })
    }

    /// Creates the simulation of a scenario in this town.
    pub(super) fn simulation(&self, scenario: &Scenario) -> Result<Simulation, String> {
        let surroundings: SharedSurroundings = Arc::new(self.scene.clone());
        let simulation = Simulation::with_assets(scenario, || self.assets.clone(), Some(surroundings));
        let mut simulation = simulation.map_err(|error| error.to_string())?;
        // The page shows none of what is measured, and a walk has no end.
        simulation.disable_checks();
        Ok(simulation)
    }
}

/// Returns the file's own assets if it has a human, else the mannequin's.
fn body_assets(assets: &Assets) -> Assets {
    let has = |id: DataId| assets.dat().find(id).is_ok_and(|entry| entry.is_some());
    let has_human = has(mannequin::HUMAN_SETUP) && has(mannequin::HUMAN_TABLE);
    if has_human { assets.clone() } else { Assets::mannequin() }
}

/// Returns `true` if the assets have the mannequin's items, and the human that can hold them.
fn has_items(assets: &Assets) -> bool {
    let own = Assets::mannequin();
    let is_same =
        |id: DataId| assets.setup(id).is_ok_and(|setup| own.setup(id).is_ok_and(|own| own == setup));
    let needed = [
        mannequin::HUMAN_SETUP,
        mannequin::SWORD_SETUP,
        mannequin::BOW_SETUP,
        mannequin::ARROW_SETUP,
        mannequin::SHIELD_SETUP,
        mannequin::BOLT_SETUP,
    ];
    needed.into_iter().all(is_same)
}

/// Returns the landblock of the game's first town if the file has it, else the first landblock there is.
fn home_block(cells: &Assets) -> Option<u16> {
    let has = |block: u16| cells.land_block(DataId(u32::from(block) << 16 | 0xFFFF)).is_ok();
    let ids = cells.dat().entries().filter_map(Result::ok).map(|entry| entry.id.0);
    let mut blocks = ids.filter(|id| id & 0xFFFF == 0xFFFF).map(|id| (id >> 16) as u16);
    if has(town::HOME_BLOCK) { Some(town::HOME_BLOCK) } else { blocks.find(|block| has(*block)) }
}
