//! A session: one page with its clock, the tick that it shows, and the entity that it has selected.
//!
//! A session reads no clock and never blocks: [`Session::start`], [`Session::handle_command`] and [`Session::advance`] take
//! the time as an argument, [`Session::next_advance`] returns when to call it again, and everything to be sent waits in its
//! [`SendQueue`].

mod beside;
mod commands;
mod figures;
mod open;
mod send_queue;
mod transport;

use std::sync::Arc;

use serde_json::value::RawValue;

use beside::Beside;
pub(crate) use send_queue::{Outgoing, SendQueue};
use transport::Transport;

use crate::protocol::{
    ExplanationUpdate, Filter, Hello, Refusal, ServerMessage, SessionMode, SessionState, TickFlags,
    TransportMode,
};
use crate::record::{BodyKey, Presentation, SharedTimeline, Tick, read};
use crate::replay::{ExplanationRun, FileNumbers, Recording};
use crate::walk::{Answers, Walk};

/// How many seconds of a walk are kept.
pub(crate) const HISTORY_SECONDS: f64 = 120.0;

/// What a session shows.
enum Source {
    Walk(Box<Walk>),
    Replay(Arc<Recording>),
}

/// A page at work.
pub(crate) struct Session {
    source: Source,
    timeline: SharedTimeline,
    transport: Transport,
    queue: SendQueue,
    /// The recording that is shown beside the source.
    beside: Option<Beside>,
    selected: Option<BodyKey>,
    /// Explanations of the selected entity that are worked out in the background.
    explanations: Option<ExplanationRun>,
    filter: Filter,
    /// The version of the entity list that the page has.
    entities_version: u64,
    /// The tick that was shown last.
    shown: Option<u32>,
    /// What the state that was sent last said of the server's answers to the player of Walk.
    sent_answers: Option<Answers>,
    /// Whether the next tick shown does not follow the one before.
    is_discontinuous: bool,
    /// The id of the last command.
    request_id: Option<u32>,
}

/// The maximum number of ticks that are simulated at once. A session that is further behind skips the time.
const MAX_TICKS_AT_ONCE: u32 = 8;
/// How often a timeline that another thread writes is polled, in seconds.
const POLL_INTERVAL: f64 = 0.015;

impl Session {
    /// Creates a session that walks.
    pub(crate) fn walk(walk: Walk, queue: SendQueue) -> Self {
        let timeline = walk.timeline();
        Self::new(Source::Walk(Box::new(walk)), timeline, Transport::live(), queue)
    }

    /// Creates a session at the start of a recording, or at its end if it is still being read, with another recording
    /// beside it.
    pub(crate) fn replay(recording: Arc<Recording>, beside: Option<Beside>, queue: SendQueue) -> Self {
        let timeline = recording.timeline();
        let transport = if read(&timeline).has_ended { Transport::paused() } else { Transport::live() };
        Self { beside, ..Self::new(Source::Replay(recording), timeline, transport, queue) }
    }

    fn new(source: Source, timeline: SharedTimeline, transport: Transport, queue: SendQueue) -> Self {
        Self {
            source,
            timeline,
            transport,
            queue,
            beside: None,
            selected: None,
            explanations: None,
            filter: Filter::default(),
            entities_version: 0,
            shown: None,
            sent_answers: None,
            is_discontinuous: true,
            request_id: None,
        }
    }

    /// Sends what the page is shown first. `now` is the real time, in seconds since any fixed moment.
    pub(crate) fn start(&mut self, now: f64) {
        self.transport.set_real_time(now);
        self.queue.send(ServerMessage::Hello(self.hello()));
        let first = match self.transport.mode() {
            TransportMode::Live => read(&self.timeline).last().cloned(),
            _ => read(&self.timeline).first().cloned(),
        };
        self.show(first.as_deref());
        self.send_state();
        self.transport.anchor(self.end_time());
    }

    /// Returns the real time at which [`Self::advance`] is due, or `None` if nothing happens without a command.
    pub(crate) fn next_advance(&self) -> Option<f64> {
        let soon = self.transport.real_time() + POLL_INTERVAL;
        match (self.transport.mode(), &self.source) {
            (TransportMode::Live, Source::Walk(walk)) => Some(self.transport.when(walk.next_tick())),
            (TransportMode::Live, Source::Replay(_)) | (TransportMode::Recorded, _) => Some(soon),
            (TransportMode::Paused, _) => match &self.explanations {
                Some(run) if run.is_own_work() => Some(self.transport.real_time()),
                Some(run) if run.is_awaited() => Some(soon),
                _ => None,
            },
        }
    }

