//! The summary at the end of a capture, printed on standard error.

use std::fmt::Write as _;

use acmotion_types::Guid;
use acmotion_wire::capture::CaptureSummary;
use rustc_hash::{FxHashMap, FxHashSet};

use super::describe::Description;

/// Counts of the printed messages and of errors.
#[derive(Default)]
pub(super) struct Tally {
    by_name: FxHashMap<&'static str, u64>,
    guids: FxHashSet<Guid>,
    undecodable: u64,
    capture_errors: u64,
}

impl Tally {
    pub(super) fn add_message(&mut self, message: &Description<'_, '_>) {
        *self.by_name.entry(message.name).or_default() += 1;
        self.guids.extend(message.guid);
        self.undecodable += u64::from(message.is_error());
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
        let mut counts: Vec<_> = self.by_name.iter().collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let shown: u64 = self.by_name.values().sum();
        let list: Vec<_> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{shown} shown, {} objects: {}", self.guids.len(), list.join(", "));
        if self.undecodable > 0 {
            let _ = writeln!(text, "{} could not be decoded", self.undecodable);
        }
        text
    }
}
