//! The direction of a message.

use std::fmt;

/// The direction of a message. The same opcode can have different meanings in the two directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Server to client.
    S2C,
    /// Client to server.
    C2S,
}

impl Direction {
    /// Returns `S2C` or `C2S`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S2C => "S2C",
            Self::C2S => "C2S",
        }
    }
}

/// Writes the [name](Direction::name).
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
