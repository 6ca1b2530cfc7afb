//! Stories of what a bot asks of the player, told by the events of each request: begun or parked or refused, done or
//! cancelled and why.

mod player_support;
mod world_support;

use acmotion::interp::{MovementParams, RawState};
use acmotion::player::{
    CancelReason, RequestError, RequestEvent, RequestId, RequestKind, RequestProgress, RequestStatus,
};
use acmotion::steer::Order;
use acmotion::table::MotionError;
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{
    Action, CombatMode, HoldKey, MovementBody, ObjectStamps, Pad, PlayerTeleport, TurnToParams,
};
use acmotion::world::EventKind;
use player_support::{W, action, frames, imposed, player, state, take};
use world_support::{PLAYER, Scene, at, create, of, position_with};

/// What was told of requests since the last call.
fn steps(scene: &mut Scene) -> Vec<(RequestId, RequestKind, RequestProgress)> {
    scene.events.extend(scene.world.drain_events());
    let step = |event: acmotion::world::Event| match event.kind {
        EventKind::Request(RequestEvent { id, kind, progress }) => Some((id, kind, progress)),
        _ => None,
    };
    scene.events.drain(..).filter_map(step).collect()
}

/// The same, of one request at a time.
fn progress(scene: &mut Scene) -> Vec<RequestProgress> {
    let newest = scene.world.player_mut().last_request();
    let of_newest = |(id, _, progress)| (Some(id) == newest).then_some(progress);
    steps(scene).into_iter().filter_map(of_newest).collect()
}

#[test]
fn a_walk_is_begun_and_done() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(100.5, 104.5));
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    assert!(!scene.world.player_mut().keyboard().controlled_by_server, "he goes by himself");
    let first = (RequestId(1), RequestKind::WalkTo);
    assert_eq!(steps(&mut scene), [(first.0, first.1, RequestProgress::Started)]);
    frames(&mut scene, 200);
    assert_eq!(steps(&mut scene), [(first.0, first.1, RequestProgress::Done)]);
    assert!((scene.place(PLAYER) - goal.frame.origin).length() < 1.5);
    let now = scene.now;
    scene.world.player_mut().turn_to(90.0, now).unwrap();
    frames(&mut scene, 100);
    let second = (RequestId(2), RequestKind::TurnTo);
    let told = steps(&mut scene);
    assert_eq!(
        told,
        [(second.0, second.1, RequestProgress::Started), (second.0, second.1, RequestProgress::Done)]
    );
}

/// What the server hears of a player's movement: forward, turn, and the run key.
fn told(scene: &mut Scene) -> Vec<(MotionCommand, MotionCommand, HoldKey)> {
    let of = |bytes: Vec<u8>| match action(&bytes) {
        Action::MoveToState(message) => {
            let raw = RawState::from(&message.raw);
            let speeds = [raw.forward.speed, raw.sidestep.speed, raw.turn.speed];
            assert_eq!(speeds, [1.0; 3], "as of keys");
            assert_eq!([raw.forward.hold_key, raw.turn.hold_key], [HoldKey::INVALID; 2], "recorded");
            Some((raw.forward.command, raw.turn.command, raw.current_hold_key))
        }
        Action::AutonomousPosition(_) => None,
        other => panic!("{other:?}"),
    };
    take(scene).into_iter().filter_map(of).collect()
}

const STANDS: MotionCommand = MotionCommand::READY;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;
const STRAIGHT: MotionCommand = MotionCommand::NONE;

/// The original walks by keys or because the server sent it. Whoever goes by himself tells what keys would have told, so that
/// others see him walk.
#[test]
fn others_are_told_of_a_walk() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(100.5, 96.5), now).unwrap();
    assert_eq!(told(&mut scene), [(STANDS, RIGHT, HoldKey::RUN)], "at once; he runs by default");
    frames(&mut scene, 150);
    let way = [(W, STRAIGHT, HoldKey::NONE), (STANDS, STRAIGHT, HoldKey::RUN)];
    assert_eq!(told(&mut scene), way, "near by one walks");
    frames(&mut scene, 60);
    assert!(take(&mut scene).is_empty(), "nothing at rest");

    let now = scene.now;
    scene.world.player_mut().walk_to(&at(150.5, 96.5), now).unwrap();
    frames(&mut scene, 30);
    assert_eq!(told(&mut scene).last(), Some(&(W, STRAIGHT, HoldKey::RUN)), "far off one runs");
    let now = scene.now;
    scene.world.player_mut().turn_to(0.0, now).unwrap();
    assert_eq!(told(&mut scene), [(STANDS, STRAIGHT, HoldKey::RUN)], "he stops first");
    frames(&mut scene, 120);
    assert_eq!(told(&mut scene), [(STANDS, LEFT, HoldKey::RUN), (STANDS, STRAIGHT, HoldKey::RUN)]);
}

