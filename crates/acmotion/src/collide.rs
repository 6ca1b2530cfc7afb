//! What a body bumps into, stands on and slides along: the original's collision (`docs/collision.md`).
//!
//! [`geometry`] is polygons and the trees that sort them, [`scene`] the land, rooms and buildings that are shared and never
//! change, [`obstacle`] the things that stand in them. A [`Transition`] is one body on its way through all that: the same
//! input gives the same bits, on any number of threads, and what a steady sweep needs it has on the stack.

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
mod place;
mod plane;
mod polygons;
pub mod scene;
mod shape;
mod slide;
mod sphere;
mod steps;
mod surroundings;
mod sweep;
mod transition;
mod validate;

pub use camera::CameraView;
pub use cylinder::CylinderNormal;
pub use ground::Land;
pub use infinite_plane::InfinitePlane;
pub use info::CollisionInfo;
pub use mover::{Mover, MoverFlags};
pub use obstacle::{Everywhere, NoObstacles, Obstacle, ObstacleFlags, Obstacles, Part, Reach, Touch};
pub use path::{InsertType, LocalSpace, SpherePath, Walkable};
pub use place::SearchRings;
pub use plane::{FLOOR_Z, LANDING_Z, Plane};
pub use scene::Scene;
pub use shape::Shape;
pub use sphere::time_of_collision;
pub use surroundings::{Arrival, Contact, OpenAir, PlacementError, Surroundings, SweepResult};
pub use sweep::SubStepPlan;
pub use transition::{SubSteps, Transition, TransitionState};
