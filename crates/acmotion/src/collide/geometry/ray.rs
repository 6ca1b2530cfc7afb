//! Lines against polygons and solids. Not a rule of the original: its rays ([`Polygon::ray_time`]) pass through some
//! polygons from behind, while a line of sight is the same in both directions.

use acmotion_types::{EPS, Vec3};

use super::solid::{Child, SolidNode, SolidNodeKind};
use super::{Polygon, PolygonId, Solid};

/// A line from one point to another. Its points are numbered from 0, the start, to 1, the end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::collide) struct Line {
    /// The start.
    pub(in crate::collide) from: Vec3,
    /// From the start to the end.
    pub(in crate::collide) along: Vec3,
}

impl Line {
    /// Returns the point at a share of the line.
    #[inline]
    pub(in crate::collide) fn at(&self, share: f32) -> Vec3 {
        self.from + self.along * share
    }

    /// Returns the same line in axes whose origin is at an offset.
    #[inline]
    pub(in crate::collide) fn shifted(&self, offset: Vec3) -> Self {
        Self { from: self.from - offset, along: self.along }
    }

    /// Returns `true` if no point of the line can be within a distance of a point.
    #[inline]
    pub(in crate::collide) fn misses(&self, centre: Vec3, distance: f32) -> bool {
        let square = self.along.length_squared();
        let to_centre = centre - self.from;
        let nearest = if square > 0.0 { (to_centre.dot(self.along) / square).clamp(0.0, 1.0) } else { 0.0 };
        (to_centre - self.along * nearest).length_squared() > distance * distance
    }
}

/// Which part of a line counts: from one share of it to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::collide) struct Span {
    /// The first share.
    pub(in crate::collide) from: f32,
    /// The last share.
    pub(in crate::collide) to: f32,
}

impl Span {
    /// Returns `true` if a share is in the span. NaN is not.
    #[inline]
    pub(in crate::collide) fn contains(&self, share: f32) -> bool {
        share >= self.from && share <= self.to
    }
}

impl Polygon<'_> {
    /// Returns the share of a line at which it meets the polygon, from either side; `None` if it misses. Edges are moved
    /// outwards by [`EPS`], so that no line passes between polygons that share an edge.
    pub(in crate::collide) fn line_share(&self, line: &Line) -> Option<f32> {
        let along = self.plane.normal.dot(line.along);
        let share = -self.plane.distance(line.from) / along;
        (share.is_finite() && self.contains_within(line.at(share), EPS)).then_some(share)
    }
}

impl Solid {
    /// Returns the first polygon that a line meets within a span, from either side, and the share of the line there.
    /// Polygons for which `counts` returns `false` are left out.
    pub(in crate::collide) fn first_on_line(
        &self,
        line: &Line,
        span: Span,
        counts: &dyn Fn(&Polygon<'_>) -> bool,
    ) -> Option<(f32, PolygonId)> {
        let mut search = LineSearch { solid: self, line: *line, span, counts, found: None };
        search.visit(self.nodes.first()?);
        search.found
    }
}

/// A search for the first polygon on a line. The span ends at the nearest one found so far.
struct LineSearch<'a> {
    solid: &'a Solid,
    line: Line,
    span: Span,
    counts: &'a dyn Fn(&Polygon<'_>) -> bool,
    found: Option<(f32, PolygonId)>,
}

impl<'a> LineSearch<'a> {
    fn visit(&mut self, node: &SolidNode) {
        let reach = node.sphere.radius + MARGIN;
        if self.line.misses(node.sphere.origin, reach) {
            return;
        }
        match node.kind {
            SolidNodeKind::Leaf { first, end, .. } => {
                for id in &self.solid.listed[first as usize..end as usize] {
                    self.test(*id);
                }
            }
            SolidNodeKind::Plane { plane, front, back } => {
                let start = plane.distance(self.line.at(self.span.from));
                let end = plane.distance(self.line.at(self.span.to));
                let (is_in_front, is_behind) = (start.max(end) >= -MARGIN, start.min(end) <= MARGIN);
                // The side of the start first: what is found there shortens the span.
                let order = [(front, is_in_front), (back, is_behind)];
                let order = if start >= 0.0 { order } else { [order[1], order[0]] };
                for (child, is_reached) in order {
                    if let Some(child) = self.child(child).filter(|_| is_reached) {
                        self.visit(child);
                    }
                }
            }
        }
    }

