//! Columns: the values of one row group, until they are written.

use std::io::Write as _;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnType {
    /// A whole number of 8 bits without sign.
    U8,
    /// A whole number of 16 bits without sign.
    U16,
    /// A whole number of 32 bits without sign: ids, cells, flags, motion commands.
    U32,
    /// A whole number of 32 bits.
    I32,
    /// A whole number of 64 bits.
    I64,
    /// A floating-point number of 32 bits.
    F32,
    /// A floating-point number of 64 bits.
    F64,
    /// `true` or `false`.
    Bool,
    /// Microseconds since 1970, UTC.
    Timestamp,
    /// Text of a small set of values.
    Name,
    /// Any text.
    Text,
    /// Bytes.
    Bytes,
}

impl ColumnType {
    /// Returns the name of the type in `docs/tables.md`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Bool => "bool",
            Self::Timestamp => "timestamp",
            Self::Name | Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }
}

/// A column of a table: its name, its type and its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnSpec {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: ColumnType,
    /// Whether rows can be without a value.
    pub is_optional: bool,
    /// What it means, in one or more sentences.
    pub meaning: &'static str,
}

/// The values of a column, without those that are missing.
#[cfg(feature = "parquet")]
pub(crate) enum Values<'a> {
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    Float(&'a [f32]),
    Double(&'a [f64]),
    Bool(&'a [bool]),
    Names(&'a [&'static str]),
    /// Texts and bytes, one after the other, each after its length in four bytes; and how many they are.
    Blobs(&'a [u8], usize),
}

#[cfg(feature = "parquet")]
impl Values<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Int32(values) => values.len(),
            Self::Int64(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::Bool(values) => values.len(),
            Self::Names(values) => values.len(),
            Self::Blobs(_, count) => *count,
        }
    }
}

/// Where the values of a column are kept.
pub(crate) trait Buffer: Default {
    #[cfg(feature = "parquet")]
    fn values(&self) -> Values<'_>;
    fn clear(&mut self);
    /// Returns the number of bytes of values whose size varies.
    fn size(&self) -> usize {
        0
    }
    /// Returns the number of bytes of all values.
    fn memory(&self) -> usize;
}

/// Implements [`Buffer`] for lists of what Parquet stores.
macro_rules! buffers {
    ($($stored:ty as $values:ident;)*) => {
        $(impl Buffer for Vec<$stored> {
            #[cfg(feature = "parquet")]
            fn values(&self) -> Values<'_> {
                Values::$values(self)
            }

            fn clear(&mut self) {
                self.clear();
            }

            fn memory(&self) -> usize {
                size_of_val(self.as_slice())
            }
        })*
    };
}

buffers! {
    i32 as Int32;
    i64 as Int64;
    f32 as Float;
    f64 as Double;
    bool as Bool;
    &'static str as Names;
}

/// What can be in a column.
pub(crate) trait ColumnValue {
    /// The type of the column.
    const TYPE: ColumnType;
    /// Where its values are kept.
    type Buffer: Buffer;
    /// What is added to it.
    type Item<'a>;

    fn push(buffer: &mut Self::Buffer, item: Self::Item<'_>);
    /// Appends a value as text.
    fn put_text(buffer: &Self::Buffer, index: usize, out: &mut Vec<u8>);
}

/// Implements [`ColumnValue`] for numbers, which are kept as the numbers that Parquet stores.
macro_rules! number_columns {
    ($($type:ty: $kind:ident, $stored:ty;)*) => {
        $(impl ColumnValue for $type {
            const TYPE: ColumnType = ColumnType::$kind;
            type Buffer = Vec<$stored>;
            type Item<'a> = $type;

            #[inline]
            fn push(buffer: &mut Self::Buffer, item: $type) {
                buffer.push(item as $stored);
            }

            fn put_text(buffer: &Self::Buffer, index: usize, out: &mut Vec<u8>) {
                if let Some(value) = buffer.get(index) {
                    // Writing to memory cannot fail.
                    let _ = write!(out, "{}", *value as $type);
                }
            }
        })*
    };
}

number_columns! {
    u8: U8, i32;
    u16: U16, i32;
    u32: U32, i32;
    i32: I32, i32;
    i64: I64, i64;
    f32: F32, f32;
    f64: F64, f64;
    bool: Bool, bool;
}

/// Microseconds since 1970.
pub(crate) enum Timestamp {}

impl ColumnValue for Timestamp {
    const TYPE: ColumnType = ColumnType::Timestamp;
    type Buffer = Vec<i64>;
    type Item<'a> = i64;

    #[inline]
    fn push(buffer: &mut Self::Buffer, item: i64) {
        buffer.push(item);
    }

    fn put_text(buffer: &Self::Buffer, index: usize, out: &mut Vec<u8>) {
        if let Some(micros) = buffer.get(index) {
            crate::time::put_iso(*micros, out);
        }
    }
}

/// Text of a small set of values.
pub(crate) enum Name {}

impl ColumnValue for Name {
    const TYPE: ColumnType = ColumnType::Name;
    type Buffer = Vec<&'static str>;
    type Item<'a> = &'static str;

    #[inline]
    fn push(buffer: &mut Self::Buffer, item: &'static str) {
        buffer.push(item);
    }

