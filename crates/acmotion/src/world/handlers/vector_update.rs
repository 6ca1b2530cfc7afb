//! `VectorUpdate` (F74E): the server sets an object's velocity and omega (rules D10, N1).

use acmotion_types::{Stamp, Vec3};
use acmotion_wire::VectorUpdate;

use super::Handled;
use crate::body::BodyFlags;
use crate::gate::{self, Action};
use crate::world::World;
use crate::world::resident::{UnknownStamps, preceding};

impl World {
    pub(in crate::world) fn on_vector_update(&mut self, update: &VectorUpdate, now: f64) -> Handled {
        let index = self.check_instance(update.guid, update.instance)?;
        self.do_vector_update(index, update.velocity, update.omega, update.vector, now);
        Ok(())
    }

    /// Decides on a velocity and sets it (rule D10). A remote keeps it when it leaves the ground, unless
    /// [`flat_remote_jumps`](crate::world::Settings::flat_remote_jumps) is set (rule N1).
    pub(in crate::world) fn do_vector_update(
        &mut self,
        index: usize,
        velocity: Vec3,
        omega: Vec3,
        stamp: Stamp,
        now: f64,
    ) {
        let decided = self.decide(index, now, |resident, situation| {
            resident.accept_first(UnknownStamps::VECTOR, |stamps| stamps.vector = preceding(stamp));
            gate::vector(&mut resident.stamps, stamp, situation)
        });
        let Some(actions) = decided else { return };
        for action in actions.iter() {
            let Some(resident) = self.store.at_mut(index) else { return };
            let guid = resident.guid();
            let body = &mut resident.entity.body;
            match action {
                Action::SetVelocity => {
                    body.set_velocity(velocity, now);
                    let keeps_it = !self.settings.flat_remote_jumps && self.player.guid() != Some(guid);
                    body.flags.set(BodyFlags::THROWN, keeps_it);
                }
                Action::SetOmega => body.set_omega(omega),
                _ => {}
            }
        }
    }
}
