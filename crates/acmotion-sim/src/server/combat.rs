//! Player requests other than movement: attacks, spells and uses. The server only plays the motions and answers, in the
//! order of the recordings (`docs/recorded.md`, January 2017); there is no damage, and nothing is used up.

use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{
    AttackDone, AttackHeight, CombatCommenceAttack, GameEventBody, InterpretedState, UseDone,
};

use super::creatures::STRIKE_RANGE;
use super::{Server, messages};
use crate::scenario::CreatureKind;

/// The distance between centres, in metres, up to which an object can be used.
const USE_RANGE: f32 = 2.5;
/// The time, in seconds, from the wind-up of a spell to its gesture, and from there to its end.
const CAST_SECONDS: f64 = 1.0;
/// The error of an attack whose target is gone (recorded).
const NO_OBJECT: u32 = 0x38;
/// The error of an attack whose target was not reached (rule F21).
const TOO_FAR: u32 = 0x3D;
/// The error of a request for an object that does not exist.
const UNKNOWN_OBJECT: u32 = 0x05;

/// A request of a player that is not done yet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PlayerAction {
    Attack(Attack),
    /// Casts a spell; the gesture has been made if `is_released`. `next` is the time of the next step, in seconds.
    Cast {
        is_released: bool,
        next: f64,
    },
    /// Goes to an object or turns to it, and uses it.
    Use(Guid),
}

/// The attacks of a player on a target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Attack {
    target: Guid,
    height: AttackHeight,
    power: f32,
    phase: AttackPhase,
    is_cancelled: bool,
}

/// The phase of an attack. Times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
enum AttackPhase {
    /// The player runs to the target.
    Charge,
    /// The player strikes.
    Swing,
    /// The power bar fills again until this time.
    Pause(f64),
}

impl Server {
    /// Handles an attack: a charge if the target is far, else the first swing. Another attack on the same target only
    /// changes height and power.
    pub(super) fn on_attack(&mut self, guid: Guid, target: Guid, height: AttackHeight, power: f32, now: f64) {
        let power = if power.is_finite() { power.clamp(0.0, 1.0) } else { 0.0 };
        let Some(distance) = self.distance(guid, target) else {
            return self.answer(guid, GameEventBody::AttackDone(AttackDone { error: NO_OBJECT }));
        };
        let Some(object) = self.object_mut(guid) else { return };
        if let Some(PlayerAction::Attack(attack)) = &mut object.action
            && attack.target == target
        {
            (attack.height, attack.power, attack.is_cancelled) = (height, power, false);
            return;
        }
        let is_far = distance > STRIKE_RANGE;
        let phase = if is_far { AttackPhase::Charge } else { AttackPhase::Swing };
        let attack = Attack { target, height, power, phase, is_cancelled: false };
        object.action = Some(PlayerAction::Attack(attack));
        if is_far { self.charge_player(guid, target, now) } else { self.swing(guid, &attack, now) }
    }

    /// Cancels an attack. A swing that is under way is finished.
    pub(super) fn on_cancel_attack(&mut self, guid: Guid) {
        let Some(object) = self.object_mut(guid) else { return };
        let Some(PlayerAction::Attack(attack)) = &mut object.action else { return };
        attack.is_cancelled = true;
        if matches!(attack.phase, AttackPhase::Pause(_)) {
            object.action = None;
        }
    }

    /// Starts a spell with its wind-up, which is an action.
    pub(super) fn on_cast(&mut self, guid: Guid, now: f64) {
        self.set_action(guid, Some(PlayerAction::Cast { is_released: false, next: now + CAST_SECONDS }));
        self.start_action(guid, MotionCommand::MAGIC_POWER_UP_01, None, now);
    }

    /// Moves the player to an object that it wants to use, or only turns it there if it is in range.
    pub(super) fn on_use(&mut self, guid: Guid, used: Guid, now: f64) {
        let Some(distance) = self.distance(guid, used) else {
            return self.answer(guid, GameEventBody::UseDone(UseDone { error: UNKNOWN_OBJECT }));
        };
        self.set_action(guid, Some(PlayerAction::Use(used)));
        if distance > USE_RANGE {
            self.move_player_to(guid, used, now);
        } else {
            self.turn_to_object(guid, used, now);
        }
    }

