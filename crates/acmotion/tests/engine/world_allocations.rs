//! A world of runners with swords that are reported once a second allocates nothing, neither in ticks nor for messages.
//! Nor does a chase.

use crate::world_support;

use acmotion::types::{Guid, MotionCommand, Stamp};
use acmotion::wire::{
    MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad, UpdateMotion,
    WireBool,
};
use acmotion::{EventKind, Identity, MessageBatch, MotionEvent, Resident};
use world_support::*;

/// The messages of one second: a position and a motion for each of twenty runners.
fn messages(second: u16) -> Vec<Vec<u8>> {
    let of_runner = |number: u8| {
        let guid = Guid(1 + u32::from(number));
        let reported = at(50.0 + f32::from(number), 20.0 + 4.0 * f32::from(second));
        [position(guid, &reported, 1 + second), motion(guid, running(1.0), 1 + second)]
    };
    (0..20).flat_map(of_runner).collect()
}

fn run(scene: &mut TestWorld, seconds: &[Vec<Vec<u8>>]) {
    for messages in seconds {
        scene.world.receive_all(messages.iter().map(Vec::as_slice), scene.now).unwrap();
        for _ in 0..30 {
            scene.now += TICK;
            scene.world.tick(scene.now);
            scene.world.drain_events().for_each(drop);
        }
    }
}

#[test]
fn a_steady_world_allocates_nothing() {
    let mut scene = TestWorld::new();
    for number in 0..20 {
        scene.send(&create(Guid(1 + number), &at(50.0 + number as f32, 20.0), ObjectStamps::default(), None));
        scene.send(&held_item(Guid(101 + number), Guid(1 + number)));
    }
    let seconds: Vec<_> = (0..40).map(messages).collect();
    run(&mut scene, &seconds[..20]);
    let allocations = allocation_counter::measure(|| run(&mut scene, &seconds[20..]));
    assert_eq!(allocations.count_total, 0);
    let far = scene.origin(Guid(1)).y;
    assert!((150.0..200.0).contains(&far), "a runner ran to {far}");
    assert!((scene.origin(Guid(101)).y - far).abs() < 1.0, "with its sword");
}

/// Memory that was reserved is enough for as many entities.
#[test]
fn entities_fit_the_memory_that_was_reserved() {
    let create_all = |reserved: usize| {
        let mut scene = TestWorld::new();
        // The first loads what all of them share.
        scene.world.add_stand_in(Guid(1), &at(50.0, 20.0), scene.now);
        scene.world.reserve(reserved);
        allocation_counter::measure(|| {
            for number in 0..500 {
                scene.world.add_stand_in(Guid(2 + number), &at(50.0, 20.0), scene.now);
            }
        })
    };
    let (without, with) = (create_all(0), create_all(500));
    let body = size_of::<Resident>() as u64;
    // Without, the list of bodies is copied to one of 512.
    assert!(without.bytes_total > with.bytes_total + 512 * body, "{without:?} {with:?}");
    let mut small = TestWorld::new();
    small.world.reserve(usize::MAX);
    assert_eq!(small.world.entities().count(), 0, "no more is reserved than the world may have");
}

/// A creature chases a runner, with a new order each second.
#[test]
fn a_steady_chase_allocates_nothing() {
    let (hunter, hunted) = (Guid(1), Guid(2));
    let mut scene = TestWorld::new();
    scene.send(&create(hunter, &at(50.0, 20.0), ObjectStamps::default(), None));
    scene.send(&create(hunted, &at(50.0, 30.0), ObjectStamps::default(), None));
    let chase =
        |second: u16| vec![motion(hunted, running(1.0), 1 + second), order(hunter, hunted, 1 + second)];
    let seconds: Vec<_> = (0..24).map(chase).collect();
    run(&mut scene, &seconds[..8]);
    let allocations = allocation_counter::measure(|| run(&mut scene, &seconds[8..]));
    assert_eq!(allocations.count_total, 0);
    let (hunter, hunted) = (scene.origin(hunter).y, scene.origin(hunted).y);
    assert!(hunter > 60.0 && hunted > hunter, "not a chase: {hunter}, {hunted}");
}

/// Events and messages are swapped out of the world of a player that runs and turns.
#[test]
fn swapping_events_and_messages_allocates_nothing() {
    let settings = settings(|settings| settings.player = Identity::Known(PLAYER));
    let mut scene = TestWorld::with(settings);
    scene.send(&create(PLAYER, &at(50.0, 20.0), ObjectStamps::default(), None));
    let (mut events, mut outbound) = (Vec::new(), MessageBatch::new());
    let (mut hooks, mut messages) = (0, 0);
    let mut run = |seconds: u32| {
        for second in 0..seconds {
            let mut player = scene.world.player_mut();
            let key = if second.is_multiple_of(2) {
                MotionCommand::WALK_FORWARD
            } else {
                MotionCommand::TURN_RIGHT
            };
            player.press(key, scene.now).unwrap();
            for _ in 0..30 {
                scene.now += TICK;
                scene.world.advance(scene.now);
                scene.world.swap_outbound(&mut outbound);
                messages += outbound.len();
                scene.world.swap_events(&mut events);
                for event in &events {
                    // The world can be changed while its events are handled.
                    scene.world.explain(event.guid, false);
                    hooks += usize::from(matches!(event.kind, EventKind::Motion(MotionEvent::Hook(_))));
                }
            }
            scene.world.player_mut().release(key, scene.now).unwrap();
        }
    };
    run(20);
    let allocations = allocation_counter::measure(|| run(20));
    assert_eq!(allocations.count_total, 0);
    assert!(hooks > 20 && messages > 80, "{hooks} hooks, {messages} messages");
}

/// An order of the server to go to an object.
fn order(guid: Guid, target: Guid, stamp: u16) -> Vec<u8> {
    let position = at(50.0, 30.0);
    let body = MovementBody::MoveToObject {
        target,
        origin: Origin { cell: position.cell, point: position.frame.origin },
        params: MoveToParams::default(),
        run_rate: 1.5,
    };
    let movement = Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(0),
        autonomous: WireBool::from(false),
        pad: Pad::ZERO,
        movement,
    };
    encode(UpdateMotion { guid, instance: Stamp(0), data })
}
