//! Requests of the local player in unusual situations: attacks that overlap, answers that come late, requests that wait,
//! and a clock that is set back.

use crate::player_support;
use crate::world_support;

use acmotion::components::{MovementParams, Order};
use acmotion::types::{ActionStamp, Guid, MotionCommand, Stamp};
use acmotion::wire::{
    ActionItem, Actions, AttackHeight, CombatMode, GameActionBody, GameEventBody, InterpretedState,
    InventoryPutObjInContainer, MoveToParams, MovementBody, ObjectStamps, Origin, PositionPack,
};
use acmotion::{
    CancelReason, Event, EventKind, FollowGoal, MotionError, RequestError, RequestEvent, RequestId,
    RequestProgress, Unreachable,
};
use player_support::*;
use world_support::*;

const TARGET: Guid = Guid(0x8000_0001);
const OTHER: Guid = Guid(0x8000_0002);
const MEDIUM: AttackHeight = AttackHeight::MEDIUM;
const HAND: MotionCommand = MotionCommand::HAND_COMBAT;
const PEACE: MotionCommand = MotionCommand::NON_COMBAT;
const CALLER: RequestProgress = RequestProgress::Cancelled(CancelReason::Caller);
const REPLACED: RequestProgress = RequestProgress::Cancelled(CancelReason::Request);
const UNANSWERED: RequestProgress = RequestProgress::Cancelled(CancelReason::Unanswered);

/// Removes and returns the steps of all requests since the last call.
fn steps(scene: &mut TestWorld) -> Vec<(RequestId, RequestProgress)> {
    scene.events.extend(scene.world.drain_events());
    let step = |event: Event| match event.kind {
        EventKind::Request(RequestEvent { id, progress, .. }) => Some((id, progress)),
        _ => None,
    };
    scene.events.drain(..).filter_map(step).collect()
}

/// Removes the steps of all requests and returns those of one.
fn steps_of(scene: &mut TestWorld, id: RequestId) -> Vec<RequestProgress> {
    steps(scene).into_iter().filter(|(of, _)| *of == id).map(|(_, progress)| progress).collect()
}

/// A player in a combat stance and in control of itself.
fn fighter(style: MotionCommand) -> TestWorld {
    let mut scene = player();
    take_stance(&mut scene, style);
    steps(&mut scene);
    scene
}

fn attack(scene: &mut TestWorld, target: Guid) -> RequestId {
    let now = scene.now;
    scene.world.player_mut().attack(target, MEDIUM, 0.5, now).unwrap()
}

fn hold_attack_key(scene: &mut TestWorld, target: Guid) -> RequestId {
    let now = scene.now;
    scene.world.player_mut().begin_attack(target, MEDIUM, now).unwrap()
}

fn use_object(scene: &mut TestWorld, object: Guid) -> RequestId {
    let now = scene.now;
    scene.world.player_mut().use_object(object, now).unwrap()
}

fn walk(scene: &mut TestWorld, x: f32, y: f32) -> RequestId {
    let now = scene.now;
    scene.world.player_mut().walk_to(at(x, y), now).unwrap()
}

fn cancel(scene: &mut TestWorld, id: RequestId) -> Result<(), RequestError> {
    let now = scene.now;
    scene.world.player_mut().cancel(id, now)
}

/// A server's order to go to a position, at a walk.
fn walk_of_the_server(x: f32, y: f32, style: MotionCommand, stamp: u16) -> Vec<u8> {
    let goal = at(x, y);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let mut params = MoveToParams::default();
    params.flags.remove(acmotion::wire::MoveFlags::CAN_RUN);
    server_movement(MovementBody::MoveToPosition { origin, params, run_rate: 1.0 }, style, stamp)
}

/// An action that the server makes the player play.
fn server_action(command: MotionCommand, style: MotionCommand, stamp: u16) -> Vec<u8> {
    let items = [ActionItem { command, stamp: ActionStamp::new(stamp), autonomous: false, speed: 1.0 }];
    let state = InterpretedState {
        current_style: Some(style),
        actions: Actions::new(&items),
        ..InterpretedState::default()
    };
    server_movement(MovementBody::Interpreted { state, sticky: None }, style, stamp)
}

