//! Reads any bytes as a capture, from a slice and from a stream. Both must end, with the same messages.
#![no_main]

use std::io::Read;

use acmotion_wire::capture::CaptureReader;
use libfuzzer_sys::fuzz_target;

/// The maximum number of messages and errors. An input of the fuzzer's size has fewer, so a reader that exceeds it
/// loops.
const MAX_STEPS: usize = 1_000_000;

macro_rules! messages {
    ($reader:expr) => {{
        let (mut reader, mut messages, mut steps) = ($reader, Vec::new(), 0);
        while let Some(next) = reader.next_message() {
            steps += 1;
            assert!(steps < MAX_STEPS, "the reader does not end");
            messages.extend(next.ok().map(|message| message.bytes.to_vec()));
        }
        messages
    }};
}

/// Delivers a few bytes per call, like a pipe.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(7);
        self.0.read(&mut buffer[..len])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let whole = messages!(CaptureReader::from_slice(bytes));
    let streamed = messages!(CaptureReader::new(Trickle(bytes)));
    assert!(whole == streamed, "{} messages from the slice, {} from the stream", whole.len(), streamed.len());
});
