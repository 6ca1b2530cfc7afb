//! Replays: entities, counts, and captures whose times cannot be trusted.

use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Frame, Guid, Stamp, Vec3};
use acmotion::wire::{
    AutonomousPosition, C2S, Direction, EchoedStamps, GameAction, GameActionBody, Pad, PlayerCreate,
    PositionPack, S2C, UpdatePosition,
};
use acmotion::{EventKind, StandIn};
use acmotion_sim::replay::{
    MAX_BODY_SECONDS, MAX_BODY_SECONDS_PER_BYTE, MAX_GAP, MAX_PAUSES, MAX_SILENCE, MAX_START, Replay,
    ReplaySettings, Step,
};

const RUNNER: Guid = Guid(0x5000_0002);
/// The most frames that one message can cause, with some to spare for rounding.
const MAX_FRAMES: u64 = MAX_SILENCE as u64 * 60 + 10;

fn at(y: f32) -> CellPosition {
    CellPosition::new(CellId(0xA9B4_0011), Frame::from_origin(Vec3::new(50.0, y, 94.0)))
}

fn report(y: f32, stamp: u16, teleport: u16) -> Vec<u8> {
    let (position_stamp, teleport) = (Stamp(stamp), Stamp(teleport));
    let pack = PositionPack { position_stamp, teleport, ..PositionPack::grounded(at(y)) };
    S2C::from(UpdatePosition { guid: RUNNER, pack }).to_bytes()
}

fn new() -> Replay {
    Replay::new(Assets::mannequin(), ReplaySettings::default())
}

fn steps(replay: &mut Replay) -> Vec<Step> {
    std::iter::from_fn(|| replay.step()).collect()
}

/// Replays one report for each time. Returns the replay and the times at which the reports were handled.
fn replay_reports(times: &[f64]) -> (Replay, Vec<f64>) {
    let mut replay = new();
    let mut handled = Vec::new();
    for (number, time) in (1..).zip(times) {
        let frames = replay.frames();
        replay.receive(*time, Direction::S2C, &report(f32::from(number) / 10.0, number, 1));
        for step in steps(&mut replay) {
            if let Step::Report { time, .. } = step {
                handled.push(time);
            }
        }
        assert!(replay.frames() - frames <= MAX_FRAMES, "{time}: {} frames", replay.frames() - frames);
    }
    replay.finish();
    steps(&mut replay);
    (replay, handled)
}

#[test]
fn a_message_is_handled_in_the_first_frame_after_its_time() {
    let (replay, handled) = replay_reports(&[10.0, 11.0, 11.5]);
    for (time, handled) in [10.0, 11.0, 11.5].into_iter().zip(handled) {
        assert!((0.0..1.0 / 59.0).contains(&(handled - time)), "{time}: {handled}");
    }
    assert!((replay.now().unwrap() - 12.5).abs() < 0.05, "a second runs on after the last message");
    assert!((74..=77).contains(&replay.ticks()), "{} ticks in 2.5 s", replay.ticks());
}

#[test]
fn an_object_that_is_never_created_gets_a_stand_in() {
    let (replay, _) = replay_reports(&[10.0, 11.0]);
    let resident = replay.world().find(RUNNER).unwrap();
    assert!(resident.stand_in().contains(StandIn::WHOLE));
}

#[test]
fn snaps_teleports_and_rejected_messages_are_counted() {
    let mut replay = new();
    for (time, bytes) in [
        (1.0, report(10.0, 1, 1)),
        (2.0, report(10.5, 2, 1)),
        (3.0, report(10.6, 1, 1)),  // stale
        (4.0, report(150.0, 3, 1)), // more than 96 m away
        (5.0, report(20.0, 4, 2)),
    ] {
        replay.receive(time, Direction::S2C, &bytes);
    }
    let steps = steps(&mut replay);
    let totals = replay.totals();
    assert_eq!((totals.messages, totals.unreadable), (5, 0));
    assert_eq!((totals.rejected, totals.snaps, totals.teleports), (1, 1, 1));
    assert_eq!(totals.problems(), Vec::<String>::new());
    let shown = steps.iter().filter_map(|step| match step {
        Step::Report { shown, .. } => Some(shown.is_some()),
        _ => None,
    });
    assert_eq!(shown.collect::<Vec<_>>(), [false, true, true, true, true]);
}

