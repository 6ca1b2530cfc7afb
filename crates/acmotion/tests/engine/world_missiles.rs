//! Missiles: bolts fly in a straight line, arrows in an arc, and no ground is assumed below them (rules B4, C4, C11;
//! `docs/collision.md` 8.8). The figures of the bolts and arrows are those that servers of the game sent.

use crate::town_support;
use crate::world_support;

use acmotion::dat::mannequin::{self, town::landmarks};
use acmotion::types::{CellPosition, Guid, Stamp, Vec3};
use acmotion::wire::{PhysicsState, PositionFlags, SetState, WeenieDesc};
use acmotion::{EventKind, MotionEvent, Settings};
use town_support::{beside, in_town, town_settings};
use world_support::*;

const BOLT: Guid = Guid(0x8000_0001);
/// Flame Bolt: report collisions, missile, align path, path clipped, lighting, scripted collision, inelastic; no gravity.
const BOLT_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_8B48);
/// Arrow: report collisions, missile, align path, path clipped, gravity, inelastic.
const ARROW_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_0748);
/// An arrow that sticks in something: ethereal, ignores collisions, gravity, inelastic.
const STUCK_ARROW_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_0414);
/// A bolt after its impact: as before, but hidden and no longer a missile.
const SPENT_BOLT_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_8834);
const GRAVITY: f32 = -9.8;

fn missile(state: PhysicsState, position: &CellPosition, velocity: Vec3) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Bolt", 1, 0x100, 0, &mut weenie);
    describe(BOLT, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.state = state;
        physics.setup = Some(mannequin::HUMAN_SETUP.0);
        physics.position = Some(*position);
        physics.velocity = Some(velocity);
        physics.scale = Some(0.1);
        physics.friction = Some(1.0);
        physics.elasticity = Some(0.0);
    })
}

fn in_the_air() -> CellPosition {
    let mut position = at(96.0, 96.0);
    position.frame.origin.z += 1.5;
    position
}

/// The offset of the bolt from where it was created.
fn flown(scene: &TestWorld) -> Vec3 {
    in_the_air().offset_to(&scene.world.find(BOLT).unwrap().position())
}

