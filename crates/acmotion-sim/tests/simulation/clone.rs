//! Clones of a simulation: each has the same future, and what happens in one does not change the other.

use crate::support::{Log, shipped};
use acmotion::types::MotionCommand;
use acmotion_sim::cheat::{Cheat, CheatKind};
use acmotion_sim::network::{LinkSettings, NetworkSettings};
use acmotion_sim::scenario::{Input, Scenario};
use acmotion_sim::{ClientId, Simulation, View};

/// Returns the states of all worlds as bytes.
fn worlds(simulation: &Simulation) -> Vec<Vec<u8>> {
    let clients = simulation.clients().iter().map(|client| View::Client(client.id()));
    let views = std::iter::once(View::Server).chain(clients);
    views.map(|view| simulation.world(view).unwrap().snapshot()).collect()
}

/// Runs a simulation to the end of its scenario. Returns what it reported and the states of its worlds.
fn finish(simulation: &mut Simulation) -> (Log, Vec<Vec<u8>>) {
    let mut log = Log::default();
    simulation.step(simulation.scenario().seconds, &mut log);
    (log, worlds(simulation))
}

fn half_run(scenario: &Scenario) -> Simulation {
    let mut simulation = Simulation::new(scenario).unwrap();
    simulation.step(scenario.seconds / 2.0, &mut ());
    simulation
}

/// The clone is run when the original is over, so that nothing they might share would go unnoticed.
#[test]
fn a_clone_has_the_same_future_to_the_bit() {
    for (name, scenario) in shipped() {
        let scenario = Scenario { seconds: scenario.seconds.min(12.0), ..scenario };
        let mut original = half_run(&scenario);
        let mut clone = original.clone();
        assert!(worlds(&original) == worlds(&clone), "{name}");
        let (log, end) = finish(&mut original);
        let (clone_log, clone_end) = finish(&mut clone);
        assert!(!log.sent.is_empty() && log.sent == clone_log.sent, "{name}: other messages");
        assert!(log.delivered == clone_log.delivered, "{name}: other deliveries");
        assert!(log.events == clone_log.events, "{name}: other events");
        assert!(log.measured == clone_log.measured, "{name}: other errors");
        assert!(end == clone_end, "{name}: other states");
    }
}

#[test]
fn other_inputs_to_a_clone_do_not_change_the_original() {
    let (_, scenario) = shipped().into_iter().find(|(name, _)| name == "laggy_duel").unwrap();
    let expected = finish(&mut half_run(&scenario)).1;
    let mut original = half_run(&scenario);
    let mut clone = original.clone();
    clone.input(ClientId(0), Input::Press(MotionCommand::WALK_FORWARD));
    clone.input(ClientId(0), Input::Jump(1.0));
    clone.set_network(ClientId(1), NetworkSettings::from(LinkSettings::TERRIBLE));
    let changed = finish(&mut clone).1;
    assert!(finish(&mut original).1 == expected, "the original changed");
    assert!(changed != expected, "the inputs have an effect");
}

/// A client that walks through walls notices so from its surroundings, which clones share.
#[test]
fn a_cheat_in_the_original_has_no_effect_on_its_clone() {
    let (_, scenario) = shipped().into_iter().find(|(name, _)| name == "through_the_house").unwrap();
    let scenario = Scenario { seconds: 30.0, ..scenario };
    let cheater = ClientId(0);
    let start = || {
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.set_cheat(cheater, Cheat { kind: CheatKind::WallClip, from: 0.5 });
        simulation
    };
    let mut first = start();
    finish(&mut first);
    let onset = first.cheat_onset(cheater).expect("a wall in the way");
    let mut original = start();
    original.step(onset - 0.5, &mut ());
    let mut clone = original.clone();
    finish(&mut original);
    clone.step(onset - 0.1, &mut ());
    assert_eq!(clone.cheat_onset(cheater), None, "the original's wall counts for the clone");
    finish(&mut clone);
    assert_eq!((original.cheat_onset(cheater), clone.cheat_onset(cheater)), (Some(onset), Some(onset)));
}

#[test]
fn a_simulation_that_does_not_measure_behaves_the_same() {
    let (_, scenario) = shipped().into_iter().find(|(name, _)| name == "laggy_duel").unwrap();
    let mut measured = half_run(&scenario);
    let mut unmeasured = measured.clone();
    unmeasured.stop_measuring();
    assert_eq!(unmeasured.accuracies().count(), 0);
    let (log, end) = finish(&mut measured);
    let (unmeasured_log, unmeasured_end) = finish(&mut unmeasured);
    assert!(measured.accuracies().count() > 0 && !log.measured.is_empty());
    assert!(unmeasured.accuracies().count() == 0 && unmeasured_log.measured.is_empty());
    assert!(log.sent == unmeasured_log.sent && end == unmeasured_end);
}
