//! Attacks and spells: what the client does with the player before it asks the server (rules C22, K8, R8).
//!
//! # What the recording shows
//!
//! From the recording of a retail server (`docs/recorded.md`, January 2017), with counts:
//!
//! - *The stop.* When the attack key goes down, the player stops completely and a `MoveToState` without motion is sent
//!   (7 of 7 while the client controls the player), 0.08 to 0.6 s before the attack. While the server controls it, nothing
//!   is stopped or sent (2 of 2). The stop does not wait for the motions that are still pending, and neither does the
//!   attack: one key went down 0.11 s after a run.
//! - *The power* is the time for which the key was held, as a fraction of one second, or of 0.8 s in the dual-wield
//!   stance, and at most 1 (rule C22). That time is 0.01 to 0.03 s shorter than the time from the stop to the attack (6
//!   of 6). If the power bar is set higher, the attack is sent when the bar reaches the setting, with exactly that
//!   power (0.5, 1 of 1). If it is set lower, a second attack with the setting follows in the same instant (0.004, 8 of
//!   8), which is the power of the swings that the server repeats.
//! - *`CancelAttack`.* While an attack is under way, each key that is pressed or released sends one (14 of 14), mostly
//!   before the `MoveToState` (11 of 13), or without one under the server's control (1); a change of the target sends
//!   two (8 of 8). The start of a jump sends one whether or not there is an attack (2 of 2).
//! - *The stance.* All 20 attacks were made in a combat stance. Of the 7 stance changes after a fight 3 came within
//!   0.08 s of the last `AttackDone`, and none before it: they wait for it.
//!
//! Three attacks of the first fight are not explained by this: two of power 0.667 while a swing was under way and right
//! after it, and one of 0.004 after an `AttackDone`; they seem to follow changes of the power setting between swings, which
//! are not reproduced. Spells stop the player like attacks; that is known from another recording.

use acmotion_types::{Guid, MotionCommand};
use acmotion_wire::{
    AttackHeight, CancelAttack, CastTargetedSpell, CastUntargetedSpell, GameActionBody, GameEventBody,
    TargetedMeleeAttack, TargetedMissileAttack,
};

use super::local::QueuedRequest;
use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, RequestProgress};
use crate::interp::jump_level;

/// The stances in which an attack is a shot or a throw.
const MISSILE_STANCES: [MotionCommand; 6] = [
    MotionCommand::BOW_COMBAT,
    MotionCommand::CROSSBOW_COMBAT,
    MotionCommand::SLING_COMBAT,
    MotionCommand::THROWN_WEAPON_COMBAT,
    MotionCommand::ATLATL_COMBAT,
    MotionCommand::THROWN_SHIELD_COMBAT,
];

/// The state of the player's attacks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ClientCombatSystem")]
pub(super) struct Combat {
    /// Whether the server has been asked for a swing that is not done yet.
    is_in_progress: bool,
    /// Whether the server may repeat the attack after the swing.
    repeats: bool,
    /// The target of the last attack.
    target: Option<Guid>,
    key: Option<AttackKey>,
    /// The setting of the power bar.
    setting: Option<f32>,
}

/// An attack key that is held, or whose attack is sent when the power bar has reached its setting.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct AttackKey {
    id: RequestId,
    target: Guid,
    height: AttackHeight,
    /// The time at which the key was pressed, in seconds.
    start: f64,
    /// The level of the power bar when the key was released; `None` while it is held.
    released: Option<f32>,
}

impl Combat {
    /// Moves the stored times by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        if let Some(key) = &mut self.key {
            key.start += by;
        }
    }

    /// Returns `true` if there is an attack to cancel.
    pub(super) fn is_active(&self) -> bool {
        self.is_in_progress || self.repeats || self.key.is_some()
    }

    /// Returns `true` while a swing is under way.
    pub(super) fn is_in_progress(&self) -> bool {
        self.is_in_progress
    }

    /// Returns the request of an attack key whose attack has not been sent.
    pub(super) fn held_key(&self) -> Option<RequestId> {
        self.key.map(|key| key.id)
    }

    /// Handles an event from the server.
    pub(super) fn on_event(&mut self, event: &GameEventBody<'_>) {
        match event {
            GameEventBody::AttackDone(done) => {
                self.is_in_progress = false;
                self.repeats &= done.error == 0;
            }
            GameEventBody::CombatCommenceAttack(_) => self.is_in_progress = true,
            _ => {}
        }
    }

    /// Ends the attack with its request: the server does not repeat it. If the request was cancelled without an answer, by
    /// time or by death, no swing is under way any longer either, so that a stance need not wait for it.
    pub(super) fn on_request_end(&mut self, progress: RequestProgress) {
        self.repeats = false;
        self.is_in_progress &= !matches!(progress, RequestProgress::Cancelled(_));
    }

    fn on_sent(&mut self, target: Guid) {
        (self.is_in_progress, self.repeats, self.target) = (true, true, Some(target));
    }
}

