//! The trees: space cut by the planes of the polygons themselves.

use acmotion_types::{EPS, Vec3};

use super::{Body, Plane, bounds};
use crate::objects::{BspKind, BspNode, BspTree, Leaf, PlaneNode, Sphere};

/// A node of a physics tree, which has both children.
const BOTH: u32 = 0x4250_6E4E; // BPnN
/// A node of a cell tree with a child in front, and the last of the chain.
const FRONT: u32 = 0x4250_6E6E; // BPnn
const LAST: u32 = 0x4270_6E6E; // Bpnn
/// Nodes of a drawing tree, by whether they have a child in front and one behind.
const DRAWN: [[u32; 2]; 2] = [[0x4270_496E, 0x4270_494E], [0x4250_496E, 0x4250_494E]]; // BpIn BpIN BPIn BPIN

/// How far the spheres of nodes and leaves reach beyond what is in them.
const MARGIN: f32 = 0.01;

/// The tree of collision. The keys of the polygons are their places.
///
/// Polygons lie in leaves only. A polygon stays behind its own plane, so a leaf holds what it lies behind, and one that
/// crosses a plane is listed on both sides. The leaves of a closed body that hold polygons are solid; a part of it that no
/// polygon borders on would not be, as in the original, where only leaves with polygons count (`docs/collision.md` 5.6).
pub fn physics_tree(polygons: &[Vec<Vec3>], body: Body) -> BspTree {
    let mut maker = Maker::new(polygons, body);
    maker.physics(maker.whole());
    BspTree { kind: BspKind::Physics, nodes: maker.nodes }
}

/// The tree of drawing: every polygon in the node of its plane. The keys of the polygons are their places. A polygon that
/// crosses a plane is listed on both sides, whole.
pub fn drawing_tree(polygons: &[Vec<Vec3>]) -> BspTree {
    let mut maker = Maker::new(polygons, Body::Open);
    if polygons.is_empty() {
        maker.nodes.push(BspNode::Leaf(Leaf { index: 0, physics: None }));
    } else {
        maker.drawing(maker.whole());
    }
    BspTree { kind: BspKind::Drawing, nodes: maker.nodes }
}

/// The tree of a room's inside: a chain of planes, each in front of the one before (`docs/collision.md` 5.6.10).
pub fn cell_tree(planes: &[Plane]) -> BspTree {
    let mut nodes = Vec::with_capacity(planes.len());
    for (at, plane) in planes.iter().enumerate() {
        let next = (at + 1 < planes.len()).then_some(at as u32 + 1);
        let tag = if next.is_some() { FRONT } else { LAST };
        nodes.push(BspNode::Plane(PlaneNode { positive: next, ..node(tag, plane, None) }));
    }
    if nodes.is_empty() {
        nodes.push(BspNode::Leaf(Leaf { index: 0, physics: None }));
    }
    BspTree { kind: BspKind::Cell, nodes }
}

fn node(tag: u32, plane: &Plane, sphere: Option<Sphere>) -> PlaneNode {
    PlaneNode {
        tag,
        normal: plane.normal,
        distance: plane.distance,
        positive: None,
        negative: None,
        sphere,
        polygons: Vec::new(),
        portals: Vec::new(),
    }
}

/// What is left of a polygon in a part of space.
#[derive(Clone)]
struct Piece {
    key: u16,
    corners: Vec<Vec3>,
    /// Has its plane cut already?
    is_placed: bool,
}

/// Which side of a plane a piece is on.
enum Side {
    Front,
    Back,
    /// In it, looking where the plane does, or the other way.
    In {
        along: bool,
    },
    Both {
        front: Vec<Vec3>,
        back: Vec<Vec3>,
    },
}

struct Maker<'a> {
    polygons: &'a [Vec<Vec3>],
    planes: Vec<Plane>,
    body: Body,
    leaves: i32,
    nodes: Vec<BspNode>,
}

impl<'a> Maker<'a> {
    fn new(polygons: &'a [Vec<Vec3>], body: Body) -> Self {
        let planes = polygons.iter().map(|corners| Plane::of(corners)).collect();
        Self { polygons, planes, body, leaves: 0, nodes: Vec::new() }
    }

    fn whole(&self) -> Vec<Piece> {
        let pieces = (0..).zip(self.polygons);
        pieces.map(|(key, corners)| Piece { key, corners: corners.clone(), is_placed: false }).collect()
    }

