//! The creature's meshes and setup.

use acmotion_types::{Frame, Vec3};

use super::super::clip::DatasetBuilder;
use super::super::rig::about_x;
use super::super::solid::{CrossSection, closed_mesh, convex_solid, section, transformed};
use super::super::{BEAST_MESHES, BEAST_SETUP, BEAST_TABLE, DataId, nth, placements, surfaces};
use super::{BeastPose, part, solve};
use crate::builder::MeshFace;
use crate::objects::{AnimationFrame, Setup, SetupFlags, Sphere};

const NO_PARENT: u32 = u32::MAX;

/// The parent of each part. Posing does not use it.
const PARENTS: [u32; part::COUNT] = {
    let mut parents = [NO_PARENT; part::COUNT];
    parents[1] = part::RUMP;
    parents[2] = part::CHEST;
    parents[3] = part::NECK;
    parents[4] = part::HEAD;
    parents[5] = part::RUMP;
    let mut leg = 0;
    while leg < 4 {
        let first = part::LEGS + 3 * leg;
        parents[first as usize] = if leg < 2 { part::CHEST } else { part::RUMP };
        parents[first as usize + 1] = first;
        parents[first as usize + 2] = first + 1;
        leg += 1;
    }
    parents
};

/// Dimensions, in metres.
const SPHERE_RADIUS: f32 = 0.4;
const SPHERE_HEIGHTS: [f32; 2] = [0.4, 0.62];
const HEIGHT: f32 = 1.12;
const STEP_UP: f32 = 0.6;
const STEP_DOWN: f32 = 1.5;

/// Cross-sections of the parts along the body, from back to front. Their depth is the height of the part.
const RUMP_SECTIONS: &[CrossSection] = &[
    section(-0.15, 0.06, 0.08),
    section(-0.02, 0.115, 0.135),
    section(0.2, 0.115, 0.135),
    section(0.34, 0.095, 0.11),
];
const CHEST_SECTIONS: &[CrossSection] = &[
    section(-0.05, 0.1, 0.12),
    section(0.14, 0.125, 0.175).forward(0.02),
    section(0.3, 0.115, 0.165).forward(0.01),
    section(0.41, 0.06, 0.09).forward(-0.01),
];
const NECK_SECTIONS: &[CrossSection] = &[section(-0.08, 0.085, 0.115), section(0.29, 0.06, 0.07)];
const SKULL_SECTIONS: &[CrossSection] =
    &[section(-0.06, 0.05, 0.055), section(0.02, 0.08, 0.078), section(0.13, 0.055, 0.055)];
const MUZZLE_SECTIONS: &[CrossSection] = &[section(0.13, 0.042, 0.038), section(0.29, 0.026, 0.024)];
const JAW_SECTIONS: &[CrossSection] = &[section(-0.01, 0.036, 0.012), section(0.18, 0.019, 0.009)];
/// Cross-sections of the tail, which points backward, from its root to its tip.
const TAIL_SECTIONS: &[CrossSection] =
    &[section(-0.02, 0.03, 0.03), section(0.14, 0.045, 0.045), section(0.42, 0.01, 0.01)];
/// Cross-sections of the legs, from bottom to top.
const FORE_UPPER: &[CrossSection] =
    &[section(-0.325, 0.036, 0.042), section(-0.1, 0.055, 0.085), section(0.05, 0.045, 0.07)];
const FORE_LOWER: &[CrossSection] = &[section(-0.34, 0.024, 0.027), section(0.025, 0.036, 0.042)];
const FORE_PAW: &[CrossSection] = &[section(-0.1, 0.042, 0.058).forward(0.035), section(0.025, 0.026, 0.03)];
const HIND_UPPER: &[CrossSection] =
    &[section(-0.355, 0.038, 0.046), section(-0.12, 0.066, 0.105), section(0.06, 0.052, 0.085)];
const HIND_LOWER: &[CrossSection] =
    &[section(-0.35, 0.024, 0.027), section(-0.06, 0.038, 0.052), section(0.025, 0.034, 0.044)];
const HIND_PAW: &[CrossSection] = &[section(-0.18, 0.042, 0.06).forward(0.085), section(0.025, 0.023, 0.028)];

fn forward(surface: DataId, sections: &[CrossSection]) -> Vec<MeshFace> {
    transformed(convex_solid(surface, sections), Frame::new(Vec3::ZERO, about_x(-90.0)))
}

/// Returns the faces of skull, muzzle and ears.
fn head() -> Vec<MeshFace> {
    const CROWN: f32 = 0.079;
    let ear = |side: f32| {
        let sections = [section(CROWN, 0.026, 0.012), section(CROWN + 0.085, 0.006, 0.005)];
        let origin = Vec3::new(side * 0.048, 0.0, 0.0);
        transformed(convex_solid(surfaces::FUR_DARK, &sections), Frame::from_origin(origin))
    };
    let muzzle = forward(surfaces::FUR_DARK, MUZZLE_SECTIONS);
    let skull = forward(surfaces::FUR, SKULL_SECTIONS);
    [skull, muzzle, ear(1.0), ear(-1.0)].concat()
}

fn parts() -> Vec<Vec<MeshFace>> {
    let trunk = |sections| forward(surfaces::FUR, sections);
    let tail = transformed(convex_solid(surfaces::FUR, TAIL_SECTIONS), Frame::new(Vec3::ZERO, about_x(90.0)));
    let jaw = forward(surfaces::FUR_DARK, JAW_SECTIONS);
    let mut parts =
        vec![trunk(RUMP_SECTIONS), trunk(CHEST_SECTIONS), trunk(NECK_SECTIONS), head(), jaw, tail];
    for [upper, lower, paw] in [[FORE_UPPER, FORE_LOWER, FORE_PAW], [HIND_UPPER, HIND_LOWER, HIND_PAW]] {
        for fur in [surfaces::FUR_RIGHT, surfaces::FUR_LEFT] {
            parts.extend([
                convex_solid(fur, upper),
                convex_solid(fur, lower),
                convex_solid(surfaces::FUR_DARK, paw),
            ]);
        }
    }
    parts
}

pub(super) fn build(dataset: &mut DatasetBuilder, stand: &BeastPose) {
    for (index, faces) in parts().iter().enumerate() {
        dataset.add(&closed_mesh(nth(BEAST_MESHES, index), faces));
    }
    let standing = AnimationFrame { parts: solve(stand), hooks: Vec::new() };
    let middle = Sphere { origin: Vec3::new(0.0, 0.05, 0.55), radius: 0.95 };
    dataset.add(&Setup {
        id: BEAST_SETUP,
        flags: SetupFlags::PARENTS,
        parts: (0..part::COUNT).map(|index| nth(BEAST_MESHES, index)).collect(),
        parents: PARENTS.to_vec(),
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
        default_motion_table: BEAST_TABLE,
        ..Setup::default()
    });
}
