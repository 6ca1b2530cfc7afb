//! Details of scenes, one test for each (`docs/collision.md` 6 to 8): which cells things are listed in, what a scene
//! accepts, and what it finds.

use crate::collide_fixture;

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion::components::PhysicsState;
use acmotion::dat::{CylSphere, Sphere, Terrain};
use acmotion::scene::geometry::CellTree;
use acmotion::scene::{
    Building, BuildingPortal, CellArray, ContainingCell, Mover, MoverFlags, Obstacle, ObstacleFlags,
    Obstacles, Part, Plane, Portal, Room, RoomSearch, Scene, SceneBuilder, SceneError, Scenery,
    SearchCylinder, Shape, Surroundings, Water,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Quat, Vec3};
use collide_fixture::UP;
use collide_fixture::rooms::{BACK, FRONT, UNLOADED, block, east_of, west_of};

const HOME: u16 = 0x7F7F;
const EAST: u16 = 0x807F;
/// The land cell from (96, 96) to (120, 120), the one to its west and the one to its south.
const LAND: CellId = CellId(0x7F7F_0025);
const WEST_LAND: CellId = CellId(0x7F7F_001D);
const SOUTH_LAND: CellId = CellId(0x7F7F_0024);
const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);

/// Level land of two landblocks.
fn builder() -> SceneBuilder {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    for block in [HOME, EAST] {
        builder.add_land(block, &[0; 81], &[Terrain(0); 81]);
    }
    builder
}

fn land() -> Scene {
    builder().finish()
}

/// A block, two metres wide, deep and high, as a part.
fn part(at: Vec3, scale: f32) -> Part {
    let solid = block([-1.0; 3], [1.0; 3]).unwrap();
    Part { solid, frame: Frame::from_origin(at), scale }
}

/// An obstacle at a point of the home block.
fn obstacle<'a>(at: [f32; 2], parts: &'a [Part], spheres: &'a [Sphere]) -> Obstacle<'a> {
    let mut state = PhysicsState::empty();
    state.set(PhysicsState::HAS_PHYSICS_BSP, !parts.is_empty());
    let position = CellPosition::at(LAND, Vec3::new(at[0], at[1], 1.0));
    Obstacle {
        guid: Guid(0x7000_0001),
        position: position.adjusted_to_outside().unwrap(),
        scale: 1.0,
        state,
        flags: ObstacleFlags::WEENIE,
        parts,
        cylinders: &[],
        spheres,
    }
}

fn cells_of(scene: &Scene, obstacle: &Obstacle<'_>) -> Vec<CellId> {
    let mut cells = CellArray::default();
    scene.find_obstacle_cells(obstacle, &mut cells);
    cells.iter().collect()
}

/// 8.1: an obstacle of polygons is listed in the land cells under the boxes of its parts, its own cell first.
#[test]
fn an_obstacle_of_polygons_is_listed_under_its_boxes() {
    let scene = land();
    let one = [part(Vec3::ZERO, 1.0)];
    let at = |x: f32, y: f32| cells_of(&scene, &obstacle([x, y], &one, &[]));
    assert_eq!(at(108.0, 108.0), [LAND]);
    assert_eq!(at(97.1, 108.0), [LAND]);
    assert_eq!(at(96.9, 108.0), [LAND, WEST_LAND]);
    assert_eq!(at(108.0, 96.9), [LAND, SOUTH_LAND]);
    // Columns from the west, each from the south.
    assert_eq!(at(96.9, 96.9), [LAND, CellId(0x7F7F_001C), WEST_LAND, SOUTH_LAND]);
    assert_eq!(at(191.9, 108.0), [CellId(0x7F7F_003D), CellId(0x807F_0005)]);
    // Turned by 45 degrees it reaches 1.41 m to each side.
    let mut turned = obstacle([97.3, 108.0], &one, &[]);
    assert_eq!(cells_of(&scene, &turned), [LAND]);
    turned.position.frame.set_heading(45.0);
    assert_eq!(cells_of(&scene, &turned), [LAND, WEST_LAND]);
    // On its side, a part that is 3 m above the origin is 3 m to the west.
    let high = [part(UP * 3.0, 1.0)];
    let mut tipped = obstacle([99.5, 108.0], &high, &[]);
    assert_eq!(cells_of(&scene, &tipped), [LAND]);
    tipped.position.frame.set_rotation(Quat::from_axis_angle(Y, -90f32.to_radians()));
    assert_eq!(cells_of(&scene, &tipped), [LAND, WEST_LAND]);
}

