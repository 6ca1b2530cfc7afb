//! Building solids from the meshes and room structures of dat files.

use std::collections::HashMap;
use std::num::NonZeroU32;

use acmotion_dat::{BspNode, BspTree, CellStruct, GfxObj, KeyedList, Polygon, Sphere, Vertex};
use acmotion_types::Vec3;
use thiserror::Error;

use super::solid::{Child, Face, SolidNode, SolidNodeKind};
use super::{PolygonId, Solid, plane_through};
use crate::collide::Plane;

/// The maximum number of polygons of a solid: as many as there are keys.
const MAX_POLYGONS: usize = 1 << 16;
/// The maximum number of entries in the lists of all leaves. A polygon is listed in every leaf that it reaches into.
const MAX_LISTED: usize = 1 << 18;
/// The maximum depth of a tree. Walks are recursive.
const MAX_DEPTH: u16 = 1024;
/// The maximum number of corners of a polygon: as many as the file format allows.
const MAX_CORNERS: usize = 255;
/// The plane of a polygon without area: infinitely far from everything, so that it is never touched.
pub(in crate::collide) const UNREACHABLE_PLANE: Plane = Plane::new(Vec3::ZERO, f32::INFINITY);

/// Why a mesh cannot be used for collision.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The mesh has polygons for drawing only.
    #[error("the mesh has no collision polygons")]
    NoPhysics,
    /// A corner of a polygon is not a vertex of the mesh.
    #[error("polygon {polygon} has a corner at vertex {vertex}, which the mesh does not have")]
    NoVertex {
        /// The polygon's key.
        polygon: u32,
        /// The vertex id.
        vertex: u16,
    },
    /// A leaf lists a polygon that the mesh does not have.
    #[error("leaf {leaf} of the tree lists polygon {polygon}, which the mesh does not have")]
    NoPolygon {
        /// The index of the leaf among the nodes.
        leaf: usize,
        /// The polygon's key.
        polygon: u16,
    },
    /// A portal refers to a polygon that the room structure does not have.
    #[error("a portal refers to polygon {polygon}, which the room structure does not have")]
    NoPortal {
        /// The polygon's key.
        polygon: u16,
    },
    /// A node lacks the data of a physics tree.
    #[error("node {node} is not a node of a physics tree")]
    OtherTree {
        /// The index of the node.
        node: usize,
    },
    /// The child of a node does not come after it in the list, or is the child of two nodes.
    #[error(
        "node {node} has child {child} of {count} nodes, which comes before it, is missing or has another parent"
    )]
    BadChild {
        /// The index of the node.
        node: usize,
        /// The index of the child.
        child: u32,
        /// The number of nodes.
        count: usize,
    },
    /// A coordinate is not finite.
    #[error("{what} {index} has a coordinate that is not finite")]
    NotFinite {
        /// What has it: a vertex or a node.
        what: &'static str,
        /// The index of the vertex or node.
        index: usize,
    },
    /// There is more of something than allowed.
    #[error("{found} {what}, but at most {limit} are allowed")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The maximum number.
        limit: usize,
    },
}

impl Solid {
    /// Builds the solid of a mesh.
    ///
    /// # Errors
    /// Returns an error if the mesh has no collision polygons, or if they or their tree are invalid.
    pub fn from_gfx_obj(mesh: &GfxObj) -> Result<Self, GeometryError> {
        let physics = mesh.physics.as_ref().ok_or(GeometryError::NoPhysics)?;
        Self::from_polygons(&mesh.vertices, &physics.polygons, &physics.bsp)
    }

    /// Builds the solid of a room structure.
    ///
    /// # Errors
    /// Returns an error if its collision polygons or their tree are invalid.
    pub fn from_cell_struct(shape: &CellStruct) -> Result<Self, GeometryError> {
        Self::from_polygons(&shape.vertices, &shape.physics_polygons, &shape.physics_bsp)
    }

    /// Builds a solid from polygons over some vertices and their tree. A polygon without area keeps its id, but is never
    /// touched.
    ///
    /// # Errors
    /// Returns an error if the polygons or the tree are invalid.
    pub fn from_polygons(
        vertices: &[Vertex],
        polygons: &KeyedList<Polygon>,
        tree: &BspTree,
    ) -> Result<Self, GeometryError> {
        check_limit("polygons", polygons.len(), MAX_POLYGONS)?;
        let mut positions = HashMap::with_capacity(vertices.len());
        for (index, vertex) in vertices.iter().enumerate() {
            check_finite("vertex", index, vertex.position.is_finite())?;
            positions.entry(vertex.id).or_insert(vertex.position);
        }
        let mut builder = SolidBuilder::default();
        for (key, polygon) in polygons.iter() {
            check_limit("corners of a polygon", polygon.vertices.len(), MAX_CORNERS)?;
            let first = builder.corners.len();
            for id in &polygon.vertices {
                let vertex = *id as u16;
                let corner =
                    positions.get(&vertex).ok_or(GeometryError::NoVertex { polygon: key, vertex })?;
                builder.corners.push(*corner);
            }
            builder.add_face(key, first, polygon.sides == 0);
        }
        builder.add_tree(tree)?;
        Ok(builder.finish())
    }
}

