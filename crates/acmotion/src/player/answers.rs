//! The server's answers to the requests that it decides, and how these end.
//!
//! Recorded (`docs/recorded.md`, January 2017): each of 63 uses and 4 uses of a tool was followed by a `UseDone`; 19 of
//! 20 items that were picked up were answered by an `InventoryPutObjInContainer`, 7 of 7 that were wielded by a
//! `WieldItem`, 3 of 6 that were dropped by an `InventoryPutObjIn3D`; the others had no answer of a known layout. An
//! attack is a series of swings, each ended by an `AttackDone` (37); the server starts the next with a
//! `CombatCommenceAttack` (28), 0 to 0.67 s later: the more power was requested, the longer it takes. `AttackDone` with
//! an error (2, code 0x38) ends the series.

use acmotion_types::{Guid, MotionCommand};
use acmotion_wire::{GameEventBody, Movement, MovementBody};

use super::progress::{RequestEvent, RequestTracker, TrackedRequest};
use super::{CancelReason, Controls, RequestKind, RequestProgress};
use crate::World;

/// The time, in seconds, after a swing within which the server may repeat the attack: that of a full power bar, plus a
/// margin for the network.
const REPEAT_SECONDS: f64 = 1.5;
/// The time, in seconds, after which a request counts as unanswered, if the body has been at rest all that time.
const ANSWER_SECONDS: f64 = 10.0;

/// What the server has answered to a request so far.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Exchange {
    /// The time at which the request was sent or last answered, or at which the body last moved for it, in seconds.
    last_sign: f64,
    /// The time at which the last swing was done, in seconds; `None` while a swing is under way.
    swing_done: Option<f64>,
    /// Why the server has been asked to cancel the request; `None` if it has not.
    pub(super) cancelled: Option<CancelReason>,
}

impl Exchange {
    pub(super) fn new(now: f64) -> Self {
        Self { last_sign: now, swing_done: None, cancelled: None }
    }

    /// Moves the stored times by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.last_sign += by;
        if let Some(done) = &mut self.swing_done {
            *done += by;
        }
    }

    /// Returns the last step if no further answer is expected. `is_busy`: whether the body is moving.
    pub(super) fn last_step(&mut self, is_busy: bool, now: f64) -> Option<RequestProgress> {
        if let Some(done) = self.swing_done {
            return (now > done + REPEAT_SECONDS).then_some(RequestProgress::Done);
        }
        if is_busy {
            self.last_sign = now;
        }
        let is_over = now > self.last_sign + ANSWER_SECONDS;
        is_over.then(|| RequestProgress::Cancelled(self.cancelled.unwrap_or(CancelReason::Unanswered)))
    }
}

/// Returns how an error code ends a request, 0 being success.
fn by_code(code: u32) -> RequestProgress {
    match code {
        0 => RequestProgress::Done,
        code => RequestProgress::Cancelled(CancelReason::ServerError(code)),
    }
}

/// Returns the last step of a request that the server has answered: an error is what a cancelled request asked for.
fn answered(request: &TrackedRequest, progress: RequestProgress) -> RequestProgress {
    match (progress, request.exchange.and_then(|exchange| exchange.cancelled)) {
        (RequestProgress::Cancelled(CancelReason::ServerError(_)), Some(why)) => {
            RequestProgress::Cancelled(why)
        }
        _ => progress,
    }
}

fn is_attack(kind: RequestKind) -> bool {
    matches!(kind, RequestKind::Attack(_))
}

impl RequestTracker {
    /// Returns the number of requests that wait for an answer from the server.
    pub(super) fn unanswered(&self) -> usize {
        self.tracked.iter().filter(|request| request.kind.is_answered()).count()
    }

    /// Ends the attack that is tracked, if any, in favour of a newer one.
    pub(super) fn replace_attack(&mut self) -> Option<RequestEvent> {
        let why = self.attack_mut().and_then(|request| request.exchange?.cancelled);
        let why = why.unwrap_or(CancelReason::Request);
        self.end(|request| is_attack(request.kind), RequestProgress::Cancelled(why))
    }

    /// Records that the server has been asked to cancel the attack. Returns the number of its request.
    pub(super) fn cancel_attack(&mut self, why: CancelReason) -> Option<super::RequestId> {
        let request = self.attack_mut()?;
        let exchange = request.exchange.as_mut()?;
        exchange.cancelled.get_or_insert(why);
        let id = request.id;
        Some(id)
    }

    /// Records that a request that the server decides has been cancelled, if it is still tracked.
    pub(super) fn set_cancelled(&mut self, id: super::RequestId, why: CancelReason) {
        let request = self.tracked.iter_mut().find(|request| request.id == id);
        if let Some(exchange) = request.and_then(|request| request.exchange.as_mut()) {
            exchange.cancelled.get_or_insert(why);
        }
    }

    /// Returns `true` if a request that the server decides has been cancelled.
    pub(super) fn is_cancelled(&self, id: super::RequestId) -> bool {
        let is_cancelled = |request: &TrackedRequest| {
            request.id == id && request.exchange.is_some_and(|exchange| exchange.cancelled.is_some())
        };
        self.tracked.iter().any(is_cancelled)
    }

