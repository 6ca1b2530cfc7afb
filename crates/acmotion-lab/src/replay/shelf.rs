//! The recordings that are open.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::Recording;

/// More are not kept: the oldest goes.
const MOST: usize = 4;

/// Recordings by number.
#[derive(Default)]
pub(crate) struct Recordings {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    list: VecDeque<(u32, Arc<Recording>)>,
    last: u32,
}

impl Recordings {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a recording; its number.
    pub(crate) fn add(&self, recording: Arc<Recording>) -> u32 {
        let mut inner = self.lock();
        inner.last += 1;
        let number = inner.last;
        inner.list.push_back((number, recording));
        if inner.list.len() > MOST {
            inner.list.pop_front();
        }
        number
    }

    pub(crate) fn get(&self, number: u32) -> Option<Arc<Recording>> {
        let inner = self.lock();
        inner.list.iter().find(|(own, _)| *own == number).map(|(_, recording)| Arc::clone(recording))
    }

    /// What `/api/about` says of them.
    pub(crate) fn list(&self) -> Vec<Value> {
        let all: Vec<_> = self.lock().list.iter().cloned().collect();
        let entry = |(number, recording): (u32, Arc<Recording>)| {
            let mut entry = recording.summary();
            entry["id"] = number.into();
            entry
        };
        all.into_iter().map(entry).collect()
    }
}
