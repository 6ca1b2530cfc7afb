//! Targets and their voyeurs one notice at a time, the limits of orders, and the ground under a goal (`docs/behaviour.md`
//! I11, J17, R4).

use crate::steer_support;

use acmotion::components::{MovementParams, Order, TargetInfo, TargetManager, TargetStatus, TargetUpdate};
use acmotion::components::{Notice, NoticeKind};
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::steer::{
    MAX_VOYEURS, TargetHost, clear_target, handle_targeting, notify_voyeurs, receive, set_target,
    set_target_quantum,
};
use acmotion::scene::{
    Arrival, Contact, GroundHit, InfinitePlane, Mover, Obstacles, PlacementError, Surroundings, SweepResult,
    Touch,
};
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{MoveToEvent, OrderLimits, PATIENCE_SECONDS, Unreachable, WalkGoal};
use steer_support::{Stage, TICK, at, same_heading};

const OWN: Guid = Guid(0x5000_0001);
const OTHER: Guid = Guid(0x5000_0002);
const THIRD: Guid = Guid(0x5000_0003);
const WAVE: MotionCommand = MotionCommand(0x1300_0087);

/// A body that writes down what it sends and what it is told.
struct Watcher {
    position: CellPosition,
    velocity: Vec3,
    targets: TargetManager,
    sent: Vec<Notice>,
    told: Vec<TargetInfo>,
}

impl TargetHost for Watcher {
    fn guid(&self) -> Guid {
        OWN
    }

    fn motion(&self) -> (CellPosition, Vec3) {
        (self.position, self.velocity)
    }

    fn targets(&mut self) -> &mut TargetManager {
        &mut self.targets
    }

    fn send_notice(&mut self, notice: Notice) {
        self.sent.push(notice);
    }

    fn on_target_update(&mut self, info: &TargetInfo) {
        self.told.push(*info);
    }
}

