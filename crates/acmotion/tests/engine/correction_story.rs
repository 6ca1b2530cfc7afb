//! Interpolation, constraint and sticking, tick by tick (tables O3, O4 and O5; rules D8, I2–I10, Q5).

use acmotion::components::{CorrectionInput, PositionManager, QueueResult};
use acmotion::explain::{ConstraintRange, InterpolationStep};
use acmotion::internals::correction::{
    CorrectionHost, TargetRequest, blip_distance, stick_to, target_updated, unstick, use_time,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};

const TICK: f32 = 1.0 / 30.0;
const OUTDOORS: CellId = CellId(0xA9B4_0001);
const INDOORS: CellId = CellId(0xA9B4_0100);
const TARGET: Guid = Guid(7);

/// A body that is moved only by its corrections and by a given root motion.
struct Dummy {
    position: CellPosition,
    manager: PositionManager,
    max_speed: f32,
    radius: f32,
    contact: bool,
    is_blocked: bool,
    can_be_placed: bool,
    sticky_target: Option<CellPosition>,
    calls: Vec<&'static str>,
    request: Option<TargetRequest>,
    now: f64,
}

impl Dummy {
    fn new(max_speed: f32) -> Self {
        Self {
            position: CellPosition::at(OUTDOORS, Vec3::ZERO),
            manager: PositionManager::default(),
            max_speed,
            radius: 0.5,
            contact: true,
            is_blocked: false,
            can_be_placed: true,
            sticky_target: None,
            calls: Vec::new(),
            request: None,
            now: 0.0,
        }
    }

    fn report(&mut self, y: f32) -> QueueResult {
        let cell = self.position.cell;
        self.report_at(CellPosition::at(cell, Vec3::new(0.0, y, 0.0)))
    }

    fn report_at(&mut self, target: CellPosition) -> QueueResult {
        let blip = blip_distance(self.position.cell, false);
        let received = self.manager.interpolation.interpolate_to(target, false, &self.position, blip);
        if let QueueResult::There { heading: Some(heading) } = received {
            self.position.frame.set_heading(heading);
        }
        received
    }

    /// One tick with a root motion forward, in metres. Returns what interpolation did, and the position the body was
    /// moved to at once, if any.
    fn tick(&mut self, root_motion: f32) -> (InterpolationStep, Option<CellPosition>) {
        self.now += f64::from(TICK);
        let mut offset = Frame::from_origin(Vec3::new(0.0, root_motion, 0.0));
        let body = CorrectionInput {
            position: self.position,
            contact: self.contact,
            adjusted_max_speed: self.max_speed,
            max_speed: self.max_speed,
            radius: self.radius,
            sticky_target: self.sticky_target,
        };
        let adjustment = self.manager.adjust_offset(&mut offset, TICK, &body);
        if !self.is_blocked {
            self.position.frame = self.position.frame.combine(&offset);
        }
        let now = self.now;
        (adjustment.interpolation, self.end_of_tick(now))
    }

    fn end_of_tick(&mut self, now: f64) -> Option<CellPosition> {
        use_time(self, now, |body, blip| {
            if body.can_be_placed {
                body.position = blip.target;
            }
            body.can_be_placed
        })
    }

    fn y(&self) -> f32 {
        self.position.frame.origin.y
    }

    fn fails(&self) -> u32 {
        self.manager.interpolation.fail_count()
    }

    fn nodes(&self) -> usize {
        self.manager.interpolation.nodes().len()
    }
}

impl CorrectionHost for Dummy {
    fn position_manager(&mut self) -> &mut PositionManager {
        &mut self.manager
    }

    fn set_target(&mut self, request: TargetRequest) {
        self.calls.push("set_target");
        self.request = Some(request);
    }

    fn clear_target(&mut self) {
        self.calls.push("clear_target");
    }

    fn cancel_moveto(&mut self) {
        self.calls.push("cancel_moveto");
    }
}

fn assert_near(got: f32, expected: f32) {
    assert!((got - expected).abs() < 1e-3, "{got} is not {expected}");
}

/// Eleven whole steps, a short one, and in tick 13 the node is completed.
#[test]
fn o3_a_standing_remote_interpolates_at_8_metres_a_second() {
    let mut body = Dummy::new(4.0);
    assert_eq!(body.report(3.0), QueueResult::Queued);
    for tick in 1..=11 {
        body.tick(0.0);
        assert_near(body.y(), 0.266_67 * tick as f32);
    }
    body.tick(0.0);
    assert_near(body.y(), 3.0);
    assert_eq!(body.nodes(), 1);
    assert_eq!(body.tick(0.1).0, InterpolationStep::Reached);
    assert_eq!(body.nodes(), 0);
    assert_near(body.y(), 3.1);
}

