//! Captures that are damaged, empty or none at all.

use acmotion_tables::{CaptureExport, CaptureInfo, Faults, MemoryFiles, StoredCapture, Table};
use acmotion_types::Guid;
use acmotion_wire::capture::CaptureSummary;
use acmotion_wire::{CreateObject, Direction, ModelData, ObjectDesc, PhysicsDesc, S2C, WeenieDesc};

use crate::support::{START, duel, export, options, pcap, read};

#[test]
fn the_row_of_a_capture_says_what_it_is() {
    let messages = duel();
    let capture = pcap(&messages, START);
    let tables = export(&capture, &options(&Table::ALL));
    assert_eq!(tables.files.len(), Table::ALL.len());
    let [row] = &tables.rows(Table::Captures)[..] else { panic!("not one row") };
    assert_eq!((row["file"].as_str(), row["hash"].as_str()), (Some("a,\"b\".pcap"), Some("00ff")));
    assert_eq!(row["bytes"], capture.len());
    assert_eq!(
        (row["format"].as_str(), row["messages"].as_u64()),
        (Some("pcap"), Some(messages.len() as u64))
    );
    assert_eq!(row["started"].as_i64(), Some(((START + messages[0].0) * 1e6).round() as i64));
    assert_eq!((row["errors"].as_i64(), row["undecodable"].as_i64()), (Some(0), Some(0)));
    assert!(!row.contains_key("first_error") && !row.contains_key("first_bad_offset"));
    assert!(row["ticks"].as_i64() > Some(100) && row.contains_key("player"));
    assert_eq!(row["tables"], "messages entities reports states events sends captures");
    assert!(!tables.faults.any());
}

#[test]
fn the_first_bad_offset_is_that_of_its_record() {
    let good: std::sync::Arc<[u8]> = [0x46, 0xF7, 0, 0, 1, 0, 0, 0x50].into();
    let bad: std::sync::Arc<[u8]> = [0x46, 0xF7, 0, 0, 1].into();
    let capture = pcap(
        &[(0.0, Direction::S2C, good.clone()), (1.0, Direction::S2C, bad), (2.0, Direction::S2C, good)],
        START,
    );
    let tables = export(&capture, &options(&[Table::Messages]));
    let row = &tables.rows(Table::Captures)[0];
    // The file header, and the record of the first message.
    let offset = 24 + 16 + 14 + 28 + 20 + 16 + 8;
    assert_eq!(row["first_bad_offset"], offset);
    assert_eq!((row["undecodable"].as_i64(), row["errors"].as_i64()), (Some(1), Some(0)));
    assert!(row["first_error"].as_str().unwrap().starts_with("message 1: "), "{row:?}");
    let messages = tables.rows(Table::Messages);
    assert_eq!(messages.len(), 3);
    assert_eq!(
        (messages[1]["name"].as_str(), messages[1]["is_movement"].as_bool()),
        (Some("PlayerCreate"), Some(true))
    );
    assert!(messages[1].contains_key("error") && !messages[1].contains_key("guid"));
}

#[test]
fn captures_that_are_cut_off_anywhere_are_exported_up_to_there() {
    let capture = pcap(&duel()[..40], START);
    for len in (0..capture.len()).step_by(97) {
        let tables = export(&capture[..len], &options(&Table::ALL));
        let row = &tables.rows(Table::Captures)[0];
        let messages = tables.rows(Table::Messages);
        assert_eq!(row["messages"].as_u64(), Some(messages.len() as u64));
        // A cut between two records goes unnoticed.
        let is_whole = row["errors"] == 0;
        assert_eq!(row["truncated"].as_bool(), Some(!is_whole && len >= 4), "{len} bytes: {row:?}");
        assert_eq!(row.contains_key("first_error"), !is_whole);
        if !is_whole {
            assert!(row["first_bad_offset"].as_u64().unwrap() <= len as u64);
        }
    }
}

#[test]
fn a_capture_that_cannot_be_opened_has_a_row_that_says_why() {
    let mut export =
        CaptureExport::new(&options(&[Table::Messages]), None, |_| Ok(MemoryFiles::default())).unwrap();
    export.note_unreadable("encrypted");
    let info = CaptureInfo {
        file: String::from("locked.pcap"),
        hash: String::from("00ff"),
        ..CaptureInfo::default()
    };
    let exported = export.finish(&CaptureSummary::default(), &info, MemoryFiles::default()).unwrap();
    assert_eq!((exported.faults.errors, &exported.faults.first), (1, &Some((String::from("encrypted"), 0))));
    let rows = |table: Table| {
        let files =
            exported.tables.iter().find(|(written, ..)| *written == table).unwrap().1.clone().into_files();
        files.iter().flat_map(|file| read(file)).collect::<Vec<_>>()
    };
    assert!(rows(Table::Messages).is_empty());
    let [row] = &rows(Table::Captures)[..] else { panic!("not one row") };
    let counts =
        ["messages", "errors", "undecodable", "first_bad_offset", "bytes"].map(|name| row[name].as_u64());
    assert_eq!(counts, [0, 1, 0, 0, 0].map(Some));
    assert_eq!([&row["file"], &row["first_error"]], ["locked.pcap", "encrypted"]);
    assert!(!row.contains_key("format") && !row.contains_key("started") && !row.contains_key("seconds"));
}

