//! `CombatCommenceAttack` (game event 0x01B8): the server starts the next swing of the player.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_combat_commence_attack(
        &mut self,
        event: &GameEventBody<'_>,
        now: f64,
    ) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
