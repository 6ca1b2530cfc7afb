//! The scenes that ship: they run, say only what can be read, and look the way they should.

mod support;

use std::collections::HashMap;

use acmotion::types::{Guid, Stamp};
use acmotion::wire::S2C;
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Simulation, View};
use support::{Diary, run, shipped};

#[test]
fn every_scene_runs_and_nothing_is_refused() {
    for (name, scene) in shipped() {
        let (simulation, diary) = run(&scene);
        assert!(simulation.is_over());
        assert!(diary.refused.is_empty(), "{name}: {:?}", diary.refused);
        assert!(diary.letters.iter().all(|letter| !letter.name().is_empty()), "{name}");
        for client in simulation.clients() {
            assert_eq!(client.unreadable(), 0, "{name}");
            assert!(client.player().is_some(), "{name}: {} never came in", client.name());
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
fn the_same_seed_gives_the_same_bytes_at_any_rhythm() {
    for (name, scene) in shipped() {
        let (_, whole) = run(&scene);
        for rhythm in [0.004, 1.0 / 60.0, 0.7] {
            let mut simulation = Simulation::new(&scene).unwrap();
            let mut diary = Diary::default();
            let mut now = 0.0;
            while now < scene.seconds {
                now = f64::min(now + rhythm, scene.seconds);
                simulation.step(now, &mut diary);
            }
            assert!(diary.letters == whole.letters, "{name} at {rhythm}");
            assert!(diary.measured == whole.measured, "{name} at {rhythm}");
            assert_eq!(diary.ticks, whole.ticks, "{name} at {rhythm}");
        }
        let (_, other) = run(&Scenario { seed: scene.seed + 1, ..scene });
        assert!(other.letters != whole.letters, "{name}: another seed, other luck");
    }
}

/// With a tenth of a second, give or take 0.03, and two messages of a hundred lost, nobody is seen snapping.
#[test]
fn walkers_do_not_snap() {
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
    for (name, mut scene) in shipped().into_iter().filter(|(name, _)| walking.contains(&name.as_str())) {
        for link in [lossy, for_good] {
            for seed in 0..8 {
                scene.seed = seed;
                scene.clients.iter_mut().for_each(|role| role.network = link.into());
                let (simulation, _) = run(&scene);
                for (view, guid, accuracy) in simulation.accuracies() {
                    assert_eq!(accuracy.snaps, 0, "{name}, seed {seed}: {guid} in {view:?}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 5 * 16);
}

/// On a good line everybody is seen about where he was when the message left.
#[test]
fn a_good_line_shows_nearly_the_truth() {
    let (_, mut scene) = shipped().into_iter().find(|(name, _)| name == "walk_and_turn").unwrap();
    let good = LinkSettings { latency: 0.05, ..LinkSettings::PERFECT };
    scene.clients.iter_mut().for_each(|role| role.network = good.into());
    let (simulation, _) = run(&scene);
    for (view, guid, accuracy) in simulation.accuracies() {
        let then = accuracy.delayed();
        assert!(then.mean < 0.12 && then.p95 < 0.5, "{guid} in {view:?}: {then:?}");
        assert!(view == View::Server || accuracy.error().mean > 2.0 * then.mean, "most of it is the way");
    }
}

/// Every stamp of every object only goes on, in the order in which the server sends (rule D1).
#[test]
fn stamps_only_go_on() {
    for (name, scene) in shipped() {
        let (_, diary) = run(&scene);
        let mut seen: HashMap<(View, Guid, &str), Stamp> = HashMap::new();
        let mut control: HashMap<(View, Guid), Stamp> = HashMap::new();
        for letter in diary.letters.iter().filter(|letter| letter.from == View::Server) {
            let (kind, guid, stamp) = match letter.read() {
                S2C::UpdateMotion(motion) => {
                    let before = control.insert((letter.to, motion.guid), motion.data.server_control);
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
            if let Some(before) = seen.insert((letter.to, guid, kind), stamp) {
                assert_eq!(stamp, before.next(), "{name}: {kind} of {guid}");
            }
        }
        assert!(!seen.is_empty());
    }
}
