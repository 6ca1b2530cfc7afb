//! Runs a capture through the engine and records every tick, as `acmotion replay` does.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::scene::SceneLoader;
use acmotion::types::{CellPosition, Era, Guid};
use acmotion::wire::Direction;
use acmotion::wire::capture::{CaptureReader, GameMessage};
use acmotion::{EventKind, MotionEvent, Resident, StandIn, World};
use acmotion_sim::replay::{Replay, Step};

use super::interest::STOPPED;
use super::verdicts::Verdicts;
use super::{InterestWatch, LIMITS, Recording, Sources};
use crate::protocol::Delivery;
use crate::protocol::api::RecordingKind;
use crate::record::{
    BodyFlags, BodyKey, BodyObserver, EntityInfo, EntityKind, EventRecord, MessageRecord, NewReport,
    RecentReports, Surroundings, Tick, Timeline, View, Witness, event_record, explanation_json,
};
use crate::values::Origin;

/// The maximum number of frames: four hours. Messages after them are ignored.
const MAX_FRAMES: u64 = 4 * 3600 * 60;
/// The maximum number of names that are kept.
const MAX_NAMES: usize = 100_000;
/// The only view of a capture.
const VIEW: View = 0;

/// The bytes of a capture, which can be run again.
pub(super) type CaptureBytes = Arc<[u8]>;

/// Runs a whole capture.
pub(super) fn open(
    sources: &Sources,
    name: &str,
    bytes: &[u8],
    watch: &InterestWatch,
) -> Result<Recording, String> {
    let mut runner = Runner::new(sources, Some(watch.clone()));
    let mut recorder = TimelineRecorder::new(Timeline::new(LIMITS));
    let mut reader = CaptureReader::from_slice(bytes);
    let (mut damaged, mut first_damage) = (0u64, None);
    while !watch.is_lost()
        && let Some(next) = reader.next_message()
    {
        match next {
            Ok(message) => runner.receive((&message).into(), &mut recorder),
            Err(error) => {
                damaged += 1;
                first_damage.get_or_insert_with(|| error.to_string());
            }
        }
    }
    runner.finish(&mut recorder);
    if watch.is_lost() {
        return Err(String::from(STOPPED));
    }
    let mut timeline = recorder.timeline;
    if timeline.len() == 0 {
        return Err(first_damage.unwrap_or_else(|| String::from("the file has no messages of the game")));
    }
    timeline.has_ended = true;
    let mut notes = runner.notes();
    if let Some(first) = first_damage {
        notes.push(format!("parts of the file that could not be read: {damaged} (the first: {first})"));
    }
    let mut recording = Recording::new(name, RecordingKind::Capture, timeline);
    recording.notes = notes;
    runner.world().player().guid().map(|guid| recording.player.set(guid));
    recording.explanations.set_source(sources.clone(), bytes.into());
    Ok(recording)
}

/// A message of a capture.
#[derive(Clone, Copy)]
pub(super) struct CapturedMessage<'a> {
    pub(super) time: f64,
    pub(super) direction: Direction,
    pub(super) bytes: &'a [u8],
}

impl<'a> From<&GameMessage<'a>> for CapturedMessage<'a> {
    fn from(message: &GameMessage<'a>) -> Self {
        Self { time: message.time, direction: message.direction, bytes: message.bytes }
    }
}

/// Callbacks of a [`Runner`].
pub(super) trait RunHandler {
    /// Called after a tick, with the seconds since the first message.
    fn on_tick(&mut self, runner: &mut Runner, number: u32, now: f64);
    /// Called when a message is handled.
    fn on_message(&mut self, message: MessageRecord);
    /// Called when the server, or the player's own client, has reported a position.
    fn on_report(&mut self, guid: Guid, report: &NewReport) {
        let _ = (guid, report);
    }
    /// Called when an entity was teleported, perhaps by its last report.
    fn on_teleport(&mut self, guid: Guid, t: f64) {
        let _ = (guid, t);
    }
}

/// A replay, with what is kept of its steps until the next tick.
pub(super) struct Runner {
    replay: Replay,
    events: Vec<EventRecord>,
    /// The last reports of each body of the world.
    reports: HashMap<Guid, RecentReports>,
    has_land: bool,
    /// Why the cell file cannot be used.
    land_problem: Option<String>,
    era: Era,
    names: HashMap<Guid, String>,
    /// The time of the first frame, which is that of the first message. What is recorded counts from there.
    first: Option<f64>,
    /// The message that was handled last: its number, and the number of frames before it.
    handled: Option<(u64, u64)>,
    verdicts: Verdicts,
    /// The run does nothing more when the interest is lost. `None` if it always goes on.
    watch: Option<InterestWatch>,
}

