//! The checker: a shadow of one client, and the verdict on each of its messages.

use acmotion_dat::Assets;
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion_wire::{
    C2S, DecodeError, EchoedStamps, GameAction, HoldKey, MovementBody, ObjectStamps, S2C, decode_c2s,
    decode_s2c,
};

use super::predict::{Fit, Nearest, fit};
use super::sequences::{Order, Sequences};
use super::{
    CheckSettings, ClientMotion, ClientMotionKind, Finding, ImpossibleFlag, LateReason, Method, OwnPlayer,
    ReplayedStamp, Verdict, flags, learn_run_rate,
};
use crate::body::{HUGE_QUANTUM, PhysicsState};
use crate::collide::{Barrier, Surroundings};
use crate::entity::{Actor, Entity};
use crate::interp::{RUN_SPEED, RawState};
use crate::world::{Identity, Resident, Settings, StandIn, World, is_valid_time};

/// The interval, in seconds, after which a moving client reports its position (rule K7).
const REPORT_INTERVAL: f64 = 1.0;
/// The time, in seconds, for which the mouse may turn a player without a message, after one that says that it does (rule
/// K5: they are sent twice a second).
const MOUSE_SECONDS: f64 = 1.5;
/// The time, in seconds, after which the player's animations are known again when the server has moved it. No link is
/// longer.
const SETTLING_SECONDS: f64 = 2.5;
/// The time, in seconds, for which a player must have moved as predicted for its animations to be known again.
const MIN_SETTLING: f64 = 0.5;
/// How far reports may arrive closer together than the motion between them takes, in seconds, for a long frame of the client
/// to be an excuse.
const HITCH_JITTER: f64 = 0.1;
/// The factor by which a player can be faster than its run: sidesteps while running, slopes, and the links between
/// animations.
const SPEED_MARGIN: f32 = 1.15;
/// The factor by which a body that sticks to another can be faster than its run (rule I4).
const STICKY_FACTOR: f32 = 5.0;
/// The distance, in metres, within which another entity can have been in the player's way. Its client shows the entity up
/// to a second late.
const CROWD_DISTANCE: f32 = 4.0;
/// The distance, in metres, by which a player that slides around another entity can be off its path.
const CROWD_ERROR: f32 = 2.0;
/// The distance, in metres, from the path of an order within which a player follows it.
const EXACT: f32 = 0.1;
/// The distance, in metres, between two points of the trail of a shadow.
const TRAIL_STEP: f32 = 0.1;
/// The maximum number of points of a trail.
const MAX_TRAIL: usize = 1000;
/// The amount, in metres a second, by which a jump may be too fast: rounding.
const JUMP_MARGIN: f32 = 0.05;
/// The amount, in metres a second, by which a jump may be too fast along the ground.
const LAUNCH_MARGIN: f32 = 0.5;

/// The last report of a client, from which the next one follows.
struct Base {
    /// The player right after the report.
    entity: Entity,
    /// The player if its animations had begun as late as possible, and as early as possible. `None` if that is the same.
    bounds: Option<[Box<Entity>; 2]>,
    /// The time at which it arrived.
    at: f64,
    stamps: EchoedStamps,
}

/// Where a player is on its path at a report.
struct Origin {
    likely: Box<Entity>,
    /// As in [`Base::bounds`].
    bounds: Option<[Box<Entity>; 2]>,
}

impl Origin {
    fn of(fit: Fit) -> Self {
        let bounds = (!fit.is_sharp).then_some([fit.first, fit.last]);
        Self { likely: fit.likely, bounds }
    }
}

/// A position and what else is needed to judge it.
struct Report<'a> {
    position: &'a CellPosition,
    has_contact: bool,
    stamps: EchoedStamps,
    now: f64,
}

