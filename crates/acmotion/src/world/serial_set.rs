//! Which entities depend on each other in a tick and are therefore updated one after the other (feature `parallel`).

use acmotion_types::{CellPosition, Guid, Vec3};

use super::Resident;
use super::shadows::{Bounds, Shadows, on_map};
use super::store::Store;
use crate::body::{HUGE_QUANTUM, MAX_QUANTUM, MAX_VELOCITY, PhysicsState, TransientState};
use crate::effects::Effects;
use crate::entity::Entity;
use crate::library::Library;

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
    /// Whether the entity may change. One that does not is only in the way of others.
    changes: bool,
}

/// The entities that are updated one after the other, with scratch space for finding them.
#[derive(Default)]
pub(super) struct SerialSet {
    marks: Vec<bool>,
    /// The entities that follow others or are followed, as far as they know themselves. Ticks do not change that of an
    /// entity, but notices, messages and orders do, which wake it.
    linked: Vec<bool>,
    areas: Vec<Area>,
    /// Whether an entity has an obstacle in its area that does not change.
    is_beside_obstacle: Vec<bool>,
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

    /// Marks the entities that linked ones follow, and all that hold them.
    fn mark_followed(&mut self, store: &Store) {
        let linked = self.linked.iter().enumerate().filter(|(_, linked)| **linked);
        for resident in linked.filter_map(|(index, _)| store.at(index)) {
            for followed in resident.followed().into_iter().flatten() {
                let mut next = store.index_of(followed);
                while let Some(index) = next {
                    self.marks[index] = true;
                    let holder = store.at(index).and_then(Resident::parent);
                    next = holder.and_then(|guid| store.index_of(guid));
                }
            }
        }
    }

