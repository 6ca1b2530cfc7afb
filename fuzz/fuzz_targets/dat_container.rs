//! Opens arbitrary bytes as a dat file: walks and lookups must terminate, and no read may panic.
#![no_main]

use acmotion_dat::{AnyObject, Dat, DataId};
use libfuzzer_sys::fuzz_target;

/// The maximum number of entries in a walk. A file of the fuzzer's size cannot hold that many.
const MAX_ENTRIES: usize = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(dat) = Dat::from_bytes(bytes.to_vec()) else { return };
    let mut walked = 0;
    for entry in dat.entries() {
        walked += 1;
        assert!(walked < MAX_ENTRIES, "the walk does not terminate");
        let Ok(entry) = entry else { continue };
        if let Ok(bytes) = dat.read(&entry) {
            let _ = AnyObject::decode(dat.kind_of(entry.id), entry.id, &bytes);
        }
    }
    for id in [0, 0x0900_0001, u32::MAX] {
        let _ = dat.find(DataId(id));
    }
});
