//! Sweeps over an infinite plane, by the numeric examples of `docs/collision.md` 11.

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::dat::Sphere;
use acmotion::internals::body::{BodyFlags, BodyHost, commit};
use acmotion::scene::{InfinitePlane, Mover, MoverFlags, NoObstacles, PlacementError, Shape, Surroundings};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};

const CELL: CellId = CellId(0xA9B4_0001);

struct Host(Body);

impl BodyHost for Host {
    fn body(&mut self) -> &mut Body {
        &mut self.0
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

/// A human body that stands on the plane.
fn standing(at: Vec3, ground: &InfinitePlane) -> Host {
    let mut body = Body::new(CellPosition::at(CELL, at));
    body.transient = TransientState::CONTACT;
    body.contact_plane = ground.ground(&body.position).unwrap().plane;
    body.contact_plane_cell = CELL;
    body.transient.set(TransientState::ON_WALKABLE, body.contact_plane.is_walkable());
    Host(body)
}

/// Moves the body by one displacement. Returns `false` if the sweep failed.
fn push(host: &mut Host, ground: &InfinitePlane, shape: &Shape, by: Vec3) -> bool {
    let from = host.0.position;
    let mut to = from;
    to.frame.origin += by;
    let mover = host.0.mover(Guid(1), shape, MoverFlags::empty());
    let sweep = ground.sweep(&mover, &from, &to, &NoObstacles, &mut Vec::new());
    if sweep.kills_velocity {
        host.0.set_velocity(Vec3::ZERO, 0.0);
    }
    if let Some(arrival) = &sweep.arrival {
        commit(host, arrival, &[], 0.0);
    }
    sweep.arrival.is_some()
}

fn assert_at(host: &Host, [x, y, z]: [f32; 3]) {
    let at = host.0.position.frame.origin;
    let near = |a: f32, b: f32| (a - b).abs() < 2e-4;
    assert!(near(at.x, x) && near(at.y, y) && near(at.z, z), "expected {x} {y} {z}, got {at:?}");
}

fn slope(degrees: f32) -> InfinitePlane {
    let (sin, cos) = libm::sincosf(degrees.to_radians());
    let through = CellPosition::at(CELL, Vec3::new(50.0, 50.0, 0.0));
    InfinitePlane::through(&through, Vec3::new(-sin, 0.0, cos)).unwrap()
}

const START: Vec3 = Vec3::new(50.0, 50.0, 0.005);

/// `docs/collision.md` 11.1.
#[test]
fn walking_on_level_ground_keeps_the_full_displacement() {
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
fn uphill_shortens_the_displacement_and_downhill_does_not() {
    let (ground, shape) = (slope(30.0), Shape::human());
    let mut host = standing(START, &ground);
    for position in [[50.075, 50.0, 0.048_301], [50.15, 50.0, 0.091_603], [50.225, 50.0, 0.134_904]] {
        push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0));
        assert_at(&host, position);
    }
    let mut host = standing(START, &ground);
    for position in [[49.9, 50.0, -0.052_735], [49.8, 50.0, -0.110_470], [49.7, 50.0, -0.168_205]] {
        push(&mut host, &ground, &shape, Vec3::new(-0.1, 0.0, 0.0));
        assert_at(&host, position);
    }
    assert!(host.0.is_standing());
}

/// `docs/collision.md` 11.3: un-sinking lifts the body off, and the small step down does not reach the plane again.
#[test]
fn a_body_on_too_steep_ground_loses_contact() {
    let (ground, shape) = (slope(50.0), Shape::human());
    let mut host = standing(START, &ground);
    assert!(host.0.has_contact() && !host.0.is_on_walkable());
    push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0));
    assert_at(&host, [50.041_318, 50.0, 0.320_988]);
    assert!(!host.0.has_contact());
}

/// A walker is held by a plane that is too steep for it, and pushing on fails (`docs/collision.md` 11.3).
#[test]
fn a_too_steep_plane_holds_a_walker() {
    let (ground, shape) = (slope(60.0), Shape::human());
    let mut host = standing(START, &InfinitePlane::level(0.0));
    assert!(push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0)));
    assert_at(&host, [50.0, 50.0, 0.005]);
    assert!(host.0.is_standing() && host.0.transient.contains(TransientState::SLIDING));
    assert_eq!(host.0.sliding_normal, Vec3::new(-1.0, 0.0, 0.0));
    assert!(!push(&mut host, &ground, &shape, Vec3::new(0.1, 0.0, 0.0)), "a head-on push fails");
}

