//! A second recording that is shown beside the first, at the same time.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::types::{Guid, Vec3};

use crate::protocol::{BesideInfo, EntityUpdate, ViewInfo};
use crate::record::{Body, BodyKey, SharedTimeline, Tick, View, read};
use crate::replay::Recording;
use crate::values::{Origin, vector};

/// The view of the second recording that is shown.
const TRUTH: View = 0;

/// The second recording.
pub(crate) struct Beside {
    number: u32,
    recording: Arc<Recording>,
    timeline: SharedTimeline,
    /// The view in which its entities are shown: the one after those of the first recording.
    view: View,
    /// Where the origin of its own scene lies in that of the first recording.
    offset: Vec3,
    /// The version of its entity list that the page has.
    entities_version: u64,
}

impl Beside {
    /// Shows a recording, opened under a number, beside another one. Returns `None` if that has too many views.
    pub(crate) fn new(first: &Recording, number: u32, recording: Arc<Recording>) -> Option<Self> {
        let last = first.views().iter().map(|view| view.view).max().unwrap_or(TRUTH);
        let timeline = recording.timeline();
        let offset = read(&first.timeline()).origin.offset_of(read(&timeline).origin);
        let view = last.checked_add(1)?;
        Some(Self { number, recording, timeline, view, offset, entities_version: 0 })
    }

    pub(crate) fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    pub(crate) fn info(&self) -> BesideInfo {
        BesideInfo {
            recording: self.number,
            view: self.view,
            dat: self.recording.files().dat,
            offset: vector(self.offset),
        }
    }

    pub(crate) fn view_info(&self) -> ViewInfo {
        let name = self.recording.name();
        ViewInfo { view: self.view, name: name.into(), description: format!("What {name} shows.") }
    }

    /// Returns the key of a body in the second recording; `None` if the body is one of the first.
    pub(crate) fn key(&self, key: BodyKey) -> Option<BodyKey> {
        (key.view == self.view).then_some(BodyKey { view: TRUTH, ..key })
    }

    /// Returns `true` if the second recording has an entity.
    pub(crate) fn knows(&self, key: BodyKey) -> bool {
        read(&self.timeline).knows(key)
    }

    /// Returns the tick that is shown together with one of the first recording; `None` if the second has ended by then.
    pub(crate) fn tick(&self, first: &Tick) -> Option<Arc<Tick>> {
        read(&self.timeline).nearest(first.t).cloned()
    }

    /// Returns the bodies that are shown together with a tick of the first recording. Their error is the distance from the
    /// first recording.
    pub(crate) fn bodies(&self, first: &Tick) -> Vec<Body> {
        let Some(tick) = self.tick(first) else { return Vec::new() };
        let truths = first.bodies.iter().filter(|body| body.key.view == TRUTH);
        let positions: HashMap<Guid, Vec3> = truths.map(|body| (body.key.guid, body.position)).collect();
        let bodies = tick.bodies.iter().filter(|body| body.key.view == TRUTH);
        bodies.map(|body| self.shown(body, positions.get(&body.key.guid).copied())).collect()
    }

    /// Returns a body as it is shown beside the first recording, given where that has it.
    pub(crate) fn shown(&self, body: &Body, first: Option<Vec3>) -> Body {
        let position = body.position + self.offset;
        Body {
            key: BodyKey { view: self.view, ..body.key },
            position,
            error: first.map_or(f32::NAN, |first| (position - first).length()),
            ..*body
        }
    }

    /// Returns the entities that the page does not know yet.
    pub(crate) fn new_entities(&mut self) -> Option<EntityUpdate> {
        let timeline = read(&self.timeline);
        let version = timeline.entities.version();
        if version == self.entities_version {
            return None;
        }
        let mut update = timeline.entities.since(self.entities_version);
        update.complete = false;
        update.entities.retain(|entity| entity.view == TRUTH);
        update.entities.iter_mut().for_each(|entity| entity.view = self.view);
        self.entities_version = version;
        Some(update)
    }
}

impl Origin {
    /// Returns where another origin lies in the scene of this one.
    fn offset_of(self, other: Self) -> Vec3 {
        self.corner(other.cell())
    }
}
