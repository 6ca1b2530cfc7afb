//! Polygons and BSP trees (`docs/collision.md` 5.5 and 5.6).

mod build;
mod cell_tree;
mod polygon;
mod ray;
mod solid;
mod walks;

pub use build::GeometryError;
pub(in crate::collide) use build::{UNREACHABLE_PLANE, plane_of_polygon};
pub use cell_tree::{CellTree, Containment};
pub use polygon::{Polygon, plane_through};
pub(in crate::collide) use ray::{Line, Span};
pub use solid::{PolygonId, Solid};
pub use walks::SolidSearch;
