//! The identity of a capture: the BLAKE3 hash of its unpacked bytes, or of the packed ones if it cannot be unpacked.

use std::io::{self, Read};

use blake3::Hasher;

/// Hashes the bytes that are read.
pub(super) struct Hashing<R> {
    input: R,
    hash: Hasher,
    len: u64,
}

/// The hash of a capture, and its length.
pub(super) struct Identity {
    /// Hexadecimal digits.
    pub(super) hash: String,
    /// In bytes.
    pub(super) len: u64,
    /// The letter before the digits in the name of the partition. It keeps programs from taking the name for a number, and what
    /// cannot be read from being taken for a capture of the same bytes.
    letter: char,
}

/// The number of hexadecimal digits in the name of a partition: two captures in a billion billion share theirs.
const KEY_DIGITS: usize = 16;

impl Identity {
    /// Returns the identity of a capture that cannot be read: that of its packed bytes, if there are any, or of its name.
    pub(super) fn unreadable(packed: Option<impl Read>, name: &str) -> Self {
        let packed = packed.map(|packed| Hashing::new(packed).finish()).filter(|identity| identity.len > 0);
        let identity = packed.unwrap_or_else(|| Hashing::new(name.as_bytes()).finish());
        Self { letter: 'u', ..identity }
    }

    /// Returns the name of the partition.
    pub(super) fn key(&self) -> String {
        format!("{}{}", self.letter, self.hash.get(..KEY_DIGITS).unwrap_or(&self.hash))
    }
}

impl<R: Read> Hashing<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, hash: Hasher::new(), len: 0 }
    }

    /// Reads what is left and returns the hash of everything. Where reading fails, the capture ends.
    pub(super) fn finish(mut self) -> Identity {
        let mut buffer = vec![0; 1 << 16];
        while matches!(self.read(&mut buffer), Ok(1..)) {}
        Identity { hash: self.hash.finalize().to_string(), len: self.len, letter: 'c' }
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = loop {
            match self.input.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.hash.update(buffer.get(..count).unwrap_or_default());
        self.len += count as u64;
        Ok(count)
    }
}
