#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod body;
pub mod collide;
pub mod correction;
#[cfg(feature = "crowd")]
pub mod crowd;
pub mod entity;
pub mod gate;
pub mod interp;
#[cfg(feature = "json")]
pub mod json;
pub mod library;
mod move_by;
pub mod player;
pub mod pose;
pub mod query;
pub mod sequence;
mod small_list;
pub mod smooth;
pub mod steer;
pub mod table;
pub mod world;

pub use acmotion_dat as dat;
pub use acmotion_types as types;
pub use acmotion_wire as wire;

pub use library::{Animations, Library, ModelId, TableId};
pub use move_by::move_by;
pub use pose::{Matrix, PoseInput, pose_all};
pub use query::Undefined;
pub use sequence::{HookBuffer, HookEvent, Sequence};
pub use table::{Animator, MotionError, MotionHost, MotionState, Table, TableDriver};
pub use world::World;

/// The example of the project's README must compile, too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;
