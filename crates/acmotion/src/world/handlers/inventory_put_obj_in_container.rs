//! `InventoryPutObjInContainer` (game event 0x0022): an item was put into a container.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_inventory_put_obj_in_container(
        &mut self,
        event: &GameEventBody<'_>,
        now: f64,
    ) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
