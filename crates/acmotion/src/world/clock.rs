//! Times from outside. Rules B2 and B3 say what a body does if much time, no time or a negative time has passed since its
//! last update; this module handles everything else. [`ClockFault`] describes all cases.

use std::fmt;

use acmotion_types::Guid;

use super::{EventKind, World};
use crate::body::{HUGE_QUANTUM, PhysicsGate};
use crate::entity::Entity;
use crate::limits::MAX_TIME;

/// What is wrong with the caller's clock. [`EventKind::Clock`] reports it.
///
/// A [`World`] accepts any time, and no time makes it do more work:
///
/// | `now` | what happens |
/// |---|---|
/// | not finite, or more than [`MAX_TIME`] seconds from 0 | the time of the last tick is used instead, and the fault is reported. `tick` does nothing, and `spawn` returns an error |
/// | more than 2 s after the last tick | all bodies lose that time (rule B3.4). Whatever waits for a time ends once if that time has come, however much has passed |
/// | up to 2 s before the last tick | the gate follows, and bodies wait for the next tick (rules B2, B3.4) |
/// | more than 2 s before the last tick | the clock was set back, or the world was restored by another process. As above, and every time stored in the world moves by the difference, so that nothing waits for the old time to come again. The fault is reported |
///
/// Only ticks move the world's clock. Other calls may come with times of their own, such as the time at which a message
/// arrived.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::{ClockFault, EventKind, World};
///
/// let mut world = World::new(Assets::mannequin());
/// for now in [100.0, f64::NAN, 40.0] {
///     world.tick(now);
/// }
/// let faults: Vec<_> = world
///     .drain_events()
///     .filter_map(|event| match event.kind {
///         EventKind::Clock(fault) => Some(fault),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(faults, [ClockFault::Invalid, ClockFault::SetBack { seconds: 60.0 }]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ClockFault {
    /// A time was not finite, or more than [`MAX_TIME`] seconds from 0. The time of the last tick was used instead.
    Invalid,
    /// The clock was set back.
    SetBack {
        /// By how many seconds.
        seconds: f64,
    },
}

impl fmt::Display for ClockFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => f.write_str("not a time"),
            Self::SetBack { seconds } => write!(f, "set back by {seconds:.1} s"),
        }
    }
}

/// Returns `true` if a world can use a time.
#[inline]
pub(crate) fn is_valid_time(now: f64) -> bool {
    now.abs() <= MAX_TIME
}

impl World {
    /// Returns the time to use for a time from outside, without reporting an invalid one.
    pub(crate) fn valid_time(&self, now: f64) -> f64 {
        if is_valid_time(now) { now } else { self.gate.last_update() }
    }

    /// Returns the time to use for a time from outside. Reports an invalid one. Every public function that takes a time
    /// calls this or [`follow_clock`](Self::follow_clock) first; to call it again changes nothing.
    #[inline]
    pub(crate) fn accept_time(&mut self, now: f64) -> f64 {
        if is_valid_time(now) { now } else { self.reject_time() }
    }

    #[cold]
    fn reject_time(&mut self) -> f64 {
        let now = self.gate.last_update();
        self.emit(Guid::NONE, EventKind::Clock(ClockFault::Invalid), now);
        now
    }

    /// Prepares a tick: moves the world's times if the clock was set back. Returns `false` if the time is invalid.
    #[inline]
    pub(super) fn follow_clock(&mut self, now: f64) -> bool {
        if !is_valid_time(now) {
            self.reject_time();
            return false;
        }
        if now - self.gate.last_update() < -HUGE_QUANTUM {
            self.set_clock_back(now);
        }
        true
    }

    /// Moves every stored time, except those of the bodies' clocks, which follow by themselves (rule B3.4). A world that
    /// has never ticked has no clock that could have been set back.
    #[cold]
    fn set_clock_back(&mut self, now: f64) {
        if self.gate == PhysicsGate::default() {
            return;
        }
        let by = now - self.gate.last_update();
        self.gate.shift_times(by);
        self.waiting.shift_times(by);
        self.local.shift_times(by);
        if let Some(history) = &mut self.shown_history {
            history.shift_times(by);
        }
        if let Some(comfort) = &mut self.comfort {
            comfort.shift_times(by);
        }
        if let Some(learnt) = &mut self.learnt {
            learnt.shift_times(by);
        }
        for index in 0..self.store.len() {
            if let Some(resident) = self.store.at_mut(index) {
                resident.entity.shift_times(by);
            }
        }
        self.emit(Guid::NONE, EventKind::Clock(ClockFault::SetBack { seconds: -by }), now);
    }
}

impl Entity {
    /// Moves the stored times by a number of seconds, except the body's clock.
    fn shift_times(&mut self, by: f64) {
        self.body.shift_times(by);
        self.correction.shift_times(by);
        if let Some(order) = &mut self.move_to {
            order.shift_times(by);
        }
        if let Some(targets) = &mut self.targets {
            targets.shift_times(by);
        }
        if let Some(effects) = &mut self.effects {
            effects.shift_times(by);
        }
    }
}
