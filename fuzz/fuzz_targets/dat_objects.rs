//! Decodes arbitrary bytes as an object of any kind: they are rejected, or encode to the same bytes again.
#![no_main]

use acmotion_dat::{AnyObject, DataId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else { return };
    let kind = AnyObject::KINDS[usize::from(*kind) % AnyObject::KINDS.len()];
    let id = bytes.first_chunk::<4>().map_or(DataId(0), |id| DataId(u32::from_le_bytes(*id)));
    if let Ok(object) = AnyObject::decode(kind, id, bytes) {
        assert!(object.encode() == bytes, "{kind}: encodes to different bytes");
    }
});
