//! Judges a report by what no player can do: run too fast, pass a wall, stand in the air.

use acmotion_types::{CellPosition, Guid, Vec3};

use super::{Base, Checker, Report};
use crate::check::{Finding, Method, Verdict};
use crate::collide::{Barrier, Surroundings};
use crate::entity::{Actor, Entity};
use crate::interp::RUN_SPEED;

/// The factor by which a player can be faster than its run: sidesteps while running, slopes, and the links between
/// animations.
const SPEED_MARGIN: f32 = 1.15;
/// The factor by which a body that sticks to another can be faster than its run (rule I4).
const STICKY_FACTOR: f32 = 5.0;
/// The distance, in metres, within which another entity can have been in the player's way. Its client shows the entity up
/// to a second late.
const CROWD_DISTANCE: f32 = 4.0;

impl Checker {
    /// Judges a position by speed and walls alone.
    pub(super) fn check_reach(&mut self, base: &Base, report: &Report<'_>) -> Verdict {
        let allowed = self.settings.reach_tolerance;
        let offset = base.entity.body.position.offset_to(report.position);
        let distance = Vec3 { z: 0.0, ..offset }.length();
        let passed = report.now - base.at;
        let speed = self.reach_speed();
        let needed = f64::from((distance - allowed).max(0.0) / speed);
        let lead = (self.lead + needed - passed).max(0.0);
        let had = needed + self.settings.latency_spread - lead;
        let error = (distance - speed * had as f32).max(0.0);
        let finding = if lead <= self.settings.latency_spread {
            self.check_walls(base, report).unwrap_or(Finding::Ok)
        } else if needed > 2.0 * had {
            Finding::Teleported { distance: error }
        } else {
            Finding::TooFast { needed, had }
        };
        let lead = if finding == Finding::Ok { lead } else { 0.0 };
        Verdict { finding, method: Method::Reach, error, allowed, needed, lead }
    }

    /// Sweeps the player straight to the reported position. Returns what is in the way, unless it is only an edge that the
    /// player can have gone around.
    fn check_walls(&mut self, base: &Base, report: &Report<'_>) -> Option<Finding> {
        if !self.knows_land(report.position) || !self.knows_land(&base.entity.body.position) {
            return None;
        }
        let Blocked { distance, by, can_move } = self.blocked(base, report.position)?;
        let is_serious = distance > self.settings.reach_tolerance;
        (is_serious && !can_move).then_some(Finding::ThroughWall { by, distance })
    }

    /// Returns what stops the player on the straight line to a position.
    pub(super) fn blocked(&mut self, base: &Base, target: &CellPosition) -> Option<Blocked> {
        let now = self.now;
        let tolerance = self.settings.tolerance;
        self.world.act(self.player, now, |actor, surroundings| {
            blocked(actor, surroundings, &base.entity, target, tolerance)
        })?
    }

    /// Returns the finding for a position that is off the path by `error` metres.
    pub(super) fn explain_deviation(&mut self, base: &Base, report: &Report<'_>, error: f32) -> Finding {
        if let Some(Blocked { distance, by, .. }) = self.blocked(base, report.position) {
            return Finding::ThroughWall { by, distance };
        }
        let height = base.entity.body.position.offset_to(report.position).z;
        if !report.has_contact && height > -error / 2.0 && !base.entity.body.is_standing() {
            return Finding::InAir { height: error };
        }
        Finding::Teleported { distance: error }
    }

    /// Returns what is wrong with the place where the player was put, if it cannot stand there.
    pub(super) fn check_placement(&self, reported: &CellPosition, has_contact: bool) -> Option<Finding> {
        let player = self.player().filter(|_| has_contact && self.knows_land(reported))?;
        let (body, placed) = (player.body(), player.position());
        let distance = reported.distance_to(&placed);
        if !body.has_contact() {
            let ground = self.settings.surroundings.as_deref().and_then(|around| around.ground(reported));
            let height = ground.map_or(0.0, |ground| ground.plane.distance(reported.frame.origin));
            return Some(Finding::InAir { height });
        }
        let offset = placed.offset_to(reported);
        if distance <= self.settings.tolerance || self.is_crowded(reported, reported) {
            return None;
        }
        Some(if offset.z > libm::hypotf(offset.x, offset.y) {
            Finding::InAir { height: offset.z }
        } else {
            Finding::ThroughWall { by: Barrier::Surroundings, distance }
        })
    }

