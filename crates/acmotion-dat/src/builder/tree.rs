//! BSP trees that split space at the planes of the polygons themselves.

use acmotion_types::{EPS, Vec3};

use super::{Bounds, MeshKind, Plane};
use crate::objects::{BspKind, BspLeaf, BspNode, BspTree, PlaneNode, Sphere};

/// The tag of a physics node, which has both children.
const BOTH_CHILDREN_TAG: u32 = 0x4250_6E4E; // BPnN
/// The tags of a cell node with a front child, and of the last one in the chain.
const FRONT_CHILD_TAG: u32 = 0x4250_6E6E; // BPnn
const NO_CHILD_TAG: u32 = 0x4270_6E6E; // Bpnn
/// The tags of drawing nodes, indexed by whether there is a front child and whether there is a back child.
const DRAWING_TAGS: [[u32; 2]; 2] = [[0x4270_496E, 0x4270_494E], [0x4250_496E, 0x4250_494E]]; // BpIn BpIN BPIn BPIN

/// The distance in metres by which bounding spheres extend beyond their contents.
const MARGIN: f32 = 0.01;

/// Builds a collision tree. The polygons' keys are their indices.
///
/// Only leaves hold polygons. A polygon goes to the back of its own plane, so a leaf holds the polygons that it lies
/// behind, and a polygon that crosses another plane is listed on both sides. Leaves of a closed mesh that hold
/// polygons are solid. A leaf inside the mesh without polygons would not be solid, as in the original client, which
/// considers only leaves with polygons (`docs/collision.md` 5.6).
pub fn physics_tree(polygons: &[Vec<Vec3>], body: MeshKind) -> BspTree {
    let mut builder = TreeBuilder::new(polygons, body);
    builder.build_physics(builder.whole_polygons());
    BspTree { kind: BspKind::Physics, nodes: builder.nodes }
}

/// Builds a drawing tree: every polygon is in the node of its own plane. The polygons' keys are their indices. A
/// polygon that crosses another plane is listed on both sides, unclipped.
pub fn drawing_tree(polygons: &[Vec<Vec3>]) -> BspTree {
    let mut builder = TreeBuilder::new(polygons, MeshKind::Open);
    if polygons.is_empty() {
        builder.nodes.push(BspNode::Leaf(BspLeaf { index: 0, physics: None }));
    } else {
        builder.build_drawing(builder.whole_polygons());
    }
    BspTree { kind: BspKind::Drawing, nodes: builder.nodes }
}

