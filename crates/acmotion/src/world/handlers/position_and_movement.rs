//! `PositionAndMovement` (F619): a position, and a movement that is handled only if the position was processed (rule D4).

use acmotion_wire::PositionAndMovement;

use super::Handled;
use crate::gate::{MotionReport, PositionReport};
use crate::world::World;

impl World {
    pub(in crate::world) fn on_position_and_movement(
        &mut self,
        update: &PositionAndMovement<'_>,
        now: f64,
    ) -> Handled {
        let PositionAndMovement { guid, pack, data } = update;
        self.add_stand_in_if_unknown(*guid, pack, now);
        let index = self.check_instance(*guid, pack.instance)?;
        let placement = pack.placement.unwrap_or(0);
        if self.handle_received_position(index, &pack.position, PositionReport::from(pack), placement, now) {
            self.set_object_movement(index, &data.movement, MotionReport::from(data), now);
        }
        Ok(())
    }
}
