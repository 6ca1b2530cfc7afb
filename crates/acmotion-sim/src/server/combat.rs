//! Player requests other than movement: attacks, spells and uses. The server only plays the motions and answers, in the
//! order of the recordings (`docs/recorded.md`, January 2017); missiles fly, but there is no damage, and nothing is used up.

use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{
    AttackDone, AttackHeight, CombatCommenceAttack, GameEventBody, InterpretedState, UseDone,
};

use super::creatures::STRIKE_RANGE;
use super::missiles::MissileKind;
use super::{Server, messages};
use crate::scenario::CreatureKind;

/// The distance between centres, in metres, up to which an object can be used.
const USE_RANGE: f32 = 2.5;
/// The distance between centres, in metres, up to which a bow shoots.
const SHOT_RANGE: f32 = 60.0;
/// The power from which on a sword is swung, and below which it is thrust.
const SLASH_POWER: f32 = 1.0 / 3.0;
/// The time, in seconds, from the wind-up of a spell to its gesture, and from there to its end.
const CAST_SECONDS: f64 = 1.0;
/// The time, in seconds, from the gesture of a spell to the bolt.
const BOLT_SECONDS: f64 = 0.45;
/// The error of an attack whose target is gone (recorded).
const NO_OBJECT: u32 = 0x38;
/// The error of an attack that was cancelled before the first swing (rule F21).
const CANCELLED: u32 = 0x36;
/// The error of an attack whose target was not reached (rule F21).
const TOO_FAR: u32 = 0x3D;
/// The error of a request for an object that does not exist.
const UNKNOWN_OBJECT: u32 = 0x05;

/// A request of a player that is not done yet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PlayerAction {
    Attack(Attack),
    /// Casts a spell, at a target if it has one.
    Cast {
        target: Option<Guid>,
        phase: CastPhase,
    },
    /// Goes to an object or turns to it, and uses it.
    Use(Guid),
    /// Goes to an item, bends down and takes it.
    PickUp {
        item: Guid,
        is_bending: bool,
    },
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
    /// The player turns to the target of a shot.
    Turn,
    /// The player draws the bow.
    Aim,
    /// The player strikes, or lets the arrow go and takes the next one.
    Swing,
    /// The power bar fills again until this time.
    Pause(f64),
}

/// The phase of a spell, with the time of the next step in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum CastPhase {
    /// The player turns to the target.
    Turn,
    WindUp(f64),
    /// The gesture is made; then a bolt leaves if there is a target.
    Gesture(f64),
    /// The gesture is held.
    Recover(f64),
}

impl Server {
    /// Handles an attack: a charge if the target is far, else the first swing; with a bow, a turn and a shot. Another
    /// attack on the same target only changes height and power.
    pub(super) fn on_attack(&mut self, guid: Guid, target: Guid, height: AttackHeight, power: f32, now: f64) {
        let power = if power.is_finite() { power.clamp(0.0, 1.0) } else { 0.0 };
        let is_target = target != guid && self.is_alive(target);
        let Some(distance) = self.distance(guid, target).filter(|_| is_target) else {
            return self.end_attack(guid, NO_OBJECT);
        };
        let Some(object) = self.object_mut(guid) else { return };
        if let Some(PlayerAction::Attack(attack)) = &mut object.action
            && attack.target == target
        {
            (attack.height, attack.power, attack.is_cancelled) = (height, power, false);
            return;
        }
        if object.style == MotionCommand::BOW_COMBAT && distance > SHOT_RANGE {
            return self.end_attack(guid, TOO_FAR);
        }
        let attack = Attack { target, height, power, phase: AttackPhase::Swing, is_cancelled: false };
        self.begin_swing(guid, attack, now);
    }

    /// Cancels an attack. A swing or shot that is under way is finished, a charge or turn is not.
    pub(super) fn on_cancel_attack(&mut self, guid: Guid) {
        let Some(object) = self.object_mut(guid) else { return };
        let Some(PlayerAction::Attack(attack)) = &mut object.action else { return };
        match attack.phase {
            AttackPhase::Aim | AttackPhase::Swing => attack.is_cancelled = true,
            AttackPhase::Charge | AttackPhase::Turn => self.end_attack(guid, CANCELLED),
            AttackPhase::Pause(_) => object.action = None,
        }
    }

    /// Ends the attacks of a player with an error.
    fn end_attack(&mut self, guid: Guid, error: u32) {
        self.set_action(guid, None);
        self.answer(guid, GameEventBody::AttackDone(AttackDone { error }));
    }

