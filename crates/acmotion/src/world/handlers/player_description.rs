//! `PlayerDescription` (game event 0x0013): the local player's attributes, skills and burden (rule K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_player_description(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
