//! Input that is made to hang, flood or mislead the command. The numbers are those of the list in which it was found.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{acmotion, run, stderr};
use acmotion_dat::{BlockSize, DatWriter, DataId, DataSet};
use tempfile::tempdir;

/// Far more than any of these needs, on a slow machine too.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A `SetState`.
const MESSAGE: &str = "4bf700001d000050104440006a000300";

/// Replays JSON Lines with these times. Returns the exit code and everything that was printed.
fn replay_times(times: &[&str]) -> (Option<i32>, String) {
    let mut lines = String::new();
    for time in times {
        let _ = writeln!(lines, r#"{{"t":{time},"dir":"s2c","hex":"{MESSAGE}"}}"#);
    }
    let output = acmotion(["replay", "-"]).write_stdin(lines).timeout(TIMEOUT).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

fn crowd(players: usize, seconds: f64) -> String {
    let mut text = format!("seconds = {seconds}\n");
    for index in 0..players {
        let (x, y) = (index % 20 * 9, index / 20 * 9);
        let _ = write!(text, "[[player]]\nname = 'P{index}'\nat = [{x}, {y}]\n");
    }
    text
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name).display().to_string();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn hostile_11_times_of_any_size_and_order_end_at_once() {
    for times in [
        &["3e14", "3e14"][..],
        &["1.7e15", "1700000000000001", "1700000000000002"],
        &["-5e15", "0", "5e15"],
        &["1e300", "-1e300", "1e300"],
        &["0", "1e-300", "4294967296", "1e18"],
        &["-1", "-2", "-3"],
    ] {
        let (code, output) = replay_times(times);
        assert_eq!(code, Some(0), "{times:?}: {output}");
    }
}

/// JSON has no such numbers: the lines are damaged, and the others are replayed.
#[test]
fn hostile_11_times_that_are_not_numbers_are_reported_by_line() {
    let (code, output) = replay_times(&["1", "NaN", "Infinity", "1e999", "null", "2"]);
    assert_eq!(code, Some(1), "{output}");
    for line in ["line 2", "line 3", "line 4", "line 5"] {
        assert!(output.contains(line), "{line}: {output}");
    }
    assert!(!output.contains("line 1:") && !output.contains("line 6"), "{output}");
}

#[test]
fn hostile_08_a_scenario_with_many_clients_runs() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "crowd.toml", &crowd(60, 0.5));
    let output = acmotion(["simulate", &path]).timeout(TIMEOUT).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    let rows = table.lines().filter(|line| line.starts_with('P') && line.contains(" ms ")).count();
    assert_eq!(rows, 60 * 60, "each player, seen by the server and by each other player");
}

#[test]
fn hostile_08_a_page_that_would_not_fit_is_an_error() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "crowd.toml", &crowd(60, 60.0));
    let page = folder.path().join("page.html").display().to_string();
    let error = stderr(1, ["simulate", &path, "--report", &page]);
    assert!(error.contains("too large for --report: 3660 bodies in all views for 60 s"), "{error}");
    assert!(!Path::new(&page).exists());
}

#[test]
fn hostile_14_a_scenario_with_1002_inputs_is_an_error() {
    let folder = tempdir().unwrap();
    let inputs = "{ at = 1, tap = 'jump' },\n".repeat(1_002);
    let text = format!("seconds = 5\n[[player]]\nname = 'A'\nat = [1, 1]\ninput = [\n{inputs}]\n");
    let error = stderr(1, ["simulate", &write(folder.path(), "long.toml", &text)]);
    assert!(
        error.contains("long.toml: line 1006: input: expected at most 1000 entries, found 1002"),
        "{error}"
    );
}

#[test]
fn hostile_15_a_scenario_with_1000_players_is_an_error() {
    let folder = tempdir().unwrap();
    let error = stderr(1, ["simulate", &write(folder.path(), "crowd.toml", &crowd(1_000, 0.5))]);
    assert!(error.contains("1001000 bodies; expected at most 100000"), "{error}");
}

/// What the number of bodies allows can still take hours, which is refused before anything runs.
#[test]
fn hostile_15_a_scenario_that_takes_too_long_is_an_error() {
    let folder = tempdir().unwrap();
    let error = stderr(1, ["simulate", &write(folder.path(), "crowd.toml", &crowd(300, 3_600.0))]);
    assert!(
        error.contains(
            "crowd.toml: too long: 90300 bodies in all views can be simulated for 66.4 s, not for 3600 s"
        ),
        "{error}"
    );
    let error = stderr(1, ["simulate", &write(folder.path(), "crowd.toml", &crowd(41, 3_600.0))]);
    assert!(error.contains("1722 bodies in all views can be simulated for 3484.3 s"), "{error}");
}

