//! Any text as a scenario: an error, or a scenario whose start can be simulated, with bodies at finite positions.
#![no_main]

use std::sync::LazyLock;

use acmotion::dat::Assets;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Simulation, View};
use libfuzzer_sys::fuzz_target;

/// The maximum number of players and creatures. More take too long for a fuzzer.
const MAX_ENTITIES: usize = 6;
/// The time that is simulated, in seconds.
const SECONDS: f64 = 0.4;

/// Shared by all inputs, with what was decoded before.
static ASSETS: LazyLock<Assets> = LazyLock::new(Assets::mannequin);

fuzz_target!(|text: &str| {
    let Ok(scenario) = Scenario::parse(text) else { return };
    if scenario.clients.len() + scenario.creatures.len() > MAX_ENTITIES {
        return;
    }
    let Ok(mut simulation) = Simulation::with_assets(&scenario, || ASSETS.clone(), None) else { return };
    simulation.step(scenario.seconds.min(SECONDS), &mut ());
    let views = simulation.clients().iter().map(|client| View::Client(client.id()));
    for view in views.chain([View::Server]) {
        for entity in simulation.world(view).into_iter().flat_map(|world| world.entities()) {
            assert!(
                entity.position().frame.origin.is_finite(),
                "{} is not at a finite position",
                entity.guid()
            );
        }
    }
});
