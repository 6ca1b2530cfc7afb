//! Clients that are checked as a server would: honest ones never cause an alarm, cheats do.

use std::fs;
use std::path::PathBuf;

use acmotion::check::CheckSettings;
use acmotion_sim::cheat::{Cheat, CheatKind};
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{CheatResult, ClientId, check_scenario};

fn scenarios() -> Vec<(String, Scenario)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Scenario::parse(&fs::read_to_string(path).unwrap()).unwrap())
    };
    paths.into_iter().map(read).collect()
}

/// The scenario over its own network and over each preset, with another seed.
fn over_networks(scenario: &Scenario, seed: u64) -> Vec<(&'static str, Scenario)> {
    let mut seeded = scenario.clone();
    seeded.seed = seeded.seed.wrapping_add(1000 * seed);
    let preset = |(name, link): (&'static str, LinkSettings)| {
        let mut scenario = seeded.clone();
        scenario.clients.iter_mut().for_each(|client| client.network = link.into());
        (name, scenario)
    };
    let presets: Vec<_> = LinkSettings::PRESETS.into_iter().map(preset).collect();
    std::iter::once(("own", seeded.clone())).chain(presets).collect()
}

fn assert_honest(seeds: std::ops::Range<u64>) {
    let settings = CheckSettings::default();
    for (name, scenario) in scenarios() {
        for seed in seeds.clone() {
            for (network, scenario) in over_networks(&scenario, seed) {
                let run = check_scenario(&scenario, &settings, None).unwrap();
                let reports: u64 = run.checks.iter().map(|checks| checks.reports).sum();
                let predicted: u64 = run.checks.iter().map(|checks| checks.predicted).sum();
                assert!(reports > 5 && predicted > 0, "{name} over {network}: {predicted} of {reports}");
                for (checks, client) in run.checks.iter().zip(&scenario.clients) {
                    let first = checks.alarms.first();
                    let who = &client.name;
                    assert!(first.is_none(), "{name} over {network}, seed {seed}, {who}: {first:?}");
                }
            }
        }
    }
}

#[test]
fn honest_clients_cause_no_alarm() {
    assert_honest(0..2);
}

/// Takes minutes: `cargo test --release -p acmotion-sim --test simulation -- --ignored checking`.
#[test]
#[ignore = "a thousand seeds take minutes"]
fn honest_clients_cause_no_alarm_in_a_thousand_seeds() {
    assert_honest(0..1000);
}

/// Every cheat that can be found at once, in every scenario, by every player, from times that are spread over the scenario.
#[test]
fn cheats_of_players_under_their_own_control_are_found_within_two_seconds() {
    const STARTS: u32 = 5;
    let settings = CheckSettings::default();
    for kind in CheatKind::ALL.into_iter().filter(|kind| *kind != CheatKind::Clock) {
        let mut runs = 0;
        for (name, scenario) in scenarios() {
            let networks = over_networks(&scenario, 7);
            let networks = networks.iter().filter(|(name, _)| ["perfect", "typical"].contains(name));
            for (network, scenario) in networks {
                for client in
                    (0..scenario.clients.len()).filter(|index| !scenario.clients[*index].is_observer)
                {
                    for start in 0..STARTS {
                        let from = 1.5 + scenario.seconds * f64::from(start) / f64::from(STARTS);
                        let cheat = Some((ClientId(client), Cheat { kind, from }));
                        let result = check_scenario(scenario, &settings, cheat).unwrap().cheat;
                        // An offset is there at once; the other cheats need time, to move or to rise.
                        let is_at_once = kind == CheatKind::Offset;
                        let result = result.filter(|result| result.is_free);
                        let Some(result) = result.filter(|result| is_at_once || !result.is_short()) else {
                            continue;
                        };
                        runs += 1;
                        assert!(result.is_in_time(), "{kind:?} in {name} over {network}: {result:?}");
                    }
                }
            }
        }
        assert!(runs >= 8, "{kind:?} had an effect in {runs} runs");
    }
}

/// Lets one client of a scenario cheat from a time on.
fn cheat(name: &str, network: &str, client: usize, kind: CheatKind, from: f64) -> Option<CheatResult> {
    let scenarios = scenarios();
    let (_, scenario) = scenarios.iter().find(|(scenario, _)| scenario == name).unwrap();
    let networks = over_networks(scenario, 0);
    let (_, scenario) = networks.iter().find(|(preset, _)| *preset == network).unwrap();
    let cheat = Some((ClientId(client), Cheat { kind, from }));
    check_scenario(scenario, &CheckSettings::default(), cheat).unwrap().cheat
}

#[track_caller]
fn assert_found(name: &str, client: usize, kind: CheatKind, from: f64, findings: &[&str]) {
    for network in ["own", "perfect", "typical"] {
        let result = cheat(name, network, client, kind, from).expect("the cheat has an effect");
        assert!(result.is_in_time(), "{name} over {network}: {result:?}");
        let found = result.detection.unwrap().0.verdict.finding.name();
        assert!(findings.contains(&found), "{name} over {network}: {result:?}");
    }
}

/// A run in a straight line, which the reports of every second betray: 1.2 s of motion in one.
#[test]
fn a_fast_player_is_too_fast() {
    assert_found("chase", 0, CheatKind::Speed, 2.0, &["too_fast"]);
    assert_found("walk_and_turn", 0, CheatKind::Speed, 1.0, &["too_fast"]);
    assert_found("laggy_duel", 0, CheatKind::Speed, 6.0, &["too_fast"]);
    assert_found("sprint_and_strafe_jump", 0, CheatKind::Speed, 0.5, &["too_fast"]);
}

#[test]
fn a_player_that_walks_through_walls_is_found_at_the_wall() {
    for from in [2.0, 20.0, 60.0, 88.0] {
        assert_found("through_the_house", 0, CheatKind::WallClip, from, &["through_wall", "teleported"]);
    }
}

#[test]
fn a_player_that_rises_has_no_ground() {
    for (name, from) in
        [("walk_and_turn", 2.0), ("through_the_house", 72.0), ("laggy_duel", 3.2), ("chase", 4.0)]
    {
        assert_found(name, 0, CheatKind::AirWalk, from, &["in_air", "teleported"]);
    }
}

#[test]
fn a_jump_that_is_charged_too_far_is_too_high() {
    for name in ["sprint_and_strafe_jump", "laggy_duel", "through_the_house"] {
        assert_found(name, 0, CheatKind::LongJump, 1.0, &["jump_too_high"]);
    }
}

#[test]
fn a_message_that_is_sent_again_is_replayed() {
    for (name, _) in scenarios() {
        assert_found(&name, 0, CheatKind::StampReplay, 3.0, &["stamp_replayed"]);
    }
}

#[test]
fn a_position_beside_the_path_is_off() {
    for (name, from) in
        [("walk_and_turn", 2.0), ("chase", 3.5), ("sprint_and_strafe_jump", 2.0), ("through_the_house", 80.0)]
    {
        assert_found(name, 0, CheatKind::Offset, from, &["teleported", "through_wall"]);
    }
}

/// The server sends the player to a creature, lets it stick there and strike, and sends it to a door.
#[test]
fn a_position_beside_the_way_of_an_order_is_off() {
    for (name, from) in
        [("melee_exchange", 1.0), ("melee_exchange", 5.6), ("melee_exchange", 14.8), ("teleport", 10.5)]
    {
        assert_found(name, 0, CheatKind::Offset, from, &["teleported", "through_wall", "too_fast"]);
    }
}
