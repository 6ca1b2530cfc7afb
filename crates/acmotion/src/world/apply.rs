//! What was decided is done to bodies (rules D6, D7, D9, D10).

use acmotion_types::{CellPosition, Guid, Quat, Stamp, Vec3};
use acmotion_wire::Movement;

use super::resident::{Resident, UnknownStamps, before};
use super::{EventKind, Rejection, World};
use crate::body::BodyFlags;
use crate::correction::{ConstraintRange, QueueResult, blip_distance};
use crate::entity::MotionEvent;
use crate::gate::{self, Action, MotionReport, PositionReport};

/// Coordinates beyond this, in metres from the landblock's corner, are no position: the whole map is half as wide.
const FARTHEST: f32 = 100_000.0;

/// A position as it can be worked with: the rotation normalised, and the body's own if it is none. `None` if the place is
/// none.
pub(super) fn sound(position: &CellPosition, own: &CellPosition) -> Option<CellPosition> {
    let mut sound = *position;
    let Vec3 { x, y, z } = position.frame.origin;
    let in_reach = [x, y, z].into_iter().all(|part| part.abs() <= FARTHEST);
    if !in_reach || position.cell.low() == 0 {
        return None;
    }
    sound.frame.rotation = own.frame.rotation;
    if !sound.frame.is_valid() {
        sound.frame.rotation = Quat::IDENTITY;
    }
    sound.frame.set_rotation(position.frame.rotation);
    Some(sound)
}

/// Takes an object off what it hangs on (rule D6).
pub(super) fn unparent(resident: &mut Resident) {
    resident.parent = Guid::NONE;
    resident.entity.body.flags.remove(BodyFlags::HAS_PARENT);
}

impl World {
    /// An object was reported somewhere (rule D6). Says whether that was taken.
    ///
    /// Where the terrain is not at hand, it gets its ground from this: a remote whenever it is reported standing, and
    /// anybody whom a teleport puts there.
    pub(super) fn reported(
        &mut self,
        guid: Guid,
        position: &CellPosition,
        report: PositionReport,
        now: f64,
    ) -> bool {
        let Some(at) = self.store.place_of(guid) else { return false };
        let own = self.store.at(at).map(Resident::position).unwrap_or_default();
        let Some(place) = sound(position, &own) else {
            self.reject(guid, Rejection::BadPosition, now);
            return false;
        };
        let decided = self.decide_at(at, now, |resident, situation| {
            gate::position(&mut resident.stamps, report, situation)
        });
        let Some(actions) = decided.filter(|actions| actions.stale().is_none()) else { return false };
        let is_put =
            actions.contains(&Action::SetPositionTeleport) || actions.contains(&Action::TeleportPlayer);
        let is_own = self.player.guid() == Some(guid);
        if (is_put || (report.has_contact && !is_own))
            && let Some(resident) = self.store.at_mut(at)
        {
            resident.set_reported(&place, &self.settings);
        }
        for action in actions.iter() {
            self.act_on_position(at, *action, &place, now);
        }
        true
    }

    /// One of the things that a position does to the entity at a place of the list.
    fn act_on_position(&mut self, at: usize, action: Action, place: &CellPosition, now: f64) {
        let Some(resident) = self.store.at_mut(at) else { return };
        let (own, guid) = (resident.position(), resident.guid());
        let correction = &mut resident.entity.correction;
        match action {
            Action::Unparent => unparent(resident),
            Action::TeleportHook => {
                self.act(guid, now, |actor, _| actor.teleport_hook());
            }
            Action::SetPositionTeleport | Action::SetPositionSimple => {
                self.put(guid, place, action == Action::SetPositionTeleport, now);
            }
            Action::StopInterpolating => correction.interpolation.stop(),
            Action::Interpolate => self.interpolate(at, place, false),
            Action::InterpolateKeepHeading => self.interpolate(at, place, true),
            Action::ConstrainToOwn => {
                correction.constraint.constrain_to(&own, &own, ConstraintRange::of(own.cell));
            }
            Action::ConstrainToMessage => {
                correction.constraint.constrain_to(place, &own, ConstraintRange::of(own.cell));
            }
            Action::BlipKeepHeading => {
                let mut place = *place;
                place.frame.set_heading(own.frame.heading());
                resident.set_reported(&place, &self.settings);
                self.put(guid, &place, false, now);
            }
            Action::SendAutonomousPosition => {
                self.events.push(now, guid, EventKind::PositionWanted);
                self.player_position_wanted(now);
            }
            Action::TeleportPlayer => self.teleport_player(guid, place, now),
            Action::ZeroVelocity => resident.entity.body.velocity = Vec3::ZERO,
            _ => {}
        }
    }

