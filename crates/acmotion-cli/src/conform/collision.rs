//! Families of collision: what they share. Definitions (shapes, land, rooms) stand before the cases that use them.

mod bsp;
mod prepared;
mod primitives;
mod scenes;
mod shapes;
mod terrain;
mod walks;

pub(super) use bsp::Trees;
pub(super) use primitives::Primitives;
pub(super) use terrain::Lands;
pub(super) use walks::Walks;
