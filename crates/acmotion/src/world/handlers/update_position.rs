//! `UpdatePosition` (F748): the server reports where an object is (rules D5–D7).

use acmotion_types::{CellPosition, Quat, Vec3};
use acmotion_wire::UpdatePosition;

use super::Handled;
use crate::correction::ConstraintRange;
use crate::entity::MotionEvent;
use crate::gate::{self, Action, PositionReport};
use crate::world::resident::{UnknownStamps, preceding};
use crate::world::{EventKind, PlacementFailure, Rejection, Resident, World};

/// The maximum coordinate, in metres from the landblock's corner: twice the width of the whole map.
const MAX_COORDINATE: f32 = 100_000.0;

/// Returns the position with its rotation normalised, or `None` if the origin is not finite, too far off or in no cell. An
/// invalid rotation is replaced by that of `own`, the body's position.
#[inline]
pub(in crate::world) fn usable_position(position: &CellPosition, own: &CellPosition) -> Option<CellPosition> {
    let mut usable = *position;
    let Vec3 { x, y, z } = position.frame.origin;
    let is_in_range = |coordinate: f32| coordinate.abs() <= MAX_COORDINATE;
    if !(is_in_range(x) && is_in_range(y) && is_in_range(z)) || position.cell.low() == 0 {
        return None;
    }
    if !usable.frame.set_rotation(position.frame.rotation) {
        usable.frame.rotation = own.frame.rotation;
        if !usable.frame.is_valid() {
            usable.frame.rotation = Quat::IDENTITY;
        }
    }
    Some(usable)
}

impl Resident {
    /// Applies an action of a reported position that concerns nothing but the object itself. Returns `false`, with nothing
    /// done, if it is another.
    #[inline(always)]
    fn apply(&mut self, action: Action, position: &CellPosition, is_player: bool) -> bool {
        let own = &self.entity.body.position;
        let correction = &mut self.entity.correction;
        match action {
            Action::Unparent => {
                return self.parent().is_none() && self.entity.animator.sequence().has_nodes();
            }
            Action::StopInterpolating => correction.interpolation.stop(),
            Action::Interpolate => self.entity.interpolate_to(position, false, is_player),
            Action::InterpolateKeepHeading => self.entity.interpolate_to(position, true, is_player),
            Action::ConstrainToOwn => {
                correction.constraint.constrain_to(own, own, ConstraintRange::of(own.cell));
            }
            Action::ConstrainToMessage => {
                correction.constraint.constrain_to(position, own, ConstraintRange::of(own.cell));
            }
            Action::ZeroVelocity => self.entity.body.velocity = Vec3::ZERO,
            _ => return false,
        }
        true
    }
}

impl World {
    pub(in crate::world) fn on_update_position(&mut self, update: &UpdatePosition, now: f64) -> Handled {
        if self.settings.stand_ins_for_unknown {
            self.add_stand_in_if_unknown(update.guid, &update.pack, now);
        }
        let pack = &update.pack;
        let index = self.check_instance(update.guid, pack.instance)?;
        let placement = pack.placement.unwrap_or(0);
        self.handle_received_position(index, &pack.position, PositionReport::from(pack), placement, now);
        Ok(())
    }

    /// Decides on a reported position and moves the object accordingly (rule D6). Returns `true` if the position was
    /// processed, `false` if it was stale or unusable.
    ///
    /// `placement` is the key of the placement frame, for an object that plays no animations (rule D6).
    ///
    /// Where the terrain is unknown, the body gets its [fallback ground](crate::world::ground) from the report: a
    /// remote whenever it is reported with contact, any object when it is teleported. A teleport without contact leads
    /// into the air.
    pub(super) fn handle_received_position(
        &mut self,
        index: usize,
        position: &CellPosition,
        report: PositionReport,
        placement: u32,
        now: f64,
    ) -> bool {
        let Some(resident) = self.store.at(index) else { return false };
        let guid = resident.guid();
        let Some(position) = usable_position(position, &resident.position()) else {
            self.reject(guid, Rejection::BadPosition, now);
            return false;
        };
        let decided = self.decide(index, now, |resident, situation| {
            resident
                .accept_first(UnknownStamps::POSITION, |stamps| stamps.position = preceding(report.position));
            gate::position(&mut resident.stamps, report, situation)
        });
        let Some(actions) = decided else { return false };
        self.store.houses_mut().stop_waiting(guid);
        let is_player = self.is_player(guid);
        let is_teleport =
            |action: &Action| matches!(action, Action::SetPositionTeleport | Action::TeleportPlayer);
        let teleports = actions.iter().any(is_teleport);
        let sets_ground = (report.has_contact && !is_player) || teleports;
        let slope = if teleports {
            self.forget_reports(index);
            None
        } else if sets_ground {
            self.learn(index, &position, now)
        } else {
            None
        };
        let Some(resident) = self.store.woken_mut(index) else { return true };
        if sets_ground {
            if report.has_contact {
                resident.set_reported_on(&position, slope, &self.settings);
            } else {
                resident.set_airborne(&self.settings);
            }
        }
        // Nearly always all actions concern nothing but the object itself.
        let own = actions.iter().take_while(|action| resident.apply(**action, &position, is_player)).count();
        for action in &actions[own..] {
            self.apply_position_action(index, *action, &position, placement, now);
        }
        if teleports {
            self.comfort_teleport(index, now);
        } else if report.has_contact {
            self.comfort_report(index, &position, now);
        }
        // Not everything above goes through an actor, and what the body holds follows it at once.
        if self.store.at(index).is_some_and(Resident::has_links) {
            self.refresh(index);
        }
        true
    }

