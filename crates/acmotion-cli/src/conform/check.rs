//! Reads fields of vectors and compares them with results.

use std::fmt;

use acmotion_types::{Quat, Vec3};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::numbers::shortest;

/// The first field in which a result differs from its vector.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Difference {
    pub(crate) path: String,
    pub(crate) expected: String,
    pub(crate) got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.path, self.expected, self.got)
    }
}

impl Difference {
    pub(crate) fn new(path: impl fmt::Display, expected: impl fmt::Display, got: impl fmt::Display) -> Self {
        Self { path: path.to_string(), expected: shortened(expected), got: shortened(got) }
    }

    /// Puts the path of the enclosing field before that of the difference.
    pub(crate) fn within(mut self, outer: impl fmt::Display) -> Self {
        let separator = if self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{outer}{separator}{}", self.path);
        self
    }
}

/// The maximum length of a value in a message, in bytes.
const MAX_VALUE: usize = 4096;

/// Returns a value as text, of which only the beginning is kept if it is long.
fn shortened(value: impl fmt::Display) -> String {
    use fmt::Write as _;

    /// Keeps what fits, and refuses the rest.
    struct Beginning(String);

    impl fmt::Write for Beginning {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = MAX_VALUE - self.0.len();
            let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= room);
            let end = end.last().unwrap_or(0);
            self.0.push_str(&text[..end]);
            if end == text.len() { Ok(()) } else { Err(fmt::Error) }
        }
    }

    let mut beginning = Beginning(String::new());
    if write!(beginning, "{value}").is_err() {
        beginning.0.push('…');
    }
    beginning.0
}

/// The result of reading or comparing a field.
pub(crate) type CheckResult<T = ()> = Result<T, Difference>;

/// A value of a vector with its field name, for error messages.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    value: &'a Value,
    name: &'a str,
}

impl<'a> Field<'a> {
    /// Creates the field for a whole line.
    pub(crate) fn line(value: &'a Value) -> Self {
        Self { value, name: "line" }
    }

    /// Returns the member `name`. A vector without it is an error.
    pub(crate) fn get(self, name: &'a str) -> CheckResult<Self> {
        self.find(name).ok_or_else(|| Difference::new(name, "a field in the vector", "none"))
    }

    /// Returns the member `name`, or `None` if it is missing or null.
    pub(crate) fn find(self, name: &'a str) -> Option<Self> {
        let value = self.value.get(name)?;
        (!value.is_null()).then_some(Self { value, name })
    }

    /// Returns the elements of an array.
    pub(crate) fn elements(self) -> CheckResult<impl ExactSizeIterator<Item = Self>> {
        let list = self.value.as_array().ok_or_else(|| self.fault("an array"))?;
        Ok(list.iter().map(move |value| Self { value, name: self.name }))
    }

    /// Returns the elements of an array of length `N`.
    pub(crate) fn array<const N: usize>(self) -> CheckResult<[Self; N]> {
        let list: Vec<Self> = self.elements()?.collect();
        list.try_into().map_err(|_| self.fault(&format!("an array of {N} elements")))
    }

