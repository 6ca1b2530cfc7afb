//! `docs/limits.md`: every constant that it names has the value given there, and every test exists.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the parts of a text between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the value of a constant expression: a product or shift of numbers, or a duration in seconds.
fn evaluate(expression: &str) -> f64 {
    let duration = expression.strip_prefix("Duration::from_secs(").and_then(|text| text.strip_suffix(')'));
    let expression = duration.unwrap_or(expression);
    let number = |text: &str| {
        let text = text.trim().replace('_', "");
        text.parse::<f64>().unwrap_or_else(|_| panic!("not a number: {expression}"))
    };
    if let Some((left, right)) = expression.split_once("<<") {
        return number(left) * 2f64.powf(number(right));
    }
    expression.split('*').map(number).product()
}

/// Returns the value that a file gives a constant or, as `Type::field`, a field by default.
fn value_in(file: &str, name: &str) -> f64 {
    let text = read(file);
    let (start, end) = match name.split_once("::") {
        Some((kind, field)) => {
            let defaults = text.find(&format!("impl Default for {kind} {{")).unwrap_or_else(|| {
                panic!("{file} has no default of {kind}");
            });
            let field = format!("{field}: ");
            let at = text[defaults..].find(&field).unwrap_or_else(|| panic!("{file} has no {name}"));
            (defaults + at + field.len(), [',', '}'])
        }
        None => {
            let constant = format!("const {name}: ");
            let at = text.find(&constant).unwrap_or_else(|| panic!("{file} has no constant {name}"));
            let equals = text[at..].find("= ").unwrap_or_else(|| panic!("{file}: {name} has no value"));
            (at + equals + 2, [';', ';'])
        }
    };
    evaluate(text[start..].split(end).next().unwrap_or_default())
}

/// A test is a function right after its attributes, at any depth.
fn has_test(text: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        match line {
            line if line == "#[test]" || line.starts_with("#[tokio::test") => is_test = true,
            line if line.starts_with("#[") => {}
            line => {
                if is_test && line.trim_start_matches("async ").starts_with(&function) {
                    return true;
                }
                is_test = false;
            }
        }
    }
    false
}

#[test]
fn every_constant_has_its_value_and_every_test_exists() {
    let (mut constants, mut tests) = (0, 0);
    for line in read("docs/limits.md").lines().filter(|line| line.starts_with("| ")) {
        let columns: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [limit, value, setting, reached, test] = columns[..] else { panic!("not five columns: {line}") };
        if limit == "limit" {
            continue;
        }
        assert!(!setting.is_empty() && !reached.is_empty(), "an empty column: {line}");
        if value != "–" {
            let [name, file] = quoted(limit)[..] else { panic!("no constant and file: {line}") };
            let stated = value.replace(',', "").parse::<f64>().unwrap_or_else(|_| panic!("no value: {line}"));
            assert_eq!(value_in(&format!("crates/{file}"), name), stated, "{name} in {file}");
            constants += 1;
        }
        let [file, name] = quoted(test)[..] else { panic!("no test: {line}") };
        assert!(has_test(&read(&format!("crates/{file}")), name), "{file} has no test {name}");
        tests += 1;
    }
    assert!(constants > 40 && tests > 45, "{constants} constants, {tests} tests");
}

/// The tests that the page names in its text.
#[test]
fn every_test_named_in_the_text_exists() {
    let folder = root().join("crates/acmotion/tests/engine");
    let files =
        fs::read_dir(folder).unwrap().filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
    let all: Vec<String> = files.collect();
    let text = read("docs/limits.md");
    let prose = text.lines().filter(|line| !line.starts_with('|'));
    let is_name = |word: &&str| word.contains('_') && !word.contains(['/', ':', '.']);
    let mut found = 0;
    for name in prose.flat_map(quoted).filter(is_name) {
        assert!(all.iter().any(|text| has_test(text, name)), "no test {name}");
        found += 1;
    }
    assert!(found >= 4, "{found} tests");
}

#[test]
fn values_are_computed() {
    for (expression, value) in [
        ("1 << 20", 1_048_576.0),
        ("256 * 1024", 262_144.0),
        ("16_384", 16_384.0),
        ("1e-3", 0.001),
        ("Duration::from_secs(60)", 60.0),
    ] {
        assert_eq!(evaluate(expression), value, "{expression}");
    }
    assert!(has_test("#[test]\n#[ignore]\nfn one() {", "one") && !has_test("fn one() {", "one"));
}