/// `docs/collision.md` 11.9: down at 6 m/s, up again at a twentieth of that, then at rest.
#[test]
fn landing_bounces_a_little() {
    let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
    let mut body = Body::new(CellPosition::at(CELL, Vec3::new(50.0, 50.0, 0.305)));
    body.flags.insert(BodyFlags::MANAGED);
    body.velocity.z = -6.0;
    body.calc_acceleration();
    let mut host = Host(body);
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
        // Below the small velocity at the top, so stopped there (rule C4.3; 11.9 was computed without it).
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
fn placing_sets_a_body_down_within_a_step_or_lifts_it_out_of_the_ground() {
    let (ground, shape) = (InfinitePlane::level(10.0), Shape::human());
    let body = Body::new(CellPosition::at(CELL, Vec3::ZERO));
    let mover = body.placement_mover(Guid(1), &shape, MoverFlags::empty());
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
fn the_plane_continues_across_a_landblock_border() {
    let (ground, shape) = (slope(20.0), Shape::human());
    let mut host = standing(START, &ground);
    for _ in 0..200 {
        push(&mut host, &ground, &shape, Vec3::new(1.0, 0.0, 0.0));
    }
    let position = host.0.position;
    assert_eq!(position.cell.block(), 0xAAB4);
    let plane = ground.ground(&position).unwrap().plane;
    assert!(plane.distance(position.frame.origin - Vec3::new(0.0, 0.0, 0.005)).abs() < 1e-3);
}

#[test]
fn non_finite_and_huge_displacements_fail() {
    let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
    for by in [1e30, f32::INFINITY, f32::NAN] {
        let mut host = standing(START, &ground);
        assert!(!push(&mut host, &ground, &shape, Vec3::new(by, 0.0, 0.0)));
        assert_eq!(host.0.position.frame.origin, START);
    }
    assert_eq!(InfinitePlane::through(&CellPosition::at(CELL, START), Vec3::new(1.0, 0.0, 0.0)), None);
}

/// Being set down on the ground counts as hitting it, so a body placed while it falls bounces (`docs/collision.md` 4.2,
/// 5.1, 10.4; rule C11).
#[test]
fn placing_a_falling_body_within_a_step_hits_the_ground() {
    let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
    let mut host = Host(Body::new(CellPosition::at(CELL, Vec3::new(50.0, 50.0, 0.5))));
    host.0.velocity = Vec3::new(1.0, 0.0, -4.0);
    let mover = host.0.placement_mover(Guid(1), &shape, MoverFlags::empty());
    let arrival = ground.place(&mover, &host.0.position, true, &NoObstacles, &mut Vec::new()).unwrap();
    assert!(arrival.has_contact && arrival.collided_with_environment);
    assert_eq!(arrival.collision_normal, Some(Vec3::new(0.0, 0.0, 1.0)));
    commit(&mut host, &arrival, &[], 0.0);
    assert!((host.0.velocity.z - 0.2).abs() < 1e-5 && host.0.velocity.x == 1.0, "{:?}", host.0.velocity);
}

/// The foot sphere decides which cell a body is in, not its origin (`docs/collision.md` 7.1).
#[test]
fn the_cell_is_that_of_the_foot_sphere() {
    let ground = InfinitePlane::level(0.0);
    let mut shape = Shape::human();
    let foot = Sphere { origin: Vec3::new(0.3, 0.0, 0.475), radius: 0.48 };
    shape.set_spheres(&[foot]);
    let mut host = standing(Vec3::new(23.5, 1.0, 0.005), &ground);
    assert!(push(&mut host, &ground, &shape, Vec3::new(0.3, 0.0, 0.0)));
    assert_at(&host, [23.8, 1.0, 0.005]);
    assert_eq!(
        host.0.position.cell,
        CellId(0xA9B4_0009),
        "origin in the first cell, foot in the one to the east"
    );
}

/// Nothing is known of rooms, so a body in one stays in it however far it walks.
#[test]
fn the_plane_is_the_floor_of_every_room() {
    let (ground, shape) = (InfinitePlane::level(0.0), Shape::human());
    let room = CellId(0xA9B4_0123);
    let mut host = standing(START, &ground);
    host.0.position.cell = room;
    host.0.contact_plane_cell = room;
    for _ in 0..10 {
        assert!(push(&mut host, &ground, &shape, Vec3::new(30.0, 0.0, -0.2)));
    }
    let Vec3 { x, z, .. } = host.0.position.frame.origin;
    assert!((x - 350.0).abs() < 0.01 && (z - 0.005).abs() < 2e-4, "{:?}", host.0.position);
    assert_eq!(host.0.position.cell, room);
    assert!(host.0.is_standing());
}

/// 10.5: a walker that keeps to the ground, 2 m above a slope of 45°, has none within its step of 1.5 m, nor on the first ring
/// of 0.44 m. On the second ring, of 0.89 m, the slope is high enough 60° to the east of north.
#[test]
fn a_walker_above_a_slope_is_placed_uphill_if_it_may_slide() {
    let (ground, shape) = (slope(45.0), Shape::human());
    let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE | MoverFlags::EDGE_SLIDE;
    let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, flags);
    let at = CellPosition::at(CELL, START + Vec3::new(0.0, 0.0, 2.0)).adjusted_to_outside().unwrap();
    let place = |slide: bool| ground.place(&mover, &at, slide, &NoObstacles, &mut Vec::new());
    assert!(matches!(place(false), Err(PlacementError::NoRoom(_))), "{:?}", place(false));
    let arrival = place(true).expect("there is ground uphill");
    let Vec3 { x, y, z } = arrival.position.frame.origin - START;
    assert!((x - 0.7698).abs() < 1e-3 && (y - 0.4444).abs() < 1e-3 && (z - x).abs() < 1e-3, "{arrival:?}");
    assert!(arrival.has_contact);
}
