//! Recordings replayed through a world, with the mannequin as stand-in. Ignored unless `ACMOTION_CAPTURES` names the folder
//! of the recordings.

use std::path::Path;

use acmotion::dat::Assets;
use acmotion::types::{CellPosition, Era, Guid, Vec3};
use acmotion::wire::{C2S, GameActionBody, PhysicsState, S2C, decode_c2s, decode_s2c};
use acmotion::{Event, EventKind, Identity, MotionEvent, Rejection, Settings, World};
use acmotion_test_recordings::{read, recording_tests};

recording_tests! {
    a_recorded_player_is_shown_close_to_its_reports,
    every_recording_replays_without_invalid_positions,
    described_missiles_fly_on_their_course,
}

/// A little more than a thirtieth of a second, so that the physics gate opens every time.
const TICK: f64 = 0.033_334;

/// What a replay showed.
#[derive(Default)]
struct Shown {
    events: Vec<Event>,
    /// For each report: the entity, the time, and the horizontal distance of the shown body from the report, in metres.
    errors: Vec<(Guid, f64, f32)>,
}

impl Shown {
    fn errors_of(&self, guid: Guid) -> Vec<f32> {
        let own = self.errors.iter().filter(|error| error.0 == guid);
        let mut errors: Vec<f32> = own.map(|error| error.2).collect();
        errors.sort_by(f32::total_cmp);
        errors
    }

    fn count(&self, matches: impl Fn(&EventKind) -> bool) -> usize {
        self.events.iter().filter(|event| matches(&event.kind)).count()
    }
}

/// The position in a message of the local player's client, if it has one.
fn own_position(bytes: &[u8]) -> Option<CellPosition> {
    let C2S::GameAction(action) = decode_c2s(bytes, Era::default()).ok()? else { return None };
    match action.action {
        GameActionBody::MoveToState(state) => Some(state.position),
        GameActionBody::AutonomousPosition(position) => Some(position.position),
        GameActionBody::Jump(jump) => jump.position,
        _ => None,
    }
}

fn replay(folder: &Path, name: &str, player: Identity) -> (World, Shown) {
    let messages = read(folder, &format!("{name}.jsonl"));
    let settings = Settings { player, stand_ins_for_unknown: true, ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let mut shown = Shown::default();
    let mut now = messages[0].time;
    let mut next = 0;
    while next < messages.len() {
        now += TICK;
        world.tick(now);
        while let Some(message) = messages.get(next).filter(|message| message.time <= now) {
            next += 1;
            if !message.is_from_server {
                if let Some(position) = own_position(&message.bytes) {
                    world.set_player_position(&position, true, now);
                }
                continue;
            }
            if let Ok(S2C::UpdatePosition(update)) = decode_s2c(&message.bytes, Era::default())
                && let Some(body) = world.find(update.guid)
            {
                let offset = Vec3 { z: 0.0, ..body.position().offset_to(&update.pack.position) };
                shown.errors.push((update.guid, message.time, offset.length()));
            }
            world.receive(&message.bytes, now).unwrap();
        }
        shown.events.extend(world.drain_events());
        for resident in world.entities() {
            let frame = resident.position().frame;
            assert!(frame.is_valid() && frame.origin.is_finite(), "{name}: {resident:?}");
        }
    }
    (world, shown)
}

fn is_snap(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Motion(MotionEvent::Snapped { .. }))
}

