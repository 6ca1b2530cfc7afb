//! Wrapping sequence numbers: the 16-bit stamps of objects and the 15-bit stamps of actions.

/// One of the nine 16-bit stamps of an object (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stamp(pub u16);

impl Stamp {
    /// Returns `true` if `self` is newer than `old`: numerically greater, or less if the two are more than 0x7FFF apart
    /// (rule D2).
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
        is_newer(old.0, self.0, 0x7FFF)
    }

    /// Returns the next stamp. 0xFFFF is followed by 0.
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

/// The 15-bit stamp of an action in a motion state (rule E8). Bit 15 of the word on the wire is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionStamp(#[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_15_bits"))] u16);

impl ActionStamp {
    /// Creates a stamp from the low 15 bits of `value`.
    pub const fn new(value: u16) -> Self {
        Self(value & 0x7FFF)
    }

    /// Returns the value, 0 to 0x7FFF.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Returns `true` if `self` is newer than `old`: numerically greater, or less if the two are more than 0x3FFF apart
    /// (table O6).
    pub const fn is_newer_than(self, old: Self) -> bool {
        is_newer(old.0, self.0, 0x3FFF)
    }

    /// Returns the next stamp. 0x7FFF is followed by 0.
    pub const fn next(self) -> Self {
        Self::new(self.0 + 1)
    }

    /// Advances the counter of a server and returns the stamp of the action that it sends next.
    ///
    /// ```
    /// use acmotion_types::ActionStamp;
    ///
    /// let mut counter = ActionStamp::new(0x7FFE);
    /// assert_eq!([counter.draw(), counter.draw()], [ActionStamp::new(0x7FFF), ActionStamp::new(0)]);
    /// ```
    #[must_use = "the counter has moved on"]
    pub const fn draw(&mut self) -> Self {
        *self = self.next();
        *self
    }
}

const fn is_newer(old: u16, new: u16, half_range: u16) -> bool {
    if new.abs_diff(old) > half_range { new < old } else { old < new }
}

/// Rejects values that do not fit an [`ActionStamp`].
#[cfg(feature = "serde")]
fn deserialize_15_bits<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    use serde::de::{Deserialize, Error, Unexpected};

    match u16::deserialize(deserializer)? {
        value @ 0..=0x7FFF => Ok(value),
        value => Err(D::Error::invalid_value(
            Unexpected::Unsigned(value.into()),
            &"an action stamp of 15 bits, 0 to 32767",
        )),
    }
}
