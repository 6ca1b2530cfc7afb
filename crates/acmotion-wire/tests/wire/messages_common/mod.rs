//! Helpers shared by the message tests.
#![allow(dead_code, unused_imports, reason = "each test file uses only a part")]

mod samples;

use std::io::Read;

use acmotion_wire::{DecodeError, Direction, Era, decode_c2s, decode_s2c};
use serde_json::Value;

pub(crate) use samples::{extra_samples, samples};

/// Returns the conformance vectors of the family `wire`.
pub(crate) fn golden_cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/wire.dev.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the whole message of a vector. The vectors of actions do not include the envelope.
pub(crate) fn golden_message(case: &Value) -> (Direction, Vec<u8>) {
    let body = hex(case["hex"].as_str().unwrap());
    if case["dir"] == "s2c" {
        return (Direction::S2C, body);
    }
    let head = [0xF7B1, 7, hex32(&case["opcode"])].map(u32::to_le_bytes).concat();
    (Direction::C2S, [head, body].concat())
}

/// Parses hexadecimal digits.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
    digits.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Parses a number written as `"0x…"`.
pub(crate) fn hex32(value: &Value) -> u32 {
    u32::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
}

/// Decodes a message and encodes it again.
pub(crate) fn reencode(direction: Direction, bytes: &[u8], era: Era) -> Result<Vec<u8>, DecodeError> {
    let mut out = Vec::new();
    reencode_into(direction, bytes, era, &mut out)?;
    Ok(out)
}

/// Decodes a message and appends its encoding to `out`.
pub(crate) fn reencode_into(
    direction: Direction,
    bytes: &[u8],
    era: Era,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    match direction {
        Direction::S2C => decode_s2c(bytes, era)?.encode(out),
        Direction::C2S => decode_c2s(bytes, era)?.encode(out),
    }
    Ok(())
}