/// 8.1: boxes are scaled by the part and by the obstacle, and the offset of a part by the obstacle.
#[test]
fn the_boxes_of_an_obstacle_are_scaled() {
    let scene = land();
    let cells = |x: f32, scale: f32, part: Part| {
        let parts = [part];
        cells_of(&scene, &Obstacle { scale, ..obstacle([x, 108.0], &parts, &[]) })
    };
    assert_eq!(cells(97.5, 1.0, part(Vec3::ZERO, 1.0)), [LAND]);
    assert_eq!(cells(97.5, 2.0, part(Vec3::ZERO, 1.0)), [LAND, WEST_LAND]);
    assert_eq!(cells(97.5, 1.0, part(Vec3::ZERO, 2.0)), [LAND, WEST_LAND]);
    assert_eq!(cells(97.5, 2.0, part(Vec3::ZERO, 0.5)), [LAND]);
    assert_eq!(cells(99.5, 1.0, part(X * -1.5, 1.0)), [LAND]);
    assert_eq!(cells(99.5, 2.0, part(X * -1.5, 0.5)), [LAND, WEST_LAND]);
}

/// 8.1: all parts count, however many there are, and cells off the map do not.
#[test]
fn all_parts_of_an_obstacle_count() {
    let scene = land();
    let parts: Vec<Part> = (0..9u8).map(|number| part(X * (24.0 * f32::from(number)), 1.0)).collect();
    let row: Vec<CellId> =
        (0..9).map(|column| CellId::outdoor(0x7F * 8 + column, 0x7F * 8 + 4).unwrap()).collect();
    assert_eq!(cells_of(&scene, &obstacle([12.0, 108.0], &parts, &[])), row);
    assert_eq!(cells_of(&scene, &obstacle([12.0, 108.0], &parts[..8], &[])), row[..8]);
    let corner = CellPosition::at(CellId(0x0000_0001), Vec3::new(0.5, 0.5, 1.0));
    let off_the_map = Obstacle { position: corner, ..obstacle([12.0, 12.0], &parts[..1], &[]) };
    assert_eq!(cells_of(&scene, &off_the_map), [CellId(0x0000_0001)], "nor is it loaded");
    let mut nowhere = off_the_map;
    nowhere.position.frame.origin.x = 23.5;
    assert_eq!(cells_of(&scene, &nowhere), [CellId(0x0000_0001), CellId(0x0000_0009)], "by its id");
}

/// A room in the axes of the home block, in front of some planes.
fn room(id: CellId, inside: &[Plane], portals: &[Portal]) -> Room {
    let mut room = Room::new(id, Frame::IDENTITY);
    room.inside = CellTree::new(inside);
    room.portals = portals.to_vec();
    room
}

fn portal(other: Option<CellId>, plane: Plane) -> Portal {
    Portal { other, plane, side: true }
}

/// A building on [`LAND`] whose door, at x = 110, leads into [`FRONT`]; behind it, from x = 113, is [`BACK`]. Another
/// portal of the front room leads outside, another of the back room to a room that is not loaded.
fn house() -> Scene {
    let mut builder = builder();
    let nowhere = Plane::new(UP, -1000.0);
    let front = [portal(None, east_of(110.0)), portal(Some(BACK), east_of(113.0))];
    builder.add_room(room(FRONT, &[east_of(110.0), west_of(113.0)], &front)).unwrap();
    let back = [portal(Some(FRONT), nowhere), portal(Some(UNLOADED), nowhere)];
    builder.add_room(room(BACK, &[east_of(113.0)], &back)).unwrap();
    builder.add_building(LAND, building(FRONT)).unwrap();
    builder.finish()
}

fn building(door: CellId) -> Building {
    Building {
        position: CellPosition::at(LAND, Vec3::new(108.0, 108.0, 0.0)),
        model: None,
        solid: None,
        scale: 1.0,
        portals: vec![BuildingPortal { room: door, other_portal: 0 }],
        visible: vec![],
    }
}

/// 8.1, 5.6.10: boxes are listed in the rooms that they reach into, from land through the doors of the building.
#[test]
fn boxes_reach_into_rooms() {
    let scene = house();
    let one = [part(Vec3::ZERO, 1.0)];
    let from_land = |x: f32| cells_of(&scene, &obstacle([x, 108.0], &one, &[]));
    assert_eq!(from_land(108.9), [LAND]);
    assert_eq!(from_land(109.1), [LAND, FRONT]);
    assert_eq!(from_land(112.1), [LAND, FRONT, BACK]);
    let from_room = |cell: CellId, x: f32| {
        let mut inside = obstacle([x, 108.0], &one, &[]);
        inside.position.cell = cell;
        cells_of(&scene, &inside)
    };
    assert_eq!(from_room(FRONT, 111.5), [FRONT]);
    assert_eq!(from_room(FRONT, 112.1), [FRONT, BACK]);
    // The portal to the outside is at 110: land counts if the box is on both sides of it.
    assert_eq!(from_room(FRONT, 110.9), [FRONT, LAND]);
    assert_eq!(from_room(FRONT, 108.9), [FRONT]);
    assert_eq!(from_room(FRONT, 109.0), [FRONT, LAND], "it touches");
    assert_eq!(from_room(FRONT, 111.0), [FRONT, LAND], "it touches from inside");
    assert_eq!(from_room(FRONT, 109.1), [FRONT, LAND]);
    assert_eq!(from_room(BACK, 115.0), [BACK]);
    assert_eq!(from_room(UNLOADED, 115.0), [UNLOADED]);
}

