//! Text as shells write it: a byte order mark before UTF-8, and UTF-16, which `>` means in Windows PowerShell.

use std::io::{self, Cursor, Read};

const UTF8_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
const UTF16_MARKS: [[u8; 2]; 2] = [[0xFF, 0xFE], [0xFE, 0xFF]];
/// The number of bytes of UTF-16 that are read at a time.
const CHUNK: usize = 1 << 16;

/// Reads text as UTF-8 without a mark, and anything else unchanged.
pub(super) struct Utf8<R> {
    input: R,
    form: Form,
    /// What has been read of the input and not handed on.
    ready: Cursor<Vec<u8>>,
}

enum Form {
    /// The first bytes are still to be read.
    Unknown,
    Unchanged,
    Utf16(Utf16),
}

impl<R: Read> Utf8<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, form: Form::Unknown, ready: Cursor::default() }
    }

    /// Reads the first bytes, which tell the form.
    fn find_form(&mut self) -> io::Result<()> {
        let start = self.ready.get_mut();
        while start.len() < UTF8_MARK.len() {
            let mut more = [0; UTF8_MARK.len()];
            let wanted = UTF8_MARK.len() - start.len();
            match self.input.read(&mut more[..wanted])? {
                0 => break,
                count => start.extend_from_slice(&more[..count]),
            }
        }
        self.form = Form::Unchanged;
        if *start == UTF8_MARK {
            start.clear();
        } else if let Some(order) = UTF16_MARKS.iter().position(|mark| start.starts_with(mark)) {
            let mut text = Utf16 { is_big: order == 1, rest: Vec::new() };
            *start = text.decode(&start[UTF16_MARKS[order].len()..]);
            self.form = Form::Utf16(text);
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if matches!(self.form, Form::Unknown) {
            self.find_form()?;
        }
        while self.ready.position() == self.ready.get_ref().len() as u64 {
            let Form::Utf16(text) = &mut self.form else { return self.input.read(buffer) };
            let mut chunk = vec![0; CHUNK];
            let count = self.input.read(&mut chunk)?;
            let decoded = if count == 0 { text.finish() } else { text.decode(&chunk[..count]) };
            let is_end = count == 0 && decoded.is_empty();
            self.ready = Cursor::new(decoded);
            if is_end {
                return Ok(0);
            }
        }
        self.ready.read(buffer)
    }
}

/// Text in UTF-16, of which some has been read.
struct Utf16 {
    is_big: bool,
    /// Bytes that wait for those that follow: half a unit, or the first unit of a pair.
    rest: Vec<u8>,
}

impl Utf16 {
    /// Returns the text up to the last unit that is complete, as UTF-8.
    fn decode(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.rest.extend_from_slice(bytes);
        let unit = |pair: &[u8; 2]| {
            if self.is_big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }
        };
        let (pairs, half) = self.rest.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(unit).collect();
        // The second unit of a pair may be still to come.
        let is_first = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        units.truncate(units.len() - usize::from(is_first));
        let waiting = half.len() + 2 * usize::from(is_first);
        self.rest.drain(..self.rest.len() - waiting);
        String::from_utf16_lossy(&units).into_bytes()
    }

    /// Returns what stands for bytes at the end that are no text.
    fn finish(&mut self) -> Vec<u8> {
        if std::mem::take(&mut self.rest).is_empty() {
            return Vec::new();
        }
        String::from(char::REPLACEMENT_CHARACTER).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    fn read(bytes: &[u8], at_a_time: usize) -> Vec<u8> {
        let mut text = Vec::new();
        Utf8::new(Slow(bytes, at_a_time)).read_to_end(&mut text).unwrap();
        text
    }

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
    }

    #[test]
    fn text_of_any_form_is_read_as_utf8() {
        let text = "{\"name\":\"Ülgrim 日本 🗡\"}\r\n".repeat(3_000);
        let marked = [&UTF8_MARK, text.as_bytes()].concat();
        let forms =
            [text.clone().into(), marked, utf16(&text, u16::to_le_bytes), utf16(&text, u16::to_be_bytes)];
        for form in forms {
            for at_a_time in [1, 2, 3, 5, 1_000, 1 << 20] {
                assert!(read(&form, at_a_time) == text.as_bytes(), "{:?}, {at_a_time}", &form[..4]);
            }
        }
    }

    #[test]
    fn other_bytes_are_unchanged() {
        let bytes: Vec<u8> = (0..=255).collect();
        for start in [&b""[..], b"\xEF", b"\xEF\xBB", b"\xFF", b"\xD4\xC3\xB2\xA1", b"\xEF\xBB\xEF"] {
            let bytes = [start, &bytes].concat();
            for at_a_time in [1, 7, 1_000] {
                assert_eq!(read(&bytes, at_a_time), bytes);
            }
        }
        for short in [&b""[..], b"\xEF", b"\xFE", b"\xEF\xBB"] {
            assert_eq!(read(short, 10), short);
        }
        assert_eq!(read(&UTF8_MARK, 1), b"");
    }

    #[test]
    fn half_a_character_is_replaced() {
        let mut half = utf16("a🗡", u16::to_le_bytes);
        half.truncate(half.len() - 2);
        for bytes in [half.clone(), [half, vec![0x3D]].concat()] {
            for at_a_time in [1, 3, 100] {
                assert_eq!(String::from_utf8(read(&bytes, at_a_time)).unwrap(), "a\u{FFFD}");
            }
        }
        assert_eq!(read(&[0xFF, 0xFE, b'a'], 10), "\u{FFFD}".as_bytes());
    }
}