/// Builds the tree of a room's interior: a chain of planes, each the front child of the previous one
/// (`docs/collision.md` 5.6.10).
pub fn cell_tree(planes: &[Plane]) -> BspTree {
    let mut nodes = Vec::with_capacity(planes.len());
    for (index, plane) in planes.iter().enumerate() {
        let next = (index + 1 < planes.len()).then_some(index as u32 + 1);
        let tag = if next.is_some() { FRONT_CHILD_TAG } else { NO_CHILD_TAG };
        nodes.push(BspNode::Plane(PlaneNode { positive: next, ..node(tag, plane, None) }));
    }
    if nodes.is_empty() {
        nodes.push(BspNode::Leaf(BspLeaf { index: 0, physics: None }));
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

/// The part of a polygon that lies in the space of a node.
#[derive(Clone)]
struct Fragment {
    key: u16,
    corners: Vec<Vec3>,
    /// Whether the polygon's plane has already split space.
    has_cut: bool,
}

/// The side of a plane on which a fragment lies.
enum PlaneSide {
    Front,
    Back,
    /// The fragment lies in the plane and faces along its normal, or against it.
    In {
        along: bool,
    },
    Both {
        front: Vec<Vec3>,
        back: Vec<Vec3>,
    },
}

struct TreeBuilder<'a> {
    polygons: &'a [Vec<Vec3>],
    planes: Vec<Plane>,
    bounds: Vec<Bounds>,
    body: MeshKind,
    leaves: i32,
    nodes: Vec<BspNode>,
}

impl<'a> TreeBuilder<'a> {
    fn new(polygons: &'a [Vec<Vec3>], body: MeshKind) -> Self {
        let planes = polygons.iter().map(|corners| Plane::from_polygon(corners)).collect();
        let bounds = polygons.iter().map(|corners| Bounds::of(corners.iter().copied())).collect();
        Self { polygons, planes, bounds, body, leaves: 0, nodes: Vec::new() }
    }

    fn whole_polygons(&self) -> Vec<Fragment> {
        let fragments = (0..).zip(self.polygons);
        fragments.map(|(key, corners)| Fragment { key, corners: corners.clone(), has_cut: false }).collect()
    }

    /// Returns a sphere around the whole polygons, not just the fragments, because collision tests the whole
    /// polygons.
    fn sphere(&self, fragments: &[Fragment]) -> Sphere {
        let keys = || fragments.iter().map(|fragment| usize::from(fragment.key));
        let bounds = keys().fold(Bounds::EMPTY, |bounds, key| bounds.union(&self.bounds[key]));
        let sphere = bounds.sphere(keys().flat_map(|key| &self.polygons[key]).copied());
        let margin = if fragments.is_empty() { 0.0 } else { MARGIN };
        Sphere { radius: sphere.radius + margin, ..sphere }
    }

    fn build_physics(&mut self, fragments: Vec<Fragment>) -> u32 {
        let index = self.nodes.len();
        let sphere = self.sphere(&fragments);
        let Some(cut) = fragments.iter().find(|fragment| !fragment.has_cut) else {
            self.push_leaf(&fragments, sphere);
            return index as u32;
        };
        let cut = cut.key;
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for fragment in fragments {
            match self.side_of(&fragment, cut) {
                PlaneSide::Front => front.push(fragment),
                PlaneSide::Back => back.push(fragment),
                // A polygon always goes behind its own plane.
                PlaneSide::In { along } => {
                    let side = if along { &mut back } else { &mut front };
                    side.push(Fragment { has_cut: true, ..fragment });
                }
                PlaneSide::Both { front: before, back: behind } => {
                    front.push(Fragment { corners: before, ..fragment });
                    back.push(Fragment { corners: behind, ..fragment });
                }
            }
        }
        let plane = &self.planes[usize::from(cut)];
        self.nodes.push(BspNode::Plane(node(BOTH_CHILDREN_TAG, plane, Some(sphere))));
        let children = [self.build_physics(front), self.build_physics(back)].map(Some);
        self.set_children(index, children);
        index as u32
    }

    fn push_leaf(&mut self, fragments: &[Fragment], sphere: Sphere) {
        let keys: Vec<u16> = fragments.iter().map(|fragment| fragment.key).collect();
        let solid = i32::from(self.body == MeshKind::Closed && !keys.is_empty());
        self.nodes.push(BspNode::Leaf(BspLeaf { index: self.leaves, physics: Some((solid, sphere, keys)) }));
        self.leaves += 1;
    }

    fn build_drawing(&mut self, fragments: Vec<Fragment>) -> u32 {
        let index = self.nodes.len();
        let sphere = self.sphere(&fragments);
        let cut = fragments[0].key;
        let (mut front, mut back, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for fragment in fragments {
            match self.side_of(&fragment, cut) {
                PlaneSide::Front => front.push(fragment),
                PlaneSide::Back => back.push(fragment),
                PlaneSide::In { .. } => keys.push(fragment.key),
                PlaneSide::Both { front: before, back: behind } => {
                    front.push(Fragment { corners: before, ..fragment });
                    back.push(Fragment { corners: behind, ..fragment });
                }
            }
        }
        let tag = DRAWING_TAGS[usize::from(!front.is_empty())][usize::from(!back.is_empty())];
        let plane = &self.planes[usize::from(cut)];
        self.nodes.push(BspNode::Plane(PlaneNode { polygons: keys, ..node(tag, plane, Some(sphere)) }));
        let children = [front, back].map(|side| (!side.is_empty()).then(|| self.build_drawing(side)));
        self.set_children(index, children);
        index as u32
    }

    /// Returns the side of polygon `cut`'s plane on which a fragment lies.
    fn side_of(&self, fragment: &Fragment, cut: u16) -> PlaneSide {
        // A polygon never splits itself, even if it is not flat, so the recursion terminates.
        if fragment.key == cut {
            return PlaneSide::In { along: true };
        }
        let plane = &self.planes[usize::from(cut)];
        let (mut is_in_front, mut is_behind) = (false, false);
        for corner in &fragment.corners {
            let height = plane.signed_distance(*corner);
            is_in_front |= height > EPS;
            is_behind |= height < -EPS;
        }
        match (is_in_front, is_behind) {
            (true, true) => PlaneSide::Both {
                front: clipped(&fragment.corners, plane, 1.0),
                back: clipped(&fragment.corners, plane, -1.0),
            },
            (true, false) => PlaneSide::Front,
            (false, true) => PlaneSide::Back,
            (false, false) => {
                PlaneSide::In { along: self.planes[usize::from(fragment.key)].normal.dot(plane.normal) > 0.0 }
            }
        }
    }

    fn set_children(&mut self, index: usize, [positive, negative]: [Option<u32>; 2]) {
        if let BspNode::Plane(node) = &mut self.nodes[index] {
            (node.positive, node.negative) = (positive, negative);
        }
    }
}

/// Returns the part of a polygon on one side of a plane: the front if `side` is 1, the back if it is -1.
pub(super) fn clipped(corners: &[Vec3], plane: &Plane, side: f32) -> Vec<Vec3> {
    let mut out = Vec::with_capacity(corners.len() + 1);
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    for (from, to) in before.zip(corners) {
        let (start, end) = (side * plane.signed_distance(*from), side * plane.signed_distance(*to));
        if (start < 0.0) != (end < 0.0) {
            out.push(*from + (*to - *from) * (start / (start - end)));
        }
        if end >= 0.0 {
            out.push(*to);
        }
    }
    out
}
