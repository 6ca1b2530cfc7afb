//! Solids from the meshes of dat files.

use std::collections::HashMap;
use std::num::NonZeroU32;

use acmotion_dat::{BspNode, BspTree, CellStruct, GfxObj, KeyedList, Polygon, Sphere, Vertex};
use acmotion_types::Vec3;
use thiserror::Error;

use super::solid::{Child, Face, SolidNode, SolidNodeKind};
use super::{PolygonId, Solid, plane_through};
use crate::collide::Plane;

/// Polygons of one solid: as many as their keys can tell apart.
const MAX_POLYGONS: usize = 1 << 16;
/// Entries in the lists of all leaves: a polygon is listed in every leaf that it reaches into.
const MAX_LISTED: usize = 1 << 18;
/// Deeper than any tree that was built with care; walks are recursive.
const MAX_DEPTH: u16 = 1024;

/// Corners of one polygon: as many as a file can tell.
const MAX_CORNERS: usize = 255;
/// What stands for the plane of a polygon without area: infinitely far from everything.
pub(in crate::collide) const OUT_OF_REACH: Plane = Plane::new(Vec3::ZERO, f32::INFINITY);

/// Why a mesh cannot be used for collision.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The mesh has polygons for drawing only.
    #[error("the mesh has no polygons for collision")]
    NoPhysics,
    /// A polygon's corner is no vertex of the mesh.
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
        /// The leaf's place among the nodes.
        leaf: usize,
        /// The polygon's key.
        polygon: u16,
    },
    /// A way out is filled by a polygon that the shape does not have.
    #[error("a portal is filled by polygon {polygon}, which the shape does not have")]
    NoPortal {
        /// The polygon's key.
        polygon: u16,
    },
    /// A node is not one of a physics tree.
    #[error("node {node} is not that of a tree for collision")]
    OtherTree {
        /// Its place.
        node: usize,
    },
    /// A node's child is not behind it in the list, or belongs to two nodes.
    #[error("node {node} has node {child} of {count} as a child, which is not its own")]
    BadChild {
        /// Its place.
        node: usize,
        /// The child's.
        child: u32,
        /// How many nodes there are.
        count: usize,
    },
    /// A number that is not finite.
    #[error("{what} {place} is not finite")]
    NotFinite {
        /// What has it: a vertex or a node.
        what: &'static str,
        /// Its place.
        place: usize,
    },
    /// More than can be.
    #[error("{found} {what}, at most {limit} can be")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many may be.
        limit: usize,
    },
}

impl Solid {
    /// What of a mesh collides.
    ///
    /// # Errors
    /// When it has nothing of the kind, or its polygons or its tree are not sound.
    pub fn of_gfx_obj(mesh: &GfxObj) -> Result<Self, GeometryError> {
        let physics = mesh.physics.as_ref().ok_or(GeometryError::NoPhysics)?;
        Self::of_polygons(&mesh.vertices, &physics.polygons, &physics.bsp)
    }

    /// What of a room's shape collides.
    ///
    /// # Errors
    /// When its polygons or its tree are not sound.
    pub fn of_room(shape: &CellStruct) -> Result<Self, GeometryError> {
        Self::of_polygons(&shape.vertices, &shape.physics_polygons, &shape.physics_bsp)
    }

    /// Polygons over some vertices with the tree that sorts them. A polygon without area stays in the count, but is never
    /// touched.
    ///
    /// # Errors
    /// When the polygons or the tree are not sound.
    pub fn of_polygons(
        vertices: &[Vertex],
        polygons: &KeyedList<Polygon>,
        tree: &BspTree,
    ) -> Result<Self, GeometryError> {
        limited("polygons", polygons.len(), MAX_POLYGONS)?;
        let mut places = HashMap::with_capacity(vertices.len());
        for (place, vertex) in vertices.iter().enumerate() {
            finite("vertex", place, vertex.position.is_finite())?;
            places.entry(vertex.id).or_insert(vertex.position);
        }
        let mut maker = Maker::default();
        for (key, polygon) in polygons.iter() {
            limited("corners of a polygon", polygon.vertices.len(), MAX_CORNERS)?;
            let first = maker.corners.len();
            for id in &polygon.vertices {
                let vertex = *id as u16;
                let corner = places.get(&vertex).ok_or(GeometryError::NoVertex { polygon: key, vertex })?;
                maker.corners.push(*corner);
            }
            maker.add_face(key, first, polygon.sides == 0);
        }
        maker.add_tree(tree)?;
        Ok(maker.finish())
    }
}

