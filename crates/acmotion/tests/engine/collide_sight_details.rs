//! Lines of sight and ground in places where it is easy to be wrong: over hilly land, on the border of a room, across the
//! border of a landblock, and in water.

use crate::collide_fixture;
use crate::scene_questions::triangle_share;

use acmotion::components::PhysicsState;
use acmotion::dat::builder::{MeshFace, MeshKind};
use acmotion::dat::{Sphere, Terrain};
use acmotion::scene::geometry::CellTree;
use acmotion::scene::{
    Building, BuildingPortal, Obstruction, Part, Plane, Portal, Room, Scene, SceneBuilder, Scenery, Surface,
    SurfaceHit,
};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};
use collide_fixture::UP;
use collide_fixture::rooms::{BACK, FRONT, PAINT, UNLOADED, block, east_of, mesh, west_of};

const HOME: u16 = 0x7F7F;
const EAST: u16 = 0x807F;
/// The land cell from (96, 96) to (120, 120), and those to its west and east.
const LAND: CellId = CellId(0x7F7F_0025);
const WEST_LAND: CellId = CellId(0x7F7F_001D);
const EAST_LAND: CellId = CellId(0x7F7F_002D);
/// The land cell of the landblock to the east at its western border, as far north as [`LAND`].
const ABROAD: CellId = CellId(0x807F_0005);

/// A position outdoors, from the corner of the home block.
fn at(x: f32, y: f32, z: f32) -> CellPosition {
    CellPosition::at(LAND, Vec3::new(x, y, z)).adjusted_to_outside().expect("on the map")
}

fn in_room(cell: CellId, x: f32, z: f32) -> CellPosition {
    CellPosition::at(cell, Vec3::new(x, 108.0, z))
}

/// Returns what is in the way.
#[track_caller]
fn hit(scene: &Scene, from: &CellPosition, to: &CellPosition) -> SurfaceHit {
    match scene.line_of_sight(from, to) {
        Err(Obstruction::Surface(hit)) => hit,
        other => panic!("from {from:?} to {to:?}: {other:?}"),
    }
}

/// Expects a line along the x axis to meet a surface there, from both ends.
#[track_caller]
fn assert_met_at(scene: &Scene, [from, to]: [CellPosition; 2], surface: Surface, [near, far]: [f32; 2]) {
    for (from, to, x, normal) in [(from, to, near, -1.0), (to, from, far, 1.0)] {
        let hit = hit(scene, &from, &to);
        let there = hit.position.frame.origin.x + LAND.block_offset(hit.position.cell).x;
        assert_eq!(hit.surface, surface);
        assert!((there - x).abs() < 2e-3, "{there}, not {x}");
        assert!((hit.normal - Vec3::new(normal, 0.0, 0.0)).length() < 1e-3, "{:?}", hit.normal);
    }
}

#[track_caller]
fn assert_clear(scene: &Scene, [from, to]: [CellPosition; 2]) {
    assert_eq!(scene.line_of_sight(&from, &to), Ok(()));
    assert_eq!(scene.line_of_sight(&to, &from), Ok(()));
}

struct Random(u32);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.between(0.0, f32::from(bound)) as u8
    }
}

/// Land whose corners are anything from 0 to 10 m high.
fn hills() -> Scene {
    let mut builder = SceneBuilder::new(&std::array::from_fn(|byte| byte as f32 * 0.5));
    let mut random = Random(7);
    let heights = std::array::from_fn(|_| random.below(21));
    builder.add_land(HOME, &heights, &[Terrain(0); 81]);
    builder.finish()
}

/// The triangles of the land of the home block.
fn triangles(scene: &Scene) -> Vec<[Vec3; 3]> {
    let cells = (1..=64).map(|low| CellId(u32::from(HOME) << 16 | low));
    let terrain = |id: CellId| scene.land(id).expect("it is loaded").terrain();
    cells.flat_map(|id| [0, 1].map(|which| terrain(id).triangle(usize::from(id.low()) - 1, which))).collect()
}

