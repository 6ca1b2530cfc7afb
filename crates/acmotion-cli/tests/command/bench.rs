//! `acmotion bench`: every measurement is there, and nothing allocates in a build that counts allocations.

use crate::common::{json_lines, run, stdout};
use serde_json::{Value, json};

#[test]
fn json_has_every_measurement() {
    let output = run(0, ["bench", "--entities", "50", "--seconds", "0.01", "--json"]);
    let results = json_lines(&output.stdout);
    for what in [
        "sequence",
        "pose",
        "pose alone, batched",
        "pose alone, one at a time",
        "town",
        "decode UpdateMotion",
    ] {
        let result = results.iter().find(|result| result["what"] == what).expect(what);
        assert!(result["ns"].as_f64().is_some_and(|ns| ns > 0.0), "{result}");
        assert!(result["runs"].as_u64().is_some_and(|runs| runs >= 7), "{result}");
        let allocations = if cfg!(feature = "count-allocations") { json!(0.0) } else { Value::Null };
        assert_eq!(result["allocations"], allocations, "{result}");
    }
    let format = if cfg!(feature = "parquet") { "parquet" } else { "csv" };
    let export = format!("export a capture to .{format}");
    for what in ["decode a capture to text", "decode a capture to JSON", &export] {
        let result = results.iter().find(|result| result["what"] == what).expect(what);
        let [ns, messages, megabytes] =
            ["ns", "messages_per_second", "megabytes_per_second"].map(|name| result[name].as_f64().unwrap());
        assert!(ns > 0.0 && (messages - 1e9 / ns).abs() < 1e-6 * messages, "{result}");
        // A message with its packet has some 120 bytes.
        let size = megabytes * 1e6 / messages;
        assert!((100.0..150.0).contains(&size), "{size} bytes: {result}");
    }
    let decoded = results.iter().find(|result| result["what"] == "decode UpdatePosition").unwrap();
    let [messages, megabytes] =
        ["messages_per_second", "megabytes_per_second"].map(|name| decoded[name].as_f64().unwrap());
    assert!((megabytes * 1e6 / messages - 48.0).abs() < 1e-3, "{decoded}");
    assert!(results[0]["messages_per_second"].is_null(), "no messages: {}", results[0]);
    if cfg!(target_os = "linux") {
        assert!(String::from_utf8_lossy(&output.stderr).contains("peak memory "));
    }
}

#[test]
fn the_table_says_whether_allocations_were_counted() {
    let table = stdout(["bench", "--entities", "50", "--seconds", "0.01"]);
    assert!(
        table.starts_with("what")
            && table.contains("sequence")
            && table.contains("bytes each")
            && table.contains("  messages/s  ")
            && table.contains("MB/s"),
        "{table}"
    );
    let note = "not counted (build with --features count-allocations)";
    assert_eq!(table.contains(note), cfg!(not(feature = "count-allocations")), "{table}");
}

#[test]
fn a_count_of_zero_and_a_time_of_nan_are_wrong_usage() {
    run(2, ["bench", "--entities", "0"]);
    run(2, ["bench", "--seconds", "NaN"]);
}