    /// Returns `true` if an entity that can be in the way is near the straight line between two positions.
    pub(super) fn is_crowded(&self, from: &CellPosition, to: &CellPosition) -> bool {
        self.is_crowded_by(from, to, |_| true)
    }

    /// Returns `true` if one of some entities that can be in the way is near the straight line between two positions.
    pub(super) fn is_crowded_by(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        counts: impl Fn(Guid) -> bool,
    ) -> bool {
        let path = from.offset_to(to);
        let length = path.length_squared();
        let is_other = |guid| guid != self.player && counts(guid);
        let others =
            self.world.entities().filter(|other| is_other(other.guid()) && other.body().is_in_cell());
        others.into_iter().any(|other| {
            let offset = from.offset_to(&other.position());
            let part = if length > 0.0 { (offset.dot(path) / length).clamp(0.0, 1.0) } else { 0.0 };
            let size = other.entity().shape.cylinder(other.body().scale);
            (offset - path * part).length() < CROWD_DISTANCE + size.radius
        })
    }

    /// Returns `true` if the land at a position is known, so that walls and ground count.
    pub(super) fn knows_land(&self, position: &CellPosition) -> bool {
        self.settings.surroundings.as_deref().is_some_and(|around| around.has_cell(position.cell))
    }

    /// Returns the maximum speed, in metres a second, of the player, whatever it does.
    pub(super) fn reach_speed(&self) -> f32 {
        let Some(player) = self.player() else { return RUN_SPEED };
        let interp = &player.entity().interp;
        let rate = interp.run_rate(player.entity().weenie()).max(interp.my_run_rate);
        let recent = if self.now < self.recent_rate.1 { self.recent_rate.0 } else { 0.0 };
        let sticky = if self.now < self.sticky_until { STICKY_FACTOR } else { 1.0 };
        RUN_SPEED * rate.max(recent).max(1.0) * self.order_speed.max(sticky) * SPEED_MARGIN
    }
}

/// What stops a player on the straight line to a position.
pub(super) struct Blocked {
    /// The distance from where it is stopped to the position, in metres.
    pub(super) distance: f32,
    pub(super) by: Barrier,
    /// Whether that can move: an entity that is not static.
    can_move: bool,
}

/// Sweeps an entity straight to a position. Returns what is in the way, if the distance from there to the position is more
/// than `tolerance`.
fn blocked(
    actor: &Actor<'_>,
    surroundings: &dyn Surroundings,
    entity: &Entity,
    target: &CellPosition,
    tolerance: f32,
) -> Option<Blocked> {
    let body = &entity.body;
    let mover = body.mover(entity.guid, &entity.shape, entity.mover_flags);
    let mut touched = Vec::new();
    let sweep = surroundings.sweep(&mover, &body.position, target, actor.obstacles, &mut touched);
    let arrived = sweep.arrival.map_or(body.position, |arrival| arrival.position);
    let offset = arrived.offset_to(target);
    let distance = libm::hypotf(offset.x, offset.y);
    let entity = touched.first().filter(|touch| touch.guid != Guid::NONE);
    let is_blocked =
        sweep.arrival.is_none_or(|arrival| arrival.collision_normal.is_some() || entity.is_some());
    let by = entity.map(|touch| Barrier::Entity(touch.guid)).or(sweep.barrier);
    let by = by.unwrap_or(Barrier::Surroundings);
    (is_blocked && distance > tolerance).then_some(Blocked { distance, by, can_move: entity.is_some() })
}
