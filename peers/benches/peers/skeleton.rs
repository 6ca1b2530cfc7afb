//! Skeletons as engines in general use animate them: key frames of each part relative to its parent, sampled between two
//! of them, then multiplied along the hierarchy.

use std::hint::black_box;

use glam::{Affine3A, Quat, Vec3};

/// The number of key frames.
const FRAMES: usize = 24;
const FRAMES_A_SECOND: f32 = 30.0;

#[derive(Clone, Copy)]
struct Key {
    translation: Vec3,
    rotation: Quat,
}

/// Bodies that play one animation, each at its own time.
pub(crate) struct Skeletons {
    /// The keys of all parts of a frame, frame after frame.
    keys: Vec<Key>,
    /// The parent of each part but the first. It comes before its children.
    parents: Vec<usize>,
    /// Where each body is, and the time in seconds that it has played.
    bodies: Vec<(Affine3A, f32)>,
    matrices: Vec<Affine3A>,
}

impl Skeletons {
    pub(crate) fn new(count: usize, parts: usize) -> Self {
        let key = |frame: usize, part: usize| {
            let angle = (frame as f32 / FRAMES as f32 * std::f32::consts::TAU + part as f32).sin() * 0.5;
            Key {
                translation: Vec3::new(0.1, angle * 0.05, 0.2),
                rotation: Quat::from_rotation_x(angle) * Quat::from_rotation_z(0.3 * part as f32),
            }
        };
        let frames = (0..FRAMES).flat_map(|frame| (0..parts).map(move |part| key(frame, part)));
        let body = |number: usize| {
            let origin = Vec3::new((number % 100) as f32, (number / 100) as f32, 0.0);
            (Affine3A::from_translation(origin), number as f32 * 0.013)
        };
        Self {
            keys: frames.collect(),
            parents: (1..parts).map(|part| (part - 1) / 2).collect(),
            bodies: (0..count).map(body).collect(),
            matrices: vec![Affine3A::IDENTITY; parts],
        }
    }

    /// Poses every body.
    pub(crate) fn pose(&mut self) {
        let parts = self.matrices.len();
        for (body, time) in &self.bodies {
            let frame = time * FRAMES_A_SECOND % FRAMES as f32;
            let (first, share) = (frame as usize, frame.fract());
            let from = &self.keys[first * parts..][..parts];
            let to = &self.keys[(first + 1) % FRAMES * parts..][..parts];
            for part in 0..parts {
                let (from, to) = (from[part], to[part]);
                let rotation = from.rotation.lerp(to.rotation, share);
                let translation = from.translation.lerp(to.translation, share);
                let parent = if part == 0 { *body } else { self.matrices[self.parents[part - 1]] };
                self.matrices[part] = parent * Affine3A::from_rotation_translation(rotation, translation);
            }
            black_box(&self.matrices);
        }
    }
}
