//! `PublicUpdatePropertyInt` (02CE): an integer property of an object changes, which counts if it is the local
//! player (rule K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_public_update_property_int(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
