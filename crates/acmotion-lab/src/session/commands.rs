//! Carries out the page's commands.

use acmotion::dat::DataId;
use acmotion::types::Guid;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Session, Source};
use crate::protocol::{
    CameraAnswer, Command, CommandError, DecodedMessage, EventDetail, EventLog, Filter, HexId, JumpTarget,
    MessageList, Moments, Refusal, Request, ServerMessage, TransportMode,
};
use crate::record::{BodyKey, EventRecord, MessageHead, MessageRecord, Tick, View, read};

/// The name of the hook at which an attack hits.
const ATTACK_HOOK: &str = "Attack";
/// The maximum number of moments in one request.
const MAX_MOMENTS: usize = 8;
/// The maximum number of entries in a list.
const MAX_ENTRIES: usize = 2000;
/// The maximum number of ticks of a step, in either direction.
const MAX_STEP: i64 = 600;
/// The maximum length of a command's name that is repeated in an answer, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// The reason why a command was not carried out.
enum Failure {
    /// The command is not valid.
    Invalid(String),
    /// The command is valid, but cannot be carried out.
    Refused(String),
}

fn invalid<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Invalid(message.into()))
}

/// The part of a request that answers repeat, as far as it can be read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Envelope {
    request_id: Option<u32>,
    command: String,
}

fn parse(text: &str) -> (Envelope, Result<Command, Failure>) {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return (Envelope::default(), invalid(format!("the command is not JSON: {error}")));
    }
    let envelope = serde_json::from_str::<Envelope>(text).unwrap_or_default();
    let command = match serde_json::from_str::<Request>(text) {
        Ok(request) => Ok(request.command),
        Err(error) => invalid(format!("the command is not understood: {error}")),
    };
    (envelope, command)
}

impl Session {
    /// Carries out a command at the real time `now`, in seconds, and answers it.
    pub(crate) fn handle_command(&mut self, text: &str, now: f64) {
        self.transport.set_real_time(now);
        let (Envelope { request_id, command: name }, command) = parse(text);
        // A camera asks many times a second and changes nothing, so no state follows.
        if let Ok(Command::Camera { pivot, eye }) = command {
            return self.send_camera(request_id, pivot, eye);
        }
        self.request_id = request_id;
        let command_name = || name.chars().take(MAX_NAME_LENGTH).collect();
        match command.and_then(|command| self.execute(command)) {
            Ok(()) => {}
            Err(Failure::Invalid(error)) => {
                let error = CommandError { request_id, command: command_name(), error };
                self.queue.send(ServerMessage::Error(error));
            }
            Err(Failure::Refused(reason)) => {
                let refusal = Refusal { request_id, command: command_name(), reason };
                self.queue.send(ServerMessage::Refused(refusal));
            }
        }
        self.send_state();
    }

    fn send_camera(&self, request_id: Option<u32>, pivot: [f32; 3], eye: [f32; 3]) {
        let Source::Walk(walk) = &self.source else { return };
        let (distance, indoors) = walk.camera(pivot, eye);
        self.queue.send(ServerMessage::Camera(CameraAnswer { request_id, distance, indoors }));
    }

