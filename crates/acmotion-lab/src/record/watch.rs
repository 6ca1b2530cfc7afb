//! From a world to the records of a tick.

use std::collections::HashMap;

use acmotion::World;
use acmotion::body::PhysicsState;
use acmotion::json::named_event;
use acmotion::library::{ClipId, Library};
use acmotion::types::Vec3;
use acmotion::world::{Event as Told, Resident, StandIn};

use super::{Body, BodyFlags, Event, Key, View};
use crate::values::Origin;

/// Remembers where bodies were, to say how fast they went.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    before: HashMap<Key, (f64, Vec3)>,
}

impl Watcher {
    /// A body as it is now. `happened` is what happened in this tick.
    pub(crate) fn body(
        &mut self,
        t: f64,
        key: Key,
        resident: &Resident,
        library: &Library,
        origin: Origin,
        happened: &[Event],
    ) -> Body {
        let (entity, body) = (resident.entity(), resident.body());
        let (state, sequence) = (entity.animator.state(), entity.animator.sequence());
        let place = origin.place(&body.position);
        let is_put = is_put(key, happened) || !self.before.contains_key(&key);
        let index = |(clip, frame): (ClipId, usize)| {
            (library.clip(clip).animation().id(), u16::try_from(frame).unwrap_or(u16::MAX))
        };
        let pose = sequence.shown(library).map(index).unwrap_or_default();
        let (next, between) =
            sequence.shown_next(library).map_or((pose, 0.0), |(next, between)| (index(next), between));
        let mut flags = BodyFlags::empty();
        flags.set(BodyFlags::CONTACT, body.has_contact());
        flags.set(BodyFlags::WALKABLE, body.is_on_walkable());
        flags.set(BodyFlags::SHOWN, is_shown(resident));
        flags.set(BodyFlags::PUT, is_put);
        flags.set(BodyFlags::STAND_IN, resident.stand_in() != StandIn::empty());
        flags.set(BodyFlags::ORDERED, entity.is_moving_to());
        flags.set(BodyFlags::HANGS, resident.parent().is_some());
        Body {
            key,
            setup: resident.model().map(|model| library.model(model).id()).unwrap_or_default(),
            flags,
            substate: state.substate().wire_index(),
            style: state.style().wire_index(),
            place,
            rotation: body.position.frame.rotation,
            scale: body.scale,
            speed: self.speed(t, key, place, is_put),
            error: f32::NAN,
            frame: sequence.frame() as f32,
            pose,
            next,
            between,
            nodes: entity.correction.interpolation.nodes().len() as u16,
            parent: resident.parent().unwrap_or_default(),
        }
    }

    fn speed(&mut self, t: f64, key: Key, place: Vec3, is_put: bool) -> f32 {
        let before = self.before.insert(key, (t, place));
        match before {
            Some((then, there)) if t > then && !is_put => (place - there).length() / (t - then) as f32,
            _ => 0.0,
        }
    }

    /// Forgets who is not there any more.
    pub(crate) fn forget(&mut self, now: f64) {
        self.before.retain(|_, (t, _)| *t >= now);
    }
}

/// Is a body to be drawn?
fn is_shown(resident: &Resident) -> bool {
    let hidden = PhysicsState::HIDDEN | PhysicsState::NO_DRAW | PhysicsState::CLOAKED;
    resident.body().is_in_cell() && !resident.body().state.intersects(hidden)
}

fn is_put(key: Key, happened: &[Event]) -> bool {
    happened.iter().any(|event| event.key == key && matches!(event.name, "snap" | "teleport" | "created"))
}

/// Something that happened in a world, as it is told; tick and view are still to be put in.
pub(crate) fn told(event: &Told, world: &World) -> Event {
    let (name, line) = named_event(event, world.library());
    Event { key: Key { guid: event.guid, view: 0 }, name, text: line.to_string().into() }
}

impl Event {
    /// In which tick and view it was.
    pub(crate) fn stamp(mut self, tick: u32, view: View) -> Self {
        self.key.view = view;
        let mut text = String::from(self.text);
        text.pop();
        text.push_str(&format!(r#","tick":{tick},"view":{view}}}"#));
        self.text = text.into();
        self
    }
}