fn moves(scene: &TestWorld) -> bool {
    scene.entity(PLAYER).is_moving_to()
}

#[test]
fn an_attack_needs_a_target_and_a_finite_power() {
    let mut scene = fighter(HAND);
    let now = scene.now;
    let mut player = scene.world.player_mut();
    assert_eq!(player.attack(Guid::NONE, MEDIUM, 0.5, now), Err(RequestError::InvalidTarget));
    assert_eq!(player.attack(TARGET, MEDIUM, f32::NAN, now), Err(RequestError::InvalidTarget));
    assert_eq!(player.attack(TARGET, MEDIUM, f32::INFINITY, now), Err(RequestError::InvalidTarget));
    assert_eq!(player.begin_attack(Guid::NONE, MEDIUM, now), Err(RequestError::InvalidTarget));
    assert_eq!(player.attack_power(now), None, "no key is held");
    let refused = RequestProgress::Refused(RequestError::InvalidTarget);
    let expected: Vec<_> = (1..=4).map(|id| (RequestId(id), refused)).collect();
    assert_eq!(steps(&mut scene), expected);
    assert!(sent(&mut scene).is_empty());
}

/// The power of a request is limited to that of a full bar.
#[test]
fn the_power_of_an_attack_is_at_most_that_of_a_full_bar() {
    let mut scene = fighter(HAND);
    let now = scene.now;
    scene.world.player_mut().attack(TARGET, MEDIUM, 7.0, now).unwrap();
    let messages = take(&mut scene);
    let GameActionBody::TargetedMeleeAttack(message) = action(messages.last().unwrap()) else {
        panic!("no attack")
    };
    assert_eq!(message.power, 1.0);
}

/// The key of another attack, and the request of one, end what the key that is held was to begin.
#[test]
fn a_newer_attack_ends_that_of_a_held_key() {
    let mut scene = fighter(HAND);
    let first = hold_attack_key(&mut scene, TARGET);
    let second = hold_attack_key(&mut scene, TARGET);
    let expected = [(first, RequestProgress::Queued), (first, REPLACED), (second, RequestProgress::Queued)];
    assert_eq!(steps(&mut scene), expected);
    let third = attack(&mut scene, TARGET);
    assert_eq!(steps(&mut scene), [(second, REPLACED), (third, RequestProgress::Started)]);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().end_attack(now), Err(RequestError::NotAttacking));
}

/// Nothing has been asked of the server yet, so nothing is taken back.
#[test]
fn a_held_attack_key_is_cancelled_without_a_message() {
    let mut scene = fighter(HAND);
    let held = hold_attack_key(&mut scene, TARGET);
    take(&mut scene);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().cancel_attack(now), Ok(held));
    assert_eq!(steps(&mut scene), [(held, RequestProgress::Queued), (held, REPLACED)]);
    assert!(sent(&mut scene).is_empty());
    assert_eq!(scene.world.player_mut().end_attack(now), Err(RequestError::NotAttacking));
}

/// The attack of a key is sent once, whatever follows.
#[test]
fn the_attack_of_a_released_key_is_sent_once() {
    let mut scene = fighter(HAND);
    let held = hold_attack_key(&mut scene, TARGET);
    frames(&mut scene, 6);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().end_attack(now), Ok(held));
    frames(&mut scene, 20);
    let attacks = sent(&mut scene).into_iter().filter(|name| *name == "TargetedMeleeAttack").count();
    assert_eq!(attacks, 1);
    assert_eq!(steps_of(&mut scene, held), [RequestProgress::Queued, RequestProgress::Started]);
}

/// A key for another target cancels the attack under way, twice as recorded, and no swing of it is repeated.
#[test]
fn a_key_for_another_target_ends_the_attack_under_way() {
    let mut scene = fighter(HAND);
    let first = attack(&mut scene, TARGET);
    take(&mut scene);
    let held = hold_attack_key(&mut scene, OTHER);
    assert_eq!(sent(&mut scene), ["CancelAttack", "CancelAttack", "MoveToState"]);
    let expected = [(first, RequestProgress::Started), (first, REPLACED), (held, RequestProgress::Queued)];
    assert_eq!(steps(&mut scene), expected);
    attack_done(&mut scene, 0);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().cancel_attack(now), Ok(held));
    assert!(sent(&mut scene).is_empty(), "there is no attack left that the server could repeat");
}

