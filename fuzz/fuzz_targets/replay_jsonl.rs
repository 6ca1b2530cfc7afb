//! Messages with any times as JSON Lines: the reader returns the same times and bytes, and a replay of them ends.
//!
//! A message is its time as eight bytes, its direction, its length in one byte, and its contents.
#![no_main]

use std::fmt::Write as _;
use std::sync::LazyLock;

use acmotion::dat::Assets;
use acmotion::wire::Direction;
use acmotion::wire::capture::CaptureReader;
use acmotion_sim::Replay;
use acmotion_sim::replay::ReplaySettings;
use libfuzzer_sys::fuzz_target;

/// The number of frames after which an input has run long enough.
const MAX_FRAMES: u64 = 20_000;

/// Shared by all inputs, with what was decoded before.
static ASSETS: LazyLock<Assets> = LazyLock::new(Assets::mannequin);

fuzz_target!(|input: &[u8]| {
    let (mut text, mut written) = (String::new(), Vec::new());
    let mut rest = input;
    while let Some((time, after)) = rest.split_first_chunk::<8>()
        && let Some(([direction, len], after)) = after.split_first_chunk::<2>()
    {
        let (bytes, after) = after.split_at(usize::from(*len).min(after.len()));
        rest = after;
        let time = f64::from_le_bytes(*time);
        let direction = if direction & 1 == 0 { Direction::S2C } else { Direction::C2S };
        let name = if direction == Direction::S2C { "s2c" } else { "c2s" };
        let _ = write!(text, "{{\"t\":{time:e},\"dir\":\"{name}\",\"hex\":\"");
        bytes.iter().for_each(|byte| {
            let _ = write!(text, "{byte:02x}");
        });
        text.push_str("\"}\n");
        // JSON has no numbers that are not finite: such a line is an error, and the next one is read.
        if time.is_finite() && !bytes.is_empty() {
            written.push((time, direction, bytes.to_vec()));
        }
    }
    let mut replay = Replay::new(ASSETS.clone(), ReplaySettings::default());
    let mut reader = CaptureReader::from_slice(text.as_bytes());
    let mut read = Vec::new();
    while let Some(next) = reader.next_message() {
        let Ok(message) = next else { continue };
        if !message.bytes.is_empty() {
            read.push((message.time, message.direction, message.bytes.to_vec()));
        }
        if replay.frames() < MAX_FRAMES {
            replay.receive(message.time, message.direction, message.bytes);
            while replay.frames() < MAX_FRAMES && replay.step().is_some() {}
        }
    }
    assert!(read == written, "{} messages written, {} read", written.len(), read.len());
});
