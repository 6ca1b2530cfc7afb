//! Builds meshes and room shapes from flat polygons, with the vertices, keyed polygons and BSP trees of the files.
//!
//! A polygon must be convex, flat and counter-clockwise as seen from its front. Only the front collides and is drawn.
//! The order of the polygons determines the trees: each node splits space at the first polygon that has not split
//! yet.
//!
//! ```
//! use acmotion_dat::builder::{self, MeshFace, MeshKind};
//! use acmotion_dat::{DataId, DatObject};
//! use acmotion_types::Vec3;
//!
//! let surface = DataId(0x0800_0001);
//! let wooden_crate = MeshFace::cuboid(surface, Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, 0.5, 1.0));
//! let mesh = builder::gfx_obj(DataId(0x0100_1234), &wooden_crate, MeshKind::Closed);
//! assert_eq!(mesh.physics.as_ref().map(|mesh| mesh.polygons.len()), Some(6));
//! assert!(mesh.encode().len() > 500);
//! ```

mod tree;

use acmotion_types::{Frame, Vec3};

use crate::id::DataId;
use crate::objects::hook::Bool32;
use crate::objects::{CellStruct, GfxFlags, GfxObj, KeyedList, Polygon, PolygonTree, Sphere, Vertex};
pub use tree::{cell_tree, drawing_tree, physics_tree};

/// Whether the polygons of a mesh enclose a solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeshKind {
    /// The polygons enclose a solid: the space behind them is solid.
    Closed,
    /// The polygons enclose nothing, such as the walls of a room seen from inside or a single sheet.
    Open,
}

/// A plane. Points with n·p + d = 0 lie on it, points with a positive value in front of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plane {
    /// The normal, of length one.
    pub normal: Vec3,
    /// The distance `d`: the signed distance of the origin from the plane.
    pub distance: f32,
}

impl Plane {
    /// Returns the plane of a polygon (`docs/collision.md` 5.5.1). A polygon without area gives a zero normal.
    pub fn from_polygon(corners: &[Vec3]) -> Self {
        let Some((first, others)) = corners.split_first() else {
            return Self { normal: Vec3::ZERO, distance: 0.0 };
        };
        // In millimetres, the area of a small polygon is far enough from zero to normalise.
        let edges = others.windows(2).map(|pair| [pair[0] - *first, pair[1] - *first].map(|v| v * 1000.0));
        let sum = edges.fold(Vec3::ZERO, |sum, [a, b]| sum + a.cross(b));
        let normal = sum.normalized().unwrap_or(Vec3::ZERO);
        let mean = corners.iter().map(|corner| normal.dot(*corner)).sum::<f32>() / corners.len() as f32;
        Self { normal, distance: -mean }
    }

    /// Returns the signed distance of a point from the plane, positive in front of it.
    pub fn signed_distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.distance
    }

    /// Returns the six inward-facing planes of the box between two corners, for the cell tree of a box-shaped room.
    pub fn box_interior(low: Vec3, high: Vec3) -> [Self; 6] {
        let plane = |x, y, z, distance| Self { normal: Vec3::new(x, y, z), distance };
        [
            plane(1.0, 0.0, 0.0, -low.x),
            plane(-1.0, 0.0, 0.0, high.x),
            plane(0.0, 1.0, 0.0, -low.y),
            plane(0.0, -1.0, 0.0, high.y),
            plane(0.0, 0.0, 1.0, -low.z),
            plane(0.0, 0.0, -1.0, high.z),
        ]
    }
}

/// A polygon and its surface.
#[derive(Clone, PartialEq, Debug)]
pub struct MeshFace {
    /// The corners, counter-clockwise as seen from the front.
    pub corners: Vec<Vec3>,
    /// The surface, 0x08.
    pub surface: DataId,
}

impl MeshFace {
    /// Creates a face.
    pub fn new(surface: DataId, corners: impl Into<Vec<Vec3>>) -> Self {
        Self { corners: corners.into(), surface }
    }

