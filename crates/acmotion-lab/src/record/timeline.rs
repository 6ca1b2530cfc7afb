//! The timeline: ticks in order, as many as the limits allow.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{BodyKey, EntityList, EventRecord, MessageHistory, MessageRecord, ReportHistory, Tick};
use crate::values::Origin;

/// A timeline that one thread writes and others read.
pub(crate) type SharedTimeline = Arc<RwLock<Timeline>>;

/// Locks a timeline for reading. A writer that panicked has at worst left out a tick.
pub(crate) fn read(timeline: &SharedTimeline) -> RwLockReadGuard<'_, Timeline> {
    timeline.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a timeline for writing.
pub(crate) fn write(timeline: &SharedTimeline) -> RwLockWriteGuard<'_, Timeline> {
    timeline.write().unwrap_or_else(PoisonError::into_inner)
}

/// The capacity of a timeline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limits {
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
    /// Whether a full timeline drops every second tick instead of the oldest ones.
    pub(crate) thins: bool,
}

/// The ticks, messages and entities of a run.
#[derive(Debug)]
pub(crate) struct Timeline {
    ticks: VecDeque<Arc<Tick>>,
    bytes: usize,
    limits: Limits,
    keeps_every: u32,
    /// Of ticks with events, only those are kept whose number is a multiple of this.
    keeps_every_with_events: u32,
    pub(crate) messages: MessageHistory,
    pub(crate) entities: EntityList,
    pub(crate) reports: ReportHistory,
    pub(crate) origin: Origin,
    /// The time of the recording's own clock at which the timeline's 0 lies, in seconds.
    pub(crate) clock_start: f64,
    /// Whether no more ticks will follow.
    pub(crate) has_ended: bool,
}

/// How far from a time [`Timeline::nearest`] looks for a tick, in seconds: two ticks.
const NEAREST_SECONDS: f64 = 2.0 / 30.0;
/// The value of [`Timeline::keeps_every`] from which on ticks with events are thinned, too.
const MAX_THINNING: u32 = 1 << 12;

