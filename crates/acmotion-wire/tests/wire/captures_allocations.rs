//! Reading a capture does not allocate after the first messages.

use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureReader, CaptureSource, CaptureWriter};

fn allocations_after<S: CaptureSource>(mut reader: CaptureReader<S>, first: usize) -> u64 {
    for _ in 0..first {
        reader.next_message().unwrap().unwrap();
    }
    let rest = || {
        while let Some(message) = reader.next_message() {
            message.unwrap();
        }
    };
    allocation_counter::measure(rest).count_total
}

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
