//! What a replay counts.

use std::fmt;

use acmotion::wire::{DecodeError, Direction};

/// What a [`Replay`](super::Replay) counted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Totals {
    /// Messages that were handled, in both directions.
    pub messages: u64,
    /// Messages that could not be decoded.
    pub unreadable: u64,
    /// The first message that could not be decoded.
    pub first_unreadable: Option<Unreadable>,
    /// Messages that the engine did not apply, with an event that gives the reason (rules D1–D3).
    pub rejected: u64,
    /// Bodies that were placed where they should have been, because they had fallen too far behind (rules D7d, I8).
    pub snaps: u64,
    /// Bodies that were placed because of a newer teleport stamp or a missing cell (rule D7b).
    pub teleports: u64,
    /// Silences longer than [`MAX_SILENCE`](super::MAX_SILENCE), which were skipped.
    pub silences: u64,
    /// Pauses of more than half a minute that were skipped, because there had been more than
    /// [`MAX_PAUSES`](super::MAX_PAUSES) of them.
    pub skipped_pauses: u64,
    /// Gaps longer than [`MAX_GAP`](super::MAX_GAP), which were shortened to it.
    pub shortened_gaps: u64,
    /// Times that were not finite or went back, and were replaced by the time of the message before.
    pub clamped_times: u64,
    /// The time of the last tick, in seconds, if the replay stopped there because the capture takes too much
    /// [work](super#work).
    pub stopped: Option<f64>,
    /// Messages that were not handled because the replay had stopped.
    pub not_run: u64,
    /// The time of the first message, if it is beyond [`MAX_START`](super::MAX_START) and the clock started at 0 instead.
    pub shifted_start: Option<f64>,
}

/// A message that could not be decoded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unreadable {
    /// The number of the message in the capture, from 1, both directions counted.
    pub number: u64,
    /// The time at which it was handled, on the clock of the replay.
    pub time: f64,
    /// The direction in which it went.
    pub direction: Direction,
    /// Its length in bytes.
    pub len: usize,
    /// What is wrong with it.
    pub error: DecodeError,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, time, direction, len, error } = self;
        let bytes = if *len == 1 { "byte" } else { "bytes" };
        write!(f, "message {number} ({direction}, {len} {bytes}, at {time:.3} s): {error}")
    }
}

impl Totals {
    /// Returns a sentence for each problem with the capture: messages that could not be read or were not run, and times
    /// that were changed.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Some(first) = &self.first_unreadable {
            problems.push(match self.unreadable {
                1 => format!("1 message could not be read: {first}"),
                count => format!("{count} messages could not be read; the first is {first}"),
            });
        }
        if let Some(time) = self.stopped {
            let messages = if self.not_run == 1 { "message was" } else { "messages were" };
            problems.push(format!(
                "the replay stopped at {time:.3} s, because the capture lets many bodies run for long but has few \
                 messages; {} {messages} not run",
                self.not_run
            ));
        }
        if let Some(start) = self.shifted_start {
            problems.push(format!(
                "the first time is {start:e} s, too large to be exact: times are counted from the first message instead \
                 (is the unit milliseconds or microseconds?)"
            ));
        }
        for (count, one, many) in [
            (
                self.clamped_times,
                "time is not finite or goes back: the time of the message before is used instead",
                "times are not finite or go back: the time of the message before is used instead",
            ),
            (
                self.silences,
                "silence of more than ten minutes was skipped",
                "silences of more than ten minutes were skipped",
            ),
            (
                self.skipped_pauses,
                "pause of more than half a minute was skipped: there had been an hour of them",
                "pauses of more than half a minute were skipped: there had been an hour of them",
            ),
            (
                self.shortened_gaps,
                "gap of more than an hour was shortened to an hour",
                "gaps of more than an hour were shortened to an hour",
            ),
        ] {
            match count {
                0 => {}
                1 => problems.push(format!("1 {one}")),
                _ => problems.push(format!("{count} {many}")),
            }
        }
        problems
    }
}
