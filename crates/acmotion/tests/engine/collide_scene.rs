//! Land, rooms, buildings and scenery (`docs/collision.md` 6 to 8): a hamlet loaded from dat files, and the cells that
//! bodies in it reach into.

use crate::collide_hamlet;

use std::ops::ControlFlow;

use acmotion::dat::{Assets, BlockSize, Dat, DatError, DatWriter, DataId, DataSet, Sphere, Terrain};
use acmotion::internals::collide::scene::add_all_outside_cells;
use acmotion::scene::{
    CellArray, ContainingCell, LoadError, Obstacles, Portal, Room, RoomSearch, Scene, SceneBuilder,
    SceneError, SceneLoader, SearchCylinder, Water, is_cut_from_south_west,
};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};
use collide_hamlet::{BACK_ROOM, EAST, GROUND_Z, HOME, HOUSE, ROOM, dat_files, hamlet};
use proptest::prelude::*;

const ROOM_CELL: CellId = CellId(ROOM);
const BACK_CELL: CellId = CellId(BACK_ROOM);
/// The land cell of the house.
const HOUSE_LAND: CellId = CellId(0x7F7F_000A);

fn sphere(at: Vec3, radius: f32) -> Sphere {
    Sphere { origin: at, radius }
}

/// Returns the cells that a sphere reaches into, and the one that contains its centre.
fn cells_of(scene: &Scene, from: CellId, at: Vec3, radius: f32) -> (Vec<CellId>, ContainingCell) {
    let mut cells = CellArray::default();
    let found = scene.find_cell_list(&CellPosition::at(from, at), &[sphere(at, radius)], &mut cells);
    (cells.iter().collect(), found)
}

/// `docs/collision.md` 11.12: for each landblock a row for each x, a digit for each y.
const CUTS: [(u32, u32, [&str; 8]); 3] = [
    (
        0xA9,
        0xB4,
        ["11111111", "00111111", "00000111", "11000011", "11100011", "00110011", "10010011", "11011011"],
    ),
    (
        0x00,
        0x00,
        ["10110101", "01010101", "01010101", "10010101", "10110100", "00100100", "01100100", "11001110"],
    ),
    (
        0x7F,
        0x03,
        ["10001100", "10011001", "10011011", "10010010", "10010110", "10010101", "10100101", "00101010"],
    ),
];

#[test]
fn land_cells_are_cut_as_in_the_original() {
    for (block_x, block_y, rows) in CUTS {
        for (x, row) in (0..).zip(rows) {
            let cut = |y| is_cut_from_south_west(block_x * 8 + x, block_y * 8 + y);
            let got: String = (0..8).map(|y| if cut(y) { '1' } else { '0' }).collect();
            assert_eq!(got, row, "block {block_x:X} {block_y:X}, x {x}");
        }
    }
}

/// `docs/collision.md` 11.15.
#[test]
fn land_cells_are_found_in_the_order_of_the_original() {
    let around = |x: f32, y: f32| {
        let at = Vec3::new(24.0 + x, 24.0 + y, 0.0);
        let mut cells = CellArray::default();
        add_all_outside_cells(&CellPosition::at(CellId(0x7F7F_000A), at), &[sphere(at, 0.48)], &mut cells);
        cells.iter().map(|cell| cell.low()).collect::<Vec<_>>()
    };
    let cell = |x: u16, y: u16| 1 + x * 8 + y;
    assert_eq!(around(23.6, 12.0), [cell(1, 1), cell(2, 1)]);
    assert_eq!(around(23.6, 0.3), [cell(1, 1), cell(2, 1), cell(2, 0), cell(1, 0)]);
    assert_eq!(around(12.0, 12.0), [cell(1, 1)]);
}

#[test]
fn land_cells_off_the_map_are_not_listed() {
    let mut cells = CellArray::default();
    let corner = CellPosition::at(CellId(0x0000_0001), Vec3::new(0.1, 0.1, 0.0));
    add_all_outside_cells(&corner, &[sphere(corner.frame.origin, 0.48)], &mut cells);
    assert_eq!(cells.iter().collect::<Vec<_>>(), [CellId(0x0000_0001)]);
    cells.clear();
    for x in [-1.0, f32::NAN, f32::INFINITY, 1e30, -1e30] {
        add_all_outside_cells(&corner, &[sphere(Vec3::new(x, 0.0, 0.0), 0.48)], &mut cells);
    }
    assert!(cells.is_empty());
}

