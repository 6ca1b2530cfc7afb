//! Comfort in single ticks: who has a second position, when it begins anew, and how it goes over the ground.

use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::Surroundings;
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{InterpretedState, MovementBody, ObjectStamps, PhysicsState, TurnToParams};
use acmotion::{ComfortSettings, ComfortState, PartPoses, Presentation, Settings, World};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);

/// A world that shows remotes with comfort over a round trip of 0.2 s.
fn world(settings: Settings) -> TestWorld {
    let presentation = Presentation::Comfort(ComfortSettings::default());
    let mut scene = TestWorld::with(Settings { presentation, ..settings });
    scene.world.set_round_trip(Some(0.2));
    scene
}

/// Such a world with a human at (96, 96), whose own client has announced that it runs at 6 m/s to the north two seconds ago.
fn with_runner() -> TestWorld {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(3);
    scene.send(&motion(REMOTE, running(1.5), 1));
    scene.ticks(60);
    assert!(ahead(&scene) > 0.5, "it is shown ahead: {} m", ahead(&scene));
    scene
}

fn find(scene: &TestWorld, guid: Guid) -> Option<ComfortState> {
    scene.world.comfort(scene.world.id_of(guid).unwrap())
}

fn state(scene: &TestWorld) -> ComfortState {
    find(scene, REMOTE).expect("it is shown by comfort")
}

fn shown(scene: &TestWorld) -> Vec3 {
    state(scene).position.frame.origin
}

/// How far north of its body the remote is shown, in metres.
fn ahead(scene: &TestWorld) -> f32 {
    scene.world.find(REMOTE).unwrap().position().offset_to(&state(scene).position).y
}

/// Hidden, a remote is where its body is. When it is shown again it stands until a motion is announced, as after a teleport.
#[test]
fn a_hidden_remote_is_where_its_body_is() {
    let mut scene = with_runner();
    scene.send(&set_state(REMOTE, SOLID | PhysicsState::HIDDEN, 1));
    scene.tick();
    assert_eq!(shown(&scene), scene.origin(REMOTE));
    scene.send(&set_state(REMOTE, SOLID, 2));
    let hidden = shown(&scene);
    scene.ticks(15);
    assert!((shown(&scene) - hidden).length() < 0.01, "it stands: {:?}", shown(&scene));
    assert!(scene.origin(REMOTE).y > hidden.y + 1.0, "the original runs on");
    scene.send(&motion(REMOTE, running(1.5), 2));
    scene.ticks(30);
    assert!(shown(&scene).y > hidden.y + 2.0);
}

/// Bodies on a sled, and those that cannot be asked to move, are shown where they are.
#[test]
fn what_does_not_move_by_itself_has_one_position() {
    let mut scene = with_runner();
    scene.send(&set_state(REMOTE, SOLID | PhysicsState::SLEDDING, 1));
    scene.tick();
    assert_eq!(find(&scene, REMOTE), None);
    let id = scene.world.id_of(REMOTE).unwrap();
    assert_eq!(scene.world.shown_position(id), Some(scene.world.find(REMOTE).unwrap().position()));
    scene.send(&set_state(REMOTE, SOLID, 2));
    scene.tick();
    assert_eq!(shown(&scene), scene.origin(REMOTE), "it begins where its body is");

    let barrel = ObjectKind { item_type: 1, table: None, ..CREATURE };
    scene.add(OTHER, &at(90.0, 90.0), &barrel);
    scene.ticks(3);
    assert_eq!(find(&scene, OTHER), None, "it cannot be asked to move");
}

/// An entity that takes the slot of one that was removed begins where its own body is.
#[test]
fn nothing_of_a_remote_is_left_for_the_next_in_its_slot() {
    let mut scene = with_runner();
    scene.send(&delete(REMOTE, 0));
    scene.send(&create(OTHER, &at(60.0, 60.0), ObjectStamps::default(), None));
    assert_eq!(find(&scene, OTHER), None, "no tick has shown it yet");
    for _ in 0..3 {
        scene.tick();
        let position = find(&scene, OTHER).expect("it is shown by comfort").position;
        assert!((position.frame.origin - scene.origin(OTHER)).length() < 1e-3, "{position:?}");
    }
}

