//! Lines over rough land, in which nearly every cell is cut differently and sloped otherwise than the next: what a line meets
//! agrees with the height of the land, looked up step by step (`docs/collision.md` 6.2, 6.3).

use acmotion::dat::Terrain;
use acmotion::scene::{Obstruction, Scene, SceneBuilder, Surface};
use acmotion::types::{CellId, CellPosition, Vec3};
use proptest::prelude::*;

/// Two landblocks beside each other, away from the border of the map.
const BLOCKS: [u16; 2] = [0x7F7F, 0x807F];
const FIRST: CellId = CellId(0x7F7F_0001);
/// The height, in metres, of a step of the land.
const STEP: f32 = 2.5;
/// The number of points at which the height along a line is looked up.
const POINTS: u16 = 2_000;
/// How far a line may be from the land where it meets it, in metres.
const ON_LAND: f32 = 0.02;

/// Land whose corners are at heights from 0 to 17.5 m in no order.
fn rough_land() -> Scene {
    let heights: [f32; 256] = std::array::from_fn(|index| index as f32 * STEP);
    let mut builder = SceneBuilder::new(&heights);
    for (number, block) in BLOCKS.into_iter().enumerate() {
        // The corners on the border are those of both blocks.
        let height = |corner: usize| {
            let (column, row) = (8 * number + corner / 9, corner % 9);
            ((column * 31 + row * 17 + column * row * 7) % 8) as u8
        };
        builder.add_land(block, &std::array::from_fn(height), &[Terrain(0); 81]);
    }
    builder.finish()
}

/// A position in the cell of its point, which is given from the corner of the first block.
fn at(point: Vec3) -> CellPosition {
    CellPosition::at(FIRST, point).adjusted_to_outside().expect("it is on the map")
}

/// How far a point is above the land; negative below it.
fn above_land(scene: &Scene, point: Vec3) -> f32 {
    point.z - scene.height_at(&at(point)).expect("there is land")
}

fn end() -> impl Strategy<Value = Vec3> {
    (1.0..383.0f32, 1.0..191.0f32, 0.0..20.0f32).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #[test]
    fn a_line_meets_rough_land_where_it_crosses_its_height(from in end(), to in end()) {
        let scene = rough_land();
        prop_assume!((to - from).length() > 1.0);
        let point = |share: f32| from + (to - from) * share;
        let is_above = above_land(&scene, from) >= 0.0;
        let crosses = |number: &u16| {
            (above_land(&scene, point(f32::from(*number) / f32::from(POINTS))) >= 0.0) != is_above
        };
        // The ends themselves may be on the land.
        let crossing = (20..POINTS - 20).find(crosses);
        let seen = scene.line_of_sight(&at(from), &at(to));
        match (seen, crossing) {
            (Err(Obstruction::Surface(hit)), _) => {
                prop_assert_eq!(hit.surface, Surface::Land);
                let there = above_land(&scene, point(hit.share));
                prop_assert!(there.abs() < ON_LAND, "{} m above the land", there);
                let latest = crossing.map_or(1.0, |number| f32::from(number + 1) / f32::from(POINTS));
                prop_assert!(hit.share <= latest, "{} is behind {}", hit.share, latest);
            }
            (Ok(()), None) => {}
            (seen, crossing) => prop_assert!(false, "{:?}, but it crosses at {:?}", seen, crossing),
        }
    }
}