#[test]
fn missing_objects_are_reported_and_the_rest_is_loaded() {
    let (scene, problems) = hamlet();
    assert_eq!(scene.blocks().collect::<Vec<_>>(), [HOME, EAST]);
    assert_eq!(scene.rooms(HOME).iter().map(Room::id).collect::<Vec<_>>(), [ROOM_CELL, BACK_CELL]);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("0x01000777"), "{problems:?}");
    let building = scene.land(HOUSE_LAND).unwrap().building().unwrap();
    assert_eq!(building.position.frame.origin, HOUSE);
    assert_eq!(building.portals[0].room, ROOM_CELL);
    assert!(scene.land(CellId(0x7F7F_0001)).unwrap().building().is_none());
    assert!(scene.cell(CellId(0x1234_0001)).is_none() && scene.cell(CellId(0x7F7F_0102)).is_none());
    assert!(scene.cell(CellId(0x7F7F_0000)).is_none() && scene.cell(CellId(0x7F7F_FFFF)).is_none());
}

#[test]
fn loading_fails_without_a_region_or_without_the_land() {
    let (portal, cells) = dat_files();
    assert!(matches!(SceneLoader::new(&cells, &portal), Err(LoadError::Dat(DatError::NotFound(_)))));
    let mut loader = SceneLoader::new(&portal, &cells).unwrap();
    let missing = LoadError::Dat(DatError::NotFound(DataId(0x1234_FFFF)));
    assert_eq!(loader.load_block(0x1234), Err(missing));
    assert_eq!(loader.load_block(HOME), Ok(()));
    assert_eq!(loader.load_block(HOME), Ok(()), "loading twice is allowed");
    assert_eq!(loader.scene().blocks().count(), 1);
}

/// The game's cell file has entries for landblocks without bytes.
#[test]
fn a_landblock_without_bytes_is_passed_over() {
    let (portal, _) = dat_files();
    let mut writer = DatWriter::new(BlockSize::Small, DataSet::Cell);
    writer.add(DataId(0x1234_FFFF), Vec::new());
    let cells = Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap());
    let mut loader = SceneLoader::new(&portal, &cells).unwrap();
    assert_eq!(loader.load_block(0x1234), Ok(()));
    loader.load_around(0x1234, 1);
    loader.load_all();
    assert_eq!(loader.problems(), []);
    assert_eq!(loader.scene().blocks().count(), 0);
}

#[test]
fn bodies_sink_into_water_and_into_its_shore() {
    let (scene, _) = hamlet();
    let depth = |cell: u32, x: f32, y: f32| {
        let land = scene.land(CellId(cell)).unwrap();
        let ground = land.ground_at(Vec3::new(x, y, 0.0)).unwrap();
        assert!((ground.plane.distance(Vec3::new(x, y, GROUND_Z))).abs() < 1e-4);
        (land.water(), ground.is_water, ground.depth)
    };
    assert_eq!(depth(0x7F7F_0001, 10.0, 10.0), (Water::Not, false, 0.0));
    assert_eq!(depth(0x7F7F_0039, 170.0, 10.0), (Water::Partially, true, 0.1), "dry side of the shore");
    assert_eq!(depth(0x7F7F_0039, 190.0, 10.0), (Water::Partially, true, 0.45), "wet side of the shore");
    assert_eq!(depth(0x807F_0001, 10.0, 10.0), (Water::Entirely, true, 0.9));
    assert_eq!(scene.land(CellId(0x7F7F_0001)).unwrap().block_water(), Water::Partially);
    assert_eq!(scene.land(CellId(0x807F_0001)).unwrap().block_water(), Water::Entirely);
}