/// Checks the messages of one client. See [the module](super) for an example and for what is tolerated.
pub struct Checker {
    settings: CheckSettings,
    world: World,
    player: Guid,
    own_player: OwnPlayer,
    now: f64,
    base: Option<Base>,
    sequences: Sequences,
    lead: f64,
    /// Whether the client's keys are known, and move the player.
    knows_keys: bool,
    /// Whether the server has ordered a motion that may still be under way.
    is_ordered: bool,
    /// The factor of the fastest order under way.
    order_speed: f32,
    /// The time until which the path of the player is not known.
    uncertain_until: f64,
    /// The time until which it may not be known how far the player's animations have got, because the server moved it.
    unsettled_until: f64,
    /// The positions of the shadow since the last report: where the server's orders have moved it.
    trail: Vec<CellPosition>,
    /// Whether the server has sent the player somewhere. Where its client is on the way depends on when it received that.
    is_sent_somewhere: bool,
    /// The keys that the client last reported.
    held: Option<RawState>,
    /// Whether the last report took longer than an honest client waits, which its late arrival excused.
    is_overdue: bool,
    /// The time until which the player may stick to another entity.
    sticky_until: f64,
    /// The highest run rate of the last seconds, and the time until which it counts.
    recent_rate: (f32, f64),
}

impl Checker {
    /// Creates a checker for the player with a guid. The assets should be those of the clients.
    pub fn new(assets: Assets, player: Guid, settings: CheckSettings) -> Self {
        let world = Settings {
            player: Identity::Known(player),
            era: settings.era,
            stand_ins_for_unknown: true,
            level_where_unknown: true,
            surroundings: settings.surroundings.clone(),
            ..Settings::default()
        };
        Self {
            settings,
            world: World::with_settings(assets, world),
            player,
            own_player: OwnPlayer::default(),
            now: 0.0,
            base: None,
            sequences: Sequences::default(),
            lead: 0.0,
            knows_keys: false,
            is_ordered: false,
            order_speed: 1.0,
            uncertain_until: f64::NEG_INFINITY,
            unsettled_until: f64::NEG_INFINITY,
            trail: Vec::new(),
            is_sent_somewhere: false,
            held: None,
            is_overdue: false,
            sticky_until: f64::NEG_INFINITY,
            recent_rate: (0.0, f64::NEG_INFINITY),
        }
    }

    /// Returns what the checker knows: the player where its client last reported it, and the entities that were sent.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the player; `None` before it was created or has reported.
    pub fn player(&self) -> Option<&Resident> {
        self.world.find(self.player)
    }

    /// Records a message that the server sends to this client, at the time of sending, in seconds. Pass everything that
    /// concerns the player: creation, descriptions, motions, positions, states. The entities around it are optional;
    /// those that are known can be in its way.
    ///
    /// # Errors
    /// If the message cannot be decoded.
    pub fn sent(&mut self, bytes: &[u8], now: f64) -> Result<(), DecodeError> {
        self.advance(now);
        let message = decode_s2c(bytes, self.settings.era)?;
        let before = self.known();
        if let S2C::UpdateMotion(update) = &message {
            learn_run_rate(&mut self.world, update, self.now);
            if update.guid == self.player
                && let MovementBody::MoveToObject { params, .. } | MovementBody::MoveToPosition { params, .. } =
                    &update.data.movement.body
            {
                self.is_sent_somewhere = true;
                self.order_speed = self.order_speed.max(params.speed.clamp(1.0, 10.0));
            }
        }
        self.world.receive(bytes, self.now)?;
        self.world.drain_events().for_each(drop);
        self.on_sent(before);
        Ok(())
    }

    /// Compares what is known of the player with what was known before a message of the server.
    fn on_sent(&mut self, before: Option<Known>) {
        let Some(after) = self.known() else { return };
        let before = before.unwrap_or(after);
        // A player in portal space does not collide; it reappears with a new teleport stamp.
        let is_hidden = |known: &Known| known.state.contains(PhysicsState::HIDDEN);
        let is_portal = is_hidden(&before) != is_hidden(&after);
        let is_other = after.rate != before.rate
            || after.jump != before.jump
            || (after.state != before.state && !is_portal);
        if is_other && self.base.is_some() {
            self.uncertain_until = self.now + self.settings.grace;
            self.recent_rate = (before.rate.max(after.rate), self.now + self.settings.grace);
        }
        if after.stamps.server_control != before.stamps.server_control {
            self.is_ordered = true;
        }
        if after.is_stuck {
            self.sticky_until = self.now + self.settings.grace;
        }
        let stamps = echo(&after.stamps);
        if stamps.teleport != before.stamps.teleport || stamps.force_position != before.stamps.force_position
        {
            self.lead = 0.0;
            // The client stops its player when it receives the teleport, not when it is sent.
            self.unsettled_until = self.now + self.settings.grace + SETTLING_SECONDS;
            self.rebase(stamps, None);
            self.knows_keys = false;
            self.is_sent_somewhere = false;
        }
    }

