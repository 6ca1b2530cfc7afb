//! Orders of a server that come into a world (`docs/behaviour.md` E5).

mod world_support;

use acmotion::MotionError;
use acmotion::entity::MotionEvent;
use acmotion::interp::MovementParams;
use acmotion::steer::{MoveKind, MoveToEvent, Order};
use acmotion::types::{Guid, MotionCommand, Stamp};
use acmotion::wire::{
    MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad, PickupEvent,
    S2C, TurnToParams, UpdateMotion, WireBool,
};
use acmotion::world::EventKind;
use world_support::{REMOTE, Scene, at, create, delete};

const OTHER: Guid = Guid(0x5000_0002);

/// A world with two: one at (96, 96) who looks north, and another ten metres to the east.
fn scene() -> Scene {
    let mut scene = Scene::with_remote();
    scene.send(&create(OTHER, &at(106.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(60);
    scene.events.clear();
    scene
}

fn order(body: MovementBody<'_>, stamp: u16) -> Vec<u8> {
    let movement = Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(0),
        autonomous: WireBool::from(false),
        pad: Pad::ZERO,
        movement,
    };
    let mut bytes = Vec::new();
    S2C::from(UpdateMotion { guid: REMOTE, instance: Stamp(0), data }).encode(&mut bytes);
    bytes
}

fn origin(x: f32, y: f32) -> Origin {
    let place = at(x, y);
    Origin { cell: place.cell, point: place.frame.origin }
}

fn to_object(target: Guid) -> MovementBody<'static> {
    let params = MoveToParams::default();
    MovementBody::MoveToObject { target, origin: origin(96.0, 106.0), params, run_rate: 1.5 }
}

fn story(scene: &Scene) -> Vec<MoveToEvent> {
    let steering = |what| match what {
        EventKind::Motion(MotionEvent::MoveTo(event)) => Some(event),
        _ => None,
    };
    scene
        .events
        .iter()
        .filter(|event| event.guid == REMOTE)
        .filter_map(|event| steering(event.kind))
        .collect()
}

fn heading(scene: &Scene) -> f32 {
    scene.world.find(REMOTE).unwrap().position().frame.heading()
}

/// 6: to an object that is known, to its place if it is not.
#[test]
fn to_an_object() {
    let mut scene = scene();
    scene.send(&order(to_object(OTHER), 1));
    assert_eq!(story(&scene)[0], MoveToEvent::Started(MoveKind::MoveToObject));
    assert_eq!(scene.world.find(REMOTE).unwrap().entity().interp.my_run_rate, 1.5, "the order says how fast");
    scene.ticks(300);
    assert_eq!(story(&scene).last(), Some(&MoveToEvent::Arrived));
    assert!(scene.place(REMOTE).x > 103.0, "{:?}", scene.place(REMOTE));

    scene.send(&order(to_object(Guid(0x7777_7777)), 2));
    scene.ticks(600);
    assert!(story(&scene).contains(&MoveToEvent::Started(MoveKind::MoveToPosition)));
    let place = scene.place(REMOTE);
    assert!((place.x - 96.0).abs() < 1.5 && (place.y - 106.0).abs() < 1.5, "{place:?}");
}

/// 7 and 9: to a place, to a heading.
#[test]
fn to_a_place_and_to_a_heading() {
    let mut scene = scene();
    let params = MoveToParams::default();
    scene.send(&order(MovementBody::MoveToPosition { origin: origin(90.0, 96.0), params, run_rate: 1.0 }, 1));
    scene.ticks(300);
    assert_eq!(story(&scene).last(), Some(&MoveToEvent::Arrived));
    assert!((scene.place(REMOTE).x - 90.0).abs() < 1.5);
    let params = TurnToParams { desired_heading: 45.0, ..TurnToParams::default() };
    scene.send(&order(MovementBody::TurnToHeading { params }, 2));
    scene.ticks(200);
    assert!((heading(&scene) - 45.0).abs() < 0.01, "{}", heading(&scene));
}

/// 8: to an object that is known; else to the heading that comes with the order.
#[test]
fn turns_to_objects() {
    let mut scene = scene();
    let turn =
        |target| MovementBody::TurnToObject { target, heading: 200.0, params: TurnToParams::default() };
    scene.send(&order(turn(OTHER), 1));
    scene.ticks(120);
    assert!((heading(&scene) - 90.0).abs() < 0.05, "{}", heading(&scene));
    scene.send(&order(turn(Guid(0x7777_7777)), 2));
    scene.ticks(120);
    assert!((heading(&scene) - 200.0).abs() < 0.05, "{}", heading(&scene));
}

/// A target that is deleted ends the order.
#[test]
fn a_deleted_target() {
    let mut scene = scene();
    scene.send(&order(to_object(OTHER), 1));
    scene.ticks(30);
    scene.send(&delete(OTHER, 0));
    assert_eq!(story(&scene).last(), Some(&MoveToEvent::Failed(MotionError::ObjectGone)));
}

/// A server or a bot can order anybody through the API.
#[test]
fn orders_from_code() {
    let mut scene = scene();
    let params = MovementParams { desired_heading: 180.0, ..MovementParams::default() };
    let now = scene.now;
    let ordered = scene.world.act(REMOTE, now, |actor, _| actor.order(&Order::TurnToHeading { params }));
    assert_eq!(ordered, Some(()));
    scene.ticks(200);
    assert!((heading(&scene) - 180.0).abs() < 0.01);
}

/// No rule says that an object which is picked up tells those who go to it: they go to where it was, and arrive.
#[test]
fn a_target_that_is_picked_up() {
    let mut scene = scene();
    scene.send(&order(to_object(OTHER), 1));
    scene.ticks(40);
    assert!(scene.world.find(REMOTE).unwrap().entity().is_moving_to());
    let pickup = PickupEvent { guid: OTHER, instance: Stamp(0), position: Stamp(1) };
    scene.send(&world_support::of(pickup));
    assert!(!scene.world.find(OTHER).unwrap().body().is_in_cell());
    scene.ticks(300);
    assert!(!scene.world.find(REMOTE).unwrap().entity().is_moving_to(), "{:?}", story(&scene));
    let place = scene.place(REMOTE);
    assert!((102.0..106.0).contains(&place.x) && (place.y - 96.0).abs() < 1.0, "{place:?}");
}