#[test]
fn cells_change_through_the_door_and_into_the_back_room() {
    let (scene, _) = hamlet();
    let door = |y: f32| HOUSE + Vec3::new(3.0, y, 0.48);
    let go = |from, y| cells_of(&scene, from, door(y), 0.48);
    let at = |cell, hits_interior| ContainingCell { cell: Some(cell), hits_interior };
    // A metre in front of the door: only the land.
    assert_eq!(go(HOUSE_LAND, -1.0), (vec![HOUSE_LAND], at(HOUSE_LAND, false)));
    // A foot in the door: the room is listed, but the centre is still outside.
    assert_eq!(go(HOUSE_LAND, -0.4), (vec![HOUSE_LAND, ROOM_CELL], at(HOUSE_LAND, true)));
    // The centre is inside: a room takes precedence over land.
    assert_eq!(go(HOUSE_LAND, 0.3), (vec![HOUSE_LAND, ROOM_CELL], at(ROOM_CELL, true)));
    // The same position starting from the room: the land is found through the door.
    assert_eq!(go(ROOM_CELL, 0.3), (vec![ROOM_CELL, HOUSE_LAND], at(ROOM_CELL, true)));
    // Further in: only the room, then both rooms, then only the other.
    assert_eq!(go(ROOM_CELL, 2.0), (vec![ROOM_CELL], at(ROOM_CELL, true)));
    assert_eq!(go(ROOM_CELL, 5.8), (vec![ROOM_CELL, BACK_CELL], at(ROOM_CELL, true)));
    assert_eq!(go(ROOM_CELL, 6.2), (vec![ROOM_CELL, BACK_CELL], at(BACK_CELL, true)));
    assert_eq!(go(BACK_CELL, 8.0), (vec![BACK_CELL], at(BACK_CELL, true)));
}

#[test]
fn cells_that_are_not_visible_can_be_left_out() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    let room = |low: u32, visible: &[u32]| {
        let mut room = Room::new(CellId(0x7F7F_0000 | low), Frame::IDENTITY);
        // Without planes, every point is inside.
        room.visible = visible.iter().map(|low| CellId(0x7F7F_0000 | low)).collect();
        room.portals = [0x100u32, 0x101, 0x102, 0x103]
            .iter()
            .map(|other| Portal {
                other: Some(CellId(0x7F7F_0000 | other)),
                plane: acmotion::scene::Plane::new(Vec3::new(0.0, 0.0, 1.0), 0.0),
                side: true,
            })
            .collect();
        room
    };
    builder.add_room(room(0x100, &[0x102])).unwrap();
    for low in 0x101..0x104 {
        builder.add_room(room(low, &[])).unwrap();
    }
    let scene = builder.finish();
    let mut cells = CellArray::default();
    let at = CellPosition::at(CellId(0x7F7F_0100), Vec3::ZERO);
    scene.find_cell_list(&at, &[sphere(Vec3::ZERO, 0.5)], &mut cells);
    assert_eq!(cells.iter().map(CellId::low).collect::<Vec<_>>(), [0x100, 0x101, 0x102, 0x103]);
    cells.only_visible = true;
    scene.find_cell_list(&at, &[sphere(Vec3::ZERO, 0.5)], &mut cells);
    // The last cell takes the index of a removed one, and is removed too.
    assert_eq!(cells.iter().map(CellId::low).collect::<Vec<_>>(), [0x100, 0x102]);
}

/// A room that is not loaded is listed as soon as a sphere touches the plane of its portal or is beyond it (7.3). What is
/// beyond depends on the portal's side: the front of the plane, or its back. The reach is the radius and EPS.
#[test]
fn a_room_that_is_not_loaded_is_listed_beyond_its_portal() {
    let is_listed = |side: bool, height: f32| {
        let mut room = Room::new(CellId(0x7F7F_0100), Frame::IDENTITY);
        let plane = acmotion::scene::Plane::new(Vec3::new(0.0, 0.0, 1.0), 0.0);
        room.portals = vec![Portal { other: Some(CellId(0x7F7F_0101)), plane, side }];
        let mut builder = SceneBuilder::new(&[0.0; 256]);
        builder.add_room(room).unwrap();
        let at = Vec3::new(0.0, 0.0, height);
        let (cells, _) = cells_of(&builder.finish(), CellId(0x7F7F_0100), at, 0.5);
        cells.contains(&CellId(0x7F7F_0101))
    };
    for (towards_front, side) in [(1.0, true), (-1.0, false)] {
        for (beyond, expected) in
            [(-3.0, false), (-0.501, false), (-0.5001, true), (-0.4, true), (0.4, true), (3.0, true)]
        {
            assert_eq!(is_listed(side, towards_front * beyond), expected, "{side}: {beyond} m beyond");
        }
    }
}