    /// Continues the requests of all players.
    pub(super) fn run_player_actions(&mut self, now: f64) {
        for index in 0..self.objects.len() {
            let (guid, action) = (self.objects[index].guid, self.objects[index].action);
            let is_moving = self.world.find(guid).is_some_and(|resident| resident.entity().is_moving_to());
            match action {
                Some(_) if self.objects[index].is_dead => self.objects[index].action = None,
                Some(PlayerAction::Attack(attack)) => self.continue_attack(guid, attack, is_moving, now),
                Some(PlayerAction::Cast { is_released, next }) if now >= next => {
                    self.continue_cast(guid, is_released, now);
                }
                Some(PlayerAction::Use(used)) if !is_moving => self.finish_use(guid, used, now),
                _ => {}
            }
        }
    }

    fn continue_attack(&mut self, guid: Guid, mut attack: Attack, is_moving: bool, now: f64) {
        let is_near = self.distance(guid, attack.target).is_some_and(|distance| distance <= STRIKE_RANGE);
        let is_alive = self.object(attack.target).is_some_and(|target| !target.is_dead);
        match attack.phase {
            AttackPhase::Charge if is_near && is_alive => {
                attack.phase = AttackPhase::Swing;
                self.set_action(guid, Some(PlayerAction::Attack(attack)));
                self.swing(guid, &attack, now);
            }
            AttackPhase::Charge if !is_moving => {
                self.set_action(guid, None);
                self.answer(guid, GameEventBody::AttackDone(AttackDone { error: TOO_FAR }));
            }
            AttackPhase::Swing if !self.is_busy(guid) => {
                let error = if is_alive || attack.is_cancelled { 0 } else { NO_OBJECT };
                attack.phase = AttackPhase::Pause(now + f64::from(attack.power));
                let goes_on = is_alive && !attack.is_cancelled;
                self.set_action(guid, goes_on.then_some(PlayerAction::Attack(attack)));
                self.answer(guid, GameEventBody::AttackDone(AttackDone { error }));
            }
            AttackPhase::Pause(until) if now >= until => {
                self.answer(guid, GameEventBody::CombatCommenceAttack(CombatCommenceAttack));
                attack.phase = if is_near { AttackPhase::Swing } else { AttackPhase::Charge };
                self.set_action(guid, Some(PlayerAction::Attack(attack)));
                if is_near {
                    self.swing(guid, &attack, now)
                } else {
                    self.charge_player(guid, attack.target, now)
                }
            }
            _ => {}
        }
    }

    /// Starts a swing: an action, sticking to the target (recorded).
    fn swing(&mut self, guid: Guid, attack: &Attack, now: f64) {
        let motion = match attack.height {
            AttackHeight::HIGH => MotionCommand::ATTACK_HIGH_1,
            AttackHeight::LOW => MotionCommand::ATTACK_LOW_1,
            _ => MotionCommand::ATTACK_MED_1,
        };
        self.start_action(guid, motion, Some(attack.target), now);
    }

    /// Makes the gesture of a spell, which is a forward command, or ends the spell if the gesture has been made.
    fn continue_cast(&mut self, guid: Guid, is_released: bool, now: f64) {
        if is_released {
            self.set_action(guid, None);
            self.stop(guid, None, now);
            return self.answer(guid, GameEventBody::UseDone(UseDone { error: 0 }));
        }
        self.set_action(guid, Some(PlayerAction::Cast { is_released: true, next: now + CAST_SECONDS }));
        let Some(object) = self.object(guid) else { return };
        let forward_command = Some(MotionCommand::MAGIC_BLAST);
        let state = InterpretedState { forward_command, ..InterpretedState::default() };
        self.set_movement(guid, messages::interpreted(object.style, state, None), false, now);
    }

    /// Uses the object if the player has reached it: a door opens or closes.
    fn finish_use(&mut self, guid: Guid, used: Guid, now: f64) {
        self.set_action(guid, None);
        let is_near = self.distance(guid, used).is_some_and(|distance| distance <= USE_RANGE);
        let door = self.object(used).filter(|object| is_near && object.kind == CreatureKind::Door);
        if let Some(is_open) = door.map(|door| door.forward == MotionCommand::ON) {
            self.set_door(used, !is_open, now);
        }
        self.answer(guid, GameEventBody::UseDone(UseDone { error: 0 }));
    }

    fn set_action(&mut self, guid: Guid, action: Option<PlayerAction>) {
        if let Some(object) = self.object_mut(guid) {
            object.action = action;
        }
    }

    /// Sends an event to the client of a player.
    fn answer(&mut self, guid: Guid, event: GameEventBody<'_>) {
        let Some(client) = self.object(guid).and_then(|object| object.client()) else { return };
        let Some(connection) = self.connections.get_mut(client.0) else { return };
        connection.event_sequence += 1;
        let bytes = messages::event(guid, connection.event_sequence, event);
        self.send(client, &bytes.into(), true);
    }
}
