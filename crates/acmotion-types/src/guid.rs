//! Object ids.

use std::fmt;

/// The id the server assigned to an object. 0 stands for no object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guid(pub u32);

impl Guid {
    /// The id that stands for no object.
    pub const NONE: Self = Self(0);

    /// Returns `true` if the id stands for no object.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guid(0x{:08X})", self.0)
    }
}
