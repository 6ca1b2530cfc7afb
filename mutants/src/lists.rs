//! Lists kept by hand: breaks to be planted, mutants that change nothing, and functions that only save time.

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

/// Functions that decide whether a shorter way is taken, or take it, and the test that compares its results with those of the
/// general way.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shortcut {
    /// The file, below the engine's `src`.
    pub file: String,
    /// The names of the functions; all functions of the file if there are none.
    #[serde(default)]
    pub functions: Vec<String>,
    /// A part of the name of the test.
    pub held_by: String,
    /// What is left out on the shorter way.
    pub reason: String,
}

impl Shortcut {
    /// Whether a mutant is in one of the functions.
    pub fn contains(&self, mutant: &Mutant) -> bool {
        let is_function = self.functions.is_empty() || self.functions.contains(&mutant.function);
        self.file == mutant.file && is_function && !mutant.is_break
    }
}

/// What is known about mutants that survive.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Mutants that no test can catch.
    pub equivalents: Vec<Equivalent>,
    /// Functions that only save time.
    pub shortcuts: Vec<Shortcut>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    #[serde(default, rename = "break")]
    breaks: Vec<Break>,
    #[serde(default, rename = "equivalent")]
    equivalents: Vec<Equivalent>,
    #[serde(default, rename = "shortcut")]
    shortcuts: Vec<Shortcut>,
}

/// Reads the breaks of a file.
pub fn read_breaks(path: &Path) -> anyhow::Result<Vec<Break>> {
    read(path).map(|lists| lists.breaks)
}

/// Reads what a file says about mutants that survive.
pub fn read_known(path: &Path) -> anyhow::Result<Known> {
    read(path).map(|Lists { equivalents, shortcuts, .. }| Known { equivalents, shortcuts })
}

fn read(path: &Path) -> anyhow::Result<Lists> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Grain;
    use crate::tree::{ENGINE, Sources, tracked_files};

    #[test]
    fn the_lists_of_the_repository_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(!read_breaks(&folder.join("breaks.toml")).unwrap().is_empty());
        let Known { equivalents, shortcuts } = read_known(&folder.join("equivalent.toml")).unwrap();
        assert!(equivalents.iter().all(|it| !it.reason.is_empty()));
        assert!(shortcuts.iter().all(|it| !it.reason.is_empty() && !it.held_by.is_empty()));
    }

    /// An entry whose line was changed would hide nothing, and a shortcut without its test would be held by nothing.
    #[test]
    fn every_entry_of_the_lists_names_what_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = folder.parent().unwrap();
        let breaks = read_breaks(&folder.join("breaks.toml")).unwrap();
        let mutants = Sources::scan(root, Grain::Fine, &breaks).unwrap().mutants;
        let Known { equivalents, shortcuts } = read_known(&folder.join("equivalent.toml")).unwrap();
        let is_gone = |entry: &&Equivalent| !mutants.iter().any(|mutant| entry.names(mutant));
        let gone: Vec<_> = equivalents.iter().filter(is_gone).collect();
        assert!(gone.is_empty(), "{gone:#?}");
        let is_engine = |path: &String| path.starts_with("crates/acmotion/") && path.ends_with(".rs");
        let files = tracked_files(root).unwrap().into_iter().filter(is_engine);
        let texts: Vec<_> = files.map(|path| fs::read_to_string(root.join(path)).unwrap()).collect();
        let has = |text: &str, function: &str| {
            ["(", "<"].iter().any(|next| text.contains(&format!("fn {function}{next}")))
        };
        for Shortcut { file, functions, held_by, .. } in &shortcuts {
            let source = fs::read_to_string(root.join(ENGINE).join(file)).unwrap();
            for function in functions {
                assert!(has(&source, function), "{file}: {function}");
            }
            let test = held_by.rsplit("::").next().unwrap_or(held_by);
            assert!(texts.iter().any(|text| has(text, test)), "{file}: {held_by}");
        }
    }
}
