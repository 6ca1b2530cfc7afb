//! Judges a report by the path that the client's own keys lead to from its last report.

use acmotion_types::MotionCommand;

use super::{Base, Checker, HITCH_JITTER, Origin, REPORT_INTERVAL, Report, stays_in_place};
use crate::check::predict::{Fit, fit};
use crate::check::{Finding, ImpossibleFlag, Method, Verdict};
use crate::entity::Entity;

/// The time, in seconds, for which a player must have moved as predicted for its animations to be known again.
const MIN_SETTLING: f64 = 0.5;
/// The distance, in metres, by which a player that slides around another entity can be off its path.
const CROWD_ERROR: f32 = 2.0;

/// The verdict on a position of the own path.
struct Judged {
    verdict: Verdict,
    /// As in [`Fit::moving`].
    moving: f64,
    origin: Origin,
}

impl Checker {
    /// Judges a position by the path that the last report leads to, and returns where it lies there if that is known.
    pub(super) fn check_path(
        &mut self,
        base: &Base,
        report: &Report<'_>,
        is_jump: bool,
        found: &mut Option<Origin>,
    ) -> Verdict {
        let Some(fit) = self.fit((&base.entity, base.at), report) else {
            return Verdict::unjudged(Finding::Ok);
        };
        let verdict = self.judge_fit(base, report, &fit, is_jump);
        let mut judged = Judged { verdict, moving: fit.moving, origin: Origin::of(fit) };
        if let Some(bounds) = &base.bounds {
            self.judge_bounds(base, bounds, report, is_jump, &mut judged);
        }
        let Judged { mut verdict, moving, origin } = judged;
        if !verdict.is_alarm() {
            // A player that stands says nothing about its animations.
            if verdict.needed > MIN_SETTLING {
                self.unsettled_until = f64::NEG_INFINITY;
            }
            *found = Some(origin);
            return verdict;
        }
        if self.is_excused(base, report, &verdict, moving) {
            return self.check_reach(base, report);
        }
        if verdict.error > verdict.allowed {
            verdict.finding = self.explain_deviation(base, report, verdict.error);
        } else {
            *found = Some(origin);
        }
        verdict
    }

    /// Also judges a position by the paths of a player whose animations began as late, or as early, as possible. The most
    /// favourable verdict counts.
    fn judge_bounds(
        &mut self,
        base: &Base,
        [late, early]: &[Box<Entity>; 2],
        report: &Report<'_>,
        is_jump: bool,
        judged: &mut Judged,
    ) {
        let fits = [late, early].map(|entity| self.fit((entity, base.at), report));
        let [Some(late), Some(early)] = fits else { return };
        let Judged { verdict, moving, origin } = judged;
        *moving = moving.min(late.moving).min(early.moving);
        let verdicts = [&late, &early].map(|fit| self.judge_fit(base, report, fit, is_jump));
        let rank = |verdict: &Verdict| (verdict.is_alarm(), verdict.error > verdict.allowed);
        for (other, fit) in verdicts.into_iter().zip([&late, &early]) {
            if rank(&other) < rank(verdict) {
                (*verdict, origin.likely) = (other, fit.likely.clone());
            }
        }
        // A player that moves in a cycle has forgotten when it began.
        let is_settled = origin.bounds.is_none() && !origin.likely.interp.has_pending();
        let [late_fits, early_fits] = verdicts.map(|verdict| verdict.error <= verdict.allowed);
        let [first, last] =
            origin.bounds.take().unwrap_or_else(|| [origin.likely.clone(), origin.likely.clone()]);
        let bounds = [if late_fits { late.first } else { first }, if early_fits { early.last } else { last }];
        origin.bounds = (!is_settled || verdict.is_alarm()).then_some(bounds);
    }

    /// Returns `true` if an alarm about a position on the own path can be the work of animations whose phase is not known,
    /// or of an entity that was in the way.
    fn is_excused(&self, base: &Base, report: &Report<'_>, verdict: &Verdict, moving: f64) -> bool {
        let is_off = verdict.error > verdict.allowed;
        // Animations that are not known delay a motion, but lead it elsewhere only if the player turns as it moves.
        let is_straight = self
            .held
            .as_ref()
            .is_none_or(|raw| raw.turn.command == MotionCommand::NONE || stays_in_place(raw));
        let is_small = if is_off {
            verdict.error <= self.settings.reach_tolerance
        } else {
            base.entity.interp.has_pending() || moving <= self.longest_interval()
        };
        let is_unsettled = report.now < self.unsettled_until && (is_small || !is_straight);
        let is_slide = is_off
            && verdict.error <= CROWD_ERROR
            && self.is_crowded(&base.entity.body.position, report.position);
        is_unsettled || is_slide
    }

