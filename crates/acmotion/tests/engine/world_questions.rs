//! Questions to a world: entities near a position, in the way, and in the place where a shape would stand.

use crate::town_support;
use crate::world_support;

use std::collections::BTreeSet;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::{Scene, Shape, StandError, Surface, SweepKind};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{EntityFilter, Settings, World};
use town_support::*;
use world_support::{TICK, TestWorld, at, create, delete, held_item};

struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 40) as f32 / (1u64 << 24) as f32)
    }
}

/// The entities within a distance, found by looking at all of them.
fn scan(world: &World, position: &CellPosition, distance: f32) -> BTreeSet<Guid> {
    let near = world.entities().filter(|resident| {
        resident.body().is_in_cell() && resident.position().distance_to(position) <= distance
    });
    near.map(|resident| resident.guid()).collect()
}

/// Asserts that the entities found are those of a scan, each once. Returns their number.
fn assert_found(world: &World, position: &CellPosition, distance: f32) -> usize {
    let found: Vec<Guid> = world.who_is_within(position, distance).map(|resident| resident.guid()).collect();
    let expected = scan(world, position, distance);
    assert_eq!(found.len(), expected.len(), "{position:?}, {distance} m: {found:?}");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{position:?}, {distance} m");
    expected.len()
}

/// Walkers all over four landblocks, some of which are removed and created again while they walk.
fn crowd(settings: Settings, from: CellPosition) {
    let mut scene = TestWorld::with(settings);
    let mut random = Random(0x5DEE_CE66_D000_000B);
    let mut anywhere = |scale: f32| {
        let offset = Vec3::new(random.between(-scale, scale), random.between(-scale, scale), 0.0);
        let there = CellPosition::at(from.cell, from.frame.origin + offset);
        there.adjusted_to_outside().unwrap()
    };
    for number in 0..300 {
        let kind = if number % 2 == 0 { CHARACTER } else { CREATURE };
        scene.add(Guid(1 + number), &anywhere(150.0), &kind);
        scene.start(Guid(1 + number), MotionCommand::RUN_FORWARD);
    }
    let mut total = 0;
    for round in 0..40 {
        scene.ticks(15);
        for number in 0..5 {
            let guid = Guid(1 + (round * 7 + number * 13) % 300);
            scene.send(&delete(guid, 0));
            if number % 2 == 0 {
                scene.add(guid, &anywhere(150.0), &CHARACTER);
                scene.start(guid, MotionCommand::RUN_FORWARD);
            }
        }
        for distance in [0.0, 1.0, 5.0, 24.0, 60.0, 500.0] {
            total += assert_found(&scene.world, &anywhere(200.0), distance);
        }
        let copy = scene.world.clone();
        total += assert_found(&copy, &anywhere(100.0), 24.0);
        let own = scene.world.entities().nth(round as usize).unwrap().position();
        total += assert_found(&scene.world, &own, 10.0);
    }
    assert!(total > 5_000, "{total} found");
}

#[test]
fn the_entities_within_a_distance_are_those_of_a_scan_in_a_scene() {
    crowd(town_settings(), landmarks().border);
}

#[test]
fn the_entities_within_a_distance_are_those_of_a_scan_without_surroundings() {
    crowd(Settings::default(), at(190.0, 4.0));
}

#[test]
fn a_search_looks_across_rooms_and_leaves_out_held_objects() {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(Guid(1), &town.hall, &CHARACTER);
    scene.add(Guid(2), &town.cellar, &CHARACTER);
    scene.add(Guid(3), &town.doorstep, &CHARACTER);
    scene.send(&held_item(Guid(4), Guid(1)));
    let far = town.hall.distance_to(&town.cellar).max(town.hall.distance_to(&town.doorstep)) + 0.1;
    assert_eq!(assert_found(&scene.world, &town.hall, far), 3, "through the floor and the wall");
    assert_eq!(assert_found(&scene.world, &town.hall, 1.0), 1, "without the sword");
    for (position, distance) in [
        (town.hall, f32::NAN),
        (town.hall, -1.0),
        (CellPosition::at(town.hall.cell, Vec3::new(f32::NAN, 0.0, 0.0)), 5.0),
        (CellPosition::at(CellId(0xFFFF_0001), Vec3::new(1e30, 1e30, 0.0)), 5.0),
    ] {
        assert_eq!(assert_found(&scene.world, &position, distance), 0);
    }
    assert_eq!(assert_found(&scene.world, &town.hall, f32::INFINITY), 3);
}