    /// Checks a message of the client, at the time of its arrival, in seconds. Pass every message once, in the order in
    /// which the protocol delivers them. Returns `None` if it does not concern the player's motion.
    ///
    /// # Errors
    /// If the message cannot be decoded.
    pub fn receive(&mut self, bytes: &[u8], now: f64) -> Result<Option<Verdict>, DecodeError> {
        match decode_c2s(bytes, self.settings.era)? {
            C2S::GameAction(action) => Ok(self.receive_action(&action, now)),
            _ => Ok(None),
        }
    }

    /// Checks an action of the client: see [`receive`](Self::receive).
    pub fn receive_action(&mut self, action: &GameAction<'_>, now: f64) -> Option<Verdict> {
        self.advance(now);
        let order = self.sequences.check(action.sequence);
        if order == Order::Used {
            return Some(Verdict::unjudged(Finding::StampReplayed(ReplayedStamp::Sequence)));
        }
        let motion = ClientMotion::new(&action.action)?;
        if order == Order::Overtaken {
            return Some(Verdict::unjudged(Finding::Late(LateReason::Overtaken)));
        }
        if let Some(flag) = flags::impossible_flag(&action.action) {
            return Some(Verdict::unjudged(Finding::ImpossibleFlags(flag)));
        }
        if let Some(finding) = self.check_stamps(&motion.stamps) {
            return Some(Verdict::unjudged(finding));
        }
        Some(self.check_motion(&motion))
    }

    fn advance(&mut self, now: f64) {
        self.follow_clock(now);
        self.world.tick(self.now);
        self.world.drain_events().for_each(drop);
        if self.base.is_some()
            && let Some(position) = self.player().map(Resident::position)
            && self.trail.last().is_none_or(|last| last.distance_to(&position) > TRAIL_STEP)
            && self.trail.len() < MAX_TRAIL
        {
            self.trail.push(position);
        }
    }

    /// Sets the time to `now`, unless that is invalid or a little earlier: messages may be passed out of order. If it is
    /// more than 2 s earlier, the clock was set back, and the times of the checker move with it (see
    /// [`ClockFault`](crate::ClockFault)).
    fn follow_clock(&mut self, now: f64) {
        if !is_valid_time(now) || (now <= self.now && now >= self.now - HUGE_QUANTUM) {
            return;
        }
        if now < self.now {
            let by = now - self.now;
            if let Some(base) = &mut self.base {
                base.at += by;
            }
            let times = [&mut self.uncertain_until, &mut self.unsettled_until, &mut self.sticky_until];
            times.into_iter().chain([&mut self.recent_rate.1]).for_each(|time| *time += by);
        }
        self.now = now;
    }

    /// Returns what is wrong with the stamps that a client echoes.
    fn check_stamps(&self, echoed: &EchoedStamps) -> Option<Finding> {
        let player = self.player()?;
        let sent = echo(player.stamps());
        // The stamps of a player that was never created are only those that its client once echoed.
        if !player.stand_in().contains(StandIn::WHOLE) {
            let is_unsent = echoed.instance.is_newer_than(sent.instance)
                || echoed.server_control.is_newer_than(sent.server_control)
                || echoed.teleport.is_newer_than(sent.teleport)
                || echoed.force_position.is_newer_than(sent.force_position);
            if is_unsent {
                return Some(Finding::ImpossibleFlags(ImpossibleFlag::UnsentStamp));
            }
        }
        if sent.instance.is_newer_than(echoed.instance) {
            return Some(Finding::Late(LateReason::OldInstance));
        }
        let last = self.base.as_ref()?.stamps;
        if last.server_control.is_newer_than(echoed.server_control) {
            return Some(Finding::StampReplayed(ReplayedStamp::ServerControl));
        }
        let is_late = sent.teleport.is_newer_than(echoed.teleport)
            || sent.force_position.is_newer_than(echoed.force_position);
        is_late.then_some(Finding::Late(LateReason::BeforeTeleport))
    }