/// An attack that is over is not cancelled for the sake of the next target.
#[test]
fn another_target_after_the_attack_cancels_nothing() {
    let mut scene = fighter(HAND);
    let first = attack(&mut scene, TARGET);
    attack_done(&mut scene, 0);
    frames(&mut scene, 60);
    assert_eq!(steps_of(&mut scene, first).last(), Some(&RequestProgress::Done));
    take(&mut scene);
    attack(&mut scene, OTHER);
    assert_eq!(sent(&mut scene), ["MoveToState", "TargetedMeleeAttack"]);
}

/// After 1.5 s without a repetition the attack is over for the keys as well.
#[test]
fn a_key_after_the_last_swing_cancels_nothing() {
    let mut scene = fighter(HAND);
    attack(&mut scene, TARGET);
    attack_done(&mut scene, 0);
    frames(&mut scene, 60);
    take(&mut scene);
    press(&mut scene, D);
    assert_eq!(sent(&mut scene), ["MoveToState"]);
}

/// The server starts the next swing by itself; a stance waits for the end of that swing too.
#[test]
fn a_stance_waits_for_a_repeated_swing() {
    let mut scene = fighter(HAND);
    attack(&mut scene, TARGET);
    frames(&mut scene, 30);
    attack_done(&mut scene, 0);
    commence(&mut scene);
    take(&mut scene);
    scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    frames(&mut scene, 10);
    assert!(sent(&mut scene).is_empty());
    attack_done(&mut scene, 0);
    frames(&mut scene, 1);
    assert_eq!(sent(&mut scene), ["ChangeCombatMode"]);
}

/// The answers about an attack concern the attack, not an older request.
#[test]
fn the_answers_about_an_attack_are_for_the_attack() {
    let mut scene = fighter(HAND);
    let used = use_object(&mut scene, OTHER);
    let hit = attack(&mut scene, TARGET);
    attack_done(&mut scene, 0);
    commence(&mut scene);
    use_done(&mut scene, 0);
    let expected = [
        (used, RequestProgress::Started),
        (hit, RequestProgress::Started),
        (hit, RequestProgress::SwingDone),
        (hit, RequestProgress::Repeated),
        (used, RequestProgress::Done),
    ];
    assert_eq!(steps(&mut scene), expected);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().cancel_attack(now), Ok(hit));
    attack_done(&mut scene, 0);
    assert_eq!(steps(&mut scene), [(hit, REPLACED)]);
}

/// A motion that the server imposes counts for the oldest request that waits for an answer, and Ready for none.
#[test]
fn a_motion_of_the_server_counts_for_the_oldest_request() {
    let mut scene = player();
    let first = use_object(&mut scene, OTHER);
    let second = use_object(&mut scene, TARGET);
    steps(&mut scene);
    scene.send(&state(PEACE, MotionCommand::READY, 1));
    assert!(steps(&mut scene).is_empty());
    let gesture = MotionCommand(0x4000_0033);
    scene.send(&state(PEACE, gesture, 2));
    assert_eq!(steps(&mut scene), [(first, RequestProgress::Acting(gesture))]);
    use_done(&mut scene, 0);
    scene.send(&state(PEACE, gesture, 3));
    let expected = [(first, RequestProgress::Done), (second, RequestProgress::Acting(gesture))];
    assert_eq!(steps(&mut scene), expected);
}

/// Each of two requests is cancelled by its own number.
#[test]
fn one_of_two_uses_is_cancelled() {
    let mut scene = player();
    let first = use_object(&mut scene, TARGET);
    let second = use_object(&mut scene, OTHER);
    steps(&mut scene);
    assert_eq!(cancel(&mut scene, first), Ok(()));
    assert_eq!(cancel(&mut scene, second), Ok(()));
    use_done(&mut scene, 7);
    use_done(&mut scene, 7);
    assert_eq!(steps(&mut scene), [(first, CALLER), (second, CALLER)]);
    let first = use_object(&mut scene, TARGET);
    let second = use_object(&mut scene, OTHER);
    assert_eq!(cancel(&mut scene, second), Ok(()));
    steps(&mut scene);
    use_done(&mut scene, 7);
    use_done(&mut scene, 7);
    let error = RequestProgress::Cancelled(CancelReason::ServerError(7));
    assert_eq!(steps(&mut scene), [(first, error), (second, CALLER)]);
}

