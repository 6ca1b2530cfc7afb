//! Decodes any bytes as a message from the server. A message must encode to the same bytes.
#![no_main]

use acmotion_wire::json::message_json;
use acmotion_wire::{Direction, Era, decode_s2c};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for era in [Era::EndOfRetail, Era::September2013] {
        if let Ok(message) = decode_s2c(bytes, era) {
            let mut encoded = Vec::new();
            message.encode(&mut encoded);
            assert!(encoded == bytes, "{message:?} encodes to different bytes");
        }
        let _ = message_json(0.0, Direction::S2C, bytes, era, true);
    }
});
