//! The results of this run and of those before it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use crate::mutant::{Mutant, Verdict};

/// What is known about every mutant.
pub struct Verdicts {
    all: HashMap<(String, String, String, usize), Verdict>,
    /// How many have been added.
    pub count: usize,
}

impl Verdicts {
    /// Begins with those of an earlier run, without mutants that are not there any more.
    pub fn new(old: Vec<Verdict>, mutants: &[Mutant]) -> Self {
        let present: HashMap<_, _> = mutants.iter().map(|mutant| (mutant.key(), mutant)).collect();
        let mut all = HashMap::new();
        for mut verdict in old {
            if let Some(mutant) = present.get(&verdict.mutant.key()) {
                verdict.mutant = (*mutant).clone();
                all.insert(owned_key(&verdict.mutant), verdict);
            }
        }
        Self { all, count: 0 }
    }

    /// Adds a verdict. One that is not final does not replace another.
    pub fn add(&mut self, verdict: Verdict, is_final: bool) {
        self.count += 1;
        let key = owned_key(&verdict.mutant);
        if is_final || !self.all.contains_key(&key) {
            self.all.insert(key, verdict);
        }
    }

    /// All verdicts, in the order of files and lines.
    pub fn sorted(&self) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> = self.all.values().cloned().collect();
        verdicts
            .sort_by(|one, two| (&one.mutant.file, one.mutant.id).cmp(&(&two.mutant.file, two.mutant.id)));
        verdicts
    }

    /// Writes them to a file.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(&self.sorted())?;
        // Whatever ends the program leaves either file whole.
        let new = path.with_extension("new");
        fs::write(&new, text).with_context(|| new.display().to_string())?;
        fs::rename(&new, path).with_context(|| path.display().to_string())
    }
}

/// Reads the verdicts of an earlier run.
pub fn read(path: &Path) -> anyhow::Result<Vec<Verdict>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: results of an earlier run", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

fn owned_key(mutant: &Mutant) -> (String, String, String, usize) {
    let (file, text, change, nth) = mutant.key();
    (file.to_owned(), text.to_owned(), change.to_owned(), nth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::Outcome;

    fn verdict(id: u32, text: &str, outcome: Outcome) -> Verdict {
        let mutant = Mutant {
            id,
            file: "body.rs".to_owned(),
            line: 1,
            text: text.to_owned(),
            change: "call dropped".to_owned(),
            nth: 0,
            function: String::new(),
            is_break: false,
        };
        Verdict { mutant, outcome }
    }

    #[test]
    fn old_verdicts_stay_until_a_final_one_comes() {
        let old = vec![verdict(3, "a();", Outcome::Survived), verdict(4, "gone();", Outcome::Survived)];
        let mutants = [verdict(7, "a();", Outcome::Survived).mutant];
        let mut verdicts = Verdicts::new(old, &mutants);
        assert_eq!(verdicts.sorted().len(), 1);
        assert_eq!(verdicts.sorted()[0].mutant.id, 7);
        verdicts.add(verdict(7, "a();", Outcome::Unreached), false);
        assert_eq!(verdicts.sorted()[0].outcome, Outcome::Survived);
        let caught = Outcome::Caught { by: "a test".to_owned() };
        verdicts.add(verdict(7, "a();", caught.clone()), true);
        assert_eq!(verdicts.sorted()[0].outcome, caught);
    }
}
