// Within the documentation, the links of the README lead to the items themselves.
//! [`capture`]: capture
//! [`packet`]: packet
//! [`decode_c2s`]: decode_c2s
//! [`decode_s2c`]: decode_s2c
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::disallowed_methods)]

pub mod capture;
mod cursor;
mod direction;
mod error;
pub mod fields;
mod flags;
#[cfg(feature = "json")]
pub mod json;
mod message;
pub mod packet;
mod parts;
#[cfg(test)]
mod testing;

pub use acmotion_types::{
    ActionStamp, CellId, CellPosition, Era, Frame, Guid, MotionCommand, Quat, Stamp, Vec3,
};
pub use cursor::{Pad, WireBool};
pub use direction::Direction;
pub use error::{DecodeError, DecodeErrorKind};
pub use flags::{
    AttackHeight, CombatMode, ContactFlags, HoldKey, MotionFlags, MoveFlags, PhysicsDescFlags, PhysicsState,
    PositionFlags, StatModFlags,
};
pub use message::*;
pub use parts::*;
