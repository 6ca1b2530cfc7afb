//! Floods and absurd values from a server: the memory and time that a body takes stay bounded, and it keeps up with the
//! newest state. Tests with the same number in their names guard against the same kind of hostile input.

use crate::town_support;
use crate::world_support;

use acmotion::components::Entity;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::limits::{MAX_PENDING_MOTIONS, MAX_SCALE, MAX_SEQUENCE_NODES, MAX_TOUCHES, MIN_SCALE};
use acmotion::types::{ActionStamp, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    ActionItem, Actions, InterpretedState, ObjectStamps, PhysicsState, PositionFlags, SetState,
};
use acmotion::{EventKind, HookBuffer, Identity, Library, MotionEvent, Sequence};
use town_support::{CREATURE, ObjectKind, SOLID, describe, in_town};
use world_support::*;

/// The number of actions in each message of a flood: the maximum for one message.
const ACTIONS: u16 = 31;

/// A world with one remote, and the stamps of the messages sent to it.
struct Flood {
    scene: TestWorld,
    stamp: u16,
    action: u16,
}

impl Flood {
    fn new() -> Self {
        Self { scene: TestWorld::with_remote(), stamp: 0, action: 0 }
    }

    /// Sends a state with a number of actions at a speed.
    fn send(&mut self, state: InterpretedState<'_>, actions: u16, speed: f32) {
        let items: Vec<_> = (0..actions)
            .map(|_| {
                self.action = self.action.wrapping_add(1);
                let stamp = ActionStamp::new(self.action);
                ActionItem { command: MotionCommand::WAVE, stamp, autonomous: false, speed }
            })
            .collect();
        self.stamp = self.stamp.wrapping_add(1);
        let state = InterpretedState { actions: Actions::new(&items), ..state };
        self.scene.send(&motion(REMOTE, state, self.stamp));
    }

    fn wave(&mut self, messages: usize) {
        (0..messages).for_each(|_| self.send(InterpretedState::default(), ACTIONS, 1.0));
    }

    fn entity(&self) -> &Entity {
        self.scene.world.find(REMOTE).unwrap().entity()
    }

    fn motions_done(&self) -> usize {
        self.scene.count_events(|kind| matches!(kind, EventKind::Motion(MotionEvent::MotionDone { .. })))
    }

    fn overflows(&self) -> usize {
        self.scene.count_events(|kind| matches!(kind, EventKind::Motion(MotionEvent::QueueOverflow { .. })))
    }

    #[track_caller]
    fn assert_bounded(&self) {
        let (entity, library) = (self.entity(), self.scene.world.library());
        assert!(entity.interp.pending().len() <= MAX_PENDING_MOTIONS);
        assert!(entity.animator.pending().len() <= MAX_PENDING_MOTIONS);
        assert!(entity.interp.interpreted.actions().len() <= MAX_PENDING_MOTIONS);
        assert!(entity.animator.state().actions().len() <= MAX_PENDING_MOTIONS);
        assert!(entity.animator.sequence().nodes(library).len() <= MAX_SEQUENCE_NODES);
        assert!(entity.size_in_memory() < 256 * 1024, "{} bytes", entity.size_in_memory());
    }
}