    /// Returns the faces of the box between two corners, facing outward: east, west, north, south, top, bottom.
    pub fn cuboid(surface: DataId, low: Vec3, high: Vec3) -> Vec<Self> {
        let corner = |x: u8, y: u8, z: u8| {
            let pick = |upper: u8, low: f32, high: f32| if upper == 0 { low } else { high };
            Vec3::new(pick(x, low.x, high.x), pick(y, low.y, high.y), pick(z, low.z, high.z))
        };
        let sides = [
            [corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)],
            [corner(0, 1, 0), corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1)],
            [corner(1, 1, 0), corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1)],
            [corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1)],
            [corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)],
            [corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0), corner(0, 0, 0)],
        ];
        sides.into_iter().map(|corners| Self::new(surface, corners)).collect()
    }

    /// Returns the same polygon facing the other way.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.corners.reverse();
        self
    }

    /// Returns the part of the face in front of a plane, or `None` if there is none.
    #[must_use]
    pub fn clipped(&self, plane: &Plane) -> Option<Self> {
        let corners = tree::clipped(&self.corners, plane, 1.0);
        let is_something = corners.len() > 2 && area(&corners) > MIN_FACE_AREA;
        is_something.then(|| Self::new(self.surface, corners))
    }

    /// Returns the face transformed from the frame's axes to the global ones.
    #[must_use]
    pub fn transformed(mut self, frame: &Frame) -> Self {
        for corner in &mut self.corners {
            *corner = frame.local_to_global(*corner);
        }
        self
    }
}

/// Builds a mesh whose faces are all drawn and all collide.
pub fn gfx_obj(id: DataId, faces: &[MeshFace], body: MeshKind) -> GfxObj {
    gfx_obj_with_decoration(id, faces, &[], body)
}

/// Builds a mesh of faces that are drawn and collide, and of decoration that is only drawn.
pub fn gfx_obj_with_decoration(
    id: DataId,
    faces: &[MeshFace],
    decoration: &[MeshFace],
    body: MeshKind,
) -> GfxObj {
    let all = [faces, decoration].concat();
    let buffer = PolygonBuffer::of(&all);
    let polygons: Vec<(u32, Polygon)> = (0..).zip(buffer.polygons).collect();
    let solid: KeyedList<Polygon> = polygons[..faces.len()].iter().cloned().collect();
    let physics = (!faces.is_empty())
        .then(|| PolygonTree { polygons: solid, bsp: physics_tree(&corners_of(faces), body) });
    let mut flags = GfxFlags::DRAWING;
    flags.set(GfxFlags::PHYSICS, physics.is_some());
    GfxObj {
        id,
        flags,
        surfaces: buffer.surfaces,
        vertex_type: VERTEX_TYPE,
        vertices: buffer.vertices,
        physics,
        sort_centre: bounding_sphere(all.iter().flat_map(|face| face.corners.iter().copied())).origin,
        drawing: Some(PolygonTree {
            polygons: polygons.into_iter().collect(),
            bsp: drawing_tree(&corners_of(&all)),
        }),
        degrade: None,
    }
}

/// Builds the shape of a room from its inward-facing faces, its inward-facing portal polygons, and the planes around
/// it: the interior is the space in front of all of them. Also returns the surface list for the room, to which the
/// shape's polygons refer by index.
pub fn cell_struct(faces: &[MeshFace], portals: &[Vec<Vec3>], planes: &[Plane]) -> (CellStruct, Vec<DataId>) {
    let mut buffer = PolygonBuffer::of(faces);
    let walls = buffer.polygons.clone();
    for portal in portals {
        buffer.add(portal, -1);
    }
    let corners = corners_of(faces);
    let shape = CellStruct {
        vertex_type: VERTEX_TYPE,
        vertices: buffer.vertices,
        polygons: (0..).zip(buffer.polygons).collect(),
        portals: (walls.len() as u16..).take(portals.len()).collect(),
        padding: [0; 3],
        cell_bsp: cell_tree(planes),
        physics_polygons: (0..).zip(walls).collect(),
        physics_bsp: physics_tree(&corners, MeshKind::Open),
        has_drawing: Bool32(1),
        drawing_bsp: Some(drawing_tree(&corners)),
        end_padding: [0; 3],
    };
    (shape, buffer.surfaces)
}