impl Watcher {
    fn new() -> Self {
        Self {
            position: at(60.0, 60.0),
            velocity: Vec3::ZERO,
            targets: TargetManager::default(),
            sent: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Takes what was sent since the last call.
    fn take(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.sent)
    }

    /// Takes the updates sent since the last call.
    fn updates(&mut self) -> Vec<(Guid, TargetUpdate)> {
        let update = |notice: Notice| match notice.kind {
            NoticeKind::Update(update) => (notice.to, update),
            other => panic!("{other:?}"),
        };
        self.take().into_iter().map(update).collect()
    }

    fn watch(&mut self, object: Guid, now: f64) {
        let info = TargetInfo { object, radius: 0.5, quantum: 0.25, ..TargetInfo::default() };
        set_target(self, info, now);
    }

    fn watched_by(&mut self, guid: Guid, radius: f32, quantum: f64) {
        let kind = NoticeKind::Watch { radius, quantum };
        receive(self, &Notice { from: guid, to: OWN, kind }, 0.0);
    }

    fn hear(&mut self, from: Guid, status: TargetStatus, now: f64) {
        let update = TargetUpdate {
            target_position: at(60.0, 70.0),
            interpolated_position: at(60.0, 72.0),
            velocity: Vec3::new(0.0, 4.0, 0.0),
            status,
            radius: 0.75,
            quantum: 0.5,
        };
        receive(self, &Notice { from, to: OWN, kind: NoticeKind::Update(update) }, now);
    }
}

fn notice(to: Guid, kind: NoticeKind) -> Notice {
    Notice { from: OWN, to, kind }
}

/// The example of I11: at 4 m/s and a quantum of half a second the prediction is 2 m ahead. It is sent when it has moved
/// by more than half a metre, and looked at twice a second.
#[test]
fn i11_a_voyeur_is_told_when_the_prediction_has_moved() {
    let mut host = Watcher::new();
    host.watched_by(OTHER, 0.5, 0.5);
    let first = host.updates();
    let [(OTHER, first)] = first[..] else { panic!("{first:?}") };
    assert_eq!((first.target_position, first.interpolated_position), (at(60.0, 60.0), at(60.0, 60.0)));
    assert_eq!((first.status, first.radius, first.quantum), (TargetStatus::Ok, 0.5, 0.5));

    host.velocity = Vec3::new(0.0, 4.0, 0.0);
    handle_targeting(&mut host, 100.0, 0.0);
    let second = host.updates();
    let [(OTHER, second)] = second[..] else { panic!("{second:?}") };
    assert_eq!((second.target_position, second.interpolated_position), (at(60.0, 60.0), at(60.0, 62.0)));
    assert_eq!((second.status, second.velocity), (TargetStatus::Ok, host.velocity));

    host.position = at(60.0, 61.0);
    handle_targeting(&mut host, 100.25, 0.0);
    assert!(host.take().is_empty(), "a quarter of a second later it does not look");
    host.position = at(60.0, 62.0);
    handle_targeting(&mut host, 100.5, 0.0);
    assert_eq!(host.updates()[0].1.interpolated_position, at(60.0, 64.0));

    // It stops within half a metre of what it predicted.
    (host.position, host.velocity) = (at(60.0, 63.6), Vec3::ZERO);
    handle_targeting(&mut host, 101.0, 0.0);
    assert!(host.take().is_empty(), "0.4 m");
    host.position = at(60.0, 63.4);
    handle_targeting(&mut host, 101.25, 0.0);
    assert!(host.take().is_empty(), "it has looked, although it had nothing to tell");
    handle_targeting(&mut host, 101.5, 0.0);
    assert_eq!(host.updates()[0].1.interpolated_position, at(60.0, 63.4), "0.6 m");
}

/// I11: a voyeur that comes again only changes how closely it watches.
#[test]
fn i11_a_known_voyeur_gets_no_second_first_update() {
    let mut host = Watcher::new();
    host.watched_by(OTHER, 0.5, 0.0);
    host.watched_by(THIRD, 0.5, 0.0);
    assert_eq!(host.updates().len(), 2);
    host.watched_by(OTHER, 3.0, 1.5);
    assert!(host.take().is_empty());
    let known: Vec<_> = host.targets.voyeurs().iter().map(|it| (it.guid, it.radius, it.quantum)).collect();
    assert_eq!(known, [(OTHER, 3.0, 1.5), (THIRD, 0.5, 0.0)]);

    host.position = at(60.0, 61.0);
    notify_voyeurs(&mut host, TargetStatus::Teleported);
    let sent = host.updates();
    assert_eq!(sent.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [OTHER, THIRD]);
    for (_, update) in sent {
        assert_eq!((update.status, update.interpolated_position), (TargetStatus::Teleported, at(60.0, 61.0)));
    }

    receive(&mut host, &Notice { from: OTHER, to: OWN, kind: NoticeKind::Unwatch }, 0.0);
    assert_eq!(host.targets.voyeurs().len(), 1);
    assert_eq!(host.targets.voyeurs()[0].guid, THIRD);
}

/// A crowd beyond the limit is not told anything, and those within it still are.
#[test]
fn a_body_has_at_most_so_many_voyeurs() {
    let mut host = Watcher::new();
    for number in 0..MAX_VOYEURS as u32 {
        host.watched_by(Guid(1000 + number), 0.5, 0.0);
    }
    assert_eq!(host.updates().len(), MAX_VOYEURS);
    host.watched_by(OTHER, 0.5, 0.0);
    assert!(host.take().is_empty());
    assert_eq!(host.targets.voyeurs().len(), MAX_VOYEURS);
    host.watched_by(Guid(1000), 2.0, 0.0);
    assert_eq!(host.targets.voyeurs()[0].radius, 2.0, "a known one can still change");
}

/// I11: a new target replaces the old one, which is told.
#[test]
fn i11_a_body_has_one_target() {
    let mut host = Watcher::new();
    host.watch(OTHER, 10.0);
    let watch = NoticeKind::Watch { radius: 0.5, quantum: 0.25 };
    assert_eq!(host.take(), [notice(OTHER, watch)]);
    let target = *host.targets.target().unwrap();
    assert_eq!((target.object, target.status, target.last_update), (OTHER, TargetStatus::Undefined, 10.0));
    host.watch(THIRD, 11.0);
    assert_eq!(host.take(), [notice(OTHER, NoticeKind::Unwatch), notice(THIRD, watch)]);
    clear_target(&mut host);
    assert_eq!(host.take(), [notice(THIRD, NoticeKind::Unwatch)]);
    clear_target(&mut host);
    assert!(host.take().is_empty());

    // Nothing at all is a target that has timed out.
    host.watch(Guid::NONE, 12.0);
    assert!(host.take().is_empty() && host.targets.target().is_none());
    let told: Vec<_> = host.told.iter().map(|info| (info.object, info.status)).collect();
    assert_eq!(told, [(Guid::NONE, TargetStatus::TimedOut)]);
}

#[test]
fn a_body_tells_its_target_how_far_to_predict() {
    let mut host = Watcher::new();
    set_target_quantum(&mut host, 2.0);
    assert!(host.take().is_empty() && host.targets.quantum() == 0.0, "no target");
    host.watch(OTHER, 10.0);
    host.take();
    set_target_quantum(&mut host, 2.0);
    assert_eq!(host.take(), [notice(OTHER, NoticeKind::Watch { radius: 0.5, quantum: 2.0 })]);
    assert_eq!(host.targets.quantum(), 2.0);
}

/// I11, R4: ten seconds of the client frame's time. One that has answered never times out.
#[test]
fn i11_a_target_that_does_not_answer_times_out_once() {
    let mut host = Watcher::new();
    host.watch(OTHER, 100.0);
    handle_targeting(&mut host, 0.0, 110.0);
    assert!(host.told.is_empty(), "ten seconds are not over");
    handle_targeting(&mut host, 1.0, 110.01);
    assert_eq!(host.told.iter().map(|info| info.status).collect::<Vec<_>>(), [TargetStatus::TimedOut]);
    handle_targeting(&mut host, 2.0, 130.0);
    assert_eq!(host.told.len(), 1);

    host.watch(OTHER, 200.0);
    host.hear(OTHER, TargetStatus::Ok, 201.0);
    host.told.clear();
    handle_targeting(&mut host, 3.0, 300.0);
    assert!(host.told.is_empty());
}

/// I11: what is known of a target is what it has told last.
#[test]
fn i11_an_update_of_the_target_is_kept_and_passed_on() {
    let mut host = Watcher::new();
    host.watch(OTHER, 10.0);
    host.take();
    host.hear(THIRD, TargetStatus::Ok, 11.0);
    assert!(host.told.is_empty(), "it is not the target");
    host.hear(OTHER, TargetStatus::Ok, 12.0);
    let target = *host.targets.target().unwrap();
    assert_eq!(host.told, [target]);
    assert_eq!((target.target_position, target.interpolated_position), (at(60.0, 70.0), at(60.0, 72.0)));
    assert_eq!((target.radius, target.quantum, target.last_update), (0.75, 0.5, 12.0));
    assert_eq!(target.heading, Vec3::new(0.0, 1.0, 0.0), "due north");
    host.position = at(60.0, 72.0);
    host.hear(OTHER, TargetStatus::Teleported, 13.0);
    assert_eq!(host.targets.target().unwrap().heading, Vec3::new(0.0, 0.0, 1.0), "it is there");
    assert!(host.take().is_empty(), "a target that was teleported is still watched");
    host.hear(OTHER, TargetStatus::ExitWorld, 14.0);
    assert_eq!(host.told.last().unwrap().status, TargetStatus::ExitWorld);
    assert!(host.targets.target().is_none());
    assert_eq!(host.take(), [notice(OTHER, NoticeKind::Unwatch)]);
}

/// The default limits of this crate's own orders.
fn limits() -> OrderLimits {
    OrderLimits { patience: Some(PATIENCE_SECONDS), timeout: None }
}

fn seconds(ticks: usize) -> f64 {
    ticks as f64 * TICK
}

/// A turn by 60 degrees to either side, so slow that it takes more than the patience: each five degrees are progress.
#[test]
fn a_slow_turn_makes_progress() {
    for heading in [60.0, 300.0] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 60.0), 0.0);
        let mut order = Order::turn_to_heading(heading);
        order.params_mut().speed = 0.05;
        stage.order(body, &order);
        let ticks = stage.run_to_end(body, 1800);
        assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Arrived), "{heading} degrees");
        assert!(seconds(ticks) > f64::from(PATIENCE_SECONDS) + 2.0, "{ticks} ticks");
        assert!(same_heading(stage.heading(body), heading));
    }
}

