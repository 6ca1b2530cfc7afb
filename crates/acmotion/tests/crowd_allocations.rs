//! The crowd workload asks for no memory once it has settled, commands included, and its bodies are small.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use acmotion::crowd::Crowd;
use acmotion::{Animator, MotionState, Sequence};

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

/// One test alone, so that nobody else asks for memory meanwhile.
#[test]
fn a_settled_crowd_asks_for_no_memory() {
    let mut crowd = Crowd::new(1_000);
    for _ in 0..1_200 {
        crowd.tick_and_pose();
    }
    let before = ASKED.load(Ordering::Relaxed);
    let mut hooks = 0;
    for _ in 0..1_200 {
        crowd.tick_and_pose();
        hooks += crowd.hook_count();
    }
    assert_eq!(ASKED.load(Ordering::Relaxed) - before, 0);
    assert!(hooks > 10_000, "the crowd was at work: {hooks} hooks");
    assert!(crowd.bytes_per_entity() <= 400, "{} bytes", crowd.bytes_per_entity());
    assert!(size_of::<Sequence>() <= 208, "{}", size_of::<Sequence>());
    assert!(size_of::<MotionState>() <= 96, "{}", size_of::<MotionState>());
    assert!(size_of::<Animator>() <= 384, "{}", size_of::<Animator>());
}
