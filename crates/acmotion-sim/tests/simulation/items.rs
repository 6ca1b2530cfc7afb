//! Items: picked up, wielded and dropped, in every view.

use crate::support::Log;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::CombatMode;
use acmotion::{EventKind, RequestKind, RequestProgress};
use acmotion_sim::scenario::{ClientSpec, Input, ItemKind, ItemSpec, LocalPosition, Scenario};
use acmotion_sim::{ClientId, Simulation, View};

const ASHA: ClientId = ClientId(0);
const VIEWS: [View; 3] = [View::Server, View::Client(ASHA), View::Client(ClientId(1))];
const SHIELD: Guid = Guid(0x6200_0001);
const SWORD: Guid = Guid(0x6000_0001);

/// A player with a sword, a shield six metres to the north, and an observer.
fn scene() -> Simulation {
    let asha = ClientSpec { name: "Asha".into(), has_sword: true, ..ClientSpec::default() };
    let watcher = ClientSpec { name: "Watcher".into(), is_observer: true, ..ClientSpec::default() };
    let shield = ItemSpec {
        name: "Round shield".into(),
        kind: ItemKind::Shield,
        position: LocalPosition::new(96.0, 102.0),
    };
    let scenario = Scenario { clients: vec![asha, watcher], items: vec![shield], ..Scenario::default() };
    let mut simulation = Simulation::new(&scenario).unwrap();
    simulation.step(1.0, &mut ());
    simulation
}

/// Gives an input, runs for some seconds, and returns the steps of the request.
fn request(simulation: &mut Simulation, input: Input, seconds: f64) -> Vec<RequestProgress> {
    let mut log = Log::default();
    simulation.input(ASHA, input);
    simulation.step(simulation.now() + seconds, &mut log);
    let steps = log.events.iter().filter_map(|(_, event)| match event.kind {
        EventKind::Request(step) if !matches!(step.kind, RequestKind::Stance(_)) => Some(step.progress),
        _ => None,
    });
    steps.collect()
}

/// The parent of an item in each view, and whether it is in a cell there.
fn places(simulation: &Simulation, item: Guid) -> [(Option<Guid>, bool); 3] {
    VIEWS.map(|view| {
        let item = simulation.world(view).unwrap().find(item).unwrap();
        (item.parent(), item.body().is_in_cell())
    })
}

fn wield(kind: ItemKind, item: Guid) -> Input {
    Input::Wield { item, location: kind.wield_location() }
}

#[test]
fn an_item_is_picked_up_wielded_and_dropped() {
    let mut simulation = scene();
    let asha = simulation.guid_of("Asha").unwrap();
    assert_eq!(simulation.name_of(SHIELD), Some("Round shield"));
    assert_eq!(places(&simulation, SHIELD), [(None, true); 3], "on the ground");
    let steps = request(&mut simulation, Input::PickUp(SHIELD), 6.0);
    let bends = RequestProgress::Acting(MotionCommand::PICKUP);
    assert_eq!(steps, [RequestProgress::Started, bends, RequestProgress::Done]);
    assert_eq!(places(&simulation, SHIELD), [(None, false); 3], "in the pack");
    assert_eq!(simulation.server().owner_of(SHIELD), Some(asha));
    let position = simulation.truth(asha).unwrap().position().frame.origin;
    assert!((101.0 - position.y).abs() < 1.0, "the player went there: {position:?}");

    let steps = request(&mut simulation, wield(ItemKind::Shield, SHIELD), 1.0);
    assert_eq!(steps, [RequestProgress::Started, RequestProgress::Done]);
    assert_eq!(places(&simulation, SHIELD), [(Some(asha), false); 3], "on the arm");

    let steps = request(&mut simulation, Input::Drop(SHIELD), 2.0);
    assert_eq!(steps, [RequestProgress::Started, RequestProgress::Done]);
    assert_eq!(places(&simulation, SHIELD), [(None, true); 3], "on the ground again");
    assert_eq!(simulation.server().owner_of(SHIELD), None);
    let [there, here, seen] =
        VIEWS.map(|view| simulation.world(view).unwrap().find(SHIELD).unwrap().position());
    assert!(there.distance_to(&here) < 0.05 && there.distance_to(&seen) < 0.05);
    let player = simulation.truth(asha).unwrap().position();
    assert!((0.3..1.2).contains(&there.distance_to(&player)), "in front of the player");
}

/// Without a sword, melee is a matter of fists, until another one is wielded.
#[test]
fn a_sword_that_is_dropped_leaves_the_fists() {
    let mut simulation = scene();
    let asha = simulation.guid_of("Asha").unwrap();
    let style = |simulation: &Simulation| simulation.truth(asha).unwrap().entity().animator.state().style();
    request(&mut simulation, Input::Stance(CombatMode::MELEE), 2.0);
    assert_eq!(style(&simulation), MotionCommand::SWORD_COMBAT);
    request(&mut simulation, Input::Drop(SWORD), 2.0);
    assert_eq!(style(&simulation), MotionCommand::HAND_COMBAT);
    assert_eq!(places(&simulation, SWORD), [(None, true); 3]);
    request(&mut simulation, Input::PickUp(SWORD), 3.0);
    assert_eq!(style(&simulation), MotionCommand::HAND_COMBAT, "it is in the pack");
    request(&mut simulation, wield(ItemKind::Sword, SWORD), 2.0);
    assert_eq!(style(&simulation), MotionCommand::SWORD_COMBAT);
    assert_eq!(places(&simulation, SWORD), [(Some(asha), false); 3]);
}

/// Items of others and things that are not items cannot be taken, dropped or wielded.
#[test]
fn requests_for_what_one_cannot_have_change_nothing() {
    let mut simulation = scene();
    let before = simulation.server().ignored();
    for input in
        [Input::PickUp(SWORD), Input::Drop(SHIELD), wield(ItemKind::Shield, SHIELD), Input::Drop(Guid(7))]
    {
        assert_eq!(request(&mut simulation, input, 0.5), [RequestProgress::Started]);
    }
    assert_eq!(simulation.server().ignored() - before, 4);
    assert_eq!(places(&simulation, SHIELD), [(None, true); 3]);
    assert_eq!(places(&simulation, SWORD), [(None, false); 3]);
}
