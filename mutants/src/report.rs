//! What became of all mutants, by room.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::lists::{Equivalent, Known, Shortcut};
use crate::mutant::{Mutant, Outcome, Verdict};

/// How many mutants of a room ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    mutants: usize,
    caught: usize,
    equivalent: usize,
    same_bits: usize,
    unreached: usize,
    survivors: usize,
}

impl Counts {
    fn row(&self, room: &str) -> String {
        let real = self.survivors + self.unreached;
        let share = 100.0 * real as f64 / self.mutants.max(1) as f64;
        format!(
            "| {room} | {} | {} | {} | {} | {} | {} | {share:.1} % |",
            self.mutants, self.caught, self.equivalent, self.same_bits, self.survivors, self.unreached
        )
    }
}

/// The report in Markdown: a table by room, and every mutant that was not caught.
pub fn report(verdicts: &[Verdict], Known { equivalents, shortcuts }: &Known) -> String {
    let mut rooms: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    let mut survivors: Vec<(&Mutant, &str)> = Vec::new();
    for Verdict { mutant, outcome } in verdicts {
        let is_equivalent = equivalents.iter().any(|it| it.names(mutant));
        for counts in [rooms.entry(mutant.room()).or_default(), &mut all] {
            counts.mutants += 1;
            match outcome {
                Outcome::Caught { .. } => counts.caught += 1,
                _ if is_equivalent => counts.equivalent += 1,
                Outcome::SameBits { .. } => counts.same_bits += 1,
                Outcome::Survived => counts.survivors += 1,
                Outcome::Unreached => counts.unreached += 1,
            }
        }
        match outcome {
            Outcome::Survived if !is_equivalent => survivors.push((mutant, "")),
            Outcome::Unreached if !is_equivalent => survivors.push((mutant, " (no test reaches it)")),
            _ => {}
        }
    }
    let mut text = String::from(
        "| room | mutants | caught | equivalent | same bits | survivors | not reached | not caught |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (room, counts) in &rooms {
        text.push_str(&counts.row(room));
        text.push('\n');
    }
    text.push_str(&all.row("all"));
    text.push('\n');
    for (mutant, note) in survivors {
        let Mutant { file, line, text: source, change, .. } = mutant;
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{file}:{line}: {change}{note}\n    {source}");
    }
    text.push_str("\n\nEquivalent:\n");
    for entry in equivalents {
        if verdicts.iter().any(|it| entry.names(&it.mutant)) {
            let Equivalent { file, line, change, reason } = entry;
            let _ = write!(text, "\n{file}: {change}: {reason}\n    {line}");
        }
    }
    text.push_str("\n\nSame bits on a shorter way:\n");
    for Shortcut { file, functions, held_by, reason } in shortcuts {
        let _ = write!(text, "\n{file} ({}): {reason}\n    {held_by}", functions.join(", "));
    }
    text.push('\n');
    text
}

/// Entries of the list that were caught, or whose line is gone: they should be removed.
pub fn stale<'a>(
    verdicts: &[Verdict],
    mutants: &[Mutant],
    equivalents: &'a [Equivalent],
) -> Vec<&'a Equivalent> {
    let is_stale = |entry: &&Equivalent| {
        let mut named = verdicts.iter().filter(|it| entry.names(&it.mutant)).peekable();
        let is_caught =
            named.peek().is_some() && named.all(|it| matches!(it.outcome, Outcome::Caught { .. }));
        is_caught || !mutants.iter().any(|mutant| entry.names(mutant))
    };
    equivalents.iter().filter(is_stale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(line: &str, outcome: Outcome) -> Verdict {
        let mutant = Mutant {
            id: 0,
            file: "body/clock.rs".to_owned(),
            line: 7,
            text: line.to_owned(),
            change: "< to <=".to_owned(),
            nth: 0,
            function: String::new(),
            is_break: false,
        };
        Verdict { mutant, outcome }
    }

    #[test]
    fn equivalent_mutants_are_counted_apart() {
        let entry = |line: &str| Equivalent {
            file: "body/clock.rs".to_owned(),
            line: line.to_owned(),
            change: "< to <=".to_owned(),
            reason: "both sides are never equal".to_owned(),
        };
        let verdicts = [
            verdict("a < b", Outcome::Survived),
            verdict("c < d", Outcome::Unreached),
            verdict("e < f", Outcome::Survived),
            verdict("g < h", Outcome::Caught { by: String::new() }),
            verdict("i < j", Outcome::SameBits { by: String::new() }),
        ];
        let mutants: Vec<Mutant> = verdicts.iter().map(|it| it.mutant.clone()).collect();
        let equivalents = [entry("e < f"), entry("g < h"), entry("gone")];
        let known = Known { equivalents: equivalents.to_vec(), shortcuts: Vec::new() };
        let report = report(&verdicts, &known);
        assert!(report.contains("| body | 5 | 1 | 1 | 1 | 1 | 1 | 40.0 % |"), "{report}");
        assert!(report.contains("body/clock.rs:7: < to <=\n    a < b"), "{report}");
        assert!(report.contains("body/clock.rs: < to <=: both sides are never equal\n    e < f"), "{report}");
        let stale: Vec<_> =
            stale(&verdicts, &mutants, &equivalents).iter().map(|it| it.line.as_str()).collect();
        assert_eq!(stale, ["g < h", "gone"]);
    }
}
