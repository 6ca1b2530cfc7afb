//! The work of one message and of one tick has a limit, whatever the graph of orders, attachments, scripts and hooks: tests
//! count what happened, not how long it took.

use crate::town_support;
use crate::world_support;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion::components::Entity;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{Animation, AnimationFrame, DataId, Hook, HookDirection, HookEffect, Sphere};
use acmotion::internals::collide::{MAX_PROBES, Obstacle, ObstacleFlags, Obstacles};
use acmotion::internals::steer::MAX_VOYEURS;
use acmotion::limits::{MAX_HOOKS, MAX_TOUCHES, MAX_WAITING_FOR_ONE};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Stamp, Vec3};
use acmotion::wire::{
    Attachment, MoveToParams, MovementBody, ObjectStamps, Origin, ParentEvent, PhysicsState, PlayScriptId,
};
use acmotion::{
    AttachmentError, Capacity, EntitySpec, EventKind, HookBuffer, Identity, Library, MAX_CARRIED,
    MAX_CHILDREN, MotionEvent, MoveToEvent, QueueError, Rejection, Resident, Sequence, SpawnError,
};
use town_support::{CHARACTER, describe_scaled, in_town};
use world_support::*;

fn numbered(number: usize) -> Guid {
    Guid(0x8000_1000 + number as u32)
}

/// An order to go to an object.
fn follow(guid: Guid, target: Guid, stamp: u16) -> Vec<u8> {
    let origin = Origin { cell: at(96.0, 96.0).cell, point: at(96.0, 96.0).frame.origin };
    let params = MoveToParams { distance_to_object: 0.5, ..MoveToParams::default() };
    movement_with(guid, MovementBody::MoveToObject { target, origin, params, run_rate: 1.5 }, stamp, |_| {})
}

/// The number of updates of targets that were delivered.
fn updates(scene: &TestWorld) -> usize {
    let is_update = |kind: &EventKind| {
        matches!(kind, EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::TargetUpdated(_))))
    };
    scene.count_events(is_update)
}

/// A follows B follows C … follows A, ordered anew again and again, and sticking to each other. Each order causes at most
/// two updates, and a tick at most two for each follower.
#[test]
fn a_ring_of_followers_causes_few_notices() {
    const COUNT: usize = 40;
    let mut scene = TestWorld::new();
    for number in 0..COUNT {
        let position = at(60.0 + (number % 8) as f32 * 3.0, 60.0 + (number / 8) as f32 * 3.0);
        scene.send(&create(numbered(number), &position, ObjectStamps::default(), None));
    }
    let mut stamp = 0;
    for round in 0..20 {
        for number in 0..COUNT {
            stamp += 1;
            scene.events.clear();
            let (guid, next) = (numbered(number), numbered((number + 1) % COUNT));
            let message = if round % 5 == 4 { stick(guid, next, stamp) } else { follow(guid, next, stamp) };
            scene.send(&message);
            assert!(updates(&scene) <= 2, "round {round}: {:?}", scene.events);
        }
        for _ in 0..10 {
            scene.events.clear();
            scene.tick();
            assert!(updates(&scene) <= 2 * COUNT, "round {round}: {}", updates(&scene));
        }
    }
}

/// A body that follows itself, and one that follows what does not exist.
#[test]
fn orders_to_itself_and_to_nothing_end() {
    let mut scene = TestWorld::with_remote();
    for (stamp, target) in (1..).zip([REMOTE, Guid::NONE, Guid(0x7777_7777), REMOTE]) {
        scene.send(&follow(REMOTE, target, stamp));
        scene.send(&stick(REMOTE, target, stamp + 100));
        scene.ticks(20);
    }
    assert!(scene.events.len() < 200, "{}", scene.events.len());
}

/// Each notice searches the voyeurs of its target, so their number has a limit; those beyond it time out (rule I11).
#[test]
fn the_voyeurs_of_a_body_are_bounded() {
    let mut scene = TestWorld::with_remote();
    let count = MAX_VOYEURS + 20;
    for number in 0..count {
        let position = at(10.0 + (number % 80) as f32, 10.0 + (number / 80) as f32);
        scene.send(&create(numbered(number), &position, ObjectStamps::default(), None));
        scene.send(&follow(numbered(number), REMOTE, 1));
    }
    assert_eq!(scene.entity(REMOTE).targets().unwrap().voyeurs().len(), MAX_VOYEURS);
    scene.events.clear();
    scene.send(&delete(REMOTE, 0));
    let failed =
        |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Failed(_))));
    assert_eq!(scene.count_events(failed), MAX_VOYEURS, "each follower is notified once");
    assert!(scene.events.len() < 12 * MAX_VOYEURS, "{}", scene.events.len());
}