    /// Judges a position by where it lies on a path.
    pub(super) fn judge_fit(&self, base: &Base, report: &Report<'_>, fit: &Fit, is_jump: bool) -> Verdict {
        let allowed = self.settings.tolerance;
        let (error, needed, passed) = (fit.error, fit.needed, report.now - base.at);
        let lead = (self.lead + needed - passed).max(0.0);
        let longest = self.longest_interval();
        let is_unreported = self.is_unreported(fit, needed, passed);
        let finding = if error > allowed {
            Finding::Teleported { distance: error }
        } else if lead > self.settings.latency_spread {
            Finding::TooFast { needed, had: needed + self.settings.latency_spread - lead }
        } else if is_unreported {
            Finding::TooFast { needed, had: longest }
        } else if is_jump && !fit.stands {
            Finding::ImpossibleFlags(ImpossibleFlag::Jump)
        } else {
            Finding::Ok
        };
        let lead = if finding == Finding::Ok { lead } else { 0.0 };
        Verdict { finding, method: Method::Predicted, error, allowed, needed, lead }
    }

    /// Returns `true` if a motion of `seconds` is longer than an honest client moves without a report (rule K7). A late
    /// arrival excuses one such motion, as a long frame of the client, but not a second in a row.
    fn is_unreported(&self, fit: &Fit, seconds: f64, passed: f64) -> bool {
        let is_long = fit.is_on_ground && seconds > self.longest_interval();
        is_long && (self.is_overdue || seconds > passed + HITCH_JITTER)
    }

    /// Returns the longest time, in seconds, for which an honest client moves on the ground without a report.
    pub(super) fn longest_interval(&self) -> f64 {
        REPORT_INTERVAL + self.settings.max_frame
    }

    pub(super) fn fit(&mut self, start: (&Entity, f64), report: &Report<'_>) -> Option<Fit> {
        let now = self.now;
        let passed = report.now - start.1;
        let seconds = passed + self.settings.latency_spread + REPORT_INTERVAL;
        let tolerance = self.settings.tolerance;
        self.world.act(self.player, now, |actor, surroundings| {
            fit(actor, surroundings, start, report.position, (passed, seconds), tolerance)
        })
    }

