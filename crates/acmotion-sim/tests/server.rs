//! Stories of the server in a box: what it makes of what it hears.

mod support;

use acmotion::entity::MotionEvent;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{MovementBody, PhysicsState, S2C};
use acmotion::world::EventKind;
use acmotion_sim::scenario::{CreatureOrder, Input, LocalPosition, Scenario, ServerEvent};
use acmotion_sim::{ClientId, Simulation, View};
use support::{Diary, Letter, run};

const ACTOR: View = View::Client(ClientId(0));
const WATCHER: View = View::Client(ClientId(1));

/// A player and somebody who watches, over a line of 50 ms, with more to say.
fn scene(seconds: u32, input: &str, more: &str) -> Scenario {
    let text = format!(
        r#"
        seconds = {seconds}
        network = {{ latency = 0.05 }}
        [[player]]
        name = "Asha"
        at = [96, 90]
        jump_skill = 300
        input = [{input}]
        [[observer]]
        name = "Watcher"
        at = [100, 90]
        {more}
        "#
    );
    Scenario::parse(&text).unwrap()
}

fn asha(simulation: &Simulation) -> Guid {
    simulation.guid_of("Asha").unwrap()
}

/// What the interpreted states of motions say: by himself, forward command and speed.
fn motions(letters: &[&Letter]) -> Vec<(bool, Option<MotionCommand>, Option<f32>)> {
    let motion = |letter: &&Letter| match letter.read() {
        S2C::UpdateMotion(motion) => match motion.data.movement.body {
            MovementBody::Interpreted { state, .. } => {
                (motion.data.autonomous.get(), state.forward_command, state.forward_speed)
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    letters.iter().map(motion).collect()
}

/// P2: raw becomes interpreted, for everybody and for himself; he ignores it, the others run.
#[test]
fn a_run_is_told_to_everybody() {
    let scene = scene(6, "{ at = 1, press = 'forward' }, { at = 4, release = 'forward' }", "");
    let (simulation, diary) = run(&scene);
    let guid = asha(&simulation);
    let to_watcher = diary.told(WATCHER, guid, "UpdateMotion");
    let expected =
        [(true, None, None), (true, Some(MotionCommand::RUN_FORWARD), Some(2.375)), (true, None, None)];
    assert_eq!(motions(&to_watcher), expected, "entering, running, standing");
    let to_self = diary.told(ACTOR, guid, "UpdateMotion");
    assert!(to_self.iter().zip(&to_watcher).all(|(own, others)| own.bytes == others.bytes));
    assert_eq!(to_self.len(), 3);

    let positions = diary.told(WATCHER, guid, "UpdatePosition");
    assert!((4..=6).contains(&positions.len()), "about once a second while he moves: {}", positions.len());
    for pair in positions.windows(2) {
        assert!(pair[1].time - pair[0].time >= 0.999);
    }
    assert_eq!(
        diary.told(ACTOR, guid, "UpdatePosition").len(),
        positions.len(),
        "also to himself: the leash"
    );
    assert!(simulation.truth(guid).unwrap().position().frame.origin.y > 110.0);
}

/// C26, N1: a jump is a velocity, and what he does is told with it.
#[test]
fn a_jump_is_a_velocity() {
    let scene = scene(6, "{ at = 1, press = 'forward' }, { at = 2, jump = 0.8 }", "");
    let (simulation, diary) = run(&scene);
    let guid = asha(&simulation);
    let [thrown] = diary.told(WATCHER, guid, "VectorUpdate")[..] else { panic!("one jump") };
    let S2C::VectorUpdate(vector) = thrown.read() else { panic!() };
    assert!((vector.velocity.y - 9.5).abs() < 0.1, "north, as he runs: {:?}", vector.velocity);
    assert!((vector.velocity.z - 8.13).abs() < 0.05, "{:?}", vector.velocity);
    let motion = diary.told(WATCHER, guid, "UpdateMotion");
    assert!(motion.iter().any(|letter| letter.time == thrown.time));
    let flies = |what: &EventKind| matches!(what, EventKind::Motion(MotionEvent::LeaveGround));
    let lands = |what: &EventKind| matches!(what, EventKind::Motion(MotionEvent::HitGround));
    assert!(diary.happened(ACTOR, guid, flies) >= 1);
    assert!(diary.happened(WATCHER, guid, flies) >= 1 && diary.happened(View::Server, guid, flies) >= 1);
    assert!(diary.happened(WATCHER, guid, lands) >= 1);
    let flying = |measured: &&acmotion_sim::Measured| {
        measured.view == WATCHER && measured.guid == guid && (2.2..3.6).contains(&measured.time)
    };
    let worst = diary.measured.iter().filter(flying).map(|measured| measured.error).fold(0.0, f32::max);
    assert!(worst < 2.5, "the watcher sees him fly: {worst}");
}

/// P5, recorded: the server answers a wish for a stance with a movement of its own; who holds a key runs on by himself and
/// says nothing about it.
#[test]
fn a_stance_is_the_servers() {
    let scene = scene(8, "{ at = 1, press = 'forward' }, { at = 2, stance = 'melee' }", "");
    let (simulation, diary) = run(&scene);
    let guid = asha(&simulation);
    let motions = motions(&diary.told(WATCHER, guid, "UpdateMotion"));
    assert_eq!(motions.last(), Some(&(false, None, None)), "not his own, and standing");
    let own = simulation.truth(guid).unwrap().entity();
    assert_eq!(own.animator.state().style(), MotionCommand::HAND_COMBAT);
    assert_eq!(own.interp.interpreted.forward.command, MotionCommand::RUN_FORWARD, "he runs on");
    let said = diary.said(ACTOR);
    assert_eq!(
        said.iter().filter(|name| **name == "MoveToState").count(),
        2,
        "entering and one key: {said:?}"
    );
    assert_eq!(diary.happened(ACTOR, guid, |what| matches!(what, EventKind::ControlLost)), 1);
}

/// P7: portal space, then the new place with a newer stamp, for himself and for the others. What he said before he knew
/// does not count.
#[test]
fn a_teleport_leaves_old_places_behind() {
    let more = "[[event]]\nat = 2.0\nteleport = 'Asha'\nto = [30, 150]";
    let mut scene = scene(6, "{ at = 1, tap = 'autorun' }", more);
    scene.clients[0].network.up.latency = 0.6;
    let (simulation, diary) = run(&scene);
    let guid = asha(&simulation);
    let teleported = |what: &EventKind| matches!(what, EventKind::Motion(MotionEvent::Teleported { .. }));
    assert_eq!(diary.happened(ACTOR, guid, |what| matches!(what, EventKind::PortalSpace(true))), 1);
    assert_eq!(diary.happened(ACTOR, guid, teleported), 1);
    assert_eq!(diary.happened(WATCHER, guid, teleported), 1);
    assert!(simulation.server().ignored() > 0, "what was on the way");
    for view in [ACTOR, WATCHER, View::Server] {
        let place = simulation.world(view).unwrap().find(guid).unwrap().position().frame.origin;
        assert!((place.x - 30.0).abs() < 1.0 && (place.y - 150.0).abs() < 1.0, "{view:?}: {place:?}");
    }
    assert_eq!(simulation.truth(guid).unwrap().body().state & PhysicsState::HIDDEN, PhysicsState::empty());
}

#[test]
fn who_comes_late_sees_what_is_going_on() {
    let mut scene = scene(6, "{ at = 1, press = 'forward' }", "");
    scene.clients[1].enters = 3.0;
    let (simulation, diary) = run(&scene);
    let guid = asha(&simulation);
    let [created] = diary.told(WATCHER, guid, "CreateObject")[..] else { panic!("once") };
    assert!(created.time >= 3.0);
    let S2C::CreateObject(object) = created.read() else { panic!() };
    assert_eq!(object.0.weenie.name().to_string(), "Asha");
    let seen = simulation.world(WATCHER).unwrap().find(guid).unwrap();
    assert_eq!(seen.entity().interp.interpreted.forward.command, MotionCommand::RUN_FORWARD);
    assert!(simulation.accuracy(WATCHER, guid).unwrap().delayed().mean < 0.5);
    let watcher = simulation.guid_of("Watcher").unwrap();
    assert!(simulation.world(ACTOR).unwrap().find(watcher).is_none(), "observers are seen by nobody");
}

#[test]
fn a_beast_catches_up_sticks_and_strikes() {
    let more = r#"
        [[creature]]
        name = "Wolf"
        kind = "beast"
        at = [80, 90]
        run_rate = 2.0
        order = [{ at = 1, attack = "Asha" }]
    "#;
    let (simulation, diary) = run(&scene(10, "", more));
    let wolf = simulation.guid_of("Wolf").unwrap();
    let orders = diary.told(WATCHER, wolf, "UpdateMotion");
    let chases = |letter: &&&Letter| match letter.read() {
        S2C::UpdateMotion(motion) => matches!(motion.data.movement.body, MovementBody::MoveToObject { .. }),
        _ => false,
    };
    let strikes = |letter: &&&Letter| match letter.read() {
        S2C::UpdateMotion(motion) => match motion.data.movement.body {
            MovementBody::Interpreted { state, sticky } => !state.actions.is_empty() && sticky.is_some(),
            _ => false,
        },
        _ => false,
    };
    assert!(orders.iter().filter(chases).count() >= 1);
    assert!(orders.iter().filter(strikes).count() >= 2);
    for view in [View::Server, ACTOR, WATCHER] {
        let world = simulation.world(view).unwrap();
        let distance = world
            .find(wolf)
            .unwrap()
            .position()
            .distance_to(&world.find(asha(&simulation)).unwrap().position());
        assert!(distance < 3.0, "{view:?}: {distance}");
        let struck = |what: &EventKind| matches!(what, EventKind::Motion(MotionEvent::MotionDone { motion, success: true }) if motion.is_action());
        assert!(diary.happened(view, wolf, struck) >= 1, "{view:?}");
    }
}

#[test]
fn a_patrol_goes_round() {
    let more = r#"
        [[creature]]
        name = "Guard"
        at = [110, 90]
        order = [{ at = 0.5, patrol = [[110, 96], [114, 96]] }]
    "#;
    let (simulation, diary) = run(&scene(14, "", more));
    let guard = simulation.guid_of("Guard").unwrap();
    let legs = diary.told(WATCHER, guard, "UpdateMotion").len();
    assert!(legs >= 5, "there and back, each with its end: {legs}");
    let positions = diary.told(WATCHER, guard, "UpdatePosition").len();
    assert!(positions > 20, "five a second: {positions}");
    assert!(simulation.accuracy(WATCHER, guard).unwrap().error().worst < 1.0);
}

#[test]
fn doors_open_and_people_die() {
    let more = r#"
        [[creature]]
        name = "Gate"
        kind = "door"
        at = [90, 90]
        order = [{ at = 1, open = true }]
        [[event]]
        at = 2
        kill = "Asha"
    "#;
    let (simulation, _) = run(&scene(6, "{ at = 4, press = 'forward' }", more));
    let gate = simulation.guid_of("Gate").unwrap();
    let seen = simulation.world(WATCHER).unwrap();
    assert_eq!(seen.find(gate).unwrap().entity().animator.state().substate(), MotionCommand::ON);
    assert!(seen.find(gate).unwrap().body().state.contains(PhysicsState::ETHEREAL));
    let dead = seen.find(asha(&simulation)).unwrap().entity();
    assert_eq!(dead.animator.state().substate(), MotionCommand::DEAD);
}

/// The dead do not walk: the simulation says so.
#[test]
fn what_is_refused_is_told() {
    let more = "[[event]]\nat = 1\nkill = 'Asha'";
    let (_, diary) = run(&scene(4, "{ at = 2, press = 'forward' }", more));
    let [refused] = diary.refused[..] else { panic!("{:?}", diary.refused) };
    assert_eq!(refused.input, Input::Press(MotionCommand::WALK_FORWARD));
}

/// Everything a page can do while the scene runs.
#[test]
fn inputs_orders_and_networks_can_change_meanwhile() {
    let more = "[[creature]]\nname = 'Wolf'\nkind = 'beast'\nat = [80, 90]";
    let mut simulation = Simulation::new(&scene(10, "", more)).unwrap();
    let (guid, wolf) = (asha(&simulation), simulation.guid_of("Wolf").unwrap());
    let mut diary = Diary::default();
    simulation.step(1.0, &mut diary);
    assert!(simulation.input(ClientId(0), Input::Press(MotionCommand::WALK_FORWARD)));
    assert!(!simulation.input(ClientId(7), Input::StopCompletely), "nobody is there");
    simulation.order(wolf, CreatureOrder::GoTo(LocalPosition::new(80.0, 100.0)));
    simulation.step(2.0, &mut diary);
    assert!(simulation.truth(guid).unwrap().position().frame.origin.y > 92.0);
    assert!(simulation.world(View::Server).unwrap().find(wolf).unwrap().position().frame.origin.y > 90.5);

    let before = simulation.delay(WATCHER, guid);
    let mut network = simulation.client(ClientId(1)).unwrap().network();
    network.down.latency = 1.0;
    assert!(simulation.set_network(ClientId(1), network));
    assert!((simulation.delay(WATCHER, guid) - before - 0.95).abs() < 1e-9);
    simulation.event(ServerEvent::Kill { who: String::from("Asha") });
    simulation.step(2.5, &mut diary);
    let forward = |view| {
        let world = simulation.world(view).unwrap();
        world.find(guid).unwrap().entity().interp.interpreted.forward.command
    };
    assert_eq!(forward(ACTOR), MotionCommand::DEAD);
    assert_eq!(forward(WATCHER), MotionCommand::RUN_FORWARD, "the watcher does not know yet");
}

/// In the town everybody stands on the same land, in every view.
#[test]
fn the_town_is_under_everybodys_feet() {
    let mut scene = scene(8, "{ at = 1, press = 'forward' }", "");
    scene.ground = acmotion_sim::scenario::Ground::Town;
    let (simulation, _) = run(&scene);
    let guid = asha(&simulation);
    let truth = simulation.truth(guid).unwrap();
    assert!(truth.body().is_standing() && truth.position().frame.origin.y > 91.0);
    let accuracy = simulation.accuracy(WATCHER, guid).unwrap();
    assert_eq!(accuracy.snaps, 0);
    let seen = simulation.world(WATCHER).unwrap().find(guid).unwrap().position();
    assert!(seen.distance_to(&truth.position()) < 2.0, "{seen:?} {:?}", truth.position());
}
