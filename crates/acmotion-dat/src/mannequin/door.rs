//! The door: a frame, and a leaf that swings about its left post.

use acmotion_types::{Frame, MotionCommand, Vec3};

use super::clip::{Clip, Shelf};
use super::curve::smooth;
use super::rig::about_z;
use super::solid::mesh;
use super::table::TableBuilder;
use super::{
    DOOR_MESHES, DOOR_SETUP, DOOR_TABLE, FRAMES_A_SECOND, animations, nth, placements, sounds, surfaces,
};
use crate::builder::Face;
use crate::objects::{AnimationFrame, HookDirection, HookEffect, Setup, SetupFlags, Sphere};

/// Half the width of the opening, its height, and how wide the posts are.
const HALF_WIDTH: f32 = 0.7;
const HEIGHT: f32 = 2.5;
const POST: f32 = 0.16;
/// How far the open leaf has turned, degrees.
const OPEN: f32 = 100.0;
/// Frames of opening and of closing.
const SWING: usize = 20;
/// The frame whose leaving makes the door ethereal or solid again: the second.
const SWITCH: usize = 1;

fn frame_faces() -> Vec<Face> {
    let (inner, outer, depth) = (HALF_WIDTH, HALF_WIDTH + POST, 0.13);
    let block = |low, high| Face::block(surfaces::OAK, low, high);
    let right = block(Vec3::new(inner, -depth, 0.0), Vec3::new(outer, depth, HEIGHT));
    let left = block(Vec3::new(-outer, -depth, 0.0), Vec3::new(-inner, depth, HEIGHT));
    let lintel = block(Vec3::new(-outer, -depth, HEIGHT), Vec3::new(outer, depth, HEIGHT + POST));
    [right, left, lintel].concat()
}

/// The leaf, from its hinge to the right, with a handle on both sides.
fn leaf_faces() -> Vec<Face> {
    let (width, half, gap) = (2.0 * HALF_WIDTH - 0.02, 0.045, 0.01);
    let (low, high) = (Vec3::new(gap, -half, gap), Vec3::new(width, half, HEIGHT - gap));
    let board = Face::block(surfaces::OAK_LIGHT, low, high);
    let handle = |low: f32| {
        let corner = Vec3::new(width - 0.24, low, 1.05);
        Face::block(surfaces::IRON, corner, corner + Vec3::new(0.16, 0.06, 0.05))
    };
    [board, handle(half), handle(-half - 0.06)].concat()
}

/// Frame and leaf with the leaf opened so far, from 0 to 1.
fn parts(open: f32) -> Vec<Frame> {
    vec![Frame::IDENTITY, Frame::new(Vec3::new(-HALF_WIDTH, 0.0, 0.0), about_z(OPEN * open))]
}

/// A swing with its sound. The door changes its substance when the second frame is left.
fn swing(opens: bool, sound: u32) -> Clip {
    let last = (SWING - 1) as f32;
    let poses = (0..SWING).map(|frame| {
        let done = smooth(frame as f32 / last);
        parts(if opens { done } else { 1.0 - done })
    });
    let ethereal = HookEffect::Ethereal(opens.into());
    Clip::new(poses).sound(0, sound).hook(SWITCH, HookDirection::BOTH, ethereal)
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
        height: HEIGHT + POST,
        radius: HALF_WIDTH + POST,
        sorting_sphere: middle,
        selection_sphere: middle,
        default_motion_table: DOOR_TABLE,
        ..Setup::default()
    }
}

pub(super) fn build(shelf: &mut Shelf) {
    shelf.put(&mesh(nth(DOOR_MESHES, 0), &frame_faces()));
    shelf.put(&mesh(nth(DOOR_MESHES, 1), &leaf_faces()));
    shelf.put(&setup());
    shelf.open(animations::DOOR);
    let (style, open, closed) = (MotionCommand::NON_COMBAT, MotionCommand::ON, MotionCommand::OFF);
    let mut table = TableBuilder::new(DOOR_TABLE, style);
    table.style(style, closed);
    let mut motion = |clip| shelf.motion(clip, FRAMES_A_SECOND);
    table.cycle(style, closed, motion(Clip::new([parts(0.0)])));
    table.link(style, closed, open, motion(swing(true, sounds::DOOR_OPENS)));
    table.cycle(style, open, motion(Clip::new([parts(1.0)])));
    table.link(style, open, closed, motion(swing(false, sounds::DOOR_CLOSES)));
    shelf.put(&table.build());
}
