//! How far from the truth entities are shown in other views.
//!
//! The truth about a player is its own client's world, about a creature the server's. What a view shows is compared with
//! the truth twice: with the truth at the same time, interpolated between two of its ticks, and with the truth one mean
//! message delay earlier. The first is the error that an onlooker of both screens sees, the second what remains of it if
//! the delay cannot be avoided.

use std::collections::{HashMap, VecDeque};

use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::{Event, EventKind, MotionEvent};

use crate::due::take_due;
use crate::view::View;

/// The time, in seconds, for which true positions are kept: more than the largest mean delay, which is two links of 60 s.
const MAX_TRUTH_AGE: f64 = 130.0;
/// The maximum speed, in metres a second, at which true positions are interpolated. What is faster was placed.
const MAX_SPEED: f32 = 60.0;
/// The minimum length of a step, in metres, that counts as moving.
const MIN_STEP: f32 = 0.001;
/// The minimum length of a step, in metres, that can count as backward, so that rounding does not.
const MIN_BACKWARD_STEP: f32 = 0.01;

/// The distance from the truth at which an entity was shown at one time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The time at which it was shown, in seconds.
    pub time: f64,
    /// The view that showed it.
    pub view: View,
    /// The entity.
    pub guid: Guid,
    /// The distance, in metres, from the truth at that time.
    pub error: f32,
    /// The distance, in metres, from the truth one mean message delay earlier; `None` if there was none yet.
    pub delayed: Option<f32>,
}

/// How accurately an entity was shown in a view, over the whole time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Accuracy {
    errors: Vec<f32>,
    delayed: Vec<f32>,
    /// The number of ticks in which it was shown moving.
    pub moving: u64,
    /// The number of these ticks in which it moved against the direction of the tick before.
    pub backward: u64,
    /// The number of snaps: placements because it had fallen too far behind (rules D7, I8).
    pub snaps: u64,
    /// The number of teleports that were shown.
    pub teleports: u64,
    last: Option<Last>,
    /// Whether it was placed since the last tick, so that the next step is not motion.
    was_placed: bool,
    pending: VecDeque<Shown>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Last {
    position: CellPosition,
    step: Vec3,
}

/// A position that was shown and is compared as soon as the truth of that time is known.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shown {
    time: f64,
    position: CellPosition,
    delay: f64,
}

/// Mean, 95th percentile and maximum of some distances, in metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The number of distances.
    pub count: usize,
    /// The mean.
    pub mean: f32,
    /// The 95th percentile, interpolated.
    pub p95: f32,
    /// The maximum.
    pub worst: f32,
}

impl Spread {
    fn of(values: &[f32]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f32::total_cmp);
        let Some(worst) = sorted.last().copied() else { return Self::default() };
        let sum: f64 = sorted.iter().map(|value| f64::from(*value)).sum();
        let rank = (sorted.len() - 1) as f64 * 0.95;
        let (below, above) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
        let p95 = below + (above - below) * rank.fract() as f32;
        Self { count: sorted.len(), mean: (sum / sorted.len() as f64) as f32, p95, worst }
    }
}

impl Accuracy {
    /// Returns the distances from the truth at the same time.
    pub fn error(&self) -> Spread {
        Spread::of(&self.errors)
    }

    /// Returns the distances from the truth one mean message delay earlier.
    pub fn delayed(&self) -> Spread {
        Spread::of(&self.delayed)
    }

    /// Counts a step to `position`.
    fn step_to(&mut self, position: CellPosition) {
        let step = self.last.map_or(Vec3::ZERO, |last| Vec3 { z: 0.0, ..last.position.offset_to(&position) });
        let before = self.last.map_or(Vec3::ZERO, |last| last.step);
        let was_placed = std::mem::take(&mut self.was_placed);
        if !was_placed && step.length() >= MIN_STEP {
            self.moving += 1;
            let is_long = step.length() > MIN_BACKWARD_STEP && before.length() > MIN_BACKWARD_STEP;
            self.backward += u64::from(is_long && step.dot(before) < 0.0);
        }
        self.last = Some(Last { position, step: if was_placed { Vec3::ZERO } else { step } });
    }
}

