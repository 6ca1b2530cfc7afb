//! Entering and leaving the world, teleports and hiding (`docs/behaviour.md` C14–C19).

use crate::town_support;
use crate::world_support;

use acmotion::components::TargetStatus;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellId, Guid, MotionCommand, Stamp};
use acmotion::wire::{MoveToParams, MovementBody, ObjectStamps, Origin, PhysicsState};
use acmotion::{EventKind, MotionError, MotionEvent, MoveToEvent};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const SWORD: Guid = Guid(0x8000_0001);

/// The motions that were reported as done since the events were cleared, with their success.
fn motions_done(scene: &TestWorld) -> Vec<(MotionCommand, bool)> {
    let done = |kind: EventKind| match kind {
        EventKind::Motion(MotionEvent::MotionDone { motion, success }) => Some((motion, success)),
        _ => None,
    };
    scene.events.iter().filter(|event| event.guid == REMOTE).filter_map(|event| done(event.kind)).collect()
}

/// The number of times that the remote was reported to have parted from another.
fn partings(scene: &TestWorld) -> usize {
    scene.count_events(|kind| *kind == EventKind::Motion(MotionEvent::Parted(OTHER)))
}

/// Two creatures in the town; the remote has just walked into the other.
fn touching() -> TestWorld {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -1.5, 0.0), 0.0), &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    while scene.touches(REMOTE, OTHER) == 0 {
        assert!(scene.now < 12.0, "they never touch");
        scene.tick();
    }
    assert_eq!(partings(&scene), 0, "a touch lasts a second");
    scene
}

/// Two creatures five metres apart; the remote sticks to the other.
fn stuck() -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 101.0), ObjectStamps::default(), None));
    scene.send(&stick(REMOTE, OTHER, 1));
    scene.tick();
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), Some(OTHER));
    assert_eq!(voyeurs(&scene), 1, "the other is watched");
    scene.events.clear();
    scene
}

/// The number of bodies that watch the other.
fn voyeurs(scene: &TestWorld) -> usize {
    scene.entity(OTHER).targets().map_or(0, |targets| targets.voyeurs().len())
}

/// A body that is picked up is in no cell: its cell id is 0, and it has neither contact nor activity.
#[test]
fn c14_a_body_that_leaves_the_world_has_no_cell() {
    let mut scene = TestWorld::with_remote();
    assert!(scene.body(REMOTE).is_standing() && scene.body(REMOTE).is_in_cell());
    scene.send(&pickup(REMOTE, 1));
    let body = scene.body(REMOTE);
    assert!(!body.is_in_cell());
    assert_eq!(body.position.cell, CellId::NONE, "the cell id becomes 0");
    assert!(body.transient.is_empty(), "{:?}", body.transient);
    let before = scene.body(REMOTE).position;
    scene.ticks(3);
    assert_eq!(scene.body(REMOTE).position, before, "it is not updated");
}

/// Touches end when the body leaves its cell, not a second later.
#[test]
fn c14_leaving_the_world_ends_touches() {
    let mut scene = touching();
    scene.send(&pickup(REMOTE, 1));
    assert_eq!(partings(&scene), 1);
}

