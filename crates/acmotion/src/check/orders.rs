//! The orders that a server has sent to a player, and where they can have led it.
//!
//! A player that goes to a target, or sticks to one, moves straight towards it in every tick (rules I10, J). When its client
//! received the order, and where it believed the target to be, is not known. In every case the player is within the convex
//! hull of the point where it set out and of the positions of the target since then.

use acmotion_types::{CellPosition, Guid, Stamp, Vec3};
use acmotion_wire::{MoveFlags, MoveToParams, MovementBody, Origin, UpdateMotion};

use crate::world::World;

/// The maximum number of orders that a client may not have received yet.
const MAX_ORDERS: usize = 64;
/// The maximum number of positions of a target.
const MAX_POINTS: usize = 64;
/// The distance, in metres, by which a target must leave the hull of its positions to be noted again.
const MIN_STEP: f32 = 0.1;
/// The maximum distance, in metres, that the animations of a target that stands still move it.
const MAX_SWAY: f32 = 0.3;
/// The time, in seconds, for which a target must have stood still when the order was sent for the client to have seen it arrive.
const STILL_SECONDS: f64 = 1.5;
/// The gap, in metres, that a body keeps from what it sticks to (rule I10).
const STICKY_GAP: f32 = 0.3;
/// The maximum distance, in metres, that a player may be sent away from a target for its path to count as one towards it.
const MAX_RETREAT: f32 = 0.5;

/// The entity that a player goes to or sticks to.
#[derive(Clone, Copy)]
struct Target {
    guid: Guid,
    /// The distance, in metres, between the centres of the two when they touch.
    touching: f32,
    /// Where the target is, and since when, in seconds.
    rest: (CellPosition, f64),
    /// Whether the client has seen the target nowhere else since it received the order.
    is_still: bool,
}

impl Target {
    /// Returns the target of an order that is sent now. `earlier` is the same target as that of the order before.
    fn new(world: &World, guid: Guid, player: Guid, earlier: Option<&Self>, now: f64) -> Self {
        let radius = |guid| {
            let found = world.find(guid);
            found.map_or(0.0, |found| found.entity().shape.cylinder(found.body().scale).radius)
        };
        let rest = earlier.map(|earlier| earlier.rest).or_else(|| {
            let found = world.find(guid)?;
            let entity = found.entity();
            let is_idle = !entity.is_moving_to()
                && !entity.correction.is_stuck()
                && entity.correction.interpolation.is_idle();
            Some((found.position(), if is_idle { f64::NEG_INFINITY } else { now }))
        });
        let rest = rest.unwrap_or_else(|| (CellPosition::default(), now));
        let is_still = now - rest.1 >= STILL_SECONDS;
        Self { guid, touching: radius(guid) + radius(player), rest, is_still }
    }

    /// Notes where the target is now.
    fn track(&mut self, position: &CellPosition, now: f64) {
        if self.rest.0.distance_to(position) > MAX_SWAY {
            (self.rest, self.is_still) = ((*position, now), false);
        }
    }
}

/// An order to a player.
struct SentOrder {
    stamp: Stamp,
    target: Option<Target>,
    /// The positions that the player moves towards: none if it only turns or plays motions.
    goals: Vec<CellPosition>,
    /// Whether it is not known where the order leads.
    is_unknown: bool,
    /// Whether the player did nothing when the order was sent.
    was_idle: bool,
}

impl SentOrder {
    /// Returns the order of a message to the player of a world.
    fn new(update: &UpdateMotion<'_>, world: &World, earlier: &[Self], (now, was_idle): (f64, bool)) -> Self {
        let at = |origin: &Origin| CellPosition::at(origin.cell, origin.point);
        let leads_away = |params: &MoveToParams| {
            params.flags.contains(MoveFlags::MOVE_AWAY) && params.min_distance > MAX_RETREAT
        };
        let (target, goals, is_unknown) = match &update.data.movement.body {
            MovementBody::MoveToObject { target, origin, params, .. } => {
                (Some(*target), vec![at(origin)], leads_away(params))
            }
            MovementBody::MoveToPosition { origin, params, .. } => {
                (None, vec![at(origin)], leads_away(params))
            }
            MovementBody::Interpreted { sticky, .. } => (*sticky, Vec::new(), false),
            MovementBody::TurnToObject { .. } | MovementBody::TurnToHeading { .. } => {
                (None, Vec::new(), false)
            }
        };
        let target = target.map(|target| {
            let mut targets = earlier.iter().rev().filter_map(|order| order.target.as_ref());
            let earlier = targets.find(|earlier| earlier.guid == target);
            Target::new(world, target, update.guid, earlier, now)
        });
        Self { stamp: update.data.server_control, target, goals, is_unknown, was_idle }
    }

