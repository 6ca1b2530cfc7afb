//! The server in a box: what it sends for what it receives.

use crate::support::{Log, SentMessage, run};
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{MovementBody, PhysicsState, S2C};
use acmotion::{EventKind, MotionEvent};
use acmotion_sim::scenario::{CreatureOrder, Input, LocalPosition, Scenario, ServerEvent};
use acmotion_sim::{ClientId, Simulation, View};

const ACTOR: View = View::Client(ClientId(0));
const WATCHER: View = View::Client(ClientId(1));

/// A player and an observer, with a latency of 50 ms; `more` is appended to the file.
fn scenario(seconds: u32, input: &str, more: &str) -> Scenario {
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

/// Returns whether each motion is autonomous, its forward command and its forward speed.
fn motions(messages: &[&SentMessage]) -> Vec<(bool, Option<MotionCommand>, Option<f32>)> {
    let motion = |message: &&SentMessage| match message.decode() {
        S2C::UpdateMotion(motion) => match motion.data.movement.body {
            MovementBody::Interpreted { state, .. } => {
                (motion.data.autonomous.get(), state.forward_command, state.forward_speed)
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    messages.iter().map(motion).collect()
}

/// P2: the raw state becomes an interpreted one, for the player's own client too, which ignores it.
#[test]
fn a_run_is_sent_to_all_clients() {
    let scenario = scenario(6, "{ at = 1, press = 'forward' }, { at = 4, release = 'forward' }", "");
    let (simulation, log) = run(&scenario);
    let guid = asha(&simulation);
    let to_watcher = log.sent_to(WATCHER, guid, "UpdateMotion");
    let expected =
        [(true, None, None), (true, Some(MotionCommand::RUN_FORWARD), Some(2.375)), (true, None, None)];
    assert_eq!(motions(&to_watcher), expected, "entering, running, standing");
    let to_self = log.sent_to(ACTOR, guid, "UpdateMotion");
    assert!(to_self.iter().zip(&to_watcher).all(|(own, others)| own.bytes == others.bytes));
    assert_eq!(to_self.len(), 3);

    let positions = log.sent_to(WATCHER, guid, "UpdatePosition");
    assert!(
        (4..=6).contains(&positions.len()),
        "about once a second while the player moves: {}",
        positions.len()
    );
    for pair in positions.windows(2) {
        assert!(pair[1].time - pair[0].time >= 0.999);
    }
    assert_eq!(
        log.sent_to(ACTOR, guid, "UpdatePosition").len(),
        positions.len(),
        "the player's own client receives them too, for its constraint"
    );
    assert!(simulation.truth(guid).unwrap().position().frame.origin.y > 110.0);
}

/// C26, N1: the motion is sent together with the velocity.
#[test]
fn a_jump_is_sent_as_a_velocity() {
    let scenario = scenario(6, "{ at = 1, press = 'forward' }, { at = 2, jump = 0.8 }", "");
    let (simulation, log) = run(&scenario);
    let guid = asha(&simulation);
    let [jump] = log.sent_to(WATCHER, guid, "VectorUpdate")[..] else { panic!("jumped once") };
    let S2C::VectorUpdate(vector) = jump.decode() else { panic!() };
    assert!(
        (vector.velocity.y - 9.5).abs() < 0.1,
        "north, in the direction of the run: {:?}",
        vector.velocity
    );
    assert!((vector.velocity.z - 8.13).abs() < 0.05, "{:?}", vector.velocity);
    let motion = log.sent_to(WATCHER, guid, "UpdateMotion");
    assert!(motion.iter().any(|message| message.time == jump.time));
    let leaves_ground = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::LeaveGround));
    let hits_ground = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::HitGround));
    assert!(log.count(ACTOR, guid, leaves_ground) >= 1);
    assert!(
        log.count(WATCHER, guid, leaves_ground) >= 1 && log.count(View::Server, guid, leaves_ground) >= 1
    );
    assert!(log.count(WATCHER, guid, hits_ground) >= 1);
    let flying = |measured: &&acmotion_sim::Measured| {
        measured.view == WATCHER && measured.guid == guid && (2.2..3.6).contains(&measured.time)
    };
    let worst = log.measured.iter().filter(flying).map(|measured| measured.error).fold(0.0, f32::max);
    assert!(worst < 2.5, "the observer shows the jump: {worst} m off");
}

