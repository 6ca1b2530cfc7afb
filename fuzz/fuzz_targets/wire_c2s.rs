//! Decodes any bytes as a message from the client. A message must encode to the same bytes.
#![no_main]

use acmotion_wire::json::message_json;
use acmotion_wire::{Direction, Era, decode_c2s};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for era in [Era::EndOfRetail, Era::September2013] {
        if let Ok(message) = decode_c2s(bytes, era) {
            let mut encoded = Vec::new();
            message.encode(&mut encoded);
            assert!(encoded == bytes, "{message:?} encodes to different bytes");
        }
        let _ = message_json(0.0, Direction::C2S, bytes, era, true);
    }
});
