//! Judges a report while the server moves the player, or may do so.

use acmotion_types::CellPosition;

use super::{Base, Checker, Origin, Report, stays_in_place};
use crate::check::predict::Nearest;
use crate::check::{Finding, Method, Verdict};
use crate::collide::Barrier;
use crate::entity::Entity;
use crate::interp::RawState;

/// The distance, in metres, from the path of an order within which a player follows it.
const EXACT: f32 = 0.1;
/// The time, in seconds, by which a player may be ahead of its order: the client's frames differ from the shadow's.
const MAX_AHEAD: f64 = 0.25;

impl Checker {
    /// Judges a position by the paths that it can have taken if the server moved the player: those of its last report, of
    /// the orders as soon as they were sent, of the orders from now on, and of the keys that are still held when an order
    /// has ended. A client does not report these again (rule K8).
    pub(super) fn check_ordered(
        &mut self,
        base: &Base,
        report: &Report<'_>,
        found: &mut Option<Origin>,
    ) -> Verdict {
        let reach = self.check_reach(base, report);
        let is_known = report.now >= self.uncertain_until
            && report.now >= self.sticky_until
            && !self.is_sent_somewhere
            && base.stamps.teleport == report.stamps.teleport
            && base.stamps.force_position == report.stamps.force_position
            && self.knows_land(&base.entity.body.position)
            && self.knows_land(report.position);
        if reach.is_alarm() {
            return reach;
        }
        if !is_known {
            return self.check_corridor(base, report, reach);
        }
        let Some(shadow) = self.player().map(|player| player.entity().clone()) else { return reach };
        let fits = [(&base.entity, base.at), (&shadow, report.now)].map(|start| self.fit(start, report));
        let [Some(kept), Some(ordered)] = fits else { return reach };
        let trail = distance_to_path(&self.trail, report.position);
        let mut error = kept.error.min(ordered.error).min(trail);
        if let Some(resumed) = self.resumed(base).and_then(|entity| self.fit((&entity, base.at), report)) {
            let is_better = resumed.error < error - EXACT && resumed.error <= EXACT;
            error = error.min(resumed.error);
            if is_better && base.stamps == report.stamps {
                self.knows_keys = true;
                *found = Some(Origin::of(resumed));
            }
        }
        let allowed = self.settings.reach_tolerance;
        let verdict = Verdict { method: Method::Ordered, error, allowed, ..reach };
        if error <= allowed {
            return verdict;
        }
        Verdict { finding: self.explain_deviation(base, report, error), lead: 0.0, ..verdict }
    }

    /// Judges a position by where the orders of the server can have led the player, whenever its client received them. If
    /// keys move the player as well, or the ground does not let it go straight, only `reach` counts.
    fn check_corridor(&mut self, base: &Base, report: &Report<'_>, reach: Verdict) -> Verdict {
        let last = &base.entity.body.position;
        let is_led = base.stamps.teleport == report.stamps.teleport
            && base.stamps.force_position == report.stamps.force_position
            && base.entity.body.is_standing()
            && report.has_contact
            && self.held.as_ref().is_none_or(stays_in_place)
            && self.knows_land(last)
            && self.knows_land(report.position);
        let stamps = (base.stamps.server_control, report.stamps.server_control);
        let deviation = if is_led { self.orders.deviation(last, stamps, report.position) } else { None };
        let Some(error) = deviation else { return reach };
        let allowed = self.settings.reach_tolerance.max(self.orders.max_push() + self.settings.tolerance);
        let verdict = Verdict { method: Method::Ordered, error, allowed, ..reach };
        if let Some((ahead, had)) = self.ahead_of_order(base, report).filter(|(ahead, _)| *ahead > MAX_AHEAD)
        {
            let finding = Finding::TooFast { needed: had + ahead, had };
            return Verdict { finding, lead: 0.0, ..verdict };
        }
        if self.is_detour(base) {
            return verdict;
        }
        self.orders.on_straight_way();
        if error <= allowed {
            return verdict;
        }
        Verdict { finding: self.explain_deviation(base, report, error), lead: 0.0, ..verdict }
    }