#[test]
fn the_player_is_placed_from_its_own_messages() {
    let mut replay = new();
    let mut create = Vec::new();
    S2C::from(PlayerCreate { guid: RUNNER }).encode(&mut create);
    let own = AutonomousPosition {
        position: at(33.0),
        stamps: EchoedStamps { teleport: Stamp(1), ..EchoedStamps::default() },
        contact: true.into(),
        pad: Pad::ZERO,
    };
    let mut sent = Vec::new();
    C2S::from(GameAction { sequence: 1, action: GameActionBody::AutonomousPosition(own) }).encode(&mut sent);
    replay.receive(1.0, Direction::S2C, &create);
    replay.receive(1.1, Direction::S2C, &report(10.0, 1, 1));
    replay.receive(2.0, Direction::C2S, &sent);
    let placed = steps(&mut replay).iter().any(|step| matches!(step, Step::OwnReport { guid: RUNNER, .. }));
    assert!(placed, "{:?}", replay.totals());
    assert_eq!(replay.world().find(RUNNER).unwrap().position().frame.origin.y, 33.0);
}

#[test]
fn the_first_unreadable_message_is_named_with_its_reason() {
    let mut replay = new();
    replay.receive(1.0, Direction::S2C, &report(10.0, 1, 1));
    replay.receive(2.0, Direction::S2C, &report(10.0, 2, 1)[..9]);
    replay.receive(2.5, Direction::C2S, &[0xB1, 0xF7, 0, 0]);
    steps(&mut replay);
    let [problem] = &replay.totals().problems()[..] else { panic!("{:?}", replay.totals()) };
    for part in ["2 messages could not be read", "message 2 (S2C, 9 bytes, at 2.0", "0xF748", "at byte 8"] {
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn huge_times_end_at_once_and_are_counted_from_the_first_message() {
    // Milliseconds and microseconds since 1970 as if they were seconds, and times without any meaning.
    for start in [MAX_START + 1.0, 1.766e12, 1.766e15, 3e14, 5e15, -5e15, 1e300, f64::MAX] {
        let (replay, handled) = replay_reports(&[start, start]);
        assert_eq!(handled, [0.0, 0.0], "{start}");
        assert_eq!(replay.totals().shifted_start, Some(start));
        let [problem] = &replay.totals().problems()[..] else { panic!("{:?}", replay.totals()) };
        assert!(problem.contains("counted from the first message"), "{problem}");
    }
    let (_, handled) = replay_reports(&[1.766e15, 1.766e15 + 2.0]);
    assert!((2.0..2.02).contains(&handled[1]), "{handled:?}");
}

/// Microseconds since 1970 in a pcapng whose `if_tsresol` declares seconds: every gap is a million times too long.
#[test]
fn hostile_11_gaps_of_more_than_an_hour_are_shortened() {
    let times: Vec<f64> = (0..50).map(|step| 1.766e15 + 33_333.0 * f64::from(step)).collect();
    let (replay, handled) = replay_reports(&times);
    let totals = replay.totals();
    assert_eq!((totals.shortened_gaps, totals.silences), (49, 49));
    for pair in handled.windows(2) {
        assert!((pair[1] - pair[0] - MAX_GAP).abs() < 0.1, "{pair:?}");
    }
    assert!(totals.problems().iter().any(|problem| problem.contains("49 gaps of more than an hour")));
}

#[test]
fn unix_times_in_seconds_are_followed_as_they_are() {
    let start = 1_766_693_906.388_087;
    assert!(start < MAX_START);
    let (replay, handled) = replay_reports(&[start, start + 0.5]);
    assert_eq!(handled[0], start);
    assert!((start + 0.5..start + 0.52).contains(&handled[1]), "{handled:?}");
    assert_eq!(replay.totals().problems(), Vec::<String>::new());
}

#[test]
fn a_silence_of_more_than_ten_minutes_is_skipped() {
    let (replay, handled) = replay_reports(&[100.0, 100.0 + MAX_SILENCE + 1.0]);
    assert!(replay.frames() < 200, "{} frames", replay.frames());
    assert_eq!(handled[1], 701.0, "the clock still follows the capture");
    assert_eq!(replay.totals().problems(), ["1 silence of more than ten minutes was skipped"]);
    let (replay, _) = replay_reports(&[100.0, 100.0 + MAX_SILENCE - 1.0]);
    assert!(replay.frames() > 35_000, "{} frames", replay.frames());
}

#[test]
fn hostile_11_pauses_of_more_than_an_hour_in_all_are_skipped() {
    let times: Vec<f64> = (0..300).map(|step| 599.0 * f64::from(step)).collect();
    let (replay, handled) = replay_reports(&times);
    let totals = replay.totals();
    assert_eq!((totals.silences, totals.skipped_pauses), (0, 299 - 6), "six fit into an hour");
    let seconds = MAX_PAUSES + 2.0 * 300.0;
    assert!((replay.frames() as f64) < 60.0 * seconds, "{} frames", replay.frames());
    assert!((handled[299] - times[299]).abs() < 0.1, "the clock still follows the capture");
    assert!(totals.problems()[0].starts_with("293 pauses of more than half a minute were skipped"));
    // Short gaps are run, however many there are.
    let times: Vec<f64> = (0..300).map(|step| 29.0 * f64::from(step)).collect();
    let (replay, _) = replay_reports(&times);
    assert_eq!(replay.totals().problems(), Vec::<String>::new());
}

#[test]
fn times_that_go_back_or_are_not_finite_are_clamped() {
    let (replay, handled) = replay_reports(&[10.0, 12.0, 3.0, f64::NAN, f64::INFINITY, 12.0]);
    assert!(handled.iter().is_sorted() && handled.iter().all(|time| *time < 12.02), "{handled:?}");
    let [problem] = &replay.totals().problems()[..] else { panic!("{:?}", replay.totals()) };
    assert!(problem.starts_with("3 times are not finite or go back"), "{problem}");
    let (replay, handled) = replay_reports(&[f64::NEG_INFINITY, 5.0, 5.5]);
    assert!(handled[0] == 0.0 && handled[1] == 0.0 && (0.5..0.52).contains(&handled[2]), "{handled:?}");
    assert!(replay.totals().problems()[0].starts_with("1 time is not finite or goes back"));
}

/// For captures that are still being written: time goes on without messages, and a message that comes late is no error.
#[test]
fn a_clock_that_was_advanced_does_not_make_messages_late() {
    let mut replay = new();
    replay.advance(5.0);
    assert_eq!(
        (steps(&mut replay).len(), replay.now()),
        (0, None),
        "there is no clock before the first message"
    );
    replay.receive(10.0, Direction::S2C, &report(10.0, 1, 1));
    steps(&mut replay);
    replay.advance(12.0);
    replay.advance(f64::NAN);
    steps(&mut replay);
    assert!((replay.now().unwrap() - 12.0).abs() < 0.02);
    replay.receive(11.0, Direction::S2C, &report(10.1, 2, 1));
    steps(&mut replay);
    assert!((replay.now().unwrap() - 12.0).abs() < 0.02);
    assert_eq!(replay.totals().problems(), Vec::<String>::new());
}

#[test]
fn created_events_come_before_the_tick_that_shows_the_entity() {
    let mut replay = new();
    replay.receive(10.0, Direction::S2C, &report(10.0, 1, 1));
    replay.finish();
    let steps = steps(&mut replay);
    let created = steps.iter().position(
        |step| matches!(step, Step::Event(event) if event.kind == EventKind::Created && event.guid == RUNNER),
    );
    let message = steps.iter().position(|step| matches!(step, Step::Message { .. })).unwrap();
    let tick = steps.iter().rposition(|step| matches!(step, Step::Tick { .. })).unwrap();
    assert!(message < created.unwrap() && created.unwrap() < tick);
}

/// A crowd that runs through gaps short enough to count as play, and through pauses.
#[test]
fn hostile_23_few_messages_cannot_let_many_bodies_run_for_days() {
    let (bodies, gap) = (200u32, 29.5);
    let mut replay = new();
    let mut bytes = 0.0;
    let mut receive = |replay: &mut Replay, time: f64, message: &[u8]| {
        bytes += message.len() as f64;
        replay.receive(time, Direction::S2C, message);
        while replay.step().is_some() {}
        bytes
    };
    for number in 0..bodies {
        let guid = Guid(0x5000_1000 + number);
        let pack = PositionPack::grounded(at(50.0));
        receive(&mut replay, 0.0, &S2C::from(UpdatePosition { guid, pack }).to_bytes());
    }
    assert_eq!(replay.world().entities().len(), bodies as usize);
    let (delete, mut sent) = ([0x47, 0xF7, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 0);
    while !replay.has_stopped() && sent < 300 {
        sent += 1;
        receive(&mut replay, gap * f64::from(sent), &delete);
    }
    let granted = MAX_BODY_SECONDS + MAX_BODY_SECONDS_PER_BYTE * receive(&mut replay, 0.0, &[]);
    let spent = replay.now().unwrap() * f64::from(bodies + 1);
    assert!((0.999 * granted..1.001 * granted).contains(&spent), "{spent} of {granted} body-seconds");
    // It stays where it is, whatever comes.
    let (ticks, handled) = (replay.ticks(), replay.totals().messages);
    for _ in 0..100 {
        sent += 1;
        receive(&mut replay, gap * f64::from(sent), &delete);
    }
    replay.finish();
    assert!(replay.step().is_none());
    let totals = replay.totals();
    assert_eq!((replay.ticks(), totals.messages), (ticks, handled));
    assert_eq!(u64::from(bodies) + sent as u64 + 1, handled + totals.not_run);
    let [problem] = &totals.problems()[..] else { panic!("{totals:?}") };
    assert!(problem.starts_with("the replay stopped at ") && problem.ends_with(" not run"), "{problem}");
}