/// 8.1: an obstacle without polygons is listed by its first two spheres, scaled, as a mover would be.
#[test]
fn an_obstacle_of_spheres_is_listed_as_a_mover() {
    let scene = land();
    let ball = |x: f32, z: f32, radius: f32| Sphere { origin: Vec3::new(x, 0.0, z), radius };
    let cells = |x: f32, scale: f32, spheres: &[Sphere]| {
        cells_of(&scene, &Obstacle { scale, ..obstacle([x, 108.0], &[], spheres) })
    };
    assert_eq!(cells(96.5, 1.0, &[ball(0.0, 0.5, 0.48)]), [LAND]);
    assert_eq!(cells(96.4, 1.0, &[ball(0.0, 0.5, 0.48)]), [LAND, WEST_LAND]);
    assert_eq!(cells(96.9, 2.0, &[ball(0.0, 0.5, 0.48)]), [LAND, WEST_LAND]);
    assert_eq!(cells(97.0, 2.0, &[ball(0.0, 0.5, 0.48)]), [LAND]);
    assert_eq!(cells(96.5, 1.0, &[ball(0.0, 0.5, 0.48), ball(0.0, 1.0, 0.6)]), [LAND, WEST_LAND]);
    assert_eq!(cells(96.5, 1.0, &[ball(0.0, 0.5, 0.48), ball(0.0, 1.0, 0.3), ball(0.0, 1.0, 2.0)]), [LAND]);
    // Beside the axis.
    assert_eq!(cells(96.7, 1.0, &[ball(-0.4, 0.5, 0.48)]), [LAND, WEST_LAND]);
    assert_eq!(cells(97.0, 2.0, &[ball(-0.4, 0.5, 0.2)]), [LAND, WEST_LAND]);
    assert_eq!(cells(96.2, 1.0, &[ball(0.4, 0.5, 0.48)]), [LAND]);
    // Behind the axis of one that faces east is to the west.
    let behind = [Sphere { origin: Vec3::new(0.0, -0.6, 0.5), radius: 0.48 }];
    let mut turned = obstacle([96.9, 108.0], &[], &behind);
    assert_eq!(cells_of(&scene, &turned), [LAND]);
    turned.position.frame.set_heading(90.0);
    assert_eq!(cells_of(&scene, &turned), [LAND, WEST_LAND]);
    // Without spheres: one of 0.1 m that is not scaled.
    assert_eq!(cells(96.05, 1.0, &[]), [LAND, WEST_LAND]);
    assert_eq!(cells(96.2, 3.0, &[]), [LAND]);
    let spheres = [ball(0.0, 0.5, 0.48)];
    let no_parts =
        Obstacle { state: PhysicsState::HAS_PHYSICS_BSP, ..obstacle([96.4, 108.0], &[], &spheres) };
    assert_eq!(cells_of(&scene, &no_parts), [LAND, WEST_LAND]);
}

/// 8.1: an obstacle of spheres on its axis, clear of the borders of its cell, is listed there without a search. The search
/// finds the same.
#[test]
fn an_obstacle_within_its_cell_is_listed_as_a_search_would_list_it() {
    let scene = house();
    let mut seed = 1u32;
    let mut next = |low: f32, high: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (seed >> 8) as f32 / (1 << 24) as f32
    };
    let mut alone = 0;
    for number in 0..2_000 {
        let at = [next(60.0, 150.0), next(60.0, 150.0)];
        let (scale, radii) = (next(0.5, 2.0), [next(0.0, 2.0), next(0.0, 2.0)]);
        let spheres = radii.map(|radius| Sphere { origin: UP * next(0.0, 2.0), radius });
        let mut own = Obstacle { scale, ..obstacle(at, &[], &spheres[..1 + number % 2]) };
        own.position.frame.set_heading(next(0.0, 360.0));
        let found = cells_of(&scene, &own);
        let scaled = own.spheres.iter().map(|Sphere { origin, radius }| Sphere {
            origin: own.position.frame.origin + *origin * scale,
            radius: radius * scale,
        });
        let mut cells = CellArray::default();
        scene.find_cell_list(&own.position, &scaled.collect::<Vec<_>>(), &mut cells);
        assert_eq!(found, cells.iter().collect::<Vec<_>>(), "{number}: {own:?}");
        alone += u32::from(found.len() == 1);
    }
    assert!((800..1_900).contains(&alone), "{alone} of 2000 are in one cell");
}

/// 8.1: a body that is tipped over has its spheres beside its origin.
#[test]
fn an_obstacle_that_is_tipped_over_is_listed_where_its_spheres_are() {
    let scene = land();
    let spheres = [Sphere { origin: UP, radius: 0.3 }];
    for (axis, angle, expected) in [(Y, -90f32, WEST_LAND), (X, 90.0, SOUTH_LAND)] {
        let mut tipped = obstacle([96.5, 96.5], &[], &spheres);
        assert_eq!(cells_of(&scene, &tipped), [LAND]);
        tipped.position.frame.set_rotation(Quat::from_axis_angle(axis, angle.to_radians()));
        assert_eq!(cells_of(&scene, &tipped)[0], expected, "{axis:?}");
    }
}

