//! A steady tick allocates nothing, and an entity takes at most a kibibyte.

use crate::interp_common;

use acmotion::components::Entity;
use acmotion::types::MotionCommand;
use interp_common::Stage;

/// Walks, turns, jumps and lands for ten seconds.
fn ten_seconds(stage: &mut Stage) {
    for tick in 0..300 {
        match tick {
            0 => stage.press(MotionCommand::WALK_FORWARD).unwrap(),
            60 => stage.press(MotionCommand::TURN_RIGHT).unwrap(),
            120 => stage.release(MotionCommand::TURN_RIGHT).unwrap(),
            150 => stage.act().jump(0.5).unwrap(),
            280 => stage.release(MotionCommand::WALK_FORWARD).unwrap(),
            _ => {}
        }
        stage.tick();
        stage.events.clear();
    }
}

#[test]
fn a_steady_tick_allocates_nothing() {
    let mut stage = Stage::player(200, 300);
    stage.hold_run();
    ten_seconds(&mut stage);
    let allocations = allocation_counter::measure(|| ten_seconds(&mut stage));
    assert_eq!(allocations.count_total, 0);
    let bytes = stage.entity.size_in_memory();
    assert!(bytes <= 1024, "an entity takes {bytes} bytes, {} of them inline", size_of::<Entity>());
}
