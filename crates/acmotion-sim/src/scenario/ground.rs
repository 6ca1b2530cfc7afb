//! The ground of a scenario.

use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::scene::{InfinitePlane, Scene, Surroundings};
use acmotion::types::{CellId, CellPosition, Vec3};

/// The surroundings of bodies, shared by all worlds of a simulation.
pub type SharedSurroundings = Arc<dyn Surroundings + Send + Sync>;

/// The ground of a scenario. Other surroundings can be given to
/// [`Simulation::with_assets`](crate::Simulation::with_assets).
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Ground {
    /// A level plane.
    Level {
        /// The height, in metres.
        height: f32,
    },
    /// An infinite slope.
    Slope {
        /// The height at the south-west corner of the scenario's landblock, in metres.
        height: f32,
        /// The gradient: metres up for each metre ahead.
        rise: f32,
        /// The direction in which it rises, in degrees clockwise from north.
        towards: f32,
    },
    /// The mannequin's world: a small island with a town, around the landblock A9B4.
    Town,
}

impl Default for Ground {
    /// Level ground at 94 m, as in Holtburg.
    fn default() -> Self {
        Self::Level { height: 94.0 }
    }
}

impl Ground {
    /// Returns the land with everything on it; `None` for a plane.
    pub fn land(&self) -> Option<Scene> {
        match self {
            Self::Town => Scene::load(&Assets::mannequin(), &Assets::town()).ok(),
            Self::Level { .. } | Self::Slope { .. } => None,
        }
    }

    /// Returns the surroundings that bodies collide with; `None` if a value is not finite or a slope is too steep.
    pub fn surroundings(&self, landblock: u16) -> Option<SharedSurroundings> {
        let plane = match *self {
            Self::Town => return self.land().map(|town| Arc::new(town) as SharedSurroundings),
            Self::Level { height } => height.is_finite().then(|| InfinitePlane::level(height)),
            Self::Slope { height, rise, towards } => {
                let angle = towards.to_radians();
                let normal = Vec3::new(-rise * libm::sinf(angle), -rise * libm::cosf(angle), 1.0);
                let corner = CellId(u32::from(landblock) << 16 | 1);
                InfinitePlane::through(&CellPosition::at(corner, Vec3::new(0.0, 0.0, height)), normal)
            }
        };
        Some(Arc::new(plane?))
    }

    /// Returns why there are no [`surroundings`](Self::surroundings).
    pub(crate) fn problem(&self) -> String {
        let not_finite =
            |name: &str, value: f32| format!("ground: {name} is {value}; expected a finite number");
        match *self {
            Self::Level { height } | Self::Slope { height, .. } if !height.is_finite() => {
                not_finite("height", height)
            }
            Self::Slope { rise, .. } if !rise.is_finite() => not_finite("the rise of the slope", rise),
            Self::Slope { towards, .. } if !towards.is_finite() => {
                not_finite("the direction of the slope", towards)
            }
            Self::Level { height } => format!("ground: a height of {height:e} m is out of range"),
            Self::Slope { rise, .. } => {
                format!("ground: a slope that rises {rise:e} m for each metre is too steep")
            }
            Self::Town => String::from("ground: the built-in town could not be loaded"),
        }
    }
}

/// Returns the height of the ground at or below a position, in metres; `None` if there is none.
pub(crate) fn height_at(surroundings: &dyn Surroundings, position: &CellPosition) -> Option<f32> {
    let plane = surroundings.ground(position)?.plane;
    let point = Vec3 { z: 0.0, ..position.frame.origin };
    (plane.normal.z > 0.0).then(|| -plane.distance(point) / plane.normal.z)
}
