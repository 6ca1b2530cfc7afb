//! Who the local player is, and whether he is between places (rules B1, D3, D11).

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid};

use super::handlers::usable_position;
use super::{EventKind, World};
use crate::entity::MotionEvent;
use crate::gate::FULL_AUTONOMY;
use crate::interp::Weenie;
use crate::player::RequestEvent;

/// Who the local player is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Identity {
    /// Nobody, until a message says who.
    #[default]
    Nobody,
    /// Nobody yet: messages wait until one says who, as in the original (rule D3).
    Awaited,
    /// This one.
    Known(Guid),
}

/// The local player's situation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerState {
    pub(super) identity: Identity,
    pub(super) position: Option<CellPosition>,
    /// How freely the player moves: 2 in normal play (rule D6).
    pub autonomy: u32,
    pub(super) waiting_for_teleport: bool,
    pub(super) position_update_complete: bool,
    pub(super) has_been_teleported: bool,
}

impl PlayerState {
    pub(super) fn new(identity: Identity) -> Self {
        Self {
            identity,
            position: None,
            autonomy: FULL_AUTONOMY,
            waiting_for_teleport: false,
            position_update_complete: false,
            has_been_teleported: false,
        }
    }

    /// Who it is, if that is known.
    pub fn guid(&self) -> Option<Guid> {
        match self.identity {
            Identity::Known(guid) => Some(guid),
            Identity::Nobody | Identity::Awaited => None,
        }
    }

    /// Is the player in portal space (rule D11)?
    pub fn is_waiting_for_teleport(&self) -> bool {
        self.waiting_for_teleport
    }

    /// Is the player not yet where a teleport leads (rule D11)?
    #[doc(alias = "teleport_in_progress")]
    pub fn is_teleporting(&self) -> bool {
        self.guid().is_some() && !self.position_update_complete
    }

    /// Has the player arrived from a teleport (rule B1)?
    pub fn has_been_teleported(&self) -> bool {
        self.has_been_teleported
    }

    /// The start of a frame: a player who waits for nothing has arrived (rule B1).
    pub(super) fn settle(&mut self, exists: bool) {
        if exists && !self.waiting_for_teleport && !self.position_update_complete {
            self.position_update_complete = true;
            self.has_been_teleported = true;
        }
    }

    /// The teleport is announced (rule D11).
    pub(super) fn enter_portal_space(&mut self) {
        self.position_update_complete = false;
        self.has_been_teleported = false;
        self.waiting_for_teleport = true;
    }

    /// The teleport's position is here (rule D6).
    pub(super) fn teleported(&mut self) {
        self.position_update_complete = false;
        self.has_been_teleported = false;
        self.waiting_for_teleport = false;
    }
}

impl World {
    /// Sets what the game knows about the local player: run rate, jump, load.
    pub fn set_player_weenie(&mut self, weenie: Arc<dyn Weenie>) {
        if let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) {
            resident.entity.set_weenie(Some(Arc::clone(&weenie)));
        }
        self.player_weenie = weenie;
    }

    /// Moves the local player's body to a position, for a caller that controls the player by other means. Without a body the
    /// position is only remembered, for [`player_position`](Self::player_position).
    pub fn set_player_position(&mut self, position: &CellPosition, now: f64) {
        self.player.position = Some(*position);
        let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) else { return };
        let Some(position) = usable_position(position, &resident.position()) else { return };
        resident.set_reported(&position, &self.settings);
        let guid = resident.guid();
        self.act(guid, now, |actor, surroundings| actor.set_position(&position, true, surroundings));
    }

    /// From now on what happens to the player's body is kept for his requests, or not any more.
    pub(crate) fn listen_to_player(&mut self, listens: bool) {
        self.events.heard = self.player.guid().filter(|_| listens);
    }

    /// What happened to the player's body since it was last asked, if somebody [listens](Self::listen_to_player).
    pub(crate) fn heard_of_player(&mut self) -> Vec<MotionEvent> {
        self.events.take_heard()
    }

    /// A request of the player got a step further.
    pub(crate) fn tell_request(&mut self, event: RequestEvent, now: f64) {
        if let Some(guid) = self.player.guid() {
            self.events.push(now, guid, EventKind::Request(event));
        }
    }
}
