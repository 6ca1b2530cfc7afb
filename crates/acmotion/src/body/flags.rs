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

bitflags! {
    /// What a sweep is told about the body that is swept (`docs/collision.md` 1.1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[doc(alias = "OBJECTINFO")]
    pub struct MoverFlags: u16 {
        /// It touches ground and does not move off it.
        const CONTACT = 0x001;
        /// And can walk on it.
        const ON_WALKABLE = 0x002;
        /// It is the camera.
        const IS_VIEWER = 0x004;
        /// It stops where it hits something.
        const PATH_CLIPPED = 0x008;
        /// It turns at once, not along the way.
        const FREE_ROTATE = 0x010;
        /// It stops exactly where it hits something.
        const PERFECT_CLIP = 0x040;
        /// Nothing passes through it.
        const IS_IMPENETRABLE = 0x080;
        /// It is a player.
        const IS_PLAYER = 0x100;
        /// It slides along edges and does not walk off them.
        const EDGE_SLIDE = 0x200;
        /// Creatures are not in its way.
        const IGNORE_CREATURES = 0x400;
        /// It is a player killer.
        const IS_PK = 0x800;
        /// It is a lite player killer.
        const IS_PKLITE = 0x1000;
    }
}
