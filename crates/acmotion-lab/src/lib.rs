//! The motion lab: a page on the own machine where motion is watched and steered, and the server that runs the engine
//! for it. What the two say to each other is written down in `docs/lab.md`.
//!
//! ```no_run
//! use acmotion::dat::Assets;
//! use acmotion_lab::{Options, run};
//!
//! let options = Options::new(Assets::mannequin(), "mannequin");
//! run(options, |address| println!("{address}"))?;
//! # Ok::<(), acmotion_lab::LabError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod api;
mod guard;
mod live;
mod page;
mod record;
mod replay;
mod server;
mod session;
mod values;
mod walk;

pub use page::{is_there, missing_words};
pub use server::{Capture, Lab, LabError, Options, run};
