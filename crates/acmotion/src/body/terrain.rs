//! One plane of ground without end, at any slope: enough world for open land, for tests, and for bodies whose terrain is
//! not at hand.

mod path;
mod steps;
mod stride;

use acmotion_types::{CellId, CellPosition, EPS, Guid, Vec3};

use super::surroundings::settled;
use super::{Arrival, Contact, Mover, PlacementError, Plane, Surroundings, SweepResult};
use crate::collide::{Obstacles, Touch};
use path::Path;

/// Ground without end: a plane that a body stands on with the lowest point of its foot sphere, as it does on the
/// original's terrain (`docs/collision.md` 5.1), with the original's sweep reduced to what one plane needs. It knows nothing of
/// obstacles: bodies pass through them.
///
/// ```
/// use acmotion::body::{InfinitePlane, Surroundings};
/// use acmotion::types::{CellId, CellPosition, Vec3};
///
/// let ground = InfinitePlane::level(94.0);
/// let contact = ground.ground(&CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO)).unwrap();
/// assert!(contact.plane.is_walkable());
/// assert_eq!(contact.plane.d, -94.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InfinitePlane {
    plane: Plane,
    anchor: CellId,
}

impl InfinitePlane {
    /// Level ground at a height.
    pub const fn level(z: f32) -> Self {
        Self { plane: Plane::new(Vec3::new(0.0, 0.0, 1.0), -z), anchor: CellId::NONE }
    }

    /// Ground through a place, with an upward normal. `None` if the normal is not finite or does not point up.
    pub fn through(place: &CellPosition, normal: Vec3) -> Option<Self> {
        let normal = normal.normalized().filter(|normal| normal.is_finite() && normal.z > EPS)?;
        let plane = Plane::through(place.frame.origin, normal);
        plane.d.is_finite().then_some(Self { plane, anchor: place.cell })
    }

    /// The plane in the axes of a cell's landblock.
    #[inline]
    fn seen_from(&self, cell: CellId) -> Plane {
        if self.anchor == CellId::NONE {
            return self.plane;
        }
        let Plane { normal, d } = self.plane;
        Plane::new(normal, d + normal.dot(self.anchor.block_offset(cell)))
    }
}

impl Surroundings for InfinitePlane {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> SweepResult {
        if let Some(arrival) = self.stride(mover, from, to) {
            return SweepResult { arrival: Some(arrival), kills_velocity: false };
        }
        let mut path = Path::new(self, mover, from);
        let found = path.find_transitional_position(from, to);
        SweepResult { arrival: found.then(|| path.arrival()), kills_velocity: path.kills_velocity }
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        _slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        let mut path = Path::new(self, mover, &settled(at).ok_or(PlacementError::NoCell)?);
        let found = path.find_placement_position();
        let arrival = path.arrival();
        if found { Ok(arrival) } else { Err(PlacementError::NoRoom(arrival)) }
    }

    fn is_free(&self, _body: Guid, _at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        true
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        Some(Contact { plane: self.seen_from(at.cell), cell: at.cell, is_water: false })
    }

