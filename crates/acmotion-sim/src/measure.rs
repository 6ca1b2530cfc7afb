//! How far from the truth entities are shown in other views.
//!
//! The truth about a player is its own client's world, about a creature the server's. What a view shows is compared with
//! the truth twice: with the truth at the same time, interpolated between two of its ticks, and with the truth one mean
//! message delay earlier. The first is the error that an onlooker of both screens sees, the second what remains of it if
//! the delay cannot be avoided.

mod distances;

use std::collections::VecDeque;

use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use acmotion::{Event, EventKind, MotionEvent};
use rustc_hash::FxHashMap;

use crate::due::take_due;
use crate::replay::percentile;
use crate::view::{ClientId, View};
use distances::{Distances, Pool};

/// The time, in seconds, for which true positions are kept: more than the largest mean delay, which is two links of 60 s.
const MAX_TRUTH_AGE: f64 = 130.0;
/// The maximum speed, in metres a second, at which true positions are interpolated. What is faster was placed.
pub(crate) const MAX_SPEED: f32 = 60.0;
/// The minimum length of a step, in metres, that counts as moving.
pub(crate) const MIN_STEP: f32 = 0.001;
/// The minimum length of a step, in metres, that can count as backward, so that rounding does not.
pub(crate) const MIN_BACKWARD_STEP: f32 = 0.01;

/// The maximum number of distances that a simulation keeps, for percentiles: about 34 MiB. Beyond it only every second one of
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

/// How accurately an entity was shown in a view so far.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy<'a> {
    /// The number of ticks in which it was shown moving.
    pub moving: u64,
    /// The number of these ticks in which it moved against the direction of the tick before.
    pub backward: u64,
    /// The number of snaps: placements because it had fallen too far behind (rules D7, I8).
    pub snaps: u64,
    /// The number of teleports that were shown.
    pub teleports: u64,
    compared: &'a Compared,
    pool: &'a Pool,
}

impl Accuracy<'_> {
    /// Returns the distances from the truth at the same time.
    pub fn error(&self) -> Spread {
        self.compared.errors.spread(self.pool)
    }

    /// Returns the distances from the truth one mean message delay earlier.
    pub fn delayed(&self) -> Spread {
        self.compared.delayed.spread(self.pool)
    }
}

/// Mean, 95th percentile and maximum of some distances, in metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The number of distances.
    pub count: usize,
    /// The mean.
    pub mean: f32,
    /// The 95th percentile, interpolated, to 0.05 %. After the first 16 million distances of a simulation it is that of
    /// evenly spaced ones.
    pub p95: f32,
    /// The maximum.
    pub worst: f32,
}

impl Spread {
    /// Returns the spread of some distances, in any order.
    pub(crate) fn of(mut distances: Vec<f32>) -> Self {
        distances.sort_unstable_by(f32::total_cmp);
        let Some(worst) = distances.last().copied() else { return Self::default() };
        let sum: f64 = distances.iter().map(|distance| f64::from(*distance)).sum();
        let count = distances.len();
        let p95 = percentile(&distances, 0.95).unwrap_or(worst);
        Self { count, mean: (sum / count as f64) as f32, p95, worst }
    }
}

/// A position without its rotation, which does not count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Place {
    cell: CellId,
    origin: Vec3,
}

impl Place {
    pub(crate) fn new(position: &CellPosition) -> Self {
        Self { cell: position.cell, origin: position.frame.origin }
    }

    /// Returns the offset to another place in metres.
    pub(crate) fn offset_to(&self, other: &Self) -> Vec3 {
        CellPosition::at(self.cell, self.origin).offset_to(&CellPosition::at(other.cell, other.origin))
    }

    /// Returns the place that is some metres away.
    pub(crate) fn moved(&self, by: Vec3) -> Self {
        Self { origin: self.origin + by, ..*self }
    }
}

/// A position that was shown and is compared as soon as the truth of that time is known.
#[derive(Clone, Copy, Debug)]
struct Shown {
    time: f64,
    delay: f64,
    place: Place,
    /// The index of the view among those of the entity.
    pair: u32,
}

/// How an entity moves in a view.
#[derive(Clone, Debug)]
struct Seen {
    guid: Guid,
    /// The index of the entity, and of the view among those of the entity.
    subject: u32,
    pair: u32,
    /// Where it was last shown, and the step to there; `None` before the first tick.
    last: Option<(Place, Vec3)>,
    /// Whether it was placed since the last tick, so that the next step is not motion.
    was_placed: bool,
    moving: u32,
    backward: u32,
    snaps: u32,
    teleports: u32,
}

