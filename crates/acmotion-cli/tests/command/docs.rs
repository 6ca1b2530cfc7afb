//! The documents: every file and test that they name exists, and what they quote is so.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the parts of a text between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn assert_has_test(file: &str, test: &str) {
    let text = read(file);
    let forms = [
        format!("#[test]\n    fn {test}()"),
        format!("#[test]\nfn {test}()"),
        // Tests with recordings have a harness of their own.
        format!("\nfn {test}(folder: &Path)"),
    ];
    assert!(forms.iter().any(|form| text.contains(form)), "{file} has no test {test}");
}

/// `docs/coverage.md`: the third column names files, the fourth a file and a test in it.
#[test]
fn every_file_and_test_of_the_coverage_table_exists() {
    let mut rows = 0;
    let text = read("docs/coverage.md");
    let (tables, _) = text.split_once("\n## Mutation\n").expect("the results of mutation come last");
    for line in tables.lines().filter(|line| line.starts_with("| ")) {
        let columns: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [section, _, ours, test] = columns[..] else { panic!("not four columns: {line}") };
        if section == "section" || test == "–" {
            continue;
        }
        rows += 1;
        assert!(quoted(ours).next().is_some(), "no file: {line}");
        for file in quoted(ours) {
            read(format!("crates/{file}"));
        }
        let [file, name] = quoted(test).collect::<Vec<_>>()[..] else { panic!("no test: {line}") };
        assert_has_test(&format!("crates/{file}"), name);
    }
    assert!(rows > 90, "{rows} rows");
}

/// `docs/faq.md`: lines of the form "Test: `name` in `file`."
#[test]
fn every_test_that_the_faq_names_exists() {
    let text = read("docs/faq.md");
    let tests: Vec<_> = text.lines().filter(|line| line.starts_with("Test: ")).collect();
    assert_eq!(tests.len(), text.matches("\n## ").count(), "one test for each section");
    for line in tests {
        let [name, file] = quoted(line).collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_has_test(file, name);
    }
}

/// `docs/conformance.md`: the runner in the text is the file beside it, which CI runs.
#[test]
fn the_runner_in_the_conformance_page_is_the_file_beside_it() {
    let (page, runner) = (read("docs/conformance.md"), read("docs/conformance_runner.py"));
    assert!(page.contains(&format!("```python\n{runner}```\n")));
}

/// `docs/comfort.md`: the example in the text is that of the documentation, which is compiled and run.
#[test]
fn the_example_in_the_comfort_page_is_that_of_the_documentation() {
    let page = read("docs/comfort.md");
    let (_, rest) = page.split_once("```rust\n").expect("there is an example");
    let (example, _) = rest.split_once("```\n").expect("it ends");
    let commented: String =
        example.lines().map(|line| format!("{}\n", format!("/// {line}").trim_end())).collect();
    assert!(
        read("crates/acmotion/src/comfort/settings.rs").contains(&format!("/// ```\n{commented}/// ```\n"))
    );
}
