//! The local player's state in a world: keys, requests, what was last sent to the server, and the send queue.

use std::collections::VecDeque;

use acmotion_types::ActionStamp;
use acmotion_wire::{ActionItem, C2S, GameAction, GameActionBody};

use super::combat::Combat;
use super::follow::Following;
use super::message;
use super::ordered_movement::OrderedMovement;
use super::progress::RequestTracker;
use super::skills::Qualities;
use super::{Heartbeat, Keyboard, RequestId, RequestKind};
use crate::message_batch::MessageBatch;
use crate::world::{EntityId, Resident};

/// The maximum number of messages in the send queue.
const MAX_OUTBOUND: usize = 1 << 16;
/// The number of messages dropped at a time from a send queue that is full.
const DROPPED_AT_ONCE: usize = 1 << 10;

/// A request that waits until the body is ready for it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct QueuedRequest {
    pub(super) id: RequestId,
    pub(super) kind: RequestKind,
    /// The message that asks the server, for a request that the server decides.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_with::game_action"))]
    pub(super) message: Option<GameActionBody<'static>>,
}

/// The local player's command interpreter (rule K1), requests and send queue.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LocalPlayer {
    pub(super) keyboard: Keyboard,
    pub(super) heartbeat: Heartbeat,
    pub(super) qualities: Qualities,
    /// The time at which the charge of a jump started, in seconds; `None` if no jump is being charged.
    pub(super) jump_start: Option<f64>,
    pub(super) action_stamp: ActionStamp,
    /// The time at which a mouse turn was last sent, in seconds.
    pub(super) mouse_sent: f64,
    /// Whether [`World::player_mut`](crate::World::player_mut) has been called: nothing is sent for a player that is only
    /// watched.
    pub(super) is_played: bool,
    /// Whether the command interpreter is enabled (rule K1).
    pub(super) is_enabled: bool,
    /// Whether the first `MoveToState`, in the first frame in a cell, has been sent.
    pub(super) has_entered: bool,
    /// The movement of the player's own order as it was last sent.
    pub(super) ordered_movement: OrderedMovement,
    /// The body that the controls moved last.
    pub(super) body: Option<EntityId>,
    pub(super) combat: Combat,
    pub(super) following: Option<Following>,
    pub(super) queued: VecDeque<QueuedRequest>,
    pub(super) requests: RequestTracker,
    pub(super) outbound: MessageBatch,
    sequence: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    actions: Vec<ActionItem>,
}

impl Default for LocalPlayer {
    fn default() -> Self {
        Self {
            keyboard: Keyboard::default(),
            heartbeat: Heartbeat::default(),
            qualities: Qualities::default(),
            jump_start: None,
            action_stamp: ActionStamp::new(1),
            mouse_sent: f64::NEG_INFINITY,
            is_played: false,
            is_enabled: true,
            has_entered: false,
            ordered_movement: OrderedMovement::NONE,
            body: None,
            combat: Combat::default(),
            following: None,
            queued: VecDeque::new(),
            requests: RequestTracker::default(),
            outbound: MessageBatch::new(),
            sequence: 0,
            actions: Vec::new(),
        }
    }
}

impl LocalPlayer {
    /// Moves all stored times by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        self.heartbeat.last_sent_time += by;
        self.mouse_sent += by;
        if let Some(start) = &mut self.jump_start {
            *start += by;
        }
        self.combat.shift_times(by);
        if let Some(following) = &mut self.following {
            following.shift_times(by);
        }
        self.requests.last_update += by;
        let exchanges = self.requests.tracked.iter_mut().filter_map(|request| request.exchange.as_mut());
        exchanges.for_each(|exchange| exchange.shift_times(by));
    }

    /// Queues a message under the next sequence number. If the queue is full, the oldest messages are dropped.
    pub(super) fn send(&mut self, action: GameActionBody<'_>) {
        if self.outbound.len() >= MAX_OUTBOUND {
            self.outbound.remove_oldest(DROPPED_AT_ONCE);
        }
        self.sequence = self.sequence.wrapping_add(1);
        let message = C2S::GameAction(GameAction { sequence: self.sequence, action });
        self.outbound.push_with(|bytes| message.encode(bytes));
    }

    /// Queues a `MoveToState` with the raw state (rule K6) and the movement of the player's own order.
    pub(super) fn send_movement(&mut self, own: &Resident, now: f64) {
        let mut actions = std::mem::take(&mut self.actions);
        let raw = self.ordered_movement.added_to(&own.entity().interp.raw);
        let stamps = message::echoed(own.stamps());
        let message = message::move_to_state(&raw, own.entity(), stamps, &mut actions);
        self.send(GameActionBody::MoveToState(message));
        self.actions = actions;
        self.heartbeat.on_move_to_state(now);
    }

    /// Queues an `AutonomousPosition` if the player stands at a valid position (rule K7).
    pub(super) fn send_position(&mut self, own: &Resident, now: f64) {
        if self.heartbeat.try_send(now, &own.body().into()) {
            let message = message::autonomous_position(own.entity(), message::echoed(own.stamps()));
            self.send(GameActionBody::AutonomousPosition(message));
        }
    }
}

#[cfg(feature = "serde")]
impl LocalPlayer {
    /// Checks the state of a player that was read from a snapshot.
    pub(crate) fn check(&self) -> crate::restore::Checked {
        self.outbound.check()?;
        crate::restore::require_finite(&self.heartbeat, "a position that is not finite")
    }
}

#[cfg(test)]
mod tests {
    use acmotion_wire::CancelAttack;

    use super::*;

    #[test]
    fn a_send_queue_that_is_not_drained_is_bounded_and_keeps_the_newest() {
        let mut player = LocalPlayer::default();
        for _ in 0..MAX_OUTBOUND + 10 {
            player.send(GameActionBody::CancelAttack(CancelAttack));
        }
        assert_eq!(player.outbound.len(), MAX_OUTBOUND - DROPPED_AT_ONCE + 10);
        assert_eq!(player.sequence as usize, MAX_OUTBOUND + 10);
    }

    /// A clock that is set back moves every time that the player has stored.
    #[test]
    fn all_times_follow_the_clock() {
        let mut player = LocalPlayer::default();
        player.heartbeat.last_sent_time = 100.0;
        player.mouse_sent = 101.0;
        player.jump_start = Some(102.0);
        player.requests.last_update = 103.0;
        player.shift_times(-50.0);
        assert_eq!((player.heartbeat.last_sent_time, player.mouse_sent), (50.0, 51.0));
        assert_eq!((player.jump_start, player.requests.last_update), (Some(52.0), 53.0));
    }
}
