//! Object ids of the network.

use std::fmt;

/// The id under which the server knows an object; 0 means none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid(pub u32);

impl Guid {
    /// No object.
    pub const NONE: Self = Self(0);

    /// Does it stand for no object?
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