/// P5, recorded: the server answers the request with a movement of its own. A player that holds a key runs on afterwards,
/// without sending anything.
#[test]
fn a_stance_request_is_answered_by_a_movement_of_the_server() {
    let scenario = scenario(8, "{ at = 1, press = 'forward' }, { at = 2, stance = 'melee' }", "");
    let (simulation, log) = run(&scenario);
    let guid = asha(&simulation);
    let motions = motions(&log.sent_to(WATCHER, guid, "UpdateMotion"));
    assert_eq!(motions.last(), Some(&(false, None, None)), "not autonomous, and standing");
    let own = simulation.truth(guid).unwrap().entity();
    assert_eq!(own.animator.state().style(), MotionCommand::HAND_COMBAT);
    assert_eq!(own.interp.interpreted.forward.command, MotionCommand::RUN_FORWARD, "the player runs on");
    let sent = log.sent_by(ACTOR);
    assert_eq!(
        sent.iter().filter(|name| **name == "MoveToState").count(),
        2,
        "entering and one key: {sent:?}"
    );
    assert_eq!(log.count(ACTOR, guid, |kind| matches!(kind, EventKind::ControlLost)), 1);
}

/// P7: portal space, then the new position with a newer stamp, for all clients. Messages that the player's client sent
/// before it knew of the teleport are ignored.
#[test]
fn positions_sent_before_a_teleport_are_ignored() {
    let more = "[[event]]\nat = 2.0\nteleport = 'Asha'\nto = [30, 150]";
    let mut scenario = scenario(6, "{ at = 1, tap = 'autorun' }", more);
    scenario.clients[0].network.up.latency = 0.6;
    let (simulation, log) = run(&scenario);
    let guid = asha(&simulation);
    let teleported = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::Teleported { .. }));
    assert_eq!(log.count(ACTOR, guid, |kind| matches!(kind, EventKind::PortalSpace(true))), 1);
    assert_eq!(log.count(ACTOR, guid, teleported), 1);
    assert_eq!(log.count(WATCHER, guid, teleported), 1);
    assert!(simulation.server().ignored() > 0, "messages in flight are ignored");
    for view in [ACTOR, WATCHER, View::Server] {
        let origin = simulation.world(view).unwrap().find(guid).unwrap().position().frame.origin;
        assert!((origin.x - 30.0).abs() < 1.0 && (origin.y - 150.0).abs() < 1.0, "{view:?}: {origin:?}");
    }
    assert_eq!(simulation.truth(guid).unwrap().body().state & PhysicsState::HIDDEN, PhysicsState::empty());
}

#[test]
fn a_client_that_enters_late_is_sent_the_current_state() {
    let mut scenario = scenario(6, "{ at = 1, press = 'forward' }", "");
    scenario.clients[1].enters = 3.0;
    let (simulation, log) = run(&scenario);
    let guid = asha(&simulation);
    let [created] = log.sent_to(WATCHER, guid, "CreateObject")[..] else { panic!("created once") };
    assert!(created.time >= 3.0);
    let S2C::CreateObject(object) = created.decode() else { panic!() };
    assert_eq!(object.0.weenie.name().to_string(), "Asha");
    let seen = simulation.world(WATCHER).unwrap().find(guid).unwrap();
    assert_eq!(seen.entity().interp.interpreted.forward.command, MotionCommand::RUN_FORWARD);
    assert!(simulation.accuracy(WATCHER, guid).unwrap().delayed().mean < 0.5);
    let watcher = simulation.guid_of("Watcher").unwrap();
    assert!(
        simulation.world(ACTOR).unwrap().find(watcher).is_none(),
        "observers are not shown to other clients"
    );
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
    let (simulation, log) = run(&scenario(10, "", more));
    let wolf = simulation.guid_of("Wolf").unwrap();
    let orders = log.sent_to(WATCHER, wolf, "UpdateMotion");
    let chases = |message: &&&SentMessage| match message.decode() {
        S2C::UpdateMotion(motion) => matches!(motion.data.movement.body, MovementBody::MoveToObject { .. }),
        _ => false,
    };
    let strikes = |message: &&&SentMessage| match message.decode() {
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
        let struck = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::MotionDone { motion, success: true }) if motion.is_action());
        assert!(log.count(view, wolf, struck) >= 1, "{view:?}");
    }
}

