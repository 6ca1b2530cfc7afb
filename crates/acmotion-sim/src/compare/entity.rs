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
    /// What differs then
    pub fields: Vec<FieldDifference>,
    /// The distance of the two positions at that moment, in metres
    pub distance: Option<f32>,
}

fn guid_as_text<S: Serializer>(guid: &Option<Guid>, serializer: S) -> Result<S::Ok, S::Error> {
    match guid {
        Some(guid) => serializer.collect_str(guid),
        None => serializer.serialize_none(),
    }
}

/// The maximum number of lines of an entity that wait for their counterparts. More come together only where a result is
/// not in the order of time; the oldest then counts as having none.
const MAX_WAITING: usize = 4_096;

/// The time in seconds for which one side may have no state of an entity where the other has some. Implementations whose
/// ticks are not at the same times can be compared that way.
const MAX_SILENCE: f64 = 0.5;

/// One side of an entity.
#[derive(Default)]
struct OneSide {
    /// Lines that wait for their counterparts, as do the events.
    states: VecDeque<Line>,
    events: VecDeque<Line>,
    /// The time of the last state.
    last_state: Option<f64>,
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
            own.states.push_back(line);
            self.match_states(tolerance);
        }
        self.give_up(now - 2.0 * SAME_MOMENT, MAX_WAITING, tolerance);
    }

    /// Ends the comparison. Returns the result, and the fields that only one side has.
    pub(super) fn finish(mut self, tolerance: &Tolerance) -> (EntityComparison, Vec<(Side, String)>) {
        self.give_up(f64::INFINITY, 0, tolerance);
        let side = |number: u8| if number == 0 { Side::A } else { Side::B };
        let fields = self.fields_of_one.into_iter().map(|(number, name)| (side(number), name));
        (self.result, fields.collect())
    }

    fn match_states(&mut self, tolerance: &Tolerance) {
        loop {
            let [a, b] = &mut self.sides;
            let (Some(first_a), Some(first_b)) = (a.states.front(), b.states.front()) else { return };
            let apart = first_a.time - first_b.time;
            if apart < -SAME_MOMENT {
                let alone = a.states.pop_front();
                self.on_single_state(Side::A, alone);
            } else if apart > SAME_MOMENT {
                let alone = b.states.pop_front();
                self.on_single_state(Side::B, alone);
            } else if let (Some(a), Some(b)) = (a.states.pop_front(), b.states.pop_front()) {
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
            self.fields_of_one.extend(missing.map(|name| (side, name.clone())));
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
        let fields = object(&line.text);
        let counterpart = other.iter().position(|candidate| {
            candidate.event == line.event
                && (candidate.time - line.time).abs() <= SAME_MOMENT
                && (candidate.text == line.text
                    || is_same_event(&fields, &object(&candidate.text), tolerance))
        });
        match counterpart {
            Some(index) => drop(other.remove(index)),
            None => self.sides[side as usize].events.push_back(line),
        }
    }

    /// Stops waiting for counterparts of lines from before a time, and of the oldest if more than `most` wait.
    fn give_up(&mut self, before: f64, most: usize, tolerance: &Tolerance) {
        for side in [Side::A, Side::B] {
            let own = side as usize;
            while let Some(line) = overdue(&mut self.sides[own].states, before, most) {
                self.on_single_state(side, Some(line));
            }
            while let Some(line) = overdue(&mut self.sides[own].events, before, most) {
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
        match &mut self.result.first {
            // What differs at the same moment belongs together.
            Some(first) if (first.time - time).abs() <= SAME_MOMENT => {
                first.time = first.time.min(time);
                first.fields.extend(fields);
                first.distance = first.distance.or(distance);
            }
            Some(first) if first.time < time => {}
            first => *first = Some(FirstDifference { time, fields, distance }),
        }
    }
}

/// Takes the first line of a queue if it is from before a time, or if more than `most` wait.
fn overdue(queue: &mut VecDeque<Line>, before: f64, most: usize) -> Option<Line> {
    let is_overdue = queue.len() > most || queue.front().is_some_and(|line| line.time < before);
    if is_overdue { queue.pop_front() } else { None }
}

fn object(text: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(text).unwrap_or_default()
}