/// Keys tell what they ask for, and nothing of the way that they end.
#[test]
fn keys_that_end_a_walk_tell_it_once() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 150.0), now).unwrap();
    frames(&mut scene, 20);
    assert_eq!(told(&mut scene).last(), Some(&(W, STRAIGHT, HoldKey::RUN)));
    let now = scene.now;
    scene.world.player_mut().press(LEFT, now).unwrap();
    assert_eq!(told(&mut scene), [(STANDS, LEFT, HoldKey::RUN)]);
    frames(&mut scene, 20);
    assert!(told(&mut scene).is_empty());
}

/// Recorded: what the server orders is not told back; nor is that it ended a way of the player's own.
#[test]
fn what_the_server_orders_is_not_told_back() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 150.0), now).unwrap();
    frames(&mut scene, 20);
    told(&mut scene);
    let params = TurnToParams { desired_heading: 90.0, ..TurnToParams::default() };
    scene.send(&imposed(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 100);
    assert!(told(&mut scene).is_empty());
    let heading = scene.world.find(PLAYER).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 0.01, "he did it: {heading}");
}

/// Keys win over orders: while they are held there is none, and one that is pressed ends it.
#[test]
fn keys_end_a_walk_and_forbid_one() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 110.0));
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    frames(&mut scene, 20);
    let now = scene.now;
    scene.world.player_mut().press(MotionCommand::TURN_LEFT, now).unwrap();
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Keys)]
    );
    assert_eq!(scene.world.player_mut().walk_to(&goal, now), Err(RequestError::KeysHeld));
    assert_eq!(progress(&mut scene), [RequestProgress::Refused(RequestError::KeysHeld)]);
    let nowhere = scene.world.player_mut().turn_to(f32::NAN, now);
    assert_eq!(nowhere, Err(RequestError::Nowhere));
    assert_eq!(progress(&mut scene), [RequestProgress::Refused(RequestError::Nowhere)]);
}

#[test]
fn a_jump_key_ends_a_walk() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 110.0), now).unwrap();
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
fn the_server_ends_a_walk() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 110.0));
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    frames(&mut scene, 20);
    let params = TurnToParams { desired_heading: 90.0, ..TurnToParams::default() };
    scene.send(&imposed(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 1);
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Server)]
    );
    frames(&mut scene, 100);
    assert!(steps(&mut scene).is_empty(), "what the server ordered is none of ours");

    let now = scene.now;
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    frames(&mut scene, 1);
    let away = CancelReason::Failed(MotionError::Teleported);
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Cancelled(away)]);
}

#[test]
fn a_newer_request_takes_the_place_of_a_walk() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 110.0), now).unwrap();
    frames(&mut scene, 20);
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 90.0), now).unwrap();
    let told = steps(&mut scene);
    let [_, (first, _, why), (second, _, begun)] = told[..] else { panic!("{told:?}") };
    assert_eq!((first, why), (RequestId(1), RequestProgress::Cancelled(CancelReason::Request)));
    assert_eq!((second, begun), (RequestId(2), RequestProgress::Started));
    frames(&mut scene, 10);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    let told = steps(&mut scene);
    assert_eq!(
        told[0],
        (RequestId(2), RequestKind::WalkTo, RequestProgress::Cancelled(CancelReason::Request))
    );
    assert_eq!(told[1], (RequestId(3), RequestKind::Emote(MotionCommand::WAVE), RequestProgress::Started));
}

