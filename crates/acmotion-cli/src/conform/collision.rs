//! Families of collision: what they share. Definitions (shapes, land, rooms) stand before the cases that use them.

mod bsp;
mod shapes;

pub(super) use bsp::Trees;
