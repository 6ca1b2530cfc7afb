//! Attacks, spells and requests about objects: what is sent, in what order, and how the server's answers end them. The
//! sequences are those of a recorded retail server (`docs/recorded.md`, January 2017).

use crate::player_support;
use crate::world_support;

use acmotion::types::{ActionStamp, Guid, MotionCommand};
use acmotion::wire::{
    ActionItem, Actions, AttackHeight, CombatMode, GameActionBody, GameEventBody, InterpretedState,
    InventoryPutObjIn3D, InventoryPutObjInContainer, MovementBody, WieldItem,
};
use acmotion::{CancelReason, Event, EventKind, RequestError, RequestEvent, RequestId, RequestProgress};
use player_support::{
    D, W, action, attack_done, commence, event, frames, move_to_state, player, press, release, sent,
    server_movement, stance, state, take, take_stance, use_done,
};
use world_support::{PLAYER, TestWorld, at, create};

const TARGET: Guid = Guid(0x8000_0001);
const OTHER: Guid = Guid(0x8000_0002);
const MEDIUM: AttackHeight = AttackHeight::MEDIUM;
const SWING: MotionCommand = MotionCommand::ATTACK_MED_1;

/// A player in a combat stance and in control of itself, and a target.
fn fighter(style: MotionCommand) -> TestWorld {
    let mut scene = player();
    scene.send(&create(TARGET, &at(98.5, 96.5), Default::default(), None));
    take_stance(&mut scene, style);
    scene
}

/// A swing as the server sends it: an action item, and sticking to the target.
fn swing(scene: &mut TestWorld, stamp: u16) {
    let items =
        [ActionItem { command: SWING, stamp: ActionStamp::new(stamp), autonomous: false, speed: 1.2 }];
    let state = InterpretedState {
        current_style: Some(MotionCommand::HAND_COMBAT),
        actions: Actions::new(&items),
        ..InterpretedState::default()
    };
    let body = MovementBody::Interpreted { state, sticky: Some(TARGET) };
    scene.send(&server_movement(body, MotionCommand::HAND_COMBAT, stamp + 10));
}

/// Removes all events and returns the steps of one request.
fn progress(scene: &mut TestWorld, wanted: RequestId) -> Vec<RequestProgress> {
    scene.events.extend(scene.world.drain_events());
    let step = |event: Event| match event.kind {
        EventKind::Request(RequestEvent { id, progress, .. }) => (id == wanted).then_some(progress),
        _ => None,
    };
    scene.events.drain(..).filter_map(step).collect()
}

fn powers(messages: &[Vec<u8>]) -> Vec<f32> {
    let power = |bytes: &Vec<u8>| match action(bytes) {
        GameActionBody::TargetedMeleeAttack(attack) => Some(attack.power),
        GameActionBody::TargetedMissileAttack(attack) => Some(attack.accuracy),
        _ => None,
    };
    messages.iter().filter_map(power).collect()
}

/// Recorded 7 of 7: a stop without any motion, then the attack, although the run has only just ended.
#[test]
fn an_attack_stops_a_running_player_first() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    press(&mut scene, W);
    frames(&mut scene, 20);
    take(&mut scene);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    let messages = take(&mut scene);
    assert_eq!(messages.len(), 2);
    let stop = move_to_state(&messages[0]);
    assert!(stop.raw.forward_command.is_none() && stop.raw.turn_command.is_none());
    let GameActionBody::TargetedMeleeAttack(attack) = action(&messages[1]) else { panic!("no attack") };
    assert_eq!((attack.target, attack.height, attack.power), (TARGET, MEDIUM, 0.25));
    assert_eq!(progress(&mut scene, id), [RequestProgress::Started]);
    assert!(!scene.world.player_mut().keyboard().is_any_held(), "held keys no longer count");
}

/// Recorded 2 of 2: while the server controls the player, nothing is stopped.
#[test]
fn an_attack_under_the_servers_control_does_not_stop_the_player() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 5));
    frames(&mut scene, 60);
    take(&mut scene);
    let now = scene.now;
    scene.world.player_mut().attack(TARGET, MEDIUM, 1.0, now).unwrap();
    assert_eq!(sent(&mut scene), ["TargetedMeleeAttack"]);
}

#[test]
fn an_attack_in_a_missile_stance_is_a_shot() {
    let mut scene = fighter(MotionCommand::BOW_COMBAT);
    let now = scene.now;
    scene.world.player_mut().attack(TARGET, MEDIUM, 0.75, now).unwrap();
    assert_eq!(sent(&mut scene), ["MoveToState", "TargetedMissileAttack"]);
}

