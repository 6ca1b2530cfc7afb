//! `acmotion decode`: prints the messages of a capture, one per line.

mod character;
mod describe;
mod summary;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use acmotion_types::Guid;
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureError, CaptureReader, GameMessage};
use acmotion_wire::json::{Decoded, write_decoded};
use anyhow::{Context as _, bail};
use clap::Args;

use crate::input::{EraName, input_name, is_standard_input, open_capture, parse_hex};
use crate::numbers::{Line, push_time};
use crate::output::{Failed, Out, note, warn};
use describe::{Description, Names, with_decoded};
use summary::Tally;

/// Decode the messages of a capture.
///
/// Reads pcap files, pcapng files and JSON Lines of {t, dir, hex}. `-` reads standard input and prints messages as they
/// arrive. Each message is a line of text, or a JSON object with --json. Only messages about movement are printed, unless
/// --all is given.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion decode login.pcap --guid 0x50000001
  tcpdump -U -w - udp | acmotion decode -
  acmotion decode --hex 46F7000001000050")]
pub(crate) struct Arguments {
    /// A capture, or `-` for standard input.
    #[arg(required_unless_present = "hex", conflicts_with = "hex")]
    file: Option<PathBuf>,
    /// Decode this single message instead; it starts with its opcode.
    #[arg(long, value_name = "HEX")]
    hex: Option<String>,
    /// With --hex: the message was sent by the client.
    #[arg(long, requires = "hex")]
    c2s: bool,
    /// Also print messages that are not about movement, such as those about attributes, combat and items.
    #[arg(long)]
    all: bool,
    /// Print only messages about this object; can be given more than once.
    #[arg(long, value_name = "GUID", value_parser = parse_guid)]
    guid: Vec<Guid>,
    /// Print only messages with this opcode, event, action or name; can be given more than once.
    #[arg(long, value_name = "OPCODE")]
    opcode: Vec<Opcode>,
    /// Print only messages from this time on: seconds on the capture's clock, or +SECONDS after its first message.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<CaptureTime>,
    /// Print only messages up to this time.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<CaptureTime>,
    /// The client version that defines the numbers of motion commands.
    #[arg(long, default_value = "retail", value_enum)]
    era: EraName,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

fn parse_guid(text: &str) -> Result<Guid, String> {
    parse_hex(text).map(Guid)
}

/// A kind of message, by number or by name.
#[derive(Clone)]
enum Opcode {
    Number(u32),
    Name(String),
}

impl FromStr for Opcode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(parse_hex(text).map_or_else(|_| Self::Name(text.into()), Self::Number))
    }
}

/// A time in a capture, in seconds.
#[derive(Clone, Copy)]
enum CaptureTime {
    /// On the capture's clock.
    Absolute(f64),
    /// After the first message.
    Relative(f64),
}

impl FromStr for CaptureTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seconds, is_relative) = text.strip_prefix('+').map_or((text, false), |rest| (rest, true));
        match seconds.parse::<f64>() {
            Ok(seconds) if !seconds.is_finite() => Err(format!("`{text}` is not a finite time in seconds")),
            Ok(seconds) if is_relative => Ok(Self::Relative(seconds)),
            Ok(seconds) => Ok(Self::Absolute(seconds)),
            Err(_) => {
                Err(format!("`{text}` is not a time in seconds; expected a number such as 12.5 or +12.5"))
            }
        }
    }
}