/// Farther away is progress for a body that flees.
#[test]
fn a_body_that_flees_makes_progress() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    let threat = stage.creature(at(60.0, 42.0), 0.0);
    let mut params = MovementParams { min_distance: 30.0, limits: limits(), ..MovementParams::default() };
    params.flags.remove(MoveFlags::MOVE_TOWARDS);
    params.flags.insert(MoveFlags::MOVE_AWAY);
    stage.order(body, &Order::MoveToObject { object: stage.guid(threat), params });
    let ticks = stage.run_to_end(body, 900);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Arrived));
    assert!(seconds(ticks) > f64::from(PATIENCE_SECONDS) + 2.0, "{ticks} ticks");
}

/// A wave that takes longer than the patience only makes the body wait.
#[test]
fn a_turn_may_wait_longer_than_its_patience() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let slow = MovementParams::default().at_speed(0.1);
    stage.act(body, |actor| actor.do_interpreted_motion(WAVE, &slow).unwrap());
    stage.order(body, &Order::turn_to_heading(90.0));
    let ticks = stage.run_to_end(body, 1800);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Arrived), "{:?}", stage.story(body));
    assert!(seconds(ticks) > f64::from(PATIENCE_SECONDS) + 2.0, "{ticks} ticks");
}

/// A body that something turns back again and again turns, but gets nowhere: it waits for no motion, so that its patience is
/// over after five seconds.
#[test]
fn a_turn_that_gets_nowhere_is_given_up() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &Order::turn_to_heading(90.0));
    let mut ticks = 0;
    while stage.entities[body].is_moving_to() {
        stage.entities[body].body.position.frame.set_heading(0.0);
        stage.tick();
        ticks += 1;
        assert!(ticks < 900, "{:?}", stage.entities[body].explain_move_to());
    }
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::GaveUp(Unreachable::NoProgress)));
    let took = seconds(ticks);
    assert!((5.0..6.0).contains(&took), "{took} s");
}