/// The whole exchange: the server repeats the swing, and then no longer does.
#[test]
fn an_attack_is_one_request_from_the_first_swing_to_the_last() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    swing(&mut scene, 1);
    frames(&mut scene, 30);
    use RequestProgress::{Acting, AttackFrame, Done, Repeated, Started, SwingDone};
    let first = progress(&mut scene, id);
    assert_eq!(first[..2], [Started, Acting(SWING)]);
    assert!(first.len() > 2 && first[2..].iter().all(|step| *step == AttackFrame), "{first:?}");
    attack_done(&mut scene, 0);
    frames(&mut scene, 15);
    assert_eq!(progress(&mut scene, id), [SwingDone], "0.5 s later the server may still repeat it");
    commence(&mut scene);
    swing(&mut scene, 2);
    assert_eq!(progress(&mut scene, id), [Repeated, Acting(SWING)]);
    frames(&mut scene, 30);
    progress(&mut scene, id);
    attack_done(&mut scene, 0);
    frames(&mut scene, 44);
    assert_eq!(progress(&mut scene, id), [SwingDone]);
    frames(&mut scene, 3);
    assert_eq!(progress(&mut scene, id), [Done], "1.5 s without a repetition");
    frames(&mut scene, 600);
    assert!(progress(&mut scene, id).is_empty());
}

/// Recorded twice: error 0x38 once the target is gone.
#[test]
fn an_error_ends_the_attack() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    attack_done(&mut scene, 0);
    commence(&mut scene);
    attack_done(&mut scene, 0x38);
    let last = *progress(&mut scene, id).last().unwrap();
    assert_eq!(last, RequestProgress::Cancelled(CancelReason::ServerError(0x38)));
    press(&mut scene, D);
    assert!(!sent(&mut scene).contains(&"CancelAttack"));
}

/// R8; recorded 14 of 14, presses and releases, with the swing finished before the request ends.
#[test]
fn keys_cancel_an_attack() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    swing(&mut scene, 1);
    take(&mut scene);
    progress(&mut scene, id);
    press(&mut scene, D);
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState"]);
    release(&mut scene, D);
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState"]);
    assert!(progress(&mut scene, id).iter().all(|step| *step == RequestProgress::AttackFrame));
    attack_done(&mut scene, 0);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Cancelled(CancelReason::Keys)]);
    press(&mut scene, D);
    assert_eq!(sent(&mut scene), ["MoveToState"], "the attack is over");
}

/// Recorded: under the server's control a release sends the cancellation alone.
#[test]
fn a_release_under_the_servers_control_sends_only_the_cancellation() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    press(&mut scene, D);
    let now = scene.now;
    scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    swing(&mut scene, 1);
    take(&mut scene);
    release(&mut scene, D);
    assert_eq!(sent(&mut scene), ["CancelAttack"]);
}

/// Recorded 8 of 8: two cancellations. The request of the old attack ends.
#[test]
fn another_target_cancels_the_attack_twice() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let first = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    take(&mut scene);
    let second = scene.world.player_mut().attack(OTHER, MEDIUM, 0.25, now).unwrap();
    assert_eq!(sent(&mut scene), ["CancelAttack", "CancelAttack", "MoveToState", "TargetedMeleeAttack"]);
    let ended = RequestProgress::Cancelled(CancelReason::Request);
    assert_eq!(progress(&mut scene, first), [RequestProgress::Started, ended]);
    scene.world.player_mut().attack(OTHER, MEDIUM, 0.5, now).unwrap();
    assert!(!sent(&mut scene).contains(&"CancelAttack"), "the same target");
    assert!(second > first);
}

#[test]
fn a_cancelled_attack_ends_between_two_swings_at_once() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().cancel_attack(now), Err(RequestError::NotAttacking));
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.25, now).unwrap();
    attack_done(&mut scene, 0);
    progress(&mut scene, id);
    take(&mut scene);
    assert_eq!(scene.world.player_mut().cancel_attack(now), Ok(id));
    assert_eq!(sent(&mut scene), ["CancelAttack"]);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Cancelled(CancelReason::Request)]);
}

/// The power is the time that the key was held (recorded, 6 of 6).
#[test]
fn the_power_of_an_attack_is_the_time_that_the_key_was_held() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().begin_attack(TARGET, MEDIUM, now).unwrap();
    assert_eq!(sent(&mut scene), ["MoveToState"], "the stop");
    assert_eq!(scene.world.player_mut().attack_power(now + 0.25), Some(0.25));
    assert_eq!(scene.world.player_mut().end_attack(now + 0.25), Ok(id));
    assert_eq!(powers(&take(&mut scene)), [0.25]);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Queued, RequestProgress::Started]);
    assert_eq!(scene.world.player_mut().end_attack(now + 0.3), Err(RequestError::NotAttacking));
}