/// A use that is cancelled stops only a walk of the server. The player's own walk goes on, and control stays where it is.
#[test]
fn a_cancelled_use_does_not_stop_the_players_own_walk() {
    let mut scene = player();
    let walked = walk(&mut scene, 96.5, 130.0);
    frames(&mut scene, 20);
    let used = use_object(&mut scene, TARGET);
    take(&mut scene);
    assert_eq!(cancel(&mut scene, used), Ok(()));
    assert!(sent(&mut scene).is_empty() && moves(&scene));
    frames(&mut scene, 200);
    assert_eq!(steps_of(&mut scene, walked).last(), Some(&RequestProgress::Done));

    let mut scene = player();
    let used = use_object(&mut scene, TARGET);
    take(&mut scene);
    assert!(scene.world.player_mut().keyboard().controlled_by_server);
    assert_eq!(cancel(&mut scene, used), Ok(()));
    assert!(sent(&mut scene).is_empty(), "the server does not walk the player");
    assert!(scene.world.player_mut().keyboard().controlled_by_server);
}

/// What the body has done by then counts, although no client frame has looked at it yet.
#[test]
fn a_walk_that_has_arrived_cannot_be_cancelled() {
    let arrived = || {
        let mut scene = player();
        let id = walk(&mut scene, 96.5, 100.5);
        for _ in 0..300 {
            if !moves(&scene) {
                break;
            }
            scene.tick();
        }
        assert!(!moves(&scene));
        assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started]);
        (scene, id)
    };
    let (mut scene, id) = arrived();
    assert_eq!(cancel(&mut scene, id), Err(RequestError::NotUnderWay));
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Done)]);
    let (mut scene, id) = arrived();
    let now = scene.now;
    assert_eq!(scene.world.player_mut().cancel_all(now), 0);
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Done)]);
}

/// The server ended the walk before the key was pressed.
#[test]
fn a_key_after_the_end_of_a_walk_is_not_its_reason() {
    let mut scene = player();
    let id = walk(&mut scene, 96.5, 130.0);
    frames(&mut scene, 20);
    steps(&mut scene);
    scene.send(&state(PEACE, MotionCommand::READY, 1));
    press(&mut scene, D);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Cancelled(CancelReason::Server)]);
}

/// A request for which the server walks the player is not given up while the player is on its way, however long that takes.
#[test]
fn the_answer_is_awaited_while_the_server_walks_the_player() {
    for is_stance in [false, true] {
        let mut scene = player();
        let id = match is_stance {
            true => scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap(),
            false => use_object(&mut scene, TARGET),
        };
        scene.send(&walk_of_the_server(96.5, 150.0, PEACE, 1));
        frames(&mut scene, 400);
        assert!(moves(&scene), "13 s of a way of 53 m");
        assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started]);
        while moves(&scene) {
            frames(&mut scene, 1);
        }
        frames(&mut scene, 290);
        assert!(steps(&mut scene).is_empty(), "ten seconds after the walk");
        frames(&mut scene, 60);
        assert_eq!(steps(&mut scene), [(id, UNANSWERED)]);
    }
}

/// The start of the next swing is a sign of the server, and the wait for an answer begins anew.
#[test]
fn a_repeated_swing_prolongs_the_wait() {
    let mut scene = fighter(HAND);
    let id = attack(&mut scene, TARGET);
    frames(&mut scene, 280);
    commence(&mut scene);
    steps(&mut scene);
    frames(&mut scene, 290);
    assert!(steps(&mut scene).is_empty(), "9.7 s after the sign");
    frames(&mut scene, 20);
    assert_eq!(steps(&mut scene), [(id, UNANSWERED)]);
}

/// The move of an item is answered by its own item.
#[test]
fn the_answer_for_another_item_is_not_awaited() {
    let mut scene = player();
    let now = scene.now;
    let id = scene.world.player_mut().pick_up(TARGET, PLAYER, 0, now).unwrap();
    let put = InventoryPutObjInContainer { item: OTHER, container: PLAYER, slot: 0, kind: 0 };
    event(&mut scene, GameEventBody::InventoryPutObjInContainer(put));
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Started)]);
    let put = InventoryPutObjInContainer { item: TARGET, ..put };
    event(&mut scene, GameEventBody::InventoryPutObjInContainer(put));
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Done)]);
}

