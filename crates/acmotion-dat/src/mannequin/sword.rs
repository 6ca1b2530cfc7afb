//! The sword that the humanoid holds.

use acmotion_types::{Frame, Quat, Vec3};

use super::clip::DatasetBuilder;
use super::rig::about_x;
use super::solid::{closed_mesh, convex_solid, section};
use super::{SWORD_MESH, SWORD_SETUP, placements, surfaces};
use crate::builder::MeshFace;
use crate::objects::{AnimationFrame, Setup, Sphere};

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

/// Returns the setup. In the hand, the blade points along the thumb, the hand's +Y; on the ground, it lies flat.
fn setup() -> Setup {
    let pose = |origin, rotation: Quat| AnimationFrame {
        parts: vec![Frame::new(origin, rotation)],
        hooks: Vec::new(),
    };
    let held = pose(Vec3::ZERO, about_x(-90.0));
    let lying = pose(Vec3::new(0.0, -0.36, 0.015), about_x(-90.0) * super::rig::about_z(90.0));
    let middle = Sphere { origin: Vec3::new(0.0, 0.0, 0.0), radius: 0.85 };
    Setup {
        id: SWORD_SETUP,
        parts: vec![SWORD_MESH],
        placements: vec![
            (placements::DEFAULT, lying.clone()),
            (placements::RIGHT_HAND_COMBAT, held.clone()),
            (placements::RIGHT_HAND_NON_COMBAT, held),
            (placements::RESTING, lying),
        ],
        height: 0.03,
        radius: 0.5,
        sorting_sphere: middle,
        selection_sphere: middle,
        ..Setup::default()
    }
}

pub(super) fn build(dataset: &mut DatasetBuilder) {
    dataset.add(&closed_mesh(SWORD_MESH, &faces()));
    dataset.add(&setup());
}
