#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::disallowed_methods)]

pub mod cheat;
mod checking;
mod churn;
mod client;
pub mod compare;
mod due;
mod echo;
mod frames;
pub mod json;
mod measure;
pub mod methods;
pub mod network;
pub mod replay;
pub mod scenario;
pub mod server;
mod simulation;
pub mod soak;
mod solids;
mod traffic;
mod view;

pub use checking::{Alarm, CheatResult, CheckedRun, Checking, ClientChecks, check_scenario};
pub use client::Client;
pub use measure::{Accuracy, Measured, Spread};
pub use replay::Replay;
pub use simulation::{MAX_BODIES, Simulation};
pub use solids::InSolids;
pub use traffic::{CapturedMessage, ClientTraffic};
pub use view::{ClientId, Delivered, EventHandler, RefusedInput, Sent, View};
