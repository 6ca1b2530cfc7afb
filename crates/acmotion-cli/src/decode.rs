//! `acmotion decode`: prints the messages of a capture, one per line.

mod character;
mod describe;
mod summary;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use acmotion_types::{Era, Guid};
use acmotion_wire::capture::{CaptureError, CaptureReader, GameMessage};
use acmotion_wire::json::write_message;
use acmotion_wire::{Direction, decode_c2s, decode_s2c};
use anyhow::{Context as _, bail};
use clap::Args;

use crate::input::{EraName, input_name, is_standard_input, open_capture, parse_hex};
use crate::numbers::push_fixed;
use crate::output::{Failed, Out, note, warn};
use describe::{Description, Names};
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
    let era = arguments.era.into();
    if arguments.json {
        let mut line = Vec::new();
        if write_message(&mut line, 0.0, direction, &bytes, era, true) {
            out.json_line(&line)?;
        }
    } else {
        let mut names = Names::default();
        let message = Description::new(direction, &bytes, era, &mut names);
        let mut line = format!("{:<20} ", message.name);
        message.put_text(&mut line, &names);
        out.text_line(&line)?;
    }
    let is_error =
        if arguments.c2s { decode_c2s(&bytes, era).is_err() } else { decode_s2c(&bytes, era).is_err() };
    if is_error { Err(Failed.into()) } else { Ok(()) }
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

/// Times above this, in seconds, are counted from 1970 and are printed relative to the first message.
const MIN_CALENDAR_TIME: f64 = 1e8;
/// The width of the column of times, in characters, and of those of objects and names.
const TIME_WIDTH: usize = 10;
const OBJECT_WIDTH: usize = 31;
const NAME_WIDTH: usize = 20;

struct Printer<'a> {
    arguments: &'a Arguments,
    tally: Tally,
    names: Names,
    /// The time of the first message.
    start: Option<f64>,
    /// Buffers for the current line, as text and as JSON.
    text: String,
    json: Vec<u8>,
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments) -> Self {
        Self {
            arguments,
            tally: Tally::default(),
            names: Names::default(),
            start: None,
            text: String::new(),
            json: Vec::new(),
        }
    }

    /// Prints a message if it is selected.
    fn message(&mut self, message: &GameMessage<'_>, out: &mut Out) -> anyhow::Result<()> {
        match self.write_line(message) {
            false => Ok(()),
            true if self.arguments.json => out.json_line(&self.json),
            true => out.text_line(&self.text),
        }
    }

    /// Counts a message and replaces the current line with its line. Returns `false` if the message is not selected.
    fn write_line(&mut self, message: &GameMessage<'_>) -> bool {
        let start = *self.start.get_or_insert(message.time);
        if !self.is_in_time(message.time, start) {
            return false;
        }
        let Arguments { all, json, .. } = *self.arguments;
        let era: Era = self.arguments.era.into();
        let GameMessage { time, direction, bytes, .. } = *message;
        let described = Description::new(direction, bytes, era, &mut self.names);
        if !(described.is_movement || all) || !self.is_selected(&described) {
            return false;
        }
        self.tally.add_message(&described);
        if json {
            self.json.clear();
            return write_message(&mut self.json, time, direction, bytes, era, all);
        }
        self.write_text(start, message, &described);
        true
    }

    /// Replaces the current line of text with that of a message: its time, direction, object, name and description.
    fn write_text(&mut self, start: f64, message: &GameMessage<'_>, described: &Description<'_>) {
        let line = &mut self.text;
        line.clear();
        if start > MIN_CALENDAR_TIME {
            line.push('+');
            push_fixed(line, message.time - start, 3);
        } else {
            push_fixed(line, message.time, 3);
        }
        line.insert_str(0, &SPACES[..TIME_WIDTH.saturating_sub(line.len())]);
        line.push_str("  ");
        line.push_str(message.direction.name());
        line.push_str("  ");
        let column = line.len();
        self.names.put_label(line, described.guid);
        pad(line, column, OBJECT_WIDTH);
        line.push(' ');
        let column = line.len();
        line.push_str(described.name);
        pad(line, column, NAME_WIDTH);
        line.push(' ');
        described.put_text(line, &self.names);
    }

    fn is_in_time(&self, time: f64, start: f64) -> bool {
        let (from, to) = (self.arguments.from, self.arguments.to);
        from.is_none_or(|from| time >= from.on_clock(start)) && to.is_none_or(|to| time <= to.on_clock(start))
    }

    /// Returns `true` if the message passes `--guid` and `--opcode`.
    fn is_selected(&self, message: &Description<'_>) -> bool {
        let (guids, opcodes) = (&self.arguments.guid, &self.arguments.opcode);
        let matches = |opcode: &Opcode| match opcode {
            Opcode::Number(number) => Some(*number) == message.opcode || Some(*number) == message.sub_opcode,
            Opcode::Name(name) => name.eq_ignore_ascii_case(message.name),
        };
        (guids.is_empty() || message.guid.is_some_and(|guid| guids.contains(&guid)))
            && (opcodes.is_empty() || opcodes.iter().any(matches))
    }
}

const SPACES: &str = "                                ";

/// Fills the column that starts at a byte of the line with spaces.
fn pad(line: &mut String, column: usize, width: usize) {
    let used = line[column..].chars().count();
    line.push_str(&SPACES[..width.saturating_sub(used)]);
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
                    assert!(printer.write_line(&message));
                }
            };
            print_all(1234.5678);
            let steady = allocation_counter::measure(|| (0..100).for_each(|time| print_all(f64::from(time))));
            assert_eq!(steady.count_total, 0, "{options:?}");
        }
    }
}
