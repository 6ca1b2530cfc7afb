//! What is named as the reason when a request or an order ends because the body is blocked.

use crate::player_support;
use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::components::Order;
use acmotion::dat::mannequin::town::{HOUSE_SHELL, landmarks, models};
use acmotion::scene::{Cell, InfinitePlane, Surroundings, geometry::PolygonId};
use acmotion::types::{CellId, CellPosition, Vec3};
use acmotion::{
    Barrier, CancelReason, EventKind, House, HouseAccess, Identity, MotionEvent, MoveToEvent, PlayerWeenie,
    RequestProgress, Settings, Unreachable,
};
use player_support::frames;
use town_support::*;
use world_support::{PLAYER, REMOTE, TestWorld};

/// A player in the mannequin's town, at a position.
fn player_at(position: CellPosition) -> TestWorld {
    player_in(town_settings().surroundings, position)
}

/// A player in these surroundings, at a position.
fn player_in(surroundings: Option<Arc<dyn Surroundings + Send + Sync>>, position: CellPosition) -> TestWorld {
    let settings = Settings { player: Identity::Known(PLAYER), surroundings, ..Settings::default() };
    let mut scene = TestWorld::with(settings);
    scene.add(PLAYER, &position, &CHARACTER);
    let now = scene.now;
    scene.world.player_mut().set_weenie(PlayerWeenie::default(), now);
    frames(&mut scene, 2);
    scene
}

/// Lets the player walk towards a goal that it cannot reach. Returns what is given as the reason.
fn blocked_on_the_way_to(scene: &mut TestWorld, goal: CellPosition) -> Barrier {
    let now = scene.now;
    let id = scene.world.player_mut().walk_to(goal, now).unwrap();
    for _ in 0..900 {
        frames(scene, 1);
        scene.events.extend(scene.world.drain_events());
        for event in scene.events.drain(..) {
            if let EventKind::Request(step) = event.kind
                && step.id == id
                && step.progress.is_last()
            {
                let RequestProgress::Cancelled(CancelReason::Unreachable(Unreachable::Blocked(by))) =
                    step.progress
                else {
                    panic!("not blocked: {:?}", step.progress);
                };
                return by;
            }
        }
    }
    panic!("the request has not ended: at {:?}", scene.origin(PLAYER));
}

/// Returns the normal of a polygon of a room, in the axes of the room's landblock.
fn normal_of(cell: CellId, polygon: u32) -> Vec3 {
    let scene = town_scene();
    let Some(Cell::Room(room)) = scene.cell(cell) else { panic!("{cell} is no room") };
    let local = room.solid.as_ref().unwrap().polygon(PolygonId(polygon)).plane.normal;
    room.position().frame.local_to_global_vec(local)
}

#[test]
fn the_wall_of_a_room_is_named_with_its_polygon() {
    let town = landmarks();
    let mut scene = player_at(town.hall);
    let by = blocked_on_the_way_to(&mut scene, beside(town.hall, -12.0, 0.0, 0.0));
    let Barrier::Room { cell, polygon: Some(polygon) } = by else { panic!("{by:?}") };
    assert_eq!(cell, town.hall.cell);
    let normal = normal_of(cell, polygon);
    assert!(normal.x > 0.99, "the western wall faces east: {normal:?}");
}

#[test]
fn a_house_is_named_from_outside() {
    let town = landmarks();
    let start = beside(town.doorstep, 4.0, -1.0, 0.0);
    let mut scene = player_at(start);
    let by = blocked_on_the_way_to(&mut scene, beside(start, 0.0, 5.0, 0.0));
    let Barrier::Building { cell, model, polygon } = by else { panic!("{by:?}") };
    assert_eq!(model, Some(HOUSE_SHELL));
    let town = town_scene();
    let Some(Cell::Land(land)) = town.cell(cell) else { panic!("{cell} is no land cell") };
    let building = land.building().expect("the land cell of the building");
    let solid = building.solid.as_ref().unwrap();
    let local = solid.polygon(PolygonId(polygon.unwrap())).plane.normal;
    let normal = building.position.frame.local_to_global_vec(local);
    assert!(normal.y < -0.99, "the front faces south: {normal:?}");
}

