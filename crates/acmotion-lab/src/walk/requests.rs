//! The requests of the player, and how each proceeds and ends, in words.

use std::collections::VecDeque;

use acmotion::components::MoveKind;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::CombatMode;
use acmotion::{Event, EventKind, MotionEvent, MoveToEvent, RequestError, RequestKind, RequestProgress};

use crate::protocol::{RequestOutcome, RequestState, RequestStep, Spell};

/// The maximum number of requests that are kept.
const MAX_REQUESTS: usize = 6;
/// The maximum number of steps of a request that are kept: the newest.
const MAX_STEPS: usize = 8;

/// The last requests of the player.
#[derive(Clone, Default)]
pub(super) struct RequestLog {
    list: VecDeque<Entry>,
    /// The number of changes so far.
    version: u64,
}

#[derive(Clone)]
struct Entry {
    kind: RequestKind,
    /// When it was made, in seconds.
    start: f64,
    state: RequestState,
}

impl RequestLog {
    /// Returns `true` if an event is a step of a request, or may be one.
    pub(super) fn wants(event: &Event) -> bool {
        matches!(
            event.kind,
            EventKind::Request(_) | EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Started(_)))
        )
    }

    /// Returns the number of changes so far.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Returns the requests, oldest first.
    pub(super) fn states(&self) -> Vec<RequestState> {
        self.list.iter().map(|entry| entry.state.clone()).collect()
    }

    /// Adds an event of the player. `name_of` returns the name of an entity.
    pub(super) fn on_event(&mut self, event: &Event, name_of: impl Fn(Guid) -> String) {
        match event.kind {
            EventKind::Request(step) => {
                let known = self.list.iter().position(|entry| entry.state.id == step.id.0);
                let index = known.unwrap_or_else(|| {
                    self.add(step.id.0, step.kind, title(step.kind, name_of), event.time);
                    self.list.len() - 1
                });
                let text = self.text(index, step.progress, event.time);
                self.add_step(index, text, outcome(step.progress), event.time);
            }
            EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Started(kind))) => {
                // The server moves the player for the oldest request that waits for an answer.
                let waiting = self.list.iter().position(|entry| entry.waits_for_server());
                if let Some(index) = waiting {
                    let text = self.list[index].movement(kind);
                    self.add_step(index, text.into(), RequestOutcome::UnderWay, event.time);
                }
            }
            _ => {}
        }
    }

    /// Adds a request that the player's client refuses before it is made, as the original's windows do.
    pub(super) fn refuse(&mut self, spell: Spell, error: &str, now: f64) {
        let kind = RequestKind::Cast { spell: spell.id(), target: None };
        self.add(0, kind, title(kind, |_| String::new()), now);
        let index = self.list.len() - 1;
        self.add_step(index, format!("refused: {error}"), RequestOutcome::Refused, now);
    }

    fn add(&mut self, id: u32, kind: RequestKind, title: String, start: f64) {
        if self.list.len() >= MAX_REQUESTS {
            self.list.pop_front();
        }
        let state = RequestState { id, title, steps: Vec::new(), outcome: RequestOutcome::UnderWay };
        self.list.push_back(Entry { kind, start, state });
    }

    fn add_step(&mut self, index: usize, text: String, outcome: RequestOutcome, now: f64) {
        let Some(entry) = self.list.get_mut(index) else { return };
        let t = (now - entry.start).max(0.0);
        entry.state.outcome = outcome;
        if entry.state.steps.last().is_some_and(|last| last.text == text) {
            return;
        }
        if entry.state.steps.len() >= MAX_STEPS {
            entry.state.steps.remove(0);
        }
        entry.state.steps.push(RequestStep { t, text });
        self.version += 1;
    }

    /// Returns the words for a step of the request at an index.
    fn text(&self, index: usize, progress: RequestProgress, now: f64) -> String {
        let Some(entry) = self.list.get(index) else { return progress.to_string() };
        let has_target = !matches!(entry.kind, RequestKind::Attack(target) if target.is_none());
        match progress {
            RequestProgress::Started if entry.waits_for_server() => String::from("asks the server"),
            RequestProgress::Started => String::from("begins"),
            RequestProgress::Acting(motion) => motion.name().map_or_else(|| motion.to_string(), String::from),
            RequestProgress::AttackFrame => {
                let verb = if entry.is_shot() { "shot" } else { "hit" };
                format!("{verb} at {:.2} s", (now - entry.start).max(0.0))
            }
            RequestProgress::SwingDone if entry.is_shot() => String::from("shot done"),
            RequestProgress::Repeated if entry.is_shot() => String::from("next shot"),
            RequestProgress::Refused(RequestError::InvalidTarget) if !has_target => {
                String::from("refused: there is no target")
            }
            other => other.to_string(),
        }
    }
}