    fn execute(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Select { guid, view } => self.select_entity(guid, view.unwrap_or(0))?,
            Command::Pause { on } => self.set_paused(on),
            Command::Step { ticks } => self.step(ticks)?,
            Command::Speed { factor } => {
                self.transport.set_speed(within("factor", factor, 0.05, 8.0)?);
            }
            Command::Play { rate } => self.play(within("rate", rate, -8.0, 8.0)?),
            Command::Seek { t, tick } => self.seek(t, tick)?,
            Command::Live => self.go_to_end(),
            Command::Continue => self.continue_here()?,
            Command::Next { target, back, guid, view } => {
                self.jump_to_next(target, back, guid.map(HexId::guid), view)?;
            }
            Command::Filter(filter) => self.filter = filter,
            Command::Series { guid, view, from, to } => {
                let series = self.series(BodyKey { guid: guid.guid(), view }, from, to);
                self.queue.send(ServerMessage::Series(series));
            }
            Command::Reports { guid } => self.send_reports(guid.guid()),
            Command::Agreement => self.send_agreement(),
            Command::Moments { ticks } => self.send_moments(&ticks)?,
            Command::Events { from, to, limit } => self.send_event_log(from, to, limit),
            Command::Messages { from, to, limit } => self.send_message_list(from, to, limit),
            Command::Message { number } => self.send_message(number)?,
            other => self.control(&other)?,
        }
        Ok(())
    }

    /// Passes a command on to the walk.
    fn control(&mut self, command: &Command) -> Result<(), Failure> {
        let Source::Walk(walk) = &mut self.source else {
            return invalid("a recording cannot be controlled, only played");
        };
        walk.execute(command).map_err(Failure::Refused)?;
        if matches!(command, Command::Reset | Command::Crowd { .. }) {
            self.entities_version = 0;
            self.shown = None;
            self.is_discontinuous = true;
            self.go_live();
        }
        Ok(())
    }

    fn select_entity(&mut self, guid: Option<HexId>, view: View) -> Result<(), Failure> {
        let key = guid.map(|guid| BodyKey { guid: guid.guid(), view });
        if let Some(key) = key.filter(|key| !self.knows(*key)) {
            return invalid(format!("there is no entity {} in view {}", key.guid, key.view));
        }
        self.select(key);
        Ok(())
    }

    /// Returns `true` if an entity is in the recording or the one beside it.
    fn knows(&self, key: BodyKey) -> bool {
        match self.beside.as_ref().and_then(|beside| Some((beside, beside.key(key)?))) {
            Some((beside, key)) => beside.knows(key),
            None => read(&self.timeline).knows(key),
        }
    }

    fn set_paused(&mut self, on: bool) {
        match (on, self.transport.mode()) {
            (true, TransportMode::Live | TransportMode::Recorded) => self.pause_here(),
            (false, TransportMode::Paused) => {
                let is_at_end = read(&self.timeline).last().map(|tick| tick.number) == self.shown;
                if is_at_end && self.can_continue() {
                    self.go_live();
                } else {
                    self.play(self.transport.speed());
                }
            }
            _ => {}
        }
    }

    /// Pauses and sends the tick shown again, so that the page stops blending.
    fn pause_here(&mut self) {
        self.transport.pause();
        if let Some(tick) = self.shown_tick() {
            self.jump_to(&tick);
        }
    }

    /// Shows a tick that does not follow the one shown before.
    fn jump_to(&mut self, tick: &Tick) {
        self.is_discontinuous = self.shown != Some(tick.number);
        self.show(Some(tick));
    }

    fn step(&mut self, ticks: i64) -> Result<(), Failure> {
        if !(-MAX_STEP..=MAX_STEP).contains(&ticks) {
            return invalid(format!("ticks is {ticks}: −{MAX_STEP} to {MAX_STEP} is expected"));
        }
        self.transport.pause();
        let here = self.shown.unwrap_or(0);
        let found = read(&self.timeline).step(here, ticks).map(|(tick, past_end)| (tick.clone(), past_end));
        let Some((tick, past_end)) = found else { return Ok(()) };
        match &mut self.source {
            Source::Walk(walk) if past_end > 0 => {
                (0..past_end).for_each(|_| walk.advance());
                self.show_last();
                self.send_refusals();
            }
            // A single step forward is shown as movement, any other step as a jump.
            _ if ticks == 1 => self.show(Some(&tick)),
            _ => self.jump_to(&tick),
        }
        Ok(())
    }

    fn play(&mut self, rate: f64) {
        if rate == 0.0 {
            return self.pause_here();
        }
        let (t, is_at_end) = {
            let timeline = read(&self.timeline);
            let here = self.shown.and_then(|number| timeline.at_number(number)).or_else(|| timeline.first());
            let is_at_end = here.map(|tick| tick.number) == timeline.last().map(|tick| tick.number);
            (here.map_or(0.0, |tick| tick.t), is_at_end)
        };
        if rate > 0.0 && is_at_end && self.can_continue() {
            self.go_live();
        } else if rate > 0.0 && is_at_end {
            // Start again from the beginning.
            let first = read(&self.timeline).first().cloned();
            self.transport.play(first.as_ref().map_or(0.0, |tick| tick.t), rate);
            if let Some(first) = first {
                self.jump_to(&first);
            }
        } else {
            self.transport.play(t, rate);
            self.is_discontinuous |= rate < 0.0;
        }
    }

    fn seek(&mut self, t: Option<f64>, tick: Option<u32>) -> Result<(), Failure> {
        let found = match (t, tick) {
            (_, Some(number)) => read(&self.timeline).at_number(number).cloned(),
            (Some(t), None) => read(&self.timeline).at_time(t).cloned(),
            (None, None) => return invalid("`seek` needs `t` or `tick`"),
        };
        self.transport.pause();
        if let Some(tick) = found {
            self.jump_to(&tick);
        }
        Ok(())
    }

    /// Goes to the end and continues from there, if more ticks can follow.
    fn go_to_end(&mut self) {
        self.is_discontinuous = true;
        if self.can_continue() {
            self.go_live();
        } else {
            self.transport.pause();
            self.show_last();
        }
    }

    /// Lets a walk continue from the tick shown. The ticks after it are dropped.
    fn continue_here(&mut self) -> Result<(), Failure> {
        let Source::Walk(walk) = &mut self.source else {
            return invalid("a recording cannot be controlled, only played");
        };
        let last = read(&self.timeline).last().map(|tick| tick.number);
        if let Some(shown) = self.shown.filter(|shown| last != Some(*shown)) {
            walk.continue_from(shown).map_err(Failure::Refused)?;
            self.queue.drop_after(shown);
        }
        self.go_live();
        Ok(())
    }

    fn jump_to_next(
        &mut self,
        target: JumpTarget,
        back: bool,
        guid: Option<Guid>,
        view: Option<View>,
    ) -> Result<(), Failure> {
        let found = {
            let timeline = read(&self.timeline);
            let here = self.shown.unwrap_or(0);
            let matches_entity = |key: BodyKey| {
                guid.is_none_or(|guid| guid == key.guid) && view.is_none_or(|view| view == key.view)
            };
            let is_target = |tick: &&std::sync::Arc<Tick>| match target {
                JumpTarget::Message => timeline
                    .messages_of(tick)
                    .any(|(_, message)| guid.is_none_or(|guid| message.head().guid == Some(guid))),
                _ => tick.events.iter().any(|event| target.is(event) && matches_entity(event.key())),
            };
            let found = if back {
                timeline.before(here).find(is_target)
            } else {
                timeline.after(here).find(is_target)
            };
            found.cloned()
        };
        let Some(tick) = found else {
            let side = if back { "before" } else { "after" };
            return Err(Failure::Refused(format!("there is no {} {side} this tick", target.noun())));
        };
        self.transport.pause();
        self.jump_to(&tick);
        Ok(())
    }

    fn send_event_log(&self, from: f64, to: f64, limit: Option<usize>) {
        let limit = limit.unwrap_or(MAX_ENTRIES).min(MAX_ENTRIES);
        let timeline = read(&self.timeline);
        let events = timeline.between(from, to).flat_map(|tick| tick.events.iter());
        let mut events = events.filter(|event| self.filter.accepts_event(event));
        let list = events.by_ref().take(limit).cloned().collect();
        let log = EventLog { request_id: self.request_id, events: list, more: events.count() };
        self.queue.send(ServerMessage::EventLog(log));
    }

    fn send_message_list(&self, from: f64, to: f64, limit: Option<usize>) {
        let limit = limit.unwrap_or(MAX_ENTRIES).min(MAX_ENTRIES);
        let timeline = read(&self.timeline);
        let mut messages = timeline.messages.between(from, to).filter_map(|(number, message)| {
            let head = message.head();
            self.filter.accepts_message(&head).then(|| message.summary(number, &head))
        });
        let list = messages.by_ref().take(limit).collect();
        let list = MessageList { request_id: self.request_id, messages: list, dropped: messages.count() };
        self.queue.send(ServerMessage::Messages(list));
    }

    fn send_moments(&self, ticks: &[u32]) -> Result<(), Failure> {
        if ticks.len() > MAX_MOMENTS {
            return invalid(format!("{} ticks are too many: {MAX_MOMENTS} are allowed", ticks.len()));
        }
        let tick = |number: &u32| read(&self.timeline).at_number(*number).cloned();
        let moments = ticks.iter().filter_map(tick).filter_map(|tick| self.explain(&tick)).collect();
        self.queue.send(ServerMessage::Moments(Moments { request_id: self.request_id, moments }));
        Ok(())
    }

    fn send_message(&self, number: u64) -> Result<(), Failure> {
        let decoded = read(&self.timeline).messages.get(number).and_then(MessageRecord::decoded);
        let Some(content) = decoded else {
            return invalid(format!("message {number} is no longer kept"));
        };
        let name = content["name"].as_str().unwrap_or_default();
        let summary = match content["guid"].as_str() {
            Some(guid) => format!("{name} {guid}"),
            None => String::from(name),
        };
        let message = DecodedMessage { request_id: self.request_id, number, content, summary };
        self.queue.send(ServerMessage::Message(message));
        Ok(())
    }
}

