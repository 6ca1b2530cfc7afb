// Within the documentation, the links of the README lead to the items themselves.
//! [`World`]: World
//! [`World::queue_message`]: World::queue_message
//! [`World::advance`]: World::advance
//! [`World::spawn`]: World::spawn
//! [`World::order`]: World::order
//! [`World::describe`]: World::describe
//! [`World::player_mut`]: World::player_mut
//! [`World::drain_outbound`]: World::drain_outbound
//! [`Controls`]: Controls
//! [`Controls::walk_to`]: Controls::walk_to
//! [`Resident::pose`]: Resident::pose
//! [`Settings::surroundings`]: Settings::surroundings
//! [`Event`]: Event
//! [`RequestEvent`]: RequestEvent
//! [`Animator`]: Animator
//! [`PoseInput`]: PoseInput
//! [`check`]: check
//! [`guide`]: guide
//! [`dat`]: dat
//! [`wire`]: wire
//! [`effects`]: effects
//! [`explain`]: explain
//! [`json`]: json
//! [`query`]: query
//! [`scene`]: scene
//! [`smooth`]: smooth
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::disallowed_methods)]
#![cfg_attr(
    not(feature = "internals"),
    allow(
        unreachable_pub,
        dead_code,
        unused_imports,
        reason = "modules also offer items to the vectors and tests"
    )
)]
#![cfg_attr(not(feature = "internals"), warn(unnameable_types))]

mod body;
pub mod check;
mod collide;
mod comfort;
mod correction;
#[cfg(feature = "crowd")]
#[doc(hidden)]
pub mod crowd;
pub mod effects;
mod entity;
mod gate;
#[cfg(feature = "glam")]
mod glam_convert;
mod interior;
mod interp;
#[cfg(feature = "json")]
pub mod json;
mod library;
pub mod limits;
mod message_batch;
#[cfg(feature = "mint")]
mod mint_convert;
mod move_by;
mod player;
mod pose;
pub mod query;
mod random;
#[cfg(feature = "serde")]
mod restore;
mod sequence;
#[cfg(feature = "serde")]
mod serde_with;
mod small_list;
pub mod smooth;
mod steer;
mod table;
mod world;

pub mod components;
pub mod explain;
pub mod formulas;
pub mod guide;
pub mod scene;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;

pub use acmotion_dat as dat;
pub use acmotion_types as types;
pub use acmotion_wire as wire;

// The world: what exists, what is received, and what happens.
pub use collide::Barrier;
pub use comfort::{ComfortSettings, Presentation};
pub use entity::{EntityEvent, MotionEvent};
pub use gate::PendingLimits;
pub use message_batch::{MessageBatch, Messages};
pub use steer::{MAX_WAIT_SECONDS, MoveToEvent, OrderLimits, PATIENCE_SECONDS, Unreachable};
pub use world::{
    AttachmentError, Capacity, ClockFault, ComfortState, DeleteReason, EntityFilter, EntityId, Event,
    EventKind, HeldBy, House, HouseAccess, HouseGuard, Identity, MAX_ATTACHMENT_DEPTH, MAX_CARRIED,
    MAX_CHILDREN, PartPoses, PlayerState, Presented, PresentedBatch, PresentedBody, QueueError, Rejection,
    Resident, Settings, StandIn, View, World,
};

// The life of an entity without messages, and the messages that describe it to others, for servers.
pub use world::{Description, EntitySpec, PlacementFailure, SpawnError, StampKind};

#[cfg(feature = "serde")]
pub use world::RestoreError;

// The local player: keys and requests in, messages to the server out.
pub use interp::{HoldKey, PlayerWeenie, RemoteWeenie, UndescribedPlayer, Weenie};
pub use player::{
    CancelReason, Controls, KeyResponse, RequestError, RequestEvent, RequestId, RequestKind, RequestProgress,
};
pub use steer::{FollowGoal, GoalHeight, Pace, WalkGoal};

// What bodies share: motion tables, animations and models from dat files.
pub use library::{Animations, ClipId, Library, ModelId, TableId};

// Animation by itself, without a world: tables, sequences and poses.
pub use move_by::move_by;
pub use pose::{Matrix, PoseInput, pose_all};
pub use sequence::{HookBuffer, HookEvent, Sequence};
pub use table::{
    Animator, MotionError, MotionHost, MotionState, Table, TableDriver, animation_done,
    check_for_completed_motions, enter_world, exit_world,
};

/// The example of the project's README must compile, too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;
