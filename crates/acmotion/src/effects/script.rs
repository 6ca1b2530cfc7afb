//! The physics scripts of one body (rule B4.8).

use std::sync::Arc;

#[cfg(feature = "serde")]
use crate::library::Library;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use acmotion_dat::{DataId, HookEffect, PhysicsScript};

/// The maximum number of scripts of one body, the running one included. Further ones are refused.
pub const MAX_SCRIPTS: usize = 64;
/// The maximum number of hooks that scripts of one body execute in one update; the rest follow in the next. Only a
/// script of zero length that calls itself needs more; the original never returns from one.
pub const MAX_SCRIPT_HOOKS: usize = 256;

/// A script that runs, or waits for the one before it to end.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ScriptData")]
pub struct RunningScript {
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_with::script_id"))]
    script: Arc<PhysicsScript>,
    start: f64,
    next: usize,
}

impl RunningScript {
    /// The id of the script, 0x33.
    pub fn id(&self) -> DataId {
        self.script.id
    }

    /// The time at which the script starts or started, in seconds.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The number of hooks executed so far.
    pub fn executed(&self) -> usize {
        self.next
    }

    /// The time at which the next script may start.
    fn end(&self) -> f64 {
        self.start + self.script.length()
    }
}

/// The scripts of one body, one after the other: a script starts when all hooks of the one before it are due.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ScriptManager")]
pub(super) struct ScriptQueue {
    list: Vec<RunningScript>,
}

impl ScriptQueue {
    pub(super) fn list(&self) -> &[RunningScript] {
        &self.list
    }

    /// Adds a script and returns its starting time: `now`, or the end of the last script in the queue. Returns `None`
    /// if the queue is full.
    #[doc(alias = "AddScriptInternal")]
    pub(super) fn add(&mut self, script: Arc<PhysicsScript>, now: f64) -> Option<f64> {
        if self.list.len() >= MAX_SCRIPTS {
            return None;
        }
        let start = self.list.last().map_or(now, RunningScript::end);
        if !script.hooks.is_empty() {
            self.list.push(RunningScript { script, start, next: 0 });
        }
        Some(start)
    }

    /// Returns the next effect that is due. After it has been executed, call [`advance`](Self::advance): a script that the
    /// effect calls is queued behind the one that called it.
    pub(super) fn due(&self, now: f64) -> Option<HookEffect> {
        let running = self.list.first()?;
        let entry = running.script.hooks.get(running.next)?;
        // A NaN time counts as due, or it would block the queue for ever.
        let is_later = running.start + entry.start > now;
        (!is_later).then_some(entry.hook.effect)
    }

    /// Moves on to the next hook; if there is none, to the next script.
    #[doc(alias = "NextHook")]
    pub(super) fn advance(&mut self) {
        let Some(running) = self.list.first_mut() else { return };
        running.next += 1;
        if running.next >= running.script.hooks.len() {
            self.list.remove(0);
        }
    }

    /// Moves the starting times by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.list.iter_mut().for_each(|script| script.start += by);
    }

    /// The heap memory of the list, in bytes. The scripts themselves are shared.
    pub(super) fn side_bytes(&self) -> usize {
        self.list.capacity() * size_of::<RunningScript>()
    }
}

#[cfg(feature = "serde")]
impl ScriptQueue {
    /// Finds the scripts of a queue that was read from a snapshot, and checks it.
    pub(super) fn resolve(&mut self, library: &Library) -> Checked {
        require(self.list.len() <= MAX_SCRIPTS, "too many scripts")?;
        for running in &mut self.list {
            let script = library.script(running.script.id).ok_or("a script that is not loaded")?;
            require(running.next < script.hooks.len(), "a script that is over")?;
            running.script = Arc::clone(script);
        }
        Ok(())
    }
}