fn state(state: PhysicsState, stamp: u16) -> Vec<u8> {
    encode(SetState { guid: BOLT, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
}

/// At every tick it is where its initial velocity takes it, across cells and landblocks. It never stands.
#[test]
fn a_bolt_flies_on_the_line_of_its_velocity() {
    let velocity = Vec3::new(-14.524_467, 0.602_859, -0.311_09);
    let mut scene = TestWorld::new();
    scene.send(&missile(BOLT_STATE, &in_the_air(), velocity));
    let start = scene.now;
    for _ in 0..300 {
        scene.tick();
        let expected = velocity * (scene.now - start) as f32;
        assert!((flown(&scene) - expected).length() < 0.005, "{:?} {expected:?}", flown(&scene));
        assert!(!scene.world.find(BOLT).unwrap().body().has_contact());
    }
    let bolt = scene.world.find(BOLT).unwrap();
    assert_eq!(bolt.position().cell.block(), 0xA8B4, "145 m to the west");
    assert!(bolt.body().state.contains(PhysicsState::MISSILE));
}

/// It falls as it flies, and points along its path (`ALIGN_PATH`, rule B4.4a). The integration is exact for a constant
/// acceleration (rule C4).
#[test]
fn an_arrow_flies_in_an_arc_and_points_along_it() {
    let velocity = Vec3::new(20.0, 0.0, 8.0);
    let mut scene = TestWorld::new();
    scene.send(&missile(ARROW_STATE, &in_the_air(), velocity));
    let start = scene.now;
    let mut before = flown(&scene);
    for _ in 0..90 {
        scene.tick();
        let time = (scene.now - start) as f32;
        let expected = velocity * time + Vec3::new(0.0, 0.0, 0.5 * GRAVITY * time * time);
        assert!((flown(&scene) - expected).length() < 0.005, "{:?} {expected:?}", flown(&scene));
        let path = (flown(&scene) - before).normalized().unwrap();
        let forward = scene.world.find(BOLT).unwrap().position().frame.forward();
        assert!(forward.dot(path) > 0.999, "points along {forward:?}, flies along {path:?}");
        before = flown(&scene);
    }
    assert!(flown(&scene).z < -15.0, "below where it was shot from");
}

/// The server reports a missile when it changes cells, not grounded (flags 0x31). This changes neither its path (rule
/// D7) nor the ground below it.
#[test]
fn reports_in_the_air_do_not_stop_a_bolt() {
    let velocity = Vec3::new(-14.5, 0.6, -0.3);
    let mut scene = TestWorld::new();
    scene.send(&missile(BOLT_STATE, &in_the_air(), velocity));
    let start = scene.now;
    for stamp in 1..6 {
        scene.ticks(10);
        let mut reported = in_the_air();
        reported.frame.origin += velocity * (scene.now - start) as f32;
        let reported = reported.adjusted_to_outside().unwrap();
        scene.send(&position_with(BOLT, &reported, stamp, |pack| {
            pack.flags = PositionFlags::VELOCITY;
            pack.velocity = Some(velocity);
        }));
        let expected = velocity * (scene.now - start) as f32;
        assert!((flown(&scene) - expected).length() < 0.005);
    }
}

/// The server ends the flight of a bolt with a state and a velocity of zero. It stays where it is; so does an arrow,
/// which has gravity but has hit something there.
#[test]
fn a_missile_stays_where_the_server_ends_its_flight() {
    for (flying, spent) in [(BOLT_STATE, SPENT_BOLT_STATE), (ARROW_STATE, STUCK_ARROW_STATE)] {
        let mut scene = TestWorld::new();
        scene.send(&missile(flying, &in_the_air(), Vec3::new(-14.5, 0.6, -0.3)));
        scene.ticks(15);
        assert!(flown(&scene).length() > 7.0);
        scene.send(&state(spent, 1));
        scene.send(&vector(BOLT, Vec3::ZERO, 1));
        let impact = flown(&scene);
        for _ in 0..30 {
            scene.tick();
            assert!((flown(&scene) - impact).length() < 0.02, "{flying:?}: {:?} {impact:?}", flown(&scene));
        }
    }
}

/// It is described with the velocity of its flight, but it is no longer a missile: it stays on the ground that is
/// assumed at its height.
#[test]
fn an_arrow_that_sticks_in_something_stays_there() {
    let mut scene = TestWorld::new();
    scene.send(&missile(STUCK_ARROW_STATE, &in_the_air(), Vec3::new(17.2, 3.5, -16.9)));
    scene.ticks(30);
    assert!(flown(&scene).length() < 0.05, "{:?}", flown(&scene));
}

/// A grounded report, as of an arrow on the ground, gives the missile ground again.
#[test]
fn a_grounded_report_gives_a_missile_ground() {
    let mut scene = TestWorld::new();
    scene.send(&missile(ARROW_STATE, &in_the_air(), Vec3::new(0.0, 0.0, -1.0)));
    scene.ticks(5);
    scene.send(&position(BOLT, &at(96.0, 96.0), 1));
    scene.ticks(120);
    let bolt = scene.world.find(BOLT).unwrap();
    assert!(bolt.body().has_contact());
    assert!((bolt.position().frame.origin.z - GROUND).abs() < 0.1, "{:?}", bolt.position());
}

/// A body that is created rising, as in a jump, has no ground at its own height; one that is created standing has. A
/// body that is first reported in the air has none until it is reported standing.
#[test]
fn a_body_in_the_air_has_no_ground_until_it_is_reported_standing() {
    let jump = |velocity: Vec3| {
        let mut scene = TestWorld::new();
        let state = running(1.0);
        let bytes = create(REMOTE, &in_the_air(), Default::default(), Some(state));
        let decoded = acmotion::wire::decode_s2c(&bytes, ERA).unwrap();
        let acmotion::wire::S2C::CreateObject(mut object) = decoded else { panic!("not an object") };
        object.0.physics.velocity = Some(velocity);
        scene.send(&encode(object));
        scene.ticks(60);
        scene.origin(REMOTE).z - in_the_air().frame.origin.z
    };
    assert!(jump(Vec3::new(0.0, 2.0, 4.0)) < -5.0, "two seconds after a jump");
    assert!(jump(Vec3::new(0.0, 2.0, 0.0)).abs() < 0.1);

    let mut scene = TestWorld::with(Settings { stand_ins_for_unknown: true, ..Settings::default() });
    let height = |scene: &TestWorld| scene.origin(REMOTE).z - GROUND;
    scene.send(&position_with(REMOTE, &in_the_air(), 1, |pack| pack.flags = PositionFlags::empty()));
    scene.ticks(15);
    assert!(height(&scene) < 0.5, "it falls: {}", height(&scene));
    scene.send(&position(REMOTE, &at(96.0, 96.0), 2));
    scene.ticks(30);
    assert!(height(&scene).abs() < 0.05 && scene.world.find(REMOTE).unwrap().body().is_standing());
}

/// Where the land is known, an arrow comes down on it: the impact is reported once, the missile flags are cleared (rule
/// C11), and an inelastic body does not bounce. The same happens where only part of the land is known.
#[test]
fn an_arrow_comes_down_on_known_land() {
    let partial = Settings { level_where_unknown: true, ..town_settings() };
    for mut scene in [in_town(), TestWorld::with(partial)] {
        let spawn = landmarks().spawn;
        scene.send(&missile(ARROW_STATE, &beside(spawn, 0.0, 0.0, 2.0), Vec3::new(0.0, 3.0, 2.0)));
        let hit = EventKind::Motion(MotionEvent::HitEnvironment);
        let mut highest = f32::MIN;
        while scene.count_events(|kind| *kind == hit) == 0 && scene.now < 15.0 {
            scene.tick();
            highest = highest.max(scene.origin(BOLT).z);
        }
        let body = scene.body(BOLT);
        assert!(
            !body
                .state
                .intersects(PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::PATH_CLIPPED)
        );
        assert!(highest > spawn.frame.origin.z + 2.1, "it rises first: {highest}");
        scene.ticks(30);
        let body = scene.body(BOLT);
        assert!(body.has_contact() && body.velocity.length() < 0.5, "{body:?}");
        assert!((scene.origin(BOLT).z - spawn.frame.origin.z).abs() < 0.3, "{:?}", scene.origin(BOLT));
        assert_eq!(scene.count_events(|kind| *kind == hit), 1);
    }
}
