//! What is said at the end of a capture, on standard error.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use acmotion_types::Guid;
use acmotion_wire::capture::Summary;

use super::words::Sentence;

/// Counts by message and object.
#[derive(Default)]
pub(super) struct Tally {
    by_name: BTreeMap<&'static str, u64>,
    guids: BTreeSet<Guid>,
    undecodable: u64,
    damaged: u64,
}

impl Tally {
    pub(super) fn message(&mut self, words: &Sentence) {
        *self.by_name.entry(words.name).or_default() += 1;
        self.guids.extend(words.guid);
        self.undecodable += u64::from(words.is_error);
    }

    /// A piece of the capture that could not be read.
    pub(super) fn damage(&mut self) {
        self.damaged += 1;
    }

    pub(super) fn is_clean(&self) -> bool {
        self.undecodable + self.damaged == 0
    }

    pub(super) fn report(&self, capture: &Summary) -> String {
        let mut text = format!("{capture}\n");
        let mut counts: Vec<_> = self.by_name.iter().collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let shown: u64 = self.by_name.values().sum();
        let list: Vec<_> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{shown} shown, about {} objects: {}", self.guids.len(), list.join(", "));
        if self.undecodable > 0 {
            let _ = writeln!(text, "{} could not be decoded", self.undecodable);
        }
        text
    }
}