    /// Ends a cancelled attack between two swings: no answer is due.
    pub(super) fn end_cancelled_swing(&mut self) -> Option<RequestEvent> {
        let exchange = self.attack_mut()?.exchange?;
        let why = exchange.cancelled.filter(|_| exchange.swing_done.is_some())?;
        self.end(|request| is_attack(request.kind), RequestProgress::Cancelled(why))
    }

    /// Handles a game event. Returns the step of the request that it concerns.
    pub(super) fn on_answer(&mut self, event: &GameEventBody<'_>, now: f64) -> Option<RequestEvent> {
        match event {
            GameEventBody::AttackDone(done) => self.on_attack_done(done.error, now),
            GameEventBody::CombatCommenceAttack(_) => {
                let request = self.attack_mut()?;
                let exchange = request.exchange.as_mut()?;
                exchange.last_sign = now;
                exchange.swing_done.take()?;
                Some(step(request, RequestProgress::Repeated))
            }
            GameEventBody::UseDone(done) => {
                let is_use = |request: &TrackedRequest| {
                    let kind = request.kind;
                    matches!(
                        kind,
                        RequestKind::Use(_) | RequestKind::UseWith { .. } | RequestKind::Cast { .. }
                    )
                };
                let last =
                    answered(self.tracked.iter().find(|request| is_use(request))?, by_code(done.error));
                self.end(is_use, last)
            }
            GameEventBody::InventoryPutObjInContainer(put) => self.item_done(RequestKind::PickUp(put.item)),
            GameEventBody::InventoryPutObjIn3D(put) => self.item_done(RequestKind::Drop(put.item)),
            GameEventBody::WieldItem(wielded) => self.item_done(RequestKind::Wield(wielded.item)),
            _ => None,
        }
    }

    /// Handles a motion that the server imposes. It counts as a step of the oldest request that waits for an answer.
    pub(super) fn on_server_motion(&mut self, motion: MotionCommand, now: f64) -> Option<RequestEvent> {
        let request = self.tracked.iter_mut().find(|request| request.kind.is_answered())?;
        request.exchange.as_mut()?.last_sign = now;
        Some(step(request, RequestProgress::Acting(motion)))
    }

    /// Returns the step of the attack or spell whose attack frame has been played.
    pub(super) fn on_attack_frame(&self) -> Option<RequestEvent> {
        let hits = |kind| is_attack(kind) || matches!(kind, RequestKind::Cast { .. });
        let request = self.tracked.iter().find(|request| hits(request.kind))?;
        Some(step(request, RequestProgress::AttackFrame))
    }

    fn on_attack_done(&mut self, error: u32, now: f64) -> Option<RequestEvent> {
        let request = self.attack_mut()?;
        let exchange = request.exchange.as_mut()?;
        exchange.last_sign = now;
        let last = match exchange.cancelled {
            Some(why) => RequestProgress::Cancelled(why),
            None if error != 0 => by_code(error),
            None => {
                exchange.swing_done = Some(now);
                return Some(step(request, RequestProgress::SwingDone));
            }
        };
        self.end(|request| is_attack(request.kind), last)
    }

    fn item_done(&mut self, kind: RequestKind) -> Option<RequestEvent> {
        self.end(|request| request.kind == kind, RequestProgress::Done)
    }

    fn attack_mut(&mut self) -> Option<&mut TrackedRequest> {
        self.tracked.iter_mut().find(|request| is_attack(request.kind))
    }
}

fn step(request: &TrackedRequest, progress: RequestProgress) -> RequestEvent {
    RequestEvent { id: request.id, kind: request.kind, progress }
}

impl World {
    /// Handles an event that answers a request of the player.
    pub(crate) fn answer_player(&mut self, event: &GameEventBody<'_>, now: f64) {
        self.local.combat.on_event(event);
        if let Some(event) = self.local.requests.on_answer(event, now) {
            self.emit_request(event, now);
        }
    }

    /// Handles a movement that the server imposes on the player: swings and wind-ups come as actions, gestures as forward
    /// commands (recorded).
    pub(crate) fn report_server_motion(&mut self, guid: Guid, movement: &Movement<'_>, now: f64) {
        let MovementBody::Interpreted { state, .. } = &movement.body else { return };
        if self.player.guid() != Some(guid) || self.local.requests.unanswered() == 0 {
            return;
        }
        let forward = state.forward_command.filter(|command| *command != MotionCommand::READY);
        for motion in state.actions.iter().map(|action| action.command).chain(forward) {
            if let Some(event) = self.local.requests.on_server_motion(motion, now) {
                self.emit_request(event, now);
            }
        }
    }
}

impl Controls<'_> {
    /// Emits a step of a request, if there is one.
    pub(super) fn emit_step(&mut self, event: Option<RequestEvent>, now: f64) {
        if let Some(event) = event {
            self.world.emit_request(event, now);
        }
    }
}
