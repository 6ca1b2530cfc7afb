//! Arbitrary states with a valid header: restoring them is an error, or gives a world that ticks and whose state can be
//! kept again. Start with a corpus of real snapshots: `World::snapshot` without its first 24 bytes.
#![no_main]

use std::sync::{Arc, LazyLock};

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::internals::world::seal_snapshot;
use acmotion::scene::{Scene, Surroundings};
use libfuzzer_sys::fuzz_target;

/// The size of the header, in bytes.
const HEADER: usize = 24;

static TOWN: LazyLock<Arc<Scene>> = LazyLock::new(|| {
    Arc::new(Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town is valid"))
});

fuzz_target!(|state: &[u8]| {
    let mut bytes = vec![0; HEADER];
    bytes.extend_from_slice(state);
    seal_snapshot(&mut bytes);
    let town: Arc<dyn Surroundings + Send + Sync> = TOWN.clone();
    for surroundings in [None, Some(town)] {
        let Ok(mut world) = World::restore(&bytes, Assets::mannequin(), surroundings.clone()) else {
            continue;
        };
        let again = World::restore(&world.snapshot(), Assets::mannequin(), surroundings);
        assert!(again.is_ok(), "a world that was restored cannot be restored again");
        for tick in 0..4 {
            world.advance(10.0 + 0.034 * f64::from(tick));
        }
        world.drain_events().for_each(drop);
        world.drain_outbound().for_each(drop);
    }
});
