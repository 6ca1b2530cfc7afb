//! What an entity does in single ticks when it is put somewhere, let go, thrown or closed (`docs/behaviour.md` B3–B5, C17–C20,
//! C24), and what a caller gets that updates entities without a world.

use crate::town_support;
use crate::world_support;

use acmotion::Library;
use acmotion::components::{
    CorrectionInput, Entity, Events, MovementParams, Order, PositionManager, TransientState,
};
use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{Assets, mannequin};
use acmotion::internals::body::BodyFlags;
use acmotion::scene::{InfinitePlane, Shape};
use acmotion::types::{Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{InterpretedState, ParentEvent, PhysicsState, PositionFlags};
use town_support::*;
use world_support::{GROUND, REMOTE, TestWorld, at, encode, motion, position_with, running, vector};

const OTHER: Guid = Guid(0x5000_0002);
const DOOR_GUID: Guid = Guid(0x7A9B_4001);

/// A body is held for a second and let go 20 m above the ground. Its time begins there (D6): after three ticks it has fallen
/// for three ticks, not for the second in which it was held.
#[test]
fn b3_the_time_of_a_body_that_was_held_begins_when_it_is_let_go() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    scene.add(OTHER, &beside(spawn, 3.0, 0.0, 0.0), &CREATURE);
    let held = ParentEvent {
        parent: REMOTE,
        child: OTHER,
        location: 1,
        placement: 0,
        parent_instance: Stamp(0),
        child_position: Stamp(1),
    };
    scene.send(&encode(held));
    scene.ticks(30);
    let high = beside(spawn, 3.0, 0.0, 20.0);
    scene.send(&position_with(OTHER, &high, 2, |pack| pack.flags.remove(PositionFlags::GROUNDED)));
    let start = scene.origin(OTHER).z;
    assert!((start - high.frame.origin.z).abs() < 0.01, "{start}");
    scene.ticks(3);
    let fallen = start - scene.origin(OTHER).z;
    assert!((0.001..0.2).contains(&fallen), "{fallen} m in a tenth of a second");
}

/// A creature that was thrown up and has landed runs off a ramp. It leaves the ground with the velocity of its run (C24): the
/// velocity that it was thrown with is not kept a second time.
#[test]
fn c24_a_body_that_was_thrown_once_leaves_the_ground_with_its_own_velocity() {
    let falling = ObjectKind { state: SOLID - PhysicsState::EDGE_SLIDE, ..CREATURE };
    let mut scene = in_town();
    scene.add(REMOTE, &facing(landmarks().ramp_top, 0.0), &falling);
    scene.ticks(2);
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 3.0), 1));
    scene.ticks(60);
    assert!(scene.body(REMOTE).is_standing(), "it has landed");
    scene.send(&motion(REMOTE, running(1.0), 1));
    while scene.body(REMOTE).is_standing() {
        assert!(scene.now < 20.0, "it never leaves the ramp");
        scene.tick();
    }
    let speed = scene.body(REMOTE).velocity;
    assert!(speed.x.hypot(speed.y) > 2.0, "{speed:?}");
}

/// A door with no one in its leaf is solid in the tick in which its animation says so (C20): it never waits.
#[test]
fn c20_a_door_becomes_solid_in_the_tick_of_its_hook() {
    let mut scene = in_town();
    scene.add(DOOR_GUID, &landmarks().door, &DOOR);
    scene.ticks(5);
    let mut swing = |to: MotionCommand, stamp: u16| {
        let state = InterpretedState { forward_command: Some(to), ..InterpretedState::default() };
        scene.send(&motion(DOOR_GUID, state, stamp));
        let mut was_ethereal = 0;
        for tick in 0..60 {
            scene.tick();
            let body = scene.body(DOOR_GUID);
            assert!(!body.transient.contains(TransientState::CHECK_ETHEREAL), "{to:?}: tick {tick}");
            was_ethereal += usize::from(body.state.contains(PhysicsState::ETHEREAL));
        }
        was_ethereal
    };
    let open = swing(MotionCommand::ON, 1);
    assert!(open > 30, "ethereal in {open} of 60 ticks");
    let closed = swing(MotionCommand::OFF, 2);
    assert!(closed < 40, "ethereal in {closed} of 60 ticks");
}

/// Neither a rotation nor an origin that is no number is taken, even if the other is fine (C18).
#[test]
fn c18_a_body_is_not_put_where_a_number_is_missing() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    let before = scene.body(REMOTE).position;
    let (mut turned, mut moved) = (spawn, spawn);
    turned.frame.rotation.w = f32::NAN;
    moved.frame.origin.x = f32::INFINITY;
    for position in [turned, moved] {
        let placed =
            scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&position, true, around));
        assert_eq!(placed, Some(false), "{position:?}");
        assert_eq!(scene.body(REMOTE).position, before);
    }
}

