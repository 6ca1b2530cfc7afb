//! What a body bumps into, stands on and slides along: the original's collision (`docs/collision.md`).
//!
//! [`geometry`] is polygons and the trees that sort them, [`scene`] the land, rooms and buildings that are shared and never
//! change, [`obstacle`] the things that stand in them. A transition is one body on its way
//! through all that.

pub mod geometry;
pub mod info;
pub mod obstacle;
pub mod path;
pub mod scene;

pub use info::CollisionInfo;
pub use obstacle::{NoObstacles, Obstacle, ObstacleFlags, Obstacles, Part, Touch};
pub use path::{InsertType, SpherePath};
