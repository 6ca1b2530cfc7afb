//! `DeleteObject` (F747): an object ceases to exist (rule D11). What it holds is detached.

use acmotion_wire::DeleteObject;

use super::{Handled, Unhandled};
use crate::gate::{self, Stale};
use crate::world::{DeleteReason, Rejection, World};

impl World {
    pub(in crate::world) fn on_delete_object(&mut self, object: &DeleteObject, now: f64) -> Handled {
        let guid = object.guid;
        let Some(known) = self.instance_at(self.store.index_of(guid)) else {
            return Err(Unhandled::Rejected { guid, reason: Rejection::Unknown });
        };
        let is_player = self.is_player(guid);
        if !gate::may_delete(known, object.instance, is_player) {
            let reason = if is_player { Rejection::IsPlayer } else { Rejection::Stale(Stale::Instance) };
            return Err(Unhandled::Rejected { guid, reason });
        }
        self.remove_entity(guid, DeleteReason::Deleted, now);
        Ok(())
    }
}