/// Another player runs through a house, and is teleported out at the end. The median error is at most half a metre, the
/// 95th percentile below two.
fn a_recorded_player_is_shown_close_to_its_reports(folder: &Path) {
    const RUNNER: Guid = Guid(0x5000_001E);
    let (_, shown) = replay(folder, "player_runs_house", Identity::NoPlayer);
    let teleports: Vec<_> = shown
        .events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::Motion(MotionEvent::Teleported { distance }) if distance > 1.0))
        .map(|event| (event.time * 10.0).floor() / 10.0)
        .collect();
    let errors: Vec<f32> = shown.errors_of(RUNNER);
    let walked: Vec<f32> = errors.iter().copied().filter(|error| *error < 50.0).collect();
    let (median, p95) = (walked[walked.len() / 2], walked[walked.len() * 95 / 100]);
    println!("{} reports, median {median} m, 95 % {p95} m, worst {:?}", walked.len(), walked.last());
    println!("{} snaps, teleports at {teleports:?}", shown.count(is_snap));
    for (_, time, error) in shown.errors.iter().filter(|error| error.0 == RUNNER && error.2 > 1.0) {
        println!("{time:.3}: {error:.2} m");
    }
    assert_eq!(shown.count(is_snap), 0);
    assert_eq!(teleports, [815.3]);
    assert!(median <= 0.5 && p95 < 2.0);
}

/// With the recording client's player, or without a local player.
fn every_recording_replays_without_invalid_positions(folder: &Path) {
    for (name, player) in [
        ("melee_chickens", Identity::Known(Guid(0x5000_0013))),
        ("banderling_chase", Identity::Known(Guid(0x5000_001D))),
        ("player_jumps_remote_view", Identity::NoPlayer),
        ("synthetic", Identity::NoPlayer),
        ("entergameworld", Identity::Awaited),
        ("retail_player", Identity::Known(Guid(0x5000_0002))),
    ] {
        let (world, shown) = replay(folder, name, player);
        let errors: Vec<f32> = shown.errors.iter().map(|error| error.2).collect();
        println!(
            "{name}: {} entities, {} events, {} snaps, {} reports, worst {:?}",
            world.entities().len(),
            shown.events.len(),
            shown.count(is_snap),
            errors.len(),
            errors.iter().copied().reduce(f32::max),
        );
        let invalid = |kind: &EventKind| {
            matches!(kind, EventKind::Rejected(Rejection::BadPosition | Rejection::Unreadable))
        };
        assert_eq!(shown.count(invalid), 0, "{name}");
    }
}

/// Every missile that a server described flies on the line, or the arc, of its velocity for two seconds, where no land is
/// known.
fn described_missiles_fly_on_their_course(folder: &Path) {
    let (mut errors, mut clamped) = (Vec::new(), 0);
    for message in read(folder, "retail_createobjects.jsonl.gz") {
        let bytes = message.bytes;
        let Ok(S2C::CreateObject(object)) = decode_s2c(&bytes, Era::default()) else { continue };
        let physics = &object.0.physics;
        let (true, Some(velocity), Some(start)) =
            (physics.state.contains(PhysicsState::MISSILE), physics.velocity, physics.position)
        else {
            continue;
        };
        let mut world = World::new(Assets::mannequin());
        world.receive(&bytes, 0.0).unwrap();
        let fall = if physics.state.contains(PhysicsState::GRAVITY) { -9.8 } else { 0.0 };
        let mut now = 0.0;
        for _ in 0..60 {
            now += TICK;
            world.tick(now);
        }
        let time = now as f32;
        // Faster ones are slowed down (rule C6).
        if (velocity + Vec3::new(0.0, 0.0, fall * time)).length() > 50.0 {
            clamped += 1;
            continue;
        }
        let expected = velocity * time + Vec3::new(0.0, 0.0, 0.5 * fall * time * time);
        let flown = start.offset_to(&world.find(object.0.guid).unwrap().position());
        errors.push((flown - expected).length());
    }
    errors.sort_by(f32::total_cmp);
    let (count, median, worst) = (errors.len(), errors[errors.len() / 2], errors[errors.len() - 1]);
    println!("{count} missiles, and {clamped} too fast: median error {median} m, largest {worst} m");
    assert!(
        count > 1000 && clamped < 100 && median < 0.001 && worst < 0.01,
        "{count} missiles: {median} m, {worst} m"
    );
}
