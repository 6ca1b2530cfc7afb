//! Writes JSON as text, without building values first.

/// Writes JSON to a buffer, in one pass and without allocating beyond the buffer.
///
/// ```
/// use acmotion_wire::json::{JsonWriter, list, object};
///
/// let mut text = Vec::new();
/// let size = object(|json| { json.put("width", 2).put("depth", 0.5); });
/// JsonWriter::new(&mut text).object(|json| {
///     json.put("name", "box").put("size", size).put("tags", list(["a", "b"])).put_some("owner", None::<u32>);
/// });
/// assert_eq!(text, br#"{"name":"box","size":{"width":2,"depth":0.5},"tags":["a","b"]}"#);
/// ```
pub struct JsonWriter<'a> {
    out: &'a mut Vec<u8>,
    /// Whether a comma has to precede the next field or item.
    needs_comma: bool,
}

/// A value that can be written as JSON.
pub trait ToJson {
    /// Writes the value.
    fn write_json(self, json: &mut JsonWriter<'_>);
}

impl<'a> JsonWriter<'a> {
    /// Creates a writer that appends to a buffer.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, needs_comma: false }
    }

    /// Writes an object whose fields `put_fields` adds.
    pub fn object(&mut self, put_fields: impl FnOnce(&mut Self)) {
        self.enclose([b'{', b'}'], put_fields);
    }

    /// Adds a field to the current object. `name` must not have characters that JSON escapes.
    // Always inlined, so that the compiler knows how long the name is.
    #[inline(always)]
    pub fn put(&mut self, name: &'static str, value: impl ToJson) -> &mut Self {
        if self.needs_comma {
            self.raw(b",\"");
        } else {
            self.raw(b"\"");
        }
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        value.write_json(self);
        self.needs_comma = true;
        self
    }

    /// Adds a field to the current object if there is a value.
    #[inline(always)]
    pub fn put_some(&mut self, name: &'static str, value: Option<impl ToJson>) -> &mut Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Appends text that is already JSON.
    #[inline(always)]
    pub(super) fn raw(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    /// Appends a whole number.
    #[inline]
    fn digits(&mut self, mut value: u64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        // Numbers of 32 bits are divided faster.
        while value > u32::MAX.into() {
            start -= 1;
            digits[start] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        let mut value = value as u32;
        loop {
            start -= 1;
            digits[start] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.raw(&digits[start..]);
    }

    #[inline]
    fn enclose(&mut self, [open, close]: [u8; 2], write_contents: impl FnOnce(&mut Self)) {
        self.out.push(open);
        self.needs_comma = false;
        write_contents(self);
        self.out.push(close);
        self.needs_comma = true;
    }

    fn separate(&mut self) {
        if self.needs_comma {
            self.out.push(b',');
        }
    }
}

/// Returns an object whose fields `put_fields` adds.
pub fn object(put_fields: impl FnOnce(&mut JsonWriter<'_>)) -> impl ToJson {
    Object(put_fields)
}

/// Returns a list.
pub fn list<T: ToJson>(items: impl IntoIterator<Item = T>) -> impl ToJson {
    List(items)
}

struct Object<F>(F);

impl<F: FnOnce(&mut JsonWriter<'_>)> ToJson for Object<F> {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        json.object(self.0);
    }
}

struct List<I>(I);

impl<T: ToJson, I: IntoIterator<Item = T>> ToJson for List<I> {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        json.enclose([b'[', b']'], |json| {
            for item in self.0 {
                json.separate();
                item.write_json(json);
                json.needs_comma = true;
            }
        });
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        List(self).write_json(json);
    }
}

/// A list of two items.
impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        json.raw(b"[");
        self.0.write_json(json);
        json.raw(b",");
        self.1.write_json(json);
        json.raw(b"]");
    }
}

/// `None` is `null`.
impl<T: ToJson> ToJson for Option<T> {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        match self {
            Some(value) => value.write_json(json),
            None => json.raw(b"null"),
        }
    }
}

impl ToJson for String {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        self.as_str().write_json(json);
    }
}

/// Widened to a double without loss.
impl ToJson for f32 {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        f64::from(self).write_json(json);
    }
}

/// Numbers and texts as `serde_json` writes them.
macro_rules! written_by_serde {
    ($($type:ty),*) => {
        $(impl ToJson for $type {
            #[inline]
            fn write_json(self, json: &mut JsonWriter<'_>) {
                // Writing a number or a text to memory cannot fail.
                let _ = serde_json::to_writer(&mut *json.out, &self);
            }
        })*
    };
}

written_by_serde!(&str, i32, &serde_json::Value);

/// As `serde_json` writes it. A number that is not finite is `null`.
impl ToJson for f64 {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        let whole = self as u32;
        if Self::from(whole).to_bits() == self.to_bits() {
            // Speeds, heights and zeros are often whole, for which the shortest digits need not be searched for.
            json.digits(whole.into());
            json.raw(b".0");
            return;
        }
        // Writing a number to memory cannot fail.
        let _ = serde_json::to_writer(&mut *json.out, &self);
    }
}

