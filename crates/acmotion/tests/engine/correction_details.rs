//! The limits of interpolation, each from both sides (rules I4–I8).

use acmotion::components::{CorrectionInput, Interpolation, QueueResult};
use acmotion::explain::InterpolationStep;
use acmotion::types::{CellId, CellPosition, Frame, Vec3};

/// A step whose multiples are exact.
const TICK: f32 = 1.0 / 32.0;
/// Farther than any report in these tests, unless they say otherwise.
const BLIP: f32 = 100.0;

fn at(y: f32) -> CellPosition {
    CellPosition::at(CellId(0xA9B4_0001), Vec3::new(0.0, y, 0.0))
}

fn turned(y: f32, heading: f32) -> CellPosition {
    let mut position = at(y);
    position.frame.set_heading(heading);
    position
}

/// A step of a body at `own`. Returns what interpolation did, and the offset.
fn step(queue: &mut Interpolation, own: CellPosition, adjusted_max_speed: f32) -> (InterpolationStep, Frame) {
    let body = CorrectionInput {
        position: own,
        contact: true,
        adjusted_max_speed,
        max_speed: adjusted_max_speed,
        radius: 0.5,
        sticky_target: None,
    };
    let mut offset = Frame::IDENTITY;
    (queue.adjust_offset(&mut offset, TICK, &body, false), offset)
}

/// A body at 0 that was told to go to `target`.
fn queued(target: f32) -> Interpolation {
    let mut queue = Interpolation::default();
    assert_eq!(queue.interpolate_to(at(target), false, &at(0.0), BLIP), QueueResult::Queued);
    queue
}

/// Two progress windows of a body that stands at `from` in the first and at `to` in the second, with the node at 0.
/// Returns the last step. The first window after an idle period always passes (rule I7).
fn second_window(from: f32, to: f32, adjusted_max_speed: f32) -> (InterpolationStep, Interpolation) {
    let mut queue = Interpolation::default();
    assert_eq!(queue.interpolate_to(at(0.0), false, &at(from), BLIP), QueueResult::Queued);
    for _ in 0..5 {
        assert!(matches!(step(&mut queue, at(from), adjusted_max_speed).0, InterpolationStep::Toward { .. }));
    }
    assert_eq!(queue.original_distance(), from, "the window starts here");
    for _ in 0..4 {
        step(&mut queue, at(to), adjusted_max_speed);
    }
    (step(&mut queue, at(to), adjusted_max_speed).0, queue)
}

/// Up to 5 cm from the body a report is already reached; the same distance from the newest node replaces that node.
#[test]
fn i4_five_centimetres_are_there() {
    let own = at(0.0);
    let mut queue = queued(1.0);
    assert_eq!(queue.interpolate_to(at(0.05), true, &own, BLIP), QueueResult::There { heading: None });
    assert!(queue.is_idle());
    assert_eq!(queue.interpolate_to(at(0.06), false, &own, BLIP), QueueResult::Queued);

    let mut queue = queued(1.0);
    queue.interpolate_to(at(1.04), false, &own, BLIP);
    assert_eq!(queue.nodes().len(), 1, "the node at 1 m was replaced");
    queue.interpolate_to(at(1.1), false, &own, BLIP);
    assert_eq!(queue.nodes().len(), 2);
}

/// The blip distance itself is not far.
#[test]
fn i4_a_report_at_the_blip_distance_is_not_far() {
    let mut queue = Interpolation::default();
    assert_eq!(queue.interpolate_to(at(8.0), false, &at(0.0), 8.0), QueueResult::Queued);
    assert_eq!(queue.interpolate_to(at(16.5), false, &at(0.0), 8.0), QueueResult::Far);
}

/// What the body was last told to do with headings also decides about a report that is far.
#[test]
fn i4_a_body_that_keeps_its_heading_takes_none_from_reports() {
    let own = turned(0.0, 90.0);
    let heading_of_newest = |queue: &Interpolation| queue.nodes().last().unwrap().frame.heading().round();

    let mut queue = Interpolation::default();
    queue.interpolate_to(turned(300.0, 180.0), false, &own, BLIP);
    assert_eq!(heading_of_newest(&queue), 180.0, "a far report to a body that turns");

    let mut queue = Interpolation::default();
    queue.interpolate_to(turned(1.0, 180.0), true, &own, BLIP);
    assert!(queue.keeps_heading());
    assert_eq!(heading_of_newest(&queue), 90.0);
    queue.interpolate_to(turned(300.0, 180.0), false, &own, BLIP);
    assert_eq!(heading_of_newest(&queue), 90.0, "a far report to a body that keeps its heading");

    let mut queue = Interpolation::default();
    queue.interpolate_to(turned(1.0, 180.0), true, &own, BLIP);
    let (_, offset) = step(&mut queue, turned(0.0, 45.0), 4.0);
    assert_eq!(offset.heading(), 0.0, "it has been turned since, and is not turned back");
    assert!(!queued(1.0).keeps_heading());
}

