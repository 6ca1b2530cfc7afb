//! The identity and the teleport state of the local player (rules B1, D3, D11).

use std::sync::Arc;

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{EchoedStamps, ObjectStamps};

use super::handlers::usable_position;
use super::{EventKind, World};
use crate::entity::MotionEvent;
use crate::gate::FULL_AUTONOMY;
use crate::interp::Weenie;
use crate::player::RequestEvent;

/// The identity of the local player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Identity {
    /// No local player, until a `PlayerCreate` message names one.
    #[default]
    NoPlayer,
    /// No local player yet: all messages wait until a `PlayerCreate` message names one, as in the original (rule D3).
    Awaited,
    /// The entity with this guid.
    Known(Guid),
}

/// The state of the local player.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::Guid;
/// use acmotion::{Identity, PlayerState, Settings, World};
///
/// let settings = Settings { player: Identity::Known(Guid(0x5000_0001)), ..Settings::default() };
/// let world = World::with_settings(Assets::mannequin(), settings);
/// let player: &PlayerState = world.player();
/// assert_eq!(player.guid(), Some(Guid(0x5000_0001)));
/// assert_eq!(player.autonomy, 2, "its client decides where it is");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerState {
    pub(super) identity: Identity,
    /// The last position given to [`World::set_player_position`].
    pub(super) position: Option<CellPosition>,
    /// The autonomy level: 2 in normal play (rule D6).
    #[doc(alias = "autonomy_level")]
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

    /// The player's guid, `None` if it is not known.
    pub fn guid(&self) -> Option<Guid> {
        match self.identity {
            Identity::Known(guid) => Some(guid),
            Identity::NoPlayer | Identity::Awaited => None,
        }
    }

    /// Returns `true` if the player is in portal space (rule D11).
    pub fn is_waiting_for_teleport(&self) -> bool {
        self.waiting_for_teleport
    }

    /// Returns `true` from the announcement of a teleport, and at login, until the player has arrived (rule D11).
    #[doc(alias = "teleport_in_progress")]
    pub fn is_teleporting(&self) -> bool {
        self.guid().is_some() && !self.position_update_complete
    }

    /// Returns `true` if the player has arrived from a teleport (rule B1).
    pub fn has_been_teleported(&self) -> bool {
        self.has_been_teleported
    }

    /// Ends a teleport at the start of a client frame, unless the player is still in portal space (rule B1).
    pub(super) fn complete_position_update(&mut self, exists: bool) {
        if exists && !self.waiting_for_teleport && !self.position_update_complete {
            self.position_update_complete = true;
            self.has_been_teleported = true;
        }
    }

    /// Starts a teleport that has been announced (rule D11).
    pub(super) fn enter_portal_space(&mut self) {
        self.position_update_complete = false;
        self.has_been_teleported = false;
        self.waiting_for_teleport = true;
    }

    /// Leaves portal space, because the position after the teleport has been received (rule D6).
    pub(super) fn teleported(&mut self) {
        self.position_update_complete = false;
        self.has_been_teleported = false;
        self.waiting_for_teleport = false;
    }
}

impl World {
    /// Sets the local player's weenie, which determines run rate, jump velocity and load. Until this is called, or the
    /// server describes the player, they are not known: see [`UndescribedPlayer`](crate::interp::UndescribedPlayer).
    pub fn set_player_weenie(&mut self, weenie: Arc<dyn Weenie>) {
        if let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) {
            resident.entity.set_weenie(Some(Arc::clone(&weenie)));
        }
        self.player_weenie = weenie;
    }

    /// Returns `true` if the local player announces keys that it resumes.
    pub(crate) fn announces_resumed_keys(&self) -> bool {
        self.settings.announces_resumed_keys
    }

    /// Sets whether the local player announces keys that it resumes.
    pub(crate) fn set_announces_resumed_keys(&mut self, announces: bool) {
        self.settings.announces_resumed_keys = announces;
    }

    /// Moves the local player's body to a position, for callers that control the player by other means. If it has no body,
    /// the position is only remembered for [`player_position`](Self::player_position). With `has_contact` the body stands
    /// there, so that unknown ground is at that height; otherwise it is in the air.
    pub fn set_player_position(&mut self, position: &CellPosition, has_contact: bool, now: f64) {
        let now = self.accept_time(now);
        self.player.position = Some(*position);
        let Some(resident) = self.player.guid().and_then(|guid| self.store.find_mut(guid)) else { return };
        let Some(position) = usable_position(position, &resident.position()) else { return };
        if has_contact || resident.is_below_ground(&position) {
            resident.set_reported(&position, &self.settings);
        }
        let (guid, is_in_cell) = (resident.guid(), resident.body().is_in_cell());
        self.store.houses_mut().stop_waiting(guid);
        self.act(guid, now, |actor, surroundings| {
            if has_contact || !is_in_cell {
                actor.set_position(&position, true, surroundings);
            } else {
                actor.apply_client_position_in_air(&position);
            }
        });
    }

    /// Adds a stand-in for the local player at a position that its own client sent, if the player is known, was never
    /// created, and [`stand_ins_for_unknown`](super::Settings::stand_ins_for_unknown) is set. `stamps` are those that the
    /// client sent with the position: the newest that it had received. Messages that waited for the player are handled
    /// next.
    pub fn add_player_stand_in(&mut self, position: &CellPosition, stamps: &EchoedStamps, now: f64) {
        let now = self.accept_time(now);
        let Some(guid) = self.player.guid().filter(|_| self.settings.stand_ins_for_unknown) else { return };
        if self.store.index_of(guid).is_some() {
            return;
        }
        let id = self.add_stand_in(guid, position, now);
        if let Some(resident) = self.store.get_mut(id) {
            resident.stamps = ObjectStamps {
                server_control: stamps.server_control,
                teleport: stamps.teleport,
                force_position: stamps.force_position,
                instance: stamps.instance,
                ..ObjectStamps::default()
            };
        }
        self.replay_waiting(guid);
    }

    /// Starts or stops keeping the motion events of the player's body for its requests.
    pub(crate) fn track_player_events(&mut self, listens: bool) {
        self.events.tracked = self.player.guid().filter(|_| listens);
    }

    /// Removes and returns the motion events of the player's body, if they are [kept](Self::listen_to_player).
    pub(crate) fn take_player_events(&mut self) -> Vec<MotionEvent> {
        self.events.take_player_events()
    }

    /// Reports the progress of a request to the player.
    pub(crate) fn emit_request(&mut self, event: RequestEvent, now: f64) {
        if let Some(guid) = self.player.guid() {
            self.emit(guid, EventKind::Request(event), now);
        }
    }
}