impl Seen {
    /// Counts a step.
    fn step_to(&mut self, place: Place) {
        let step = self.last.map_or(Vec3::ZERO, |(last, _)| Vec3 { z: 0.0, ..last.offset_to(&place) });
        let before = self.last.map_or(Vec3::ZERO, |(_, step)| step);
        let was_placed = std::mem::take(&mut self.was_placed);
        if !was_placed && step.length() >= MIN_STEP {
            self.moving += 1;
            let is_long = step.length() > MIN_BACKWARD_STEP && before.length() > MIN_BACKWARD_STEP;
            self.backward += u32::from(is_long && step.dot(before) < 0.0);
        }
        self.last = Some((place, if was_placed { Vec3::ZERO } else { step }));
    }
}

/// The entities that a view shows. A view is updated as a whole, so they lie side by side.
#[derive(Clone, Default)]
struct Row {
    list: Vec<Seen>,
    indices: FxHashMap<Guid, u32>,
    /// The index after the last one that was asked for. A world lists its entities in the same order in each tick.
    next: usize,
}

impl Row {
    /// Returns the index of an entity; `None` if it is new.
    fn find(&mut self, guid: Guid) -> Option<usize> {
        let is_next = self.list.get(self.next).is_some_and(|seen| seen.guid == guid);
        let index = if is_next { self.next } else { *self.indices.get(&guid)? as usize };
        self.next = index + 1;
        Some(index)
    }
}

/// How far from the truth a view shows an entity.
#[derive(Clone, Debug, Default)]
struct Compared {
    /// The number of the view.
    view: usize,
    errors: Distances,
    delayed: Distances,
}

/// The true positions of an entity.
#[derive(Clone, Default)]
struct Truth {
    samples: VecDeque<(f64, Place)>,
}

impl Truth {
    fn push(&mut self, time: f64, place: Place) {
        self.samples.push_back((time, place));
        while self.samples.front().is_some_and(|(first, _)| *first < time - MAX_TRUTH_AGE) {
            self.samples.pop_front();
        }
    }

    fn latest(&self) -> Option<f64> {
        self.samples.back().map(|(time, _)| *time)
    }

    /// Returns the distance of a place from the truth at a time; `None` if the truth of that time is not known.
    fn distance(&self, time: f64, place: &Place) -> Option<f32> {
        let after = self.index_after(time);
        let (from, start) = self.samples.get(after.checked_sub(1)?)?;
        let mut offset = place.offset_to(start);
        if let Some((until, end)) = self.samples.get(after) {
            let step = start.offset_to(end);
            let passed = (until - from) as f32;
            if step.length() <= MAX_SPEED * passed {
                offset += step * ((time - from) as f32 / passed);
            }
        }
        Some(offset.length())
    }

