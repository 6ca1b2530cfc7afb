//! The events of requests: queued, started, refused, done or cancelled, and why.

use crate::player_support;
use crate::world_support;

use acmotion::components::{MovementParams, Order, RawState};
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{
    CombatMode, GameActionBody, HoldKey, MovementBody, ObjectStamps, Pad, PlayerTeleport, TurnToParams,
};
use acmotion::{
    CancelReason, EventKind, MotionError, RequestError, RequestEvent, RequestId, RequestKind, RequestProgress,
};
use player_support::{W, action, frames, player, server_movement, state, take};
use world_support::{PLAYER, TestWorld, at, create, encode, position_with};

/// Removes and returns the steps of all requests since the last call.
fn steps(scene: &mut TestWorld) -> Vec<(RequestId, RequestKind, RequestProgress)> {
    scene.events.extend(scene.world.drain_events());
    let step = |event: acmotion::Event| match event.kind {
        EventKind::Request(RequestEvent { id, kind, progress }) => Some((id, kind, progress)),
        _ => None,
    };
    scene.events.drain(..).filter_map(step).collect()
}

/// Removes all steps and returns those of the newest request.
fn progress(scene: &mut TestWorld) -> Vec<RequestProgress> {
    let newest = scene.world.player_mut().last_request();
    let of_newest = |(id, _, progress)| (Some(id) == newest).then_some(progress);
    steps(scene).into_iter().filter_map(of_newest).collect()
}

#[test]
fn a_walk_is_started_and_done() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(100.5, 104.5));
    scene.world.player_mut().walk_to(goal, now).unwrap();
    assert!(!scene.world.player_mut().keyboard().controlled_by_server, "the player has control");
    let first = (RequestId(1), RequestKind::WalkTo);
    assert_eq!(steps(&mut scene), [(first.0, first.1, RequestProgress::Started)]);
    frames(&mut scene, 200);
    assert_eq!(steps(&mut scene), [(first.0, first.1, RequestProgress::Done)]);
    assert!((scene.origin(PLAYER) - goal.frame.origin).length() < 1.5);
    let now = scene.now;
    scene.world.player_mut().turn_to(90.0, now).unwrap();
    frames(&mut scene, 100);
    let second = (RequestId(2), RequestKind::TurnTo);
    assert_eq!(
        steps(&mut scene),
        [(second.0, second.1, RequestProgress::Started), (second.0, second.1, RequestProgress::Done)]
    );
}

/// Removes and returns the movements sent to the server: forward, turn, and the run key.
fn movements(scene: &mut TestWorld) -> Vec<(MotionCommand, MotionCommand, HoldKey)> {
    let of = |bytes: Vec<u8>| match action(&bytes) {
        GameActionBody::MoveToState(message) => {
            let raw = RawState::from(&message.raw);
            let speeds = [raw.forward.speed, raw.sidestep.speed, raw.turn.speed];
            assert_eq!(speeds, [1.0; 3], "as keys do");
            assert_eq!([raw.forward.hold_key, raw.turn.hold_key], [HoldKey::INVALID; 2], "recorded");
            Some((raw.forward.command, raw.turn.command, raw.current_hold_key))
        }
        GameActionBody::AutonomousPosition(_) => None,
        other => panic!("{other:?}"),
    };
    take(scene).into_iter().filter_map(of).collect()
}

const READY: MotionCommand = MotionCommand::READY;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;
const NO_TURN: MotionCommand = MotionCommand::NONE;

/// The original walks by keys or because the server ordered it. A requested walk sends what keys would have sent, so that
/// other clients show it.
#[test]
fn a_requested_walk_is_sent_as_keys_would_be() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(100.5, 96.5), now).unwrap();
    assert_eq!(
        movements(&mut scene),
        [(READY, RIGHT, HoldKey::RUN)],
        "at once, under the run key by default"
    );
    frames(&mut scene, 150);
    let expected = [(W, NO_TURN, HoldKey::NONE), (READY, NO_TURN, HoldKey::RUN)];
    assert_eq!(movements(&mut scene), expected, "the player walks to a near position");
    frames(&mut scene, 60);
    assert!(take(&mut scene).is_empty(), "nothing is sent at rest");

    let now = scene.now;
    scene.world.player_mut().walk_to(at(150.5, 96.5), now).unwrap();
    frames(&mut scene, 30);
    assert_eq!(
        movements(&mut scene).last(),
        Some(&(W, NO_TURN, HoldKey::RUN)),
        "the player runs to a far position"
    );
    let now = scene.now;
    scene.world.player_mut().turn_to(0.0, now).unwrap();
    assert_eq!(movements(&mut scene), [(READY, NO_TURN, HoldKey::RUN)], "the player stops first");
    frames(&mut scene, 120);
    assert_eq!(movements(&mut scene), [(READY, LEFT, HoldKey::RUN), (READY, NO_TURN, HoldKey::RUN)]);
}