impl CaptureTime {
    /// Returns the time on the clock of a capture whose first message is at `start`.
    fn on_clock(self, start: f64) -> f64 {
        match self {
            Self::Absolute(time) => time,
            Self::Relative(seconds) => start + seconds,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if let Some(hex) = &arguments.hex {
        return decode_hex(arguments, hex, out);
    }
    match arguments.file.as_deref() {
        Some(path) => decode_capture(arguments, path, out),
        None => bail!("no capture given"),
    }
}

fn decode_hex(arguments: &Arguments, hex: &str, out: &mut Out) -> anyhow::Result<()> {
    let bytes = parse_hex_bytes(hex)?;
    let direction = if arguments.c2s { Direction::C2S } else { Direction::S2C };
    with_decoded(direction, &bytes, arguments.era.into(), |decoded| {
        if arguments.json {
            let mut line = Vec::new();
            write_decoded(&mut line, 0.0, &bytes, decoded, true);
            line.push(b'\n');
            out.bytes(&line)?;
        } else {
            let (mut line, mut names) = (Line::default(), Names::default());
            names.learn(decoded);
            let message = Description::new(&bytes, decoded);
            put_column(&mut line, message.name, NAME_WIDTH);
            message.put_text(&mut line, &names);
            line.push_str("\n");
            out.bytes(line.as_bytes())?;
        }
        if matches!(decoded, Decoded::Undecodable(..)) { Err(Failed.into()) } else { Ok(()) }
    })
}

fn parse_hex_bytes(text: &str) -> anyhow::Result<Vec<u8>> {
    let digits: Vec<u8> =
        text.trim_start_matches("0x").bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let nibble = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .with_context(|| format!("`{}` is not a hexadecimal digit", char::from(digit)))
    };
    if !digits.len().is_multiple_of(2) {
        bail!("found {} hexadecimal digits; an even number is expected, two per byte", digits.len());
    }
    digits.chunks(2).map(|pair| Ok((nibble(pair[0])? << 4 | nibble(pair[1])?) as u8)).collect()
}

fn decode_capture(arguments: &Arguments, path: &Path, out: &mut Out) -> anyhow::Result<()> {
    let mut reader = CaptureReader::new(open_capture(path)?);
    let mut printer = Printer::new(arguments);
    let is_live = is_standard_input(path);
    while let Some(next) = reader.next_message() {
        match next {
            Ok(message) => printer.message(&message, out)?,
            Err(error @ (CaptureError::NotACapture { .. } | CaptureError::Empty)) => {
                return Err(error).with_context(|| input_name(path));
            }
            Err(error) => {
                printer.tally.add_error();
                warn(format_args!("{}: {error}", input_name(path)));
            }
        }
        if is_live {
            out.finish()?;
        }
    }
    out.finish()?;
    let summary = reader.summary();
    note(printer.tally.report(&summary).trim_end());
    if printer.tally.has_errors() { Err(Failed.into()) } else { Ok(()) }
}

/// Decodes all messages of a capture in memory, and returns the length of their lines in bytes.
pub(crate) fn decode_in_memory(capture: &[u8], json: bool) -> usize {
    let arguments = Arguments {
        file: None,
        hex: None,
        c2s: false,
        all: true,
        guid: Vec::new(),
        opcode: Vec::new(),
        from: None,
        to: None,
        era: EraName::Retail,
        json,
    };
    let mut printer = Printer::new(&arguments);
    let (mut reader, mut len) = (CaptureReader::from_slice(capture), 0);
    while let Some(next) = reader.next_message() {
        let line = next.ok().and_then(|message| printer.write_line(&message));
        len += line.map_or(0, <[u8]>::len);
    }
    len
}

/// Times above this, in seconds, are counted from 1970 and are printed relative to the first message.
const MIN_CALENDAR_TIME: f64 = 1e8;
/// The widths of the columns of objects and names, in characters.
const OBJECT_WIDTH: usize = 31;
const NAME_WIDTH: usize = 20;

struct Printer<'a> {
    arguments: &'a Arguments,
    tally: Tally,
    names: Names,
    /// The time of the first message.
    start: Option<f64>,
    /// Buffers for the current line, as text and as JSON, with its line feed.
    text: Line,
    json: Vec<u8>,
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments) -> Self {
        Self {
            arguments,
            tally: Tally::default(),
            names: Names::default(),
            start: None,
            text: Line::default(),
            json: Vec::new(),
        }
    }

    /// Prints a message if it is selected.
    fn message(&mut self, message: &GameMessage<'_>, out: &mut Out) -> anyhow::Result<()> {
        match self.write_line(message) {
            Some(line) => out.bytes(line),
            None => Ok(()),
        }
    }

    /// Counts a message and returns its line; `None` if the message is not selected.
    fn write_line(&mut self, message: &GameMessage<'_>) -> Option<&[u8]> {
        let start = *self.start.get_or_insert(message.time);
        if !self.is_in_time(message.time, start) {
            return None;
        }
        let Arguments { all, json, .. } = *self.arguments;
        let GameMessage { time, direction, bytes, .. } = *message;
        let is_written = with_decoded(direction, bytes, self.arguments.era.into(), |decoded| {
            if !json {
                self.names.learn(decoded);
            }
            let described = Description::new(bytes, decoded);
            if !(described.is_movement || all) || !self.is_selected(&described) {
                return false;
            }
            self.tally.add_message(&described);
            if json {
                self.json.clear();
                return write_decoded(&mut self.json, time, bytes, decoded, all);
            }
            self.write_text(start, message, &described);
            true
        });
        if !is_written {
            return None;
        }
        if json {
            self.json.push(b'\n');
            return Some(&self.json);
        }
        self.text.push_str("\n");
        Some(self.text.as_bytes())
    }

    /// Replaces the current line of text with that of a message: its time, direction, object, name and description. Names
    /// of objects are the only text from outside, and control characters are left out of them or escaped.
    fn write_text(&mut self, start: f64, message: &GameMessage<'_>, described: &Description<'_, '_>) {
        let line = &mut self.text;
        line.clear();
        if start > MIN_CALENDAR_TIME {
            push_time(line, message.time - start, true);
        } else {
            push_time(line, message.time, false);
        }
        line.push_str(match message.direction {
            Direction::S2C => "  S2C  ",
            Direction::C2S => "  C2S  ",
        });
        let used = self.names.put_label(line, described.guid);
        line.push_spaces((OBJECT_WIDTH + 1).saturating_sub(used).max(1));
        put_column(line, described.name, NAME_WIDTH);
        described.put_text(line, &self.names);
    }

    fn is_in_time(&self, time: f64, start: f64) -> bool {
        let (from, to) = (self.arguments.from, self.arguments.to);
        from.is_none_or(|from| time >= from.on_clock(start)) && to.is_none_or(|to| time <= to.on_clock(start))
    }

    /// Returns `true` if the message passes `--guid` and `--opcode`.
    fn is_selected(&self, message: &Description<'_, '_>) -> bool {
        let (guids, opcodes) = (&self.arguments.guid, &self.arguments.opcode);
        let matches = |opcode: &Opcode| match opcode {
            Opcode::Number(number) => Some(*number) == message.opcode || Some(*number) == message.sub_opcode,
            Opcode::Name(name) => name.eq_ignore_ascii_case(message.name),
        };
        (guids.is_empty() || message.guid.is_some_and(|guid| guids.contains(&guid)))
            && (opcodes.is_empty() || opcodes.iter().any(matches))
    }
}