    fn check_motion(&mut self, motion: &ClientMotion) -> Verdict {
        let now = self.now;
        let position = motion.position.or_else(|| self.player().map(Resident::position));
        let is_new = self.base.is_none() || self.player().is_none_or(|player| !player.body().is_in_cell());
        let is_jump = matches!(motion.kind, ClientMotionKind::Jump { .. });
        let mut fit = None;
        let mut verdict = match position.filter(|_| !is_new) {
            Some(position) => {
                let report = Report {
                    position: &position,
                    has_contact: motion.has_contact,
                    stamps: motion.stamps,
                    now,
                };
                self.check_report(&report, is_jump, &mut fit)
            }
            None => Verdict::unjudged(Finding::Ok),
        };
        if let (Finding::Ok, ClientMotionKind::Jump { extent, velocity }) = (verdict.finding, &motion.kind)
            && let Some(finding) = self.check_jump(*extent, *velocity)
        {
            verdict.finding = finding;
        }
        let was_idle = self.player().is_none_or(is_idle);
        let bounds = self.follow(motion, fit);
        if let (Finding::Ok, Some(position)) = (verdict.finding, motion.position)
            && let Some(finding) = self.check_placement(&position, motion.has_contact)
        {
            verdict.finding = finding;
        }
        self.note_keys(motion, was_idle);
        self.rebase(motion.stamps, bounds);
        verdict
    }

    /// Moves the player as a message says, starting from where it is on its path. Returns the player as it would be if its
    /// animations had begun later or earlier.
    fn follow(&mut self, motion: &ClientMotion, origin: Option<Origin>) -> Option<[Box<Entity>; 2]> {
        let (own_player, now) = (self.own_player, self.now);
        let mut moved = None;
        if let Some(Origin { likely, bounds }) = origin {
            moved = bounds.map(|bounds| {
                bounds.map(|entity| {
                    self.put(entity);
                    self.own_player = own_player;
                    self.own_player.follow(&mut self.world, motion, now);
                    self.player().map(|player| Box::new(player.entity().clone()))
                })
            });
            self.put(likely);
        }
        self.own_player = own_player;
        self.own_player.follow(&mut self.world, motion, now);
        self.world.drain_events().for_each(drop);
        match moved {
            Some([Some(late), Some(early)]) => Some([late, early]),
            _ => None,
        }
    }

    /// Notes whether the keys of the client are known from here on, and move the player.
    fn note_keys(&mut self, motion: &ClientMotion, was_idle: bool) {
        let newest = self.player().map(|player| player.stamps().server_control);
        let has_received = newest.is_none_or(|newest| newest == motion.stamps.server_control);
        let last = self.base.as_ref().map(|base| base.stamps.server_control);
        if last != Some(motion.stamps.server_control) {
            self.knows_keys = false;
        }
        if let ClientMotionKind::State { raw, .. } = &motion.kind {
            self.held = Some(raw.clone());
            // A key that moves the player ends an order (rule K8).
            if has_received && (was_idle || !is_standing_still(raw)) {
                self.is_ordered = false;
                self.is_sent_somewhere = false;
                self.order_speed = 1.0;
            }
            self.knows_keys = !(self.is_ordered && has_received);
            let is_turned = raw.turn.hold_key != HoldKey::INVALID && raw.turn.command != MotionCommand::NONE;
            if is_turned && !stays_in_place(raw) {
                self.uncertain_until = self.uncertain_until.max(self.now + MOUSE_SECONDS);
            }
        }
    }

