//! Doors: a closed one stops a runner in every view, an open one lets it through, and none closes on a body.

use std::collections::HashMap;

use acmotion::World;
use acmotion::components::{PhysicsState, TransientState};
use acmotion::dat::mannequin::town::{HOME_BLOCK, landmarks};
use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion_sim::scenario::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, Ground, Input, LocalPosition, Scenario, Timed,
    WalkOptions,
};
use acmotion_sim::{ClientId, EventHandler, Simulation, View};

const OWN: View = View::Client(ClientId(0));
const WATCHER: View = View::Client(ClientId(1));
/// Half the thickness of the leaf plus the radius of a human's spheres, in metres.
const REACH: f32 = 0.045 + 0.48;

fn local(position: CellPosition) -> LocalPosition {
    LocalPosition::from_position(&position, HOME_BLOCK)
}

/// A player, an observer, and the door of the house with its orders.
fn at_the_door(
    from: LocalPosition,
    inputs: Vec<Timed<Input>>,
    orders: Vec<Timed<CreatureOrder>>,
) -> Simulation {
    let player = ClientSpec { name: "Asha".into(), position: from, inputs, ..ClientSpec::default() };
    let watcher = ClientSpec {
        name: "Watcher".into(),
        is_observer: true,
        position: LocalPosition::new(100.0, 92.0),
        ..ClientSpec::default()
    };
    let door = CreatureSpec {
        name: "Door".into(),
        kind: CreatureKind::Door,
        position: local(landmarks().door),
        orders,
        ..CreatureSpec::default()
    };
    let scenario = Scenario {
        landblock: HOME_BLOCK,
        ground: Ground::Town,
        clients: vec![player, watcher],
        creatures: vec![door],
        ..Scenario::default()
    };
    Simulation::new(&scenario).unwrap()
}

fn at<T>(at: f64, value: T) -> Timed<T> {
    Timed { at, value }
}

/// The northernmost coordinate of an entity in each view, in the axes of the landblock.
#[derive(Default)]
struct Northernmost {
    guid: Guid,
    north: HashMap<View, f32>,
}

impl EventHandler for Northernmost {
    fn on_tick(&mut self, view: View, world: &World, _now: f64) {
        let Some(resident) = world.find(self.guid) else { return };
        let north = self.north.entry(view).or_insert(f32::MIN);
        *north = north.max(resident.position().frame.origin.y);
    }
}

fn northernmost(simulation: &mut Simulation, until: f64) -> [f32; 3] {
    let guid = simulation.guid_of("Asha").unwrap();
    let mut northernmost = Northernmost { guid, north: HashMap::new() };
    simulation.step(until, &mut northernmost);
    [OWN, View::Server, WATCHER].map(|view| northernmost.north[&view])
}

/// The player runs at the door at a slight angle. Head on it would stay before the open door: a body that is pushed
/// straight into what it slides along keeps its sliding normal (`docs/collision.md` 2.10).
#[test]
fn a_closed_door_stops_a_runner_in_every_view_until_it_is_opened() {
    let run = vec![at(0.5, Input::Press(MotionCommand::WALK_FORWARD))];
    let door = local(landmarks().door).y;
    let from = LocalPosition::new(107.9, 98.0).with_heading(1.0);
    let mut simulation = at_the_door(from, run, vec![at(4.0, CreatureOrder::Open)]);
    for (view, north) in [OWN, View::Server, WATCHER].into_iter().zip(northernmost(&mut simulation, 4.0)) {
        let gap = door - north;
        assert!((REACH - 0.01..REACH + 0.1).contains(&gap), "{view:?}: stopped {gap} m before the door");
    }
    let inside = local(landmarks().hall).y;
    for (view, north) in [OWN, View::Server, WATCHER].into_iter().zip(northernmost(&mut simulation, 8.0)) {
        assert!(north > inside, "{view:?}: at {north}, not yet in the hall at {inside}");
    }
}

/// Rule C20: the door is ordered to close while a player stands in its open leaf. It swings, but stays ethereal until the
/// player has left it.
#[test]
fn a_door_does_not_close_on_a_body() {
    let middle = local(landmarks().door);
    let behind = LocalPosition { x: middle.x - 0.35, y: middle.y + 0.7, ..middle };
    let orders = vec![at(0.5, CreatureOrder::Open), at(5.0, CreatureOrder::Close)];
    let run = vec![
        at(1.5, Input::WalkTo(behind, WalkOptions::default())),
        at(7.0, Input::Press(MotionCommand::WALK_FORWARD)),
    ];
    let mut simulation = at_the_door(LocalPosition::new(108.0, 100.0), run, orders);
    let door = simulation.guid_of("Door").unwrap();
    let asha = simulation.guid_of("Asha").unwrap();
    let door_states = |simulation: &Simulation| {
        [OWN, View::Server, WATCHER].map(|view| {
            let body = simulation.world(view).unwrap().find(door).unwrap().body();
            let waits = body.transient.contains(TransientState::CHECK_ETHEREAL);
            (body.state.contains(PhysicsState::ETHEREAL), waits)
        })
    };
    simulation.step(4.9, &mut ());
    let stands = simulation.truth(asha).unwrap().position().frame.origin;
    assert!(stands.y > middle.y && stands.x < middle.x, "the player stands in the open leaf: {stands:?}");
    assert_eq!(door_states(&simulation), [(true, false); 3], "open");
    let mut waited = [false; 3];
    for frame in 1..=40 {
        simulation.step(4.9 + f64::from(frame) / 30.0, &mut ());
        let states = door_states(&simulation);
        for (waited, (is_ethereal, waits)) in waited.iter_mut().zip(states) {
            *waited |= is_ethereal && waits;
        }
    }
    assert_eq!(waited, [true; 3], "the door waits for the player in every view");
    simulation.step(10.0, &mut ());
    assert!(
        simulation.truth(asha).unwrap().position().frame.origin.y > middle.y + 1.0,
        "the player has left the door"
    );
    assert_eq!(door_states(&simulation), [(false, false); 3], "closed");
}