/// The true positions of an entity.
#[derive(Clone, Default)]
struct Truth {
    samples: VecDeque<(f64, CellPosition)>,
}

impl Truth {
    fn push(&mut self, time: f64, position: CellPosition) {
        self.samples.push_back((time, position));
        while self.samples.front().is_some_and(|(first, _)| *first < time - MAX_TRUTH_AGE) {
            self.samples.pop_front();
        }
    }

    fn latest(&self) -> Option<f64> {
        self.samples.back().map(|(time, _)| *time)
    }

    /// Returns the distance of `position` from the truth at a time; `None` if the truth of that time is not known.
    fn distance(&self, time: f64, position: &CellPosition) -> Option<f32> {
        let after = self.samples.partition_point(|(sample, _)| *sample <= time);
        let (from, start) = self.samples.get(after.checked_sub(1)?)?;
        let mut offset = position.offset_to(start);
        if let Some((until, end)) = self.samples.get(after) {
            let step = start.offset_to(end);
            let passed = (until - from) as f32;
            if step.length() <= MAX_SPEED * passed {
                offset += step * ((time - from) as f32 / passed);
            }
        }
        Some(offset.length())
    }
}

/// The accuracy of every entity in every view.
#[derive(Clone, Default)]
pub(crate) struct Measures {
    truths: HashMap<Guid, Truth>,
    /// In the order in which they were first seen.
    list: Vec<((View, Guid), Accuracy)>,
    indices: HashMap<(View, Guid), usize>,
}

impl Measures {
    fn entry(&mut self, view: View, guid: Guid) -> &mut Accuracy {
        let next = self.list.len();
        let index = *self.indices.entry((view, guid)).or_insert(next);
        if index == next {
            self.list.push(((view, guid), Accuracy::default()));
        }
        &mut self.list[index].1
    }

    pub(crate) fn list(&self) -> &[((View, Guid), Accuracy)] {
        &self.list
    }

    pub(crate) fn get(&self, view: View, guid: Guid) -> Option<&Accuracy> {
        self.indices.get(&(view, guid)).map(|index| &self.list[*index].1)
    }

    /// Records where a view shows an entity; `delay` is the mean message delay, in seconds.
    pub(crate) fn record_shown(
        &mut self,
        view: View,
        guid: Guid,
        time: f64,
        position: CellPosition,
        delay: f64,
    ) {
        let accuracy = self.entry(view, guid);
        accuracy.step_to(position);
        accuracy.pending.push_back(Shown { time, position, delay });
    }

    /// Records where an entity truly is, and compares the positions that were waiting for it.
    pub(crate) fn record_truth(
        &mut self,
        guid: Guid,
        time: f64,
        position: CellPosition,
        mut on_measured: impl FnMut(&Measured),
    ) {
        let truth = self.truths.entry(guid).or_default();
        truth.push(time, position);
        let latest = truth.latest().unwrap_or(time);
        for ((view, shown_guid), accuracy) in &mut self.list {
            if *shown_guid != guid {
                continue;
            }
            while let Some(shown) = take_due(&mut accuracy.pending, |shown| shown.time <= latest) {
                let Some(error) = truth.distance(shown.time, &shown.position) else { continue };
                let delayed = truth.distance(shown.time - shown.delay, &shown.position);
                accuracy.errors.push(error);
                accuracy.delayed.extend(delayed);
                on_measured(&Measured { time: shown.time, view: *view, guid, error, delayed });
            }
        }
    }

    /// Counts snaps and teleports.
    pub(crate) fn on_event(&mut self, view: View, event: &Event) {
        let accuracy = match event.kind {
            EventKind::Motion(MotionEvent::Snapped { .. }) => {
                let accuracy = self.entry(view, event.guid);
                accuracy.snaps += 1;
                accuracy
            }
            EventKind::Motion(MotionEvent::Teleported { .. }) => {
                let accuracy = self.entry(view, event.guid);
                accuracy.teleports += 1;
                accuracy
            }
            EventKind::Created => self.entry(view, event.guid),
            _ => return,
        };
        accuracy.was_placed = true;
    }
}
