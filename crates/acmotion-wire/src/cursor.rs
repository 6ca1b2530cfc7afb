//! Reads and writes the little-endian bytes of messages (`docs/wire.md` §1.5).

mod commands;
mod fixed;
mod reader;
mod writer;

pub(crate) use fixed::FixedSize;
pub(crate) use reader::{ReadResult, Reader};
pub(crate) use writer::Writer;

/// Returns the number of bytes from `offset` to the next multiple of four.
#[inline(always)]
const fn padding(offset: usize) -> usize {
    offset.wrapping_neg() % 4
}

/// The padding between a field and the next multiple of four.
///
/// Senders write zeros and receivers ignore it. The received bytes are kept, so that a decoded message encodes to the
/// bytes it came from. As many of the three are written as the alignment needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pad(pub [u8; 3]);

impl Pad {
    /// The padding that every sender writes.
    pub const ZERO: Self = Self([0; 3]);
}

/// A boolean stored as an integer. Every value but zero is `true`. The received value is kept, so that a decoded
/// message encodes to the bytes it came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WireBool<T = u8>(pub T);

impl<T: Copy + Default + PartialEq> WireBool<T> {
    /// Returns the value as a `bool`.
    #[inline]
    pub fn get(self) -> bool {
        self.0 != T::default()
    }
}

impl<T: From<bool>> From<bool> for WireBool<T> {
    fn from(value: bool) -> Self {
        Self(T::from(value))
    }
}
