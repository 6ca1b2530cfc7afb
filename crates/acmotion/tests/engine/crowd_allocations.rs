//! The crowd workload allocates nothing once it has settled, commands included, and its bodies are small.

use acmotion::crowd::Crowd;
use acmotion::{Animator, MotionState, Sequence};

#[test]
fn a_settled_crowd_allocates_nothing() {
    let mut crowd = Crowd::new(1_000);
    for _ in 0..1_200 {
        crowd.tick_and_pose();
    }
    let mut hooks = 0;
    let allocations = allocation_counter::measure(|| {
        for _ in 0..1_200 {
            crowd.tick_and_pose();
            hooks += crowd.hook_count();
        }
    });
    assert_eq!(allocations.count_total, 0);
    assert!(hooks > 10_000, "only {hooks} hooks fired");
    assert!(crowd.bytes_per_entity() <= 400, "{} bytes", crowd.bytes_per_entity());
    assert!(size_of::<Sequence>() <= 208, "{}", size_of::<Sequence>());
    assert!(size_of::<MotionState>() <= 96, "{}", size_of::<MotionState>());
    assert!(size_of::<Animator>() <= 384, "{}", size_of::<Animator>());
}
