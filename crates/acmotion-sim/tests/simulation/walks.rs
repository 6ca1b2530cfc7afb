//! The options of `walk_to` in scenario files, and how such a walk ends.

use acmotion::{CancelReason, Event, EventKind, RequestProgress, Unreachable};
use acmotion_sim::scenario::{Input, Scenario, WalkOptions};
use acmotion_sim::{EventHandler, Simulation, View};

fn scenario(walk: &str) -> String {
    format!("seconds = 30\n[[player]]\nname = 'Asha'\nat = [96, 96]\ninput = [{{ at = 1, {walk} }}]")
}

fn options(walk: &str) -> WalkOptions {
    let parsed = Scenario::parse(&scenario(walk)).unwrap();
    match parsed.clients[0].inputs[0].value {
        Input::WalkTo(_, options) => options,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_options_of_a_walk_are_read() {
    assert_eq!(options("walk_to = [100, 100]"), WalkOptions::default());
    let all = WalkOptions { run: Some(false), distance: Some(2.5), timeout: Some(20.0) };
    assert_eq!(options("walk_to = [100, 100], run = false, distance = 2.5, timeout = 20"), all);
    let error = |walk| Scenario::parse(&scenario(walk)).unwrap_err().message;
    assert!(error("walk_to = [100, 100], distance = -1").contains("distance: expected 0 to"));
    assert!(error("walk_to = [100, 100], timeout = nan").contains("timeout: expected 0 to"));
    assert!(error("turn_to = 90, run = true").contains("belong to `walk_to`"));
}

#[derive(Default)]
struct Ends(Vec<(f64, RequestProgress)>);

impl EventHandler for Ends {
    fn on_event(&mut self, view: View, event: &Event, _world: &acmotion::World) {
        if let (View::Client(_), EventKind::Request(step)) = (view, event.kind)
            && step.progress.is_last()
        {
            self.0.push((event.time, step.progress));
        }
    }
}

fn ends(walk: &str) -> Vec<(f64, RequestProgress)> {
    let mut simulation = Simulation::new(&Scenario::parse(&scenario(walk)).unwrap()).unwrap();
    let mut ends = Ends::default();
    simulation.step(30.0, &mut ends);
    ends.0
}

#[test]
fn a_walk_in_a_scenario_ends_as_its_options_say() {
    let done = ends("walk_to = [100, 100, 98]");
    assert!(matches!(done[..], [(_, RequestProgress::Done)]), "far above the ground: {done:?}");
    let running = ends("walk_to = [96, 108], run = true");
    let walking = ends("walk_to = [96, 108], run = false");
    assert!(running[0].0 < walking[0].0, "{running:?}, {walking:?}");
    let near = ends("walk_to = [96, 108], run = false, distance = 5");
    assert!(near[0].0 < walking[0].0, "{near:?}, {walking:?}");
    let late = ends("walk_to = [96, 180], run = false, timeout = 3");
    let timed_out = RequestProgress::Cancelled(CancelReason::Unreachable(Unreachable::TimedOut));
    assert!(matches!(late[..], [(at, why)] if why == timed_out && (4.0..4.2).contains(&at)), "{late:?}");
}
