//! `PlayerTeleport` (F751): the local player is about to be teleported (rules D11, P7).

use acmotion_wire::PlayerTeleport;

use super::Handled;
use crate::gate::{self, Action};
use crate::world::{EventKind, World};

impl World {
    /// Puts the player into portal space, unless the stamp is older than the last teleport. Ignored while the player has no
    /// body.
    pub(in crate::world) fn on_player_teleport(&mut self, teleport: &PlayerTeleport, now: f64) -> Handled {
        let Some(guid) = self.player.guid() else { return Ok(()) };
        let Some(index) = self.store.index_of(guid) else { return Ok(()) };
        let stamp = teleport.teleport;
        let decided = self.decide(index, now, |resident, _| gate::player_teleport(&resident.stamps, stamp));
        if decided.is_some_and(|actions| actions.contains(&Action::EnterPortalSpace)) {
            self.player.enter_portal_space();
            self.emit(guid, EventKind::PortalSpace(true), now);
        }
        Ok(())
    }
}
