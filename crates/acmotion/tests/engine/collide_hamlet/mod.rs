//! A hamlet in two dat files: level land with a shore, a house of two rooms, and some scenery.
//!
//! The house is at (40, 40) of landblock 0x7F7F. Its first room (0x100) is 6 by 6 metres with a door to the south; the
//! second (0x101) is behind it to the north.

use acmotion::dat::builder::{self, MeshFace, MeshKind, Plane};
use acmotion::dat::hook::Bool32;
use acmotion::dat::{
    AnimationFrame, Assets, BlockSize, Building, BuildingPortal, CellPortal, CellStruct, CylSphere, Dat,
    DatWriter, DataId, DataSet, EnvCell, EnvCellFlags, Environment, LandBlock, LandBlockInfo, PortalFlags,
    Region, Setup, Sphere, StaticObject, Terrain,
};
use acmotion::scene::{Scene, SceneLoader};
use acmotion::types::{Frame, Quat, Vec3};

pub(crate) const HOME: u16 = 0x7F7F;
pub(crate) const EAST: u16 = 0x807F;
pub(crate) const ROOM: u32 = 0x7F7F_0100;
pub(crate) const BACK_ROOM: u32 = 0x7F7F_0101;
/// The height byte of the land.
const GROUND: u8 = 5;
/// The height of the land in metres.
pub(crate) const GROUND_Z: f32 = 10.0;
/// The south-west corner of the house.
pub(crate) const HOUSE: Vec3 = Vec3::new(40.0, 40.0, GROUND_Z);

const PAINT: DataId = DataId(0x0800_0001);
const SHELL: DataId = DataId(0x0100_0001);
const BOX: DataId = DataId(0x0100_0002);
const TREE: DataId = DataId(0x0200_0001);
const PILE: DataId = DataId(0x0200_0002);
const MISSING: DataId = DataId(0x0100_0777);
const ENVIRONMENT: DataId = DataId(0x0D00_0001);

const SIZE: f32 = 6.0;
const HEIGHT: f32 = 3.0;
/// The west and east side of the door.
const DOOR: [f32; 2] = [2.0, 4.0];

fn quad(corners: [[f32; 3]; 4]) -> Vec<Vec3> {
    corners.map(Vec3::from).to_vec()
}

/// A door in a wall at `y`, seen from the south or from the north.
fn opening(y: f32, from_south: bool) -> Vec<Vec3> {
    let [west, east] = DOOR;
    let mut corners = quad([[west, y, 0.0], [east, y, 0.0], [east, y, 2.2], [west, y, 2.2]]);
    if !from_south {
        corners.reverse();
    }
    corners
}

/// A room with doors in its south or north wall.
pub(crate) fn room(doors: &[(f32, bool)]) -> CellStruct {
    let (s, h) = (SIZE, HEIGHT);
    let mut faces = vec![
        quad([[0.0, 0.0, 0.0], [s, 0.0, 0.0], [s, s, 0.0], [0.0, s, 0.0]]),
        quad([[0.0, 0.0, h], [0.0, s, h], [s, s, h], [s, 0.0, h]]),
        quad([[0.0, 0.0, 0.0], [0.0, s, 0.0], [0.0, s, h], [0.0, 0.0, h]]),
        quad([[s, 0.0, 0.0], [s, 0.0, h], [s, s, h], [s, s, 0.0]]),
    ];
    let mut wall = |y: f32, from_south: bool, [west, east]: [f32; 2], [low, high]: [f32; 2]| {
        let mut corners = quad([[west, y, low], [east, y, low], [east, y, high], [west, y, high]]);
        if !from_south {
            corners.reverse();
        }
        faces.push(corners);
    };
    for (y, from_south) in [(s, true), (0.0, false)] {
        if doors.contains(&(y, from_south)) {
            wall(y, from_south, [0.0, DOOR[0]], [0.0, h]);
            wall(y, from_south, [DOOR[1], s], [0.0, h]);
            wall(y, from_south, DOOR, [2.2, h]);
        } else {
            wall(y, from_south, [0.0, s], [0.0, h]);
        }
    }
    let faces: Vec<_> = faces.into_iter().map(|corners| MeshFace::new(PAINT, corners)).collect();
    let portals: Vec<_> = doors.iter().map(|(y, from_south)| opening(*y, *from_south)).collect();
    builder::cell_struct(&faces, &portals, &Plane::box_interior(Vec3::ZERO, Vec3::new(s, s, h))).0
}

fn land(block: u16, is_wet: impl Fn(usize, usize) -> bool) -> LandBlock {
    let terrain =
        std::array::from_fn(|corner| Terrain::from_kind(if is_wet(corner / 9, corner % 9) { 17 } else { 0 }));
    LandBlock {
        id: DataId(u32::from(block) << 16 | 0xFFFF),
        has_objects: Bool32::from(block == HOME),
        terrain,
        heights: [GROUND; 81],
        padding: 0,
    }
}