/// 8.1, 7.3: on land with a building, and in a room, the rooms count that the spheres reach into.
#[test]
fn obstacles_of_spheres_reach_into_rooms() {
    let scene = house();
    let spheres = [Sphere { origin: UP * 0.5, radius: 0.48 }];
    let at = |cell: CellId, x: f32| {
        let mut inside = obstacle([x, 108.0], &[], &spheres);
        inside.position.cell = cell;
        cells_of(&scene, &inside)
    };
    assert_eq!(at(LAND, 109.0), [LAND]);
    assert_eq!(at(LAND, 109.6), [LAND, FRONT]);
    assert_eq!(at(FRONT, 111.0), [FRONT]);
    assert_eq!(at(FRONT, 112.6), [FRONT, BACK]);
    assert_eq!(at(FRONT, 110.4), [FRONT, LAND]);
}

/// 7.1, 7.3, 1.5: rooms of another landblock are tested in its axes.
#[test]
fn rooms_of_another_landblock_are_found() {
    let (home, abroad) = (CellId(0x7F7F_003D), CellId(0x807F_0100));
    let mut builder = builder();
    let mut beyond = Room::new(abroad, Frame::from_origin(Vec3::new(1.0, 100.0, 0.0)));
    // In the room's own axes: from the border of the landblock to 6 m beyond it.
    beyond.inside = CellTree::new(vec![east_of(-1.0), west_of(5.0)]);
    beyond.portals = vec![portal(Some(UNLOADED), Plane::new(UP, -1000.0))];
    builder.add_room(beyond).unwrap();
    let mut front = room(FRONT, &[west_of(192.0)], &[portal(Some(abroad), east_of(192.0))]);
    front.visible = vec![abroad];
    builder.add_room(front).unwrap();
    builder.add_building(home, building(abroad)).unwrap();
    let scene = builder.finish();
    let cells = |from: CellId, x: f32| {
        let at = Vec3::new(x, 108.0, 1.0);
        let mut cells = CellArray::default();
        let sphere = Sphere { origin: at, radius: 0.48 };
        let found = scene.find_cell_list(&CellPosition::at(from, at), &[sphere], &mut cells);
        (cells.contains(abroad), found)
    };
    let in_cell = |cell, hits_interior| ContainingCell { cell: Some(cell), hits_interior };
    assert_eq!(cells(home, 191.0), (false, in_cell(home, false)));
    assert_eq!(cells(home, 191.7), (true, in_cell(home, true)));
    assert_eq!(cells(home, 192.2), (true, in_cell(abroad, true)));
    assert_eq!(cells(FRONT, 191.7), (true, in_cell(FRONT, true)));
    assert_eq!(cells(FRONT, 192.2), (true, in_cell(abroad, true)));
    assert_eq!(cells(FRONT, 191.0), (false, in_cell(FRONT, true)));
    // 7.7: the same for a position, and 8.1: for boxes.
    for search in [RoomSearch::Visible, RoomSearch::Neighbours] {
        let mut position = CellPosition::at(FRONT, Vec3::new(193.0, 108.0, 1.0));
        let found = scene.adjust_position(&mut position, Vec3::ZERO, search).map(|cell| cell.id());
        assert_eq!((found, position.cell), (Some(abroad), abroad), "{search:?}");
        let mut too_far = CellPosition::at(FRONT, Vec3::new(199.0, 108.0, 1.0));
        assert!(scene.adjust_position(&mut too_far, Vec3::ZERO, search).is_none());
    }
    let one = [part(Vec3::ZERO, 1.0)];
    let boxed = |x: f32| cells_of(&scene, &obstacle([x, 108.0], &one, &[])).contains(&abroad);
    assert!(!boxed(190.9) && boxed(191.1));
    let mut inside = obstacle([190.9, 108.0], &one, &[]);
    inside.position.cell = FRONT;
    assert_eq!(cells_of(&scene, &inside), [FRONT]);
    inside.position.frame.origin.x = 191.1;
    assert_eq!(cells_of(&scene, &inside), [FRONT, abroad]);
    // A point of that room, given in the axes of this landblock, is found in it and put into its axes.
    let found = scene.find_cell(&CellPosition::at(FRONT, Vec3::new(193.0, 108.0, 1.0))).unwrap();
    assert_eq!((found.cell, found.frame.origin), (abroad, Vec3::new(1.0, 108.0, 1.0)));
}

