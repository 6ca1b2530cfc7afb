//! Bit fields of a body that never go over the wire.

use bitflags::bitflags;

bitflags! {
    /// How a body is placed just now (rule C2).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct TransientState: u16 {
        /// It touches ground.
        const CONTACT = 0x001;
        /// The ground is flat enough to walk on.
        const ON_WALKABLE = 0x002;
        /// It slides along something.
        const SLIDING = 0x004;
        /// What it touches counts as water.
        const WATER_CONTACT = 0x008;
        /// It has been stopped in its fall once.
        const STATIONARY_FALL = 0x010;
        /// Twice.
        const STATIONARY_STOP = 0x020;
        /// More often.
        const STATIONARY_STUCK = 0x040;
        /// It takes part in the tick.
        const ACTIVE = 0x080;
        /// It is to become solid as soon as there is room (rule C20).
        const CHECK_ETHEREAL = 0x100;
    }
}

impl TransientState {
    /// The three that count how often a fall was stopped.
    pub const STATIONARY: Self =
        Self::STATIONARY_FALL.union(Self::STATIONARY_STOP).union(Self::STATIONARY_STUCK);
}
