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
