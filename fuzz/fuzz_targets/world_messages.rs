//! Arbitrary messages to a world in a town, with ticks in between: nothing panics, bodies stay at finite positions, and the
//! messages that the player sends can be decoded.
//!
//! Each message follows its length in two bytes. The highest bit of the length is set if no tick follows, so that many
//! messages can arrive at once.
#![no_main]

use std::sync::{Arc, LazyLock};

use acmotion::dat::Assets;
use acmotion::scene::Scene;
use acmotion::types::{Era, Guid};
use acmotion::wire::decode_c2s;
use acmotion::{Identity, Settings, World};
use libfuzzer_sys::fuzz_target;

static TOWN: LazyLock<Arc<Scene>> = LazyLock::new(|| {
    Arc::new(Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town is valid"))
});

/// The bit of a length after whose message the world does not tick.
const NO_TICK: u16 = 0x8000;
const PLAYER: Guid = Guid(0x5000_0001);

fuzz_target!(|input: &[u8]| {
    let settings = Settings {
        player: Identity::Known(PLAYER),
        stand_ins_for_unknown: true,
        surroundings: Some(TOWN.clone()),
        ..Settings::default()
    };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    world.add_stand_in(PLAYER, &acmotion::dat::mannequin::town::landmarks().spawn, 0.0);
    let mut rest = input;
    let mut now = 1.0;
    while let Some((length, after)) = rest.split_first_chunk::<2>() {
        let length = u16::from_le_bytes(*length);
        let (message, after) = after.split_at(usize::from(length & !NO_TICK).min(after.len()));
        // Bytes that cannot be decoded are an error, and change nothing.
        let _ = world.receive(message, now);
        if length & NO_TICK == 0 {
            now += 0.034;
            world.tick(now);
            world.drain_events().for_each(drop);
        }
        rest = after;
    }
    for entity in world.entities() {
        assert!(entity.position().frame.origin.is_finite(), "{} is not at a finite position", entity.guid());
    }
    for sent in world.drain_outbound() {
        assert!(decode_c2s(&sent, Era::default()).is_ok(), "sent a message that cannot be decoded");
    }
});