/// Returns a sphere around some points, centred in their bounding box.
pub fn bounding_sphere(points: impl Iterator<Item = Vec3> + Clone) -> Sphere {
    Bounds::of(points.clone()).sphere(points)
}

/// The box around some points.
#[derive(Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    /// The box around no points.
    const EMPTY: Self = Self {
        low: Vec3::new(f32::MAX, f32::MAX, f32::MAX),
        high: Vec3::new(-f32::MAX, -f32::MAX, -f32::MAX),
    };

    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        points.fold(Self::EMPTY, |bounds, point| bounds.union(&Self { low: point, high: point }))
    }

    /// Returns the box around both.
    fn union(&self, other: &Self) -> Self {
        // Comparisons, because `f32::min` and `f32::max` are calls of functions in WebAssembly.
        let least = |a: f32, b: f32| if b < a { b } else { a };
        let most = |a: f32, b: f32| if b > a { b } else { a };
        let ([low, high], [other_low, other_high]) = ([self.low, self.high], [other.low, other.high]);
        Self {
            low: Vec3::new(least(low.x, other_low.x), least(low.y, other_low.y), least(low.z, other_low.z)),
            high: Vec3::new(
                most(high.x, other_high.x),
                most(high.y, other_high.y),
                most(high.z, other_high.z),
            ),
        }
    }

    /// Returns the sphere around the points, centred in the middle of their box.
    fn sphere(&self, points: impl Iterator<Item = Vec3>) -> Sphere {
        if self.low.x > self.high.x {
            return Sphere::default();
        }
        let origin = (self.low + self.high) * 0.5;
        let square = points.fold(0.0, |most, point| {
            let square = (point - origin).length_squared();
            if square > most { square } else { most }
        });
        Sphere { origin, radius: square.sqrt() }
    }
}

fn area(corners: &[Vec3]) -> f32 {
    let fan = corners[1..].windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
    0.5 * fan.fold(Vec3::ZERO, |sum, product| sum + product).length()
}

/// The minimum area of a clipped face, in square metres; smaller ones are dropped.
const MIN_FACE_AREA: f32 = 1e-4;

/// The vertex type in every known file.
const VERTEX_TYPE: i32 = 1;

fn corners_of(faces: &[MeshFace]) -> Vec<Vec<Vec3>> {
    faces.iter().map(|face| face.corners.clone()).collect()
}

/// The vertices and polygons of a mesh under construction. Faces share no vertices, because each has its own normal.
#[derive(Default)]
struct PolygonBuffer {
    surfaces: Vec<DataId>,
    vertices: Vec<Vertex>,
    polygons: Vec<Polygon>,
}

impl PolygonBuffer {
    fn of(faces: &[MeshFace]) -> Self {
        let mut buffer = Self::default();
        for face in faces {
            let known = buffer.surfaces.iter().position(|known| *known == face.surface);
            let index = known.unwrap_or(buffer.surfaces.len());
            if known.is_none() {
                buffer.surfaces.push(face.surface);
            }
            buffer.add(&face.corners, index as i16);
        }
        buffer
    }

    fn add(&mut self, corners: &[Vec3], surface: i16) {
        let normal = Plane::from_polygon(corners).normal;
        let first = self.vertices.len();
        for (corner, position) in corners.iter().enumerate() {
            let uvs = vec![uv_of(corner, corners.len())];
            self.vertices.push(Vertex { id: (first + corner) as u16, position: *position, normal, uvs });
        }
        self.polygons.push(Polygon {
            positive_surface: surface,
            negative_surface: -1,
            vertices: (first..self.vertices.len()).map(|id| id as i16).collect(),
            positive_uvs: vec![0; corners.len()],
            ..Polygon::default()
        });
    }
}

/// Returns the texture coordinates of a corner: a quad covers the whole texture, other faces the circle within it.
fn uv_of(corner: usize, count: usize) -> [f32; 2] {
    const QUAD: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    if count == 4 {
        return QUAD[corner];
    }
    let turn = std::f32::consts::TAU * corner as f32 / count as f32;
    [0.5 + 0.5 * libm::cosf(turn), 0.5 - 0.5 * libm::sinf(turn)]
}
