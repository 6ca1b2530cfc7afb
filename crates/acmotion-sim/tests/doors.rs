//! A door in everybody's way: shut it stops whoever runs against it, on his own client, on the server and in the eyes of
//! others; open it lets through; and it does not close on somebody.

use std::collections::HashMap;

use acmotion::World;
use acmotion::body::{PhysicsState, TransientState};
use acmotion::dat::mannequin::town::{HOME, places};
use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion_sim::scenario::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, Ground, Input, LocalPosition, Scenario, Timed,
};
use acmotion_sim::{ClientId, Simulation, View, Watch};

const OWN: View = View::Client(ClientId(0));
const WATCHER: View = View::Client(ClientId(1));
/// The leaf's thickness to each side, and the radius of a person's spheres.
const REACH: f32 = 0.045 + 0.48;

fn spot(position: CellPosition) -> LocalPosition {
    LocalPosition::of(&position, HOME)
}

/// Somebody, a watcher, and the door of the house, which does what it is told and when.
fn at_the_door(
    from: LocalPosition,
    inputs: Vec<Timed<Input>>,
    orders: Vec<Timed<CreatureOrder>>,
) -> Simulation {
    let person = ClientSpec { name: "Asha".into(), spot: from, inputs, ..ClientSpec::default() };
    let watcher = ClientSpec {
        name: "Watcher".into(),
        is_observer: true,
        spot: LocalPosition::new(100.0, 92.0),
        ..ClientSpec::default()
    };
    let door = CreatureSpec {
        name: "Door".into(),
        kind: CreatureKind::Door,
        spot: spot(places().door),
        orders,
        ..CreatureSpec::default()
    };
    let scene = Scenario {
        landblock: HOME,
        ground: Ground::Town,
        clients: vec![person, watcher],
        creatures: vec![door],
        ..Scenario::default()
    };
    Simulation::new(&scene).unwrap()
}

fn at<T>(at: f64, what: T) -> Timed<T> {
    Timed { at, value: what }
}

/// How far north somebody was at most in each view, in the axes of the landblock.
#[derive(Default)]
struct Farthest {
    guid: Guid,
    north: HashMap<View, f32>,
}

impl Watch for Farthest {
    fn ticked(&mut self, view: View, world: &World, _now: f64) {
        let Some(one) = world.find(self.guid) else { return };
        let north = self.north.entry(view).or_insert(f32::MIN);
        *north = north.max(one.position().frame.origin.y);
    }
}

fn farthest(simulation: &mut Simulation, until: f64) -> [f32; 3] {
    let guid = simulation.guid_of("Asha").unwrap();
    let mut farthest = Farthest { guid, north: HashMap::new() };
    simulation.step(until, &mut farthest);
    [OWN, View::Server, WATCHER].map(|view| farthest.north[&view])
}

/// He comes a little aslant. Head on he would stay before the open door: whoever is pushed straight into what he slides along
/// keeps his sliding normal (`docs/collision.md` 2.10).
#[test]
fn a_closed_door_stops_a_runner_in_every_view_until_it_is_opened() {
    let run = vec![at(0.5, Input::Press(MotionCommand::WALK_FORWARD))];
    let door = spot(places().door).y;
    let from = LocalPosition::new(107.9, 98.0).facing(1.0);
    let mut simulation = at_the_door(from, run, vec![at(4.0, CreatureOrder::Open)]);
    for (view, north) in [OWN, View::Server, WATCHER].into_iter().zip(farthest(&mut simulation, 4.0)) {
        let gap = door - north;
        assert!((REACH - 0.01..REACH + 0.1).contains(&gap), "{view:?}: up to {gap} m before the door");
    }
    let inside = spot(places().hall).y;
    for (view, north) in [OWN, View::Server, WATCHER].into_iter().zip(farthest(&mut simulation, 8.0)) {
        assert!(north > inside, "{view:?}: {north} is not in the hall yet, which begins before {inside}");
    }
}

/// Rule C20: the door is told to close while somebody stands in its open leaf. It swings, but lets through until he is
/// out of it.
#[test]
fn a_door_does_not_close_on_somebody() {
    let middle = spot(places().door);
    let behind = LocalPosition { x: middle.x - 0.35, y: middle.y + 0.7, ..middle };
    let orders = vec![at(0.5, CreatureOrder::Open), at(5.0, CreatureOrder::Close)];
    let run = vec![at(1.5, Input::WalkTo(behind)), at(7.0, Input::Press(MotionCommand::WALK_FORWARD))];
    let mut simulation = at_the_door(LocalPosition::new(108.0, 100.0), run, orders);
    let door = simulation.guid_of("Door").unwrap();
    let asha = simulation.guid_of("Asha").unwrap();
    let looks = |simulation: &Simulation| {
        [OWN, View::Server, WATCHER].map(|view| {
            let body = simulation.world(view).unwrap().find(door).unwrap().body();
            let waits = body.transient.contains(TransientState::CHECK_ETHEREAL);
            (body.state.contains(PhysicsState::ETHEREAL), waits)
        })
    };
    simulation.step(4.9, &mut ());
    let stands = simulation.truth(asha).unwrap().position().frame.origin;
    assert!(stands.y > middle.y && stands.x < middle.x, "he stands by the open leaf: {stands:?}");
    assert_eq!(looks(&simulation), [(true, false); 3], "open");
    let mut waited = [false; 3];
    for frame in 1..=40 {
        simulation.step(4.9 + f64::from(frame) / 30.0, &mut ());
        let looks = looks(&simulation);
        for (waited, (is_ethereal, waits)) in waited.iter_mut().zip(looks) {
            *waited |= is_ethereal && waits;
        }
    }
    assert_eq!(waited, [true; 3], "nobody is squeezed");
    simulation.step(10.0, &mut ());
    assert!(simulation.truth(asha).unwrap().position().frame.origin.y > middle.y + 1.0, "he is out of it");
    assert_eq!(looks(&simulation), [(false, false); 3], "and the door is shut");
}
