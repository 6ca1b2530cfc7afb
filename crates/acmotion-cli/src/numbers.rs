//! Numbers as text, short whatever the value: files can hold 1e300, which has 301 digits.

use std::fmt::{Display, LowerExp};

/// From this magnitude on, numbers with a fixed count of decimals are written with an exponent.
const FIXED_LIMIT: f64 = 1e10;
/// Significant digits after the first one in a number with an exponent.
const EXPONENT_DECIMALS: usize = 6;

/// Returns a number with commas between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a number with exactly `decimals` decimals, or with an exponent if it is large.
pub(crate) fn fixed(value: impl Into<f64>, decimals: usize) -> String {
    let value = value.into();
    if value.abs() >= FIXED_LIMIT {
        format!("{value:.EXPONENT_DECIMALS$e}")
    } else {
        format!("{value:.decimals$}")
    }
}

/// Returns a number with at most `decimals` decimals, or with an exponent if it is large.
pub(crate) fn rounded(value: impl Into<f64>, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.contains('e') || !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { String::from("0") } else { String::from(text) }
}

/// Returns the shortest text that gives the same number back, with an exponent if it is very large or very small.
pub(crate) fn shortest(value: impl Into<f64> + Display + LowerExp + Copy) -> String {
    let magnitude = value.into().abs();
    let is_plain = magnitude == 0.0 || (1e-7..1e16).contains(&magnitude) || !magnitude.is_finite();
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::{fixed, rounded, shortest, thousands};

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn large_numbers_are_written_with_an_exponent() {
        assert_eq!(
            [fixed(1.5, 3), fixed(9e9, 0), fixed(-1e300, 3)],
            ["1.500", "9000000000", "-1.000000e300"]
        );
        assert_eq!([fixed(f64::NAN, 2), fixed(f64::NEG_INFINITY, 2)], ["NaN", "-inf"]);
        assert_eq!(
            [shortest(1e300), shortest(f32::MAX), shortest(1e-40)],
            ["1e300", "3.4028235e38", "1e-40"]
        );
    }

    #[test]
    fn trailing_zeros_are_removed() {
        assert_eq!([rounded(1.5, 2), rounded(100.0, 2), rounded(-0.001, 2)], ["1.5", "100", "0"]);
        assert_eq!([rounded(1e20, 2), rounded(f32::NAN, 2)], ["1.000000e20", "NaN"]);
        assert_eq!([shortest(1.5f32), shortest(0.1f32), shortest(0.0)], ["1.5", "0.1", "0"]);
    }
}
