//! Which way a message goes.

use std::fmt;

/// Which way a message goes. The same number can mean different things each way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Server to client.
    S2C,
    /// Client to server.
    C2S,
}

/// `S2C` or `C2S`.
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::S2C => "S2C",
            Self::C2S => "C2S",
        })
    }
}