#[test]
fn land_that_is_too_steep_is_named() {
    let town = landmarks();
    let mut scene = player_at(town.cliff_foot);
    let by = blocked_on_the_way_to(&mut scene, town.cliff_top);
    let Barrier::Slope(cell) = by else { panic!("{by:?}") };
    assert!(cell.is_outdoor(), "{cell}");
    let distance = scene.world.find(PLAYER).unwrap().position().distance_to(&town.cliff_top);
    assert!(distance > 10.0, "{distance} m from the top");
}

#[test]
fn the_edge_of_a_drop_is_named_with_the_cell_of_the_body() {
    let town = landmarks();
    let mut scene = player_at(town.ramp_top);
    // The platform of the ramp ends 2 m further on, 2 m above the ground.
    let by = blocked_on_the_way_to(&mut scene, beside(town.ramp_top, 0.0, 8.0, 0.0));
    let position = scene.world.find(PLAYER).unwrap().position();
    assert_eq!(by, Barrier::Drop(position.cell));
    assert!((position.frame.origin.z - town.ramp_top.frame.origin.z).abs() < 0.01, "{position:?}");
}

#[test]
fn a_house_that_refuses_the_player_is_named_with_its_room() {
    let town = landmarks();
    let mut scene = player_in(Some(Arc::new(guarded_town())), town.doorstep);
    let house = House { owner: Some(REMOTE), access: Some(HouseAccess::default()) };
    scene.world.set_house(HOUSE, house, scene.now);
    let by = blocked_on_the_way_to(&mut scene, town.hall);
    let Barrier::Guarded { cell, guard } = by else { panic!("{by:?}") };
    assert_eq!(guard, HOUSE);
    assert_eq!(cell, town.door.cell, "the first room on the way");
}

/// The map ends in the south-west, at landblock 0.
#[test]
fn the_end_of_the_map_is_named() {
    let start = CellPosition::at(CellId(0x0000_0001), Vec3::new(3.0, 12.0, 0.0));
    let mut scene = player_in(Some(Arc::new(InfinitePlane::level(0.0))), start);
    let beyond = CellPosition::at(start.cell, Vec3::new(-7.0, 12.0, 0.0));
    assert_eq!(blocked_on_the_way_to(&mut scene, beyond), Barrier::NoCell);
    assert!((0.0..2.0).contains(&scene.origin(PLAYER).x), "{:?}", scene.origin(PLAYER));
}

#[test]
fn the_open_sea_is_named() {
    let town = landmarks();
    let mut scene = player_at(town.beach);
    let by = blocked_on_the_way_to(&mut scene, beside(town.beach, 0.0, -40.0, 0.0));
    assert!(matches!(by, Barrier::Sea(_)), "{by:?}");
}

#[test]
fn scenery_is_named_with_its_model() {
    let town = landmarks();
    let goals = [
        (town.wall, beside(town.wall, 0.0, 8.0, 0.0), models::WALL),
        (town.ledge_foot, beside(town.ledge_foot, 0.0, 3.5, 0.0), models::LEDGE),
    ];
    for (start, goal, model) in goals {
        let mut scene = player_at(start);
        let by = blocked_on_the_way_to(&mut scene, goal);
        let Barrier::Scenery { cell, model: found } = by else { panic!("{by:?}") };
        assert_eq!(found, Some(model));
        assert!(cell.is_outdoor(), "{cell}");
    }
}

#[test]
fn a_creature_in_a_doorway_is_named() {
    let town = landmarks();
    let mut scene = player_at(town.doorstep);
    scene.add(REMOTE, &beside(town.door, 0.0, 0.3, 0.05), &CREATURE);
    frames(&mut scene, 2);
    assert_eq!(blocked_on_the_way_to(&mut scene, town.hall), Barrier::Entity(REMOTE));
}

#[test]
fn the_order_of_a_creature_names_the_same() {
    let town = landmarks();
    let mut scene = player_at(town.spawn);
    scene.add(REMOTE, &town.wall, &CREATURE);
    frames(&mut scene, 2);
    let (now, goal) = (scene.now, beside(town.wall, 0.0, 8.0, 0.0));
    scene.world.act(REMOTE, now, |actor, _| actor.order(&Order::walk_to(goal)));
    scene.ticks(600);
    let reasons: Vec<Unreachable> = scene
        .events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::GaveUp(why))) => Some(why),
            _ => None,
        })
        .collect();
    let [Unreachable::Blocked(Barrier::Scenery { model, .. })] = reasons[..] else { panic!("{reasons:?}") };
    assert_eq!(model, Some(models::WALL));
}
