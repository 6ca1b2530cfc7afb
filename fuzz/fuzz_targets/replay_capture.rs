//! Any bytes as a capture that is replayed in the town: it ends, whatever its times, and bodies stay at finite positions.
#![no_main]

use std::sync::LazyLock;

use acmotion::dat::Assets;
use acmotion::scene::SceneLoader;
use acmotion::wire::capture::CaptureReader;
use acmotion_sim::Replay;
use acmotion_sim::replay::{MAX_SILENCE, ReplaySettings};
use libfuzzer_sys::fuzz_target;

/// The number of frames after which an input has run long enough.
const MAX_FRAMES: u64 = 20_000;
/// The maximum number of frames that one message can cause: 60 a second, one more for the rest, and a jump.
const MAX_FRAMES_OF_MESSAGE: u64 = MAX_SILENCE as u64 * 60 + 2;

/// Shared by all inputs, with what was decoded before.
static ASSETS: LazyLock<(Assets, Assets)> = LazyLock::new(|| (Assets::mannequin(), Assets::town()));

fuzz_target!(|bytes: &[u8]| {
    let (portal, cells) = &*ASSETS;
    let mut replay = Replay::new(portal.clone(), ReplaySettings::default());
    let land = SceneLoader::new(portal, cells);
    replay.set_land(land.expect("the built-in town is valid"));
    let mut reader = CaptureReader::from_slice(bytes);
    while let Some(next) = reader.next_message() {
        let Ok(message) = next else { continue };
        let before = replay.frames();
        replay.receive(message.time, message.direction, message.bytes);
        while replay.step().is_some() {
            assert!(replay.frames() - before <= MAX_FRAMES_OF_MESSAGE, "a message causes too many frames");
            if replay.frames() > MAX_FRAMES {
                return;
            }
        }
        assert!(replay.now().is_none_or(f64::is_finite), "the clock is at {:?}", replay.now());
    }
    replay.finish();
    while replay.step().is_some() {}
    for entity in replay.world().entities() {
        assert!(entity.position().frame.origin.is_finite(), "{} is not at a finite position", entity.guid());
    }
});