/// The message of the key also reports the end of the walk.
#[test]
fn a_key_that_ends_a_walk_sends_one_message() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 150.0), now).unwrap();
    frames(&mut scene, 20);
    assert_eq!(movements(&mut scene).last(), Some(&(W, NO_TURN, HoldKey::RUN)));
    let now = scene.now;
    scene.world.player_mut().press(LEFT, now).unwrap();
    assert_eq!(movements(&mut scene), [(READY, LEFT, HoldKey::RUN)]);
    frames(&mut scene, 20);
    assert!(movements(&mut scene).is_empty());
}

/// Recorded: neither an order of the server nor the end of the requested walk is sent back.
#[test]
fn orders_of_the_server_are_not_sent_back() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 150.0), now).unwrap();
    frames(&mut scene, 20);
    movements(&mut scene);
    let params = TurnToParams { desired_heading: 90.0, ..TurnToParams::default() };
    scene.send(&server_movement(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 100);
    assert!(movements(&mut scene).is_empty());
    let heading = scene.world.find(PLAYER).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 0.01, "the order was followed: {heading}");
}

/// While keys are held requests are refused, and a key that is pressed cancels one.
#[test]
fn keys_cancel_a_walk_and_refuse_a_new_one() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 110.0));
    scene.world.player_mut().walk_to(goal, now).unwrap();
    frames(&mut scene, 20);
    let now = scene.now;
    scene.world.player_mut().press(MotionCommand::TURN_LEFT, now).unwrap();
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Keys)]
    );
    assert_eq!(scene.world.player_mut().walk_to(goal, now), Err(RequestError::KeysHeld));
    assert_eq!(progress(&mut scene), [RequestProgress::Refused(RequestError::KeysHeld)]);
    let invalid = scene.world.player_mut().turn_to(f32::NAN, now);
    assert_eq!(invalid, Err(RequestError::InvalidTarget));
    assert_eq!(progress(&mut scene), [RequestProgress::Refused(RequestError::InvalidTarget)]);
}

#[test]
fn the_jump_key_cancels_a_walk() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 110.0), now).unwrap();
    frames(&mut scene, 60);
    let now = scene.now;
    scene.world.player_mut().press(MotionCommand::JUMP, now).unwrap();
    scene.world.player_mut().release(MotionCommand::JUMP, now + 0.2).unwrap();
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Keys)]
    );
}

#[test]
fn the_server_cancels_a_walk() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 110.0));
    scene.world.player_mut().walk_to(goal, now).unwrap();
    frames(&mut scene, 20);
    let params = TurnToParams { desired_heading: 90.0, ..TurnToParams::default() };
    scene.send(&server_movement(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 1);
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Server)]
    );
    frames(&mut scene, 100);
    assert!(steps(&mut scene).is_empty(), "the server's order is not a request");

    let now = scene.now;
    scene.world.player_mut().walk_to(goal, now).unwrap();
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    frames(&mut scene, 1);
    let teleported = CancelReason::Failed(MotionError::Teleported);
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Cancelled(teleported)]);
}

#[test]
fn a_newer_request_replaces_a_walk() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 110.0), now).unwrap();
    frames(&mut scene, 20);
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 90.0), now).unwrap();
    let events = steps(&mut scene);
    let [_, (first, _, last), (second, _, started)] = events[..] else { panic!("{events:?}") };
    assert_eq!((first, last), (RequestId(1), RequestProgress::Cancelled(CancelReason::Request)));
    assert_eq!((second, started), (RequestId(2), RequestProgress::Started));
    frames(&mut scene, 10);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    let events = steps(&mut scene);
    assert_eq!(
        events[0],
        (RequestId(2), RequestKind::WalkTo, RequestProgress::Cancelled(CancelReason::Request))
    );
    assert_eq!(events[1], (RequestId(3), RequestKind::Emote(MotionCommand::WAVE), RequestProgress::Started));
}

