//! Numbers as text, short whatever the value: files can hold 1e300, which has 301 digits.

use std::fmt::{self, Display, LowerExp, Write};

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

/// Returns a count with its noun: "1 message", "1,200 messages", "2 entities", "8 vertices". The last word of the noun is put
/// into the plural unless the count is 1.
pub(crate) fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let number = thousands(count);
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("{number} {noun}"),
        _ if noun.ends_with("vertex") => format!("{number} {}ices", noun.trim_end_matches("ex")),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// A line of text that is composed piece by piece, kept as bytes so that digits need not be checked to be text.
#[derive(Default)]
pub(crate) struct Line(Vec<u8>);

impl Line {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    // Always inlined, so that the compiler knows how long a literal is.
    #[inline(always)]
    pub(crate) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends bytes, which must be UTF-8.
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Appends spaces.
    #[inline]
    pub(crate) fn push_spaces(&mut self, count: usize) {
        self.0.resize(self.0.len() + count, b' ');
    }

    /// Removes spaces at the end.
    pub(crate) fn trim_end(&mut self) {
        let spaces = self.0.iter().rev().take_while(|byte| **byte == b' ').count();
        self.0.truncate(self.len() - spaces);
    }

    pub(crate) fn into_string(self) -> String {
        String::from_utf8(self.0).unwrap_or_default()
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Returns a number with exactly `decimals` decimals, or with an exponent if it is large.
pub(crate) fn fixed(value: impl Into<f64>, decimals: usize) -> String {
    let mut text = Line::default();
    push_fixed(&mut text, value.into(), decimals);
    text.into_string()
}

/// Appends a number with exactly `decimals` decimals, or with an exponent if it is large.
pub(crate) fn push_fixed(out: &mut Line, value: f64, decimals: usize) {
    match scaled(value.abs(), decimals) {
        Some(scaled) => {
            let sign = value.is_sign_negative().then_some(b'-');
            push_scaled(out, sign, scaled, decimals, 0);
        }
        None => push_formatted(out, value, decimals),
    }
}

/// Appends a number that is too large for [`scaled`] or has too many decimals for it.
#[cold]
fn push_formatted(out: &mut Line, value: f64, decimals: usize) {
    // Writing to a line cannot fail.
    let _ = if value.abs() >= FIXED_LIMIT {
        write!(out, "{value:.EXPONENT_DECIMALS$e}")
    } else {
        write!(out, "{value:.decimals$}")
    };
}

/// The powers of ten by which a number can be multiplied without overflow of its 53 significant bits in 64.
const SCALES: [u64; 4] = [1, 10, 100, 1_000];

/// Returns a number in units of its last decimal, rounded to the nearest one and to the even one of two, as formatting
/// does. `None` if the number is large, negative or not a number, or has too many decimals.
fn scaled(value: f64, decimals: usize) -> Option<u64> {
    let scale = SCALES.get(decimals)?;
    if !(0.0..FIXED_LIMIT).contains(&value) {
        return None;
    }
    // The number is `mantissa / 2^shift`. The shift is at least 19, because the number is below 2^34.
    let bits = value.to_bits();
    let exponent = bits >> 52;
    let mantissa = (bits & ((1 << 52) - 1)) | (u64::from(exponent > 0) << 52);
    let shift = 1_075 - exponent.max(1);
    let product = mantissa * scale;
    if shift >= u64::BITS.into() {
        // Less than half of the last decimal: the product is below 2^63.
        return Some(0);
    }
    let (quotient, rest, half) = (product >> shift, product & ((1 << shift) - 1), 1 << (shift - 1));
    Some(quotient + u64::from(rest > half || (rest == half && quotient % 2 == 1)))
}

/// The digits of the numbers below 100.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

/// The end of a number in the buffer of [`push_scaled`], and the size of that buffer.
const DIGITS_END: usize = 16;
const DIGITS_SIZE: usize = 2 * DIGITS_END;

/// Appends a number that is given in units of its last decimal, after its sign if it has one, and after spaces up to
/// `width`. It must not be longer than [`DIGITS_END`].
#[inline]
fn push_scaled(out: &mut Line, sign: Option<u8>, scaled: u64, decimals: usize, width: usize) {
    let mut digits = [b' '; DIGITS_SIZE];
    let mut start = DIGITS_END;
    // Numbers of 32 bits are divided faster. Few are longer, and by at most four digits.
    let mut rest = scaled as u32;
    if scaled > u32::MAX.into() {
        rest = (scaled / 10_000) as u32;
        let mut low = (scaled % 10_000) as u32;
        for place in 0..4 {
            start -= usize::from(place == decimals && place > 0) + 1;
            digits[start] = b'0' + (low % 10) as u8;
            low /= 10;
        }
        if decimals > 0 {
            digits[DIGITS_END - 1 - decimals] = b'.';
        }
    } else if decimals > 0 {
        if decimals >= 2 {
            start -= 2;
            digits[start..start + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
        }
        if decimals % 2 == 1 {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        start -= 1;
        digits[start] = b'.';
    }
    while rest >= 100 {
        start -= 2;
        digits[start..start + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    if rest >= 10 {
        start -= 2;
        digits[start..start + 2].copy_from_slice(&PAIRS[rest as usize]);
    } else {
        start -= 1;
        digits[start] = b'0' + rest as u8;
    }
    if let Some(sign) = sign {
        start -= 1;
        digits[start] = sign;
    }
    start = start.min(DIGITS_END - width);
    let len = out.len() + DIGITS_END - start;
    // A fixed number of bytes is copied faster; those after the number are removed again.
    if let Some(copied) = digits[start..].first_chunk::<DIGITS_END>() {
        out.0.extend_from_slice(copied);
        out.0.truncate(len);
    }
}

/// Appends a time with three decimals and spaces before it, so that it is at least ten characters wide. With `is_relative`
/// it has a plus sign, if it is not negative.
pub(crate) fn push_time(out: &mut Line, time: f64, is_relative: bool) {
    const WIDTH: usize = 10;
    let sign = if time.is_sign_negative() { Some(b'-') } else { is_relative.then_some(b'+') };
    match scaled(time.abs(), 3).filter(|_| !(is_relative && time.is_sign_negative())) {
        Some(scaled) => push_scaled(out, sign, scaled, 3, WIDTH),
        None => {
            let mut text = Line::default();
            text.push_str(if is_relative { "+" } else { "" });
            push_fixed(&mut text, time, 3);
            out.push_spaces(WIDTH.saturating_sub(text.len()));
            out.push_bytes(text.as_bytes());
        }
    }
}

/// Returns a number with at most `decimals` decimals, or with an exponent if it is large.
pub(crate) fn rounded(value: impl Into<f64>, decimals: usize) -> String {
    let mut text = Line::default();
    push_rounded(&mut text, value, decimals);
    text.into_string()
}

/// Appends a number with at most `decimals` decimals, or with an exponent if it is large.
pub(crate) fn push_rounded(out: &mut Line, value: impl Into<f64>, decimals: usize) {
    let value = value.into();
    if let Some(mut scaled) = scaled(value.abs(), decimals) {
        let mut left = decimals;
        while left > 0 && scaled % 10 == 0 {
            scaled /= 10;
            left -= 1;
        }
        let is_negative = value.is_sign_negative() && (scaled > 0 || decimals == 0);
        return push_scaled(out, is_negative.then_some(b'-'), scaled, left, 0);
    }
    let start = out.len();
    push_formatted(out, value, decimals);
    let text = &out.0[start..];
    if text.contains(&b'e') || !text.contains(&b'.') {
        return;
    }
    let zeros = text.iter().rev().take_while(|byte| **byte == b'0').count();
    let point = usize::from(text[text.len() - 1 - zeros] == b'.');
    out.0.truncate(out.len() - zeros - point);
    if &out.0[start..] == b"-0" {
        out.0.remove(start);
    }
}

/// Appends `0x` and eight hexadecimal digits.
#[inline]
pub(crate) fn push_hex(out: &mut Line, value: u32) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut text = *b"0x00000000";
    for (index, digit) in text[2..].iter_mut().enumerate() {
        *digit = DIGITS[(value >> (28 - 4 * index)) as usize & 15];
    }
    out.0.extend_from_slice(&text);
}

/// Returns the shortest text that gives the same number back, with an exponent if it is very large or very small.
pub(crate) fn shortest(value: impl Into<f64> + Display + LowerExp + Copy) -> String {
    let magnitude = value.into().abs();
    let is_plain = magnitude == 0.0 || (1e-7..1e16).contains(&magnitude) || !magnitude.is_finite();
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::{Line, counted, fixed, push_hex, push_time, rounded, scaled, shortest, thousands};

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn counts_have_their_noun_in_the_right_number() {
        let texts =
            ["message", "more entity", "vertex"].map(|noun| [0, 1, 1200].map(|count| counted(count, noun)));
        assert_eq!(texts[0], ["0 messages", "1 message", "1,200 messages"]);
        assert_eq!(texts[1], ["0 more entities", "1 more entity", "1,200 more entities"]);
        assert_eq!(texts[2], ["0 vertices", "1 vertex", "1,200 vertices"]);
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

    /// Numbers of every size, with ties of the last decimal and their neighbours.
    #[test]
    fn fixed_numbers_are_those_of_the_standard_library() {
        let ties = (0..2_000).map(|eighths| f64::from(eighths) / 16.0);
        let sizes = (-80..40).map(|power| 1.7 * f64::from(power).exp2());
        let times = (0..1_000).map(|step| f64::from(step).sqrt() * 1e6);
        for value in ties.chain(sizes).chain(times).chain([f64::MIN_POSITIVE, 5e-324]) {
            for value in [value, value.next_up(), -value, f64::from(value as f32)] {
                for decimals in 0..4 {
                    if value.abs() < 1e10 {
                        assert!(scaled(value.abs(), decimals).is_some(), "{value:e}");
                        let text = format!("{value:.decimals$}");
                        assert_eq!(fixed(value, decimals), text, "{value:e}");
                        let text = match text.trim_end_matches('0').trim_end_matches('.') {
                            _ if decimals == 0 => &text,
                            "-0" => "0",
                            trimmed => trimmed,
                        };
                        assert_eq!(rounded(value, decimals), text, "{value:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn times_are_aligned() {
        for time in [0.0, 0.0004, 1.5, 12.3456, -3.25, 99_999.0, 9_999_999.5, 5e9, 1e12, f64::NAN] {
            let mut line = Line::default();
            push_time(&mut line, time, false);
            assert_eq!(line.into_string(), format!("{:>10}", fixed(time, 3)));
            let mut line = Line::default();
            push_time(&mut line, time, true);
            assert_eq!(line.into_string(), format!("{:>10}", format!("+{}", fixed(time, 3))));
        }
    }

    #[test]
    fn hexadecimal_numbers_have_eight_digits() {
        let mut text = Line::default();
        push_hex(&mut text, 0x0A9B_4F01);
        assert_eq!(text.as_bytes(), b"0x0A9B4F01");
    }
}