/// Bodies lose what is more than two seconds (B3), and so do remotes. Of less they use 0.2 s in a tick.
#[test]
fn a_long_pause_is_not_made_up_for() {
    let mut scene = with_runner();
    scene.now += 3.0;
    scene.tick();
    assert_eq!(shown(&scene), scene.origin(REMOTE), "it begins anew");

    let mut scene = with_runner();
    let before = shown(&scene).y;
    scene.now += 1.0;
    scene.tick();
    let step = shown(&scene).y - before;
    assert!((1.1..1.3).contains(&step), "0.2 s at 6 m/s, and at most 4.8 cm more: {step} m");
}

/// A clock that is set back does not interrupt a remote.
#[test]
fn a_clock_that_is_set_back_changes_nothing() {
    let mut scene = with_runner();
    let before = shown(&scene).y;
    scene.now -= 5.0;
    scene.ticks(2);
    assert!(ahead(&scene) > 0.5, "{} m ahead", ahead(&scene));
    let step = shown(&scene).y - before;
    assert!((0.1..0.6).contains(&step), "one or two ticks at 6 m/s: {step} m");
}

/// Outdoors the original gives up at 100 m (D8), and so does comfort: it is where the body is at once.
#[test]
fn a_remote_that_is_more_than_100_m_off_snaps() {
    for (y, snaps) in [(10.0, false), (-10.0, true)] {
        let mut scene = world(Settings::default());
        scene.send(&create(REMOTE, &at(96.0, 100.0), ObjectStamps::default(), None));
        scene.ticks(30);
        let there = at(96.0, y);
        let put =
            scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&there, true, around));
        assert_eq!(put, Some(true));
        scene.send(&position(REMOTE, &there, 1));
        scene.tick();
        let left = state(&scene).position.distance_to(&there);
        assert_eq!(left < 0.1, snaps, "{left} m are left");
    }
}

/// A creature put somewhere else while nothing moves: it snaps all the same.
#[test]
fn a_remote_at_rest_snaps_after_its_body() {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 100.0), ObjectStamps::default(), None));
    scene.ticks(60);
    let there = at(96.0, -10.0);
    scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&there, true, around));
    scene.tick();
    assert!(state(&scene).position.distance_to(&there) < 0.1, "{:?}", state(&scene).position);
}

/// A body that was to stand is reported six metres farther every second. Before the last report half a second passes without
/// a tick, but the time between the reports is a second all the same, so that it still goes 6 m/s.
#[test]
fn the_time_since_the_last_tick_counts_between_reports() {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(30);
    for second in 1..=3_u16 {
        scene.send(&position(REMOTE, &at(96.0, 96.0 + 6.0 * f32::from(second)), second));
        scene.ticks(if second < 3 { 30 } else { 15 });
    }
    scene.now += 0.5;
    scene.send(&position(REMOTE, &at(96.0, 120.0), 4));
    let known = |scene: &TestWorld| state(scene).known.frame.origin.y;
    assert!((known(&scene) - 120.0).abs() < 1e-3, "{}", known(&scene));
    scene.tick();
    let begun = known(&scene);
    scene.ticks(10);
    let speed = (known(&scene) - begun) / (10.0 * TICK as f32);
    assert!((speed - 6.0).abs() < 0.1, "{speed} m/s");
}

