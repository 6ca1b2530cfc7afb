//! Whole client frames (rule B1): the tick, then the messages, then the local player.

use crate::player_support;
use crate::world_support;

use acmotion::dat::Assets;
use acmotion::types::MotionCommand;
use acmotion::wire::{GameActionBody, ObjectStamps};
use acmotion::{EntitySpec, Identity, PlayerWeenie, RequestProgress, World};
use player_support::{action, player, sent};
use world_support::{PLAYER, REMOTE, TICK, TestWorld, at, create, motion, position, running, settings};

/// Runs a player and a remote for three seconds, with frames by `frame`; returns the positions in every frame and all
/// messages that the player sent.
fn run(frame: impl Fn(&mut TestWorld, &[Vec<u8>])) -> (Vec<[u32; 6]>, Vec<Vec<u8>>) {
    let mut scene = player();
    scene.send(&create(REMOTE, &at(90.0, 96.0), ObjectStamps::default(), None));
    let (mut positions, mut messages) = (Vec::new(), Vec::new());
    for number in 0..90u16 {
        let received = match number {
            10 => vec![motion(REMOTE, running(1.5), 1), position(REMOTE, &at(90.5, 97.0), 1)],
            40 => vec![position(REMOTE, &at(91.0, 99.0), 2)],
            _ => Vec::new(),
        };
        let now = scene.now;
        match number {
            5 => scene.world.player_mut().press(MotionCommand::WALK_FORWARD, now).unwrap(),
            60 => scene.world.player_mut().release(MotionCommand::WALK_FORWARD, now).unwrap(),
            _ => {}
        }
        scene.now += TICK;
        frame(&mut scene, &received);
        let (own, other) = (scene.origin(PLAYER), scene.origin(REMOTE));
        positions.push([own.x, own.y, own.z, other.x, other.y, other.z].map(f32::to_bits));
        messages.extend(scene.world.drain_outbound());
    }
    (positions, messages)
}

#[test]
fn a_frame_is_a_tick_then_the_messages_then_the_player() {
    let whole = run(|scene, received| {
        for bytes in received {
            scene.world.queue_message(bytes).unwrap();
        }
        scene.world.advance(scene.now);
    });
    let in_parts = run(|scene, received| {
        let now = scene.now;
        scene.world.tick(now);
        for bytes in received {
            scene.world.receive(bytes, now).unwrap();
        }
        scene.world.player_mut().use_time(now);
    });
    assert!(whole.0.first() != whole.0.last() && whole.1.len() >= 3, "{} messages", whole.1.len());
    assert_eq!(whole, in_parts);
    let messages_first = run(|scene, received| {
        let now = scene.now;
        for bytes in received {
            scene.world.receive(bytes, now).unwrap();
        }
        scene.world.advance(now);
    });
    assert_ne!(whole.0, messages_first.0, "the order makes a difference");
}

#[test]
fn a_walk_needs_nothing_but_frames() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(100.5, 104.5));
    let walk = scene.world.player_mut().walk_to(goal, now).unwrap();
    let is_done = (0..300).any(|_| {
        scene.now += TICK;
        scene.world.advance(scene.now);
        let end = |event: acmotion::Event| match event.kind {
            acmotion::EventKind::Request(request) if request.id == walk => Some(request.progress),
            _ => None,
        };
        scene.world.drain_events().filter_map(end).any(|progress| progress == RequestProgress::Done)
    });
    assert!(is_done && (scene.origin(PLAYER) - goal.frame.origin).length() < 1.5);
}

#[test]
fn a_message_that_cannot_be_decoded_is_not_queued() {
    let mut scene = TestWorld::with_remote();
    let mut bytes = position(REMOTE, &at(97.0, 96.0), 1);
    bytes.truncate(20);
    assert!(scene.world.queue_message(&bytes).is_err());
    let before = scene.origin(REMOTE);
    scene.world.advance(scene.now + TICK);
    assert_eq!(scene.origin(REMOTE), before);
}

/// A replayed or watched player sends nothing of its own.
#[test]
fn a_player_that_is_only_watched_sends_nothing() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    scene.world.advance(scene.now + TICK);
    assert_eq!(sent(&mut scene), Vec::<&str>::new());
    let now = scene.now;
    scene.world.player_mut().set_weenie(PlayerWeenie::default(), now);
    scene.world.advance(scene.now + 2.0 * TICK);
    assert_ne!(sent(&mut scene), Vec::<&str>::new());
}

#[test]
fn idle_frames_allocate_nothing() {
    let mut scene = player();
    scene.world.advance(scene.now + TICK);
    let counted = allocation_counter::measure(|| {
        for frame in 2..60 {
            scene.world.advance(scene.now + f64::from(frame) * TICK / 2.0);
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// A body that has just been spawned is under the server's control until something is asked of it, and what is asked before
/// its first frame counts: the server is sent the walk, and not that the player stands.
#[test]
fn a_walk_asked_for_before_the_first_frame_is_sent_to_the_server() {
    let mut world = World::with_settings(
        Assets::mannequin(),
        settings(|settings| settings.player = Identity::Known(PLAYER)),
    );
    world.spawn(&EntitySpec::new(PLAYER, at(90.0, 90.0)), 0.0).unwrap();
    world.player_mut().walk_to(at(90.0, 110.0), 0.0).unwrap();
    let mut forward = Vec::new();
    for frame in 1..60 {
        world.advance(f64::from(frame) * TICK);
        for bytes in world.drain_outbound() {
            if let GameActionBody::MoveToState(message) = action(&bytes) {
                forward.push(message.raw.forward_command);
            }
        }
    }
    let walk = Some(MotionCommand::WALK_FORWARD);
    assert_eq!(forward.last(), Some(&walk), "the last of {forward:?}");
}

#[test]
fn messages_received_together_do_what_they_do_one_by_one() {
    let mut together = TestWorld::new();
    let guid = |number: u32| acmotion::types::Guid(0x5000_0100 + number);
    for number in 0..50 {
        together.send(&create(guid(number), &at(20.0 + number as f32, 40.0), ObjectStamps::default(), None));
    }
    // More than are staged at a time, some of them about the same objects, about unknown ones or not valid.
    let mut messages = Vec::new();
    for number in 0..60 {
        messages.push(motion(guid(number % 55), running(1.0), 1));
        messages.push(position(guid(number % 55), &at(20.0 + number as f32, 41.0), 1 + number as u16 / 55));
        if number % 20 == 7 {
            messages.push(vec![0x48, 0xF7, 0, 0, 1]);
        }
    }
    let mut one_by_one = together.world.clone();
    let now = together.now;
    let errors: Vec<_> =
        messages.iter().filter_map(|message| one_by_one.receive(message, now).err()).collect();
    let result = together.world.receive_all(messages.iter().map(Vec::as_slice), now);
    assert_eq!(errors.len(), 3);
    assert_eq!(result.err().as_ref(), errors.first(), "the first error");
    assert!(together.world.snapshot() == one_by_one.snapshot());
}
