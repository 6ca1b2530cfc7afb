//! Strings and packed numbers (`docs/wire.md` §1.5).

use std::fmt;

use crate::cursor::{ReadResult, Reader, Writer};

/// A string on the wire: one byte per character, in the Windows-1252 code page.
///
/// ```
/// use acmotion_wire::WireStr;
///
/// assert_eq!(WireStr(b"na\xEFve \x80").to_string(), "naïve €");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WireStr<'a>(pub &'a [u8]);

/// The characters of Windows-1252 from 0x80 to 0x9F. The five unassigned codes map to control characters.
const HIGH_CHARACTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

impl<'a> WireStr<'a> {
    /// Iterates over the characters.
    pub fn chars(self) -> impl Iterator<Item = char> + 'a {
        self.0.iter().map(|&byte| match byte {
            0x80..=0x9F => HIGH_CHARACTERS[usize::from(byte - 0x80)],
            other => char::from(other),
        })
    }

    /// Reads a 16-bit length (0xFFFF announces a 32-bit length), the text, and padding to a multiple of four counted
    /// from the start of the string.
    pub(crate) fn read(reader: &mut Reader<'a>, field: &'static str) -> ReadResult<Self> {
        let start = reader.offset();
        let length = match reader.u16(field)? {
            LONG_LENGTH => reader.u32(field)? as usize,
            short => short.into(),
        };
        let text = reader.bytes(length, field)?;
        reader.bytes((reader.offset() - start).wrapping_neg() % 4, field)?;
        Ok(Self(text))
    }

    pub(crate) fn write(self, writer: &mut Writer<'_>) {
        let start = writer.offset();
        match u16::try_from(self.0.len()) {
            Ok(length) if length != LONG_LENGTH => writer.u16(length),
            _ => {
                writer.u16(LONG_LENGTH);
                writer.u32(self.0.len() as u32);
            }
        }
        writer.bytes(self.0);
        writer.bytes(&[0; 3][..(writer.offset() - start).wrapping_neg() % 4]);
    }
}

const LONG_LENGTH: u16 = 0xFFFF;

impl fmt::Display for WireStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| fmt::Write::write_char(f, c))
    }
}

impl fmt::Debug for WireStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

const PACKED_LONG: u16 = 0x8000;
/// The first number that the original servers write in the long form: class ids use 15 bits of the short form, data ids
/// only 14. Readers accept both forms.
const LONG_NUMBERS: u32 = 0x8000;
const LONG_IDS: u32 = 0x4000;

/// Reads a number of two bytes, or of four bytes with the upper half first and its top bit set.
pub(crate) fn read_packed(reader: &mut Reader<'_>, field: &'static str) -> ReadResult<u32> {
    match reader.u16(field)? {
        short if short & PACKED_LONG == 0 => Ok(short.into()),
        upper => Ok(u32::from(upper & !PACKED_LONG) << 16 | u32::from(reader.u16(field)?)),
    }
}

/// Reads a data id without its type, which is restored by adding `base`. It is packed like a number, but has at most 30
/// bits.
pub(crate) fn read_packed_id(reader: &mut Reader<'_>, base: u32, field: &'static str) -> ReadResult<u32> {
    Ok((read_packed(reader, field)? & 0x3FFF_FFFF).wrapping_add(base))
}

/// Writes a number in the form in which [`read_packed`] reads it. It has at most 31 bits.
pub(crate) fn write_packed(writer: &mut Writer<'_>, value: u32) {
    write_form(writer, value, value < LONG_NUMBERS);
}

/// Writes a data id in the form in which [`read_packed_id`] reads it. The short form is used only below 0x4000
/// (`docs/wire.md` §6).
pub(crate) fn write_packed_id(writer: &mut Writer<'_>, base: u32, id: u32) {
    let value = id.wrapping_sub(base);
    write_form(writer, value, value < LONG_IDS);
}

fn write_form(writer: &mut Writer<'_>, value: u32, is_short: bool) {
    if !is_short {
        writer.u16((value >> 16) as u16 | PACKED_LONG);
    }
    writer.u16(value as u16);
}

#[cfg(test)]
mod tests {
    use acmotion_types::Era;

    use super::{read_packed, read_packed_id, write_packed, write_packed_id};
    use crate::cursor::{Reader, Writer};
    use crate::testing::hex;

    const ICON: u32 = 0x0600_0000;

    fn written(write: impl Fn(&mut Writer<'_>)) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut Writer::new(&mut out));
        out
    }

    /// The limits are those of recorded messages: short class ids up to 0x7FAF and long ones from 0x800E, short data ids
    /// up to 0x3F77 and long ones from 0x4001.
    #[test]
    fn numbers_are_short_below_0x8000_and_data_ids_below_0x4000() {
        let number = |value| written(|writer| write_packed(writer, value));
        assert_eq!(number(0), hex("0000"));
        assert_eq!(number(0x7FFF), hex("ff7f"));
        assert_eq!(number(0x8000), hex("0080 0080"));
        assert_eq!(number(0x0001_2345), hex("0180 4523"));
        let id = |value| written(|writer| write_packed_id(writer, ICON, ICON + value));
        assert_eq!(id(0), hex("0000"));
        assert_eq!(id(0x3FFF), hex("ff3f"));
        assert_eq!(id(0x4000), hex("0080 0040"));
        assert_eq!(id(0x7FFF), hex("0080 ff7f"));
    }

    #[test]
    fn both_forms_are_read() {
        for (digits, value) in
            [("ff7f", 0x7FFF), ("0080 ff7f", 0x7FFF), ("0080 0100", 1), ("ffff ffff", 0x7FFF_FFFF)]
        {
            let bytes = hex(digits);
            let mut reader = Reader::new(&bytes, 0, Era::default());
            assert_eq!(read_packed(&mut reader, "n").unwrap(), value);
            assert!(reader.remaining().is_empty());
        }
        for (digits, value) in [("ff7f", 0x0600_7FFF), ("0080 0040", 0x0600_4000), ("ffff 0100", 0x45FF_0001)]
        {
            let bytes = hex(digits);
            let id = read_packed_id(&mut Reader::new(&bytes, 0, Era::default()), ICON, "id");
            assert_eq!(id.unwrap(), value, "an id has at most 30 bits");
        }
    }
}
