//! `acmotion conform --explain FILE:LINE`: one case as a story.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::about::{About, about_of, columns_of, parts_of, parts_of_line};
use super::check::Difference;
use super::rules::rule_text;
use super::{CaseResult, family_of, open, part_of, read_lines, run_line};
use crate::output::{Failed, Out, escape_controls};

/// The lists of a case that are printed element by element, each with the list of its results if that is separate.
const STEPS: [(&str, Option<&str>); 5] =
    [("steps", Some("out")), ("frames", None), ("sends", None), ("ticks", None), ("path", None)];
/// Up to so many rules are printed with their whole texts, and more with their first lines.
const FULL_TEXTS: usize = 4;
/// The maximum length of a value that is printed, in characters.
const MAX_VALUE: usize = 400;

/// A line of a vector file.
#[derive(Clone)]
pub(super) struct Place {
    path: PathBuf,
    line: u64,
}

/// Parses FILE:LINE.
pub(super) fn parse_place(text: &str) -> Result<Place, String> {
    let example = "expected FILE:LINE, such as stamps.dev.jsonl.gz:12";
    let (path, line) = text.rsplit_once(':').ok_or_else(|| format!("there is no line number; {example}"))?;
    if path.is_empty() {
        return Err(format!("there is no file name; {example}"));
    }
    match line.parse() {
        Ok(0) => Err(format!("lines are counted from 1; {example}")),
        Ok(line) => Ok(Place { path: PathBuf::from(path), line }),
        Err(_) => Err(format!("`{line}` is not a line number; {example}")),
    }
}

/// A case and how it ended.
struct Explained {
    about: &'static About,
    line: Value,
    result: Result<CaseResult, Difference>,
}

/// Runs one case, after the lines before it, and prints it.
pub(super) fn run(place: &Place, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let explained = find(place)?;
    if as_json {
        explained.print_json(place, out)?;
    } else {
        explained.print_text(place, out)?;
    }
    if explained.result.is_ok() { Ok(()) } else { Err(Failed.into()) }
}

/// Runs the lines of a file up to the one to explain, because cases use what earlier lines define.
fn find(place: &Place) -> anyhow::Result<Explained> {
    let Place { path, line: wanted } = place;
    let input = open(path, Arc::default())?;
    let (mut family, about) = (family_of(path)?, about_of(path)?);
    let mut found = None;
    let count = read_lines(path, input, |number, line| {
        if number <= *wanted {
            let result = run_line(&mut *family, &line);
            if number == *wanted {
                found = Some((line, result));
            }
        }
    })?;
    if let Some((line, result)) = found {
        return Ok(Explained { about, line, result });
    }
    if *wanted > count {
        bail!("{}: no line {wanted}, only {count}", path.display());
    }
    bail!("{}: line {wanted} is empty", path.display())
}

impl Explained {
    /// Returns the rules of the case with their texts: of the step that failed or, if none did, of all of it.
    fn rules(&self) -> Vec<(&'static str, String)> {
        let numbers = match self.failed_step() {
            Some(op) => self.about.rules_of(parts_of_line(&self.line).chain([op])),
            None => self.about.rules_of(parts_of(&self.line)),
        };
        numbers.into_iter().map(|number| (number, rule_text(number).unwrap_or_default())).collect()
    }

    /// Returns the operation of the step that failed.
    fn failed_step(&self) -> Option<&str> {
        let path = &self.result.as_ref().err()?.path;
        let index: usize = path.strip_prefix("steps[")?.split_once(']')?.0.parse().ok()?;
        self.line.get("steps")?.get(index)?.get("op")?.as_str()
    }

    fn print_json(&self, place: &Place, out: &mut Out) -> anyhow::Result<()> {
        let rules: Vec<_> =
            self.rules().iter().map(|(number, text)| json!({ "rule": number, "text": text })).collect();
        let (result, difference) = match &self.result {
            Ok(CaseResult::Passed) => ("passed", Value::Null),
            Ok(CaseResult::Skipped) => ("skipped", Value::Null),
            Err(Difference { path, expected, got }) => {
                ("failed", json!({ "path": path, "expected": expected, "got": got }))
            }
        };
        out.json(&json!({
            "file": place.path.display().to_string(), "line": place.line, "family": self.about.family,
            "result": result, "difference": difference, "rules": rules, "case": self.line,
        }))
    }

