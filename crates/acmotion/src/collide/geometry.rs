//! Polygons and BSP trees (`docs/collision.md` 5.5 and 5.6).
//!
//! A [`Solid`] is built from a mesh or from the structure of a room in a dat file. For polygons made in code use
//! [`dat::builder`](crate::dat::builder):
//!
//! ```
//! use acmotion::dat::builder::{MeshFace, MeshKind, self};
//! use acmotion::dat::{DataId, Sphere};
//! use acmotion::scene::geometry::Solid;
//! use acmotion::types::Vec3;
//!
//! # fn main() -> Result<(), acmotion::scene::geometry::GeometryError> {
//! let faces = MeshFace::cuboid(DataId(0x0800_0001), Vec3::ZERO, Vec3::new(4.0, 4.0, 1.0));
//! let block = Solid::from_gfx_obj(&builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Closed))?;
//! let foot = Sphere { origin: Vec3::new(2.0, 2.0, 1.3), radius: 0.48 };
//! let mut struck = None;
//! assert!(block.intersects_poly(&foot, Vec3::new(0.0, 0.0, -0.1), &mut struck));
//! assert_eq!(struck.map(|id| block.polygon(id).plane.normal), Some(Vec3::new(0.0, 0.0, 1.0)));
//! # Ok(())
//! # }
//! ```

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
