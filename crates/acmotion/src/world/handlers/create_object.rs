//! `CreateObject` (F745): the server describes an object, new or known (rules D12, D13).

use acmotion_wire::{CreateObject, InitialMovement, ObjectDesc};

use super::{Handled, Unhandled};
use crate::gate::{self, CreateVerdict, MotionReport, PositionReport};
use crate::world::{HeldBy, Rejection, World};

impl World {
    pub(in crate::world) fn on_create_object(&mut self, object: &CreateObject<'_>, now: f64) -> Handled {
        let desc = &object.0;
        self.check_parent(desc)?;
        let index = self.store.index_of(desc.guid);
        let known = self.instance_at(index);
        match (gate::check_create(known, desc.physics.stamps.instance, false), index) {
            (CreateVerdict::Update, Some(index)) => self.update_known_object(index, desc, now),
            (CreateVerdict::Drop(stale), _) => {
                return Err(Unhandled::Rejected { guid: desc.guid, reason: Rejection::Stale(stale) });
            }
            _ => self.create_object(desc, now),
        }
        Ok(())
    }

    /// Makes a description wait if it attaches the object to an unknown parent (rule D12). An object that is attached
    /// to itself does not wait: it is created, and [`attach`](Self::attach) refuses.
    pub(super) fn check_parent(&self, desc: &ObjectDesc<'_>) -> Handled {
        match desc.physics.parent {
            Some(parent) if parent.guid != desc.guid && self.store.index_of(parent.guid).is_none() => {
                Err(Unhandled::WaitFor(parent.guid))
            }
            _ => Ok(()),
        }
    }

    /// Applies the description of a known object part by part, each gated by its own stamp as if it had come in a message
    /// of its own (rule D12).
    fn update_known_object(&mut self, index: usize, desc: &ObjectDesc<'_>, now: f64) {
        let physics = &desc.physics;
        let (stamps, placement) = (physics.stamps, physics.placement.unwrap_or(0));
        self.update_visual_desc(index, stamps.visual_desc, now);
        let flags = self.mover_flags(desc);
        if let Some(resident) = self.store.at_mut(index) {
            resident.entity.mover_flags = flags;
        }
        self.describe_house(desc, now);
        if let Some(parent) = physics.parent {
            let held_by = HeldBy { parent: parent.guid, location: parent.location };
            self.do_parent_event(index, held_by, placement, stamps.position, now);
        } else if let Some(position) = physics.position {
            let report = PositionReport {
                position: stamps.position,
                teleport: stamps.teleport,
                force_position: stamps.force_position,
                has_contact: true,
            };
            self.handle_received_position(index, &position, report, placement, now);
        } else {
            self.do_pickup_event(index, stamps.position, now);
        }
        if let Some(InitialMovement::Movement { movement, autonomous }) = &physics.movement {
            let report = MotionReport {
                movement: stamps.movement,
                server_control: stamps.server_control,
                autonomous: autonomous.get(),
            };
            self.set_object_movement(index, movement, report, now);
        }
        self.do_set_state(index, physics.state, stamps.state, now);
        let (velocity, omega) = (physics.velocity.unwrap_or_default(), physics.omega.unwrap_or_default());
        self.do_vector_update(index, velocity, omega, stamps.vector, now);
    }
}
