//! Details of the questions to a scene: what a line meets, and what is below a point, with figures worked out by hand.

use crate::collide_fixture;

use acmotion::components::PhysicsState;
use acmotion::dat::builder::{MeshFace, MeshKind};
use acmotion::dat::{CylSphere, Sphere, Terrain};
use acmotion::scene::geometry::CellTree;
use acmotion::scene::{
    Building, BuildingPortal, GroundHit, Obstacle, ObstacleFlags, ObstacleList, Obstruction, Part, Plane,
    Portal, Room, Scene, SceneBuilder, Scenery, Shape, StandError, Surface, SurfaceHit, Surroundings,
    SweepKind,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use collide_fixture::rooms::{BACK, FRONT, PAINT, block, east_of, mesh, west_of};
use collide_fixture::{UP, slopes};

const HOME: u16 = 0x7F7F;
const EAST: u16 = 0x807F;
/// The land cell from (96, 96) to (120, 120).
const LAND: CellId = CellId(0x7F7F_0025);
/// The centre of that cell, at the height of the land.
const CENTRE: Vec3 = Vec3::new(108.0, 108.0, 0.0);

/// Level land of two landblocks.
fn builder() -> SceneBuilder {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    for block in [HOME, EAST] {
        builder.add_land(block, &[0; 81], &[Terrain(0); 81]);
    }
    builder
}

/// A position outdoors, from the corner of the home block.
fn at(x: f32, y: f32, z: f32) -> CellPosition {
    CellPosition::at(LAND, Vec3::new(x, y, z)).adjusted_to_outside().unwrap()
}

fn in_room(cell: CellId, x: f32, z: f32) -> CellPosition {
    CellPosition::at(cell, Vec3::new(x, 108.0, z))
}

/// Scenery at the centre of the cell.
fn scenery(scale: f32, cylinders: &[CylSphere], spheres: &[Sphere]) -> Scenery {
    Scenery {
        position: CellPosition::at(LAND, CENTRE),
        model: None,
        scale,
        state: PhysicsState::STATIC,
        parts: vec![],
        cylinders: cylinders.to_vec(),
        spheres: spheres.to_vec(),
        sorting_sphere: Sphere { origin: Vec3::ZERO, radius: 3.0 },
    }
}

fn with_scenery(scenery: Scenery) -> Scene {
    let mut builder = builder();
    builder.add_scenery(scenery).unwrap();
    builder.finish()
}

/// A ball of one metre, one metre above the land.
fn ball() -> Scene {
    with_scenery(scenery(1.0, &[], &[Sphere { origin: UP, radius: 1.0 }]))
}

/// Expects a line to meet a surface at a point of the home block.
#[track_caller]
fn assert_meets(scene: &Scene, line: [CellPosition; 2], surface: Surface, point: [f32; 3], normal: [f32; 3]) {
    let [from, to] = line;
    let Err(Obstruction::Surface(hit)) = scene.line_of_sight(&from, &to) else {
        panic!("{:?}", scene.line_of_sight(&from, &to))
    };
    let SurfaceHit { position, normal: found, share, surface: kind } = hit;
    assert_eq!(kind, surface);
    let there = position.frame.origin + LAND.block_offset(position.cell);
    assert!((there - Vec3::from(point)).length() < 2e-3, "{there:?}");
    assert!((found - Vec3::from(normal)).length() < 2e-3, "{found:?}");
    let expected = from.distance_to(&position) / from.distance_to(&to);
    assert!((share - expected).abs() < 1e-3, "{share}, not {expected}");
}

#[track_caller]
fn assert_clear(scene: &Scene, line: [CellPosition; 2]) {
    let [from, to] = line;
    assert_eq!(scene.line_of_sight(&from, &to), Ok(()));
    assert_eq!(scene.line_of_sight(&to, &from), Ok(()));
}

#[test]
fn a_line_meets_a_ball() {
    let scene = ball();
    let across = |z: f32| [at(100.0, 108.0, z), at(116.0, 108.0, z)];
    assert_meets(&scene, across(1.0), Surface::Scenery, [107.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    let [from, to] = across(1.0);
    assert_meets(&scene, [to, from], Surface::Scenery, [109.0, 108.0, 1.0], [1.0, 0.0, 0.0]);
    assert_meets(&scene, across(1.6), Surface::Scenery, [107.2, 108.0, 1.6], [-0.8, 0.0, 0.6]);
    assert_clear(&scene, across(2.05));
    assert_clear(&scene, [at(100.0, 109.1, 1.0), at(116.0, 109.1, 1.0)]);
    assert_clear(&scene, [at(100.0, 108.0, 1.0), at(106.5, 108.0, 1.0)]);
    // From inside, the far side is in the way. Its normal is on the side that the line comes from.
    let inside = [at(108.0, 108.0, 1.0), at(116.0, 108.0, 1.0)];
    assert_meets(&scene, inside, Surface::Scenery, [109.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    // Scaled, and beside the origin.
    let twice = with_scenery(scenery(2.0, &[], &[Sphere { origin: Vec3::new(1.0, 0.0, 0.5), radius: 0.5 }]));
    assert_meets(&twice, across(1.0), Surface::Scenery, [109.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
}

#[test]
fn a_line_meets_the_side_and_both_ends_of_a_cylinder() {
    let post = |base: f32, radius: f32, height: f32, scale: f32| {
        let origin = Vec3::new(0.5, 0.0, base);
        with_scenery(scenery(scale, &[CylSphere { origin, radius, height }], &[]))
    };
    // In each case from z 1 to 3, with a radius of 1 m, at x 108.5 or 109.
    for (scene, x) in [
        (post(1.0, 1.0, 2.0, 1.0), 108.5),
        (post(0.5, 0.5, 1.0, 2.0), 109.0),
        (post(3.0, 1.0, -2.0, 1.0), 108.5),
    ] {
        let line = |from: [f32; 2], to: [f32; 2]| [at(from[0], 108.0, from[1]), at(to[0], 108.0, to[1])];
        let side = [x - 1.0, 108.0, 2.0];
        assert_meets(&scene, line([100.0, 2.0], [116.0, 2.0]), Surface::Scenery, side, [-1.0, 0.0, 0.0]);
        let side = [x + 1.0, 108.0, 2.0];
        assert_meets(&scene, line([116.0, 2.0], [100.0, 2.0]), Surface::Scenery, side, [1.0, 0.0, 0.0]);
        assert_clear(&scene, line([100.0, 3.1], [116.0, 3.1]));
        assert_clear(&scene, line([100.0, 0.9], [116.0, 0.9]));
        let top = [x + 0.9, 108.0, 3.0];
        assert_meets(&scene, line([x + 0.9, 5.0], [x + 0.9, 0.5]), Surface::Scenery, top, [0.0, 0.0, 1.0]);
        let bottom = [x - 0.9, 108.0, 1.0];
        assert_meets(
            &scene,
            line([x - 0.9, 0.5], [x - 0.9, 5.0]),
            Surface::Scenery,
            bottom,
            [0.0, 0.0, -1.0],
        );
        assert_clear(&scene, line([x + 1.1, 5.0], [x + 1.1, 0.5]));
        // A slanted line leads over the edge of the top, or down onto it.
        assert_clear(&scene, line([x - 4.0, 3.5], [x - 0.5, 3.1]));
        let top = [x, 108.0, 3.0];
        assert_meets(&scene, line([x - 3.0, 6.0], [x + 0.9, 2.1]), Surface::Scenery, top, [0.0, 0.0, 1.0]);
    }
}

/// A block is turned by its obstacle, and scaled by its part and the obstacle.
#[test]
fn a_line_meets_the_polygons_of_a_part() {
    let solid = block([-1.0; 3], [1.0; 3]).unwrap();
    let parts = vec![Part { solid, frame: Frame::from_origin(UP * 0.5), scale: 0.5 }];
    let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
    let mut turned = Scenery { parts, state, ..scenery(2.0, &[], &[]) };
    turned.position.frame.set_heading(45.0);
    let scene = with_scenery(turned.clone());
    // From z 0 to 2; the edges are √2 m from the centre.
    let across = |y: f32, z: f32| [at(100.0, y, z), at(116.0, y, z)];
    let diagonal = std::f32::consts::FRAC_1_SQRT_2;
    let point = [108.0 - (2.0 * diagonal - 0.3), 108.3, 1.0];
    assert_meets(&scene, across(108.3, 1.0), Surface::Scenery, point, [-diagonal, diagonal, 0.0]);
    assert_clear(&scene, across(109.5, 1.0));
    assert_clear(&scene, across(108.3, 2.1));
    let down = [at(108.0, 109.3, 5.0), at(108.0, 109.3, 0.5)];
    assert_meets(&scene, down, Surface::Scenery, [108.0, 109.3, 2.0], [0.0, 0.0, 1.0]);
    // Only one kind of shape counts: polygons, else cylinders, else spheres (8.3).
    turned.cylinders = vec![CylSphere { origin: Vec3::ZERO, radius: 2.0, height: 5.0 }];
    turned.spheres = vec![Sphere { origin: UP, radius: 3.0 }];
    assert_clear(&with_scenery(turned.clone()), across(109.5, 1.0));
    turned.state -= PhysicsState::HAS_PHYSICS_BSP;
    // Now the cylinder, which is twice as large: of 4 m radius.
    assert_meets(
        &with_scenery(turned),
        across(108.0, 7.0),
        Surface::Scenery,
        [104.0, 108.0, 7.0],
        [-1.0, 0.0, 0.0],
    );
}

/// Entities are in the way, too, unless they are ethereal, missiles or attached.
#[test]
fn a_line_meets_entities() {
    let scene = builder().finish();
    let spheres = [Sphere { origin: UP, radius: 1.0 }];
    let found = |state: PhysicsState, flags: ObstacleFlags| {
        let entity = Obstacle {
            guid: Guid(7),
            position: CellPosition::at(LAND, CENTRE),
            scale: 1.0,
            state,
            flags,
            parts: &[],
            cylinders: &[],
            spheres: &spheres,
        };
        let (from, to) = (at(100.0, 108.0, 1.0), at(116.0, 108.0, 1.0));
        let found = scene.find_obstruction(&from, &to, &ObstacleList(&[entity]));
        found.and_then(|found| found.surface().map(|hit| (hit.surface, hit.share)))
    };
    let blocked = Some((Surface::Entity(Guid(7)), 7.0 / 16.0));
    assert_eq!(found(PhysicsState::empty(), ObstacleFlags::WEENIE), blocked);
    assert_eq!(found(PhysicsState::IGNORE_COLLISIONS, ObstacleFlags::WEENIE), blocked);
    assert_eq!(found(PhysicsState::ETHEREAL, ObstacleFlags::WEENIE), None);
    assert_eq!(found(PhysicsState::MISSILE, ObstacleFlags::WEENIE), None);
    assert_eq!(found(PhysicsState::empty(), ObstacleFlags::PARENTED), None);
}

/// Land that rises to x = 96 and falls beyond it, by 30 degrees.
#[test]
fn a_line_meets_land() {
    let scene = slopes(30.0, -30.0);
    let over = |z: f32| [at(84.0, 108.0, z), at(108.0, 108.0, z)];
    let rise = libm::tanf(30f32.to_radians());
    assert_clear(&scene, over(0.5));
    let west = [96.0 - 5.0 / rise, 108.0, -5.0];
    assert_meets(&scene, over(-5.0), Surface::Land, west, [-0.5, 0.0, 0.866]);
    let east = [96.0 + 5.0 / rise, 108.0, -5.0];
    let [from, to] = over(-5.0);
    assert_meets(&scene, [to, from], Surface::Land, east, [0.5, 0.0, 0.866]);
    // Straight down, and along a line across both triangles of several cells.
    let down = [at(90.0, 103.0, 10.0), at(90.0, 103.0, -10.0)];
    assert_meets(&scene, down, Surface::Land, [90.0, 103.0, -6.0 * rise], [-0.5, 0.0, 0.866]);
    let (low, high) = (at(60.0, 20.0, -36.0 * rise + 1.0), at(90.0, 180.0, -6.0 * rise + 1.0));
    assert_clear(&scene, [low, high]);
    let (low, high) = (at(60.0, 20.0, -36.0 * rise + 1.0), at(90.0, 180.0, -6.0 * rise - 1.0));
    assert_meets(&scene, [low, high], Surface::Land, [75.0, 100.0, -21.0 * rise], [-0.5, 0.0, 0.866]);
    // From below the normal is that of the underside.
    assert_meets(&scene, [high, low], Surface::Land, [75.0, 100.0, -21.0 * rise], [0.5, 0.0, -0.866]);
}

/// Surfaces within a centimetre of an end do not count, so that points on a surface can be seen.
#[test]
fn the_ends_of_a_line_may_be_on_a_surface() {
    let scene = builder().finish();
    let up = |from: f32, to: f32| [at(108.0, 108.0, from), at(108.0, 108.0, to)];
    assert_clear(&scene, up(0.0, 5.0));
    assert_clear(&scene, up(-0.008, 5.0));
    assert_meets(&scene, up(-0.012, 5.0), Surface::Land, [108.0, 108.0, 0.0], [0.0, 0.0, -1.0]);
    assert_meets(&scene, up(5.0, -0.012), Surface::Land, [108.0, 108.0, 0.0], [0.0, 0.0, 1.0]);
    assert_clear(&scene, up(-0.009, 0.009));
    assert_meets(&scene, up(-0.011, 0.011), Surface::Land, [108.0, 108.0, 0.0], [0.0, 0.0, -1.0]);
}

/// Cell by cell, into all directions and across the border of a landblock.
#[test]
fn a_line_finds_scenery_in_every_cell_on_its_way() {
    let meets = |ball: [f32; 2], from: [f32; 2]| {
        let mut far = scenery(1.0, &[], &[Sphere { origin: UP, radius: 0.5 }]);
        far.sorting_sphere.radius = 0.5;
        far.position = at(ball[0], ball[1], 0.0);
        let scene = with_scenery(far);
        let start = Vec3::new(from[0], from[1], 1.0);
        let along = Vec3::new(ball[0], ball[1], 1.0) - start;
        let end = start + along * 1.25;
        let line = [at(start.x, start.y, 1.0), at(end.x, end.y, 1.0)];
        let normal = along * (-1.0 / along.length());
        let point = Vec3::new(ball[0], ball[1], 1.0) + normal * 0.5;
        assert_meets(&scene, line, Surface::Scenery, point.into(), normal.into());
    };
    for ball in [[150.0, 160.0], [150.0, 30.0], [40.0, 30.0], [40.0, 160.0], [100.0, 20.0], [20.0, 100.0]] {
        meets(ball, [100.0, 100.0]);
    }
    meets([200.0, 108.0], [150.0, 60.0]);
    meets([150.0, 60.0], [200.0, 108.0]);
    // On borders of cells, along them.
    meets([120.0, 150.0], [120.0, 30.0]);
    meets([30.0, 96.0], [150.0, 96.0]);
}

/// What stands in an unloaded landblock is not known, and not in the way.
#[test]
fn a_line_leads_over_land_that_is_not_loaded() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    for block in [HOME, 0x817F] {
        builder.add_land(block, &[0; 81], &[Terrain(0); 81]);
    }
    let scene = builder.finish();
    let line = [at(180.0, 108.0, 1.0), at(2.0 * 192.0 + 12.0, 108.0, 1.0)];
    assert_eq!(line[1].cell.block(), 0x817F);
    assert_clear(&scene, line);
    // It comes back out of the ground beyond it, which counts as little as its way down.
    let below = [at(180.0, 108.0, 1.0), at(2.0 * 192.0 + 12.0, 108.0, -1.0)];
    assert_eq!(scene.line_of_sight(&below[0], &below[1]), Ok(()));
    let nowhere = at(192.0 + 12.0, 108.0, 1.0);
    assert_eq!(scene.line_of_sight(&line[0], &nowhere), Err(Obstruction::Unconnected));
}

/// An upright square across the x axis.
fn sheet(x: f32) -> MeshFace {
    let corners = [[x, 100.0, -3.0], [x, 100.0, 3.0], [x, 116.0, 3.0], [x, 116.0, -3.0]];
    MeshFace::new(PAINT, corners.map(Vec3::from).to_vec())
}

/// A level square around the centre of the cell.
fn slab(z: f32) -> MeshFace {
    let corners = [[100.0, 100.0, z], [116.0, 100.0, z], [116.0, 116.0, z], [100.0, 116.0, z]];
    MeshFace::new(PAINT, corners.map(Vec3::from).to_vec())
}

/// A building whose only door leads into [`FRONT`], between x 110 and 113 and z −2 and 4. Behind that is [`BACK`], without a
/// way out.
fn house(shell: &[MeshFace], front: &[MeshFace], back: &[MeshFace]) -> Scene {
    let mut builder = builder();
    let heights = [Plane::new(UP, 2.0), Plane::new(-UP, 4.0)];
    let mut add = |id: CellId, inside: [Plane; 2], portals: Vec<Portal>, faces: &[MeshFace]| {
        let mut room = Room::new(id, Frame::IDENTITY);
        room.inside = CellTree::new([inside, heights].concat());
        room.portals = portals;
        room.solid = if faces.is_empty() { None } else { mesh(faces, MeshKind::Open) };
        builder.add_room(room).unwrap();
    };
    let portal = |other, plane| Portal { other, plane, side: true };
    let portals = vec![portal(None, east_of(110.0)), portal(Some(BACK), east_of(113.0))];
    add(FRONT, [east_of(110.0), west_of(113.0)], portals, front);
    add(BACK, [east_of(113.0), west_of(116.0)], vec![portal(Some(FRONT), west_of(113.0))], back);
    let building = Building {
        position: CellPosition::at(LAND, Vec3::ZERO),
        model: None,
        solid: if shell.is_empty() { None } else { mesh(shell, MeshKind::Open) },
        scale: 1.0,
        portals: vec![BuildingPortal { room: FRONT, other_portal: 0 }],
        visible: vec![FRONT],
    };
    builder.add_building(LAND, building).unwrap();
    builder.finish()
}

/// The shell of a building is in the way outdoors, and does not exist in rooms.
#[test]
fn a_line_meets_the_shell_of_a_building_outdoors() {
    let line = [at(105.0, 108.0, 1.0), in_room(FRONT, 112.5, 1.0)];
    let [outside, inside] = line;
    assert_clear(&house(&[], &[], &[]), line);
    let in_front = house(&[sheet(109.0)], &[], &[]);
    assert_meets(&in_front, line, Surface::Building, [109.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    assert_clear(&house(&[sheet(111.0)], &[], &[]), line);
    // A polygon that does not count does not hide one that does.
    let both = house(&[sheet(109.0), sheet(111.0)], &[], &[]);
    assert_meets(&both, [inside, outside], Surface::Building, [109.0, 108.0, 1.0], [1.0, 0.0, 0.0]);
    assert_meets(&both, line, Surface::Building, [109.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    // The walls of the rooms are in the way wherever the line comes from.
    let walls = house(&[], &[sheet(112.0)], &[sheet(114.0)]);
    assert_meets(&walls, line, Surface::Room, [112.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    let across = [in_room(FRONT, 112.5, 1.0), in_room(BACK, 115.0, 1.0)];
    assert_meets(&walls, across, Surface::Room, [114.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    let whole = [at(105.0, 108.0, 1.0), in_room(BACK, 115.0, 1.0)];
    assert_clear(&house(&[], &[], &[]), whole);
    assert_meets(
        &house(&[], &[], &[sheet(114.0)]),
        whole,
        Surface::Room,
        [114.0, 108.0, 1.0],
        [-1.0, 0.0, 0.0],
    );
}

/// A wall in the doorway has the room on one side only, so it is in the way from both.
#[test]
fn a_line_meets_the_shell_of_a_building_in_its_doorway() {
    let scene = house(&[sheet(110.0)], &[], &[]);
    let (outside, inside) = (at(105.0, 108.0, 1.0), in_room(FRONT, 112.5, 1.0));
    assert_meets(&scene, [outside, inside], Surface::Building, [110.0, 108.0, 1.0], [-1.0, 0.0, 0.0]);
    assert_meets(&scene, [inside, outside], Surface::Building, [110.0, 108.0, 1.0], [1.0, 0.0, 0.0]);
}

/// Where a room is does not depend on the landblock that the line comes from.
#[test]
fn a_line_from_another_landblock_ends_in_a_room() {
    let far = at(200.0, 108.0, 9.0);
    assert_ne!(far.cell.0 >> 16, LAND.0 >> 16);
    let inside = in_room(FRONT, 111.5, 1.0);
    assert_clear(&house(&[sheet(112.0)], &[], &[]), [far, inside]);
    let wall = house(&[], &[sheet(112.0)], &[]);
    let height = 1.0 + 8.0 * 0.5 / 88.5;
    assert_meets(&wall, [far, inside], Surface::Room, [112.0, 108.0, height], [1.0, 0.0, 0.0]);
}

/// A part of twice its size is met at twice the distance from its centre.
#[test]
fn a_line_meets_a_part_that_is_scaled() {
    let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
    let solid = block([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]).unwrap();
    let parts = vec![Part { solid, frame: Frame::IDENTITY, scale: 2.0 }];
    let scene = with_scenery(Scenery { parts, state, ..scenery(1.0, &[], &[]) });
    let line = [at(100.0, 109.5, 3.5), at(108.0, 109.5, 3.5)];
    assert_meets(&scene, line, Surface::Scenery, [106.0, 109.5, 3.5], [-1.0, 0.0, 0.0]);
    assert_clear(&scene, [at(100.0, 109.5, 4.5), at(108.0, 109.5, 4.5)]);
}

/// Land is in the way outdoors, and not in a room that is dug into it.
#[test]
fn a_line_meets_land_only_outdoors() {
    let scene = house(&[], &[], &[]);
    let outdoors = [at(105.0, 108.0, 1.0), in_room(FRONT, 112.0, -1.0)];
    assert_meets(&scene, outdoors, Surface::Land, [108.5, 108.0, 0.0], [-0.0, 0.0, 1.0]);
    assert_clear(&scene, [at(109.9, 108.0, 1.0), in_room(FRONT, 112.9, -1.0)]);
}

/// No way leads into a room but its portals, though nothing solid is there.
#[test]
fn a_room_without_a_portal_in_the_way_is_not_connected() {
    let scene = house(&[], &[], &[]);
    let behind = at(118.0, 108.0, 1.0);
    assert_eq!(scene.line_of_sight(&behind, &in_room(BACK, 115.0, 1.0)), Err(Obstruction::Unconnected));
    assert_eq!(scene.line_of_sight(&in_room(BACK, 115.0, 1.0), &behind), Err(Obstruction::Unconnected));
    // A room behind a door of the building is, wherever the line enters it: only its walls are in the way.
    assert_clear(&scene, [at(111.5, 108.0, 9.0), in_room(FRONT, 111.5, 1.0)]);
    assert_eq!(
        scene.line_of_sight(&behind, &CellPosition::at(CellId(0x7F7F_0177), CENTRE)),
        Err(Obstruction::Unconnected)
    );
}

#[track_caller]
fn assert_ground(found: Option<GroundHit>, surface: Surface, height: f32, normal: [f32; 3]) {
    let found = found.expect("there is ground");
    assert_eq!(found.surface, surface, "{found:?}");
    assert!((found.height() - height).abs() < 1e-3, "{found:?}");
    assert!((found.plane.normal - Vec3::from(normal)).length() < 1e-3, "{found:?}");
    assert!(found.plane.distance(found.position.frame.origin).abs() < 1e-3, "{found:?}");
}

const LEVEL: [f32; 3] = [0.0, 0.0, 1.0];

/// What faces up counts as ground, unless it is too steep to land on.
#[test]
fn round_scenery_is_ground() {
    let scene = ball();
    let below = |x: f32, z: f32| scene.ground_at(&at(x, 108.0, z));
    assert_ground(below(108.0, 9.0), Surface::Scenery, 2.0, LEVEL);
    assert_ground(below(108.6, 9.0), Surface::Scenery, 1.8, [0.6, 0.0, 0.8]);
    // 86 degrees.
    assert_ground(below(108.0 + 0.9976, 9.0), Surface::Land, 0.0, LEVEL);
    assert_ground(below(110.0, 9.0), Surface::Land, 0.0, LEVEL);
    let post = with_scenery(scenery(1.0, &[CylSphere { origin: UP, radius: 1.0, height: 2.0 }], &[]));
    assert_ground(post.ground_at(&at(108.9, 108.0, 9.0)), Surface::Scenery, 3.0, LEVEL);
    // Neither its side nor its underside is ground.
    assert_ground(post.ground_at(&at(108.9, 108.0, 0.5)), Surface::Land, 0.0, LEVEL);
    let found = scene.ground_at(&at(108.6, 108.0, 9.0)).unwrap();
    assert!(found.is_walkable() && !found.contact().is_water);
    assert_eq!((found.position.cell, found.depth), (LAND, 0.0));
}

/// Ground counts as below a point up to 5 cm above it.
#[test]
fn ground_a_little_above_a_point_is_below_it() {
    let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
    let solid = block([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]).unwrap();
    let parts = vec![Part { solid, frame: Frame::IDENTITY, scale: 1.0 }];
    let scene = with_scenery(Scenery { parts, state, ..scenery(1.0, &[], &[]) });
    let below = |z: f32| scene.ground_at(&at(108.0, 108.0, z));
    assert_ground(below(9.0), Surface::Scenery, 2.0, LEVEL);
    assert_ground(below(1.96), Surface::Scenery, 2.0, LEVEL);
    assert_ground(below(1.94), Surface::Land, 0.0, LEVEL);
    // Outdoors, land counts even if it is above.
    assert_ground(below(-7.0), Surface::Land, 0.0, LEVEL);
}

/// Where land and something else are below a point, the higher one counts; at the same height it is not the land.
#[test]
fn the_higher_of_land_and_floor_is_the_ground() {
    let with_slab = |z: f32| {
        let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
        let solid = mesh(&[slab(z)], MeshKind::Open).unwrap();
        let parts = vec![Part { solid, frame: Frame::from_origin(-CENTRE), scale: 1.0 }];
        with_scenery(Scenery { parts, state, ..scenery(1.0, &[], &[]) })
    };
    let below = |slab: f32, z: f32| with_slab(slab).ground_at(&at(108.0, 108.0, z));
    assert_ground(below(1.0, 5.0), Surface::Scenery, 1.0, LEVEL);
    assert_ground(below(1.0, 0.5), Surface::Land, 0.0, LEVEL);
    assert_ground(below(0.0, 5.0), Surface::Scenery, 0.0, LEVEL);
    assert_ground(below(-1.0, 5.0), Surface::Land, 0.0, LEVEL);
    assert_ground(below(-1.0, -0.5), Surface::Scenery, -1.0, LEVEL);
    assert_ground(below(-1.0, -2.0), Surface::Land, 0.0, LEVEL);
}

/// 6.4: bodies sink into water, so that they stand below its surface.
#[test]
fn a_body_stands_below_the_surface_of_water() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(HOME, &[0; 81], &[Terrain::from_kind(17); 81]);
    let found = builder.finish().ground_at(&at(108.0, 108.0, 5.0)).unwrap();
    assert_eq!((found.height(), found.depth), (0.0, 0.9));
    assert!((found.standing_height() + 0.9).abs() < 1e-6);
    assert_eq!(found.standing_position().frame.origin, Vec3::new(108.0, 108.0, found.standing_height()));
    assert!(found.contact().is_water);
    assert_eq!((found.contact().plane, found.contact().cell), (found.plane, LAND));
}

/// A point under water is above the ground of the water: what lies below that ground is hidden by it.
#[test]
fn the_ground_of_water_is_below_a_point_in_it() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(HOME, &[0; 81], &[Terrain::from_kind(17); 81]);
    let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
    let solid = mesh(&[slab(-3.0)], MeshKind::Open).unwrap();
    let parts = vec![Part { solid, frame: Frame::from_origin(-CENTRE), scale: 1.0 }];
    builder.add_scenery(Scenery { parts, state, ..scenery(1.0, &[], &[]) }).unwrap();
    let scene = builder.finish();
    assert_ground(scene.ground_at(&at(108.0, 108.0, -0.5)), Surface::Land, 0.0, LEVEL);
    assert_ground(scene.ground_at(&at(108.0, 108.0, -1.5)), Surface::Scenery, -3.0, LEVEL);
}

/// The position on the ground faces where the position asked for does.
#[test]
fn a_position_on_the_ground_keeps_its_direction() {
    let mut high = at(108.0, 108.0, 9.0);
    high.frame.set_heading(90.0);
    let found = ball().ground_at(&high).expect("the ball is below");
    assert_eq!(found.surface, Surface::Scenery);
    assert_eq!(found.position.frame.rotation, high.frame.rotation);
}

/// The front room reaches to x = 110.
#[test]
fn a_sphere_is_partly_in_a_room_if_it_reaches_its_border() {
    let scene = house(&[], &[], &[]);
    let room = scene.room(FRONT).expect("it was added");
    let reaches =
        |radius: f32| room.intersects_sphere(&Sphere { origin: Vec3::new(109.5, 108.0, 1.0), radius });
    assert!(reaches(0.6) && !reaches(0.4));
}

/// From a room, the land counts if a portal leads outside on the way down, and where no room is.
#[test]
fn the_land_is_below_a_room_that_leads_outside() {
    let scene = house(&[], &[], &[]);
    let below = |x: f32, z: f32| scene.ground_at(&in_room(FRONT, x, z));
    // The room reaches down to −2, where the land at 0 is not.
    assert_eq!(below(110.02, 1.0), None);
    assert_eq!(below(111.5, 1.0), None);
    let floor = house(&[], &[slab(0.5)], &[]);
    assert_ground(floor.ground_at(&in_room(FRONT, 111.5, 1.0)), Surface::Room, 0.5, LEVEL);
    assert_ground(floor.ground_at(&at(109.0, 108.0, 1.0)), Surface::Land, 0.0, LEVEL);
    // A house on stilts.
    let mut builder = SceneBuilder::from_scene(&scene, &[0.0; 256]);
    let mut high = scene.room(FRONT).unwrap().clone();
    high.inside = CellTree::new(vec![east_of(110.0), west_of(113.0), Plane::new(UP, -1.0)]);
    builder.add_room(high).unwrap();
    let high = builder.finish();
    assert_ground(high.ground_at(&in_room(FRONT, 110.02, 2.0)), Surface::Land, 0.0, LEVEL);
    assert_eq!(high.ground_at(&in_room(FRONT, 111.5, 2.0)), None, "no portal leads outside there");
}

/// The height of the land is known outdoors only.
#[test]
fn the_height_of_the_land_is_that_of_its_slope() {
    let scene = slopes(30.0, -30.0);
    let rise = libm::tanf(30f32.to_radians());
    for (x, height) in [(84.0, -12.0 * rise), (96.0, 0.0), (100.0, -4.0 * rise)] {
        let found = scene.height_at(&at(x, 100.0, 0.0)).unwrap();
        assert!((found - height).abs() < 1e-3, "{x}: {found}");
        assert_eq!(scene.land_height(&at(x, 100.0, 0.0)), Some(found));
    }
    assert_eq!(scene.height_at(&in_room(FRONT, 100.0, 0.0)), None);
    assert_eq!(scene.height_at(&at(300.0, 100.0, 0.0)), None);
    let ground = scene.ground(&at(84.0, 100.0, 9.0)).unwrap();
    assert!((ground.plane.normal - Vec3::new(-0.5, 0.0, 0.866_025)).length() < 1e-3);
    assert_eq!((ground.cell, ground.is_water), (CellId(0x7F7F_001D), false));
}

/// Which rooms are visible, and from where the outdoors are.
#[test]
fn visible_rooms_are_those_of_the_building_or_the_room() {
    let scene = house(&[], &[], &[]);
    assert_eq!(scene.visible_rooms(LAND), [FRONT]);
    assert_eq!(scene.visible_rooms(CellId(0x7F7F_0001)), []);
    assert_eq!(scene.visible_rooms(FRONT), []);
    assert!(
        scene.sees_outside(LAND) && !scene.sees_outside(FRONT) && !scene.sees_outside(CellId(0x7F7F_0177))
    );
}

/// A shape starts to walk if its foot is at most 5 cm above the ground. It then keeps to it; in the air it does not.
#[test]
fn a_shape_walks_if_it_starts_on_the_ground() {
    let scene = slopes(0.0, -30.0);
    let (shape, rise) = (Shape::human(), libm::tanf(30f32.to_radians()));
    let swept = |from: CellPosition, kind| {
        let mut to = from;
        to.frame.origin.x += 0.4;
        scene.sweep_shape(&shape, &from, &to, kind).arrival.unwrap()
    };
    // The lowest point of the foot is 5 mm below the origin.
    for (z, walks) in [(0.005, true), (0.05, true), (0.06, false)] {
        let arrival = swept(at(95.9, 108.0, z), SweepKind::Walk);
        assert_eq!(arrival.has_contact, walks, "{z}");
        let height = if walks { 0.005 - 0.3 * rise } else { z };
        assert!((arrival.position.frame.origin.z - height).abs() < 1e-3, "{z}: {arrival:?}");
    }
    let arrival = swept(at(95.9, 108.0, 0.005), SweepKind::Fly);
    assert!(!arrival.has_contact && arrival.position.frame.origin.z > 0.004, "{arrival:?}");
    // On polygons the nearest point of the foot counts, not the lowest.
    let steep = [[100.0, 100.0, -8.0], [116.0, 100.0, 8.0], [116.0, 116.0, 8.0], [100.0, 116.0, -8.0]];
    let ramp = MeshFace::new(PAINT, steep.map(Vec3::from).to_vec());
    let state = PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP;
    let parts = vec![Part {
        solid: mesh(&[ramp], MeshKind::Open).unwrap(),
        frame: Frame::from_origin(-CENTRE),
        scale: 1.0,
    }];
    let mut builder = SceneBuilder::new(&[-50.0; 256]);
    builder.add_land(HOME, &[0; 81], &[Terrain(0); 81]);
    builder.add_scenery(Scenery { parts, state, ..scenery(1.0, &[], &[]) }).unwrap();
    let scene = builder.finish();
    // Tangent to the ramp, which is 45 degrees steep.
    let tangent = 0.48 * std::f32::consts::SQRT_2 - 0.475;
    for (above, walks) in [(0.0, true), (0.06, true), (0.08, false)] {
        let from = at(108.0, 108.0, tangent + above);
        let mut to = from;
        to.frame.origin.y += 0.1;
        let arrival = scene.sweep_shape(&shape, &from, &to, SweepKind::Walk).arrival.unwrap();
        assert_eq!(arrival.has_contact, walks, "{above}");
    }
}

/// 10: where a shape can stand, and why it cannot.
#[test]
fn a_shape_stands_on_walkable_ground_with_room_above_it() {
    let shape = Shape::human();
    let scene = builder().finish();
    let stood = scene.can_stand_at(&shape, &at(108.0, 108.0, 0.5)).unwrap();
    assert!((stood.frame.origin - Vec3::new(108.0, 108.0, 0.005)).length() < 1e-3);
    assert_eq!(scene.can_stand_at(&shape, &at(108.0, 108.0, 2.0)), Err(StandError::NoGround));
    assert_eq!(scene.can_stand_at(&shape, &at(500.0, 108.0, 0.0)), Err(StandError::NoCell));
    assert_eq!(ball().can_stand_at(&shape, &at(108.5, 108.0, 0.005)), Err(StandError::NoRoom));
    let steep = slopes(60.0, 60.0);
    let on_it = at(100.0, 108.0, 4.0 * libm::tanf(60f32.to_radians()) + 0.005);
    assert_eq!(steep.can_stand_at(&shape, &on_it), Err(StandError::NoGround));
    for invalid in [f32::NAN, f32::INFINITY] {
        let mut position = at(108.0, 108.0, 0.005);
        position.frame.origin.z = invalid;
        assert_eq!(scene.can_stand_at(&shape, &position), Err(StandError::NoCell));
    }
    let mut turned = at(108.0, 108.0, 0.005);
    turned.frame.rotation.w = f32::NAN;
    assert_eq!(scene.can_stand_at(&shape, &turned), Err(StandError::NoCell));
}
