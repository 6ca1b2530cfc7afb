//! The humanoid's meshes and setup.

use acmotion_types::{Frame, Vec3};

use super::super::clip::Shelf;
use super::super::solid::{Ring, carved, mesh, ring};
use super::super::{DataId, HUMAN_MESHES, HUMAN_SETUP, HUMAN_TABLE, locations, nth, placements, surfaces};
use super::{HumanPose, part, solve};
use crate::builder::Face;
use crate::objects::{AnimationFrame, Location, Setup, SetupFlags, Sphere};

/// The part that each part hangs on; posing does not use it.
const PARENTS: [u32; part::COUNT] = [
    NO_PARENT,
    part::PELVIS as u32,
    part::WAIST as u32,
    part::CHEST as u32,
    part::NECK as u32,
    part::CHEST as u32,
    part::RIGHT_ARM as u32,
    part::RIGHT_ARM as u32 + 1,
    part::CHEST as u32,
    part::LEFT_ARM as u32,
    part::LEFT_FOREARM as u32,
    part::PELVIS as u32,
    part::RIGHT_LEG as u32,
    part::RIGHT_LEG as u32 + 1,
    part::RIGHT_FOOT as u32,
    part::PELVIS as u32,
    part::LEFT_LEG as u32,
    part::LEFT_LEG as u32 + 1,
    part::LEFT_LEG as u32 + 2,
];
const NO_PARENT: u32 = u32::MAX;

/// Metres, all of them: the two spheres and the step heights are those of the game's human (`docs/collision.md`
/// §2.7), the height is that of the figure as it stands.
const SPHERE_RADIUS: f32 = 0.48;
const SPHERE_HEIGHTS: [f32; 2] = [0.475, 1.35];
const HEIGHT: f32 = 1.835;
const STEP_UP: f32 = 0.6;
const STEP_DOWN: f32 = 1.5;

const PELVIS_RINGS: &[Ring] = &[ring(-0.09, 0.095, 0.075), ring(0.01, 0.15, 0.095), ring(0.1, 0.13, 0.085)];
const WAIST_RINGS: &[Ring] = &[ring(-0.03, 0.105, 0.078), ring(0.07, 0.115, 0.081), ring(0.15, 0.118, 0.082)];
const CHEST_RINGS: &[Ring] =
    &[ring(-0.02, 0.125, 0.085), ring(0.12, 0.165, 0.112), ring(0.235, 0.17, 0.1), ring(0.29, 0.085, 0.06)];
const NECK_RINGS: &[Ring] = &[ring(-0.03, 0.05, 0.05), ring(0.1, 0.042, 0.046)];
const HEAD_RINGS: &[Ring] = &[
    ring(-0.015, 0.04, 0.055).forward(0.022),
    ring(0.07, 0.072, 0.092).forward(0.014),
    ring(0.15, 0.078, 0.102).forward(0.008),
    ring(0.215, 0.062, 0.084),
    ring(0.255, 0.026, 0.04),
];
const UPPER_ARM_RINGS: &[Ring] =
    &[ring(-0.3, 0.036, 0.038), ring(-0.12, 0.05, 0.053), ring(0.035, 0.042, 0.046)];
const FOREARM_RINGS: &[Ring] =
    &[ring(-0.265, 0.026, 0.032), ring(-0.09, 0.043, 0.045), ring(0.025, 0.034, 0.036)];
const HAND_RINGS: &[Ring] =
    &[ring(-0.175, 0.014, 0.028), ring(-0.09, 0.025, 0.048), ring(0.012, 0.021, 0.03)];
const THIGH_RINGS: &[Ring] =
    &[ring(-0.465, 0.052, 0.056), ring(-0.17, 0.082, 0.088), ring(0.04, 0.068, 0.076)];
const SHIN_RINGS: &[Ring] =
    &[ring(-0.455, 0.036, 0.04), ring(-0.14, 0.055, 0.064).forward(-0.01), ring(0.035, 0.048, 0.052)];
