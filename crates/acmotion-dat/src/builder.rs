//! Making meshes and rooms: from flat polygons to vertices, keyed polygons and BSP trees, in the form of the files.
//!
//! A polygon is convex, flat and counter-clockwise as seen from its front; collision and drawing both know only the
//! front. The order of the polygons decides how the trees look: the first one that is not in its place yet cuts space.
//!
//! ```
//! use acmotion_dat::builder::{self, Body, Face};
//! use acmotion_dat::{DataId, DatObject};
//! use acmotion_types::Vec3;
//!
//! let surface = DataId(0x0800_0001);
//! let crate_of_wood = Face::block(surface, Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, 0.5, 1.0));
//! let mesh = builder::gfx_obj(DataId(0x0100_1234), &crate_of_wood, Body::Closed);
//! assert_eq!(mesh.physics.as_ref().map(|mesh| mesh.polygons.len()), Some(6));
//! assert!(mesh.encode().len() > 500);
//! ```

mod tree;

use acmotion_types::{Frame, Vec3};

use crate::id::DataId;
use crate::objects::hook::Bool32;
use crate::objects::{CellStruct, GfxFlags, GfxObj, KeyedList, Mesh, Polygon, Sphere, Vertex};
pub use tree::{cell_tree, drawing_tree, physics_tree};

/// What is behind the polygons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// They enclose something: behind them it is solid.
    Closed,
    /// Nothing: a room seen from inside, a sheet.
    Open,
}

/// A plane: points with n·p + d = 0 lie on it, those above 0 before it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plane {
    /// Its normal, of length one.
    pub normal: Vec3,
    /// Its distance from the origin, against the normal.
    pub distance: f32,
}

impl Plane {
    /// The plane of a polygon (`docs/collision.md` 5.5.1).
    pub fn of(corners: &[Vec3]) -> Self {
        let Some((first, others)) = corners.split_first() else {
            return Self { normal: Vec3::ZERO, distance: 0.0 };
        };
        // Faces may be small: in millimetres their area is far from zero.
        let edges = others.windows(2).map(|pair| [pair[0] - *first, pair[1] - *first].map(|v| v * 1000.0));
        let sum = edges.fold(Vec3::ZERO, |sum, [a, b]| sum + a.cross(b));
        let normal = sum.normalized().unwrap_or(Vec3::ZERO);
        let mean = corners.iter().map(|corner| normal.dot(*corner)).sum::<f32>() / corners.len() as f32;
        Self { normal, distance: -mean }
    }

    /// How far a point lies before it.
    pub fn height_of(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.distance
    }

    /// The six planes of a box between two corners, looking inward: what the tree of a box-shaped room needs.
    pub fn around(low: Vec3, high: Vec3) -> [Self; 6] {
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

/// A polygon and what it is painted with.
#[derive(Clone, PartialEq, Debug)]
pub struct Face {
    /// Its corners, counter-clockwise as seen from its front.
    pub corners: Vec<Vec3>,
    /// Its surface, 0x08.
    pub surface: DataId,
}

impl Face {
    /// A face.
    pub fn new(surface: DataId, corners: impl Into<Vec<Vec3>>) -> Self {
        Self { corners: corners.into(), surface }
    }

    /// A box between two corners, seen from outside: east, west, north, south, top, bottom.
    pub fn block(surface: DataId, low: Vec3, high: Vec3) -> Vec<Self> {
        let at = |x: u8, y: u8, z: u8| {
            let pick = |upper: u8, low: f32, high: f32| if upper == 0 { low } else { high };
            Vec3::new(pick(x, low.x, high.x), pick(y, low.y, high.y), pick(z, low.z, high.z))
        };
        let sides = [
            [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)],
            [at(0, 1, 0), at(0, 0, 0), at(0, 0, 1), at(0, 1, 1)],
            [at(1, 1, 0), at(0, 1, 0), at(0, 1, 1), at(1, 1, 1)],
            [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)],
            [at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)],
            [at(0, 1, 0), at(1, 1, 0), at(1, 0, 0), at(0, 0, 0)],
        ];
        sides.into_iter().map(|corners| Self::new(surface, corners)).collect()
    }

    /// The same polygon seen from its other side.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.corners.reverse();
        self
    }

    /// What is left of it before a plane; `None` if that is nothing.
    #[must_use]
    pub fn clipped(&self, plane: &Plane) -> Option<Self> {
        let corners = tree::clipped(&self.corners, plane, 1.0);
        let is_something = corners.len() > 2 && area(&corners) > SMALLEST_AREA;
        is_something.then(|| Self::new(self.surface, corners))
    }

    /// The face moved and turned.
    #[must_use]
    pub fn placed(mut self, frame: &Frame) -> Self {
        for corner in &mut self.corners {
            *corner = frame.local_to_global(*corner);
        }
        self
    }
}