/// What is known has the height of the body, however far ahead the jump is shown.
#[test]
fn what_is_known_is_as_high_as_the_body() {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(3);
    scene.send(&motion(REMOTE, Default::default(), 1));
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 8.0), 1));
    let mut most = 0.0_f32;
    for _ in 0..60 {
        scene.tick();
        let (state, body) = (state(&scene), scene.origin(REMOTE).z);
        assert_eq!(state.known.frame.origin.z, body);
        most = most.max((state.position.frame.origin.z - body).abs());
    }
    assert!(most > 0.3, "it is shown ahead: {most} m");
    assert!((shown(&scene).z - scene.origin(REMOTE).z).abs() < 1e-3, "it has landed");
}

/// A remote that is shown beyond the border of its landblock is shown in the next one.
#[test]
fn a_remote_crosses_the_borders_of_landblocks() {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 180.0), ObjectStamps::default(), None));
    scene.ticks(3);
    scene.send(&motion(REMOTE, running(1.5), 1));
    let mut crossed = 0;
    for _ in 0..120 {
        scene.tick();
        let ComfortState { position, known, .. } = state(&scene);
        for place in [position, known] {
            assert_eq!(place.cell, place.adjusted_to_outside().unwrap().cell, "{place:?}");
            assert!((0.0..192.0).contains(&place.frame.origin.y), "{place:?}");
        }
        let body = scene.world.find(REMOTE).unwrap().position();
        assert!(body.distance_to(&position) < 1.5, "{body:?}, {position:?}");
        crossed += usize::from(body.cell.0 >> 16 != position.cell.0 >> 16);
    }
    assert!(crossed > 1, "it was shown in the next landblock before its body was there");
}

/// Where no land is known the ground slopes as reports say, also ahead of the body. A quarter of the way to the north is up.
#[test]
fn a_remote_is_shown_on_the_slope_that_was_learnt() {
    let hill = |y: f32| GROUND + (y - 96.0) * 0.25;
    let on_hill = |y: f32| {
        let mut position = at(96.0, y);
        position.frame.origin.z = hill(y);
        position
    };
    let mut scene = world(settings(|settings| settings.slope_from_reports = true));
    scene.send(&create(REMOTE, &on_hill(96.0), ObjectStamps::default(), None));
    scene.send(&motion(REMOTE, running(1.5), 1));
    for second in 1..=6_u16 {
        scene.ticks(30);
        let origin = shown(&scene);
        if second > 3 {
            assert!((origin.z - hill(origin.y)).abs() < 0.05, "{origin:?} instead of {}", hill(origin.y));
        }
        scene.send(&position(REMOTE, &on_hill(96.0 + 6.0 * f32::from(second)), second));
    }
}

/// The origin of a large body is higher above the ground, and its motion leads farther.
#[test]
fn a_large_remote_is_shown_as_large_as_its_body() {
    let mut scene = world(Settings::default());
    scene.send(&describe_scaled(REMOTE, &at(96.0, 20.0), &CREATURE, 3.0));
    scene.ticks(30);
    scene.send(&motion(REMOTE, running(0.5), 1));
    scene.ticks(60);
    let (before, body) = (shown(&scene), scene.origin(REMOTE));
    assert!((before.z - body.z).abs() < 1e-3, "{before:?}, {body:?}");
    scene.ticks(30);
    let speed = (shown(&scene).y - before.y) / (30.0 * TICK as f32);
    assert!((speed - 6.0).abs() < 0.15, "3 · 0.5 · 4 m/s, not {speed}");
}

/// A world in town, with a creature at a landmark.
fn in_comfort(position: &CellPosition, kind: &ObjectKind) -> TestWorld {
    let mut scene = world(town_settings());
    scene.add(REMOTE, position, kind);
    scene.ticks(10);
    scene
}

