//! The tests of a single polygon (`docs/collision.md` 5.5).

use acmotion_dat::Sphere;
use acmotion_types::{EPS, Vec3};

use crate::collide::Plane;

/// The minimum of the step parameter on polygons (`docs/collision.md` 4.3).
#[doc(alias = "WALK_FLOOR_POLY")]
const MIN_WALK_INTERP: f32 = -0.5;

/// A planar polygon whose corners are counter-clockwise seen from the front, borrowed from a [`Solid`](super::Solid).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CPolygon")]
pub struct Polygon<'a> {
    /// The plane. Its normal points to the front.
    pub plane: Plane,
    /// The corners, in order.
    pub corners: &'a [Vec3],
    /// Whether rays pass through it from behind.
    #[doc(alias = "sides_type")]
    pub is_one_sided: bool,
}

/// Returns the plane through the corners of a polygon; `None` if they have no area (`docs/collision.md` 5.5.1).
#[doc(alias = "make_plane")]
pub fn plane_through(corners: &[Vec3]) -> Option<Plane> {
    let (first, rest) = corners.split_first()?;
    let mut sum = Vec3::ZERO;
    for pair in rest.windows(2) {
        sum += (pair[0] - *first).cross(pair[1] - *first);
    }
    let length = sum.length();
    if !(length.is_normal() && sum.is_finite()) {
        return None;
    }
    let normal = sum * (1.0 / length);
    let mean = corners.iter().map(|corner| normal.dot(*corner)).sum::<f32>() / corners.len() as f32;
    let plane = Plane::new(normal, -mean);
    (normal.is_finite() && mean.is_finite()).then_some(plane)
}

/// An edge of a polygon.
struct Edge {
    from: Vec3,
    /// From its start to its end.
    along: Vec3,
    /// A vector in the plane that points to the inside, as long as the edge.
    inward: Vec3,
}

impl Edge {
    /// Returns how far inside of the edge a point lies, times the length of `inward`.
    #[inline]
    fn depth(&self, point: Vec3) -> f32 {
        (point - self.from).dot(self.inward)
    }

    /// Returns `true` if a point lies beside the edge, not beyond one of its ends.
    #[inline]
    fn is_beside(&self, point: Vec3) -> bool {
        let t = (point - self.from).dot(self.along);
        t >= 0.0 && t <= self.along.length_squared()
    }
}