/// 7.1.3: without spheres or in a cell that is not loaded, nothing but the cells of the position are listed.
#[test]
fn cells_that_are_not_loaded_contain_nothing() {
    let scene = house();
    let list = |cell: CellId, x: f32, spheres: &[Sphere]| {
        let mut cells = CellArray::default();
        let at = CellPosition::at(cell, Vec3::new(x, 108.0, 1.0));
        let found = scene.find_cell_list(&at, spheres, &mut cells);
        (cells.iter().collect::<Vec<_>>(), found)
    };
    let at = |x: f32| [Sphere { origin: Vec3::new(x, 108.0, 1.0), radius: 0.48 }];
    let none = |hits_interior| ContainingCell { cell: None, hits_interior };
    assert_eq!(list(LAND, 109.6, &[]), (vec![LAND], none(false)));
    assert_eq!(list(FRONT, 109.6, &[]), (vec![FRONT], none(true)));
    assert_eq!(list(UNLOADED, 111.0, &at(111.0)), (vec![UNLOADED], none(true)));
    let nowhere = CellId(0x1010_0025);
    assert_eq!(list(nowhere, 111.0, &at(111.0)), (vec![nowhere], none(false)));
    assert_eq!(list(LAND, 111.0, &at(111.0)).1, ContainingCell { cell: Some(FRONT), hits_interior: true });
}

/// A post as scenery, at a point of the home block.
fn post(at: [f32; 2], cylinders: &[CylSphere]) -> Scenery {
    let position = CellPosition::at(LAND, Vec3::new(at[0], at[1], 0.0));
    Scenery {
        position: position.adjusted_to_outside().unwrap(),
        model: None,
        scale: 1.0,
        state: PhysicsState::STATIC,
        parts: vec![],
        cylinders: cylinders.to_vec(),
        spheres: vec![],
        sorting_sphere: Sphere { origin: Vec3::ZERO, radius: 3.0 },
    }
}

fn with_scenery(scenery: Scenery) -> Scene {
    let mut builder = builder();
    builder.add_scenery(scenery).unwrap();
    builder.finish()
}

fn cylinder(x: f32, radius: f32) -> CylSphere {
    CylSphere { origin: X * x, radius, height: 2.0 }
}

/// 8.1: scenery is listed by the bases of its first ten cylinders, or else by its bounding sphere, without the scale.
#[test]
fn scenery_is_listed_by_its_cylinders_or_its_bounding_sphere() {
    let is_west = |scenery: Scenery| {
        let scene = with_scenery(scenery);
        assert_eq!(scene.scenery(LAND).count(), 1);
        scene.scenery(WEST_LAND).count() == 1
    };
    assert!(is_west(post([96.4, 108.0], &[cylinder(0.0, 0.5)])));
    assert!(!is_west(post([96.6, 108.0], &[cylinder(0.0, 0.5)])));
    assert!(is_west(post([97.6, 108.0], &[cylinder(0.0, 0.5), cylinder(-1.2, 0.5)])));
    assert!(!is_west(Scenery { scale: 3.0, ..post([96.6, 108.0], &[cylinder(0.0, 0.5)]) }));
    let mut many = vec![cylinder(0.0, 0.5); 9];
    many.push(cylinder(-1.2, 0.5));
    assert!(is_west(post([97.6, 108.0], &many)));
    many.insert(0, cylinder(0.0, 0.5));
    assert!(!is_west(post([97.6, 108.0], &many)), "the eleventh does not count");
    assert!(is_west(post([98.9, 108.0], &[])));
    assert!(!is_west(post([99.1, 108.0], &[])));
    let polygons = |x: f32, scale: f32| Scenery {
        parts: vec![part(X * -1.0, 1.0)],
        state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
        scale,
        ..post([x, 108.0], &[])
    };
    assert!(is_west(polygons(97.9, 1.0)) && !is_west(polygons(98.1, 1.0)));
    assert!(is_west(polygons(99.9, 2.0)) && !is_west(polygons(100.1, 2.0)));
}