impl Controls<'_> {
    /// Requests an attack with a power from 0 to 1, as if the key had been held that long. The player stops, unless the
    /// server controls it, and the server is asked: for a shot in a missile stance, else for a blow. The request waits
    /// until the player stands, and until any stance change requested before it is over.
    ///
    /// Another attack replaces it. Keys [cancel](Self::cancel_attack) it.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn attack(
        &mut self,
        target: Guid,
        height: AttackHeight,
        power: f32,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Attack(target));
        if target.is_none() || !power.is_finite() {
            return self.refuse(id, kind, RequestError::InvalidTarget, now);
        }
        let message = self.attack_message(target, height, power.clamp(0.0, 1.0));
        self.start_or_queue(QueuedRequest { id, kind, message: Some(message) }, now)
    }

    /// Presses the attack key: the player stops, unless the server controls it, and the power bar starts to fill. The
    /// request is queued until [`end_attack`](Self::end_attack).
    ///
    /// # Errors
    /// The reason why the player cannot attack.
    #[doc(alias = "StartAttackRequest")]
    pub fn begin_attack(
        &mut self,
        target: Guid,
        height: AttackHeight,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Attack(target));
        let checked = match self.check_free() {
            Ok(()) if target.is_none() => Err(RequestError::InvalidTarget),
            Ok(()) => self.check_stance(kind),
            Err(error) => Err(error),
        };
        if let Err(error) = checked {
            return self.refuse(id, kind, error, now);
        }
        self.drop_attack_key(CancelReason::Request, now);
        self.change_target(target, now);
        self.emit(id, kind, RequestProgress::Queued, now);
        self.stop_unless_controlled(now);
        self.local().combat.key = Some(AttackKey { id, target, height, start: now, released: None });
        Ok(id)
    }

    /// Releases the attack key: the attack is sent with the power of the bar, at once or when the bar has reached its
    /// [setting](Self::set_attack_power).
    ///
    /// # Errors
    /// [`RequestError::NotAttacking`] if the key is not held, else the reason why the server is not asked.
    #[doc(alias = "EndAttackRequest")]
    pub fn end_attack(&mut self, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let level = self.attack_power(now);
        let key = self.local().combat.key.as_mut().filter(|key| key.released.is_none());
        let (Some(key), Some(level)) = (key, level) else { return Err(RequestError::NotAttacking) };
        key.released = Some(level);
        let id = key.id;
        self.send_held_attack(now).map(|()| id)
    }

    /// Sets the power bar, from 0 to 1. If the attack key is released below the setting, the bar goes on filling up to
    /// it. If it is released above, the swings that the server repeats have the power of the setting. `None`, the
    /// default, does neither.
    pub fn set_attack_power(&mut self, setting: Option<f32>) {
        self.local().combat.setting =
            setting.filter(|power| power.is_finite()).map(|power| power.clamp(0.0, 1.0));
    }

    /// Returns how far the power bar is filled, from 0 to 1, or `None` if no attack key is held.
    #[doc(alias = "GetPowerBarLevel")]
    pub fn attack_power(&self, now: f64) -> Option<f32> {
        let now = self.world.valid_time(now);
        let key = self.world.local.combat.key?;
        let style = self.own()?.entity().interp.interpreted.style;
        let (level, _) = jump_level(now - key.start, style == MotionCommand::DUAL_WIELD_COMBAT);
        Some(level)
    }

    /// Asks the server to cancel the attack. The swing under way is finished, and then the request is
    /// [cancelled](super::RequestProgress::Cancelled). Returns the number of that request.
    ///
    /// # Errors
    /// [`RequestError::NotAttacking`] if there is no attack.
    pub fn cancel_attack(&mut self, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let held = self.world.local.combat.held_key();
        self.drop_attack_key(CancelReason::Request, now);
        let tracked = self.abort_attack(CancelReason::Request, now);
        tracked.or(held).ok_or(RequestError::NotAttacking)
    }

    /// Casts a spell, at a target if it needs one. The player stops as for an [`attack`](Self::attack), and must be in
    /// the magic stance. The server's `UseDone` ends the request.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    #[doc(alias = "FreeHandsAndCastSpell")]
    pub fn cast(&mut self, spell: u32, target: Option<Guid>, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Cast { spell, target });
        let message = match target {
            Some(target) => GameActionBody::CastTargetedSpell(CastTargetedSpell { target, spell }),
            None => GameActionBody::CastUntargetedSpell(CastUntargetedSpell { spell }),
        };
        self.start_or_queue(QueuedRequest { id, kind, message: Some(message) }, now)
    }

    /// Sends an attack or a spell, after the stop that precedes it.
    pub(super) fn start_attack(&mut self, request: &QueuedRequest, now: f64) -> Result<(), RequestError> {
        self.check_stance(request.kind)?;
        if let RequestKind::Attack(target) = request.kind {
            self.drop_attack_key(CancelReason::Request, now);
            self.change_target(target, now);
        }
        self.stop_unless_controlled(now);
        if let Some(message) = request.message {
            self.send_attack(request.kind, message);
        }
        Ok(())
    }

    /// Returns an error unless the player's stance allows the attack or spell.
    pub(super) fn check_stance(&self, kind: RequestKind) -> Result<(), RequestError> {
        let style = self.own().map(|own| own.entity().interp.interpreted.style).unwrap_or_default();
        let is_right = match kind {
            RequestKind::Attack(_) => style != MotionCommand::NON_COMBAT && style != MotionCommand::MAGIC,
            RequestKind::Cast { .. } => style == MotionCommand::MAGIC,
            _ => true,
        };
        if is_right { Ok(()) } else { Err(RequestError::WrongStance) }
    }

    /// Asks the server to cancel the attack under way, if there is one (rules C21, R8). Returns the number of its request.
    #[doc(alias = "AbortAutomaticAttack")]
    pub(super) fn abort_attack(&mut self, why: CancelReason, now: f64) -> Option<RequestId> {
        if !self.local().combat.is_active() {
            return None;
        }
        self.local().send(GameActionBody::CancelAttack(CancelAttack));
        self.local().combat.repeats = false;
        let id = self.local().requests.cancel_attack(why);
        let ended = self.local().requests.end_cancelled_swing();
        self.emit_step(ended, now);
        id
    }

    /// Sends the attack of a released key, once the power bar has reached its setting. It is refused if the player dies
    /// or leaves its combat stance while the key is held.
    pub(super) fn send_held_attack(&mut self, now: f64) -> Result<(), RequestError> {
        let Combat { key: Some(key), setting, .. } = self.local().combat else { return Ok(()) };
        let kind = RequestKind::Attack(key.target);
        if let Err(error) = self.check_free().and_then(|()| self.check_stance(kind)) {
            self.local().combat.key = None;
            return self.refuse(key.id, kind, error, now);
        }
        let Some(released) = key.released else { return Ok(()) };
        let level = self.attack_power(now).unwrap_or(released);
        let setting = setting.unwrap_or(released);
        if level < setting {
            return Ok(());
        }
        self.local().combat.key = None;
        self.send_attack(kind, self.attack_message(key.target, key.height, released.max(setting)));
        if released > setting {
            self.send_attack(kind, self.attack_message(key.target, key.height, setting));
        }
        self.on_started(key.id, kind, now);
        Ok(())
    }

    /// Ends the request of an attack key whose attack has not been sent.
    pub(super) fn drop_attack_key(&mut self, why: CancelReason, now: f64) {
        if let Some(key) = self.local().combat.key.take() {
            self.emit(key.id, RequestKind::Attack(key.target), RequestProgress::Cancelled(why), now);
        }
    }

    /// Cancels an attack on another target, sent twice as recorded, and ends the request of any attack.
    fn change_target(&mut self, target: Guid, now: f64) {
        let is_other = self.local().combat.target.is_some_and(|old| old != target);
        if is_other && self.local().combat.is_active() {
            for _ in 0..2 {
                self.local().send(GameActionBody::CancelAttack(CancelAttack));
            }
            self.local().combat.repeats = false;
        }
        let replaced = self.local().requests.replace_attack();
        self.emit_step(replaced, now);
    }

    fn send_attack(&mut self, kind: RequestKind, message: GameActionBody<'static>) {
        self.local().send(message);
        if let RequestKind::Attack(target) = kind {
            self.local().combat.on_sent(target);
        }
    }

    /// Stops the player completely and sends a `MoveToState`, unless the server controls the player.
    #[doc(alias = "MaybeStopCompletely")]
    fn stop_unless_controlled(&mut self, now: f64) {
        if !self.keyboard().controlled_by_server {
            self.with_cause(CancelReason::Request, now, |player| player.stop_completely(now));
        }
    }

    fn attack_message(&self, target: Guid, height: AttackHeight, power: f32) -> GameActionBody<'static> {
        let style = self.own().map(|own| own.entity().interp.interpreted.style).unwrap_or_default();
        if MISSILE_STANCES.contains(&style) {
            GameActionBody::TargetedMissileAttack(TargetedMissileAttack { target, height, accuracy: power })
        } else {
            GameActionBody::TargetedMeleeAttack(TargetedMeleeAttack { target, height, power })
        }
    }
}
