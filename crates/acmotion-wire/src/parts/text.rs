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

pub(crate) fn write_packed(writer: &mut Writer<'_>, value: u32) {
    match u16::try_from(value) {
        Ok(short) if short & PACKED_LONG == 0 => writer.u16(short),
        _ => {
            writer.u16((value >> 16) as u16 | PACKED_LONG);
            writer.u16(value as u16);
        }
    }
}