    /// Returns the time, in seconds, by which a player is ahead of a shadow that has followed its order since that was sent,
    /// and how long ago that was. `None` if that is not known. No client can have received the order sooner.
    fn ahead_of_order(&mut self, base: &Base, report: &Report<'_>) -> Option<(f64, f64)> {
        let (since, newest) = (base.stamps.server_control, report.stamps.server_control);
        let (_, sent_at) = self.led_by.filter(|(stamp, _)| *stamp == newest && newest != since)?;
        let (from, is_target) = (&base.entity.body.position, |guid| self.orders.leads_to(guid));
        let is_known = self.orders.interrupted_nothing(since, newest)
            && !self.is_crowded_by(from, report.position, |guid| !is_target(guid));
        let shadow = self.player().filter(|_| is_known)?.entity().clone();
        let fit = self.fit((&shadow, report.now), report)?;
        (fit.error <= self.settings.tolerance).then_some((fit.needed, report.now - sent_at))
    }

    /// Returns `true` if something other than its target stops the player on the straight line to a goal of its orders.
    fn is_detour(&mut self, base: &Base) -> bool {
        let goals: Vec<CellPosition> = self.orders.goals().copied().collect();
        goals.iter().any(|goal| {
            let barrier = self.blocked(base, goal).map(|blocked| blocked.by);
            barrier.is_some_and(|by| !matches!(by, Barrier::Entity(target) if self.orders.leads_to(target)))
        })
    }

    /// Returns the player after a report if the keys that its client last reported move it again; `None` if they do not.
    fn resumed(&mut self, base: &Base) -> Option<Entity> {
        let (now, last) = (self.now, self.own_player.last_action());
        let held = self.held.clone().filter(|raw| !stays_in_place(raw))?;
        // The order may have changed the style.
        let held = RawState { style: base.entity.interp.interpreted.style, ..held };
        let resumed = self.world.act(self.player, now, |actor, _| {
            let shadow = std::mem::replace(actor.entity, base.entity.clone());
            actor.apply_client_state(&held, false, last);
            std::mem::replace(actor.entity, shadow)
        });
        self.world.drain_events().for_each(drop);
        resumed
    }
}

