//! Polygons, and the trees that sort them (`docs/collision.md` 5.5 and 5.6).

mod build;
mod cell_tree;
mod polygon;
mod solid;
mod walks;

pub use build::GeometryError;
pub(in crate::collide) use build::{OUT_OF_REACH, plane_of_polygon};
pub use cell_tree::{CellTree, Inside};
pub use polygon::{Polygon, plane_through};
pub use solid::{PolygonId, Solid};
pub use walks::SolidSearch;