#[test]
fn a_patrol_returns_to_its_first_position() {
    let more = r#"
        [[creature]]
        name = "Guard"
        at = [110, 90]
        order = [{ at = 0.5, patrol = [[110, 96], [114, 96]] }]
    "#;
    let (simulation, log) = run(&scenario(14, "", more));
    let guard = simulation.guid_of("Guard").unwrap();
    let legs = log.sent_to(WATCHER, guard, "UpdateMotion").len();
    assert!(legs >= 5, "several legs, each with a start and a stop: {legs}");
    let positions = log.sent_to(WATCHER, guard, "UpdatePosition").len();
    assert!(positions > 20, "five positions a second: {positions}");
    assert!(simulation.accuracy(WATCHER, guard).unwrap().error().worst < 1.0);
}

#[test]
fn doors_open_and_killed_players_stay_dead() {
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
    let (simulation, _) = run(&scenario(6, "{ at = 4, press = 'forward' }", more));
    let gate = simulation.guid_of("Gate").unwrap();
    let seen = simulation.world(WATCHER).unwrap();
    assert_eq!(seen.find(gate).unwrap().entity().animator.state().substate(), MotionCommand::ON);
    assert!(seen.find(gate).unwrap().body().state.contains(PhysicsState::ETHEREAL));
    let dead = seen.find(asha(&simulation)).unwrap().entity();
    assert_eq!(dead.animator.state().substate(), MotionCommand::DEAD);
}

#[test]
fn an_input_of_a_dead_player_is_refused() {
    let more = "[[event]]\nat = 1\nkill = 'Asha'";
    let (_, log) = run(&scenario(4, "{ at = 2, press = 'forward' }", more));
    let [refused] = log.refused[..] else { panic!("{:?}", log.refused) };
    assert_eq!(refused.input, Input::Press(MotionCommand::WALK_FORWARD));
}

#[test]
fn inputs_orders_and_networks_can_change_while_running() {
    let more = "[[creature]]\nname = 'Wolf'\nkind = 'beast'\nat = [80, 90]";
    let mut simulation = Simulation::new(&scenario(10, "", more)).unwrap();
    let (guid, wolf) = (asha(&simulation), simulation.guid_of("Wolf").unwrap());
    let mut log = Log::default();
    simulation.step(1.0, &mut log);
    assert!(simulation.input(ClientId(0), Input::Press(MotionCommand::WALK_FORWARD)));
    assert!(!simulation.input(ClientId(7), Input::StopCompletely), "there is no such client");
    simulation.order(wolf, CreatureOrder::GoTo(LocalPosition::new(80.0, 100.0)));
    simulation.step(2.0, &mut log);
    assert!(simulation.truth(guid).unwrap().position().frame.origin.y > 92.0);
    assert!(simulation.world(View::Server).unwrap().find(wolf).unwrap().position().frame.origin.y > 90.5);

    let before = simulation.delay(WATCHER, guid);
    let mut network = simulation.client(ClientId(1)).unwrap().network();
    network.down.latency = 1.0;
    assert!(simulation.set_network(ClientId(1), network));
    assert!((simulation.delay(WATCHER, guid) - before - 0.95).abs() < 1e-9);
    simulation.event(ServerEvent::Kill { player: String::from("Asha") });
    simulation.step(2.5, &mut log);
    let forward = |view| {
        let world = simulation.world(view).unwrap();
        world.find(guid).unwrap().entity().interp.interpreted.forward.command
    };
    assert_eq!(forward(ACTOR), MotionCommand::DEAD);
    assert_eq!(forward(WATCHER), MotionCommand::RUN_FORWARD, "the observer has not received it yet");
}