impl Entry {
    /// Returns `true` if the server decides the request, and it is not over.
    fn waits_for_server(&self) -> bool {
        let is_own = matches!(
            self.kind,
            RequestKind::WalkTo
                | RequestKind::TurnTo
                | RequestKind::Follow(_)
                | RequestKind::Jump
                | RequestKind::Emote(_)
        );
        !is_own && self.state.outcome == RequestOutcome::UnderWay
    }

    /// Returns `true` if the attack is a shot.
    fn is_shot(&self) -> bool {
        let reload = MotionCommand::RELOAD.name();
        self.state.steps.iter().any(|step| Some(step.text.as_str()) == reload)
    }

    /// Returns the words for a movement that the server orders for the request.
    fn movement(&self, kind: MoveKind) -> &'static str {
        match kind {
            MoveKind::TurnToObject | MoveKind::TurnToHeading => "turns to it",
            _ if matches!(self.kind, RequestKind::Attack(_)) => "charges",
            _ => "goes there",
        }
    }
}

fn outcome(progress: RequestProgress) -> RequestOutcome {
    match progress {
        RequestProgress::Done => RequestOutcome::Done,
        RequestProgress::Refused(_) => RequestOutcome::Refused,
        RequestProgress::Cancelled(_) => RequestOutcome::Cancelled,
        _ => RequestOutcome::UnderWay,
    }
}

/// Returns what a request asks for, in words.
fn title(kind: RequestKind, name_of: impl Fn(Guid) -> String) -> String {
    match kind {
        RequestKind::WalkTo => String::from("Go to a point"),
        RequestKind::TurnTo => String::from("Turn"),
        RequestKind::Follow(target) => format!("Follow {}", name_of(target)),
        RequestKind::Jump => String::from("Jump"),
        RequestKind::Emote(action) => action.name().unwrap_or("Emote").into(),
        RequestKind::Stance(mode) => format!("Stance: {}", mode_name(mode)),
        RequestKind::Attack(target) if target.is_none() => String::from("Attack"),
        RequestKind::Attack(target) => format!("Attack {}", name_of(target)),
        RequestKind::Cast { spell, target: None } => format!("Cast {}", Spell::name(spell)),
        RequestKind::Cast { spell, target: Some(target) } => {
            format!("Cast {} at {}", Spell::name(spell), name_of(target))
        }
        RequestKind::Use(object) => format!("Use {}", name_of(object)),
        RequestKind::PickUp(item) => format!("Pick up {}", name_of(item)),
        RequestKind::Drop(item) => format!("Drop {}", name_of(item)),
        RequestKind::Wield(item) => format!("Wield {}", name_of(item)),
        other => other.to_string(),
    }
}

fn mode_name(mode: CombatMode) -> &'static str {
    match mode {
        CombatMode::MELEE => "melee",
        CombatMode::MISSILE => "missile",
        CombatMode::MAGIC => "magic",
        _ => "peace",
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_REQUESTS, MAX_STEPS, RequestLog, RequestOutcome, Spell};

    #[test]
    fn the_requests_that_are_kept_and_their_steps_are_limited() {
        let mut log = RequestLog::default();
        for number in 0..20 {
            log.refuse(Spell::Bolt, "there is no target", f64::from(number));
        }
        assert_eq!(log.states().len(), MAX_REQUESTS);
        for number in 0..20 {
            log.add_step(0, format!("step {number}"), RequestOutcome::UnderWay, f64::from(number));
        }
        let steps = &log.states()[0].steps;
        assert_eq!(steps.len(), MAX_STEPS);
        assert_eq!(steps.last().map(|step| step.text.as_str()), Some("step 19"));
    }
}