    /// Puts a body somewhere and tells how far that was. A body that was nowhere just appears there.
    fn put(&mut self, guid: Guid, place: &CellPosition, is_teleport: bool, now: f64) {
        self.act(guid, now, |actor, surroundings| {
            let body = &actor.entity.body;
            let distance = if body.is_in_cell() { body.position.distance_to(place) } else { 0.0 };
            if !actor.set_position(place, true, surroundings) {
                return;
            }
            actor.tell(if is_teleport {
                MotionEvent::Teleported { distance }
            } else {
                MotionEvent::Snapped { distance }
            });
        });
    }

    /// The body catches up with a report (rule I4).
    fn interpolate(&mut self, at: usize, place: &CellPosition, keep_heading: bool) {
        let Some(resident) = self.store.at_mut(at) else { return };
        let is_player = self.player.guid() == Some(resident.guid());
        let own = resident.position();
        let blip = blip_distance(own.cell, is_player);
        let interpolation = &mut resident.entity.correction.interpolation;
        if let QueueResult::There { heading: Some(heading) } =
            interpolation.interpolate_to(*place, keep_heading, &own, blip)
        {
            resident.entity.body.position.frame.set_heading(heading);
        }
    }

    /// The player is where a teleport leads (rules D6, P7).
    fn teleport_player(&mut self, guid: Guid, place: &CellPosition, now: f64) {
        let was_waiting = self.player.waiting_for_teleport;
        self.put(guid, place, true, now);
        self.player.teleported();
        if was_waiting {
            self.events.push(now, guid, EventKind::PortalSpace(false));
        }
        self.act(guid, now, |actor, _| actor.teleport_hook());
        self.player_teleported(now);
    }

    /// The server says what an object does (rule D9).
    pub(super) fn ordered(&mut self, guid: Guid, movement: &Movement<'_>, report: MotionReport, now: f64) {
        let actions = self.decide(guid, now, |resident, situation| {
            resident.first_of(UnknownStamps::MOVEMENT, |stamps| {
                stamps.movement = before(report.movement);
                stamps.server_control = report.server_control;
            });
            gate::motion(&mut resident.stamps, report, situation)
        });
        for action in actions.iter().flat_map(|actions| actions.iter()) {
            let Some(resident) = self.store.find_mut(guid) else { return };
            match action {
                Action::LastMoveAutonomous(autonomous) => {
                    resident.entity.body.flags.set(BodyFlags::AUTONOMOUS, *autonomous);
                }
                Action::UnpackMovement => {
                    self.act(guid, now, |actor, _| actor.unpack_movement(movement));
                }
                Action::LoseControlToServer => {
                    self.events.push(now, guid, EventKind::ControlLost);
                    self.player_lost_control(now);
                }
                _ => {}
            }
        }
    }

    /// The server gives an object a velocity (rules D10, N1).
    pub(super) fn thrown(&mut self, guid: Guid, velocity: Vec3, omega: Vec3, stamp: Stamp, now: f64) {
        let actions = self.decide(guid, now, |resident, situation| {
            resident.first_of(UnknownStamps::VECTOR, |stamps| stamps.vector = before(stamp));
            gate::vector(&mut resident.stamps, stamp, situation)
        });
        if actions.is_some_and(|actions| actions.contains(&Action::SetVelocity))
            && let Some(resident) = self.store.find_mut(guid)
        {
            resident.entity.body.set_velocity(velocity, now);
            resident.entity.body.set_omega(omega);
            let keeps_it = !self.settings.flat_remote_jumps && self.player.guid() != Some(guid);
            resident.entity.body.flags.set(BodyFlags::THROWN, keeps_it);
        }
    }
}
