//! Queues ordered by time.

use std::collections::VecDeque;

/// Removes and returns the first item of a queue if it is due.
pub(crate) fn take_due<T>(queue: &mut VecDeque<T>, is_due: impl FnOnce(&T) -> bool) -> Option<T> {
    if queue.front().is_some_and(is_due) { queue.pop_front() } else { None }
}