#[test]
fn a_closed_door_hides_the_hall() {
    let mut scene = in_town();
    let town = landmarks();
    let door = Guid(7);
    scene.add(door, &town.door, &DOOR);
    let (outside, inside) = (beside(town.doorstep, 0.0, -1.0, 1.5), beside(town.hall, 0.0, 0.0, 1.5));
    let sight =
        |scene: &TestWorld, filter: EntityFilter<'_>| scene.world.line_of_sight(&outside, &inside, filter);
    assert_eq!(sight(&scene, EntityFilter::NONE), Ok(()));
    let hit = *sight(&scene, EntityFilter::OBJECTS).unwrap_err().surface().unwrap();
    assert_eq!(hit.surface, Surface::Entity(door));
    assert!((hit.position.distance_to(&beside(town.door, 0.0, 0.0, 1.5))) < 1.0, "{hit:?}");
    assert_eq!(sight(&scene, EntityFilter::OBJECTS.except(&[door])), Ok(()));
    let creatures = EntityFilter { creatures: true, ..EntityFilter::NONE };
    assert_eq!(sight(&scene, creatures), Ok(()));
    // Open, it is ethereal.
    scene.world.act(door, scene.now, |actor, around| actor.set_ethereal(true, around));
    assert_eq!(sight(&scene, EntityFilter::ALL), Ok(()));
}

/// The camera stops in front of a closed door, but passes through creatures and an open door (`docs/collision.md` 2.8, 8.3).
#[test]
fn a_closed_door_stops_the_camera() {
    let mut scene = in_town();
    let (town, door, guard) = (landmarks(), Guid(7), Guid(8));
    let geometry = Scene::load(&Assets::mannequin(), &Assets::town()).unwrap();
    // A body inside looks towards the hall; its camera wants to be outside.
    let body = beside(town.hall, 0.0, 0.0, 0.0);
    let (pivot, eye) = (beside(body, 0.0, 0.0, 1.5), beside(town.doorstep, 0.0, -1.0, 1.5));
    let distance = |scene: &TestWorld, filter: EntityFilter<'_>| {
        let view = geometry.camera_view(&body, &pivot, &eye, &scene.world.obstacles(filter));
        assert!(view.in_cell);
        view.eye.distance_to(&pivot)
    };
    let wanted = eye.distance_to(&pivot);
    scene.add(guard, &beside(town.door, 0.0, 1.0, 0.0), &CREATURE);
    scene.ticks(2);
    assert!((distance(&scene, EntityFilter::ALL) - wanted).abs() < 1e-3, "a creature is in the way");
    scene.add(door, &town.door, &DOOR);
    let closed = distance(&scene, EntityFilter::ALL);
    let leaf = beside(town.door, 0.0, 0.0, 1.5).distance_to(&pivot);
    assert!(closed < leaf && closed > leaf - 1.0, "{closed} m, and the door is at {leaf} m");
    assert!((distance(&scene, EntityFilter::ALL.except(&[door])) - wanted).abs() < 1e-3);
    scene.world.act(door, scene.now, |actor, around| actor.set_ethereal(true, around));
    assert!((distance(&scene, EntityFilter::ALL) - wanted).abs() < 1e-3, "the open door is in the way");
}

#[test]
fn entities_are_stood_on_and_in_the_way_if_they_count() {
    let mut scene = in_town();
    let (town, shape, mut touched) = (landmarks(), Shape::human(), Vec::new());
    let guard = Guid(5);
    scene.add(guard, &town.spawn, &CREATURE);
    scene.ticks(2);
    let above = beside(town.spawn, 0.0, 0.0, 4.0);
    let ground = scene.world.ground_at(&above, EntityFilter::ALL).unwrap();
    assert_eq!(ground.surface, Surface::Entity(guard), "the top of its head sphere");
    assert!((ground.height() - town.spawn.frame.origin.z - 1.83).abs() < 0.02, "{ground:?}");
    let ground = scene.world.ground_at(&above, EntityFilter::OBJECTS).unwrap();
    assert_eq!((ground.surface, Some(ground.height())), (Surface::Land, scene.world.height_at(&above)));

    let mut stand = |filter: EntityFilter<'_>| {
        let stood = scene.world.can_stand_at(&shape, &town.spawn, filter, &mut touched);
        (stood.map(|position| position.cell), touched.iter().map(|touch| touch.guid).collect::<Vec<_>>())
    };
    assert_eq!(stand(EntityFilter::ALL), (Err(StandError::NoRoom), vec![guard]));
    assert_eq!(stand(EntityFilter::ALL.except(&[guard])), (Ok(town.spawn.cell), vec![]));

    let (from, to) = (beside(town.spawn, -3.0, 0.0, 0.0), beside(town.spawn, 3.0, 0.0, 0.0));
    let mut sweep = |filter: EntityFilter<'_>| {
        let swept = scene.world.sweep_shape(&shape, &from, &to, SweepKind::Walk, filter, &mut touched);
        (swept.arrival.unwrap().position.distance_to(&to), touched.len())
    };
    let (gap, touches) = sweep(EntityFilter::ALL);
    assert!(gap > 3.0 && touches == 1, "blocked by the guard: {gap} m, {touches} touched");
    let (gap, touches) = sweep(EntityFilter::NONE);
    assert!(gap < 0.01 && touches == 0, "{gap} m, {touches} touched");
}

