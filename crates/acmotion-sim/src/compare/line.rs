//! The lines of a result.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

use acmotion::types::Guid;
use serde::Deserialize;

use super::ResultSummary;

/// The maximum length of a line, in bytes. The rest of a longer one is skipped, and it counts as unreadable.
const MAX_LINE: u64 = 4 << 20;

/// The maximum number of lines that are empty or unreadable.
const MAX_SKIPPED_LINES: u64 = 10_000_000;

/// The entity that a line is about, and the view that it belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    pub(super) view: Option<Box<str>>,
    /// `None` in messages sent by the local player.
    pub(super) guid: Option<Guid>,
}

/// A state or an event.
pub(super) struct Line {
    pub(super) key: Key,
    pub(super) time: f64,
    /// The name of the event; `None` for a state.
    pub(super) event: Option<Box<str>>,
    pub(super) text: Box<[u8]>,
}

impl Line {
    pub(super) fn size_in_memory(&self) -> usize {
        let names = self.event.as_deref().map_or(0, str::len) + self.key.view.as_deref().map_or(0, str::len);
        size_of::<Self>() + names + self.text.len()
    }
}

/// The fields that every line may have.
#[derive(Deserialize)]
struct Head<'a> {
    t: f64,
    #[serde(borrow)]
    guid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    view: Option<Cow<'a, str>>,
    #[serde(borrow)]
    event: Option<Cow<'a, str>>,
    /// Present in states.
    origin: Option<[f32; 3]>,
}

/// Reads the lines of a result and counts them.
pub(super) struct Lines<R> {
    reader: R,
    summary: ResultSummary,
    /// The number of lines that are empty or unreadable.
    skipped: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, summary: ResultSummary::default(), skipped: 0, text: Vec::new() }
    }

    pub(super) fn summary(&self) -> ResultSummary {
        self.summary
    }

    /// Returns the next state or event, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if reading fails, or if more than [`MAX_SKIPPED_LINES`] were neither.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        while self.read_line()? {
            let text = self.text.trim_ascii();
            let Some(line) = parse(text) else {
                self.summary.unreadable += u64::from(!text.is_empty());
                self.skipped += 1;
                if self.skipped > MAX_SKIPPED_LINES {
                    let text = format!("more than {MAX_SKIPPED_LINES} lines are neither states nor events");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, text));
                }
                continue;
            };
            match line.event {
                Some(_) => self.summary.events += 1,
                None => self.summary.states += 1,
            }
            self.summary.start.get_or_insert(line.time);
            self.summary.end = Some(line.time);
            return Ok(Some(line));
        }
        Ok(None)
    }

    /// Reads a line into the buffer. Returns `false` at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        self.text.clear();
        let count = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.text)?;
        if count as u64 == MAX_LINE && self.text.last() != Some(&b'\n') {
            self.reader.skip_until(b'\n')?;
        }
        Ok(count > 0)
    }
}

fn parse(text: &[u8]) -> Option<Line> {
    if text.is_empty() {
        return None;
    }
    let head: Head<'_> = serde_json::from_slice(text).ok()?;
    if !head.t.is_finite() || (head.event.is_none() && (head.origin.is_none() || head.guid.is_none())) {
        return None;
    }
    let guid = match head.guid {
        Some(text) => Some(Guid(u32::from_str_radix(text.trim_start_matches("0x"), 16).ok()?)),
        None => None,
    };
    let boxed = |text: Cow<'_, str>| Box::from(text.as_ref());
    Some(Line {
        key: Key { view: head.view.map(boxed), guid },
        time: head.t,
        event: head.event.map(boxed),
        text: text.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_events_and_other_lines_are_told_apart() {
        let text = concat!(
            "{\"t\":1,\"guid\":\"0x50000001\",\"origin\":[1,2,3]}\n",
            "\n",
            "{\"t\":1,\"guid\":\"0x50000001\",\"event\":\"snap\"}\n",
            "{\"t\":2,\"event\":\"sent\",\"view\":\"self Ann\"}\n",
            "{\"t\":3,\"guid\":\"0x50000001\"}\n",
            "{\"t\":1e999,\"guid\":\"0x50000001\",\"origin\":[1,2,3]}\n",
            "not JSON",
        );
        let mut lines = Lines::new(text.as_bytes());
        let mut events = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            events.push(line.event);
        }
        assert_eq!(events, [None, Some("snap".into()), Some("sent".into())]);
        let summary = ResultSummary { states: 1, events: 2, unreadable: 3, start: Some(1.0), end: Some(2.0) };
        assert_eq!(lines.summary(), summary);
    }

    #[test]
    fn the_lines_that_are_skipped_are_bounded() {
        let most = MAX_SKIPPED_LINES as usize;
        let last = "\n{\"t\":1,\"event\":\"sent\"}";
        let text = [&"\n".repeat(most - 1), "not JSON", last].concat();
        assert!(Lines::new(text.as_bytes()).next().unwrap().is_some());
        let text = ["\n", &text].concat();
        let error = Lines::new(text.as_bytes()).next().map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "more than 10000000 lines are neither states nor events");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let spaces = " ".repeat(MAX_LINE as usize);
        let text = format!("{{\"t\":1,\"event\":\"long\"{spaces}}}\n{{\"t\":1,\"event\":\"sent\"}}");
        let mut lines = Lines::new(text.as_bytes());
        assert_eq!(lines.next().unwrap().and_then(|line| line.event), Some("sent".into()));
        assert!(lines.next().unwrap().is_none());
    }
}
