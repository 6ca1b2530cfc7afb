//! No body is inside something solid, and one that is would be noticed.

use crate::support::{run, shipped};
use acmotion_sim::scenario::{ClientSpec, Ground, Input, LocalPosition, Scenario, Timed};
use acmotion_sim::{ClientId, Simulation};

use acmotion::types::MotionCommand;

#[test]
fn no_entity_of_the_scenarios_is_inside_something_solid() {
    let mut checked = 0;
    for (name, scenario) in shipped() {
        let (simulation, _) = run(&scenario);
        assert_eq!(simulation.land().is_some(), scenario.ground == Ground::Town, "{name}");
        for object in simulation.server().objects().iter().filter(|object| object.is_seen()) {
            let Some(found) = simulation.in_solids(object.guid) else { continue };
            assert_eq!((found.inside, found.first), (0, None), "{name}: {}", object.name);
            assert!(found.ticks as f64 > 25.0 * scenario.seconds, "{name}: {} ticks", found.ticks);
            checked += 1;
        }
    }
    assert!(checked > 0, "no scenario is in the town");
}

/// Runs a player on a plane without obstacles, and checks it against the solids of the town.
fn unhindered(height: f32, spot: LocalPosition, inputs: Vec<Timed<Input>>) -> Simulation {
    let ghost = ClientSpec { name: "Ghost".into(), position: spot, inputs, ..ClientSpec::default() };
    let scenario = Scenario {
        seconds: 4.0,
        landblock: 0xA9B4,
        ground: Ground::Level { height },
        clients: vec![ghost],
        ..Scenario::default()
    };
    let mut simulation = Simulation::new(&scenario).unwrap();
    simulation.check_solids(Ground::Town.land().unwrap());
    simulation.step(scenario.seconds, &mut ());
    simulation
}

#[test]
fn a_body_inside_something_solid_is_noticed() {
    for (place, x, y, height, is_inside) in [
        ("the yard", 108.0, 90.0, 10.0, false),
        ("the ground", 108.0, 90.0, 9.99, true),
        ("the air", 108.0, 90.0, 10.5, false),
        ("the wall", 70.0, 104.0, 10.0, true),
        ("beside the wall", 70.0, 104.0 + 0.25 + 0.481, 10.0, false),
        ("on the wall", 70.0, 104.0, 13.0, false),
        ("the ramp", 70.0, 88.0, 10.0, true),
        ("the platform", 70.0, 92.0, 12.0, false),
        ("a pillar", 130.3, 100.3, 10.0, true),
        ("beside a pillar", 130.0, 100.89, 10.0, false),
        ("a boulder", 130.5, 114.5, 10.0, true),
        ("the house's wall", 104.0, 103.2, 10.0, true),
        ("before the house", 104.0, 102.5, 10.0, false),
    ] {
        let simulation = unhindered(height, LocalPosition::new(x, y), Vec::new());
        let guid = simulation.guid_of("Ghost").unwrap();
        let found = simulation.in_solids(guid).unwrap();
        assert!(found.ticks > 80, "{place}");
        assert_eq!(found.inside, if is_inside { found.ticks } else { 0 }, "{place}: {found:?}");
    }
}

#[test]
fn a_body_that_walks_through_a_wall_is_noticed_while_inside() {
    let press = Timed { at: 0.5, value: Input::Press(MotionCommand::WALK_FORWARD) };
    let simulation = unhindered(10.0, LocalPosition::new(70.0, 102.0), vec![press]);
    let player = simulation.client(ClientId(0)).unwrap();
    assert!(player.player().unwrap().position().frame.origin.y > 106.0, "the player is through the wall");
    let found = simulation.in_solids(player.guid()).unwrap();
    assert!(found.inside > 2 && found.inside < found.ticks / 2, "{found:?}");
    let (_, position) = found.first.unwrap();
    assert!((103.75 - 0.48..104.25).contains(&position.frame.origin.y), "{position:?}");
}
