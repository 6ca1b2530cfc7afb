//! Damaged messages: any bytes result in a message or an error, and a message encodes to the bytes it came from.

use crate::messages_common::{extra_samples, reencode_into, samples};
use acmotion_wire::json::message_json;
use acmotion_wire::{C2S, DecodeErrorKind, Direction, Era, GameActionBody, S2C, decode_c2s, decode_s2c};

/// A small, fast and reproducible random number generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}

/// Decodes the bytes and asserts that a message encodes to the same bytes. Returns `false` if they are not a message.
#[track_caller]
fn check(direction: Direction, bytes: &[u8], era: Era, out: &mut Vec<u8>) -> bool {
    out.clear();
    match reencode_into(direction, bytes, era, out) {
        Ok(()) => {
            assert_eq!(out, bytes);
            true
        }
        Err(error) => {
            assert!(error.offset + error.had <= bytes.len(), "{error:?}");
            let short = matches!(error.kind, DecodeErrorKind::MissingBytes);
            assert_eq!(short, error.needed > error.had, "{error:?}");
            false
        }
    }
}

fn damage(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(bytes.len());
    match random.below(9) {
        0..3 => bytes[at] ^= 1 << random.below(8),
        3 => bytes[at] = random.next() as u8,
        4 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
        5 => bytes.truncate(at.max(4)),
        6 => bytes.extend((0..=random.below(12)).map(|_| random.next() as u8)),
        7 => {
            bytes.truncate(at.max(4));
            bytes.extend_from_slice(&other[random.below(other.len())..]);
        }
        _ => {
            let opcode = other.first_chunk::<4>().expect("every sample has an opcode");
            bytes[..4].copy_from_slice(opcode);
        }
    }
}

#[test]
fn a_million_damaged_messages_decode_or_fail_cleanly() {
    let samples = samples();
    let extra = extra_samples();
    let mut random = Random(0x5EED_CAFE_F00D_D00D);
    let (mut bytes, mut out, mut decoded) = (Vec::new(), Vec::new(), 0_u32);
    for round in 0..1_000_000 {
        let from = if round % 2 == 0 { &samples } else { &extra };
        let (direction, sample) = &from[random.below(from.len())];
        let (_, other) = &samples[random.below(samples.len())];
        bytes.clear();
        bytes.extend_from_slice(sample);
        for _ in 0..=random.below(3) {
            damage(&mut random, &mut bytes, other);
        }
        let era = if round % 3 == 0 { Era::September2013 } else { Era::EndOfRetail };
        decoded += u32::from(check(*direction, &bytes, era, &mut out));
        if round % 16 == 0 {
            assert!(message_json(0.0, *direction, &bytes, era, true).is_some());
        }
    }
    assert!(decoded > 100_000, "only {decoded} decoded: the damage is too severe to test much");
}

#[test]
fn every_truncation_and_every_flipped_bit_decodes_or_fails_cleanly() {
    let mut out = Vec::new();
    for (direction, sample) in &samples() {
        for length in 0..sample.len() {
            check(*direction, &sample[..length], Era::default(), &mut out);
        }
        let mut flipped = sample.clone();
        for bit in 0..sample.len() * 8 {
            flipped[bit / 8] ^= 1 << (bit % 8);
            check(*direction, &flipped, Era::default(), &mut out);
            flipped[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn an_opcode_without_a_body_is_an_error_only_if_it_is_known() {
    for opcode in 0..0x10000_u32 {
        let bytes = opcode.to_le_bytes();
        assert_eq!(decode_s2c(&bytes, Era::default()).is_err(), S2C::name_of(opcode).is_some());
        assert_eq!(decode_c2s(&bytes, Era::default()).is_err(), C2S::name_of(opcode).is_some());
    }
}

#[test]
fn the_names_of_a_set_are_those_of_its_opcodes() {
    let sorted = |mut names: Vec<&'static str>| {
        names.sort_unstable();
        names
    };
    let named = |name_of: fn(u32) -> Option<&'static str>| sorted((0..0x10000).filter_map(name_of).collect());
    assert_eq!(sorted(S2C::NAMES.to_vec()), named(S2C::name_of));
    assert_eq!(sorted(GameActionBody::NAMES.to_vec()), named(GameActionBody::name_of));
    assert!(GameActionBody::NAMES.contains(&"MoveToState") && S2C::NAMES.contains(&"UpdatePosition"));
}
