//! JSON Lines: one message per line, as `{"t": 56.801316, "dir": "c2s", "hex": "b1f7…"}`.

use super::CaptureError;
use super::framing::ParseStep;
use crate::Direction;

/// The maximum length of a line, in bytes.
const MAX_LINE_SIZE: usize = 4 << 20;

/// The state of reading lines.
#[derive(Default)]
pub(super) struct Jsonl {
    /// The number of bytes at the start of the window that are known to contain no line end.
    scanned: usize,
    lines: u64,
}

/// A message whose bytes are still in hexadecimal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MessageLine<'a> {
    pub(super) time: f64,
    pub(super) direction: Direction,
    hex: &'a [u8],
    /// The column of the first hexadecimal digit.
    hex_column: usize,
}

impl Jsonl {
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<ParseStep, CaptureError> {
        let fresh = window.get(self.scanned..).unwrap_or_default();
        if let Some(end) = fresh.iter().position(|&byte| byte == b'\n') {
            return Ok(ParseStep::Line(self.scanned + end + 1));
        }
        if window.len() > MAX_LINE_SIZE {
            let (len, limit) = (window.len() as u64, MAX_LINE_SIZE as u64);
            return Err(CaptureError::RecordTooLong { offset, len, limit });
        }
        self.scanned = window.len();
        Ok(ParseStep::Need(window.len() + 1))
    }

    /// Parses a line and writes the bytes of its message to `out`. Returns `None` for an empty line.
    pub(super) fn read<'a>(
        &mut self,
        line: &'a [u8],
        out: &mut Vec<u8>,
    ) -> Result<Option<MessageLine<'a>>, CaptureError> {
        self.scanned = 0;
        self.lines += 1;
        let result = parse_line(line).and_then(|found| {
            if let Some(found) = &found {
                decode_hex(found, out)?;
            }
            Ok(found)
        });
        result.map_err(|(column, what)| CaptureError::InvalidLine { line: self.lines, column, what })
    }
}

/// The column of an error, and its description.
type LineProblem = (usize, &'static str);

fn parse_line(line: &[u8]) -> Result<Option<MessageLine<'_>>, LineProblem> {
    let mut scanner = LineScanner { line, at: 0 };
    if scanner.peek().is_none() {
        return Ok(None);
    }
    let (mut time, mut direction, mut hex) = (None, None, None);
    scanner.expect(b'{', "expected an object")?;
    while scanner.peek() != Some(b'}') {
        let name = scanner.string()?;
        scanner.expect(b':', "expected a colon")?;
        scanner.peek();
        let start = scanner.at;
        let value = scanner.value()?;
        match name {
            b"t" | b"time" => time = Some(parse_time(value).ok_or((start + 1, "the time is not a number"))?),
            b"dir" | b"direction" => {
                direction =
                    Some(parse_direction(value).ok_or((start + 1, "the direction is neither s2c nor c2s"))?);
            }
            b"hex" | b"raw_hex" => {
                hex = Some((unquote(value).ok_or((start + 1, "the bytes are not a string"))?, start + 2))
            }
            _ => {}
        }
        if scanner.peek() != Some(b'}') {
            scanner.expect(b',', "expected a comma or the end of the object")?;
        }
    }
    scanner.at += 1;
    if scanner.peek().is_some() {
        return Err((scanner.at + 1, "unexpected text after the object"));
    }
    let (hex, hex_column) = hex.ok_or((1, "missing field \"hex\""))?;
    Ok(Some(MessageLine {
        time: time.ok_or((1, "missing field \"t\""))?,
        direction: direction.ok_or((1, "missing field \"dir\""))?,
        hex,
        hex_column,
    }))
}

fn parse_time(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    let plain = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    text.parse().ok().filter(|time: &f64| plain && time.is_finite())
}

fn parse_direction(value: &[u8]) -> Option<Direction> {
    let text = unquote(value)?;
    if text.eq_ignore_ascii_case(b"s2c") {
        Some(Direction::S2C)
    } else if text.eq_ignore_ascii_case(b"c2s") {
        Some(Direction::C2S)
    } else {
        None
    }
}

fn unquote(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

fn decode_hex(line: &MessageLine<'_>, out: &mut Vec<u8>) -> Result<(), LineProblem> {
    let (pairs, odd) = line.hex.as_chunks::<2>();
    if !odd.is_empty() {
        return Err((line.hex_column, "an odd number of hex digits"));
    }
    out.clear();
    out.reserve(pairs.len());
    for (number, &[high, low]) in pairs.iter().enumerate() {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = digit(high).zip(digit(low)).map(|(high, low)| (high << 4 | low) as u8);
        out.push(byte.ok_or((line.hex_column + number * 2, "expected hexadecimal digits"))?);
    }
    Ok(())
}

/// Splits a line into JSON tokens.
struct LineScanner<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> LineScanner<'a> {
    /// Skips whitespace and returns the next byte without consuming it, or `None` at the end of the line.
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.line.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), LineProblem> {
        if self.peek() != Some(byte) {
            return Err((self.at + 1, what));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a string and returns the bytes between the quotes. Escapes are not decoded.
    fn string(&mut self) -> Result<&'a [u8], LineProblem> {
        self.expect(b'"', "expected a string")?;
        let start = self.at;
        while let Some(byte) = self.line.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(self.line.get(start..self.at - 1).unwrap_or_default());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        Err((start, "the string is not closed"))
    }

    /// Reads a value and returns its bytes. The contents of arrays and objects are not validated.
    fn value(&mut self) -> Result<&'a [u8], LineProblem> {
        let mut depth = 0_usize;
        self.peek();
        let start = self.at;
        loop {
            match self.line.get(self.at) {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b'}' | b']') if depth == 0 => break,
                Some(_) => self.at += 1,
                None => return Err((start + 1, "the value is incomplete")),
            }
        }
        let value = self.line.get(start..self.at).unwrap_or_default().trim_ascii_end();
        if value.is_empty() { Err((start + 1, "expected a value")) } else { Ok(value) }
    }
}