    /// Notes where the target is now.
    fn track(&mut self, world: &World, now: f64) {
        let Some(target) = &mut self.target else { return };
        let found = world.find(target.guid).filter(|found| found.body().is_in_cell());
        let Some(position) = found.map(|found| found.position()) else { return };
        target.track(&position, now);
        if distance_to_hull(&self.goals, &position) <= MIN_STEP {
            return;
        }
        if self.goals.len() < MAX_POINTS {
            self.goals.push(position);
        } else {
            self.is_unknown = true;
        }
    }

    /// Returns the points up to which the order can have led a player that comes from `start`: where it touches a target
    /// that stands still. One that moves can be anywhere when the player arrives.
    fn ends(&self, start: CellPosition) -> impl Iterator<Item = CellPosition> {
        let touching = self.target.filter(|target| target.is_still).map_or(0.0, |target| target.touching);
        self.goals.iter().map(move |goal| {
            let back = goal.offset_to(&start);
            let mut end = *goal;
            end.frame.origin += back * (touching / back.length().max(touching).max(MIN_STEP));
            end
        })
    }

    /// Returns the distance, in metres, of a position from where the target can have pushed a player that comes from
    /// `start`. A body that is too close to what it sticks to is pushed away, or to the other side (rules I10, R6). It is if
    /// the target has moved, or if the player began there.
    fn distance_to_push(&self, start: &CellPosition, position: &CellPosition) -> f32 {
        let Some(target) = &self.target else { return f32::INFINITY };
        let is_close = |goal: &CellPosition| start.distance_to(goal) < target.touching + MIN_STEP;
        let goals = self.goals.iter().filter(|goal| !target.is_still || is_close(goal));
        let nearest = goals.map(|goal| goal.distance_to(position)).fold(f32::INFINITY, f32::min);
        (nearest - target.touching - STICKY_GAP).max(0.0)
    }
}

/// The orders to a player that its client follows, or has yet to receive, from the oldest to the newest.
#[derive(Default)]
pub(super) struct Orders {
    sent: Vec<SentOrder>,
    /// Where the player can have set out on the straight way to its goals: its last report before its client received the
    /// order, and the goals of the order before.
    starts: Vec<CellPosition>,
    /// Whether the report that is being checked was judged by these orders, and nothing was in the way of the player.
    is_straight: bool,
}

impl Orders {
    /// Records an order to the player of a world, which did nothing before if `was_idle`.
    pub(super) fn add(&mut self, update: &UpdateMotion<'_>, world: &World, now: f64, was_idle: bool) {
        self.push(SentOrder::new(update, world, &self.sent, (now, was_idle)));
    }

    /// Records an order of which only the stamp is known.
    pub(super) fn add_unknown(&mut self, stamp: Stamp) {
        self.push(SentOrder { stamp, target: None, goals: Vec::new(), is_unknown: true, was_idle: false });
    }

    fn push(&mut self, order: SentOrder) {
        if self.sent.len() == MAX_ORDERS {
            self.sent.remove(0);
            self.sent[0].is_unknown = true;
        }
        self.sent.push(order);
    }

    /// Moves the stored times by a negative number of seconds, because the clock was set back.
    pub(super) fn set_clock_back(&mut self, by: f64) {
        let targets = self.sent.iter_mut().filter_map(|order| order.target.as_mut());
        targets.for_each(|target| target.rest.1 += by);
    }

    /// Notes where the targets are now.
    pub(super) fn track(&mut self, world: &World, now: f64) {
        self.sent.iter_mut().for_each(|order| order.track(world, now));
    }