    /// Makes the player as it is now the base of the next report.
    fn rebase(&mut self, stamps: EchoedStamps, bounds: Option<[Box<Entity>; 2]>) {
        let entity = self.player().map(|player| player.entity().clone());
        self.base = entity.map(|entity| Base { entity, bounds, at: self.now, stamps });
        self.trail.clear();
        self.trail.extend(self.base.as_ref().map(|base| base.entity.body.position));
    }

    /// Judges a position, and returns where it lies on the path if that is known.
    fn check_report(&mut self, report: &Report<'_>, is_jump: bool, found: &mut Option<Origin>) -> Verdict {
        let Some(base) = self.base.take() else { return Verdict::unjudged(Finding::Ok) };
        let is_predictable = self.knows_keys
            && base.stamps == report.stamps
            && report.now >= self.uncertain_until
            && self.knows_land(&base.entity.body.position)
            && self.knows_land(report.position);
        let verdict = if is_predictable {
            self.check_path(&base, report, is_jump, found)
        } else {
            self.unsettled_until = self.unsettled_until.max(report.now + SETTLING_SECONDS);
            self.check_ordered(&base, report, found)
        };
        self.base = Some(base);
        // Shorter motions end with a key and say nothing about the interval.
        if verdict.method == Method::Predicted && verdict.needed >= REPORT_INTERVAL - HITCH_JITTER {
            self.is_overdue = verdict.finding == Finding::Ok && verdict.needed > self.longest_interval();
        }
        self.lead = verdict.lead;
        verdict
    }

    /// Judges a position by the path that the last report leads to.
    fn check_path(
        &mut self,
        base: &Base,
        report: &Report<'_>,
        is_jump: bool,
        found: &mut Option<Origin>,
    ) -> Verdict {
        let Some(fit) = self.fit((&base.entity, base.at), report) else {
            return Verdict::unjudged(Finding::Ok);
        };
        let mut verdict = self.judge_fit(base, report, &fit, is_jump);
        let mut moving = fit.moving;
        let mut origin = Origin::of(fit);
        if let Some([late, early]) = &base.bounds {
            let fits = [late, early].map(|entity| self.fit((entity, base.at), report));
            let [Some(late), Some(early)] = fits else { return verdict };
            moving = moving.min(late.moving).min(early.moving);
            let verdicts = [&late, &early].map(|fit| self.judge_fit(base, report, fit, is_jump));
            let rank = |verdict: &Verdict| (verdict.is_alarm(), verdict.error > verdict.allowed);
            for (judged, fit) in verdicts.into_iter().zip([&late, &early]) {
                if rank(&judged) < rank(&verdict) {
                    (verdict, origin.likely) = (judged, fit.likely.clone());
                }
            }
            // A player that moves in a cycle has forgotten when it began.
            let is_settled = origin.bounds.is_none() && !origin.likely.interp.has_pending();
            let [late_fits, early_fits] = verdicts.map(|verdict| verdict.error <= verdict.allowed);
            let [first, last] =
                origin.bounds.unwrap_or_else(|| [origin.likely.clone(), origin.likely.clone()]);
            let bounds =
                [if late_fits { late.first } else { first }, if early_fits { early.last } else { last }];
            origin.bounds = (!is_settled || verdict.is_alarm()).then_some(bounds);
        }
        *found = Some(origin);
        if !verdict.is_alarm() {
            // A player that stands says nothing about its animations.
            if verdict.needed > MIN_SETTLING {
                self.unsettled_until = f64::NEG_INFINITY;
            }
        } else {
            let is_off = verdict.error > verdict.allowed;
            // Animations that are not known delay a motion, but lead it elsewhere only if the player turns meanwhile.
            let is_straight = self.held.as_ref().is_none_or(|raw| raw.turn.command == MotionCommand::NONE);
            let is_small = if is_off {
                verdict.error <= self.settings.reach_tolerance
            } else {
                base.entity.interp.has_pending() || moving <= self.longest_interval()
            };
            let is_unsettled = report.now < self.unsettled_until && (is_small || !is_straight);
            let is_excused = is_unsettled
                || (is_off
                    && verdict.error <= CROWD_ERROR
                    && self.is_crowded(&base.entity.body.position, report.position));
            if is_excused {
                *found = None;
                return self.check_reach(base, report);
            }
            if verdict.error > verdict.allowed {
                *found = None;
                verdict.finding = self.explain_deviation(base, report, verdict.error);
            }
        }
        verdict
    }

