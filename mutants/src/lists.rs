//! Lists kept by hand: breaks to be planted, and mutants that change nothing.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;

use crate::mutant::Mutant;

/// A change written by hand, against a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// The number of the rule.
    pub rule: String,
    /// What is broken.
    pub what: String,
    /// The file, from the top of the repository.
    pub file: String,
    /// A text that occurs exactly once in the file, inside a function.
    pub text: String,
    /// What stands there instead.
    pub replacement: String,
}

/// A mutant that no test can catch.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The file, below the engine's `src`.
    pub file: String,
    /// The text of its line.
    pub line: String,
    /// What is changed, as the report says it.
    pub change: String,
    /// Why nothing differs.
    pub reason: String,
}

impl Equivalent {
    /// Whether this is the mutant meant.
    pub fn names(&self, mutant: &Mutant) -> bool {
        self.file == mutant.file && self.line == mutant.text && self.change == mutant.change
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    #[serde(default, rename = "break")]
    breaks: Vec<Break>,
    #[serde(default, rename = "equivalent")]
    equivalents: Vec<Equivalent>,
}

/// Reads the breaks of a file.
pub fn read_breaks(path: &Path) -> anyhow::Result<Vec<Break>> {
    read(path).map(|lists| lists.breaks)
}

/// Reads the mutants of a file that change nothing.
pub fn read_equivalents(path: &Path) -> anyhow::Result<Vec<Equivalent>> {
    read(path).map(|lists| lists.equivalents)
}

fn read(path: &Path) -> anyhow::Result<Lists> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_the_repository_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(!read_breaks(&folder.join("breaks.toml")).unwrap().is_empty());
        let equivalents = read_equivalents(&folder.join("equivalent.toml")).unwrap();
        assert!(equivalents.iter().all(|it| !it.reason.is_empty()));
    }
}