/// Nothing of an earlier walk is left, and a failure before does not count.
#[test]
fn i5_stopping_resets_the_progress() {
    let (end, mut queue) = second_window(2.0, 2.0, 4.0);
    assert_eq!(end, InterpolationStep::Stalled);
    assert!(queue.blip_target().is_some(), "it failed at its last node");
    queue.stop();
    assert_eq!(queue.blip_target(), None);

    let mut queue = queued(2.0);
    for _ in 0..3 {
        step(&mut queue, at(0.0), 4.0);
    }
    assert_eq!((queue.frame_counter(), queue.progress_quantum()), (3, 3.0 * TICK));
    queue.stop();
    assert_eq!((queue.frame_counter(), queue.progress_quantum()), (0, 0.0));
    assert_eq!((queue.fail_count(), queue.original_distance()), (0, 999_999.0));
    assert_eq!(Interpolation::default().original_distance(), 999_999.0);
}

/// At 8 m/s and 5 steps of 1/32 s, three tenths of the way are 0.375 m.
#[test]
fn i6_progress_is_three_tenths_of_the_speed() {
    assert_eq!(second_window(2.0, 1.64, 4.0).0, InterpolationStep::Stalled);
    assert!(matches!(second_window(2.0, 1.625, 4.0).0, InterpolationStep::Toward { .. }), "exactly so much");
    assert!(matches!(second_window(2.0, 1.6, 4.0).0, InterpolationStep::Toward { .. }));
}

/// However slow a body may be, less than EPS (0.0002 m) is no progress.
#[test]
fn i6_progress_is_at_least_eps() {
    assert_eq!(second_window(0.5, 0.4999, 0.000_15).0, InterpolationStep::Stalled);
    assert!(matches!(second_window(0.5, 0.4997, 0.000_15).0, InterpolationStep::Toward { .. }));
}

/// A body that stalls closer than 0.2 m has arrived; one that does not is a failure.
#[test]
fn i6_a_body_that_stalls_close_to_its_node_has_reached_it() {
    let (end, queue) = second_window(0.19, 0.19, 4.0);
    assert_eq!((end, queue.is_idle(), queue.fail_count()), (InterpolationStep::Reached, true, 0));
    for distance in [0.2, 0.25] {
        let (end, queue) = second_window(distance, distance, 4.0);
        assert_eq!((end, queue.fail_count()), (InterpolationStep::Stalled, 1), "{distance} m");
        assert_eq!(queue.original_distance(), 999_999.0, "I7: nothing is left to measure");
    }
}

/// A node at exactly 5 cm is not reached yet, but completed by the step that goes there.
#[test]
fn i6_the_step_that_goes_the_last_five_centimetres_completes_the_node() {
    let mut queue = Interpolation::default();
    queue.interpolate_to(at(0.05), false, &at(1.0), BLIP);
    let (end, offset) = step(&mut queue, at(0.0), 4.0);
    assert!(matches!(end, InterpolationStep::Toward { .. }), "{end:?}");
    assert_eq!(offset.origin.y, 0.05);
    assert!(queue.is_idle());
}

/// Twice the speed of the body's motions, unless that is below EPS.
#[test]
fn i6_the_fallback_speed_is_for_bodies_that_cannot_move() {
    let speed_of = |adjusted_max_speed| match step(&mut queued(1.0), at(0.0), adjusted_max_speed).0 {
        InterpolationStep::Toward { speed, .. } => speed,
        other => panic!("{other:?}"),
    };
    assert_eq!(speed_of(0.000_09), 7.5);
    assert_eq!(speed_of(0.000_15), 0.000_3);
}

/// Such reports are ignored, and what was queued before stays.
#[test]
fn reports_that_are_no_numbers_are_ignored() {
    let mut queue = queued(1.0);
    assert_eq!(queue.interpolate_to(at(f32::NAN), false, &at(0.0), BLIP), QueueResult::Ignored);
    assert_eq!(queue.interpolate_to(at(f32::INFINITY), false, &at(0.0), BLIP), QueueResult::Ignored);
    let mut turned = at(2.0);
    turned.frame.rotation.w = f32::NAN;
    assert_eq!(queue.interpolate_to(turned, false, &at(0.0), BLIP), QueueResult::Ignored);
    assert_eq!(queue.nodes().len(), 1);
}
