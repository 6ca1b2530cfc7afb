//! What a checker says about one client, message by message. Whole scenes with honest clients and cheats are in the tests of
//! the simulation; here single fields are wrong.

use acmotion::check::{CheckSettings, Finding, ImpossibleFlag, LateReason, Method, ReplayedStamp};
use acmotion::types::{MotionCommand, Stamp, Vec3};
use acmotion::wire::{ContactFlags, GameActionBody, HoldKey, MoveToState, PhysicsState};

use crate::check_support::{Checked, shift, stamps};
use crate::player_support::{D, W, frames, press, release, stance};
use crate::world_support::{GROUND, PLAYER, at, position_with, set_state};

/// A runner reports once a second (K7). Each report is on the path that the keys lead to, a second after the last.
#[test]
fn an_honest_runner_is_where_its_keys_lead_it() {
    let mut checked = Checked::new();
    press(&mut checked.client, W);
    let mut verdicts = checked.run(240);
    press(&mut checked.client, D);
    verdicts.extend(checked.run(60));
    release(&mut checked.client, D);
    release(&mut checked.client, W);
    verdicts.extend(checked.run(90));
    assert!(verdicts.len() >= 10, "{verdicts:?}");
    for verdict in &verdicts {
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Predicted), "{verdicts:?}");
        assert!(verdict.error < 0.3 && verdict.lead < 0.2, "{verdict:?}");
        assert_eq!(verdict.allowed, 0.75);
    }
    assert!(
        verdicts.iter().filter(|verdict| (verdict.needed - 1.0).abs() < 0.1).count() >= 5,
        "{verdicts:?}"
    );
}

/// The tolerance is 0.75 m to each side. What was wrong once is where the player is from then on.
#[test]
fn a_position_beside_the_path_is_named_with_its_distance() {
    for (by, is_alarm) in [(-1.5, true), (-0.7, false), (0.7, false), (1.0, true), (1.5, true)] {
        let mut checked = Checked::new();
        press(&mut checked.client, W);
        checked.run(70);
        let mut count = 0;
        let verdicts = checked.run_with(31, |action| {
            count += 1;
            shift(action, Vec3::new(by, 0.0, 0.0));
        });
        assert_eq!(count, 1, "a report a second");
        let [verdict] = verdicts[..] else { panic!("{verdicts:?}") };
        assert_eq!(verdict.is_alarm(), is_alarm, "{by}: {verdict:?}");
        assert!((verdict.error - by.abs()).abs() < 0.05, "{verdict:?}");
        if let Finding::Teleported { distance } = verdict.finding {
            assert_eq!(distance, verdict.error);
            assert_eq!(verdict.lead, 0.0);
        } else {
            assert!(!is_alarm, "{verdict:?}");
        }
        let next = checked.run_with(31, |action| shift(action, Vec3::new(by, 0.0, 0.0)));
        assert!(next.iter().all(|verdict| !verdict.is_alarm()), "{by}: {next:?}");
    }
}

