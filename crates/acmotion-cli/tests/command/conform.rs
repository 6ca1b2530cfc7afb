//! `acmotion conform`: the project's own vectors pass, failures are reported, and files that cannot be run are errors.

use std::fs;
use std::io::Write as _;

use crate::common::{golden, json_lines, run, stderr, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::tempdir;

#[test]
fn failures_are_counted_and_reported() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("stamps.mine.jsonl").display().to_string();
    let passing = r#"{"fn":"newer16","old":10,"new":11,"newer":true}"#;
    let failing = r#"{"fn":"newer16","old":11,"new":11,"newer":true}"#;
    fs::write(&path, format!("{passing}\n{failing}\n")).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert_eq!(
        output,
        "stamps.mine.jsonl: 1 passed, 1 failed, 0 skipped\n  line 2: newer: expected true, got false\n1 passed, 1 failed\n"
    );
    let lines = json_lines(&run(1, ["conform", &path, "--json"]).stdout);
    assert_eq!(lines[1]["path"], "newer");
}

#[test]
fn files_that_cannot_be_run_are_errors() {
    let folder = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, text).unwrap();
        path
    };
    assert!(stderr(1, ["conform", &file("wolves.jsonl", "{}")]).contains("no family `wolves`"));
    assert!(stderr(1, ["conform", &file("stamps.a.jsonl", "{")]).contains("line 1: not JSON"));
    assert!(stderr(1, ["conform", &file("stamps.b.jsonl", "")]).contains("no vectors in it"));
    for missing in ["stamps.none.jsonl", "nofile"] {
        let error = stderr(1, ["conform", missing]);
        assert!(error.starts_with(&format!("acmotion: {missing}: No such file")), "{error}");
    }
    let long = format!("[{}0]", "0,".repeat(3 << 20));
    assert!(
        stderr(1, ["conform", &file("stamps.long.jsonl", &long)]).contains("line 1: longer than 4,194,304")
    );
    let first_bytes = &fs::read(golden("stamps.dev.jsonl.gz")).unwrap()[..2000];
    let cut = folder.path().join("stamps.cut.jsonl.gz");
    fs::write(&cut, first_bytes).unwrap();
    assert!(stderr(1, ["conform", &cut.display().to_string()]).contains("stamps.cut.jsonl.gz, line"));
    stderr(2, ["conform"]);
}

#[test]
fn failures_are_short_and_without_control_characters() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("heading.mine.jsonl").display().to_string();
    let unknown = r#"{"fn":"\u001b]0;title\u0007\n"}"#;
    let huge = r#"{"fn":"jump_charge","held_seconds":0,"dual_wield":false,"level":1e300}"#;
    fs::write(&path, format!("{unknown}\n{huge}\n")).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert!(output.contains(r"got \u{1b}]0;title\u{7}\n"), "{output}");
    assert!(output.contains("level: expected 1e300, got 0"), "{output}");
}

#[test]
fn the_projects_own_vectors_pass() {
    let folder = golden("").read_dir().unwrap();
    let mut files: Vec<String> = folder.map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    assert!(files.len() >= 28, "{files:?}");
    let output = stdout(["conform"].into_iter().map(String::from).chain(files));
    assert!(output.lines().last().unwrap().ends_with(" passed, 0 failed"), "{output}");
    let passed: u64 = output.lines().last().unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(passed > 22_000, "{output}");
}

/// Runs `conform` on a gzipped file of `count` times `text`, and returns the error.
fn error_of_gzip(name: &str, text: &str, count: usize) -> String {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name);
    let mut packed = GzEncoder::new(fs::File::create(&path).unwrap(), Compression::fast());
    for _ in 0..count {
        packed.write_all(text.as_bytes()).unwrap();
    }
    packed.finish().unwrap();
    stderr(1, ["conform", &path.display().to_string()])
}

#[test]
fn hostile_12_a_gzip_of_zeros_ends_at_the_length_of_a_line() {
    let error = error_of_gzip("stamps.zeros.jsonl.gz", &"\0".repeat(1 << 20), 64);
    assert!(error.contains("line 1: longer than 4,194,304 bytes"), "{error}");
}

#[test]
fn hostile_12_a_gzip_of_newlines_ends_at_the_number_of_lines() {
    let error = error_of_gzip("stamps.newlines.jsonl.gz", &"\n".repeat(1 << 20), 64);
    assert!(error.contains("more than 1,000,000 lines; split it"), "{error}");
}

