//! The island: the heights and terrain of its landblocks, and the region with the height table.

use super::{HOME_BLOCK, REGION, ground};
use crate::id::DataId;
use crate::objects::{LandBlock, Region, Terrain};

/// The number of land cells along a side of the island.
pub(super) const CELLS: i32 = 16;
/// The height of the town's ground, in metres.
pub(super) const LEVEL: f32 = 10.0;
/// The height of the lake, in metres.
pub(super) const LAKE_LEVEL: f32 = 9.0;
/// The height of the table mountain, which is too steep on all sides but one, in metres.
pub(super) const TABLE_LEVEL: f32 = 42.0;
/// The height of the hill, which can be climbed from all sides, in metres.
pub(super) const HILL_LEVEL: f32 = 36.0;

/// The vertices of the lake, from the south-west to the north-east corner.
const LAKE: [[i32; 2]; 2] = [[11, 3], [14, 6]];
/// The vertices of the table mountain's top, from the south-west to the north-east corner.
const TABLE: [[i32; 2]; 2] = [[3, 11], [5, 13]];
/// The heights of the ramp to the table mountain, between columns 4 and 5, from north to south.
const TABLE_RAMP: [f32; 2] = [31.5, 21.0];
/// The vertices of the hill's top, from the south-west to the north-east corner.
const HILL: [[i32; 2]; 2] = [[11, 11], [12, 12]];
/// The distance from the hill's top to its foot, in vertices.
const HILL_REACH: f32 = 3.6;

fn is_in([x, y]: [i32; 2], [low, high]: [[i32; 2]; 2]) -> bool {
    (low[0]..=high[0]).contains(&x) && (low[1]..=high[1]).contains(&y)
}

/// Returns how many vertices inland a vertex is: 0 at the shore, negative in the sea. Bays and rounded corners turn
/// some of the outermost land into shore.
fn inland([x, y]: [i32; 2]) -> i32 {
    let from_edge = |coordinate: i32| coordinate.min(CELLS - coordinate);
    let (near, far) = (from_edge(x).min(from_edge(y)), from_edge(x).max(from_edge(y)));
    let is_bay = far < 3 || matches!((5 * x + 3 * y) % 11, 0 | 4);
    if near == 1 && is_bay { 0 } else { near }
}

/// Returns how close a vertex is to the hill's top: 1 at the top, 0 at the foot and beyond.
fn on_hill([x, y]: [i32; 2]) -> f32 {
    let beyond = |coordinate: i32, axis: usize| {
        (HILL[0][axis] - coordinate).max(coordinate - HILL[1][axis]).max(0) as f32
    };
    let (dx, dy) = (beyond(x, 0), beyond(y, 1));
    (1.0 - libm::sqrtf(dx * dx + dy * dy) / HILL_REACH).max(0.0)
}

/// Returns the height in metres of a vertex, counted from the home block's south-west corner.
pub(super) fn height([x, y]: [i32; 2]) -> f32 {
    let vertex = [x, y];
    let steep = on_hill(vertex);
    match inland(vertex) {
        ..=0 => 0.0,
        1 => 0.5 * LEVEL,
        _ if is_in(vertex, LAKE) => LAKE_LEVEL,
        _ if is_in(vertex, TABLE) => TABLE_LEVEL,
        _ if (4..=5).contains(&x) && y == 10 => TABLE_RAMP[0],
        _ if (4..=5).contains(&x) && y == 9 => TABLE_RAMP[1],
        _ if steep > 0.0 => LEVEL + (HILL_LEVEL - LEVEL) * steep * steep * (3.0 - 2.0 * steep),
        // Rolling meadows in the east, between the lake and the hill.
        _ if x > 9 && y > 7 => LEVEL + 0.5 * ((7 * x + 3 * y) % 4) as f32,
        _ => LEVEL,
    }
}

/// Returns the terrain at a vertex.
fn terrain([x, y]: [i32; 2]) -> Terrain {
    let vertex = [x, y];
    let near_table = is_in(vertex, [[2, 10], [6, 14]]);
    let is_ramp = (4..=5).contains(&x) && y == 10;
    Terrain::from_kind(match inland(vertex) {
        ..=0 => ground::SEA,
        1 => ground::SAND,
        _ if is_in(vertex, LAKE) => ground::LAKE,
        _ if near_table && !is_ramp => ground::ROCK,
        _ if on_hill(vertex) > 0.0 => ground::LUSH_GRASS,
        _ if is_in(vertex, [[4, 3], [5, 4]]) => ground::PACKED_DIRT,
        _ => ground::GRASS,
    })
}

/// Returns the height in metres of a height byte: steps of 0.5 m up to 100 m, then of 8 m.
fn height_of_byte(index: usize) -> f32 {
    if index <= 200 { 0.5 * index as f32 } else { 100.0 + 8.0 * (index - 200) as f32 }
}

/// Returns the terrain of the landblock `east` and `north` blocks from the home block.
pub(super) fn land_block(east: i32, north: i32, has_objects: bool) -> LandBlock {
    let vertex = |index: usize| [8 * east + (index / 9) as i32, 8 * north + (index % 9) as i32];
    LandBlock {
        id: DataId(block_id(east, north) << 16 | 0xFFFF),
        has_objects: has_objects.into(),
        terrain: std::array::from_fn(|index| terrain(vertex(index))),
        heights: std::array::from_fn(|index| libm::roundf(2.0 * height(vertex(index))) as u8),
        padding: 0,
    }
}

/// Returns the landblock `east` and `north` blocks from the home block: the upper 16 bits of its cell ids.
pub(super) fn block_id(east: i32, north: i32) -> u32 {
    ((u32::from(HOME_BLOCK) >> 8).wrapping_add_signed(east) << 8)
        | (u32::from(HOME_BLOCK) & 0xFF).wrapping_add_signed(north)
}

pub(super) fn region() -> Region {
    Region {
        id: REGION,
        number: 1,
        version: 1,
        name: b"Mannequin".to_vec(),
        padding: [0; 3],
        blocks_long: 255,
        blocks_wide: 255,
        square_length: 24.0,
        squares_per_side: 8,
        vertices_per_cell: 1,
        max_object_height: 200.0,
        sky_height: 1000.0,
        road_width: 5.0,
        heights: Box::new(std::array::from_fn(height_of_byte)),
        rest: Vec::new(),
    }
}
