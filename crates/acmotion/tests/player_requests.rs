//! Stories of what a bot asks of the player, told by the events of each request: begun or parked or refused, done or
//! cancelled and why.

mod player_support;
mod world_support;

use acmotion::interp::MovementParams;
use acmotion::player::{Cancel, Progress, Refusal, RequestEvent, RequestId, RequestKind, Taken};
use acmotion::steer::Order;
use acmotion::table::MotionError;
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{CombatMode, MovementBody, ObjectStamps, Pad, PlayerTeleport, TurnToParams};
use acmotion::world::Happening;
use player_support::{W, frames, imposed, player, state};
use world_support::{PLAYER, Scene, at, create, of, position_with};

/// What was told of requests since the last call.
fn steps(scene: &mut Scene) -> Vec<(RequestId, RequestKind, Progress)> {
    scene.events.extend(scene.world.drain_events());
    let step = |event: acmotion::world::Event| match event.what {
        Happening::Request(RequestEvent { id, kind, progress }) => Some((id, kind, progress)),
        _ => None,
    };
    scene.events.drain(..).filter_map(step).collect()
}

/// The same, of one request at a time.
fn progress(scene: &mut Scene) -> Vec<Progress> {
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
    assert_eq!(steps(&mut scene), [(first.0, first.1, Progress::Started)]);
    frames(&mut scene, 200);
    assert_eq!(steps(&mut scene), [(first.0, first.1, Progress::Done)]);
    assert!((scene.place(PLAYER) - goal.frame.origin).length() < 1.5);
    let now = scene.now;
    scene.world.player_mut().turn_to(90.0, now).unwrap();
    frames(&mut scene, 100);
    let second = (RequestId(2), RequestKind::TurnTo);
    let told = steps(&mut scene);
    assert_eq!(told, [(second.0, second.1, Progress::Started), (second.0, second.1, Progress::Done)]);
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
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(Cancel::Keys)]);
    assert_eq!(scene.world.player_mut().walk_to(&goal, now), Err(Refusal::KeysHeld));
    assert_eq!(progress(&mut scene), [Progress::Refused(Refusal::KeysHeld)]);
    let nowhere = scene.world.player_mut().turn_to(f32::NAN, now);
    assert_eq!(nowhere, Err(Refusal::Nowhere));
    assert_eq!(progress(&mut scene), [Progress::Refused(Refusal::Nowhere)]);
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
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(Cancel::Keys)]);
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
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(Cancel::Server)]);
    frames(&mut scene, 100);
    assert!(steps(&mut scene).is_empty(), "what the server ordered is none of ours");

    let now = scene.now;
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    frames(&mut scene, 1);
    let away = Cancel::Failed(MotionError::Teleported);
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(away)]);
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
    assert_eq!((first, why), (RequestId(1), Progress::Cancelled(Cancel::Request)));
    assert_eq!((second, begun), (RequestId(2), Progress::Started));
    frames(&mut scene, 10);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    let told = steps(&mut scene);
    assert_eq!(told[0], (RequestId(2), RequestKind::WalkTo, Progress::Cancelled(Cancel::Request)));
    assert_eq!(told[1], (RequestId(3), RequestKind::Emote(MotionCommand::WAVE), Progress::Started));
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
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(Cancel::Server)]);
}

#[test]
fn a_jump_is_done_on_the_ground() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    assert_eq!(progress(&mut scene), [Progress::Started], "in the air");
    let now = scene.now;
    let in_the_air = Refusal::Motion(MotionError::NotGrounded);
    assert_eq!(scene.world.player_mut().jump(1.0, now), Err(in_the_air));
    let told = steps(&mut scene);
    assert_eq!(told, [(RequestId(2), RequestKind::Jump, Progress::Refused(in_the_air))]);
    frames(&mut scene, 60);
    assert_eq!(steps(&mut scene), [(RequestId(1), RequestKind::Jump, Progress::Done)]);
}

/// P4, and F4's refusal in a combat stance.
#[test]
fn an_emote_is_done_when_it_has_played() {
    let mut scene = player();
    let now = scene.now;
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(Taken::Now));
    frames(&mut scene, 5);
    assert_eq!(progress(&mut scene), [Progress::Started]);
    frames(&mut scene, 200);
    assert_eq!(progress(&mut scene), [Progress::Done]);
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::READY, 1));
    frames(&mut scene, 100);
    let now = scene.now;
    let in_combat = Refusal::Motion(MotionError::CannotEmoteInCombat);
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Err(in_combat));
    assert_eq!(progress(&mut scene), [Progress::Refused(in_combat)]);
}

/// From that high he bounces once (C12), and the emote waits for the end of that.
#[test]
fn an_emote_in_the_air_waits_for_the_ground() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(Taken::Parked));
    assert_eq!(progress(&mut scene), [Progress::Parked]);
    frames(&mut scene, 70);
    assert_eq!(progress(&mut scene), [Progress::Started]);
    frames(&mut scene, 200);
    assert_eq!(progress(&mut scene), [Progress::Done]);
}

/// The body takes the stance when the server says so, and a stance is asked for when no motion is under way.
#[test]
fn a_stance_is_done_when_the_server_answers() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::MELEE), Ok(Taken::Parked));
    assert_eq!(progress(&mut scene), [Progress::Parked]);
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [Progress::Started], "asked for");
    frames(&mut scene, 60);
    assert!(steps(&mut scene).is_empty(), "not answered");
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::READY, 1));
    frames(&mut scene, 1);
    assert!(steps(&mut scene).is_empty(), "he is about to take it");
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [Progress::Done]);
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::MAGIC), Ok(Taken::Now));
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::NON_COMBAT), Ok(Taken::Now));
    let told = steps(&mut scene);
    assert_eq!(told[1].2, Progress::Cancelled(Cancel::Request), "{told:?}");
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::READY, 2));
    frames(&mut scene, 60);
    assert_eq!(progress(&mut scene), [Progress::Done]);
}

/// Requests are answered in the order in which they were made, also those that wait.
#[test]
fn what_waits_keeps_its_order() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().press(W, now).unwrap();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(Taken::Parked));
    scene.world.player_mut().release(W, now).unwrap();
    frames(&mut scene, 60);
    let begun = steps(&mut scene).into_iter().filter(|(_, _, step)| *step == Progress::Started);
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
    let refused = [Progress::Parked, Progress::Refused(Refusal::PortalSpace)];
    assert_eq!(progress(&mut scene), refused);
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(progress(&mut scene), [Progress::Parked, Progress::Refused(Refusal::Dead)]);
}

#[test]
fn death_ends_the_wait_for_a_stance() {
    let mut scene = player();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 1));
    frames(&mut scene, 1);
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Cancelled(Cancel::Server)]);
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
    assert_eq!(progress(&mut scene), [Progress::Started]);
}

/// C23, K4: a player whom the server drives only asks, and that is done at once.
#[test]
fn without_autonomy_to_ask_is_all() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    let now = scene.now;
    scene.world.player_mut().jump(0.5, now).unwrap();
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Done]);
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    assert_eq!(progress(&mut scene), [Progress::Started, Progress::Done]);
    assert_eq!(scene.world.player_mut().turn_to(90.0, now), Err(Refusal::NoAutonomy));
}