#[test]
fn something_else_than_a_capture_has_a_row_that_says_so() {
    for (file, error) in [
        (&b""[..], "the capture is empty"),
        (b"# Captures and recordings\n", "not a capture: it begins with [23, 20, 43, 61]"),
        (&[0; 1000], "not a capture"),
    ] {
        let tables = export(file, &options(&Table::ALL));
        let row = &tables.rows(Table::Captures)[0];
        assert!(row["first_error"].as_str().unwrap().contains(error), "{row:?}");
        assert_eq!((row["errors"].as_i64(), row["messages"].as_i64()), (Some(1), Some(0)));
        assert!(!row.contains_key("format") && !row.contains_key("seconds"));
        for table in [Table::Messages, Table::States, Table::Events] {
            assert!(tables.rows(table).is_empty());
        }
    }
}

#[test]
fn a_damaged_line_does_not_end_a_recording() {
    let lines = "{\"t\":1,\"dir\":\"s2c\",\"hex\":\"46f7000001000050\"}\nnonsense\n{\"t\":2,\"dir\":\"s2c\",\"hex\":\"46f7000002000050\"}\n";
    let tables = export(lines.as_bytes(), &options(&[Table::Messages]));
    assert_eq!(tables.rows(Table::Messages).len(), 2);
    let row = &tables.rows(Table::Captures)[0];
    assert_eq!(
        (row["errors"].as_i64(), row["first_bad_offset"].as_u64()),
        (Some(1), lines.find("nonsense").map(|offset| offset as u64))
    );
    assert_eq!(row["format"], "jsonl");
}

#[test]
fn what_was_stored_is_known_again() {
    let capture = pcap(&duel()[..10], START);
    for format in [acmotion_tables::Format::Parquet, acmotion_tables::Format::Csv] {
        let mut wanted = options(&[Table::Messages, Table::Sends]);
        wanted.format = format;
        wanted.settings = String::from("dat=\"a,b\"\n:7");
        let tables = export(&capture, &wanted);
        let stored = StoredCapture::read(format, &tables.files["captures"][0][..]).unwrap();
        assert_eq!(stored.tables, "messages sends captures");
        assert_eq!((stored.schema_version, stored.settings.as_str()), (Some(1), "dat=_a_b__:7"));
        assert!(stored.satisfies(&wanted));
        wanted.tables = vec![Table::Messages];
        assert!(stored.satisfies(&wanted), "fewer tables");
        wanted.tables = vec![Table::Messages, Table::States];
        assert!(!stored.satisfies(&wanted), "another table");
        wanted = options(&[Table::Messages]);
        assert!(!stored.satisfies(&wanted), "other settings");
        assert_eq!((stored.messages, stored.faults), (10, Faults::default()));
    }
    assert!(StoredCapture::read(acmotion_tables::Format::Parquet, &b"no table"[..]).is_err());
}

#[test]
fn what_was_wrong_with_a_capture_is_known_again() {
    let lines = "{\"t\":1,\"dir\":\"s2c\",\"hex\":\"46f7000001000050\"}\n{\"a, \\\"b\\\"\": 1}\n";
    let capture = format!("{lines}{{\"t\":2,\"dir\":\"s2c\",\"hex\":\"46f70000\"}}\n");
    for format in [acmotion_tables::Format::Parquet, acmotion_tables::Format::Csv] {
        let mut wanted = options(&[Table::Messages]);
        wanted.format = format;
        let tables = export(capture.as_bytes(), &wanted);
        let stored = StoredCapture::read(format, &tables.files["captures"][0][..]).unwrap();
        assert_eq!((stored.messages, &stored.faults), (2, &tables.faults));
        assert_eq!((stored.faults.errors, stored.faults.undecodable), (1, 1));
        let (what, offset) = stored.faults.first.unwrap();
        assert!(what.contains("missing field \"hex\""), "{what}");
        assert_eq!(offset as usize, lines.find("{\"a").unwrap());
    }
}

#[test]
fn a_file_that_is_too_large_for_one_row_is_not_read() {
    let tables = export(&pcap(&duel()[..10], START), &options(&[Table::Messages]));
    let file = &tables.files["captures"][0];
    // The end of a Parquet file says what is in it.
    let padded = |len: usize| [&vec![0; len - file.len()], &file[..]].concat();
    let read = |file: Vec<u8>| StoredCapture::read(acmotion_tables::Format::Parquet, &file[..]);
    assert_eq!(read(padded(1 << 20)).unwrap().settings, "test");
    assert!(read(padded((1 << 20) + 1)).is_err());
}

#[test]
fn long_names_are_cut() {
    let mut weenie = Vec::new();
    WeenieDesc::encode_plain(&[b'x'; 1000], 35, &mut weenie);
    let weenie = WeenieDesc::decode(&weenie).unwrap();
    let (guid, model, physics) = (Guid(0x8000_0001), ModelData::PLAIN, PhysicsDesc::default());
    let mut bytes = Vec::new();
    S2C::from(CreateObject(ObjectDesc { guid, model, physics, weenie })).encode(&mut bytes);
    let tables = export(&pcap(&[(0.0, Direction::S2C, bytes.into())], START), &options(&Table::ALL));
    let name = |table, column: &str| tables.rows(table)[0][column].as_str().unwrap().len();
    assert_eq!((name(Table::Entities, "name"), name(Table::Messages, "object_name")), (256, 1000));
}