    /// Returns `true` if an entity exists that can be attacked.
    fn is_alive(&self, target: Guid) -> bool {
        self.object(target).is_some_and(|target| !target.is_dead)
    }

    /// Starts a spell: turns the player to its target, then winds up.
    pub(super) fn on_cast(&mut self, guid: Guid, target: Option<Guid>, now: f64) {
        let Some(target) = target.filter(|target| *target != guid) else {
            return self.wind_up(guid, None, now);
        };
        if self.object(target).is_none() {
            return self.answer(guid, GameEventBody::UseDone(UseDone { error: UNKNOWN_OBJECT }));
        }
        self.set_action(guid, Some(PlayerAction::Cast { target: Some(target), phase: CastPhase::Turn }));
        self.turn_to_object(guid, target, now);
    }

    /// Starts the wind-up of a spell, which is an action.
    fn wind_up(&mut self, guid: Guid, target: Option<Guid>, now: f64) {
        let phase = CastPhase::WindUp(now + CAST_SECONDS);
        self.set_action(guid, Some(PlayerAction::Cast { target, phase }));
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
            let Some(action) = action else { continue };
            let is_moving = self.world.find(guid).is_some_and(|resident| resident.entity().is_moving_to());
            match action {
                _ if self.objects[index].is_dead => self.objects[index].action = None,
                PlayerAction::Attack(attack) => self.continue_attack(guid, attack, is_moving, now),
                PlayerAction::Cast { target, phase } => {
                    self.continue_cast(guid, target, phase, is_moving, now)
                }
                PlayerAction::Use(used) if !is_moving => self.finish_use(guid, used, now),
                PlayerAction::PickUp { item, is_bending } if !is_moving && !self.is_busy(guid) => {
                    self.continue_pick_up(guid, item, is_bending, now);
                }
                PlayerAction::Use(_) | PlayerAction::PickUp { .. } => {}
            }
        }
    }

    fn continue_attack(&mut self, guid: Guid, mut attack: Attack, is_moving: bool, now: f64) {
        let is_near = self.distance(guid, attack.target).is_some_and(|distance| distance <= STRIKE_RANGE);
        let is_alive = self.is_alive(attack.target);
        match attack.phase {
            AttackPhase::Charge if is_near && is_alive => self.begin_swing(guid, attack, now),
            AttackPhase::Charge if !is_moving => self.end_attack(guid, TOO_FAR),
            AttackPhase::Turn if !is_alive => self.end_attack(guid, NO_OBJECT),
            AttackPhase::Turn if !is_moving => {
                attack.phase = AttackPhase::Aim;
                self.set_action(guid, Some(PlayerAction::Attack(attack)));
                self.set_forward(guid, self.aim(guid, attack.target), now);
            }
            AttackPhase::Aim if !self.is_busy(guid) => {
                attack.phase = AttackPhase::Swing;
                self.set_action(guid, Some(PlayerAction::Attack(attack)));
                self.launch(guid, attack.target, MissileKind::Arrow, now);
                self.set_forward(guid, MotionCommand::RELOAD, now);
            }
            AttackPhase::Swing if !self.is_busy(guid) => {
                if self.is_archer(guid) {
                    self.stop(guid, None, now);
                }
                let error = if is_alive || attack.is_cancelled { 0 } else { NO_OBJECT };
                attack.phase = AttackPhase::Pause(now + f64::from(attack.power));
                let goes_on = is_alive && !attack.is_cancelled;
                self.set_action(guid, goes_on.then_some(PlayerAction::Attack(attack)));
                self.answer(guid, GameEventBody::AttackDone(AttackDone { error }));
            }
            AttackPhase::Pause(until) if now >= until && !is_alive => self.end_attack(guid, NO_OBJECT),
            AttackPhase::Pause(until) if now >= until => {
                self.answer(guid, GameEventBody::CombatCommenceAttack(CombatCommenceAttack));
                self.begin_swing(guid, attack, now);
            }
            _ => {}
        }
    }

    fn is_archer(&self, guid: Guid) -> bool {
        self.object(guid).is_some_and(|object| object.style == MotionCommand::BOW_COMBAT)
    }

    /// Begins an attack, again if it is repeated: turns to the target of a shot, charges at a target that is far, or
    /// strikes, which is an action that sticks to the target (recorded).
    fn begin_swing(&mut self, guid: Guid, mut attack: Attack, now: f64) {
        let target = attack.target;
        let Some(style) = self.object(guid).map(|object| object.style) else { return };
        let is_far = self.distance(guid, target).is_none_or(|distance| distance > STRIKE_RANGE);
        attack.phase = match style {
            MotionCommand::BOW_COMBAT => AttackPhase::Turn,
            _ if is_far => AttackPhase::Charge,
            _ => AttackPhase::Swing,
        };
        self.set_action(guid, Some(PlayerAction::Attack(attack)));
        match attack.phase {
            AttackPhase::Turn => self.turn_to_object(guid, target, now),
            AttackPhase::Charge => self.charge_player(guid, target, now),
            _ => self.start_action(guid, attack.motion(style), Some(target), now),
        }
    }

    /// Continues a spell. The gesture is a forward command; a bolt leaves if there is a target.
    fn continue_cast(
        &mut self,
        guid: Guid,
        target: Option<Guid>,
        phase: CastPhase,
        is_moving: bool,
        now: f64,
    ) {
        match phase {
            CastPhase::Turn if !is_moving => self.wind_up(guid, target, now),
            CastPhase::WindUp(next) if now >= next => {
                let phase = CastPhase::Gesture(now + BOLT_SECONDS);
                self.set_action(guid, Some(PlayerAction::Cast { target, phase }));
                let gesture = if target.is_some() {
                    MotionCommand::MAGIC_BLAST
                } else {
                    MotionCommand::MAGIC_SELF_HEART
                };
                self.set_forward(guid, gesture, now);
            }
            CastPhase::Gesture(next) if now >= next => {
                let phase = CastPhase::Recover(now + CAST_SECONDS - BOLT_SECONDS);
                self.set_action(guid, Some(PlayerAction::Cast { target, phase }));
                if let Some(target) = target {
                    self.launch(guid, target, MissileKind::Bolt, now);
                }
            }
            CastPhase::Recover(next) if now >= next => {
                self.set_action(guid, None);
                self.stop(guid, None, now);
                self.answer(guid, GameEventBody::UseDone(UseDone { error: 0 }));
            }
            _ => {}
        }
    }

    /// Gives a player a forward command of the server.
    pub(super) fn set_forward(&mut self, guid: Guid, motion: MotionCommand, now: f64) {
        let Some(object) = self.object(guid) else { return };
        let state = InterpretedState { forward_command: Some(motion), ..InterpretedState::default() };
        self.set_movement(guid, messages::interpreted(object.style, state, None), false, now);
    }

    /// Uses the object if the player has reached it: a door opens or closes.
    fn finish_use(&mut self, guid: Guid, used: Guid, now: f64) {
        self.set_action(guid, None);
        let is_near = self.distance(guid, used).is_some_and(|distance| distance <= USE_RANGE);
        let door = self.object(used).filter(|object| is_near && object.kind == CreatureKind::Door);
        if let Some(is_open) = door.map(|door| door.is_open()) {
            self.set_door(used, !is_open, now);
        }
        self.answer(guid, GameEventBody::UseDone(UseDone { error: 0 }));
    }

    pub(super) fn set_action(&mut self, guid: Guid, action: Option<PlayerAction>) {
        if let Some(object) = self.object_mut(guid) {
            object.action = action;
        }
    }

    /// Sends an event to the client of a player.
    pub(super) fn answer(&mut self, guid: Guid, event: GameEventBody<'_>) {
        let Some(client) = self.object(guid).and_then(|object| object.client()) else { return };
        let Some(connection) = self.connections.get_mut(client.0) else { return };
        connection.event_sequence += 1;
        let bytes = messages::event(guid, connection.event_sequence, event);
        self.send(client, &bytes.into(), true);
    }
}

impl Attack {
    /// Returns the motion of a swing: a thrust or, with more power, a slash with the sword, otherwise a blow.
    fn motion(&self, style: MotionCommand) -> MotionCommand {
        use MotionCommand as Motion;
        let [high, medium, low] = match style {
            Motion::SWORD_COMBAT if self.power < SLASH_POWER => {
                [Motion::THRUST_HIGH, Motion::THRUST_MED, Motion::THRUST_LOW]
            }
            Motion::SWORD_COMBAT => [Motion::SLASH_HIGH, Motion::SLASH_MED, Motion::SLASH_LOW],
            _ => [Motion::ATTACK_HIGH_1, Motion::ATTACK_MED_1, Motion::ATTACK_LOW_1],
        };
        match self.height {
            AttackHeight::HIGH => high,
            AttackHeight::LOW => low,
            _ => medium,
        }
    }
}
