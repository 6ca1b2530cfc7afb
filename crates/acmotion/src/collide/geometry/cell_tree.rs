//! The BSP tree that bounds the inside of a room (`docs/collision.md` 5.6.10).

use acmotion_dat::{BspNode, BspTree, Sphere};
use acmotion_types::{EPS, Vec3};

use crate::collide::Plane;

/// The length added to the radius of a sphere, in metres.
#[doc(alias = "CELL_PAD")]
const PAD: f32 = 0.01;

/// How much of a sphere is inside of a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "BoundingType")]
pub enum Containment {
    /// No part of it.
    Outside,
    /// Some of it, or all but too close to a plane to be certain.
    Partially,
    /// All of it.
    Entirely,
}

/// The inside of a room: the space in front of all its planes.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "cell_bsp")]
pub struct CellTree {
    planes: Box<[Plane]>,
}

impl CellTree {
    /// Creates a tree from the planes that bound the inside, the root first.
    pub fn new(planes: impl Into<Box<[Plane]>>) -> Self {
        Self { planes: planes.into() }
    }

    /// Builds the tree from a BSP tree of a dat file. Only the chain of front children counts.
    pub fn from_bsp(tree: &BspTree) -> Self {
        let mut planes = Vec::new();
        let mut next = Some(0);
        // A chain cannot be longer than the list of nodes unless it loops.
        while let Some(BspNode::Plane(node)) = next.and_then(|index: u32| tree.nodes.get(index as usize)) {
            if planes.len() == tree.nodes.len() {
                break;
            }
            planes.push(Plane::new(node.normal, node.distance));
            next = node.positive;
        }
        Self::new(planes)
    }

    /// Returns the planes, the root first.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Returns `true` if a point is inside, given in the room's axes.
    #[doc(alias = "point_inside_cell_bsp")]
    pub fn contains(&self, point: Vec3) -> bool {
        self.planes.iter().all(|plane| plane.distance(point) >= -EPS)
    }

    /// Returns how much of a sphere is inside.
    #[doc(alias = "sphere_intersects_cell_bsp")]
    pub fn sphere_containment(&self, sphere: &Sphere) -> Containment {
        let reach = sphere.radius + PAD;
        let mut containment = Containment::Entirely;
        for plane in &self.planes {
            let distance = plane.distance(sphere.origin);
            // A sphere at NaN is outside.
            if distance <= -reach || distance.is_nan() {
                return Containment::Outside;
            }
            if distance < reach {
                containment = Containment::Partially;
            }
        }
        containment
    }

    /// Returns `true` if any part of a sphere is inside.
    #[inline]
    pub fn intersects_sphere(&self, sphere: &Sphere) -> bool {
        self.sphere_containment(sphere) != Containment::Outside
    }

    /// Returns `false` if all corners of a box are behind one of the planes, so that it is certainly outside.
    #[doc(alias = "box_intersects_cell_bsp")]
    pub fn intersects_box(&self, corners: &[Vec3; 8]) -> bool {
        self.planes.iter().all(|plane| corners.iter().any(|corner| plane.distance(*corner) >= -EPS))
    }
}