    fn put_text(buffer: &Self::Buffer, index: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(buffer.get(index).copied().unwrap_or_default().as_bytes());
    }
}

/// Texts or bytes, one after the other, each after its length in four bytes, as Parquet stores them.
#[derive(Default)]
pub(crate) struct Blobs {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Blobs {
    #[inline]
    fn push(&mut self, item: &[u8]) {
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(&(item.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(item);
    }

    fn get(&self, index: usize) -> &[u8] {
        let end = self.starts.get(index + 1).copied().unwrap_or(self.bytes.len());
        self.starts.get(index).and_then(|start| self.bytes.get(start + 4..end)).unwrap_or_default()
    }
}

impl Buffer for Blobs {
    #[cfg(feature = "parquet")]
    fn values(&self) -> Values<'_> {
        Values::Blobs(&self.bytes, self.starts.len())
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
    }

    fn size(&self) -> usize {
        self.bytes.len()
    }

    fn memory(&self) -> usize {
        self.bytes.len() + size_of_val(self.starts.as_slice())
    }
}

/// Any text.
pub(crate) enum Text {}

impl ColumnValue for Text {
    const TYPE: ColumnType = ColumnType::Text;
    type Buffer = Blobs;
    type Item<'a> = &'a str;

    #[inline]
    fn push(buffer: &mut Blobs, item: &str) {
        buffer.push(item.as_bytes());
    }

    fn put_text(buffer: &Blobs, index: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(buffer.get(index));
    }
}

/// Bytes, which are hexadecimal digits in text.
pub(crate) enum Bytes {}

impl ColumnValue for Bytes {
    const TYPE: ColumnType = ColumnType::Bytes;
    type Buffer = Blobs;
    type Item<'a> = &'a [u8];

    #[inline]
    fn push(buffer: &mut Blobs, item: &[u8]) {
        buffer.push(item);
    }

    fn put_text(buffer: &Blobs, index: usize, out: &mut Vec<u8>) {
        for byte in buffer.get(index) {
            // Writing to memory cannot fail.
            let _ = write!(out, "{byte:02x}");
        }
    }
}

/// A column in which every row has a value.
pub(crate) struct Required<T: ColumnValue> {
    buffer: T::Buffer,
}

impl<T: ColumnValue> Default for Required<T> {
    fn default() -> Self {
        Self { buffer: T::Buffer::default() }
    }
}

impl<T: ColumnValue> Required<T> {
    #[inline]
    pub(crate) fn push(&mut self, item: T::Item<'_>) {
        T::push(&mut self.buffer, item);
    }
}

/// A column in which rows can be without a value. Only values are added, with the number of their row: a column that few
/// messages have costs nothing in the others.
pub(crate) struct Optional<T: ColumnValue> {
    buffer: T::Buffer,
    /// For each row up to the last value, a bit that is set if it has a value.
    present: Vec<u64>,
    /// The number of values that were written as text.
    written: usize,
}

impl<T: ColumnValue> Default for Optional<T> {
    fn default() -> Self {
        Self { buffer: T::Buffer::default(), present: Vec::new(), written: 0 }
    }
}

impl<T: ColumnValue> Optional<T> {
    /// Sets the value of a row, which comes after those that were set before.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, item: T::Item<'_>) {
        let word = row / 64;
        if self.present.len() <= word {
            self.present.resize(word + 1, 0);
        }
        self.present[word] |= 1 << (row % 64);
        T::push(&mut self.buffer, item);
    }

    /// Sets the value of a row if there is one.
    #[inline]
    pub(crate) fn set_some(&mut self, row: usize, item: Option<T::Item<'_>>) {
        if let Some(item) = item {
            self.set(row, item);
        }
    }
}

/// What is known of a column before it has values.
pub(crate) trait ColumnKind {
    /// The type of its values.
    const TYPE: ColumnType;
    /// Whether rows can be without a value.
    const IS_OPTIONAL: bool;
}

impl<T: ColumnValue> ColumnKind for Required<T> {
    const TYPE: ColumnType = T::TYPE;
    const IS_OPTIONAL: bool = false;
}

impl<T: ColumnValue> ColumnKind for Optional<T> {
    const TYPE: ColumnType = T::TYPE;
    const IS_OPTIONAL: bool = true;
}

/// A column of any type.
pub(crate) trait AnyColumn {
    /// Returns the values, and a bit for each row that has one if rows can be without. Rows after the last bit have none.
    #[cfg(feature = "parquet")]
    fn values(&self) -> (Values<'_>, Option<&[u64]>);
    /// Appends the value of a row as text. Rows are asked for in order.
    fn put_text(&mut self, row: usize, out: &mut Vec<u8>);
    fn clear(&mut self);
    /// Returns the number of bytes of values whose size varies.
    fn size(&self) -> usize;
    /// Returns the number of bytes of all values.
    fn memory(&self) -> usize;
}

impl<T: ColumnValue> AnyColumn for Required<T> {
    #[cfg(feature = "parquet")]
    fn values(&self) -> (Values<'_>, Option<&[u64]>) {
        (self.buffer.values(), None)
    }

    fn put_text(&mut self, row: usize, out: &mut Vec<u8>) {
        T::put_text(&self.buffer, row, out);
    }

    fn clear(&mut self) {
        self.buffer.clear();
    }

    fn size(&self) -> usize {
        self.buffer.size()
    }

    fn memory(&self) -> usize {
        self.buffer.memory()
    }
}

impl<T: ColumnValue> AnyColumn for Optional<T> {
    #[cfg(feature = "parquet")]
    fn values(&self) -> (Values<'_>, Option<&[u64]>) {
        (self.buffer.values(), Some(&self.present))
    }

    fn put_text(&mut self, row: usize, out: &mut Vec<u8>) {
        if self.present.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1) {
            T::put_text(&self.buffer, self.written, out);
            self.written += 1;
        }
    }

    fn clear(&mut self) {
        self.buffer.clear();
        self.present.clear();
        self.written = 0;
    }

    fn size(&self) -> usize {
        self.buffer.size()
    }

    fn memory(&self) -> usize {
        self.buffer.memory() + size_of_val(self.present.as_slice())
    }
}
