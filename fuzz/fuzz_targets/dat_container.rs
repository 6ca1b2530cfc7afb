//! Any bytes as a dat file: walked, looked up and read to an end.
#![no_main]

use acmotion_dat::{AnyObject, Dat, DataId};
use libfuzzer_sys::fuzz_target;

/// More entries than a file of the fuzzer's size can hold: a walk that goes on is a bug.
const MOST: usize = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(dat) = Dat::from_bytes(bytes.to_vec()) else { return };
    let mut walked = 0;
    for entry in dat.entries() {
        walked += 1;
        assert!(walked < MOST, "the walk does not end");
        let Ok(entry) = entry else { continue };
        if let Ok(bytes) = dat.read(&entry) {
            let _ = AnyObject::decode(dat.kind_of(entry.id), entry.id, &bytes);
        }
    }
    for id in [0, 0x0900_0001, u32::MAX] {
        let _ = dat.find(DataId(id));
    }
});
