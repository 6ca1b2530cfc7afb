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
    #[inline]
    pub fn put(&mut self, name: &'static str, value: impl ToJson) -> &mut Self {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        value.write_json(self);
        self.needs_comma = true;
        self
    }

    /// Adds a field to the current object if there is a value.
    #[inline]
    pub fn put_some(&mut self, name: &'static str, value: Option<impl ToJson>) -> &mut Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Appends text that is already JSON.
    pub(super) fn raw(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

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

/// Numbers and texts as `serde_json` writes them. A number that is not finite is `null`.
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

written_by_serde!(&str, bool, u8, u16, u32, u64, usize, i32, f64, &serde_json::Value);

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
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let needed = (u32::BITS - self.value.leading_zeros()).div_ceil(4) as usize;
        let digits: [u8; 8] =
            std::array::from_fn(|index| DIGITS[(self.value >> (28 - 4 * index)) as usize & 15]);
        json.raw(b"\"0x");
        json.raw(&digits[8 - self.min_digits.max(needed)..]);
        json.raw(b"\"");
    }
}

/// Bytes as lower-case hexadecimal digits in a string.
#[derive(Clone, Copy)]
pub struct HexBytes<'a>(pub &'a [u8]);

impl ToJson for HexBytes<'_> {
    fn write_json(self, json: &mut JsonWriter<'_>) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| DIGITS[usize::from(nibble)];
        json.raw(b"\"");
        json.out.reserve(2 * self.0.len() + 1);
        for chunk in self.0.chunks(16) {
            let mut digits = [0; 32];
            for (pair, byte) in digits.chunks_exact_mut(2).zip(chunk) {
                pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
            }
            json.raw(&digits[..2 * chunk.len()]);
        }
        json.raw(b"\"");
    }
}