    /// Marks the entities that change and have overlapping areas, and those that have several others in theirs that do not
    /// change: which of these is met first depends on the order of the lists (`docs/collision.md` 8.1), and so on the
    /// entities before. Marks all entities if the area of one has no bounds.
    fn mark_near(&mut self, store: &Store, library: &Library, now: f64) {
        self.areas.clear();
        for (index, resident) in store.iter().enumerate() {
            if !resident.body().is_in_cell() {
                continue;
            }
            if !resident.add_areas(index as u32, store.shadows(), library, now, &mut self.areas) {
                return self.marks.fill(true);
            }
        }
        self.areas.sort_unstable_by(|a, b| (a.x - a.radius).total_cmp(&(b.x - b.radius)));
        self.is_beside_obstacle.clear();
        self.is_beside_obstacle.resize(self.marks.len(), false);
        for (sorted, own) in self.areas.iter().enumerate() {
            for other in &self.areas[sorted + 1..] {
                if other.x - other.radius > own.x + own.radius {
                    break;
                }
                let apart = (own.y - other.y).abs();
                if own.index == other.index || apart > own.radius + other.radius {
                    continue;
                }
                match (own.changes, other.changes) {
                    (true, true) => {
                        self.marks[own.index as usize] = true;
                        self.marks[other.index as usize] = true;
                    }
                    (true, false) | (false, true) => {
                        let mover = if own.changes { own.index } else { other.index } as usize;
                        let is_second = std::mem::replace(&mut self.is_beside_obstacle[mover], true);
                        self.marks[mover] |= is_second;
                    }
                    (false, false) => {}
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

    /// Returns `true` if a hook, a tween or a script may change its scale in this tick.
    fn may_change_scale(&self, library: &Library) -> bool {
        let Entity { effects, animator, .. } = &self.entity;
        effects.as_deref().is_some_and(Effects::may_scale) || animator.sequence().may_scale(library)
    }

    /// The bounds of an entity that is no obstacle but may collide with others.
    fn bounds_as_mover(&self) -> Bounds {
        let Entity { body, shape, .. } = &self.entity;
        Bounds::around(&body.position, shape.radius * body.scale)
    }

    /// Adds the areas it may reach into in this tick: around itself, and around positions it may be moved to because
    /// interpolation fails. Returns `false` if it may reach anywhere.
    fn add_areas(
        &self,
        index: u32,
        shadows: &Shadows,
        library: &Library,
        now: f64,
        areas: &mut Vec<Area>,
    ) -> bool {
        let Entity { body, shape, correction, effects, .. } = &self.entity;
        let slot = self.id().slot;
        let bounds = shadows.bounds(slot);
        let Bounds { x, y, radius, .. } = bounds.unwrap_or_else(|| self.bounds_as_mover());
        let is_frozen = body.state.contains(PhysicsState::FROZEN);
        // What becomes active in this tick takes no step before the next. What was active when it was made static goes on.
        if is_frozen || !body.transient.contains(TransientState::ACTIVE) {
            areas.push(Area { x, y, radius, index, changes: effects.is_some() && !is_frozen });
            return true;
        }
        let elapsed = now - body.clock.update_time;
        // Of several steps, each depends on the ones before. After more than two seconds there are none (rule B3.4).
        let has_several_steps = elapsed > MAX_QUANTUM && elapsed <= HUGE_QUANTUM;
        let moves = self.max_displacement(library, elapsed.clamp(0.0, MAX_QUANTUM) as f32);
        let has_parts = bounds.is_some() && shadows.has_parts(slot);
        // A body of polygons that moves may begin to fall, in any pose.
        let may_fall = has_parts && moves > 0.0;
        if self.may_change_scale(library) || has_several_steps || may_fall || !moves.is_finite() {
            return false;
        }
        let part_distance =
            if has_parts { self.entity.animator.sequence().max_part_distance(library) } else { 0.0 };
        let in_any_pose =
            bounds.map(|_| shadows.radius_in_any_pose(slot, self.may_tilt(library), part_distance));
        let steps = (shape.step_up + shape.step_down) * body.scale;
        let radius = in_any_pose.unwrap_or(radius) + steps;
        areas.push(Area { x, y, radius: radius + moves, index, changes: true });
        let around = |target: CellPosition| {
            let Vec3 { x, y, .. } = on_map(target.cell, target.frame.origin);
            Area { x, y, radius: radius + MAX_PLACEMENT_DISTANCE, index, changes: true }
        };
        let interpolation = &correction.interpolation;
        areas.extend(interpolation.nodes().last().map(around));
        areas.extend(interpolation.blip_target().map(around));
        true
    }

    /// Returns `true` if it may be tilted after this tick and is not now.
    fn may_tilt(&self, library: &Library) -> bool {
        let Entity { body, animator, correction, .. } = &self.entity;
        let is_tilted =
            |position: &CellPosition| position.frame.rotation.x != 0.0 || position.frame.rotation.y != 0.0;
        let interpolation = &correction.interpolation;
        body.state.intersects(PhysicsState::ALIGN_PATH | PhysicsState::SLEDDING)
            || (body.omega.x, body.omega.y) != (0.0, 0.0)
            || animator.sequence().may_tilt(library)
            || interpolation.nodes().any(|node| is_tilted(&node))
            || interpolation.blip_target().is_some_and(|target| is_tilted(&target))
    }

    /// Returns a distance, in metres, that a step of `quantum` seconds does not exceed before collision: by root motion or the
    /// corrections that replace it, and by its own velocity (rule B5). A body without spheres stays where it is (rule B4.4c).
    fn max_displacement(&self, library: &Library, quantum: f32) -> f32 {
        let Entity { body, shape, animator, pace, .. } = &self.entity;
        if shape.spheres().is_empty() {
            return 0.0;
        }
        let root = animator.sequence().max_root_motion(library, quantum) * body.scale * pace.factor();
        let corrected = self.entity.max_correction_speed() * quantum;
        let speed = body.velocity.length().min(MAX_VELOCITY);
        let falling = 0.5 * body.acceleration.length() * quantum * quantum;
        root.max(corrected) + speed * quantum + falling
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, MotionCommand, Stamp};
    use acmotion_wire::{PositionFlags, PositionPack, S2C, UpdatePosition};
    use proptest::prelude::*;

    use super::*;
    use crate::collide::{Scene, Shape};
    use crate::entity::RootPace;
    use crate::interp::MovementParams;
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
        // So do those that hold the holder.
        let carried = EntitySpec { position: None, ..EntitySpec::new(Guid(21), at(1.0, 1.0)) };
        world.spawn(&carried.held_by(Guid(7), 1), 0.0).expect("it can be held");
        let sword = EntitySpec::item(Guid(22), mannequin::SWORD_SETUP).held_by(Guid(21), 1);
        world.spawn(&sword, 0.0).expect("it can be held");
        world.act(Guid(3), 0.0, |actor, _| actor.order(&Order::chase(Guid(22))));
        let found = serial(&mut set, &mut world, 0.2);
        assert!([3, 7, 21, 22].iter().all(|guid| found.contains(guid)), "holders of holders: {found:?}");
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

    /// The areas of an entity at a time, `None` if it may reach anywhere.
    fn areas(world: &World, number: u32, now: f64) -> Option<Vec<Area>> {
        let resident = world.find(Guid(number)).expect("it exists");
        let mut areas = Vec::new();
        let has_bounds = resident.add_areas(7, world.store.shadows(), &world.library, now, &mut areas);
        has_bounds.then_some(areas)
    }

    /// The reach of an entity around itself at a time.
    fn reach(world: &World, number: u32, now: f64) -> f32 {
        let areas = areas(world, number, now).expect("it has bounds");
        assert!(areas[0].changes);
        areas[0].radius
    }

    fn change(world: &mut World, number: u32, change: impl FnOnce(&mut Entity)) {
        world.act(Guid(number), 0.0, |actor, _| change(actor.entity));
    }

    fn perform(world: &mut World, number: u32, motion: MotionCommand) {
        world.act(Guid(number), 0.0, |actor, _| {
            actor.do_interpreted_motion(motion, &MovementParams::default()).expect("it can do it");
        });
    }

    const TICK: f64 = 1.0 / 30.0;

    /// The reach of a body that stands is its own and that of its steps. Motion, correction and fall add to it.
    #[test]
    fn an_area_is_as_large_as_a_body_can_come() {
        let mut world = town(&[(0.0, 0.0)]);
        let resident = world.find(Guid(1)).expect("it exists");
        let bounds = world.store.shadows().bounds(resident.id().slot).expect("it is an obstacle");
        let shape = Arc::clone(&resident.entity.shape);
        let on_map = on_map(resident.position().cell, resident.position().frame.origin);
        let steps = shape.step_up + shape.step_down;
        assert!(steps > 0.1);
        let found = areas(&world, 1, TICK).expect("it has bounds");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].x, found[0].y, found[0].index), (on_map.x, on_map.y, 7));
        let standing = bounds.radius + steps;
        assert!((found[0].radius - standing).abs() < 1e-5, "{}", found[0].radius);

        let mut large = world.clone();
        change(&mut large, 1, |entity| entity.body.scale = 2.0);
        let bounds = large.store.shadows().bounds(0).expect("it is an obstacle");
        assert!((reach(&large, 1, TICK) - (bounds.radius + 2.0 * steps)).abs() < 1e-5);

        let mut thrown = world.clone();
        change(&mut thrown, 1, |entity| entity.body.velocity = Vec3::new(3.0, 0.0, 4.0));
        assert!((reach(&thrown, 1, 0.1) - (standing + 0.5)).abs() < 1e-4, "5 m/s");
        change(&mut thrown, 1, |entity| entity.body.velocity.x = 1000.0);
        assert!((reach(&thrown, 1, 0.1) - (standing + 5.0)).abs() < 1e-3, "at most 50 m/s (rule C6)");
        change(&mut thrown, 1, |entity| entity.body.velocity = Vec3::ZERO);
        change(&mut thrown, 1, |entity| entity.body.acceleration.z = -10.0);
        assert!((reach(&thrown, 1, 0.1) - (standing + 0.05)).abs() < 1e-4);

        perform(&mut world, 1, MotionCommand::RUN_FORWARD);
        let running = reach(&world, 1, TICK) - standing;
        assert!((0.13..1.5).contains(&running), "{running}");
        change(&mut world, 1, |entity| entity.pace = RootPace::new(2.0));
        assert!((reach(&world, 1, TICK) - standing - 2.0 * running).abs() < 1e-3);
    }

    /// Interpolation and sticking replace root motion, and may be faster than any motion.
    #[test]
    fn corrections_count_with_their_speed() {
        let standing = reach(&town(&[(0.0, 0.0)]), 1, 0.1);
        let mut world = town(&[(0.0, 0.0), (3.0, 0.0)]);
        world.act(Guid(1), 0.0, |actor, _| actor.stick_to(Guid(2)));
        let sticking = reach(&world, 1, 0.1) - standing;
        change(&mut world, 1, |entity| entity.interp.my_run_rate = 40.0);
        let faster = reach(&world, 1, 0.1) - standing;
        assert!(sticking > 1.0 && faster > 30.0 * sticking, "{sticking} and {faster} m");
        let mut world = town(&[(0.0, 0.0)]);
        report(&mut world, 1, 5.0);
        let interpolating = reach(&world, 1, 0.1) - standing;
        change(&mut world, 1, |entity| entity.interp.my_run_rate = 40.0);
        let faster = reach(&world, 1, 0.1) - standing;
        assert!(interpolating > 0.7 && faster > 30.0 * interpolating, "{interpolating} and {faster} m");
        change(&mut world, 1, |entity| entity.interp.my_run_rate = f32::INFINITY);
        assert!(areas(&world, 1, 0.1).is_none());
    }

    /// Two bodies in any step of 0.2 s or less; after a pause of up to two seconds there are several steps, and it is not known
    /// what the later ones do. More time is lost (rule B3.4).
    #[test]
    fn only_a_single_step_has_an_area() {
        let world = town(&[(0.0, 0.0)]);
        assert!([0.0, 0.1, 0.2, 2.1, 50.0, -1.0].iter().all(|now| areas(&world, 1, *now).is_some()));
        assert!([0.21, 1.0, 2.0].iter().all(|now| areas(&world, 1, *now).is_none()));
    }

    /// What is frozen or not active is only in the way, but effects, such as scripts, may change what is not active. A static
    /// object counts as active if it was when it was made static.
    #[test]
    fn what_does_not_move_is_in_the_way() {
        let with = |state: PhysicsState, is_active: bool, has_effects: bool| {
            let mut world = town(&[(0.0, 0.0)]);
            change(&mut world, 1, |entity| {
                entity.body.state.insert(state);
                entity.body.transient.set(TransientState::ACTIVE, is_active);
                entity.effects = has_effects.then(Box::default);
            });
            let areas = areas(&world, 1, TICK).expect("it has bounds");
            let bounds = world.store.shadows().bounds(0).expect("it is an obstacle");
            (areas[0].changes, areas[0].radius > bounds.radius)
        };
        assert_eq!(with(PhysicsState::FROZEN, true, false), (false, false));
        assert_eq!(with(PhysicsState::FROZEN, false, true), (false, false));
        for state in [PhysicsState::STATIC, PhysicsState::empty()] {
            assert_eq!(with(state, false, false), (false, false));
            assert_eq!(with(state, false, true), (true, false));
            assert_eq!(with(state, true, false), (true, true));
        }
    }

    /// A body that may be tilted reaches as far as its head, in any direction.
    #[test]
    fn a_body_that_may_tilt_has_a_larger_area() {
        let upright = reach(&town(&[(0.0, 0.0)]), 1, TICK);
        let tilted = |alter: &dyn Fn(&mut Entity)| {
            let mut world = town(&[(0.0, 0.0)]);
            change(&mut world, 1, alter);
            reach(&world, 1, TICK) - upright
        };
        assert!(tilted(&|entity| entity.body.omega.z = 1.0).abs() < 1e-5);
        for far in [
            tilted(&|entity| entity.body.omega.x = 1.0),
            tilted(&|entity| entity.body.omega.y = 1.0),
            tilted(&|entity| entity.body.state.insert(PhysicsState::ALIGN_PATH)),
            tilted(&|entity| {
                entity.animator.sequence_mut().set_physics(Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0));
            }),
        ] {
            assert!(far > 1.0, "{far} m");
        }
    }

