//! The checker: a shadow of one client, and the verdict on each of its messages.

mod jump;
mod ordered;
mod own_path;
mod reach;
mod sent;

use acmotion_dat::Assets;
use acmotion_types::{CellPosition, Guid, MotionCommand, Stamp};
use acmotion_wire::{
    C2S, DecodeError, EchoedStamps, GameAction, HoldKey, MovementBody, S2C, decode_c2s, decode_s2c,
};

use super::orders::Orders;
use super::predict::Fit;
use super::sequences::{Order, Sequences};
use super::{
    CheckSettings, ClientMotion, ClientMotionKind, Finding, LateReason, Method, OwnPlayer, ReplayedStamp,
    Verdict, flags, learn_run_rate,
};
use crate::body::HUGE_QUANTUM;
use crate::entity::Entity;
use crate::interp::RawState;
use crate::world::{Identity, Resident, Settings, World, is_valid_time};

/// The interval, in seconds, after which a moving client reports its position (rule K7).
const REPORT_INTERVAL: f64 = 1.0;
/// The time, in seconds, for which the mouse may turn a player without a message, after one that says that it does (rule
/// K5: they are sent twice a second).
const MOUSE_SECONDS: f64 = 1.5;
/// The time, in seconds, after which the player's animations are known again when the server has moved it. No link is
/// longer.
const SETTLING_SECONDS: f64 = 2.5;
/// How far reports may arrive closer together than the motion between them takes, in seconds, for a long frame of the client
/// to be an excuse.
const HITCH_JITTER: f64 = 0.1;
/// The distance, in metres, between two points of the trail of a shadow.
const TRAIL_STEP: f32 = 0.1;
/// The maximum number of points of a trail.
const MAX_TRAIL: usize = 1000;

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
    /// The orders that the client follows or has yet to receive.
    orders: Orders,
    /// The stamp of the order that the shadow has followed since it was sent, and when that was, in seconds; `None` if the
    /// shadow follows something else.
    led_by: Option<(Stamp, f64)>,
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
            orders: Orders::default(),
            led_by: None,
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
        let update = if let S2C::UpdateMotion(update) = &message { Some(update) } else { None };
        self.on_sent(before, update);
        Ok(())
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
        self.orders.track(&self.world, self.now);
        if self.base.is_some()
            && let Some(position) = self.player().map(Resident::position)
        {
            extend_trail(&mut self.trail, position);
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
            if let Some((_, sent_at)) = &mut self.led_by {
                *sent_at += by;
            }
            self.orders.set_clock_back(by);
            let times = [&mut self.uncertain_until, &mut self.unsettled_until, &mut self.sticky_until];
            times.into_iter().chain([&mut self.recent_rate.1]).for_each(|time| *time += by);
        }
        self.now = now;
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
        if let (Some(base), Some(position)) = (&self.base, position) {
            self.orders.on_report(&base.entity.body.position, &position, motion.stamps.server_control);
        }
        self.note_keys(motion, was_idle);
        self.rebase(motion.stamps, bounds);
        verdict
    }

    /// Moves the player as a message says, starting from where it is on its path. Returns the player as it would be if its
    /// animations had begun later or earlier.
    fn follow(&mut self, motion: &ClientMotion, origin: Option<Origin>) -> Option<[Box<Entity>; 2]> {
        let (own_player, now) = (self.own_player, self.now);
        if origin.is_some() || !matches!(motion.kind, ClientMotionKind::Position) {
            self.led_by = None;
        }
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
                self.orders.clear();
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

/// Adds a position to a trail, unless it is near the last one or there are enough.
fn extend_trail(trail: &mut Vec<CellPosition>, position: CellPosition) {
    if trail.len() < MAX_TRAIL && trail.last().is_none_or(|last| last.distance_to(&position) > TRAIL_STEP) {
        trail.push(position);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Vec3};

    use super::*;

    #[test]
    fn the_trail_of_a_player_that_does_not_report_is_bounded() {
        let mut trail = Vec::new();
        for step in 0..3 * MAX_TRAIL {
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(step as f32, 0.0, 0.0));
            extend_trail(&mut trail, position);
            extend_trail(&mut trail, position);
        }
        assert_eq!(trail.len(), MAX_TRAIL);
    }
}
