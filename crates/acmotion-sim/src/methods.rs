//! Methods of showing remote entities, side by side: the original's, comfort, and three that every game developer knows.
//!
//! All get the same messages at the same times. The original's and comfort are the engine's; the other three live here, for
//! comparison only, and show the animation of the original at a position of their own.

mod baseline;
mod comparison;
mod feet;
mod path;
mod record;

pub use comparison::{Comparison, MethodQuality};
pub use record::MethodRecorder;

/// A method of showing remote entities.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// As the original shows them (rules D7, I1–I10).
    Faithful,
    /// As comfort shows them.
    Comfort,
    /// At the last reported position.
    Snap,
    /// On the straight line between reported positions, 100 ms after they arrived.
    Interpolate,
    /// At the last reported position, moved on by the announced motion; errors are smoothed exponentially.
    DeadReckon,
}

impl Method {
    /// All methods, in the order of tables.
    pub const ALL: [Self; 5] =
        [Self::Faithful, Self::Comfort, Self::Snap, Self::Interpolate, Self::DeadReckon];

    /// Returns the name, as tables and JSON have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Comfort => "comfort",
            Self::Snap => "snap",
            Self::Interpolate => "interpolate",
            Self::DeadReckon => "dead_reckon",
        }
    }
}
