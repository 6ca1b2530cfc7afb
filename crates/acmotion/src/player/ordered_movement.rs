//! What the server is sent while the player follows a request to walk or turn.
//!
//! The original never does this: its player walks by keys, or because the server ordered it, and then the server knows.
//! Here the messages are those that keys would have caused: whenever the body's movement changes, a `MoveToState` reports
//! it, so that the server shows other clients a walking player instead of one that jumps ahead once a second. Movement
//! that the *server* ordered is not sent back, as recorded.

use acmotion_types::MotionCommand;
use acmotion_wire::HoldKey;

use super::Controls;
use crate::interp::{RawAxis, RawState};
use crate::steer::MoveTo;

/// The movement that the player's own order causes, expressed as key commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct OrderedMovement {
    forward: MotionCommand,
    turn: MotionCommand,
    /// The run key as if it were held or not; [`HoldKey::INVALID`] leaves it as it is.
    hold_key: HoldKey,
}

impl OrderedMovement {
    /// No movement.
    pub(super) const NONE: Self =
        Self { forward: MotionCommand::READY, turn: MotionCommand::NONE, hold_key: HoldKey::INVALID };

    fn of(order: &MoveTo) -> Self {
        let (command, aux) = (order.current_command(), order.aux_command());
        let (forward, turn) = match command {
            MotionCommand::NONE => return Self::NONE,
            MotionCommand::TURN_LEFT | MotionCommand::TURN_RIGHT => (MotionCommand::READY, command),
            _ => (command, aux),
        };
        Self { forward, turn, hold_key: order.params().hold_key }
    }

    /// Returns the raw state of the keys with this movement added. As with keys, no axis has a hold key of its own
    /// (recorded).
    pub(super) fn added_to(self, keys: &RawState) -> RawState {
        let mut raw = keys.clone();
        if self == Self::NONE {
            return raw;
        }
        raw.forward = RawAxis::new(self.forward);
        raw.turn = RawAxis::new(self.turn);
        if self.hold_key != HoldKey::INVALID {
            raw.current_hold_key = self.hold_key;
        }
        raw
    }
}

impl Controls<'_> {
    /// Sends a `MoveToState` if the ordered movement has changed since the last one. A change by keys has been sent
    /// already, and one by the server is known there.
    pub(super) fn send_ordered_movement(&mut self, now: f64) {
        if self.ordered_movement() != self.local().ordered_movement {
            self.send_movement(now);
        }
    }

    /// Returns the movement that the player's own order causes now. Orders of the server do not count.
    pub(super) fn ordered_movement(&self) -> OrderedMovement {
        if self.keyboard().controlled_by_server || !self.world.local.requests.is_ordered() {
            return OrderedMovement::NONE;
        }
        let order = self.own().and_then(|own| own.entity().move_to.as_deref());
        order.filter(|order| order.is_under_way()).map_or(OrderedMovement::NONE, OrderedMovement::of)
    }
}
