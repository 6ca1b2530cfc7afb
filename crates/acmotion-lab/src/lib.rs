#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod accept;
mod api;
mod files;
mod guard;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod page;
mod protocol;
mod record;
mod replay;
mod server;
mod session;
mod socket;
mod values;
mod walk;

pub use page::{MISSING_PAGE, has_page};
pub use server::{Capture, Lab, LabError, Options, run};
