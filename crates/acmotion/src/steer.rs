//! Orders to move and turn to objects, positions and headings, and watching objects that move (rules I11, J1–J21).
//!
//! [`Actor::order`](crate::entity::Actor::order) gives an [`Order`]; [`MoveTo`] is the current one of a body. It
//! consists of a short list of [nodes](MoveToNode), turns and moves, that are done one after the other.
//!
//! The original's orders continue until they are done or cancelled. Those of this crate's own constructors, and the requests
//! of the local player, have [limits](OrderLimits) and end if they make no progress; a [`WalkGoal`] says where they lead.
//! Orders of the server have no limits.
//!
//! [`TargetManager`] holds the target that a body watches and the voyeurs that watch the body. Bodies inform each other by
//! [`Notice`]s, which the owner of all bodies delivers. [`Neighbours`] gives the positions and sizes of other bodies.

mod begin;
mod course;
mod explain;
mod follow;
mod goal;
mod limits;
mod move_to;
mod neighbours;
mod order;
mod target;
mod voyeurs;

pub use course::{Choice, Gait, desired_heading};
pub(crate) use explain::at_height_of;
pub use explain::{DistanceMeasure, MoveToExplanation, WaitReason};
pub use goal::{FollowGoal, GoalHeight, Pace, WalkGoal};
pub use limits::{MAX_WAIT_SECONDS, OrderLimits, PATIENCE_SECONDS, Unreachable};
pub use move_to::{MoveKind, MoveTo, MoveToEvent, MoveToNode};
pub use neighbours::{Neighbour, Neighbours, NoNeighbours};
pub use order::Order;
pub use target::{
    CHECK_SECONDS, MAX_VOYEURS, Notice, NoticeKind, TARGET_SECONDS, TargetHost, TargetInfo, TargetManager,
    TargetStatus, TargetUpdate, Voyeur, clear_target, handle_targeting, notify_voyeurs, receive, set_target,
    set_target_quantum,
};