/// With forward speed 2.375 it interpolates at 19 m/s; its root motion is not added.
#[test]
fn o3_interpolation_replaces_the_root_motion_of_a_running_remote() {
    let mut body = Dummy::new(4.0 * 2.375);
    body.report(3.0);
    for left in [2.366_67, 1.733_33, 1.1, 0.466_67, 0.0] {
        body.tick(0.3);
        assert_near(3.0 - body.y(), left);
    }
    assert_eq!(body.tick(0.3).0, InterpolationStep::Reached);
    assert_near(body.y(), 3.3);
}

/// Only the translation is limited.
#[test]
fn o3_the_whole_rotation_is_applied_in_the_first_tick() {
    let mut body = Dummy::new(4.0);
    let mut target = CellPosition::at(OUTDOORS, Vec3::new(0.0, 3.0, 0.0));
    target.frame.set_heading(135.0);
    body.report_at(target);
    body.tick(0.0);
    assert!((body.position.frame.heading() - 135.0).abs() < 0.01);
    assert_near(body.y(), 0.266_67);
}

/// The first progress window always passes, the second fails.
#[test]
fn o3_a_blocked_body_is_moved_to_the_node_after_ten_ticks() {
    let mut body = Dummy::new(4.0);
    body.is_blocked = true;
    body.report(5.0);
    for tick in 1..=9 {
        let (step, moved_to) = body.tick(0.0);
        assert!(matches!(step, InterpolationStep::Toward { .. }), "tick {tick}");
        assert_eq!(moved_to, None);
        assert_eq!(body.fails(), 0);
    }
    assert_near(body.manager.interpolation.original_distance(), 5.0);
    let (step, moved_to) = body.tick(0.0);
    assert_eq!(step, InterpolationStep::Stalled);
    assert_near(moved_to.unwrap().frame.origin.y, 5.0);
    assert_near(body.y(), 5.0);
    assert_eq!((body.fails(), body.nodes()), (0, 0));
}

/// Each failed progress window drops one node.
#[test]
fn o3_the_fourth_failure_moves_the_body_to_the_newest_node() {
    let mut body = Dummy::new(4.0);
    body.is_blocked = true;
    for y in 1..=9 {
        body.report(5.0 + y as f32);
    }
    let mut moves = Vec::new();
    for tick in 1..=25 {
        let (_, moved_to) = body.tick(0.0);
        if let Some(moved_to) = moved_to {
            moves.push((tick, moved_to.frame.origin.y));
        }
        let failures = if tick < 10 { 0 } else { (tick - 5) / 5 };
        if moves.is_empty() {
            assert_eq!(body.fails(), failures, "tick {tick}");
            assert_eq!(body.nodes(), 9 - failures as usize);
        }
    }
    assert_eq!(moves, [(25, 14.0)]);
}

/// Only reaching the last node does.
#[test]
fn i7_progress_does_not_reset_the_failure_count() {
    let mut body = Dummy::new(4.0);
    body.report(5.0);
    body.report(10.0);
    body.is_blocked = true;
    for _ in 0..10 {
        body.tick(0.0);
    }
    assert_eq!((body.fails(), body.nodes()), (1, 1));
    body.is_blocked = false;
    for _ in 0..20 {
        body.tick(0.0);
        assert_eq!(body.fails(), 1);
    }
    for _ in 0..20 {
        body.tick(0.0);
    }
    assert_eq!((body.fails(), body.nodes()), (0, 0));
    assert_near(body.y(), 10.0);
}

/// If there is no room, the move is tried again.
#[test]
fn o3_a_far_report_causes_one_step_and_then_a_move_at_once() {
    let mut body = Dummy::new(4.0);
    assert_eq!(body.report(150.0), QueueResult::Far);
    assert_eq!(body.fails(), 4);
    body.can_be_placed = false;
    assert_eq!(body.tick(0.0).1, None);
    assert_near(body.y(), 0.266_67);
    body.can_be_placed = true;
    assert!(body.tick(0.0).1.is_some());
    assert_eq!(body.y(), 150.0);
    assert_eq!((body.fails(), body.nodes()), (0, 0));
}

/// The distance is measured from the newest node, not from the body.
#[test]
fn d8_the_blip_distance_is_shorter_in_a_room() {
    let mut body = Dummy::new(4.0);
    assert_eq!(body.report(50.0), QueueResult::Queued);
    assert_eq!(body.report(149.0), QueueResult::Queued);
    let mut body = Dummy::new(4.0);
    body.position.cell = INDOORS;
    assert_eq!(body.report(30.0), QueueResult::Far);
    assert_eq!([blip_distance(INDOORS, true), blip_distance(INDOORS, false)], [25.0, 20.0]);
    assert_eq!([blip_distance(OUTDOORS, true), blip_distance(OUTDOORS, false)], [100.0, 100.0]);
}