    /// Judges a position by where it lies on a path.
    fn judge_fit(&self, base: &Base, report: &Report<'_>, fit: &Fit, is_jump: bool) -> Verdict {
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
    fn longest_interval(&self) -> f64 {
        REPORT_INTERVAL + self.settings.max_frame
    }

    fn fit(&mut self, start: (&Entity, f64), report: &Report<'_>) -> Option<Fit> {
        let now = self.now;
        let passed = report.now - start.1;
        let seconds = passed + self.settings.latency_spread + REPORT_INTERVAL;
        let tolerance = self.settings.tolerance;
        self.world.act(self.player, now, |actor, surroundings| {
            fit(actor, surroundings, start, report.position, (passed, seconds), tolerance)
        })
    }

    /// Replaces the player by a copy that was simulated.
    fn put(&mut self, entity: Box<Entity>) {
        let now = self.now;
        self.world.act(self.player, now, |actor, _| {
            let correction = std::mem::take(&mut actor.entity.correction);
            *actor.entity = *entity;
            // What the server sent in the meantime still counts.
            actor.entity.correction = correction;
            actor.entity.body.clock.update_time = now;
        });
    }

    /// Judges a position by the paths that it can have taken if the server moved the player: those of its last report, of
    /// the orders as soon as they were sent, of the orders from now on, and of the keys that are still held when an order
    /// has ended. A client does not report these again (rule K8).
    fn check_ordered(&mut self, base: &Base, report: &Report<'_>, found: &mut Option<Origin>) -> Verdict {
        let reach = self.check_reach(base, report);
        let is_known = report.now >= self.uncertain_until
            && report.now >= self.sticky_until
            && !self.is_sent_somewhere
            && base.stamps.teleport == report.stamps.teleport
            && base.stamps.force_position == report.stamps.force_position
            && self.knows_land(&base.entity.body.position)
            && self.knows_land(report.position);
        let shadow = self.player().map(|player| player.entity().clone());
        let (true, false, Some(shadow)) = (is_known, reach.is_alarm(), shadow) else { return reach };
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

    /// Judges a position by speed and walls alone.
    fn check_reach(&mut self, base: &Base, report: &Report<'_>) -> Verdict {
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
    fn blocked(&mut self, base: &Base, target: &CellPosition) -> Option<Blocked> {
        let now = self.now;
        let tolerance = self.settings.tolerance;
        self.world.act(self.player, now, |actor, surroundings| {
            blocked(actor, surroundings, &base.entity, target, tolerance)
        })?
    }

    /// Returns the finding for a position that is off the path by `error` metres.
    fn explain_deviation(&mut self, base: &Base, report: &Report<'_>, error: f32) -> Finding {
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
    fn check_placement(&self, reported: &CellPosition, has_contact: bool) -> Option<Finding> {
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

    /// Returns what is wrong with a jump (rules C22–C26).
    fn check_jump(&self, extent: f32, velocity: Vec3) -> Option<Finding> {
        let entity = self.player()?.entity();
        let weenie = entity.weenie()?;
        let up = weenie.jump_speed(extent.clamp(0.0, 1.0));
        if extent > 1.0 {
            return Some(Finding::JumpTooHigh { extent, speed: velocity.z, max: up.unwrap_or(0.0) });
        }
        if self.now < self.uncertain_until {
            return None;
        }
        if let Some(max) = up.filter(|max| velocity.z > max + JUMP_MARGIN) {
            return Some(Finding::JumpTooHigh { extent, speed: velocity.z, max });
        }
        let along = libm::hypotf(velocity.x, velocity.y);
        let max = self.reach_speed().max(Vec3 { z: 0.0, ..entity.body.velocity }.length());
        if weenie.run_rate().is_some() && along > max + LAUNCH_MARGIN {
            return Some(Finding::JumpTooHigh { extent, speed: along, max });
        }
        (!weenie.can_jump(extent)).then_some(Finding::ImpossibleFlags(ImpossibleFlag::Jump))
    }

    /// Returns `true` if an entity that can be in the way is near the straight line between two positions.
    fn is_crowded(&self, from: &CellPosition, to: &CellPosition) -> bool {
        let path = from.offset_to(to);
        let length = path.length_squared();
        let others =
            self.world.entities().filter(|other| other.guid() != self.player && other.body().is_in_cell());
        others.into_iter().any(|other| {
            let offset = from.offset_to(&other.position());
            let part = if length > 0.0 { (offset.dot(path) / length).clamp(0.0, 1.0) } else { 0.0 };
            let size = other.entity().shape.cylinder(other.body().scale);
            (offset - path * part).length() < CROWD_DISTANCE + size.radius
        })
    }

    /// Returns `true` if the land at a position is known, so that walls and ground count.
    fn knows_land(&self, position: &CellPosition) -> bool {
        self.settings.surroundings.as_deref().is_some_and(|around| around.has_cell(position.cell))
    }

    /// Returns the maximum speed, in metres a second, of the player, whatever it does.
    fn reach_speed(&self) -> f32 {
        let Some(player) = self.player() else { return RUN_SPEED };
        let interp = &player.entity().interp;
        let rate = interp.run_rate(player.entity().weenie()).max(interp.my_run_rate);
        let recent = if self.now < self.recent_rate.1 { self.recent_rate.0 } else { 0.0 };
        let sticky = if self.now < self.sticky_until { STICKY_FACTOR } else { 1.0 };
        RUN_SPEED * rate.max(recent).max(1.0) * self.order_speed.max(sticky) * SPEED_MARGIN
    }

    fn known(&self) -> Option<Known> {
        self.player().map(|player| {
            let weenie = player.entity().weenie();
            Known {
                stamps: *player.stamps(),
                rate: player.entity().interp.run_rate(weenie),
                jump: weenie.and_then(|weenie| weenie.jump_speed(1.0)),
                is_stuck: player.entity().correction.is_stuck(),
                state: player.body().state,
            }
        })
    }
}

/// What a message of the server can change.
#[derive(Clone, Copy)]
struct Known {
    stamps: ObjectStamps,
    rate: f32,
    jump: Option<f32>,
    is_stuck: bool,
    state: PhysicsState,
}

/// Returns the stamps that a client echoes once it has received these.
fn echo(stamps: &ObjectStamps) -> EchoedStamps {
    EchoedStamps {
        instance: stamps.instance,
        server_control: stamps.server_control,
        teleport: stamps.teleport,
        force_position: stamps.force_position,
    }
}

/// Returns `true` if no order and no motion of the server is under way.
fn is_idle(player: &Resident) -> bool {
    let entity = player.entity();
    !entity.is_moving_to() && !entity.interp.has_pending() && !entity.correction.is_stuck()
}

/// Returns `true` if no key moves or turns the player.
fn is_standing_still(raw: &RawState) -> bool {
    stays_in_place(raw) && raw.turn.command == MotionCommand::NONE
}

/// Returns `true` if no key moves the player, though one may turn it.
fn stays_in_place(raw: &RawState) -> bool {
    raw.forward.command == MotionCommand::READY && raw.sidestep.command == MotionCommand::NONE
}

/// Returns the distance, in metres, of a position from the line through the points of a path.
fn distance_to_path(path: &[CellPosition], target: &CellPosition) -> f32 {
    let ends = path.iter().zip(path.iter().skip(1).chain(path.last()));
    ends.map(|(from, to)| Nearest::on_step(from, to, target, 0.0).distance).fold(f32::INFINITY, f32::min)
}

/// What stops a player on the straight line to a position.
struct Blocked {
    /// The distance from where it is stopped to the position, in metres.
    distance: f32,
    by: Barrier,
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