/// A stance that the player has already is done at once; one that it does not have needs the server's answer.
#[test]
fn a_stance_is_done_only_when_the_player_has_it() {
    let mut scene = player();
    let id = scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    frames(&mut scene, 1);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started, RequestProgress::Done]);
    let mut scene = fighter(HAND);
    let id = scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    frames(&mut scene, 30);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started], "no answer yet");
    scene.send(&stance(PEACE, 5));
    frames(&mut scene, 60);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Done]);
}

/// Sixteen requests may wait for the body.
#[test]
fn the_number_of_requests_that_wait_is_limited() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    for _ in 0..16 {
        assert!(scene.world.player_mut().emote(MotionCommand::WAVE, now).is_ok());
    }
    let refused = scene.world.player_mut().emote(MotionCommand::WAVE, now);
    assert_eq!(refused, Err(RequestError::TooManyQueued));
    assert_eq!(
        steps(&mut scene).last(),
        Some(&(RequestId(18), RequestProgress::Refused(RequestError::TooManyQueued)))
    );
}

/// Under the server's control the player is not stopped for an attack, which therefore waits until the player is idle:
/// until it has arrived where the server sends it, and until what it plays has ended.
#[test]
fn an_attack_under_the_servers_control_waits_until_the_player_is_idle() {
    let mut scene = fighter(HAND);
    scene.send(&walk_of_the_server(96.5, 106.5, HAND, 5));
    frames(&mut scene, 60);
    assert!(moves(&scene) && !scene.entity(PLAYER).interp.has_pending(), "it only walks");
    take(&mut scene);
    let id = attack(&mut scene, TARGET);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Queued]);
    while moves(&scene) {
        frames(&mut scene, 1);
        assert!(!moves(&scene) || !sent(&mut scene).contains(&"TargetedMeleeAttack"));
    }
    frames(&mut scene, 60);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started]);

    let mut scene = fighter(HAND);
    scene.send(&server_action(MotionCommand::ATTACK_MED_1, HAND, 5));
    let plays = |scene: &TestWorld| scene.entity(PLAYER).interp.has_pending();
    assert!(plays(&scene) && !moves(&scene), "it only plays an action");
    let id = attack(&mut scene, TARGET);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Queued]);
    while plays(&scene) {
        frames(&mut scene, 1);
    }
    frames(&mut scene, 1);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started]);
    // While a swing is under way the next attack does not wait.
    scene.send(&server_action(MotionCommand::ATTACK_MED_1, HAND, 6));
    assert!(plays(&scene));
    let next = attack(&mut scene, TARGET);
    assert_eq!(steps_of(&mut scene, next), [RequestProgress::Started]);
}

/// A teleport in the air ends the jump: the player stands elsewhere.
#[test]
fn a_teleport_cancels_a_jump() {
    let mut scene = player();
    let now = scene.now;
    let used = use_object(&mut scene, TARGET);
    let id = scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 5);
    steps(&mut scene);
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    let now = scene.now;
    scene.world.player_mut().use_time(now);
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Cancelled(CancelReason::Server))]);
    assert_eq!(cancel(&mut scene, used), Ok(()), "the use is still under way");
}

/// A body that is created again does not play on what the old one played.
#[test]
fn a_new_body_cancels_the_emote_of_the_old_one() {
    let mut scene = player();
    let now = scene.now;
    let id = scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    frames(&mut scene, 5);
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(PLAYER, &at(96.5, 96.5), stamps, None));
    frames(&mut scene, 30);
    let failed = CancelReason::Failed(MotionError::ActionCancelled);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started, RequestProgress::Cancelled(failed)]);
}

