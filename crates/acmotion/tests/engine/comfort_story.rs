//! Comfort, tick by tick: what is shown of remotes while the simulation stays the same.

use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::{Scene, Surroundings};
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{InterpretedState, MoveToParams, MovementBody, ObjectStamps, Origin};
use acmotion::{ComfortSettings, ComfortState, PartPoses, Presentation, Settings, World};
use town_support::{facing, town_scene, town_settings};
use world_support::*;

const COMFORT: Presentation = Presentation::Comfort(ComfortSettings {
    lead: 1.0,
    max_lead: 0.5,
    min_rate: 0.6,
    max_rate: 1.5,
    blend_speed: 12.0,
    acceleration: 45.0,
});

fn with_comfort(settings: Settings) -> Settings {
    Settings { presentation: COMFORT, ..settings }
}

/// A human that stands at (96, 96), in a world that shows remotes with comfort over a round trip of 0.2 s.
fn scene() -> TestWorld {
    let mut scene = TestWorld::with(with_comfort(Settings::default()));
    scene.world.set_round_trip(Some(0.2));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(10);
    scene
}

fn state(scene: &TestWorld) -> ComfortState {
    scene.world.comfort(scene.world.id_of(REMOTE).unwrap()).expect("it is shown by comfort")
}

fn shown(scene: &TestWorld) -> Vec3 {
    state(scene).position.frame.origin
}

/// Its own client announces a run, and later a stop, as an honest connection would deliver them.
fn announce(scene: &mut TestWorld, speed: f32, stamp: u16) {
    let state = if speed > 0.0 { running(speed) } else { Default::default() };
    scene.send(&motion(REMOTE, state, stamp));
}

/// A motion that the server orders.
fn ordered(guid: Guid, state: InterpretedState<'_>, stamp: u16) -> Vec<u8> {
    movement_with(guid, MovementBody::Interpreted { state, sticky: None }, stamp, |_| {})
}

#[test]
fn a_remote_that_runs_is_shown_ahead_of_its_body_and_at_its_speed() {
    let mut scene = scene();
    assert!((shown(&scene) - scene.origin(REMOTE)).length() < 1e-3, "it stands");
    announce(&mut scene, 1.5, 1);
    scene.ticks(60);
    let (body, before) = (scene.origin(REMOTE), shown(&scene));
    // Two ways of 0.1 s each at 6 m/s, less what a body gains by ticks.
    let ahead = before.y - body.y;
    assert!((0.85..1.25).contains(&ahead), "{ahead} m ahead");
    assert!((state(&scene).lead - 0.185).abs() < 0.005, "{:?}", state(&scene));
    scene.ticks(30);
    let speed = (shown(&scene).y - before.y) / (30.0 * TICK as f32);
    assert!((speed - 6.0).abs() < 0.1, "{speed} m/s");
    assert!((state(&scene).rate - 1.0).abs() < 0.02, "it has caught up");
}

#[test]
fn without_a_round_trip_nothing_is_shown_ahead() {
    let mut scene = scene();
    scene.world.set_round_trip(None);
    announce(&mut scene, 1.5, 1);
    scene.ticks(60);
    let apart = shown(&scene).y - scene.origin(REMOTE).y;
    assert!(apart.abs() < 0.15, "{apart} m: at most a frame of the animation");
}

#[test]
fn a_round_trip_is_believed_up_to_two_seconds() {
    let mut scene = scene();
    announce(&mut scene, 1.5, 1);
    scene.tick();
    for (seconds, delay) in [(0.5, 0.5), (1e9, 2.0), (-1.0, 0.0), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
        scene.world.set_round_trip(Some(seconds));
        assert_eq!(state(&scene).delay, delay, "{seconds} s");
    }
}

#[test]
fn a_server_s_own_creature_is_half_as_far_away() {
    let mut scene = scene();
    scene.send(&ordered(REMOTE, running(1.5), 1));
    scene.ticks(60);
    assert!((state(&scene).delay - 0.1).abs() < 1e-6, "its messages make one way");
    assert!((state(&scene).lead - 0.085).abs() < 0.005, "{:?}", state(&scene));
}

/// The original goes back to a report that is behind it. Comfort takes half of it over and slows down.
#[test]
fn a_late_report_does_not_pull_a_runner_back() {
    let mut scene = scene();
    announce(&mut scene, 1.5, 1);
    scene.ticks(60);
    let behind = scene.origin(REMOTE).y - 0.3;
    scene.send(&position(REMOTE, &at(96.0, behind), 1));
    let (mut last, mut body) = (shown(&scene).y, scene.origin(REMOTE).y);
    let mut went_back = false;
    for _ in 0..15 {
        scene.tick();
        went_back |= scene.origin(REMOTE).y < body;
        assert!(shown(&scene).y > last, "it goes on");
        (last, body) = (shown(&scene).y, scene.origin(REMOTE).y);
    }
    assert!(went_back, "the original steps back");
    assert!(state(&scene).jitter > 0.0, "the report was late");
}

