//! Reading and writing the little-endian bytes of a message (`docs/wire.md` §1.5).

mod commands;
mod fixed;
mod reader;
mod writer;

pub(crate) use fixed::Fixed;
pub(crate) use reader::{Read, Reader};
pub(crate) use writer::Writer;

/// How many bytes are missing to a multiple of four.
#[inline(always)]
const fn padding(offset: usize) -> usize {
    offset.wrapping_neg() % 4
}

/// The bytes between a field and the next multiple of four. Senders write zeros and receivers do not look; what came is
/// kept, so that the message comes out as it went in. As many are written as the place needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pad(pub [u8; 3]);

impl Pad {
    /// What every sender writes.
    pub const ZERO: Self = Self([0; 3]);
}

/// A yes or no in a whole number. Anything but zero is yes; the number is kept, so that it comes out as it went in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WireBool<T = u8>(pub T);

impl<T: Copy + Default + PartialEq> WireBool<T> {
    /// Is it a yes?
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
