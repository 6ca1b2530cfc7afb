//! `PrivateUpdateAttribute` (02E3): an attribute of the local player changes (rule K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_private_update_attribute(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