pub(crate) fn region() -> Region {
    Region {
        id: DataId(0x1300_0000),
        number: 1,
        version: 1,
        name: b"Hamlet".to_vec(),
        padding: [0; 3],
        blocks_long: 255,
        blocks_wide: 255,
        square_length: 24.0,
        squares_per_side: 8,
        vertices_per_cell: 1,
        max_object_height: 200.0,
        sky_height: 1000.0,
        road_width: 5.0,
        heights: Box::new(std::array::from_fn(|byte| 2.0 * byte as f32)),
        rest: Vec::new(),
    }
}

fn cell(id: u32, structure: u16, origin: Vec3, portals: Vec<CellPortal>) -> EnvCell {
    EnvCell {
        id: DataId(id),
        flags: EnvCellFlags::SEEN_OUTSIDE,
        environment: ENVIRONMENT.0 as u16,
        structure,
        frame: Frame::from_origin(origin),
        portals,
        visible: vec![0x0100, 0x0101],
        ..EnvCell::default()
    }
}

pub(crate) fn portal(shape: &CellStruct, which: usize, other_cell: u16) -> CellPortal {
    CellPortal { flags: PortalFlags::empty(), polygon: shape.portals[which], other_cell, other_portal: 0 }
}

pub(crate) fn standing(model: DataId, x: f32, y: f32, z: f32) -> StaticObject {
    StaticObject { model, frame: Frame::from_origin(Vec3::new(x, y, z)) }
}

pub(crate) fn assets(objects: impl FnOnce(&mut DatWriter), set: DataSet) -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, set);
    objects(&mut writer);
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// Builds the portal file and the cell file.
pub(crate) fn dat_files() -> (Assets, Assets) {
    let front = room(&[(0.0, false), (SIZE, true)]);
    let back = room(&[(0.0, false)]);
    let structures = [(0, front.clone()), (1, back.clone())].into_iter().collect();
    let environment = Environment { id: ENVIRONMENT, structures };
    let block = |id, low, high| builder::gfx_obj(id, &MeshFace::cuboid(PAINT, low, high), MeshKind::Closed);
    let whole_frame = |parts| vec![(0, AnimationFrame { parts, hooks: Vec::new() })];
    let tree = Setup {
        id: TREE,
        cyl_spheres: vec![CylSphere { origin: Vec3::ZERO, radius: 0.5, height: 6.0 }],
        sorting_sphere: Sphere { origin: Vec3::new(0.0, 0.0, 3.0), radius: 4.0 },
        ..Setup::default()
    };
    let turned = Frame::new(Vec3::new(0.0, 0.0, 1.0), Quat::IDENTITY);
    let pile = Setup {
        id: PILE,
        parts: vec![BOX, BOX],
        placements: whole_frame(vec![Frame::IDENTITY, turned]),
        ..Setup::default()
    };
    let portal_file = assets(
        |writer| {
            writer.add_object(&region());
            writer.add_object(&environment);
            writer.add_object(&block(SHELL, Vec3::new(-0.2, -0.2, 0.0), Vec3::new(6.2, 12.2, 3.2)));
            writer.add_object(&block(BOX, Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, 0.5, 1.0)));
            writer.add_object(&tree);
            writer.add_object(&pile);
        },
        DataSet::Portal,
    );
    let outside = portal(&front, 0, CellPortal::OUTSIDE);
    let mut front_room = cell(ROOM, 0, HOUSE, vec![outside, portal(&front, 1, 0x0101)]);
    front_room.flags |= EnvCellFlags::OBJECTS;
    front_room.objects = vec![standing(BOX, 41.0, 45.4, GROUND_Z)];
    let behind = HOUSE + Vec3::new(0.0, SIZE, 0.0);
    let back_room = cell(BACK_ROOM, 1, behind, vec![portal(&back, 0, 0x0100)]);
    let building = Building {
        model: SHELL,
        frame: Frame::from_origin(HOUSE),
        leaf_count: 0,
        portals: vec![BuildingPortal { other_cell: 0x0100, ..BuildingPortal::default() }],
    };
    let info = LandBlockInfo {
        id: DataId(u32::from(HOME) << 16 | 0xFFFE),
        cell_count: 2,
        objects: vec![
            standing(BOX, 191.8, 10.0, GROUND_Z),
            standing(TREE, 100.0, 100.0, GROUND_Z),
            standing(PILE, 60.0, 60.0, GROUND_Z),
            standing(MISSING, 50.0, 50.0, GROUND_Z),
        ],
        buildings: vec![building],
        ..LandBlockInfo::default()
    };
    let cell_file = assets(
        |writer| {
            // The sea is in the east: the last column of one landblock, and all of the other.
            writer.add_object(&land(HOME, |x, _| x == 8));
            writer.add_object(&land(EAST, |_, _| true));
            writer.add_object(&info);
            writer.add_object(&front_room);
            writer.add_object(&back_room);
        },
        DataSet::Cell,
    );
    (portal_file, cell_file)
}

/// Loads the hamlet. Also returns the problems the loader reported.
pub(crate) fn hamlet() -> (Scene, Vec<String>) {
    let (portal, cells) = dat_files();
    let mut loader = SceneLoader::new(&portal, &cells).unwrap();
    loader.load_around(HOME, 1);
    (loader.scene(), loader.problems().iter().map(ToString::to_string).collect())
}