    /// Forgets everything: the player has been moved elsewhere, or its own keys move it.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes that nothing is in the way of the player whose report is being checked.
    pub(super) fn on_straight_way(&mut self) {
        self.is_straight = true;
    }

    /// Forgets what can no longer lead the player, which was at `last` and has now reported its position and the stamp of
    /// the newest order that it has received.
    pub(super) fn on_report(&mut self, last: &CellPosition, position: &CellPosition, newest: Stamp) {
        let is_straight = std::mem::take(&mut self.is_straight);
        let Some(index) = self.sent.iter().position(|order| order.stamp == newest) else { return };
        let followed = self.sent.drain(..index);
        if !is_straight {
            self.starts = vec![*position];
        } else if index > 0 || self.starts.is_empty() {
            self.starts = vec![*last];
            self.starts.extend(followed.flat_map(|order| order.ends(*last).collect::<Vec<_>>()));
        }
    }

    /// Returns `true` if the player can have gone to an entity or stuck to it.
    pub(super) fn leads_to(&self, entity: Guid) -> bool {
        self.sent.iter().filter_map(|order| order.target).any(|target| target.guid == entity)
    }

    /// Returns the maximum distance, in metres, by which a target can push the player off its way. The client moves a target
    /// that follows the player by itself, so that the server does not know where the two meet.
    pub(super) fn max_push(&self) -> f32 {
        let targets = self.sent.iter().filter_map(|order| order.target.as_ref());
        targets.map(|target| target.touching + STICKY_GAP).fold(0.0, f32::max)
    }

    /// Returns the positions that the player can have moved towards.
    pub(super) fn goals(&self) -> impl Iterator<Item = &CellPosition> {
        self.sent.iter().flat_map(|order| &order.goals)
    }

    /// Returns `true` if a player that had received the orders up to `since` did nothing until the next one was sent, and
    /// none before `newest` leads it anywhere: its client sets out where the player was reported.
    pub(super) fn interrupted_nothing(&self, since: Stamp, newest: Stamp) -> bool {
        let next = self.sent.iter().find(|order| order.stamp.is_newer_than(since));
        let mut before = self.sent.iter().take_while(|order| order.stamp != newest);
        next.is_some_and(|order| order.was_idle) && before.all(|order| order.goals.is_empty())
    }

    /// Returns the distance, in metres along the ground, of a position from where the orders can have led a player that
    /// was at `last` when it had received the orders up to `since`, and has now received those up to `newest`. `None` if
    /// that is not known.
    pub(super) fn deviation(
        &self,
        last: &CellPosition,
        (since, newest): (Stamp, Stamp),
        position: &CellPosition,
    ) -> Option<f32> {
        let end = self.sent.iter().position(|order| order.stamp == newest)?;
        let orders = &self.sent[..=end];
        if orders.iter().any(|order| order.is_unknown) {
            return None;
        }
        let distance = |starts: &[CellPosition]| {
            let ends = starts.first().map(|start| orders.iter().flat_map(|order| order.ends(*start)));
            let points: Vec<CellPosition> =
                starts.iter().copied().chain(ends.into_iter().flatten()).collect();
            distance_to_hull(&points, position)
        };
        let mut deviation = distance(&[*last]);
        if since == newest && !self.starts.is_empty() {
            deviation = deviation.max(distance(&self.starts));
        }
        let starts = [Some(last), self.starts.first()];
        let pushed = starts
            .into_iter()
            .flatten()
            .flat_map(|start| orders.iter().map(move |order| order.distance_to_push(start, position)));
        Some(pushed.fold(deviation, f32::min))
    }
}