/// It stops ahead of where it really stopped, comes to rest, and goes back without a jump.
#[test]
fn an_overshoot_is_blended_away() {
    let mut scene = scene();
    announce(&mut scene, 2.375, 1);
    scene.ticks(60);
    announce(&mut scene, 0.0, 2);
    let mut steps = Vec::new();
    let mut last = shown(&scene).y;
    for _ in 0..60 {
        scene.tick();
        steps.push(shown(&scene).y - last);
        last = shown(&scene).y;
    }
    assert!(steps.iter().any(|step| *step < -0.01), "it went too far: {steps:?}");
    let turns = steps.windows(2).filter(|pair| pair[0] > 0.01 && pair[1] < -0.01);
    assert_eq!(turns.count(), 0, "it never goes back at once: {steps:?}");
    assert!((shown(&scene) - scene.origin(REMOTE)).length() < 0.05, "at the end it is where it is");
}

/// The legs of a body that goes back to where it stopped step, although its motion stands.
#[test]
fn legs_step_where_the_motion_stands() {
    let mut scene = scene();
    announce(&mut scene, 2.375, 1);
    scene.ticks(60);
    announce(&mut scene, 0.0, 2);
    let id = scene.world.id_of(REMOTE).unwrap();
    let parts = |scene: &TestWorld| {
        let mut parts = [acmotion::Matrix::IDENTITY; 32];
        let presented = scene.world.present(id, 1.0, PartPoses::Smooth).unwrap();
        let count = presented.matrices(presented.position().cell, &mut parts);
        let own = scene.world.get(id).unwrap();
        let mut simulated = [acmotion::Matrix::IDENTITY; 32];
        own.pose(scene.world.library(), &mut simulated);
        // In the axes of the body, the greatest difference from the pose of the simulated body.
        let apart = |index: usize| {
            let offset = presented.position().frame.origin - own.position().frame.origin;
            (parts[index].origin() - offset - simulated[index].origin()).length()
        };
        (0..count).map(apart).fold(0.0, f32::max)
    };
    let mut most = 0.0_f32;
    for tick in 0..60 {
        scene.tick();
        if tick > 15 {
            most = most.max(parts(&scene));
        }
    }
    assert!(most > 0.15, "the legs do something else than those of the body: {most} m");
    scene.ticks(30);
    assert!(parts(&scene) < 0.05, "and stand in the end");
}

/// After a stance change the original says nothing of a key that is still held. Reports show the run, and legs run.
#[test]
fn reports_of_a_motion_that_was_not_announced_are_followed() {
    let mut scene = scene();
    announce(&mut scene, 0.0, 1);
    scene.ticks(30);
    let mut errors = [0.0_f32; 2];
    for second in 1..=4_u16 {
        let reported = at(96.0, 96.0 + 6.0 * f32::from(second));
        if second > 2 {
            let before = [shown(&scene), scene.origin(REMOTE)];
            errors = before.map(|origin| (origin - reported.frame.origin).length());
        }
        scene.send(&position(REMOTE, &reported, second));
        scene.ticks(30);
    }
    let [comfort, faithful] = errors;
    assert!(faithful > 5.0, "the original waits for each report: {faithful} m");
    assert!(comfort < 3.0, "comfort goes on: {comfort} m");
    scene.ticks(90);
    let rest = shown(&scene);
    scene.ticks(10);
    assert!((shown(&scene) - rest).length() < 0.01, "without further reports it stands");
}

/// A run that a stance change interrupts, with a report of where the player stopped. Returns the scene when the change is over.
fn after_a_stance_change() -> (TestWorld, Vec3) {
    let mut scene = scene();
    announce(&mut scene, 2.0, 1);
    scene.ticks(60);
    let stance =
        InterpretedState { current_style: Some(MotionCommand::HAND_COMBAT), ..InterpretedState::default() };
    let body = MovementBody::Interpreted { state: stance, sticky: None };
    scene.send(&movement_with(REMOTE, body, 2, |data| data.movement.style = MotionCommand::HAND_COMBAT));
    scene.ticks(8);
    let stopped = state(&scene).known;
    scene.send(&position(REMOTE, &stopped, 1));
    let pending = |scene: &TestWorld| scene.entity(REMOTE).animator.pending().len();
    assert!(pending(&scene) > 0, "the stance changes");
    for _ in 0..120 {
        if pending(&scene) == 0 {
            break;
        }
        let before = shown(&scene);
        scene.tick();
        assert!((shown(&scene) - before).length() < 0.35, "it does not run while the stance changes");
    }
    assert_eq!(pending(&scene), 0, "the change is over");
    (scene, stopped.frame.origin)
}

