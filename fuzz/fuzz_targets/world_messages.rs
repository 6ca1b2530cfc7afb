//! Arbitrary messages to a world in a town, many of them before each tick: nothing panics, what the world shows and reports
//! is finite, what it holds stays within its limits, and the messages that the player sends can be decoded.
//!
//! The input is a list of messages, each after two bytes: its length, and in the upper bit whether no frame follows. Start
//! with a corpus of real messages, and long inputs (`-max_len=65536`, as in `.ci/fuzz`): floods need many messages to one
//! object.
#![no_main]

use std::sync::{Arc, LazyLock};

use acmotion::dat::Assets;
use acmotion::limits::MAX_PENDING_MOTIONS;
use acmotion::scene::Scene;
use acmotion::types::{Era, Guid};
use acmotion::wire::decode_c2s;
use acmotion::{Identity, Matrix, Settings, World};
use libfuzzer_sys::fuzz_target;

static TOWN: LazyLock<Arc<Scene>> = LazyLock::new(|| {
    Arc::new(Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town is valid"))
});

const PLAYER: Guid = Guid(0x5000_0001);
/// The bit of a message's length after which no frame follows, so that many messages arrive at once.
const NO_FRAME: u16 = 0x8000;
/// The maximum memory of one entity, in bytes.
const MAX_ENTITY_SIZE: usize = 512 * 1024;

fuzz_target!(|input: &[u8]| {
    let settings = Settings {
        player: Identity::Known(PLAYER),
        stand_ins_for_unknown: true,
        surroundings: Some(TOWN.clone()),
        ..Settings::default()
    };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    world.add_stand_in(PLAYER, &acmotion::dat::mannequin::town::landmarks().spawn, 0.0);
    world.player_mut();
    let mut rest = input;
    let mut now = 1.0;
    while let Some((head, after)) = rest.split_first_chunk::<2>() {
        let head = u16::from_le_bytes(*head);
        let length = usize::from(head & !NO_FRAME);
        let (message, after) = after.split_at(length.min(after.len()));
        // Bytes that cannot be decoded are an error, and change nothing.
        let _ = world.receive(message, now);
        if head & NO_FRAME == 0 {
            now += 0.034;
            world.advance(now);
        }
        rest = after;
    }
    world.advance(now + 0.034);
    check(&mut world);
});

fn check(world: &mut World) {
    let mut matrices = [Matrix::IDENTITY; 64];
    for entity in world.entities() {
        let (guid, body) = (entity.guid(), entity.body());
        assert!(body.position.frame.origin.is_finite(), "{guid} is not at a finite position");
        assert!(body.velocity.is_finite() && body.cached_velocity.is_finite(), "{guid} is too fast");
        let count = entity.pose(world.library(), &mut matrices);
        let is_finite = |matrix: &Matrix| matrix.rows.iter().flatten().all(|number| number.is_finite());
        assert!(matrices[..count].iter().all(is_finite), "{guid} has no finite pose");
        assert!(
            entity.entity().animator.pending().len() <= MAX_PENDING_MOTIONS,
            "{guid} has too many motions"
        );
        assert!(entity.size_in_memory() < MAX_ENTITY_SIZE, "{guid} takes {} bytes", entity.size_in_memory());
    }
    assert!(world.drain_events().all(|event| event.time.is_finite()));
    for sent in world.drain_outbound() {
        assert!(decode_c2s(&sent, Era::default()).is_ok(), "sent a message that cannot be decoded");
    }
}
