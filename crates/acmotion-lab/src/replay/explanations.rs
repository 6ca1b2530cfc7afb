//! Explains one entity of a capture: runs the capture again, which gives the same motion to the bit, and records only that
//! entity.

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use acmotion::wire::capture::{CaptureReader, StreamSource};

use super::runner::{CaptureBytes, RunHandler, Runner, first_position};
use super::{Interest, InterestWatch, Sources};
use crate::record::{BodyKey, MessageRecord};
use crate::values::Origin;

/// The maximum number of entities whose explanations are kept.
const MAX_ENTITIES: usize = 4;
/// The maximum number of bytes of explanations that are kept for one entity.
const MAX_BYTES: usize = 64 << 20;
/// The number of messages that a session handles at once where no thread can do it: a fraction of the time between two ticks.
const MESSAGES_AT_ONCE: usize = 200;

/// The serialised explanations of an entity by tick, in order.
type ByTick = Vec<(u32, Box<str>)>;

/// The explanations that were worked out for a recording, and the capture that they are worked out from.
#[derive(Default)]
pub(super) struct Explanations {
    /// `None` if the recording cannot be run again.
    source: Option<(Sources, CaptureBytes)>,
    runs: Mutex<VecDeque<Run>>,
}

/// A run for one entity, at work or finished.
struct Run {
    key: BodyKey,
    by_tick: Arc<OnceLock<ByTick>>,
    watch: InterestWatch,
}

/// The explanations of one entity, which may still be in the works.
pub(crate) struct ExplanationRun {
    by_tick: Arc<OnceLock<ByTick>>,
    /// The run stops when no session is interested any more.
    _interest: Interest,
    /// Whether [`Self::take_finished`] has returned `true`.
    is_taken: bool,
    /// The run itself, where no thread could be started for it, as in a browser.
    own: Option<Box<Rerun>>,
}

impl Explanations {
    /// Sets the capture that can be run again.
    pub(super) fn set_source(&mut self, sources: Sources, bytes: CaptureBytes) {
        self.source = Some((sources, bytes));
    }

    /// Starts a run for an entity in the background, unless there is one already. Returns `None` if there is no capture
    /// to run again.
    pub(super) fn explain(&self, key: BodyKey) -> Option<ExplanationRun> {
        let (sources, bytes) = self.source.as_ref()?;
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = runs.iter().find(|run| run.key == key) {
            let is_finished = run.by_tick.get().is_some();
            let interest = run.watch.interest().or_else(|| is_finished.then(Interest::default));
            if let Some(interest) = interest {
                let by_tick = Arc::clone(&run.by_tick);
                return Some(ExplanationRun { by_tick, _interest: interest, is_taken: false, own: None });
            }
            // The run was stopped.
            runs.retain(|run| run.key != key);
        }
        let (by_tick, interest) = (Arc::new(OnceLock::new()), Interest::default());
        let watch = interest.watch();
        runs.push_back(Run { key, by_tick: Arc::clone(&by_tick), watch: watch.clone() });
        if runs.len() > MAX_ENTITIES {
            runs.pop_front();
        }
        let rerun = {
            let (sources, bytes) = (sources.clone(), Arc::clone(bytes));
            move || Rerun::new(&sources, bytes, key, watch)
        };
        let (thread_rerun, slot) = (rerun.clone(), Arc::clone(&by_tick));
        let started = std::thread::Builder::new().name("lab-explain".into()).spawn(move || {
            let mut rerun = thread_rerun();
            while !rerun.advance(usize::MAX, &slot) {}
        });
        let own = started.is_err().then(|| Box::new(rerun()));
        Some(ExplanationRun { by_tick, _interest: interest, is_taken: false, own })
    }
}

impl ExplanationRun {
    pub(crate) fn is_ready(&self) -> bool {
        self.by_tick.get().is_some()
    }

    /// Returns `true` until [`Self::take_finished`] has returned `true`.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.is_taken
    }

    /// Returns `true` if the run goes on only in [`Self::take_finished`].
    pub(crate) fn is_own_work(&self) -> bool {
        self.own.is_some()
    }

    /// Returns `true` once, when the run has finished. Without a thread of its own, the run goes on in here.
    pub(crate) fn take_finished(&mut self) -> bool {
        if self.own.as_mut().is_some_and(|rerun| rerun.advance(MESSAGES_AT_ONCE, &self.by_tick)) {
            self.own = None;
        }
        let is_news = !self.is_taken && self.is_ready();
        self.is_taken |= is_news;
        is_news
    }

    /// Returns the serialised explanation at a tick.
    pub(crate) fn at(&self, tick: u32) -> Option<String> {
        let by_tick = self.by_tick.get()?;
        let index = by_tick.binary_search_by_key(&tick, |(number, _)| *number).ok()?;
        Some(String::from(&*by_tick[index].1))
    }
}

/// A capture that is run again.
struct Rerun {
    reader: CaptureReader<StreamSource<Cursor<CaptureBytes>>>,
    runner: Runner,
    recorder: Recorder,
    watch: InterestWatch,
}

impl Rerun {
    fn new(sources: &Sources, bytes: CaptureBytes, key: BodyKey, watch: InterestWatch) -> Self {
        Self {
            reader: CaptureReader::new(Cursor::new(bytes)),
            runner: Runner::new(sources, Some(watch.clone())),
            recorder: Recorder { key, origin: None, is_enabled: false, by_tick: Vec::new(), bytes: 0 },
            watch,
        }
    }