    /// Returns the index of the first sample after a time. Most questions are about the last samples.
    fn index_after(&self, time: f64) -> usize {
        let count = self.samples.len();
        let (mut low, mut step) = (count, 1);
        while low > 0 && self.samples[low - 1].0 > time {
            low = low.saturating_sub(step);
            step *= 2;
        }
        let mut high = count.min(low + step);
        while low < high {
            let middle = low.midpoint(high);
            if self.samples[middle].0 <= time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// An entity: where it truly is, and how accurately each view shows it.
#[derive(Clone, Default)]
struct Subject {
    truth: Truth,
    /// What views have shown since the last true position, in the order of time.
    waiting: VecDeque<Shown>,
    /// In the order in which views first showed it. They lie side by side, because one true position is compared with what
    /// all of them have shown.
    pairs: Vec<Compared>,
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
    pool: Pool,
    subjects: Vec<Subject>,
    subject_indices: FxHashMap<Guid, usize>,
    /// What each view shows, the server's first.
    rows: Vec<Row>,
    /// The number of the view and the index in its row of all pairs, in the order in which they were first seen.
    order: Vec<(u32, u32)>,
}

impl Measures {
    /// Creates empty measures that keep at most `max_kept` distances.
    pub(crate) fn new(max_kept: usize) -> Self {
        Self {
            max_kept,
            kept: 0,
            stride: 1,
            pool: Pool::default(),
            subjects: Vec::new(),
            subject_indices: FxHashMap::default(),
            rows: Vec::new(),
            order: Vec::new(),
        }
    }

    fn subject(&mut self, guid: Guid) -> usize {
        *self.subject_indices.entry(guid).or_insert_with(|| {
            self.subjects.push(Subject::default());
            self.subjects.len() - 1
        })
    }

    fn entry(&mut self, view: View, guid: Guid) -> &mut Seen {
        let number = number_of(view);
        if self.rows.len() <= number {
            self.rows.resize_with(number + 1, Row::default);
        }
        let known = self.rows[number].find(guid);
        let index = known.unwrap_or_else(|| self.add(number, guid));
        &mut self.rows[number].list[index]
    }

    /// Adds an entity to the row of a view, and returns its index there.
    fn add(&mut self, number: usize, guid: Guid) -> usize {
        let subject = self.subject(guid);
        let pairs = &mut self.subjects[subject].pairs;
        let pair = pairs.len() as u32;
        pairs.push(Compared { view: number, ..Compared::default() });
        let row = &mut self.rows[number];
        let index = row.list.len();
        row.list.push(Seen {
            guid,
            subject: subject as u32,
            pair,
            last: None,
            was_placed: false,
            moving: 0,
            backward: 0,
            snaps: 0,
            teleports: 0,
        });
        row.indices.insert(guid, index as u32);
        self.order.push((number as u32, index as u32));
        index
    }

    fn accuracy(&self, seen: &Seen) -> Accuracy<'_> {
        Accuracy {
            moving: seen.moving.into(),
            backward: seen.backward.into(),
            snaps: seen.snaps.into(),
            teleports: seen.teleports.into(),
            compared: &self.subjects[seen.subject as usize].pairs[seen.pair as usize],
            pool: &self.pool,
        }
    }

    /// Iterates over all pairs in the order in which they were first seen.
    pub(crate) fn list(&self) -> impl Iterator<Item = (View, Guid, Accuracy<'_>)> {
        self.order.iter().map(|(number, index)| {
            let seen = &self.rows[*number as usize].list[*index as usize];
            (view_of(*number as usize), seen.guid, self.accuracy(seen))
        })
    }

    pub(crate) fn get(&self, view: View, guid: Guid) -> Option<Accuracy<'_>> {
        let row = self.rows.get(number_of(view))?;
        let index = row.indices.get(&guid)?;
        Some(self.accuracy(&row.list[*index as usize]))
    }

    /// Records where a view shows an entity; `delay` is the mean message delay, in seconds.
    pub(crate) fn record_shown(
        &mut self,
        view: View,
        guid: Guid,
        time: f64,
        position: &CellPosition,
        delay: f64,
    ) {
        let place = Place::new(position);
        let seen = self.entry(view, guid);
        seen.step_to(place);
        let (subject, pair) = (seen.subject as usize, seen.pair);
        let waiting = &mut self.subjects[subject].waiting;
        waiting.push_back(Shown { time, delay, place, pair });
        // Of an entity that its owner no longer has there is no truth to wait for.
        while waiting.front().is_some_and(|shown| shown.time < time - MAX_TRUTH_AGE) {
            waiting.pop_front();
        }
    }

    /// Records where an entity truly is, and compares the positions that were waiting for it.
    pub(crate) fn record_truth(
        &mut self,
        guid: Guid,
        time: f64,
        position: &CellPosition,
        mut on_measured: impl FnMut(&Measured),
    ) {
        let index = self.subject(guid);
        let Subject { truth, waiting, pairs } = &mut self.subjects[index];
        truth.push(time, Place::new(position));
        let latest = truth.latest().unwrap_or(time);
        while let Some(shown) = take_due(waiting, |shown| shown.time <= latest) {
            let Some(error) = truth.distance(shown.time, &shown.place) else { continue };
            let delayed = truth.distance(shown.time - shown.delay, &shown.place);
            let pair = &mut pairs[shown.pair as usize];
            self.kept += usize::from(pair.errors.push(&mut self.pool, error, self.stride));
            if let Some(delayed) = delayed {
                self.kept += usize::from(pair.delayed.push(&mut self.pool, delayed, self.stride));
            }
            on_measured(&Measured { time: shown.time, view: view_of(pair.view), guid, error, delayed });
        }
        if self.kept > self.max_kept {
            self.stride *= 2;
            let pool = &mut self.pool;
            let pairs = self.subjects.iter_mut().flat_map(|subject| &mut subject.pairs);
            self.kept = pairs.map(|pair| pair.errors.thin(pool) + pair.delayed.thin(pool)).sum();
        }
    }

    /// Counts snaps and teleports.
    pub(crate) fn on_event(&mut self, view: View, event: &Event) {
        let seen = match event.kind {
            EventKind::Motion(MotionEvent::Snapped { .. }) => {
                let seen = self.entry(view, event.guid);
                seen.snaps += 1;
                seen
            }
            EventKind::Motion(MotionEvent::Teleported { .. }) => {
                let seen = self.entry(view, event.guid);
                seen.teleports += 1;
                seen
            }
            EventKind::Created => self.entry(view, event.guid),
            _ => return,
        };
        seen.was_placed = true;
    }
}

/// Returns the number of a view: 0 for the server, then the clients.
fn number_of(view: View) -> usize {
    match view {
        View::Server => 0,
        View::Client(id) => id.0 + 1,
    }
}

/// Returns the view with a number.
fn view_of(number: usize) -> View {
    number.checked_sub(1).map_or(View::Server, |index| View::Client(ClientId(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let shown = at(f32::from(tick * 77 % 200) / 1000.0);
            measures.record_shown(VIEW, GUID, time, &shown, 0.0);
            measures.record_truth(GUID, time, &at(0.0), |_| {});
        }
        measures
    }

    #[test]
    fn hostile_08_distances_beyond_the_limit_are_thinned_out() {
        let (all, few) = (measures(MAX_KEPT), measures(100));
        assert_eq!((all.stride, all.kept), (1, 400), "error and delayed error");
        assert!(few.stride >= 4 && few.kept <= 100, "{} of every {}", few.kept, few.stride);
        let [all, few] = [&all, &few].map(|measures| measures.get(VIEW, GUID).unwrap().error());
        assert_eq!((all.count, all.worst), (few.count, few.worst), "count and maximum stay exact");
        assert!((all.mean - few.mean).abs() < 1e-6, "{all:?} {few:?}");
        assert!((all.p95 - 0.189_05).abs() < 1e-4 && (all.p95 - few.p95).abs() < 0.02, "{all:?} {few:?}");
    }

    #[test]
    fn hostile_08_an_entity_without_truth_keeps_a_bounded_number_of_positions() {
        let mut measures = Measures::new(MAX_KEPT);
        for tick in 0..10_000 {
            measures.record_shown(VIEW, GUID, f64::from(tick) / 30.0, &at(1.0), 0.0);
        }
        let waiting = measures.subjects[0].waiting.len();
        assert!((3_900..=3_901).contains(&waiting), "{waiting} positions of 130 s");
    }

    /// Views that show an entity at different rates, of which one begins late.
    #[test]
    fn views_are_told_apart() {
        let mut measures = Measures::new(MAX_KEPT);
        let views = [View::Server, VIEW, View::Client(ClientId(7))];
        let mut measured = Vec::new();
        for tick in 0..300_u16 {
            let time = f64::from(tick) / 30.0;
            for (index, view) in views.into_iter().enumerate() {
                let rate = index as u16 + 1;
                if tick.is_multiple_of(rate) && (index < 2 || tick >= 150) {
                    measures.record_shown(view, GUID, time, &at(f32::from(rate)), 0.1);
                    measures.record_shown(view, Guid(GUID.0 + u32::from(rate)), time, &at(9.0), 0.1);
                }
            }
            measures.record_truth(GUID, time, &at(0.0), |one| measured.push(*one));
        }
        for (view, (count, error)) in views.into_iter().zip([(300, 1.0), (150, 2.0), (50, 3.0)]) {
            let spread = measures.get(view, GUID).unwrap().error();
            assert_eq!((spread.count, spread.mean, spread.worst), (count, error, error), "{view:?}");
            let of_view = measured.iter().filter(|one| one.view == view);
            assert_eq!(of_view.clone().count(), count);
            assert!(of_view.clone().all(|one| one.error == error && one.guid == GUID));
        }
        let listed: Vec<_> = measures.list().map(|(view, guid, _)| (view, guid.0 - GUID.0)).collect();
        let [server, client, late] = views;
        assert_eq!(listed, [(server, 0), (server, 1), (client, 0), (client, 2), (late, 0), (late, 3)]);
    }

    #[test]
    fn the_truth_of_a_time_is_found() {
        let mut truth = Truth::default();
        for tick in 0..500_u16 {
            truth.push(f64::from(tick), Place::new(&at(f32::from(tick))));
        }
        for half in 0..1_002_u16 {
            let time = f64::from(half) / 2.0 - 0.5;
            let expected = truth.samples.partition_point(|(sample, _)| *sample <= time);
            assert_eq!(truth.index_after(time), expected, "{time}");
        }
    }
}
