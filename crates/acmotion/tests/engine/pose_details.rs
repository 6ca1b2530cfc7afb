//! Poses as matrices, poses of many bodies at once, and interpolated frames, number by number (rule H14).

use std::sync::Arc;

use acmotion::dat::{Animation, AnimationFrame, DataId};
use acmotion::smooth::{Snapshot, blend, pose};
use acmotion::types::{Frame, Quat, Vec3};
use acmotion::{Library, Matrix, PoseInput, Sequence, pose_all};

/// A turn about an axis that no coordinate axis is parallel to.
fn turned(degrees: f32) -> Quat {
    let axis = Vec3::new(2.0, -3.0, 6.0) * (1.0 / 7.0);
    Quat::from_axis_angle(axis, degrees.to_radians())
}

/// A library with one animation of two frames and three parts, and a body that plays it.
fn stage() -> (Library, Sequence) {
    let part = |frame: usize, part: usize| {
        let (frame, part) = (frame as f32, part as f32);
        Frame::new(Vec3::new(1.0 + part, frame - 2.0, 0.5 * part), turned(40.0 * part + 10.0 * frame))
    };
    let frames = (0..2).map(|frame| AnimationFrame {
        parts: (0..3).map(|index| part(frame, index)).collect(),
        ..AnimationFrame::default()
    });
    let mut library = Library::new();
    let clip = library.add_animation(Arc::new(Animation::new(DataId(1), None, frames.collect())));
    let span = library.span(clip, 0, -1);
    let mut sequence = Sequence::new();
    sequence.append(&library, span, 30.0);
    (library, sequence)
}

fn assert_near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-4, "{a:?} {b:?}");
}

/// A matrix moves a point as its frame does, whatever the rotation.
#[test]
fn a_matrix_transforms_points_as_its_frame_does() {
    let frame = Frame::new(Vec3::new(10.0, -20.0, 30.0), turned(70.0));
    let matrix = Matrix::from_frame(&frame);
    assert_eq!(matrix.origin(), frame.origin);
    assert_near(matrix.apply(Vec3::ZERO), frame.origin);
    for point in [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0), Vec3::new(3.0, -4.0, 5.0)] {
        assert_near(matrix.apply(point), frame.local_to_global(point));
    }
    assert_eq!(Matrix::IDENTITY.apply(Vec3::new(3.0, -4.0, 5.0)), Vec3::new(3.0, -4.0, 5.0));
}

/// The matrices of a tilted, stretched body are those of its frames. The scale moves the parts and does not stretch them.
#[test]
fn matrices_agree_with_frames_for_a_tilted_and_stretched_body() {
    let (library, sequence) = stage();
    let frame = Frame::new(Vec3::new(100.0, 50.0, -7.0), turned(-130.0));
    let input = PoseInput { sequence: &sequence, frame: &frame, scale: Vec3::new(2.0, 0.5, 3.0) };
    let (mut frames, mut matrices) = ([Frame::IDENTITY; 5], [Matrix::IDENTITY; 5]);
    assert_eq!(input.frames(&library, &mut frames), 3);
    assert_eq!(input.matrices(&library, &mut matrices), 3);
    for part in 0..3 {
        let expected = Matrix::from_frame(&frames[part]);
        for (row, wanted) in matrices[part].rows.iter().zip(expected.rows) {
            for (number, wanted) in row.iter().zip(wanted) {
                assert!((number - wanted).abs() < 1e-4, "part {part}: {row:?} {wanted:?}");
            }
        }
        assert_eq!(input.part_frame(&library, part), Some(frames[part]));
    }
    // Part 1 of the first frame is at (2, −2, 0.5): stretched, at (4, −1, 1.5).
    assert_near(matrices[1].origin(), frame.local_to_global(Vec3::new(4.0, -1.0, 1.5)));
    assert_eq!(input.part_frame(&library, 3), None, "there are three parts");
    assert_eq!((frames[3], matrices[3]), (Frame::IDENTITY, Matrix::IDENTITY), "the rest is left as it was");
    assert_eq!(input.frames(&library, &mut frames[..2]), 2, "as many as there is room for");
    assert_eq!(input.matrices(&library, &mut matrices[..2]), 2);
}

