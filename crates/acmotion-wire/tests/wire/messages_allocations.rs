//! Decoding and encoding of movement messages does not allocate, and neither does writing them as JSON.

use std::hint::black_box;

use crate::messages_common::{reencode_into, samples};
use acmotion_wire::json::write_message;
use acmotion_wire::{Direction, Era, decode_c2s, decode_s2c};

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// The samples contain every type of message.
#[test]
fn decoding_and_encoding_do_not_allocate() {
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

    let failing = allocations(|| {
        for (direction, bytes) in &samples {
            let cut = &bytes[..bytes.len() / 2];
            assert!(reencode_into(*direction, cut, Era::default(), &mut out).is_err());
        }
    });
    assert_eq!(failing, 0);
}

/// Only the name of a new object is copied.
#[test]
fn writing_json_does_not_allocate() {
    let mut out = Vec::with_capacity(1 << 16);
    for (direction, bytes) in samples() {
        out.clear();
        let count = allocations(|| {
            assert!(write_message(&mut out, 1.5, direction, &bytes, Era::default(), true));
        });
        let has_name = out.windows(7).any(|text| text == b"\"wcid\":");
        assert!(count <= u64::from(has_name), "{count} allocations: {}", String::from_utf8_lossy(&out));
    }
}
