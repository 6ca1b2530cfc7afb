//! Which messages are printed.

use std::str::FromStr;

use acmotion_types::Guid;
use acmotion_wire::{C2S, GameAction, GameActionBody, GameEvent, GameEventBody, Message as _, S2C};

use super::describe::Description;
use crate::input::{parse_guid, parse_hex};
use crate::names::suggestion;

/// A kind of message, by number or by name.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Opcode {
    Number(u32),
    Name(String),
}

impl FromStr for Opcode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(number) = parse_hex(text) {
            return Ok(Self::Number(number));
        }
        // Envelopes have the names of what they contain.
        match text {
            _ if text.eq_ignore_ascii_case(GameEvent::NAME) => return Ok(Self::Number(GameEvent::OPCODE)),
            _ if text.eq_ignore_ascii_case(GameAction::NAME) => return Ok(Self::Number(GameAction::OPCODE)),
            _ => {}
        }
        let names = opcode_names();
        if names.iter().any(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(Self::Name(text.into()));
        }
        let meant = suggestion(text, names.into_iter());
        Err(format!("`{text}` is neither the name of a message nor a hexadecimal opcode such as F748{meant}"))
    }
}

/// Returns the names of all messages, game events and game actions.
pub(super) fn opcode_names() -> Vec<&'static str> {
    let sets = [S2C::NAMES, GameEventBody::NAMES, C2S::NAMES, GameActionBody::NAMES];
    sets.concat().into_iter().chain([UNKNOWN]).collect()
}

/// The name of all messages of other kinds.
const UNKNOWN: &str = "Unknown";

/// A time in a capture, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum CaptureTime {
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

/// One condition, as `KEY=VALUE`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Filter {
    Guid(Guid),
    Opcode(Opcode),
    From(CaptureTime),
    To(CaptureTime),
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A space may follow the comma before it.
        match text.trim().split_once('=') {
            Some(("guid", guid)) => parse_guid(guid).map(Self::Guid),
            Some(("opcode", opcode)) => opcode.parse().map(Self::Opcode),
            Some(("from", time)) => time.parse().map(Self::From),
            Some(("to", time)) => time.parse().map(Self::To),
            _ => Err(format!(
                "`{text}` is not a filter; expected guid=GUID, opcode=OPCODE, from=TIME or to=TIME"
            )),
        }
    }
}

/// The messages that are printed: about one of the objects, of one of the kinds, and in the time.
#[derive(Default)]
pub(super) struct Selection {
    /// All objects if there are none.
    pub(super) guids: Vec<Guid>,
    /// All kinds if there are none.
    pub(super) opcodes: Vec<Opcode>,
    pub(super) from: Option<CaptureTime>,
    pub(super) to: Option<CaptureTime>,
}

impl Selection {
    /// Adds conditions. The last of several times counts.
    pub(super) fn with_filters(mut self, filters: &[Filter]) -> Self {
        for filter in filters {
            match filter {
                Filter::Guid(guid) => self.guids.push(*guid),
                Filter::Opcode(opcode) => self.opcodes.push(opcode.clone()),
                Filter::From(time) => self.from = Some(*time),
                Filter::To(time) => self.to = Some(*time),
            }
        }
        self
    }

    /// Returns `true` if a time is selected in a capture whose first message is at `start`.
    pub(super) fn has_time(&self, time: f64, start: f64) -> bool {
        self.from.is_none_or(|from| time >= from.on_clock(start))
            && self.to.is_none_or(|to| time <= to.on_clock(start))
    }

    /// Returns `true` if a message is about one of the objects and of one of the kinds.
    pub(super) fn has_message(&self, message: &Description<'_, '_>) -> bool {
        let matches = |opcode: &Opcode| match opcode {
            Opcode::Number(number) => Some(*number) == message.opcode || Some(*number) == message.sub_opcode,
            Opcode::Name(name) => name.eq_ignore_ascii_case(message.name),
        };
        (self.guids.is_empty() || message.guid.is_some_and(|guid| self.guids.contains(&guid)))
            && (self.opcodes.is_empty() || self.opcodes.iter().any(matches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_keys_and_values() {
        assert_eq!("guid=0x50000001".parse(), Ok(Filter::Guid(Guid(0x5000_0001))));
        assert_eq!("opcode=F748".parse(), Ok(Filter::Opcode(Opcode::Number(0xF748))));
        assert_eq!("opcode=Jump".parse(), Ok(Filter::Opcode(Opcode::Name("Jump".into()))));
        assert_eq!(" opcode=gameaction".parse(), Ok(Filter::Opcode(Opcode::Number(0xF7B1))));
        assert_eq!("from=+2.5".parse(), Ok(Filter::From(CaptureTime::Relative(2.5))));
        assert_eq!("to=-1".parse(), Ok(Filter::To(CaptureTime::Absolute(-1.0))));
        for wrong in ["guid", "time=3", "guid=x", "from=noon", "opcode=Jmup", ""] {
            assert!(wrong.parse::<Filter>().is_err(), "{wrong}");
        }
    }
}
