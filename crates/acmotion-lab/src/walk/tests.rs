//! A walk that continues from an earlier tick, and what it keeps for that.

use std::sync::Arc;

use acmotion::dat::Assets;

use super::checkpoints::{CheckpointLimits, Checkpoints, MIN_INTERVAL};
use super::*;
use crate::protocol::{CreatureOrder, Height, HexId, NetworkChange};
use crate::record::Presentation;

/// The last tick of the walks.
const END: u32 = 200;
const BEAST: HexId = HexId(0x8000_0001);
const DOOR: HexId = HexId(0x8000_0002);
const SWORD: HexId = HexId(0x6000_0001);

fn walk() -> Walk {
    let town = Town::built_in(&Assets::mannequin()).unwrap();
    Walk::new(Arc::new(town)).unwrap()
}

fn key(key: Key, down: bool) -> Command {
    Command::Key { key, down }
}

/// Returns what is done after a tick. The keys that are held at the end are held from tick 20 on, but for a while.
fn commands_after(tick: u32) -> Vec<Command> {
    let network = |loss| Command::Network(NetworkChange { loss: Some(loss), ..NetworkChange::default() });
    match tick {
        5 => vec![network(0.3), Command::Creature { guid: BEAST, order: CreatureOrder::Chase, target: None }],
        20 => vec![key(Key::Forward, true), key(Key::TurnRight, true)],
        50 => vec![Command::Door { guid: DOOR }, Command::MouseLook { on: true }],
        51 => vec![Command::MouseTurn { movement: 0.4 }],
        70 => vec![Command::MouseLook { on: false }, key(Key::Jump, true)],
        90 => vec![key(Key::Jump, false)],
        110 => vec![Command::Creature { guid: BEAST, order: CreatureOrder::Stick, target: None }],
        125 => vec![key(Key::Forward, false), Command::Stance { stance: Stance::Melee }],
        145 => vec![Command::Attack { target: Some(BEAST), height: Height::High, power: 0.5 }],
        160 => vec![Command::Door { guid: DOOR }, key(Key::Forward, true), Command::Home],
        180 => vec![Command::Drop { guid: SWORD }],
        _ => Vec::new(),
    }
}

/// Advances to the last tick.
fn finish(walk: &mut Walk) {
    while walk.now.tick() < END {
        for command in commands_after(walk.now.tick()) {
            walk.execute(&command).unwrap();
        }
        walk.advance();
    }
}

/// Returns everything that is recorded of the ticks so far, each as text.
fn recorded(walk: &Walk) -> Vec<String> {
    let timeline = read(&walk.timeline);
    let content = |tick: &crate::record::Tick| {
        let messages: Vec<_> = timeline.messages_of(tick).collect();
        let frame = tick.frame(Presentation::default(), &[]);
        format!("{:?} {frame:?} {:?} {:?} {messages:?}", tick.t, tick.events, tick.explanations)
    };
    timeline.after(0).map(|tick| content(tick)).collect()
}

/// The ticks between a checkpoint and the chosen one, and all that follow, are the same to the bit: positions, poses,
/// events, explanations and messages.
#[test]
fn continuing_with_the_same_commands_gives_the_same_ticks() {
    let mut walk = walk();
    finish(&mut walk);
    let first = recorded(&walk);
    assert_eq!(first.len(), END as usize);
    for tick in [170, 122, 121, 120, 45, 31, 2, 1] {
        if tick < 5 {
            // Keys and network are those of the present: none were held then, and nothing was lost.
            walk.execute(&Command::ReleaseAll).unwrap();
            walk.execute(&Command::Network(NetworkChange { loss: Some(0.0), ..NetworkChange::default() }))
                .unwrap();
        }
        walk.continue_from(tick).unwrap();
        assert_eq!(read(&walk.timeline).last().unwrap().number, tick);
        assert!(recorded(&walk) == first[..tick as usize], "what led to tick {tick} differs");
        finish(&mut walk);
        let again = recorded(&walk);
        let different = first.iter().zip(&again).position(|(one, other)| one != other);
        assert_eq!((different, again.len()), (None, first.len()), "after tick {tick}");
    }
}

/// What the observer sees with comfort is nearer to the truth than what it simulates, and has a view of its own.
#[test]
fn comfort_is_recorded_beside_what_the_observer_simulates() {
    let mut walk = walk();
    walk.execute(&Command::Network(NetworkChange { latency_ms: Some(300.0), ..NetworkChange::default() }))
        .unwrap();
    (0..150).for_each(|_| walk.advance());
    walk.execute(&key(Key::Backward, true)).unwrap();
    (0..90).for_each(|_| walk.advance());
    let last = walk.now.tick();
    let guid = walk.player();
    let timeline = read(&walk.timeline);
    let mean_error = |view| {
        let errors = (last - 45..last).map(|number| {
            timeline.at_number(number).unwrap().body(BodyKey { guid, view }).expect("it is shown").error
        });
        errors.sum::<f32>() / 45.0
    };
    let [seen, comfort] = [OBSERVED, COMFORT].map(mean_error);
    assert!(seen > 0.4 && comfort < 0.6 * seen, "{seen} m off, with comfort {comfort} m");
    assert!(timeline.knows(BodyKey { guid, view: COMFORT }), "it is listed");
    assert!(Walk::views().iter().any(|view| view.view == COMFORT && view.name == "comfort"));
}

