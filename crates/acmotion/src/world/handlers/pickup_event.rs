//! `PickupEvent` (F74A): an object is picked up and leaves its cell (rules C14, D11).

use acmotion_types::Stamp;
use acmotion_wire::PickupEvent;

use super::Handled;
use crate::gate::{self, Action};
use crate::world::World;

impl World {
    pub(in crate::world) fn on_pickup_event(&mut self, event: &PickupEvent, now: f64) -> Handled {
        let index = self.check_instance(event.guid, event.instance)?;
        self.do_pickup_event(index, event.position, now);
        Ok(())
    }

    /// Decides on taking the object out of the world, and does it (rule D11).
    pub(super) fn do_pickup_event(&mut self, index: usize, position: Stamp, now: f64) {
        let decided =
            self.decide(index, now, |resident, _| gate::pickup_event(&mut resident.stamps, position));
        let Some(actions) = decided else { return };
        if actions.contains(&Action::LeaveWorld) {
            self.leave_world_at(index, now);
        }
    }
}
