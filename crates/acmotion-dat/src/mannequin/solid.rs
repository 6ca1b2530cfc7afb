//! Meshes in the making: convex pieces with cut edges, as if carved from wood, and the trees that sort their faces.

use acmotion_types::{Frame, Vec3};

use super::rig::Z;
use crate::id::DataId;
use crate::objects::{
    BspKind, BspNode, BspTree, GfxFlags, GfxObj, Leaf, Mesh, PlaneNode, Polygon, Sphere, Vertex,
};

/// A cross-section of a piece: how high it is, half its width and depth, and how far its centre is forward.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    z: f32,
    half: [f32; 2],
    forward: f32,
}

/// A cross-section at a height, by half its width (x) and half its depth (y).
pub(super) const fn ring(z: f32, half_width: f32, half_depth: f32) -> Ring {
    Ring { z, half: [half_width, half_depth], forward: 0.0 }
}

impl Ring {
    /// The same, with its centre so far forward.
    pub(super) const fn forward(self, forward: f32) -> Self {
        Self { forward, ..self }
    }

    /// The corners, counter-clockwise from above: a rectangle whose corners are cut.
    fn corners(&self) -> [Vec3; 8] {
        let [x, y] = self.half;
        // Cut as deep along both sides, so that the faces between two rings are flat.
        let cut = 0.4 * x.min(y);
        let (inner_x, inner_y) = (x - cut, y - cut);
        let corners = [
            [x, -inner_y],
            [x, inner_y],
            [inner_x, y],
            [-inner_x, y],
            [-x, inner_y],
            [-x, -inner_y],
            [-inner_x, -y],
            [inner_x, -y],
        ];
        corners.map(|[x, y]| Vec3::new(x, self.forward + y, self.z))
    }
}

/// A convex piece: its faces, each counter-clockwise from outside, and what it is painted with.
#[derive(Clone)]
pub(super) struct Piece {
    faces: Vec<Vec<Vec3>>,
    surface: DataId,
}

impl Piece {
    /// A piece through cross-sections, the lowest first; together they must be convex.
    pub(super) fn carved(surface: DataId, rings: &[Ring]) -> Self {
        let corners: Vec<_> = rings.iter().map(Ring::corners).collect();
        let mut faces = Vec::new();
        for pair in corners.windows(2) {
            for at in 0..8 {
                let next = (at + 1) % 8;
                faces.push(vec![pair[0][at], pair[0][next], pair[1][next], pair[1][at]]);
            }
        }
        if let (Some(bottom), Some(top)) = (corners.first(), corners.last()) {
            faces.push(bottom.iter().rev().copied().collect());
            faces.push(top.to_vec());
        }
        Self { faces, surface }
    }

    /// A plain box between two corners.
    pub(super) fn block(surface: DataId, low: Vec3, high: Vec3) -> Self {
        let at = |x: u8, y: u8, z: u8| {
            let pick = |upper: u8, low: f32, high: f32| if upper == 0 { low } else { high };
            Vec3::new(pick(x, low.x, high.x), pick(y, low.y, high.y), pick(z, low.z, high.z))
        };
        let faces = vec![
            vec![at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)],
            vec![at(0, 1, 0), at(0, 0, 0), at(0, 0, 1), at(0, 1, 1)],
            vec![at(1, 1, 0), at(0, 1, 0), at(0, 1, 1), at(1, 1, 1)],
            vec![at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)],
            vec![at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)],
            vec![at(0, 1, 0), at(1, 1, 0), at(1, 0, 0), at(0, 0, 0)],
        ];
        Self { faces, surface }
    }

    /// The piece moved and turned.
    pub(super) fn placed(mut self, frame: Frame) -> Self {
        for corner in self.faces.iter_mut().flatten() {
            *corner = frame.local_to_global(*corner);
        }
        self
    }
}

/// What a mesh is made of: one piece, or shapes on both sides of a plane.
pub(super) enum Shape {
    One(Piece),
    /// The points where `normal`·p is above `at`, and those where it is below.
    Split {
        normal: Vec3,
        at: f32,
        above: Box<Self>,
        below: Box<Self>,
    },
}