/// Each side of a touch hears of it if it reports collisions, whatever the other does.
#[test]
fn a_touch_is_reported_to_the_sides_that_report_collisions() {
    let quiet = ObjectKind { state: SOLID - PhysicsState::REPORT_COLLISIONS, ..CREATURE };
    for (walker, target, expected) in
        [(&CREATURE, &CREATURE, (1, 1)), (&CREATURE, &quiet, (1, 0)), (&quiet, &CREATURE, (0, 1))]
    {
        let mut scene = in_town();
        let spawn = landmarks().spawn;
        scene.add(REMOTE, &facing(beside(spawn, 0.0, -2.0, 0.0), 0.0), walker);
        scene.add(OTHER, &spawn, target);
        scene.ticks(2);
        scene.start(REMOTE, MotionCommand::WALK_FORWARD);
        scene.ticks(60);
        assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)), expected);
    }
}

/// A body that is put somewhere else between two ticks is shown there at once, and not on the way (C18).
#[test]
fn what_is_drawn_does_not_glide_to_where_a_body_was_put() {
    let mut scene = TestWorld::with(world_support::settings(|it| it.presents_between_ticks = true));
    scene.add(REMOTE, &at(96.0, 96.0), &CREATURE);
    scene.ticks(3);
    let there = at(97.0, 96.0);
    let put = scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&there, true, around));
    assert_eq!(put, Some(true));
    scene.tick();
    for share in [0.0, 0.5, 1.0] {
        let shown = *scene.world.find(REMOTE).unwrap().present(&scene.world, share).unwrap().position();
        assert!((shown.frame.origin.x - 97.0).abs() < 0.01, "{share}: {shown:?}");
    }
}

/// A corpse is put into its cell whatever is there (C18). It is drawn there at once as well.
#[test]
fn what_is_drawn_does_not_glide_to_where_a_corpse_was_put() {
    let corpse = ObjectKind { item_type: 1, object_flags: 0x2000, table: None, ..CREATURE };
    let mut scene = TestWorld::with(world_support::settings(|it| it.presents_between_ticks = true));
    scene.add(REMOTE, &at(96.0, 96.0), &corpse);
    scene.ticks(3);
    let there = beside(at(97.0, 96.0), 0.0, 0.0, 1.0);
    let put = scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&there, true, around));
    assert_eq!((put, scene.body(REMOTE).position), (Some(true), there), "where it is said, even in the air");
    scene.tick();
    let shown = *scene.world.find(REMOTE).unwrap().present(&scene.world, 0.0).unwrap().position();
    assert_eq!(shown.frame.origin, there.frame.origin);
}

/// Without a motion table an entity has no movement manager (E2). On a plane both kinds of updates lead to the same bits,
/// also in the tick in which the runner spins, which takes the general way.
#[test]
fn an_update_on_a_plane_equals_the_general_update() {
    let ground = InfinitePlane::level(GROUND);
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    assert!(!Entity::new(REMOTE, None).body.flags.contains(BodyFlags::MANAGED));
    assert!(Entity::new(REMOTE, Some(table)).body.flags.contains(BodyFlags::MANAGED));
    let run = |on_plane: bool| {
        let mut entity = Entity::new(REMOTE, Some(table));
        entity.shape = Shape::human().into();
        let mut events = Events::new();
        let mut actor = entity.act(&library, 0.0, &mut events);
        actor.enter_default_state();
        assert!(actor.enter_world(&at(96.0, 96.0), true, &ground));
        actor.do_interpreted_motion(MotionCommand::RUN_FORWARD, &MovementParams::default()).unwrap();
        let mut path = Vec::new();
        for tick in 1..=90 {
            let now = f64::from(tick) / 30.0;
            if tick == 30 {
                entity.body.set_omega(Vec3::new(0.0, 0.0, 1.0));
            }
            let mut actor = entity.act(&library, now, &mut events);
            if on_plane {
                actor.update_on_plane(None, &ground);
            } else {
                actor.update(None, &ground);
            }
            events.clear();
            path.push(entity.body.position);
        }
        path
    };
    let path = run(true);
    assert_eq!(path, run(false));
    let moved = path[0].offset_to(&path[89]);
    assert!(moved.y > 3.0, "{moved:?}");
}