impl<'a> Polygon<'a> {
    /// Iterates over the edges, starting with the one that ends at the first corner.
    #[inline]
    fn edges(&self) -> impl Iterator<Item = Edge> + use<'a> {
        let normal = self.plane.normal;
        let mut from = self.corners.last().copied().unwrap_or(Vec3::ZERO);
        self.corners.iter().map(move |to| {
            let along = *to - from;
            let edge = Edge { from, along, inward: normal.cross(along) };
            from = *to;
            edge
        })
    }

    /// Returns `true` if a sphere overlaps the polygon (`docs/collision.md` 5.5.2).
    #[doc(alias = "polygon_hits_sphere_slow_but_sure")]
    #[inline]
    pub fn hits_sphere(&self, sphere: &Sphere) -> bool {
        let distance = self.plane.distance(sphere.origin);
        let reach = sphere.radius - EPS;
        if distance.abs() > reach {
            return false;
        }
        let foot = sphere.origin - self.plane.normal * distance;
        self.contains(foot) || self.edge_within(foot, reach * reach - distance * distance)
    }

    /// Returns `true` if a point of the plane outside of the polygon is within the square root of `square` of an edge or a
    /// corner.
    fn edge_within(&self, foot: Vec3, square: f32) -> bool {
        for edge in self.edges() {
            let depth = edge.depth(foot);
            if depth < 0.0 {
                if edge.inward.length_squared() * square < depth * depth {
                    return false;
                }
                if edge.is_beside(foot) {
                    return true;
                }
            }
            if (foot - edge.from).length_squared() <= square {
                return true;
            }
        }
        false
    }

    /// Returns `true` if the polygon faces a sphere with this movement. Moving along it counts as not facing
    /// (`docs/collision.md` 5.5.3).
    #[inline]
    pub fn faces(&self, movement: Vec3) -> bool {
        self.plane.normal.dot(movement) < 0.0
    }

    /// Returns `true` if a sphere overlaps the polygon and it is flat enough to stand on (`docs/collision.md` 5.5.4).
    #[inline]
    pub fn walkable_hits_sphere(&self, sphere: &Sphere, up: Vec3, allowance: f32) -> bool {
        up.dot(self.plane.normal) > allowance && self.hits_sphere(sphere)
    }

    /// Returns a point dropped along `up` onto the plane; `None` if the plane is parallel to `up`.
    fn drop_onto_plane(&self, centre: Vec3, up: Vec3) -> Option<Vec3> {
        let along = self.plane.normal.dot(up);
        (along.abs() >= EPS).then(|| centre - up * (self.plane.distance(centre) / along))
    }

    /// Returns `true` if the polygon supports a sphere: its centre, dropped along `up`, is within a radius of the polygon
    /// (`docs/collision.md` 5.5.5).
    #[doc(alias = "check_walkable")]
    pub fn supports(&self, sphere: &Sphere, up: Vec3) -> bool {
        self.supports_within(sphere.origin, sphere.radius * sphere.radius, up)
    }

    /// Returns `true` if the polygon supports a sphere of half the radius (`docs/collision.md` 5.5.5).
    #[doc(alias = "check_small_walkable")]
    pub fn supports_small(&self, sphere: &Sphere, up: Vec3) -> bool {
        self.supports_within(sphere.origin, sphere.radius * sphere.radius * 0.25, up)
    }

    fn supports_within(&self, centre: Vec3, square: f32, up: Vec3) -> bool {
        let Some(foot) = self.drop_onto_plane(centre, up) else { return false };
        let mut is_inside = true;
        for edge in self.edges() {
            let depth = edge.depth(foot);
            if depth < 0.0 {
                if edge.inward.length_squared() * square < depth * depth {
                    return false;
                }
                if edge.is_beside(foot) {
                    return true;
                }
                is_inside = false;
            }
            if (foot - edge.from).length_squared() <= square {
                return true;
            }
        }
        is_inside
    }

    /// Returns the inward normal of the first edge that a sphere's centre, dropped along `up`, lies beyond; `None` if
    /// there is none (`docs/collision.md` 5.5.6).
    #[doc(alias = "find_crossed_edge")]
    pub fn crossed_edge(&self, centre: Vec3, up: Vec3) -> Option<Vec3> {
        let foot = self.drop_onto_plane(centre, up)?;
        let edge = self.edges().find(|edge| edge.depth(foot) < 0.0)?;
        let length = edge.inward.length();
        Some(edge.inward * (1.0 / length))
    }

    /// Moves a sphere back against `movement` until it touches the plane, and reduces the step parameter `interp` to match.
    /// Returns `false`, and changes nothing, if that is not possible (`docs/collision.md` 5.5.7).
    pub fn adjust_sphere_to_plane(&self, sphere: &mut Sphere, interp: &mut f32, movement: Vec3) -> bool {
        let distance = self.plane.distance(sphere.origin);
        let along = self.plane.normal.dot(movement);
        let t = if along > EPS {
            (-sphere.radius - distance) / along
        } else if along < -EPS {
            (distance - sphere.radius) / along
        } else {
            return false;
        };
        let shrunk = (1.0 - t) * *interp;
        if !(shrunk < *interp && shrunk >= MIN_WALK_INTERP) {
            return false;
        }
        sphere.origin -= movement * t;
        *interp = shrunk;
        true
    }

    /// Returns the time, as a fraction of `movement`, at which a sphere that starts at `start` touches the plane: 1 if it
    /// touches it already, 0 if it moves along it (`docs/collision.md` 5.5.8).
    #[doc(alias = "adjust_sphere_to_poly")]
    pub fn touch_time(&self, radius: f32, start: Vec3, movement: Vec3) -> f32 {
        let distance = self.plane.distance(start);
        if distance.abs() < radius {
            return 1.0;
        }
        let along = self.plane.normal.dot(movement);
        if along.abs() < EPS {
            return 0.0;
        }
        let reach = if distance > 0.0 { radius } else { -radius };
        (reach - distance) / along
    }

    /// Returns the offset by which both spheres have to be pushed so that the one at `centre` is free of the polygon
    /// (`docs/collision.md` 5.5.9).
    #[doc(alias = "adjust_to_placement_poly")]
    pub fn placement_push(&self, centre: Vec3, radius: f32, centre_solid: bool, solid_check: bool) -> Vec3 {
        let distance = self.plane.distance(centre);
        let mut reach = radius;
        if solid_check && centre_solid {
            reach = -reach;
        }
        if solid_check && distance <= 0.0 {
            reach = -reach;
        }
        self.plane.normal * (reach - distance)
    }

    /// Returns `true` if a point of the plane is in the polygon or on an edge (`docs/collision.md` 5.5.10).
    #[doc(alias = "point_in_polygon")]
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        self.edges().all(|edge| edge.depth(point) >= 0.0)
    }

    /// Returns `true` if a point of the plane is in the polygon or within a margin of an edge, which is taken as endless.
    #[inline]
    pub(super) fn contains_within(&self, point: Vec3, margin: f32) -> bool {
        self.edges().all(|edge| {
            let depth = edge.depth(point);
            depth >= 0.0 || depth * depth <= margin * margin * edge.inward.length_squared()
        })
    }

    /// Returns the time, in lengths of `direction`, at which a ray hits the polygon; `None` if it misses
    /// (`docs/collision.md` 5.5.11).
    #[doc(alias = "polygon_hits_ray")]
    pub fn ray_time(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        let along = self.plane.normal.dot(direction);
        if (self.is_one_sided && along > 0.0) || along.abs() < EPS {
            return None;
        }
        let time = -self.plane.distance(from) / along;
        (time >= 0.0 && self.contains(from + direction * time)).then_some(time)
    }

    /// Returns `true` if a point is in the polygon or on an edge by x and y alone, seen from the front or from behind
    /// (`docs/collision.md` 5.5.12).
    #[doc(alias = "point_in_poly2D")]
    pub fn contains_flat(&self, point: Vec3, from_front: bool) -> bool {
        let sign = if from_front { 1.0 } else { -1.0 };
        self.edges().all(|Edge { from, along, .. }| {
            let at_origin = along.y * from.x - along.x * from.y;
            (along.x * point.y + at_origin - along.y * point.x) * sign >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5.5.1: there is no plane if the numbers do not suffice for its normal or its distance.
    #[test]
    fn corners_that_are_too_far_apart_or_too_far_away_have_no_plane() {
        let triangle = |at: [f32; 3], side: f32| {
            let at = Vec3::from(at);
            plane_through(&[at, at + Vec3::new(0.0, side, 0.0), at + Vec3::new(0.0, 0.0, side)])
        };
        assert_eq!(triangle([5.0, 0.0, 0.0], 1.0), Some(Plane::new(Vec3::new(1.0, 0.0, 0.0), -5.0)));
        assert_eq!(triangle([5.0, 0.0, 0.0], 0.0), None, "no area");
        // Its area is 5e23 m², whose square is more than a number can hold.
        assert_eq!(triangle([5.0, 0.0, 0.0], 1e12), None, "too large");
        // So is the sum of three such coordinates.
        assert_eq!(triangle([3e38, 0.0, 0.0], 1.0), None, "too far away");
    }

    /// The margin is in metres, however long the edges are.
    #[test]
    fn a_point_is_within_a_margin_of_the_edges() {
        let plane = Plane::new(Vec3::new(0.0, 0.0, 1.0), 0.0);
        for side in [0.5, 2.0] {
            let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
            let corners = corners.map(|[x, y]| Vec3::new(x, y, 0.0));
            let square = Polygon { plane, corners: &corners, is_one_sided: true };
            let has = |beyond: f32| square.contains_within(Vec3::new(side + beyond, 0.25, 0.0), 0.1);
            assert!(has(-0.01) && has(0.09), "{side}");
            assert!(!has(0.11) && !has(0.9), "{side}");
        }
    }
}
