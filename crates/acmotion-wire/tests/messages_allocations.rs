//! Messages about movement are decoded and encoded without asking for memory.

mod messages_common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use acmotion_wire::{Direction, Era, decode_c2s, decode_s2c};
use messages_common::{reencode_into, samples};

/// Counts what is asked of the system's allocator.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[expect(
    unsafe_code,
    reason = "an allocator can be counted in no other way; everything is passed on unchanged"
)]
// SAFETY: every call goes to the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// One test in this file, so that no other thread allocates in between. The samples hold every kind of message.
#[test]
fn no_message_allocates() {
    let samples = samples();
    let decoding = allocations(|| {
        for (direction, bytes) in &samples {
            match direction {
                Direction::S2C => assert!(black_box(&decode_s2c(bytes, Era::default())).is_ok()),
                Direction::C2S => assert!(black_box(&decode_c2s(bytes, Era::default())).is_ok()),
            }
        }
    });
    assert_eq!(decoding, 0);

    let mut out = Vec::with_capacity(4096);
    let encoding = allocations(|| {
        for (direction, bytes) in &samples {
            out.clear();
            assert!(reencode_into(*direction, bytes, Era::default(), &mut out).is_ok());
        }
    });
    assert_eq!(encoding, 0);

    let refusing = allocations(|| {
        for (direction, bytes) in &samples {
            let cut = &bytes[..bytes.len() / 2];
            assert!(reencode_into(*direction, cut, Era::default(), &mut out).is_err());
        }
    });
    assert_eq!(refusing, 0);
}