impl ToJson for bool {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        if self { json.raw(b"true") } else { json.raw(b"false") }
    }
}

/// Whole numbers as decimal digits.
macro_rules! written_as_digits {
    ($($type:ty),*) => {
        $(impl ToJson for $type {
            #[inline]
            fn write_json(self, json: &mut JsonWriter<'_>) {
                json.digits(self as u64);
            }
        })*
    };
}

written_as_digits!(u8, u16, u32, u64, usize);

/// Text that has no characters that JSON escapes.
pub(super) struct Plain(pub(super) &'static str);

impl ToJson for Plain {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        json.raw(b"\"");
        json.raw(self.0.as_bytes());
        json.raw(b"\"");
    }
}

/// The two hexadecimal digits of every byte.
const fn hex_pairs(digits: &[u8; 16]) -> [[u8; 2]; 256] {
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
}

static UPPER_PAIRS: [[u8; 2]; 256] = hex_pairs(b"0123456789ABCDEF");
static LOWER_PAIRS: [[u8; 2]; 256] = hex_pairs(b"0123456789abcdef");

/// A number as hexadecimal digits in a string, after `0x`.
#[derive(Clone, Copy)]
pub struct Hex {
    value: u32,
    min_digits: usize,
}

impl Hex {
    /// Returns a number as eight digits: an id, a cell, flags or a command.
    pub const fn word(value: u32) -> Self {
        Self { value, min_digits: 8 }
    }

    /// Returns a number as four digits, or more if it is large: an opcode.
    pub const fn opcode(value: u32) -> Self {
        Self { value, min_digits: 4 }
    }
}

impl ToJson for Hex {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        let [a, b, c, d] = self.value.to_be_bytes().map(|byte| UPPER_PAIRS[usize::from(byte)]);
        if self.min_digits == 8 {
            json.raw(&[b'"', b'0', b'x', a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], b'"']);
            return;
        }
        let needed = (u32::BITS - self.value.leading_zeros()).div_ceil(4) as usize;
        json.raw(b"\"0x");
        json.raw(&[a, b, c, d].as_flattened()[8 - self.min_digits.max(needed)..]);
        json.raw(b"\"");
    }
}

/// Bytes as lower-case hexadecimal digits in a string.
#[derive(Clone, Copy)]
pub struct HexBytes<'a>(pub &'a [u8]);

impl ToJson for HexBytes<'_> {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        let pair = |byte: u8| LOWER_PAIRS[usize::from(byte)];
        json.raw(b"\"");
        json.out.reserve(2 * self.0.len() + 32);
        let (chunks, rest) = self.0.as_chunks::<16>();
        for chunk in chunks {
            json.raw(chunk.map(pair).as_flattened());
        }
        // A fixed number of digits is copied faster; those after the last byte are removed again.
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        let len = json.out.len() + 2 * rest.len();
        json.raw(last.map(pair).as_flattened());
        json.out.truncate(len);
        json.raw(b"\"");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: impl ToJson) -> String {
        let mut out = Vec::new();
        value.write_json(&mut JsonWriter::new(&mut out));
        String::from_utf8(out).unwrap()
    }

    /// Whole numbers and their neighbours, at both ends of what is written without `serde_json`.
    #[test]
    fn numbers_are_those_of_serde_json() {
        let whole =
            [0.0_f64, 1.0, 9.0, 10.0, 94.0, 65_536.0, 4_294_967_295.0, 4_294_967_296.0, 1e15, 1e16, 1e300];
        for value in whole.into_iter().flat_map(|value| [value, value.next_up(), value.next_down(), -value]) {
            assert_eq!(written(value), serde_json::to_string(&value).unwrap());
        }
        assert_eq!(written(f64::NAN), "null");
        for value in [0, 7, 10, 99, 100, 4_294_967_295, 4_294_967_296, 42_949_672_960, u64::MAX] {
            assert_eq!(written(value), value.to_string());
        }
    }

    #[test]
    fn bytes_of_any_length_are_hexadecimal_digits() {
        let bytes: Vec<u8> = (0..50).map(|number: u8| number.wrapping_mul(37)).collect();
        for len in 0..bytes.len() {
            let digits: String = bytes[..len].iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(written(HexBytes(&bytes[..len])), format!("\"{digits}\""));
        }
        assert_eq!(
            [written(Hex::word(0xAB)), written(Hex::opcode(0xF748))],
            ["\"0x000000AB\"", "\"0xF748\""]
        );
        assert_eq!([written(Hex::opcode(7)), written(Hex::opcode(0x12345))], ["\"0x0007\"", "\"0x12345\""]);
    }
}
