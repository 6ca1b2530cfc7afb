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

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;

    /// The speed that a player with a run rate of 2.375 never exceeds, in metres a second.
    const MAX: f32 = RUN * 1.15;

    fn base(checker: &mut Checker) -> Base {
        checker.base.take().unwrap()
    }

    /// Judges a position `distance` metres east of (96.5, 96.5), half a second after the last report.
    fn reach(checker: &mut Checker, distance: f32) -> Verdict {
        let base = base(checker);
        let mut position = at(96.5 + distance, 96.5);
        // Height does not count.
        position.frame.origin.z += 0.5;
        checker.check_reach(&base, &report_of(&position, 10.5))
    }

    #[test]
    fn a_player_reaches_what_it_can_run_to_in_the_time_it_may_have_had() {
        // Of 2 m more nothing is said. A second of running in half a second is a lead of half a second.
        let verdict = reach(&mut checker(), 2.0 + MAX);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Reach));
        assert_eq!((verdict.error, verdict.allowed), (0.0, 2.0));
        assert_near(verdict.needed, 1.0, 1e-3);
        assert_near(verdict.lead, 0.5, 1e-3);
        // The lead of before is added.
        let mut ahead = checker();
        ahead.lead = 1.25;
        assert_near(reach(&mut ahead, 2.0 + MAX).lead, 1.75, 1e-3);
        assert_near(reach(&mut checker(), 1.0).lead, 0.0, 0.0);
        assert_near(reach(&mut checker(), 1.0).needed, 0.0, 0.0);
        // It can have had 3.5 s: half a second and the latency that two messages may differ by.
        let verdict = reach(&mut checker(), 2.0 + 4.0 * MAX);
        let Finding::TooFast { needed, had } = verdict.finding else { panic!("{verdict:?}") };
        assert_near(needed, 4.0, 1e-3);
        assert_near(had, 3.5, 1e-3);
        assert_near(f64::from(verdict.error), f64::from(2.0 + 0.5 * MAX), 0.01);
        assert_eq!(verdict.lead, 0.0);
        // More than twice as fast is no matter of speed.
        let verdict = reach(&mut checker(), 2.0 + 7.5 * MAX);
        let Finding::Teleported { distance } = verdict.finding else { panic!("{verdict:?}") };
        assert_near(f64::from(distance), f64::from(2.0 + 4.0 * MAX), 0.01);
    }

    /// The wall of the fixture begins at y = 160. The player's radius is 0.48 m.
    #[test]
    fn a_wall_is_in_the_way_if_it_stops_the_player_more_than_two_metres_before_its_position() {
        let blocked = |y: f32| {
            let mut checker = checker_at(at(96.5, 155.0));
            let base = base(&mut checker);
            let position = at(96.5, y);
            let found = checker.blocked(&base, &position);
            let found = found.map(|blocked| (blocked.distance, blocked.by, blocked.can_move));
            (found, checker.check_reach(&base, &report_of(&position, 11.0)))
        };
        let (Some((distance, by, false)), verdict) = blocked(163.0) else { panic!("through the wall") };
        assert_near(f64::from(distance), 163.0 - 159.3, 0.3);
        assert!(matches!(by, Barrier::Scenery { .. }), "{by:?}");
        assert_eq!(verdict.finding, Finding::ThroughWall { by, distance });
        assert_eq!(verdict.lead, 0.0);
        // 1.5 m can be the way around an edge.
        let (Some((distance, _, false)), verdict) = blocked(161.0) else { panic!("into the wall") };
        assert_near(f64::from(distance), 161.0 - 159.3, 0.3);
        assert_eq!(verdict.finding, Finding::Ok);
        // A position is not exact, and one in front of the wall is free.
        for free in [159.8, 159.0] {
            let (found, verdict) = blocked(free);
            assert_eq!((found, verdict.finding), (None, Finding::Ok), "{free}");
        }
    }

    #[test]
    fn an_entity_in_the_way_may_have_been_elsewhere() {
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(96.5, 100.0), 10.0);
        let base = base(&mut checker);
        let position = at(96.5, 104.0);
        let blocked = checker.blocked(&base, &position).expect("it is on the way");
        assert_eq!((blocked.by, blocked.can_move), (Barrier::Entity(OTHER), true));
        assert!(blocked.distance > 4.0, "{}", blocked.distance);
        assert_eq!(checker.check_reach(&base, &report_of(&position, 11.0)).finding, Finding::Ok);
        // Off the path, it is the reason.
        let by = Barrier::Entity(OTHER);
        let explained = checker.explain_deviation(&base, &report_of(&position, 11.0), 3.0);
        assert_eq!(explained, Finding::ThroughWall { by, distance: blocked.distance });
    }

    /// There is no land at x < 0. The second wall of the fixture is at x = 4.
    #[test]
    fn walls_do_not_count_where_the_land_is_not_known() {
        let finding = |from: f32, to: f32| {
            let mut checker = checker_at(at(from, 40.0));
            let base = base(&mut checker);
            checker.check_reach(&base, &report_of(&at(to, 40.0), 12.0)).finding.name()
        };
        assert_eq!(finding(8.0, 1.0), "through_wall");
        assert_eq!(finding(8.0, -1.0), "ok");
        assert_eq!(finding(-1.0, 8.0), "ok");
    }

    #[test]
    fn a_position_off_the_path_is_in_the_air_if_the_player_does_not_fall_as_it_should() {
        let explain = |is_flying: bool, has_contact: bool, height: f32| {
            let mut checker = checker();
            if is_flying {
                checker.world.act(PLAYER, 10.0, |actor, _| actor.apply_client_jump(Vec3::new(0.0, 0.0, 3.0)));
                checker.rebase(Default::default(), None);
            }
            let base = base(&mut checker);
            let mut position = at(96.5, 96.5);
            position.frame.origin.z += height;
            let report = Report { has_contact, ..report_of(&position, 11.0) };
            checker.explain_deviation(&base, &report, 4.0)
        };
        let (in_air, elsewhere) = (Finding::InAir { height: 4.0 }, Finding::Teleported { distance: 4.0 });
        assert_eq!(explain(true, false, 3.0), in_air);
        assert_eq!(explain(true, false, 0.0), in_air);
        assert_eq!(explain(true, false, -1.5), in_air);
        assert_eq!(explain(true, false, -2.5), elsewhere, "it is where it fell to, or lower");
        assert_eq!(explain(true, true, 3.0), elsewhere, "it says that it stands");
        assert_eq!(explain(false, false, 3.0), elsewhere, "it stood");
    }

    #[test]
    fn a_player_that_cannot_be_put_where_it_says_is_in_a_wall_or_in_the_air() {
        let placed = |x: f32, y: f32, up: f32, has_contact: bool| {
            let mut reported = at(x, y);
            reported.frame.origin.z += up;
            checker().check_placement(&reported, has_contact)
        };
        assert_eq!(placed(96.5, 96.5, 0.0, true), None);
        assert_eq!(placed(97.2, 96.5, 0.0, true), None);
        let by = Barrier::Surroundings;
        let Some(Finding::ThroughWall { by: named, distance }) = placed(98.5, 96.5, 0.0, true) else {
            panic!("2 m aside");
        };
        assert_eq!(named, by);
        assert_near(f64::from(distance), 2.0, 0.01);
        assert_eq!(placed(98.5, 96.5, 0.0, false), None, "it does not say that it stands");
        let Some(Finding::InAir { height }) = placed(96.5, 96.5, 2.0, true) else { panic!("2 m up") };
        assert_near(f64::from(height), 2.0, 0.01);
        assert!(
            matches!(placed(98.5, 98.5, 2.5, true), Some(Finding::ThroughWall { .. })),
            "more aside than up"
        );
        assert!(matches!(placed(97.5, 96.5, 2.0, true), Some(Finding::InAir { .. })), "more up than aside");
        // The land ends at x = 0.
        let border = checker_at(at(0.5, 96.5));
        assert_eq!(border.check_placement(&at(-1.5, 96.5), true), None);
        // Others may have made room.
        let mut crowded = checker();
        crowded.world.add_stand_in(OTHER, &at(99.0, 96.5), 10.0);
        assert_eq!(crowded.check_placement(&at(98.5, 96.5), true), None);
        // In the air the height is that above the ground.
        let mut flying = checker();
        flying.world.act(PLAYER, 10.0, |actor, _| actor.apply_client_jump(Vec3::new(0.0, 0.0, 3.0)));
        flying.world.act(PLAYER, 10.0, |actor, _| {
            let mut high = actor.entity.body.position;
            high.frame.origin.z += 3.0;
            actor.apply_client_position_in_air(&high);
        });
        let mut high = at(96.5, 96.5);
        high.frame.origin.z += 3.0;
        assert_eq!(flying.check_placement(&high, true), Some(Finding::InAir { height: 3.0 }));
    }

    /// 4 m, and the radius of the other: 0.68 m.
    #[test]
    fn an_entity_crowds_a_path_that_passes_it() {
        let (from, to) = (at(96.5, 90.0), at(96.5, 110.0));
        assert!(!checker().is_crowded(&from, &to), "a player does not crowd itself");
        for (x, y, is_crowded) in [
            (101.1, 100.0, true),
            (101.3, 100.0, false),
            (91.9, 95.0, true),
            (96.5, 114.6, true),
            (96.5, 114.8, false),
            (96.5, 85.4, true),
            (96.5, 85.2, false),
        ] {
            let mut checker = checker();
            checker.world.add_stand_in(OTHER, &at(x, y), 10.0);
            assert_eq!(checker.is_crowded(&from, &to), is_crowded, "{x} {y}");
            assert!(!checker.is_crowded_by(&from, &to, |guid| guid != OTHER));
            checker.world.act(OTHER, 10.0, |actor, _| actor.leave_world());
            assert!(!checker.is_crowded(&from, &to), "{x} {y}: it has left");
        }
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(96.5, 94.0), 10.0);
        assert!(checker.is_crowded(&from, &from), "a path that is a point");
    }

    /// Rules F3, I4.
    #[test]
    fn the_maximum_speed_is_that_of_the_fastest_thing_that_can_move_the_player() {
        let speed = |change: fn(&mut Checker)| {
            let mut checker = checker();
            change(&mut checker);
            f64::from(checker.reach_speed())
        };
        let run = f64::from(MAX);
        assert_near(speed(|_| {}), run, 1e-3);
        // The rate that the server sent last.
        let sent: fn(&mut Checker) = |checker| {
            checker.world.act(PLAYER, 10.0, |actor, _| actor.entity.interp.my_run_rate = 3.0);
        };
        assert_near(speed(sent), 4.0 * 3.0 * 1.15, 1e-3);
        assert_near(speed(|checker| checker.recent_rate = (3.5, 11.0)), 4.0 * 3.5 * 1.15, 1e-3);
        assert_near(speed(|checker| checker.recent_rate = (3.5, 10.0)), run, 1e-3);
        assert_near(speed(|checker| checker.sticky_until = 11.0), 5.0 * run, 1e-3);
        assert_near(speed(|checker| checker.sticky_until = 10.0), run, 1e-3);
        assert_near(speed(|checker| checker.order_speed = 2.0), 2.0 * run, 1e-3);
        assert_near(
            speed(|checker| (checker.order_speed, checker.sticky_until) = (7.0, 11.0)),
            7.0 * run,
            1e-3,
        );
        let nobody = Checker::new(acmotion_dat::Assets::mannequin(), PLAYER, Default::default());
        assert_eq!(nobody.reach_speed(), RUN_SPEED);
    }
}
