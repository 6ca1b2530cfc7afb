//! Every vector of the gate and of interpolation passes, and none is skipped.

use crate::common::{golden, stdout};

#[test]
fn no_vector_of_gate_or_interpolation_fails_or_is_skipped() {
    for (file, counts) in [
        ("gate.dev.jsonl.gz", "gate.dev.jsonl.gz: 900 passed, 0 failed, 0 skipped\n"),
        ("interpolation.dev.jsonl.gz", "interpolation.dev.jsonl.gz: 205 passed, 0 failed, 0 skipped\n"),
    ] {
        let path = golden(file).display().to_string();
        assert!(stdout(["conform", &path]).starts_with(counts));
    }
}
