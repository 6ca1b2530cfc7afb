//! Every public type of the crate stands in an example: in a code block of the documentation, in a chapter of the guide or in
//! a program under `examples/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules whose types are public. The empty name is the root.
const MODULES: [&str; 9] =
    ["", "check", "components", "effects", "explain", "json", "query", "scene", "smooth"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files below a folder with one of these extensions.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted)) {
            found.push(path);
        }
    }
    found
}

fn is_type(name: &str) -> bool {
    let is_word = name.chars().all(|char| char.is_ascii_alphanumeric());
    is_word && name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Returns the types that a module makes public: its own, and those of its `pub use` lines.
fn public_types(source: &str) -> BTreeSet<String> {
    let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code: String = lines.collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for statement in code.split("pub use ").skip(1) {
        let path = statement.split(';').next().unwrap_or_default();
        if !path.contains(" as ") {
            names.extend(path.split(['{', '}', ',', ':']).map(|name| name.trim().to_owned()));
        }
    }
    for keyword in ["pub struct ", "pub enum ", "pub trait "] {
        let is_name = |char: char| !char.is_ascii_alphanumeric();
        names.extend(
            code.split(keyword).skip(1).filter_map(|rest| Some(rest.split(is_name).next()?.to_owned())),
        );
    }
    names.retain(|name| is_type(name));
    names
}

/// Returns the code blocks of documentation comments or of a Markdown file.
fn code_blocks(path: &Path) -> String {
    let text = read(path);
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let (mut blocks, mut is_inside) = (String::new(), false);
    for line in text.lines() {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(line) = (if is_rust { comment.map(str::trim_start) } else { Some(line) }) else {
            is_inside = false;
            continue;
        };
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if is_inside {
            blocks.push_str(line);
            blocks.push('\n');
        }
    }
    blocks
}

#[test]
fn every_public_type_stands_in_an_example() {
    let source = folder().join("src");
    let mut types = BTreeMap::new();
    for module in MODULES {
        let file = if module.is_empty() { "lib.rs".to_owned() } else { format!("{module}.rs") };
        for name in public_types(&read(&source.join(file))) {
            types.entry(name).or_insert(module);
        }
    }
    assert!(types.len() > 200, "{} types", types.len());

    let mut text: String = files(&source, &["rs", "md"]).iter().map(|path| code_blocks(path)).collect();
    text.push_str(&code_blocks(&folder().join("README.md")));
    text.extend(files(&folder().join("examples"), &["rs"]).iter().map(|path| read(path)));
    let words: BTreeSet<&str> = text.split(|char: char| !char.is_ascii_alphanumeric()).collect();

    let missing: Vec<_> = types
        .iter()
        .filter(|(name, _)| !words.contains(name.as_str()))
        .map(|(name, module)| format!("{module}::{name}"))
        .collect();
    assert!(missing.is_empty(), "without an example: {}", missing.join(", "));
}
