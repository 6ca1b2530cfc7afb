//! Any bytes as a capture, whole and as a stream: read to an end, with the same messages both ways.
#![no_main]

use std::io::Read;

use acmotion_wire::capture::CaptureReader;
use libfuzzer_sys::fuzz_target;

/// More messages and errors than an input of the fuzzer's size can give: a reader that goes on is a bug.
const MOST: usize = 1_000_000;

macro_rules! messages {
    ($reader:expr) => {{
        let (mut reader, mut messages, mut steps) = ($reader, Vec::new(), 0);
        while let Some(next) = reader.next_message() {
            steps += 1;
            assert!(steps < MOST, "the reader does not end");
            messages.extend(next.ok().map(|message| message.bytes.to_vec()));
        }
        messages
    }};
}

/// Gives a few bytes at a time, as a pipe does.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let few = buffer.len().min(7);
        self.0.read(&mut buffer[..few])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let whole = messages!(CaptureReader::from_slice(bytes));
    let streamed = messages!(CaptureReader::new(Trickle(bytes)));
    assert!(whole == streamed, "{} messages whole, {} as a stream", whole.len(), streamed.len());
});