/// What a body carries is moved with it in every tick, so it has a limit beside those of width and depth.
#[test]
fn what_a_body_carries_is_bounded_and_never_a_circle() {
    let mut scene = TestWorld::with_remote();
    let carried = |guid: Guid| Attachment { guid, location: 1 };
    let mut number = 0;
    // Creatures in the hand of the remote, each with creatures in its own hand.
    for _ in 0..8 {
        let holder = numbered(number);
        number += 1;
        scene.send(&create_with(holder, ObjectStamps::default(), |physics| {
            physics.parent = Some(carried(REMOTE))
        }));
        for _ in 0..MAX_CHILDREN {
            let held = numbered(number);
            number += 1;
            scene.send(&create_with(held, ObjectStamps::default(), |physics| {
                physics.parent = Some(carried(holder))
            }));
        }
    }
    let is_carried = |resident: &Resident| {
        let mut above = Some(resident);
        while let Some(parent) = above.and_then(Resident::parent) {
            above = scene.world.find(parent);
        }
        above.map(Resident::guid) == Some(REMOTE)
    };
    // The remote is its own carrier.
    assert_eq!(scene.world.entities().filter(|resident| is_carried(resident)).count(), 1 + MAX_CARRIED);
    // Four of the objects of the fourth holder, and the holders after it, which keep what they hold.
    let refused = Rejection::NotAttached(AttachmentError::TooManyChildren);
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Rejected(refused)), 4 + 4);
    scene.events.clear();
    let circle = ParentEvent {
        parent: numbered(1),
        child: REMOTE,
        location: 1,
        placement: 0,
        parent_instance: Stamp(0),
        child_position: Stamp(1),
    };
    scene.send(&encode(circle));
    let refused = Rejection::NotAttached(AttachmentError::Cycle);
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Rejected(refused)), 1);
    // Moving one within what is carried adds nothing.
    scene.events.clear();
    scene.send(&encode(ParentEvent { parent: REMOTE, child: numbered(1), ..circle }));
    assert_eq!(scene.world.find(numbered(1)).unwrap().parent(), Some(REMOTE));
}

/// An animation with thousands of hooks in each frame, played as fast as any rate allows.
#[test]
fn hooks_at_absurd_rates_are_bounded() {
    let mut library = Library::new();
    let sound = Hook { direction: HookDirection::BOTH, effect: HookEffect::Sound(DataId(0x0A00_0001)) };
    let frame = AnimationFrame { parts: vec![Frame::IDENTITY], hooks: vec![sound; 3000] };
    let clip = library.add_animation(Arc::new(Animation::new(DataId(1), None, vec![frame; 5])));
    let span = library.span(clip, 0, -1);
    for rate in [30.0, 1e6, f32::MAX, -f32::MAX] {
        let mut sequence = Sequence::new();
        (0..3).for_each(|_| sequence.append(&library, span, rate));
        let mut hooks = HookBuffer::new();
        sequence.advance(&library, 0.2, Some(&mut hooks));
        let ends = hooks.events().iter().filter(|hook| hook.is_node_end()).count();
        assert_eq!(hooks.events().len() - ends, MAX_HOOKS, "{rate}");
        assert!(ends <= 16_384, "{rate}: {ends}");
    }
}

#[test]
fn messages_that_wait_for_one_object_are_bounded() {
    let mut scene = TestWorld::with_remote();
    let unknown = Guid(0x7777_7777);
    for stamp in 0..3 * MAX_WAITING_FOR_ONE {
        scene.send(&set_state(unknown, Default::default(), stamp as u16));
        assert!(scene.world.waiting_messages() <= MAX_WAITING_FOR_ONE);
    }
    let half = Rejection::TooManyWaiting { messages: MAX_WAITING_FOR_ONE / 2 };
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Rejected(half)), 4);
    // The newest are kept, and handled when the object is created.
    scene.send(&create(unknown, &at(90.0, 90.0), ObjectStamps::default(), None));
    assert_eq!(scene.world.waiting_messages(), 0);
    let stamp = scene.world.find(unknown).unwrap().stamps().state;
    assert_eq!(stamp, Stamp(3 * MAX_WAITING_FOR_ONE as u16 - 1));
}

#[test]
fn the_queue_for_the_next_frame_is_bounded() {
    let message = motion(REMOTE, running(1.0), 1);
    let capacity = Capacity { queued_messages: 3, ..Capacity::default() };
    let mut scene = TestWorld::with(settings(|settings| settings.capacity = capacity));
    for _ in 0..3 {
        scene.world.queue_message(&message).unwrap();
    }
    let full = QueueError::Full { messages: 3, bytes: 3 * message.len() };
    assert_eq!(scene.world.queue_message(&message), Err(full));
    scene.world.advance(11.0);
    scene.world.queue_message(&message).unwrap();

    let bytes = 2 * message.len() + 1;
    let capacity = Capacity { queued_bytes: bytes, ..Capacity::default() };
    let mut scene = TestWorld::with(settings(|settings| settings.capacity = capacity));
    scene.world.queue_message(&message).unwrap();
    scene.world.queue_message(&message).unwrap();
    assert!(matches!(scene.world.queue_message(&message), Err(QueueError::Full { messages: 2, .. })));
    assert!(matches!(scene.world.queue_message(b"?"), Err(QueueError::Decode(_))), "one byte would fit");
}

