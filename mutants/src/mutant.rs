//! One change of the engine, and what became of it.

use serde::{Deserialize, Serialize};

use crate::site::{Alternative, Site};

/// One change of one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// The number that switches it on. It changes with the sources.
    pub id: u32,
    /// The file, below the engine's `src`.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The line's text, without the space around it.
    pub text: String,
    /// What is changed.
    pub change: String,
    /// Counts equal changes of equal lines in the file.
    pub nth: usize,
    /// The name of the function that it is in.
    #[serde(default)]
    pub function: String,
    /// Whether it was written by hand.
    #[serde(default)]
    pub is_break: bool,
}

impl Mutant {
    /// The mutant that `alternative` plants at `site` of a file.
    pub fn new(file: &str, source: &str, site: &Site, alternative: &Alternative) -> Self {
        let line_start = source[..site.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[site.start..].find('\n').map_or(source.len(), |at| site.start + at);
        Self {
            id: alternative.id,
            file: file.to_owned(),
            line: source[..site.start].matches('\n').count() + 1,
            text: source[line_start..line_end].trim().to_owned(),
            change: alternative.change.clone(),
            nth: 0,
            function: site.function.clone(),
            is_break: alternative.is_break,
        }
    }

    /// The module that the file belongs to; `root` for those that are single files.
    pub fn room(&self) -> &str {
        const SINGLE: &str = "root";
        match self.file.split_once('/') {
            Some((folder, _)) => folder,
            None => {
                let module = self.file.trim_end_matches(".rs");
                if ROOMS.contains(&module) { module } else { SINGLE }
            }
        }
    }

    /// What stays the same although numbers and lines may have moved.
    pub fn key(&self) -> (&str, &str, &str, usize) {
        (&self.file, &self.text, &self.change, self.nth)
    }
}

/// The modules of the engine that have a folder.
pub const ROOMS: [&str; 16] = [
    "body",
    "check",
    "collide",
    "comfort",
    "correction",
    "effects",
    "entity",
    "gate",
    "interp",
    "json",
    "library",
    "player",
    "sequence",
    "steer",
    "table",
    "world",
];

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A test failed, or took far too long.
    Caught {
        /// The test.
        by: String,
    },
    /// Every test that reaches it passed.
    Survived,
    /// It is in a function that only saves time, and the test passed that compares its results with those of the general way.
    SameBits {
        /// The test.
        by: String,
    },
    /// No test reaches it.
    Unreached,
}

/// A mutant and what became of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub outcome: Outcome,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_a_folder_belong_to_its_room() {
        let mut mutant = Mutant {
            id: 0,
            file: "body.rs".to_owned(),
            line: 1,
            text: String::new(),
            change: String::new(),
            nth: 0,
            function: String::new(),
            is_break: false,
        };
        assert_eq!(mutant.room(), "body");
        "world/handlers/vector_update.rs".clone_into(&mut mutant.file);
        assert_eq!(mutant.room(), "world");
        "pose.rs".clone_into(&mut mutant.file);
        assert_eq!(mutant.room(), "root");
    }
}