    /// Returns the bytes of a base64 string.
    pub(crate) fn base64(self) -> CheckResult<Vec<u8>> {
        let decoded = self.value.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok());
        decoded.ok_or_else(|| self.fault("bytes in base64"))
    }

    pub(crate) fn text(self) -> CheckResult<&'a str> {
        self.value.as_str().ok_or_else(|| self.fault("a string"))
    }

    pub(crate) fn boolean(self) -> CheckResult<bool> {
        self.value.as_bool().ok_or_else(|| self.fault("true or false"))
    }

    pub(crate) fn unsigned(self) -> CheckResult<u64> {
        self.value.as_u64().ok_or_else(|| self.fault("a non-negative integer"))
    }

    pub(crate) fn signed(self) -> CheckResult<i64> {
        self.value.as_i64().ok_or_else(|| self.fault("an integer"))
    }

    /// Returns a 32-bit id, which is a hexadecimal string.
    pub(crate) fn hex(self) -> CheckResult<u32> {
        let digits = self.value.as_str().and_then(|text| text.strip_prefix("0x"));
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.fault("an id such as \"0x09000001\""))
    }

    /// Returns a double. Infinities and NaN are strings.
    pub(crate) fn double(self) -> CheckResult<f64> {
        let named = || match self.value.as_str()? {
            "NaN" | "nan" => Some(f64::NAN),
            "Infinity" | "inf" | "Inf" => Some(f64::INFINITY),
            "-Infinity" | "-inf" | "-Inf" => Some(f64::NEG_INFINITY),
            _ => None,
        };
        self.value.as_f64().or_else(named).ok_or_else(|| self.fault("a number"))
    }

    /// Returns a number rounded to single precision.
    pub(crate) fn float(self) -> CheckResult<f32> {
        Ok(self.double()? as f32)
    }

    fn floats<const N: usize>(self) -> CheckResult<[f32; N]> {
        let mut out = [0.0; N];
        let list = self.elements()?;
        if list.len() != N {
            return Err(self.fault(&format!("an array of {N} numbers")));
        }
        for (number, value) in out.iter_mut().zip(list) {
            *number = value.float()?;
        }
        Ok(out)
    }

    pub(crate) fn vector(self) -> CheckResult<Vec3> {
        self.floats::<3>().map(Vec3::from)
    }

    pub(crate) fn quat(self) -> CheckResult<Quat> {
        self.floats::<4>().map(Quat::from)
    }

    /// Returns the JSON value.
    pub(crate) fn value(self) -> &'a Value {
        self.value
    }

    fn fault(self, what: &str) -> Difference {
        Difference::new(self.name, format_args!("{what} in the vector"), self.value)
    }
}

/// Requires equal values.
pub(crate) fn exact<T: PartialEq + fmt::Debug>(path: &str, expected: T, got: T) -> CheckResult {
    if expected == got {
        return Ok(());
    }
    Err(Difference::new(path, format_args!("{expected:?}"), format_args!("{got:?}")))
}

/// Twice the distance between neighbouring single-precision numbers at the far end of a landblock (128 m to 256 m), in metres.
/// A length that is the difference of two coordinates there is no more exact, however short it is.
const COORDINATE_ROUNDING: f64 = 1.0 / 32_768.0;
/// The tolerance for headings, in degrees.
const HEADING_TOLERANCE: f64 = 0.02;

/// Returns `true` for equal numbers, infinities and NaN included.
fn is_same(expected: f64, got: f64) -> bool {
    expected == got || (expected.is_nan() && got.is_nan())
}

/// Requires values that differ by at most `tolerance`, whatever their magnitude. Infinities and NaN must be the same.
pub(crate) fn within(path: &str, expected: f64, got: f64, tolerance: f64) -> CheckResult {
    if is_same(expected, got) || expected.is_finite() && (expected - got).abs() <= tolerance {
        return Ok(());
    }
    Err(Difference::new(path, shortest(expected), shortest(got)))
}

/// Requires values that differ by at most `tolerance` times the expected one. For speeds, rates and other factors.
pub(crate) fn near(path: &str, expected: f64, got: f64, tolerance: f64) -> CheckResult {
    within(path, expected, got, tolerance * expected.abs())
}

/// Requires lengths that are [`near`], or differ by no more than coordinates are rounded.
pub(crate) fn near_length(path: &str, expected: f64, got: f64, tolerance: f64) -> CheckResult {
    within(path, expected, got, (tolerance * expected.abs()).max(COORDINATE_ROUNDING))
}

/// Requires each component to differ by at most `tolerance` times the length of the expected vector, or by no more than
/// coordinates are rounded. For origins, offsets and velocities.
pub(crate) fn near_vector(path: &str, expected: Vec3, got: Vec3, tolerance: f64) -> CheckResult {
    let length = f64::from(expected.length());
    let tolerance = if length.is_finite() { (tolerance * length).max(COORDINATE_ROUNDING) } else { 0.0 };
    within_vector(path, expected, got, tolerance)
}

/// Requires each component to be [`within`] the tolerance.
pub(crate) fn within_vector(path: &str, expected: Vec3, got: Vec3, tolerance: f64) -> CheckResult {
    for (axis, expected, got) in
        [("x", expected.x, got.x), ("y", expected.y, got.y), ("z", expected.z, got.z)]
    {
        within(axis, expected.into(), got.into(), tolerance).map_err(|difference| difference.within(path))?;
    }
    Ok(())
}

