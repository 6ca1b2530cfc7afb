//! Families of collision: what they share. Definitions (shapes, land, rooms) stand before the cases that use them.

mod bsp;
mod scenes;
mod shapes;
mod terrain;

pub(super) use bsp::Trees;
pub(super) use terrain::Lands;
