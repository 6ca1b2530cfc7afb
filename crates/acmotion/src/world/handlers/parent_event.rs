//! `ParentEvent` (F749): an object is attached to another, such as a weapon to a hand (rules D4, D11).

use acmotion_types::{Guid, Stamp};
use acmotion_wire::ParentEvent;

use super::{Handled, Unhandled};
use crate::gate::{self, Action};
use crate::world::World;

impl World {
    /// The instance stamp is that of the parent; the position stamp that of the child.
    pub(in crate::world) fn on_parent_event(&mut self, event: &ParentEvent, now: f64) -> Handled {
        self.check_instance(event.parent, event.parent_instance)?;
        let child = self.store.index_of(event.child).ok_or(Unhandled::WaitFor(event.child))?;
        self.do_parent_event(event.parent, child, event.child_position, now);
        Ok(())
    }

    /// Decides on attaching the object at `child` to a parent, and does it; the child leaves its cell (rule D11).
    pub(super) fn do_parent_event(&mut self, parent: Guid, child: usize, position: Stamp, now: f64) {
        let decided =
            self.decide(child, now, |resident, _| gate::parent_event(&mut resident.stamps, position));
        let Some(actions) = decided else { return };
        if actions.contains(&Action::SetParent)
            && let Some(resident) = self.store.at_mut(child)
        {
            resident.set_parent(parent);
            self.act_at(child, now, |actor, _| actor.leave_world());
        }
    }
}
