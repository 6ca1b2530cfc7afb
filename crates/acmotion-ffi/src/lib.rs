#![doc = include_str!("../README.md")]
#![allow(
    unsafe_code,
    reason = "the callers are not Rust: their pointers are read and written here, and nowhere else"
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "the rules are the same for all functions, and stand in the README"
)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::undocumented_unsafe_blocks)]

mod abi;
mod bodies;
mod check;
mod dat;
mod events;
mod explain;
mod handle;
mod memory;
mod player;
mod scene;
mod server;
mod status;
mod types;
mod wire;
mod world;

pub use abi::*;
pub use bodies::*;
pub use check::*;
pub use dat::*;
pub use events::*;
pub use explain::*;
pub use handle::AcmHandle;
pub use player::*;
pub use scene::*;
pub use server::*;
pub use status::AcmStatus;
pub use types::*;
pub use wire::*;
pub use world::*;
