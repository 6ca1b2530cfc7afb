//! Who depends on whom in one tick, and so has to act in turn (feature `parallel`).

use acmotion_types::{CellPosition, Guid, Vec3};

use super::Resident;
use super::shadows::{Bounds, on_map};
use super::store::Store;
use crate::body::{HUGE_QUANTUM, PhysicsState};
use crate::entity::Entity;

/// How fast a body moves at most, in metres a second: more than [`MAX_VELOCITY`](crate::body::MAX_VELOCITY) and a
/// sprint. Where somebody may be faster, everybody acts in turn.
const MAX_SPEED: f32 = 80.0;
/// How fast the motions of a sound body carry it at most, in metres a second.
const MAX_MOTION_SPEED: f32 = 60.0;
/// How much a sound body's motions are sped up at most, its size counted in: running is 4 m/s.
const MAX_SPEED_FACTOR: f32 = 15.0;
/// How far from a place a body is put at most that is to be put there (`docs/collision.md` 10.5), and then some.
const PLACED_WITHIN: f32 = 6.0;

/// Where on the map an entity may be or reach to in a tick.
#[derive(Clone, Copy)]
struct Area {
    x: f32,
    y: f32,
    radius: f32,
    place: u32,
}

/// Who acts in turn; with what it takes to find that out.
#[derive(Default)]
pub(super) struct SerialSet {
    marks: Vec<bool>,
    areas: Vec<Area>,
}

impl SerialSet {
    /// For everybody in order: does he act in turn?
    pub(super) fn marks(&self) -> &[bool] {
        &self.marks
    }

    /// Finds out who does: those who look at others and are looked at, and, where bodies bump into each other, all whose
    /// ways in this tick could meet.
    pub(super) fn find(&mut self, store: &Store, collides: bool, now: f64) {
        self.marks.clear();
        self.marks.extend(store.iter().map(Resident::is_entangled));
        self.mark_looked_at(store);
        if collides {
            self.mark_near(store, now);
        }
    }

    fn mark_looked_at(&mut self, store: &Store) {
        for (place, resident) in store.iter().enumerate() {
            if !self.marks[place] {
                continue;
            }
            let looked_at = resident.looks_at().into_iter().flatten();
            for other in looked_at.filter_map(|guid| store.index_of(guid)) {
                self.marks[other] = true;
                let parent = store.at(other).and_then(Resident::parent);
                if let Some(parent) = parent.and_then(|guid| store.index_of(guid)) {
                    self.marks[parent] = true;
                }
            }
        }
    }

    fn mark_near(&mut self, store: &Store, now: f64) {
        self.areas.clear();
        for (place, resident) in store.iter().enumerate() {
            let Some(bounds) = store.bounds(resident) else { continue };
            if !resident.has_sound_speed() {
                return self.marks.fill(true);
            }
            self.areas.extend(resident.areas(bounds, place as u32, now));
        }
        self.areas.sort_unstable_by(|a, b| (a.x - a.radius).total_cmp(&(b.x - b.radius)));
        for (index, own) in self.areas.iter().enumerate() {
            for other in &self.areas[index + 1..] {
                if other.x - other.radius > own.x + own.radius {
                    break;
                }
                let apart = (own.y - other.y).abs();
                if own.place != other.place && apart <= own.radius + other.radius {
                    self.marks[own.place as usize] = true;
                    self.marks[other.place as usize] = true;
                }
            }
        }
    }
}

impl Resident {
    fn is_entangled(&self) -> bool {
        let entity = &self.entity;
        entity.move_to.is_some() || entity.targets.is_some() || entity.correction.is_stuck()
    }

    fn looks_at(&self) -> [Option<Guid>; 3] {
        let entity = &self.entity;
        [
            entity.move_to().and_then(|order| order.object()),
            entity.targets().and_then(|targets| targets.target()).map(|target| target.object),
            entity.correction.sticky_target(),
        ]
    }

    /// Is it no faster than anything that moves by itself?
    fn has_sound_speed(&self) -> bool {
        let Entity { body, animator, interp, .. } = &self.entity;
        let state = &interp.interpreted;
        let carried = animator.sequence().velocity().length() * body.scale;
        let sped_up = state.forward.speed.abs().max(state.sidestep.speed.abs()) * body.scale;
        carried <= MAX_MOTION_SPEED && sped_up <= MAX_SPEED_FACTOR
    }

    /// Where it may be or reach to in this tick: around itself, and where it may be put because it cannot catch up.
    fn areas(&self, bounds: Bounds, place: u32, now: f64) -> impl Iterator<Item = Area> {
        let Entity { body, shape, correction, .. } = &self.entity;
        let moves = !body.state.intersects(PhysicsState::STATIC | PhysicsState::FROZEN);
        let elapsed = (now - body.clock.update_time).clamp(0.0, HUGE_QUANTUM) as f32;
        let steps = (shape.step_up + shape.step_down) * body.scale;
        let own =
            Area { x: bounds.x, y: bounds.y, radius: bounds.radius + steps + elapsed * MAX_SPEED, place };
        let put = |at: CellPosition| {
            let Vec3 { x, y, .. } = on_map(at.cell, at.frame.origin);
            Area { x, y, radius: bounds.radius + steps + PLACED_WITHIN, place }
        };
        let catching_up = &correction.interpolation;
        let (newest, wanted) = (catching_up.nodes().last().map(put), catching_up.blip_target().map(put));
        [Some(own), newest, wanted].into_iter().flatten().filter(move |_| moves)
    }
}
