//! The vectors of which message is fresh and of where the server says a body is pass, every one.

mod common;

use common::{golden, text};

#[test]
fn gate_and_interpolation() {
    for (file, told) in [
        ("gate.dev.jsonl.gz", "gate.dev.jsonl.gz: 900 passed, 0 failed, 0 skipped\n"),
        ("interpolation.dev.jsonl.gz", "interpolation.dev.jsonl.gz: 205 passed, 0 failed, 0 skipped\n"),
    ] {
        let path = golden(file).display().to_string();
        assert!(text(["conform", &path]).starts_with(told));
    }
}
