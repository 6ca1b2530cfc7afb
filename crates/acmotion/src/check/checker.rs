//! The checker: a shadow of one client, and the verdict on each of its messages.

mod fixture;
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
    use acmotion_types::{ActionStamp, CellId, Vec3};
    use acmotion_wire::PhysicsState;

    use super::fixture::*;
    use super::*;
    use crate::interp::{Action, RawAxis};
    use crate::steer::Order as MoveOrder;

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

    #[test]
    fn nothing_that_happens_is_kept_as_an_event() {
        let mut checker = runner();
        checker.sent(&go_to(OTHER, PLAYER, &at(90.0, 90.0), 1), 10.1).unwrap();
        checker.world.add_stand_in(OTHER, &at(90.0, 90.0), 10.1);
        checker.sent(&set_state(PLAYER, PhysicsState::HIDDEN, 1), 10.2).unwrap();
        assert_eq!(checker.world.drain_events().count(), 0);
        // The link to the run ends.
        checker.sent(&set_state(PLAYER, PhysicsState::GRAVITY, 2), 10.3).unwrap();
        wait(&mut checker, 11.5);
        assert_eq!(checker.world.drain_events().count(), 0);
        let jump = ClientMotionKind::Jump { extent: 0.5, velocity: Vec3::new(0.0, 0.0, 5.0) };
        checker.check_motion(&message(jump, at(96.5, 100.0)));
        assert_eq!(checker.world.drain_events().count(), 0, "it leaves the ground");
    }

    /// Rule B2: a clock that is set back by more than 2 s. The orders notice it by how long a target has stood.
    #[test]
    fn a_clock_that_is_set_back_takes_the_times_of_the_checker_with_it() {
        let mut checker = checker();
        wait(&mut checker, 100.0);
        checker.world.add_stand_in(OTHER, &at(96.5, 110.0), 100.0);
        checker
            .world
            .act(OTHER, 100.0, |actor, _| actor.entity.interpolate_to(&at(96.5, 111.0), true, false));
        checker.sent(&go_to(PLAYER, OTHER, &at(96.5, 110.0), 1), 100.0).unwrap();
        checker.world.act(OTHER, 100.0, |actor, _| actor.entity.correction.interpolation.stop());
        checker.uncertain_until = 101.0;
        checker.unsettled_until = 102.0;
        checker.sticky_until = 103.0;
        checker.recent_rate = (2.0, 104.0);
        checker.led_by = Some((Stamp(1), 99.0));
        checker.follow_clock(5.0);
        let times = |checker: &Checker| {
            let stored = [checker.uncertain_until, checker.unsettled_until, checker.sticky_until];
            (checker.now, stored, checker.recent_rate.1, checker.base.as_ref().unwrap().at, checker.led_by)
        };
        let expected = (5.0, [6.0, 7.0, 8.0], 9.0, -85.0, Some((Stamp(1), 4.0)));
        assert_eq!(times(&checker), expected);
        // A little back, or no time at all, is the order of the messages.
        for ignored in [5.0, 4.9, 3.1, f64::NAN, f64::INFINITY] {
            checker.follow_clock(ignored);
            assert_eq!(times(&checker), expected, "{ignored}");
        }
        checker.follow_clock(7.0);
        assert_eq!(times(&checker), (7.0, expected.1, expected.2, expected.3, expected.4));
        // The target has stood for 2 s when the next order is sent, so that the player stops where it touches it: at 108.64 m.
        checker.sent(&go_to(PLAYER, OTHER, &at(96.5, 110.0), 2), 7.0).unwrap();
        checker.orders.on_report(&at(96.5, 96.5), &at(96.5, 96.5), Stamp(2));
        let beyond = checker.orders.deviation(&at(96.5, 96.5), (Stamp(1), Stamp(2)), &at(96.5, 113.0));
        assert_near(f64::from(beyond.unwrap()), 4.36, 0.02);
    }

    /// Rule K8: a key ends an order, and is known from then on.
    #[test]
    fn the_keys_of_a_client_count_once_it_has_received_the_last_order() {
        let mut checker = checker();
        assert!(checker.knows_keys && !checker.is_ordered);
        checker.sent(&go(PLAYER, &at(96.5, 110.0), 3.0, 1), 11.0).unwrap();
        checker.orders.add_unknown(Stamp(2));
        let state = |checker: &Checker| {
            let is_held = checker.held.as_ref().is_some_and(|raw| !stays_in_place(raw));
            let has_orders = checker.orders.goals().count() > 0;
            (checker.is_ordered, checker.is_sent_somewhere, checker.order_speed, has_orders, is_held)
        };
        assert_eq!(state(&checker), (true, true, 3.0, true, false));
        // Its keys from before the order.
        checker.knows_keys = false;
        keys(&mut checker, &running(), at(96.5, 96.5), 11.1);
        assert_eq!(state(&checker), (true, true, 3.0, true, true));
        assert!(checker.knows_keys);
        // A position with the new stamp: what the keys do now is not known.
        let received = EchoedStamps { server_control: Stamp(1), ..EchoedStamps::default() };
        let mut position = message(ClientMotionKind::Position, at(96.5, 96.5));
        position.stamps = received;
        receive(&mut checker, &position, 11.2);
        assert!(!checker.knows_keys);
        // No key, but the order is under way.
        let mut nothing = pressed(&RawState::default(), at(96.5, 96.5));
        nothing.stamps = received;
        let order = MoveOrder::run_to(at(96.5, 150.0));
        checker.world.act(PLAYER, 11.2, |actor, _| actor.order(&order));
        receive(&mut checker, &nothing, 11.3);
        assert_eq!(state(&checker), (true, true, 3.0, true, false));
        assert!(!checker.knows_keys);
        // The message has ended the order of the shadow, so that the next finds it idle.
        wait(&mut checker, 13.0);
        receive(&mut checker, &nothing, 13.0);
        assert_eq!(state(&checker), (false, false, 1.0, false, false));
        assert!(checker.knows_keys);
    }

    #[test]
    fn a_key_that_moves_the_player_ends_an_order_at_once() {
        let mut checker = checker();
        checker.sent(&go(PLAYER, &at(96.5, 110.0), 3.0, 1), 11.0).unwrap();
        let mut run = pressed(&running(), at(96.5, 96.5));
        run.stamps.server_control = Stamp(1);
        receive(&mut checker, &run, 11.1);
        assert!(checker.knows_keys && !checker.is_ordered && !checker.is_sent_somewhere);
        assert_eq!((checker.order_speed, checker.orders.goals().count()), (1.0, 0));
        // A position with the same stamps leaves that as it is.
        let mut position = message(ClientMotionKind::Position, at(96.5, 97.0));
        position.stamps = run.stamps;
        receive(&mut checker, &position, 11.2);
        assert!(checker.knows_keys);
    }

    /// Rule K5: a turn with a hold key of its own is the mouse.
    #[test]
    fn the_path_of_a_player_that_the_mouse_turns_as_it_moves_is_not_known() {
        let turn = |command, hold_key| RawAxis { hold_key, ..RawAxis::new(command) };
        let (left, none) = (MotionCommand::TURN_LEFT, MotionCommand::NONE);
        let sidestep = RawAxis::new(MotionCommand::SIDE_STEP_LEFT);
        let cases = [
            (RawState { turn: turn(left, HoldKey::RUN), ..running() }, true),
            (RawState { turn: turn(left, HoldKey::NONE), ..running() }, true),
            (RawState { turn: turn(left, HoldKey::RUN), sidestep, ..RawState::default() }, true),
            (RawState { turn: turn(left, HoldKey::INVALID), ..running() }, false),
            (RawState { turn: turn(none, HoldKey::RUN), ..running() }, false),
            (RawState { turn: turn(left, HoldKey::RUN), ..RawState::default() }, false),
        ];
        for (number, (raw, is_uncertain)) in cases.into_iter().enumerate() {
            let mut checker = checker();
            keys(&mut checker, &raw, at(96.5, 96.5), 11.0);
            let expected = if is_uncertain { 12.5 } else { f64::NEG_INFINITY };
            assert_eq!(checker.uncertain_until, expected, "{number}");
            // It never ends something that lasts longer.
            checker.uncertain_until = 20.0;
            keys(&mut checker, &raw, at(96.5, 96.5), 11.0);
            assert_eq!(checker.uncertain_until, 20.0, "{number}");
        }
    }

    #[test]
    fn keys_stand_still_move_or_turn() {
        let turn = RawAxis::new(MotionCommand::TURN_LEFT);
        let sidestep = RawAxis::new(MotionCommand::SIDE_STEP_LEFT);
        let none = RawState::default();
        for (raw, stays, stands) in [
            (none.clone(), true, true),
            (RawState { turn, ..none.clone() }, true, false),
            (RawState { sidestep, ..none.clone() }, false, false),
            (running(), false, false),
        ] {
            assert_eq!((stays_in_place(&raw), is_standing_still(&raw)), (stays, stands), "{raw:?}");
        }
    }

    #[test]
    fn a_player_is_idle_without_an_order_a_motion_and_something_that_it_sticks_to() {
        let is_idle = |checker: &Checker| is_idle(checker.player().unwrap());
        let mut ordered = checker();
        assert!(is_idle(&ordered));
        let far = MoveOrder::run_to(at(96.5, 180.0));
        ordered.world.act(PLAYER, 10.0, |actor, _| actor.order(&far));
        wait(&mut ordered, 12.0);
        let entity = ordered.player().unwrap().entity();
        assert!(entity.is_moving_to() && !entity.interp.has_pending() && !entity.correction.is_stuck());
        assert!(!is_idle(&ordered));

        let moved = runner();
        let entity = moved.player().unwrap().entity();
        assert!(!entity.is_moving_to() && entity.interp.has_pending() && !entity.correction.is_stuck());
        assert!(!is_idle(&moved));

        let mut stuck = checker();
        stuck.world.add_stand_in(OTHER, &at(96.5, 98.0), 10.0);
        stuck.world.act(PLAYER, 10.0, |actor, _| actor.stick_to(OTHER));
        let entity = stuck.player().unwrap().entity();
        assert!(!entity.is_moving_to() && !entity.interp.has_pending() && entity.correction.is_stuck());
        assert!(!is_idle(&stuck));
    }

    /// The path is known only if everything is that it follows from.
    #[test]
    fn a_report_is_predicted_from_known_keys_on_known_land_if_the_server_sent_nothing() {
        let here = at(96.5, 96.5);
        assert_eq!(report(&mut checker(), here, 11.0).method, Method::Predicted);
        let mut unknown_keys = checker();
        unknown_keys.knows_keys = false;
        assert_ne!(report(&mut unknown_keys, here, 11.0).method, Method::Predicted);
        let mut other_stamps = message(ClientMotionKind::Position, here);
        other_stamps.stamps.server_control = Stamp(1);
        assert_ne!(receive(&mut checker(), &other_stamps, 11.0).method, Method::Predicted);
        let mut uncertain = checker();
        uncertain.uncertain_until = 11.5;
        assert_ne!(report(&mut uncertain, here, 11.0).method, Method::Predicted);
        assert_ne!(report(&mut uncertain, here, 11.4).method, Method::Predicted);
        assert_eq!(report(&mut uncertain, here, 11.5).method, Method::Predicted);
        // The land ends at x = 0.
        assert_eq!(report(&mut checker_at(at(0.3, 96.5)), at(0.1, 96.5), 11.0).method, Method::Predicted);
        let leaves = report(&mut checker_at(at(0.3, 96.5)), at(-0.1, 96.5), 11.0);
        assert_eq!((leaves.method, leaves.finding), (Method::Reach, Finding::Ok));
        let enters = report(&mut checker_at(at(-0.3, 96.5)), at(0.1, 96.5), 11.0);
        assert_eq!((enters.method, enters.finding), (Method::Reach, Finding::Ok));
    }

    /// Animations of an order take up to 2.5 s to end.
    #[test]
    fn a_report_that_is_not_predicted_leaves_the_animations_unknown_for_a_while() {
        let mut checker = checker();
        checker.knows_keys = false;
        report(&mut checker, at(96.5, 96.5), 11.0);
        assert_eq!(checker.unsettled_until, 13.5);
        checker.unsettled_until = 20.0;
        report(&mut checker, at(96.5, 96.5), 12.0);
        assert_eq!(checker.unsettled_until, 20.0);
    }

    /// Rule K7: a moving client reports after a second. A longer frame is excused once, if the report is that late.
    #[test]
    fn one_long_frame_is_excused_until_a_report_is_in_time_again() {
        let cases: [(&[f64], &str, bool); 5] = [
            (&[1.0, 1.3], "ok", true),
            (&[1.0, 1.3, 1.3], "too_fast", false),
            (&[1.0, 1.3, 1.0, 1.3], "ok", true),
            // A motion that ends with a key sooner says nothing.
            (&[1.0, 1.3, 0.5, 1.3], "too_fast", false),
            (&[1.0, 1.3, 1.3, 1.3], "ok", true),
        ];
        for (intervals, expected, is_overdue) in cases {
            let (mut checker, mut now, mut last) = (runner(), 10.0, None);
            for interval in intervals {
                now += interval;
                let position = honest(&mut checker, now);
                last = Some(report(&mut checker, position, now));
            }
            let verdict = last.unwrap();
            assert_eq!(verdict.finding.name(), expected, "{intervals:?}: {verdict:?}");
            assert_near(verdict.needed, 1.3, 0.05);
            assert_eq!(checker.is_overdue, is_overdue, "{intervals:?}");
        }
    }

    /// An order leads the shadow until the client's own motion does.
    #[test]
    fn a_position_that_is_not_on_the_own_path_leaves_the_shadow_to_its_order() {
        let led_by = Some((Stamp(1), 10.0));
        let mut checker = checker();
        (checker.led_by, checker.knows_keys) = (led_by, false);
        report(&mut checker, at(96.5, 96.5), 10.5);
        assert_eq!(checker.led_by, led_by);
        keys(&mut checker, &RawState::default(), at(96.5, 96.5), 11.0);
        assert_eq!(checker.led_by, None);
        checker.led_by = led_by;
        assert_eq!(report(&mut checker, at(96.5, 96.5), 11.5).method, Method::Predicted);
        assert_eq!(checker.led_by, None);
    }

    /// A player that stands is at the same point for long. Whenever its client pressed the key, the action begins then.
    #[test]
    fn an_action_begins_in_every_copy_of_a_player_that_stood() {
        let mut checker = checker();
        report(&mut checker, at(96.5, 96.5), 14.0);
        let mut raw = RawState::default();
        let (motion, speed) = (MotionCommand::WAVE, 1.0);
        raw.push_action(Action { motion, speed, stamp: ActionStamp::new(1), autonomous: true });
        let verdict = keys(&mut checker, &raw, at(96.5, 96.5), 15.0);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Predicted));
        let base = checker.base.as_ref().unwrap();
        assert!(base.entity.interp.has_pending(), "it waves");
        let [late, early] = base.bounds.as_ref().expect("it is not known when it began");
        assert!(late.interp.has_pending() && early.interp.has_pending());
        // The client repeats the action until it has been played, but it is played once.
        let next = keys(&mut checker, &raw, at(96.5, 96.5), 25.0);
        assert_eq!(next.finding, Finding::Ok);
        assert!(!checker.base.as_ref().unwrap().entity.interp.has_pending());
    }

    #[test]
    fn a_report_is_the_start_of_the_trail_of_the_shadow() {
        let mut checker = runner();
        wait(&mut checker, 11.0);
        let trail = checker.trail.len();
        assert!(trail > 10, "{trail} points in about 9 m");
        let position = honest(&mut checker, 11.1);
        report(&mut checker, position, 11.1);
        assert_eq!(checker.trail, [checker.base.as_ref().unwrap().entity.body.position]);
        assert_near(f64::from(checker.trail[0].distance_to(&position)), 0.0, 0.01);
    }

    #[test]
    fn a_player_that_was_in_no_cell_may_appear_anywhere() {
        let mut checker = checker();
        checker.world.act(PLAYER, 10.0, |actor, _| actor.leave_world());
        let verdict = report(&mut checker, at(10.0, 10.0), 11.0);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::None));
        let next = report(&mut checker, at(96.5, 96.5), 12.0);
        assert!(next.is_alarm(), "from here on it is somewhere: {next:?}");
    }

    /// The short forms of a jump have no position.
    #[test]
    fn a_jump_without_a_position_starts_where_the_player_is() {
        let mut checker = checker();
        let velocity = Vec3::new(0.0, 0.0, 5.0);
        let mut jump = message(ClientMotionKind::Jump { extent: 0.5, velocity }, at(1.0, 1.0));
        jump.position = None;
        let verdict = receive(&mut checker, &jump, 11.0);
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Predicted));
        let body = checker.player().unwrap().body();
        assert_eq!((body.is_standing(), body.velocity), (false, velocity));
        // It cannot jump again in the air.
        let verdict = receive(&mut checker, &jump, 11.4);
        assert_eq!(
            verdict.finding,
            Finding::ImpossibleFlags(crate::check::ImpossibleFlag::Jump),
            "{verdict:?}"
        );
    }

    #[test]
    fn a_player_that_says_it_stands_where_there_is_no_ground_is_in_the_air() {
        let mut checker = checker();
        checker.uncertain_until = 20.0;
        let mut high = at(96.5, 96.5);
        high.frame.origin.z += 5.0;
        let verdict = report(&mut checker, high, 11.0);
        let Finding::InAir { height } = verdict.finding else { panic!("{verdict:?}") };
        assert_near(f64::from(height), 5.0, 0.01);
        assert_eq!(verdict.method, Method::Reach);
    }

    #[test]
    fn a_report_ends_the_orders_that_a_newer_one_has_replaced() {
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(96.5, 110.0), 10.0);
        checker.sent(&go_to(PLAYER, OTHER, &at(96.5, 110.0), 1), 10.5).unwrap();
        checker.sent(&stance(PLAYER, MotionCommand::NON_COMBAT, None, 2), 10.6).unwrap();
        assert!(checker.orders.leads_to(OTHER));
        let mut position = message(ClientMotionKind::Position, at(96.5, 96.5));
        position.stamps.server_control = Stamp(2);
        receive(&mut checker, &position, 11.0);
        assert!(!checker.orders.leads_to(OTHER));
    }

    /// Orders may be faster than a run, by up to 10 times.
    #[test]
    fn only_orders_to_the_player_say_how_fast_and_that_it_goes_somewhere() {
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(90.0, 90.0), 10.0);
        checker.sent(&go(OTHER, &at(96.5, 110.0), 5.0, 1), 10.1).unwrap();
        assert_eq!((checker.order_speed, checker.is_sent_somewhere), (1.0, false));
        checker.sent(&stance(PLAYER, MotionCommand::NON_COMBAT, None, 1), 10.2).unwrap();
        assert_eq!((checker.order_speed, checker.is_sent_somewhere), (1.0, false));
        for (number, (speed, expected)) in
            [(0.5, 1.0), (3.0, 3.0), (2.0, 3.0), (50.0, 10.0)].into_iter().enumerate()
        {
            checker.sent(&go(PLAYER, &at(96.5, 110.0), speed, 2 + number as u16), 10.3).unwrap();
            assert_eq!((checker.order_speed, checker.is_sent_somewhere), (expected, true), "{speed}");
        }
        assert_eq!(checker.now, 10.3);
    }

    #[test]
    fn the_targets_of_orders_are_followed_as_time_passes() {
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(96.5, 110.0), 10.0);
        checker.sent(&go_to(PLAYER, OTHER, &at(96.5, 110.0), 1), 10.1).unwrap();
        assert_eq!(checker.orders.goals().count(), 1);
        let aside = at(90.0, 110.0);
        checker.world.act(OTHER, 10.1, |actor, surroundings| actor.set_position(&aside, true, surroundings));
        checker.advance(10.2);
        assert_eq!(checker.orders.goals().count(), 2);
    }
}