/// The plane of one polygon over some vertices; none if it has no area.
///
/// # Errors
/// When the polygon or one of its corners is not there.
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

#[derive(Default)]
struct Maker {
    faces: Vec<Face>,
    corners: Vec<Vec3>,
    keys: HashMap<u32, PolygonId>,
    nodes: Vec<SolidNode>,
    listed: Vec<PolygonId>,
}

impl Maker {
    /// The polygon of the corners from `first` on.
    fn add_face(&mut self, key: u32, first: usize, is_one_sided: bool) {
        let id = PolygonId(self.faces.len() as u32);
        self.keys.entry(key).or_insert(id);
        self.faces.push(Face {
            plane: plane_through(&self.corners[first..]).unwrap_or(OUT_OF_REACH),
            first: first as u32,
            count: (self.corners.len() - first) as u16,
            is_one_sided,
        });
    }

    /// The tree, its nodes in their places.
    fn add_tree(&mut self, tree: &BspTree) -> Result<(), GeometryError> {
        let count = tree.nodes.len();
        // How deep a node is; the root and nodes that nobody has claimed are at zero.
        let mut depths = vec![0u16; count];
        for (place, node) in tree.nodes.iter().enumerate() {
            let node = match node {
                BspNode::Leaf(leaf) => {
                    let (solid, sphere, keys) =
                        leaf.physics.as_ref().ok_or(GeometryError::OtherTree { node: place })?;
                    self.leaf(place, *solid != 0, *sphere, keys)?
                }
                BspNode::Plane(node) => {
                    let mut claim = |child: Option<u32>| claim(place, child, &mut depths);
                    let (front, back) = (claim(node.positive)?, claim(node.negative)?);
                    let sphere = node.sphere.ok_or(GeometryError::OtherTree { node: place })?;
                    finite("node", place, node.normal.is_finite() && node.distance.is_finite())?;
                    let plane = Plane::new(node.normal, node.distance);
                    SolidNode { sphere, kind: SolidNodeKind::Plane { plane, front, back } }
                }
            };
            finite("node", place, node.sphere.origin.is_finite() && node.sphere.radius.is_finite())?;
            self.nodes.push(node);
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        place: usize,
        is_solid: bool,
        sphere: Sphere,
        keys: &[u16],
    ) -> Result<SolidNode, GeometryError> {
        limited("entries in leaves", self.listed.len() + keys.len(), MAX_LISTED)?;
        let first = self.listed.len() as u32;
        for key in keys {
            let missing = GeometryError::NoPolygon { leaf: place, polygon: *key };
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

/// The lowest and the highest corner of the box about some points.
fn extent_of(points: &[Vec3]) -> [Vec3; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first; 2], |[low, high], p| {
        [
            Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z)),
            Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z)),
        ]
    })
}

/// A child's place, if it stands behind its parent and belongs to no other; then no way through the tree comes back.
fn claim(node: usize, child: Option<u32>, depths: &mut [u16]) -> Result<Child, GeometryError> {
    let Some(child) = child else { return Ok(None) };
    let bad = GeometryError::BadChild { node, child, count: depths.len() };
    let depth = depths[node] + 1;
    limited("levels of the tree", usize::from(depth), usize::from(MAX_DEPTH))?;
    match depths.get_mut(child as usize) {
        Some(place) if child as usize > node && *place == 0 => *place = depth,
        _ => return Err(bad),
    }
    Ok(NonZeroU32::new(child))
}

fn limited(what: &'static str, found: usize, limit: usize) -> Result<(), GeometryError> {
    if found <= limit { Ok(()) } else { Err(GeometryError::TooMany { what, found, limit }) }
}

fn finite(what: &'static str, place: usize, is_finite: bool) -> Result<(), GeometryError> {
    if is_finite { Ok(()) } else { Err(GeometryError::NotFinite { what, place }) }
}