/// A line meets the first of the 128 triangles that it passes through, whatever cells it leads over.
#[test]
fn a_line_over_hills_meets_what_a_search_over_all_triangles_finds() {
    let scene = hills();
    let triangles = triangles(&scene);
    let mut random = Random(1);
    let (mut clear, mut met) = (0, 0);
    for number in 0..3_000 {
        let mut end = || {
            let mut end = at(random.between(1.0, 191.0), random.between(1.0, 191.0), 0.0);
            let height = scene.height_at(&end).expect("there is land");
            end.frame.origin.z = height + random.between(0.2, 6.0);
            end
        };
        let (from, to) = (end(), end());
        let (start, along) = (from.frame.origin, to.frame.origin - from.frame.origin);
        let shares: Vec<_> = triangles
            .iter()
            .filter_map(|corners| Some((triangle_share(corners, start, along)?, corners)))
            .collect();
        if shares.iter().any(|((_, margin), _)| margin.abs() < 0.005) {
            continue;
        }
        let first =
            shares.iter().filter(|((_, margin), _)| *margin > 0.0).min_by(|a, b| a.0.0.total_cmp(&b.0.0));
        let Some(((share, _), corners)) = first else {
            clear += 1;
            assert_eq!(scene.line_of_sight(&from, &to), Ok(()), "{number}");
            continue;
        };
        met += 1;
        let hit = hit(&scene, &from, &to);
        let apart = (f64::from(hit.share) - share).abs() * f64::from(along.length());
        assert!(hit.surface == Surface::Land && apart < 0.01, "{number}: {apart} m from {share}: {hit:?}");
        // The ends are above the land, so that the first thing is met from above.
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
        let normal = normal.expect("triangles have an area");
        assert!((hit.normal - normal).length() < 1e-3, "{number}: {normal:?}, but {hit:?}");
        let there = Vec3 { z: 0.0, ..start + along * hit.share };
        let cell = CellPosition::at(LAND, there).adjusted_to_outside().expect("on the map").cell;
        assert_eq!(hit.position.cell, cell, "{number}");
    }
    assert!(clear > 200 && met > 500, "{clear} clear, {met} met");
}

/// No line slips through where two triangles meet, though rounding puts their border on different sides of it.
#[test]
fn a_line_meets_land_on_the_borders_of_triangles() {
    let scene = hills();
    let triangles = triangles(&scene);
    let mut random = Random(3);
    for number in 0..4_000 {
        // A point of an edge, and some at its ends.
        let corners = &triangles[usize::from(random.below(128))];
        let edge = usize::from(random.below(3));
        let share = if number % 8 == 0 { 0.0 } else { random.between(0.0, 1.0) };
        let point = corners[edge] + (corners[(edge + 1) % 3] - corners[edge]) * share;
        if [point.x, point.y].into_iter().any(|v| !(2.0..190.0).contains(&v)) {
            continue;
        }
        // Steeper than any land here.
        let up = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 4.0);
        let [above, below] = [point + up, point - up].map(|end| at(end.x, end.y, end.z));
        for (from, to) in [(above, below), (below, above)] {
            let hit = hit(&scene, &from, &to);
            let apart = (hit.position.frame.origin - point).length();
            assert!(
                hit.surface == Surface::Land && apart < 0.01,
                "{number}: {apart} m from {point:?}: {hit:?}"
            );
        }
    }
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

fn builder(height: f32) -> SceneBuilder {
    let mut builder = SceneBuilder::new(&[height; 256]);
    for block in [HOME, EAST] {
        builder.add_land(block, &[0; 81], &[Terrain(0); 81]);
    }
    builder
}

/// A room between two x coordinates, and two heights, with a door to the outside in the west.
fn room(id: CellId, [west, east]: [f32; 2], [low, high]: [f32; 2], faces: &[MeshFace]) -> Room {
    let mut room = Room::new(id, Frame::IDENTITY);
    let heights = [Plane::new(UP, -low), Plane::new(-UP, high)];
    room.inside = CellTree::new([[east_of(west), west_of(east)], heights].concat());
    room.portals = vec![Portal { other: None, plane: east_of(west), side: true }];
    room.solid = if faces.is_empty() { None } else { mesh(faces, MeshKind::Open) };
    room
}

/// A building with a door to a room, and a shell that may be empty.
fn building(cell: CellId, door: CellId, shell: &[MeshFace]) -> Building {
    Building {
        position: CellPosition::at(cell, Vec3::ZERO),
        model: None,
        solid: if shell.is_empty() { None } else { mesh(shell, MeshKind::Open) },
        scale: 1.0,
        portals: vec![BuildingPortal { room: door, other_portal: 0 }],
        visible: vec![],
    }
}

/// A house on [`LAND`] with one room, from x 110 to 113 and from −2 to 4 m high.
fn house(shell: &[MeshFace], inside: &[MeshFace]) -> Scene {
    let mut builder = builder(0.0);
    builder.add_room(room(FRONT, [110.0, 113.0], [-2.0, 4.0], inside)).expect("a valid room");
    builder.add_building(LAND, building(LAND, FRONT, shell)).expect("a valid building");
    builder.finish()
}