/// Returns the distance, in metres along the ground, of a position from the convex hull of points; infinite if there are
/// none.
fn distance_to_hull(points: &[CellPosition], position: &CellPosition) -> f32 {
    let offsets = points.iter().map(|point| Vec3 { z: 0.0, ..position.offset_to(point) });
    // The edges of the hull are among the lines between two points, all of which are within it.
    let mut nearest: Option<Vec3> = None;
    for (index, from) in offsets.clone().enumerate() {
        for to in offsets.clone().skip(index) {
            let edge = to - from;
            let length = edge.length_squared();
            let part = if length > 0.0 { (-from.dot(edge) / length).clamp(0.0, 1.0) } else { 0.0 };
            let point = from + edge * part;
            if nearest.is_none_or(|nearest| point.length_squared() < nearest.length_squared()) {
                nearest = Some(point);
            }
        }
    }
    let Some(nearest) = nearest else { return f32::INFINITY };
    // Outside, the whole hull is behind the nearest point.
    let distance = nearest.length();
    let is_outside = offsets.clone().all(|offset| offset.dot(nearest) >= distance * (distance - MIN_STEP));
    if is_outside { distance } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use acmotion_types::CellId;

    use super::*;

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 0.0))
    }

    fn order(stamp: u16, goals: &[CellPosition], is_still: bool) -> SentOrder {
        let target = goals.first().map(|goal| Target {
            guid: Guid(1),
            touching: 1.0,
            rest: (*goal, f64::NEG_INFINITY),
            is_still,
        });
        SentOrder { stamp: Stamp(stamp), target, goals: goals.to_vec(), is_unknown: false, was_idle: true }
    }

    fn orders(sent: Vec<SentOrder>) -> Orders {
        Orders { sent, ..Orders::default() }
    }

    /// The deviation of a player that was at (10, 10) and has received the first order since.
    fn deviation(orders: &Orders, x: f32, y: f32) -> f32 {
        orders.deviation(&at(10.0, 10.0), (Stamp(0), Stamp(1)), &at(x, y)).unwrap()
    }

    #[track_caller]
    fn assert_near(distance: f32, expected: f32) {
        assert!((distance - expected).abs() < 0.01, "{distance}, expected {expected}");
    }

    #[test]
    fn the_distance_to_a_hull_is_that_to_its_nearest_edge() {
        let square = [at(10.0, 10.0), at(20.0, 10.0), at(20.0, 20.0), at(10.0, 20.0), at(12.0, 13.0)];
        for (x, y, expected) in
            [(15.0, 15.0, 0.0), (11.0, 14.0, 0.0), (15.0, 7.0, 3.0), (23.0, 24.0, 5.0), (9.0, 15.0, 1.0)]
        {
            assert_near(distance_to_hull(&square, &at(x, y)), expected);
        }
        assert_near(distance_to_hull(&square[..1], &at(13.0, 14.0)), 5.0);
        assert_eq!(distance_to_hull(&[], &at(1.0, 1.0)), f32::INFINITY);
    }

    #[test]
    fn a_player_goes_straight_to_a_target_that_stands_and_stops_when_it_touches_it() {
        let orders = orders(vec![order(1, &[at(20.0, 10.0)], true)]);
        assert_near(deviation(&orders, 15.0, 10.0), 0.0);
        assert_near(deviation(&orders, 15.0, 13.0), 3.0);
        assert_near(deviation(&orders, 19.0, 10.0), 0.0);
        assert_near(deviation(&orders, 22.0, 10.0), 3.0);
        assert_near(deviation(&orders, 8.0, 10.0), 2.0);
    }

    #[test]
    fn a_target_that_moves_leads_the_player_to_where_it_has_been_and_can_push_it() {
        let orders = orders(vec![order(1, &[at(20.0, 10.0), at(20.0, 20.0)], false)]);
        assert_near(deviation(&orders, 18.0, 15.0), 0.0);
        assert_near(deviation(&orders, 20.0, 20.0), 0.0);
        assert_near(deviation(&orders, 21.2, 10.0), 0.0);
        assert_near(deviation(&orders, 23.0, 15.0), 3.0);
    }

    #[test]
    fn a_player_that_overlaps_its_target_is_pushed_to_any_side() {
        let orders = orders(vec![order(1, &[at(10.5, 10.0)], true)]);
        assert_near(deviation(&orders, 11.8, 10.0), 0.0);
        assert_near(deviation(&orders, 13.8, 10.0), 2.0);
    }

    #[test]
    fn an_order_that_the_client_has_not_received_does_not_lead_its_player() {
        let orders = orders(vec![order(1, &[], true), order(2, &[at(20.0, 10.0)], true)]);
        assert_near(deviation(&orders, 15.0, 10.0), 5.0);
        let both = orders.deviation(&at(10.0, 10.0), (Stamp(0), Stamp(2)), &at(15.0, 10.0));
        assert_near(both.unwrap(), 0.0);
    }

    #[test]
    fn a_player_stays_on_the_way_from_where_it_set_out_unless_it_had_to_go_around_something() {
        let mut orders = orders(vec![order(1, &[at(20.0, 10.0)], true)]);
        orders.on_straight_way();
        orders.on_report(&at(10.0, 10.0), &at(14.0, 11.5), Stamp(1));
        let beside = |orders: &Orders| {
            orders.deviation(&at(14.0, 13.0), (Stamp(1), Stamp(1)), &at(15.0, 13.0)).unwrap()
        };
        assert_near(beside(&orders), 3.0);
        orders.on_report(&at(10.0, 10.0), &at(14.0, 13.0), Stamp(1));
        assert!(beside(&orders) < 1.0);
    }

    #[test]
    fn an_order_interrupts_nothing_if_the_player_stood_and_no_earlier_order_leads_it() {
        let led = orders(vec![order(1, &[at(20.0, 10.0)], true), order(2, &[], true), order(3, &[], true)]);
        assert!(!led.interrupted_nothing(Stamp(1), Stamp(3)));
        let mut standing =
            orders(vec![order(1, &[], true), order(2, &[], true), order(3, &[at(5.0, 5.0)], true)]);
        assert!(standing.interrupted_nothing(Stamp(1), Stamp(3)));
        standing.sent[1].was_idle = false;
        assert!(!standing.interrupted_nothing(Stamp(1), Stamp(3)));
    }

    #[test]
    fn orders_and_the_positions_of_their_targets_are_bounded() {
        let mut orders = Orders::default();
        (0..1_000).for_each(|stamp| orders.add_unknown(Stamp(stamp)));
        assert_eq!(
            (orders.sent.len(), orders.sent.last().map(|order| order.stamp)),
            (MAX_ORDERS, Some(Stamp(999)))
        );
        let mut world = World::new(acmotion_dat::Assets::mannequin());
        let target = Guid(1);
        world.add_stand_in(target, &at(50.0, 50.0), 0.0);
        let mut chase = order(1, &[at(50.0, 50.0)], false);
        for number in 0..1_000 {
            // Away from all positions before.
            let position = at(50.0 + number as f32, 50.0);
            world.act(target, 0.0, |actor, surroundings| actor.set_position(&position, true, surroundings));
            chase.track(&world, 0.0);
        }
        assert_eq!((chase.goals.len(), chase.is_unknown), (MAX_POINTS, true));
    }

    #[test]
    fn nothing_is_known_of_an_order_without_content_or_of_stamps_that_were_not_sent() {
        let mut orders = Orders::default();
        let deviation =
            |orders: &Orders| orders.deviation(&at(1.0, 1.0), (Stamp(0), Stamp(1)), &at(9.0, 9.0));
        assert_eq!(deviation(&orders), None);
        orders.add_unknown(Stamp(1));
        assert_eq!(deviation(&orders), None);
        orders.clear();
        orders.push(order(1, &[], true));
        assert!(deviation(&orders).is_some());
    }

    const PLAYER: Guid = Guid(0x5000_000A);
    const TARGET: Guid = Guid(0x5000_0001);
    /// Two humans of the mannequin touch at this distance.
    const TOUCHING: f32 = 2.0 * 0.678_822_5;

    /// A world with a player at (10, 10) and a target at (20, 10).
    fn world() -> World {
        let mut world = World::new(acmotion_dat::Assets::mannequin());
        world.add_stand_in(PLAYER, &at(10.0, 10.0), 0.0);
        world.add_stand_in(TARGET, &at(20.0, 10.0), 0.0);
        world
    }

    fn put(world: &mut World, position: &CellPosition) {
        world.act(TARGET, 0.0, |actor, surroundings| actor.set_position(position, true, surroundings));
    }

    /// Adds an order to the player.
    fn send(orders: &mut Orders, world: &World, (stamp, now): (u16, f64), body: MovementBody<'_>) {
        let movement = acmotion_wire::Movement {
            flags: acmotion_wire::MotionFlags::empty(),
            style: acmotion_types::MotionCommand::NON_COMBAT,
            body,
        };
        let data = acmotion_wire::MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(stamp),
            autonomous: acmotion_wire::WireBool::from(false),
            pad: acmotion_wire::Pad::ZERO,
            movement,
        };
        orders.add(&UpdateMotion { guid: PLAYER, instance: Stamp(0), data }, world, now, false);
    }

    fn origin(position: &CellPosition) -> Origin {
        Origin { cell: position.cell, point: position.frame.origin }
    }

    fn go_to_target(params: MoveToParams) -> MovementBody<'static> {
        MovementBody::MoveToObject { target: TARGET, origin: origin(&at(20.0, 10.0)), params, run_rate: 1.0 }
    }

    #[test]
    fn the_distance_to_a_hull_that_is_near_counts_as_well() {
        let square = [at(10.0, 10.0), at(20.0, 10.0), at(20.0, 20.0), at(10.0, 20.0)];
        assert_near(distance_to_hull(&square, &at(15.0, 9.5)), 0.5);
        assert_near(distance_to_hull(&square, &at(20.6, 20.8)), 1.0);
        // Height does not count.
        let mut above = at(15.0, 9.5);
        above.frame.origin.z = 50.0;
        assert_near(distance_to_hull(&square, &above), 0.5);
    }

    /// A target that neither goes anywhere nor is moved by a correction has stood still for longer than is known.
    #[test]
    fn a_target_that_does_nothing_stands_still_and_others_only_after_a_while() {
        let idle = world();
        let target = Target::new(&idle, TARGET, PLAYER, None, 5.0);
        assert_eq!((target.rest.1, target.is_still), (f64::NEG_INFINITY, true));
        assert_eq!(target.rest.0.frame.origin, at(20.0, 10.0).frame.origin);
        assert_near(target.touching, TOUCHING);

        type Change = fn(&mut crate::entity::Actor<'_>);
        let changes: [Change; 3] = [
            |actor| actor.order(&crate::steer::Order::walk_to(at(40.0, 10.0))),
            |actor| actor.stick_to(PLAYER),
            |actor| actor.entity.interpolate_to(&at(22.0, 10.0), false, false),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut busy = world();
            busy.act(TARGET, 5.0, |actor, _| change(actor));
            let target = Target::new(&busy, TARGET, PLAYER, None, 5.0);
            assert_eq!((target.rest.1, target.is_still), (5.0, false), "{number}");
            // 1.5 s later the client has seen it arrive.
            let later = |now| Target::new(&busy, TARGET, PLAYER, Some(&target), now).is_still;
            assert_eq!([later(6.4), later(6.6)], [false, true], "{number}");
        }
        let unknown = Target::new(&idle, Guid(7), PLAYER, None, 5.0);
        assert_eq!((unknown.rest.1, unknown.is_still), (5.0, false));
        assert_near(unknown.touching, TOUCHING / 2.0);
    }

    /// Animations sway a body by up to 0.3 m.
    #[test]
    fn a_target_moves_when_it_leaves_the_place_where_it_swayed() {
        let mut target = Target::new(&world(), TARGET, PLAYER, None, 5.0);
        target.track(&at(20.2, 10.0), 6.0);
        assert_eq!((target.rest.1, target.is_still), (f64::NEG_INFINITY, true));
        target.track(&at(20.4, 10.0), 7.0);
        assert_eq!((target.rest.1, target.is_still), (7.0, false));
        assert_eq!(target.rest.0.frame.origin, at(20.4, 10.0).frame.origin);
    }

    /// The player may back off by half a metre on its way (rule J12).
    #[test]
    fn where_an_order_leads_is_not_known_if_it_sends_the_player_far_away() {
        for (flags, min_distance, is_unknown) in [
            (MoveFlags::MOVE_AWAY, 0.6, true),
            (MoveFlags::MOVE_AWAY, 0.4, false),
            (MoveFlags::MOVE_TOWARDS, 0.6, false),
            (MoveFlags::MOVE_TOWARDS, 0.0, false),
        ] {
            let params = MoveToParams { flags, min_distance, ..MoveToParams::default() };
            let position =
                MovementBody::MoveToPosition { origin: origin(&at(20.0, 10.0)), params, run_rate: 1.0 };
            for body in [go_to_target(params), position] {
                let mut orders = Orders::default();
                send(&mut orders, &world(), (1, 5.0), body);
                assert_eq!(orders.sent[0].is_unknown, is_unknown, "{flags:?} {min_distance}");
                assert_eq!(orders.goals().count(), 1);
            }
        }
    }

    #[test]
    fn the_next_order_knows_how_long_its_target_has_stood() {
        let mut world = world();
        let mut orders = Orders::default();
        send(&mut orders, &world, (1, 5.0), go_to_target(MoveToParams::default()));
        put(&mut world, &at(21.0, 10.0));
        orders.track(&world, 6.0);
        assert_eq!(orders.goals().count(), 2, "where it was sent to, and where the target is now");
        send(&mut orders, &world, (2, 7.0), go_to_target(MoveToParams::default()));
        send(&mut orders, &world, (3, 8.0), go_to_target(MoveToParams::default()));
        let stood: Vec<_> = orders.sent.iter().map(|order| order.target.unwrap().is_still).collect();
        assert_eq!(stood, [false, false, true], "it moved at 6 s");
        // Another target is none of its business.
        let sticky = MovementBody::Interpreted { state: Default::default(), sticky: Some(PLAYER) };
        send(&mut orders, &world, (4, 8.0), sticky);
        assert_eq!(orders.sent[3].target.unwrap().rest.0.frame.origin, at(10.0, 10.0).frame.origin);
    }

    /// The times of targets move with a clock that is set back.
    #[test]
    fn a_clock_that_is_set_back_keeps_how_long_a_target_has_stood() {
        let mut world = world();
        let mut orders = Orders::default();
        send(&mut orders, &world, (1, 105.0), go_to_target(MoveToParams::default()));
        put(&mut world, &at(21.0, 10.0));
        orders.track(&world, 106.0);
        orders.set_clock_back(-100.0);
        send(&mut orders, &world, (2, 8.0), go_to_target(MoveToParams::default()));
        let target = orders.sent[1].target.unwrap();
        assert_eq!((target.rest.1, target.is_still), (6.0, true));
    }

    /// Positions within the hull, or 0.1 m beside it, say nothing new.
    #[test]
    fn only_positions_that_widen_the_hull_of_a_target_are_noted() {
        let mut world = world();
        let mut chase = order(1, &[at(20.0, 10.0), at(30.0, 10.0)], false);
        chase.target = Some(Target { guid: TARGET, ..chase.target.unwrap() });
        for (x, y, count) in [(25.0, 10.05, 2), (25.0, 10.2, 3), (25.0, 10.1, 3), (31.0, 10.0, 4)] {
            put(&mut world, &at(x, y));
            chase.track(&world, 1.0);
            assert_eq!((chase.goals.len(), chase.is_unknown), (count, false), "{x} {y}");
        }
        assert_eq!(chase.target.unwrap().rest.1, 1.0);
        // One that has left the world is nowhere.
        world.act(TARGET, 0.0, |actor, _| actor.leave_world());
        chase.track(&world, 2.0);
        assert_eq!(chase.goals.len(), 4);
    }

    /// Rules I10, R6: bodies that stick keep a gap of 0.3 m; 0.1 m is a rounding error of where it began.
    #[test]
    fn a_target_pushes_a_player_that_touches_it_by_their_size_and_a_gap() {
        let pushed = |start: f32, is_still| {
            let order = order(1, &[at(20.0, 10.0)], is_still);
            order.distance_to_push(&at(start, 10.0), &at(20.0, 14.0))
        };
        // They touch at 1 m.
        assert_near(pushed(18.95, true), 2.7);
        assert_near(pushed(19.5, true), 2.7);
        assert_eq!(pushed(18.85, true), f32::INFINITY);
        assert_near(pushed(10.0, false), 2.7);
        let near = order(1, &[at(20.0, 10.0)], false);
        assert_eq!(near.distance_to_push(&at(10.0, 10.0), &at(20.0, 11.0)), 0.0);
        let nothing = order(1, &[], true);
        assert_eq!(nothing.distance_to_push(&at(10.0, 10.0), &at(20.0, 11.0)), f32::INFINITY);
    }

    #[test]
    fn the_oldest_order_that_is_kept_is_not_known_once_an_older_one_was_dropped() {
        let mut orders = Orders::default();
        for stamp in 0..=MAX_ORDERS as u16 {
            assert!(orders.sent.iter().all(|order| !order.is_unknown), "{stamp}");
            orders.push(order(stamp, &[], true));
        }
        let unknown: Vec<u16> =
            orders.sent.iter().filter(|order| order.is_unknown).map(|order| order.stamp.0).collect();
        assert_eq!((unknown, orders.sent.len()), (vec![1], MAX_ORDERS));
    }

    #[test]
    fn a_report_ends_the_orders_before_the_newest_that_the_client_has_received() {
        let mut one = orders(vec![order(1, &[at(20.0, 10.0)], true), order(2, &[at(20.0, 30.0)], true)]);
        one.on_straight_way();
        one.on_report(&at(10.0, 10.0), &at(12.0, 12.0), Stamp(2));
        assert_eq!(one.sent.iter().map(|order| order.stamp).collect::<Vec<_>>(), [Stamp(2)]);
        // It set out where it was last reported, or where it touched the first goal, 1 m before it.
        let starts: Vec<Vec3> = one.starts.iter().map(|start| start.frame.origin).collect();
        assert_eq!(starts, [at(10.0, 10.0), at(19.0, 10.0)].map(|start| start.frame.origin));
        // The next report of the same order does not change that.
        one.on_straight_way();
        one.on_report(&at(12.0, 12.0), &at(13.0, 14.0), Stamp(2));
        assert_eq!(one.starts.len(), 2);
        // One that had to go around something does.
        one.on_report(&at(13.0, 14.0), &at(14.0, 15.0), Stamp(2));
        assert_eq!(one.starts, [at(14.0, 15.0)]);
        // What was not sent says nothing.
        one.on_report(&at(14.0, 15.0), &at(15.0, 15.0), Stamp(9));
        assert_eq!((one.starts.len(), one.sent.len()), (1, 1));
        assert_eq!(one.starts, [at(14.0, 15.0)]);
    }

    #[test]
    fn orders_lead_to_their_targets_and_push_as_far_as_these_are_wide() {
        let mut both = orders(vec![order(1, &[at(20.0, 10.0)], true), order(2, &[], true)]);
        assert!(both.leads_to(Guid(1)) && !both.leads_to(Guid(2)));
        assert_near(both.max_push(), 1.3);
        assert_eq!(both.goals().copied().collect::<Vec<_>>(), [at(20.0, 10.0)]);
        both.clear();
        assert!(!both.leads_to(Guid(1)));
        assert_eq!((both.max_push(), both.goals().count()), (0.0, 0));
    }

    #[test]
    fn an_order_interrupts_nothing_only_if_there_is_one_that_the_client_has_not_received() {
        let sent = orders(vec![order(1, &[], true), order(2, &[at(5.0, 5.0)], true), order(3, &[], true)]);
        assert!(sent.interrupted_nothing(Stamp(0), Stamp(1)));
        assert!(sent.interrupted_nothing(Stamp(1), Stamp(2)));
        assert!(!sent.interrupted_nothing(Stamp(2), Stamp(3)), "the second leads it somewhere");
        assert!(!sent.interrupted_nothing(Stamp(3), Stamp(2)), "there is none after the third");
    }

    /// A player that has followed an order for a while is where both its last report and its start lead it.
    #[test]
    fn the_start_of_an_order_counts_only_for_clients_that_had_received_it_before() {
        let mut led = orders(vec![order(1, &[at(20.0, 10.0)], true), order(2, &[at(20.0, 10.0)], true)]);
        let (last, position) = (at(14.0, 12.0), at(14.5, 11.9));
        let deviation = |orders: &Orders, since| orders.deviation(&last, (Stamp(since), Stamp(2)), &position);
        let from_last = deviation(&led, 2).unwrap();
        assert!(from_last < 0.1, "{from_last}");
        led.starts = vec![at(10.0, 10.0)];
        assert_near(deviation(&led, 2).unwrap(), 1.9);
        assert_near(deviation(&led, 1).unwrap(), from_last);
    }
}
