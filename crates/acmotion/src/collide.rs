//! Collision: where a moving body ends up, what it stands on and what it slides along (`docs/collision.md`).
//!
//! [`Surroundings`] is the interface to the rest of the engine, and what a client with its own collision implements.
//! Here it is implemented by [`Scene`] (land, rooms and buildings from dat files), [`InfinitePlane`] (one plane of
//! ground) and [`OpenAir`] (nothing). [`geometry`] holds polygons and BSP trees, [`scene`] the static world,
//! [`obstacle`] the objects in it that come and go.
//!
//! A [`Transition`] is one sweep or placement of one [`Mover`]. All rules of the sweep are methods of it, one file for each
//! group of rules; whatever changes during a sweep is in it, on the stack. The same input gives the same bits on any number
//! of threads. This module knows nothing of bodies: [`body`](crate::body) builds on it, not the other way round.

mod barrier;
mod camera;
mod cylinder;
mod edge;
pub mod geometry;
mod ground;
mod infinite_plane;
mod info;
mod insert;
mod landscape;
mod mover;
mod objects;
pub mod obstacle;
mod path;
mod placement;
mod plane;
mod polygons;
mod question;
pub mod scene;
mod shape;
mod slide;
mod sphere;
mod steps;
mod surroundings;
mod sweep;
mod tests;
mod trace;
mod transition;
mod validate;

pub use barrier::Barrier;
pub use camera::{CameraView, camera_view_inspected};
pub use cylinder::CylinderNormal;
pub use ground::Land;
pub use infinite_plane::InfinitePlane;
pub(crate) use infinite_plane::{SteadyStride, Stride};
pub use info::CollisionInfo;
pub use mover::{Mover, MoverFlags};
pub use obstacle::{
    NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Obstacles, Part, SearchCylinder, Touch,
};
pub use path::{InsertType, LocalSpace, SpherePath, WalkablePolygon};
pub use placement::{MAX_PROBES, SearchRings};
pub use plane::{FLOOR_Z, LANDING_Z, Plane};
pub use question::{GroundHit, Obstruction, StandError, Surface, SurfaceHit, SweepKind};
pub(crate) use question::{can_stand_at, sweep_shape};
pub use scene::Scene;
pub use shape::Shape;
pub use sphere::time_of_collision;
pub use surroundings::{Arrival, Contact, OpenAir, PlacementError, Surroundings, SweepResult};
pub use sweep::SubStepPlan;
pub use trace::{SweepNote, SweepTrace};
pub use transition::{SubSteps, Transition, TransitionState};
