//! Attacks, spells and uses of players, from the request to its end.

use crate::support::{Log, run, shipped};
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{MovementBody, S2C};
use acmotion::{CancelReason, Event, EventKind, RequestEvent, RequestKind, RequestProgress};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{ClientId, View};

const FIGHTER: View = View::Client(ClientId(0));

/// The steps of the player's requests of a kind, in order.
fn steps(log: &Log, is_wanted: impl Fn(RequestKind) -> bool) -> Vec<(u32, RequestProgress)> {
    let step = |(view, event): &(View, Event)| match event.kind {
        EventKind::Request(RequestEvent { id, kind, progress }) => {
            (*view == FIGHTER && is_wanted(kind)).then_some((id.0, progress))
        }
        _ => None,
    };
    log.events.iter().filter_map(step).collect()
}

fn is_last(progress: &RequestProgress) -> bool {
    use RequestProgress::{Cancelled, Done, Refused};
    matches!(progress, Done | Refused(_) | Cancelled(_))
}

/// The names of the messages that the server sends the fighter about its own player, without positions.
fn received(log: &Log, guid: Guid) -> Vec<String> {
    let name = |message: &&crate::support::SentMessage| match message.decode() {
        S2C::UpdateMotion(motion) if motion.guid == guid => Some(match &motion.data.movement.body {
            _ if motion.data.autonomous.get() => return None,
            MovementBody::Interpreted { state, sticky } if state.actions.iter().next().is_some() => {
                format!("action, sticky {}", sticky.is_some())
            }
            MovementBody::Interpreted { .. } => String::from("state"),
            MovementBody::MoveToObject { .. } => String::from("charge"),
            _ => String::from("turn"),
        }),
        S2C::GameEvent(_) => Some(String::from(message.name())),
        _ => None,
    };
    log.sent.iter().filter(|message| message.to == FIGHTER).filter_map(|message| name(&message)).collect()
}

fn melee() -> Scenario {
    shipped().into_iter().find(|(name, _)| name == "melee_exchange").unwrap().1
}

/// The order of the recording: charge, swing, done, next swing.
#[test]
fn a_melee_exchange_goes_as_recorded() {
    let (simulation, log) = run(&melee());
    let guid = simulation.guid_of("Fighter").unwrap();
    let received = received(&log, guid);
    let swing = "action, sticky true";
    let start = received.iter().position(|name| name == "charge").unwrap();
    let expected = [swing, "AttackDone", "CombatCommenceAttack", swing, "AttackDone"];
    assert_eq!(received[start + 1..][..5], expected, "{received:?}");
    assert_eq!(received[start - 1], "state", "the stance comes first");
    assert_eq!(received.last().map(String::as_str), Some("UseDone"));

    let attacks = steps(&log, |kind| matches!(kind, RequestKind::Attack(_)));
    let frames = attacks.iter().filter(|(_, step)| *step == RequestProgress::AttackFrame).count();
    let swings = attacks.iter().filter(|(_, step)| matches!(step, RequestProgress::Acting(_))).count();
    assert!(swings >= 5 && frames >= swings, "{swings} swings with {frames} attack frames: {attacks:?}");
    let high = RequestProgress::Acting(MotionCommand::ATTACK_HIGH_1);
    assert!(attacks.iter().any(|(_, step)| *step == high), "the second request changes the height");
    let ends: Vec<_> = attacks.iter().filter(|(_, step)| is_last(step)).collect();
    let [(2, first), (3, second)] = ends[..] else { panic!("{ends:?}") };
    assert_eq!(*first, RequestProgress::Cancelled(CancelReason::Request), "replaced by the second");
    assert_eq!(*second, RequestProgress::Cancelled(CancelReason::Keys));
}

/// A wind-up as an action, a gesture as a forward command, and the end.
#[test]
fn a_spell_is_cast() {
    let text = r#"
        seconds = 8
        [[player]]
        name = "Mage"
        at = [96, 90]
        input = [{ at = 1, stance = "magic" }, { at = 1.1, cast = 27, target = "Drudge" }]
        [[creature]]
        name = "Drudge"
        at = [100, 92]
    "#;
    let (_, log) = run(&Scenario::parse(text).unwrap());
    let casts = steps(&log, |kind| matches!(kind, RequestKind::Cast { .. }));
    let expected = [
        RequestProgress::Queued,
        RequestProgress::Started,
        RequestProgress::Acting(MotionCommand::MAGIC_POWER_UP_01),
        RequestProgress::Acting(MotionCommand::MAGIC_BLAST),
        RequestProgress::Done,
    ];
    let steps: Vec<_> = casts.into_iter().map(|(_, step)| step).collect();
    assert_eq!(steps, expected);
}

