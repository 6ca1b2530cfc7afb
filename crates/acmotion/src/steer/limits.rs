//! When a body gives up an order that it cannot complete. The original never does: it never reads its count of failed
//! progress checks (rule J2), so a body that is blocked, or whose target hangs in the air, keeps trying for ever.

use acmotion_types::{CellPosition, EPS, MotionCommand, Vec3};
use acmotion_wire::PhysicsState;
use thiserror::Error;

use super::{MoveTo, MoveToEvent, MoveToNode};
use crate::collide::Barrier;
use crate::entity::{Actor, Entity};
use crate::interp::heading_diff;

/// The time, in seconds, after which the orders and requests of this crate's own constructors give up if they make no
/// progress: see [`OrderLimits::patience`].
pub const PATIENCE_SECONDS: f32 = 5.0;
/// The time, in seconds, for which an order may wait for a motion to end before it turns, or for the first update of its
/// target, if its patience is shorter.
pub const MAX_WAIT_SECONDS: f32 = 30.0;
/// How much nearer the body has to come, in metres, for the patience to start anew.
const MIN_GAIN: f32 = 0.5;
/// How much closer to the wanted heading the body has to turn, in degrees, for the patience to start anew.
const MIN_TURN: f32 = 5.0;
/// The time, in seconds, for which an obstacle counts as the reason for the lack of progress.
const BLOCKED_SECONDS: f64 = 1.0;
/// The share of a step's displacement below which the body counts as blocked.
const MIN_SHARE: f32 = 0.5;

/// When a body gives up an order. By default it never does, as in the original.
///
/// ```
/// use acmotion::OrderLimits;
/// use acmotion::components::{MovementParams, Order};
/// use acmotion::types::Guid;
///
/// // An order with the original's parameters, but for a minute at most.
/// let limits = OrderLimits { timeout: Some(60.0), ..OrderLimits::NONE };
/// let params = MovementParams { limits, ..MovementParams::default() };
/// let order = Order::MoveToObject { object: Guid(0x5000_0001), params };
/// # let _ = order;
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderLimits {
    /// The maximum time without progress, in seconds: without having come half a metre nearer to the target, or five
    /// degrees closer to the wanted heading. `None` for no limit. While the body waits for a motion to end before it can
    /// turn, or for the first update of its target, the limit is at least [`MAX_WAIT_SECONDS`].
    ///
    /// A body that follows a moving target also makes progress by covering half a metre itself.
    pub patience: Option<f32>,
    /// The maximum time for the whole order, in seconds; `None` for no limit.
    pub timeout: Option<f32>,
}

impl OrderLimits {
    /// The limits of the original: none.
    pub const NONE: Self = Self { patience: None, timeout: None };

    /// Returns `true` if there is any limit.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.patience.is_some() || self.timeout.is_some()
    }
}

/// Why a body gave up an order: see [`OrderLimits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Unreachable {
    /// The body made no progress, and something was in its way.
    #[error("blocked by {0}")]
    Blocked(Barrier),
    /// The body made no progress, and nothing was in its way: it goes around in circles, because the target hangs in the air
    /// or the body cannot turn sharply enough; or it cannot move at all.
    #[error("no progress")]
    NoProgress,
    /// The time for the order was up.
    #[error("the time is up")]
    TimedOut,
    /// The body is in no cell.
    #[error("the body is in no cell")]
    LostCell,
    /// The target is the body itself. Orders without limits end for this reason too (rules J7, J9).
    #[error("the target is the body itself")]
    Itself,
}

/// The progress of an order with limits.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Progress {
    started: f64,
    /// The time at which the body last made progress, in seconds.
    since: f64,
    /// The distance or angle that was left then.
    best: f32,
    /// Where the body was then.
    at: CellPosition,
    /// The number of nodes that were left then.
    nodes: usize,
    /// Whether the target has moved since then.
    pub(super) target_moved: bool,
    blocked: Option<(Barrier, f64)>,
}

/// What is left of the current node.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Remaining {
    /// The node waits for something.
    Waits,
    /// The distance to the target, in metres; negative if the body moves away from it.
    Distance(f32),
    /// The angle to the wanted heading, in degrees.
    Angle(f32),
}

