#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

#[cfg(feature = "server")]
mod accept;
mod api;
mod files;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod local;
#[cfg(feature = "server")]
mod page;
mod protocol;
mod record;
mod replay;
#[cfg(feature = "server")]
mod server;
mod session;
mod shared;
#[cfg(feature = "server")]
mod socket;
mod values;
mod walk;

pub use local::{Frame, LocalLab, LocalSession, Reply};
#[cfg(feature = "server")]
pub use page::{MISSING_PAGE, MISSING_STATIC_PAGE, export, has_page, has_static_page};
#[cfg(feature = "server")]
pub use server::{Capture, Lab, LabError, Options, run};
