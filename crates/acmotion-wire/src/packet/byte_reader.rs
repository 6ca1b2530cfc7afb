//! A reader for the bytes of a datagram.

use super::PacketError;

/// Reads a datagram from front to back. Errors name the item being read and its offset.
#[derive(Clone, Copy)]
pub(super) struct ByteReader<'a> {
    whole: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(super) const fn new(whole: &'a [u8]) -> Self {
        Self { whole, at: 0 }
    }

    /// Returns the number of bytes read.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the bytes not yet read.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.whole.get(self.at..).unwrap_or_default()
    }

    /// Returns the bytes read since offset `start`.
    pub(super) fn consumed_from(&self, start: usize) -> &'a [u8] {
        self.whole.get(start..self.at).unwrap_or_default()
    }

    /// Reads the next `N` bytes. `what` names them in the error.
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

    /// Reads the next `len` bytes. `what` names them in the error.
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