impl Runner {
    pub(super) fn new(sources: &Sources, watch: Option<InterestWatch>) -> Self {
        let mut replay = Replay::new(sources.assets.clone(), sources.settings);
        let mut land_problem = None;
        match sources.cells.as_ref().map(|cells| SceneLoader::new(&sources.assets, cells)) {
            Some(Ok(loader)) => replay.set_land(loader),
            Some(Err(error)) => land_problem = Some(error.to_string()),
            None => {}
        }
        let has_land = sources.cells.is_some() && land_problem.is_none();
        let (reports, names) = (HashMap::new(), HashMap::new());
        let era = sources.settings.era;
        Self {
            replay,
            events: Vec::new(),
            reports,
            has_land,
            land_problem,
            era,
            names,
            first: None,
            handled: None,
            verdicts: Verdicts::default(),
            watch,
        }
    }

    /// Handles a message of the capture, and the frames up to it. Messages after the frame limit are ignored.
    pub(super) fn receive(&mut self, message: CapturedMessage<'_>, handler: &mut impl RunHandler) {
        if !self.is_over_limit() {
            self.replay.receive(message.time, message.direction, message.bytes);
            self.take_steps(handler);
        }
    }

    /// Advances by some seconds without a message.
    #[cfg(feature = "server")]
    pub(super) fn advance(&mut self, seconds: f64, handler: &mut impl RunHandler) {
        if let Some(now) = self.replay.now().filter(|_| !self.is_over_limit()) {
            self.replay.advance(now + seconds);
            self.take_steps(handler);
        }
    }

    /// Continues for a moment after the last message.
    pub(super) fn finish(&mut self, handler: &mut impl RunHandler) {
        self.replay.finish();
        self.take_steps(handler);
    }

    fn is_over_limit(&self) -> bool {
        self.replay.frames() > MAX_FRAMES
    }

    fn is_stopped(&self) -> bool {
        self.watch.as_ref().is_some_and(InterestWatch::is_lost)
    }

    fn take_steps(&mut self, handler: &mut impl RunHandler) {
        while !self.is_stopped()
            && let Some(step) = self.replay.step()
        {
            self.first = self.first.or_else(|| self.replay.now());
            let first = self.start();
            match step {
                Step::Tick { number, time } => {
                    handler.on_tick(self, number, time - first);
                    self.events.clear();
                    self.verdicts.forget(self.replay.world());
                }
                Step::Event(event) => {
                    match event.kind {
                        EventKind::Deleted(_) => drop(self.reports.remove(&event.guid)),
                        EventKind::Motion(MotionEvent::Teleported { .. }) => {
                            handler.on_teleport(event.guid, event.time - first);
                        }
                        _ => {}
                    }
                    let record = event_record(&event, self.replay.world());
                    // Events of a later frame do not belong to the message.
                    let frames = self.replay.frames();
                    let message =
                        self.handled.filter(|(_, before)| *before == frames).map(|(number, _)| number);
                    self.events.extend(record.map(|record| EventRecord {
                        t: record.t - first,
                        message,
                        ..record
                    }));
                }
                Step::Message { time, arrived, direction, bytes } => {
                    let number = self.handled.map_or(0, |(number, _)| number + 1);
                    self.handled = Some((number, self.replay.frames()));
                    self.verdicts.handled(number, self.replay.world());
                    handler.on_message(MessageRecord {
                        t: time - first,
                        tick: self.replay.ticks(),
                        direction,
                        connection: "player",
                        bytes,
                        era: self.era,
                        delivery: Delivery::Arrived,
                        arrives: Some(arrived - first),
                    });
                }
                Step::Named { guid, name } if self.names.len() < MAX_NAMES => {
                    self.names.insert(guid, name);
                }
                Step::Report { time, guid, position, shown } => {
                    let report = NewReport { t: time - first, reported: position, shown, is_own: false };
                    self.take_report(guid, &report, handler);
                }
                Step::OwnReport { time, guid, position, shown } => {
                    let report = NewReport { t: time - first, reported: position, shown, is_own: true };
                    self.take_report(guid, &report, handler);
                }
                _ => {}
            }
        }
    }

