//! `PlayerCreate` (F746): the server names the local player (rule D3).

use acmotion_types::Guid;
use acmotion_wire::PlayerCreate;

use crate::world::{Identity, World};

impl World {
    /// Messages that waited for the player to be known are handled next. This one never waits itself.
    #[doc(alias = "CreatePlayer")]
    pub(in crate::world) fn on_player_create(&mut self, created: &PlayerCreate) {
        self.player.identity = Identity::Known(created.guid);
        self.replay_waiting(Guid::NONE);
    }
}
