//! `acmotion decode`: prints the messages of captures, one per line.

mod annotate;
mod character;
mod describe;
mod selection;
mod summary;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use acmotion_types::Guid;
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureError, CaptureItem, CaptureReader, GameMessage, MIN_CALENDAR_TIME};
use acmotion_wire::json::{Decoded, write_decoded};
use anyhow::{Context as _, bail};
use clap::Args;

use crate::captures::{self, CaptureFile, Damage, ReadProgress};
use crate::input::{EraName, is_standard_input, parse_guid};
use crate::names::Named;
use crate::numbers::{Line, push_time};
use crate::output::{Failed, Out, OutFile, error_text, is_closed_pipe, note, warn};
use annotate::Annotated;
use describe::{Description, Names, with_decoded};
use selection::{CaptureTime, Filter, Opcode, Selection, opcode_names};
use summary::Tally;

/// Decode the messages of captures.
///
/// Reads pcap files, pcapng files and JSON Lines of {t, dir, hex}, plain, as .gz or .zst or in .zip archives, and folders of
/// them. `-` reads standard input and prints messages as they arrive. Each message is a line of text, or a JSON object with
/// --json. Only messages about movement are printed, unless --all is given. If there are several captures, the messages of
/// each follow a line with its name; JSON objects have the name in the field `file`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion decode login.pcap --guid 0x50000001
  acmotion decode captures/ --filter opcode=UpdatePosition,from=+60,to=+120 --json
  acmotion decode login.pcap --annotate login.pcapng
  tcpdump -U -w - udp | acmotion decode -
  acmotion decode --hex 46F7000001000050")]
pub(crate) struct Arguments {
    /// Captures, folders and zip archives, or `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "hex", conflicts_with = "hex")]
    files: Vec<PathBuf>,
    /// Decode this single message instead; it starts with its opcode.
    #[arg(long, value_name = "HEX")]
    hex: Option<String>,
    /// With --hex: the message was sent by the client.
    // `requires` has no effect beside what excludes the option that is required.
    #[arg(long, requires = "hex", conflicts_with = "files")]
    c2s: bool,
    /// Also print messages that are not about movement, such as those about attributes, combat and items.
    #[arg(long)]
    all: bool,
    /// Print only messages about this object. Can be given more than once.
    #[arg(long, value_name = "GUID", value_parser = parse_guid)]
    guid: Vec<Guid>,
    /// Print only messages of this kind: a name such as UpdatePosition, or the hexadecimal opcode of a message, game event or
    /// game action. Can be given more than once.
    #[arg(long, value_name = "OPCODE", hide_possible_values = true)]
    #[arg(value_parser = Named::new(str::parse::<Opcode>, opcode_names))]
    opcode: Vec<Opcode>,
    /// Print only messages from this time on: seconds on the capture's clock, or +SECONDS after its first message.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<CaptureTime>,
    /// Print only messages up to this time.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<CaptureTime>,
    /// These conditions in one option: guid=GUID, opcode=OPCODE, from=TIME and to=TIME, separated by commas. Can be given more
    /// than once.
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',')]
    filter: Vec<Filter>,
    /// The client version of the capture: it decides which numbers stand for which motion commands.
    #[arg(long, default_value = "retail", value_enum)]
    era: EraName,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
    /// Print nothing, and write all packets of the capture to this pcapng file instead, each with the messages that it
    /// completes as comments. Wireshark and tshark show and filter them as `frame.comment`. For messages of JSON Lines, packets
    /// are made up.
    #[arg(long, value_name = "OUT.pcapng", conflicts_with_all = ["json", "hex", "out"])]
    annotate: Option<PathBuf>,
}

