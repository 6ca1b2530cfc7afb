//! Absurd counts take no memory: what decoding reserves stays within a small multiple of the input.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use acmotion_dat::{AnyObject, DataId};

/// Counts the bytes asked for.
struct Counting;

static ASKED: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator cannot be written without; this one only counts")]
// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size(), Ordering::Relaxed);
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

/// Every field of an otherwise empty object set, one after the other, to the largest number there is.
#[test]
fn absurd_counts_reserve_nothing() {
    let mut worst = 0;
    for kind in AnyObject::KINDS {
        for length in [16usize, 64, 4096] {
            for at in (4..length.min(400)).step_by(4) {
                for absurd in [u32::MAX, 0x7FFF_FFFF, 0x0010_0000, length as u32 / 4] {
                    let mut bytes = vec![0; length];
                    bytes[at..at + 4].copy_from_slice(&absurd.to_le_bytes());
                    let before = ASKED.load(Ordering::Relaxed);
                    let _ = AnyObject::decode(kind, DataId(0), &bytes);
                    let asked = ASKED.load(Ordering::Relaxed) - before;
                    worst = worst.max(asked / length);
                    assert!(asked <= 64 * length + 1024, "{kind} of {length} bytes took {asked}");
                }
            }
        }
    }
    println!("at worst {worst} bytes for each byte of input");
}