#[test]
fn hostile_15_a_huge_file_is_not_read_as_a_scenario() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("huge.toml");
    for size in [(16 << 20) + 1, 1 << 34] {
        fs::File::create(&path).unwrap().set_len(size).unwrap();
        let output = acmotion(["simulate", path.to_str().unwrap()]).timeout(TIMEOUT).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("larger than 16777216 bytes, not a scenario"), "{error}");
    }
}

/// Titles of terminals and other commands to them, in a scenario's title and in the name of a file.
#[cfg(unix)]
#[test]
fn hostile_19_no_control_character_reaches_the_terminal() {
    let folder = tempdir().unwrap();
    let title = "title = \"\\u001b]0;owned\\u0007\\u009b2J\"\n";
    let name = "\u{1b}]0;owned\u{7}";
    let scenario = write(folder.path(), &format!("{name}.toml"), &format!("{title}{}", crowd(1, 0.5)));
    let broken = write(folder.path(), &format!("{name}-broken.toml"), "seconds = [");
    let capture = write(folder.path(), &format!("{name}.jsonl"), "{\"t\":1}\n");
    for (code, arguments) in [
        (0, vec!["simulate", &scenario]),
        (0, vec!["simulate", &scenario, "--json"]),
        (1, vec!["simulate", &broken]),
        (1, vec!["replay", &capture]),
        (1, vec!["replay", &capture, "--json"]),
        (1, vec!["decode", &capture]),
    ] {
        let output = run(code, &arguments);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let control = text.chars().find(|character| character.is_control() && *character != '\n');
        assert_eq!(control, None, "{arguments:?}: {text:?}");
    }
}

#[test]
fn hostile_21_a_dat_file_without_a_region_is_named() {
    let folder = tempdir().unwrap();
    let empty = folder.path().join("empty.dat").display().to_string();
    DatWriter::new(BlockSize::Large, DataSet::Portal).write_to(&empty).unwrap();
    let capture =
        write(folder.path(), "one.jsonl", &format!("{{\"t\":1,\"dir\":\"s2c\",\"hex\":\"{MESSAGE}\"}}\n"));
    let error = stderr(1, ["replay", "--dat", &empty, "--cell", "town", &capture]);
    assert!(error.contains("empty.dat: --cell needs the region"), "{error}");
    let scenario = write(folder.path(), "one.toml", &crowd(1, 0.5));
    let error = stderr(1, ["simulate", "--dat", &empty, "--cell", "town", &scenario]);
    assert!(error.contains("empty.dat"), "{error}");
}

#[test]
fn hostile_21_a_time_that_is_not_finite_is_wrong_usage() {
    for time in ["nan", "+nan", "inf", "-inf"] {
        let error = stderr(2, ["decode", "capture.pcap", "--from", time]);
        assert!(error.contains("is not a finite time"), "{error}");
    }
    for arguments in [
        ["--minutes", "nan"],
        ["--minutes", "inf"],
        ["--minutes", "-1"],
        ["--minutes", "1441"],
        ["--clients", "301"],
        ["--hostile", "nan"],
        ["--hostile", "0.91"],
    ] {
        stderr(2, ["soak", arguments[0], arguments[1]]);
    }
    for seeds in ["0", "18446744073709551615"] {
        stderr(2, ["simulate", "scenario.toml", "--check", "--seeds", seeds]);
    }
}

/// Half a megabyte with a hundred objects of 4 MiB: 256 MiB of them are decompressed.
#[test]
fn hostile_24_a_dat_file_of_bombs_is_verified_up_to_a_limit() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("bombs.dat");
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let zeros = vec![0; 4 << 20];
    for index in 0..100 {
        writer.add_compressed(DataId(0x0600_0001 + index), &zeros);
    }
    writer.write_to(&path).unwrap();
    let output = run(1, ["dat", "verify", &path.display().to_string(), "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let left_out = text.lines().filter(|line| line.contains("not decompressed")).count();
    assert_eq!(left_out, 100 - 64, "{text}");
    assert!(text.contains("more than 268,435,456 bytes"), "{text}");
}