/// Runs a fight: a player with an input, and a drudge at a distance to the east with orders.
fn fight(player: &str, east: u32, orders: &str) -> (acmotion_sim::Simulation, Log) {
    let drudge = 92 + east;
    let text = format!(
        r#"
        seconds = 10
        [[player]]
        name = "Fighter"
        at = [92, 90]
        heading = 90
        {player}
        [[observer]]
        name = "Watcher"
        at = [96, 84]
        [[creature]]
        name = "Drudge"
        at = [{drudge}, 90]
        order = [{orders}]
        "#
    );
    run(&Scenario::parse(&text).unwrap())
}

fn attacks(log: &Log) -> Vec<RequestProgress> {
    let attacks = steps(log, |kind| matches!(kind, RequestKind::Attack(_)));
    attacks.into_iter().map(|(_, step)| step).collect()
}

/// A key during the charge cancels the attack: the server ends it, and no swing follows when the two come close later.
#[test]
fn a_cancelled_charge_does_not_swing_on_arrival() {
    let input = r#"input = [
        { at = 1, stance = "melee" },
        { at = 1.1, attack = "Drudge" },
        { at = 2.1, press = "forward" },
        { at = 8, release = "forward" },
    ]"#;
    let (simulation, log) = fight(input, 12, "");
    let guid = simulation.guid_of("Fighter").unwrap();
    let steps = attacks(&log);
    assert_eq!(steps.last(), Some(&RequestProgress::Cancelled(CancelReason::Keys)), "{steps:?}");
    assert!(!steps.iter().any(|step| matches!(step, RequestProgress::Acting(_))), "{steps:?}");
    let names = received(&log, guid);
    assert_eq!(names.iter().filter(|name| *name == "charge").count(), 1, "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("action")), "{names:?}");
    assert_eq!(names.last().map(String::as_str), Some("AttackDone"));
    let fighter = simulation.truth(guid).unwrap().position();
    assert!(fighter.frame.origin.x > 106.0, "the key took the fighter past the drudge: {fighter:?}");
}

/// The target dies between two swings: the server does not repeat the attack, but ends it as recorded.
#[test]
fn a_dead_target_is_not_struck_again() {
    let input = r#"input = [{ at = 1, stance = "melee" }, { at = 1.1, attack = "Drudge", power = 1.0 }]"#;
    let (simulation, log) = fight(input, 2, "");
    let done = log.sent.iter().find(|message| message.to == FIGHTER && message.name() == "AttackDone");
    let dies = done.unwrap().time + 0.3;
    assert!(attacks(&log).contains(&RequestProgress::Repeated), "a living one is struck again");
    let (_, log) = fight(input, 2, &format!("{{ at = {dies}, die = true }}"));
    let swings = attacks(&log);
    let is_swing = |step: &&RequestProgress| matches!(step, RequestProgress::Acting(_));
    assert_eq!(swings.iter().filter(is_swing).count(), 1, "{swings:?}");
    let no_object = RequestProgress::Cancelled(CancelReason::ServerError(0x38));
    assert_eq!(swings.last(), Some(&no_object), "{swings:?}");
    let names = received(&log, simulation.guid_of("Fighter").unwrap());
    assert!(!names.iter().any(|name| name == "CombatCommenceAttack"), "{names:?}");
    // Nor is the attack begun on a dead target.
    let (_, log) = fight(input, 2, "{ at = 0.5, die = true }");
    assert_eq!(attacks(&log).last(), Some(&no_object));
    assert!(!attacks(&log).iter().any(|step| matches!(step, RequestProgress::Acting(_))));
}

/// A sword is thrust with little power and swung with more.
#[test]
fn the_power_decides_how_a_sword_is_used() {
    use MotionCommand as Motion;
    for (power, height, expected) in [
        (0.1, "low", Motion::THRUST_LOW),
        (0.3, "high", Motion::THRUST_HIGH),
        (0.4, "medium", Motion::SLASH_MED),
        (1.0, "high", Motion::SLASH_HIGH),
    ] {
        let input = format!(
            "sword = true\ninput = [{{ at = 1, stance = 'melee' }}, {{ at = 1.1, attack = 'Drudge', power = {power}, height \
             = '{height}' }}]"
        );
        let (_, log) = fight(&input, 2, "");
        let steps = attacks(&log);
        assert!(steps.contains(&RequestProgress::Acting(expected)), "{expected}: {steps:?}");
        assert!(steps.contains(&RequestProgress::AttackFrame), "{steps:?}");
    }
}

