//! The surroundings of a world: land, rooms, buildings and scenery, from dat files or made in code, and sweeps through
//! them.
//!
//! ```
//! use std::sync::Arc;
//!
//! use acmotion::dat::Assets;
//! use acmotion::scene::Scene;
//! use acmotion::{Settings, World};
//!
//! # fn main() -> Result<(), acmotion::scene::LoadError> {
//! // For the game's files: Assets::open("client_portal.dat")? and Assets::open("client_cell_1.dat")?
//! let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
//! let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
//! let world = World::with_settings(Assets::mannequin(), settings);
//! # let _ = world;
//! # Ok(())
//! # }
//! ```

// Scenes, and what they consist of.
pub use crate::collide::Scene;
pub use crate::collide::scene::{
    Building, BuildingPortal, Cell, CellArray, ContainingCell, Ground, HeightTable, LandCell, LoadError,
    Portal, Room, RoomSearch, SceneBuilder, SceneError, SceneLoader, Scenery, Terrain, Water,
    is_cut_from_south_west,
};

// Other surroundings: a plane without end, nothing at all, or your own.
pub use crate::collide::{InfinitePlane, OpenAir, Surroundings};

// Sweeps: a mover with its shape among obstacles, and where it arrives.
pub use crate::collide::{
    Arrival, CameraView, Contact, Mover, MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList,
    Obstacles, Part, PlacementError, Plane, SearchCylinder, Shape, SweepResult, Touch,
};

// Questions: what is below a point, what lies between two, where a shape can stand or go.
pub use crate::collide::{GroundHit, Obstruction, StandError, Surface, SurfaceHit, SweepKind};

/// Polygons and BSP trees of meshes and rooms.
pub mod geometry {
    pub use crate::collide::geometry::{
        CellTree, Containment, GeometryError, Polygon, PolygonId, Solid, SolidSearch,
    };
}