const FOOT_RINGS: &[Ring] = &[
    ring(-0.08, 0.043, 0.09).forward(0.03),
    ring(-0.045, 0.042, 0.087).forward(0.027),
    ring(0.03, 0.032, 0.042).forward(-0.01),
];
const TOE_RINGS: &[Ring] = &[ring(0.0, 0.044, 0.037).forward(0.037), ring(0.034, 0.038, 0.03).forward(0.03)];

/// The rings of each part, in order, and whether it is of the trunk.
const PARTS: [(&[Ring], DataId); part::COUNT] = [
    (PELVIS_RINGS, surfaces::WOOD),
    (WAIST_RINGS, surfaces::WOOD_JOINT),
    (CHEST_RINGS, surfaces::WOOD),
    (NECK_RINGS, surfaces::WOOD_JOINT),
    (HEAD_RINGS, surfaces::WOOD),
    (UPPER_ARM_RINGS, surfaces::WOOD_RIGHT),
    (FOREARM_RINGS, surfaces::WOOD_RIGHT),
    (HAND_RINGS, surfaces::WOOD_JOINT),
    (UPPER_ARM_RINGS, surfaces::WOOD_LEFT),
    (FOREARM_RINGS, surfaces::WOOD_LEFT),
    (HAND_RINGS, surfaces::WOOD_JOINT),
    (THIGH_RINGS, surfaces::WOOD_RIGHT),
    (SHIN_RINGS, surfaces::WOOD_RIGHT),
    (FOOT_RINGS, surfaces::WOOD_JOINT),
    (TOE_RINGS, surfaces::WOOD_JOINT),
    (THIGH_RINGS, surfaces::WOOD_LEFT),
    (SHIN_RINGS, surfaces::WOOD_LEFT),
    (FOOT_RINGS, surfaces::WOOD_JOINT),
    (TOE_RINGS, surfaces::WOOD_JOINT),
];

pub(super) fn build(shelf: &mut Shelf, stand: &HumanPose) {
    for (at, (rings, surface)) in PARTS.iter().enumerate() {
        let mut faces = carved(*surface, rings);
        if at == part::HEAD {
            faces.extend(nose());
        }
        shelf.put(&mesh(nth(HUMAN_MESHES, at), &faces));
    }
    shelf.put(&setup(stand));
}

/// The head's nose, so that one sees where it looks.
fn nose() -> Vec<Face> {
    const FACE: f32 = 0.112;
    let low = Vec3::new(-0.013, FACE, 0.085);
    Face::block(surfaces::WOOD_JOINT, low, Vec3::new(0.013, FACE + 0.022, 0.135))
}

fn setup(stand: &HumanPose) -> Setup {
    let standing = AnimationFrame { parts: solve(stand), hooks: Vec::new() };
    let middle = Sphere { origin: Vec3::new(0.0, 0.0, 0.5 * HEIGHT), radius: 0.95 };
    let held =
        |key, part: usize, origin| Location { key, part: part as i32, frame: Frame::from_origin(origin) };
    let palm = Vec3::new(0.0, 0.0, -0.09);
    Setup {
        id: HUMAN_SETUP,
        flags: SetupFlags::PARENTS,
        parts: (0..part::COUNT).map(|at| nth(HUMAN_MESHES, at)).collect(),
        parents: PARENTS.to_vec(),
        holding_locations: vec![
            held(locations::RIGHT_HAND, part::RIGHT_HAND, palm),
            held(locations::LEFT_HAND, part::LEFT_HAND, palm),
            held(locations::SHIELD, part::LEFT_FOREARM, Vec3::new(-0.06, 0.0, -0.13)),
        ],
        placements: vec![(placements::DEFAULT, standing.clone()), (placements::RESTING, standing)],
        spheres: SPHERE_HEIGHTS
            .map(|z| Sphere { origin: Vec3::new(0.0, 0.0, z), radius: SPHERE_RADIUS })
            .to_vec(),
        height: HEIGHT,
        radius: SPHERE_RADIUS,
        step_up: STEP_UP,
        step_down: STEP_DOWN,
        sorting_sphere: middle,
        selection_sphere: middle,
        default_motion_table: HUMAN_TABLE,
        ..Setup::default()
    }
}
