//! Who is in the town, and where.

use std::sync::Arc;

use acmotion::collide::{self, scene::SceneLoader};
use acmotion::dat::mannequin::{self, town};
use acmotion::dat::{Assets, DataId};
use acmotion::types::{BLOCK_LENGTH, CellId, CellPosition, Vec3};
use acmotion_sim::scenario::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, LocalPosition, Scenario, SharedSurroundings, Timed,
};
use acmotion_sim::{ClientId, Simulation};

use super::Walk;

/// The player's client.
pub(super) const PLAYER: ClientId = ClientId(0);
/// The observer's.
pub(super) const OBSERVER: ClientId = ClientId(1);

const PLAYER_NAME: &str = "You";
const CROWD_NAME: &str = "Walker ";
const BEAST_NAME: &str = "Beast";
const DOOR_NAME: &str = "Door";
/// A place on a floor is in the room that is so far above it, in metres.
const KNEE: f32 = 0.5;

/// The player begins so far beside the way to the door, in metres, and looks so many degrees aslant. Head on he would stay
/// before the door when it opens: who is pushed straight into what he slides along cannot leave it (`docs/collision.md`
/// 2.10), and who holds a key from the start is exactly that.
const ASIDE: f32 = 0.23;
const ASLANT: f32 = 1.0;

/// Where the walk is: what is around, and where everybody begins.
pub(crate) struct Town {
    /// What bodies are made of.
    assets: Assets,
    land: Land,
    scene: collide::Scene,
    start: LocalPosition,
    door: LocalPosition,
}

/// What does not move, to be drawn.
#[derive(Clone)]
pub(crate) struct Land {
    /// Meshes, setups, shapes of rooms, the region.
    pub(crate) portal: Assets,
    /// Landblocks and rooms.
    pub(crate) cells: Assets,
    /// The landblock in the middle.
    pub(crate) home: u16,
    /// How many landblocks around it there are.
    pub(crate) reach: u8,
}

impl Town {
    /// The mannequin's town.
    ///
    /// # Errors
    /// When the project's own files are not sound.
    pub(crate) fn built_in(assets: &Assets) -> Result<Self, String> {
        let (portal, cells) = (Assets::mannequin(), Assets::town());
        let scene = collide::Scene::load(&portal, &cells).map_err(|error| error.to_string())?;
        let places = town::places();
        let spot = |position: CellPosition| LocalPosition::of(&position, town::HOME);
        Ok(Self {
            assets: walkers(assets),
            land: Land { portal, cells, home: town::HOME, reach: 2 },
            scene,
            start: LocalPosition { x: places.spawn.frame.origin.x - ASIDE, ..spot(places.spawn) }
                .facing(ASLANT),
            door: spot(places.door),
        })
    }

    /// The land of a cell file, around its middle or the game's own first town.
    ///
    /// # Errors
    /// When there is no land in the file.
    pub(crate) fn of_cells(assets: &Assets, cells: &Assets) -> Result<Self, String> {
        let mut loader = SceneLoader::new(assets, cells).map_err(|error| error.to_string())?;
        let home = home_of(cells).ok_or("there is no land in the cell file")?;
        loader.load_block(home).map_err(|error| error.to_string())?;
        loader.load_around(home, 1);
        let middle = BLOCK_LENGTH / 2.0;
        Ok(Self {
            assets: walkers(assets),
            land: Land { portal: assets.clone(), cells: cells.clone(), home, reach: 1 },
            scene: loader.scene(),
            start: LocalPosition::new(middle, middle),
            door: LocalPosition::new(middle - 8.0, middle + 8.0),
        })
    }

    /// What does not move.
    pub(crate) fn land(&self) -> &Land {
        &self.land
    }

    pub(crate) fn start(&self) -> LocalPosition {
        self.start
    }

    /// The spot at a place of the scene: in the room that it is in, if it is in one.
    pub(super) fn spot_at(&self, place: Vec3) -> LocalPosition {
        let corner = CellId(u32::from(self.land.home) << 16 | 1);
        let outside = CellPosition::at(corner, place).adjusted_to_outside();
        let room = outside.and_then(|outside| {
            let point = outside.frame.origin + Vec3::new(0.0, 0.0, KNEE);
            let rooms = self.scene.rooms(outside.cell.block());
            rooms.iter().find(|room| room.contains(point)).map(|room| room.id())
        });
        LocalPosition { z: Some(place.z), room, ..LocalPosition::new(place.x, place.y) }
    }