impl Arguments {
    /// Returns the messages to print: those of the single options and of --filter together.
    fn selection(&self) -> Selection {
        let options = Selection {
            guids: self.guid.clone(),
            opcodes: self.opcode.clone(),
            from: self.from,
            to: self.to,
        };
        options.with_filters(&self.filter)
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, arguments.files.iter().any(|file| is_standard_input(file)))?;
    if let Some(hex) = &arguments.hex {
        return decode_hex(arguments, hex, out);
    }
    let (found, begun) = (captures::find(&arguments.files)?, Instant::now());
    let result = match &found.captures[..] {
        [capture] => decode_capture(arguments, capture, None, out),
        several if arguments.annotate.is_some() => {
            bail!("found {} captures; --annotate takes one", several.len())
        }
        several => decode_captures(arguments, several, out),
    };
    let sizes: Option<Vec<u64>> = found.captures.iter().map(|capture| capture.size).collect();
    if let Some(sizes) = sizes.filter(|_| begun.elapsed() > LONG) {
        note(captures::effort(sizes.iter().sum(), begun.elapsed()));
    }
    result
}

/// The time from which on it is said how much was read, in which time and with how much memory.
const LONG: Duration = Duration::from_secs(1);

/// Decodes captures one after the other. One that cannot be read does not stop the others.
fn decode_captures(arguments: &Arguments, captures: &[CaptureFile], out: &mut Out) -> anyhow::Result<()> {
    let mut has_failed = false;
    for capture in captures {
        let name = capture.name();
        if !arguments.json {
            out.line(format_args!("{name}:"))?;
        }
        match decode_capture(arguments, capture, Some(&name), out) {
            Err(error) if is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                has_failed = true;
                if !error.is::<Failed>() {
                    warn(error_text(&error));
                }
            }
            Ok(()) => {}
        }
    }
    if has_failed { Err(Failed.into()) } else { Ok(()) }
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

/// Decodes a capture. `name` is given if it is one of several.
fn decode_capture(
    arguments: &Arguments,
    capture: &CaptureFile,
    name: Option<&str>,
    out: &mut Out,
) -> anyhow::Result<()> {
    let mut progress = ReadProgress::new(capture, "decoding", true);
    let input = capture.open(progress.counter()).with_context(|| capture.name())?;
    let mut reader = CaptureReader::new(input);
    let mut printer = Printer::new(arguments, name);
    let (mut damage, is_live) = (Damage::new(capture), capture.is_standard_input());
    let path = arguments.annotate.as_deref();
    let mut annotated = path.map(|path| Annotated::create(path, capture)).transpose()?;
    loop {
        let next = match &mut annotated {
            None => reader.next_message(),
            Some(annotated) => match reader.next_item() {
                Some(Ok(CaptureItem::Packet(packet))) => {
                    annotated.packet(&packet)?;
                    continue;
                }
                Some(Ok(CaptureItem::Message(message))) => Some(Ok(message)),
                Some(Err(error)) => Some(Err(error)),
                None => None,
            },
        };
        let Some(next) = next else { break };
        progress.message();
        match (next, &mut annotated) {
            (Ok(message), None) => printer.message(&message, out)?,
            (Ok(message), Some(annotated)) => annotated.message(&message, printer.write_line(&message))?,
            (Err(error @ (CaptureError::NotACapture { .. } | CaptureError::Empty)), _) => {
                return Err(error).with_context(|| capture.name());
            }
            (Err(error), _) => {
                printer.tally.add_error();
                damage.add(error);
            }
        }
        if is_live {
            out.flush()?;
        }
    }
    drop(progress);
    out.flush()?;
    annotated.map_or(Ok(()), Annotated::finish)?;
    damage.finish();
    let summary = reader.summary();
    if let Some(name) = name {
        note(format_args!("{name}:"));
    }
    note(printer.tally.report(&summary).trim_end());
    if printer.tally.has_errors() { Err(Failed.into()) } else { Ok(()) }
}

/// Decodes all messages of a capture in memory, and returns the length of their lines in bytes.
pub(crate) fn decode_in_memory(capture: &[u8], json: bool) -> usize {
    let arguments = Arguments {
        files: Vec::new(),
        hex: None,
        c2s: false,
        all: true,
        guid: Vec::new(),
        opcode: Vec::new(),
        from: None,
        to: None,
        filter: Vec::new(),
        era: EraName::Retail,
        json,
        out_file: OutFile::default(),
        annotate: None,
    };
    let mut printer = Printer::new(&arguments, None);
    let (mut reader, mut len) = (CaptureReader::from_slice(capture), 0);
    while let Some(next) = reader.next_message() {
        let line = next.ok().and_then(|message| printer.write_line(&message));
        len += line.map_or(0, <[u8]>::len);
    }
    len
}

