// Within the documentation, the links of the README lead to the items themselves.
//! [`MotionCommand`]: MotionCommand
//! [`Era`]: Era
//! [`Vec3`]: Vec3
//! [`Quat`]: Quat
//! [`Mat3`]: Mat3
//! [`Frame`]: Frame
//! [`EPS`]: EPS
//! [`CellId`]: CellId
//! [`CellPosition`]: CellPosition
//! [`Cylinder`]: Cylinder
//! [`Stamp`]: Stamp
//! [`ActionStamp`]: ActionStamp
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::disallowed_methods)]

mod command;
mod frame;
#[cfg(feature = "glam")]
mod glam_convert;
mod guid;
#[cfg(feature = "mint")]
mod mint_convert;
mod position;
mod stamp;
mod vector;

pub use command::{Era, MotionCommand, STANCES};
pub use frame::Frame;
pub use guid::Guid;
pub use position::{BLOCK_LENGTH, CELL_LENGTH, CellId, CellPosition, Cylinder};
pub use stamp::{ActionStamp, Stamp};
pub use vector::{EPS, Mat3, Quat, Vec3};
