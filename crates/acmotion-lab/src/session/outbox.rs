//! What waits to be sent to the page: never more than a little, however slow it reads.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// How many events and how many messages wait at most.
const MOST_LINES: usize = 2000;

/// The two ends share it: a session puts in, the socket takes out.
#[derive(Clone, Default)]
pub(crate) struct Outbox {
    inner: Arc<(Mutex<Waiting>, Notify)>,
}

/// What waits.
#[derive(Default)]
pub(crate) struct Waiting {
    /// Answers and changes of the roster, in order. There are no more of these than commands that wait, and two a tick.
    texts: VecDeque<String>,
    /// What only counts in its newest form.
    tick: Option<Vec<u8>>,
    state: Option<String>,
    why: Option<String>,
    events: Lines,
    mail: Lines,
    is_over: Option<String>,
}

/// Lines of a list, the newest so many.
#[derive(Default)]
struct Lines {
    list: VecDeque<String>,
    lost: usize,
    head: String,
}

impl Lines {
    fn push(&mut self, line: String) {
        if self.list.len() >= MOST_LINES {
            self.list.pop_front();
            self.lost += 1;
        }
        self.list.push_back(line);
    }

    /// The object with all of them.
    fn take(&mut self, kind: &str) -> Option<String> {
        if self.list.is_empty() && self.lost == 0 {
            return None;
        }
        let list: Vec<String> = self.list.drain(..).collect();
        let lost = std::mem::take(&mut self.lost);
        Some(format!(r#"{{"type":"{kind}",{}"lost":{lost},"list":[{}]}}"#, self.head, list.join(",")))
    }
}

/// Something to be sent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Parcel {
    Text(String),
    Binary(Vec<u8>),
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.inner.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, put: impl FnOnce(&mut Waiting)) {
        put(&mut self.lock());
        self.inner.1.notify_one();
    }

    /// An answer, or something that is told once.
    pub(crate) fn text(&self, text: String) {
        self.put(|waiting| waiting.texts.push_back(text));
    }

    pub(crate) fn tick(&self, frame: Vec<u8>) {
        self.put(|waiting| waiting.tick = Some(frame));
    }

    pub(crate) fn state(&self, text: String) {
        self.put(|waiting| waiting.state = Some(text));
    }

    pub(crate) fn why(&self, text: String) {
        self.put(|waiting| waiting.why = Some(text));
    }

    /// Events of a tick.
    pub(crate) fn events(&self, t: f64, tick: u32, lines: impl Iterator<Item = String>) {
        self.put(|waiting| {
            waiting.events.head = format!(r#""t":{t},"tick":{tick},"#);
            lines.for_each(|line| waiting.events.push(line));
        });
    }

    /// Messages.
    pub(crate) fn mail(&self, lines: impl Iterator<Item = String>) {
        self.put(|waiting| lines.for_each(|line| waiting.mail.push(line)));
    }

    /// The session is over, and why.
    pub(crate) fn end(&self, words: &str) {
        self.put(|waiting| waiting.is_over = Some(words.into()));
    }

    /// Waits for something; everything that there is, in the order in which the page wants it, and whether it was the
    /// last.
    pub(crate) async fn take(&self) -> (Vec<Parcel>, Option<String>) {
        loop {
            let (parcels, over) = self.take_now();
            if !parcels.is_empty() || over.is_some() {
                return (parcels, over);
            }
            self.inner.1.notified().await;
        }
    }

    fn take_now(&self) -> (Vec<Parcel>, Option<String>) {
        let mut waiting = self.lock();
        let mut parcels: Vec<Parcel> = waiting.texts.drain(..).map(Parcel::Text).collect();
        parcels.extend(waiting.state.take().map(Parcel::Text));
        parcels.extend(waiting.tick.take().map(Parcel::Binary));
        parcels.extend(waiting.events.take("events").map(Parcel::Text));
        parcels.extend(waiting.mail.take("mail").map(Parcel::Text));
        parcels.extend(waiting.why.take().map(Parcel::Text));
        (parcels, waiting.is_over.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_read_gets_the_newest_tick_and_loses_old_events() {
        let outbox = Outbox::default();
        for tick in 0..5000u32 {
            outbox.tick(tick.to_le_bytes().to_vec());
            outbox.events(0.0, tick, std::iter::once(tick.to_string()));
        }
        let (parcels, over) = outbox.take_now();
        assert_eq!((parcels.len(), over), (2, None));
        assert_eq!(parcels[0], Parcel::Binary(4999u32.to_le_bytes().to_vec()));
        let Parcel::Text(events) = &parcels[1] else { panic!("events are text") };
        let events: serde_json::Value = serde_json::from_str(events).unwrap();
        assert_eq!((&events["lost"], events["list"].as_array().map(Vec::len)), (&3000.into(), Some(2000)));
        assert_eq!(events["tick"], 4999);
        assert_eq!(outbox.take_now(), (Vec::new(), None), "taken is gone");
    }
}
