//! Compares two results tick by tick: what `replay --json` or `simulate --json` wrote, or another implementation in the
//! same form. It finds the first moment at which each entity differs, in which fields, and how far apart the two get.
//!
//! ```
//! use acmotion_sim::compare::{Tolerance, compare};
//!
//! let a = br#"{"t":1.0,"guid":"0x50000001","cell":"0xA9B40019","origin":[10,20,0],"substate":"0x44000007"}"#;
//! let b = br#"{"t":1.0,"guid":"0x50000001","cell":"0xA9B40019","origin":[10,23,0],"substate":"0x41000003"}"#;
//! let comparison = compare(&a[..], &b[..], Tolerance::default())?;
//! let first = comparison.entities[0].first.as_ref().expect("the positions differ");
//! assert_eq!(first.fields[0].field, "position");
//! assert_eq!(first.distance, Some(3.0));
//! # Ok::<(), acmotion_sim::compare::CompareError>(())
//! ```

mod entity;
mod fields;
mod line;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufRead};

use serde::Serialize;
use thiserror::Error;

pub use entity::{EntityComparison, FirstDifference};
pub use fields::{FieldDifference, Tolerance};

use entity::Matching;
use line::{Key, Line, Lines};

/// Half of the original's shortest tick, in seconds. Two states are of the same moment if their times differ by no more.
pub const SAME_MOMENT: f64 = 1.0 / 60.0;

/// The maximum number of entities, counted in each view, of two results.
pub const MAX_ENTITIES: usize = 131_072;

/// The maximum size of all lines that wait for their counterparts, in bytes. If there are more, none of them waits on.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// Which of the two results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first
    A,
    /// The second
    B,
}

/// What one of the results consists of.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct ResultSummary {
    /// Lines with the state of an entity
    pub states: u64,
    /// Lines with an event or a sent message
    pub events: u64,
    /// Lines that are neither, which are ignored
    pub unreadable: u64,
    /// The time of the first state or event, in seconds
    pub start: Option<f64>,
    /// The time of the last state or event, in seconds
    pub end: Option<f64>,
}

/// How two results differ.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The first result
    pub a: ResultSummary,
    /// The second result
    pub b: ResultSummary,
    /// The states that were compared
    pub compared: u64,
    /// Fields that only one of the results has, which are not compared
    pub fields_of_one: Vec<(Side, String)>,
    /// Every entity of either result; those that differ first come first
    pub entities: Vec<EntityComparison>,
}

impl Comparison {
    /// Returns `true` if nothing differs.
    pub fn is_same(&self) -> bool {
        self.entities.iter().all(|entity| entity.first.is_none())
    }
}

/// Why two results could not be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A result could not be read.
    #[error("{0:?}: {1}")]
    Io(Side, #[source] io::Error),
    /// A result has no line with the state of an entity.
    #[error("{0:?}: no line has the state of an entity")]
    NoStates(Side),
    /// The results have more than [`MAX_ENTITIES`].
    #[error("more than {MAX_ENTITIES} entities in all views")]
    TooManyEntities,
}

/// Compares two results. Both are read once, side by side; what is kept of them grows with the number of entities, not with
/// their length.
pub fn compare(a: impl BufRead, b: impl BufRead, tolerance: Tolerance) -> Result<Comparison, CompareError> {
    let mut a = Lines::new(a);
    let mut b = Lines::new(b);
    let mut next_a = a.next().map_err(|error| CompareError::Io(Side::A, error))?;
    let mut next_b = b.next().map_err(|error| CompareError::Io(Side::B, error))?;
    let mut matchings = Matchings { entities: BTreeMap::new(), waiting_bytes: 0, tolerance };
    loop {
        // The one that is behind goes on, so that few lines wait for their counterparts.
        let takes_a = match (&next_a, &next_b) {
            (Some(a), Some(b)) => a.time <= b.time,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        if takes_a {
            let following = a.next().map_err(|error| CompareError::Io(Side::A, error))?;
            if let Some(line) = std::mem::replace(&mut next_a, following) {
                matchings.add(Side::A, line)?;
            }
        } else {
            let following = b.next().map_err(|error| CompareError::Io(Side::B, error))?;
            if let Some(line) = std::mem::replace(&mut next_b, following) {
                matchings.add(Side::B, line)?;
            }
        }
    }
    for (side, summary) in [(Side::A, a.summary()), (Side::B, b.summary())] {
        if summary.states == 0 {
            return Err(CompareError::NoStates(side));
        }
    }
    let Matchings { entities, tolerance, .. } = matchings;
    Ok(summarise(a.summary(), b.summary(), entities.into_values(), &tolerance))
}

/// Every entity of either result.
struct Matchings {
    entities: BTreeMap<Key, Matching>,
    /// What the lines of all entities that wait take.
    waiting_bytes: usize,
    tolerance: Tolerance,
}

impl Matchings {
    fn add(&mut self, side: Side, line: Line) -> Result<(), CompareError> {
        let count = self.entities.len();
        let matching = match self.entities.entry(line.key.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(_) if count >= MAX_ENTITIES => return Err(CompareError::TooManyEntities),
            Entry::Vacant(entry) => entry.insert(Matching::new(&line.key)),
        };
        let before = matching.waiting_bytes();
        matching.add(side, line, &self.tolerance);
        self.waiting_bytes = self.waiting_bytes - before + matching.waiting_bytes();
        if self.waiting_bytes > MAX_WAITING_BYTES {
            self.entities.values_mut().for_each(|matching| matching.give_up_all(&self.tolerance));
            self.waiting_bytes = 0;
        }
        Ok(())
    }
}

fn summarise(
    a: ResultSummary,
    b: ResultSummary,
    matchings: impl Iterator<Item = Matching>,
    tolerance: &Tolerance,
) -> Comparison {
    let mut fields_of_one = Vec::new();
    let mut entities = Vec::new();
    for matching in matchings {
        let (entity, fields) = matching.finish(tolerance);
        entities.push(entity);
        fields_of_one.extend(fields);
    }
    fields_of_one.sort_by(|(a, x), (b, y)| (*a as u8, x).cmp(&(*b as u8, y)));
    fields_of_one.dedup();
    let time = |entity: &EntityComparison| entity.first.as_ref().map_or(f64::INFINITY, |first| first.time);
    entities.sort_by(|one, other| time(one).total_cmp(&time(other)));
    let compared = entities.iter().map(|entity| entity.compared).sum();
    Comparison { a, b, compared, fields_of_one, entities }
}