/// Only its heading is taken.
#[test]
fn o3_a_report_at_the_body_clears_the_queue() {
    let mut body = Dummy::new(4.0);
    body.report(3.0);
    let mut target = CellPosition::at(OUTDOORS, Vec3::new(0.0, 0.03, 0.0));
    target.frame.set_heading(90.0);
    body.report_at(target);
    assert_eq!(body.nodes(), 0);
    assert!((body.position.frame.heading() - 90.0).abs() < 0.01);
    let kept = body.manager.interpolation.interpolate_to(target, true, &body.position, 100.0);
    assert_eq!(kept, QueueResult::There { heading: None });
}

/// Beyond twenty nodes the oldest is removed. A report equal to the newest node replaces it.
#[test]
fn i4_the_queue_is_bounded() {
    let mut body = Dummy::new(4.0);
    for y in 1..=30 {
        body.report(y as f32);
    }
    assert_eq!(body.nodes(), 20);
    assert_eq!(body.manager.interpolation.nodes().next().unwrap().frame.origin.y, 11.0);
    body.report(30.0);
    assert_eq!(body.nodes(), 20);
    for y in 0..100 {
        body.report(1000.0 * (y + 1) as f32);
    }
    assert_eq!(body.nodes(), 20, "also for far reports");
}

#[test]
fn i6_without_contact_the_offset_is_left_alone() {
    let mut body = Dummy::new(4.0);
    body.report(3.0);
    body.contact = false;
    assert_eq!(body.tick(0.2).0, InterpolationStep::NoContact);
    assert_near(body.y(), 0.2);
}

#[test]
fn i6_the_speed_is_twice_the_maximum_or_7_5_metres_a_second() {
    for (max_speed, expected) in [(0.0, 7.5), (3.0, 6.0)] {
        let mut body = Dummy::new(max_speed);
        body.report(90.0);
        let (step, _) = body.tick(0.0);
        assert!(matches!(step, InterpolationStep::Toward { speed, .. } if speed == expected));
        assert_near(body.y(), expected * TICK);
    }
}

/// The times, in seconds, at which a constrained body with root motion at `speed` passes the marks, in metres.
fn times_at_marks(speed: f32, marks: &[f32]) -> Vec<f32> {
    let mut body = Dummy::new(4.0);
    let anchor = body.position;
    body.manager.constraint.constrain_to(&anchor, &body.position, ConstraintRange::of(OUTDOORS));
    let mut times = Vec::new();
    for tick in 1..=1000 {
        body.tick(speed * TICK);
        assert_near(body.manager.constraint.pos_offset(), body.y());
        assert_eq!(body.manager.constraint.is_fully_constrained(), body.y() > 45.0);
        if marks.get(times.len()).is_some_and(|mark| body.y() >= *mark) {
            times.push(tick as f32 * TICK);
        }
    }
    times
}

#[test]
fn o4_the_constraint_slows_a_runner_and_a_walker() {
    for (got, expected) in times_at_marks(9.5, &[10.0, 20.0, 30.0, 40.0, 45.0, 49.0])
        .into_iter()
        .zip([1.07, 2.27, 3.97, 6.87, 9.80, 16.5])
    {
        assert!((got - expected).abs() < 0.06, "{got} s, not {expected} s");
    }
    for (got, expected) in times_at_marks(3.12, &[10.0, 45.0]).into_iter().zip([3.2, 29.8]) {
        assert!((got - expected).abs() < 0.06, "{got} s, not {expected} s");
    }
}

/// Also in the air, where it does not slow the body down.
#[test]
fn i9_the_constraint_measures_path_length_and_not_distance() {
    let mut body = Dummy::new(4.0);
    let anchor = body.position;
    body.manager.constraint.constrain_to(&anchor, &body.position, ConstraintRange::of(INDOORS));
    for step in 0..10 {
        body.tick(if step % 2 == 0 { 0.5 } else { -0.5 });
    }
    assert_eq!((body.manager.constraint.pos_offset(), body.y()), (5.0, 0.0));
    body.contact = false;
    body.tick(10.0);
    assert_eq!(body.y(), 10.0);
    body.contact = true;
    body.tick(1.0);
    assert_near(body.y(), 10.0 + 5.0 / 15.0);
    body.manager.constraint.release();
    body.tick(30.0);
    assert_near(body.y(), 40.0 + 5.0 / 15.0);
}