/// A body that is made anew walks no more, and nobody waits for it.
#[test]
fn a_new_life_ends_what_was_asked_of_the_old() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(&at(96.5, 110.0), now).unwrap();
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
fn a_jump_is_done_on_the_ground() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    assert_eq!(progress(&mut scene), [RequestProgress::Started], "in the air");
    let now = scene.now;
    let in_the_air = RequestError::Motion(MotionError::NotGrounded);
    assert_eq!(scene.world.player_mut().jump(1.0, now), Err(in_the_air));
    let told = steps(&mut scene);
    assert_eq!(told, [(RequestId(2), RequestKind::Jump, RequestProgress::Refused(in_the_air))]);
    frames(&mut scene, 60);
    assert_eq!(steps(&mut scene), [(RequestId(1), RequestKind::Jump, RequestProgress::Done)]);
}

/// P4, and F4's refusal in a combat stance.
#[test]
fn an_emote_is_done_when_it_has_played() {
    let mut scene = player();
    let now = scene.now;
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(RequestStatus::Now));
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

/// From that high he bounces once (C12), and the emote waits for the end of that.
#[test]
fn an_emote_in_the_air_waits_for_the_ground() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(RequestStatus::Parked));
    assert_eq!(progress(&mut scene), [RequestProgress::Parked]);
    frames(&mut scene, 70);
    assert_eq!(progress(&mut scene), [RequestProgress::Started]);
    frames(&mut scene, 200);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
}

/// The body takes the stance when the server says so, and a stance is asked for when no motion is under way.
#[test]
fn a_stance_is_done_when_the_server_answers() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::MELEE), Ok(RequestStatus::Parked));
    assert_eq!(progress(&mut scene), [RequestProgress::Parked]);
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Started], "asked for");
    frames(&mut scene, 60);
    assert!(steps(&mut scene).is_empty(), "not answered");
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::READY, 1));
    frames(&mut scene, 1);
    assert!(steps(&mut scene).is_empty(), "he is about to take it");
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::MAGIC), Ok(RequestStatus::Now));
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::NON_COMBAT), Ok(RequestStatus::Now));
    let told = steps(&mut scene);
    assert_eq!(told[1].2, RequestProgress::Cancelled(CancelReason::Request), "{told:?}");
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::READY, 2));
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [RequestProgress::Done]);
}

/// Requests are answered in the order in which they were made, also those that wait.
#[test]
fn what_waits_keeps_its_order() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(RequestStatus::Parked));
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    let begun = steps(&mut scene).into_iter().filter(|(_, _, step)| *step == RequestProgress::Started);
    assert_eq!(begun.map(|(id, ..)| id).collect::<Vec<_>>(), [RequestId(1), RequestId(2)]);
}

#[test]
fn death_and_portal_space_refuse_what_waits() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&of(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    frames(&mut scene, 1);
    let refused = [RequestProgress::Parked, RequestProgress::Refused(RequestError::PortalSpace)];
    assert_eq!(progress(&mut scene), refused);
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(progress(&mut scene), [RequestProgress::Parked, RequestProgress::Refused(RequestError::Dead)]);
}

#[test]
fn death_ends_the_wait_for_a_stance() {
    let mut scene = player();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(
        progress(&mut scene),
        [RequestProgress::Started, RequestProgress::Cancelled(CancelReason::Server)]
    );
}

/// What another order comes to, which nobody asked of the player, is not told as the end of his.
#[test]
fn an_order_of_others_is_not_his() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().turn_to(1.0, now).unwrap();
    frames(&mut scene, 60);
    steps(&mut scene);
    let (now, params) = (scene.now, MovementParams::default());
    scene
        .world
        .act(PLAYER, now, |actor, _| actor.order(&Order::MoveToPosition { place: at(90.5, 50.5), params }));
    scene.world.player_mut().walk_to(&at(96.5, 110.0), now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started]);
}

/// C23, K4: a player whom the server drives only asks, and that is done at once.
#[test]
fn without_autonomy_to_ask_is_all() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    let now = scene.now;
    scene.world.player_mut().jump(0.5, now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Done]);
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    assert_eq!(progress(&mut scene), [RequestProgress::Started, RequestProgress::Done]);
    assert_eq!(scene.world.player_mut().turn_to(90.0, now), Err(RequestError::NoAutonomy));
}
