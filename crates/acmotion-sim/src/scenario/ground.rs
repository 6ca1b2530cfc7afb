//! What everybody stands on.

use std::sync::Arc;

use acmotion::body::{InfinitePlane, Surroundings};
use acmotion::collide;
use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Vec3};

/// What is around bodies.
pub type SharedSurroundings = Arc<dyn Surroundings + Send + Sync>;

/// What everybody stands on. A world of its own is given to
/// [`Simulation::with`](crate::Simulation::with).
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Ground {
    /// Level, at a height in metres.
    Level {
        /// The height.
        height: f32,
    },
    /// A slope without end.
    Slope {
        /// The height at the south-west corner of the scene's landblock.
        height: f32,
        /// Metres up for each metre ahead.
        rise: f32,
        /// Where it goes up, in degrees clockwise from north.
        towards: f32,
    },
    /// The mannequin's world: a small island with a town, around the landblock A9B4.
    Town,
}

impl Default for Ground {
    /// Level at 94 m, as in Holtburg.
    fn default() -> Self {
        Self::Level { height: 94.0 }
    }
}

impl Ground {
    /// The land with everything that stands on it, if it is more than a plane.
    pub fn land(&self) -> Option<collide::Scene> {
        match self {
            Self::Town => collide::Scene::load(&Assets::mannequin(), &Assets::town()).ok(),
            Self::Level { .. } | Self::Slope { .. } => None,
        }
    }

    /// As bodies meet it; `None` if it is too steep or no number.
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
}

/// How high the ground is at or below a place.
pub(crate) fn height_at(surroundings: &dyn Surroundings, place: &CellPosition) -> Option<f32> {
    let plane = surroundings.ground(place)?.plane;
    let point = Vec3 { z: 0.0, ..place.frame.origin };
    (plane.normal.z > 0.0).then(|| -plane.distance(point) / plane.normal.z)
}