    fn take_report(&mut self, guid: Guid, report: &NewReport, handler: &mut impl RunHandler) {
        if let Some(record) = report.record() {
            self.reports.entry(guid).or_default().push(&record);
        }
        handler.on_report(guid, report);
    }

    /// Returns the time of the capture at which its first message was received, in seconds.
    pub(super) fn start(&self) -> f64 {
        self.first.unwrap_or(0.0)
    }

    pub(super) fn world(&self) -> &World {
        self.replay.world()
    }

    /// Starts to explain an entity. Returns `false` if it is not in the world.
    pub(super) fn explain(&mut self, guid: Guid) -> bool {
        let is_found = self.replay.explain(guid, true);
        if is_found {
            self.verdicts.watch(guid, self.replay.world());
        }
        is_found
    }

    /// Returns the serialised explanation of a body at a time; `None` if it is not in the world.
    pub(super) fn explanation(&self, guid: Guid, origin: Origin, now: f64) -> Option<Box<str>> {
        let (world, reports) = (self.world(), self.reports.get(&guid));
        let error = reports.map_or(f32::NAN, RecentReports::error);
        let around = Surroundings { origin, has_land: self.has_land };
        let witness = Witness { now, error, reports, messages: self.verdicts.of(guid) };
        Some(explanation_json(world.find(guid)?, world.library(), around, witness).into())
    }

    /// Returns what the user should know about the run.
    fn notes(&self) -> Vec<String> {
        let mut notes = self.replay.totals().problems();
        if let Some(problem) = &self.land_problem {
            notes.push(format!("the cell file cannot be used with this dat file: {problem}"));
        }
        let stand_ins =
            self.world().entities().filter(|resident| resident.stand_in() != StandIn::empty()).count();
        match stand_ins {
            0 => {}
            1 => notes.push(String::from("one object is shown by a stand-in, because its data is missing")),
            count => {
                notes.push(format!("{count} objects are shown by stand-ins, because their data is missing"));
            }
        }
        if self.is_over_limit() {
            notes.push(String::from("only the first four hours were run"));
        }
        notes
    }
}

/// Records a run to a timeline.
struct TimelineRecorder {
    timeline: Timeline,
    recorder: TickRecorder,
}

impl TimelineRecorder {
    fn new(timeline: Timeline) -> Self {
        Self { timeline, recorder: TickRecorder::default() }
    }
}

impl RunHandler for TimelineRecorder {
    fn on_tick(&mut self, runner: &mut Runner, number: u32, now: f64) {
        let tick = self.recorder.record(runner, number, now, &mut self.timeline);
        self.timeline.push(tick);
    }

    fn on_message(&mut self, message: MessageRecord) {
        self.timeline.messages.push(message);
    }

    fn on_report(&mut self, guid: Guid, report: &NewReport) {
        self.timeline.reports.push(guid, report);
    }

    fn on_teleport(&mut self, guid: Guid, t: f64) {
        self.timeline.reports.teleported(guid, t);
    }
}

/// Records ticks of a runner.
#[derive(Default)]
pub(super) struct TickRecorder {
    observer: BodyObserver,
    /// Whether the timeline has an origin.
    has_origin: bool,
}

impl TickRecorder {
    /// Records the state after a tick. New entities are added to the timeline's list; the tick is not.
    pub(super) fn record(
        &mut self,
        runner: &mut Runner,
        number: u32,
        now: f64,
        timeline: &mut Timeline,
    ) -> Tick {
        timeline.clock_start = runner.start();
        let Runner { replay, events, reports, names, .. } = runner;
        let world = replay.world();
        if !self.has_origin
            && let Some(first) = first_position(world)
        {
            timeline.origin = Origin::of(first.cell);
            self.has_origin = true;
        }
        let events: Box<[EventRecord]> = events.drain(..).map(|event| event.stamp(number, VIEW)).collect();
        let player = world.player().guid();
        let bodies = world.entities().map(|resident| {
            let key = BodyKey { guid: resident.guid(), view: VIEW };
            let mut body = self.observer.body(now, key, resident, world.library(), timeline.origin, &events);
            body.flags.set(BodyFlags::PLAYER, player == Some(key.guid));
            body.error = reports.get(&key.guid).map_or(f32::NAN, RecentReports::error);
            if !timeline.entities.is_current(key, body.parent) {
                let name = names.get(&key.guid).cloned().unwrap_or_default();
                timeline.entities.update(key, &entity_info(world, resident, name));
            }
            body
        });
        let bodies = bodies.collect();
        self.observer.forget(now);
        let messages_end = timeline.messages.end();
        Tick { number, t: now, charge: -1.0, bodies, events, explanations: Box::default(), messages_end }
    }
}

