//! JSON Lines: one message a line, as `{"t": 56.801316, "dir": "c2s", "hex": "b1f7…"}`.

use super::CaptureError;
use super::frame::Step;
use crate::Direction;

/// The longest line that is accepted.
const MAX_LINE: usize = 4 << 20;

/// Where the reading of lines stands.
#[derive(Default)]
pub(super) struct Jsonl {
    /// How much of the window is known to have no end of a line.
    scanned: usize,
    lines: u64,
}

/// One message, still in hex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Line<'a> {
    pub(super) time: f64,
    pub(super) direction: Direction,
    hex: &'a [u8],
    /// Column of the first digit.
    hex_column: usize,
}

impl Jsonl {
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<Step, CaptureError> {
        let fresh = window.get(self.scanned..).unwrap_or_default();
        if let Some(end) = fresh.iter().position(|&byte| byte == b'\n') {
            return Ok(Step::Line(self.scanned + end + 1));
        }
        if window.len() >= MAX_LINE {
            let (len, limit) = (window.len() as u64, MAX_LINE as u64);
            return Err(CaptureError::RecordTooLong { offset, len, limit });
        }
        self.scanned = window.len();
        Ok(Step::Need(window.len() + 1))
    }

    /// Reads one line and puts its bytes into `out`; `None` for a line with nothing on it.
    pub(super) fn read<'a>(
        &mut self,
        line: &'a [u8],
        out: &mut Vec<u8>,
    ) -> Result<Option<Line<'a>>, CaptureError> {
        self.scanned = 0;
        self.lines += 1;
        let result = parse(line).and_then(|found| {
            if let Some(found) = &found {
                unhex(found, out)?;
            }
            Ok(found)
        });
        result.map_err(|(column, what)| CaptureError::Line { line: self.lines, column, what })
    }
}

/// Column and what is wrong there.
type Problem = (usize, &'static str);

fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Problem> {
    let mut scan = Scan { line, at: 0 };
    if scan.peek().is_none() {
        return Ok(None);
    }
    let (mut time, mut direction, mut hex) = (None, None, None);
    scan.expect(b'{', "expected an object")?;
    while scan.peek() != Some(b'}') {
        let name = scan.string()?;
        scan.expect(b':', "expected a colon")?;
        scan.peek();
        let start = scan.at;
        let value = scan.value()?;
        match name {
            b"t" | b"time" => time = Some(number(value).ok_or((start + 1, "the time is not a number"))?),
            b"dir" | b"direction" => {
                direction = Some(way(value).ok_or((start + 1, "the direction is neither s2c nor c2s"))?);
            }
            b"hex" | b"raw_hex" => {
                hex = Some((quoted(value).ok_or((start + 1, "the bytes are not a string"))?, start + 2))
            }
            _ => {}
        }
        if scan.peek() != Some(b'}') {
            scan.expect(b',', "expected a comma or the end of the object")?;
        }
    }
    scan.at += 1;
    if scan.peek().is_some() {
        return Err((scan.at + 1, "something follows the object"));
    }
    let (hex, hex_column) = hex.ok_or((1, "no field \"hex\""))?;
    Ok(Some(Line {
        time: time.ok_or((1, "no field \"t\""))?,
        direction: direction.ok_or((1, "no field \"dir\""))?,
        hex,
        hex_column,
    }))
}

fn number(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    let plain = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    text.parse().ok().filter(|time: &f64| plain && time.is_finite())
}

fn way(value: &[u8]) -> Option<Direction> {
    let text = quoted(value)?;
    if text.eq_ignore_ascii_case(b"s2c") {
        Some(Direction::S2C)
    } else if text.eq_ignore_ascii_case(b"c2s") {
        Some(Direction::C2S)
    } else {
        None
    }
}

fn quoted(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

fn unhex(line: &Line<'_>, out: &mut Vec<u8>) -> Result<(), Problem> {
    let (pairs, odd) = line.hex.as_chunks::<2>();
    if !odd.is_empty() {
        return Err((line.hex_column, "an odd number of hex digits"));
    }
    out.clear();
    out.reserve(pairs.len());
    for (number, &[high, low]) in pairs.iter().enumerate() {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = digit(high).zip(digit(low)).map(|(high, low)| (high << 4 | low) as u8);
        out.push(byte.ok_or((line.hex_column + number * 2, "the bytes are not hex digits"))?);
    }
    Ok(())
}

/// A reading position in one line.
struct Scan<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    /// The next byte that is not white space, which is passed over.
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.line.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Problem> {
        if self.peek() != Some(byte) {
            return Err((self.at + 1, what));
        }
        self.at += 1;
        Ok(())
    }

    /// What is between the quotes; escapes stay as they are.
    fn string(&mut self) -> Result<&'a [u8], Problem> {
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
        Err((start, "the string does not end"))
    }

    /// A whole value as it stands, without looking closer at what is inside.
    fn value(&mut self) -> Result<&'a [u8], Problem> {
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
                None => return Err((start + 1, "the value does not end")),
            }
        }
        let value = self.line.get(start..self.at).unwrap_or_default().trim_ascii_end();
        if value.is_empty() { Err((start + 1, "expected a value")) } else { Ok(value) }
    }
}
