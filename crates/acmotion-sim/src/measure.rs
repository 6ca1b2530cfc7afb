//! How far from the truth entities are shown in other views.
//!
//! The truth about a player is its own client's world, about a creature the server's. What a view shows is compared with
//! the truth twice: with the truth at the same time, interpolated between two of its ticks, and with the truth one mean
//! message delay earlier. The first is the error that an onlooker of both screens sees, the second what remains of it if
//! the delay cannot be avoided.

use std::collections::VecDeque;

use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::{Event, EventKind, MotionEvent};
use rustc_hash::FxHashMap;

use crate::view::View;

/// The time, in seconds, for which true positions are kept: more than the largest mean delay, which is two links of 60 s.
const MAX_TRUTH_AGE: f64 = 130.0;
/// The maximum speed, in metres a second, at which true positions are interpolated. What is faster was placed.
const MAX_SPEED: f32 = 60.0;
/// The minimum length of a step, in metres, that counts as moving.
const MIN_STEP: f32 = 0.001;
/// The minimum length of a step, in metres, that can count as backward, so that rounding does not.
const MIN_BACKWARD_STEP: f32 = 0.01;

/// The maximum number of distances that a simulation keeps, for percentiles: 64 MiB. Beyond it only every second one of
/// each list is kept, then every fourth, and so on.
pub(crate) const MAX_KEPT: usize = 16 << 20;

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
    errors: Distances,
    delayed: Distances,
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
    pending: Pending,
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

/// Positions that were shown, in the order of time. There is rarely more than one, which needs no memory of its own.
#[derive(Clone, PartialEq, Debug, Default)]
struct Pending {
    first: Option<Shown>,
    /// Empty if there is no first.
    rest: VecDeque<Shown>,
}

impl Pending {
    fn push(&mut self, shown: Shown) {
        if self.first.is_none() {
            self.first = Some(shown);
        } else {
            self.rest.push_back(shown);
        }
    }

    /// Removes and returns the first position if it was shown by a time.
    fn take_until(&mut self, time: f64) -> Option<Shown> {
        let first = self.first.take_if(|shown| shown.time <= time)?;
        self.first = self.rest.pop_front();
        Some(first)
    }
}

/// Mean, 95th percentile and maximum of some distances, in metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The number of distances.
    pub count: usize,
    /// The mean.
    pub mean: f32,
    /// The 95th percentile, interpolated. It is exact for the first 16 million distances of a simulation; after that it
    /// is that of evenly spaced ones.
    pub p95: f32,
    /// The maximum.
    pub worst: f32,
}

/// Distances, of which every one or evenly spaced ones are kept.
#[derive(Clone, PartialEq, Debug, Default)]
struct Distances {
    count: usize,
    sum: f64,
    worst: f32,
    kept: Vec<f32>,
}

impl Distances {
    /// Adds a distance. Every `stride`-th is kept; returns `true` if this one is.
    fn push(&mut self, distance: f32, stride: usize) -> bool {
        let is_kept = self.count.is_multiple_of(stride);
        if is_kept {
            if self.kept.len() == self.kept.capacity() {
                // Less than doubling: there is a list for each pair of views, and together they take most of the memory.
                self.kept.reserve_exact((self.kept.len() / 4).max(16));
            }
            self.kept.push(distance);
        }
        self.count += 1;
        self.sum += f64::from(distance);
        self.worst = self.worst.max(distance);
        is_kept
    }

    /// Forgets every second one of those that are kept. Returns how many are left.
    fn thin(&mut self) -> usize {
        let mut index = 0;
        self.kept.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        self.kept.shrink_to_fit();
        self.kept.len()
    }

    fn spread(&self) -> Spread {
        let mut sorted = self.kept.clone();
        sorted.sort_by(f32::total_cmp);
        let Some(highest) = sorted.len().checked_sub(1) else { return Spread::default() };
        // In this order the sum does not depend on that of the ticks.
        let sum: f64 = sorted.iter().map(|value| f64::from(*value)).sum();
        let sum = if sorted.len() == self.count { sum } else { self.sum };
        let rank = highest as f64 * 0.95;
        let (below, above) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
        let p95 = below + (above - below) * rank.fract() as f32;
        Spread { count: self.count, mean: (sum / self.count as f64) as f32, p95, worst: self.worst }
    }
}

impl Accuracy {
    /// Returns the distances from the truth at the same time.
    pub fn error(&self) -> Spread {
        self.errors.spread()
    }

