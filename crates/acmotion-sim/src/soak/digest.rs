//! A digest: of everything that happens in a soak, or of a file.

/// A running FNV-1a hash of 64-bit words: the same on every platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// The digest of nothing.
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = Self::new();
        digest.add_bytes(bytes);
        digest
    }

    /// Returns the hash.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// Adds a word.
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        // The multiplication alone never carries the upper half of a word into the lower half of the hash.
        self.0 ^= self.0 >> 32;
    }

    /// Adds bytes and their number.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last));
        self.add(bytes.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes = [7; 21];
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(Digest::of(&bytes), Digest::of(&changed), "bit {bit}");
        }
        assert_ne!(Digest::of(&[0; 3]), Digest::of(&[0; 4]));
    }
}
