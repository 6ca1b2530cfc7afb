//! The walks over a BSP tree (`docs/collision.md` 5.6).
//!
//! Polygons are visited in the order of the tree, front before back, and the results depend on it.

use acmotion_dat::Sphere;
use acmotion_types::{EPS, Vec3};

use super::solid::{Child, SolidNode, SolidNodeKind};
use super::{PolygonId, Solid};

/// The side of a node's plane that a sphere is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
    Both,
}

/// Returns the side of a sphere whose centre is at a distance from the plane.
#[inline]
fn side(distance: f32, radius: f32) -> Side {
    let reach = radius - EPS;
    if distance >= reach {
        Side::Front
    } else if distance <= -reach {
        Side::Back
    } else {
        Side::Both
    }
}

/// Returns `true` if two spheres overlap; touching does not count.
#[inline]
pub(super) fn reaches(a: &Sphere, b: &Sphere) -> bool {
    let reach = a.radius + b.radius;
    (a.origin - b.origin).length_squared() < reach * reach
}

impl Solid {
    /// Returns `true` if a sphere overlaps the bounding sphere; touching does not count (`docs/collision.md` 5.6.9).
    #[inline]
    pub fn is_reached_by(&self, sphere: &Sphere) -> bool {
        reaches(&self.sphere(), sphere)
    }

    /// Returns `true` if a sphere with this movement hits a polygon that faces it. `struck` is set to the last polygon
    /// that it overlaps, whether that faces it or not.
    #[doc(alias = "sphere_intersects_poly")]
    pub fn intersects_poly(&self, sphere: &Sphere, movement: Vec3, struck: &mut Option<PolygonId>) -> bool {
        self.root().is_some_and(|root| self.poly_at(root, sphere, movement, struck))
    }

    fn poly_at(
        &self,
        node: &SolidNode,
        sphere: &Sphere,
        movement: Vec3,
        struck: &mut Option<PolygonId>,
    ) -> bool {
        if !reaches(&node.sphere, sphere) {
            return false;
        }
        match node.kind {
            SolidNodeKind::Leaf { first, end, .. } => self.listed(first, end).iter().any(|id| {
                let polygon = self.polygon(*id);
                if !polygon.hits_sphere(sphere) {
                    return false;
                }
                *struck = Some(*id);
                polygon.faces(movement)
            }),
            SolidNodeKind::Plane { plane, front, back } => {
                let at = side(plane.distance(sphere.origin), sphere.radius);
                let mut visit =
                    |child| self.child(child).is_some_and(|n| self.poly_at(n, sphere, movement, struck));
                (at != Side::Back && visit(front)) || (at != Side::Front && visit(back))
            }
        }
    }

    /// Returns `true` if a sphere overlaps any polygon or, with `centre_check`, its centre is in a solid leaf.
    #[doc(alias = "sphere_intersects_solid")]
    pub fn intersects_solid(&self, sphere: &Sphere, centre_check: bool) -> bool {
        self.root().is_some_and(|root| self.solid_at(root, sphere, centre_check))
    }

    fn solid_at(&self, node: &SolidNode, sphere: &Sphere, centre_check: bool) -> bool {
        match node.kind {
            SolidNodeKind::Leaf { is_solid, first, end } => {
                let listed = self.listed(first, end);
                if listed.is_empty() {
                    return false;
                }
                (centre_check && is_solid)
                    || reaches(&node.sphere, sphere)
                        && listed.iter().any(|id| self.polygon(*id).hits_sphere(sphere))
            }
            SolidNodeKind::Plane { plane, front, back } => {
                if !reaches(&node.sphere, sphere) {
                    return false;
                }
                let distance = plane.distance(sphere.origin);
                let visit =
                    |child, check| self.child(child).is_some_and(|node| self.solid_at(node, sphere, check));
                match side(distance, sphere.radius) {
                    Side::Front => visit(front, centre_check),
                    Side::Back => visit(back, centre_check),
                    // Only one side contains the centre.
                    Side::Both if distance < 0.0 => visit(front, false) || visit(back, centre_check),
                    Side::Both => visit(front, centre_check) || visit(back, false),
                }
            }
        }
    }

    /// Tests as [`intersects_solid`](Self::intersects_solid) does, for pushing a mover out: sets `search.hit` to the
    /// polygon overlapped, and `search.centre_solid` if the centre is in a solid leaf. At a node whose plane the sphere
    /// straddles, if a polygon is found on the centre's side, the result is whether the centre is in a solid leaf.
    #[doc(alias = "sphere_intersects_solid_poly")]
    pub fn intersects_solid_poly(
        &self,
        sphere: &Sphere,
        radius: f32,
        centre_check: bool,
        search: &mut SolidSearch,
    ) -> bool {
        self.root().is_some_and(|root| self.solid_poly_at(root, sphere, radius, centre_check, search))
    }