    /// A door reaches as far as its leaf in any pose of its motions. One that moves may begin to fall, and is anywhere.
    #[test]
    fn a_door_reaches_as_far_as_its_leaf() {
        let mut world = town(&[]);
        let spec = EntitySpec {
            state: PhysicsState::HAS_PHYSICS_BSP | PhysicsState::GRAVITY,
            setup: Some(mannequin::DOOR_SETUP),
            motion_table: Some(mannequin::DOOR_TABLE),
            is_creature: false,
            ..EntitySpec::new(Guid(1), landmarks().spawn)
        };
        world.spawn(&spec, 0.0).expect("there is room");
        let closed = areas(&world, 1, TICK).expect("it stands")[0];
        perform(&mut world, 1, MotionCommand::ON);
        let mut opening = world.clone();
        let area = areas(&world, 1, TICK).expect("it stands")[0];
        assert!(area.radius >= closed.radius);
        for tick in 1..60 {
            opening.tick(f64::from(tick) * TICK);
            let bounds = opening.store.shadows().bounds(0).expect("it is an obstacle");
            assert!(bounds.radius <= area.radius, "{bounds:?}");
        }
        // With spheres it would fall.
        change(&mut world, 1, |entity| entity.shape = Shape::human().into());
        assert!(areas(&world, 1, TICK).is_none());
    }