#[test]
fn a_world_without_surroundings_answers_what_it_can() {
    let world = TestWorld::new().world;
    let (here, there) = (at(10.0, 10.0), at(50.0, 10.0));
    assert_eq!((world.ground_at(&here, EntityFilter::ALL), world.height_at(&here)), (None, None));
    assert_eq!(world.line_of_sight(&here, &there, EntityFilter::ALL), Ok(()));
    let mut touched = Vec::new();
    let stood = world.can_stand_at(&Shape::human(), &here, EntityFilter::ALL, &mut touched);
    assert_eq!(stood, Ok(here));
    let off_the_map = CellPosition::at(here.cell, Vec3::new(1e7, 0.0, 0.0));
    let stood = world.can_stand_at(&Shape::human(), &off_the_map, EntityFilter::ALL, &mut touched);
    assert_eq!(stood, Err(StandError::NoCell));
    assert!(world.visible_cells(here.cell).is_empty());
}

#[test]
fn questions_to_a_world_do_not_allocate() {
    let mut scene = in_town();
    let (town, shape) = (landmarks(), Shape::human());
    for number in 0..40 {
        let around = beside(town.spawn, (number % 8) as f32 * 2.0, (number / 8) as f32 * 2.0, 0.0);
        scene.add(Guid(1 + number), &around, &CREATURE);
    }
    scene.add(Guid(100), &town.door, &DOOR);
    scene.ticks(3);
    let (world, mut touched, mut answers) = (&scene.world, Vec::with_capacity(64), 0);
    let positions: Vec<_> = world.entities().map(|resident| resident.position()).collect();
    let filter = EntityFilter::ALL;
    let allocations = allocation_counter::measure(|| {
        for pair in positions.windows(2) {
            let (from, to) = (&pair[0], &pair[1]);
            answers += world.who_is_within(from, 9.0).count();
            answers += usize::from(world.line_of_sight(from, to, filter).is_ok());
            answers += usize::from(world.ground_at(from, filter).is_some());
            answers += usize::from(world.can_stand_at(&shape, from, filter, &mut touched).is_err());
            let swept = world.sweep_shape(&shape, from, to, SweepKind::Walk, filter, &mut touched);
            answers += usize::from(swept.arrival.is_some()) + world.visible_cells(from.cell).len();
        }
    });
    assert_eq!(allocations.count_total, 0);
    assert!(answers > 300, "{answers}");
}

/// Runners that cross squares of the search allocate nothing, with or without surroundings.
#[test]
fn crossing_squares_does_not_allocate() {
    let mut scene = TestWorld::new();
    for number in 0..50 {
        let position = at(2.0 + 3.7 * number as f32, 5.0);
        scene.send(&create(Guid(1 + number), &position, Default::default(), None));
        scene.start(Guid(1 + number), MotionCommand::RUN_FORWARD);
    }
    let run = |scene: &mut TestWorld, ticks: u32| {
        for _ in 0..ticks {
            scene.now += TICK;
            scene.world.tick(scene.now);
            scene.world.drain_events().for_each(drop);
        }
    };
    run(&mut scene, 30);
    let before = scene.origin(Guid(1)).y;
    let allocations = allocation_counter::measure(|| run(&mut scene, 600));
    assert_eq!(allocations.count_total, 0);
    assert!(scene.origin(Guid(1)).y - before > 48.0, "over at least two squares");
    assert_eq!(scene.world.who_is_within(&scene.world.find(Guid(1)).unwrap().position(), 4.0).count(), 2);
}