/// A body that sticks to a target ahead of it.
fn stuck(distance: f32, target_radius: f32) -> Dummy {
    let mut body = Dummy::new(4.0);
    stick_to(&mut body, TARGET, target_radius, 0.0);
    let target = CellPosition::at(OUTDOORS, Vec3::new(0.0, distance, 0.0));
    target_updated(&mut body, TARGET, Some(&target));
    body
}

#[test]
fn o5_sticking_keeps_a_gap() {
    let mut body = stuck(3.0, 0.7);
    for distance in [2.333_33, 1.666_67, 1.5, 1.5] {
        body.tick(0.4);
        assert_near(3.0 - body.y(), distance);
    }
    let mut close = stuck(1.2, 0.7);
    close.tick(0.0);
    assert_near(close.y(), -0.3);
    let mut much_too_close = stuck(0.2, 0.7);
    much_too_close.tick(0.0);
    assert_near(much_too_close.y(), 4.0 * 5.0 * TICK);
}

/// If the target is no longer known, the body faces its last position.
#[test]
fn i10_a_sticking_body_faces_the_current_position_of_its_target() {
    let mut body = stuck(3.0, 0.5);
    body.sticky_target = Some(CellPosition::at(OUTDOORS, Vec3::new(5.0, 0.0, 0.0)));
    body.tick(0.0);
    assert!((body.position.frame.heading() - 90.0).abs() < 0.01);
    body.sticky_target = None;
    body.tick(0.0);
    body.tick(0.0);
    assert!(body.position.frame.heading() > 270.0);
}

/// At the deadline itself the body still sticks (rule Q5).
#[test]
fn i10_sticking_ends_after_a_second() {
    let mut body = Dummy::new(4.0);
    stick_to(&mut body, TARGET, 0.5, 100.0);
    let request = body.request.unwrap();
    assert_eq!((request.object, request.radius, request.quantum), (TARGET, 0.5, 0.5));
    assert_eq!(body.manager.sticky().unwrap().deadline(), 101.0);
    assert!(!body.manager.sticky().unwrap().is_initialized());
    let target = CellPosition::at(OUTDOORS, Vec3::new(0.0, 3.0, 0.0));
    target_updated(&mut body, TARGET, Some(&target));
    body.end_of_tick(101.0);
    assert_eq!(body.manager.sticky_target(), Some(TARGET));
    body.end_of_tick(101.0_f64.next_up());
    assert_eq!(body.manager.sticky_target(), None);
    assert_eq!(body.calls, ["set_target", "clear_target", "cancel_moveto"]);
    body.calls.clear();
    unstick(&mut body);
    assert!(body.calls.is_empty(), "it does not stick any more");
}

/// A body that sticks does nothing until its target has answered, whatever an earlier target has answered: `StickTo` begins
/// uninitialised.
#[test]
fn i10_nothing_happens_before_the_target_answers() {
    let mut body = Dummy::new(4.0);
    let initialized = |body: &Dummy| body.manager.sticky().unwrap().is_initialized();
    stick_to(&mut body, TARGET, 0.7, 0.0);
    body.tick(0.1);
    assert!(!initialized(&body));
    assert_near(body.y(), 0.1);
    let ahead = CellPosition::at(OUTDOORS, Vec3::new(0.0, 3.1, 0.0));
    target_updated(&mut body, TARGET, Some(&ahead));
    assert!(initialized(&body));
    body.tick(0.1);
    assert_near(body.y(), 0.1 + 4.0 * 5.0 * TICK);

    stick_to(&mut body, Guid(8), 0.7, 0.1);
    assert!(!initialized(&body));
    body.tick(0.1);
    assert_near(body.y(), 0.2 + 4.0 * 5.0 * TICK);
    unstick(&mut body);
    body.tick(0.1);
    assert_near(body.y(), 0.3 + 4.0 * 5.0 * TICK);
}

/// Updates about other objects are ignored.
#[test]
fn i10_sticking_ends_when_the_body_sticks_to_another_object_or_the_target_is_lost() {
    let mut body = stuck(3.0, 0.5);
    body.calls.clear();
    stick_to(&mut body, Guid(8), 0.5, 0.5);
    assert_eq!(body.calls, ["clear_target", "cancel_moveto", "set_target"]);
    target_updated(&mut body, TARGET, None);
    assert_eq!(body.manager.sticky_target(), Some(Guid(8)));
    target_updated(&mut body, Guid(8), None);
    assert!(!body.manager.is_stuck());
}

#[test]
fn i6_a_blocked_body_that_sticks_does_not_stall() {
    let mut body = stuck(0.0, 0.5);
    body.is_blocked = true;
    body.report(5.0);
    for _ in 0..29 {
        body.tick(0.0);
        assert_eq!(body.fails(), 0);
    }
    assert_eq!(body.nodes(), 1);
}