/// Scenery of polygons in a cell, which is at the centre of that cell.
fn block_at(x: f32, scale: f32, part: Part) -> Scenery {
    Scenery {
        position: at(x, 108.0, 0.0),
        model: None,
        scale,
        state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
        parts: vec![part],
        cylinders: vec![],
        spheres: vec![],
        sorting_sphere: Sphere { origin: Vec3::ZERO, radius: 3.0 },
    }
}

/// The polygons of a part are scaled by the part and by the object, and those of a building by the building.
#[test]
fn a_line_meets_scaled_polygons() {
    let across = [at(98.0, 108.0, 1.0), at(118.0, 108.0, 1.0)];
    for (scale, own) in [(2.0, 1.5), (0.5, 0.5), (2.0, 0.5)] {
        let solid = block([-1.0, -2.0, -9.0], [2.0, 2.0, 9.0]).expect("a solid");
        let part = Part { solid, frame: Frame::from_origin(Vec3::new(0.5, 0.0, 0.0)), scale: own };
        let mut builder = builder(0.0);
        builder.add_scenery(block_at(108.0, scale, part)).expect("valid scenery");
        let middle = 108.0 + 0.5 * scale;
        let ends = [middle - scale * own, middle + 2.0 * scale * own];
        assert_met_at(&builder.finish(), across, Surface::Scenery, ends);
    }
    let solid = block([53.0, 50.0, -3.0], [55.0, 58.0, 3.0]);
    let mut builder = builder(0.0);
    let scaled = Building { solid, scale: 2.0, ..building(LAND, UNLOADED, &[]) };
    builder.add_building(LAND, scaled).expect("a valid building");
    assert_met_at(&builder.finish(), across, Surface::Building, [106.0, 110.0]);
}

/// The shell of a building is in the way if it is outdoors on one side: a wall exactly between a room and the outdoors is.
#[test]
fn a_line_meets_the_shell_on_the_border_of_a_room() {
    let through = |x: f32| (house(&[sheet(x)], &[]), [at(105.0, 108.0, 1.0), in_room(FRONT, 112.5, 1.0)]);
    for x in [110.0, 110.01, 109.99] {
        let (scene, line) = through(x);
        assert_met_at(&scene, line, Surface::Building, [x; 2]);
    }
    let (scene, line) = through(110.05);
    assert_clear(&scene, line);
}

/// A room of another landblock than that of the line's start is looked for in its own axes: the shell in it does not count.
#[test]
fn a_line_enters_a_room_of_another_landblock() {
    let door = CellId(0x807F_0100);
    let line = [at(188.0, 108.0, 1.0), in_room(door, 4.5, 1.0)];
    let through = |x: f32| {
        let mut builder = builder(0.0);
        builder.add_room(room(door, [2.0, 5.0], [-2.0, 4.0], &[])).expect("a valid room");
        builder.add_building(ABROAD, building(ABROAD, door, &[sheet(x)])).expect("a valid building");
        builder.finish()
    };
    assert_clear(&through(3.0), line);
    assert_met_at(&through(1.0), line, Surface::Building, [193.0; 2]);
}

/// What is listed on land is in the way in a room, too, unless it is land or the shell of a building.
#[test]
fn a_line_in_a_room_meets_scenery_that_stands_on_the_land_there() {
    // The room reaches into the next cell to the east, whose scenery is not listed in it.
    let mut builder = builder(0.0);
    builder.add_room(room(FRONT, [110.0, 130.0], [-2.0, 4.0], &[])).expect("a valid room");
    builder.add_building(LAND, building(LAND, FRONT, &[])).expect("a valid building");
    let solid = block([-0.5, -1.0, 0.0], [0.5, 1.0, 2.0]).expect("a solid");
    let part = Part { solid, frame: Frame::IDENTITY, scale: 1.0 };
    builder.add_scenery(block_at(125.0, 1.0, part)).expect("valid scenery");
    let scene = builder.finish();
    assert_eq!((scene.scenery(EAST_LAND).count(), scene.scenery(FRONT).count()), (1, 0));
    let line = [at(105.0, 108.0, 1.0), in_room(FRONT, 128.0, 1.0)];
    assert_met_at(&scene, line, Surface::Scenery, [124.5, 125.5]);
}

/// Under the ceiling of a room, where 5 cm above the point is no cell, ground up to 5 cm above it counts all the same.
#[test]
fn ground_a_little_above_a_point_is_found_under_a_ceiling() {
    let scene = house(&[], &[slab(3.98)]);
    let below =
        |z: f32| scene.ground_at(&in_room(FRONT, 111.5, z)).map(|found| (found.surface, found.height()));
    for z in [3.99, 3.96, 3.94] {
        let (surface, height) = below(z).expect("there is ground");
        assert!(surface == Surface::Room && (height - 3.98).abs() < 1e-3, "{z}: {height}");
    }
    assert_eq!(below(3.92), None);
}

