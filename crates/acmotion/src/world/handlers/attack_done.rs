//! `AttackDone` (game event 0x01A7): a swing of the player is over, or its attack has failed.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_attack_done(&mut self, event: &GameEventBody<'_>, now: f64) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
