//! Corrections of entities in a world: their order, and what they depend on in the body
//! (`docs/behaviour.md` I1, I4, I6, I10).

use crate::world_support;

use acmotion::types::{Guid, MotionCommand, Vec3};
use acmotion::wire::{MoveFlags, MoveToParams, MovementBody, ObjectStamps, Origin};
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);

/// The remote at (96, 96), and another one due north of it.
fn with_other(north: f32) -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 96.0 + north), ObjectStamps::default(), None));
    scene.ticks(60);
    scene
}

/// How far the next tick moves the remote.
fn step(scene: &mut TestWorld) -> Vec3 {
    let before = scene.world.find(REMOTE).unwrap().position();
    scene.tick();
    before.offset_to(&scene.world.find(REMOTE).unwrap().position())
}

/// The remote sticks to one in the north while a report is in the west of it. Interpolation comes first and sticking
/// replaces its offset, so it goes north.
#[test]
fn i1_sticking_replaces_interpolation() {
    let mut scene = with_other(5.0);
    scene.send(&stick(REMOTE, OTHER, 1));
    scene.send(&position(REMOTE, &at(93.0, 96.0), 1));
    assert_eq!(scene.entity(REMOTE).correction.interpolation.nodes().len(), 1, "both are at work");
    let first = step(&mut scene);
    assert!((first.y - 20.0 / 30.0).abs() < 1e-3, "five times 4 m/s to the north: {first:?}");
    assert!(first.x.abs() < 1e-3, "and not to the west: {first:?}");
}

/// A runner has come 25 m from its last report, and the constraint slows it down. It also slows sticking, because it
/// comes last and scales the offset that the others leave.
#[test]
fn i1_the_constraint_scales_the_offset_of_sticking() {
    let mut scene = with_other(80.0);
    scene.send(&position(REMOTE, &at(96.0, 96.0), 1));
    scene.send(&motion(REMOTE, running(2.375), 1));
    while scene.entity(REMOTE).correction.constraint.pos_offset() < 25.0 {
        assert!(scene.now < 30.0, "the constraint does not count its path");
        scene.tick();
    }
    scene.send(&stick(REMOTE, OTHER, 2));
    for tick in 0..5 {
        let offset = scene.entity(REMOTE).correction.constraint.pos_offset();
        let scale = (50.0 - offset) / 40.0;
        let moved = step(&mut scene).y;
        let expected = 5.0 * 4.0 * 2.375 * TICK as f32 * scale;
        assert!((moved - expected).abs() < 1e-3, "tick {tick}: {moved} m, not {expected} m");
        let after = scene.entity(REMOTE).correction.constraint.pos_offset();
        assert!((after - offset - moved).abs() < 1e-3, "tick {tick}: it counts the scaled offset");
    }
}

/// A report at the body only turns it, at once and without a tick; one that keeps the heading does not even do that.
#[test]
fn i4_a_report_at_the_body_sets_its_heading() {
    let mut scene = with_other(5.0);
    let heading = |scene: &TestWorld| scene.entity(REMOTE).body.position.frame.heading();
    let mut here = at(96.0, 96.03);
    here.frame.set_heading(75.0);
    scene.send(&position(REMOTE, &here, 1));
    assert!((heading(&scene) - 75.0).abs() < 0.01, "{}", heading(&scene));
    assert_eq!(scene.origin(REMOTE).y, 96.0, "0.03 m are not worth a step");
    assert!(scene.entity(REMOTE).correction.interpolation.is_idle());

    // While it follows an order it keeps its heading (rule D7).
    let far = at(96.0, 150.0);
    let body = MovementBody::MoveToPosition {
        origin: Origin { cell: far.cell, point: far.frame.origin },
        params: MoveToParams::default(),
        run_rate: 1.0,
    };
    scene.send(&movement_with(REMOTE, body, 1, |_| {}));
    here.frame.set_heading(200.0);
    scene.send(&position(REMOTE, &here, 2));
    assert!((heading(&scene) - 75.0).abs() < 0.01, "{}", heading(&scene));
}

/// A creature charges at half the speed of its run rate of 2. Interpolation is twice as fast as the run that plays, 8 m/s,
/// and not twice the run rate, 16 m/s.
#[test]
fn i6_interpolation_goes_by_the_speed_of_the_run_that_plays() {
    let mut scene = with_other(5.0);
    let goal = at(96.0, 180.0);
    let flags = MoveFlags::default() | MoveFlags::CAN_CHARGE;
    let body = MovementBody::MoveToPosition {
        origin: Origin { cell: goal.cell, point: goal.frame.origin },
        params: MoveToParams { flags, speed: 0.5, ..MoveToParams::default() },
        run_rate: 2.0,
    };
    scene.send(&movement_with(REMOTE, body, 1, |_| {}));
    scene.ticks(60);
    let interp = &scene.entity(REMOTE).interp;
    let forward = interp.interpreted.forward;
    assert_eq!((forward.command, forward.speed), (MotionCommand::RUN_FORWARD, 1.0));
    assert_eq!(interp.my_run_rate, 2.0);

    let here = scene.origin(REMOTE);
    scene.send(&position(REMOTE, &at(here.x, here.y + 3.0), 1));
    for tick in 0..4 {
        let moved = step(&mut scene).y;
        assert!((moved - 8.0 / 30.0).abs() < 1e-3, "tick {tick}: {moved} m");
    }
}

/// A giant of twice a human's size keeps twice its radius away, and the other's radius, and 0.3 m.
#[test]
fn i10_the_gap_counts_the_scaled_radius() {
    let mut scene = TestWorld::new();
    for (guid, north, scale) in [(REMOTE, 96.0, 2.0), (OTHER, 101.0, 1.0)] {
        scene.send(&create_with(guid, ObjectStamps::default(), |physics| {
            physics.position = Some(at(96.0, north));
            physics.scale = Some(scale);
        }));
    }
    scene.ticks(60);
    scene.send(&stick(REMOTE, OTHER, 1));
    scene.ticks(20);
    let radius = scene.entity(OTHER).shape.radius;
    let apart = scene.origin(OTHER).y - scene.origin(REMOTE).y;
    let expected = 2.0 * radius + radius + 0.3;
    assert!((apart - expected).abs() < 1e-3, "{apart} m apart, not {expected} m");
}
