//! A player who goes somewhere by himself, without keys, tells the server what he does on the way.
//!
//! The original never does that: its player walks by keys, or because the server sent him, and then the server knows. The
//! messages are the ones that keys would have caused: whenever what the body does changes, a `MoveToState` says it, so
//! that the server shows the others a player who walks instead of one who is somewhere else once a second. What the *server*
//! orders is not told back, as recorded.

use acmotion_types::MotionCommand;
use acmotion_wire::HoldKey;

use super::Controls;
use crate::interp::{RawAxis, RawState};
use crate::steer::MoveTo;

/// What an order of his own has the player do, in the words of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OwnWay {
    forward: MotionCommand,
    turn: MotionCommand,
    /// The run key, as if it were held or not; [`HoldKey::INVALID`] if it stays as it is.
    hold_key: HoldKey,
}

impl OwnWay {
    /// He stands, as far as orders go.
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

    /// What the keys ask for, and this besides. As of keys, no axis has a hold key of its own (recorded).
    pub(super) fn told_in(self, keys: &RawState) -> RawState {
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
    /// What he does on a way of his own is told if it is something else than before. When keys took over, they have told
    /// it; when the server did, it knows.
    pub(super) fn tell_own_way(&mut self, now: f64) {
        if self.own_way() != self.local().own_way {
            self.send_movement(now);
        }
    }

    /// What an order of his own has him do now. What the server has him do is none.
    pub(super) fn own_way(&self) -> OwnWay {
        if self.keyboard().controlled_by_server || !self.world.local.tasks.is_ordered() {
            return OwnWay::NONE;
        }
        let order = self.own().and_then(|own| own.entity().move_to.as_deref());
        order.filter(|order| order.is_under_way()).map_or(OwnWay::NONE, OwnWay::of)
    }
}
