//! The scenarios of the repository: they run, every message can be decoded, and views stay close to the truth.

use std::collections::HashMap;

use crate::support::{Log, run, shipped};
use acmotion::types::{Guid, Stamp};
use acmotion::wire::S2C;
use acmotion::{Event, EventKind};
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{ClientId, Simulation, View};

#[test]
fn every_scenario_runs_and_no_input_is_refused() {
    for (name, scenario) in shipped() {
        let (simulation, log) = run(&scenario);
        assert!(simulation.is_over());
        assert!(log.refused.is_empty(), "{name}: {:?}", log.refused);
        assert!(log.sent.iter().all(|message| !message.name().is_empty()), "{name}");
        for client in simulation.clients() {
            assert_eq!(client.unreadable(), 0, "{name}");
            assert!(client.player().is_some(), "{name}: {} never entered", client.name());
        }
        assert!(simulation.accuracies().count() > 0, "{name}");
        for (view, guid, accuracy) in simulation.accuracies() {
            let (now, then) = (accuracy.error(), accuracy.delayed());
            assert!(now.count > 100 && now.mean <= now.p95.max(now.mean) && now.p95 <= now.worst, "{name}");
            assert!(now.worst.is_finite() && then.worst.is_finite(), "{name}: {view:?} {guid}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_step_size() {
    for (name, scenario) in shipped() {
        let (_, whole) = run(&scenario);
        for seconds in [0.004, 1.0 / 60.0, 0.7] {
            let mut simulation = Simulation::new(&scenario).unwrap();
            let mut log = Log::default();
            let mut now = 0.0;
            while now < scenario.seconds {
                now = f64::min(now + seconds, scenario.seconds);
                simulation.step(now, &mut log);
            }
            assert!(log.sent == whole.sent, "{name} in steps of {seconds} s");
            assert!(log.measured == whole.measured, "{name} in steps of {seconds} s");
            assert_eq!(log.ticks, whole.ticks, "{name} in steps of {seconds} s");
        }
        let (_, other) = run(&Scenario { seed: scenario.seed + 1, ..scenario });
        assert!(other.sent != whole.sent, "{name}: another seed gives other bytes");
    }
}

/// With a latency of 0.1 s, a jitter of 0.03 s and a loss of 2 %. If a message about a jump is lost for good, the
/// jumper can snap once where it lands.
#[test]
fn walking_players_do_not_snap_on_an_ordinary_connection() {
    let walking = [
        "walk_and_turn",
        "sprint_and_strafe_jump",
        "stance_change_while_running",
        "laggy_duel",
        "through_the_house",
    ];
    let lossy = LinkSettings { latency: 0.1, jitter: 0.03, loss: 0.02, ..LinkSettings::PERFECT };
    let for_good = LinkSettings { retransmit: None, ..lossy };
    let mut checked = 0;
    for (name, mut scenario) in shipped().into_iter().filter(|(name, _)| walking.contains(&name.as_str())) {
        for link in [lossy, for_good] {
            for seed in 0..8 {
                scenario.seed = seed;
                scenario.clients.iter_mut().for_each(|spec| spec.network = link.into());
                let (simulation, _) = run(&scenario);
                for (view, guid, accuracy) in simulation.accuracies() {
                    let allowed = u64::from(link.retransmit.is_none() && name == "sprint_and_strafe_jump");
                    assert!(accuracy.snaps <= allowed, "{name}, seed {seed}: {guid} in {view:?}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 5 * 16);
}

#[test]
fn a_good_connection_shows_nearly_the_truth_of_one_delay_ago() {
    let (_, mut scenario) = shipped().into_iter().find(|(name, _)| name == "walk_and_turn").unwrap();
    let good = LinkSettings { latency: 0.05, ..LinkSettings::PERFECT };
    scenario.clients.iter_mut().for_each(|spec| spec.network = good.into());
    let (simulation, _) = run(&scenario);
    for (view, guid, accuracy) in simulation.accuracies() {
        let then = accuracy.delayed();
        assert!(then.mean < 0.12 && then.p95 < 0.5, "{guid} in {view:?}: {then:?}");
        assert!(
            view == View::Server || accuracy.error().mean > 2.0 * then.mean,
            "most of the error is the delay"
        );
    }
}

/// A walk to where the player is ends at once, between two frames.
#[test]
fn what_happens_between_frames_is_reported() {
    let (_, scenario) = shipped().into_iter().find(|(name, _)| name == "walk_and_turn").unwrap();
    let mut simulation = Simulation::new(&scenario).unwrap();
    let (client, mut log) = (ClientId(0), Log::default());
    simulation.step(1.0, &mut log);
    let seen = log.events.len();
    let goal = simulation.clients()[0].world().player_position().unwrap();
    let mut controls = simulation.controls(client).unwrap();
    let id = controls.walk_to(goal, 1.0).unwrap();
    simulation.step(1.2, &mut log);
    let is_step = |(view, event): &(View, Event)| {
        *view == View::Client(client) && matches!(event.kind, EventKind::Request(step) if step.id == id)
    };
    assert!(log.events[seen..].iter().any(is_step), "nothing is known of it");
}

/// In the order in which the server sends (rule D1).
#[test]
fn every_stamp_of_every_object_advances_by_one() {
    for (name, scenario) in shipped() {
        let (_, log) = run(&scenario);
        let mut seen: HashMap<(View, Guid, &str), Stamp> = HashMap::new();
        let mut control: HashMap<(View, Guid), Stamp> = HashMap::new();
        for message in log.sent.iter().filter(|message| message.from == View::Server) {
            let (kind, guid, stamp) = match message.decode() {
                S2C::UpdateMotion(motion) => {
                    let before = control.insert((message.to, motion.guid), motion.data.server_control);
                    let expected = match (before, motion.data.autonomous.get()) {
                        (Some(before), true) => before,
                        (Some(before), false) => before.next(),
                        (None, _) => motion.data.server_control,
                    };
                    assert_eq!(motion.data.server_control, expected, "{name}: control");
                    ("motion", motion.guid, motion.data.movement_stamp)
                }
                S2C::UpdatePosition(position) => ("position", position.guid, position.pack.position_stamp),
                S2C::VectorUpdate(vector) => ("vector", vector.guid, vector.vector),
                S2C::SetState(state) => ("state", state.guid, state.state_stamp),
                _ => continue,
            };
            if let Some(before) = seen.insert((message.to, guid, kind), stamp) {
                assert_eq!(stamp, before.next(), "{name}: {kind} of {guid}");
            }
        }
        assert!(!seen.is_empty());
    }
}