impl JumpTarget {
    fn is(self, event: &EventRecord) -> bool {
        match self {
            Self::Snap => event.detail.name() == "snap",
            Self::Rejected => event.detail.name() == "rejected",
            Self::Teleport => event.detail.name() == "teleport",
            Self::Hook => event.detail.name() == "hook",
            Self::Attack => matches!(&event.detail, EventDetail::Hook { hook, .. } if hook == ATTACK_HOOK),
            Self::Message => false,
        }
    }
}

impl Filter {
    pub(super) fn accepts_event(&self, event: &EventRecord) -> bool {
        let names = self.events.as_ref();
        names.is_none_or(|names| names.iter().any(|name| name == event.detail.name()))
            && self.accepts_guid(Some(event.guid.guid()))
    }

    pub(super) fn accepts_message(&self, head: &MessageHead) -> bool {
        let matches_head = |opcode: &String| {
            opcode.eq_ignore_ascii_case(head.name)
                || opcode.parse::<DataId>().is_ok_and(|opcode| opcode.0 == head.opcode)
        };
        self.opcodes.as_ref().is_none_or(|opcodes| opcodes.iter().any(matches_head))
            && self.accepts_guid(head.guid)
    }

    fn accepts_guid(&self, guid: Option<Guid>) -> bool {
        self.guids.as_ref().is_none_or(|guids| guids.iter().any(|wanted| Some(wanted.guid()) == guid))
    }
}

fn within(name: &str, value: f64, min: f64, max: f64) -> Result<f64, Failure> {
    if (min..=max).contains(&value) {
        Ok(value)
    } else {
        invalid(format!("{name} is {value}: {min} to {max} is expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_commands_are_explained() {
        for (text, part) in [
            ("", "not JSON"),
            ("[1", "not JSON"),
            ("[]", "not understood"),
            (r#"{"command": "fly"}"#, "fly"),
            (r#"{"command": "key", "key": 5, "down": true}"#, "not understood"),
        ] {
            let (_, Err(Failure::Invalid(error))) = parse(text) else { panic!("{text} is accepted") };
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn an_invalid_command_keeps_its_request_id_and_name() {
        let (envelope, command) = parse(r#"{"command": "fly", "request_id": 4}"#);
        assert!(command.is_err());
        assert_eq!((envelope.request_id, envelope.command.as_str()), (Some(4), "fly"));
    }
}
