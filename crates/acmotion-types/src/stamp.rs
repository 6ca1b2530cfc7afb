//! Sequence numbers that wrap: the 16-bit stamps of objects and the 15-bit stamps of actions.

/// One of the nine 16-bit stamps of an object (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stamp(pub u16);

impl Stamp {
    /// Is `self` newer than `old`? (Rule D2: plain order, turned round when they lie more than 0x7FFF apart.)
    ///
    /// ```
    /// use acmotion_types::Stamp;
    ///
    /// assert!(Stamp(0).is_newer_than(Stamp(0xFFFF)));
    /// assert!(Stamp(0x8000).is_newer_than(Stamp(1)));
    /// assert!(!Stamp(0x8000).is_newer_than(Stamp(0)));
    /// ```
    #[doc(alias = "newer_event")]
    #[doc(alias = "is_newer")]
    pub const fn is_newer_than(self, old: Self) -> bool {
        newer(old.0, self.0, 0x7FFF)
    }

    /// The stamp that follows.
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

/// The 15-bit stamp of an action in a motion state (rule E8); bit 15 of the wire word is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ActionStamp(u16);

impl ActionStamp {
    /// The stamp in the low 15 bits of `value`.
    pub const fn new(value: u16) -> Self {
        Self(value & 0x7FFF)
    }

    /// Its value, 0 to 0x7FFF.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Is `self` newer than `old`? (Table O6: turned round when they lie more than 0x3FFF apart.)
    pub const fn is_newer_than(self, old: Self) -> bool {
        newer(old.0, self.0, 0x3FFF)
    }

    /// The stamp that follows.
    pub const fn next(self) -> Self {
        Self::new(self.0 + 1)
    }
}

const fn newer(old: u16, new: u16, reach: u16) -> bool {
    if new.abs_diff(old) > reach { new < old } else { old < new }
}
