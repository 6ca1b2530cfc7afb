//! Clocks that are wrong: times that are not finite, negative, far apart or earlier than the last. A world answers with an
//! event, does no more work than usual, and goes on.

use crate::player_support;
use crate::world_support;

use acmotion::check::{CheckSettings, Checker, Finding};
use acmotion::dat::Assets;
use acmotion::limits::MAX_TIME;
use acmotion::types::Guid;
use acmotion::wire::{MoveToParams, MovementBody, ObjectStamps, Origin};
use acmotion::{
    ClockFault, EntitySpec, EventKind, HeldBy, House, MotionEvent, Rejection, Settings, SpawnError, World,
};
use player_support::{W, description, frames, player, press, sent};
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const INVALID: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300, 2e12];

fn faults(scene: &TestWorld) -> Vec<ClockFault> {
    let fault = |event: &acmotion::Event| match event.kind {
        EventKind::Clock(fault) => Some(fault),
        _ => None,
    };
    scene.events.iter().filter_map(fault).collect()
}

/// An order to go to an object.
fn follow(guid: Guid, target: Guid, stamp: u16) -> Vec<u8> {
    let origin = Origin { cell: at(96.0, 96.0).cell, point: at(96.0, 96.0).frame.origin };
    let params = MoveToParams { distance_to_object: 1.0, ..MoveToParams::default() };
    movement_with(guid, MovementBody::MoveToObject { target, origin, params, run_rate: 1.5 }, stamp, |_| {})
}

#[test]
fn every_call_takes_an_invalid_time_and_reports_it() {
    type Call = fn(&mut World, f64);
    let calls: [(&str, Call); 18] = [
        ("tick", |world, now| assert!(!world.tick(now))),
        ("tick_parallel", |world, now| assert!(!world.tick_parallel(now))),
        ("advance", |world, now| assert!(!world.advance(now))),
        ("receive", |world, now| world.receive(&motion(REMOTE, running(1.0), 1), now).unwrap()),
        ("act", |world, now| {
            assert_eq!(world.act(REMOTE, now, |actor, _| actor.now.is_finite()), Some(true));
        }),
        ("add_stand_in", |world, now| {
            world.add_stand_in(OTHER, &at(90.0, 90.0), now);
        }),
        ("despawn", |world, now| {
            world.despawn(world.id_of(REMOTE).unwrap(), now);
        }),
        ("teleport", |world, now| {
            world.teleport(world.id_of(REMOTE).unwrap(), &at(90.0, 90.0), now).unwrap();
        }),
        ("set_parent", |world, now| {
            let held_by = HeldBy { parent: PLAYER, location: 1 };
            world.set_parent(world.id_of(REMOTE).unwrap(), held_by, 0, now).unwrap();
        }),
        ("pick_up", |world, now| {
            world.pick_up(world.id_of(REMOTE).unwrap(), now);
        }),
        ("set_house", |world, now| world.set_house(OTHER, House::default(), now)),
        ("set_house_guard", |world, now| world.set_house_guard(None, now)),
        ("set_player_position", |world, now| world.set_player_position(&at(90.0, 90.0), true, now)),
        ("press", |world, now| world.player_mut().press(W, now).unwrap()),
        ("jump", |world, now| {
            world.player_mut().jump(0.5, now).unwrap();
        }),
        ("walk_to", |world, now| {
            world.player_mut().walk_to(at(90.0, 90.0), now).unwrap();
        }),
        ("use_time", |world, now| world.player_mut().use_time(now)),
        ("stop_completely", |world, now| world.player_mut().stop_completely(now)),
    ];
    for (name, call) in calls {
        for bad in INVALID {
            let mut scene = player();
            scene.send(&create(REMOTE, &at(96.0, 99.0), ObjectStamps::default(), None));
            frames(&mut scene, 3);
            scene.events.clear();
            call(&mut scene.world, bad);
            let events: Vec<_> = scene.world.drain_events().collect();
            let fault = EventKind::Clock(ClockFault::Invalid);
            assert!(events.iter().any(|event| event.kind == fault), "{name} at {bad}: {events:?}");
            assert!(
                events.iter().all(|event| (event.time - scene.now).abs() < 0.1),
                "{name} at {bad}: {events:?}"
            );
            frames(&mut scene, 30);
            assert!(faults(&scene).is_empty(), "{name} at {bad}: the clock is right again");
        }
    }
}

