//! `PublicUpdateSkillLevel` (02E0): the ranks of a skill of an object change, which counts if it is the local player
//! (rule K10).

use acmotion_wire::S2C;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_public_update_skill_level(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        self.update_player_qualities(message, now);
        Ok(())
    }
}