    /// The sphere about whole polygons, also where only pieces of them are left: it is they that are hit.
    fn sphere(&self, pieces: &[Piece]) -> Sphere {
        let corners = pieces.iter().flat_map(|piece| &self.polygons[usize::from(piece.key)]);
        let sphere = bounds(corners.copied());
        let margin = if pieces.is_empty() { 0.0 } else { MARGIN };
        Sphere { radius: sphere.radius + margin, ..sphere }
    }

    fn physics(&mut self, pieces: Vec<Piece>) -> u32 {
        let place = self.nodes.len();
        let sphere = self.sphere(&pieces);
        let Some(cut) = pieces.iter().find(|piece| !piece.is_placed) else {
            self.leaf(&pieces, sphere);
            return place as u32;
        };
        let cut = cut.key;
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for piece in pieces {
            match self.side_of(&piece, cut) {
                Side::Front => front.push(piece),
                Side::Back => back.push(piece),
                // Behind itself, wherever that is.
                Side::In { along } => {
                    let side = if along { &mut back } else { &mut front };
                    side.push(Piece { is_placed: true, ..piece });
                }
                Side::Both { front: before, back: behind } => {
                    front.push(Piece { corners: before, ..piece });
                    back.push(Piece { corners: behind, ..piece });
                }
            }
        }
        let plane = &self.planes[usize::from(cut)];
        self.nodes.push(BspNode::Plane(node(BOTH, plane, Some(sphere))));
        let children = [self.physics(front), self.physics(back)].map(Some);
        self.set_children(place, children);
        place as u32
    }

    fn leaf(&mut self, pieces: &[Piece], sphere: Sphere) {
        let keys: Vec<u16> = pieces.iter().map(|piece| piece.key).collect();
        let solid = i32::from(self.body == Body::Closed && !keys.is_empty());
        self.nodes.push(BspNode::Leaf(Leaf { index: self.leaves, physics: Some((solid, sphere, keys)) }));
        self.leaves += 1;
    }

    fn drawing(&mut self, pieces: Vec<Piece>) -> u32 {
        let place = self.nodes.len();
        let sphere = self.sphere(&pieces);
        let cut = pieces[0].key;
        let (mut front, mut back, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for piece in pieces {
            match self.side_of(&piece, cut) {
                Side::Front => front.push(piece),
                Side::Back => back.push(piece),
                Side::In { .. } => keys.push(piece.key),
                Side::Both { front: before, back: behind } => {
                    front.push(Piece { corners: before, ..piece });
                    back.push(Piece { corners: behind, ..piece });
                }
            }
        }
        let tag = DRAWN[usize::from(!front.is_empty())][usize::from(!back.is_empty())];
        let plane = &self.planes[usize::from(cut)];
        self.nodes.push(BspNode::Plane(PlaneNode { polygons: keys, ..node(tag, plane, Some(sphere)) }));
        let children = [front, back].map(|side| (!side.is_empty()).then(|| self.drawing(side)));
        self.set_children(place, children);
        place as u32
    }

    /// Where a piece is as seen from the plane of the polygon that cuts.
    fn side_of(&self, piece: &Piece, cut: u16) -> Side {
        // Itself it never cuts, be it as warped as it may: every cut is progress.
        if piece.key == cut {
            return Side::In { along: true };
        }
        let plane = &self.planes[usize::from(cut)];
        let heights = || piece.corners.iter().map(|corner| plane.height_of(*corner));
        let highest = heights().fold(f32::NEG_INFINITY, f32::max);
        let lowest = heights().fold(f32::INFINITY, f32::min);
        match (highest > EPS, lowest < -EPS) {
            (true, true) => Side::Both {
                front: clipped(&piece.corners, plane, 1.0),
                back: clipped(&piece.corners, plane, -1.0),
            },
            (true, false) => Side::Front,
            (false, true) => Side::Back,
            (false, false) => {
                Side::In { along: self.planes[usize::from(piece.key)].normal.dot(plane.normal) > 0.0 }
            }
        }
    }

    fn set_children(&mut self, place: usize, [positive, negative]: [Option<u32>; 2]) {
        if let BspNode::Plane(node) = &mut self.nodes[place] {
            (node.positive, node.negative) = (positive, negative);
        }
    }
}

/// What is left of a polygon on one side of a plane: the front with 1, the back with -1.
pub(super) fn clipped(corners: &[Vec3], plane: &Plane, side: f32) -> Vec<Vec3> {
    let mut out = Vec::with_capacity(corners.len() + 1);
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    for (from, to) in before.zip(corners) {
        let (start, end) = (side * plane.height_of(*from), side * plane.height_of(*to));
        if (start < 0.0) != (end < 0.0) {
            out.push(*from + (*to - *from) * (start / (start - end)));
        }
        if end >= 0.0 {
            out.push(*to);
        }
    }
    out
}
