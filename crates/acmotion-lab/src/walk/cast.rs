//! Who is in the town, and where.

use acmotion::dat::Assets;
use acmotion::types::Vec3;
use acmotion_sim::scene::{
    ClientRole, CreatureOrder, CreatureRole, Kind, Scene, SharedSurroundings, Spot, Timed,
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

/// Where the walk is: what is around, and where everybody begins.
pub(crate) struct Town {
    assets: Assets,
    surroundings: Option<SharedSurroundings>,
    landblock: u16,
    start: Spot,
}

impl Town {
    /// Level ground, with the built-in mannequin.
    pub(crate) fn level() -> Self {
        Self {
            assets: Assets::mannequin(),
            surroundings: None,
            landblock: Scene::default().landblock,
            start: Spot::new(96.0, 90.0),
        }
    }

    pub(crate) fn start(&self) -> Spot {
        self.start
    }

    pub(crate) fn landblock(&self) -> u16 {
        self.landblock
    }

    pub(super) fn player_name() -> &'static str {
        PLAYER_NAME
    }

    pub(super) fn is_crowd(name: &str) -> bool {
        name.starts_with(CROWD_NAME)
    }

    /// Everybody, with so many more who walk about; the player at a place of his own, or at the start.
    pub(super) fn scene(&self, crowd: u32, player: Option<Spot>) -> Scene {
        let spot = player.unwrap_or(self.start);
        let player = ClientRole { name: PLAYER_NAME.into(), spot, ..ClientRole::default() };
        let aside = Spot { x: self.start.x + 12.0, ..self.start };
        let observer =
            ClientRole { name: "Observer".into(), is_observer: true, spot: aside, ..ClientRole::default() };
        let beast = CreatureRole {
            name: BEAST_NAME.into(),
            kind: Kind::Beast,
            spot: self.beat(BEAST_NAME)[0],
            ..CreatureRole::default()
        };
        let door = CreatureRole {
            name: DOOR_NAME.into(),
            kind: Kind::Door,
            spot: Spot::new(self.start.x - 6.0, self.start.y + 8.0),
            ..CreatureRole::default()
        };
        let mut creatures = vec![beast, door];
        creatures.extend((0..crowd).map(|at| self.walker(at)));
        Scene {
            title: "Walk".into(),
            seed: 1,
            landblock: self.landblock,
            clients: vec![player, observer],
            creatures,
            ..Scene::default()
        }
    }

    /// One of the crowd, on a round of his own.
    fn walker(&self, at: u32) -> CreatureRole {
        let name = format!("{CROWD_NAME}{}", at + 1);
        let round = self.beat(&name);
        CreatureRole {
            kind: if at % 4 == 3 { Kind::Beast } else { Kind::Human },
            spot: round[0],
            run_rate: 1.0 + (at % 5) as f32 * 0.2,
            orders: vec![Timed { at: 0.5 + f64::from(at % 30) * 0.1, what: CreatureOrder::Patrol(round) }],
            name,
        }
    }

    /// The round that somebody makes: four places around one that his name gives.
    pub(super) fn beat(&self, name: &str) -> Vec<Spot> {
        let number: u32 = name.strip_prefix(CROWD_NAME).and_then(|number| number.parse().ok()).unwrap_or(0);
        // Places spread evenly over a disc, as a sunflower's seeds are.
        let (turn, far) = (number as f32 * 2.399_963_2, 8.0 + 2.6 * (number as f32).sqrt());
        let middle = Vec3::new(self.start.x + far * turn.cos(), self.start.y + far * turn.sin(), 0.0);
        let size = 3.0 + (number % 4) as f32;
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| Spot::new(middle.x + x * size, middle.y + y * size))
            .into()
    }

    /// The scene, about to run.
    pub(super) fn simulation(&self, scene: &Scene) -> Result<Simulation, String> {
        let simulation = Simulation::with(scene, || self.assets.clone(), self.surroundings.clone());
        simulation.map_err(|error| error.to_string())
    }
}

impl Walk {
    /// Where the player is, as a place of the scene.
    pub(super) fn player_spot(&self) -> Option<Spot> {
        let position = self.simulation.truth(self.player())?.position();
        let place = self.origin.place(&position);
        Some(Spot { x: place.x, y: place.y, z: Some(place.z), heading: position.frame.heading() })
    }
}
