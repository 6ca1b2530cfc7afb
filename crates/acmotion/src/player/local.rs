//! The player's side of a world: what he holds, what he told the server, and what is still to be sent.

use std::collections::VecDeque;

use acmotion_types::ActionStamp;
use acmotion_wire::{Action, ActionItem, C2S, GameAction};

use super::message;
use super::progress::Tasks;
use super::self_steering::OwnWay;
use super::{Heartbeat, Keyboard, Qualities, RequestId, RequestKind};
use crate::world::{EntityId, Resident};

/// How many messages wait at most to be taken out.
const MAX_OUTBOUND: usize = 1 << 16;

/// A request that waits until the body is ready.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Parked {
    pub(super) id: RequestId,
    pub(super) kind: RequestKind,
}

/// The local player's command interpreter with its surroundings (rule K1).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LocalPlayer {
    pub(super) keyboard: Keyboard,
    pub(super) heartbeat: Heartbeat,
    pub(super) qualities: Qualities,
    /// Since when a jump is being charged.
    pub(super) jump_since: Option<f64>,
    pub(super) action_stamp: ActionStamp,
    /// When the server last heard of a turn by mouse.
    pub(super) mouse_told: f64,
    /// Whether [`World::player_mut`](crate::World::player_mut) has been called: nothing is sent for a player that is only
    /// watched.
    pub(super) is_played: bool,
    /// Whether the command interpreter is enabled (rule K1).
    pub(super) is_enabled: bool,
    /// Has he told the server that he is there?
    pub(super) has_entered: bool,
    /// What an order of his own has him do, as it was last told.
    pub(super) own_way: OwnWay,
    /// The body that the keys last moved.
    pub(super) body: Option<EntityId>,
    pub(super) parked: VecDeque<Parked>,
    pub(super) tasks: Tasks,
    pub(super) outbound: VecDeque<Vec<u8>>,
    sequence: u32,
    actions: Vec<ActionItem>,
}

impl Default for LocalPlayer {
    fn default() -> Self {
        Self {
            keyboard: Keyboard::default(),
            heartbeat: Heartbeat::default(),
            qualities: Qualities::default(),
            jump_since: None,
            action_stamp: ActionStamp::new(1),
            mouse_told: f64::NEG_INFINITY,
            is_played: false,
            is_enabled: true,
            has_entered: false,
            own_way: OwnWay::NONE,
            body: None,
            parked: VecDeque::new(),
            tasks: Tasks::default(),
            outbound: VecDeque::new(),
            sequence: 0,
            actions: Vec::new(),
        }
    }
}

impl LocalPlayer {
    /// Puts a message out, numbered. If nobody takes them out, the oldest are lost.
    pub(super) fn send(&mut self, action: Action<'_>) {
        if self.outbound.len() >= MAX_OUTBOUND {
            self.outbound.pop_front();
        }
        self.sequence = self.sequence.wrapping_add(1);
        let mut bytes = Vec::new();
        C2S::GameAction(GameAction { sequence: self.sequence, action }).encode(&mut bytes);
        self.outbound.push_back(bytes);
    }

    /// What the keys ask for (rule K6), or an order of his own has him do.
    pub(super) fn send_movement(&mut self, own: &Resident, now: f64) {
        let mut actions = std::mem::take(&mut self.actions);
        let raw = self.own_way.told_in(&own.entity().interp.raw);
        let stamps = message::echoed(own.stamps());
        let message = message::move_to_state(&raw, own.entity(), stamps, &mut actions);
        self.send(Action::MoveToState(message));
        self.actions = actions;
        self.heartbeat.moved(now);
    }

    /// Where the player is, if he stands (rule K7).
    pub(super) fn send_position(&mut self, own: &Resident, now: f64) {
        if self.heartbeat.tell(now, &own.body().into()) {
            let message = message::autonomous_position(own.entity(), message::echoed(own.stamps()));
            self.send(Action::AutonomousPosition(message));
        }
    }
}
