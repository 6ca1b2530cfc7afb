//! The identity of a capture: the SHA-256 of its unpacked bytes.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

/// Hashes the bytes that are read.
pub(super) struct Hashing<R> {
    input: R,
    hash: Sha256,
    len: u64,
}

/// The hash of a capture, and its length.
pub(super) struct Identity {
    /// Hexadecimal digits.
    pub(super) sha256: String,
    /// In bytes.
    pub(super) len: u64,
}

/// The number of hexadecimal digits in the name of a partition: two captures in a billion billion share theirs.
const KEY_DIGITS: usize = 16;

impl Identity {
    /// Returns the name of the partition. The letter keeps programs from taking it for a number.
    pub(super) fn key(&self) -> String {
        format!("c{}", self.sha256.get(..KEY_DIGITS).unwrap_or(&self.sha256))
    }
}

impl<R: Read> Hashing<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, hash: Sha256::new(), len: 0 }
    }

    /// Reads what is left and returns the hash of everything. Where reading fails, the capture ends.
    pub(super) fn finish(mut self) -> Identity {
        let mut buffer = vec![0; 1 << 16];
        while matches!(self.read(&mut buffer), Ok(1..)) {}
        let mut sha256 = String::with_capacity(64);
        for byte in self.hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        Identity { sha256, len: self.len }
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