#[test]
fn a_full_world_creates_no_more_objects_except_the_player() {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.capacity.entities = 3;
        settings.player = Identity::Known(PLAYER);
        settings.stand_ins_for_unknown = true;
    }));
    for number in 0..5 {
        scene.send(&create(numbered(number), &at(90.0, 90.0), ObjectStamps::default(), None));
    }
    assert_eq!(scene.world.entities().len(), 3);
    let refused = EventKind::Rejected(Rejection::TooManyEntities);
    assert_eq!(scene.count_events(|kind| *kind == refused), 2);
    scene.send(&position(numbered(9), &at(90.0, 90.0), 1));
    assert_eq!(scene.world.entities().len(), 3, "no stand-in either");
    let spawned = scene.world.spawn(&EntitySpec::new(numbered(10), at(90.0, 90.0)), 10.0);
    assert_eq!(spawned, Err(SpawnError::TooManyEntities { max: 3 }));
    // A known object can be created anew, and the player enters.
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(numbered(0), &at(95.0, 90.0), stamps, None));
    assert_eq!(scene.world.find(numbered(0)).unwrap().stamps().instance, Stamp(1));
    scene.send(&create(PLAYER, &at(96.0, 90.0), ObjectStamps::default(), None));
    assert_eq!(scene.world.entities().len(), 4);
    scene.send(&delete(numbered(1), 0));
    scene.send(&delete(numbered(2), 0));
    scene.send(&create(numbered(3), &at(90.0, 90.0), ObjectStamps::default(), None));
    assert!(scene.world.find(numbered(3)).is_some(), "there is room again");
}

/// Many players in one spot of the town, who pass through each other or stand in each other's way.
#[test]
fn hostile_09_players_on_one_spot_stay_bounded() {
    const COUNT: usize = 160;
    let mut scene = in_town();
    let spot = landmarks().spawn;
    for number in 0..COUNT {
        scene.add(numbered(number), &spot, &CHARACTER);
    }
    for number in 0..COUNT {
        scene.send(&motion(numbered(number), running(1.0), 1));
    }
    scene.ticks(10);
    for _ in 0..5 {
        scene.events.clear();
        scene.tick();
        let touches = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::Touched(_)));
        assert!(scene.count_events(touches) <= 2 * COUNT * MAX_TOUCHES);
        assert!(scene.events.len() <= 3 * COUNT * MAX_TOUCHES, "{}", scene.events.len());
    }
    let most = scene.world.entities().map(|resident| resident.size_in_memory()).max().unwrap();
    assert!(most < 16 * 1024, "{most} bytes");
}

/// A library is large, and shared with every copy of the world.
#[test]
fn unknown_tables_and_scripts_copy_no_shared_library() {
    let mut scene = TestWorld::with_remote();
    let copy = scene.world.clone();
    for number in 0..100 {
        scene.send(&create_with(numbered(number), ObjectStamps::default(), |physics| {
            physics.motion_table = Some(0x0900_F000 + number as u32);
            physics.setup = Some(0x0200_F000 + number as u32);
        }));
        scene.send(&encode(PlayScriptId { guid: REMOTE, script: 0x3300_F000 + number as u32 }));
    }
    assert!(std::ptr::eq(scene.world.library(), copy.library()));
}

/// Something solid everywhere, that counts how often it is looked at.
struct Everywhere {
    spheres: [Sphere; 1],
    position: CellPosition,
    visits: Cell<u32>,
}

impl Obstacles for Everywhere {
    fn visit<'a>(&'a self, _: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        self.visits.set(self.visits.get() + 1);
        let _ = visitor(&Obstacle {
            guid: numbered(0),
            position: self.position,
            scale: 1.0,
            state: PhysicsState::REPORT_COLLISIONS,
            flags: ObstacleFlags::CREATURE | ObstacleFlags::WEENIE,
            parts: &[],
            cylinders: &[],
            spheres: &self.spheres,
        });
    }
}

/// A tiny body has two hundred thousand positions on the rings around it.
#[test]
fn a_body_without_room_is_tried_at_a_bounded_number_of_positions() {
    let mut scene = in_town();
    let spot = landmarks().spawn;
    scene.send(&describe_scaled(REMOTE, &spot, &CHARACTER, 0.0167));
    let everywhere = Everywhere {
        spheres: [Sphere { origin: Vec3::ZERO, radius: 90.0 }],
        position: spot,
        visits: Cell::new(0),
    };
    scene.world.act(REMOTE, scene.now, |actor, surroundings| {
        let Entity { guid, body, shape, mover_flags, .. } = &*actor.entity;
        let mover = body.placement_mover(*guid, shape, *mover_flags);
        assert!(surroundings.place(&mover, &spot, true, &everywhere, &mut Vec::new()).is_err());
    });
    // Each position is looked at in one cell or a few.
    let visits = everywhere.visits.get();
    assert!((MAX_PROBES..MAX_PROBES * 4).contains(&visits), "{visits}");
}
