//! Which entities depend on each other in a tick and are therefore updated one after the other (feature `parallel`).

use acmotion_types::{CellPosition, Guid, Vec3};

use super::Resident;
use super::shadows::{Bounds, on_map};
use super::store::Store;
use crate::body::{HUGE_QUANTUM, PhysicsState};
use crate::effects::Effects;
use crate::entity::Entity;
use crate::library::Library;

/// The maximum speed of a body, in metres a second: more than [`MAX_VELOCITY`](crate::body::MAX_VELOCITY) plus a sprint. If
/// a body may be faster, all entities are updated one after the other.
const MAX_SPEED: f32 = 80.0;
/// The maximum speed, in metres a second, at which its motions carry a body of ordinary speed.
const MAX_MOTION_SPEED: f32 = 60.0;
/// The maximum speed factor of the motions of a body of ordinary speed, multiplied by its scale. Running at factor 1 is
/// 4 m/s.
const MAX_SPEED_FACTOR: f32 = 15.0;
/// The maximum distance, in metres, between a position and the one found near it by placement (`docs/collision.md` 10.5),
/// with a margin.
const MAX_PLACEMENT_DISTANCE: f32 = 6.0;

/// A circle on the map that an entity may reach into during a tick.
#[derive(Clone, Copy)]
struct Area {
    x: f32,
    y: f32,
    radius: f32,
    /// The index of the entity in the store.
    index: u32,
}

/// The entities that are updated one after the other, with scratch space for finding them.
#[derive(Default)]
pub(super) struct SerialSet {
    marks: Vec<bool>,
    /// The entities that follow others or are followed, as far as they know themselves. Ticks do not change that of an
    /// entity, but notices, messages and orders do, which wake it.
    linked: Vec<bool>,
    areas: Vec<Area>,
}

impl SerialSet {
    /// For each index of the store, whether that entity is in the set.
    pub(super) fn marks(&self) -> &[bool] {
        &self.marks
    }

    /// The number of entities in the set.
    pub(super) fn len(&self) -> usize {
        self.marks.iter().filter(|mark| **mark).count()
    }

    /// Finds the set: entities that follow others or are followed, and, if entities collide, those that could meet in this
    /// tick.
    pub(super) fn find(&mut self, store: &mut Store, library: &Library, collides: bool, now: f64) {
        if self.linked.is_empty() {
            // Of a new world, or a copy of one, nothing is known yet.
            self.linked.extend(store.iter().map(Resident::follows_or_is_followed));
        }
        self.linked.resize(store.len(), false);
        store.take_woken(|index, resident| self.linked[index] = resident.follows_or_is_followed());
        self.marks.clone_from(&self.linked);
        self.mark_followed(store);
        if collides {
            self.mark_near(store, library, now);
        }
    }

    /// Marks the entities that linked ones follow, and their parents.
    fn mark_followed(&mut self, store: &Store) {
        let linked = self.linked.iter().enumerate().filter(|(_, linked)| **linked);
        for resident in linked.filter_map(|(index, _)| store.at(index)) {
            let followed = resident.followed().into_iter().flatten();
            for other in followed.filter_map(|guid| store.index_of(guid)) {
                self.marks[other] = true;
                let parent = store.at(other).and_then(Resident::parent);
                if let Some(parent) = parent.and_then(|guid| store.index_of(guid)) {
                    self.marks[parent] = true;
                }
            }
        }
    }

    /// Marks the entities with overlapping areas; all entities if one may be faster or become larger than its area allows
    /// for.
    fn mark_near(&mut self, store: &Store, library: &Library, now: f64) {
        self.areas.clear();
        for (index, resident) in store.iter().enumerate() {
            let Some(bounds) = store.bounds(resident) else { continue };
            if !resident.has_ordinary_speed() || resident.may_change_scale(library) {
                return self.marks.fill(true);
            }
            self.areas.extend(resident.areas(bounds, index as u32, now));
        }
        self.areas.sort_unstable_by(|a, b| (a.x - a.radius).total_cmp(&(b.x - b.radius)));
        for (sorted, own) in self.areas.iter().enumerate() {
            for other in &self.areas[sorted + 1..] {
                if other.x - other.radius > own.x + own.radius {
                    break;
                }
                let apart = (own.y - other.y).abs();
                if own.index != other.index && apart <= own.radius + other.radius {
                    self.marks[own.index as usize] = true;
                    self.marks[other.index as usize] = true;
                }
            }
        }
    }
}

impl Resident {
    /// Returns `true` if the entity has ever had an order or a target, or sticks to another.
    fn follows_or_is_followed(&self) -> bool {
        let entity = &self.entity;
        entity.move_to.is_some() || entity.targets.is_some() || entity.correction.is_stuck()
    }

    /// The entities that its update depends on.
    fn followed(&self) -> [Option<Guid>; 3] {
        let entity = &self.entity;
        [
            entity.move_to().and_then(|order| order.object()),
            entity.targets().and_then(|targets| targets.target()).map(|target| target.object),
            entity.correction.sticky_target(),
        ]
    }

    /// Returns `true` if its motions do not make it faster than [`MAX_SPEED`].
    fn has_ordinary_speed(&self) -> bool {
        let Entity { body, animator, interp, .. } = &self.entity;
        let state = &interp.interpreted;
        let carried = animator.sequence().velocity().length() * body.scale;
        let factor = state.forward.speed.abs().max(state.sidestep.speed.abs()) * body.scale;
        carried <= MAX_MOTION_SPEED && factor <= MAX_SPEED_FACTOR
    }

    /// Returns `true` if a hook, a tween or a script may change its scale in this tick.
    fn may_change_scale(&self, library: &Library) -> bool {
        let Entity { effects, animator, .. } = &self.entity;
        effects.as_deref().is_some_and(Effects::may_scale) || animator.sequence().may_scale(library)
    }

    /// The areas it may reach into in this tick: around itself, and around positions it may be moved to because
    /// interpolation fails.
    fn areas(&self, bounds: Bounds, index: u32, now: f64) -> impl Iterator<Item = Area> {
        let Entity { body, shape, correction, .. } = &self.entity;
        let moves = !body.state.intersects(PhysicsState::STATIC | PhysicsState::FROZEN);
        let elapsed = (now - body.clock.update_time).clamp(0.0, HUGE_QUANTUM) as f32;
        let steps = (shape.step_up + shape.step_down) * body.scale;
        let own =
            Area { x: bounds.x, y: bounds.y, radius: bounds.radius + steps + elapsed * MAX_SPEED, index };
        let around = |target: CellPosition| {
            let Vec3 { x, y, .. } = on_map(target.cell, target.frame.origin);
            Area { x, y, radius: bounds.radius + steps + MAX_PLACEMENT_DISTANCE, index }
        };
        let interpolation = &correction.interpolation;
        let newest = interpolation.nodes().last().map(around);
        let blip = interpolation.blip_target().map(around);
        [Some(own), newest, blip].into_iter().flatten().filter(move |_| moves)
    }
}