/// Requires the same rotation, each component [`within`] the tolerance. q and −q are the same rotation.
pub(crate) fn near_quat(path: &str, expected: Quat, got: Quat, tolerance: f64) -> CheckResult {
    let sign = if expected.dot(got) < 0.0 { -1.0 } else { 1.0 };
    for (part, expected, got) in [
        ("w", expected.w, got.w),
        ("x", expected.x, got.x),
        ("y", expected.y, got.y),
        ("z", expected.z, got.z),
    ] {
        let got = f64::from(got * sign);
        within(part, expected.into(), got, tolerance).map_err(|difference| difference.within(path))?;
    }
    Ok(())
}

/// Requires the same heading within 0.02 degrees, modulo 360 degrees.
pub(crate) fn near_heading(path: &str, expected: f32, got: f32) -> CheckResult {
    let difference = (f64::from(expected) - f64::from(got)).rem_euclid(360.0);
    if difference.min(360.0 - difference) <= HEADING_TOLERANCE {
        return Ok(());
    }
    Err(Difference::new(path, shortest(expected), shortest(got)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_compared_relative_to_their_size() {
        for scale in [1e-6, 1.0, 1e6] {
            assert!(near("", scale, scale * (1.0 + 0.9e-5), 1e-5).is_ok(), "{scale}");
            assert!(near("", -scale, -scale * (1.0 + 1.1e-5), 1e-5).is_err(), "{scale}");
        }
        assert!(near("", 0.0, 0.0, 1e-5).is_ok());
        assert!(near("", 0.0, 1e-30, 1e-5).is_err());
        assert!(near("", f64::NAN, f64::NAN, 1e-5).is_ok());
        assert!(near("", f64::NAN, 1.0, 1e-5).is_err() && near("", 1.0, f64::NAN, 1e-5).is_err());
        assert!(near("", f64::INFINITY, f64::INFINITY, 1e-5).is_ok());
        assert!(near("", f64::INFINITY, f64::NEG_INFINITY, 1e-5).is_err());
        assert!(near("", f64::INFINITY, 1.0, 1e-5).is_err());
    }

    #[test]
    fn short_lengths_are_compared_up_to_the_rounding_of_coordinates() {
        assert!(near_length("", 0.0, 3e-5, 1e-4).is_ok());
        assert!(near_length("", 0.0, 3.2e-5, 1e-4).is_err());
        assert!(near_length("", 100.0, 100.009, 1e-4).is_ok());
        assert!(near_length("", 100.0, 100.011, 1e-4).is_err());
    }

    #[test]
    fn components_are_compared_relative_to_the_length_of_the_vector() {
        let expected = Vec3::new(0.0, 100.0, 0.0);
        assert!(near_vector("", expected, Vec3::new(0.009, 100.0, 0.0), 1e-4).is_ok());
        let difference = near_vector("v", expected, Vec3::new(0.0, 100.0, 0.011), 1e-4).unwrap_err();
        assert_eq!(difference.path, "v.z");
        assert!(near_vector("", Vec3::ZERO, Vec3::new(0.0, 3.2e-5, 0.0), 1e-4).is_err());
        let endless = Vec3::new(f32::INFINITY, 0.0, 0.0);
        assert!(near_vector("", endless, endless, 1e-4).is_ok());
        assert!(near_vector("", endless, Vec3::new(f32::INFINITY, 1.0, 0.0), 1e-4).is_err());
    }

    #[test]
    fn headings_and_rotations_have_two_names() {
        assert!(near_heading("", 359.99, 0.0).is_ok() && near_heading("", 0.0, 359.99).is_ok());
        assert!(near_heading("", 359.97, 0.0).is_err() && near_heading("", f32::NAN, 0.0).is_err());
        let (one, other) = (Quat::new(0.6, 0.0, 0.0, 0.8), Quat::new(-0.6, 0.0, 0.0, -0.8));
        assert!(near_quat("", one, other, 1e-4).is_ok());
        assert!(near_quat("", one, Quat::new(0.6, 2e-4, 0.0, 0.8), 1e-4).is_err());
    }
}