/// With a bow the player does not charge: it turns, draws, and shoots an arrow that every client sees flying until it has
/// hit, again and again.
#[test]
fn a_shot_sends_an_arrow_to_the_target() {
    let watcher = View::Client(ClientId(1));
    let input = r#"bow = true
        input = [{ at = 1, stance = "missile" }, { at = 1.1, attack = "Drudge", power = 0.5 }]"#;
    let (simulation, log) = fight(input, 14, "");
    let steps = attacks(&log);
    let expected = [
        RequestProgress::Acting(MotionCommand::AIM_LEVEL),
        RequestProgress::Acting(MotionCommand::RELOAD),
        RequestProgress::AttackFrame,
        RequestProgress::SwingDone,
        RequestProgress::Repeated,
    ];
    let start = steps.iter().position(|step| *step == expected[0]).unwrap();
    assert_eq!(steps[start..][..5], expected, "{steps:?}");
    let names = received(&log, simulation.guid_of("Fighter").unwrap());
    assert!(
        !names.iter().any(|name| name == "charge") && names.iter().any(|name| name == "turn"),
        "{names:?}"
    );
    let arrow = Guid(0x7000_0001);
    for view in [FIGHTER, watcher] {
        assert_eq!(log.sent_to(view, arrow, "CreateObject").len(), 1, "{view:?}");
        assert_eq!(log.sent_to(view, arrow, "DeleteObject").len(), 1, "it has hit the target: {view:?}");
        let created = log.sent_to(view, arrow, "CreateObject")[0].time;
        let deleted = log.sent_to(view, arrow, "DeleteObject")[0].time;
        assert!((0.4..0.9).contains(&(deleted - created)), "14 m at 24 m/s: {}", deleted - created);
    }
}

/// The bow is in the left hand in its stance only.
#[test]
fn the_bow_is_in_the_hand_in_bow_combat_only() {
    let input = r#"bow = true
        sword = true
        input = [{ at = 1, stance = "missile" }, { at = 6, stance = "melee" }]"#;
    let (simulation, log) = fight(input, 20, "");
    let guid = simulation.guid_of("Fighter").unwrap();
    let held: Vec<_> =
        log.sent_to(FIGHTER, guid, "ParentEvent").iter().map(|message| message.decode()).collect();
    let [S2C::ParentEvent(bow), S2C::ParentEvent(sword)] = &held[..] else { panic!("{held:?}") };
    assert_eq!((simulation.name_of(bow.child), bow.location, bow.placement), (Some("Bow"), 2, 3));
    assert_eq!((simulation.name_of(sword.child), sword.location), (Some("Sword"), 1));
    assert_eq!(simulation.truth(guid).unwrap().children(), [sword.child]);
}

/// A spell at a target sends a bolt, which flies straight; one without a target sends none.
#[test]
fn a_bolt_leaves_with_the_gesture_of_a_spell() {
    let bolt = Guid(0x7000_0001);
    let input =
        |target: &str| format!("input = [{{ at = 1, stance = 'magic' }}, {{ at = 1.1, cast = 27{target} }}]");
    let (_, log) = fight(&input(", target = 'Drudge'"), 14, "");
    let [created] = log.sent_to(FIGHTER, bolt, "CreateObject")[..] else { panic!("no bolt") };
    let [deleted] = log.sent_to(FIGHTER, bolt, "DeleteObject")[..] else { panic!("it flies on") };
    assert!((0.7..1.3).contains(&(deleted.time - created.time)), "14 m at 14.5 m/s");
    let casts = steps(&log, |kind| matches!(kind, RequestKind::Cast { .. }));
    assert_eq!(casts.last().map(|(_, step)| *step), Some(RequestProgress::Done));
    let (_, log) = fight(&input(""), 14, "");
    assert!(log.sent_to(FIGHTER, bolt, "CreateObject").is_empty());
    let casts = steps(&log, |kind| matches!(kind, RequestKind::Cast { .. }));
    let gesture = RequestProgress::Acting(MotionCommand::MAGIC_SELF_HEART);
    assert!(casts.iter().any(|(_, step)| *step == gesture), "{casts:?}");
}

#[test]
fn requests_for_unknown_entities_are_errors_of_the_file() {
    let input = |input: &str| {
        let text =
            format!("seconds = 8\n[[player]]\nname = 'A'\nat = [96, 90]\ninput = [{{ at = 1, {input} }}]");
        Scenario::parse(&text).map(drop).unwrap_err().to_string()
    };
    for wrong in ["attack = 'B'", "use = 'B'", "cast = 1, target = 'B'"] {
        assert!(input(wrong).contains("is called `B`"), "{}", input(wrong));
    }
    assert!(input("attack = 'A', height = 'up'").contains("expected high, medium or low"));
    assert!(input("attack = 'A', power = 2").contains("power: expected 0 to 1"));
    assert!(input("power = 0.5").contains("attack"));
    assert!(input("use = 'A', target = 'A'").contains("cast"));
}
