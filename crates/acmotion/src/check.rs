//! Checks what clients report, for servers.

mod checker;
mod client_motion;
mod flags;
mod own_player;
mod predict;
mod sequences;
mod settings;
mod verdict;

pub use checker::Checker;
pub use client_motion::{ClientMotion, ClientMotionKind, interpreted, launch_velocity};
pub use own_player::{OwnPlayer, learn_run_rate};
pub use settings::CheckSettings;
pub use verdict::{Barrier, Finding, ImpossibleFlag, LateReason, Method, ReplayedStamp, Verdict};