/// Between two client frames only so many events of the body are kept for its requests. An emote whose end is lost among
/// them ends all the same, because the body plays nothing any more.
#[test]
fn an_emote_ends_although_its_event_was_lost() {
    let mut scene = player();
    let now = scene.now;
    let id = scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    steps(&mut scene);
    for stamp in 1..=300 {
        let x = 96.5 + f32::from(stamp % 2);
        let force = |pack: &mut PositionPack| pack.force_position = Stamp(stamp);
        scene.send(&position_with(PLAYER, &at(x, 96.5), stamp, force));
    }
    scene.ticks(200);
    assert!(!scene.entity(PLAYER).interp.has_pending(), "it has waved");
    assert!(steps(&mut scene).is_empty());
    let now = scene.now;
    scene.world.player_mut().use_time(now);
    assert_eq!(steps(&mut scene), [(id, RequestProgress::Cancelled(CancelReason::Server))]);
}

/// An order from elsewhere is no request: the server is sent nothing about it, although the player has control.
#[test]
fn an_order_that_no_request_gave_is_not_sent() {
    let mut scene = fighter(HAND);
    assert!(!scene.world.player_mut().keyboard().controlled_by_server);
    let (now, params) = (scene.now, MovementParams::default());
    scene.world.act(PLAYER, now, |actor, _| {
        actor.order(&Order::MoveToPosition { position: at(96.5, 120.5), params })
    });
    frames(&mut scene, 60);
    assert!(moves(&scene));
    assert!(sent(&mut scene).iter().all(|name| *name == "AutonomousPosition"));
}

/// A player, and a creature 20 m to the east of it.
fn with_creature() -> TestWorld {
    let mut scene = player();
    scene.send(&create(REMOTE, &at(116.5, 96.5), Default::default(), None));
    frames(&mut scene, 30);
    steps(&mut scene);
    take(&mut scene);
    scene
}

/// The time is up while the player is on its way: it stops there.
#[test]
fn a_follower_whose_time_is_up_stops_on_its_way() {
    let mut scene = with_creature();
    let now = scene.now;
    let goal = FollowGoal::from(2.0).timeout(1.5);
    let id = scene.world.player_mut().follow(REMOTE, goal, now).unwrap();
    frames(&mut scene, 50);
    let timed_out = RequestProgress::Cancelled(CancelReason::Unreachable(Unreachable::TimedOut));
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started, timed_out]);
    assert!(!moves(&scene));
    frames(&mut scene, 30);
    let before = scene.origin(PLAYER);
    frames(&mut scene, 30);
    assert_eq!(scene.origin(PLAYER), before);
    assert!(before.x < 110.0, "{before:?}");
}

/// While the player waits near the entity, its own death ends the request, also one that the server did not send.
#[test]
fn a_dead_player_does_not_follow() {
    let mut scene = with_creature();
    let now = scene.now;
    let id = scene.world.player_mut().follow(REMOTE, 2.0, now).unwrap();
    frames(&mut scene, 250);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started, RequestProgress::Reached]);
    let now = scene.now;
    scene
        .world
        .act(PLAYER, now, |actor, _| actor.entity.interp.interpreted.forward.command = MotionCommand::DEAD);
    frames(&mut scene, 1);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Cancelled(CancelReason::Server)]);
}

/// A request without a time takes that of the last call that had one.
#[test]
fn a_stance_is_dated_by_the_last_call() {
    let mut scene = player();
    let now = scene.now + 0.5;
    assert_eq!(scene.world.player_mut().cancel_all(now), 0);
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    let events: Vec<_> = scene.world.drain_events().collect();
    let [event] = &events[..] else { panic!("{events:?}") };
    assert_eq!(event.time, now);
}

/// Sets the clock back by 5,000 s. The world moves its times with the next tick.
fn set_back(scene: &mut TestWorld) {
    scene.now -= 5000.0;
    frames(scene, 1);
    let is_fault = |event: &Event| matches!(event.kind, EventKind::Clock(_));
    assert!(scene.events.iter().any(is_fault));
}

/// A player in a combat stance whose clock has run for some hours.
fn late_fighter() -> TestWorld {
    let mut scene = fighter(HAND);
    scene.now += 6000.0;
    frames(&mut scene, 1);
    take(&mut scene);
    steps(&mut scene);
    scene
}

/// The wait for the next swing, 1.5 s, takes no longer and ends no earlier because the clock was set back.
#[test]
fn an_attack_ends_in_time_when_the_clock_is_set_back() {
    let mut scene = late_fighter();
    let id = attack(&mut scene, TARGET);
    attack_done(&mut scene, 0);
    set_back(&mut scene);
    frames(&mut scene, 40);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started, RequestProgress::SwingDone]);
    frames(&mut scene, 8);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Done]);
}