    /// Reports an entity a number of metres east of the spawn.
    fn report(world: &mut World, number: u32, east: f32) {
        let mut there = landmarks().spawn;
        there.frame.origin += Vec3::new(east, 0.0, 0.0);
        let stamps = *world.find(Guid(number)).expect("it exists").stamps();
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position: there.adjusted_to_outside().expect("on the map"),
            velocity: None,
            placement: None,
            instance: stamps.instance,
            position_stamp: Stamp(stamps.position.0.wrapping_add(1)),
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        };
        world.receive_message(&S2C::from(UpdatePosition { guid: Guid(number), pack }), 0.0);
    }

    /// Two that could meet are found, wherever they are in the list; those that are farther apart on one axis are not. Each
    /// reaches about 2.7 m far when it stands.
    #[test]
    fn those_that_could_meet_are_found() {
        let mut world =
            town(&[(0.0, 0.0), (20.0, 8.0), (3.0, 3.0), (20.0, 20.0), (-40.0, -40.0), (17.0, 18.0)]);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [1, 3, 4, 6]);
        // One comes farther when it is thrown.
        change(&mut world, 2, |entity| entity.body.velocity = Vec3::new(0.0, 50.0, 0.0));
        assert!(!serial(&mut SerialSet::default(), &mut world, TICK).contains(&2));
        assert!(serial(&mut SerialSet::default(), &mut world, 0.2).contains(&2));
    }

    /// Where interpolation may move a body counts, too, with the room that placement may look for.
    #[test]
    fn what_is_reported_elsewhere_could_meet_others_there() {
        let mut world = town(&[(0.0, 0.0), (40.0, 0.0), (80.0, 0.0)]);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [0_u32; 0]);
        let standing = reach(&world, 1, TICK);
        report(&mut world, 1, 32.0);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [1, 2]);
        let areas = areas(&world, 1, TICK).expect("it has bounds");
        assert!((areas[1].radius - (standing + MAX_PLACEMENT_DISTANCE)).abs() < 1e-3, "{}", areas[1].radius);
    }

    /// Which of two obstacles that stay is met first depends on the order of the lists, and that on those before.
    #[test]
    fn a_body_between_two_obstacles_that_stay_is_found() {
        let freeze = |world: &mut World, number| {
            change(world, number, |entity| entity.body.state.insert(PhysicsState::FROZEN));
        };
        let mut world = town(&[(0.0, 0.0), (1.0, 1.0), (30.0, 0.0), (-1.0, -1.0)]);
        freeze(&mut world, 2);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [1, 4], "one of them moves");
        freeze(&mut world, 4);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [1]);
        let mut world = town(&[(0.0, 0.0), (1.0, 1.0), (30.0, 0.0)]);
        freeze(&mut world, 2);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK), [0_u32; 0], "one alone");
    }

    /// If one may reach anywhere, all are updated one after the other.
    #[test]
    fn a_body_without_bounds_makes_all_serial() {
        let mut world = town(&[(0.0, 0.0), (60.0, 0.0)]);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK).len(), 0);
        change(&mut world, 2, |entity| {
            entity.animator.sequence_mut().set_physics(Vec3::new(0.0, 1e38, 0.0), Vec3::ZERO);
            entity.body.scale = 9.0;
        });
        let is_boundless = areas(&world, 2, TICK).is_none();
        assert!(is_boundless);
        assert_eq!(serial(&mut SerialSet::default(), &mut world, TICK).len(), 2);
    }

    /// Does one of several things to a body of the town.
    fn act(world: &mut World, number: u32, what: usize, now: f64) {
        const MOTIONS: [MotionCommand; 5] = [
            MotionCommand::RUN_FORWARD,
            MotionCommand::WALK_FORWARD,
            MotionCommand::SIDE_STEP_RIGHT,
            MotionCommand::TURN_LEFT,
            MotionCommand::READY,
        ];
        let east = (what % 7) as f32 * 4.0;
        world.act(Guid(number), now, |actor, _| match what % 10 {
            kind @ 0..5 => {
                let _ = actor.do_interpreted_motion(MOTIONS[kind], &MovementParams::default());
            }
            5 => actor.entity.body.set_velocity(Vec3::new(east, -9.0, 6.0), now),
            6 => {}
            7 => actor.stick_to(Guid(1 + what as u32 % 12)),
            8 => actor.entity.body.omega = Vec3::new(east, 1.0, 0.0),
            _ => actor.order(&Order::chase(Guid(1 + what as u32 % 12))),
        });
        if what % 10 == 6 {
            report(world, number, east);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        /// Whatever a body of the town does, or is done to it, it ends each tick within its areas.
        #[test]
        fn no_body_leaves_its_areas(
            deeds in proptest::collection::vec((1..13_u32, 0..1000_usize), 1..80),
            lengths in proptest::collection::vec(prop_oneof![5 => Just(TICK), 1 => 0.0..0.25], 80),
        ) {
            let offsets: Vec<_> = (0..12_u8).map(f32::from).map(|n| (n % 4.0 * 3.0, (n / 4.0).floor() * 3.0)).collect();
            let mut world = town(&offsets);
            let mut now = 0.0;
            for ((number, what), length) in deeds.into_iter().zip(lengths) {
                act(&mut world, number, what, now);
                now += length;
                let before: Vec<_> = (1..13).map(|number| areas(&world, number, now)).collect();
                world.tick(now);
                for (number, areas) in (1..13).zip(before) {
                    let Some(areas) = areas else { continue };
                    let slot = world.find(Guid(number)).expect("it exists").id().slot;
                    let Some(Bounds { x, y, radius, .. }) = world.store.shadows().bounds(slot) else { continue };
                    let is_within = |area: &Area| libm::hypotf(x - area.x, y - area.y) + radius <= area.radius + 1e-3;
                    prop_assert!(areas.iter().any(is_within), "{number} did {what}, now at {x}, {y} with {radius}");
                }
            }
        }
    }
}