#[test]
fn hostile_04_a_flood_of_actions_is_bounded_and_reported_once() {
    let mut flood = Flood::new();
    flood.wave(20);
    assert_eq!(flood.overflows(), 0, "620 actions still fit");
    assert_eq!(flood.motions_done(), 0, "and none of them is cut short");
    for _ in 0..300 {
        flood.wave(1);
        flood.assert_bounded();
    }
    assert_eq!(flood.overflows(), 1, "reported once, however long the flood lasts");
    assert!(flood.motions_done() >= 320 * usize::from(ACTIONS) - MAX_PENDING_MOTIONS, "all others ended");

    // The state that the server sent last is the one that shows.
    flood.send(running(1.0), 0, 1.0);
    assert_eq!(flood.entity().animator.state().substate(), MotionCommand::RUN_FORWARD);

    // Once the queue has been empty, the next flood is reported again.
    let hide = |state, stamp| {
        encode(SetState { guid: REMOTE, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
    };
    flood.scene.send(&hide(SOLID | PhysicsState::HIDDEN, 1));
    flood.scene.send(&hide(SOLID, 2));
    assert!(!flood.entity().interp.has_pending());
    flood.wave(100);
    assert_eq!(flood.overflows(), 2);
}

#[test]
fn hostile_04_a_body_catches_up_with_the_newest_state() {
    let mut flood = Flood::new();
    for index in 0..3000 {
        let state = if index % 2 == 0 { running(1.0) } else { InterpretedState::default() };
        flood.send(state, 1, 1.0);
    }
    flood.assert_bounded();
    flood.send(InterpretedState::default(), 40, 1.0);
    flood.send(running(1.0), 0, 1.0);
    let hidden = SOLID | PhysicsState::HIDDEN;
    for (state, stamp) in [(hidden, 1), (SOLID, 2)] {
        flood.scene.send(&encode(SetState {
            guid: REMOTE,
            state,
            instance: Stamp(0),
            state_stamp: Stamp(stamp),
        }));
    }
    let start = flood.scene.origin(REMOTE);
    flood.scene.ticks(30);
    assert!((flood.scene.origin(REMOTE) - start).length() > 3.0, "it runs");
}

#[test]
fn hostile_04_actions_that_never_end_are_bounded() {
    let mut flood = Flood::new();
    for _ in 0..200 {
        // At speed 0 the animation stands still.
        flood.send(InterpretedState::default(), ACTIONS, 0.0);
        flood.scene.tick();
        flood.assert_bounded();
    }
    assert_eq!(flood.overflows(), 1);
}

#[test]
fn hostile_04_states_without_animations_are_bounded() {
    let mut flood = Flood::new();
    flood.send(InterpretedState::default(), 1, 1.0);
    for _ in 0..5000 {
        flood.send(InterpretedState::default(), 0, 1.0);
    }
    flood.assert_bounded();
    assert_eq!(flood.overflows(), 1);
}

/// Completing a queue once took time quadratic in its length, and the queue had no limit.
#[test]
fn hostile_10_deleting_a_flooded_body_completes_few_motions() {
    let mut flood = Flood::new();
    flood.wave(3000);
    flood.scene.events.clear();
    flood.scene.send(&delete(REMOTE, 0));
    assert!(flood.scene.world.find(REMOTE).is_none());
    assert!(flood.motions_done() <= MAX_PENDING_MOTIONS);
    assert!(flood.motions_done() > 0, "the last ones were still pending");
}

#[test]
fn hostile_10_recreating_a_flooded_body_completes_few_motions() {
    let mut flood = Flood::new();
    flood.wave(300);
    flood.scene.events.clear();
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    flood.scene.send(&create(REMOTE, &at(96.0, 96.0), stamps, None));
    assert!((1..=MAX_PENDING_MOTIONS + 8).contains(&flood.motions_done()), "{}", flood.motions_done());
    assert!(flood.entity().size_in_memory() < 2048, "the new body starts empty");
}

#[test]
fn hostile_04_a_body_with_too_many_animations_catches_up() {
    let mut flood = Flood::new();
    let now = flood.scene.now;
    let nodes = |flood: &Flood| flood.entity().animator.sequence().nodes(flood.scene.world.library()).len();
    flood.scene.world.act(REMOTE, now, |actor, _| {
        let table = actor.library.table(actor.entity.animator.table().unwrap());
        let walk = table.cycle(MotionCommand::NON_COMBAT, MotionCommand::WALK_FORWARD).unwrap();
        let span = table.anims(walk)[0].span.unwrap();
        for _ in 0..MAX_SEQUENCE_NODES / 2 {
            actor.entity.animator.sequence_mut().append(actor.library, span, 30.0);
        }
    });
    assert!(nodes(&flood) >= MAX_SEQUENCE_NODES / 2);
    flood.send(running(1.0), 0, 1.0);
    assert!(nodes(&flood) < 10, "only what the run needs: {}", nodes(&flood));
    assert_eq!(flood.overflows(), 1);
}

/// A sequence on its own: the last node appended loops even beyond the limit.
#[test]
fn hostile_04_a_sequence_is_bounded_and_loops_its_last_node() {
    let (mut library, assets) = (Library::new(), acmotion::dat::Assets::mannequin());
    let table = library.load_table(&assets, acmotion::dat::mannequin::HUMAN_TABLE).unwrap();
    let walk = *library.table(table).cycle(MotionCommand::NON_COMBAT, MotionCommand::WALK_FORWARD).unwrap();
    let span = library.table(table).anims(&walk)[0].span.unwrap();
    let mut sequence = Sequence::new();
    let count = MAX_SEQUENCE_NODES + 100;
    (1..=count).for_each(|number| sequence.append(&library, span, number as f32));
    assert_eq!(sequence.nodes(&library).len(), MAX_SEQUENCE_NODES);
    assert_eq!(sequence.nodes(&library).last().unwrap().framerate, count as f32);
    assert_eq!(sequence.first_cyclic_index(), Some(MAX_SEQUENCE_NODES - 1));
    assert_eq!(sequence.current(&library).unwrap().framerate, 1.0, "the first is still playing");
    sequence.remove_all_links(&library);
    assert_eq!(sequence.current(&library).unwrap().framerate, count as f32);
    let (mut offset, mut hooks) = (Frame::IDENTITY, HookBuffer::new());
    sequence.update(&library, 0.1, Some(&mut offset), Some(&mut hooks));
    assert!(sequence.frame().is_finite());
    for (rate, taken) in [(f32::INFINITY, f32::MAX), (f32::NEG_INFINITY, f32::MIN), (f32::NAN, 0.0)] {
        sequence.append(&library, span, rate);
        assert_eq!(sequence.nodes(&library).last().unwrap().framerate, taken, "{rate}");
        sequence.multiply_cyclic_framerate(f32::MAX);
        assert_eq!(sequence.nodes(&library).last().unwrap().framerate, taken, "{rate}");
    }
}

/// Each body once recorded all the others, and searched its whole list for each of them.
#[test]
fn hostile_16_a_body_touches_a_bounded_number_of_others() {
    let ghost = ObjectKind { state: SOLID | PhysicsState::ETHEREAL, ..CREATURE };
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    let others = MAX_TOUCHES + 30;
    for index in 0..others {
        scene.add(Guid(0x8000_0000 + index as u32), &spawn, &ghost);
    }
    let touched = |scene: &TestWorld| {
        let own = scene.events.iter().filter(|event| event.guid == REMOTE);
        own.filter(|event| matches!(event.kind, EventKind::Motion(MotionEvent::Touched(_)))).count()
    };
    scene.events.clear();
    scene.send(&describe(REMOTE, &spawn, &ghost));
    assert_eq!(touched(&scene), MAX_TOUCHES);
    let in_one_sweep = scene.world.act(REMOTE, scene.now, |actor, surroundings| {
        let Entity { guid, body, shape, mover_flags, .. } = &*actor.entity;
        let mover = body.placement_mover(*guid, shape, *mover_flags);
        let mut found = Vec::new();
        let placed = surroundings.place(&mover, &spawn, true, actor.obstacles, &mut found);
        assert!(placed.is_ok());
        found.len()
    });
    assert_eq!(in_one_sweep, Some(MAX_TOUCHES));
    scene.events.clear();
    scene.send(&delete(REMOTE, 0));
    let parted = scene.count_events(|kind| matches!(kind, EventKind::Motion(MotionEvent::Parted(_))));
    assert_eq!(parted, MAX_TOUCHES, "each touch that began ends");
}

#[test]
fn hostile_18_scales_are_clamped_or_ignored() {
    let expected = [
        (5.0, 5.0),
        (MIN_SCALE, MIN_SCALE),
        (MAX_SCALE, MAX_SCALE),
        (1e38, MAX_SCALE),
        (1e-38, MIN_SCALE),
        (0.0, 1.0),
        (-2.0, 1.0),
        (f32::NAN, 1.0),
        (f32::INFINITY, 1.0),
    ];
    for (sent, taken) in expected {
        let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
        scene.send(&create(PLAYER, &at(90.0, 96.0), ObjectStamps::default(), None));
        scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
            physics.position = Some(at(96.0, 96.0));
            physics.scale = Some(sent);
        }));
        assert_eq!(scene.world.find(REMOTE).unwrap().body().scale, taken, "{sent}");
        scene.send(&motion(REMOTE, running(1.0), 1));
        for stamp in 1..60 {
            scene.tick();
            scene.send(&position_with(REMOTE, &at(96.0, 96.0), stamp, |pack| {
                pack.flags.set(PositionFlags::GROUNDED, stamp % 7 != 0);
            }));
            let body = scene.world.find(REMOTE).unwrap().body();
            assert!(body.position.frame.origin.z.abs() < 10_000.0, "{sent}: {:?}", body.position);
            assert!(body.cached_velocity.is_finite() && body.velocity.is_finite(), "{sent}");
        }
        for event in &scene.events {
            if let EventKind::Motion(
                MotionEvent::Snapped { distance } | MotionEvent::Teleported { distance },
            ) = event.kind
            {
                assert!(distance.is_finite(), "{sent}: {event:?}");
            }
        }
    }
}

#[test]
fn hostile_18_events_have_finite_times_whatever_the_clock() {
    let mut scene = TestWorld::with_remote();
    let before = scene.now;
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(!scene.world.tick(bad), "no tick at a time that is not finite");
        scene.now = bad;
        scene.send(&create(Guid(0x5000_0002), &at(90.0, 96.0), ObjectStamps::default(), None));
        scene.send(&delete(Guid(0x5000_0002), 0));
    }
    assert!(scene.events.len() >= 6);
    assert!(scene.events.iter().all(|event| event.time.is_finite()), "{:?}", scene.events);
    scene.now = before;
    scene.send(&motion(REMOTE, running(1.0), 1));
    let start = scene.origin(REMOTE);
    scene.ticks(30);
    assert!((scene.origin(REMOTE) - start).length() > 2.0, "time goes on from where it was");
    assert!(scene.origin(REMOTE) != Vec3::ZERO);
}