/// Recorded 8 of 8 with the bar at its lowest, and 1 of 1 with the bar at a half.
#[test]
fn the_setting_of_the_power_bar_applies_to_the_swings_that_follow() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    scene.world.player_mut().set_attack_power(Some(0.004));
    scene.world.player_mut().begin_attack(TARGET, MEDIUM, now).unwrap();
    scene.world.player_mut().end_attack(now + 0.125).unwrap();
    assert_eq!(powers(&take(&mut scene)), [0.125, 0.004]);
    scene.world.player_mut().set_attack_power(Some(0.5));
    attack_done(&mut scene, 0);
    frames(&mut scene, 120);
    take(&mut scene);
    let now = scene.now;
    scene.world.player_mut().begin_attack(TARGET, MEDIUM, now).unwrap();
    scene.world.player_mut().end_attack(now + 0.125).unwrap();
    frames(&mut scene, 14);
    assert!(powers(&take(&mut scene)).is_empty(), "the bar is at 0.47");
    frames(&mut scene, 2);
    assert_eq!(powers(&take(&mut scene)), [0.5]);
}

#[test]
fn attacks_and_spells_need_the_right_stance() {
    let mut scene = player();
    let now = scene.now;
    let refused = scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now);
    assert_eq!(refused, Err(RequestError::WrongStance));
    let refused = scene.world.player_mut().cast(1, None, now);
    assert_eq!(refused, Err(RequestError::WrongStance));
    let refused = scene.world.player_mut().begin_attack(TARGET, MEDIUM, now);
    assert_eq!(refused, Err(RequestError::WrongStance));
    assert!(take(&mut scene).is_empty());
    // The attack waits for a stance that has been requested.
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now).unwrap();
    frames(&mut scene, 10);
    assert_eq!(sent(&mut scene), ["ChangeCombatMode"]);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 60);
    assert_eq!(sent(&mut scene), ["TargetedMeleeAttack"]);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Queued, RequestProgress::Started]);
}

/// Exactly one last step, for the stance that the server does not grant and for the attack that waits for it.
#[test]
fn an_unanswered_stance_ends_what_waits_for_it() {
    let mut scene = player();
    let now = scene.now;
    let stance = scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    let attack = scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now).unwrap();
    frames(&mut scene, 310);
    let events = scene.events.clone();
    let unanswered = RequestProgress::Cancelled(CancelReason::Unanswered);
    assert_eq!(progress(&mut scene, stance), [RequestProgress::Started, unanswered]);
    scene.events = events;
    let refused = RequestProgress::Refused(RequestError::WrongStance);
    assert_eq!(progress(&mut scene, attack), [RequestProgress::Queued, refused]);
}

#[test]
fn a_held_attack_key_is_refused_when_the_player_dies() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().begin_attack(TARGET, MEDIUM, now).unwrap();
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::DEAD, 9));
    frames(&mut scene, 2);
    let refused = RequestProgress::Refused(RequestError::Dead);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Queued, refused]);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().end_attack(now), Err(RequestError::NotAttacking));
}

#[test]
fn a_stance_waits_for_the_end_of_the_swing() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now).unwrap();
    frames(&mut scene, 60);
    take(&mut scene);
    scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    frames(&mut scene, 10);
    assert!(sent(&mut scene).is_empty());
    attack_done(&mut scene, 0);
    frames(&mut scene, 1);
    assert_eq!(sent(&mut scene), ["ChangeCombatMode"]);
}

/// A spell stops the player; the server sends its gesture as a forward command, and `UseDone` ends it.
#[test]
fn a_spell_ends_with_use_done() {
    let mut scene = fighter(MotionCommand::MAGIC);
    press(&mut scene, W);
    take(&mut scene);
    let now = scene.now;
    let id = scene.world.player_mut().cast(27, Some(TARGET), now).unwrap();
    assert_eq!(sent(&mut scene), ["MoveToState", "CastTargetedSpell"]);
    let gesture = MotionCommand(0x4000_0033);
    scene.send(&state(MotionCommand::MAGIC, gesture, 9));
    use_done(&mut scene, 0);
    let steps = [RequestProgress::Started, RequestProgress::Acting(gesture), RequestProgress::Done];
    assert_eq!(progress(&mut scene, id), steps);
    let id = scene.world.player_mut().cast(28, None, now).unwrap();
    frames(&mut scene, 60);
    let names = sent(&mut scene);
    assert!(names.contains(&"CastUntargetedSpell") && !names.contains(&"MoveToState"), "{names:?}");
    use_done(&mut scene, 0x36);
    let failed = RequestProgress::Cancelled(CancelReason::ServerError(0x36));
    assert_eq!(progress(&mut scene, id).last(), Some(&failed));
}