    pub(super) fn player_name() -> &'static str {
        PLAYER_NAME
    }

    pub(super) fn is_crowd(name: &str) -> bool {
        name.starts_with(CROWD_NAME)
    }

    /// Everybody, with so many more who walk about; the player at a place of his own, or at the start.
    pub(super) fn scene(&self, crowd: u32, player: Option<LocalPosition>) -> Scenario {
        let spot = player.unwrap_or(self.start);
        let player = ClientSpec { name: PLAYER_NAME.into(), spot, ..ClientSpec::default() };
        let aside = LocalPosition { x: self.start.x + 12.0, ..self.start };
        let observer =
            ClientSpec { name: "Observer".into(), is_observer: true, spot: aside, ..ClientSpec::default() };
        let beast = CreatureSpec {
            name: BEAST_NAME.into(),
            kind: CreatureKind::Beast,
            spot: self.beat(BEAST_NAME)[0],
            ..CreatureSpec::default()
        };
        let door = CreatureSpec {
            name: DOOR_NAME.into(),
            kind: CreatureKind::Door,
            spot: self.door,
            ..CreatureSpec::default()
        };
        let mut creatures = vec![beast, door];
        creatures.extend((0..crowd).map(|at| self.walker(at)));
        Scenario {
            title: "Walk".into(),
            seed: 1,
            landblock: self.land.home,
            clients: vec![player, observer],
            creatures,
            ..Scenario::default()
        }
    }

    /// One of the crowd, on a round of his own.
    fn walker(&self, at: u32) -> CreatureSpec {
        let name = format!("{CROWD_NAME}{}", at + 1);
        let round = self.beat(&name);
        CreatureSpec {
            kind: if at % 4 == 3 { CreatureKind::Beast } else { CreatureKind::Human },
            spot: round[0],
            run_rate: 1.0 + (at % 5) as f32 * 0.2,
            orders: vec![Timed { at: 0.5 + f64::from(at % 30) * 0.1, value: CreatureOrder::Patrol(round) }],
            name,
        }
    }

    /// The round that somebody makes: four places around one that his name gives.
    pub(super) fn beat(&self, name: &str) -> Vec<LocalPosition> {
        let number: u32 = name.strip_prefix(CROWD_NAME).and_then(|number| number.parse().ok()).unwrap_or(0);
        // Places spread evenly over a disc, as a sunflower's seeds are.
        let (turn, far) = (number as f32 * 2.399_963_2, 8.0 + 2.6 * (number as f32).sqrt());
        let middle = Vec3::new(self.start.x + far * turn.cos(), self.start.y + far * turn.sin(), 0.0);
        let size = 3.0 + (number % 4) as f32;
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| LocalPosition::new(middle.x + x * size, middle.y + y * size))
            .into()
    }

    /// The scene, about to run.
    pub(super) fn simulation(&self, scene: &Scenario) -> Result<Simulation, String> {
        let surroundings: SharedSurroundings = Arc::new(self.scene.clone());
        let simulation = Simulation::with(scene, || self.assets.clone(), Some(surroundings));
        simulation.map_err(|error| error.to_string())
    }
}

/// The file's own bodies, if it has a human; else the mannequin's.
fn walkers(assets: &Assets) -> Assets {
    let has = |id: DataId| assets.dat().find(id).is_ok_and(|entry| entry.is_some());
    let has_human = has(mannequin::HUMAN_SETUP) && has(mannequin::HUMAN_TABLE);
    if has_human { assets.clone() } else { Assets::mannequin() }
}

/// A landblock to begin in: the game's own first town, or the first that there is.
fn home_of(cells: &Assets) -> Option<u16> {
    let has = |block: u16| cells.land_block(DataId(u32::from(block) << 16 | 0xFFFF)).is_ok();
    let ids = cells.dat().entries().filter_map(Result::ok).map(|entry| entry.id.0);
    let mut blocks = ids.filter(|id| id & 0xFFFF == 0xFFFF).map(|id| (id >> 16) as u16);
    if has(town::HOME) { Some(town::HOME) } else { blocks.find(|block| has(*block)) }
}

impl Walk {
    /// Where the player is, as a place of the scene.
    pub(super) fn player_spot(&self) -> Option<LocalPosition> {
        let position = self.simulation.truth(self.player())?.position();
        Some(LocalPosition::of(&position, self.town.land.home))
    }
}