impl Shape {
    /// Shapes one on top of the other, the lowest first, each with the height at which it ends.
    pub(super) fn stacked(lowest: Piece, others: Vec<(f32, Piece)>) -> Self {
        others.into_iter().fold(Self::One(lowest), |below, (at, piece)| Self::Split {
            normal: Z,
            at,
            above: Box::new(Self::One(piece)),
            below: Box::new(below),
        })
    }
}

/// Tags of nodes: with a child behind only (and, in drawing trees, faces in their plane or none), with both children,
/// and with neither.
const BEHIND_AND_FACES: u32 = 0x4270_494E; // BpIN
const BEHIND: u32 = 0x4270_6E4E; // BpnN
const BOTH: u32 = 0x4250_6E4E; // BPnN
const FACES: u32 = 0x4270_496E; // BpIn

/// The mesh of a shape: the same faces to be drawn and to collide with.
pub(super) fn mesh(id: DataId, shape: &Shape) -> GfxObj {
    let mut maker = Maker::default();
    maker.add(shape);
    let sphere = bounds(maker.vertices.iter().map(|vertex| vertex.position));
    maker.sphere = sphere;
    let physics = maker.tree(BspKind::Physics, shape);
    let drawing = maker.tree(BspKind::Drawing, shape);
    let polygons: Vec<_> = (0..).zip(maker.polygons.iter().cloned()).collect();
    let finish = |bsp| Mesh { polygons: polygons.iter().cloned().collect(), bsp };
    GfxObj {
        id,
        flags: GfxFlags::PHYSICS | GfxFlags::DRAWING,
        surfaces: maker.surfaces,
        vertex_type: 1,
        vertices: maker.vertices,
        physics: Some(finish(physics)),
        sort_centre: sphere.origin,
        drawing: Some(finish(drawing)),
        degrade: None,
    }
}

/// The sphere about the box about some points.
fn bounds(points: impl Iterator<Item = Vec3> + Clone) -> Sphere {
    let far = f32::MAX;
    let mut low = Vec3::new(far, far, far);
    let mut high = -low;
    for p in points.clone() {
        low = Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z));
        high = Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z));
    }
    let origin = (low + high) * 0.5;
    let radius = points.map(|p| (p - origin).length()).fold(0.0, f32::max);
    Sphere { origin, radius }
}

/// The direction that a face looks in.
fn normal_of(face: &[Vec3]) -> Vec3 {
    // Faces are small: in millimetres their product is far from zero.
    let [a, b] = [face[1] - face[0], face[2] - face[1]].map(|edge| edge * 1000.0);
    a.cross(b).normalized().unwrap_or(Z)
}

#[derive(Default)]
struct Maker {
    surfaces: Vec<DataId>,
    vertices: Vec<Vertex>,
    polygons: Vec<Polygon>,
    sphere: Sphere,
}

/// The walk over a shape that makes a tree: faces are met in the order in which they were added.
struct TreeMaker<'a> {
    kind: BspKind,
    sphere: Sphere,
    face: u16,
    leaf: i32,
    nodes: Vec<BspNode>,
    polygons: &'a [Polygon],
    vertices: &'a [Vertex],
}

impl Maker {
    fn add(&mut self, shape: &Shape) {
        match shape {
            Shape::One(piece) => piece.faces.iter().for_each(|face| self.add_face(face, piece.surface)),
            Shape::Split { above, below, .. } => {
                self.add(above);
                self.add(below);
            }
        }
    }

    fn add_face(&mut self, face: &[Vec3], surface: DataId) {
        let known = self.surfaces.iter().position(|known| *known == surface);
        let surface_at = known.unwrap_or(self.surfaces.len());
        if known.is_none() {
            self.surfaces.push(surface);
        }
        let normal = normal_of(face);
        let first = self.vertices.len();
        for (corner, position) in face.iter().enumerate() {
            let uv = uv_of(corner, face.len());
            let id = (first + corner) as u16;
            self.vertices.push(Vertex { id, position: *position, normal, uvs: vec![uv] });
        }
        self.polygons.push(Polygon {
            positive_surface: surface_at as i16,
            negative_surface: -1,
            vertices: (first..self.vertices.len()).map(|id| id as i16).collect(),
            positive_uvs: vec![0; face.len()],
            ..Polygon::default()
        });
    }

