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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, Stamp};
    use acmotion_wire::{PositionFlags, PositionPack, S2C, UpdatePosition};

    use super::*;
    use crate::collide::Scene;
    use crate::steer::Order;
    use crate::world::{EntitySpec, Settings, World};

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0))
    }

    /// Creatures a metre apart on level ground, where entities do not collide.
    fn row(count: u8) -> World {
        let mut world = World::new(Assets::mannequin());
        for number in 1..=count {
            world.add_stand_in(Guid(number.into()), &at(f32::from(number), 12.0), 0.0);
        }
        world
    }

    /// The guids of the entities that are updated one after the other at a time.
    fn serial(set: &mut SerialSet, world: &mut World, now: f64) -> Vec<u32> {
        let library = Arc::clone(&world.library);
        let collides = world.collides;
        set.find(&mut world.store, &library, collides, now);
        assert_eq!(set.marks().len(), world.store.len());
        let marked = world.entities().zip(set.marks()).filter(|(_, mark)| **mark);
        let marked: Vec<u32> = marked.map(|(resident, _)| resident.guid().0).collect();
        assert_eq!(set.len(), marked.len());
        marked
    }

    /// Who goes to another, and whom it goes to; who sticks to another, and whom it sticks to. The holder of what is followed
    /// counts, too, because what is held moves with it.
    #[test]
    fn those_that_follow_and_are_followed_are_found() {
        let (mut world, mut set) = (row(9), SerialSet::default());
        assert_eq!(serial(&mut set, &mut world, 0.0), [0_u32; 0]);
        world.act(Guid(2), 0.0, |actor, _| actor.order(&Order::chase(Guid(5))));
        assert_eq!(serial(&mut set, &mut world, 0.0), [2, 5]);
        assert_eq!(serial(&mut set, &mut world, 0.1), [2, 5], "as long as nothing changes");
        let sword = EntitySpec::item(Guid(20), mannequin::SWORD_SETUP).held_by(Guid(7), 1);
        world.spawn(&sword, 0.0).expect("it can be held");
        world.act(Guid(3), 0.0, |actor, _| actor.stick_to(Guid(9)));
        assert_eq!(serial(&mut set, &mut world, 0.2), [2, 3, 5, 9]);
        world.act(Guid(3), 0.0, |actor, _| actor.order(&Order::chase(Guid(20))));
        let found = serial(&mut set, &mut world, 0.2);
        assert!([2, 3, 5, 7].iter().all(|guid| found.contains(guid)), "the holder of the sword: {found:?}");
        // Of a set that is new nothing is known yet.
        let mut new = SerialSet::default();
        assert_eq!(serial(&mut new, &mut world, 0.2), found);
        let unknown = World::new(Assets::mannequin());
        assert_eq!(serial(&mut SerialSet::default(), &mut unknown.clone(), 0.0), [0_u32; 0]);
    }

    /// An order counts whether or not it has a target.
    #[test]
    fn an_entity_with_an_order_is_in_the_set_even_without_a_target() {
        let (mut world, mut set) = (row(3), SerialSet::default());
        world.act(Guid(1), 0.0, |actor, _| actor.order(&Order::walk_to(at(2.0, 30.0))));
        assert_eq!(serial(&mut set, &mut world, 0.0), [1], "an order without a target");
    }

    /// The town, with creatures at offsets from its square.
    fn town(offsets: &[(f32, f32)]) -> World {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the town loads");
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        for (number, (east, north)) in (1..).zip(offsets) {
            let mut position = landmarks().spawn;
            position.frame.origin += Vec3::new(*east, *north, 0.0);
            let position = position.adjusted_to_outside().unwrap_or(position);
            world.spawn(&EntitySpec::new(Guid(number), position), 0.0).expect("there is room");
        }
        world
    }

    /// The reach of an entity in a tick is its own, that of its steps, and as far as it can come at 80 m/s.
    #[test]
    fn an_area_is_as_large_as_a_body_can_come() {
        let world = town(&[(0.0, 0.0)]);
        let resident = world.find(Guid(1)).expect("it exists");
        let bounds = world.store.bounds(resident).expect("it is an obstacle");
        let areas: Vec<Area> = resident.areas(bounds, 7, 0.25).collect();
        assert_eq!(areas.len(), 1);
        let shape = &resident.entity.shape;
        let (steps, origin) = (shape.step_up + shape.step_down, resident.position().frame.origin);
        assert!(steps > 0.1);
        assert!((areas[0].radius - (bounds.radius + steps + 20.0)).abs() < 1e-3, "{}", areas[0].radius);
        let on_map = on_map(resident.position().cell, origin);
        assert_eq!((areas[0].x, areas[0].y, areas[0].index), (on_map.x, on_map.y, 7));
        // More time than two seconds is lost (rule B3.4), and none goes back.
        for (now, reach) in [(100.0, 160.0), (-5.0, 0.0)] {
            let area = resident.areas(bounds, 7, now).next().expect("it can move");
            assert!((area.radius - (bounds.radius + steps + reach)).abs() < 1e-2, "{now}: {}", area.radius);
        }
        for state in [PhysicsState::STATIC, PhysicsState::FROZEN] {
            let mut still = resident.clone();
            still.entity.body.state.insert(state);
            assert_eq!(still.areas(bounds, 7, 0.25).count(), 0, "{state:?}");
        }
        let mut large = resident.clone();
        large.entity.body.scale = 2.0;
        let area = large.areas(bounds, 7, 0.0).next().expect("it can move");
        assert!((area.radius - (bounds.radius + 2.0 * steps)).abs() < 1e-3, "{}", area.radius);
    }

    /// Two that could meet are found, wherever they are in the list; those that are farther apart on one axis are not. In a
    /// thirtieth of a second each comes 2.7 m far.
    #[test]
    fn those_that_could_meet_are_found() {
        let now = 1.0 / 30.0;
        let mut world =
            town(&[(0.0, 0.0), (30.0, 0.0), (4.0, 3.0), (30.0, 20.0), (-40.0, -40.0), (26.0, 18.0)]);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, now), [1, 3, 4, 6]);
        // Later, they come farther.
        let found = serial(&mut SerialSet::default(), &mut world, 0.15);
        assert!(found.contains(&2) && !found.contains(&5), "{found:?}");
    }

    /// Where interpolation may move a body counts, too, with the room that placement may look for.
    #[test]
    fn what_is_reported_elsewhere_could_meet_others_there() {
        let mut world = town(&[(0.0, 0.0), (40.0, 0.0), (80.0, 0.0)]);
        let now = 1.0 / 30.0;
        assert_eq!(serial(&mut SerialSet::default(), &mut world, now), [0_u32; 0]);
        let mut there = landmarks().spawn;
        there.frame.origin += Vec3::new(33.0, 0.0, 0.0);
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position: there.adjusted_to_outside().expect("on the map"),
            velocity: None,
            placement: None,
            instance: Stamp(0),
            position_stamp: Stamp(1),
            teleport: Stamp(0),
            force_position: Stamp(0),
        };
        world.receive_message(&S2C::from(UpdatePosition { guid: Guid(1), pack }), 0.0);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, now), [1, 2]);
        let resident = world.find(Guid(1)).expect("it exists");
        let bounds = world.store.bounds(resident).expect("it is an obstacle");
        let shape = &resident.entity.shape;
        let area = resident.areas(bounds, 0, now).nth(1).expect("where it was reported");
        let expected = bounds.radius + shape.step_up + shape.step_down + MAX_PLACEMENT_DISTANCE;
        assert!((area.radius - expected).abs() < 1e-3, "{}", area.radius);
    }

    /// If a body may be faster than its area allows for, all are updated one after the other.
    #[test]
    fn a_body_that_may_be_too_fast_makes_all_serial() {
        let ordinary = |change: &dyn Fn(&mut Entity)| {
            let mut world = town(&[(0.0, 0.0), (60.0, 0.0)]);
            world.act(Guid(1), 0.0, |actor, _| change(actor.entity));
            let is_ordinary = world.find(Guid(1)).expect("it exists").has_ordinary_speed();
            let found = serial(&mut SerialSet::default(), &mut world, 1.0 / 30.0).len();
            assert_eq!(found, if is_ordinary { 0 } else { 2 });
            is_ordinary
        };
        assert!(ordinary(&|_| {}));
        assert!(ordinary(&|entity| entity.interp.interpreted.forward.speed = 14.0));
        assert!(!ordinary(&|entity| entity.interp.interpreted.forward.speed = 16.0));
        assert!(!ordinary(&|entity| entity.interp.interpreted.forward.speed = -16.0));
        assert!(!ordinary(&|entity| entity.interp.interpreted.sidestep.speed = 16.0));
        assert!(!ordinary(&|entity| {
            entity.interp.interpreted.sidestep.speed = 8.0;
            entity.body.scale = 2.0;
        }));
        let carry = |entity: &mut Entity, speed: f32| {
            entity.animator.sequence_mut().set_physics(Vec3::new(0.0, speed, 0.0), Vec3::ZERO);
        };
        assert!(ordinary(&|entity| carry(entity, 50.0)));
        assert!(!ordinary(&|entity| carry(entity, 70.0)));
        assert!(!ordinary(&|entity| {
            carry(entity, 35.0);
            entity.body.scale = 2.0;
        }));
    }
}
