//! The sword that the humanoid holds.

use acmotion_types::{Frame, Vec3};

use super::clip::DatasetBuilder;
use super::item::Item;
use super::rig::{about_x, about_z};
use super::solid::{convex_solid, section};
use super::{SWORD_MESH, SWORD_SETUP, placements, surfaces};
use crate::builder::MeshFace;

/// Returns the faces of pommel, grip, guard and blade. The origin is in the middle of the grip, the blade points up.
fn faces() -> Vec<MeshFace> {
    let pommel = convex_solid(surfaces::IRON, &[section(-0.105, 0.012, 0.012), section(-0.07, 0.02, 0.02)]);
    let grip =
        convex_solid(surfaces::WOOD_JOINT, &[section(-0.07, 0.014, 0.016), section(0.06, 0.012, 0.015)]);
    let guard =
        MeshFace::cuboid(surfaces::IRON, Vec3::new(-0.015, -0.09, 0.06), Vec3::new(0.015, 0.09, 0.08));
    let blade = convex_solid(
        surfaces::STEEL,
        &[section(0.08, 0.006, 0.026), section(0.72, 0.005, 0.02), section(0.84, 0.001, 0.003)],
    );
    [pommel, grip, guard, blade].concat()
}

/// Adds the sword. In the hand, the blade points along the thumb, the hand's +Y; on the ground, it lies flat.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    let held = Frame::new(Vec3::ZERO, about_x(-90.0));
    let lying = Frame::new(Vec3::new(0.0, -0.36, 0.015), about_x(-90.0) * about_z(90.0));
    let item = Item {
        setup: SWORD_SETUP,
        mesh: SWORD_MESH,
        faces: faces(),
        placements: vec![
            (placements::DEFAULT, lying),
            (placements::RIGHT_HAND_COMBAT, held),
            (placements::RIGHT_HAND_NON_COMBAT, held),
            (placements::RESTING, lying),
        ],
        size: [0.03, 0.5],
        extent: 0.85,
        collision: None,
    };
    item.build(dataset);
}