    fn tree(&self, kind: BspKind, shape: &Shape) -> BspTree {
        let mut maker = TreeMaker {
            kind,
            sphere: self.sphere,
            face: 0,
            leaf: 0,
            nodes: Vec::new(),
            polygons: &self.polygons,
            vertices: &self.vertices,
        };
        maker.walk(shape);
        BspTree { kind, nodes: maker.nodes }
    }
}

/// Texture coordinates of a face's corner: a quad's are the whole texture, other faces stand on a circle in it.
fn uv_of(corner: usize, count: usize) -> [f32; 2] {
    const QUAD: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    if count == 4 {
        return QUAD[corner];
    }
    let turn = corner as f32 / count as f32;
    [0.5 + 0.5 * super::curve::wave_cos(turn), 0.5 - 0.5 * super::curve::wave(turn)]
}

impl TreeMaker<'_> {
    fn walk(&mut self, shape: &Shape) -> u32 {
        let place = self.nodes.len();
        match shape {
            Shape::One(piece) => self.chain(piece),
            Shape::Split { normal, at, above, below } => {
                self.push(BOTH, *normal, -at, Vec::new());
                let positive = self.walk(above);
                let negative = self.walk(below);
                self.set_children(place, Some(positive), negative);
            }
        }
        place as u32
    }

    /// A convex piece: one face after the other, each behind the one before; behind all of them it is solid.
    fn chain(&mut self, piece: &Piece) {
        let keys: Vec<u16> = (self.face..).take(piece.faces.len()).collect();
        self.face += piece.faces.len() as u16;
        let is_drawing = self.kind == BspKind::Drawing;
        for (at, key) in keys.iter().enumerate() {
            let corner = &self.vertices[self.polygons[usize::from(*key)].vertices[0] as usize];
            let (normal, distance) = (corner.normal, -corner.normal.dot(corner.position));
            let is_end = is_drawing && at + 1 == keys.len();
            let tag = match (is_drawing, is_end) {
                (true, true) => FACES,
                (true, false) => BEHIND_AND_FACES,
                (false, _) => BEHIND,
            };
            let place = self.nodes.len();
            self.push(tag, normal, distance, if is_drawing { vec![*key] } else { Vec::new() });
            if !is_end {
                self.set_children(place, None, place as u32 + 1);
            }
        }
        if !is_drawing {
            self.nodes.push(BspNode::Leaf(Leaf { index: self.leaf, physics: Some((1, self.sphere, keys)) }));
            self.leaf += 1;
        }
    }

    fn push(&mut self, tag: u32, normal: Vec3, distance: f32, polygons: Vec<u16>) {
        self.nodes.push(BspNode::Plane(PlaneNode {
            tag,
            normal,
            distance,
            positive: None,
            negative: None,
            sphere: Some(self.sphere),
            polygons,
            portals: Vec::new(),
        }));
    }

    fn set_children(&mut self, place: usize, in_front: Option<u32>, behind: u32) {
        if let BspNode::Plane(node) = &mut self.nodes[place] {
            (node.positive, node.negative) = (in_front, Some(behind));
        }
    }
}

/// A surface of one colour (`docs/dat.md` §5): red, green and blue, opaque, lit by the scene alone.
pub(super) fn colour(red: u8, green: u8, blue: u8) -> Vec<u8> {
    const SOLID_COLOUR: u32 = 1;
    let mut bytes = SOLID_COLOUR.to_le_bytes().to_vec();
    bytes.extend([blue, green, red, 0xFF]);
    for value in [0.0f32, 0.0, 1.0] {
        bytes.extend(value.to_le_bytes());
    }
    bytes
}