/// A teleported body no longer sticks to another and no longer watches it.
#[test]
fn c15_a_teleport_unsticks() {
    let mut scene = stuck();
    scene.send(&position_with(REMOTE, &at(150.0, 96.0), 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None);
    assert_eq!(voyeurs(&scene), 0, "the other is no longer watched");
    let arrived = scene.origin(REMOTE);
    for tick in 0..10 {
        scene.tick();
        assert_eq!(scene.origin(REMOTE), arrived, "tick {tick}: it is not pulled back");
    }
}

/// The order of a teleported body ends, with its reason, and so does the run that it had started.
#[test]
fn c15_a_teleport_cancels_the_order() {
    let mut scene = TestWorld::with_remote();
    let goal = at(96.0, 150.0);
    let order = MovementBody::MoveToPosition {
        origin: Origin { cell: goal.cell, point: goal.frame.origin },
        params: MoveToParams::default(),
        run_rate: 1.0,
    };
    scene.ticks(60);
    scene.send(&movement_with(REMOTE, order, 1, |_| {}));
    scene.ticks(60);
    assert!(scene.origin(REMOTE).y > 97.0, "it is under way");
    scene.events.clear();
    scene.send(&position_with(REMOTE, &at(150.0, 96.0), 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.order_events(REMOTE), [MoveToEvent::Failed(MotionError::Teleported)]);
    assert!(!scene.entity(REMOTE).is_moving_to());
    assert_eq!(scene.entity(REMOTE).interp.interpreted.forward.command, MotionCommand::READY);
}

/// The teleport hook releases the constraint. The report that teleports a body constrains it again afterwards (rule D6),
/// so the hook is called by itself here.
#[test]
fn c15_a_teleport_releases_the_constraint() {
    let mut scene = TestWorld::with_remote();
    scene.send(&position(REMOTE, &at(98.0, 96.0), 1));
    assert!(scene.entity(REMOTE).correction.constraint.is_active());
    scene.world.act(REMOTE, scene.now, |actor, _| actor.teleport_hook());
    assert!(!scene.entity(REMOTE).correction.constraint.is_active());
    assert!(scene.entity(REMOTE).correction.interpolation.is_idle(), "interpolation has ended");
}

/// The touch ends with the teleport, although a second has not passed.
#[test]
fn c15_a_teleport_ends_touches() {
    let mut scene = touching();
    let away = beside(landmarks().spawn, 0.0, -12.0, 0.0);
    scene.send(&position_with(REMOTE, &away, 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(partings(&scene), 1);
}

/// A body leaves the world for good while a motion is pending: the motion ends without success.
#[test]
fn c16_leaving_for_good_ends_pending_motions_without_success() {
    let mut scene = TestWorld::with_remote();
    scene.ticks(60);
    scene.events.clear();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.tick();
    assert!(scene.entity(REMOTE).interp.has_pending(), "the link of the run plays");
    assert!(motions_done(&scene).iter().all(|(_, success)| *success));
    scene.events.clear();
    scene.send(&delete(REMOTE, 0));
    assert_eq!(motions_done(&scene), [(MotionCommand::RUN_FORWARD, false)]);
}

/// The interpreter's queue is drained by itself: a body without a motion table has one motion pending there, and no
/// animation that could end it.
#[test]
fn c16_leaving_for_good_drains_the_interpreters_own_queue() {
    let mut scene = TestWorld::new();
    scene.add(REMOTE, &at(96.0, 96.0), &ObjectKind { table: None, item_type: 1, ..CREATURE });
    scene.world.act(REMOTE, scene.now, |actor, _| actor.enter_default_state());
    scene.ticks(30);
    assert_eq!(scene.entity(REMOTE).interp.pending().len(), 1, "nothing ends it");
    scene.world.act(REMOTE, scene.now, |actor, _| actor.exit_world());
    assert_eq!(scene.entity(REMOTE).interp.pending().len(), 0);
}

/// It unsticks, and those that watch it are notified.
#[test]
fn c16_leaving_for_good_unsticks_and_notifies() {
    let mut scene = stuck();
    scene.world.act(REMOTE, scene.now, |actor, _| actor.exit_world());
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None);
    assert_eq!(voyeurs(&scene), 0);

    let mut scene = stuck();
    scene.send(&delete(OTHER, 0));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None, "the one it sticks to has left");
}

/// Two watch the other: the remote sticks to it, a third is on its way to it. When it goes, both are notified at once and
/// told how: that it has left the world for good, or that it was teleported. Either way the remote comes loose and the
/// order ends.
#[test]
fn c15_c16_voyeurs_are_told_how_the_body_went() {
    const THIRD: Guid = Guid(0x5000_0003);
    let watched = || {
        let mut scene = stuck();
        scene.send(&create(THIRD, &at(120.0, 101.0), ObjectStamps::default(), None));
        let point = at(96.0, 101.0);
        let order = MovementBody::MoveToObject {
            target: OTHER,
            origin: Origin { cell: point.cell, point: point.frame.origin },
            params: MoveToParams::default(),
            run_rate: 1.0,
        };
        scene.send(&movement_with(THIRD, order, 1, |_| {}));
        scene.tick();
        assert_eq!(voyeurs(&scene), 2);
        assert!(scene.entity(THIRD).is_moving_to());
        scene.events.clear();
        scene
    };
    let check = |scene: &TestWorld, status: TargetStatus| {
        let told = [MoveToEvent::TargetUpdated(status), MoveToEvent::Failed(MotionError::ObjectGone)];
        assert_eq!(scene.order_events(THIRD)[..2], told);
        assert!(!scene.entity(THIRD).is_moving_to(), "{status:?}");
        assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None, "{status:?}");
    };
    let mut scene = watched();
    scene.send(&delete(OTHER, 0));
    check(&scene, TargetStatus::ExitWorld);

    let mut scene = watched();
    scene.send(&position_with(OTHER, &at(150.0, 96.0), 1, |pack| pack.teleport = Stamp(1)));
    check(&scene, TargetStatus::Teleported);
}

/// The touch of a deleted body ends at once.
#[test]
fn c16_leaving_for_good_ends_touches() {
    let mut scene = touching();
    scene.send(&delete(REMOTE, 0));
    assert_eq!(partings(&scene), 1);
}

/// A held sword cannot enter the world; a detached one can.
#[test]
fn c17_a_held_body_does_not_enter_the_world() {
    let mut scene = TestWorld::with_remote();
    scene.send(&held_item(SWORD, REMOTE));
    let held = scene.body(SWORD).position;
    let ground = at(100.0, 100.0);
    let enter = |scene: &mut TestWorld| {
        scene.world.act(SWORD, scene.now, |actor, around| actor.enter_world(&ground, true, around)).unwrap()
    };
    assert!(!enter(&mut scene), "it is attached");
    assert!(!scene.body(SWORD).is_in_cell());
    assert_eq!(scene.body(SWORD).position, held, "it is still in the hand");
    scene.send(&pickup(SWORD, 1));
    assert!(enter(&mut scene));
    assert!(scene.body(SWORD).is_in_cell());
}

/// A creature that moves is to be placed where another stands, with no sliding. That is refused, and it stays; but the
/// collision counts: the touch is reported.
#[test]
fn c18_the_collisions_of_a_refused_placement_count() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    scene.add(REMOTE, &beside(spawn, 0.0, -6.0, 0.0), &CREATURE);
    scene.ticks(2);
    scene.events.clear();
    let before = scene.body(REMOTE).position;
    let place = |actor: &mut acmotion::components::Actor<'_>, around: &dyn acmotion::scene::Surroundings| {
        actor.set_position(&spawn, false, around)
    };
    assert_eq!(scene.world.act(REMOTE, scene.now, place), Some(false));
    assert_eq!(scene.body(REMOTE).position, before);
    scene.events.extend(scene.world.drain_events());
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)), (1, 1), "one touch, both sides");
}

