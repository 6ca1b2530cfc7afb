//! Reads fields of vectors and compares them with results.

use std::fmt;

use acmotion_types::{Quat, Vec3};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::CaseResult;
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

/// Requires values that differ by at most `tolerance`, relative to the expected value if its magnitude is above 1.
/// Infinities and NaN must be the same.
pub(crate) fn near(path: &str, expected: f64, got: f64, tolerance: f64) -> CheckResult {
    let same = expected == got || (expected.is_nan() && got.is_nan());
    if same || (expected - got).abs() <= tolerance * expected.abs().max(1.0) {
        return Ok(());
    }
    Err(Difference::new(path, shortest(expected), shortest(got)))
}

/// Requires values that differ by at most `tolerance`, whatever their magnitude. Infinities and NaN must be the same.
pub(crate) fn within(path: &str, expected: f64, got: f64, tolerance: f64) -> CheckResult {
    let same = expected == got || (expected.is_nan() && got.is_nan());
    if same || (expected - got).abs() <= tolerance {
        return Ok(());
    }
    Err(Difference::new(path, shortest(expected), shortest(got)))
}

/// Requires each component to be [`near`].
pub(crate) fn near_vector(path: &str, expected: Vec3, got: Vec3, tolerance: f64) -> CheckResult {
    for (axis, expected, got) in
        [("x", expected.x, got.x), ("y", expected.y, got.y), ("z", expected.z, got.z)]
    {
        near(axis, expected.into(), got.into(), tolerance).map_err(|difference| difference.within(path))?;
    }
    Ok(())
}

/// Requires the same rotation, each component [`near`]. q and −q are the same rotation.
pub(crate) fn near_quat(path: &str, expected: Quat, got: Quat, tolerance: f64) -> CheckResult {
    let sign = if expected.dot(got) < 0.0 { -1.0 } else { 1.0 };
    for (part, expected, got) in [
        ("w", expected.w, got.w),
        ("x", expected.x, got.x),
        ("y", expected.y, got.y),
        ("z", expected.z, got.z),
    ] {
        let got = f64::from(got * sign);
        near(part, expected.into(), got, tolerance).map_err(|difference| difference.within(path))?;
    }
    Ok(())
}

/// The steps of a case, up to the first that `docs/conformance.md` says to leave out.
pub(crate) struct Steps<'a> {
    steps: Vec<Field<'a>>,
}

/// Tags on a line or a step that end the comparison there.
const ENDING_TAGS: [&str; 2] = ["open", "undefined"];
/// Fields of a line that give the first step not to compare.
const ENDING_FIELDS: [&str; 3] = ["open_from", "fragile_from", "delta_rounding_from"];

impl<'a> Steps<'a> {
    /// Returns the steps of a case. A case without any is an error.
    pub(crate) fn of(case: Field<'a>) -> CheckResult<Self> {
        let mut steps: Vec<Field<'a>> = case.get("steps")?.elements()?.collect();
        if steps.is_empty() {
            return Err(case.get("steps")?.fault("at least one step"));
        }
        if ends_here(case)? {
            steps.clear();
        }
        for name in ENDING_FIELDS {
            if let Some(first) = case.find(name) {
                steps.truncate(usize::try_from(first.signed()?).unwrap_or(usize::MAX));
            }
        }
        for index in 0..steps.len() {
            if ends_here(steps[index])? {
                steps.truncate(index);
                break;
            }
        }
        Ok(Self { steps })
    }

    /// Runs `check` on each step in order. A case without steps to compare is skipped.
    pub(crate) fn check(self, mut check: impl FnMut(Field<'a>) -> CheckResult) -> CheckResult<CaseResult> {
        if self.steps.is_empty() {
            return Ok(CaseResult::Skipped);
        }
        for (index, step) in self.steps.into_iter().enumerate() {
            check(step).map_err(|difference| difference.within(format_args!("steps[{index}]")))?;
        }
        Ok(CaseResult::Passed)
    }
}

/// Returns `true` if a line or step has a tag that ends the comparison.
fn ends_here(field: Field<'_>) -> CheckResult<bool> {
    let Some(tags) = field.find("tags") else { return Ok(false) };
    for tag in tags.elements()? {
        if ENDING_TAGS.contains(&tag.text()?) {
            return Ok(true);
        }
    }
    Ok(false)
}
