//! Why somebody in a capture moved as he did: the same run again, which gives the same motion to the bit, looking at him
//! alone.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use acmotion::wire::capture::CaptureReader;

use super::Sources;
use super::runner::{Bytes, Runner, Taking};
use crate::record::{Key, Letter, why};
use crate::values::Origin;

/// For how many the answers are kept.
const MOST: usize = 4;
/// How many bytes of answers there are for one.
const MOST_BYTES: usize = 64 << 20;

/// Answers by tick, in order.
type Answers = Vec<(u32, Box<str>)>;

/// What was worked out, and what it is worked out from.
#[derive(Default)]
pub(super) struct WhyShelf {
    source: Option<(Sources, Bytes)>,
    known: Mutex<VecDeque<(Key, Arc<OnceLock<Answers>>)>>,
}

/// What is known about one, perhaps not yet.
pub(crate) struct Whys {
    answers: Arc<OnceLock<Answers>>,
    is_told: bool,
}

impl WhyShelf {
    /// What can be gone through again.
    pub(super) fn remember(&mut self, sources: Sources, bytes: Bytes) {
        self.source = Some((sources, bytes));
    }

    /// The answers about somebody; none if there is nothing to work them out from.
    pub(super) fn of(&self, key: Key) -> Option<Whys> {
        let (sources, bytes) = self.source.as_ref()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answers)) = known.iter().find(|(own, _)| *own == key) {
            return Some(Whys { answers: Arc::clone(answers), is_told: false });
        }
        let answers = Arc::new(OnceLock::new());
        known.push_back((key, Arc::clone(&answers)));
        if known.len() > MOST {
            known.pop_front();
        }
        let (sources, bytes, slot) = (sources.clone(), Arc::clone(bytes), Arc::clone(&answers));
        let started = std::thread::Builder::new().name("lab-why".into()).spawn(move || {
            // Nobody else fills the slot.
            let _ = slot.set(work_out(&sources, &bytes, key));
        });
        if started.is_err() {
            let _ = answers.set(Vec::new());
        }
        Some(Whys { answers, is_told: false })
    }
}

impl Whys {
    pub(crate) fn is_ready(&self) -> bool {
        self.answers.get().is_some()
    }

    /// Has it become known since it was last told?
    pub(crate) fn is_news(&self) -> bool {
        !self.is_told && self.is_ready()
    }

    pub(crate) fn is_told(&mut self) {
        self.is_told = true;
    }

    /// The answer at a tick.
    pub(crate) fn at(&self, tick: u32) -> Option<String> {
        let answers = self.answers.get()?;
        let place = answers.binary_search_by_key(&tick, |(number, _)| *number).ok()?;
        Some(String::from(&*answers[place].1))
    }
}

fn work_out(sources: &Sources, bytes: &[u8], key: Key) -> Answers {
    let mut runner = Runner::new(sources);
    let mut looking = Looking { key, origin: None, is_explained: false, answers: Vec::new(), bytes: 0 };
    let mut reader = CaptureReader::from_slice(bytes);
    while let Some(next) = reader.next_message() {
        if let Ok(message) = next {
            runner.message((&message).into(), &mut looking);
        }
    }
    runner.run_out(&mut looking);
    looking.answers
}

struct Looking {
    key: Key,
    origin: Option<Origin>,
    is_explained: bool,
    answers: Answers,
    bytes: usize,
}

impl Taking for Looking {
    fn tick(&mut self, runner: &mut Runner, number: u32, _now: f64) {
        let guid = self.key.guid;
        if self.origin.is_none() {
            self.origin = super::runner::first_place(runner.world()).map(|place| Origin::of(place.cell));
        }
        if !self.is_explained {
            self.is_explained = runner.explain(guid);
        }
        let Some(resident) = runner.world().find(guid) else {
            // Another life may begin, which has to be asked again.
            self.is_explained = false;
            return;
        };
        if self.bytes > MOST_BYTES {
            return;
        }
        let error = runner.errors.get(&guid).copied().unwrap_or(f32::NAN);
        let why = why(resident, runner.world().library(), self.origin.unwrap_or_default(), error);
        let text: Box<str> = why.to_string().into();
        self.bytes += text.len();
        self.answers.push((number, text));
    }

    fn letter(&mut self, _letter: Letter) {}
}