impl Progress {
    /// Moves the stored times by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.started += by;
        self.since += by;
        if let Some((_, at)) = &mut self.blocked {
            *at += by;
        }
    }

    pub(super) fn start(at: &CellPosition, now: f64) -> Self {
        Self { started: now, since: now, best: f32::MAX, at: *at, ..Self::default() }
    }

    /// Updates the progress. Returns the reason if the order is to be given up.
    fn check(
        &mut self,
        limits: &OrderLimits,
        (nodes, remaining): (usize, Remaining),
        own: &CellPosition,
        now: f64,
    ) -> Option<Unreachable> {
        if limits.timeout.is_some_and(|timeout| now - self.started > f64::from(timeout)) {
            return Some(Unreachable::TimedOut);
        }
        let patience = limits.patience?;
        let has_moved_on = nodes != self.nodes;
        let (has_gained, best) = match remaining {
            Remaining::Waits => (false, f32::MAX),
            Remaining::Distance(left) => (left < self.best - MIN_GAIN, left),
            Remaining::Angle(left) => (left < self.best - MIN_TURN, left),
        };
        let follows = self.target_moved && own.distance_to(&self.at) >= MIN_GAIN;
        if has_moved_on || has_gained || follows {
            *self = Self { since: now, best, at: *own, nodes, target_moved: false, ..*self };
            return None;
        }
        let waits = remaining == Remaining::Waits;
        let limit = if waits { patience.max(MAX_WAIT_SECONDS) } else { patience };
        let is_over = now - self.since > f64::from(limit);
        let reason = match self.blocked {
            Some((by, at)) if now - at <= BLOCKED_SECONDS => Unreachable::Blocked(by),
            _ => Unreachable::NoProgress,
        };
        is_over.then_some(reason)
    }

    /// Records what is in the body's way; `None` if it is not known, because the sweep failed before it met anything: it is
    /// the same as before then. An entity takes precedence for a while, since bodies slide between obstacles.
    fn on_blocked(&mut self, by: Option<Barrier>, now: f64) {
        let recent = self.blocked.filter(|(_, at)| now - at <= BLOCKED_SECONDS).map(|(known, _)| known);
        match (by, recent) {
            (Some(Barrier::Entity(_)), _) => self.blocked = by.map(|by| (by, now)),
            (Some(_), Some(Barrier::Entity(_))) => {}
            (None | Some(Barrier::Surroundings), Some(recent)) => self.blocked = Some((recent, now)),
            (by, _) => self.blocked = Some((by.unwrap_or(Barrier::Surroundings), now)),
        }
    }
}

impl MoveTo {
    /// Returns the number of nodes that are left and what is left of the current one.
    fn remaining(&self, entity: &Entity) -> (usize, Remaining) {
        let remaining = match self.nodes.first() {
            None => Remaining::Waits,
            Some(MoveToNode::Turn(_)) if self.waiting => Remaining::Waits,
            Some(MoveToNode::Turn(heading)) => {
                let own = entity.body.position.frame.heading();
                let right = heading_diff(heading, own, MotionCommand::TURN_RIGHT);
                Remaining::Angle(right.min(360.0 - right))
            }
            Some(MoveToNode::Move) => {
                let distance = self.distance_from(entity);
                Remaining::Distance(if self.moving_away { -distance } else { distance })
            }
        };
        (self.nodes.iter().len(), remaining)
    }
}