/// 6.4: a point under water is above the ground of the water as long as it is not deeper than bodies sink.
#[test]
fn water_is_the_ground_of_a_point_that_wades_in_it() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(HOME, &[0; 81], &[Terrain::from_kind(17); 81]);
    // Something at −1.5 m; bodies sink to −0.9 m.
    let solid = mesh(&[slab(-1.5)], MeshKind::Open).expect("a solid");
    let frame = Frame::from_origin(Vec3::new(-108.0, -108.0, 0.0));
    builder.add_scenery(block_at(108.0, 1.0, Part { solid, frame, scale: 1.0 })).expect("valid scenery");
    let scene = builder.finish();
    let below = |z: f32| scene.ground_at(&at(108.0, 108.0, z)).expect("there is ground").surface;
    for z in [5.0, 0.5, -0.5, -0.9] {
        assert_eq!(below(z), Surface::Land, "{z}");
    }
    assert_eq!((below(-1.0), below(-1.4)), (Surface::Scenery, Surface::Scenery));
}

/// Land in a room is not there, however high it is.
#[test]
fn land_in_a_room_is_not_the_ground_of_a_point_above_the_room() {
    let mut builder = builder(10.0);
    builder.add_room(room(FRONT, [110.0, 113.0], [8.0, 14.0], &[])).expect("a valid room");
    builder.add_building(LAND, building(LAND, FRONT, &[])).expect("a valid building");
    let scene = builder.finish();
    assert_eq!(scene.ground_at(&at(111.5, 108.0, 15.0)), None);
    let beside = scene.ground_at(&at(109.0, 108.0, 15.0)).expect("there is land");
    assert!(beside.surface == Surface::Land && (beside.height() - 10.0).abs() < 1e-3, "{beside:?}");
}

#[test]
fn the_ground_below_a_position_has_the_rotation_of_that_position() {
    let solid = block([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]).expect("a solid");
    let mut builder = builder(0.0);
    let part = Part { solid, frame: Frame::IDENTITY, scale: 1.0 };
    builder.add_scenery(block_at(108.0, 1.0, part)).expect("valid scenery");
    let scene = builder.finish();
    for (x, surface) in [(108.0, Surface::Scenery), (112.0, Surface::Land)] {
        let mut asked = at(x, 108.0, 9.0);
        asked.frame.set_heading(120.0);
        let found = scene.ground_at(&asked).expect("there is ground");
        assert_eq!((found.surface, found.position.frame.rotation), (surface, asked.frame.rotation));
    }
}

/// 7.7: of a position outdoors, the coordinates decide which building's rooms are looked at, not the cell that it names.
#[test]
fn a_room_is_found_from_any_land_cell_by_its_coordinates() {
    let mut builder = builder(0.0);
    builder.add_room(room(FRONT, [110.0, 113.0], [-2.0, 4.0], &[])).expect("a valid room");
    builder.add_room(room(BACK, [114.0, 116.0], [-2.0, 4.0], &[])).expect("a valid room");
    let house = Building { visible: vec![BACK], ..building(LAND, FRONT, &[]) };
    builder.add_building(LAND, house).expect("a valid building");
    let scene = builder.finish();
    for named in [LAND, WEST_LAND] {
        let found = |x: f32| scene.find_cell(&in_room(named, x, 1.0)).map(|found| found.cell);
        assert_eq!(
            (found(115.0), found(111.0), found(113.5)),
            (Some(BACK), Some(FRONT), Some(LAND)),
            "{named:?}"
        );
    }
}

/// 7.7: a visible room of another landblock is looked for in its own axes.
#[test]
fn a_visible_room_of_another_landblock_is_found() {
    let mut builder = builder(0.0);
    builder.add_room(room(FRONT, [190.0, 200.0], [-2.0, 4.0], &[])).expect("a valid room");
    let house = Building { visible: vec![FRONT], ..building(ABROAD, UNLOADED, &[]) };
    builder.add_building(ABROAD, house).expect("a valid building");
    let scene = builder.finish();
    let found = scene.find_cell(&in_room(ABROAD, 3.0, 1.0)).expect("there is a cell");
    assert_eq!((found.cell, found.frame.origin), (FRONT, Vec3::new(195.0, 108.0, 1.0)));
    let beyond = scene.find_cell(&in_room(ABROAD, 9.0, 1.0)).expect("there is a cell");
    assert_eq!((beyond.cell, beyond.frame.origin.x), (ABROAD, 9.0));
}
