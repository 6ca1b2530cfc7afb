//! `UpdateMotion` (F74C): the server sets what an object does (rules D9, E).

use acmotion_wire::{Movement, UpdateMotion};

use super::Handled;
use crate::body::BodyFlags;
use crate::gate::{self, Action, MotionReport};
use crate::world::resident::{UnknownStamps, preceding};
use crate::world::{EventKind, World};

impl World {
    pub(in crate::world) fn on_update_motion(&mut self, update: &UpdateMotion<'_>, now: f64) -> Handled {
        let index = self.check_instance(update.guid, update.instance)?;
        self.set_object_movement(index, &update.data.movement, MotionReport::from(&update.data), now);
        Ok(())
    }

    /// Decides on a movement and starts it (rule D9).
    pub(in crate::world) fn set_object_movement(
        &mut self,
        index: usize,
        movement: &Movement<'_>,
        report: MotionReport,
        now: f64,
    ) {
        let decided = self.decide(index, now, |resident, situation| {
            resident.accept_first(UnknownStamps::MOVEMENT, |stamps| {
                stamps.movement = preceding(report.movement);
                stamps.server_control = report.server_control;
            });
            gate::motion(&mut resident.stamps, report, situation)
        });
        let Some(actions) = decided else { return };
        self.comfort_motion(index, !report.autonomous, now);
        self.learn_motion(index, now);
        for action in actions.iter() {
            let Some(resident) = self.store.at_mut(index) else { return };
            match action {
                Action::LastMoveAutonomous(autonomous) => {
                    resident.entity.body.flags.set(BodyFlags::AUTONOMOUS, *autonomous);
                }
                Action::UnpackMovement => {
                    self.act_at(index, now, |actor, _| actor.unpack_movement(movement));
                }
                Action::LoseControlToServer => {
                    let guid = resident.guid();
                    self.emit(guid, EventKind::ControlLost, now);
                    self.lose_control_to_server(now);
                    self.report_server_motion(guid, movement, now);
                }
                _ => {}
            }
        }
    }
}