#[test]
fn every_view_stands_on_the_land_of_the_town() {
    let mut scenario = scenario(8, "{ at = 1, press = 'forward' }", "");
    scenario.ground = acmotion_sim::scenario::Ground::Town;
    let (simulation, _) = run(&scenario);
    let guid = asha(&simulation);
    let truth = simulation.truth(guid).unwrap();
    assert!(truth.body().is_standing() && truth.position().frame.origin.y > 91.0);
    let accuracy = simulation.accuracy(WATCHER, guid).unwrap();
    assert_eq!(accuracy.snaps, 0);
    let seen = simulation.world(WATCHER).unwrap().find(guid).unwrap().position();
    assert!(seen.distance_to(&truth.position()) < 2.0, "{seen:?} {:?}", truth.position());
}

/// A player with a sword holds it in its melee stance, in every view, and puts it away in another. A client that comes
/// later sees it in the hand at once.
#[test]
fn a_sword_is_in_the_hand_in_sword_combat_only() {
    let scene = |seconds: u32, input: &str| {
        let text = format!(
            r#"
            seconds = {seconds}
            network = {{ latency = 0.05, loss = 0.2 }}
            [[player]]
            name = "Asha"
            at = [96, 90]
            sword = true
            input = [{input}]
            [[observer]]
            name = "Watcher"
            at = [100, 90]
            [[observer]]
            name = "Latecomer"
            at = [100, 92]
            enters = 3.0
            "#
        );
        run(&Scenario::parse(&text).unwrap())
    };
    let latecomer = View::Client(ClientId(2));
    let (simulation, log) = scene(5, "{ at = 1, stance = 'melee' }, { at = 2, press = 'forward' }");
    let asha = asha(&simulation);
    for view in [View::Server, ACTOR, WATCHER, latecomer] {
        let world = simulation.world(view).unwrap();
        let holder = world.find(asha).unwrap();
        assert_eq!(holder.entity().animator.state().style(), MotionCommand::SWORD_COMBAT, "{view:?}");
        let [sword] = *holder.children() else { panic!("{view:?}: {:?}", holder.children()) };
        assert_eq!((simulation.name_of(sword), simulation.truth_view(sword)), (Some("Sword"), ACTOR));
        let held = world.find(sword).unwrap();
        let hand = holder.holding_frame(world.library(), held.held_by().unwrap().location);
        assert_eq!((held.position().frame, held.placement()), (hand, 1), "{view:?}");
        assert!(
            (hand.origin - holder.position().frame.origin).length() > 0.5,
            "in the hand, not at the feet"
        );
    }
    let sword = simulation.world(ACTOR).unwrap().find(asha).unwrap().children()[0];
    assert_eq!(log.sent_to(WATCHER, asha, "ParentEvent").len(), 1, "the message is that of the parent");
    assert_eq!(log.sent_to(latecomer, asha, "ParentEvent").len(), 0, "its description says so");

    let (simulation, log) = scene(5, "{ at = 1, stance = 'melee' }, { at = 3, stance = 'peace' }");
    for view in [View::Server, ACTOR, WATCHER, latecomer] {
        let world = simulation.world(view).unwrap();
        assert!(world.find(asha).unwrap().children().is_empty(), "{view:?}");
        assert!(world.find(sword).unwrap().parent().is_none());
    }
    assert_eq!(log.sent_to(WATCHER, sword, "PickupEvent").len(), 1);
}