/// Returns whether scenery is visited by a small mover at an offset from its position.
fn is_visited(scenery: &Scenery, at: [f32; 3]) -> bool {
    let scene = with_scenery(scenery.clone());
    let centre = scenery.position.frame.origin + Vec3::from(at);
    let reach = SearchCylinder { cell: LAND, centre, radius: 0.1, half_height: 0.2 };
    let mut count = 0;
    scene.visit_near(scenery.position.cell, &Cell::new(reach), &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    count == 1
}

/// Asserts that scenery is visited up to a centimetre or two around a box, and not beyond.
#[track_caller]
fn assert_visited_around(scenery: &Scenery, low: [f32; 3], high: [f32; 3]) {
    let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    assert!(is_visited(scenery, middle));
    for axis in 0..3 {
        let reach = if axis == 2 { 0.2 } else { 0.1 };
        for (border, sign) in [(low[axis], -1.0), (high[axis], 1.0)] {
            let at = |by: f32| {
                let mut at = middle;
                at[axis] = border + sign * (reach + by);
                at
            };
            assert!(is_visited(scenery, at(-0.005)), "axis {axis}, {sign}");
            assert!(!is_visited(scenery, at(0.02)), "axis {axis}, {sign}");
        }
    }
}

/// 5.6.9: scenery is visited if a mover can reach the box around its shapes, all of them scaled.
#[test]
fn scenery_is_visited_within_the_box_around_its_shapes() {
    let place = [108.0, 108.0];
    let own = CylSphere { origin: Vec3::new(1.0, -0.5, 0.5), radius: 0.25, height: 1.0 };
    let tall = Scenery { scale: 2.0, ..post(place, &[own]) };
    // Twice: at (2, −1, 1), of radius 0.5 and height 2. Spheres of that radius around both ends are in the box.
    assert_visited_around(&tall, [1.5, -1.5, 0.5], [2.5, -0.5, 3.5]);
    let hanging = Scenery { scale: 2.0, ..post(place, &[CylSphere { height: -1.0, ..own }]) };
    assert_visited_around(&hanging, [1.5, -1.5, -1.5], [2.5, -0.5, 1.5]);
    let spheres = vec![
        Sphere { origin: Vec3::new(1.0, -0.5, 0.5), radius: 0.25 },
        Sphere { origin: Vec3::new(-1.0, 0.5, 1.0), radius: 0.5 },
    ];
    let balls = Scenery { scale: 2.0, spheres, ..post(place, &[]) };
    assert_visited_around(&balls, [-3.0, -1.5, 0.5], [2.5, 2.0, 3.0]);
    // The bounding sphere of a block of two metres has a radius of √3 m.
    let blocks = Scenery {
        scale: 2.0,
        state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
        parts: vec![part(Vec3::new(1.0, -0.5, 0.5), 0.5)],
        ..post(place, &[])
    };
    let solid = blocks.parts[0].solid.sphere();
    assert!((solid.radius - 3f32.sqrt()).abs() < 0.02 && solid.origin.length() < 1e-3, "{solid:?}");
    let radius = solid.radius;
    assert_visited_around(
        &blocks,
        [2.0 - radius, -1.0 - radius, 1.0 - radius],
        [2.0 + radius, radius - 1.0, 1.0 + radius],
    );
}

/// 5.6.9: the bounding sphere of a part is scaled twice, by the part and by the scenery, its centre and its radius.
#[test]
fn scenery_of_polygons_is_visited_within_the_scaled_sphere_around_them() {
    for (scale, own) in [(1.5, 2.0), (0.5, 0.5)] {
        let mut part = part(Vec3::ZERO, own);
        part.solid = block([1.0, -3.0, 0.0], [3.0, -1.0, 2.0]).unwrap();
        let Sphere { origin, radius } = part.solid.sphere();
        assert!((origin - Vec3::new(2.0, -2.0, 1.0)).length() < 1e-3, "{origin:?}");
        let block = Scenery {
            scale,
            state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
            parts: vec![part],
            ..post([108.0, 108.0], &[])
        };
        let (centre, radius) = ([2.0, -2.0, 1.0].map(|v: f32| v * own * scale), radius * own * scale);
        assert_visited_around(&block, centre.map(|v| v - radius), centre.map(|v| v + radius));
    }
}

/// Scenery is visited in order, until the visitor breaks.
#[test]
fn a_visit_to_scenery_can_be_ended() {
    let mut builder = builder();
    for x in [107.0, 108.0, 109.0] {
        builder.add_scenery(post([x, 108.0], &[cylinder(0.0, 0.2)])).unwrap();
    }
    // In a cell with a lower id, but added later.
    builder.add_scenery(post([12.0, 12.0], &[cylinder(0.0, 0.2)])).unwrap();
    let scene = builder.finish();
    let visited = |limit: usize, near: bool| {
        let mut found = Vec::new();
        let mut visitor = |obstacle: &Obstacle<'_>| {
            found.push(obstacle.position.frame.origin.x);
            if found.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if near {
            let centre = Vec3::new(107.5, 108.0, 0.5);
            let reach = SearchCylinder { cell: LAND, centre, radius: 0.4, half_height: 0.4 };
            scene.visit_near(LAND, &Cell::new(reach), &mut visitor);
        } else {
            scene.visit(LAND, &mut visitor);
        }
        found
    };
    assert_eq!(visited(9, false), [107.0, 108.0, 109.0]);
    assert_eq!(visited(2, false), [107.0, 108.0]);
    assert_eq!(visited(9, true), [107.0, 108.0], "the third is out of reach");
    assert_eq!(visited(1, true), [107.0]);
    assert_eq!(scene.scenery(CellId(0x7F7F_0001)).count(), 1);
    assert_eq!(scene.scenery(CellId(0x7F7F_0040)).count(), 0);
    assert_eq!(scene.scenery(FRONT).count(), 0);
}

/// Scenery of rooms is listed by room, with gaps between the ids.
#[test]
fn scenery_of_rooms_is_listed_by_room() {
    let mut builder = builder();
    for (id, count) in [(0x7F7F_0105u32, 2), (0x7F7F_0100, 1), (0x7F7F_0107, 3)] {
        builder.add_room(room(CellId(id), &[], &[])).unwrap();
        for _ in 0..count {
            let mut scenery = post([108.0, 108.0], &[cylinder(0.0, 0.2)]);
            scenery.position.cell = CellId(id);
            builder.add_scenery(scenery).unwrap();
        }
    }
    let scene = builder.finish();
    let counts = [0x100u32, 0x101, 0x104, 0x105, 0x106, 0x107, 0x108]
        .map(|low| scene.scenery(CellId(0x7F7F_0000 | low)).count());
    assert_eq!(counts, [1, 0, 0, 2, 0, 3, 0]);
    assert_eq!(scene.scenery(LAND).count(), 0);
    let rooms =
        [0x100u32, 0x101, 0x102, 0x105, 0x106, 0x107].map(|low| scene.room(CellId(0x7F7F_0000 | low)));
    assert_eq!(
        rooms.map(|room| room.map(|room| room.id().low())),
        [Some(0x100), None, None, Some(0x105), None, Some(0x107),]
    );
    assert!(scene.room(LAND).is_none() && scene.land(FRONT).is_none());
}

/// What is not finite, or is in no cell, is not taken into a scene.
#[test]
fn invalid_scenery_is_rejected() {
    let rejected = |change: &dyn Fn(&mut Scenery)| {
        let mut scenery = post([108.0, 108.0], &[cylinder(0.0, 0.2)]);
        scenery.spheres = vec![Sphere { origin: Vec3::ZERO, radius: 1.0 }];
        scenery.parts = vec![part(Vec3::ZERO, 1.0)];
        change(&mut scenery);
        builder().add_scenery(scenery).err()
    };
    assert_eq!(rejected(&|_| {}), None);
    let invalid = Some(SceneError::InvalidPosition { what: "scenery", cell: LAND });
    let nan = f32::NAN;
    assert_eq!(rejected(&|scenery| scenery.position.frame.origin.y = f32::INFINITY), invalid);
    assert_eq!(rejected(&|scenery| scenery.position.frame.rotation.w = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.scale = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.parts[0].scale = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.parts[0].frame.rotation.w = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.cylinders[0].origin.x = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.cylinders[0].radius = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.cylinders[0].height = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.spheres[0].origin.x = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.spheres[0].radius = nan), invalid);
    assert_eq!(rejected(&|scenery| scenery.sorting_sphere.radius = nan), invalid);
    let nowhere = CellId(0x7F7F_0041);
    let wrong = SceneError::WrongCell { cell: nowhere, expected: "a cell" };
    assert_eq!(rejected(&|scenery| scenery.position.cell = nowhere), Some(wrong));
    assert_eq!(rejected(&|scenery| scenery.position.cell = FRONT), None, "a room is a cell");
}

#[test]
fn invalid_buildings_and_rooms_are_rejected() {
    let rejected = |land: CellId, change: &dyn Fn(&mut Building)| {
        let mut building = building(FRONT);
        change(&mut building);
        builder().add_building(land, building).err()
    };
    assert_eq!(rejected(LAND, &|_| {}), None);
    assert_eq!(
        rejected(FRONT, &|_| {}),
        Some(SceneError::WrongCell { cell: FRONT, expected: "a land cell" })
    );
    let invalid = Some(SceneError::InvalidPosition { what: "a building", cell: LAND });
    assert_eq!(rejected(LAND, &|building| building.scale = f32::NAN), invalid);
    assert_eq!(rejected(LAND, &|building| building.position.frame.origin.z = f32::INFINITY), invalid);
    assert_eq!(rejected(LAND, &|building| building.position.frame.rotation.w = f32::NAN), invalid);
    let mut frame = Frame::IDENTITY;
    frame.rotation.w = f32::NAN;
    let turned = builder().add_room(Room::new(FRONT, frame)).err();
    assert_eq!(turned, Some(SceneError::InvalidPosition { what: "a room", cell: FRONT }));
    let far = Frame::from_origin(X * f32::INFINITY);
    let far = builder().add_room(Room::new(FRONT, far)).err();
    assert_eq!(far, Some(SceneError::InvalidPosition { what: "a room", cell: FRONT }));
}

/// 7.5: the first building of a land cell stays; a room or a restriction that is added again is replaced.
#[test]
fn a_land_cell_has_one_building() {
    let mut builder = builder();
    let door =
        |scene: &Scene, cell| scene.land(cell).unwrap().building().map(|building| building.portals[0].room);
    builder.add_building(WEST_LAND, building(UNLOADED)).unwrap();
    builder.add_building(LAND, building(FRONT)).unwrap();
    builder.add_building(LAND, building(BACK)).unwrap();
    builder.add_room(room(BACK, &[], &[])).unwrap();
    builder.add_room(room(FRONT, &[], &[])).unwrap();
    builder.add_room(room(FRONT, &[], &[portal(None, east_of(0.0))])).unwrap();
    builder
        .set_restriction(LAND, Guid(1))
        .set_restriction(SOUTH_LAND, Guid(2))
        .set_restriction(LAND, Guid(3));
    let scene = builder.finish();
    assert_eq!((door(&scene, LAND), door(&scene, WEST_LAND)), (Some(FRONT), Some(UNLOADED)));
    assert_eq!(door(&scene, SOUTH_LAND), None);
    let portals: Vec<_> = scene.rooms(HOME).iter().map(|room| (room.id(), room.portals.len())).collect();
    assert_eq!(portals, [(FRONT, 1), (BACK, 0)]);
    let restriction = |cell| scene.restriction(cell);
    assert_eq!(
        [LAND, SOUTH_LAND, WEST_LAND, FRONT].map(restriction),
        [Some(Guid(3)), Some(Guid(2)), None, None]
    );
    assert_eq!(scene.restriction(CellId(0x1010_0001)), None);
}

/// Landblocks can be removed, and others keep what is on them.
#[test]
fn a_landblock_is_removed_with_everything_on_it() {
    let mut first = builder();
    first.add_room(room(FRONT, &[], &[])).unwrap();
    first.add_scenery(post([108.0, 108.0], &[cylinder(0.0, 0.2)])).unwrap();
    let scene = first.finish();
    let mut other = SceneBuilder::from_scene(&scene, &[7.0; 256]);
    assert!(other.has_land(HOME) && !other.has_land(0x7F80));
    other.add_land(0x7F80, &[0; 81], &[Terrain(0); 81]);
    other.remove_block(EAST);
    assert!(!other.has_land(EAST) && other.has_land(0x7F80));
    other.add_land(0x7E7F, &[0; 81], &[Terrain(0); 81]);
    let other = other.finish();
    assert_eq!(other.blocks().collect::<Vec<_>>(), [HOME, 0x7F80, 0x7E7F]);
    let height =
        |cell: u32| other.land(CellId(cell)).and_then(|land| land.height_at(Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(
        [0x7F7F_0001, 0x7F80_0001, 0x7E7F_0001, 0x807F_0001].map(height),
        [Some(0.0), Some(7.0), Some(7.0), None]
    );
    assert!(other.has_cell(FRONT) && !other.has_cell(BACK));
    assert_eq!(other.scenery(LAND).count(), 1);
    assert_eq!(scene.blocks().collect::<Vec<_>>(), [HOME, EAST], "the first scene stays as it was");
}

/// 6.4: in a cell that is partly water, the nearest corner decides how deep a body sinks.
#[test]
fn the_nearest_corner_decides_the_depth() {
    let mut grounds = [Terrain(0); 81];
    // The corner at (24, 24).
    grounds[10] = Terrain::from_kind(16);
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(HOME, &[0; 81], &grounds);
    let scene = builder.finish();
    let depth = |low: u32, x: f32, y: f32| {
        scene.land(CellId(0x7F7F_0000 | low)).unwrap().ground_at(Vec3::new(x, y, 0.0)).unwrap().depth
    };
    assert_eq!(
        [depth(1, 20.0, 20.0), depth(1, 20.0, 4.0), depth(1, 4.0, 20.0), depth(1, 4.0, 4.0)],
        [0.45, 0.1, 0.1, 0.1]
    );
    assert_eq!([depth(10, 28.0, 28.0), depth(10, 28.0, 44.0), depth(10, 44.0, 28.0)], [0.45, 0.1, 0.1]);
    // North of it and east of it.
    assert_eq!([depth(2, 20.0, 28.0), depth(9, 28.0, 20.0), depth(3, 20.0, 60.0)], [0.45, 0.45, 0.0]);
    let water = |low: u32| scene.land(CellId(0x7F7F_0000 | low)).unwrap().water();
    assert_eq!([water(1), water(10), water(3)], [Water::Partially, Water::Partially, Water::Not]);
    assert_eq!(scene.land(LAND).unwrap().block_water(), Water::Partially);
    assert_eq!(land().land(LAND).unwrap().block_water(), Water::Not);
}

/// 6.3: the borders of a land cell belong to it.
#[test]
fn the_borders_of_a_land_cell_belong_to_it() {
    let scene = land();
    let has = |x: f32, y: f32| scene.land(LAND).unwrap().ground_at(Vec3::new(x, y, 0.0)).is_some();
    assert!(
        [[96.0, 108.0], [120.0, 108.0], [108.0, 96.0], [108.0, 120.0]].into_iter().all(|[x, y]| has(x, y))
    );
    assert!(
        ![[95.9, 108.0], [120.1, 108.0], [108.0, 95.9], [108.0, 120.1]].into_iter().any(|[x, y]| has(x, y))
    );
}

/// 2.4, 7.7: the foot of a body decides in which room it is, scaled.
#[test]
fn the_foot_of_a_scaled_body_decides_its_room() {
    let mut builder = builder();
    let below = Plane::new(-UP, 0.7);
    let above = Plane::new(UP, -0.7);
    for (id, other, inside) in [(FRONT, BACK, below), (BACK, FRONT, above)] {
        let mut room = room(id, &[inside], &[portal(Some(other), inside)]);
        room.visible = vec![other];
        builder.add_room(room).unwrap();
    }
    let scene = builder.finish();
    let cell = |scale: f32, shape: &Shape| {
        let mover = Mover::new(Guid(1), shape, scale, PhysicsState::empty(), MoverFlags::empty());
        scene.adjust_to_cell(&mover, &CellPosition::at(FRONT, Vec3::ZERO)).map(|found| found.cell)
    };
    let human = Shape::human();
    assert_eq!((cell(1.0, &human), cell(2.0, &human)), (Some(FRONT), Some(BACK)));
    assert_eq!(cell(9.0, &Shape::default()), Some(FRONT), "0.1 m, not scaled");
}
