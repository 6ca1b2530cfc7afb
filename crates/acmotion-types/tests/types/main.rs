//! The tests of the shared types, in one program: it builds in a fraction of the time of one program for each file.

mod catalogue;
mod glam_conversions;
mod golden;
mod mint_conversions;
mod properties;
mod serde_forms;
