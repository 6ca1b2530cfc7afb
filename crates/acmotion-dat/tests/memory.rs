//! Absurd counts take no memory: what decoding reserves stays within a small multiple of the input.

use acmotion_dat::{AnyObject, DataId};

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
                    let decoding = || drop(AnyObject::decode(kind, DataId(0), &bytes));
                    let asked = allocation_counter::measure(decoding).bytes_total as usize;
                    worst = worst.max(asked / length);
                    assert!(asked <= 64 * length + 1024, "{kind} of {length} bytes took {asked}");
                }
            }
        }
    }
    println!("at worst {worst} bytes for each byte of input");
}
