//! A sword for the humanoid's hand.

use acmotion_types::{Frame, Quat, Vec3};

use super::clip::Shelf;
use super::rig::about_x;
use super::solid::{carved, mesh, ring};
use super::{SWORD_MESH, SWORD_SETUP, placements, surfaces};
use crate::builder::Face;
use crate::objects::{AnimationFrame, Setup, Sphere};

/// Pommel, grip, guard and blade; the grip's middle is the origin, the blade points up.
fn faces() -> Vec<Face> {
    let pommel = carved(surfaces::IRON, &[ring(-0.105, 0.012, 0.012), ring(-0.07, 0.02, 0.02)]);
    let grip = carved(surfaces::WOOD_JOINT, &[ring(-0.07, 0.014, 0.016), ring(0.06, 0.012, 0.015)]);
    let guard = Face::block(surfaces::IRON, Vec3::new(-0.015, -0.09, 0.06), Vec3::new(0.015, 0.09, 0.08));
    let blade = carved(
        surfaces::STEEL,
        &[ring(0.08, 0.006, 0.026), ring(0.72, 0.005, 0.02), ring(0.84, 0.001, 0.003)],
    );
    [pommel, grip, guard, blade].concat()
}

/// In the hand the blade points where the thumb does, which is the hand's +Y; on the ground it lies flat.
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

pub(super) fn build(shelf: &mut Shelf) {
    shelf.put(&mesh(SWORD_MESH, &faces()));
    shelf.put(&setup());
}