/// So does the wait for an answer, 10 s.
#[test]
fn an_unanswered_use_ends_in_time_when_the_clock_is_set_back() {
    let mut scene = late_fighter();
    let id = use_object(&mut scene, TARGET);
    set_back(&mut scene);
    frames(&mut scene, 290);
    assert_eq!(steps_of(&mut scene, id), [RequestProgress::Started]);
    frames(&mut scene, 15);
    assert_eq!(steps_of(&mut scene, id), [UNANSWERED]);
}

/// C22: the power bars of a jump and of an attack are as full as before.
#[test]
fn power_bars_stay_as_they_are_when_the_clock_is_set_back() {
    let powers = |scene: &mut TestWorld| {
        let now = scene.now;
        let player = scene.world.player_mut();
        [player.jump_power(now), player.attack_power(now)]
    };
    let mut scene = late_fighter();
    hold_attack_key(&mut scene, TARGET);
    frames(&mut scene, 3);
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    // The jump key cancels an attack, but not the key that is to begin one.
    hold_attack_key(&mut scene, TARGET);
    frames(&mut scene, 6);
    let before = powers(&mut scene).map(Option::unwrap);
    assert!(before.iter().all(|power| (0.19..0.21).contains(power)), "{before:?}");
    set_back(&mut scene);
    let after = powers(&mut scene).map(Option::unwrap);
    assert!(after.iter().zip(before).all(|(after, before)| (after - before).abs() < 0.05), "{after:?}");
}

/// K7: so is the time since the last report.
#[test]
fn the_last_report_is_as_old_as_before_when_the_clock_is_set_back() {
    let mut scene = late_fighter();
    let last = scene.world.player_mut().heartbeat().last_sent_time;
    set_back(&mut scene);
    let moved = scene.world.player_mut().heartbeat().last_sent_time - last;
    assert!((moved + 5000.0).abs() < 0.1, "{moved} s");
}

/// K5: a turn of the mouse is sent at most twice a second by the new clock as well.
#[test]
fn mouse_turns_are_sent_when_the_clock_is_set_back() {
    let mut scene = late_fighter();
    let now = scene.now;
    scene.world.player_mut().set_mouse_look(true, now);
    scene.world.player_mut().mouse_turn(0.5, now);
    set_back(&mut scene);
    take(&mut scene);
    let mut messages = 0;
    for _ in 0..30 {
        frames(&mut scene, 1);
        let now = scene.now;
        scene.world.player_mut().mouse_turn(0.5, now);
        messages += sent(&mut scene).iter().filter(|name| **name == "MoveToState").count();
    }
    assert_eq!(messages, 2, "one second");
}

/// The time limit of a follower follows the clock.
#[test]
fn a_follower_has_its_time_when_the_clock_is_set_back() {
    let mut scene = with_creature();
    scene.now += 6000.0;
    frames(&mut scene, 1);
    let now = scene.now;
    let goal = FollowGoal::from(2.0).timeout(20.0);
    let id = scene.world.player_mut().follow(REMOTE, goal, now).unwrap();
    frames(&mut scene, 10);
    set_back(&mut scene);
    frames(&mut scene, 560);
    assert!(!steps_of(&mut scene, id).iter().any(RequestProgress::is_last));
    frames(&mut scene, 40);
    let timed_out = RequestProgress::Cancelled(CancelReason::Unreachable(Unreachable::TimedOut));
    assert_eq!(steps(&mut scene), [(id, timed_out)]);
}

/// A stance that is asked for right after the clock was set back has the new time.
#[test]
fn a_stance_has_the_new_time_when_the_clock_is_set_back() {
    let mut scene = player();
    scene.now += 6000.0;
    frames(&mut scene, 1);
    scene.now -= 5000.0;
    scene.tick();
    let now = scene.now;
    scene.events.clear();
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    let events: Vec<_> = scene.world.drain_events().collect();
    let [event] = &events[..] else { panic!("{events:?}") };
    assert!((event.time - now).abs() < 1.0, "{} s, at {now} s", event.time);
}