    /// Shows what is due at the real time `now`, in seconds. A walk is simulated up to there.
    pub(crate) fn advance(&mut self, now: f64) {
        self.transport.set_real_time(now);
        match self.transport.mode() {
            TransportMode::Live => match &mut self.source {
                Source::Walk(walk) => {
                    let mut ticks = 0;
                    while ticks < MAX_TICKS_AT_ONCE && self.transport.is_due(walk.next_tick()) {
                        walk.advance();
                        ticks += 1;
                    }
                    if ticks == MAX_TICKS_AT_ONCE {
                        self.transport.anchor(walk.next_tick());
                    }
                    self.show_last();
                    self.send_refusals();
                }
                Source::Replay(_) => self.show_last(),
            },
            TransportMode::Recorded => self.play_on(),
            TransportMode::Paused => {}
        }
        self.send_finished_explanation();
    }

    /// Sends what the player was asked to do but refused.
    fn send_refusals(&mut self) {
        let Source::Walk(walk) = &mut self.source else { return };
        for (command, reason) in walk.take_refusals() {
            let refusal = Refusal { request_id: None, command: command.into(), reason };
            self.queue.send(ServerMessage::Refused(refusal));
        }
    }

    /// Shows the recorded tick that is due. At the end, a walk goes live and anything else pauses.
    fn play_on(&mut self) {
        let t = self.transport.now();
        let (found, reached_end) = {
            let timeline = read(&self.timeline);
            let (first, last) = timeline.span();
            let is_backward = self.transport.rate() < 0.0;
            (timeline.at_time(t).cloned(), if is_backward { t <= first } else { t >= last })
        };
        self.show_if_new(found.as_deref());
        if !reached_end {
            return;
        }
        if self.transport.rate() > 0.0 && self.can_continue() {
            self.go_live();
        } else {
            self.transport.pause();
        }
        self.send_state();
    }

    /// Returns `true` if more ticks can follow the last one.
    fn can_continue(&self) -> bool {
        matches!(self.source, Source::Walk(_)) || !read(&self.timeline).has_ended
    }

    fn go_live(&mut self) {
        let end = self.end_time();
        self.transport.go_live(end);
        self.show_last();
    }

    fn end_time(&self) -> f64 {
        match &self.source {
            Source::Walk(walk) => walk.next_tick(),
            Source::Replay(_) => read(&self.timeline).span().1,
        }
    }

    fn show_last(&mut self) {
        let last = read(&self.timeline).last().cloned();
        self.show_if_new(last.as_deref());
    }

    fn show_if_new(&mut self, tick: Option<&Tick>) {
        if tick.map(|tick| tick.number) != self.shown {
            self.show(tick);
        }
    }

    /// Sends a tick, with the events and messages since the tick shown before.
    fn show(&mut self, tick: Option<&Tick>) {
        let Some(tick) = tick else { return };
        self.send_entities();
        self.send_events_and_messages(tick);
        let (is_newest, interval) = {
            let timeline = read(&self.timeline);
            let is_newest = timeline.last().is_some_and(|last| last.number == tick.number);
            (is_newest, timeline.keeps_every() as f32 / 30.0)
        };
        let is_paused = self.transport.mode() == TransportMode::Paused;
        let rate = self.transport.rate().abs().max(0.01) as f32;
        let mut flags = TickFlags::empty();
        flags.set(TickFlags::NEWEST, is_newest);
        flags.set(TickFlags::PAUSED, is_paused);
        flags.set(TickFlags::DISCONTINUOUS, std::mem::take(&mut self.is_discontinuous));
        let next_in = if is_paused { 0.0 } else { interval / rate };
        let beside = self.beside.as_ref().map_or_else(Vec::new, |beside| beside.bodies(tick));
        self.queue.send_tick(tick.frame(Presentation { flags, next_in }, &beside));
        self.shown = Some(tick.number);
        self.send_explanation(tick);
        // The charges of jumps and attacks are part of the state, and so is what changes when the server answers.
        let is_attacking = match &mut self.source {
            Source::Walk(walk) => walk.is_charging_attack(),
            Source::Replay(_) => false,
        };
        if tick.charge >= 0.0 || is_attacking || self.answers() != self.sent_answers {
            self.send_state();
        }
    }

    fn send_entities(&mut self) {
        let timeline = read(&self.timeline);
        let version = timeline.entities.version();
        if version != self.entities_version {
            self.queue.send(ServerMessage::Entities(timeline.entities.since(self.entities_version)));
            self.entities_version = version;
        }
        let beside = self.beside.as_mut().and_then(Beside::new_entities);
        if let Some(update) = beside {
            self.queue.send(ServerMessage::Entities(update));
        }
    }

    /// Sends the events and messages since the tick shown before; after a jump or a step back, only those of `tick`.
    fn send_events_and_messages(&self, tick: &Tick) {
        let timeline = read(&self.timeline);
        let before = self.shown.filter(|shown| !self.is_discontinuous && *shown < tick.number);
        let start = before.unwrap_or_else(|| tick.number.saturating_sub(1));
        for one in timeline.after(start).take_while(|one| one.number <= tick.number) {
            let events = one.events.iter().filter(|event| self.filter.accepts_event(event));
            self.queue.send_events(one.t, one.number, events.cloned());
            let messages = timeline.messages_of(one).filter_map(|(number, message)| {
                let head = message.head();
                self.filter.accepts_message(&head).then(|| message.summary(number, &head))
            });
            self.queue.send_messages(messages);
        }
    }

