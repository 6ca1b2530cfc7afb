//! Attacks, spells and uses of players, from the request to its end.

mod support;

use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{MovementBody, S2C};
use acmotion::{CancelReason, Event, EventKind, RequestEvent, RequestKind, RequestProgress};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{ClientId, View};
use support::{Log, run, shipped};

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
    let name = |message: &&support::SentMessage| match message.decode() {
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