    fn has_obstacles(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Frame;

    use super::super::{Body, BodyFlags, BodyHost, MoverFlags, Shape, TransientState, commit};
    use super::*;
    use crate::collide::NoObstacles;

    const CELL: CellId = CellId(0xA9B4_0001);

    struct Bare(Body);

    impl BodyHost for Bare {
        fn body(&mut self) -> &mut Body {
            &mut self.0
        }
        fn hit_ground(&mut self) {}
        fn leave_ground(&mut self) {}
    }

    /// A human body at a place, standing on the plane.
    fn standing(place: Vec3, ground: &InfinitePlane) -> Bare {
        let mut body = Body::new(CellPosition::at(CELL, place));
        body.transient = TransientState::CONTACT;
        body.contact_plane = ground.plane;
        body.contact_plane_cell = CELL;
        body.transient.set(TransientState::ON_WALKABLE, ground.plane.is_walkable());
        Bare(body)
    }

    /// One displacement; says whether the sweep could be done.
    fn push(host: &mut Bare, ground: &InfinitePlane, shape: &Shape, by: Vec3) -> bool {
        let from = host.0.position;
        let mut to = from;
        to.frame.origin += by;
        let mover = Mover::of_body(Guid(1), &host.0, shape, MoverFlags::empty());
        let sweep = ground.sweep(&mover, &from, &to, &NoObstacles, &mut Vec::new());
        if sweep.kills_velocity {
            host.0.set_velocity(Vec3::ZERO, 0.0);
        }
        if let Some(arrival) = &sweep.arrival {
            commit(host, arrival, &[], 0.0);
        }
        sweep.arrival.is_some()
    }

    fn assert_at(host: &Bare, [x, y, z]: [f32; 3]) {
        let at = host.0.position.frame.origin;
        let near = |a: f32, b: f32| (a - b).abs() < 2e-4;
        assert!(near(at.x, x) && near(at.y, y) && near(at.z, z), "expected {x} {y} {z}, got {at:?}");
    }

    fn slope(degrees: f32) -> InfinitePlane {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        let place = CellPosition::at(CELL, Vec3::new(50.0, 50.0, 0.0));
        InfinitePlane::through(&place, Vec3::new(-sin, 0.0, cos)).unwrap()
    }

    const START: Vec3 = Vec3::new(50.0, 50.0, 0.005);

    /// `docs/collision.md` 11.1.
    #[test]
    fn level_ground_takes_nothing_from_a_step() {
        let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
        let mut host = standing(START, &ground);
        push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0));
        assert_at(&host, [50.1, 50.0, 0.005]);
        push(&mut host, &ground, &shape, Vec3::new(1.2, 0.0, 0.0));
        assert_at(&host, [51.3, 50.0, 0.005]);
        assert!(host.0.is_standing());
    }

    /// `docs/collision.md` 11.2 and rule Q10.
    #[test]
    fn uphill_costs_way_and_downhill_does_not() {
        let (ground, shape) = (slope(30.0), Shape::human());
        let mut host = standing(START, &ground);
        for place in [[50.075, 50.0, 0.048_301], [50.15, 50.0, 0.091_603], [50.225, 50.0, 0.134_904]] {
            push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0));
            assert_at(&host, place);
        }
        let mut host = standing(START, &ground);
        for place in [[49.9, 50.0, -0.052_735], [49.8, 50.0, -0.110_470], [49.7, 50.0, -0.168_205]] {
            push(&mut host, &ground, &shape, Vec3::new(-0.1, 0.0, 0.0));
            assert_at(&host, place);
        }
        assert!(host.0.is_standing());
    }

    /// `docs/collision.md` 11.3: the body is lifted off and the small step does not reach the plane again.
    #[test]
    fn ground_too_steep_to_stand_on_is_lost() {
        let (ground, shape) = (slope(50.0), Shape::human());
        let mut host = standing(START, &ground);
        assert!(host.0.has_contact() && !host.0.is_on_walkable());
        push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0));
        assert_at(&host, [50.041_318, 50.0, 0.320_988]);
        assert!(!host.0.has_contact());
    }

    /// A walker that comes upon a plane too steep for it is held, and cannot push on (11.3).
    #[test]
    fn a_walker_is_held_by_a_wall_of_earth() {
        let (ground, shape) = (slope(60.0), Shape::human());
        let mut host = standing(START, &InfinitePlane::level(0.0));
        assert!(push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0)));
        assert_at(&host, [50.0, 50.0, 0.005]);
        assert!(host.0.is_standing() && host.0.transient.contains(TransientState::SLIDING));
        assert_eq!(host.0.sliding_normal, Vec3::new(-1.0, 0.0, 0.0));
        assert!(!push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0)), "head on it fails");
    }

    /// `docs/collision.md` 11.9: down at 6 m/s, up again with a twentieth of it, and down for good.
    #[test]
    fn landing_bounces_a_little() {
        let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
        let mut body = Body::new(CellPosition::at(CELL, Vec3::new(50.0, 50.0, 0.305)));
        body.flags.insert(BodyFlags::MANAGED);
        body.velocity.z = -6.0;
        body.calc_acceleration();
        let mut host = Bare(body);
        let mut heights = Vec::new();
        for _ in 0..8 {
            let mut frame = host.0.position.frame;
            host.0.update_physics(1.0 / 30.0, &mut frame);
            let by = frame.origin - host.0.position.frame.origin;
            if !by.is_close_to(Vec3::ZERO) {
                push(&mut host, &ground, &shape, by);
            }
            heights.push((host.0.position.frame.origin.z, host.0.velocity.z));
        }
        let expected = [
            (0.099_556, -6.326_667),
            (0.005, 0.332_667),
            (0.016_089, 0.332_667),
            (0.021_733, 0.006),
            // Slow at the top, and stopped there (rule C4.3; 11.9 was computed without that).
            (0.016_289, -0.326_667),
            (0.005, 0.032_667),
        ];
        for ((z, v), (want_z, want_v)) in heights.iter().zip(expected) {
            assert!((z - want_z).abs() < 2e-4 && (v - want_v).abs() < 2e-4, "{heights:?}");
        }
        assert_eq!(heights[6].1, 0.0, "at rest");
        assert!(host.0.is_standing());
    }

    #[test]
    fn a_body_is_set_down_on_ground_within_a_step_and_lifted_out_of_it() {
        let (ground, shape) = (InfinitePlane::level(10.0), Shape::human());
        let body = Body::new(CellPosition::at(CELL, Vec3::ZERO));
        let mover = Mover::to_place(Guid(1), &body, &shape, MoverFlags::empty());
        let place = |z| {
            let at = CellPosition::new(CELL, Frame::from_origin(Vec3::new(50.0, 50.0, z)));
            ground.place(&mover, &at, true, &NoObstacles, &mut Vec::new()).unwrap()
        };
        for (z, stands) in [(11.4, true), (10.0, true), (7.0, true), (12.0, false)] {
            let arrival = place(z);
            assert_eq!(arrival.has_contact, stands, "from {z}");
            let height = if stands { 10.005 } else { z };
            assert!((arrival.position.frame.origin.z - height).abs() < 2e-4, "from {z}: {arrival:?}");
        }
    }

    #[test]
    fn the_plane_goes_on_behind_the_border_of_a_landblock() {
        let (ground, shape) = (slope(20.0), Shape::human());
        let mut host = standing(START, &ground);
        for _ in 0..200 {
            push(&mut host, &ground, &shape, Vec3::new(1.0, 0.0, 0.0));
        }
        let place = host.0.position;
        assert_eq!(place.cell.block(), 0xAAB4);
        let plane = ground.seen_from(place.cell);
        assert!(plane.distance(place.frame.origin - Vec3::new(0.0, 0.0, 0.005)).abs() < 1e-3);
    }

    #[test]
    fn hostile_ways_are_refused() {
        let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
        for by in [1e30, f32::INFINITY, f32::NAN] {
            let mut host = standing(START, &ground);
            assert!(!push(&mut host, &ground, &shape, Vec3::new(by, 0.0, 0.0)));
            assert_eq!(host.0.position.frame.origin, START);
        }
        assert_eq!(InfinitePlane::through(&CellPosition::at(CELL, START), Vec3::new(1.0, 0.0, 0.0)), None);
    }
}
