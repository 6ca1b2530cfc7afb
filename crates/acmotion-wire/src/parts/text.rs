//! Strings and packed numbers (`docs/wire.md` §1.5).

use std::fmt;

use crate::cursor::{Read, Reader, Writer};

/// Text as it is on the wire: one byte a character, in the Windows-1252 code page.
///
/// ```
/// use acmotion_wire::WireStr;
///
/// assert_eq!(WireStr(b"na\xEFve \x80").to_string(), "naïve €");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WireStr<'a>(pub &'a [u8]);

/// What Windows-1252 has at 0x80 to 0x9F; its five holes stay control characters.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

impl<'a> WireStr<'a> {
    /// The characters.
    pub fn chars(self) -> impl Iterator<Item = char> + 'a {
        self.0.iter().map(|&byte| match byte {
            0x80..=0x9F => UPPER[usize::from(byte - 0x80)],
            other => char::from(other),
        })
    }

    /// A length of 16 bits, or of 32 behind an 0xFFFF; then the text; then padding to a multiple of four.
    pub(crate) fn read(reader: &mut Reader<'a>, field: &'static str) -> Read<Self> {
        let start = reader.offset();
        let length = match reader.u16(field)? {
            LONG => reader.u32(field)? as usize,
            short => short.into(),
        };
        let text = reader.bytes(length, field)?;
        reader.bytes((reader.offset() - start).wrapping_neg() % 4, field)?;
        Ok(Self(text))
    }

    pub(crate) fn write(self, writer: &mut Writer<'_>) {
        let start = writer.offset();
        match u16::try_from(self.0.len()) {
            Ok(length) if length != LONG => writer.u16(length),
            _ => {
                writer.u16(LONG);
                writer.u32(self.0.len() as u32);
            }
        }
        writer.bytes(self.0);
        writer.bytes(&[0; 3][..(writer.offset() - start).wrapping_neg() % 4]);
    }
}

const LONG: u16 = 0xFFFF;

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

/// A number in two bytes, or in four with the upper half first and its top bit set.
pub(crate) fn read_packed(reader: &mut Reader<'_>, field: &'static str) -> Read<u32> {
    match reader.u16(field)? {
        short if short & PACKED_LONG == 0 => Ok(short.into()),
        upper => Ok(u32::from(upper & !PACKED_LONG) << 16 | u32::from(reader.u16(field)?)),
    }
}

/// A data id without its type, which `base` gives back; packed like any number, but with 30 bits at most.
pub(crate) fn read_packed_id(reader: &mut Reader<'_>, base: u32, field: &'static str) -> Read<u32> {
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
