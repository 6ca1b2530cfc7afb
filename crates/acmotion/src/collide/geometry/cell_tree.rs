//! The inside of a room: planes that it is in front of (`docs/collision.md` 5.6.10).

use acmotion_dat::{BspNode, BspTree, Sphere};
use acmotion_types::{EPS, Vec3};

use crate::collide::Plane;

/// How much larger a sphere counts against the inside of a room.
#[doc(alias = "CELL_PAD")]
const PAD: f32 = 0.01;

/// How much of a sphere is inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "BoundingType")]
pub enum Inside {
    /// Nothing.
    Outside,
    /// Some, or all but not with certainty.
    Partially,
    /// All.
    Entirely,
}

/// The inside of a room: what is in front of all its planes.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "cell_bsp")]
pub struct CellTree {
    planes: Box<[Plane]>,
}

impl CellTree {
    /// What is in front of all these planes, the tree's root first.
    pub fn new(planes: impl Into<Box<[Plane]>>) -> Self {
        Self { planes: planes.into() }
    }

    /// From a tree of a dat file. Only the way from front child to front child counts.
    pub fn of_tree(tree: &BspTree) -> Self {
        let mut planes = Vec::new();
        let mut next = Some(0);
        // A way that comes back to a node would never end; no sound one is longer than the list.
        while let Some(BspNode::Plane(node)) = next.and_then(|place: u32| tree.nodes.get(place as usize)) {
            if planes.len() == tree.nodes.len() {
                break;
            }
            planes.push(Plane::new(node.normal, node.distance));
            next = node.positive;
        }
        Self::new(planes)
    }

    /// Its planes, the tree's root first.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Is a point inside, in the room's axes?
    #[doc(alias = "point_inside_cell_bsp")]
    pub fn contains(&self, point: Vec3) -> bool {
        self.planes.iter().all(|plane| plane.distance(point) >= -EPS)
    }

    /// How much of a sphere is inside.
    #[doc(alias = "sphere_intersects_cell_bsp")]
    pub fn sphere_inside(&self, sphere: &Sphere) -> Inside {
        let reach = sphere.radius + PAD;
        let mut inside = Inside::Entirely;
        for plane in &self.planes {
            let distance = plane.distance(sphere.origin);
            // What is nowhere is outside.
            if distance <= -reach || distance.is_nan() {
                return Inside::Outside;
            }
            if distance < reach {
                inside = Inside::Partially;
            }
        }
        inside
    }

    /// Is some of a sphere inside?
    #[inline]
    pub fn meets(&self, sphere: &Sphere) -> bool {
        self.sphere_inside(sphere) != Inside::Outside
    }

    /// May some of a box be inside? It is not if all its corners are behind one of the planes.
    #[doc(alias = "box_intersects_cell_bsp")]
    pub fn meets_box(&self, corners: &[Vec3; 8]) -> bool {
        self.planes.iter().all(|plane| corners.iter().any(|corner| plane.distance(*corner) >= -EPS))
    }
}