/// Its client resumes the key that is held and announces nothing (rule K8). The original stands until the next report.
#[test]
fn a_run_that_a_stance_change_interrupts_is_resumed() {
    let (mut scene, stopped) = after_a_stance_change();
    scene.ticks(20);
    let (shown_way, simulated) = (shown(&scene).y - stopped.y, scene.origin(REMOTE).y - stopped.y);
    assert!(simulated < 1.0, "the original stands: {simulated} m");
    assert!(
        (3.5..6.5).contains(&shown_way),
        "comfort runs at 8 m/s: {shown_way} m in two thirds of a second"
    );
    // A report of the run confirms it: it goes on for more than the time between two reports.
    scene.send(&position(REMOTE, &at(96.0, stopped.y + 3.0), 2));
    scene.ticks(30);
    assert!(shown(&scene).y - stopped.y > 9.0, "it runs on: {:?}", shown(&scene));
}

/// The player may have released the key. A report of where it stands, or none, ends the run.
#[test]
fn a_run_that_is_not_resumed_after_all_ends() {
    for is_reported in [true, false] {
        let (mut scene, stopped) = after_a_stance_change();
        scene.ticks(32);
        if is_reported {
            scene.send(&position(REMOTE, &at(96.0, stopped.y), 2));
        }
        let mut farthest = 0.0_f32;
        for _ in 0..120 {
            scene.tick();
            farthest = farthest.max(shown(&scene).y - stopped.y);
        }
        assert!(farthest < if is_reported { 12.0 } else { 14.0 }, "reported: {is_reported}, {farthest} m");
        let rest = shown(&scene);
        scene.ticks(10);
        assert!((shown(&scene) - rest).length() < 0.01, "it stands");
        assert!((rest.y - stopped.y).abs() < 1.0, "where it was reported last: {rest:?}, {stopped:?}");
    }
}

/// A server's order reaches the client of a player about when it reaches others, so the player has gone on until then.
#[test]
fn an_order_is_not_followed_from_where_the_player_was() {
    let mut scene = scene();
    announce(&mut scene, 2.375, 1);
    scene.ticks(60);
    let before = state(&scene);
    scene.send(&ordered(REMOTE, InterpretedState::default(), 2));
    let gone_on = state(&scene).known.frame.origin.y - before.known.frame.origin.y;
    assert!((gone_on - 9.5 * 0.2).abs() < 0.2, "{gone_on} m in 0.2 s");
    // The server does not know yet, and reports where it was.
    scene.send(&position(REMOTE, &before.known, 1));
    let known = state(&scene).known.frame.origin.y - before.known.frame.origin.y;
    assert!((known - gone_on).abs() < 1e-3, "what was before the order does not count");
}

#[test]
fn a_teleport_is_shown_at_once_and_the_remote_stands_until_a_motion_is_announced() {
    let mut scene = scene();
    announce(&mut scene, 1.5, 1);
    scene.ticks(30);
    let to = at(30.0, 40.0);
    scene.send(&position_with(REMOTE, &to, 1, |pack| pack.teleport = Stamp(1)));
    assert!((shown(&scene) - to.frame.origin).length() < 1e-3);
    scene.ticks(10);
    assert!((shown(&scene) - to.frame.origin).length() < 0.01, "it stands");
    assert!(scene.origin(REMOTE).y > 41.0, "the original runs on");
    announce(&mut scene, 1.5, 2);
    scene.ticks(30);
    assert!(shown(&scene).y > 43.0, "{:?}", shown(&scene));
}

/// A report behind the wall of the house, as if the remote had gone round it while messages were lost.
#[test]
fn a_remote_is_not_shown_through_a_wall() {
    let land = town_scene();
    let start = landmarks().spawn;
    let mut scene = TestWorld::with(with_comfort(town_settings()));
    scene.world.set_round_trip(Some(0.2));
    scene.send(&create(REMOTE, &facing(start, 0.0), ObjectStamps::default(), None));
    scene.ticks(10);
    let wall = wall_north_of(&land, &start).expect("the house is north of the path");
    let mut behind = start;
    behind.frame.origin.y = wall + 3.0;
    let (mut stamp, mut passed) = (0, false);
    for tick in 0..90 {
        if tick % 6 == 0 {
            stamp += 1;
            scene.send(&position(REMOTE, &behind, stamp));
        }
        let before = state(&scene).position;
        scene.tick();
        let now = state(&scene).position;
        let is_snap = before.distance_to(&now) > 1.0;
        passed |= !is_snap && before.frame.origin.y < wall && now.frame.origin.y > wall;
    }
    assert!(!passed, "it stays in front of the wall, or snaps as the original does");
}

