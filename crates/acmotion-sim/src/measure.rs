//! How far off everybody is shown to everybody else.
//!
//! The truth about a player is his own client, about a creature the server. What a view shows is compared with where the
//! truth was at the same time, between two of its ticks if need be, and with where it was as long ago as the messages
//! take on average: the first is what a bystander with eyes in both rooms would see, the second is what is left of it
//! when the way cannot be helped.

use std::collections::{HashMap, VecDeque};

use acmotion::entity::MotionEvent;
use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::world::{Event, EventKind};

use crate::due::take_due;
use crate::view::View;

/// How long the truth is remembered, in seconds.
const MEMORY: f64 = 130.0;
/// Faster than this nobody moves but by being put somewhere, in metres a second.
const FASTEST: f32 = 60.0;
/// Steps below this are standing still, in metres.
const STILL: f32 = 0.001;
/// A step counts as backward from this length on, so that rounding does not.
const BACKWARD: f32 = 0.01;

/// How far off somebody was shown at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// When, in seconds.
    pub time: f64,
    /// In whose view.
    pub view: View,
    /// Who.
    pub guid: Guid,
    /// Metres from the truth at that time.
    pub error: f32,
    /// Metres from the truth as long ago as messages take; none before there was one.
    pub delayed: Option<f32>,
}

/// How well somebody was shown in a view, over the whole time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Accuracy {
    errors: Vec<f32>,
    delayed: Vec<f32>,
    /// Ticks in which he was shown moving.
    pub moving: u64,
    /// Ticks of these in which he was shown moving against the tick before.
    pub backward: u64,
    /// How often he was put where he should have been (rules D7, I8).
    pub snaps: u64,
    /// How often a teleport was shown.
    pub teleports: u64,
    last: Option<Last>,
    was_put: bool,
    waiting: VecDeque<Waiting>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Last {
    place: CellPosition,
    step: Vec3,
}

/// Shown so, and to be compared when the truth of that time is known.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Waiting {
    time: f64,
    place: CellPosition,
    delay: f64,
}

/// Mean, 95th percentile and worst of some distances, in metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// How many there were.
    pub count: usize,
    /// Their mean.
    pub mean: f32,
    /// 95 of a hundred are below this.
    pub p95: f32,
    /// The largest.
    pub worst: f32,
}

impl Spread {
    fn of(values: &[f32]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f32::total_cmp);
        let Some(worst) = sorted.last().copied() else { return Self::default() };
        let sum: f64 = sorted.iter().map(|value| f64::from(*value)).sum();
        let place = (sorted.len() - 1) as f64 * 0.95;
        let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        let p95 = below + (above - below) * place.fract() as f32;
        Self { count: sorted.len(), mean: (sum / sorted.len() as f64) as f32, p95, worst }
    }
}

impl Accuracy {
    /// How far off he was shown from the truth at the same time.
    pub fn error(&self) -> Spread {
        Spread::of(&self.errors)
    }

    /// How far off he was shown from the truth as long ago as messages take.
    pub fn delayed(&self) -> Spread {
        Spread::of(&self.delayed)
    }

    /// He is shown there: did he go back?
    fn shown(&mut self, place: CellPosition) {
        let step = self.last.map_or(Vec3::ZERO, |last| Vec3 { z: 0.0, ..last.place.offset_to(&place) });
        let before = self.last.map_or(Vec3::ZERO, |last| last.step);
        let was_put = std::mem::take(&mut self.was_put);
        if !was_put && step.length() >= STILL {
            self.moving += 1;
            let is_long = step.length() > BACKWARD && before.length() > BACKWARD;
            self.backward += u64::from(is_long && step.dot(before) < 0.0);
        }
        self.last = Some(Last { place, step: if was_put { Vec3::ZERO } else { step } });
    }
}

/// Where somebody really was.
#[derive(Default)]
struct Truth {
    samples: VecDeque<(f64, CellPosition)>,
}

impl Truth {
    fn push(&mut self, time: f64, place: CellPosition) {
        self.samples.push_back((time, place));
        while self.samples.front().is_some_and(|(first, _)| *first < time - MEMORY) {
            self.samples.pop_front();
        }
    }

    fn latest(&self) -> Option<f64> {
        self.samples.back().map(|(time, _)| *time)
    }

    /// How far a place is from where he was at a time.
    fn distance(&self, time: f64, place: &CellPosition) -> Option<f32> {
        let after = self.samples.partition_point(|(sample, _)| *sample <= time);
        let (from, start) = self.samples.get(after.checked_sub(1)?)?;
        let mut offset = place.offset_to(start);
        if let Some((until, end)) = self.samples.get(after) {
            let step = start.offset_to(end);
            let passed = (until - from) as f32;
            if step.length() <= FASTEST * passed {
                offset += step * ((time - from) as f32 / passed);
            }
        }
        Some(offset.length())
    }
}

/// How far off everybody is shown to everybody else.
#[derive(Default)]
pub(crate) struct Measures {
    truths: HashMap<Guid, Truth>,
    /// In the order in which they were first seen.
    list: Vec<((View, Guid), Accuracy)>,
    places: HashMap<(View, Guid), usize>,
}

impl Measures {
    fn of(&mut self, view: View, guid: Guid) -> &mut Accuracy {
        let next = self.list.len();
        let place = *self.places.entry((view, guid)).or_insert(next);
        if place == next {
            self.list.push(((view, guid), Accuracy::default()));
        }
        &mut self.list[place].1
    }

    pub(crate) fn list(&self) -> &[((View, Guid), Accuracy)] {
        &self.list
    }

    pub(crate) fn get(&self, view: View, guid: Guid) -> Option<&Accuracy> {
        self.places.get(&(view, guid)).map(|place| &self.list[*place].1)
    }

    /// He is shown there.
    pub(crate) fn shown(&mut self, view: View, guid: Guid, time: f64, place: CellPosition, delay: f64) {
        let accuracy = self.of(view, guid);
        accuracy.shown(place);
        accuracy.waiting.push_back(Waiting { time, place, delay });
    }

    /// He is there. What waited for that is compared.
    pub(crate) fn is_there(
        &mut self,
        guid: Guid,
        time: f64,
        place: CellPosition,
        mut tell: impl FnMut(&Measured),
    ) {
        let truth = self.truths.entry(guid).or_default();
        truth.push(time, place);
        let latest = truth.latest().unwrap_or(time);
        for ((view, who), accuracy) in &mut self.list {
            if *who != guid {
                continue;
            }
            while let Some(shown) = take_due(&mut accuracy.waiting, |shown| shown.time <= latest) {
                let Some(error) = truth.distance(shown.time, &shown.place) else { continue };
                let delayed = truth.distance(shown.time - shown.delay, &shown.place);
                accuracy.errors.push(error);
                accuracy.delayed.extend(delayed);
                tell(&Measured { time: shown.time, view: *view, guid, error, delayed });
            }
        }
    }

    /// Something happened to him in a view.
    pub(crate) fn happened(&mut self, view: View, event: &Event) {
        let accuracy = match event.kind {
            EventKind::Motion(MotionEvent::Snapped { .. }) => {
                let accuracy = self.of(view, event.guid);
                accuracy.snaps += 1;
                accuracy
            }
            EventKind::Motion(MotionEvent::Teleported { .. }) => {
                let accuracy = self.of(view, event.guid);
                accuracy.teleports += 1;
                accuracy
            }
            EventKind::Created => self.of(view, event.guid),
            _ => return,
        };
        accuracy.was_put = true;
    }
}