    pub(in crate::world) fn set_placement_if_not_animated(&mut self, index: usize, placement: u32) {
        let is_animated =
            self.store.at(index).is_none_or(|resident| resident.entity.animator.sequence().has_nodes());
        if !is_animated {
            self.set_placement(index, placement);
        }
    }

    fn apply_position_action(
        &mut self,
        index: usize,
        action: Action,
        position: &CellPosition,
        placement: u32,
        now: f64,
    ) {
        let Some(resident) = self.store.woken_mut(index) else { return };
        let (own, guid) = (resident.position(), resident.guid());
        match action {
            Action::Unparent => {
                self.unparent(index, now);
                self.set_placement_if_not_animated(index, placement);
            }
            Action::TeleportHook => {
                self.act_at(index, now, |actor, _| actor.teleport_hook());
            }
            // A placement that fails is an event.
            Action::SetPositionTeleport | Action::SetPositionSimple => {
                let is_teleport = action == Action::SetPositionTeleport;
                let _ = self.set_position_at(index, position, is_teleport, now);
            }
            Action::BlipKeepHeading => {
                let mut position = *position;
                position.frame.set_heading(own.frame.heading());
                resident.set_reported(&position, &self.settings);
                let _ = self.set_position_at(index, &position, false, now);
            }
            Action::SendAutonomousPosition => {
                self.emit(guid, EventKind::PositionRequested, now);
                self.send_player_position(now);
            }
            Action::TeleportPlayer => {
                let _ = self.teleport_player(index, position, now);
            }
            _ => {
                resident.apply(action, position, self.player.guid() == Some(guid));
            }
        }
    }

    /// Moves a body to a position at once and reports the distance; 0 if it was not in a cell before. If it could not be
    /// placed, or there is no cell, that is reported instead.
    pub(in crate::world) fn set_position_at(
        &mut self,
        index: usize,
        position: &CellPosition,
        is_teleport: bool,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let placed = self.act_at(index, now, |actor, surroundings| {
            let body = &actor.entity.body;
            let distance = if body.is_in_cell() { body.position.distance_to(position) } else { 0.0 };
            let placed = actor.try_set_position(position, surroundings);
            if placed.is_ok() {
                actor.emit(if is_teleport {
                    MotionEvent::Teleported { distance }
                } else {
                    MotionEvent::Snapped { distance }
                });
            }
            placed
        });
        let Some(guid) = self.store.at(index).map(Resident::guid) else {
            return Err(PlacementFailure::Unknown);
        };
        self.wait_for_house(guid, position, placed == Some(Ok(())));
        self.report_placement(guid, placed.unwrap_or(Err(PlacementFailure::Unknown)), now)
    }

    /// Moves the local player to where a teleport leads, and out of portal space (rules D6, P7).
    pub(in crate::world) fn teleport_player(
        &mut self,
        index: usize,
        position: &CellPosition,
        now: f64,
    ) -> Result<(), PlacementFailure> {
        let Some(guid) = self.store.at(index).map(Resident::guid) else {
            return Err(PlacementFailure::Unknown);
        };
        let was_waiting = self.player.waiting_for_teleport;
        let placed = self.set_position_at(index, position, true, now);
        self.player.teleported();
        if was_waiting {
            self.emit(guid, EventKind::PortalSpace(false), now);
        }
        self.act_at(index, now, |actor, _| actor.teleport_hook());
        self.player_teleported(now);
        placed
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::CellId;

    use super::*;

    /// A report without a rotation keeps the body's own; if that is none either, the body faces north (rules A3, C13).
    #[test]
    fn c13_a_report_without_a_rotation_on_a_body_without_one_faces_north() {
        let mut nothing = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(1.0, 2.0, 3.0));
        let north = nothing;
        nothing.frame.rotation = Quat::from([f32::NAN; 4]);
        assert_eq!(usable_position(&nothing, &nothing), Some(north));
    }
}
