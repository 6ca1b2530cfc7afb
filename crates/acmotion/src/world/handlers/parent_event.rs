//! `ParentEvent` (F749): an object is attached to another, such as a weapon to a hand (rules D4, D11).

use acmotion_types::Stamp;
use acmotion_wire::ParentEvent;

use super::{Handled, Unhandled};
use crate::gate::{self, Action};
use crate::world::{HeldBy, World};

impl World {
    /// The instance stamp is that of the parent; the position stamp that of the child.
    pub(in crate::world) fn on_parent_event(&mut self, event: &ParentEvent, now: f64) -> Handled {
        self.check_instance(event.parent, event.parent_instance)?;
        let child = self.store.index_of(event.child).ok_or(Unhandled::WaitFor(event.child))?;
        let held_by = HeldBy { parent: event.parent, location: event.location };
        self.do_parent_event(child, held_by, event.placement, event.child_position, now);
        Ok(())
    }

    /// Decides on attaching the object at `child` to a parent, and does it; the child leaves its cell and takes the
    /// placement frame (rule D11).
    pub(super) fn do_parent_event(
        &mut self,
        child: usize,
        held_by: HeldBy,
        placement: u32,
        position: Stamp,
        now: f64,
    ) {
        let decided =
            self.decide(child, now, |resident, _| gate::parent_event(&mut resident.stamps, position));
        let Some(actions) = decided else { return };
        if actions.contains(&Action::SetParent) {
            // What cannot be attached is an event, and takes the placement all the same.
            let _ = self.attach(child, held_by, now);
            self.set_placement(child, placement);
        }
    }
}
