//! A walk at earlier ticks, and the commands since, so that it can continue from any tick that is kept.

use std::collections::VecDeque;

use super::moment::Moment;
use crate::protocol::Command;

/// The minimum number of ticks between two checkpoints: a second.
pub(super) const MIN_INTERVAL: usize = 30;

/// What the checkpoints of a walk may take.
#[derive(Clone, Copy)]
pub(super) struct CheckpointLimits {
    /// The maximum number of bodies in all checkpoints, counted in every world.
    pub(super) bodies: usize,
    /// The number of ticks that the checkpoints should reach back. With many bodies they are farther apart.
    pub(super) reach: usize,
    /// The maximum number of commands that are kept. Checkpoints before the oldest of them are dropped.
    pub(super) commands: usize,
}

impl Default for CheckpointLimits {
    /// As long as the ticks of a walk are kept, and at most about 100 MB: a body takes less than 4 kB.
    fn default() -> Self {
        Self { bodies: 24_000, reach: 120 * 30, commands: 20_000 }
    }
}

/// A walk at an earlier tick.
struct Checkpoint {
    moment: Moment,
    /// The number of the first message after the tick.
    messages_end: u64,
    bodies: usize,
}

/// Where a walk goes on after it was rewound.
pub(super) struct Rewound {
    /// The walk at the newest checkpoint that is left.
    pub(super) moment: Moment,
    /// The number of the first message after that checkpoint.
    pub(super) messages_end: u64,
    /// The commands from there on, each with the number of the last tick before it.
    pub(super) commands: Vec<(u32, Command)>,
}

/// Checkpoints in the order of their ticks, and the commands since the oldest one.
#[derive(Default)]
pub(super) struct Checkpoints {
    list: VecDeque<Checkpoint>,
    /// Each with the number of the last tick before it.
    commands: VecDeque<(u32, Command)>,
    limits: CheckpointLimits,
}

impl Checkpoints {
    #[cfg(test)]
    pub(super) fn new(limits: CheckpointLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Keeps a moment if it is time for another checkpoint. Ticks before `first_tick` are not needed any more.
    pub(super) fn update(&mut self, moment: &Moment, messages_end: u64, first_tick: u32) {
        while self.list.get(1).is_some_and(|second| second.moment.tick() <= first_tick) {
            self.drop_oldest();
        }
        let passed =
            self.list.back().map(|newest| moment.tick().saturating_sub(newest.moment.tick()) as usize);
        if passed.is_some_and(|passed| passed < MIN_INTERVAL) {
            return;
        }
        let bodies = moment.body_count();
        if passed.is_some_and(|passed| passed < self.interval(bodies)) {
            return;
        }
        self.list.push_back(Checkpoint { moment: moment.clone(), messages_end, bodies });
        while self.list.len() > 1 && self.body_count() > self.limits.bodies {
            self.drop_oldest();
        }
    }

    /// Returns the number of ticks between two checkpoints of a walk with this many bodies.
    fn interval(&self, bodies: usize) -> usize {
        (bodies * self.limits.reach / self.limits.bodies).max(MIN_INTERVAL)
    }

    #[cfg(test)]
    pub(super) fn ticks(&self) -> Vec<u32> {
        self.list.iter().map(|checkpoint| checkpoint.moment.tick()).collect()
    }

    #[cfg(test)]
    pub(super) fn command_count(&self) -> usize {
        self.commands.len()
    }

    /// Returns the number of bodies in all checkpoints.
    pub(super) fn body_count(&self) -> usize {
        self.list.iter().map(|checkpoint| checkpoint.bodies).sum()
    }

    fn drop_oldest(&mut self) {
        self.list.pop_front();
        match self.list.front().map(|oldest| oldest.moment.tick()) {
            Some(oldest) => {
                let unneeded = self.commands.partition_point(|(tick, _)| *tick < oldest);
                self.commands.drain(..unneeded);
            }
            None => self.commands.clear(),
        }
    }

    /// Keeps a command that was carried out after a tick.
    pub(super) fn add_command(&mut self, tick: u32, command: &Command) {
        if self.list.is_empty() {
            return;
        }
        self.commands.push_back((tick, command.clone()));
        while self.commands.len() > self.limits.commands {
            self.drop_oldest();
        }
    }

    /// Drops everything after a tick. Returns the newest checkpoint that is left and the commands from there to the tick;
    /// `None`, and drops nothing, if all checkpoints are newer.
    pub(super) fn rewind(&mut self, tick: u32) -> Option<Rewound> {
        let kept = self.list.partition_point(|checkpoint| checkpoint.moment.tick() <= tick);
        let checkpoint = self.list.get(kept.checked_sub(1)?)?;
        let (moment, messages_end) = (checkpoint.moment.clone(), checkpoint.messages_end);
        self.list.truncate(kept);
        self.commands.truncate(self.commands.partition_point(|(given, _)| *given < tick));
        let first = self.commands.partition_point(|(given, _)| *given < moment.tick());
        let commands = self.commands.iter().skip(first).cloned().collect();
        Some(Rewound { moment, messages_end, commands })
    }
}
