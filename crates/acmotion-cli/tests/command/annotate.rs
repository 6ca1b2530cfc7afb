//! `acmotion decode --annotate`: the packets of a capture with what they say as comments.

use std::fs;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;

use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureItem, CaptureReader, CaptureWriter, Endpoints, WriteOptions};
use tempfile::tempdir;

use crate::common::{stderr, stdout};

/// `PlayerCreate` of 0x50000001.
const PLAYER_CREATE: [u8; 8] = [0x46, 0xF7, 0, 0, 1, 0, 0, 0x50];
/// A message that is not about movement.
const OTHER: [u8; 8] = [0x77, 0x77, 0, 0, 1, 2, 3, 4];

/// The size of the header of a pcap file, in bytes.
const FILE_HEADER: usize = 24;

/// Returns a capture of two messages and, between them, a datagram that does not belong to the game.
fn capture() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &PLAYER_CREATE).unwrap();
    writer.message(12.25, Direction::S2C, &OTHER).unwrap();
    let messages = writer.into_inner();
    let server = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 53), 53);
    let options =
        WriteOptions { endpoints: Endpoints { server, ..Endpoints::default() }, ..WriteOptions::default() };
    let mut writer = CaptureWriter::with_options(Vec::new(), options).unwrap();
    writer.datagram(11.0, Direction::S2C, b"of another program").unwrap();
    let foreign = writer.into_inner();
    // Each record has a header of 16 bytes; its third word is the length of the packet.
    let len = u32::from_le_bytes(messages[FILE_HEADER + 8..FILE_HEADER + 12].try_into().unwrap());
    let (first, last) = messages.split_at(FILE_HEADER + 16 + len as usize);
    [first, &foreign[FILE_HEADER..], last].concat()
}

/// Returns the times and bytes of all packets.
fn packets(capture: &[u8]) -> Vec<(f64, Vec<u8>)> {
    let (mut reader, mut packets) = (CaptureReader::from_slice(capture), Vec::new());
    while let Some(item) = reader.next_item() {
        if let Ok(CaptureItem::Packet(packet)) = item {
            packets.push((packet.time, packet.bytes.to_vec()));
        }
    }
    packets
}

/// Returns the arguments that annotate `input`.
fn annotate<'a>(input: &'a Path, output: &'a Path, options: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["decode", input.to_str().unwrap(), "--annotate", output.to_str().unwrap()];
    arguments.extend(options);
    arguments
}

fn has_text(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn every_packet_is_kept_and_messages_are_comments() {
    let folder = tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pcap"), folder.path().join("out.pcapng"));
    fs::write(&input, capture()).unwrap();

    assert_eq!(stdout(annotate(&input, &output, &[])), "", "the file is the output");
    let annotated = fs::read(&output).unwrap();
    assert_eq!(packets(&annotated), packets(&capture()));
    assert_eq!(packets(&annotated).len(), 3);
    assert!(has_text(&annotated, "S2C PlayerCreate 0x50000001: is the player"));
    assert!(!has_text(&annotated, "S2C Unknown"), "it is not about movement");

    stdout(annotate(&input, &output, &["--all"]));
    assert!(has_text(&fs::read(&output).unwrap(), "S2C Unknown"));

    stdout(annotate(&input, &output, &["--from", "11"]));
    let annotated = fs::read(&output).unwrap();
    assert!(!has_text(&annotated, "PlayerCreate"), "filters choose the comments");
    assert_eq!(packets(&annotated).len(), 3, "and leave the packets alone");
}

#[test]
fn messages_of_json_lines_get_packets() {
    let folder = tempdir().unwrap();
    let (input, output) = (folder.path().join("in.jsonl"), folder.path().join("out.pcapng"));
    fs::write(&input, "{\"t\": 1.5, \"dir\": \"s2c\", \"hex\": \"46f7000001000050\"}\n").unwrap();

    stdout(annotate(&input, &output, &[]));
    let annotated = fs::read(&output).unwrap();
    assert!(has_text(&annotated, "S2C PlayerCreate 0x50000001: is the player"));
    let mut reader = CaptureReader::from_slice(&annotated);
    let message = reader.next_message().unwrap().unwrap();
    assert_eq!((message.time, message.bytes), (1.5, &PLAYER_CREATE[..]));
}

#[test]
fn the_capture_itself_is_never_overwritten() {
    let folder = tempdir().unwrap();
    let input = folder.path().join("in.pcap");
    fs::write(&input, capture()).unwrap();
    let error = stderr(1, annotate(&input, &folder.path().join("./in.pcap"), &[]));
    assert!(error.contains("this is the capture itself"), "{error}");
    assert_eq!(fs::read(&input).unwrap(), capture());
}

#[test]
fn a_file_that_is_there_stays_until_there_is_something_to_put_in_its_place() {
    let folder = tempdir().unwrap();
    let [input, output] = ["in.txt", "out.pcapng"].map(|name| folder.path().join(name));
    fs::write(&output, "precious").unwrap();
    for text in ["# no capture\n", ""] {
        fs::write(&input, text).unwrap();
        let error = stderr(1, annotate(&input, &output, &[]));
        assert!(error.contains("in.txt: "), "{error}");
        assert_eq!(fs::read(&output).unwrap(), b"precious");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");
    }
    fs::write(&input, capture()).unwrap();
    stdout(annotate(&input, &output, &[]));
    assert_eq!(packets(&fs::read(&output).unwrap()), packets(&capture()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_cannot_be_annotated_is_an_error() {
    let folder = tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pcap"), folder.path().join("out.pcapng"));
    fs::write(&input, capture()).unwrap();

    let error = stderr(1, annotate(&input, &folder.path().join("missing/out.pcapng"), &[]));
    assert!(error.contains("out.pcapng"), "{error}");

    let error = stderr(1, annotate(&input, &output, &[input.to_str().unwrap()]));
    assert!(error.contains("found 2 captures; --annotate takes one"), "{error}");

    let error = stderr(1, annotate(&input, &folder.path().join("out.pcap"), &[]));
    assert!(
        error.contains("--annotate ") && error.contains("out.pcap: expected the name of a .pcapng file"),
        "{error}"
    );

    let line = "{\"t\": 5e15, \"dir\": \"s2c\", \"hex\": \"46f7000001000050\"}\n";
    let late = folder.path().join("late.jsonl");
    fs::write(&late, line).unwrap();
    let error = stderr(1, annotate(&late, &output, &[]));
    assert!(error.contains("out of range"), "{error}");
}

#[test]
fn a_capture_that_is_cut_off_is_annotated_as_far_as_it_goes() {
    let folder = tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pcap"), folder.path().join("out.pcapng"));
    let whole = capture();
    fs::write(&input, &whole[..whole.len() - 5]).unwrap();
    let error = stderr(1, annotate(&input, &output, &[]));
    assert!(error.contains("the capture ends inside the record"), "{error}");
    assert_eq!(packets(&fs::read(&output).unwrap()), packets(&whole)[..2]);
}
