//! The part of a body's state that is never sent.

use bitflags::bitflags;

bitflags! {
    /// The state of a body that follows from its last sweep and update (rule C2).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct TransientState: u16 {
        /// The body touches ground.
        const CONTACT = 0x001;
        /// The ground is flat enough to walk on.
        const ON_WALKABLE = 0x002;
        /// The body slides along a surface.
        const SLIDING = 0x004;
        /// The ground it touches counts as water.
        const WATER_CONTACT = 0x008;
        /// Its fall has been stopped once.
        const STATIONARY_FALL = 0x010;
        /// Its fall has been stopped twice.
        const STATIONARY_STOP = 0x020;
        /// Its fall has been stopped more than twice.
        const STATIONARY_STUCK = 0x040;
        /// The body is updated by the tick.
        const ACTIVE = 0x080;
        /// The body becomes solid as soon as nothing overlaps it (rule C20).
        const CHECK_ETHEREAL = 0x100;
    }
}

impl TransientState {
    /// The three bits that count how often a fall was stopped.
    pub const STATIONARY: Self =
        Self::STATIONARY_FALL.union(Self::STATIONARY_STOP).union(Self::STATIONARY_STUCK);
}
