//! Arguments that are names: what they can be, for help and completions, and what a mistyped one was meant to be.

use std::ffi::OsStr;

use acmotion_types::{Era, MotionCommand};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::input::parse_hex;

/// Parses an argument that can be one of some names. It may be something else as well, such as an id.
#[derive(Clone)]
pub(crate) struct Named<T> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
}

impl<T> Named<T> {
    pub(crate) fn new(parse: fn(&str) -> Result<T, String>, names: fn() -> Vec<&'static str>) -> Self {
        Self { parse, names }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns a parser of motions and styles: a name or a hexadecimal id.
pub(crate) fn command_parser() -> Named<MotionCommand> {
    Named::new(
        |text| parse_command(text, "a motion or style", MotionCommand::RUN_FORWARD, |_| true),
        || Era::default().commands().map(|(_, name)| name).collect(),
    )
}

/// Returns a parser of styles: a name or a hexadecimal id.
pub(crate) fn style_parser() -> Named<MotionCommand> {
    Named::new(
        |text| parse_command(text, "a style", MotionCommand::NON_COMBAT, is_stance),
        || {
            Era::default()
                .commands()
                .filter(|(command, _)| is_stance(*command))
                .map(|(_, name)| name)
                .collect()
        },
    )
}

/// Returns `true` if a command is a way of standing: those that only change how others are meant have the bit of styles, too.
fn is_stance(command: MotionCommand) -> bool {
    command.0 >> 24 == 0x80 && command.0 != 0x8000_0000
}

/// Parses a name or a hexadecimal id. `what` says what is expected, as `example` is, and `is_likely` which names are suggested.
fn parse_command(
    text: &str,
    what: &str,
    example: MotionCommand,
    is_likely: fn(MotionCommand) -> bool,
) -> Result<MotionCommand, String> {
    MotionCommand::from_name(text).or_else(|| parse_hex(text).ok().map(MotionCommand)).ok_or_else(|| {
        let names = Era::default().commands().filter(|(command, _)| is_likely(*command));
        let meant = suggestion(text, names.map(|(_, name)| name));
        format!(
            "`{text}` is neither the name of {what} nor a hexadecimal id such as 0x{:08X}{meant}",
            example.0
        )
    })
}

/// Returns the end of a message about a name that does not exist: which one was meant, or nothing if none is like it.
pub(crate) fn suggestion<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> String {
    did_you_mean(typed, names).map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

/// The similarity, from 0 to 1, from which on a name is taken for what a mistyped one was meant to be.
const MIN_SIMILARITY: f64 = 0.8;
/// How much less than a whole name its beginning counts.
const BEGINNING: f64 = 0.95;

/// Returns the name that is most like a mistyped one, case aside, or that begins most like it; `None` if none does.
fn did_you_mean<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if typed.is_empty() {
        return None;
    }
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    let similarity = |name: &str| {
        let name = name.to_lowercase();
        let beginning: String = name.chars().take(length).collect();
        let whole = strsim::jaro_winkler(&typed, &name);
        whole.max(BEGINNING * strsim::jaro_winkler(&typed, &beginning))
    };
    // The first of several that are equally like it.
    names
        .map(|name| (similarity(name), name))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_name_that_is_most_alike_is_suggested() {
        let names = ["RunForward", "WalkForward", "WalkBackwards", "SlashHigh"];
        let suggested = |typed| did_you_mean(typed, names.into_iter());
        assert_eq!(suggested("walkforwards"), Some("WalkForward"));
        assert_eq!(suggested("Slashhihg"), Some("SlashHigh"));
        assert_eq!(suggested("WalkBackward"), Some("WalkBackwards"));
        assert_eq!(suggested("Wlak"), Some("WalkForward"));
        assert_eq!(suggested("Sla"), Some("SlashHigh"));
        assert_eq!(suggested("zzz"), None);
        assert_eq!(suggested(""), None);
    }
}