    fn solid_poly_at(
        &self,
        node: &SolidNode,
        sphere: &Sphere,
        radius: f32,
        centre_check: bool,
        search: &mut SolidSearch,
    ) -> bool {
        match node.kind {
            SolidNodeKind::Leaf { is_solid, first, end } => {
                let listed = self.listed(first, end);
                if listed.is_empty() {
                    return false;
                }
                if centre_check && is_solid {
                    search.centre_solid = true;
                }
                let touched = |id: &&PolygonId| self.polygon(**id).hits_sphere(sphere);
                let hit = if reaches(&node.sphere, sphere) { listed.iter().find(touched) } else { None };
                search.hit = hit.copied().or(search.hit);
                hit.is_some() || search.centre_solid
            }
            SolidNodeKind::Plane { plane, front, back } => {
                if !reaches(&node.sphere, sphere) {
                    return false;
                }
                let distance = plane.distance(sphere.origin);
                let visit = |child, check, search: &mut SolidSearch| {
                    self.child(child)
                        .is_some_and(|node| self.solid_poly_at(node, sphere, radius, check, search))
                };
                let (own, other) = match side(distance, radius) {
                    Side::Front => return visit(front, centre_check, search),
                    Side::Back => return visit(back, centre_check, search),
                    Side::Both if distance < 0.0 => (back, front),
                    Side::Both => (front, back),
                };
                visit(own, centre_check, search);
                if search.hit.is_some() { search.centre_solid } else { visit(other, false, search) }
            }
        }
    }

    /// Returns `true` if a polygon flat enough to stand on overlaps a sphere and supports one of half its radius.
    pub fn hits_walkable(&self, sphere: &Sphere, up: Vec3, allowance: f32) -> bool {
        self.root().is_some_and(|root| self.walkable_at(root, sphere, up, allowance))
    }

    fn walkable_at(&self, node: &SolidNode, sphere: &Sphere, up: Vec3, allowance: f32) -> bool {
        if !reaches(&node.sphere, sphere) {
            return false;
        }
        match node.kind {
            SolidNodeKind::Leaf { first, end, .. } => self.listed(first, end).iter().any(|id| {
                let polygon = self.polygon(*id);
                polygon.walkable_hits_sphere(sphere, up, allowance) && polygon.supports_small(sphere, up)
            }),
            SolidNodeKind::Plane { plane, front, back } => {
                let at = side(plane.distance(sphere.origin), sphere.radius);
                let visit =
                    |child| self.child(child).is_some_and(|n| self.walkable_at(n, sphere, up, allowance));
                (at != Side::Back && visit(front)) || (at != Side::Front && visit(back))
            }
        }
    }

    /// Moves a sphere back against `movement` onto each polygon that it overlaps and that is flat enough to stand on,
    /// one after the other, as far as the step parameter `interp` allows. Returns the last of them.
    pub fn find_walkable(
        &self,
        sphere: &mut Sphere,
        interp: &mut f32,
        movement: Vec3,
        up: Vec3,
        allowance: f32,
    ) -> Option<PolygonId> {
        let mut search = WalkableSearch { sphere, interp, movement, up, allowance, found: None };
        self.find_walkable_at(self.root()?, &mut search);
        search.found
    }

    fn find_walkable_at(&self, node: &SolidNode, search: &mut WalkableSearch<'_>) {
        if !reaches(&node.sphere, search.sphere) {
            return;
        }
        match node.kind {
            SolidNodeKind::Leaf { first, end, .. } => {
                self.listed(first, end).iter().for_each(|id| search.visit(self, *id));
            }
            SolidNodeKind::Plane { plane, front, back } => {
                let at = side(plane.distance(search.sphere.origin), search.sphere.radius);
                if let (Some(node), true) = (self.child(front), at != Side::Back) {
                    self.find_walkable_at(node, search);
                }
                if let (Some(node), true) = (self.child(back), at != Side::Front) {
                    self.find_walkable_at(node, search);
                }
            }
        }
    }

    /// Returns `true` if a point is in a leaf that has polygons.
    pub fn point_intersects_solid(&self, point: Vec3) -> bool {
        let mut node = self.root();
        while let Some(here) = node {
            match here.kind {
                SolidNodeKind::Leaf { first, end, .. } => return first != end,
                SolidNodeKind::Plane { plane, front, back } => {
                    node = self.child(if plane.distance(point) < 0.0 { back } else { front });
                }
            }
        }
        false
    }

    #[inline]
    fn root(&self) -> Option<&SolidNode> {
        self.nodes.first()
    }

    #[inline]
    fn child(&self, child: Child) -> Option<&SolidNode> {
        self.nodes.get(child?.get() as usize)
    }

    #[inline]
    fn listed(&self, first: u32, end: u32) -> &[PolygonId] {
        &self.listed[first as usize..end as usize]
    }
}

/// The state of a search for something to push a mover out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolidSearch {
    /// The polygon overlapped. If it is set, the far side of a plane is not searched.
    pub hit: Option<PolygonId>,
    /// Whether the centre is in a solid leaf.
    pub centre_solid: bool,
}

/// A search for walkable polygons, and the sphere that is moved onto them.
struct WalkableSearch<'a> {
    sphere: &'a mut Sphere,
    interp: &'a mut f32,
    movement: Vec3,
    up: Vec3,
    allowance: f32,
    found: Option<PolygonId>,
}

impl WalkableSearch<'_> {
    fn visit(&mut self, solid: &Solid, id: PolygonId) {
        let polygon = solid.polygon(id);
        if polygon.walkable_hits_sphere(self.sphere, self.up, self.allowance)
            && polygon.adjust_sphere_to_plane(self.sphere, self.interp, self.movement)
        {
            self.found = Some(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_reach_each_other_if_they_overlap() {
        let ball = |x: f32, radius: f32| Sphere { origin: Vec3::new(x, 0.0, 0.0), radius };
        let reaches = |x: f32| reaches(&ball(0.0, 0.5), &ball(x, 0.25));
        assert!(reaches(0.0) && reaches(0.74) && reaches(-0.74));
        assert!(!reaches(0.75), "they touch");
        assert!(!reaches(0.76) && !reaches(-0.76) && !reaches(9.0));
    }
}
