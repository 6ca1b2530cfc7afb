//! Follows a capture that is still being written: one thread reads it, another runs it at its own pace.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use acmotion::types::Guid;
use acmotion::wire::Direction;
use acmotion::wire::capture::CaptureReader;

use super::runner::{CapturedMessage, RunHandler, Runner, TickRecorder};
use super::{LIVE_LIMITS, Recording, Sources};
use crate::protocol::api::RecordingKind;
use crate::record::{Body, BodyKey, MessageRecord, NewReport, SharedTimeline, Timeline, write};
use crate::values::Origin;

/// The maximum number of messages that wait to be handled.
const MAX_WAITING: usize = 1024;
/// How long to wait for a message before the clock advances without one.
const MESSAGE_TIMEOUT: Duration = Duration::from_millis(33);
/// The maximum number of bodies that are explained. With more, none are.
const MAX_EXPLAINED: usize = 48;

/// Follows a stream in the background until it ends.
pub(crate) fn follow(
    sources: Sources,
    name: &str,
    input: impl Read + Send + 'static,
) -> std::io::Result<Arc<Recording>> {
    let recording = Recording::new(name, RecordingKind::Capture, Timeline::new(LIVE_LIMITS));
    let recording = Arc::new(Recording { files: sources.numbers, land: sources.land_kind(), ..recording });
    let (sender, receiver) = channel();
    std::thread::Builder::new().name("lab-input".into()).spawn(move || read(input, &sender))?;
    let own = Arc::clone(&recording);
    std::thread::Builder::new().name("lab-feed".into()).spawn(move || run(&sources, &own, &receiver))?;
    Ok(recording)
}

/// A message from the thread that reads.
struct Message {
    time: f64,
    direction: Direction,
    bytes: Box<[u8]>,
}

/// Returns a queue of messages. The thread that reads waits while it is full.
fn channel() -> (SyncSender<Message>, Receiver<Message>) {
    sync_channel(MAX_WAITING)
}

/// Reads until the stream ends or the receiver is gone. Damaged parts are skipped.
fn read(input: impl Read, sender: &SyncSender<Message>) {
    let mut reader = CaptureReader::new(input);
    while let Some(next) = reader.next_message() {
        let Ok(message) = next else { continue };
        let message =
            Message { time: message.time, direction: message.direction, bytes: message.bytes.into() };
        if sender.send(message).is_err() {
            return;
        }
    }
}

fn run(sources: &Sources, recording: &Recording, receiver: &Receiver<Message>) {
    let mut runner = Runner::new(sources, None);
    let mut recorder = LiveRecorder { timeline: recording.timeline(), recorder: TickRecorder::default() };
    let mut last = Instant::now();
    loop {
        match receiver.recv_timeout(MESSAGE_TIMEOUT) {
            Ok(Message { time, direction, bytes }) => {
                runner.receive(CapturedMessage { time, direction, bytes: &bytes }, &mut recorder);
            }
            // Bodies keep moving between messages.
            Err(RecvTimeoutError::Timeout) => runner.advance(last.elapsed().as_secs_f64(), &mut recorder),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        last = Instant::now();
        if let Some(guid) = runner.world().player().guid() {
            // A capture has at most one player, so later calls change nothing.
            let _ = recording.player.set(guid);
        }
    }
    runner.finish(&mut recorder);
    write(&recorder.timeline).has_ended = true;
}

/// Records a run to a timeline that sessions read at the same time.
struct LiveRecorder {
    timeline: SharedTimeline,
    recorder: TickRecorder,
}

impl RunHandler for LiveRecorder {
    fn on_tick(&mut self, runner: &mut Runner, number: u32, now: f64) {
        let mut timeline = write(&self.timeline);
        let mut tick = self.recorder.record(runner, number, now, &mut timeline);
        if tick.bodies.len() <= MAX_EXPLAINED {
            let explain = |body: &Body| explain(runner, body.key, timeline.origin, now);
            tick.explanations = tick.bodies.iter().filter_map(explain).collect();
        }
        timeline.push(tick);
    }

    fn on_message(&mut self, message: MessageRecord) {
        write(&self.timeline).messages.push(message);
    }

    fn on_report(&mut self, guid: Guid, report: &NewReport) {
        write(&self.timeline).reports.push(guid, report);
    }

    fn on_teleport(&mut self, guid: Guid, t: f64) {
        write(&self.timeline).reports.teleported(guid, t);
    }
}

/// Returns the serialised explanation of a body. A body that is new is explained from its next step on.
fn explain(runner: &mut Runner, key: BodyKey, origin: Origin, now: f64) -> Option<(BodyKey, Box<str>)> {
    if runner.world().explanation(key.guid).is_none() {
        runner.explain(key.guid);
    }
    Some((key, runner.explanation(key.guid, origin, now)?))
}

#[cfg(test)]
mod tests {
    use std::sync::RwLock;

    use acmotion::dat::Assets;

    use super::super::runner::tests::{create_object, sources};
    use super::*;

    #[test]
    fn messages_that_wait_to_be_handled_are_limited() {
        let (sender, _receiver) = channel();
        let message = || Message { time: 0.0, direction: Direction::S2C, bytes: Box::default() };
        assert!((0..MAX_WAITING).all(|_| sender.try_send(message()).is_ok()));
        assert!(sender.try_send(message()).is_err());
    }

    #[test]
    fn among_many_bodies_none_is_explained() {
        let mut runner = Runner::new(&sources(Assets::mannequin()), None);
        let timeline = Arc::new(RwLock::new(Timeline::new(LIVE_LIMITS)));
        let mut recorder =
            LiveRecorder { timeline: Arc::clone(&timeline), recorder: TickRecorder::default() };
        for number in 1..=MAX_EXPLAINED as u32 + 2 {
            let bytes = create_object(number);
            let message =
                CapturedMessage { time: f64::from(number), direction: Direction::S2C, bytes: &bytes };
            runner.receive(message, &mut recorder);
        }
        runner.advance(2.0, &mut recorder);
        let timeline = crate::record::read(&timeline);
        let counts = |bodies: usize| {
            let ticks = timeline.between(0.0, 1e9).filter(|tick| tick.bodies.len() == bodies);
            ticks.last().map(|tick| tick.explanations.len())
        };
        assert_eq!(counts(MAX_EXPLAINED), Some(MAX_EXPLAINED));
        assert_eq!(counts(MAX_EXPLAINED + 1), Some(0));
    }
}
