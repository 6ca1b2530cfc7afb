//! `acmotion decode`: messages of a capture, one a line.

mod summary;
mod words;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use acmotion_types::{Era, Guid};
use acmotion_wire::capture::{CaptureReader, GameMessage};
use acmotion_wire::json::message_json;
use acmotion_wire::{Direction, decode_c2s, decode_s2c};
use anyhow::{Context as _, bail};
use clap::Args;

use crate::input::{EraName, parse_hex};
use crate::output::{Failed, Out};
use summary::Tally;
use words::Names;

/// Decode the messages of a capture.
///
/// Reads pcap and pcapng files, and JSON Lines of {t, dir, hex}; `-` reads them from standard input as they come.
/// Without --json each message is a line of words; with it, an object. Messages about movement only, unless --all.
///
/// Examples:
///
///   acmotion decode login.pcap --guid 0x50000001
///
///   tcpdump -U -w - udp | acmotion decode -
///
///   acmotion decode --hex 46F7000001000050
#[derive(Args)]
pub(crate) struct Arguments {
    /// A capture, or `-` for standard input.
    #[arg(required_unless_present = "hex", conflicts_with = "hex")]
    file: Option<PathBuf>,
    /// Decode this one message, from its opcode on.
    #[arg(long, value_name = "HEX")]
    hex: Option<String>,
    /// With --hex: the message goes from the client to the server.
    #[arg(long, requires = "hex")]
    c2s: bool,
    /// Messages that are not about movement too.
    #[arg(long)]
    all: bool,
    /// Only messages about this object (may be given more than once).
    #[arg(long, value_name = "GUID", value_parser = guid)]
    guid: Vec<Guid>,
    /// Only this opcode, event, action or message name (may be given more than once).
    #[arg(long, value_name = "OPCODE")]
    opcode: Vec<Opcode>,
    /// Only from this time on: seconds of the capture's clock, or +seconds from its first message.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<Moment>,
    /// Only up to this time.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<Moment>,
    /// Which client's numbers the motion commands follow.
    #[arg(long, default_value = "retail", value_enum)]
    era: EraName,
    /// JSON Lines instead of words.
    #[arg(long)]
    json: bool,
}

fn guid(text: &str) -> Result<Guid, String> {
    parse_hex(text).map(Guid)
}

/// A message by number or by name.
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

/// A time of the capture's clock, or from its first message on.
#[derive(Clone, Copy)]
enum Moment {
    Clock(f64),
    AfterStart(f64),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seconds, relative) = text.strip_prefix('+').map_or((text, false), |rest| (rest, true));
        let seconds: f64 = seconds.parse().map_err(|_| format!("`{text}` is not a time in seconds"))?;
        Ok(if relative { Self::AfterStart(seconds) } else { Self::Clock(seconds) })
    }
}

impl Moment {
    fn on_clock(self, start: f64) -> f64 {
        match self {
            Self::Clock(time) => time,
            Self::AfterStart(seconds) => start + seconds,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if let Some(hex) = &arguments.hex {
        return decode_one(arguments, hex, out);
    }
    match arguments.file.as_deref() {
        Some(path) if path == Path::new("-") => decode_all(arguments, io::stdin().lock(), path, true, out),
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            decode_all(arguments, file, path, false, out)
        }
        None => bail!("no capture given"),
    }
}

fn decode_one(arguments: &Arguments, hex: &str, out: &mut Out) -> anyhow::Result<()> {
    let bytes = bytes_of_hex(hex)?;
    let direction = if arguments.c2s { Direction::C2S } else { Direction::S2C };
    let era = arguments.era.into();
    let failed = if arguments.c2s { decode_c2s(&bytes, era).err() } else { decode_s2c(&bytes, era).err() };
    if arguments.json {
        if let Some(object) = message_json(0.0, direction, &bytes, era, true) {
            out.json(&object)?;
        }
    } else {
        let words = words::sentence(direction, &bytes, era, &mut Names::default());
        out.line(format!("{:<20} {}", words.name, words.what))?;
    }
    if failed.is_some() { Err(Failed.into()) } else { Ok(()) }
}

fn bytes_of_hex(text: &str) -> anyhow::Result<Vec<u8>> {
    let digits: Vec<u8> =
        text.trim_start_matches("0x").bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let nibble = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .with_context(|| format!("`{}` is not a hexadecimal digit", char::from(digit)))
    };
    if !digits.len().is_multiple_of(2) {
        bail!("{} hexadecimal digits: an even number is expected, two a byte", digits.len());
    }
    digits.chunks(2).map(|pair| Ok((nibble(pair[0])? << 4 | nibble(pair[1])?) as u8)).collect()
}

fn decode_all(
    arguments: &Arguments,
    input: impl Read,
    path: &Path,
    live: bool,
    out: &mut Out,
) -> anyhow::Result<()> {
    let mut reader = CaptureReader::new(input);
    let mut printer = Printer { arguments, tally: Tally::default(), names: Names::default(), start: None };
    while let Some(next) = reader.next_message() {
        match next {
            Ok(message) => printer.message(&message, out)?,
            Err(error) => {
                printer.tally.damage();
                eprintln!("acmotion: {}: {error}", path.display());
            }
        }
        if live {
            out.finish()?;
        }
    }
    out.finish()?;
    let summary = reader.summary();
    eprint!("{}", printer.tally.report(&summary));
    if printer.tally.is_clean() { Ok(()) } else { Err(Failed.into()) }
}

struct Printer<'a> {
    arguments: &'a Arguments,
    tally: Tally,
    names: Names,
    start: Option<f64>,
}

/// Times beyond this are those of a calendar, and people want them from the start on.
const CALENDAR: f64 = 1e8;

impl Printer<'_> {
    fn message(&mut self, message: &GameMessage<'_>, out: &mut Out) -> anyhow::Result<()> {
        let start = *self.start.get_or_insert(message.time);
        if !self.in_time(message.time, start) {
            return Ok(());
        }
        let era: Era = self.arguments.era.into();
        let words = words::sentence(message.direction, message.bytes, era, &mut self.names);
        if !(words.is_movement || self.arguments.all) || !self.is_wanted(&words) {
            return Ok(());
        }
        self.tally.message(&words);
        if self.arguments.json {
            let object =
                message_json(message.time, message.direction, message.bytes, era, self.arguments.all);
            return object.map_or(Ok(()), |object| out.json(&object));
        }
        let time = if start > CALENDAR {
            format!("+{:.3}", message.time - start)
        } else {
            format!("{:.3}", message.time)
        };
        let who = self.names.of(words.guid);
        out.line(format!("{time:>10}  {}  {who:<31} {:<20} {}", message.direction, words.name, words.what))
    }

    fn in_time(&self, time: f64, start: f64) -> bool {
        let (from, to) = (self.arguments.from, self.arguments.to);
        from.is_none_or(|from| time >= from.on_clock(start)) && to.is_none_or(|to| time <= to.on_clock(start))
    }

    fn is_wanted(&self, words: &words::Sentence) -> bool {
        let (guids, opcodes) = (&self.arguments.guid, &self.arguments.opcode);
        let this = |wanted: &Opcode| match wanted {
            Opcode::Number(number) => Some(*number) == words.opcode || Some(*number) == words.sub_opcode,
            Opcode::Name(name) => name.eq_ignore_ascii_case(words.name),
        };
        (guids.is_empty() || words.guid.is_some_and(|guid| guids.contains(&guid)))
            && (opcodes.is_empty() || opcodes.iter().any(this))
    }
}
