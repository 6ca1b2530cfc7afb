//! Motion tables and animations of the conformance vectors: the bytes parse to exactly the JSON beside them and encode
//! to the same bytes again.

use std::io::Read;

use acmotion_dat::{Animation, DatObject, MotionTable, json};
use base64::Engine as _;
use serde_json::Value;

fn lines(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/{file}.dev.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whole numbers and fractions compare as numbers, not as the way they are written.
fn as_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number.as_f64().unwrap().into(),
        Value::Array(list) => list.iter_mut().for_each(as_doubles),
        Value::Object(members) => members.values_mut().for_each(as_doubles),
        _ => {}
    }
}

fn check<T: DatObject>(bytes: &Value, beside: &Value, to_json: fn(&T) -> Value) {
    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes.as_str().unwrap()).unwrap();
    let object = T::decode(&bytes).unwrap();
    assert_eq!(object.encode(), bytes);
    let (mut got, mut expected) = (to_json(&object), beside.clone());
    as_doubles(&mut got);
    as_doubles(&mut expected);
    assert_eq!(got, expected);
    // A byte less or more is noticed.
    assert!(T::decode(&bytes[..bytes.len() - 1]).is_err());
    assert!(T::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
}

#[test]
fn motion_tables_are_read_and_written_exactly() {
    let mut seen = 0;
    for file in ["motion_table", "motion_table_directed", "motion_table_manager"] {
        for line in lines(file).iter().filter(|line| line["kind"] == "table") {
            check::<MotionTable>(&line["table_b64"], &line["table"], json::motion_table);
            seen += 1;
        }
    }
    assert_eq!(seen, 32);
}

#[test]
fn animations_are_read_and_written_exactly() {
    let mut seen = 0;
    for file in ["sequence", "sequence_directed"] {
        for line in lines(file).iter().filter(|line| line["kind"] == "animation") {
            check::<Animation>(&line["anim_b64"], &line["anim"], json::animation);
            seen += 1;
        }
    }
    assert_eq!(seen, 44);
}
