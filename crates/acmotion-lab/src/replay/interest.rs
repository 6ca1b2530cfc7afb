//! Whether the result of a run is still awaited.

use std::sync::{Arc, Weak};

/// The error of a run that was stopped. It is not sent to any page, since none is left.
pub(super) const STOPPED: &str = "the page has left";

/// Held while the result of a run is awaited. The run stops when all clones are dropped, for example because the page
/// that has uploaded a file was closed.
#[derive(Clone, Default)]
pub(crate) struct Interest(Arc<()>);

/// Held by a run, to notice that its result is no longer awaited.
#[derive(Clone)]
pub(crate) struct InterestWatch(Weak<()>);

impl Interest {
    pub(crate) fn watch(&self) -> InterestWatch {
        InterestWatch(Arc::downgrade(&self.0))
    }
}

impl InterestWatch {
    /// Returns `true` if the result is not awaited any more.
    pub(super) fn is_lost(&self) -> bool {
        self.0.strong_count() == 0
    }

    /// Returns the interest, unless it is lost.
    pub(super) fn interest(&self) -> Option<Interest> {
        self.0.upgrade().map(Interest)
    }
}
