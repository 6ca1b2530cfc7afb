//! `UseDone` (game event 0x01C7): the player has used an object or cast a spell, or has failed to.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_use_done(&mut self, event: &GameEventBody<'_>, now: f64) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
