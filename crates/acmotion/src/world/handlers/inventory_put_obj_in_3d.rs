//! `InventoryPutObjIn3D` (game event 0x019A): an item was dropped.

use acmotion_wire::GameEventBody;

use super::Handled;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_inventory_put_obj_in_3d(
        &mut self,
        event: &GameEventBody<'_>,
        now: f64,
    ) -> Handled {
        self.answer_player(event, now);
        Ok(())
    }
}
