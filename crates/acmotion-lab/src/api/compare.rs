//! `/api/compare`: where two recordings first differ, entity by entity.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use acmotion_sim::compare::{self, EntityComparison, Tolerance};
use http::StatusCode;
use serde_json::json;

use super::{ApiError, ApiResult, Parameters, required};
use crate::protocol::HexId;
use crate::protocol::api::{Difference, RecordingComparison};
use crate::record::{Tick, read};
use crate::replay::{Recording, StateFields};
use crate::shared::Shared;

/// The maximum number of entities that are listed.
const MAX_ENTITIES: usize = 500;

pub(super) fn compare(shared: &Shared, parameters: &Parameters) -> ApiResult<RecordingComparison> {
    let open = |name: &str| {
        let id =
            required(parameters, name, |text: &str| text.parse::<u32>().map_err(|error| error.to_string()))?;
        let found = shared.recordings().get(id);
        found.ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, format!("recording {id} is not open")))
    };
    let (a, b) = (open("a")?, open("b")?);
    let (a, b) = (Lines::of(&a), Lines::of(&b));
    let comparison = compare::compare(BufReader::new(a), BufReader::new(b), Tolerance::default())
        .map_err(|error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    let entities: Vec<Difference> = comparison.entities.iter().filter_map(difference).collect();
    Ok(RecordingComparison {
        compared: comparison.compared,
        same: comparison.is_same(),
        more: entities.len().saturating_sub(MAX_ENTITIES),
        entities: entities.into_iter().take(MAX_ENTITIES).collect(),
    })
}

/// Returns how an entity differs; `None` if it does not.
fn difference(entity: &EntityComparison) -> Option<Difference> {
    let first = entity.first.as_ref()?;
    Some(Difference {
        guid: entity.guid?.into(),
        t: first.time,
        fields: first.fields.iter().map(|field| field.field.clone()).collect(),
        distance: first.distance,
        different: entity.different,
        compared: entity.compared,
        greatest_distance: entity.greatest_distance,
        greatest_at: entity.greatest_at,
    })
}

/// A recording in the form of `replay --json`, as far as its ticks tell it. It is written as it is read, so that the whole
/// text is never in memory.
struct Lines {
    ticks: std::vec::IntoIter<Arc<Tick>>,
    /// The landblock that positions are relative to.
    cell: String,
    /// What the ticks have besides positions.
    fields: StateFields,
    /// The lines of the current tick, and how much of them has been read.
    text: Vec<u8>,
    read: usize,
}

impl Lines {
    fn of(recording: &Recording) -> Self {
        let timeline = recording.timeline();
        let timeline = read(&timeline);
        let ticks: Vec<Arc<Tick>> = timeline.between(f64::NEG_INFINITY, f64::INFINITY).cloned().collect();
        Self {
            ticks: ticks.into_iter(),
            cell: format!("{}0001", timeline.origin.text()),
            fields: recording.fields(),
            text: Vec::new(),
            read: 0,
        }
    }

    /// Writes the lines of a tick: the states of the bodies of the first view.
    fn write(&mut self, tick: &Tick) {
        self.text.clear();
        self.read = 0;
        for body in tick.bodies.iter().filter(|body| body.key.view == 0) {
            let mut line = json!({
                "t": tick.t,
                "guid": HexId::from(body.key.guid),
                "cell": self.cell,
                "origin": <[f32; 3]>::from(body.position),
            });
            for (field, name, value) in [
                (StateFields::ROTATION, "rotation", json!(<[f32; 4]>::from(body.rotation))),
                (StateFields::STYLE, "style", body.style.into()),
                (StateFields::SUBSTATE, "substate", body.substate.into()),
                (StateFields::ACTION, "action", body.action.into()),
                (StateFields::SCALE, "scale", body.scale.into()),
            ] {
                if self.fields.contains(field) {
                    line[name] = value;
                }
            }
            self.text.extend_from_slice(line.to_string().as_bytes());
            self.text.push(b'\n');
        }
    }
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() {
            let Some(tick) = self.ticks.next() else { return Ok(0) };
            self.write(&tick);
        }
        let count = out.len().min(self.text.len() - self.read);
        out[..count].copy_from_slice(&self.text[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}