/// Returns the position of the player, or of the first entity that is in a cell.
pub(super) fn first_position(world: &World) -> Option<CellPosition> {
    let first = || world.entities().find(|resident| resident.body().is_in_cell()).map(Resident::position);
    world.player_position().or_else(first)
}

fn entity_info(world: &World, resident: &Resident, name: String) -> EntityInfo {
    let library = world.library();
    let is_player = world.player().guid() == Some(resident.guid());
    EntityInfo {
        name,
        kind: if is_player { EntityKind::Player } else { EntityKind::Object },
        setup: resident.model().map(|model| library.model(model).id()).unwrap_or_default(),
        table: resident.entity().animator.table().map(|table| library.table(table).id()).unwrap_or_default(),
        stand_in: resident.stand_in() != StandIn::empty(),
        parent: resident.parent().unwrap_or_default(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use acmotion::dat::Assets;
    use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    use acmotion::wire::{Direction, S2C};
    use acmotion::{StampKind, World};

    use super::{CapturedMessage, MAX_FRAMES, MAX_NAMES, RunHandler, Runner};
    use crate::record::MessageRecord;
    use crate::replay::Sources;

    /// Counts messages.
    struct Counter(usize);

    impl RunHandler for Counter {
        fn on_tick(&mut self, _runner: &mut Runner, _number: u32, _now: f64) {}

        fn on_message(&mut self, _message: MessageRecord) {
            self.0 += 1;
        }
    }

    pub(in crate::replay) fn sources(assets: Assets) -> Sources {
        Sources { assets, ..Sources::default() }
    }

    fn position() -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0))
    }

    /// Returns the message that creates an object with a name.
    pub(in crate::replay) fn create_object(guid: u32) -> Vec<u8> {
        let mut world = World::new(Assets::mannequin());
        let id = world.add_stand_in(Guid(guid), &position(), 0.0);
        let mut bytes = Vec::new();
        world.describe(id).unwrap().named("Asha").encode(&mut bytes);
        bytes
    }

    #[test]
    fn names_are_limited_and_reports_are_those_of_objects_that_exist() {
        let (mut runner, mut counter) = (Runner::new(&sources(Assets::mannequin()), None), Counter(0));
        let mut receive = |runner: &mut Runner, time: f64, bytes: &[u8]| {
            runner.receive(CapturedMessage { time, direction: Direction::S2C, bytes }, &mut counter);
            runner.advance(0.2, &mut counter);
        };
        receive(&mut runner, 1.0, &create_object(1));
        assert_eq!(runner.names.len(), 1);
        let mut server = World::new(Assets::mannequin());
        let id = server.add_stand_in(Guid(1), &position(), 0.0);
        server.next_stamp(id, StampKind::Position);
        let mut report = Vec::new();
        S2C::from(server.describe_position(id).unwrap()).encode(&mut report);
        receive(&mut runner, 2.0, &report);
        assert_eq!(runner.reports.len(), 1);
        let mut deleted = Vec::new();
        S2C::from(server.describe_delete(id).unwrap()).encode(&mut deleted);
        receive(&mut runner, 3.0, &deleted);
        assert_eq!(runner.reports.len(), 0);
        runner.names.extend((10..MAX_NAMES as u32 + 9).map(|guid| (Guid(guid), String::new())));
        receive(&mut runner, 4.0, &create_object(2));
        assert_eq!(runner.names.len(), MAX_NAMES);
    }

    #[test]
    fn a_capture_is_run_for_four_hours() {
        let sources = sources(Assets::mannequin());
        let (mut runner, mut counter) = (Runner::new(&sources, None), Counter(0));
        // Half a minute is the longest gap that is always run frame by frame.
        let messages = 700;
        for number in 0..messages {
            let time = 29.0 * f64::from(number);
            runner.receive(CapturedMessage { time, direction: Direction::S2C, bytes: &[] }, &mut counter);
        }
        runner.advance(60.0, &mut counter);
        let frames = runner.replay.frames();
        assert!((MAX_FRAMES..MAX_FRAMES + 29 * 60 + 2).contains(&frames), "{frames}");
        assert_eq!(counter.0, MAX_FRAMES as usize / (29 * 60) + 2, "of {messages}");
        assert!(runner.notes().contains(&String::from("only the first four hours were run")));
    }
}
