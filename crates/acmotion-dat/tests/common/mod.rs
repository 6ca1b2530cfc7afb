//! What several tests need.
#![allow(dead_code, reason = "every test file uses its own part")]

/// A small random generator: the same seed gives the same run everywhere.
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

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Damages bytes as transmission errors, hostile writers and truncation do.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
        return;
    }
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            3 => {
                // A whole number of four bytes: counts, ids, floats.
                let at = at & !3;
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
                for (place, byte) in bytes[at..].iter_mut().zip(word) {
                    *place = byte;
                }
            }
            4 => bytes.truncate(at.max(1)),
            5 => bytes.insert(at, random.next() as u8),
            6 => {
                bytes.remove(at);
                if bytes.is_empty() {
                    return;
                }
            }
            _ => {
                // The first few fields decide most: hit them more often.
                let at = random.below(bytes.len().min(64));
                bytes[at] = random.next() as u8;
            }
        }
    }
}