    fn child(&self, child: Child) -> Option<&'a SolidNode> {
        self.solid.nodes.get(child?.get() as usize)
    }

    fn test(&mut self, id: PolygonId) {
        let polygon = self.solid.polygon(id);
        let Some(share) = polygon.line_share(&self.line).filter(|share| self.span.contains(*share)) else {
            return;
        };
        if (self.counts)(&polygon) {
            self.span.to = share;
            self.found = Some((share, id));
        }
    }
}

/// The margin around spheres and planes of the tree, in metres: more than rounding and [`EPS`] can shift a line.
const MARGIN: f32 = 0.01;

#[cfg(test)]
mod tests {
    use acmotion_dat::DataId;
    use acmotion_dat::builder::{self, MeshFace, MeshKind};

    use super::*;

    #[test]
    fn a_line_misses_what_it_does_not_come_near() {
        let line = Line { from: Vec3::new(1.0, 0.0, 0.0), along: Vec3::new(4.0, 0.0, 0.0) };
        let misses = |x: f32, y: f32| line.misses(Vec3::new(x, y, 0.0), 1.0);
        assert!(!misses(3.0, 0.9) && misses(3.0, 1.1));
        assert!(!misses(0.1, 0.0) && misses(-0.1, 0.0), "before its start");
        assert!(!misses(5.9, 0.0) && misses(6.1, 0.0), "beyond its end");
        let point = Line { along: Vec3::ZERO, ..line };
        assert!(!point.misses(Vec3::new(1.9, 0.0, 0.0), 1.0) && point.misses(Vec3::new(2.1, 0.0, 0.0), 1.0));
    }