impl Actor<'_> {
    /// Gives up an order that has exceeded its limits. Orders without limits are left alone. [`step`](Self::step) calls it;
    /// it can be called at any time, for bodies that are not stepped.
    #[inline]
    pub(crate) fn check_order_limits(&mut self) {
        let order = self.entity.move_to.as_deref();
        if order.is_some_and(|order| order.is_under_way() && order.params.limits.is_set()) {
            self.check_set_limits();
        }
    }

    #[cold]
    fn check_set_limits(&mut self) {
        let Some(order) = self.entity.move_to.as_deref() else { return };
        let (limits, remaining) = (order.params.limits, order.remaining(self.entity));
        let (own, now) = (self.entity.body.position, self.now);
        let reason = if self.entity.body.is_in_cell() {
            self.move_to_mut().progress.check(&limits, remaining, &own, now)
        } else {
            Some(Unreachable::LostCell)
        };
        if let Some(reason) = reason {
            self.end_move_to(MoveToEvent::GaveUp(reason));
        }
    }

    /// Records what is in the way of a body with a limited order, if it covered less than half of a step's displacement.
    /// `covered` is `None` if the sweep failed, and `barrier` is what it found in the way. What it touched is among the
    /// events.
    #[inline]
    pub(crate) fn note_obstruction(&mut self, wanted: Vec3, covered: Option<Vec3>, barrier: Option<Barrier>) {
        let order = self.entity.move_to.as_deref();
        if order.is_none_or(|order| !order.is_under_way() || order.params.limits.patience.is_none()) {
            return;
        }
        let whole = wanted.x * wanted.x + wanted.y * wanted.y;
        let share = |covered: Vec3| (wanted.x * covered.x + wanted.y * covered.y) / whole;
        if whole <= EPS * EPS || covered.is_some_and(|covered| share(covered) >= MIN_SHARE) {
            return;
        }
        let is_solid = |state: PhysicsState| !state.intersects(PhysicsState::ETHEREAL | PhysicsState::STATIC);
        let touched = self.events.touched().iter().find(|touch| is_solid(touch.state));
        let entity = touched.map(|touch| Barrier::Entity(touch.guid));
        let by = entity.or(barrier).or_else(|| covered.map(|_| Barrier::Surroundings));
        let now = self.now;
        self.move_to_mut().progress.on_blocked(by, now);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::*;
    use crate::entity::Events;
    use crate::library::Library;
    use crate::steer::MoveKind;

    const LIMITS: OrderLimits = OrderLimits { patience: Some(5.0), timeout: None };
    const AT: CellPosition = CellPosition::at(acmotion_types::CellId(0xA9B4_0001), Vec3::ZERO);

    fn started() -> Progress {
        let mut progress = Progress::start(&AT, 0.0);
        assert_eq!(progress.check(&LIMITS, (2, Remaining::Distance(10.0)), &AT, 0.0), None);
        progress
    }

    #[test]
    fn half_a_metre_in_five_seconds_is_progress() {
        let at = |progress: &mut Progress, left, now| {
            progress.check(&LIMITS, (2, Remaining::Distance(left)), &AT, now)
        };
        let mut progress = started();
        assert_eq!(at(&mut progress, 9.4, 4.9), None);
        assert_eq!(at(&mut progress, 9.0, 9.8), None, "within five seconds of the last progress");
        assert_eq!(at(&mut progress, 9.0, 9.91), Some(Unreachable::NoProgress));
        let mut progress = started();
        assert_eq!(at(&mut progress, 20.0, 1.0), None, "a detour");
        assert_eq!(at(&mut progress, 9.6, 5.1), Some(Unreachable::NoProgress), "less than half a metre");
    }

    #[test]
    fn a_new_node_starts_the_patience_anew() {
        let mut progress = started();
        assert_eq!(progress.check(&LIMITS, (1, Remaining::Angle(90.0)), &AT, 4.0), None);
        assert_eq!(progress.check(&LIMITS, (1, Remaining::Angle(84.0)), &AT, 8.0), None);
        assert_eq!(progress.check(&LIMITS, (1, Remaining::Angle(82.0)), &AT, 12.9), None);
        let stuck = progress.check(&LIMITS, (1, Remaining::Angle(82.0)), &AT, 13.1);
        assert_eq!(stuck, Some(Unreachable::NoProgress));
    }

    #[test]
    fn a_wait_may_take_longer() {
        let mut progress = Progress::start(&AT, 0.0);
        assert_eq!(progress.check(&LIMITS, (3, Remaining::Waits), &AT, 0.1), None);
        assert_eq!(progress.check(&LIMITS, (3, Remaining::Waits), &AT, 29.0), None);
        assert_eq!(progress.check(&LIMITS, (3, Remaining::Waits), &AT, 30.2), Some(Unreachable::NoProgress));
    }

    #[test]
    fn following_a_moving_target_is_progress() {
        let mut progress = started();
        let mut own = AT;
        own.frame.origin.x = 0.6;
        progress.target_moved = true;
        assert_eq!(progress.check(&LIMITS, (2, Remaining::Distance(10.0)), &own, 5.1), None);
        let stuck = progress.check(&LIMITS, (2, Remaining::Distance(10.0)), &own, 10.3);
        assert_eq!(stuck, Some(Unreachable::NoProgress), "the target has not moved again");
    }

    #[test]
    fn an_entity_in_the_way_is_named() {
        let (door, limits) = (Barrier::Entity(Guid(7)), OrderLimits { timeout: Some(60.0), ..LIMITS });
        let mut progress = started();
        progress.on_blocked(Some(door), 4.2);
        progress.on_blocked(None, 4.8);
        progress.on_blocked(Some(Barrier::Surroundings), 4.9);
        let blocked = progress.check(&limits, (2, Remaining::Distance(10.0)), &AT, 5.1);
        assert_eq!(blocked, Some(Unreachable::Blocked(door)));
        progress.on_blocked(Some(Barrier::Surroundings), 6.0);
        let blocked = progress.check(&limits, (2, Remaining::Distance(10.0)), &AT, 6.5);
        assert_eq!(blocked, Some(Unreachable::Blocked(Barrier::Surroundings)));
        let late = progress.check(&limits, (2, Remaining::Distance(10.0)), &AT, 60.1);
        assert_eq!(late, Some(Unreachable::TimedOut));
    }

    /// What is noted as being in the way of a body with an order, after a step.
    fn noted(
        order: MoveTo,
        wanted: Vec3,
        covered: Option<Vec3>,
        barrier: Option<Barrier>,
    ) -> Option<Barrier> {
        let mut entity = Entity::new(Guid(1), None);
        entity.move_to = Some(Box::new(order));
        let (library, mut events) = (Library::new(), Events::new());
        entity.act(&library, 10.0, &mut events).note_obstruction(wanted, covered, barrier);
        let blocked = entity.move_to.and_then(|order| order.progress.blocked);
        assert!(blocked.is_none_or(|(_, at)| at == 10.0));
        blocked.map(|(by, _)| by)
    }

    fn order(limits: OrderLimits) -> MoveTo {
        let mut order = MoveTo { kind: MoveKind::MoveToPosition, ..MoveTo::default() };
        order.params.limits = limits;
        order
    }

    /// The share is that of the way in the direction of the step: what leads aside or up does not count.
    #[test]
    fn a_body_is_blocked_if_it_covers_less_than_half_of_a_step() {
        let (wall, slope) = (Some(Barrier::Surroundings), Barrier::Slope(AT.cell));
        for size in [1.0, 0.02] {
            let noted = |covered: Option<Vec3>| {
                noted(order(LIMITS), Vec3::new(3.0, 4.0, 0.0) * size, covered.map(|it| it * size), None)
            };
            assert_eq!(noted(Some(Vec3::new(3.0, 4.0, 0.0))), None);
            assert_eq!(noted(Some(Vec3::new(1.53, 2.04, 0.0))), None, "51 %");
            assert_eq!(noted(Some(Vec3::new(1.47, 1.96, 0.0))), wall, "49 %");
            assert_eq!(noted(Some(Vec3::new(4.2, 0.0, 0.0))), None, "12.6 of 25");
            assert_eq!(noted(Some(Vec3::new(4.1, 0.0, 0.0))), wall, "12.3 of 25");
            assert_eq!(noted(Some(Vec3::new(0.0, 3.2, 0.0))), None, "12.8 of 25");
            assert_eq!(noted(Some(Vec3::new(0.0, 3.1, 0.0))), wall, "12.4 of 25");
            assert_eq!(noted(Some(Vec3::new(4.0, -3.0, 5.0))), wall, "aside and up");
            assert_eq!(noted(None), wall, "the sweep failed");
        }
        let wanted = Vec3::new(0.0, 0.1, 0.0);
        assert_eq!(noted(order(LIMITS), wanted, None, Some(slope)), Some(slope), "what the sweep found");
        assert_eq!(noted(order(LIMITS), wanted, Some(Vec3::ZERO), Some(slope)), Some(slope));
        assert_eq!(noted(order(LIMITS), Vec3::new(0.0, 0.0, 1.0), None, None), None, "straight up or down");
        assert_eq!(noted(order(LIMITS), Vec3::new(0.0, 0.0001, 0.0), None, None), None, "next to nothing");
    }

    #[test]
    fn only_an_order_with_patience_asks_what_is_in_the_way() {
        let wanted = Vec3::new(0.0, 0.1, 0.0);
        assert_eq!(noted(order(OrderLimits::NONE), wanted, None, None), None);
        let timeout = OrderLimits { patience: None, timeout: Some(9.0) };
        assert_eq!(noted(order(timeout), wanted, None, None), None);
        let over = MoveTo { kind: MoveKind::Idle, ..order(LIMITS) };
        assert_eq!(noted(over, wanted, None, None), None);
    }

    #[test]
    fn either_limit_is_one() {
        let none = OrderLimits::NONE;
        assert!(!none.is_set());
        assert!(OrderLimits { patience: Some(1.0), ..none }.is_set());
        assert!(OrderLimits { timeout: Some(1.0), ..none }.is_set());
    }

    /// Setting the clock moves every time that is kept.
    #[test]
    fn times_are_moved_together() {
        let mut progress = started();
        progress.on_blocked(Some(Barrier::Surroundings), 4.5);
        progress.shift_times(-100.0);
        assert_eq!((progress.started, progress.since), (-100.0, -100.0));
        assert_eq!(progress.blocked, Some((Barrier::Surroundings, -95.5)));
    }
}