/// Returns the y coordinate of the first obstruction north of a position, if there is one within 60 m.
fn wall_north_of(land: &Scene, from: &CellPosition) -> Option<f32> {
    let mut eye = *from;
    eye.frame.origin.z += 1.0;
    let mut to = eye;
    to.frame.origin.y += 60.0;
    let hit =
        land.find_obstruction(&eye, &to.adjusted_to_outside().unwrap_or(to), &acmotion::scene::NoObstacles)?;
    Some(eye.frame.origin.y + eye.offset_to(&hit.surface()?.position).y)
}

#[test]
fn held_objects_are_shown_where_their_holders_are_shown() {
    let mut scene = scene();
    let sword = Guid(0x5000_0002);
    scene.send(&held_item(sword, REMOTE));
    announce(&mut scene, 2.375, 1);
    scene.ticks(60);
    let id = scene.world.id_of(sword).unwrap();
    let presented = *scene.world.present(id, 1.0, PartPoses::Smooth).unwrap().position();
    assert!(presented.distance_to(&state(&scene).position) < 1.5, "in the hand that is shown");
    assert!(scene.origin(sword).y < presented.frame.origin.y - 1.0, "ahead of the one that is simulated");
}

/// The local player, items and what is far away are shown where they are.
#[test]
fn only_remotes_have_another_position() {
    let mut scene = TestWorld::with(with_comfort(settings(|settings| {
        settings.player = acmotion::Identity::Known(PLAYER);
    })));
    scene.send(&create(PLAYER, &at(96.0, 90.0), ObjectStamps::default(), None));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    let far = Guid(0x5000_0003);
    scene.send(&create(far, &at(96.0, 10.0), ObjectStamps::default(), None));
    scene.ticks(3);
    scene.world.set_player_position(&at(96.0, 120.0), true, scene.now);
    scene.ticks(3);
    let has_comfort = |guid| scene.world.comfort(scene.world.id_of(guid).unwrap()).is_some();
    assert!(has_comfort(REMOTE) && !has_comfort(PLAYER), "the player is its own truth");
    assert!(!has_comfort(far), "what is more than 96 m away is not updated (rule B3)");
}

#[test]
fn the_presentation_can_be_changed_at_any_time() {
    let mut scene = scene();
    announce(&mut scene, 2.375, 1);
    scene.ticks(60);
    let id = scene.world.id_of(REMOTE).unwrap();
    assert_eq!(scene.world.presentation(), COMFORT);
    scene.world.set_presentation(Presentation::Comfort(ComfortSettings::behind()));
    let before = shown(&scene);
    scene.tick();
    assert!((shown(&scene) - before).length() < 0.4, "other settings do not interrupt it");
    scene.world.set_presentation(Presentation::Faithful);
    assert_eq!(scene.world.comfort(id), None);
    assert_eq!(scene.world.shown_position(id), Some(scene.world.get(id).unwrap().position()));
    scene.world.set_presentation(COMFORT);
    scene.tick();
    assert_eq!(shown(&scene), scene.origin(REMOTE), "it starts from where the body is");
    let no_entity = World::new(Assets::mannequin());
    assert_eq!((no_entity.shown_position(id), no_entity.comfort(id)), (None, None));
}