/// Appends an ASCII text and spaces up to the next column.
fn put_column(line: &mut Line, text: &str, width: usize) {
    line.push_str(text);
    line.push_spaces((width + 1).saturating_sub(text.len()).max(1));
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// A long capture must not allocate for each message.
    #[test]
    fn steady_decoding_does_not_allocate() {
        for options in [&["acmotion", "-"][..], &["acmotion", "-", "--json"]] {
            let command = Command::try_parse_from(options).unwrap();
            let mut printer = Printer::new(&command.arguments);
            let mut print_all = |time: f64| {
                for (_, bytes) in crate::bench::MESSAGES {
                    let message = GameMessage {
                        time,
                        direction: Direction::S2C,
                        session: 1,
                        queue: 0,
                        record: 1,
                        bytes,
                    };
                    assert!(printer.write_line(&message).is_some());
                }
            };
            print_all(1234.5678);
            let steady = allocation_counter::measure(|| (0..100).for_each(|time| print_all(f64::from(time))));
            assert_eq!(steady.count_total, 0, "{options:?}");
        }
    }

    /// Reading, decoding and writing: what is allocated does not depend on the number of messages.
    #[test]
    fn decoding_a_capture_does_not_allocate_for_each_message() {
        let allocations = |messages: usize, json: bool| {
            let capture = crate::bench::capture(messages).unwrap();
            let mut len = 0;
            let counted = allocation_counter::measure(|| len = decode_in_memory(&capture, json));
            assert!(len > 60 * messages, "{len} bytes");
            counted.count_total
        };
        for json in [false, true] {
            let few = allocations(100, json);
            assert!(few < 100, "{few}");
            assert_eq!(allocations(10_000, json), few, "json: {json}");
        }
    }
}