/// A body that is created again does not continue the walk.
#[test]
fn a_new_body_cancels_the_requests_of_the_old_one() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 110.0), now).unwrap();
    frames(&mut scene, 5);
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(PLAYER, &at(96.5, 96.5), stamps, None));
    frames(&mut scene, 2);
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Server)]
    );
}

#[test]
fn a_jump_is_done_when_the_player_stands_again() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    assert_eq!(progress(&mut scene), [RequestProgress::Started], "the player is in the air");
    let now = scene.now;
    let not_grounded = RequestError::Motion(MotionError::NotGrounded);
    assert_eq!(scene.world.player_mut().jump(1.0, now), Err(not_grounded));
    let events = steps(&mut scene);
    assert_eq!(events, [(RequestId(2), RequestKind::Jump, RequestProgress::Refused(not_grounded))]);
    frames(&mut scene, 60);
    assert_eq!(steps(&mut scene), [(RequestId(1), RequestKind::Jump, RequestProgress::Done)]);
}

/// P4, and F4's refusal in a combat stance.
#[test]
fn an_emote_is_done_when_it_has_played() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    frames(&mut scene, 5);
    assert_eq!(progress(&mut scene), [RequestProgress::Started]);
    frames(&mut scene, 200);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::READY, 1));
    frames(&mut scene, 100);
    let now = scene.now;
    let in_combat = RequestError::Motion(MotionError::CannotEmoteInCombat);
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Err(in_combat));
    assert_eq!(progress(&mut scene), [RequestProgress::Refused(in_combat)]);
}

/// From that height the body bounces once (C12), and the emote waits for the end of the bounce.
#[test]
fn an_emote_in_the_air_waits_for_the_ground() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Queued]);
    frames(&mut scene, 70);
    assert_eq!(progress(&mut scene), [RequestProgress::Started]);
    frames(&mut scene, 200);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
}

/// The server is asked once no motion is pending, and the stance changes when it answers.
#[test]
fn a_stance_is_done_when_the_server_answers() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Queued]);
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Started], "the server was asked");
    frames(&mut scene, 60);
    assert!(steps(&mut scene).is_empty(), "the server has not answered");
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::READY, 1));
    frames(&mut scene, 1);
    assert!(steps(&mut scene).is_empty(), "the change is under way");
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
    scene.world.player_mut().set_stance(CombatMode::MAGIC).unwrap();
    scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    let events = steps(&mut scene);
    assert_eq!(events[1].2, RequestProgress::Cancelled(CancelReason::Request), "{events:?}");
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::READY, 2));
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
}

#[test]
fn queued_requests_start_in_order() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    let started = steps(&mut scene).into_iter().filter(|(_, _, step)| *step == RequestProgress::Started);
    assert_eq!(started.map(|(id, ..)| id).collect::<Vec<_>>(), [RequestId(1), RequestId(2)]);
}

#[test]
fn death_and_portal_space_refuse_queued_requests() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    frames(&mut scene, 1);
    let refused = [RequestProgress::Queued, RequestProgress::Refused(RequestError::PortalSpace)];
    assert_eq!(progress(&mut scene), refused);
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(progress(&mut scene), [RequestProgress::Queued, RequestProgress::Refused(RequestError::Dead)]);
}

#[test]
fn death_cancels_a_requested_stance() {
    let mut scene = player();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Server)]
    );
}

/// A request that replaces an order from elsewhere is not cancelled by the end of that order.
#[test]
fn the_end_of_another_order_is_not_reported_for_a_request() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().turn_to(1.0, now).unwrap();
    frames(&mut scene, 60);
    steps(&mut scene);
    let (now, params) = (scene.now, MovementParams::default());
    scene.world.act(PLAYER, now, |actor, _| {
        actor.order(&Order::MoveToPosition { position: at(90.5, 50.5), params })
    });
    scene.world.player_mut().walk_to(at(96.5, 110.0), now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started]);
}

/// C23, K4.
#[test]
fn at_autonomy_zero_a_request_is_done_once_sent() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    let now = scene.now;
    scene.world.player_mut().jump(0.5, now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Done]);
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Done]);
    assert_eq!(scene.world.player_mut().turn_to(90.0, now), Err(RequestError::NoAutonomy));
}
