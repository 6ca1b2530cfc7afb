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
