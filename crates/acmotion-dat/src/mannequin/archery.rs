//! The bow that the humanoid holds, its arrow, and the bolt of a spell.

use acmotion_types::{Frame, Quat, Vec3};

use super::clip::DatasetBuilder;
use super::item::Item;
use super::rig::{about_x, about_y, about_z};
use super::solid::{convex_solid, section, transformed};
use super::{ARROW_MESH, ARROW_SETUP, BOLT_MESH, BOLT_SETUP, BOW_MESH, BOW_SETUP, placements, surfaces};
use crate::builder::MeshFace;

/// The height of the bow's tips above its grip, and how far behind the grip they and the string are, in metres.
const TIP: f32 = 0.66;
const STRING: f32 = -0.17;
/// The radius of the collision spheres of arrow and bolt, in metres.
const MISSILE_RADIUS: f32 = 0.08;

/// Returns the faces of grip, limbs and string. The origin is in the grip, the tips point up and down, and arrows leave
/// forward, along +Y.
fn bow() -> Vec<MeshFace> {
    let grip = convex_solid(surfaces::WOOD_JOINT, &[section(-0.07, 0.014, 0.02), section(0.07, 0.014, 0.02)]);
    // Each limb consists of two straight pieces, which are convex.
    let limb = [section(0.07, 0.011, 0.016), section(0.4, 0.011, 0.013).forward(-0.035)];
    let tip = [section(0.4, 0.011, 0.013).forward(-0.035), section(TIP, 0.011, 0.008).forward(STRING)];
    let upper = [convex_solid(surfaces::OAK_LIGHT, &limb), convex_solid(surfaces::OAK_LIGHT, &tip)].concat();
    let lower = transformed(upper.clone(), Frame::new(Vec3::ZERO, about_y(180.0)));
    let string = MeshFace::cuboid(
        surfaces::PLASTER,
        Vec3::new(-0.003, STRING - 0.003, -TIP),
        Vec3::new(0.003, STRING + 0.003, TIP),
    );
    [grip, upper, lower, string].concat()
}

/// Returns the faces of shaft, head and feathers. The origin is in the middle, the head points forward, along +Y.
fn arrow() -> Vec<MeshFace> {
    let shaft =
        convex_solid(surfaces::OAK_LIGHT, &[section(-0.36, 0.007, 0.007), section(0.34, 0.007, 0.007)]);
    let head = convex_solid(surfaces::STEEL, &[section(0.34, 0.02, 0.012), section(0.44, 0.001, 0.001)]);
    let feathers =
        convex_solid(surfaces::TILES, &[section(-0.36, 0.03, 0.003), section(-0.22, 0.012, 0.003)]);
    transformed([shaft, head, feathers].concat(), Frame::new(Vec3::ZERO, about_x(-90.0)))
}

/// Returns the faces of a glowing ball.
fn bolt() -> Vec<MeshFace> {
    let sections =
        [(-0.1, 0.03), (-0.055, 0.085), (0.055, 0.085), (0.1, 0.03)].map(|(z, half)| section(z, half, half));
    convex_solid(surfaces::GLOW, &sections)
}

/// Adds bow, arrow and bolt. In the left hand, the bow stands along the thumb, the hand's +Y, and shoots in the direction
/// of the outstretched arm; on the ground, it lies flat.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    let lying = Frame::new(Vec3::new(0.0, 0.0, 0.015), about_x(-90.0) * about_z(90.0));
    let bow = Item {
        setup: BOW_SETUP,
        mesh: BOW_MESH,
        faces: bow(),
        placements: vec![
            (placements::DEFAULT, lying),
            (placements::LEFT_HAND, Frame::new(Vec3::ZERO, about_x(-90.0))),
            (placements::RESTING, lying),
        ],
        size: [0.03, 0.5],
        extent: TIP,
        collision: None,
    };
    bow.build(dataset);
    for (setup, mesh, faces) in [(ARROW_SETUP, ARROW_MESH, arrow()), (BOLT_SETUP, BOLT_MESH, bolt())] {
        let flying = Frame::new(Vec3::ZERO, Quat::IDENTITY);
        let missile = Item {
            setup,
            mesh,
            faces,
            placements: vec![(placements::DEFAULT, flying), (placements::MISSILE_FLIGHT, flying)],
            size: [0.16, MISSILE_RADIUS],
            extent: 0.45,
            collision: Some(MISSILE_RADIUS),
        };
        missile.build(dataset);
    }
}