/// The widths of the columns of objects and names, in characters.
const OBJECT_WIDTH: usize = 31;
const NAME_WIDTH: usize = 20;

struct Printer<'a> {
    arguments: &'a Arguments,
    selection: Selection,
    /// The start of each JSON object, with the name of the capture if it is one of several.
    json_start: Vec<u8>,
    tally: Tally,
    names: Names,
    /// The time of the first message.
    start: Option<f64>,
    /// Buffers for the current line, as text and as JSON, with its line feed.
    text: Line,
    json: Vec<u8>,
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments, name: Option<&str>) -> Self {
        let start = name.map(|name| format!("{{\"file\":{},", serde_json::Value::from(name)));
        Self {
            arguments,
            selection: arguments.selection(),
            json_start: start.unwrap_or_default().into_bytes(),
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

    /// Counts a message and returns its line, or the text of its comment; `None` if the message is not selected.
    fn write_line(&mut self, message: &GameMessage<'_>) -> Option<&[u8]> {
        let start = *self.start.get_or_insert(message.time);
        let Arguments { all, json, .. } = *self.arguments;
        let is_comment = self.arguments.annotate.is_some();
        let GameMessage { time, direction, bytes, .. } = *message;
        if !self.selection.has_time(time, start) {
            // Later messages are about objects that were created before.
            if !json && Names::are_told_by(bytes) {
                let names = &mut self.names;
                with_decoded(direction, bytes, self.arguments.era.into(), |decoded| names.learn(decoded));
            }
            return None;
        }
        let is_written = with_decoded(direction, bytes, self.arguments.era.into(), |decoded| {
            if !json {
                self.names.learn(decoded);
            }
            let described = Description::new(bytes, decoded);
            if !(described.is_movement || all) || !self.selection.has_message(&described) {
                return false;
            }
            self.tally.add_message(&described);
            if json {
                self.json.clear();
                return write_decoded(&mut self.json, time, bytes, decoded, all);
            }
            if is_comment {
                self.write_comment(direction, &described);
            } else {
                self.write_text(start, message, &described);
            }
            true
        });
        if !is_written {
            return None;
        }
        if json {
            if !self.json_start.is_empty() {
                // In place of the brace.
                self.json.splice(..1, self.json_start.iter().copied());
            }
            self.json.push(b'\n');
            return Some(&self.json);
        }
        if !is_comment {
            self.text.push_str("\n");
        }
        Some(self.text.as_bytes())
    }

    /// Replaces the current line of text with a comment about a message, which has neither columns nor a time: those of its
    /// packet stand beside it.
    fn write_comment(&mut self, direction: Direction, described: &Description<'_, '_>) {
        let line = &mut self.text;
        line.clear();
        line.push_str(direction.name());
        line.push_str(" ");
        line.push_str(described.name);
        line.push_str(" ");
        self.names.put_label(line, described.guid);
        line.push_str(": ");
        described.put_text(line, &self.names);
    }

    /// Replaces the current line of text with that of a message: its time, direction, object, name and description. Names
    /// of objects are the only text from outside, and control characters are left out of them or escaped.
    fn write_text(&mut self, start: f64, message: &GameMessage<'_>, described: &Description<'_, '_>) {
        let line = &mut self.text;
        line.clear();
        // Times of the calendar are printed relative to the first message.
        if start > MIN_CALENDAR_TIME {
            push_time(line, message.time - start, true);
        } else {
            push_time(line, message.time, false);
        }
        line.push_str("  ");
        line.push_str(message.direction.name());
        line.push_str("  ");
        let used = self.names.put_label(line, described.guid);
        line.push_spaces((OBJECT_WIDTH + 1).saturating_sub(used).max(1));
        put_column(line, described.name, NAME_WIDTH);
        described.put_text(line, &self.names);
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
            let mut printer = Printer::new(&command.arguments, None);
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