#[test]
fn hostile_12_a_gzip_of_long_lines_ends_at_the_size_of_a_file() {
    // Blanks that do not shrink to a two hundredth, which would be an error of its own.
    let blank = |number: u32| if number.wrapping_mul(2_654_435_761) >> 13 & 3 == 0 { '\t' } else { ' ' };
    let line: String = (1..4 << 20).map(blank).chain(['\n']).collect();
    let error = error_of_gzip("stamps.spaces.jsonl.gz", &line, 17);
    assert!(error.contains("larger than 67,108,864 bytes; split it"), "{error}");
}

/// Runs `conform` on a file of one line, and returns the failure that it reports for that line.
fn failure_of_line(name: &str, line: &str) -> String {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name).display().to_string();
    fs::write(&path, line).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    output.lines().find(|line| line.starts_with("  line ")).unwrap_or_default().to_owned()
}

#[test]
fn hostile_12_counts_beyond_reason_fail_before_any_work() {
    let table = r#""table":{"id":"0x09000002","default_style":"0x8000003D","style_defaults":[],"cycles":[],"modifiers":[],"links":[]}"#;
    for count in ["18446744073709551615", "1048577"] {
        let frames =
            format!(r#"{{"kind":"table","id":0,{table},"anims":[["0x03000001",{count}],["0x03000002",1]]}}"#);
        let failure = failure_of_line("moveto.mine.jsonl", &frames);
        assert!(failure.contains("anims: expected at most 1048576 frames in a file"), "{failure}");
    }

    let missile = r#"{"kind":"missile","source":"x","cell":"0xA9B40001","o":[1,1,1],"velocity":[1,0,0],"ground":0,"state":"0x0","distance":1e9,"ticks":"#;
    for ticks in ["18446744073709551615", "100001"] {
        let failure = failure_of_line("recorded.mine.jsonl", &format!("{missile}{ticks}}}"));
        assert!(failure.contains("ticks: expected at most 100000 in the vector"), "{failure}");
    }

    let script = r#"{"kind":"script","source":"x","run_by_default":true,"start":{"t":0,"cell":"0xA9B40001","o":[1,1,1]},"steps":[],"sends":[],"#;
    for (times, frames) in [(r#""frame":0,"end":1"#, "inf"), (r#""frame":1,"end":100001"#, "100001")] {
        let failure = failure_of_line("recorded.mine.jsonl", &format!("{script}{times}}}"));
        let expected = format!("end: expected at most 100000 frames in the vector, got {frames}");
        assert!(failure.contains(&expected), "{failure}");
    }
}

#[test]
fn hostile_12_more_tables_than_a_file_can_have_fail() {
    let table = r#"{"kind":"table","id":0,"table":{"id":"0x09000002","default_style":"0x8000003D","style_defaults":[],"cycles":[],"modifiers":[],"links":[]},"anims":[]}"#;
    let folder = tempdir().unwrap();
    let path = folder.path().join("moveto.mine.jsonl").display().to_string();
    fs::write(&path, format!("{table}\n").repeat(1025)).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert!(output.contains("1,024 passed, 1 failed"), "{output}");
    assert!(output.contains("table: expected at most 1024 in a file, got 1025"), "{output}");
}

#[test]
fn hostile_12_a_long_value_is_reported_by_its_beginning() {
    let line = format!(r#"{{"fn":"newer16","old":"{}","new":1,"newer":true}}"#, "é".repeat(1 << 20));
    let failure = failure_of_line("stamps.mine.jsonl", &line);
    assert!(
        failure.starts_with("  line 1: old: expected a non-negative integer in the vector, got"),
        "{failure:.200}"
    );
    assert!(failure.ends_with('…') && failure.len() < 5000, "{}", failure.len());
}

#[test]
fn a_missing_file_is_the_only_thing_reported() {
    let output = run(1, ["conform", "nofile"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nofile: No such file"));
}

#[test]
fn all_vectors_of_a_folder_are_run() {
    let folder = tempdir().unwrap();
    for name in ["stamps.dev.jsonl.gz", "heading.dev.jsonl.gz"] {
        fs::copy(golden(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("README.md"), "not vectors").unwrap();
    let output = stdout(["conform", folder.path().to_str().unwrap()]);
    assert!(
        output.contains("stamps.dev.jsonl.gz: ") && output.contains("heading.dev.jsonl.gz: "),
        "{output}"
    );
    let empty = tempdir().unwrap();
    assert!(stderr(1, ["conform", empty.path().to_str().unwrap()]).contains("no vector files in it"));
}
