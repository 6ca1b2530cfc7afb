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