/// An order with limits ends when the body has no cell; the original's goes on.
#[test]
fn an_order_without_a_cell_ends_if_it_has_limits() {
    let plane = InfinitePlane::level(0.0);
    let goal = at(60.0, 80.0);
    let original = Order::MoveToPosition { position: goal, params: MovementParams::default() };
    for (order, goes_on) in [(original, true), (Order::walk_to(goal), false)] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 60.0), 0.0);
        stage.order(body, &order);
        stage.act(body, |actor| {
            actor.leave_world();
            actor.use_time(&plane);
        });
        assert_eq!(stage.entities[body].is_moving_to(), goes_on, "{order:?}");
        let gave_up = stage.story(body).contains(&MoveToEvent::GaveUp(Unreachable::LostCell));
        assert_eq!(gave_up, !goes_on);
    }
}

/// The time of an order begins with the order, however late that is.
#[test]
fn the_time_of_an_order_begins_with_it() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 20.0), 0.0);
    stage.run(300);
    let params = MovementParams {
        limits: OrderLimits { timeout: Some(2.0), ..OrderLimits::NONE },
        ..MovementParams::default()
    };
    stage.order(body, &Order::MoveToPosition { position: at(60.0, 180.0), params });
    let ticks = stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::GaveUp(Unreachable::TimedOut)));
    assert!((60..=62).contains(&ticks), "two seconds are 60 ticks: {ticks}");
}

/// A floor at 0 m and another one at 5 m.
struct TwoFloors;

impl TwoFloors {
    const LOW: InfinitePlane = InfinitePlane::level(0.0);
    const HIGH: InfinitePlane = InfinitePlane::level(5.0);
}

impl Surroundings for TwoFloors {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        Self::LOW.sweep(mover, from, to, obstacles, touched)
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        Self::LOW.place(mover, at, slide, obstacles, touched)
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        Self::LOW.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        Self::LOW.ground(at)
    }

    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        let floor = if at.frame.origin.z >= 5.0 { Self::HIGH } else { Self::LOW };
        floor.find_ground(at, obstacles)
    }
}

/// A goal on the ground is on the floor under the point, and a floor at the height of the point counts as under it. Land
/// above the point is not under it.
#[test]
fn a_goal_is_on_the_floor_under_its_point() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let goal = |height: f32| {
        let mut goal = at(60.0, 80.0);
        goal.frame.origin.z = height;
        WalkGoal::new(goal)
    };
    let height = |stage: &Stage| stage.entities[body].move_to().unwrap().target_position().frame.origin.z;
    for (asked, expected) in [(9.0, 5.0), (5.0, 5.0), (4.95, 5.0), (4.85, 0.0), (1.0, 0.0), (-3.0, -3.0)] {
        stage.act(body, |actor| actor.walk_to(goal(asked), &TwoFloors));
        assert_eq!(height(&stage), expected, "{asked} m");
        stage.act(body, |actor| actor.walk_to(goal(asked).at_exact_height(), &TwoFloors));
        assert_eq!(height(&stage), asked, "exactly");
    }
}
