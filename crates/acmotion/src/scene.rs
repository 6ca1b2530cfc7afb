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
///
/// A [`Solid`](geometry::Solid) is built from a mesh or from the structure of a room in a dat file. For polygons made in code
/// use [`dat::builder`](crate::dat::builder):
///
/// ```
/// use acmotion::dat::builder::{self, MeshFace, MeshKind};
/// use acmotion::dat::{DataId, Sphere};
/// use acmotion::scene::geometry::{Solid, SolidSearch};
/// use acmotion::types::Vec3;
///
/// # fn main() -> Result<(), acmotion::scene::geometry::GeometryError> {
/// let faces = MeshFace::cuboid(DataId(0x0800_0001), Vec3::ZERO, Vec3::new(4.0, 4.0, 1.0));
/// let block = Solid::from_gfx_obj(&builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Closed))?;
///
/// // A foot that comes down on the block hits its top.
/// let foot = Sphere { origin: Vec3::new(2.0, 2.0, 1.3), radius: 0.48 };
/// let mut struck = None;
/// assert!(block.intersects_poly(&foot, Vec3::new(0.0, 0.0, -0.1), &mut struck));
/// assert_eq!(struck.map(|id| block.polygon(id).plane.normal), Some(Vec3::new(0.0, 0.0, 1.0)));
///
/// // One whose centre is in the block has to be pushed out.
/// let stuck = Sphere { origin: Vec3::new(2.0, 2.0, 0.8), radius: 0.48 };
/// let mut search = SolidSearch::default();
/// assert!(block.intersects_solid_poly(&stuck, stuck.radius, true, &mut search));
/// assert!(search.centre_solid);
/// # Ok(())
/// # }
/// ```
///
/// The inside of a room is the space in front of its planes:
///
/// ```
/// use acmotion::dat::Sphere;
/// use acmotion::dat::builder;
/// use acmotion::scene::Plane;
/// use acmotion::scene::geometry::{CellTree, Containment};
/// use acmotion::types::Vec3;
///
/// let planes = builder::Plane::box_interior(Vec3::ZERO, Vec3::new(6.0, 4.0, 3.0));
/// let inside = CellTree::new(planes.map(|plane| Plane::new(plane.normal, plane.distance)));
/// let ball = |x| Sphere { origin: Vec3::new(x, 2.0, 1.5), radius: 0.5 };
/// assert_eq!(inside.sphere_containment(&ball(3.0)), Containment::Entirely);
/// assert_eq!(inside.sphere_containment(&ball(5.8)), Containment::Partially);
/// assert_eq!(inside.sphere_containment(&ball(7.0)), Containment::Outside);
/// ```
pub mod geometry {
    pub use crate::collide::geometry::{
        CellTree, Containment, GeometryError, Polygon, PolygonId, Solid, SolidSearch,
    };
}
