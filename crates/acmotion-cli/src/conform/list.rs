//! `acmotion conform --list`: the families, the rules that they check, and what vector files contain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use serde_json::json;

use super::about::{ABOUT, About, about_of, parts_of};
use super::rules::all_rules;
use super::{open, part_of, read_lines};
use crate::output::{Failed, Out, counted, error_text, escape_controls, thousands, warn};

/// Prints every family with its kinds of lines or, if there are files, how many of each are in them, and then the rules
/// covered.
pub(super) fn run(files: &[PathBuf], as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    if files.is_empty() {
        for about in ABOUT {
            print_family(about, as_json, out)?;
        }
        return print_covered(ABOUT.iter().flat_map(About::rules).collect(), as_json, out);
    }
    let (mut covered, mut all_read, mut total) = (Vec::new(), true, Total::default());
    for path in files {
        match Contents::of(path) {
            Ok(contents) => {
                contents.print(as_json, out)?;
                total.add(&contents);
                covered.extend(contents.rules);
            }
            Err(error) => {
                warn(error_text(&error));
                all_read = false;
            }
        }
    }
    if !as_json {
        total.print(out)?;
    }
    print_covered(covered, as_json, out)?;
    if all_read { Ok(()) } else { Err(Failed.into()) }
}

fn print_family(about: &About, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let About { family, contents, .. } = about;
    if as_json {
        return out.json(&about.to_json());
    }
    out.line(format!("{family}: {contents}"))?;
    let kinds: Vec<_> = about.kinds().collect();
    if !kinds.is_empty() {
        out.line(format!("  lines {}", kinds.join(", ")))?;
    }
    out.line(format!("  rules {}", about.rules().join(", ")))
}

/// What is in all files.
#[derive(Default)]
struct Total {
    files: u64,
    lines: u64,
    definitions: u64,
}

impl Total {
    fn add(&mut self, contents: &Contents) {
        self.files += 1;
        self.lines += contents.lines;
        self.definitions += contents.definitions();
    }

    fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let Self { files, lines, definitions } = *self;
        let define = match definitions {
            0 => String::new(),
            count => format!(", of which {} define what the others use", thousands(count)),
        };
        out.line(format!("{}, {}{define}", counted(files, "file"), counted(lines, "line")))
    }
}

/// What is in a file.
struct Contents {
    name: String,
    about: &'static About,
    lines: u64,
    /// The number of lines of each kind.
    kinds: BTreeMap<String, u64>,
    /// The rules of the kinds of lines and steps that occur.
    rules: Vec<&'static str>,
}

impl Contents {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let input = open(path, Arc::default())?;
        let about = about_of(path)?;
        let (mut lines, mut kinds, mut parts) = (0, BTreeMap::new(), BTreeSet::new());
        read_lines(path, input, |_, value| {
            lines += 1;
            *kinds.entry(String::from(part_of(&value))).or_default() += 1;
            parts.extend(parts_of(&value).map(String::from));
        })?;
        if lines == 0 {
            bail!("{}: no vectors in it", path.display());
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let rules = about.rules_of(parts.iter().map(String::as_str));
        Ok(Self { name, about, lines, kinds, rules })
    }

    /// Returns the number of lines that define what others use.
    fn definitions(&self) -> u64 {
        self.kinds.iter().filter(|(kind, _)| self.about.is_definition(kind)).map(|(_, count)| count).sum()
    }

    fn print(&self, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
        let Self { name, about, lines, kinds, rules } = self;
        if as_json {
            return out.json(&json!({
                "file": name, "family": about.family, "lines": lines, "kinds": kinds, "rules": rules,
            }));
        }
        let kinds: Vec<_> = kinds
            .iter()
            .filter(|(part, _)| !part.is_empty())
            .map(|(part, count)| format!("{} {}", escape_controls(part), thousands(*count)))
            .collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        out.line(format!("{name}: {} of family {}{kinds}", counted(*lines, "line"), about.family))?;
        out.line(format!("  rules {}", rules.join(", ")))
    }
}

/// Prints how many of all rules are covered, and which are not.
fn print_covered(covered: Vec<&str>, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    // A rule is covered by those below it, and those below it by the rule.
    let is_part = |inner: &str, outer: &str| {
        inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
    };
    let is_covered = |rule: &&str| covered.iter().any(|other| is_part(other, rule) || is_part(rule, other));
    let (covered_rules, others): (Vec<_>, Vec<_>) = all_rules().partition(is_covered);
    if as_json {
        return out.json(&json!({ "rules_covered": covered_rules, "rules_not_covered": others }));
    }
    let total = covered_rules.len() + others.len();
    out.line(format!("rules covered: {} of {total}; not covered: {}", covered_rules.len(), others.join(", ")))
}
