//! The humanoid's meshes and setup.

use acmotion_types::{Frame, Vec3};

use super::super::clip::DatasetBuilder;
use super::super::solid::{CrossSection, closed_mesh, convex_solid, section};
use super::super::{DataId, HUMAN_MESHES, HUMAN_SETUP, HUMAN_TABLE, locations, nth, placements, surfaces};
use super::{HumanPose, part, solve};
use crate::builder::MeshFace;
use crate::objects::{AnimationFrame, PartLocation, Setup, SetupFlags, Sphere};

/// The parent of each part. Posing does not use it.
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

/// Dimensions, in metres: those of the game's human (`docs/collision.md` §2.7, `docs/dat.md` §9). The radius is larger than
/// that of the spheres.
const SPHERE_RADIUS: f32 = 0.48;
const SPHERE_HEIGHTS: [f32; 2] = [0.475, 1.35];
const HEIGHT: f32 = 1.835;
const RADIUS: f32 = 0.678_822_5;
const STEP_UP: f32 = 0.6;
const STEP_DOWN: f32 = 1.5;

const PELVIS_SECTIONS: &[CrossSection] =
    &[section(-0.09, 0.095, 0.075), section(0.01, 0.15, 0.095), section(0.1, 0.13, 0.085)];
const WAIST_SECTIONS: &[CrossSection] =
    &[section(-0.03, 0.105, 0.078), section(0.07, 0.115, 0.081), section(0.15, 0.118, 0.082)];
const CHEST_SECTIONS: &[CrossSection] = &[
    section(-0.02, 0.125, 0.085),
    section(0.12, 0.165, 0.112),
    section(0.235, 0.17, 0.1),
    section(0.29, 0.085, 0.06),
];
const NECK_SECTIONS: &[CrossSection] = &[section(-0.03, 0.05, 0.05), section(0.1, 0.042, 0.046)];
const HEAD_SECTIONS: &[CrossSection] = &[
    section(-0.015, 0.04, 0.055).forward(0.022),
    section(0.07, 0.072, 0.092).forward(0.014),
    section(0.15, 0.078, 0.102).forward(0.008),
    section(0.215, 0.062, 0.084),
    section(0.255, 0.026, 0.04),
];
const UPPER_ARM_SECTIONS: &[CrossSection] =
    &[section(-0.3, 0.036, 0.038), section(-0.12, 0.05, 0.053), section(0.035, 0.042, 0.046)];
const FOREARM_SECTIONS: &[CrossSection] =
    &[section(-0.265, 0.026, 0.032), section(-0.09, 0.043, 0.045), section(0.025, 0.034, 0.036)];
const HAND_SECTIONS: &[CrossSection] =
    &[section(-0.175, 0.014, 0.028), section(-0.09, 0.025, 0.048), section(0.012, 0.021, 0.03)];
const THIGH_SECTIONS: &[CrossSection] =
    &[section(-0.465, 0.052, 0.056), section(-0.17, 0.082, 0.088), section(0.04, 0.068, 0.076)];
const SHIN_SECTIONS: &[CrossSection] = &[
    section(-0.455, 0.036, 0.04),
    section(-0.14, 0.055, 0.064).forward(-0.01),
    section(0.035, 0.048, 0.052),
];
const FOOT_SECTIONS: &[CrossSection] = &[
    section(-0.08, 0.043, 0.09).forward(0.03),
    section(-0.045, 0.042, 0.087).forward(0.027),
    section(0.03, 0.032, 0.042).forward(-0.01),
];
const TOE_SECTIONS: &[CrossSection] =
    &[section(0.0, 0.044, 0.037).forward(0.037), section(0.034, 0.038, 0.03).forward(0.03)];

/// The cross-sections and the surface of each part, in the order of the setup.
const PARTS: [(&[CrossSection], DataId); part::COUNT] = [
    (PELVIS_SECTIONS, surfaces::WOOD),
    (WAIST_SECTIONS, surfaces::WOOD_JOINT),
    (CHEST_SECTIONS, surfaces::WOOD),
    (NECK_SECTIONS, surfaces::WOOD_JOINT),
    (HEAD_SECTIONS, surfaces::WOOD),
    (UPPER_ARM_SECTIONS, surfaces::WOOD_RIGHT),
    (FOREARM_SECTIONS, surfaces::WOOD_RIGHT),
    (HAND_SECTIONS, surfaces::WOOD_JOINT),
    (UPPER_ARM_SECTIONS, surfaces::WOOD_LEFT),
    (FOREARM_SECTIONS, surfaces::WOOD_LEFT),
    (HAND_SECTIONS, surfaces::WOOD_JOINT),
    (THIGH_SECTIONS, surfaces::WOOD_RIGHT),
    (SHIN_SECTIONS, surfaces::WOOD_RIGHT),
    (FOOT_SECTIONS, surfaces::WOOD_JOINT),
    (TOE_SECTIONS, surfaces::WOOD_JOINT),
    (THIGH_SECTIONS, surfaces::WOOD_LEFT),
    (SHIN_SECTIONS, surfaces::WOOD_LEFT),
    (FOOT_SECTIONS, surfaces::WOOD_JOINT),
    (TOE_SECTIONS, surfaces::WOOD_JOINT),
];

pub(super) fn build(dataset: &mut DatasetBuilder, stand: &HumanPose) {
    for (index, (sections, surface)) in PARTS.iter().enumerate() {
        let mut faces = convex_solid(*surface, sections);
        if index == part::HEAD {
            faces.extend(nose());
        }
        dataset.add(&closed_mesh(nth(HUMAN_MESHES, index), &faces));
    }
    dataset.add(&setup(stand));
}

/// Returns the faces of the nose, which shows where the head faces.
fn nose() -> Vec<MeshFace> {
    const FACE: f32 = 0.112;
    let low = Vec3::new(-0.013, FACE, 0.085);
    MeshFace::cuboid(surfaces::WOOD_JOINT, low, Vec3::new(0.013, FACE + 0.022, 0.135))
}

fn setup(stand: &HumanPose) -> Setup {
    let standing = AnimationFrame { parts: solve(stand), hooks: Vec::new() };
    let middle = Sphere { origin: Vec3::new(0.0, 0.0, 0.5 * HEIGHT), radius: 0.95 };
    let held =
        |key, part: usize, origin| PartLocation { key, part: part as i32, frame: Frame::from_origin(origin) };
    let palm = Vec3::new(0.0, 0.0, -0.09);
    Setup {
        id: HUMAN_SETUP,
        flags: SetupFlags::PARENTS,
        parts: (0..part::COUNT).map(|index| nth(HUMAN_MESHES, index)).collect(),
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
        radius: RADIUS,
        step_up: STEP_UP,
        step_down: STEP_DOWN,
        sorting_sphere: middle,
        selection_sphere: middle,
        default_motion_table: HUMAN_TABLE,
        ..Setup::default()
    }
}