    /// Sends the explanation of the selected entity.
    fn send_explanation(&self, tick: &Tick) {
        if let Some(update) = self.explain(tick) {
            self.queue.send_explanation(update);
        }
    }

    /// Explains the selected entity at a tick.
    fn explain(&self, tick: &Tick) -> Option<ExplanationUpdate> {
        let selected = self.selected?;
        let beside = self.beside.as_ref().and_then(|beside| Some((beside, beside.key(selected)?)));
        let (shown, key) = match beside {
            Some((beside, key)) => (beside.tick(tick), key),
            None => (None, selected),
        };
        let source = if beside.is_some() { shown.as_deref() } else { Some(tick) };
        let worked_out = source.and_then(|tick| self.explanations.as_ref()?.at(tick.number));
        let text = source.and_then(|tick| tick.explanation(key)).map(String::from).or(worked_out);
        let explanation = text.and_then(|text| RawValue::from_string(text).ok());
        let missing = match (&explanation, &self.explanations, source.and_then(|tick| tick.body(key))) {
            (Some(_), ..) => None,
            (None, _, None) => Some("It does not exist at this time."),
            (None, Some(run), _) if !run.is_ready() => {
                Some("The recording is being run again to explain this entity.")
            }
            _ => Some("No explanation was kept for this tick."),
        };
        Some(ExplanationUpdate {
            t: tick.t,
            tick: tick.number,
            guid: selected.guid.into(),
            view: selected.view,
            explanation,
            missing,
        })
    }

    /// Sends the explanation of the tick shown once the background run has finished.
    fn send_finished_explanation(&mut self) {
        if self.explanations.as_mut().is_some_and(ExplanationRun::take_finished) {
            self.send_explanation_of_shown();
        }
    }

    fn send_explanation_of_shown(&self) {
        if let Some(tick) = self.shown_tick() {
            self.send_explanation(&tick);
        }
    }

    fn shown_tick(&self) -> Option<Arc<Tick>> {
        self.shown.and_then(|number| read(&self.timeline).at_number(number).cloned())
    }

    fn select(&mut self, key: Option<BodyKey>) {
        self.selected = key;
        self.explanations = None;
        match &mut self.source {
            Source::Walk(walk) => walk.select(key),
            Source::Replay(recording) => {
                let beside = self.beside.as_ref();
                self.explanations =
                    key.and_then(|key| match beside.and_then(|beside| Some((beside, beside.key(key)?))) {
                        Some((beside, key)) => beside.recording().explain(key),
                        None => recording.explain(key),
                    });
            }
        }
        self.send_explanation_of_shown();
    }

    fn hello(&self) -> Hello {
        let timeline = read(&self.timeline);
        let (mode, player, name, mut views, files) = match &self.source {
            Source::Walk(walk) => {
                (SessionMode::Walk, Some(walk.player()), None, Walk::views(), FileNumbers::default())
            }
            Source::Replay(recording) => {
                let name = Some(String::from(recording.name()));
                let views = recording.views().to_vec();
                (SessionMode::Replay, recording.player(), name, views, recording.files())
            }
        };
        views.extend(self.beside.as_ref().map(Beside::view_info));
        let (start, end) = timeline.span();
        Hello {
            mode,
            origin: timeline.origin.text(),
            player: player.map(Into::into),
            views,
            land: match &self.source {
                Source::Walk(walk) => walk.land_kind(),
                Source::Replay(recording) => recording.land(),
            },
            name,
            start,
            end,
            clock_start: timeline.clock_start,
            ticks: timeline.len(),
            keeps_every: timeline.keeps_every(),
            dat: files.dat,
            cell: files.cell,
            beside: self.beside.as_ref().map(Beside::info),
        }
    }

    /// Returns what the server has answered to the player of Walk.
    fn answers(&self) -> Option<Answers> {
        match &self.source {
            Source::Walk(walk) => Some(walk.answers()),
            Source::Replay(_) => None,
        }
    }

    fn send_state(&mut self) {
        self.sent_answers = self.answers();
        let walk = match &mut self.source {
            Source::Walk(walk) => Some(walk.state()),
            Source::Replay(_) => None,
        };
        let timeline = read(&self.timeline);
        let (start, end) = timeline.span();
        let shown = self.shown.and_then(|number| timeline.at_number(number));
        self.queue.send_state(SessionState {
            request_id: self.request_id,
            mode: self.transport.mode(),
            rate: self.transport.rate(),
            speed: self.transport.speed(),
            t: shown.map_or(0.0, |tick| tick.t),
            tick: shown.map_or(0, |tick| tick.number),
            start,
            end,
            first_tick: timeline.first().map_or(0, |tick| tick.number),
            last_tick: timeline.last().map_or(0, |tick| tick.number),
            selected: self.selected.map(Into::into),
            live_input: !timeline.has_ended && walk.is_none(),
            ended: timeline.has_ended,
            walk,
        });
    }
}
