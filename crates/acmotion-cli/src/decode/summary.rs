//! The summary at the end of a capture, printed on standard error.

use std::fmt::Write as _;

use acmotion_types::Guid;
use acmotion_wire::capture::CaptureSummary;
use rustc_hash::{FxHashMap, FxHashSet};

use super::describe::Description;
use crate::output::counted;

/// The maximum number of objects that are told apart: a live capture has no end.
const MAX_OBJECTS: usize = 1_000_000;

/// Counts of the printed messages and of errors.
#[derive(Default)]
pub(super) struct Tally {
    /// In the order in which they were first seen. Few enough to search, and rarely one more than once: the same name can be
    /// at several addresses.
    by_name: Vec<(&'static str, u64)>,
    guids: FxHashSet<Guid>,
    last_guid: Option<Guid>,
    undecodable: u64,
    capture_errors: u64,
}

impl Tally {
    pub(super) fn add_message(&mut self, message: &Description<'_, '_>) {
        match self.by_name.iter_mut().find(|(name, _)| std::ptr::eq(*name, message.name)) {
            Some((_, count)) => *count += 1,
            None => self.by_name.push((message.name, 1)),
        }
        if message.guid != self.last_guid {
            self.add_object(message.guid);
            self.last_guid = message.guid;
        }
        self.undecodable += u64::from(message.is_error());
    }

    fn add_object(&mut self, guid: Option<Guid>) {
        if self.guids.len() < MAX_OBJECTS {
            self.guids.extend(guid);
        }
    }

    /// Returns the number of objects as it is read.
    fn objects(&self) -> String {
        let objects = counted(self.guids.len(), "object");
        if self.guids.len() < MAX_OBJECTS { objects } else { format!("{objects} or more") }
    }

    /// Counts a part of the capture that could not be read.
    pub(super) fn add_error(&mut self) {
        self.capture_errors += 1;
    }

    pub(super) fn has_errors(&self) -> bool {
        self.undecodable + self.capture_errors > 0
    }

    /// Returns the lines of the summary.
    pub(super) fn report(&self, capture: &CaptureSummary) -> String {
        let mut text = format!("{capture}\n");
        let mut by_name: FxHashMap<&str, u64> = FxHashMap::default();
        for (name, count) in &self.by_name {
            *by_name.entry(name).or_default() += count;
        }
        let mut counts: Vec<_> = by_name.iter().collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let shown: u64 = by_name.values().sum();
        let list: Vec<_> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        // Writing to a string cannot fail.
        let _ = match shown {
            0 => writeln!(text, "0 shown"),
            _ => writeln!(text, "{shown} shown, {}: {}", self.objects(), list.join(", ")),
        };
        if self.undecodable > 0 {
            let _ = writeln!(text, "{} could not be decoded", self.undecodable);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_objects_of_a_capture_are_told_apart_up_to_a_million() {
        let mut tally = Tally::default();
        (0..999_999).for_each(|number| tally.add_object(Some(Guid(number))));
        assert_eq!(tally.objects(), "999,999 objects");
        (0..1_200_000).for_each(|number| tally.add_object(Some(Guid(number))));
        assert_eq!((tally.guids.len(), tally.objects().as_str()), (1_000_000, "1,000,000 objects or more"));
    }
}