    /// Replaces the player by a copy that was simulated.
    pub(super) fn put(&mut self, entity: Box<Entity>) {
        let now = self.now;
        self.world.act(self.player, now, |actor, _| {
            let correction = std::mem::take(&mut actor.entity.correction);
            *actor.entity = *entity;
            // What the server sent in the meantime still counts.
            actor.entity.correction = correction;
            actor.entity.body.clock.update_time = now;
        });
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::CellPosition;
    use acmotion_wire::HoldKey;

    use super::super::fixture::*;
    use super::*;
    use crate::interp::{RawAxis, RawState};

    fn last_report(checker: &mut Checker) -> Base {
        checker.base.take().unwrap()
    }

    fn fit_of(entity: &Entity, error: f32, needed: f64) -> Fit {
        let copy = || Box::new(entity.clone());
        Fit {
            error,
            needed,
            moving: needed,
            is_on_ground: true,
            stands: true,
            likely: copy(),
            first: copy(),
            last: copy(),
            is_sharp: true,
        }
    }

    /// Rule K7: on the ground a client reports after 1 s and a frame of up to 0.12 s.
    #[test]
    fn a_point_of_the_path_is_judged_by_its_distance_then_by_its_time() {
        type Change = fn(&mut Checker, &mut Fit);
        let cases: [(f32, f64, f64, Change, &str); 12] = [
            (0.7, 1.0, 1.0, |_, _| {}, "ok"),
            (0.8, 1.0, 1.0, |_, _| {}, "teleported"),
            (0.0, 1.1, 0.1, |_, _| {}, "ok"),
            (0.0, 1.2, 1.0, |_, _| {}, "too_fast"),
            (0.0, 1.2, 1.15, |_, _| {}, "ok"),
            (0.0, 1.2, 1.15, |checker, _| checker.is_overdue = true, "too_fast"),
            (0.0, 1.1, 1.15, |checker, _| checker.is_overdue = true, "ok"),
            (0.0, 1.2, 1.0, |_, fit| fit.is_on_ground = false, "ok"),
            (0.0, 3.5, 0.6, |_, fit| fit.is_on_ground = false, "ok"),
            (0.0, 3.5, 0.4, |_, fit| fit.is_on_ground = false, "too_fast"),
            (0.0, 1.0, 0.5, |checker, _| checker.lead = 2.4, "ok"),
            (0.0, 1.0, 0.5, |checker, _| checker.lead = 2.6, "too_fast"),
        ];
        for (number, (error, needed, passed, change, expected)) in cases.into_iter().enumerate() {
            let mut checker = checker();
            let base = last_report(&mut checker);
            let mut fit = fit_of(&base.entity, error, needed);
            change(&mut checker, &mut fit);
            let position = at(96.5, 96.5);
            let verdict = checker.judge_fit(&base, &report_of(&position, 10.0 + passed), &fit, false);
            assert_eq!(verdict.finding.name(), expected, "{number}: {verdict:?}");
            assert_eq!((verdict.method, verdict.allowed), (Method::Predicted, 0.75));
            assert_eq!((verdict.error, verdict.needed), (error, needed));
            let lead = if expected == "ok" { (checker.lead + needed - passed).max(0.0) } else { 0.0 };
            assert_near(verdict.lead, lead, 1e-9);
        }
    }

    #[test]
    fn what_is_too_fast_is_named_with_the_time_that_the_client_can_have_had() {
        let mut checker = checker();
        let base = last_report(&mut checker);
        let position = at(96.5, 96.5);
        let judge = |needed: f64, passed: f64, is_on_ground: bool| {
            let fit = Fit { is_on_ground, ..fit_of(&base.entity, 0.0, needed) };
            match checker.judge_fit(&base, &report_of(&position, 10.0 + passed), &fit, false).finding {
                Finding::TooFast { needed: named, had } => (named, had),
                other => panic!("{other:?}"),
            }
        };
        // The time that passed and the latency, or the longest interval between two reports.
        let (needed, had) = judge(3.5, 0.4, false);
        assert_near(needed, 3.5, 1e-9);
        assert_near(had, 3.4, 1e-9);
        let (needed, had) = judge(1.3, 1.0, true);
        assert_near(needed, 1.3, 1e-9);
        assert_near(had, 1.12, 1e-9);
    }

    /// Rule C22: a jump needs ground, within a few steps of where the player is.
    #[test]
    fn a_jump_from_a_point_without_ground_is_impossible() {
        let mut checker = checker();
        let base = last_report(&mut checker);
        let position = at(96.5, 96.5);
        for (is_jump, stands, expected) in [
            (true, true, Finding::Ok),
            (true, false, Finding::ImpossibleFlags(ImpossibleFlag::Jump)),
            (false, false, Finding::Ok),
            (false, true, Finding::Ok),
        ] {
            let fit = Fit { stands, ..fit_of(&base.entity, 0.0, 0.5) };
            let verdict = checker.judge_fit(&base, &report_of(&position, 10.5), &fit, is_jump);
            assert_eq!(verdict.finding, expected);
        }
    }

    fn verdict(error: f32) -> Verdict {
        let finding = Finding::Teleported { distance: error };
        Verdict { finding, method: Method::Predicted, error, allowed: 0.75, needed: 1.0, lead: 0.0 }
    }

    /// What excuses a report of a player whose animations are not known until 12 s.
    #[test]
    fn unknown_animations_excuse_a_delay_and_a_turn_also_a_deviation() {
        let excused = |now: f64, error: f32, moving: f64, held: Option<RawState>| {
            let mut checker = checker();
            (checker.unsettled_until, checker.held) = (12.0, held);
            let base = last_report(&mut checker);
            let position = at(96.5, 98.0);
            checker.is_excused(&base, &report_of(&position, now), &verdict(error), moving)
        };
        assert!(excused(11.0, 1.5, 5.0, None), "up to 2 m");
        assert!(!excused(11.0, 2.5, 0.0, None));
        assert!(!excused(12.0, 1.5, 0.0, None), "they are known again");
        assert!(excused(11.0, 0.0, 1.1, None), "up to the longest interval");
        assert!(!excused(11.0, 0.0, 1.2, None));
        let turn = RawAxis { hold_key: HoldKey::RUN, ..RawAxis::new(MotionCommand::TURN_LEFT) };
        assert!(excused(11.0, 2.5, 5.0, Some(RawState { turn, ..running() })));
        assert!(!excused(12.0, 2.5, 5.0, Some(RawState { turn, ..running() })));
        assert!(
            !excused(11.0, 2.5, 5.0, Some(RawState { turn, ..RawState::default() })),
            "it turns in place"
        );
        assert!(!excused(11.0, 2.5, 5.0, Some(running())), "it does not turn");
        // A link that plays delays everything.
        let mut linked = runner();
        linked.unsettled_until = 12.0;
        let base = last_report(&mut linked);
        assert!(base.entity.interp.has_pending());
        assert!(linked.is_excused(&base, &report_of(&at(96.5, 98.0), 11.0), &verdict(0.0), 5.0));
    }

    #[test]
    fn an_entity_near_the_path_excuses_a_slide_of_two_metres() {
        let excused = |error: f32, other: CellPosition| {
            let mut checker = checker();
            checker.world.add_stand_in(OTHER, &other, 10.0);
            let base = last_report(&mut checker);
            let position = at(96.5, 100.0);
            checker.is_excused(&base, &report_of(&position, 11.0), &verdict(error), 5.0)
        };
        assert!(excused(1.9, at(98.0, 98.0)));
        assert!(!excused(2.1, at(98.0, 98.0)), "too far");
        assert!(!excused(0.5, at(98.0, 98.0)), "it is on the path, so that it was too fast");
        assert!(!excused(1.9, at(106.0, 98.0)), "nobody was there");
    }

    /// A player that runs at full speed, whose last report was at (96.5, 96.5) at 10 s.
    fn at_full_speed() -> (Checker, Base) {
        let mut checker = runner();
        wait(&mut checker, 12.0);
        checker.world.act(PLAYER, 12.0, |actor, surroundings| {
            actor.set_position(&at(96.5, 96.5), true, surroundings);
        });
        checker.rebase(Default::default(), None);
        let mut base = last_report(&mut checker);
        base.at = 10.0;
        assert!(!base.entity.interp.has_pending());
        (checker, base)
    }

    fn moved(entity: &Entity, y: f32) -> Box<Entity> {
        let mut moved = Box::new(entity.clone());
        moved.body.position = at(96.5, y);
        moved
    }

    fn judged(checker: &mut Checker, base: &Base, report: &Report<'_>) -> Judged {
        let fit = checker.fit((&base.entity, base.at), report).unwrap();
        let verdict = checker.judge_fit(base, report, &fit, false);
        Judged { verdict, moving: fit.moving, origin: Origin::of(fit) }
    }

    fn y(entity: &Entity) -> f64 {
        f64::from(entity.body.position.frame.origin.y)
    }

    /// A standing player, at (96.5, 96.5), or at 98 or 100 m if its animations began late or early.
    #[test]
    fn the_most_favourable_of_the_possible_paths_counts() {
        let judge = |to: f32, lead: f64| {
            let mut checker = checker();
            let base = last_report(&mut checker);
            checker.lead = lead;
            let bounds = [moved(&base.entity, 98.0), moved(&base.entity, 100.0)];
            let position = at(96.5, to);
            let report = report_of(&position, 11.0);
            let mut judged = judged(&mut checker, &base, &report);
            checker.judge_bounds(&base, &bounds, &report, false, &mut judged);
            let ends = judged.origin.bounds.as_ref().map(|bounds| bounds.each_ref().map(|entity| y(entity)));
            (judged.verdict, y(&judged.origin.likely), ends)
        };
        // (likely, and the earliest and the latest that fit)
        for (to, likely, ends) in
            [(96.5, 96.5, [96.5, 96.5]), (98.0, 98.0, [98.0, 96.5]), (100.0, 100.0, [96.5, 100.0])]
        {
            let (verdict, found, bounds) = judge(to, 0.0);
            assert_eq!(verdict.finding, Finding::Ok, "{to}");
            assert_near(f64::from(verdict.error), 0.0, 0.01);
            assert_near(found, likely, 0.01);
            let bounds = bounds.expect("it stands, so that it is not known for how long");
            assert_near(bounds[0], ends[0], 0.01);
            assert_near(bounds[1], ends[1], 0.01);
        }
        // Where it should be, but too soon, is better than somewhere else.
        let (verdict, ..) = judge(98.0, 4.5);
        assert!(matches!(verdict.finding, Finding::TooFast { .. }), "{verdict:?}");
        let (verdict, found, _) = judge(110.0, 0.0);
        assert!(matches!(verdict.finding, Finding::Teleported { .. }), "{verdict:?}");
        assert_near(found, 96.5, 0.01);
    }

    #[test]
    fn a_player_that_moves_in_a_cycle_has_one_path_and_the_shortest_motion_counts() {
        let (mut checker, base) = at_full_speed();
        let target = at(96.5, 96.5 + 3.0 * RUN);
        let report = report_of(&target, 13.0);
        let bounds = [moved(&base.entity, 96.5 + 2.0 * RUN), moved(&base.entity, 96.5 + RUN)];
        let mut first = judged(&mut checker, &base, &report);
        assert_near(first.moving, 3.0, 0.05);
        checker.is_overdue = false;
        checker.judge_bounds(&base, &bounds, &report, false, &mut first);
        assert_near(first.moving, 1.0, 0.05);
        assert_near(first.verdict.needed, 3.0, 0.05);
        assert!(!first.verdict.is_alarm(), "a long frame");
        assert!(first.origin.bounds.is_none(), "it has forgotten when it began");
        // Not if it is too fast.
        let soon = report_of(&target, 12.0);
        let mut fast = judged(&mut checker, &base, &soon);
        let bounds = [moved(&base.entity, 96.5), moved(&base.entity, 96.5)];
        checker.judge_bounds(&base, &bounds, &soon, false, &mut fast);
        assert!(fast.verdict.is_alarm() && fast.origin.bounds.is_some());
        // Nor if the end of the path is still a link.
        let mut linked = runner();
        let base = last_report(&mut linked);
        let target = honest(&mut linked, 10.2);
        let report = report_of(&target, 10.2);
        let bounds = [Box::new(base.entity.clone()), Box::new(base.entity.clone())];
        let mut begun = judged(&mut linked, &base, &report);
        assert!(begun.origin.bounds.is_none() && begun.origin.likely.interp.has_pending());
        linked.judge_bounds(&base, &bounds, &report, false, &mut begun);
        assert!(begun.origin.bounds.is_some());
    }

    #[test]
    fn a_motion_on_the_path_settles_the_animations_and_leads_on_from_there() {
        let check = |checker: &mut Checker, position: &CellPosition, now: f64| {
            let base = last_report(checker);
            let mut found = None;
            let verdict = checker.check_path(&base, &report_of(position, now), false, &mut found);
            checker.base = Some(base);
            (verdict, found.map(|origin| y(&origin.likely)))
        };
        // It stands: this says nothing about its animations.
        let mut standing = checker();
        standing.unsettled_until = 20.0;
        let (verdict, found) = check(&mut standing, &at(96.5, 96.5), 11.0);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Predicted));
        assert_near(found.unwrap(), 96.5, 0.01);
        assert_eq!(standing.unsettled_until, 20.0);
        // Half a second of motion does.
        let mut running = runner();
        running.unsettled_until = 20.0;
        let position = honest(&mut running, 11.0);
        let (verdict, found) = check(&mut running, &position, 11.0);
        assert_eq!(verdict.finding, Finding::Ok);
        assert_near(verdict.needed, 1.0, 0.05);
        assert_near(found.unwrap(), f64::from(position.frame.origin.y), 0.2);
        assert_eq!(running.unsettled_until, f64::NEG_INFINITY);
        // Too fast, but on the path: the player goes on from where it is.
        let mut fast = runner();
        let position = honest(&mut fast, 11.5);
        let (verdict, found) = check(&mut fast, &position, 10.5);
        assert!(matches!(verdict.finding, Finding::TooFast { .. }), "{verdict:?}");
        assert!(found.is_some());
        // Off the path it is somewhere else.
        let mut off = runner();
        let (verdict, found) = check(&mut off, &at(99.5, 96.5), 10.5);
        let Finding::Teleported { distance } = verdict.finding else { panic!("{verdict:?}") };
        assert_eq!(distance, verdict.error);
        assert_near(f64::from(distance), 3.0, 0.1);
        assert!(found.is_none());
        // Unless unknown animations, or another entity, excuse it.
        let mut excused = runner();
        excused.unsettled_until = 20.0;
        let (verdict, found) = check(&mut excused, &at(98.2, 96.5), 10.5);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Reach));
        assert!(found.is_none());
        assert_eq!(excused.unsettled_until, 20.0);
    }

    /// Messages may be 3 s apart in their delays, and a report covers a second.
    #[test]
    fn the_path_is_followed_for_the_time_that_passed_and_four_seconds_more() {
        let (mut checker, base) = at_full_speed();
        for (seconds, passed, is_reached) in [(3.9, 0.0, true), (4.5, 0.0, false), (4.9, 1.0, true)] {
            let target = at(96.5, 96.5 + seconds * RUN);
            let fit = checker.fit((&base.entity, base.at), &report_of(&target, base.at + passed)).unwrap();
            assert_eq!(fit.error < 0.1, is_reached, "{seconds} s after {passed} s: {} m off", fit.error);
        }
        // Of a player that stands, the likely copy is that of the time that has passed.
        let mut standing = super::super::fixture::checker();
        let base = last_report(&mut standing);
        let fit = standing.fit((&base.entity, base.at), &report_of(&at(96.5, 96.5), 10.5)).unwrap();
        assert_near(fit.likely.body.clock.update_time, 10.5, 0.02);
    }

    #[test]
    fn a_copy_that_replaces_the_player_keeps_what_the_server_corrected() {
        let mut checker = checker();
        let entity = moved(checker.player().unwrap().entity(), 100.0);
        checker.world.add_stand_in(OTHER, &at(96.5, 98.0), 10.0);
        checker.world.act(PLAYER, 10.0, |actor, _| actor.stick_to(OTHER));
        checker.now = 10.25;
        checker.put(entity);
        let entity = checker.player().unwrap().entity();
        assert_near(y(entity), 100.0, 0.0);
        assert!(entity.correction.is_stuck());
        assert_eq!(entity.body.clock.update_time, 10.25);
    }

    #[test]
    fn a_position_off_the_path_is_explained_and_may_be_on_that_of_other_animations() {
        // The wall of the fixture is at y = 160.
        let mut walled = checker_at(at(96.5, 158.0));
        let base = last_report(&mut walled);
        let beyond = at(96.5, 162.5);
        let verdict = walled.check_path(&base, &report_of(&beyond, 11.0), false, &mut None);
        assert_eq!((verdict.finding.name(), verdict.method), ("through_wall", Method::Predicted));
        // At 98 m if its animations began late.
        let mut checker = checker();
        let mut base = last_report(&mut checker);
        let there = at(96.5, 98.0);
        let report = report_of(&there, 11.0);
        assert!(checker.check_path(&base, &report, false, &mut None).is_alarm());
        base.bounds = Some([moved(&base.entity, 98.0), moved(&base.entity, 100.0)]);
        let mut found = None;
        let verdict = checker.check_path(&base, &report, false, &mut found);
        assert_eq!(verdict.finding, Finding::Ok);
        assert_near(y(&found.unwrap().likely), 98.0, 0.01);
    }

    /// A report may be late: the player is as far in its animations as the report says, not as the time says.
    #[test]
    fn a_report_puts_the_player_back_to_where_it_is_on_its_path() {
        let mut checker = runner();
        let soon = honest(&mut checker, 10.2);
        assert!(checker.player().unwrap().entity().interp.has_pending(), "the link to the run plays");
        wait(&mut checker, 11.0);
        assert!(!checker.player().unwrap().entity().interp.has_pending());
        assert_eq!(report(&mut checker, soon, 11.0).finding, Finding::Ok);
        assert!(checker.player().unwrap().entity().interp.has_pending());
        assert!(checker.base.unwrap().entity.interp.has_pending());
    }

    #[test]
    fn copies_that_began_late_and_early_are_at_different_frames() {
        let mut checker = checker();
        report(&mut checker, at(96.5, 96.5), 14.3);
        let base = checker.base.unwrap();
        let frames = base.bounds.unwrap().map(|entity| entity.animator.sequence().frame());
        assert!((frames[0] - frames[1]).abs() > 1.0, "{frames:?}");
    }
}
