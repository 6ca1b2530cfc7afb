//! The door: a frame, and a leaf that swings about its left post.

use acmotion_types::{Frame, MotionCommand, Vec3};

use super::clip::{Clip, DatasetBuilder};
use super::curve::smoothstep;
use super::rig::about_z;
use super::solid::closed_mesh;
use super::table::TableBuilder;
use super::{DOOR_MESHES, DOOR_SETUP, DOOR_TABLE, FRAME_RATE, animations, nth, placements, sounds, surfaces};
use crate::builder::MeshFace;
use crate::objects::{AnimationFrame, HookDirection, HookEffect, Setup, SetupFlags, Sphere};

/// Half the width of the opening, its height, and the width of the posts, in metres.
const HALF_WIDTH: f32 = 0.7;
const HEIGHT: f32 = 2.5;
const POST_WIDTH: f32 = 0.16;
/// The angle of the open leaf, in degrees.
const OPEN_ANGLE: f32 = 100.0;
/// The number of frames of opening and of closing.
const SWING_FRAMES: usize = 20;
/// The frame with the ethereal hook: the door becomes ethereal or solid again when playback leaves it.
const ETHEREAL_FRAME: usize = 1;

fn frame_faces() -> Vec<MeshFace> {
    let (inner, outer, depth) = (HALF_WIDTH, HALF_WIDTH + POST_WIDTH, 0.13);
    let block = |low, high| MeshFace::cuboid(surfaces::OAK, low, high);
    let right = block(Vec3::new(inner, -depth, 0.0), Vec3::new(outer, depth, HEIGHT));
    let left = block(Vec3::new(-outer, -depth, 0.0), Vec3::new(-inner, depth, HEIGHT));
    let lintel = block(Vec3::new(-outer, -depth, HEIGHT), Vec3::new(outer, depth, HEIGHT + POST_WIDTH));
    [right, left, lintel].concat()
}

/// Returns the faces of the leaf, which extends from its hinge to the right, with a handle on each side.
fn leaf_faces() -> Vec<MeshFace> {
    let (width, half, gap) = (2.0 * HALF_WIDTH - 0.02, 0.045, 0.01);
    let (low, high) = (Vec3::new(gap, -half, gap), Vec3::new(width, half, HEIGHT - gap));
    let board = MeshFace::cuboid(surfaces::OAK_LIGHT, low, high);
    let handle = |low: f32| {
        let corner = Vec3::new(width - 0.24, low, 1.05);
        MeshFace::cuboid(surfaces::IRON, corner, corner + Vec3::new(0.16, 0.06, 0.05))
    };
    [board, handle(half), handle(-half - 0.06)].concat()
}

/// Returns the frames of the two parts; `open` is 0 for the closed leaf and 1 for the open one.
fn parts(open: f32) -> Vec<Frame> {
    vec![Frame::IDENTITY, Frame::new(Vec3::new(-HALF_WIDTH, 0.0, 0.0), about_z(OPEN_ANGLE * open))]
}

/// Returns the animation of opening or closing, with its sound and the ethereal hook.
fn swing(opens: bool, sound: u32) -> Clip {
    let last = (SWING_FRAMES - 1) as f32;
    let poses = (0..SWING_FRAMES).map(|frame| {
        let done = smoothstep(frame as f32 / last);
        parts(if opens { done } else { 1.0 - done })
    });
    let ethereal = HookEffect::Ethereal(opens.into());
    Clip::new(poses).with_sound(0, sound).with_hook(ETHEREAL_FRAME, HookDirection::BOTH, ethereal)
}

fn setup() -> Setup {
    let closed = AnimationFrame { parts: parts(0.0), hooks: Vec::new() };
    let middle = Sphere { origin: Vec3::new(0.0, 0.0, 0.5 * HEIGHT), radius: 1.7 };
    Setup {
        id: DOOR_SETUP,
        flags: SetupFlags::PARENTS | SetupFlags::PHYSICS_BSP,
        parts: vec![nth(DOOR_MESHES, 0), nth(DOOR_MESHES, 1)],
        parents: vec![u32::MAX, 0],
        placements: vec![(placements::DEFAULT, closed.clone()), (placements::RESTING, closed)],
        height: HEIGHT + POST_WIDTH,
        radius: HALF_WIDTH + POST_WIDTH,
        sorting_sphere: middle,
        selection_sphere: middle,
        default_motion_table: DOOR_TABLE,
        ..Setup::default()
    }
}

pub(super) fn build(dataset: &mut DatasetBuilder) {
    dataset.add(&closed_mesh(nth(DOOR_MESHES, 0), &frame_faces()));
    dataset.add(&closed_mesh(nth(DOOR_MESHES, 1), &leaf_faces()));
    dataset.add(&setup());
    dataset.start_animation_ids(animations::DOOR);
    let (style, open, closed) = (MotionCommand::NON_COMBAT, MotionCommand::ON, MotionCommand::OFF);
    let mut table = TableBuilder::new(DOOR_TABLE, style);
    table.style(style, closed);
    let mut motion = |clip| dataset.add_motion(clip, FRAME_RATE);
    table.cycle(style, closed, motion(Clip::new([parts(0.0)])));
    table.link(style, closed, open, motion(swing(true, sounds::DOOR_OPENS)));
    table.cycle(style, open, motion(Clip::new([parts(1.0)])));
    table.link(style, open, closed, motion(swing(false, sounds::DOOR_CLOSES)));
    dataset.add(&table.build());
}
