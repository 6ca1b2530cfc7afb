//! `PrivateUpdateAttribute2ndLevel` (02E9): a vital of the local player changes (rules F20, K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_private_update_attribute_2nd_level(
        &mut self,
        message: &S2C<'_>,
        now: f64,
    ) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
