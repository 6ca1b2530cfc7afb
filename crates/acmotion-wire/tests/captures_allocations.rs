//! Reading on allocates nothing once the first messages were read.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureReader, CaptureWriter, Source};

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

fn allocations_after<S: Source>(mut reader: CaptureReader<S>, first: usize) -> u64 {
    for _ in 0..first {
        reader.next_message().unwrap().unwrap();
    }
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    while let Some(message) = reader.next_message() {
        message.unwrap();
    }
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// One test in this file, so that no other thread allocates in between.
#[test]
fn steady_reading_allocates_nothing() {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for number in 0..20_000 {
        let direction = if number % 5 == 0 { Direction::C2S } else { Direction::S2C };
        let len = [28, 48, 72, 500, 3640][number % 5];
        writer.message(number as f64, direction, &vec![0; len]).unwrap();
    }
    let file = writer.into_inner();
    assert_eq!(allocations_after(CaptureReader::from_slice(&file), 20), 0);
    assert_eq!(allocations_after(CaptureReader::new(&file[..]), 20), 0);
}
