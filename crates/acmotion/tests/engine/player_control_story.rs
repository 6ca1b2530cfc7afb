//! What the local player sends, and how control changes, frame by frame (`docs/behaviour.md` K6–K9).

use crate::player_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::Identity;
use acmotion::scene::InfinitePlane;
use acmotion::types::{CellId, CellPosition, MotionCommand, Vec3};
use acmotion::wire::{GameActionBody, MovementBody, ObjectStamps};
use player_support::*;
use world_support::*;

const READY: MotionCommand = MotionCommand::READY;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;

fn names(messages: &[Vec<u8>]) -> Vec<&'static str> {
    let name = |bytes: &Vec<u8>| match action(bytes) {
        GameActionBody::MoveToState(_) => "MoveToState",
        GameActionBody::AutonomousPosition(_) => "AutonomousPosition",
        GameActionBody::Jump(_) => "Jump",
        _ => "another",
    };
    messages.iter().map(name).collect()
}

/// A `MoveToState` counts as a report for the time of the next one, though not for its position: a player that runs is
/// reported one second after its last key and not one second after its last report.
#[test]
fn k6_a_move_to_state_postpones_the_next_position() {
    let mut scene = player();
    press(&mut scene, W);
    let pressed = scene.now;
    take(&mut scene);
    while scene.now < pressed + 0.6 {
        frames(&mut scene, 1);
        assert_eq!(sent(&mut scene), Vec::<&str>::new(), "{} s after the key", scene.now - pressed);
    }
    press(&mut scene, D);
    let turned = scene.now;
    assert_eq!(scene.world.player_mut().heartbeat().last_sent_time, turned);
    take(&mut scene);
    loop {
        frames(&mut scene, 1);
        let messages = take(&mut scene);
        if scene.now <= turned + 1.0 {
            assert!(messages.is_empty(), "{} s after the second key", scene.now - turned);
        } else {
            assert_eq!(names(&messages), ["AutonomousPosition"]);
            break;
        }
    }
}

/// A player that runs off the ground is reported only once it stands again, however far it has come; then at once, since
/// a second has passed.
#[test]
fn k7_a_player_in_the_air_is_not_reported() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 60);
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    take(&mut scene);
    let mut airborne = 0;
    loop {
        frames(&mut scene, 1);
        let messages = take(&mut scene);
        if scene.world.find(PLAYER).unwrap().body().is_standing() {
            assert_eq!(names(&messages), ["AutonomousPosition"], "it has landed");
            break;
        }
        airborne += 1;
        assert!(airborne < 90, "it does not come down");
        assert!(messages.is_empty(), "frame {airborne} in the air: {:?}", names(&messages));
        if scene.now > now + 1.1 {
            assert!(scene.world.player_mut().should_send_position(scene.now), "a report is due");
        }
    }
    assert!(airborne > 40, "a jump of two seconds: {airborne}");
}

/// A slope of 60 degrees: the player has contact with it, but cannot walk on it, and slides down. It is not reported.
#[test]
fn k7_a_player_on_a_slope_that_is_too_steep_is_not_reported() {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.player = Identity::Known(PLAYER);
        let normal = Vec3::new(0.866, 0.0, 0.5);
        settings.surroundings =
            InfinitePlane::through(&at(96.5, 96.5), normal).map(|plane| Arc::new(plane) as _);
    }));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    scene.world.player_mut();
    frames(&mut scene, 3);
    take(&mut scene);
    let start = scene.origin(PLAYER);
    let mut on_the_slope = 0;
    for frame in 0..90 {
        frames(&mut scene, 1);
        let body = scene.world.find(PLAYER).unwrap().body();
        assert!(!body.is_on_walkable(), "frame {frame}");
        on_the_slope += usize::from(body.has_contact());
        assert_eq!(names(&take(&mut scene)), Vec::<&str>::new(), "frame {frame}");
    }
    assert!(on_the_slope > 5, "in contact for {on_the_slope} frames");
    assert!((scene.origin(PLAYER) - start).length() > 2.0, "it slides");
}

/// A report that is due is not sent from a position that no server can use: not finite, in no cell, or in no cell of its
/// landblock. Only the owner of the body can put it there; the world's own messages are checked (rule D6).
#[test]
fn k7_an_invalid_position_is_not_reported() {
    let far = |change: fn(&mut CellPosition)| {
        let mut scene = player();
        frames(&mut scene, 40);
        take(&mut scene);
        scene.world.act(PLAYER, scene.now, |actor, _| change(&mut actor.entity.body.position));
        let now = scene.now;
        assert!(scene.world.find(PLAYER).unwrap().body().is_standing());
        assert!(scene.world.player_mut().should_send_position(now), "a report is due");
        scene.world.player_mut().use_time(now);
        names(&take(&mut scene))
    };
    assert_eq!(far(|position| position.frame.origin.x += 1.0), ["AutonomousPosition"], "a valid one is sent");
    let none: [&str; 0] = [];
    assert_eq!(far(|position| position.frame.origin.x = f32::NAN), none);
    assert_eq!(far(|position| position.frame.origin.z = f32::INFINITY), none);
    assert_eq!(far(|position| position.cell = CellId(position.cell.0 & 0xFFFF_0000)), none);
}

