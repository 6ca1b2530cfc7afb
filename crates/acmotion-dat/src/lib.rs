#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![warn(clippy::disallowed_methods)]

mod assets;
pub mod builder;
mod container;
mod cursor;
mod error;
mod id;
#[cfg(feature = "json")]
pub mod json;
pub mod mannequin;
mod objects;
mod source;
mod writer;

pub use assets::Assets;
pub use container::{Dat, Entries, Entry, Header};
pub use error::{ContainerError, DatError, ParseError, Problem};
pub use id::{DataId, DataSet, ITERATION_ID, ObjectKind};
pub use objects::*;
pub use source::{DatSource, MemorySource, SeekSource};
pub use writer::{BlockSize, DatWriteError, DatWriter};