/// Returns the distance, in metres, of a position from the line through the points of a path.
fn distance_to_path(path: &[CellPosition], target: &CellPosition) -> f32 {
    let ends = path.iter().zip(path.iter().skip(1).chain(path.last()));
    ends.map(|(from, to)| Nearest::on_step(from, to, target, 0.0).distance).fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use acmotion_types::{ActionStamp, MotionCommand, Stamp, Vec3};
    use acmotion_wire::EchoedStamps;

    use super::super::fixture::*;
    use super::*;
    use crate::interp::Action;

    fn base(checker: &mut Checker) -> Base {
        checker.base.take().unwrap()
    }

    /// Moves the shadow.
    fn put(checker: &mut Checker, position: &CellPosition) {
        checker
            .world
            .act(PLAYER, 10.0, |actor, surroundings| actor.set_position(position, true, surroundings));
    }

    /// The verdict on a position a second after the last report, and the point of the path on which it was found.
    fn ordered(
        checker: &mut Checker,
        position: CellPosition,
        stamps: EchoedStamps,
    ) -> (Verdict, Option<Origin>) {
        let base = base(checker);
        let report = Report { stamps, ..report_of(&position, 11.0) };
        let mut found = None;
        let verdict = checker.check_ordered(&base, &report, &mut found);
        checker.base = Some(base);
        (verdict, found)
    }

    fn judge(checker: &mut Checker, position: CellPosition) -> Verdict {
        ordered(checker, position, EchoedStamps::default()).0
    }

    #[test]
    fn a_player_can_be_where_it_was_where_its_shadow_is_or_where_that_has_been() {
        // Last reported at (96.5, 96.5). The shadow is at (91.5, 96.5), and has been at (96.5, 90) to (96.5, 88).
        let make = || {
            let mut checker = checker();
            put(&mut checker, &at(91.5, 96.5));
            checker.trail = vec![at(96.5, 90.0), at(96.5, 88.0)];
            checker
        };
        for (x, y, expected) in
            [(96.5, 96.5, 0.0), (91.5, 96.5, 0.0), (96.5, 89.0, 0.0), (96.5, 98.0, 1.5), (96.5, 86.5, 1.5)]
        {
            let verdict = judge(&mut make(), at(x, y));
            assert_eq!((verdict.method, verdict.finding), (Method::Ordered, Finding::Ok), "{x} {y}");
            assert_near(f64::from(verdict.error), expected, 0.02);
            assert_eq!(verdict.allowed, 2.0);
        }
        // 2 m are allowed.
        let verdict = judge(&mut make(), at(96.5, 99.5));
        let Finding::Teleported { distance } = verdict.finding else { panic!("{verdict:?}") };
        assert_near(f64::from(distance), 3.0, 0.02);
        assert_eq!((verdict.method, verdict.lead), (Method::Ordered, 0.0));
        // Nobody gets 60 m away in a second.
        let verdict = judge(&mut make(), at(156.5, 96.5));
        assert_eq!((verdict.method, verdict.finding.name()), (Method::Reach, "too_fast"));
    }

    #[test]
    fn only_speed_and_walls_count_while_it_is_not_known_where_the_player_is_led() {
        let method = |change: fn(&mut Checker), position: CellPosition, stamps: EchoedStamps| {
            let mut checker = checker();
            change(&mut checker);
            ordered(&mut checker, position, stamps).0.method
        };
        let (here, none) = (at(96.5, 96.5), EchoedStamps::default());
        assert_eq!(method(|_| {}, here, none), Method::Ordered);
        assert_eq!(method(|checker| checker.uncertain_until = 11.5, here, none), Method::Reach);
        assert_eq!(method(|checker| checker.uncertain_until = 11.0, here, none), Method::Ordered);
        assert_eq!(method(|checker| checker.sticky_until = 11.5, here, none), Method::Reach);
        assert_eq!(method(|checker| checker.sticky_until = 11.0, here, none), Method::Ordered);
        assert_eq!(method(|checker| checker.is_sent_somewhere = true, here, none), Method::Reach);
        let teleported = EchoedStamps { teleport: Stamp(1), ..none };
        assert_eq!(method(|_| {}, here, teleported), Method::Reach);
        let forced = EchoedStamps { force_position: Stamp(1), ..none };
        assert_eq!(method(|_| {}, here, forced), Method::Reach);
        let ordered_since = EchoedStamps { server_control: Stamp(1), ..none };
        assert_eq!(method(|_| {}, here, ordered_since), Method::Ordered);
        // The land ends at x = 0.
        for (from, to, expected) in
            [(0.5, 0.2, Method::Ordered), (0.5, -0.2, Method::Reach), (-0.5, 0.2, Method::Reach)]
        {
            assert_eq!(judge(&mut checker_at(at(from, 96.5)), at(to, 96.5)).method, expected, "{from} {to}");
        }
    }

    /// Rule K8: keys that are still held move the player again when an order has ended, without a message.
    #[test]
    fn keys_that_are_still_held_resume_after_an_order() {
        let resumed = |aside: f32, server_control: u16| {
            let mut copy = runner();
            let mut position = honest(&mut copy, 10.8);
            position.frame.origin.x += aside;
            let mut checker = checker();
            (checker.held, checker.knows_keys) = (Some(running()), false);
            let stamps = EchoedStamps { server_control: Stamp(server_control), ..EchoedStamps::default() };
            let (verdict, found) = ordered(&mut checker, position, stamps);
            assert_eq!((verdict.method, verdict.finding), (Method::Ordered, Finding::Ok), "{verdict:?}");
            let still = checker.player().unwrap().position();
            assert!(still.distance_to(&at(96.5, 96.5)) < 0.01, "the shadow has not moved");
            (verdict.error, found.is_some(), checker.knows_keys)
        };
        let (error, is_found, knows_keys) = resumed(0.0, 0);
        assert!(error < 0.1, "{error}");
        assert!(is_found && knows_keys);
        // Half a metre beside the path is near enough to be honest, but not to say that the keys move it.
        let (error, is_found, knows_keys) = resumed(0.5, 0);
        assert_near(f64::from(error), 0.5, 0.05);
        assert!(!is_found && !knows_keys);
        // Nor is a client that has received another order since.
        let (error, is_found, knows_keys) = resumed(0.0, 1);
        assert!(error < 0.1, "{error}");
        assert!(!is_found && !knows_keys);
    }

    #[test]
    fn a_player_that_stays_where_it_is_says_nothing_about_keys_that_are_held() {
        let mut checker = checker();
        (checker.held, checker.knows_keys) = (Some(running()), false);
        let (verdict, found) = ordered(&mut checker, at(96.5, 96.5), EchoedStamps::default());
        assert_eq!((verdict.method, found.is_some(), checker.knows_keys), (Method::Ordered, false, false));
        // Keys that do not move it do not resume.
        let base = base(&mut checker);
        assert!(checker.resumed(&base).is_some_and(|entity| entity.interp.has_pending()));
        checker.held = Some(RawState::default());
        assert!(checker.resumed(&base).is_none());
    }

    #[test]
    fn an_action_that_was_played_is_not_played_again_by_keys_that_resume() {
        let mut checker = checker();
        let mut raw = running();
        let (motion, speed) = (MotionCommand::WAVE, 1.0);
        raw.push_action(Action { motion, speed, stamp: ActionStamp::new(1), autonomous: true });
        keys(&mut checker, &raw, at(96.5, 96.5), 10.0);
        assert_eq!(checker.own_player.last_action(), Some(ActionStamp::new(1)));
        let standing = super::super::fixture::checker().base.unwrap();
        let resumed = checker.resumed(&standing).unwrap();
        assert_eq!(resumed.interp.interpreted.actions().count(), 0);
    }

    /// A player that was ordered north, to (96.5, 112) at 10 s, with stamp 1.
    fn ordered_north() -> Checker {
        let mut checker = checker();
        checker.sent(&go(PLAYER, &at(96.5, 112.0), 1.0, 1), 10.0).unwrap();
        assert!(checker.is_sent_somewhere);
        checker
    }

    fn ordered_for_a_second() -> Checker {
        let mut checker = ordered_north();
        wait(&mut checker, 11.0);
        checker
    }

    const RECEIVED: EchoedStamps = EchoedStamps {
        instance: Stamp(0),
        server_control: Stamp(1),
        teleport: Stamp(0),
        force_position: Stamp(0),
    };

    #[test]
    fn an_order_leads_the_player_straight_to_its_goal() {
        for (x, y, error) in [(96.5, 98.0, 0.0), (98.0, 98.0, 1.5), (96.5, 95.5, 1.0)] {
            let (verdict, _) = ordered(&mut ordered_for_a_second(), at(x, y), RECEIVED);
            assert_eq!(
                (verdict.method, verdict.finding),
                (Method::Ordered, Finding::Ok),
                "{x} {y}: {verdict:?}"
            );
            assert_near(f64::from(verdict.error), error, 0.01);
            assert_eq!(verdict.allowed, 2.0);
        }
        let (verdict, _) = ordered(&mut ordered_for_a_second(), at(99.5, 98.0), RECEIVED);
        assert_eq!(verdict.finding, Finding::Teleported { distance: verdict.error });
        assert_near(f64::from(verdict.error), 3.0, 0.01);
        assert_eq!((verdict.method, verdict.lead), (Method::Ordered, 0.0));
        // An order that the client has not received does not lead it.
        let (verdict, _) = ordered(&mut ordered_for_a_second(), at(96.5, 98.0), EchoedStamps::default());
        assert_eq!(verdict.method, Method::Reach);
    }

    #[test]
    fn the_way_of_an_order_is_judged_only_if_nothing_else_moves_the_player() {
        type Change = fn(&mut Checker, &mut Base, &mut Report<'_>);
        let method = |change: Change| {
            let mut checker = ordered_north();
            let mut base = base(&mut checker);
            let position = at(98.0, 98.0);
            let mut report = Report { stamps: RECEIVED, ..report_of(&position, 11.0) };
            change(&mut checker, &mut base, &mut report);
            checker.check_ordered(&base, &report, &mut None).method
        };
        assert_eq!(method(|_, _, _| {}), Method::Ordered);
        assert_eq!(method(|_, _, report| report.stamps.teleport = Stamp(1)), Method::Reach);
        assert_eq!(method(|_, _, report| report.stamps.force_position = Stamp(1)), Method::Reach);
        let falls: Change = |_, base, _| base.entity.body.transient = Default::default();
        assert_eq!(method(falls), Method::Reach);
        assert_eq!(method(|_, _, report| report.has_contact = false), Method::Reach);
        assert_eq!(method(|checker, _, _| checker.held = Some(running())), Method::Reach);
        assert_eq!(method(|checker, _, _| checker.held = None), Method::Ordered);
        assert_eq!(method(|_, base, _| base.entity.body.position = at(-0.5, 98.0)), Method::Reach);
    }

    #[test]
    fn the_way_of_an_order_is_not_judged_where_the_land_ends() {
        let method = |from: f32, to: f32| {
            let mut checker = checker_at(at(from, 96.5));
            checker.sent(&go(PLAYER, &at(1.0, 96.5), 1.0, 1), 10.0).unwrap();
            ordered(&mut checker, at(to, 96.5), RECEIVED).0.method
        };
        assert_eq!(method(0.5, 0.2), Method::Ordered);
        assert_eq!(method(0.5, -0.2), Method::Reach);
        assert_eq!(method(-0.5, 0.2), Method::Reach);
    }

    /// The shadow has followed the order since it was sent. No client can have received it sooner.
    #[test]
    fn a_player_cannot_be_farther_on_its_way_than_its_shadow() {
        type Change = fn(&mut Checker, &mut Base);
        let nothing: Change = |_, _| {};
        // Where the shadow will be at a time, reported at 11 s.
        let finding = |then: f64, change: Change| {
            let position = honest(&mut ordered_north(), then);
            let mut checker = ordered_north();
            wait(&mut checker, 11.0);
            let mut base = base(&mut checker);
            change(&mut checker, &mut base);
            let report = Report { stamps: RECEIVED, ..report_of(&position, 11.0) };
            checker.check_ordered(&base, &report, &mut None).finding
        };
        let Finding::TooFast { needed, had } = finding(11.6, nothing) else { panic!("too fast") };
        assert_near(had, 1.0, 1e-6);
        assert_near(needed, 1.6, 0.07);
        assert_eq!(finding(11.15, nothing), Finding::Ok, "frames differ by up to 0.25 s");
        assert_eq!(finding(10.6, nothing), Finding::Ok);
        // The shadow follows something else.
        assert_eq!(finding(11.6, |checker, _| checker.led_by = None), Finding::Ok);
        assert_eq!(finding(11.6, |checker, _| checker.led_by = Some((Stamp(2), 10.0))), Finding::Ok);
        // The client had received the order before.
        assert_eq!(finding(11.6, |_, base| base.stamps = RECEIVED), Finding::Ok);
        // Somebody else was in the way of one of the two.
        let crowd: Change = |checker, _| {
            checker.world.add_stand_in(OTHER, &at(100.5, 98.0), 11.0);
        };
        assert_eq!(finding(11.6, crowd), Finding::Ok);
    }

    /// A client that received the first of two orders late is not where the shadow was when the second was sent.
    #[test]
    fn an_order_that_interrupts_another_does_not_say_how_far_the_player_can_be() {
        let make = || {
            let mut checker = ordered_north();
            checker.sent(&go(PLAYER, &at(96.5, 112.0), 1.0, 2), 10.5).unwrap();
            assert_eq!(checker.led_by, Some((Stamp(2), 10.5)));
            checker
        };
        let position = honest(&mut make(), 11.6);
        let mut checker = make();
        wait(&mut checker, 11.0);
        let received = EchoedStamps { server_control: Stamp(2), ..RECEIVED };
        let (verdict, _) = ordered(&mut checker, position, received);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Ordered));
    }

    /// A target that the player is sent to does not crowd its way, and may push it by their size, 1.36 m, a gap of 0.3 m and
    /// the tolerance of 0.75 m.
    #[test]
    fn a_target_is_not_in_the_way_of_the_player_that_goes_to_it() {
        let make = || {
            let mut checker = checker();
            checker.world.add_stand_in(OTHER, &at(96.5, 105.0), 10.0);
            checker.sent(&go_to(PLAYER, OTHER, &at(96.5, 105.0), 1), 10.0).unwrap();
            checker
        };
        let position = honest(&mut make(), 11.6);
        let mut checker = make();
        wait(&mut checker, 11.0);
        let (verdict, _) = ordered(&mut checker, position, RECEIVED);
        assert!(matches!(verdict.finding, Finding::TooFast { .. }), "{verdict:?}");
        for (x, expected) in [(98.8, "ok"), (99.0, "teleported")] {
            let (verdict, _) = ordered(&mut make(), at(x, 98.0), RECEIVED);
            assert_eq!(verdict.finding.name(), expected, "{verdict:?}");
            assert_near(f64::from(verdict.allowed), 2.0 * 0.678_822_5 + 0.3 + 0.75, 1e-3);
        }
    }

    /// The wall of the fixture is between the player and its goal: it has to go around it.
    #[test]
    fn a_player_that_cannot_go_straight_may_be_anywhere_within_reach() {
        let finding = |goal: &CellPosition| {
            let mut checker = checker_at(at(96.5, 156.0));
            checker.sent(&go(PLAYER, goal, 1.0, 1), 10.0).unwrap();
            let (verdict, _) = ordered(&mut checker, at(101.5, 156.0), RECEIVED);
            assert_eq!(verdict.method, Method::Ordered);
            assert_near(f64::from(verdict.error), 5.0, 0.2);
            verdict.finding.name()
        };
        assert_eq!(finding(&at(96.5, 166.0)), "ok");
        assert_eq!(finding(&at(96.5, 146.0)), "teleported");
    }

    /// A player that drifts away from the way of its order is found by where it set out.
    #[test]
    fn what_is_beside_the_way_adds_up() {
        let mut checker = ordered_north();
        let mut follow = |x: f32, y: f32, now: f64| {
            let mut position = message(crate::check::ClientMotionKind::Position, at(x, y));
            position.stamps = RECEIVED;
            receive(&mut checker, &position, now)
        };
        let first = follow(98.0, 98.0, 12.0);
        assert_eq!((first.finding, first.method), (Finding::Ok, Method::Ordered));
        let second = follow(99.5, 100.0, 13.0);
        assert_eq!(second.finding.name(), "teleported", "{second:?}");
        assert_near(f64::from(second.error), 3.0, 0.05);
    }

    #[test]
    fn the_distance_from_a_path_is_that_from_its_nearest_line() {
        let path = [at(90.0, 90.0), at(90.0, 100.0), at(100.0, 100.0)];
        for (x, y, expected) in [(91.0, 95.0, 1.0), (95.0, 98.0, 2.0), (103.0, 104.0, 5.0), (90.0, 87.0, 3.0)]
        {
            assert_near(f64::from(distance_to_path(&path, &at(x, y))), expected, 1e-3);
        }
        assert_near(f64::from(distance_to_path(&path[..1], &at(93.0, 94.0))), 5.0, 1e-3);
        assert_eq!(distance_to_path(&[], &at(93.0, 94.0)), f32::INFINITY);
        let mut above = at(91.0, 95.0);
        above.frame.origin += Vec3::new(-1.0, 0.0, 2.0);
        assert_near(f64::from(distance_to_path(&path, &above)), 2.0, 1e-3);
    }
}