/// A runner is hidden while the link of its run plays: the link is dropped and the motion ends without success. It
/// ignores collisions and reports none until it is shown.
#[test]
fn c19_hiding_drops_links_and_switches_collisions_off() {
    let mut scene = TestWorld::with_remote();
    scene.ticks(60);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.tick();
    assert_ne!(scene.entity(REMOTE).animator.sequence().first_cyclic_index(), Some(0), "the link plays");
    scene.events.clear();
    let shown = scene.body(REMOTE).state;
    assert!(shown.contains(PhysicsState::REPORT_COLLISIONS));

    scene.send(&set_state(REMOTE, shown | PhysicsState::HIDDEN, 1));
    assert_eq!(motions_done(&scene), [(MotionCommand::RUN_FORWARD, false)]);
    assert_eq!(
        scene.entity(REMOTE).animator.sequence().first_cyclic_index(),
        Some(0),
        "only the run is left"
    );
    let hidden = scene.body(REMOTE).state;
    assert!(hidden.contains(PhysicsState::IGNORE_COLLISIONS));
    assert!(!hidden.contains(PhysicsState::REPORT_COLLISIONS));

    // Showing a body sets the two bits, whatever they are in the message (rule C19).
    let quiet = (shown - PhysicsState::REPORT_COLLISIONS) | PhysicsState::IGNORE_COLLISIONS;
    scene.send(&set_state(REMOTE, quiet, 2));
    assert_eq!(scene.body(REMOTE).state, shown);
}

/// Being hidden ends touches; being shown drops links as well.
#[test]
fn c19_hiding_ends_touches_and_showing_drops_links() {
    let mut scene = touching();
    let shown = scene.body(REMOTE).state;
    scene.send(&set_state(REMOTE, shown | PhysicsState::HIDDEN, 1));
    assert_eq!(partings(&scene), 1);

    scene.send(&motion(REMOTE, running(1.0), 1));
    assert!(scene.entity(REMOTE).interp.has_pending(), "a hidden body can be asked to move");
    scene.send(&set_state(REMOTE, shown, 2));
    assert!(!scene.entity(REMOTE).interp.has_pending());
    assert_eq!(scene.entity(REMOTE).animator.sequence().first_cyclic_index(), Some(0));
}

/// Being hidden and being shown again are reported, once each (C19).
#[test]
fn c19_hiding_and_showing_are_reported() {
    let mut scene = TestWorld::with_remote();
    let reported = |scene: &TestWorld| {
        [true, false]
            .map(|hidden| scene.count_events(|kind| *kind == EventKind::Motion(MotionEvent::Hidden(hidden))))
    };
    scene.send(&set_state(REMOTE, SOLID | PhysicsState::HIDDEN, 1));
    assert_eq!(reported(&scene), [1, 0]);
    scene.send(&set_state(REMOTE, SOLID | PhysicsState::HIDDEN, 2));
    assert_eq!(reported(&scene), [1, 0], "it was hidden already");
    scene.send(&set_state(REMOTE, SOLID, 3));
    assert_eq!(reported(&scene), [1, 1]);
}
