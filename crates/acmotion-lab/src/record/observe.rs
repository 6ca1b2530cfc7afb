//! Records the bodies and events of a world.

use std::collections::HashMap;

use acmotion::components::PhysicsState;
use acmotion::types::{CellId, Vec3};
use acmotion::{ClipId, Event, Library, PartPoses, Resident, StandIn, World};

use super::{Body, BodyFlags, BodyKey, EventRecord, Pose};
use crate::protocol::EventDetail;
use crate::values::Origin;

/// In a tick in which the simulated body is placed anew, comfort has gone along with it if it moves by more than this, in
/// metres.
const MIN_PLACED_STEP: f32 = 1.0;

/// Remembers the previous position of each body, from which its speed is computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyObserver {
    previous: HashMap<BodyKey, (f64, Vec3)>,
}

impl BodyObserver {
    /// Records a body at time `t`. `events` are the events of this tick.
    pub(crate) fn body(
        &mut self,
        t: f64,
        key: BodyKey,
        resident: &Resident,
        library: &Library,
        origin: Origin,
        events: &[EventRecord],
    ) -> Body {
        let (entity, body) = (resident.entity(), resident.body());
        let (state, sequence) = (entity.animator.state(), entity.animator.sequence());
        let position = origin.scene_position(&body.position);
        let is_discontinuous = !self.previous.contains_key(&key)
            || events.iter().any(|event| event.key() == key && event.detail.is_discontinuous());
        let pose = sequence.shown(library).map(|shown| pose_of(library, shown)).unwrap_or_default();
        let (next, blend) =
            sequence.shown_next(library).map_or((pose, 0.0), |(next, blend)| (pose_of(library, next), blend));
        let mut flags = BodyFlags::empty();
        flags.set(BodyFlags::CONTACT, body.has_contact());
        flags.set(BodyFlags::WALKABLE, body.is_on_walkable());
        flags.set(BodyFlags::SHOWN, is_shown(resident));
        flags.set(BodyFlags::DISCONTINUOUS, is_discontinuous);
        flags.set(BodyFlags::STAND_IN, resident.stand_in() != StandIn::empty());
        flags.set(BodyFlags::ORDERED, entity.is_moving_to());
        flags.set(BodyFlags::ATTACHED, resident.parent().is_some());
        Body {
            key,
            setup: resident.model().map(|model| library.model(model).id()).unwrap_or_default(),
            flags,
            substate: state.substate().wire_index(),
            style: state.style().wire_index(),
            modifier: state.modifiers().next().map_or(0, |one| one.motion.wire_index()),
            action: state.actions().next().map_or(0, |one| one.motion.wire_index()),
            position,
            rotation: body.position.frame.rotation,
            scale: body.scale,
            speed: self.speed(t, key, position, is_discontinuous),
            error: f32::NAN,
            frame: sequence.frame() as f32,
            pose,
            next,
            blend,
            nodes: entity.correction.interpolation.nodes().len() as u16,
            parent: resident.parent().unwrap_or_default(),
        }
    }

    /// Records what comfort shows of a body at time `t`: the position and the pose, which are not those of the simulated
    /// body. Everything else is. `None` if comfort shows the entity where it is simulated.
    pub(crate) fn shown(
        &mut self,
        t: f64,
        key: BodyKey,
        simulated: &Body,
        world: &World,
        origin: Origin,
    ) -> Option<Body> {
        let resident = world.find(key.guid)?;
        let holder = resident.parent().and_then(|parent| world.find(parent)).unwrap_or(resident);
        world.comfort(holder.id())?;
        let presented = world.present(resident.id(), 1.0, PartPoses::Smooth)?;
        let position = origin.scene_position(presented.position());
        // Comfort goes along with a teleport at once, but not with the snaps of the original.
        let is_discontinuous = self.previous.get(&key).is_none_or(|(_, previous)| {
            simulated.flags.contains(BodyFlags::DISCONTINUOUS)
                && (position - *previous).length() > MIN_PLACED_STEP
        });
        let mut flags = simulated.flags;
        flags.set(BodyFlags::DISCONTINUOUS, is_discontinuous);
        let frames = presented.main_frames();
        let pose = |index: usize| frames.map(|(frames, _)| pose_of(world.library(), frames[index]));
        Some(Body {
            key,
            flags,
            position,
            rotation: presented.position().frame.rotation,
            speed: self.speed(t, key, position, is_discontinuous),
            frame: frames.map_or(simulated.frame, |([(_, frame), _], share)| frame as f32 + share),
            pose: pose(0).unwrap_or_default(),
            next: pose(1).unwrap_or_default(),
            blend: frames.map_or(0.0, |(_, share)| share),
            ..*simulated
        })
    }

    fn speed(&mut self, t: f64, key: BodyKey, position: Vec3, is_discontinuous: bool) -> f32 {
        match self.previous.insert(key, (t, position)) {
            Some((before, previous)) if t > before && !is_discontinuous => {
                (position - previous).length() / (t - before) as f32
            }
            _ => 0.0,
        }
    }

    /// Forgets the bodies that were not recorded at time `now`.
    pub(crate) fn forget(&mut self, now: f64) {
        self.previous.retain(|_, (t, _)| *t >= now);
    }
}

fn pose_of(library: &Library, (clip, frame): (ClipId, usize)) -> Pose {
    Pose { source: library.clip(clip).animation().id(), frame: u16::try_from(frame).unwrap_or(u16::MAX) }
}

/// Returns `true` if a body is drawn: it, or what holds it, is in a cell, and it is not hidden. A held object whose
/// setup is missing is not drawn: its stand-in would be a human in the hand.
fn is_shown(resident: &Resident) -> bool {
    let hidden = PhysicsState::HIDDEN | PhysicsState::NO_DRAW | PhysicsState::CLOAKED;
    let is_held = resident.parent().is_some()
        && resident.position().cell != CellId::NONE
        && !resident.stand_in().contains(StandIn::SETUP);
    (resident.body().is_in_cell() || is_held) && !resident.body().state.intersects(hidden)
}

/// Records an event of a world. Its tick and view are set by [`EventRecord::stamp`]. Returns `None` for an effect, which is
/// recorded as its hook.
pub(crate) fn event_record(event: &Event, world: &World) -> Option<EventRecord> {
    if !acmotion::json::is_listed(event) {
        return None;
    }
    let detail = EventDetail::of(event, world.library());
    Some(EventRecord { t: event.time, tick: 0, view: 0, guid: event.guid.into(), message: None, detail })
}