/// Hundreds of rooms that all overlap each other, as only a hostile file has.
#[test]
fn the_walk_through_overlapping_rooms_is_bounded() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    let id = |number: u32| CellId(0x7F7F_0100 + number % 700);
    for number in 0..700 {
        let mut room = Room::new(id(number), Frame::IDENTITY);
        let plane = acmotion::scene::Plane::new(Vec3::new(0.0, 0.0, 1.0), 0.0);
        let portal = |step| Portal { other: Some(id(number + step)), plane, side: true };
        room.portals = (1..=100).map(portal).collect();
        builder.add_room(room).unwrap();
    }
    let (cells, found) = cells_of(&builder.finish(), id(0), Vec3::ZERO, 0.48);
    assert_eq!((cells.len(), found.cell), (256, Some(id(0))));
}

#[test]
fn a_position_is_put_into_the_cell_that_contains_it() {
    let (scene, _) = hamlet();
    let foot = Vec3::new(0.0, 0.0, 0.48);
    let adjust = |cell: CellId, at: Vec3, search| {
        let mut position = CellPosition::at(cell, at);
        let found = scene.adjust_position(&mut position, foot, search).map(|cell| cell.id());
        (found, position.cell)
    };
    let inside = HOUSE + Vec3::new(3.0, 3.0, 0.0);
    assert_eq!(adjust(ROOM_CELL, inside, RoomSearch::Visible), (Some(ROOM_CELL), ROOM_CELL));
    let behind = HOUSE + Vec3::new(3.0, 9.0, 0.0);
    for search in [RoomSearch::Visible, RoomSearch::Neighbours] {
        assert_eq!(adjust(ROOM_CELL, behind, search), (Some(BACK_CELL), BACK_CELL));
    }
    // Outside of a room from which the outside is visible: the land there.
    let away = Vec3::new(100.0, 10.0, GROUND_Z);
    assert_eq!(adjust(ROOM_CELL, away, RoomSearch::Visible).0, Some(CellId(0x7F7F_0021)));
    // On land with the id of another cell, and across a landblock border.
    assert_eq!(adjust(CellId(0x7F7F_0001), away, RoomSearch::Visible).0, Some(CellId(0x7F7F_0021)));
    let east = Vec3::new(200.0, 10.0, GROUND_Z);
    assert_eq!(adjust(CellId(0x7F7F_0001), east, RoomSearch::Visible).0, Some(CellId(0x807F_0001)));
    // Where nothing is loaded, and with invalid ids.
    assert_eq!(adjust(CellId(0x7F7F_0001), Vec3::new(10.0, 500.0, 0.0), RoomSearch::Visible).0, None);
    for cell in [0x7F7F_0000, 0x7F7F_0041, 0x7F7F_0123, 0x7F7F_FFFE] {
        assert_eq!(adjust(CellId(cell), away, RoomSearch::Visible).0, None, "{cell:X}");
    }
}

#[test]
fn scenery_is_listed_in_every_cell_that_it_reaches_into() {
    let (scene, _) = hamlet();
    let count = |cell: u32| scene.scenery(CellId(cell)).count();
    // A box on the border of two landblocks.
    assert_eq!((count(0x7F7F_0039), count(0x807F_0001)), (1, 1));
    // A tree, by the base of its trunk, which has a radius of half a metre.
    assert_eq!(count(0x7F7F_0025), 1);
    // A pile of two boxes, by the boxes of both parts.
    let pile = scene.scenery(CellId(0x7F7F_0013)).next().unwrap();
    assert_eq!((pile.parts.len(), pile.parts[1].frame.origin.z), (2, 1.0));
    // A box in the front room, 0.1 m from the back room.
    assert_eq!((count(ROOM), count(BACK_ROOM), count(HOUSE_LAND.0)), (1, 0, 0));
    // Nothing in other cells.
    assert_eq!((count(0x7F7F_0001), count(0x1234_0001), count(0x7F7F_0777)), (0, 0, 0));
    let all: usize = (1..=0x40).map(|low| count(0x7F7F_0000 + low)).sum();
    assert_eq!(all, 3);
}

