//! `MagicUpdateEnchantment` (game event 0x02C2): an enchantment of the local player starts or changes (rule K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_magic_update_enchantment(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
