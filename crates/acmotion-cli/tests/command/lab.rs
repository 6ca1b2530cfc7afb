//! Tests `acmotion lab` as a process.
#![cfg(all(unix, feature = "lab"))]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn lab() -> Command {
    Command::new(env!("CARGO_BIN_EXE_acmotion"))
}

/// Starts the lab with or without a capture, and returns it with the first line that it printed: empty if it ended instead.
fn start(capture: Option<&Path>) -> (Child, String) {
    let mut command = lab();
    command.args(["lab", "--no-open", "--port", "0", "--json"]);
    if let Some(capture) = capture {
        command.arg("--capture").arg(capture);
    }
    started(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

/// Starts a command, and returns it with the first line that it prints.
fn started(command: &mut Command) -> (Child, String) {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

#[test]
fn the_lab_prints_its_address_and_stops_on_ctrl_c() {
    let (mut child, line) = start(None);
    if line.is_empty() {
        // The build has no page because Node was missing.
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("this build has no page"), "{error}");
        assert_eq!(output.status.code(), Some(1));
        return;
    }
    let answer = about(&line);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"mannequin\""), "{answer}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Returns what a lab answers about itself, given the line that it printed.
fn about(line: &str) -> String {
    let address: serde_json::Value = serde_json::from_str(line).unwrap();
    let address = address["address"].as_str().unwrap();
    let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
    assert!(host.starts_with("127.0.0.1:"));
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /api/about HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// `tcpdump -U -w - udp | acmotion lab --live -`: the lab shows what has come so far, and goes on when the capture ends.
#[test]
fn a_capture_is_followed_from_a_pipe() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../captures/laggy_duel.pcap");
    let bytes = std::fs::read(capture).unwrap();
    let mut command = lab();
    command.args(["lab", "--no-open", "--port", "0", "--json", "--live", "-"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, line) = started(command);
    if line.is_empty() {
        let error = String::from_utf8_lossy(&child.wait_with_output().unwrap().stderr).into_owned();
        assert!(error.contains("this build has no page"), "{error}");
        return;
    }
    let mut input = child.stdin.take().unwrap();
    // The recording that the lab lists, once a condition holds.
    let recording = |holds: &dyn Fn(&serde_json::Value) -> bool| loop {
        let answer = about(&line);
        let body = answer.split("\r\n\r\n").nth(1).unwrap();
        let json = &body[body.find('{').unwrap()..=body.rfind('}').unwrap()];
        let about: serde_json::Value = serde_json::from_str(json).unwrap();
        let recording = about["recordings"][0].clone();
        if holds(&recording) {
            return recording;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let count = |recording: &serde_json::Value| recording["messages"].as_u64().unwrap();
    let first = recording(&|_| true);
    assert!(first["live"] == true && count(&first) == 0, "nothing has come yet: {first}");
    // Half of it: the packet in the middle waits for its end.
    input.write_all(&bytes[..bytes.len() / 2]).unwrap();
    input.flush().unwrap();
    let half = recording(&|recording| count(recording) > 0);
    assert_eq!(half["live"], true, "{half}");
    let seen = count(&half);
    input.write_all(&bytes[bytes.len() / 2..]).unwrap();
    recording(&|recording| count(recording) > seen);
    // The end of the capture is not the end of the lab.
    drop(input);
    recording(&|recording| recording["live"] == false);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_error_names_the_file_that_cannot_be_read() {
    for option in ["--dat", "--cell", "--capture", "--live"] {
        let output = lab().args(["lab", "--no-open", "--port", "0", option, "nothing.dat"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{option}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_named = error.contains("nothing.dat") || error.contains("this build has no page");
        assert!(is_named, "{option}: {error}");
    }
}

#[test]
fn the_page_without_a_server_is_exported_or_the_error_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("new/site");
    let output = lab().args(["lab", "--json", "--export"]).arg(&site).output().unwrap();
    if output.status.success() {
        let written: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let files: Vec<_> = std::fs::read_dir(&site).unwrap().map(|file| file.unwrap()).collect();
        let bytes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
        assert_eq!(
            (written["files"].as_u64(), written["bytes"].as_u64()),
            (Some(files.len() as u64), Some(bytes))
        );
        let index = std::fs::read_to_string(site.join("index.html")).unwrap();
        assert!(index.contains("connect-src 'none'") && !index.contains("://"), "{index}");
        // A second time over the first, but not over a file.
        assert!(lab().args(["lab", "--export"]).arg(&site).status().unwrap().success());
        let file = site.join("index.html");
        let output = lab().args(["lab", "--export"]).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("index.html"));
    } else {
        // The page was not made before the command was built.
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("npm run build") && !site.exists(), "{error}");
        assert_eq!(output.status.code(), Some(1));
    }
    let output = lab().args(["lab", "--export", "x", "--capture", "y"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "an exported page opens its own files");
}

#[test]
fn packed_captures_are_opened() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../captures/laggy_duel.pcap");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.pcap.zst");
    let packed = zstd::encode_all(&std::fs::read(capture).unwrap()[..], 3).unwrap();
    for (packed, works) in [(&packed[..], true), (&packed[..packed.len() / 2], false)] {
        std::fs::write(&path, packed).unwrap();
        let (mut child, line) = start(Some(&path));
        let is_open = line.contains("address");
        // Where it does not serve, it has ended.
        let _ = child.kill();
        let error = String::from_utf8_lossy(&child.wait_with_output().unwrap().stderr).into_owned();
        if error.contains("this build has no page") {
            return;
        }
        assert_eq!(is_open, works, "{error}");
        assert!(works || error.contains("duel.pcap.zst: cannot be unpacked after "), "{error}");
    }
}