#[test]
fn other_commands_after_the_chosen_tick_give_another_walk() {
    let mut walk = walk();
    finish(&mut walk);
    let first = recorded(&walk);
    walk.continue_from(100).unwrap();
    walk.execute(&Command::Autorun).unwrap();
    finish(&mut walk);
    let again = recorded(&walk);
    assert!(first[..100] == again[..100] && first[110..] != again[110..]);
}

/// The player ran at the chosen tick, but the user has released the key since, and has changed the network.
#[test]
fn continuing_uses_the_keys_and_the_network_of_the_present() {
    let mut walk = walk();
    walk.execute(&key(Key::Forward, true)).unwrap();
    (0..60).for_each(|_| walk.advance());
    walk.execute(&key(Key::Forward, false)).unwrap();
    walk.execute(&Command::Network(NetworkChange { latency_ms: Some(700.0), ..NetworkChange::default() }))
        .unwrap();
    (0..30).for_each(|_| walk.advance());
    walk.continue_from(40).unwrap();
    let state = walk.state();
    assert_eq!(state.network.latency_ms, 700.0);
    assert_eq!(state.player.unwrap().keys, []);
    (0..60).for_each(|_| walk.advance());
    let player = BodyKey { guid: walk.player(), view: 0 };
    let speed = |number| read(&walk.timeline).at_number(number).unwrap().body(player).unwrap().speed;
    assert!(speed(40) > 3.0 && speed(100) < 0.01, "{} and {} m/s", speed(40), speed(100));
}

#[test]
fn checkpoints_reach_back_as_far_as_the_ticks_and_no_farther() {
    let mut walk = walk();
    for _ in 0..300 {
        walk.advance();
    }
    assert_eq!(walk.checkpoints.ticks(), (0..11).map(|n| 1 + n * MIN_INTERVAL as u32).collect::<Vec<_>>());
    walk.checkpoints.update(&walk.now, 0, 100);
    assert_eq!(walk.checkpoints.ticks()[0], 91, "the last one before the first tick that is kept");
    assert!(walk.continue_from(90).unwrap_err().contains("too long ago"));
    assert_eq!(walk.now.tick(), 301, "a refusal changes nothing");
}

#[test]
fn many_bodies_make_checkpoints_rarer_and_their_total_is_limited() {
    let mut walk = walk();
    let bodies = walk.now.body_count();
    walk.checkpoints = Checkpoints::new(CheckpointLimits { bodies: 4 * bodies, reach: 200, commands: 10 });
    for _ in 0..400 {
        walk.advance();
        assert!(walk.checkpoints.body_count() <= 4 * bodies);
    }
    let ticks = walk.checkpoints.ticks();
    assert!(ticks.len() >= 3 && ticks.windows(2).all(|two| two[1] - two[0] == 50), "{ticks:?}");
}

/// Hostile 17: what a session keeps is limited, whatever the page sends.
#[test]
fn hostile_17_commands_that_are_kept_are_limited() {
    let mut walk = walk();
    let turn = Command::MouseTurn { movement: 0.1 };
    for _ in 0..MAX_COMMANDS_PER_TICK {
        walk.execute(&turn).unwrap();
    }
    assert!(walk.execute(&turn).unwrap_err().contains("commands since the last tick"));
    walk.execute(&Command::ReleaseAll).unwrap();
    walk.advance();
    walk.execute(&turn).unwrap();
    walk.checkpoints = Checkpoints::new(CheckpointLimits { commands: 50, ..CheckpointLimits::default() });
    for _ in 0..200 {
        walk.advance();
        walk.execute(&turn).unwrap();
        assert!(walk.checkpoints.command_count() <= 50);
    }
    walk.continue_from(walk.now.tick() - 5).unwrap();
    let long = Command::Emote { motion: format!("0x{}13000087", "0".repeat(100)) };
    assert!(walk.execute(&long).unwrap_err().contains("64 is the maximum"));
}

/// Explanations are long; a tick with many bodies has few.
#[test]
fn in_a_crowd_only_the_player_and_the_selected_body_are_explained() {
    let explained = |walk: &Walk| {
        let timeline = read(&walk.timeline);
        let tick = timeline.last().unwrap();
        (tick.bodies.len(), tick.explanations.len())
    };
    let mut walk = walk();
    (0..5).for_each(|_| walk.advance());
    let (bodies, explanations) = explained(&walk);
    assert!(bodies <= 48 && explanations == bodies, "{explanations} of {bodies}");
    walk.execute(&Command::Crowd { count: 60 }).unwrap();
    (0..30).for_each(|_| walk.advance());
    let (bodies, explanations) = explained(&walk);
    assert!(bodies > 48 && explanations <= 3, "{explanations} of {bodies}");
}

/// The limit on bodies is a limit on memory.
#[test]
fn a_body_in_a_checkpoint_takes_less_than_4_kb() {
    let mut walk = walk();
    walk.execute(&Command::Crowd { count: 60 }).unwrap();
    (0..90).for_each(|_| walk.advance());
    let mut kept = None;
    let info = allocation_counter::measure(|| kept = Some(walk.now.clone()));
    let bytes = info.bytes_current as usize / walk.now.body_count();
    assert!(bytes < 4000, "{bytes} bytes");
}
