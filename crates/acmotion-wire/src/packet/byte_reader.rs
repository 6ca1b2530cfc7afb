//! A reading position in a datagram, with errors that say where.

use super::PacketError;

/// A datagram and how far it has been read.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    whole: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) const fn new(whole: &'a [u8]) -> Self {
        Self { whole, at: 0 }
    }

    /// How far it has been read.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.whole.get(self.at..).unwrap_or_default()
    }

    /// What was read from `start` on.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.whole.get(start..self.at).unwrap_or_default()
    }

    /// The next `N` bytes, `what` for the error.
    #[inline]
    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], PacketError> {
        match self.rest().first_chunk::<N>() {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.too_short(what, N)),
        }
    }

    /// The next `len` bytes, `what` for the error.
    #[inline]
    pub(super) fn take(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], PacketError> {
        match self.rest().get(..len) {
            Some(taken) => {
                self.at += len;
                Ok(taken)
            }
            None => Err(self.too_short(what, len)),
        }
    }

    #[inline]
    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, PacketError> {
        self.array(what).map(u16::from_le_bytes)
    }

    #[inline]
    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, PacketError> {
        self.array(what).map(u32::from_le_bytes)
    }

    #[inline]
    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, PacketError> {
        self.array(what).map(u64::from_le_bytes)
    }

    #[inline]
    pub(super) fn f32(&mut self, what: &'static str) -> Result<f32, PacketError> {
        self.array(what).map(f32::from_le_bytes)
    }

    #[inline]
    pub(super) fn f64(&mut self, what: &'static str) -> Result<f64, PacketError> {
        self.array(what).map(f64::from_le_bytes)
    }

    #[cold]
    fn too_short(&self, what: &'static str, needed: usize) -> PacketError {
        PacketError::TooShort { what, offset: self.at, needed, had: self.rest().len() }
    }
}