/// Recorded: 10 of 63 uses in the middle of a movement, which goes on.
#[test]
fn a_use_does_not_stop_the_player() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 5);
    take(&mut scene);
    let now = scene.now;
    let first = scene.world.player_mut().use_object(TARGET, now).unwrap();
    let second = scene.world.player_mut().use_with(OTHER, TARGET, now).unwrap();
    assert_eq!(sent(&mut scene), ["Use", "UseWithTarget"]);
    assert!(scene.world.player_mut().keyboard().is_any_held());
    use_done(&mut scene, 0);
    use_done(&mut scene, 5);
    scene.events.extend(scene.world.drain_events());
    let events = scene.events.clone();
    assert_eq!(progress(&mut scene, first), [RequestProgress::Started, RequestProgress::Done]);
    scene.events = events;
    let failed = RequestProgress::Cancelled(CancelReason::ServerError(5));
    assert_eq!(progress(&mut scene, second), [RequestProgress::Started, failed]);
}

/// The answer for each item names its id.
#[test]
fn items_are_picked_up_dropped_and_wielded() {
    let mut scene = player();
    let now = scene.now;
    let mut player = scene.world.player_mut();
    let ids = [
        player.pick_up(TARGET, PLAYER, 0, now).unwrap(),
        player.drop_item(OTHER, now).unwrap(),
        player.wield(TARGET, 0x10_0000, now).unwrap(),
    ];
    assert_eq!(sent(&mut scene), ["PutItemInContainer", "DropItem", "GetAndWieldItem"]);
    event(&mut scene, GameEventBody::WieldItem(WieldItem { item: TARGET, location: 0x10_0000 }));
    event(&mut scene, GameEventBody::InventoryPutObjIn3D(InventoryPutObjIn3D { item: OTHER }));
    let put = InventoryPutObjInContainer { item: OTHER, container: PLAYER, slot: 0, kind: 0 };
    event(&mut scene, GameEventBody::InventoryPutObjInContainer(put));
    let put = InventoryPutObjInContainer { item: TARGET, ..put };
    event(&mut scene, GameEventBody::InventoryPutObjInContainer(put));
    let events = scene.events.clone();
    for id in ids {
        scene.events.clone_from(&events);
        assert_eq!(progress(&mut scene, id), [RequestProgress::Started, RequestProgress::Done]);
    }
}

/// Exactly one last step, even if the server never answers.
#[test]
fn an_unanswered_request_ends_by_itself() {
    let mut scene = player();
    let now = scene.now;
    let id = scene.world.player_mut().use_object(TARGET, now).unwrap();
    frames(&mut scene, 299);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Started]);
    frames(&mut scene, 3);
    assert_eq!(progress(&mut scene, id), [RequestProgress::Cancelled(CancelReason::Unanswered)]);
    for _ in 0..64 {
        scene.world.player_mut().drop_item(TARGET, now).unwrap();
    }
    assert_eq!(scene.world.player_mut().drop_item(TARGET, now), Err(RequestError::TooManyUnanswered));
}

/// A stance waits for the end of a swing, but not for a swing that the server never answers.
#[test]
fn an_unanswered_attack_does_not_hold_back_a_stance() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now).unwrap();
    frames(&mut scene, 320);
    let last = *progress(&mut scene, id).last().unwrap();
    assert_eq!(last, RequestProgress::Cancelled(CancelReason::Unanswered));
    sent(&mut scene);
    scene.world.player_mut().set_stance(CombatMode::NON_COMBAT).unwrap();
    frames(&mut scene, 2);
    assert!(sent(&mut scene).contains(&"ChangeCombatMode"));
}

#[test]
fn death_ends_all_requests() {
    let mut scene = fighter(MotionCommand::HAND_COMBAT);
    let now = scene.now;
    let id = scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now).unwrap();
    scene.send(&state(MotionCommand::HAND_COMBAT, MotionCommand::DEAD, 9));
    frames(&mut scene, 2);
    let last = *progress(&mut scene, id).last().unwrap();
    assert_eq!(last, RequestProgress::Cancelled(CancelReason::Server));
    let now = scene.now;
    assert_eq!(scene.world.player_mut().attack(TARGET, MEDIUM, 0.5, now), Err(RequestError::Dead));
}

/// C21; recorded 2 of 2, without any attack.
#[test]
fn a_jump_sends_cancel_attack_even_without_an_attack() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState"]);
}

/// Every request returns the number that its events carry.
#[test]
fn every_request_returns_its_number() {
    let mut scene = player();
    let now = scene.now;
    let mut player = scene.world.player_mut();
    let ids = [
        player.turn_to(10.0, now),
        player.walk_to(at(97.0, 97.0), now),
        player.emote(MotionCommand::WAVE, now),
        player.set_stance(CombatMode::MELEE),
        player.use_object(TARGET, now),
        player.jump(0.5, now),
    ];
    let numbers: Vec<u32> = ids.into_iter().map(|id| id.unwrap().0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(player.last_request(), Some(RequestId(6)));
}