/// Whatever the landblock in whose axes the reach is given.
#[test]
fn scenery_out_of_reach_is_not_visited() {
    let (scene, _) = hamlet();
    let visited = |from: u32, cell: u32, centre: [f32; 3]| {
        let reach = SearchCylinder {
            cell: CellId(from),
            centre: Vec3::from(centre),
            radius: 0.48,
            half_height: 0.92,
        };
        let mut count = 0;
        scene.visit_near(CellId(cell), &std::cell::Cell::new(reach), &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    };
    let z = GROUND_Z + 0.92;
    // The box on the border reaches from 191.3 to 192.3.
    assert_eq!(visited(0x7F7F_0039, 0x7F7F_0039, [190.9, 10.0, z]), 1);
    assert_eq!(visited(0x7F7F_0039, 0x7F7F_0039, [188.0, 10.0, z]), 0);
    assert_eq!(visited(0x7F7F_0039, 0x7F7F_0039, [191.8, 10.0, z + 5.0]), 0);
    assert_eq!(visited(0x807F_0001, 0x807F_0001, [0.7, 10.0, z]), 1);
    assert_eq!(visited(0x807F_0001, 0x7F7F_0039, [0.7, 10.0, z]), 1);
    assert_eq!(visited(0x7F7F_0039, 0x807F_0001, [192.7, 10.0, z]), 1);
    assert_eq!(visited(0x807F_0001, 0x807F_0001, [192.7, 10.0, z]), 0);
    // The tree is six metres high.
    assert_eq!(visited(0x7F7F_0025, 0x7F7F_0025, [100.9, 100.0, GROUND_Z + 6.5]), 1);
    assert_eq!(visited(0x7F7F_0025, 0x7F7F_0025, [101.2, 100.0, z]), 0);
}

#[test]
fn existing_scenes_keep_landblocks_that_are_unloaded() {
    let (portal, cells) = dat_files();
    let mut loader = SceneLoader::new(&portal, &cells).unwrap();
    loader.load_block(HOME).unwrap();
    let before = loader.scene();
    assert!(before.land(CellId(0x807F_0001)).is_none());
    loader.load_block(EAST).unwrap();
    let both = loader.scene();
    assert_eq!(both.scenery(CellId(0x807F_0001)).count(), 1);
    loader.unload_block(HOME);
    let east = loader.scene();
    assert!(east.land(CellId(0x7F7F_0001)).is_none() && east.land(CellId(0x807F_0001)).is_some());
    assert_eq!(east.scenery(CellId(0x807F_0001)).count(), 0);
    assert!(before.land(CellId(0x7F7F_0001)).is_some() && both.room(ROOM_CELL).is_some());
}

#[test]
fn rooms_with_invalid_ids_or_positions_are_rejected() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    let land = builder.add_room(Room::new(CellId(0x7F7F_0001), Frame::IDENTITY));
    assert_eq!(land.err(), Some(SceneError::WrongCell { cell: CellId(0x7F7F_0001), expected: "a room" }));
    let lost = Room::new(ROOM_CELL, Frame::from_origin(Vec3::new(f32::NAN, 0.0, 0.0)));
    assert_eq!(
        builder.add_room(lost).err().map(|error| error.to_string()).as_deref(),
        Some("the position or size of a room in 0x7F7F0100 is not valid")
    );
    assert_eq!(builder.finish().blocks().count(), 0);
}

