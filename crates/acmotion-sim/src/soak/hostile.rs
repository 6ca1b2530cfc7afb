//! Messages that no client and no server would send.

use crate::network::random::Random;

/// Numbers that arithmetic does not survive unless it is checked.
const ABSURD: [f32; 10] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e30,
    -1e20,
    f32::MIN_POSITIVE,
    1e-42,
    -0.0,
];
/// Counts, ids and stamps at the ends of their ranges.
const EXTREME: [u32; 8] = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
/// The maximum number of random bytes.
const MAX_RANDOM: usize = 256;
/// The maximum size of a message, in bytes.
const MAX_SIZE: usize = 4_096;

/// Returns a hostile message made of two real ones: changed, cut, extended, joined, out of date, or random bytes.
pub(super) fn corrupt(message: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = message.to_vec();
    match random.below(9) {
        0 => {
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        1 => bytes.truncate(random.below(message.len())),
        2 => append_random(&mut bytes, random),
        3 => {
            for _ in 0..=random.below(4) {
                let value = ABSURD[random.below(ABSURD.len())];
                overwrite(&mut bytes, value.to_le_bytes(), random);
            }
        }
        4 => {
            for _ in 0..=random.below(3) {
                let value = EXTREME[random.below(EXTREME.len())];
                overwrite(&mut bytes, value.to_le_bytes(), random);
            }
        }
        5 => {
            bytes.truncate(random.below(message.len()));
            bytes.extend(other.iter().skip(random.below(other.len())));
        }
        // Whole, but of another time and perhaps for another client.
        6 => bytes = other.to_vec(),
        7 => {
            bytes.truncate(4);
            append_random(&mut bytes, random);
        }
        _ => {
            bytes.clear();
            append_random(&mut bytes, random);
        }
    }
    bytes.truncate(MAX_SIZE);
    bytes
}

fn append_random(bytes: &mut Vec<u8>, random: &mut Random) {
    bytes.extend((0..random.below(MAX_RANDOM)).map(|_| random.bits() as u8));
}

/// Replaces four bytes after the opcode, at a multiple of two.
fn overwrite(bytes: &mut [u8], value: [u8; 4], random: &mut Random) {
    let at = 4 + 2 * random.below(bytes.len().saturating_sub(6) / 2);
    if let Some(part) = bytes.get_mut(at..at + 4) {
        part.copy_from_slice(&value);
    }
}
