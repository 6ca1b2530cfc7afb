//! Checks of state that was read from a snapshot, and may have been written by anyone.

use std::fmt;

use serde::ser::{self, Serialize};

/// The result of a check, or what breaks an invariant.
pub(crate) type Checked = Result<(), &'static str>;

/// Returns `what` as an error unless a condition holds.
pub(crate) fn require(condition: bool, what: &'static str) -> Checked {
    if condition { Ok(()) } else { Err(what) }
}

/// Returns `what` as an error if any number of a value is infinite or NaN.
pub(crate) fn require_finite(value: &impl Serialize, what: &'static str) -> Checked {
    value.serialize(FiniteCheck).map_err(|_| what)
}

/// A checksum against damage, not against intent: FNV-1a over words of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    /// Returns the checksum of bytes.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut sum = Self::default();
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            sum.add(u64::from_le_bytes(word));
        }
        sum.get()
    }

    pub(crate) fn add_all<const N: usize>(&mut self, words: [u32; N]) {
        words.into_iter().for_each(|word| self.add(word.into()));
    }

    /// The rotation brings high bits down again, which multiplication never does.
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01B3).rotate_left(29);
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

/// A serializer that writes nothing and fails at a number that is not finite.
#[derive(Clone, Copy)]
struct FiniteCheck;

/// A number is not finite.
#[derive(Debug)]
struct NotFinite;

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number is not finite")
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Implements the methods of [`FiniteCheck`] for values without floating-point numbers.
macro_rules! pass {
    ($($method:ident($($argument:ty),*);)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<(), NotFinite> {
            Ok(())
        })*
    };
}

impl ser::Serializer for FiniteCheck {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    pass! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_f32(self, value: f32) -> Result<(), NotFinite> {
        if value.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    fn serialize_f64(self, value: f64) -> Result<(), NotFinite> {
        if value.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotFinite> {
        Ok(self)
    }
}

/// Implements a compound of [`FiniteCheck`]: each element is checked by itself.
macro_rules! compound {
    ($($kind:ident: $method:ident($($key:ident)?);)*) => {
        $(impl ser::$kind for FiniteCheck {
            type Ok = ();
            type Error = NotFinite;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), NotFinite> {
                value.serialize(*self)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        })*
    };
}

compound! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStruct: serialize_field(_key);
    SerializeStructVariant: serialize_field(_key);
}

impl ser::SerializeMap for FiniteCheck {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFinite> {
        key.serialize(*self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Vec3};

    use super::*;

    #[test]
    fn a_number_that_is_not_finite_is_found_at_any_depth() {
        let mut position = CellPosition::at(CellId(1), Vec3::ZERO);
        assert_eq!(require_finite(&Some((1_u8, vec![position])), "position"), Ok(()));
        position.frame.origin.y = f32::NAN;
        assert_eq!(require_finite(&Some((1_u8, vec![position])), "position"), Err("position"));
        assert_eq!(require_finite(&f64::INFINITY, "time"), Err("time"));
    }
    /// A map with one entry, whose key may be a floating-point number.
    struct Entry(f64, f32);

    impl Serialize for Entry {
        fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([(self.0, self.1)])
        }
    }

    #[derive(serde::Serialize)]
    struct Newtype(f32);

    #[derive(serde::Serialize)]
    enum Kind {
        Newtype(f32),
        Tuple(u8, f64),
        Named { number: f32 },
        Unit,
    }

    #[test]
    fn every_form_of_value_is_checked() {
        let bad = Err("bad");
        let check = |value: f32| {
            [
                require_finite(&Some(value), "bad"),
                require_finite(&f64::from(value), "bad"),
                require_finite(&Newtype(value), "bad"),
                require_finite(&Kind::Newtype(value), "bad"),
                require_finite(&Kind::Tuple(1, value.into()), "bad"),
                require_finite(&Kind::Named { number: value }, "bad"),
                require_finite(&Entry(value.into(), 0.0), "bad"),
                require_finite(&Entry(0.0, value), "bad"),
                require_finite(&[0.0, value], "bad"),
            ]
        };
        assert_eq!(check(1.5), [Ok(()); 9]);
        assert_eq!(check(f32::NAN), [bad; 9]);
        assert_eq!(check(f32::NEG_INFINITY), [bad; 9]);
        assert_eq!(require_finite(&(Kind::Unit, (), "text", 7_u64, None::<f32>), "bad"), Ok(()));
    }

    /// Every byte counts, and so does its place.
    #[test]
    fn a_checksum_depends_on_every_byte_and_its_place() {
        let bytes: Vec<u8> = (0..29).collect();
        let sum = Checksum::of(&bytes);
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 0x10;
            assert_ne!(Checksum::of(&changed), sum, "byte {index}");
        }
        assert_ne!(Checksum::of(&[1, 0, 0, 0, 0, 0, 0, 0, 2]), Checksum::of(&[2, 0, 0, 0, 0, 0, 0, 0, 1]));
        let mut words = Checksum::default();
        words.add_all([1, 2]);
        let mut swapped = Checksum::default();
        swapped.add_all([2, 1]);
        assert_ne!(words.get(), swapped.get());
    }
}
