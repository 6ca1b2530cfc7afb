//! The layout of the static objects, and the landblock infos that list them.

use acmotion_types::{BLOCK_LENGTH, CELL_LENGTH, Frame, Vec3};

use super::super::rig::about_z;
use super::land::{LEVEL, block_id, height};
use super::{HOUSE_SHELL, SHED_SHELL, house, models, shed};
use crate::id::DataId;
use crate::objects::{BspNode, Building, GfxObj, LandBlockInfo, LandBlockInfoFlags, StaticObject};

/// The objects on the town's level ground: model, x and y in the home block, and degrees turned to the left.
const YARD_OBJECTS: &[(DataId, [f32; 2], f32)] = &[
    (models::RAMP, [70.0, 84.0], 0.0),
    (models::STEEP_RAMP, [60.0, 84.0], 0.0),
    (models::STAIRS, [80.0, 84.0], 0.0),
    (models::WALL, [70.0, 104.0], 0.0),
    (models::LEDGE, [56.0, 102.0], 0.0),
    (models::STEPS[0], [86.0, 98.0], 0.0),
    (models::STEPS[1], [86.0, 102.0], 0.0),
    (models::STEPS[2], [86.0, 106.0], 0.0),
    (models::STEPS[3], [86.0, 110.0], 0.0),
    // Two walls that form a wedge, open to the south.
    (models::WALL, [62.2, 122.0], -60.0),
    (models::WALL, [57.8, 122.0], 60.0),
    (models::BEAM, [80.0, 120.0], 0.0),
    (models::PILLAR, [130.0, 100.0], 0.0),
    (models::PILLAR, [133.0, 100.0], 0.0),
    (models::PILLAR, [136.0, 103.0], 0.0),
    (models::BOULDER, [130.0, 114.0], 0.0),
    (models::BOULDER, [141.0, 110.0], 40.0),
    (models::BARREL, [115.2, 101.6], 0.0),
    (models::BARREL, [115.9, 102.3], 0.0),
    (models::CRATE, [100.4, 101.9], 12.0),
    (models::TREE, [96.0, 78.0], 0.0),
    (models::TREE, [122.0, 78.0], 30.0),
    (models::TREE, [128.0, 126.0], 10.0),
    (models::TREE, [140.0, 130.0], 20.0),
    (models::TREE, [104.0, 128.0], 0.0),
    (models::TREE, [76.0, 134.0], 15.0),
    (models::TREE, [150.0, 118.0], 25.0),
    (models::TREE, [60.0, 66.0], 5.0),
    (models::TREE, [84.0, 62.0], 35.0),
    (models::TREE, [146.0, 64.0], 12.0),
];

/// The trees outside the town, each at a vertex, whose height is known: cells east and north of the home block's
/// south-west corner.
const WILD_TREES: &[[i32; 2]] = &[
    [10, 10],
    [11, 14],
    [13, 9],
    [14, 13],
    [9, 12],
    [12, 14],
    [10, 8],
    [9, 4],
    [10, 2],
    [13, 7],
    [4, 13],
    [2, 9],
    [6, 9],
    [7, 14],
];

/// The start of the pier relative to the home block's south-west corner, and the height of its deck.
pub(super) const PIER: Vec3 = Vec3::new(BLOCK_LENGTH + 57.0, 108.0, 10.4);

fn home_objects() -> Vec<StaticObject> {
    let object = |(model, [x, y], left): &(DataId, [f32; 2], f32)| StaticObject {
        model: *model,
        frame: Frame::new(Vec3::new(*x, *y, LEVEL), about_z(*left)),
    };
    YARD_OBJECTS.iter().map(object).collect()
}

/// Returns the static objects of the landblock `east` and `north` blocks from the home block.
fn objects(east: i32, north: i32) -> Vec<StaticObject> {
    let mut list = if (east, north) == (0, 0) { home_objects() } else { Vec::new() };
    for [x, y] in WILD_TREES.iter().filter(|[x, y]| (x / 8, y / 8) == (east, north)) {
        let origin = Vec3::new(CELL_LENGTH * (x % 8) as f32, CELL_LENGTH * (y % 8) as f32, height([*x, *y]));
        list.push(StaticObject { model: models::TREE, frame: Frame::from_origin(origin) });
    }
    if (east, north) == (1, 0) {
        let origin = PIER - Vec3::new(BLOCK_LENGTH, 0.0, 0.0);
        list.push(StaticObject { model: models::PIER, frame: Frame::from_origin(origin) });
    }
    list
}

fn building(model: DataId, frame: Frame, shell: &GfxObj, interior: &super::room::Interior) -> Building {
    let nodes = shell.physics.iter().flat_map(|mesh| &mesh.bsp.nodes);
    let leaves = nodes.filter(|node| matches!(node, BspNode::Leaf(_))).count();
    Building { model, frame, leaf_count: leaves as u32, portals: interior.building_portals() }
}

/// Returns the info of the landblock `east` and `north` blocks from the home block, or `None` if it is empty.
pub(super) fn info(east: i32, north: i32) -> Option<LandBlockInfo> {
    let objects = objects(east, north);
    let (mut buildings, mut cell_count) = (Vec::new(), 0);
    if (east, north) == (0, 0) {
        let (house, shed) = (house::interior(), shed::interior());
        cell_count = (house.rooms.len() + shed.rooms.len()) as u32;
        buildings = vec![
            building(HOUSE_SHELL, house.frame, &house::shell(), &house),
            building(SHED_SHELL, shed.frame, &shed::shell(), &shed),
        ];
    }
    let is_empty = objects.is_empty() && buildings.is_empty();
    (!is_empty).then(|| LandBlockInfo {
        id: DataId(block_id(east, north) << 16 | 0xFFFE),
        cell_count,
        objects,
        flags: LandBlockInfoFlags::empty(),
        buildings,
        restrictions: None,
    })
}
