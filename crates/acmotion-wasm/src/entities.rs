//! Entities and events as JSON.

use acmotion::json::{is_listed, named_event, put_state};
use acmotion::types::Vec3;
use acmotion::wire::json::{JsonWriter, list, object};
use acmotion::{Event, Library, Resident};

use crate::convert::numbers;

/// Returns an entity as JSON. Its `state` is the line of `acmotion replay --json`.
pub(crate) fn entity(now: f64, resident: &Resident, library: &Library) -> String {
    let (body, playing) = (resident.body(), resident.entity().animator.state());
    let vector = |v: Vec3| <[f32; 3]>::from(v);
    let mut text = Vec::new();
    JsonWriter::new(&mut text).object(|json| {
        json.put("guid", resident.guid().0)
            .put("position", list(numbers(&resident.position())))
            .put("velocity", vector(body.velocity))
            .put("shownVelocity", vector(body.cached_velocity))
            .put("scale", body.scale)
            .put("inCell", body.is_in_cell())
            .put("contact", body.has_contact())
            .put("onWalkable", body.is_on_walkable())
            .put("style", playing.style().0)
            .put("substate", playing.substate().0)
            .put("parent", resident.parent().map(|parent| parent.0))
            .put("children", list(resident.children().iter().map(|child| child.0)))
            .put("state", object(|json| put_state(json, now, resident, library)));
    });
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns an event as a line of JSON; `None` if it is an effect and these are not wanted.
pub(crate) fn event_line(event: &Event, library: &Library, effects: bool) -> Option<String> {
    (effects || is_listed(event)).then(|| named_event(event, library).1.to_string())
}