/// With comfort, on several cores, or restored from a snapshot: the state is the same to the byte.
#[test]
fn the_simulation_is_the_same_with_and_without_comfort() {
    let settings = || Settings { surroundings: Some(Arc::new(town_scene())), ..Settings::default() };
    let mut plain = TestWorld::with(settings());
    let mut comfort = TestWorld::with(with_comfort(settings()));
    let mut parallel = TestWorld::with(with_comfort(settings()));
    let start = landmarks().spawn;
    for scene in [&mut plain, &mut comfort, &mut parallel] {
        scene.world.set_round_trip(Some(0.3));
        for number in 0..12_u16 {
            let mut position = start;
            position.frame.origin += Vec3::new(f32::from(number) * 2.0, f32::from(number % 3), 0.0);
            let guid = Guid(1 + u32::from(number));
            scene.send(&create(
                guid,
                &facing(position, 30.0 * f32::from(number)),
                ObjectStamps::default(),
                None,
            ));
        }
    }
    for tick in 0..240_u16 {
        for (index, scene) in [&mut plain, &mut comfort, &mut parallel].into_iter().enumerate() {
            if tick % 20 == 0 {
                let guid = Guid(1 + u32::from(tick / 20 % 12));
                let reported = scene.world.find(guid).unwrap().position();
                scene.send(&position(guid, &reported, 1 + tick));
                scene.send(&motion(guid, running(f32::from(tick % 3)), 1 + tick));
            }
            scene.now += TICK;
            let ticked =
                if index == 2 { scene.world.tick_parallel(scene.now) } else { scene.world.tick(scene.now) };
            assert!(ticked);
            scene.events.extend(scene.world.drain_events());
        }
        let bytes = plain.world.snapshot();
        assert!(bytes == comfort.world.snapshot() && bytes == parallel.world.snapshot(), "tick {tick}");
        for entity in comfort.world.entities() {
            let [one, other] = [&comfort, &parallel].map(|scene| scene.world.comfort(entity.id()));
            assert_eq!(one, other, "on several cores the same is shown");
        }
    }
    let surroundings = Some(Arc::new(town_scene()) as Arc<dyn Surroundings + Send + Sync>);
    let mut restored = World::restore(&comfort.world.snapshot(), Assets::mannequin(), surroundings).unwrap();
    assert_eq!(restored.presentation(), Presentation::Faithful, "it is to be set again");
    restored.set_presentation(COMFORT);
    restored.tick(comfort.now + TICK);
    comfort.world.tick(comfort.now + TICK);
    assert!(restored.snapshot() == comfort.world.snapshot());
    assert!(restored.entities().all(|entity| restored.comfort(entity.id()).is_some()));
}

#[test]
fn a_clone_shows_the_same() {
    let mut scene = scene();
    announce(&mut scene, 2.0, 1);
    scene.ticks(20);
    let mut clone = TestWorld { world: scene.world.clone(), now: scene.now, events: Vec::new() };
    for tick in 0..30_u16 {
        for world in [&mut scene, &mut clone] {
            if tick == 5 {
                world.send(&position(REMOTE, &at(96.0, 101.0), 1));
                world.send(&motion(REMOTE, Default::default(), 2));
            }
            world.tick();
        }
        assert_eq!(state(&scene), state(&clone));
    }
}

/// Walking to a goal, a remote is not shown beyond it, however far ahead it is shown.
#[test]
fn a_remote_is_not_shown_beyond_what_it_goes_to() {
    let target = Guid(0x5000_0009);
    let mut scene = scene();
    scene.world.set_round_trip(Some(0.8));
    scene.send(&create(target, &at(96.0, 110.0), ObjectStamps::default(), None));
    let goal = at(96.0, 110.0);
    let body = MovementBody::MoveToObject {
        target,
        origin: Origin { cell: goal.cell, point: goal.frame.origin },
        params: MoveToParams::default(),
        run_rate: 2.0,
    };
    scene.send(&movement_with(REMOTE, body, 1, |_| {}));
    for _ in 0..150 {
        scene.tick();
        let left = 110.0 - shown(&scene).y;
        assert!(left > 0.9, "{left} m from the middle of the target");
    }
    assert!(shown(&scene).y > 106.0, "it has arrived: {:?}", shown(&scene));
    assert_eq!(scene.entity(REMOTE).interp.interpreted.forward.command, MotionCommand::READY);
}

fn jump(scene: &mut TestWorld, speed: f32, stamp: u16) {
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, speed), stamp));
}

/// A jump is shown ahead, too: it rises, falls and lands before the simulated body does, and never sinks into the ground.
#[test]
fn a_jump_is_shown_ahead() {
    let mut scene = scene();
    announce(&mut scene, 0.0, 1);
    let ground = scene.origin(REMOTE).z;
    jump(&mut scene, 8.0, 1);
    let (mut landed, mut body_landed, mut highest) = (None, None, 0.0_f32);
    for tick in 0..90 {
        scene.tick();
        let (z, body) = (shown(&scene).z, scene.origin(REMOTE).z);
        assert!(z > ground - 0.02, "it is not below the ground");
        highest = highest.max(z - ground);
        if tick > 10 && z < ground + 0.02 {
            landed = landed.or(Some(tick));
        }
        if tick > 10 && body < ground + 0.02 {
            body_landed = body_landed.or(Some(tick));
        }
    }
    assert!((2.5..3.6).contains(&highest), "{highest} m high");
    let ahead = body_landed.unwrap() - landed.unwrap();
    assert!((2..8).contains(&ahead), "it lands {ahead} ticks earlier");
}
