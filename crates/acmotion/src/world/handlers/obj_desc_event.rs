//! `ObjDescEvent` (F625): an object's appearance changes (rule D4). Motion depends only on the stamp.

use acmotion_types::Stamp;
use acmotion_wire::ObjDescEvent;

use super::Handled;
use crate::gate;
use crate::world::World;

impl World {
    pub(in crate::world) fn on_obj_desc_event(&mut self, event: &ObjDescEvent<'_>, now: f64) -> Handled {
        let index = self.check_instance(event.guid, event.instance)?;
        self.update_visual_desc(index, event.visual_desc, now);
        Ok(())
    }

    /// Decides on a new appearance, which advances the stamp and changes nothing else.
    pub(super) fn update_visual_desc(&mut self, index: usize, stamp: Stamp, now: f64) {
        self.decide(index, now, |resident, _| gate::obj_desc(&mut resident.stamps, stamp));
    }
}