#[test]
fn spawn_at_an_invalid_time_is_an_error() {
    let mut world = World::new(Assets::mannequin());
    for bad in INVALID {
        let spawned = world.spawn(&EntitySpec::new(OTHER, at(90.0, 90.0)), bad);
        assert_eq!(spawned, Err(SpawnError::InvalidNumber { field: "now" }), "{bad}");
    }
    assert_eq!(world.entities().len(), 0);
    for good in [MAX_TIME, -MAX_TIME] {
        let id = world.spawn(&EntitySpec::new(OTHER, at(90.0, 90.0)), good).unwrap();
        assert!(world.despawn(id, good));
    }
}

/// Rule B3.4: what has passed is lost, so that a jump costs no more steps than a tick.
#[test]
fn a_jump_of_the_clock_costs_no_more_events_than_a_tick() {
    for jump in [3.0, 3600.0, 1e9, MAX_TIME - 100.0] {
        let mut scene = player();
        scene.send(&create(REMOTE, &at(96.0, 99.0), ObjectStamps::default(), Some(running(1.0))));
        press(&mut scene, W);
        frames(&mut scene, 30);
        let before = scene.origin(PLAYER);
        scene.events.clear();
        scene.now += jump;
        frames(&mut scene, 1);
        assert_eq!(scene.origin(PLAYER), before, "the time is lost");
        assert!(scene.events.len() < 4, "{jump}: {:?}", scene.events);
        frames(&mut scene, 30);
        assert!((scene.origin(PLAYER) - before).length() > 1.0, "and it goes on");
        assert!(faults(&scene).is_empty(), "this is no fault: rule B3.4 says what happens");
    }
}

/// The clock of a new process, or a clock that was set.
#[test]
fn after_the_clock_is_set_back_nothing_waits_for_the_old_time() {
    for back in [2.5, 3600.0, 1e9] {
        let mut scene = player();
        scene.send(&create(REMOTE, &at(90.0, 90.0), ObjectStamps::default(), Some(running(1.0))));
        scene.send(&create(OTHER, &at(96.0, 99.0), ObjectStamps::default(), None));
        scene.send(&follow(OTHER, REMOTE, 1));
        scene.send(&position(Guid(0x7777_7777), &at(96.0, 96.0), 1));
        press(&mut scene, W);
        frames(&mut scene, 45);
        scene.send(&stick(REMOTE, PLAYER, 2));
        assert!(scene.entity(REMOTE).correction.is_stuck());
        sent(&mut scene);
        scene.events.clear();

        scene.now -= back;
        frames(&mut scene, 1);
        let [ClockFault::SetBack { seconds }] = faults(&scene)[..] else { panic!("{:?}", scene.events) };
        assert!((seconds - back).abs() < 0.1, "{seconds}");
        let start = scene.origin(OTHER);
        frames(&mut scene, 60);
        assert!(!scene.entity(REMOTE).correction.is_stuck(), "it sticks for a second, not for {back} s");
        let reports = sent(&mut scene).iter().filter(|name| **name == "AutonomousPosition").count();
        assert!((1..=3).contains(&reports), "{back}: one a second, not {reports}");
        assert!((scene.origin(OTHER) - start).length() > 1.0, "{back}: it still follows");
        assert_eq!(scene.world.waiting_messages(), 1);
        frames(&mut scene, 30 * 25);
        assert_eq!(scene.world.waiting_messages(), 0, "{back}: 25 s, of which 23.5 have passed since");
        let given_up = EventKind::Rejected(Rejection::NeverCreated { messages: 1 });
        assert_eq!(scene.count_events(|kind| *kind == given_up), 1);
        assert_eq!(faults(&scene).len(), 1, "reported once");
    }
}

