//! A short soak, and the population changes that it is made of.

use crate::support::Log;
use acmotion::types::Guid;
use acmotion::wire::Direction;
use acmotion_sim::scenario::{ClientSpec, CreatureSpec, LocalPosition, Scenario, ServerSettings};
use acmotion_sim::soak::{Soak, SoakSettings};
use acmotion_sim::{ClientId, Simulation, View};

fn soak(settings: &SoakSettings, seconds: u32) -> Soak {
    let mut soak = Soak::new(settings).unwrap();
    for _ in 0..seconds {
        soak.step();
    }
    soak
}

const SMALL: SoakSettings =
    SoakSettings { clients: 8, creatures: 4, seed: 7, hostile: 0.1, view_distance: 100.0 };

#[test]
fn two_runs_give_the_same_digest_and_only_finite_states() {
    let (first, second) = (soak(&SMALL, 40), soak(&SMALL, 40));
    let totals = first.totals();
    assert_eq!((first.digest(), &totals), (second.digest(), &second.totals()));
    assert_eq!((totals.non_finite, &totals.first_non_finite), (0, &None));
    assert!(totals.entered >= 8 && totals.left >= 1 && totals.creatures_added >= 4, "{totals:?}");
    let share = totals.hostile as f64 / totals.delivered as f64;
    assert!(totals.delivered > 2_000 && (0.08..0.12).contains(&share), "{totals:?}");
    assert!(totals.unreadable > 50, "most hostile messages cannot be read: {totals:?}");
}

#[test]
fn hostile_messages_change_the_digest_and_none_are_sent_without_a_share() {
    let peaceful = soak(&SoakSettings { hostile: 0.0, ..SMALL }, 10);
    let hostile = soak(&SMALL, 10);
    assert_eq!(peaceful.totals().hostile, 0);
    assert!(hostile.totals().hostile > 0);
    assert_ne!(peaceful.digest(), hostile.digest());
}

#[test]
fn the_share_of_hostile_messages_is_limited() {
    let totals = soak(&SoakSettings { hostile: 7.0, ..SMALL }, 6).totals();
    let share = totals.hostile as f64 / totals.delivered as f64;
    assert!((0.7..0.95).contains(&share), "{totals:?}");
}

/// Buffers grow at first; what is lost each time a player or a creature leaves would grow for ever.
#[test]
fn what_is_allocated_at_rest_does_not_grow() {
    let mut soak = Soak::new(&SMALL).unwrap();
    let mut play = |seconds: u32| {
        let info = allocation_counter::measure(|| {
            (0..seconds).for_each(|_| soak.step());
            assert!(soak.body_count() > 20, "they are all there again");
            soak.rest();
        });
        assert_eq!(soak.body_count(), 0);
        info.bytes_current
    };
    for _ in 0..3 {
        play(30);
    }
    let grown: i64 = (0..4).map(|_| play(30)).sum();
    assert!(grown < 10_000, "{grown} bytes");
    let totals = soak.totals();
    assert_eq!((totals.entered, totals.creatures_added), (totals.left, totals.creatures_removed));
}

fn walkers(view_distance: Option<f32>) -> Simulation {
    let client = |name: &str, x: f32| ClientSpec {
        name: name.into(),
        position: LocalPosition::new(x, 50.0),
        ..ClientSpec::default()
    };
    let scenario = Scenario {
        server: ServerSettings { view_distance, ..ServerSettings::default() },
        clients: vec![client("Asha", 50.0), client("Borun", 60.0)],
        ..Scenario::default()
    };
    Simulation::new(&scenario).unwrap()
}

fn sees(simulation: &Simulation, client: usize, guid: Guid) -> bool {
    simulation.client(ClientId(client)).unwrap().world().find(guid).is_some()
}

#[test]
fn a_player_that_leaves_is_deleted_and_can_enter_again() {
    let mut simulation = walkers(None);
    simulation.step(1.0, &mut ());
    let borun = simulation.guid_of("Borun").unwrap();
    assert!(sees(&simulation, 0, borun));
    assert!(!simulation.enter(ClientId(1), LocalPosition::new(60.0, 50.0)), "it is there already");
    assert!(simulation.leave(ClientId(1)));
    assert!(!simulation.leave(ClientId(1)), "it has left already");
    simulation.step(2.0, &mut ());
    assert!(!sees(&simulation, 0, borun) && !sees(&simulation, 1, borun));
    assert!(simulation.enter(ClientId(1), LocalPosition::new(70.0, 50.0)));
    simulation.step(3.0, &mut ());
    assert!(sees(&simulation, 0, borun) && sees(&simulation, 1, borun));
    let stamps = simulation.client(ClientId(0)).unwrap().world().find(borun).unwrap().stamps();
    assert_eq!(stamps.instance.0, 2, "another instance");
}

#[test]
fn creatures_can_be_added_and_removed() {
    let mut simulation = walkers(None);
    simulation.step(1.0, &mut ());
    let spec = CreatureSpec { position: LocalPosition::new(55.0, 60.0), ..CreatureSpec::default() };
    let first = simulation.add_creature(&spec).unwrap();
    simulation.step(1.5, &mut ());
    assert!(sees(&simulation, 0, first));
    assert!(simulation.remove_creature(first) && !simulation.remove_creature(first));
    let asha = simulation.guid_of("Asha").unwrap();
    assert!(!simulation.remove_creature(asha), "a player is no creature");
    simulation.step(2.0, &mut ());
    assert!(!sees(&simulation, 0, first));
    assert_ne!(simulation.add_creature(&spec), Some(first), "ids are not used again");
}

#[test]
fn a_client_is_sent_only_what_is_near() {
    let mut simulation = walkers(Some(20.0));
    simulation.step(1.0, &mut ());
    let borun = simulation.guid_of("Borun").unwrap();
    assert!(sees(&simulation, 0, borun), "10 m away");
    simulation.leave(ClientId(1));
    assert!(simulation.enter(ClientId(1), LocalPosition::new(72.0, 50.0)));
    simulation.step(2.0, &mut ());
    assert!(!sees(&simulation, 0, borun) && sees(&simulation, 1, borun), "22 m away");
    let spec = CreatureSpec { position: LocalPosition::new(50.0, 150.0), ..CreatureSpec::default() };
    let creature = simulation.add_creature(&spec).unwrap();
    simulation.step(3.0, &mut ());
    assert!(!sees(&simulation, 0, creature));
}

#[test]
fn an_injected_message_is_delivered_and_marked() {
    let mut simulation = walkers(None);
    simulation.step(1.0, &mut ());
    let unreadable = simulation.client(ClientId(0)).unwrap().unreadable();
    let ignored = simulation.server().ignored();
    assert!(simulation.inject(ClientId(0), Direction::S2C, vec![1, 2, 3].into()));
    assert!(simulation.inject(ClientId(0), Direction::C2S, vec![4, 5, 6].into()));
    assert!(!simulation.inject(ClientId(2), Direction::S2C, vec![7].into()), "there is no such client");
    let mut log = Log::default();
    simulation.step(1.2, &mut log);
    let bytes = |to: View| log.delivered.iter().any(|message| message.1 == to && message.3.len() == 3);
    assert!(bytes(View::Server) && bytes(View::Client(ClientId(0))));
    assert_eq!(simulation.client(ClientId(0)).unwrap().unreadable(), unreadable + 1);
    assert_eq!(simulation.server().ignored(), ignored + 1);
}
