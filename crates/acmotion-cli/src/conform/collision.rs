//! The collision families. Lines that define shapes, land and rooms precede the cases that use them.

mod bsp;
mod case_world;
mod prepared;
mod primitives;
mod recording_scene;
mod scenes;
mod shapes;
mod sweeps;
mod terrain;

pub(super) use bsp::BspFamily;
pub(super) use primitives::PrimitivesFamily;
pub(super) use sweeps::SweepFamily;
pub(super) use terrain::TerrainFamily;
