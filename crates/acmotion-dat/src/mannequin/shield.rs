//! The shield that the humanoid holds.

use acmotion_types::{Frame, Vec3};

use super::clip::DatasetBuilder;
use super::item::Item;
use super::rig::about_y;
use super::solid::{convex_solid, section};
use super::{SHIELD_MESH, SHIELD_SETUP, placements, surfaces};

/// Adds the shield: a board with a rim and a boss. Its face points up; on the arm it points outward, to the left.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    let rim = convex_solid(surfaces::IRON, &[section(-0.012, 0.3, 0.36), section(0.008, 0.3, 0.36)]);
    let board = convex_solid(surfaces::TILES, &[section(0.008, 0.275, 0.335), section(0.02, 0.25, 0.31)]);
    let boss = convex_solid(surfaces::STEEL, &[section(0.02, 0.075, 0.075), section(0.06, 0.03, 0.03)]);
    let lying = Frame::from_origin(Vec3::new(0.0, 0.0, 0.012));
    let item = Item {
        setup: SHIELD_SETUP,
        mesh: SHIELD_MESH,
        faces: [rim, board, boss].concat(),
        placements: vec![
            (placements::DEFAULT, lying),
            (placements::SHIELD, Frame::new(Vec3::ZERO, about_y(-90.0))),
            (placements::RESTING, lying),
        ],
        size: [0.08, 0.4],
        extent: 0.45,
        collision: None,
    };
    item.build(dataset);
}