    /// Upright squares across the x axis, and a tree of one plane at x = 2: the first square is in front of it, the others
    /// behind.
    fn split_at_two(squares: &[f32]) -> Solid {
        let square = |x: f32| {
            let corners = [[x, -1.0, -1.0], [x, -1.0, 1.0], [x, 1.0, 1.0], [x, 1.0, -1.0]];
            MeshFace::new(DataId(0x0800_0001), corners.map(Vec3::from))
        };
        let faces: Vec<_> = squares.iter().copied().map(square).collect();
        let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Open);
        let solid = Solid::from_gfx_obj(&mesh).expect("the mesh is valid");
        let sphere = acmotion_dat::Sphere { origin: Vec3::new(2.0, 0.0, 0.0), radius: 5.0 };
        let leaf = |first, end| SolidNodeKind::Leaf { is_solid: false, first, end };
        let plane = crate::collide::Plane::new(Vec3::new(1.0, 0.0, 0.0), -2.0);
        let [front, back] = [1, 2].map(std::num::NonZeroU32::new);
        let kinds = [SolidNodeKind::Plane { plane, front, back }, leaf(0, 1), leaf(1, squares.len() as u32)];
        let nodes = kinds.map(|kind| SolidNode { sphere, kind });
        let listed = (0..squares.len() as u32).map(PolygonId).collect();
        Solid { nodes: nodes.into(), listed, ..solid }
    }

    /// A line parallel to the x axis.
    fn along_x(from: f32, to: f32, [y, z]: [f32; 2]) -> Line {
        Line { from: Vec3::new(from, y, z), along: Vec3::new(to - from, 0.0, 0.0) }
    }

    const WHOLE: Span = Span { from: 0.0, to: 1.0 };

    /// What is found on the side of the start shortens the line, so that nothing on the other side is looked at.
    #[test]
    fn the_side_of_a_plane_that_a_line_starts_on_is_searched_first() {
        let solid = split_at_two(&[3.0, 1.0]);
        let asked = |line: &Line| {
            let asked = std::cell::RefCell::new(Vec::new());
            let found = solid.first_on_line(line, WHOLE, &|polygon| {
                asked.borrow_mut().push(polygon.corners[0].x);
                true
            });
            (found, asked.into_inner())
        };
        assert_eq!(asked(&along_x(0.0, 4.0, [0.0; 2])), (Some((0.25, PolygonId(1))), vec![1.0]));
        assert_eq!(asked(&along_x(4.0, 0.0, [0.0; 2])), (Some((0.25, PolygonId(0))), vec![3.0]));
    }

    /// A square in the plane of the tree is found by a line that ends a little beyond it.
    #[test]
    fn a_line_that_ends_next_to_a_plane_reaches_both_sides_of_it() {
        let solid = split_at_two(&[2.0]);
        for (from, to) in [(0.0, 2.005), (4.0, 1.995)] {
            let found = solid.first_on_line(&along_x(from, to, [0.0; 2]), WHOLE, &|_| true);
            assert!(found.is_some(), "from {from}");
        }
    }

    /// The sphere around a square goes through its corners.
    #[test]
    fn a_line_through_the_corner_of_a_square_meets_it() {
        let mut solid = split_at_two(&[2.0]);
        solid.nodes[0].sphere.radius = std::f32::consts::SQRT_2;
        let meets = |at: [f32; 2]| solid.first_on_line(&along_x(0.0, 4.0, at), WHOLE, &|_| true).is_some();
        assert!(meets([0.0, 0.0]) && meets([0.996, 0.996]) && meets([-0.996, 0.996]));
        assert!(!meets([1.01, 1.01]));
    }

    /// Some boxes in disorder, and lines through them.
    #[test]
    fn the_first_polygon_on_a_line_is_that_of_a_search_over_all() {
        let mut seed = 1u32;
        let mut next = |low: f32, high: f32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            low + (high - low) * (seed >> 8) as f32 / (1 << 24) as f32
        };
        let mut faces = Vec::new();
        for _ in 0..20 {
            let low = Vec3::new(next(-5.0, 4.0), next(-5.0, 4.0), next(-5.0, 4.0));
            let size = Vec3::new(next(0.5, 4.0), next(0.5, 4.0), next(0.5, 4.0));
            faces.extend(MeshFace::cuboid(DataId(0x0800_0001), low, low + size));
        }
        let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Open);
        let solid = Solid::from_gfx_obj(&mesh).expect("the mesh is valid");
        let (mut hits, mut clear) = (0, 0);
        for number in 0..600 {
            let from = Vec3::new(next(-7.0, 7.0), next(-7.0, 7.0), next(-7.0, 7.0));
            let to = Vec3::new(next(-7.0, 7.0), next(-7.0, 7.0), next(-7.0, 7.0));
            let line = Line { from, along: to - from };
            let span =
                if number % 3 == 0 { Span { from: 0.3, to: 0.7 } } else { Span { from: 0.0, to: 1.0 } };
            let counts = |polygon: &Polygon<'_>| number % 2 == 0 || polygon.plane.normal.z > 0.5;
            let shares = (0..solid.polygon_count() as u32).filter_map(|id| {
                let polygon = solid.polygon(PolygonId(id));
                polygon.line_share(&line).filter(|share| span.contains(*share) && counts(&polygon))
            });
            let expected = shares.reduce(f32::min);
            let found = solid.first_on_line(&line, span, &counts);
            assert_eq!(found.map(|(share, _)| share), expected, "{line:?}");
            if let Some((share, id)) = found {
                assert_eq!(solid.polygon(id).line_share(&line), Some(share));
            }
            *(if expected.is_some() { &mut hits } else { &mut clear }) += 1;
        }
        assert!(hits > 100 && clear > 100, "{hits} hits, {clear} clear");
    }
}