/// The way up the ramp: ahead of the body, a remote is as high as the body is when it comes there.
#[test]
fn a_remote_goes_up_a_ramp() {
    let mut scene = in_comfort(&facing(landmarks().ramp_foot, 0.0), &CREATURE);
    scene.send(&motion(REMOTE, running(1.0), 1));
    let (mut body_path, mut shown_path) = (Vec::new(), Vec::new());
    for _ in 0..80 {
        scene.tick();
        body_path.push(scene.origin(REMOTE));
        shown_path.push(shown(&scene));
    }
    let climbed = body_path.last().unwrap().z - body_path[0].z;
    assert!(climbed > 1.9, "{climbed} m");
    let mut compared = 0;
    for shown in &shown_path {
        let Some(next) = body_path.windows(2).find(|pair| pair[0].y <= shown.y && shown.y < pair[1].y) else {
            continue;
        };
        let height = next[0].z.max(next[1].z);
        assert!((height - shown.z).abs() < 0.1, "{shown:?}, and the body at {next:?}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

/// A remote stands in front of a wall and is reported behind it. It does not get there, and snaps after half a second.
#[test]
fn a_remote_that_is_held_up_by_a_wall_snaps() {
    let start = facing(landmarks().wall, 0.0);
    let mut scene = in_comfort(&start, &CREATURE);
    let behind = beside(start, 0.0, 4.0, 0.0);
    let put = scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&behind, true, around));
    assert_eq!(put, Some(true));
    scene.send(&position(REMOTE, &behind, 1));
    let mut snapped = None;
    for tick in 1..=60 {
        let before = shown(&scene);
        scene.tick();
        if (shown(&scene) - before).length() > 1.0 {
            snapped = snapped.or(Some(tick));
        }
    }
    assert!(snapped.is_some_and(|tick| (16..40).contains(&tick)), "{snapped:?}");
    assert!((shown(&scene) - scene.origin(REMOTE)).length() < 0.1);
}

/// Creatures do not hold up a remote: its body has to go round them, it does not.
#[test]
fn creatures_do_not_block_a_remote() {
    let start = facing(landmarks().spawn, 0.0);
    let mut scene = in_comfort(&start, &CREATURE);
    scene.add(OTHER, &beside(start, 0.0, 2.0, 0.0), &CREATURE);
    scene.ticks(3);
    let beyond = beside(start, 0.0, 4.0, 0.0);
    let put = scene.world.act(REMOTE, scene.now, |actor, around| actor.set_position(&beyond, true, around));
    assert_eq!(put, Some(true));
    scene.send(&position(REMOTE, &beyond, 1));
    let mut longest = 0.0_f32;
    for _ in 0..60 {
        let before = shown(&scene);
        scene.tick();
        longest = longest.max((shown(&scene) - before).length());
    }
    assert!((shown(&scene) - scene.origin(REMOTE)).length() < 0.1, "it is there");
    assert!(longest < 0.6, "it has not snapped: {longest} m");
}

/// On a slope as on level ground, a remote whose body stands does not move at all.
#[test]
fn a_remote_at_rest_stays_where_it_is() {
    let scene_of = Arc::new(town_scene());
    let mut scene = world(Settings { surroundings: Some(scene_of.clone()), ..Settings::default() });
    scene.add(REMOTE, &landmarks().hill_foot, &CREATURE);
    scene.ticks(60);
    let rest = state(&scene);
    assert!(scene_of.ground(&rest.position).is_some());
    scene.ticks(30);
    assert_eq!(state(&scene).position, rest.position);
    assert!((shown(&scene) - scene.origin(REMOTE)).length() < 1e-3);
}

/// How far a remote is shown turned from a heading, in degrees: to the right if positive.
fn turned_from(scene: &TestWorld, heading: f32) -> f32 {
    (state(scene).position.frame.heading() - heading + 180.0).rem_euclid(360.0) - 180.0
}

/// A human at (96, 96) that has stood for two seconds, facing north.
fn with_stander() -> TestWorld {
    let mut scene = world(Settings::default());
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(60);
    scene
}

/// What stands and turns is shown turning in every tick, and in the end as its body is.
#[test]
fn a_turn_on_the_spot_is_shown_in_every_tick() {
    let turning = InterpretedState {
        turn_command: Some(MotionCommand::TURN_RIGHT),
        turn_speed: Some(1.0),
        ..InterpretedState::default()
    };
    let mut scene = with_stander();
    scene.send(&motion(REMOTE, turning, 1));
    let mut last = 0.0;
    for tick in 1..=25 {
        scene.tick();
        let turned = turned_from(&scene, 0.0);
        assert!(turned > last + 0.5, "tick {tick}: {turned} degrees after {last}");
        last = turned;
    }
    let apart = turned_from(&scene, scene.world.find(REMOTE).unwrap().position().frame.heading());
    assert!(apart.abs() < 3.0, "{apart} degrees from its body");
    scene.send(&motion(REMOTE, Default::default(), 2));
    scene.ticks(20);
    let apart = turned_from(&scene, scene.world.find(REMOTE).unwrap().position().frame.heading());
    assert!(apart.abs() < 1e-3, "{apart} degrees from its body when both stand");
}

/// An order that turns a body in steps that nothing announces.
#[test]
fn a_turn_under_an_order_is_shown_to_its_end() {
    let mut scene = with_stander();
    let params = TurnToParams { desired_heading: 140.0, ..TurnToParams::default() };
    scene.send(&movement_with(REMOTE, MovementBody::TurnToHeading { params }, 1, |_| {}));
    let mut last = 0.0;
    let mut ticks = 0;
    while scene.entity(REMOTE).is_moving_to() {
        scene.tick();
        let turned = turned_from(&scene, 0.0);
        let begins_or_ends = ticks < 3 || last > 138.0;
        assert!(begins_or_ends || turned > last + 0.5, "tick {ticks}: {turned} degrees after {last}");
        (last, ticks) = (turned, ticks + 1);
    }
    assert!(ticks > 20, "{ticks}");
    scene.ticks(20);
    assert!(turned_from(&scene, 140.0).abs() < 0.01, "{:?}", state(&scene).position.frame.heading());
}

/// One report of another direction is enough: what is left of the turn is shown in the ticks after it.
#[test]
fn a_reported_direction_is_shown_to_the_end_of_the_turn() {
    let mut scene = with_stander();
    scene.send(&position(REMOTE, &facing(at(96.0, 96.0), 100.0), 1));
    let mut last = 0.0;
    for tick in 1..=5 {
        scene.tick();
        let turned = turned_from(&scene, 0.0);
        assert!(turned > last + 0.5, "tick {tick}: {turned} degrees after {last}");
        last = turned;
    }
    scene.ticks(25);
    assert!(turned_from(&scene, 100.0).abs() < 0.01, "{:?}", state(&scene).position.frame.heading());
}

/// Ticks leave out what is frozen, or in no cell any more. It has no second position then, and begins anew afterwards.
#[test]
fn what_falls_asleep_is_shown_where_it_is() {
    for tick in [World::tick, World::tick_parallel] {
        for is_frozen in [true, false] {
            let mut scene = with_runner();
            let id = scene.world.id_of(REMOTE).unwrap();
            let before = shown(&scene);
            if is_frozen {
                scene.send(&set_state(REMOTE, SOLID | PhysicsState::FROZEN, 1));
            } else {
                scene.send(&pickup(REMOTE, 1));
            }
            for _ in 0..3 {
                scene.now += TICK;
                tick(&mut scene.world, scene.now);
                let own = scene.world.find(REMOTE).unwrap().position();
                assert_eq!(find(&scene, REMOTE), None, "frozen: {is_frozen}");
                assert_eq!(scene.world.shown_position(id), Some(own));
                let presented = scene.world.present(id, 1.0, PartPoses::Smooth).unwrap();
                assert_eq!(presented.position().frame.origin, own.frame.origin);
            }
            scene.send(&set_state(REMOTE, SOLID, 2));
            scene.send(&position(REMOTE, &at(96.0, 50.0), 2));
            scene.tick();
            assert_eq!(shown(&scene), scene.origin(REMOTE), "not at {before:?}");
        }
    }
}
