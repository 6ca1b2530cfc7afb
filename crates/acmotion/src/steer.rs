//! Where a body is told to go: moving and turning to objects, places and headings, and watching objects that move
//! (rules I11, J1–J21).
//!
//! An [`Order`] is given through [`Actor::order`](crate::entity::Actor::order); [`MoveTo`] is the one under way. It is a
//! short list of [nodes](MoveToNode), turns and moves, gone through one after the other.
//!
//! [`TargetManager`] is what a body watches and who watches it. Bodies tell each other by [`Notice`], which the owner of all
//! bodies delivers; where others are, and how big, they learn through [`Neighbours`].

mod begin;
mod course;
mod explain;
mod follow;
mod move_to;
mod neighbours;
mod order;
mod target;

pub use course::{Choice, Gait, desired_heading};
pub use explain::{DistanceMeasure, MoveToExplanation, WaitReason};
pub use move_to::{MoveKind, MoveTo, MoveToEvent, MoveToNode};
pub use neighbours::{Alone, Neighbour, Neighbours};
pub use order::Order;
pub use target::{
    CHECK_SECONDS, Notice, NoticeKind, TARGET_SECONDS, TargetHost, TargetInfo, TargetManager, TargetStatus,
    TargetUpdate, Voyeur, clear_target, handle_targeting, notify_voyeurs, receive, set_target,
    set_target_quantum,
};
