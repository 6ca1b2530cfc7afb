//! The tape: ticks one after the other, as many as there is room for.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Key, Letter, Mail, Roster, Tick};
use crate::values::Origin;

/// How much a tape holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limits {
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
    /// When it is full: is every second tick given up, or are the oldest?
    pub(crate) thins: bool,
}

/// Ticks, messages and people of a run.
#[derive(Debug)]
pub(crate) struct Tape {
    ticks: VecDeque<Arc<Tick>>,
    bytes: usize,
    limits: Limits,
    /// Of so many ticks one is kept.
    thinned: u32,
    pub(crate) mail: Mail,
    pub(crate) roster: Roster,
    pub(crate) origin: Origin,
    /// Will no more come?
    pub(crate) has_ended: bool,
}

impl Tape {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            ticks: VecDeque::new(),
            bytes: 0,
            limits,
            thinned: 1,
            mail: Mail::default(),
            roster: Roster::default(),
            origin: Origin::default(),
            has_ended: false,
        }
    }

    /// A tick is over.
    pub(crate) fn push(&mut self, tick: Tick) {
        if !tick.number.is_multiple_of(self.thinned) && tick.events.is_empty() {
            return;
        }
        self.bytes += tick.size();
        let newest = tick.t;
        self.ticks.push_back(Arc::new(tick));
        if self.limits.thins {
            while self.bytes > self.limits.bytes && self.thinned < 1 << 12 {
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

    /// Gives up every second tick in which nothing happened.
    fn thin(&mut self) {
        self.thinned *= 2;
        let thinned = self.thinned;
        self.ticks.retain(|tick| tick.number.is_multiple_of(thinned) || !tick.events.is_empty());
        self.bytes = self.ticks.iter().map(|tick| tick.size()).sum();
    }

    /// Of so many ticks one is kept.
    pub(crate) fn thinned(&self) -> u32 {
        self.thinned
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

    /// The tick with that number, or the last before it; the first if there is none.
    pub(crate) fn at_number(&self, number: u32) -> Option<&Arc<Tick>> {
        let end = self.ticks.partition_point(|tick| tick.number <= number);
        self.ticks.get(end.saturating_sub(1))
    }

    /// The tick at that time, or the last before it; the first if there is none.
    pub(crate) fn at_time(&self, t: f64) -> Option<&Arc<Tick>> {
        let end = self.ticks.partition_point(|tick| tick.t <= t);
        self.ticks.get(end.saturating_sub(1))
    }

    /// The tick so many places further on, or back; and how many places are missing at the end.
    pub(crate) fn beside(&self, number: u32, places: i64) -> Option<(&Arc<Tick>, i64)> {
        let here = self.ticks.partition_point(|tick| tick.number <= number).saturating_sub(1);
        let wanted = (here as i64).saturating_add(places);
        let last = self.ticks.len() as i64 - 1;
        let found = self.ticks.get(usize::try_from(wanted.clamp(0, last.max(0))).ok()?)?;
        Some((found, (wanted - last).max(0)))
    }

    /// The ticks between two times.
    pub(crate) fn between(&self, from: f64, to: f64) -> impl Iterator<Item = &Arc<Tick>> {
        let start = self.ticks.partition_point(|tick| tick.t < from);
        let end = self.ticks.partition_point(|tick| tick.t <= to);
        self.ticks.range(start..end.max(start))
    }

    /// The ticks behind a number, newest last; or before it, nearest first.
    pub(crate) fn onward(&self, number: u32, back: bool) -> Box<dyn Iterator<Item = &Arc<Tick>> + '_> {
        if back {
            let end = self.ticks.partition_point(|tick| tick.number < number);
            return Box::new(self.ticks.range(..end).rev());
        }
        let start = self.ticks.partition_point(|tick| tick.number <= number);
        Box::new(self.ticks.range(start..))
    }

    /// The messages of a tick: those since the one before.
    pub(crate) fn letters_of(&self, tick: &Tick) -> impl Iterator<Item = (u64, &Letter)> {
        let before = tick.number.checked_sub(1).and_then(|number| self.at_number(number));
        let start = before.filter(|before| before.number < tick.number).map_or(0, |before| before.mail_end);
        let count = tick.mail_end.saturating_sub(start);
        self.mail.since(start).take_while(move |(number, _)| *number < start + count)
    }

    /// Was somebody there, in any tick that is kept, or before?
    pub(crate) fn knows(&self, key: Key) -> bool {
        self.roster.knows(key)
    }
}

#[cfg(test)]
mod tests {
    use acmotion::types::Guid;

    use super::super::Event;
    use super::*;

    const SMALL: Limits = Limits { seconds: 10.0, bytes: 1 << 20, thins: false };

    fn filled(limits: Limits, ticks: u32) -> Tape {
        let mut tape = Tape::new(limits);
        (0..ticks).for_each(|number| tape.push(Tick { number, t: f64::from(number), ..Tick::default() }));
        tape
    }

    fn numbers<'a>(ticks: impl Iterator<Item = &'a Arc<Tick>>) -> Vec<u32> {
        ticks.map(|tick| tick.number).collect()
    }

    #[test]
    fn the_oldest_go() {
        let tape = filled(SMALL, 100);
        assert_eq!((tape.len(), tape.first().unwrap().number), (11, 89));
        assert_eq!(tape.at_number(3).unwrap().number, 89, "the first, where nothing is older");
        assert_eq!(tape.at_time(95.5).unwrap().number, 95);
        assert_eq!(numbers(tape.between(91.5, 93.0)), [92, 93]);
        assert_eq!(numbers(tape.onward(97, false)), [98, 99]);
        assert_eq!(numbers(tape.onward(91, true)), [90, 89]);
    }

    #[test]
    fn steps_beyond_the_end_are_counted() {
        let tape = filled(SMALL, 10);
        let beside =
            |number, places| tape.beside(number, places).map(|(tick, missing)| (tick.number, missing));
        assert_eq!(beside(5, -2), Some((3, 0)));
        assert_eq!(beside(5, -20), Some((0, 0)));
        assert_eq!(beside(5, 9), Some((9, 5)));
    }

    #[test]
    fn a_long_recording_is_thinned_but_keeps_what_happened() {
        let size = Tick::default().size();
        let mut tape = Tape::new(Limits { seconds: f64::INFINITY, bytes: size * 64, thins: true });
        let key = Key { guid: Guid(1), view: 0 };
        for number in 0..1000 {
            let event = || Event { key, name: "snap", text: "{}".into() };
            let events: Box<[Event]> = if number == 501 { [event()].into() } else { [].into() };
            tape.push(Tick { number, t: f64::from(number), events, ..Tick::default() });
        }
        assert!(tape.len() <= 64 && tape.thinned() >= 16);
        assert_eq!(tape.at_number(501).unwrap().number, 501);
        assert!(tape.last().unwrap().number > 950);
    }
}