/// Only a static object that plays the animation of its setup is animated without being moved (B7). One with a motion table
/// is not, whatever plays, nor is one that plays nothing, or one that is not static.
#[test]
fn b7_static_objects_without_a_table_are_animated() {
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    let mut with_table = Entity::new(REMOTE, Some(table));
    let mut events = Events::new();
    with_table.act(&library, 0.0, &mut events).enter_default_state();
    assert!(with_table.animator.sequence().has_nodes());
    let clip = with_table.animator.sequence().current(&library).unwrap().clip;
    let span = library.span(clip, 0, -1);
    let mut plays = Entity::new(REMOTE, None);
    plays.animator.sequence_mut().append(&library, span, 30.0);
    let still = Entity::new(REMOTE, None);
    for (mut entity, animates) in [(with_table, false), (plays, true), (still, false)] {
        assert!(!entity.is_static_animating(), "it is not static");
        entity.body.state.insert(PhysicsState::STATIC);
        assert_eq!(entity.is_static_animating(), animates, "{:?}", entity.animator.table());
    }
}

/// A body that is moved without collision goes through everything, at most every thirtieth of a second (B7), and stays where
/// it is if its velocity is no number.
#[test]
fn b7_a_body_is_moved_without_collision() {
    let library = Library::new();
    let mut entity = Entity::new(REMOTE, None);
    entity.body.position = at(96.0, 96.0);
    entity.body.velocity = Vec3::new(3.0, 0.0, 0.0);
    let mut events = Events::new();
    let mut x_at = |entity: &mut Entity, now: f64| {
        entity.act(&library, now, &mut events).update_without_collision();
        entity.body.position.frame.origin.x
    };
    assert_eq!(x_at(&mut entity, 0.02), 96.0, "too early");
    let moved = x_at(&mut entity, 0.1);
    assert!((moved - 96.3).abs() < 1e-4, "{moved}");
    for (velocity, now) in [(f32::NAN, 0.2), (f32::INFINITY, 0.3)] {
        entity.body.velocity.x = velocity;
        assert_eq!(x_at(&mut entity, now), moved, "{velocity}");
    }
    entity.body.velocity.x = 3.0;
    assert_eq!(x_at(&mut entity, 5.0), moved, "more than two seconds are lost");
    assert!((x_at(&mut entity, 5.1) - moved - 0.3).abs() < 1e-4);
}

/// What an entity takes in memory grows with what it holds: an order, a target, effects, failed corrections and queues that
/// are longer than usual.
#[test]
fn the_size_of_an_entity_counts_all_that_it_holds() {
    let mut scene = TestWorld::with_remote();
    scene.send(&world_support::create(OTHER, &at(99.0, 96.0), Default::default(), None));
    let size = |scene: &TestWorld, guid| scene.entity(guid).size_in_memory();
    let plain = size(&scene, REMOTE);
    assert!(plain >= size_of::<Entity>(), "{plain}");
    scene.send(&world_support::stick(REMOTE, OTHER, 1));
    let stuck = size(&scene, REMOTE);
    assert!(stuck > plain, "{stuck}");
    let (watched, targets) = (size(&scene, OTHER), scene.entity(OTHER).targets().expect("it is watched"));
    assert!(targets.side_bytes() > 0);
    assert_eq!(watched, plain + size_of_val(targets) + targets.side_bytes());
    let wave = |scene: &mut TestWorld, times: usize| {
        for _ in 0..times {
            scene.start(OTHER, MotionCommand::WAVE);
        }
        scene.entity(OTHER).interp.size_in_memory()
    };
    let few = wave(&mut scene, 1);
    assert_eq!(few, size_of_val(&scene.entity(OTHER).interp), "a few motions are stored inside");
    assert!(wave(&mut scene, 12) > few);
    let mut ordered = TestWorld::with_remote();
    ordered.world.act(REMOTE, ordered.now, |actor, _| {
        actor.order(&Order::walk_to(at(99.0, 120.0)));
    });
    assert!(size(&ordered, REMOTE) > plain);

    let mut stalls = PositionManager::default();
    assert_eq!(stalls.side_bytes(), 0);
    let own = at(96.0, 96.0);
    stalls.interpolation.interpolate_to(at(99.0, 96.0), false, &own, 100.0);
    let input = CorrectionInput {
        position: own,
        contact: true,
        adjusted_max_speed: 4.0,
        max_speed: 4.0,
        radius: 0.5,
        sticky_target: None,
    };
    let queued = stalls.side_bytes();
    for _ in 0..10 {
        stalls.adjust_offset(&mut Frame::IDENTITY.clone(), 1.0 / 30.0, &input);
    }
    assert_eq!(stalls.interpolation.fail_count(), 1, "it never came closer");
    assert!(stalls.side_bytes() > queued, "where it would have gone is kept");
}
