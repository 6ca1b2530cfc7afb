//! `acmotion export tables`: what is found and read, what is skipped, and bad input. The rows are tested in acmotion-tables.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use acmotion_types::Guid;
use acmotion_wire::capture::CaptureWriter;
use acmotion_wire::{Direction, PlayerCreate, S2C};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::{json_lines, run, stderr, stdout};

/// Returns a capture of some messages that name a player.
fn capture(player: u32, messages: u32) -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for number in 0..messages {
        let mut bytes = Vec::new();
        S2C::from(PlayerCreate { guid: Guid(player) }).encode(&mut bytes);
        writer.message(1_485_216_000.0 + f64::from(number), Direction::S2C, &bytes).unwrap();
    }
    writer.into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut writer = DeflateEncoder::new(Vec::new(), Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Returns a zip archive. Each file has a name, flags (1: encrypted), and its contents before they are packed.
fn zip(files: &[(&str, u16, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, flags, contents) in files {
        let packed = deflate(contents);
        let mut common = Vec::new();
        for number in [20, *flags, 8, 0, 0] {
            common.extend(u16::to_le_bytes(number));
        }
        for number in [0, packed.len() as u32, contents.len() as u32, name.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        let at = archive.len() as u32;
        archive.extend([&b"PK\x03\x04"[..], &common[..], name.as_bytes(), &packed].concat());
        directory.extend(
            [&b"PK\x01\x02\x14\0"[..], &common[..], &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let (at, count) = (archive.len() as u32, (files.len() as u16).to_le_bytes());
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(
        [&count[..], &count, &(directory.len() as u32).to_le_bytes(), &at.to_le_bytes(), &[0; 2]].concat(),
    );
    archive
}

/// A folder of captures, and one for tables.
struct Folders {
    _root: TempDir,
    captures: String,
    out: String,
}

impl Folders {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let root = tempdir().unwrap();
        let path = |name: &str| root.path().join(name).display().to_string();
        let folders = Self { captures: path("captures"), out: path("tables"), _root: root };
        fs::create_dir(&folders.captures).unwrap();
        for (name, bytes) in files {
            folders.add(name, bytes);
        }
        folders
    }

    fn add(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.captures)
    }

    /// Exports the messages of the folder and returns what is said about each capture: its name in the folder, what became of it, and
    /// its messages.
    fn export(&self, code: i32) -> Vec<(String, String, Value)> {
        let output = run(
            code,
            ["export", "tables", &self.captures, "--out", &self.out, "--only", "messages", "--json"],
        );
        json_lines(&output.stdout).iter().map(|line| self.outcome(line)).collect()
    }

    fn outcome(&self, line: &Value) -> (String, String, Value) {
        let file = line["file"].as_str().unwrap().strip_prefix(&self.path("")).unwrap();
        (file.into(), line["status"].as_str().unwrap().into(), line["messages"].clone())
    }

    /// Returns the number of captures in a table.
    fn partitions(&self, table: &str) -> usize {
        fs::read_dir(Path::new(&self.out).join(table)).map_or(0, Iterator::count)
    }
}

fn outcomes(expected: &[(&str, &str, u32)]) -> Vec<(String, String, Value)> {
    expected
        .iter()
        .map(|(file, status, messages)| ((*file).into(), (*status).into(), (*messages).into()))
        .collect()
}

#[test]
fn captures_are_exported_once_whatever_they_are_called_and_packed_in() {
    let (one, two) = (capture(0x5000_0001, 3), capture(0x5000_0002, 5));
    let folders = Folders::new(&[
        ("a.pcap", &one),
        ("b.pcap.gz", &gzip(&one)),
        ("c.zip", &zip(&[("in/two.pcap", 0, &two), ("notes.txt", 0, b"no capture")])),
        ("d.pcap.zst", &zstd::encode_all(&two[..], 3).unwrap()),
        ("README.md", b"no capture"),
    ]);
    let first = folders.export(0);
    let expected = [
        ("a.pcap", "exported", 3),
        ("b.pcap.gz", "duplicate", 3),
        ("c.zip/in/two.pcap", "exported", 5),
        ("d.pcap.zst", "duplicate", 5),
    ];
    assert_eq!(first, outcomes(&expected));
    assert_eq!((folders.partitions("messages"), folders.partitions("captures")), (2, 2));

    // Nothing is new; then one capture is.
    assert!(folders.export(0).iter().all(|(_, status, _)| status == "present"));
    folders.add("e.pcap", &capture(0x5000_0003, 7));
    let exported: Vec<_> =
        folders.export(0).into_iter().filter(|(_, status, _)| status == "exported").collect();
    assert_eq!(exported, outcomes(&[("e.pcap", "exported", 7)]));
    assert_eq!(folders.partitions("captures"), 3);
    assert!(!Path::new(&folders.out).join("_unfinished").exists());
}

#[test]
fn a_capture_is_exported_again_for_other_tables_and_settings() {
    let folders = Folders::new(&[("a.pcap", &capture(0x5000_0001, 3))]);
    let export = |options: &[&str]| {
        let arguments = ["export", "tables", &folders.captures, "--out", &folders.out, "--json"];
        let output = run(0, [&arguments[..], options].concat());
        json_lines(&output.stdout)[0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(export(&["--only", "messages,sends"]), "exported");
    assert_eq!(export(&["--only", "sends"]), "present");
    assert_eq!(export(&["--only", "sends,states"]), "exported");
    assert_eq!(folders.partitions("messages"), 0, "tables of other settings stay behind");
    assert_eq!(export(&["--only", "sends,states", "--era", "2013"]), "exported");
}

/// Nothing reads a folder of both.
#[test]
fn a_folder_has_tables_of_one_format() {
    let folders = Folders::new(&[("a.pcap", &capture(0x5000_0001, 3))]);
    let arguments = ["export", "tables", &folders.captures, "--only", "messages", "--out"];
    let other = format!("{}-csv", folders.out);
    stdout([&arguments[..], &[&folders.out]].concat());
    stdout([&arguments[..], &[&other, "--csv"]].concat());
    for (out, options, found, wanted) in
        [(&folders.out, &["--csv"][..], "parquet", "csv"), (&other, &[], "csv", "parquet")]
    {
        let text = stderr(1, [&arguments[..], &[out], options].concat());
        let expected =
            format!("{out}: its tables are .{found} files; give --out another folder for .{wanted} files");
        assert!(text.contains(&expected), "{text}");
        let files = fs::read_dir(Path::new(out).join("messages")).unwrap();
        let files: Vec<_> =
            files.flat_map(|partition| fs::read_dir(partition.unwrap().path()).unwrap()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
    }
}

/// Programs that guess columns would take a line of names for a row of texts.
#[test]
fn tables_without_rows_are_no_csv_files() {
    let folders = Folders::new(&[("a.pcap", &capture(0x5000_0001, 3)), ("empty.pcap", b"")]);
    let arguments = ["export", "tables", &folders.captures, "--csv", "--only", "messages,sends", "--out"];
    run(1, [&arguments[..], &[&folders.out]].concat());
    assert_eq!(["captures", "messages", "sends"].map(|table| folders.partitions(table)), [2, 1, 0]);
    let text = stdout([&arguments[..], &[&folders.out]].concat());
    assert!(text.contains("2 captures: 0 exported, 2 there already"), "{text}");
}

#[test]
fn a_later_run_knows_what_is_wrong_with_a_capture() {
    let good = capture(0x5000_0001, 3);
    let folders = Folders::new(&[
        ("cut.pcap", &good[..good.len() - 5]),
        ("good.pcap", &good),
        ("text.pcap", b"\"quoted\", text\n"),
    ]);
    for format in [None, Some("--csv")] {
        let out = format!("{}{}", folders.out, format.unwrap_or_default());
        let export = |code: i32| {
            let arguments =
                ["export", "tables", &folders.captures, "--only", "messages", "--json", "--out", &out];
            let output = run(code, arguments.into_iter().chain(format));
            (json_lines(&output.stdout), String::from_utf8(output.stderr).unwrap())
        };
        let ((mut first, said), (second, said_again)) = (export(1), export(0));
        assert!(said.contains("cut.pcap: 1 unreadable part; the first at offset "), "{said}");
        assert!(said.contains("text.pcap: 1 unreadable part; "), "{said}");
        assert!(!said_again.contains("unreadable"), "{said_again}");
        assert_eq!((&first[0]["messages"], &first[0]["errors"]), (&2.into(), &1.into()));
        for line in &mut first {
            assert_eq!(line["status"], "exported");
            line["status"] = "present".into();
            line["rows"] = serde_json::json!({});
        }
        assert_eq!(first, second);
    }
}

#[test]
fn what_cannot_be_read_does_not_stop_the_others() {
    let good = capture(0x5000_0001, 3);
    let whole = zip(&[("x.pcap", 0, &good)]);
    let folders = Folders::new(&[
        ("cut.zip", &whole[..whole.len() - 30]),
        ("damaged.pcap.gz", &gzip(&capture(0x5000_0002, 2000))[..900]),
        ("empty.pcap", b""),
        ("good.pcap", &good),
        (
            "odd.zip",
            &zip(&[
                ("locked.pcap", 1, &good),
                ("more.zip", 0, &whole),
                ("y.pcap", 0, &capture(0x5000_0003, 1)),
            ]),
        ),
        ("text.pcap", b"# no capture\n"),
    ]);
    let output = run(
        1,
        ["export", "tables", &folders.captures, "--out", &folders.out, "--only", "messages", "--json"],
    );
    let lines = json_lines(&output.stdout);
    let named = |name: &str| {
        let line = lines.iter().find(|line| line["file"] == folders.path(name)).unwrap();
        let (_, status, messages) = folders.outcome(line);
        (status, messages, line["first_error"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(lines.len(), 8);
    for (name, status, reason) in [
        ("cut.zip", "unreadable", "invalid Zip archive"),
        ("damaged.pcap.gz", "exported", "cannot be unpacked after "),
        ("empty.pcap", "exported", "the capture is empty"),
        ("odd.zip/locked.pcap", "unreadable", "encrypted; unpack it first"),
        ("odd.zip/more.zip", "unreadable", "a zip archive inside another"),
        ("text.pcap", "exported", "not a capture"),
    ] {
        let (found, _, error) = named(name);
        assert_eq!(found, status, "{name}: {error}");
        assert!(error.contains(reason), "{name}: {error}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("{name}: ")), "{name} is not in {said}");
    }
    assert!(named("damaged.pcap.gz").1.as_u64().unwrap() > 10, "what could be read is exported");
    assert_eq!(named("good.pcap").1, 3);
    assert_eq!(named("odd.zip/y.pcap").1, 1);
    assert_eq!(folders.partitions("captures"), 8, "one for each");
}

/// The columns of `captures` that say what is wrong, by the names of the files.
fn captures_rows(folders: &Folders) -> BTreeMap<String, [String; 4]> {
    let mut rows = BTreeMap::new();
    for partition in fs::read_dir(Path::new(&folders.out).join("captures")).unwrap() {
        let text = fs::read_to_string(partition.unwrap().path().join("part-0.csv")).unwrap();
        let [names, values] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        let row: BTreeMap<&str, &str> = names.split(',').zip(values.split(',')).collect();
        let file = row["file"].trim_matches('"').strip_prefix(&folders.path("")).unwrap();
        rows.insert(
            file.into(),
            ["messages", "errors", "first_bad_offset", "first_error"].map(|name| row[name].into()),
        );
    }
    rows
}

/// Exports the messages of a folder as CSV. Returns the status, the partition and the new rows of each capture.
fn export_csv(folders: &Folders, code: i32) -> Vec<(String, String, Value)> {
    let arguments = ["export", "tables", &folders.captures, "--out", &folders.out, "--csv"];
    let output = run(code, [&arguments[..], &["--only", "messages", "--json"]].concat());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    json_lines(&output.stdout)
        .iter()
        .map(|line| (text(&line["status"]), text(&line["capture"]), line["rows"].clone()))
        .collect()
}

#[test]
fn what_cannot_be_read_has_a_row_of_its_own() {
    let good = capture(0x5000_0001, 3);
    let whole = zip(&[("x.pcap", 0, &good)]);
    let locked = zip(&[("locked.pcap", 1, &good), ("more.zip", 0, &whole)]);
    let folders = Folders::new(&[
        ("a.zip", &whole[..whole.len() - 30]),
        // The same bytes under another name.
        ("b.zip", &whole[..whole.len() - 30]),
        ("c.pcap", &whole),
        ("d.zip", &locked),
    ]);
    let first = export_csv(&folders, 1);
    let written = |messages: bool| match messages {
        true => serde_json::json!({ "messages": 0, "captures": 1 }),
        false => serde_json::json!({}),
    };
    assert!(first.iter().all(|(status, key, _)| status == "unreadable" && key.starts_with('u')), "{first:?}");
    let rows: Vec<_> = first.iter().map(|(.., rows)| rows.clone()).collect();
    assert_eq!(rows, [true, false, true, true, true].map(written));
    assert_eq!(first[0].1, first[1].1);
    let expected = [
        ("a.zip", "invalid Zip archive"),
        ("c.pcap", "a zip archive; unpack it first"),
        ("d.zip/locked.pcap", "encrypted; unpack it first"),
        ("d.zip/more.zip", "a zip archive inside another; unpack it first"),
    ];
    let found = captures_rows(&folders);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.map(|(file, _)| file).iter().collect::<Vec<_>>());
    for (file, reason) in expected {
        let [messages, errors, offset, error] = &found[file];
        assert_eq!([messages, errors, offset], ["0", "1", "0"], "{file}");
        assert!(error.contains(reason), "{file}: {error}");
    }

    // They are tried and reported again, but not written.
    let second = export_csv(&folders, 1);
    assert!(second.iter().zip(&first).all(|(now, then)| (&now.0, &now.1) == (&then.0, &then.1)));
    assert!(second.iter().all(|(.., rows)| *rows == written(false)), "{second:?}");
    assert_eq!(captures_rows(&folders), found);
}

/// On Linux there is a file that can be opened and not read.
#[cfg(target_os = "linux")]
#[test]
fn the_row_of_a_file_without_bytes_goes_when_it_can_be_read() {
    let folders = Folders::new(&[]);
    std::os::unix::fs::symlink("/proc/self/mem", folders.path("a.pcap")).unwrap();
    std::os::unix::fs::symlink("/proc/self/mem", folders.path("b.pcap")).unwrap();
    let first = export_csv(&folders, 1);
    assert!(first.iter().all(|(status, ..)| status == "unreadable") && first[0].1 != first[1].1, "{first:?}");
    assert_eq!(captures_rows(&folders).len(), 2);
    fs::remove_file(folders.path("a.pcap")).unwrap();
    folders.add("a.pcap", &capture(0x5000_0001, 3));
    let second = export_csv(&folders, 1);
    assert_eq!([&second[0].0, &second[1].0], ["exported", "unreadable"]);
    let rows = captures_rows(&folders);
    assert_eq!(folders.partitions("captures"), 2, "the old row of a.pcap has gone");
    assert_eq!([&rows["a.pcap"][0], &rows["b.pcap"][1]], ["3", "1"]);
}

/// What a run leaves behind if it is killed: unfinished tables, and moved ones without their row in `captures`.
#[test]
fn a_run_that_was_interrupted_is_completed() {
    let folders = Folders::new(&[
        ("a.pcap", &capture(0x5000_0001, 3)),
        ("b.pcap", &capture(0x5000_0002, 5)),
        ("c.pcap", &capture(0x5000_0003, 7)),
    ]);
    let whole = |folders: &Folders| {
        let mut files = BTreeMap::new();
        for table in ["messages", "captures"] {
            for partition in fs::read_dir(Path::new(&folders.out).join(table)).unwrap() {
                let partition = partition.unwrap();
                for file in fs::read_dir(partition.path()).unwrap() {
                    let file = file.unwrap();
                    let name = format!("{table}/{:?}/{:?}", partition.file_name(), file.file_name());
                    files.insert(name, fs::read(file.path()).unwrap());
                }
            }
        }
        files
    };
    let first = export_csv(&folders, 0);
    let expected = whole(&folders);
    assert_eq!(expected.len(), 6);

    let keys: Vec<String> = first.into_iter().map(|(_, key, _)| key).collect();
    let partition = |table: &str, number: usize| {
        Path::new(&folders.out).join(table).join(format!("capture={}", keys[number]))
    };
    // Killed between the tables of the first capture, and before the second one was moved.
    fs::remove_dir_all(partition("captures", 0)).unwrap();
    fs::write(partition("messages", 0).join("part-0.csv"), "half a line").unwrap();
    fs::write(partition("messages", 0).join("part-1.csv"), "a file of another time").unwrap();
    for table in ["messages", "captures"] {
        fs::remove_dir_all(partition(table, 1)).unwrap();
    }
    let unfinished = Path::new(&folders.out).join("_unfinished");
    let old = SystemTime::now() - Duration::from_secs(2 * 3_600);
    for (name, is_old) in [("17-0", true), ("18-0", false)] {
        let folder = unfinished.join(name);
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("messages-0.unfinished");
        fs::write(&file, "half a table").unwrap();
        if is_old {
            // The folder last: writing to it changes its time.
            for path in [&file, &folder] {
                File::open(path).unwrap().set_modified(old).unwrap();
            }
        }
    }

    let again: Vec<String> = export_csv(&folders, 0).into_iter().map(|(status, ..)| status).collect();
    assert_eq!(again, ["exported", "exported", "present"]);
    assert_eq!(whole(&folders), expected);
    let left: Vec<_> = fs::read_dir(&unfinished).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["18-0"], "another run may be writing to it");
}

#[test]
fn an_archive_that_unpacks_to_far_more_ends_with_an_error() {
    // A pcap file of packets without contents.
    let mut bomb = capture(0x5000_0001, 1);
    bomb.resize(100 << 20, 0);
    let folders = Folders::new(&[("bomb.zip", &zip(&[("bomb.pcap", 0, &bomb)]))]);
    drop(bomb);
    let text =
        stderr(1, ["export", "tables", &folders.captures, "--out", &folders.out, "--only", "messages"]);
    assert!(text.contains("expected at most 200 times as many"), "{text}");
    assert_eq!(folders.export(0)[0].1, "present");
    assert_eq!(folders.partitions("captures"), 1);
}

#[test]
fn nothing_to_read_and_nowhere_to_write_are_errors() {
    let folders = Folders::new(&[]);
    let out = &folders.out;
    let text = stderr(1, ["export", "tables", &folders.captures, "--out", out]);
    assert!(text.contains("no captures: nothing to read"), "{text}");
    folders.add("README.md", b"no capture");
    let text = stderr(1, ["export", "tables", &folders.captures, "--out", out]);
    assert!(text.contains("no captures: 1 file with other names; "), "{text}");
    assert!(
        text.contains(".jsonl (packed: followed by .gz, .zst, .zstd), those of archives in .zip"),
        "{text}"
    );
    let text = stderr(1, ["export", "tables", &folders.path("gone.pcap"), "--out", out]);
    assert!(text.contains("gone.pcap: "), "{text}");
    assert!(!Path::new(out).exists());

    folders.add("a.pcap", &capture(0x5000_0001, 1));
    fs::write(out, "a file").unwrap();
    let text = stderr(1, ["export", "tables", &folders.captures, "--out", out]);
    assert!(text.contains(out), "{text}");
    let text = stderr(2, ["export", "tables", &folders.captures, "--out", out, "--only", "moves"]);
    assert!(text.contains("`moves` is not a table; expected messages, entities"), "{text}");
    let text = stderr(1, ["export", "tables", "-", "-", "--out", &folders.path("tables")]);
    assert!(text.contains("only one of the captures can come from standard input"), "{text}");
}

#[test]
fn folders_in_too_many_others_are_an_error() {
    let folders = Folders::new(&[]);
    let deep = Path::new(&folders.captures).join("d/".repeat(64));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a.pcap"), capture(0x5000_0001, 1)).unwrap();
    assert_eq!(folders.export(0).len(), 1);
    fs::create_dir(deep.join("d")).unwrap();
    let text = stderr(1, ["export", "tables", &folders.captures, "--out", &folders.out]);
    assert!(text.contains("folders in more than 64 others"), "{text}");
}

#[test]
fn only_so_many_captures_are_worked_on_at_a_time() {
    let folders = Folders::new(&[("a.pcap", &capture(0x5000_0001, 3))]);
    let arguments = ["export", "tables", &folders.captures, "--out", &folders.out, "--jobs"];
    for jobs in ["0", "65"] {
        let text = stderr(2, [&arguments[..], &[jobs]].concat());
        assert!(text.contains("1..=64"), "{text}");
    }
    stdout([&arguments[..], &["64"]].concat());
}

#[test]
fn the_summary_counts_rows() {
    let folders = Folders::new(&[("a.pcap", &capture(0x5000_0001, 3))]);
    let text = stdout(["export", "tables", &folders.captures, "--out", &folders.out, "--csv"]);
    assert!(text.starts_with("1 capture: 1 exported\n"), "{text}");
    let [messages] = text.lines().filter(|line| line.contains("messages")).collect::<Vec<_>>()[..] else {
        panic!("{text}")
    };
    assert!(messages.contains(" 3 new rows  "), "{text}");
    assert!(text.contains("  captures                1 new row "), "{text}");
    let again = stdout(["export", "tables", &folders.captures, "--out", &folders.out, "--csv"]);
    assert_eq!(again, "1 capture: 0 exported, 1 there already\n");
}
