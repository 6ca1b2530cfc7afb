#![doc = include_str!("../README.md")]
#![cfg(target_family = "wasm")]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod assets;
pub mod bodies;
pub mod bytes;
pub mod capture;
#[cfg(feature = "full")]
pub mod check;
mod convert;
mod entities;
mod errors;
pub mod motions;
pub mod panics;
pub mod position;
#[cfg(feature = "full")]
pub mod replay;
pub mod scene;
#[cfg(feature = "full")]
pub mod simulate;
#[cfg(feature = "full")]
mod states;
pub mod world;