/// Many bodies are posed at once, each in its own stretch of the buffer.
#[test]
fn many_bodies_are_posed_at_once() {
    let (library, sequence) = stage();
    let places = [0.0, 10.0, 20.0].map(|x| Frame::from_origin(Vec3::new(x, 0.0, 0.0)));
    let bodies = || places.iter().map(|frame| PoseInput { sequence: &sequence, frame, scale: Vec3::ONE });
    let mut out = [Matrix::IDENTITY; 12];
    pose_all(&library, bodies(), 4, &mut out);
    for (index, body) in bodies().enumerate() {
        let mut own = [Matrix::IDENTITY; 4];
        assert_eq!(body.matrices(&library, &mut own), 3);
        assert_eq!(out[4 * index..4 * index + 4], own, "body {index}");
    }
    assert_eq!(out[4].origin().x, 11.0, "part 0 of the second body");
    let mut untouched = [Matrix::IDENTITY; 3];
    pose_all(&library, bodies(), 0, &mut untouched);
    assert_eq!(untouched, [Matrix::IDENTITY; 3], "no room for any part");
}

/// A body that plays nothing has no pose.
#[test]
fn a_body_that_plays_nothing_has_no_pose() {
    let (library, _) = stage();
    let sequence = Sequence::new();
    let input = PoseInput { sequence: &sequence, frame: &Frame::IDENTITY, scale: Vec3::ONE };
    assert_eq!(input.frames(&library, &mut [Frame::IDENTITY; 3]), 0);
    assert_eq!(input.matrices(&library, &mut [Matrix::IDENTITY; 3]), 0);
    assert_eq!(input.part_frame(&library, 0), None);
    let shown = Snapshot::of(&library, &sequence, &Frame::IDENTITY);
    assert_eq!(pose(&library, &shown, &shown, 0.5, Vec3::ONE, &mut [Frame::IDENTITY; 3]), 0);
}

fn assert_same_turn(a: Quat, b: Quat) {
    let difference = [a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z];
    assert!(difference.iter().all(|number| number.abs() < 2e-5), "{a:?} {b:?}");
}

/// A quarter of the way is a quarter of the angle, for a turn of 5 degrees and for one of 90.
#[test]
fn a_share_of_the_way_is_the_same_share_of_the_angle() {
    for (turn, share) in [(5.0, 0.25), (5.0, 0.75), (90.0, 0.25), (90.0, 0.75), (119.0, 0.5)] {
        let from = Frame::new(Vec3::new(1.0, 2.0, 3.0), turned(30.0));
        let to = Frame::new(Vec3::new(3.0, 0.0, 3.5), turned(30.0 + turn));
        let between = blend(&from, &to, share);
        assert_same_turn(between.rotation, turned(30.0 + turn * share));
        assert_near(between.origin, Vec3::new(1.0 + 2.0 * share, 2.0 - 2.0 * share, 3.0 + 0.5 * share));
        // The same rotation, written with the opposite sign.
        let Quat { w, x, y, z } = to.rotation;
        let opposite = Frame::new(to.origin, Quat::new(-w, -x, -y, -z));
        assert_same_turn(blend(&from, &opposite, share).rotation, turned(30.0 + turn * share));
    }
}

/// Shares beyond 0 and 1 are those of the ends, and one that is no number is 0.
#[test]
fn a_share_is_kept_between_0_and_1() {
    let from = Frame::new(Vec3::new(1.0, 2.0, 3.0), turned(30.0));
    let to = Frame::new(Vec3::new(2.0, 2.0, 3.0), turned(33.0));
    for share in [-2.0, 0.0, f32::NAN] {
        assert_eq!(blend(&from, &to, share), from, "{share}");
    }
    for share in [1.0, 1.5, 700.0] {
        let arrived = blend(&from, &to, share);
        assert_eq!(arrived.origin, to.origin, "{share}");
        assert_same_turn(arrived.rotation, to.rotation);
    }
}

/// Four metres are interpolated, more are a jump; so is a turn of more than 120 degrees, in either sign.
#[test]
fn the_limits_of_interpolation_are_four_metres_and_120_degrees() {
    let from = Frame::new(Vec3::ZERO, turned(0.0));
    let at = |y: f32, degrees: f32| Frame::new(Vec3::new(0.0, y, 0.0), turned(degrees));
    assert_eq!(blend(&from, &at(4.0, 0.0), 0.5).origin.y, 2.0);
    assert_eq!(blend(&from, &at(4.01, 0.0), 0.5), from);
    assert_same_turn(blend(&from, &at(0.0, 119.9), 0.5).rotation, turned(59.95));
    assert_eq!(blend(&from, &at(1.0, 120.2), 0.5), from, "not even the origin");
    assert_eq!(blend(&from, &at(1.0, -120.2), 0.5), from);
    assert_eq!(blend(&from, &at(1.0, 0.0), 1.0).origin.y, 1.0);
}