    /// Returns the distances from the truth one mean message delay earlier.
    pub fn delayed(&self) -> Spread {
        self.delayed.spread()
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

/// An entity: where it truly is, and how accurately each view shows it.
#[derive(Clone)]
struct Subject {
    guid: Guid,
    truth: Truth,
    /// Side by side, because one true position is compared with what all views have shown. In the order in which they
    /// first showed it.
    views: Vec<(View, Accuracy)>,
}

/// The index of an entity and, among its views, that of a view.
#[derive(Clone, Copy)]
struct Index {
    subject: usize,
    view: usize,
}

/// The accuracy of every entity in every view.
#[derive(Clone)]
pub(crate) struct Measures {
    /// The maximum number of distances that are kept.
    max_kept: usize,
    /// The number of distances that are kept.
    kept: usize,
    /// Of each list of distances every `stride`-th is kept.
    stride: usize,
    subjects: Vec<Subject>,
    subject_indices: FxHashMap<Guid, usize>,
    /// What each view shows, the server's first. A view is updated as a whole, so that its own list stays in the cache.
    shown: Vec<FxHashMap<Guid, Index>>,
    /// All pairs in the order in which they were first seen.
    order: Vec<Index>,
}

impl Measures {
    /// Creates empty measures that keep at most `max_kept` distances.
    pub(crate) fn new(max_kept: usize) -> Self {
        Self {
            max_kept,
            kept: 0,
            stride: 1,
            subjects: Vec::new(),
            subject_indices: FxHashMap::default(),
            shown: Vec::new(),
            order: Vec::new(),
        }
    }

    fn subject(&mut self, guid: Guid) -> usize {
        *self.subject_indices.entry(guid).or_insert_with(|| {
            self.subjects.push(Subject { guid, truth: Truth::default(), views: Vec::new() });
            self.subjects.len() - 1
        })
    }

    fn entry(&mut self, view: View, guid: Guid) -> &mut Accuracy {
        let number = number_of(view);
        if self.shown.len() <= number {
            self.shown.resize_with(number + 1, FxHashMap::default);
        }
        let known = self.shown[number].get(&guid).copied();
        let index = known.unwrap_or_else(|| {
            let subject = self.subject(guid);
            let views = &mut self.subjects[subject].views;
            let index = Index { subject, view: views.len() };
            views.push((view, Accuracy::default()));
            self.shown[number].insert(guid, index);
            self.order.push(index);
            index
        });
        &mut self.subjects[index.subject].views[index.view].1
    }

    /// Iterates over all pairs in the order in which they were first seen.
    pub(crate) fn list(&self) -> impl Iterator<Item = (View, Guid, &Accuracy)> {
        self.order.iter().map(|index| {
            let Subject { guid, views, .. } = &self.subjects[index.subject];
            let (view, accuracy) = &views[index.view];
            (*view, *guid, accuracy)
        })
    }

    pub(crate) fn get(&self, view: View, guid: Guid) -> Option<&Accuracy> {
        let index = self.shown.get(number_of(view))?.get(&guid)?;
        Some(&self.subjects[index.subject].views[index.view].1)
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
        accuracy.pending.push(Shown { time, position, delay });
        // Of an entity that its owner no longer has there is no truth to wait for.
        while accuracy.pending.take_until((time - MAX_TRUTH_AGE).next_down()).is_some() {}
    }

    /// Records where an entity truly is, and compares the positions that were waiting for it.
    pub(crate) fn record_truth(
        &mut self,
        guid: Guid,
        time: f64,
        position: CellPosition,
        mut on_measured: impl FnMut(&Measured),
    ) {
        let index = self.subject(guid);
        let Subject { truth, views, .. } = &mut self.subjects[index];
        truth.push(time, position);
        let latest = truth.latest().unwrap_or(time);
        for (view, accuracy) in views {
            while let Some(shown) = accuracy.pending.take_until(latest) {
                let Some(error) = truth.distance(shown.time, &shown.position) else { continue };
                let delayed = truth.distance(shown.time - shown.delay, &shown.position);
                self.kept += usize::from(accuracy.errors.push(error, self.stride));
                if let Some(delayed) = delayed {
                    self.kept += usize::from(accuracy.delayed.push(delayed, self.stride));
                }
                on_measured(&Measured { time: shown.time, view: *view, guid, error, delayed });
            }
        }
        if self.kept > self.max_kept {
            self.stride *= 2;
            let accuracies = self.subjects.iter_mut().flat_map(|subject| &mut subject.views);
            self.kept =
                accuracies.map(|(_, accuracy)| accuracy.errors.thin() + accuracy.delayed.thin()).sum();
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

/// Returns the number of a view: 0 for the server, then the clients.
fn number_of(view: View) -> usize {
    match view {
        View::Server => 0,
        View::Client(id) => id.0 + 1,
    }
}

#[cfg(test)]
mod tests {
    use acmotion::types::CellId;

    use super::*;
    use crate::view::ClientId;

    const GUID: Guid = Guid(0x5000_0001);
    const VIEW: View = View::Client(ClientId(1));

    fn at(x: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 0.0, 0.0))
    }

    /// Shows an entity that stands at 0 at the distances 0, 1, … 199 mm, in a scrambled order.
    fn measures(max_kept: usize) -> Measures {
        let mut measures = Measures::new(max_kept);
        for tick in 0..200_u16 {
            let time = f64::from(tick) / 30.0;
            measures.record_shown(VIEW, GUID, time, at(f32::from(tick * 77 % 200) / 1000.0), 0.0);
            measures.record_truth(GUID, time, at(0.0), |_| {});
        }
        measures
    }

    #[test]
    fn hostile_08_distances_beyond_the_limit_are_thinned_out() {
        let (all, few) = (measures(MAX_KEPT), measures(100));
        assert_eq!((all.stride, all.kept), (1, 400), "error and delayed error");
        assert!(few.stride >= 4 && few.kept <= 100, "{} of every {}", few.kept, few.stride);
        let [all, few] = [all, few].map(|measures| measures.get(VIEW, GUID).unwrap().error());
        assert_eq!((all.count, all.worst), (few.count, few.worst), "count and maximum stay exact");
        assert!((all.mean - few.mean).abs() < 1e-6, "{all:?} {few:?}");
        assert!((all.p95 - 0.189_05).abs() < 1e-6 && (all.p95 - few.p95).abs() < 0.02, "{all:?} {few:?}");
    }

    #[test]
    fn hostile_08_an_entity_without_truth_keeps_a_bounded_number_of_positions() {
        let mut measures = Measures::new(MAX_KEPT);
        for tick in 0..10_000 {
            measures.record_shown(VIEW, GUID, f64::from(tick) / 30.0, at(1.0), 0.0);
        }
        let waiting = 1 + measures.get(VIEW, GUID).unwrap().pending.rest.len();
        assert!((3_900..=3_901).contains(&waiting), "{waiting} positions of 130 s");
    }
}
