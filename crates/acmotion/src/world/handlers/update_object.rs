//! `UpdateObject` (F7DB): a known object is destroyed and created anew, even under the same instance (rule D12).

use acmotion_wire::UpdateObject;

use super::{Handled, Unhandled};
use crate::gate::{self, CreateVerdict};
use crate::world::{Rejection, World};

impl World {
    pub(in crate::world) fn on_update_object(&mut self, object: &UpdateObject<'_>, now: f64) -> Handled {
        let desc = &object.0;
        self.check_parent(desc)?;
        let known = self.instance_at(self.store.index_of(desc.guid));
        if let CreateVerdict::Drop(stale) = gate::check_create(known, desc.physics.stamps.instance, true) {
            return Err(Unhandled::Rejected { guid: desc.guid, reason: Rejection::Stale(stale) });
        }
        self.create_object(desc, now);
        Ok(())
    }
}