#[test]
fn a_little_back_is_what_rules_b2_and_b3_say() {
    let mut scene = TestWorld::with_remote();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(10);
    scene.now -= 1.5;
    let before = scene.origin(REMOTE);
    assert!(!scene.world.tick(scene.now), "the gate follows");
    scene.tick();
    assert_eq!(scene.origin(REMOTE), before, "the body's clock follows");
    scene.ticks(10);
    assert!((scene.origin(REMOTE) - before).length() > 0.5);
    assert!(faults(&scene).is_empty());
}

/// Times before 0 are as good as others, and a world that has not ticked has no clock.
#[test]
fn a_world_can_start_at_any_time() {
    for start in [-1e9, -100.0, 0.0, 1.7e9, -MAX_TIME / 2.0] {
        let mut scene = TestWorld::new();
        scene.now = start;
        scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), Some(running(1.0))));
        scene.ticks(60);
        assert!(scene.origin(REMOTE).y > 98.0, "{start}");
        assert!(faults(&scene).is_empty(), "{start}: {:?}", scene.events);
    }
}

#[test]
fn a_restored_world_goes_on_with_another_clock() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 45);
    let bytes = scene.world.snapshot();
    let world = World::restore(&bytes, Assets::mannequin(), None).unwrap();
    let mut restored = TestWorld { world, now: 0.5, events: Vec::new() };
    restored.world.drain_outbound().for_each(drop);
    let start = restored.origin(PLAYER);
    frames(&mut restored, 60);
    assert!((restored.origin(PLAYER) - start).length() > 3.0);
    assert!(sent(&mut restored).contains(&"AutonomousPosition"), "its position is reported");
    assert!(matches!(faults(&restored)[..], [ClockFault::SetBack { .. }]));
}

/// What an honest client sends, given to a checker at times that `clock` makes of the right ones. Returns the findings.
fn findings(clock: impl Fn(usize, f64) -> f64) -> Vec<Finding> {
    let mut checker = Checker::new(Assets::mannequin(), PLAYER, CheckSettings::default());
    let mut client = player();
    checker.sent(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None), 10.0).unwrap();
    checker.sent(&description(200, 100, 0), 10.0).unwrap();
    press(&mut client, W);
    let (mut findings, mut number) = (Vec::new(), 0);
    for _ in 0..300 {
        frames(&mut client, 1);
        let sent: Vec<_> = client.world.drain_outbound().collect();
        for bytes in sent {
            number += 1;
            let verdict = checker.receive(&bytes, clock(number, client.now)).unwrap();
            findings.extend(verdict.map(|verdict| verdict.finding));
        }
    }
    assert!(checker.player().unwrap().position().frame.is_valid());
    findings
}

#[test]
fn a_checker_takes_any_time() {
    let honest = findings(|_, now| now);
    let end = [Finding::Ok; 5];
    assert!(honest.len() > 8 && honest.iter().all(|finding| *finding == Finding::Ok), "{honest:?}");
    for bad in INVALID {
        let found = findings(|number, now| if number == 4 { bad } else { now });
        assert_eq!(found.len(), honest.len(), "{bad}");
        assert!(found.ends_with(&end), "{bad}: the clock is right again: {found:?}");
    }
    // A clock that is set, back or forward.
    for by in [-3600.0, -8.0, 1e9] {
        let found = findings(|number, now| if number > 4 { now + by } else { now });
        assert_eq!(found.len(), honest.len(), "{by}");
        assert!(found.ends_with(&end), "{by}: {found:?}");
    }
}

#[test]
fn a_missing_clock_does_not_grow_the_log() {
    let mut scene = TestWorld::with(Settings::default());
    for _ in 0..100 {
        assert!(!scene.world.advance(f64::NAN));
    }
    assert_eq!(scene.world.drain_events().count(), 100, "one for each frame");
    let lands = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::HitGround));
    assert_eq!(scene.count_events(lands), 0);
}
