//! `WieldItem` (game event 0x0023): the player wields an item.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_wield_item(&mut self, event: &GameEventBody<'_>, now: f64) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
