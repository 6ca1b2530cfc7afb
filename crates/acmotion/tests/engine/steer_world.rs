//! Orders of the server, handled by a world (`docs/behaviour.md` E5).

use crate::world_support;

use acmotion::components::{MoveKind, MovementParams, Order};
use acmotion::types::{Guid, MotionCommand, Stamp};
use acmotion::wire::{
    MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad, PickupEvent,
    S2C, TurnToParams, UpdateMotion, WireBool,
};
use acmotion::{MotionError, MoveToEvent};
use world_support::{REMOTE, TestWorld, at, create, delete};

const OTHER: Guid = Guid(0x5000_0002);

/// A world with a remote at (96, 96) that faces north, and another ten metres to the east.
fn scene() -> TestWorld {
    let mut scene = TestWorld::with_remote();
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
    let position = at(x, y);
    Origin { cell: position.cell, point: position.frame.origin }
}

fn move_to(target: Guid) -> MovementBody<'static> {
    let params = MoveToParams::default();
    MovementBody::MoveToObject { target, origin: origin(96.0, 106.0), params, run_rate: 1.5 }
}

fn heading(scene: &TestWorld) -> f32 {
    scene.world.find(REMOTE).unwrap().position().frame.heading()
}

/// Movement type 6. If the object is unknown, the remote goes to the position in the order.
#[test]
fn an_order_to_an_object_is_followed() {
    let mut scene = scene();
    scene.send(&order(move_to(OTHER), 1));
    assert_eq!(scene.order_events(REMOTE)[0], MoveToEvent::Started(MoveKind::MoveToObject));
    assert_eq!(scene.entity(REMOTE).interp.my_run_rate, 1.5, "the run rate of the order");
    scene.ticks(300);
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Arrived));
    assert!(scene.origin(REMOTE).x > 103.0, "{:?}", scene.origin(REMOTE));

    scene.send(&order(move_to(Guid(0x7777_7777)), 2));
    scene.ticks(600);
    assert!(scene.order_events(REMOTE).contains(&MoveToEvent::Started(MoveKind::MoveToPosition)));
    let origin = scene.origin(REMOTE);
    assert!((origin.x - 96.0).abs() < 1.5 && (origin.y - 106.0).abs() < 1.5, "{origin:?}");
}

/// Movement types 7 and 9.
#[test]
fn orders_to_a_position_and_to_a_heading_are_followed() {
    let mut scene = scene();
    let params = MoveToParams::default();
    scene.send(&order(MovementBody::MoveToPosition { origin: origin(90.0, 96.0), params, run_rate: 1.0 }, 1));
    scene.ticks(300);
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Arrived));
    assert!((scene.origin(REMOTE).x - 90.0).abs() < 1.5);
    let params = TurnToParams { desired_heading: 45.0, ..TurnToParams::default() };
    scene.send(&order(MovementBody::TurnToHeading { params }, 2));
    scene.ticks(200);
    assert!((heading(&scene) - 45.0).abs() < 0.01, "{}", heading(&scene));
}

/// Movement type 8. If the object is unknown, the remote turns to the heading in the order.
#[test]
fn an_order_to_turn_to_an_object_is_followed() {
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

#[test]
fn deleting_the_target_ends_the_order() {
    let mut scene = scene();
    scene.send(&order(move_to(OTHER), 1));
    scene.ticks(30);
    scene.send(&delete(OTHER, 0));
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Failed(MotionError::ObjectGone)));
}

#[test]
fn an_order_given_through_the_api_is_followed() {
    let mut scene = scene();
    let params = MovementParams { desired_heading: 180.0, ..MovementParams::default() };
    let now = scene.now;
    let ordered = scene.world.act(REMOTE, now, |actor, _| actor.order(&Order::TurnToHeading { params }));
    assert_eq!(ordered, Some(()));
    scene.ticks(200);
    assert!((heading(&scene) - 180.0).abs() < 0.01);
}

/// No rule says that an object notifies its voyeurs when it is picked up; they go to its last position.
#[test]
fn an_order_to_a_target_that_is_picked_up_ends_where_it_was() {
    let mut scene = scene();
    scene.send(&order(move_to(OTHER), 1));
    scene.ticks(40);
    assert!(scene.entity(REMOTE).is_moving_to());
    let pickup = PickupEvent { guid: OTHER, instance: Stamp(0), position: Stamp(1) };
    scene.send(&world_support::encode(pickup));
    assert!(!scene.world.find(OTHER).unwrap().body().is_in_cell());
    scene.ticks(300);
    assert!(!scene.entity(REMOTE).is_moving_to(), "{:?}", scene.order_events(REMOTE));
    let origin = scene.origin(REMOTE);
    assert!((102.0..106.0).contains(&origin.x) && (origin.y - 96.0).abs() < 1.0, "{origin:?}");
}

/// A server gives an order in its own world and sends what it returns (rule E5): the objects are named, and for clients that do
/// not know them where they are. Without a position an order to an object cannot be sent.
#[test]
fn e5_an_order_of_a_server_is_returned_as_a_message() {
    let mut scene = scene();
    let (id, now, params) = (scene.world.find(REMOTE).unwrap().id(), scene.now, MovementParams::default());
    let message = scene.world.order(id, &Order::MoveToObject { object: OTHER, params }, now).unwrap();
    let MovementBody::MoveToObject { target, origin: there, .. } = message.data.movement.body else {
        panic!("{message:?}")
    };
    let known = scene.world.find(OTHER).unwrap().position();
    assert_eq!((target, there), (OTHER, Origin { cell: known.cell, point: known.frame.origin }));
    assert_eq!(scene.entity(REMOTE).move_to().unwrap().kind(), MoveKind::MoveToObject);

    let message = scene.world.order(id, &Order::TurnToObject { object: OTHER, params }, now).unwrap();
    let MovementBody::TurnToObject { target, heading: towards, .. } = message.data.movement.body else {
        panic!("{message:?}")
    };
    assert_eq!(target, OTHER);
    assert!((towards - 90.0).abs() < 0.01, "to the east: {towards}");

    let position = at(90.0, 96.0);
    let message = scene.world.order(id, &Order::MoveToPosition { position, params }, now).unwrap();
    let MovementBody::MoveToPosition { origin: there, .. } = message.data.movement.body else {
        panic!("{message:?}")
    };
    assert_eq!(there, origin(90.0, 96.0));
    scene.ticks(300);
    assert!((scene.origin(REMOTE).x - 90.0).abs() < 1.5, "{:?}", scene.origin(REMOTE));

    let unknown = Order::MoveToObject { object: Guid(0x7777_7777), params };
    assert!(scene.world.order(id, &unknown, now).is_none());
    scene.world.despawn(id, scene.now);
    assert!(scene.world.order(id, &Order::TurnToHeading { params }, scene.now).is_none());
}