/// A lost body (rule C18) still has a cell id and contact, but is in no cell. It is not reported either.
#[test]
fn k7_a_lost_player_is_not_reported() {
    let mut scene = player();
    frames(&mut scene, 40);
    take(&mut scene);
    scene.world.act(PLAYER, scene.now, |actor, _| {
        actor.entity.body.flags.remove(acmotion::internals::body::BodyFlags::IN_CELL);
        actor.entity.body.position.frame.origin.x += 1.0;
    });
    let now = scene.now;
    assert!(scene.world.player_mut().should_send_position(now), "a report is due");
    scene.world.player_mut().use_time(now);
    assert_eq!(names(&take(&mut scene)), Vec::<&str>::new());
}

/// The player holds a turn key and sits down, which no list of held commands keeps. The server makes it run. When the
/// held key takes control back, everything stops first: no held command would end the server's run.
#[test]
fn k8_taking_control_stops_what_the_server_started() {
    let mut scene = player();
    press(&mut scene, D);
    frames(&mut scene, 30);
    press(&mut scene, MotionCommand::SITTING);
    frames(&mut scene, 60);
    assert!(scene.world.player_mut().keyboard().is_transient);
    let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
    scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
    assert!(scene.world.player_mut().keyboard().controlled_by_server);
    assert_eq!(states(&scene).1.forward.command, RUN);
    let mut waited = 0;
    while scene.world.player_mut().keyboard().controlled_by_server {
        frames(&mut scene, 1);
        waited += 1;
        assert!(waited < 300, "the held key never takes control");
    }
    let (raw, interpreted) = states(&scene);
    assert_eq!(interpreted.forward.command, READY, "the run has ended");
    assert_eq!((raw.turn.command, interpreted.turn.command), (D, D), "and the held turn applies");
    frames(&mut scene, 60);
    let stopped = scene.origin(PLAYER);
    frames(&mut scene, 10);
    assert_eq!(scene.origin(PLAYER), stopped, "it turns on the spot");
}

/// At autonomy level 0 there is no control to lose: a movement of the server changes neither that nor the autorun. At level
/// 2 it takes control and ends the autorun.
#[test]
fn k8_at_autonomy_zero_no_control_is_lost() {
    let lost = |level: u32| {
        let mut scene = player();
        press(&mut scene, MotionCommand::AUTO_RUN);
        frames(&mut scene, 10);
        scene.world.player_mut().set_autonomy(level);
        assert!(!scene.world.player_mut().keyboard().controlled_by_server);
        let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
        scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
        let keyboard = scene.world.player_mut().keyboard().clone();
        (keyboard.controlled_by_server, keyboard.auto_run)
    };
    assert_eq!(lost(2), (true, false));
    assert_eq!(lost(0), (false, true));
}

/// Control that was lost is taken back by a key at autonomy level 1 and 2, but not at level 0.
#[test]
fn k8_at_autonomy_zero_no_control_is_taken() {
    let is_taken = |level: u32| {
        let mut scene = player();
        let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
        scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
        assert!(scene.world.player_mut().keyboard().controlled_by_server);
        scene.world.player_mut().set_autonomy(level);
        press(&mut scene, W);
        !scene.world.player_mut().keyboard().controlled_by_server
    };
    assert_eq!([0, 1, 2].map(is_taken), [false, true, true]);
}

/// The player runs east and jumps. The message has the velocity in the player's own axes, forward and up; the body's is
/// in those of the landblock, eastward and up.
#[test]
fn k9_a_jump_is_sent_in_the_players_own_axes() {
    let mut scene = player();
    scene.world.act(PLAYER, scene.now, |actor, _| actor.entity.body.position.frame.set_heading(90.0));
    press(&mut scene, W);
    frames(&mut scene, 60);
    press(&mut scene, MotionCommand::JUMP);
    frames(&mut scene, 15);
    take(&mut scene);
    release(&mut scene, MotionCommand::JUMP);
    let messages = take(&mut scene);
    let jump = messages.iter().find_map(|bytes| match action(bytes) {
        GameActionBody::Jump(jump) => Some(jump),
        _ => None,
    });
    let jump = jump.expect("a jump is sent");
    let body = scene.world.find(PLAYER).unwrap().body().velocity;
    let forward = 4.0 * RATE;
    assert!((jump.velocity.y - forward).abs() < 0.01 && jump.velocity.x.abs() < 0.01, "{:?}", jump.velocity);
    assert!((body.x - forward).abs() < 0.01 && body.y.abs() < 0.01, "{body:?}");
    assert!(jump.velocity.z > 5.0 && (jump.velocity.z - body.z).abs() < 1e-4, "{:?}", jump.velocity);
}
