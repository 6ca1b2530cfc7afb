//! Finds, for one entity, the lines of the two results that belong together.

use std::collections::{BTreeSet, VecDeque};

use acmotion::types::Guid;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::fields::{FieldDifference, Tolerance, compare_states, is_ignored, is_same_event};
use super::line::{Key, Line};
use super::{SAME_MOMENT, Side};

/// How one entity differs between two results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EntityComparison {
    /// The view of a simulation that it belongs to; `None` in a replay
    pub view: Option<String>,
    /// The entity; `None` stands for the messages that the local player sent
    #[serde(serialize_with = "guid_as_text")]
    pub guid: Option<Guid>,
    /// Pairs of states that were compared
    pub compared: u64,
    /// States that only the first result has
    pub only_a: u64,
    /// States that only the second result has
    pub only_b: u64,
    /// Pairs of states that differ
    pub different: u64,
    /// Events that only one of them has
    pub different_events: u64,
    /// The first difference, if there is one
    pub first: Option<FirstDifference>,
    /// The greatest distance of the two positions, in metres
    pub greatest_distance: f32,
    /// When it was reached, in seconds
    pub greatest_at: Option<f64>,
}

/// The first moment at which an entity differs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstDifference {
    /// The time in seconds
    #[serde(rename = "t")]
    pub time: f64,
    /// What differs then, at most 64 fields; of a value longer than 4,096 bytes, the beginning as text
    pub fields: Vec<FieldDifference>,
    /// How many more fields differ then
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u64,
    /// The distance of the two positions at that moment, in metres
    pub distance: Option<f32>,
}

