//! Decoding never allocates more than a small multiple of the input, whatever counts the input contains.

use acmotion_dat::{AnyObject, DataId};

/// Sets each field of an otherwise empty object to huge values.
#[test]
fn huge_counts_do_not_cause_large_allocations() {
    let mut worst = 0;
    for kind in AnyObject::KINDS {
        for length in [16usize, 64, 4096] {
            for offset in (4..length.min(400)).step_by(4) {
                for count in [u32::MAX, 0x7FFF_FFFF, 0x0010_0000, length as u32 / 4] {
                    let mut bytes = vec![0; length];
                    bytes[offset..offset + 4].copy_from_slice(&count.to_le_bytes());
                    let decoding = || drop(AnyObject::decode(kind, DataId(0), &bytes));
                    let allocated = allocation_counter::measure(decoding).bytes_total as usize;
                    worst = worst.max(allocated / length);
                    assert!(
                        allocated <= 64 * length + 1024,
                        "{kind} of {length} bytes allocated {allocated}"
                    );
                }
            }
        }
    }
    println!("at most {worst} bytes allocated per byte of input");
}
