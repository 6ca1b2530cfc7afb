//! Helpers shared by several tests.
#![allow(dead_code, reason = "each test file uses only some of the helpers")]

/// A small random number generator. The same seed gives the same sequence on every platform.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Damages bytes in the ways of transmission errors, hostile writers and truncation.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
        return;
    }
    for _ in 0..=random.below(3) {
        let offset = random.below(bytes.len());
        match random.below(8) {
            0 => bytes[offset] ^= 1 << random.below(8),
            1 => bytes[offset] = random.next() as u8,
            2 => bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            3 => {
                // Overwrite four aligned bytes: a count, an id or a float.
                let offset = offset & !3;
                let odd = [
                    0,
                    1,
                    0x7F,
                    0x7FFF_FFFF,
                    0x8000_0000,
                    u32::MAX,
                    f32::NAN.to_bits(),
                    random.next() as u32,
                ];
                let word = odd[random.below(odd.len())].to_le_bytes();
                for (target, byte) in bytes[offset..].iter_mut().zip(word) {
                    *target = byte;
                }
            }
            4 => bytes.truncate(offset.max(1)),
            5 => bytes.insert(offset, random.next() as u8),
            6 => {
                bytes.remove(offset);
                if bytes.is_empty() {
                    return;
                }
            }
            _ => {
                // The first few fields matter most: damage them more often.
                let offset = random.below(bytes.len().min(64));
                bytes[offset] = random.next() as u8;
            }
        }
    }
}
