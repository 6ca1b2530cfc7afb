//! Orders of recorded servers start and end as in the recordings. Ignored unless `ACMOTION_CAPTURES` names the folder of
//! the recordings. The creatures' own motion tables are not available, so speeds may differ, but decisions may not.

use std::collections::BTreeSet;
use std::path::Path;

use acmotion::components::MoveKind;
use acmotion::dat::Assets;
use acmotion::types::{Era, Guid, MotionCommand};
use acmotion::wire::{MovementBody, S2C, decode_s2c};
use acmotion::{Event, EventKind, MotionEvent, MoveToEvent, Settings, World};
use acmotion_test_recordings::{Message, read, recording_tests};

const TICK: f64 = 1.0 / 30.0 + 1e-9;

recording_tests! {
    recorded_chickens_follow_their_orders,
    a_recorded_banderling_chases_and_sticks,
}

/// A world that replays a recording, and the progress of its orders.
struct Replay {
    world: World,
    now: f64,
    /// The entities whose last motion from the server was to stand.
    standing: BTreeSet<Guid>,
    /// The number of orders that started.
    started: usize,
    /// The number of orders that ended in sticking.
    stuck: usize,
    /// The number of ticks in which a sticking body faced its target.
    faced: usize,
}

impl Replay {
    fn run(folder: &Path, name: &str, mut inspect: impl FnMut(&mut Self, &Message, &[Event])) -> Self {
        let messages = read(folder, name);
        let settings = Settings { stand_ins_for_unknown: true, ..Settings::default() };
        let mut replay = Self {
            world: World::with_settings(Assets::mannequin(), settings),
            now: messages[0].time,
            standing: BTreeSet::new(),
            started: 0,
            stuck: 0,
            faced: 0,
        };
        for message in messages.iter().filter(|message| message.is_from_server) {
            while replay.now + TICK <= message.time {
                replay.now += TICK;
                replay.world.tick(replay.now);
                replay.check_tick();
            }
            // Decoding is covered by other tests.
            let _ = replay.world.receive(&message.bytes, message.time);
            let events: Vec<Event> = replay.world.drain_events().collect();
            replay.check_order(message, &events);
            inspect(&mut replay, message, &events);
        }
        replay
    }

    /// After each tick: bodies that shall stand do not move, and sticking bodies face their target.
    fn check_tick(&mut self) {
        let sticks = |event: &Event| {
            matches!(event.kind, EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Sticks(_))))
        };
        self.stuck += self.world.drain_events().filter(sticks).count();
        for resident in self.world.entities() {
            let entity = resident.entity();
            if self.standing.contains(&resident.guid()) {
                let forward = entity.interp.interpreted.forward.command;
                let runs = matches!(forward, MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD);
                assert!(!runs && !entity.is_moving_to(), "{} still moves at {}", resident.guid(), self.now);
            }
            let Some(target) = entity.correction.sticky_target() else { continue };
            let Some(target) = self.world.find(target) else { continue };
            let turn =
                entity.body.position.heading_to(&target.position()) - entity.body.position.frame.heading();
            let turn = turn.rem_euclid(360.0);
            if turn.min(360.0 - turn) < 5.0 {
                self.faced += 1;
            }
        }
    }

    /// After each message: an order starts at once, and a motion state ends one.
    fn check_order(&mut self, message: &Message, events: &[Event]) {
        let Ok(S2C::UpdateMotion(update)) = decode_s2c(&message.bytes, Era::EndOfRetail) else { return };
        let Some(resident) = self.world.find(update.guid) else { return };
        let stale = events.iter().any(|event| matches!(event.kind, EventKind::Rejected(_)));
        if stale {
            return;
        }
        let known = |target: &Guid| self.world.find(*target).is_some();
        let expected = match &update.data.movement.body {
            MovementBody::Interpreted { state, .. } => {
                assert!(!resident.entity().is_moving_to(), "{} at {}", update.guid, message.time);
                if state.forward_command.is_none_or(|command| command == MotionCommand::READY) {
                    self.standing.insert(update.guid);
                } else {
                    self.standing.remove(&update.guid);
                }
                return;
            }
            MovementBody::MoveToObject { target, .. } if known(target) => MoveKind::MoveToObject,
            MovementBody::MoveToObject { .. } | MovementBody::MoveToPosition { .. } => {
                MoveKind::MoveToPosition
            }
            MovementBody::TurnToObject { target, .. } if known(target) => MoveKind::TurnToObject,
            MovementBody::TurnToObject { .. } | MovementBody::TurnToHeading { .. } => MoveKind::TurnToHeading,
        };
        let started = EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Started(expected)));
        let is_start = |event: &Event| event.guid == update.guid && event.kind == started;
        assert!(events.iter().any(is_start), "{} at {}: {events:?}", update.guid, message.time);
        self.standing.remove(&update.guid);
        self.started += 1;
    }
}

fn recorded_chickens_follow_their_orders(folder: &Path) {
    let replay = Replay::run(folder, "melee_chickens.jsonl", |_, _, _| {});
    assert_eq!(replay.started, 17, "7 to an object, 7 to a position, 2 turns to an object, 1 to a heading");
    assert!(replay.faced > 100, "attackers face their target in {} ticks", replay.faced);
}

fn a_recorded_banderling_chases_and_sticks(folder: &Path) {
    let mut jump = None;
    let replay = Replay::run(folder, "banderling_chase.jsonl", |_, message, events| {
        if (message.time - 199.403_384).abs() < 1e-6 {
            for event in events {
                if let EventKind::Motion(MotionEvent::Teleported { distance }) = event.kind {
                    jump = Some(distance);
                }
            }
        }
    });
    assert_eq!(replay.started, 7, "6 to an object, 1 turn to one");
    assert!(replay.stuck > 0, "no chase ended in sticking");
    assert!(jump.is_some_and(|distance| distance < 0.1), "the teleport stamp alone moved the body: {jump:?}");
}
