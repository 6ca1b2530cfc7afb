//! Any text as a file of conformance vectors: the family on the first line, then one vector on each line. A vector passes,
//! fails or is skipped.
#![no_main]

/// The modules of the command that the runners consist of and use.
#[path = "../../crates/acmotion-cli/src"]
#[allow(dead_code, unused_imports, reason = "the command around the runners is not used")]
mod command {
    pub(crate) mod conform;
    pub(crate) mod input;
    pub(crate) mod numbers;
    pub(crate) mod output;
    pub(crate) mod unpack;
}

// Where these modules expect each other.
use command::{conform, input, numbers, output, unpack};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Some((name, lines)) = text.split_once('\n') else { return };
    let Some((_, new)) = conform::FAMILIES.iter().find(|(family, _)| *family == name) else { return };
    let mut family = new();
    for line in lines.lines() {
        if let Ok(value) = serde_json::from_str::<Value>(line) {
            let _ = conform::run_line(&mut *family, &value);
        }
    }
});