#[test]
fn finding_cells_does_not_allocate() {
    let (scene, _) = hamlet();
    let mut cells = CellArray::default();
    let positions = [
        (HOUSE_LAND, HOUSE + Vec3::new(3.0, 0.1, 0.48)),
        (ROOM_CELL, HOUSE + Vec3::new(3.0, 5.9, 0.48)),
        (CellId(0x7F7F_0040), Vec3::new(191.9, 191.9, GROUND_Z)),
    ];
    let mut found = 0;
    let allocations = allocation_counter::measure(|| {
        for (cell, at) in positions {
            let spheres = [sphere(at, 0.48), sphere(at + Vec3::new(0.0, 0.0, 0.9), 0.48)];
            scene.find_cell_list(&CellPosition::at(cell, at), &spheres, &mut cells);
            found += cells.len() + cells.iter().map(|cell| scene.scenery(cell).count()).sum::<usize>();
        }
    });
    assert_eq!((allocations.count_total, found), (0, 10));
}

proptest! {
    /// For any position and radius.
    #[test]
    fn each_cell_is_listed_once_and_the_containing_one_is_among_them(
        cell in prop_oneof![
            (0u32..0x50).prop_map(|low| 0x7F7F_0000 | low),
            (0x100u32..0x103).prop_map(|low| 0x7F7F_0000 | low),
            any::<u32>(),
        ],
        at in [-300f32..500.0, -300f32..500.0, -100f32..100.0],
        radius in prop_oneof![0f32..5.0, Just(f32::NAN), Just(f32::INFINITY), Just(1e30f32)],
    ) {
        let (scene, _) = hamlet();
        let (cells, found) = cells_of(&scene, CellId(cell), Vec3::from(at), radius);
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), cells.len());
        prop_assert!(found.cell.is_none_or(|cell| cells.contains(&cell)));
    }

    #[test]
    fn on_open_land_the_cells_follow_from_the_coordinates(
        x in 0f32..192.0,
        y in 0f32..192.0,
        radius in 0f32..13.0,
        head in 0f32..3.0,
    ) {
        let mut builder = SceneBuilder::new(&[0.0; 256]);
        for block in [0x7E7E, 0x7E7F, 0x7E80, 0x7F7E, 0x7F7F, 0x7F80, 0x807E, 0x807F, 0x8080] {
            builder.add_land(block, &[0; 81], &[Terrain::default(); 81]);
        }
        let scene = builder.finish();
        let foot = Vec3::new(x, y, 0.0);
        let at = CellPosition::at(CellId(0x7F7F_0001), foot).adjusted_to_outside().unwrap();
        let spheres = [sphere(foot, radius), sphere(foot + Vec3::new(head, 0.0, 1.0), radius)];
        let (mut cells, mut expected) = (CellArray::default(), CellArray::default());
        let found = scene.find_cell_list(&at, &spheres, &mut cells);
        add_all_outside_cells(&at, &spheres, &mut expected);
        prop_assert_eq!(cells.iter().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
        prop_assert!(found.cell.is_some() && !found.hits_interior);
        if (x % 24.0).min(y % 24.0) > 0.001 {
            prop_assert_eq!(found.cell, Some(at.cell));
        }
    }

    #[test]
    fn every_point_of_a_landblock_is_on_a_triangle_of_its_cell(x in 0f32..191.99, y in 0f32..191.99, bytes in any::<u64>()) {
        let heights = std::array::from_fn(|corner| (bytes >> (corner % 57)) as u8);
        let table = std::array::from_fn(|byte| byte as f32);
        let mut builder = SceneBuilder::new(&table);
        builder.add_land(HOME, &heights, &[Terrain::default(); 81]);
        let scene = builder.finish();
        let point = Vec3::new(x, y, 0.0);
        let cell = CellPosition::at(CellId(0x7F7F_0001), point).adjusted_to_outside().unwrap().cell;
        let land = scene.land(cell).unwrap();
        let triangle = land.triangle_at(point).unwrap();
        let corners = land.terrain().triangle(usize::from(cell.low() - 1), triangle);
        let plane = land.ground_at(point).unwrap().plane;
        for corner in corners {
            prop_assert!(plane.distance(corner).abs() < 1e-3);
        }
        let inside = acmotion::scene::geometry::Polygon { plane, corners: &corners, is_one_sided: true };
        prop_assert!(inside.contains_flat(point, true));
        prop_assert!(plane.normal.z > 0.0);
    }
}
