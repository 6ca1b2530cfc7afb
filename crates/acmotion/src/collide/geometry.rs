//! Polygons, and the trees that sort them (`docs/collision.md` 5.5, 5.6).

/// Polygons to bump into, with their tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solid;