    fn print_text(&self, place: &Place, out: &mut Out) -> anyhow::Result<()> {
        let About { family, contents, .. } = self.about;
        out.line(format!("{}, line {}", place.path.display(), place.line))?;
        out.line(format!("family {family}: {contents}"))?;
        let (part, empty) = (part_of(&self.line), Map::new());
        let fields = self.line.as_object().unwrap_or(&empty);
        let is_list = |name: &str| {
            let is_listed = STEPS.iter().any(|(list, results)| *list == name || *results == Some(name));
            is_listed && fields.get(name).is_some_and(Value::is_array)
        };
        let (expected, given): (Vec<_>, Vec<_>) = fields
            .iter()
            .filter(|(name, _)| !is_list(name))
            .partition(|(name, _)| self.about.is_result(part, None, name));
        print_fields("Given", &given, out)?;
        for (list, results) in STEPS {
            let Some(steps) = fields.get(list).and_then(Value::as_array) else { continue };
            let results = results.and_then(|name| fields.get(name)).and_then(Value::as_array);
            self.print_steps(list, steps, results, out)?;
        }
        print_fields("Expected", &expected, out)?;
        out.line("")?;
        match &self.result {
            Ok(CaseResult::Passed) => out.line("Passed: all of this came out.")?,
            Ok(CaseResult::Skipped) => out.line("Skipped: the rules do not decide this case.")?,
            Err(Difference { path, expected, got }) => {
                let [path, expected, got] = [path, expected, got].map(|text| escape_controls(text));
                out.line(format!("Failed at {path}"))?;
                out.line(format!("  expected {expected}"))?;
                out.line(format!("  got      {got}"))?;
            }
        }
        self.print_rules(out)
    }

    fn print_rules(&self, out: &mut Out) -> anyhow::Result<()> {
        let rules = self.rules();
        if rules.len() <= FULL_TEXTS {
            for (_, text) in rules {
                out.line("")?;
                out.line(format!("Rule {text}"))?;
            }
            return Ok(());
        }
        out.line("")?;
        out.line("Rules, with their first lines (--json has all of them)")?;
        for (_, text) in rules {
            out.line(format!("  {}", text.lines().next().unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Prints the elements of a list: what is given, and after an arrow what must come out.
    fn print_steps(
        &self,
        list: &str,
        steps: &[Value],
        results: Option<&Vec<Value>>,
        out: &mut Out,
    ) -> anyhow::Result<()> {
        out.line("")?;
        let (part, columns) = (part_of(&self.line), columns_of(list));
        let hint = if columns.is_empty() { "" } else { ", each with what differs from the one before" };
        out.line(format!("{}{}{hint}", list[..1].to_uppercase(), &list[1..]))?;
        // One step may stand for several ticks, each of which has results.
        let mut results = results.map(|results| results.iter());
        let mut before = None;
        for (index, step) in steps.iter().enumerate() {
            let times = step.get("times").and_then(Value::as_u64).unwrap_or(1);
            match step.as_object() {
                Some(fields) => {
                    let (expected, given): (Vec<_>, Vec<_>) =
                        fields.iter().partition(|(name, _)| self.about.is_result(part, Some(list), name));
                    out.line(format!("  {index}  {}", join(given)))?;
                    if !expected.is_empty() {
                        out.line(format!("     → {}", join(expected)))?;
                    }
                }
                None => out.line(format!("  {index}  {}", named(columns, before, step)))?,
            }
            before = Some(step);
            for result in results.iter_mut().flat_map(|results| results.take(times as usize)) {
                out.line(format!("     → {}", shown(result)))?;
            }
        }
        Ok(())
    }
}

fn print_fields(title: &str, fields: &[(&String, &Value)], out: &mut Out) -> anyhow::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line(title)?;
    for (name, value) in fields {
        out.line(format!("  {}: {}", escape_controls(name), shown(value)))?;
    }
    Ok(())
}

fn join<'a>(fields: impl IntoIterator<Item = (&'a String, &'a Value)>) -> String {
    let fields = fields.into_iter();
    let fields = fields.map(|(name, value)| format!("{} {}", escape_controls(name), shown(value)));
    fields.collect::<Vec<_>>().join(", ")
}

/// Returns what an element of a list holds that the element before it does not, with names. If the names of what it holds are
/// not known, returns all of it.
fn named(columns: &[Option<&str>], before: Option<&Value>, element: &Value) -> String {
    let Some(values) = element.as_array().filter(|values| values.len() == columns.len()) else {
        return shown(element);
    };
    let differs = |index: usize| before.and_then(|before| before.get(index)) != values.get(index);
    let columns = columns.iter().enumerate().filter(|(index, _)| differs(*index));
    let values = columns.filter_map(|(index, name)| Some(format!("{} {}", (*name)?, shown(&values[index]))));
    values.collect::<Vec<_>>().join(", ")
}

/// Returns a value as text, shortened if it is long.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => escape_controls(text).into_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}
