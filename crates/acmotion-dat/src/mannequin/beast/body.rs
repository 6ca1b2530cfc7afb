//! The creature's meshes and setup.

use acmotion_types::{Frame, Vec3};

use super::super::clip::Shelf;
use super::super::rig::about_x;
use super::super::solid::{Ring, carved, mesh, placed, ring};
use super::super::{BEAST_MESHES, BEAST_SETUP, BEAST_TABLE, DataId, nth, placements, surfaces};
use super::{BeastPose, part, solve};
use crate::builder::Face;
use crate::objects::{AnimationFrame, Setup, SetupFlags, Sphere};

const NO_PARENT: u32 = u32::MAX;

/// The part that each part hangs on; posing does not use it.
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

/// Metres, all of them.
const SPHERE_RADIUS: f32 = 0.4;
const SPHERE_HEIGHTS: [f32; 2] = [0.4, 0.62];
const HEIGHT: f32 = 1.12;
const STEP_UP: f32 = 0.6;
const STEP_DOWN: f32 = 1.5;

/// Forward pieces: rings from back to front; what a ring calls depth is height here.
const RUMP_RINGS: &[Ring] =
    &[ring(-0.15, 0.06, 0.08), ring(-0.02, 0.115, 0.135), ring(0.2, 0.115, 0.135), ring(0.34, 0.095, 0.11)];
const CHEST_RINGS: &[Ring] = &[
    ring(-0.05, 0.1, 0.12),
    ring(0.14, 0.125, 0.175).forward(0.02),
    ring(0.3, 0.115, 0.165).forward(0.01),
    ring(0.41, 0.06, 0.09).forward(-0.01),
];
const NECK_RINGS: &[Ring] = &[ring(-0.08, 0.085, 0.115), ring(0.29, 0.06, 0.07)];
const SKULL_RINGS: &[Ring] = &[ring(-0.06, 0.05, 0.055), ring(0.02, 0.08, 0.078), ring(0.13, 0.055, 0.055)];
const MUZZLE_RINGS: &[Ring] = &[ring(0.13, 0.042, 0.038), ring(0.29, 0.026, 0.024)];
const JAW_RINGS: &[Ring] = &[ring(-0.01, 0.036, 0.012), ring(0.18, 0.019, 0.009)];
/// The tail goes back.
const TAIL_RINGS: &[Ring] = &[ring(-0.02, 0.03, 0.03), ring(0.14, 0.045, 0.045), ring(0.42, 0.01, 0.01)];
/// Legs: rings from below, as they are.
const FORE_UPPER: &[Ring] = &[ring(-0.325, 0.036, 0.042), ring(-0.1, 0.055, 0.085), ring(0.05, 0.045, 0.07)];
const FORE_LOWER: &[Ring] = &[ring(-0.34, 0.024, 0.027), ring(0.025, 0.036, 0.042)];
const FORE_PAW: &[Ring] = &[ring(-0.1, 0.042, 0.058).forward(0.035), ring(0.025, 0.026, 0.03)];
const HIND_UPPER: &[Ring] =
    &[ring(-0.355, 0.038, 0.046), ring(-0.12, 0.066, 0.105), ring(0.06, 0.052, 0.085)];
const HIND_LOWER: &[Ring] =
    &[ring(-0.35, 0.024, 0.027), ring(-0.06, 0.038, 0.052), ring(0.025, 0.034, 0.044)];
const HIND_PAW: &[Ring] = &[ring(-0.18, 0.042, 0.06).forward(0.085), ring(0.025, 0.023, 0.028)];

fn forward(surface: DataId, rings: &[Ring]) -> Vec<Face> {
    placed(carved(surface, rings), Frame::new(Vec3::ZERO, about_x(-90.0)))
}

/// Skull, muzzle and ears.
fn head() -> Vec<Face> {
    const CROWN: f32 = 0.079;
    let ear = |side: f32| {
        let rings = [ring(CROWN, 0.026, 0.012), ring(CROWN + 0.085, 0.006, 0.005)];
        let at = Vec3::new(side * 0.048, 0.0, 0.0);
        placed(carved(surfaces::FUR_DARK, &rings), Frame::from_origin(at))
    };
    let muzzle = forward(surfaces::FUR_DARK, MUZZLE_RINGS);
    let skull = forward(surfaces::FUR, SKULL_RINGS);
    [skull, muzzle, ear(1.0), ear(-1.0)].concat()
}

fn parts() -> Vec<Vec<Face>> {
    let trunk = |rings| forward(surfaces::FUR, rings);
    let tail = placed(carved(surfaces::FUR, TAIL_RINGS), Frame::new(Vec3::ZERO, about_x(90.0)));
    let jaw = forward(surfaces::FUR_DARK, JAW_RINGS);
    let mut parts = vec![trunk(RUMP_RINGS), trunk(CHEST_RINGS), trunk(NECK_RINGS), head(), jaw, tail];
    for [upper, lower, paw] in [[FORE_UPPER, FORE_LOWER, FORE_PAW], [HIND_UPPER, HIND_LOWER, HIND_PAW]] {
        for fur in [surfaces::FUR_RIGHT, surfaces::FUR_LEFT] {
            parts.extend([carved(fur, upper), carved(fur, lower), carved(surfaces::FUR_DARK, paw)]);
        }
    }
    parts
}

pub(super) fn build(shelf: &mut Shelf, stand: &BeastPose) {
    for (at, faces) in parts().iter().enumerate() {
        shelf.put(&mesh(nth(BEAST_MESHES, at), faces));
    }
    let standing = AnimationFrame { parts: solve(stand), hooks: Vec::new() };
    let middle = Sphere { origin: Vec3::new(0.0, 0.05, 0.55), radius: 0.95 };
    shelf.put(&Setup {
        id: BEAST_SETUP,
        flags: SetupFlags::PARENTS,
        parts: (0..part::COUNT).map(|at| nth(BEAST_MESHES, at)).collect(),
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