    /// Handles some messages. Returns `true` if there are no more: the explanations are then in `slot`, unless the interest
    /// was lost.
    fn advance(&mut self, messages: usize, slot: &OnceLock<ByTick>) -> bool {
        for _ in 0..messages {
            if self.watch.is_lost() {
                return true;
            }
            match self.reader.next_message() {
                Some(Ok(message)) => self.runner.receive((&message).into(), &mut self.recorder),
                Some(Err(_)) => {}
                None => {
                    self.runner.finish(&mut self.recorder);
                    if !self.watch.is_lost() {
                        // Only this run sets the slot.
                        let _ = slot.set(std::mem::take(&mut self.recorder.by_tick));
                    }
                    return true;
                }
            }
        }
        false
    }
}

/// Records the explanations of one entity.
struct Recorder {
    key: BodyKey,
    origin: Option<Origin>,
    /// Whether the world explains the entity.
    is_enabled: bool,
    by_tick: ByTick,
    bytes: usize,
}

impl RunHandler for Recorder {
    fn on_tick(&mut self, runner: &mut Runner, number: u32, now: f64) {
        let guid = self.key.guid;
        if self.origin.is_none() {
            self.origin = first_position(runner.world()).map(|position| Origin::of(position.cell));
        }
        if !self.is_enabled {
            self.is_enabled = runner.explain(guid);
        }
        if runner.world().find(guid).is_none() {
            // The entity may be created again, and is then not explained by default.
            self.is_enabled = false;
            return;
        }
        if self.bytes > MAX_BYTES {
            return;
        }
        let Some(text) = runner.explanation(guid, self.origin.unwrap_or_default(), now) else { return };
        self.bytes += text.len();
        self.by_tick.push((number, text));
    }

    fn on_message(&mut self, _message: MessageRecord) {}
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, OnceLock, PoisonError};

    use acmotion::types::{CellId, CellPosition, Guid, Stamp, Vec3};
    use acmotion::wire::capture::CaptureWriter;
    use acmotion::wire::{Direction, PositionPack, S2C, UpdatePosition};

    use super::super::runner::{CaptureBytes, CapturedMessage};
    use super::super::{Interest, Sources};
    use super::{Explanations, MAX_BYTES, MAX_ENTITIES, Recorder, Rerun, Runner};
    use crate::record::BodyKey;

    fn key(number: u32) -> BodyKey {
        BodyKey { guid: Guid(number), view: 0 }
    }

    #[test]
    fn the_explanations_of_few_entities_are_kept() {
        let mut explanations = Explanations::default();
        explanations.set_source(Sources::default(), b"{}".to_vec().into());
        let runs: Vec<_> = (1..=10).map(|number| explanations.explain(key(number))).collect();
        assert!(runs.iter().all(Option::is_some));
        let kept = explanations.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let kept: Vec<u32> = kept.iter().map(|run| run.key.guid.0).collect();
        assert_eq!(kept, (11 - MAX_ENTITIES as u32..=10).collect::<Vec<_>>(), "the newest");
    }

    /// Returns a report of a position, for which a replay creates a stand-in.
    fn report(guid: Guid) -> Vec<u8> {
        let position = CellPosition::at(CellId(0x1234_0019), Vec3::new(84.0, 20.0, 5.0));
        let pack = PositionPack { position_stamp: Stamp(2), ..PositionPack::grounded(position) };
        S2C::from(UpdatePosition { guid, pack }).to_bytes()
    }

    #[test]
    fn the_explanations_of_an_entity_end_at_their_size() {
        let explained = |bytes: usize| {
            let interest = Interest::default();
            let mut runner = Runner::new(&Sources::default(), Some(interest.watch()));
            let mut recorder = Recorder {
                key: key(0x5000_0002),
                origin: None,
                is_enabled: false,
                by_tick: Vec::new(),
                bytes,
            };
            let report = report(recorder.key.guid);
            let message = CapturedMessage { time: 1.0, direction: Direction::S2C, bytes: &report };
            runner.receive(message, &mut recorder);
            runner.finish(&mut recorder);
            recorder.by_tick.len()
        };
        assert!(explained(0) > 10);
        assert_eq!(explained(MAX_BYTES), 1, "the one that reaches the limit");
        assert_eq!(explained(MAX_BYTES + 1), 0);
    }

    /// Where no thread can be started, a session does the work bit by bit: it gets the same explanations.
    #[test]
    fn a_run_in_steps_explains_the_same_as_a_run_at_once() {
        let mut writer = CaptureWriter::new(Vec::new()).unwrap();
        for second in 0..5_u8 {
            writer.message(f64::from(second), Direction::S2C, &report(Guid(0x5000_0002))).unwrap();
        }
        let bytes: CaptureBytes = writer.into_inner().into();
        let interest = Interest::default();
        let explained = |messages: usize| {
            let key = key(0x5000_0002);
            let mut rerun = Rerun::new(&Sources::default(), Arc::clone(&bytes), key, interest.watch());
            let (slot, mut steps) = (OnceLock::new(), 1);
            while !rerun.advance(messages, &slot) {
                assert!(slot.get().is_none(), "not before the end");
                steps += 1;
            }
            (slot.into_inner().expect("it has ended"), steps)
        };
        let (at_once, steps) = explained(usize::MAX);
        assert!(at_once.len() > 100 && steps == 1);
        assert_eq!(explained(2), (at_once, 3));
        drop(interest);
        let lost = Interest::default().watch();
        let mut rerun = Rerun::new(&Sources::default(), bytes, key(1), lost);
        let slot = OnceLock::new();
        assert!(rerun.advance(1, &slot) && slot.get().is_none(), "nothing awaits it");
    }
}