impl Timeline {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            ticks: VecDeque::new(),
            bytes: 0,
            limits,
            keeps_every: 1,
            keeps_every_with_events: 1,
            messages: MessageHistory::default(),
            entities: EntityList::default(),
            reports: ReportHistory::default(),
            origin: Origin::default(),
            clock_start: 0.0,
            has_ended: false,
        }
    }

    /// Appends a tick. In a thinned timeline, most ticks without events are dropped, and many with events if they alone
    /// take more memory than is allowed.
    pub(crate) fn push(&mut self, tick: Tick) {
        if !self.keeps(&tick) {
            return;
        }
        self.bytes += tick.size();
        let newest = tick.t;
        self.ticks.push_back(Arc::new(tick));
        if self.limits.thins {
            while self.bytes > self.limits.bytes && self.keeps_every < 1 << 31 {
                self.thin();
            }
            return;
        }
        while self
            .ticks
            .front()
            .is_some_and(|oldest| self.bytes > self.limits.bytes || newest - oldest.t > self.limits.seconds)
        {
            self.bytes -= self.ticks.pop_front().map_or(0, |oldest| oldest.size());
        }
    }

    fn keeps(&self, tick: &Tick) -> bool {
        let every = if tick.events.is_empty() { self.keeps_every } else { self.keeps_every_with_events };
        tick.number.is_multiple_of(every)
    }

    /// Drops every second tick that has no events; if few are left, every second tick that has.
    fn thin(&mut self) {
        if self.keeps_every < MAX_THINNING {
            self.keeps_every *= 2;
        } else {
            self.keeps_every_with_events *= 2;
            self.keeps_every = self.keeps_every.max(self.keeps_every_with_events);
        }
        let mut ticks = std::mem::take(&mut self.ticks);
        ticks.retain(|tick| self.keeps(tick));
        self.ticks = ticks;
        self.bytes = self.ticks.iter().map(|tick| tick.size()).sum();
    }

    /// Drops the ticks after a number, and the messages from `messages_end` on.
    pub(crate) fn truncate(&mut self, number: u32, messages_end: u64) {
        let kept = self.ticks.partition_point(|tick| tick.number <= number);
        self.bytes -= self.ticks.drain(kept..).map(|tick| tick.size()).sum::<usize>();
        self.messages.truncate(messages_end);
    }

    /// Returns n if only every n-th tick without events is kept.
    pub(crate) fn keeps_every(&self) -> u32 {
        self.keeps_every
    }

    pub(crate) fn len(&self) -> usize {
        self.ticks.len()
    }

    pub(crate) fn first(&self) -> Option<&Arc<Tick>> {
        self.ticks.front()
    }

    pub(crate) fn last(&self) -> Option<&Arc<Tick>> {
        self.ticks.back()
    }

    /// Returns the times of the first and the last tick, 0 if there is none.
    pub(crate) fn span(&self) -> (f64, f64) {
        let time = |tick: Option<&Arc<Tick>>| tick.map_or(0.0, |tick| tick.t);
        (time(self.first()), time(self.last()))
    }

    /// Returns the tick with a number or the last one before it; the first tick if there is none.
    pub(crate) fn at_number(&self, number: u32) -> Option<&Arc<Tick>> {
        let end = self.ticks.partition_point(|tick| tick.number <= number);
        self.ticks.get(end.saturating_sub(1))
    }

    /// Returns the tick at a time or the last one before it; the first tick if there is none.
    pub(crate) fn at_time(&self, t: f64) -> Option<&Arc<Tick>> {
        let end = self.ticks.partition_point(|tick| tick.t <= t);
        self.ticks.get(end.saturating_sub(1))
    }

    /// Returns the tick nearest to a time, if one is less than two ticks away.
    pub(crate) fn nearest(&self, t: f64) -> Option<&Arc<Tick>> {
        let after = self.ticks.partition_point(|tick| tick.t <= t);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let nearest = around.filter_map(|index| self.ticks.get(index));
        let reach = NEAREST_SECONDS * f64::from(self.keeps_every);
        let distance = |tick: &Arc<Tick>| (tick.t - t).abs();
        nearest.filter(|tick| distance(tick) < reach).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Returns the tick `steps` after the one with a number, or before it if negative, and how many steps lead past the
    /// last tick.
    pub(crate) fn step(&self, number: u32, steps: i64) -> Option<(&Arc<Tick>, i64)> {
        let index = self.ticks.partition_point(|tick| tick.number <= number).saturating_sub(1);
        let wanted = (index as i64).saturating_add(steps);
        let last = self.ticks.len() as i64 - 1;
        let found = self.ticks.get(usize::try_from(wanted.clamp(0, last.max(0))).ok()?)?;
        Some((found, (wanted - last).max(0)))
    }

    /// Iterates over the ticks between two times, inclusive.
    pub(crate) fn between(&self, from: f64, to: f64) -> impl Iterator<Item = &Arc<Tick>> {
        let start = self.ticks.partition_point(|tick| tick.t < from);
        let end = self.ticks.partition_point(|tick| tick.t <= to);
        self.ticks.range(start..end.max(start))
    }

    /// Iterates over all events.
    pub(crate) fn events(&self) -> impl Iterator<Item = &EventRecord> {
        self.ticks.iter().flat_map(|tick| tick.events.iter())
    }

    /// Iterates over the ticks after a number.
    pub(crate) fn after(&self, number: u32) -> impl Iterator<Item = &Arc<Tick>> {
        self.ticks.range(self.ticks.partition_point(|tick| tick.number <= number)..)
    }

    /// Iterates over the ticks before a number, newest first.
    pub(crate) fn before(&self, number: u32) -> impl Iterator<Item = &Arc<Tick>> {
        self.ticks.range(..self.ticks.partition_point(|tick| tick.number < number)).rev()
    }

    /// Iterates over the messages of a tick: those since the tick before.
    pub(crate) fn messages_of(&self, tick: &Tick) -> impl Iterator<Item = (u64, &MessageRecord)> {
        let before = tick.number.checked_sub(1).and_then(|number| self.at_number(number));
        let start =
            before.filter(|before| before.number < tick.number).map_or(0, |before| before.messages_end);
        let count = tick.messages_end.saturating_sub(start);
        self.messages.since(start).take_while(move |(number, _)| *number < start + count)
    }

    /// Returns `true` if the body was present in any tick, including ticks that were dropped.
    pub(crate) fn knows(&self, key: BodyKey) -> bool {
        self.entities.knows(key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::EventRecord;
    use super::*;
    use crate::protocol::{EventDetail, HexId};

    const SMALL: Limits = Limits { seconds: 10.0, bytes: 1 << 20, thins: false };

    fn filled(limits: Limits, ticks: u32) -> Timeline {
        let mut timeline = Timeline::new(limits);
        (0..ticks).for_each(|number| timeline.push(Tick { number, t: f64::from(number), ..Tick::default() }));
        timeline
    }

    fn numbers<'a>(ticks: impl Iterator<Item = &'a Arc<Tick>>) -> Vec<u32> {
        ticks.map(|tick| tick.number).collect()
    }

    #[test]
    fn a_full_timeline_drops_its_oldest_ticks() {
        let timeline = filled(SMALL, 100);
        assert_eq!((timeline.len(), timeline.first().unwrap().number), (11, 89));
        assert_eq!(timeline.at_number(3).unwrap().number, 89, "the first tick if none is older");
        assert_eq!(timeline.at_time(95.5).unwrap().number, 95);
        let nearest = |t: f64| timeline.nearest(t).map(|tick| tick.number);
        assert_eq!(
            [95.05, 95.96, 95.5, 88.99, 99.2].map(nearest),
            [Some(95), Some(96), None, Some(89), None]
        );
        assert_eq!(numbers(timeline.between(91.5, 93.0)), [92, 93]);
        assert_eq!(numbers(timeline.after(97)), [98, 99]);
        assert_eq!(numbers(timeline.before(91)), [90, 89]);
    }

    #[test]
    fn steps_past_the_end_are_counted() {
        let timeline = filled(SMALL, 10);
        let step = |number, steps| timeline.step(number, steps).map(|(tick, past)| (tick.number, past));
        assert_eq!(step(5, -2), Some((3, 0)));
        assert_eq!(step(5, -20), Some((0, 0)));
        assert_eq!(step(5, 9), Some((9, 5)));
    }

    #[test]
    fn a_thinned_timeline_keeps_ticks_with_events() {
        let size = Tick::default().size();
        let mut timeline = Timeline::new(Limits { seconds: f64::INFINITY, bytes: size * 64, thins: true });
        for number in 0..1000 {
            let detail = EventDetail::Snap { distance: None };
            let event = EventRecord { t: 0.0, tick: number, view: 0, guid: HexId(1), message: None, detail };
            let events = if number == 501 { vec![event] } else { Vec::new() };
            timeline.push(Tick { number, t: f64::from(number), events: events.into(), ..Tick::default() });
        }
        assert!(timeline.len() <= 64 && timeline.keeps_every() >= 16);
        assert_eq!(timeline.at_number(501).unwrap().number, 501);
        assert!(timeline.last().unwrap().number > 950);
    }

    /// A file can have an event in every tick.
    #[test]
    fn a_timeline_with_events_in_all_ticks_is_thinned_too() {
        let event = |tick| EventRecord {
            t: 0.0,
            tick,
            view: 0,
            guid: HexId(1),
            message: None,
            detail: EventDetail::Snap { distance: None },
        };
        let tick = |number: u32| Tick {
            number,
            t: f64::from(number),
            events: [event(number)].into(),
            ..Tick::default()
        };
        let bytes = 64 * tick(0).size();
        let mut timeline = Timeline::new(Limits { seconds: f64::INFINITY, bytes, thins: true });
        for number in 0..20_000 {
            timeline.push(tick(number));
            assert!(timeline.bytes <= bytes, "{} bytes after {number} ticks", timeline.bytes);
        }
        assert!((16..=64).contains(&timeline.len()), "{} ticks", timeline.len());
        assert_eq!((timeline.keeps_every, timeline.keeps_every_with_events), (1 << 12, 512));
        assert!(timeline.last().unwrap().number > 19_000 && timeline.first().unwrap().number == 0);
    }
}