/// Returns the plane of one polygon over some vertices; `None` if it has no area.
///
/// # Errors
/// Returns an error if the polygon or one of its corners does not exist.
pub(in crate::collide) fn plane_of_polygon(
    vertices: &[Vertex],
    polygons: &KeyedList<Polygon>,
    key: u16,
) -> Result<Option<Plane>, GeometryError> {
    let polygon = polygons.get(key.into()).ok_or(GeometryError::NoPortal { polygon: key })?;
    let corner = |id: &i16| {
        let vertex = vertices.iter().find(|vertex| vertex.id == *id as u16);
        let missing = GeometryError::NoVertex { polygon: key.into(), vertex: *id as u16 };
        vertex.map(|vertex| vertex.position).ok_or(missing)
    };
    let corners = polygon.vertices.iter().map(corner).collect::<Result<Vec<_>, _>>()?;
    Ok(plane_through(&corners))
}

/// A solid that is being built.
#[derive(Default)]
struct SolidBuilder {
    faces: Vec<Face>,
    corners: Vec<Vec3>,
    /// The ids of the polygons by their keys.
    keys: HashMap<u32, PolygonId>,
    nodes: Vec<SolidNode>,
    listed: Vec<PolygonId>,
}

impl SolidBuilder {
    /// Adds a polygon made of the corners from `first` on.
    fn add_face(&mut self, key: u32, first: usize, is_one_sided: bool) {
        let id = PolygonId(self.faces.len() as u32);
        self.keys.entry(key).or_insert(id);
        self.faces.push(Face {
            plane: plane_through(&self.corners[first..]).unwrap_or(UNREACHABLE_PLANE),
            first: first as u32,
            count: (self.corners.len() - first) as u16,
            is_one_sided,
        });
    }

    /// Adds the nodes of a tree, which keep their indices.
    fn add_tree(&mut self, tree: &BspTree) -> Result<(), GeometryError> {
        let count = tree.nodes.len();
        // The depth of each node; 0 for the root and for nodes that are not a child of any node yet.
        let mut depths = vec![0u16; count];
        for (index, node) in tree.nodes.iter().enumerate() {
            let node = match node {
                BspNode::Leaf(leaf) => {
                    let (solid, sphere, keys) =
                        leaf.physics.as_ref().ok_or(GeometryError::OtherTree { node: index })?;
                    self.leaf(index, *solid != 0, *sphere, keys)?
                }
                BspNode::Plane(node) => {
                    let front = claim_child(index, node.positive, &mut depths)?;
                    let back = claim_child(index, node.negative, &mut depths)?;
                    let sphere = node.sphere.ok_or(GeometryError::OtherTree { node: index })?;
                    check_finite("node", index, node.normal.is_finite() && node.distance.is_finite())?;
                    let plane = Plane::new(node.normal, node.distance);
                    SolidNode { sphere, kind: SolidNodeKind::Plane { plane, front, back } }
                }
            };
            check_finite("node", index, node.sphere.origin.is_finite() && node.sphere.radius.is_finite())?;
            self.nodes.push(node);
        }
        Ok(())
    }

    /// Adds the list of a leaf and returns its node.
    fn leaf(
        &mut self,
        index: usize,
        is_solid: bool,
        sphere: Sphere,
        keys: &[u16],
    ) -> Result<SolidNode, GeometryError> {
        check_limit("entries in leaves", self.listed.len() + keys.len(), MAX_LISTED)?;
        let first = self.listed.len() as u32;
        for key in keys {
            let missing = GeometryError::NoPolygon { leaf: index, polygon: *key };
            let id = *self.keys.get(&u32::from(*key)).ok_or(missing)?;
            self.listed.push(id);
        }
        let end = self.listed.len() as u32;
        Ok(SolidNode { sphere, kind: SolidNodeKind::Leaf { is_solid, first, end } })
    }

    fn finish(self) -> Solid {
        Solid {
            extent: extent_of(&self.corners),
            faces: self.faces.into(),
            corners: self.corners.into(),
            nodes: self.nodes.into(),
            listed: self.listed.into(),
        }
    }
}

/// Returns the minimum and maximum corner of the bounding box of some points.
fn extent_of(points: &[Vec3]) -> [Vec3; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first; 2], |[low, high], p| {
        [
            Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z)),
            Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z)),
        ]
    })
}

/// Checks that a child comes after its parent and has no other, so that the tree has no loops, and returns its index.
fn claim_child(node: usize, child: Option<u32>, depths: &mut [u16]) -> Result<Child, GeometryError> {
    let Some(child) = child else { return Ok(None) };
    let bad = GeometryError::BadChild { node, child, count: depths.len() };
    let depth = depths[node] + 1;
    check_limit("levels of the tree", usize::from(depth), usize::from(MAX_DEPTH))?;
    match depths.get_mut(child as usize) {
        Some(known) if child as usize > node && *known == 0 => *known = depth,
        _ => return Err(bad),
    }
    Ok(NonZeroU32::new(child))
}

fn check_limit(what: &'static str, found: usize, limit: usize) -> Result<(), GeometryError> {
    if found <= limit { Ok(()) } else { Err(GeometryError::TooMany { what, found, limit }) }
}

fn check_finite(what: &'static str, index: usize, is_finite: bool) -> Result<(), GeometryError> {
    if is_finite { Ok(()) } else { Err(GeometryError::NotFinite { what, index }) }
}