/// The mesh of some faces, which are drawn and collide alike.
pub fn gfx_obj(id: DataId, faces: &[Face], body: Body) -> GfxObj {
    gfx_obj_of(id, faces, &[], body)
}

/// The mesh of faces that are drawn and collide, and of ornaments that are only drawn.
pub fn gfx_obj_of(id: DataId, faces: &[Face], ornaments: &[Face], body: Body) -> GfxObj {
    let all = [faces, ornaments].concat();
    let shelf = Shelf::of(&all);
    let polygons: Vec<(u32, Polygon)> = (0..).zip(shelf.polygons).collect();
    let solid: KeyedList<Polygon> = polygons[..faces.len()].iter().cloned().collect();
    let physics =
        (!faces.is_empty()).then(|| Mesh { polygons: solid, bsp: physics_tree(&corners_of(faces), body) });
    let mut flags = GfxFlags::DRAWING;
    flags.set(GfxFlags::PHYSICS, physics.is_some());
    GfxObj {
        id,
        flags,
        surfaces: shelf.surfaces,
        vertex_type: VERTEX_TYPE,
        vertices: shelf.vertices,
        physics,
        sort_centre: bounds(all.iter().flat_map(|face| face.corners.iter().copied())).origin,
        drawing: Some(Mesh {
            polygons: polygons.into_iter().collect(),
            bsp: drawing_tree(&corners_of(&all)),
        }),
        degrade: None,
    }
}

/// The shape of a room: faces that look inward, the polygons that fill its openings (looking inward too), and the planes
/// around it, so that its inside is what lies before all of them. Beside it the surfaces for the cell, in the order in
/// which the shape counts them.
pub fn cell_struct(faces: &[Face], portals: &[Vec<Vec3>], planes: &[Plane]) -> (CellStruct, Vec<DataId>) {
    let mut shelf = Shelf::of(faces);
    let walls = shelf.polygons.clone();
    for portal in portals {
        shelf.add(portal, -1);
    }
    let corners = corners_of(faces);
    let shape = CellStruct {
        vertex_type: VERTEX_TYPE,
        vertices: shelf.vertices,
        polygons: (0..).zip(shelf.polygons).collect(),
        portals: (walls.len() as u16..).take(portals.len()).collect(),
        padding: [0; 3],
        cell_bsp: cell_tree(planes),
        physics_polygons: (0..).zip(walls).collect(),
        physics_bsp: physics_tree(&corners, Body::Open),
        has_drawing: Bool32(1),
        drawing_bsp: Some(drawing_tree(&corners)),
        end_padding: [0; 3],
    };
    (shape, shelf.surfaces)
}

/// The sphere about the box about some points.
pub fn bounds(points: impl Iterator<Item = Vec3> + Clone) -> Sphere {
    let far = f32::MAX;
    let mut low = Vec3::new(far, far, far);
    let mut high = -low;
    for p in points.clone() {
        low = Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z));
        high = Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z));
    }
    if low.x > high.x {
        return Sphere::default();
    }
    let origin = (low + high) * 0.5;
    let radius = points.map(|p| (p - origin).length()).fold(0.0, f32::max);
    Sphere { origin, radius }
}

fn area(corners: &[Vec3]) -> f32 {
    let fan = corners[1..].windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
    0.5 * fan.fold(Vec3::ZERO, |sum, product| sum + product).length()
}

/// A face of less, in square metres, is none.
const SMALLEST_AREA: f32 = 1e-4;

/// The type of vertices of every known file.
const VERTEX_TYPE: i32 = 1;

fn corners_of(faces: &[Face]) -> Vec<Vec<Vec3>> {
    faces.iter().map(|face| face.corners.clone()).collect()
}

/// Vertices and polygons in the making. Every face has vertices of its own, since each has a normal.
#[derive(Default)]
struct Shelf {
    surfaces: Vec<DataId>,
    vertices: Vec<Vertex>,
    polygons: Vec<Polygon>,
}

impl Shelf {
    fn of(faces: &[Face]) -> Self {
        let mut shelf = Self::default();
        for face in faces {
            let known = shelf.surfaces.iter().position(|known| *known == face.surface);
            let place = known.unwrap_or(shelf.surfaces.len());
            if known.is_none() {
                shelf.surfaces.push(face.surface);
            }
            shelf.add(&face.corners, place as i16);
        }
        shelf
    }

    fn add(&mut self, corners: &[Vec3], surface: i16) {
        let normal = Plane::of(corners).normal;
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

/// Texture coordinates of a face's corner: a quad's are the whole texture, other faces stand on a circle in it.
fn uv_of(corner: usize, count: usize) -> [f32; 2] {
    const QUAD: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    if count == 4 {
        return QUAD[corner];
    }
    let turn = std::f32::consts::TAU * corner as f32 / count as f32;
    [0.5 + 0.5 * libm::cosf(turn), 0.5 - 0.5 * libm::sinf(turn)]
}
