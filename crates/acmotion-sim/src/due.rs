//! Queues in the order of time.

use std::collections::VecDeque;

/// Takes out the first of a queue if it is due.
pub(crate) fn take_due<T>(queue: &mut VecDeque<T>, is_due: impl FnOnce(&T) -> bool) -> Option<T> {
    if queue.front().is_some_and(is_due) { queue.pop_front() } else { None }
}