/// Rules C27, K4–K6: what the fields of a state can be.
#[test]
fn fields_that_no_client_sends_are_named() {
    use ImpossibleFlag as Flag;
    type Change = fn(&mut MoveToState<'_>);
    let cases: [(Flag, Change); 16] = [
        (Flag::UnknownBits, |it| it.raw.unknown_bits = 0x800_0000),
        (Flag::UnknownBits, |it| it.contact = ContactFlags::from_bits_retain(0x41)),
        (Flag::LongJump, |it| it.contact = ContactFlags::STANDING_LONG_JUMP),
        (Flag::HoldKey, |it| it.raw.current_hold_key = Some(HoldKey(3))),
        (Flag::HoldKey, |it| it.raw.turn_hold_key = Some(HoldKey(9))),
        (Flag::Style, |it| it.raw.current_style = Some(MotionCommand::WALK_FORWARD)),
        (Flag::ForwardCommand, |it| it.raw.forward_command = Some(MotionCommand::RUN_FORWARD)),
        (Flag::ForwardCommand, |it| it.raw.forward_command = Some(MotionCommand::TURN_LEFT)),
        (Flag::ForwardCommand, |it| it.raw.forward_command = Some(MotionCommand::SIDE_STEP_RIGHT)),
        (Flag::ForwardCommand, |it| it.raw.forward_command = Some(MotionCommand::NON_COMBAT)),
        (Flag::SidestepCommand, |it| it.raw.sidestep_command = Some(MotionCommand::TURN_LEFT)),
        (Flag::TurnCommand, |it| it.raw.turn_command = Some(MotionCommand::SIDE_STEP_LEFT)),
        (Flag::Speed, |it| it.raw.forward_speed = Some(1.1)),
        (Flag::Speed, |it| it.raw.sidestep_speed = Some(-0.1)),
        (Flag::Speed, |it| it.raw.turn_speed = Some(1.6)),
        (Flag::Speed, |it| it.raw.forward_speed = Some(f32::NAN)),
    ];
    for (flag, change) in cases {
        assert_eq!(Checked::state_with(change), Finding::ImpossibleFlags(flag));
    }
    let fine: [Change; 7] = [
        |_| {},
        |it| it.contact = ContactFlags::STANDING_LONG_JUMP | ContactFlags::CONTACT,
        |it| it.raw.turn_command = Some(MotionCommand::TURN_LEFT),
        |it| it.raw.sidestep_command = Some(MotionCommand::SIDE_STEP_RIGHT),
        |it| it.raw.turn_speed = Some(1.5),
        |it| it.raw.current_hold_key = Some(HoldKey::INVALID),
        |it| it.raw.current_style = Some(MotionCommand::NON_COMBAT),
    ];
    for change in fine {
        assert_eq!(Checked::state_with(change), Finding::Ok);
    }
}

/// Outdoors the cell follows from the origin (A13), but for a rounding error at its border.
#[test]
fn a_position_must_be_in_its_cell() {
    // The cell reaches from 96 to 120 m.
    for (x, y, is_fine) in [
        (96.5, 96.5, true),
        (95.5, 96.5, false),
        (96.5, 95.5, false),
        (95.995, 96.5, true),
        (96.5, 95.995, true),
        (95.995, 95.995, true),
        (95.98, 96.5, false),
        (f32::NAN, 96.5, false),
    ] {
        let found = Checked::state_with(|message| {
            message.position.frame.origin = Vec3::new(x, y, GROUND);
        });
        let expected = if is_fine { Finding::Ok } else { Finding::ImpossibleFlags(ImpossibleFlag::Position) };
        // Half a metre away is on no path, but that is another matter.
        assert_eq!(found, expected, "{x} {y}");
    }
    let found = Checked::state_with(|message| message.position.cell.0 = 0xA9B4_0000);
    assert_eq!(found, Finding::ImpossibleFlags(ImpossibleFlag::Position));
    let found = Checked::state_with(|message| message.position.frame.rotation.w = 3.0);
    assert_eq!(found, Finding::ImpossibleFlags(ImpossibleFlag::Position));
}

/// A client echoes the newest stamps that it has received, and never one that was not sent.
#[test]
fn echoed_stamps_are_those_that_the_server_sent() {
    let unsent = Finding::ImpossibleFlags(ImpossibleFlag::UnsentStamp);
    assert_eq!(Checked::stamps_with(&[], |_| {}), Finding::Ok);
    assert_eq!(Checked::stamps_with(&[], |stamps| stamps.instance = Stamp(1)), unsent);
    assert_eq!(Checked::stamps_with(&[], |stamps| stamps.server_control = Stamp(1)), unsent);
    assert_eq!(Checked::stamps_with(&[], |stamps| stamps.teleport = Stamp(1)), unsent);
    assert_eq!(Checked::stamps_with(&[], |stamps| stamps.force_position = Stamp(1)), unsent);
    let old = Finding::Late(LateReason::OldInstance);
    assert_eq!(Checked::stamps_with(&[], |stamps| stamps.instance = Stamp(u16::MAX)), old);

    let teleport = position_with(PLAYER, &at(100.0, 100.0), 1, |pack| pack.teleport = Stamp(1));
    let before = Finding::Late(LateReason::BeforeTeleport);
    let sent = [teleport];
    assert_eq!(Checked::stamps_with(&sent, |stamps| stamps.teleport = Stamp(0)), before);
    assert_eq!(Checked::stamps_with(&sent, |_| {}), Finding::Ok);
    let force = position_with(PLAYER, &at(97.0, 97.0), 1, |pack| pack.force_position = Stamp(1));
    let sent = [force];
    assert_eq!(Checked::stamps_with(&sent, |stamps| stamps.force_position = Stamp(0)), before);
    assert_eq!(Checked::stamps_with(&sent, |_| {}), Finding::Ok);
}

/// A client that has echoed an order does not echo an older one again.
#[test]
fn an_older_order_is_not_echoed_after_a_newer_one() {
    let mut checked = Checked::new();
    checked.server_sends(&stance(MotionCommand::NON_COMBAT, 1));
    checked.run(10);
    assert_eq!(checked.press_with(|_| {}).finding, Finding::Ok);
    let replayed = checked.press_with(|action| stamps(action).server_control = Stamp(0));
    assert_eq!(replayed.finding, Finding::StampReplayed(ReplayedStamp::ServerControl));
}

/// The network may deliver messages out of order, but none twice.
#[test]
fn an_action_counts_once() {
    let mut checked = Checked::new();
    let mut messages = Vec::new();
    for _ in 0..2 {
        press(&mut checked.client, W);
        frames(&mut checked.client, 1);
        messages.extend(checked.client.world.drain_outbound());
        release(&mut checked.client, W);
        frames(&mut checked.client, 1);
        messages.extend(checked.client.world.drain_outbound());
    }
    let now = checked.client.now;
    let mut deliver = |index: usize| checked.checker.receive(&messages[index], now).unwrap().unwrap();
    assert_eq!(deliver(0).finding, Finding::Ok);
    assert_eq!(deliver(2).finding, Finding::Ok);
    assert_eq!(deliver(1).finding, Finding::Late(LateReason::Overtaken));
    assert!(!deliver(3).is_alarm());
    let again = deliver(1);
    assert_eq!(again.finding, Finding::StampReplayed(ReplayedStamp::Sequence));
    assert!(again.is_alarm());
}

/// Messages carry no time, so that one report may be early. The lead of a clock that is too fast adds up, to 3 s.
#[test]
fn a_client_whose_clock_is_too_fast_gains_a_lead() {
    let mut checked = Checked::new();
    press(&mut checked.client, W);
    checked.run(60);
    let mut leads = Vec::new();
    for _ in 0..40 {
        // Half a second of the checker for each second of the client.
        for verdict in checked.run(30) {
            leads.push((verdict.lead, verdict.finding));
        }
        checked.ahead -= 15.0 * crate::world_support::TICK;
        if leads.last().is_some_and(|(_, finding)| *finding != Finding::Ok) {
            break;
        }
    }
    let (alarms, fine): (Vec<_>, Vec<_>) = leads.iter().partition(|(_, finding)| *finding != Finding::Ok);
    let [(lead, Finding::TooFast { needed, had })] = alarms[..] else { panic!("{leads:?}") };
    assert_eq!(lead, 0.0, "it starts anew");
    assert!(needed > had, "{leads:?}");
    assert!(fine.iter().any(|(lead, _)| *lead > 1.5), "{leads:?}");
    assert!(fine.is_sorted_by(|one, two| one.0 <= two.0 + 0.1), "{leads:?}");
}

/// Without the land, a position is judged by the distance that the fastest player can run.
#[test]
fn without_land_only_the_speed_counts() {
    // 4 m/s at a rate of 2.375 and 1.15 times that for slopes: 10.925 m/s; 3 s of latency and 2 m are granted.
    for (distance, expected) in [(30.0, "ok"), (40.0, "ok"), (60.0, "too_fast"), (200.0, "teleported")] {
        let mut checked = Checked::with(CheckSettings::default());
        let verdict = checked.press_with(|action| shift(action, Vec3::new(distance, 0.0, 0.0)));
        assert_eq!(verdict.finding.name(), expected, "{distance}: {verdict:?}");
        assert_eq!(verdict.method, Method::Reach);
        assert_eq!(verdict.allowed, 2.0);
        assert_eq!(verdict.error > 0.0, expected != "ok", "{verdict:?}");
        assert_eq!(verdict.lead > 0.0, expected == "ok", "{verdict:?}");
    }
}

/// A position above the path is as far off as one beside it, even if the player says that it stands there.
#[test]
fn a_player_cannot_stand_in_the_air() {
    for (height, is_alarm) in [(0.3, false), (0.7, false), (0.8, true), (3.0, true)] {
        let mut checked = Checked::new();
        let verdict = checked.press_with(|action| shift(action, Vec3::new(0.0, 0.0, height)));
        assert_eq!(verdict.is_alarm(), is_alarm, "{height}: {verdict:?}");
        assert!((verdict.error - height).abs() < 0.01, "{verdict:?}");
    }
}

/// Rules C22–C26: how fast and how far charged a jump can be.
#[test]
fn a_jump_has_the_speed_of_its_charge() {
    let jump = |change: fn(&mut acmotion::wire::Jump)| {
        let mut checked = Checked::new();
        let now = checked.client.now;
        checked.client.world.player_mut().begin_jump(now).unwrap();
        let mut found = checked.run(10);
        let now = checked.client.now;
        checked.client.world.player_mut().end_jump(now).unwrap();
        found.extend(checked.run_with(2, |action| {
            if let GameActionBody::Jump(message) = &mut action.action {
                change(message);
            }
        }));
        found.last().unwrap().finding
    };
    assert_eq!(jump(|_| {}), Finding::Ok);
    assert_eq!(jump(|it| it.extent = f32::NAN), Finding::ImpossibleFlags(ImpossibleFlag::Jump));
    assert_eq!(jump(|it| it.velocity.x = f32::INFINITY), Finding::ImpossibleFlags(ImpossibleFlag::Jump));
    let Finding::JumpTooHigh { extent, .. } = jump(|it| it.extent = 1.5) else { panic!("charged too far") };
    assert_eq!(extent, 1.5);
    let Finding::JumpTooHigh { speed, max, .. } = jump(|it| it.velocity.z += 1.0) else { panic!("too high") };
    assert!((speed - max - 1.0).abs() < 0.05, "{speed} of {max}");
    let Finding::JumpTooHigh { speed, .. } = jump(|it| it.velocity.x = 20.0) else { panic!("too far") };
    assert!((speed - 20.0).abs() < 0.01);
}

/// A player whose state the server has just changed may not have received it, for 4 s.
#[test]
fn after_a_change_of_state_only_speed_and_walls_count_for_a_while() {
    let mut checked = Checked::new();
    press(&mut checked.client, W);
    checked.run(40);
    let state = PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS;
    checked.server_sends(&set_state(PLAYER, state, 1));
    let methods: Vec<Method> = checked.run(220).iter().map(|verdict| verdict.method).collect();
    assert!(methods.len() >= 6, "{methods:?}");
    assert!(methods[..4].iter().all(|method| *method != Method::Predicted), "{methods:?}");
    assert_eq!(methods.last(), Some(&Method::Predicted), "{methods:?}");
}
