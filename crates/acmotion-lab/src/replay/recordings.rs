//! The recordings that are open.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Recording;
use crate::protocol::api::RecordingSummary;

/// The maximum number of open recordings. The oldest is closed when there are more.
const MAX_RECORDINGS: usize = 4;

/// The open recordings, by id.
#[derive(Default)]
pub(crate) struct Recordings {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    list: VecDeque<(u32, Arc<Recording>)>,
    last_id: u32,
}

impl Recordings {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a recording and returns its id.
    pub(crate) fn add(&self, recording: Arc<Recording>) -> u32 {
        let mut inner = self.lock();
        inner.last_id += 1;
        let id = inner.last_id;
        inner.list.push_back((id, recording));
        if inner.list.len() > MAX_RECORDINGS {
            inner.list.pop_front();
        }
        id
    }

    pub(crate) fn get(&self, id: u32) -> Option<Arc<Recording>> {
        let inner = self.lock();
        inner.list.iter().find(|(own, _)| *own == id).map(|(_, recording)| Arc::clone(recording))
    }

    pub(crate) fn list(&self) -> Vec<RecordingSummary> {
        let all: Vec<_> = self.lock().list.iter().cloned().collect();
        all.into_iter().map(|(id, recording)| recording.summary(id)).collect()
    }
}
