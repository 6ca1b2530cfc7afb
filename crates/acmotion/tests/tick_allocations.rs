//! A steady tick allocates nothing, and an entity is small.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

mod interp_common;

use acmotion::entity::Entity;
use acmotion::types::MotionCommand;
use interp_common::Stage;

/// Counts how often memory is asked for.
struct Counting;

static ASKED: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator cannot be written without; this one only counts")]
// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
    let before = ASKED.load(Ordering::Relaxed);
    ten_seconds(&mut stage);
    assert_eq!(ASKED.load(Ordering::Relaxed) - before, 0);
    let bytes = stage.entity.size_in_memory();
    assert!(bytes <= 1024, "an entity takes {bytes} bytes, {} of them in place", size_of::<Entity>());
}