fn guid_as_text<S: Serializer>(guid: &Option<Guid>, serializer: S) -> Result<S::Ok, S::Error> {
    match guid {
        Some(guid) => serializer.collect_str(guid),
        None => serializer.serialize_none(),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The maximum number of lines of an entity that wait for their counterparts. More come together only where a result is
/// not in the order of time; the oldest then counts as having none.
const MAX_WAITING: usize = 4_096;

/// The maximum number of events that are compared with another, field by field, to find its counterpart. Those that are
/// the same to the byte are found without.
const MAX_CANDIDATES: usize = 64;

/// The maximum number of fields of a first difference that are kept.
const MAX_FIELDS: usize = 64;

/// The maximum length of a value of a first difference, in bytes. Of a longer one, the beginning is kept as text.
const MAX_VALUE: usize = 4_096;

/// The maximum number of names of fields that only one side has. Further ones are not named.
const MAX_NAMES: usize = 256;

/// The time in seconds for which one side may have no state of an entity where the other has some. Implementations whose
/// ticks are not at the same times can be compared that way.
const MAX_SILENCE: f64 = 0.5;

/// One side of an entity.
#[derive(Default)]
struct OneSide {
    /// Lines that wait for their counterparts, as do the events.
    states: Queue,
    events: Queue,
    /// The time of the last state.
    last_state: Option<f64>,
}

/// Lines that wait, the first for the longest time.
#[derive(Default)]
struct Queue {
    lines: VecDeque<Line>,
    /// What they take, in bytes.
    bytes: usize,
}

impl Queue {
    fn push(&mut self, line: Line) {
        self.bytes += line.size_in_memory();
        self.lines.push_back(line);
    }

    fn first(&self) -> Option<&Line> {
        self.lines.front()
    }

    fn pop(&mut self) -> Option<Line> {
        self.remove(0)
    }

    fn remove(&mut self, index: usize) -> Option<Line> {
        let line = self.lines.remove(index)?;
        self.bytes -= line.size_in_memory();
        Some(line)
    }

    /// Takes the first line if it is from before a time, or if more than `most` wait.
    fn pop_overdue(&mut self, before: f64, most: usize) -> Option<Line> {
        let is_overdue = self.lines.len() > most || self.first().is_some_and(|line| line.time < before);
        if is_overdue { self.pop() } else { None }
    }
}

/// Matches the lines of an entity.
pub(super) struct Matching {
    result: EntityComparison,
    sides: [OneSide; 2],
    /// Which fields each side has that the other lacks.
    fields_of_one: BTreeSet<(u8, String)>,
}

impl Matching {
    pub(super) fn new(key: &Key) -> Self {
        let result = EntityComparison {
            view: key.view.as_deref().map(String::from),
            guid: key.guid,
            compared: 0,
            only_a: 0,
            only_b: 0,
            different: 0,
            different_events: 0,
            first: None,
            greatest_distance: 0.0,
            greatest_at: None,
        };
        Self { result, sides: Default::default(), fields_of_one: BTreeSet::new() }
    }

    /// Adds the next line of a side.
    pub(super) fn add(&mut self, side: Side, line: Line, tolerance: &Tolerance) {
        let now = line.time;
        if line.event.is_some() {
            self.add_event(side, line, tolerance);
        } else {
            let own = &mut self.sides[side as usize];
            own.last_state = Some(now);
            own.states.push(line);
            self.match_states(tolerance);
        }
        self.give_up(now - 2.0 * SAME_MOMENT, MAX_WAITING, tolerance);
    }

    /// Returns what the lines that wait take, in bytes.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.sides.iter().map(|side| side.states.bytes + side.events.bytes).sum()
    }

    /// Stops waiting for any counterpart.
    pub(super) fn give_up_all(&mut self, tolerance: &Tolerance) {
        self.give_up(f64::INFINITY, 0, tolerance);
    }

    /// Ends the comparison. Returns the result, and the fields that only one side has.
    pub(super) fn finish(mut self, tolerance: &Tolerance) -> (EntityComparison, Vec<(Side, String)>) {
        self.give_up_all(tolerance);
        let side = |number: u8| if number == 0 { Side::A } else { Side::B };
        let fields = self.fields_of_one.into_iter().map(|(number, name)| (side(number), name));
        (self.result, fields.collect())
    }

    fn match_states(&mut self, tolerance: &Tolerance) {
        loop {
            let [a, b] = &mut self.sides;
            let (Some(first_a), Some(first_b)) = (a.states.first(), b.states.first()) else { return };
            let apart = first_a.time - first_b.time;
            if apart < -SAME_MOMENT {
                let alone = a.states.pop();
                self.on_single_state(Side::A, alone);
            } else if apart > SAME_MOMENT {
                let alone = b.states.pop();
                self.on_single_state(Side::B, alone);
            } else if let (Some(a), Some(b)) = (a.states.pop(), b.states.pop()) {
                self.compare_pair(&a, &b, tolerance);
            }
        }
    }

    fn compare_pair(&mut self, a: &Line, b: &Line, tolerance: &Tolerance) {
        self.result.compared += 1;
        if a.text == b.text {
            return;
        }
        let (a_fields, b_fields) = (object(&a.text), object(&b.text));
        for (side, own, other) in [(0, &a_fields, &b_fields), (1, &b_fields, &a_fields)] {
            let missing =
                own.keys().filter(|name| !other.contains_key(*name) && !is_ignored(name, tolerance));
            let room = MAX_NAMES.saturating_sub(self.fields_of_one.len());
            self.fields_of_one.extend(missing.take(room).map(|name| (side, name.clone())));
        }
        let difference = compare_states(&a_fields, &b_fields, tolerance);
        if let Some(distance) = difference.distance
            && distance > self.result.greatest_distance
        {
            (self.result.greatest_distance, self.result.greatest_at) = (distance, Some(a.time));
        }
        if !difference.fields.is_empty() {
            self.result.different += 1;
            self.on_difference(a.time, difference.fields, difference.distance);
        }
    }

    fn add_event(&mut self, side: Side, line: Line, tolerance: &Tolerance) {
        let other = &mut self.sides[1 - side as usize].events;
        let candidates = other.lines.iter().enumerate().filter(|(_, candidate)| {
            candidate.event == line.event && (candidate.time - line.time).abs() <= SAME_MOMENT
        });
        let equal = candidates.clone().find(|(_, candidate)| candidate.text == line.text);
        let counterpart = equal.or_else(|| {
            let fields = object(&line.text);
            let is_same = |candidate: &Line| is_same_event(&fields, &object(&candidate.text), tolerance);
            candidates.take(MAX_CANDIDATES).find(|(_, candidate)| is_same(candidate))
        });
        match counterpart.map(|(index, _)| index) {
            Some(index) => drop(other.remove(index)),
            None => self.sides[side as usize].events.push(line),
        }
    }

    /// Stops waiting for counterparts of lines from before a time, and of the oldest if more than `most` wait.
    fn give_up(&mut self, before: f64, most: usize, tolerance: &Tolerance) {
        for side in [Side::A, Side::B] {
            let own = side as usize;
            while let Some(line) = self.sides[own].states.pop_overdue(before, most) {
                self.on_single_state(side, Some(line));
            }
            while let Some(line) = self.sides[own].events.pop_overdue(before, most) {
                self.on_single_event(side, &line, tolerance);
            }
        }
    }

    fn on_single_state(&mut self, side: Side, line: Option<Line>) {
        let Some(line) = line else { return };
        let count = if side == Side::A { &mut self.result.only_a } else { &mut self.result.only_b };
        *count += 1;
        let other = &self.sides[1 - side as usize];
        if other.last_state.is_some_and(|time| (time - line.time).abs() <= MAX_SILENCE) {
            return;
        }
        let present = Value::Bool(true);
        let (a, b) = if side == Side::A { (present, Value::Null) } else { (Value::Null, present) };
        self.on_difference(line.time, vec![FieldDifference { field: String::from("state"), a, b }], None);
    }

    fn on_single_event(&mut self, side: Side, line: &Line, tolerance: &Tolerance) {
        let name = line.event.as_deref().unwrap_or_default();
        if is_ignored("event", tolerance) || is_ignored(name, tolerance) {
            return;
        }
        self.result.different_events += 1;
        let mut fields = object(&line.text);
        for name in ["t", "guid", "view"] {
            fields.remove(name);
        }
        let event = Value::Object(fields);
        let (a, b) = if side == Side::A { (event, Value::Null) } else { (Value::Null, event) };
        self.on_difference(line.time, vec![FieldDifference { field: String::from("event"), a, b }], None);
    }

    fn on_difference(&mut self, time: f64, fields: Vec<FieldDifference>, distance: Option<f32>) {
        let first = match &mut self.result.first {
            // What differs at the same moment belongs together.
            Some(first) if (first.time - time).abs() <= SAME_MOMENT => {
                first.time = first.time.min(time);
                first.distance = first.distance.or(distance);
                first
            }
            Some(first) if first.time < time => return,
            first => first.insert(FirstDifference { time, fields: Vec::new(), more: 0, distance }),
        };
        for field in fields {
            if first.fields.len() < MAX_FIELDS {
                first.fields.push(field.shortened(MAX_VALUE));
            } else {
                first.more += 1;
            }
        }
    }
}

fn object(text: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(text).unwrap_or_default()
}
