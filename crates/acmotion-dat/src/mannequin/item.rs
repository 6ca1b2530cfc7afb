//! Items that the humanoid holds, and missiles: one mesh, one setup, no motions.

use acmotion_types::{Frame, Vec3};

use super::clip::DatasetBuilder;
use super::solid::closed_mesh;
use crate::builder::MeshFace;
use crate::id::DataId;
use crate::objects::{AnimationFrame, Setup, Sphere};

/// An item of a single part.
pub(super) struct Item {
    pub(super) setup: DataId,
    pub(super) mesh: DataId,
    pub(super) faces: Vec<MeshFace>,
    /// The frame of its part for each placement key.
    pub(super) placements: Vec<(i32, Frame)>,
    /// The height and the radius of the setup, in metres.
    pub(super) size: [f32; 2],
    /// The radius of the sphere around all of it, in metres.
    pub(super) extent: f32,
    /// The radius of its collision sphere, in metres; `None` if it collides with nothing.
    pub(super) collision: Option<f32>,
}

impl Item {
    /// Adds the item to the dataset.
    pub(super) fn build(self, dataset: &mut DatasetBuilder) {
        dataset.add(&closed_mesh(self.mesh, &self.faces));
        let pose = |frame| AnimationFrame { parts: vec![frame], hooks: Vec::new() };
        let sphere = |radius| Sphere { origin: Vec3::ZERO, radius };
        dataset.add(&Setup {
            id: self.setup,
            parts: vec![self.mesh],
            placements: self.placements.into_iter().map(|(key, frame)| (key, pose(frame))).collect(),
            spheres: self.collision.map(sphere).into_iter().collect(),
            height: self.size[0],
            radius: self.size[1],
            sorting_sphere: sphere(self.extent),
            selection_sphere: sphere(self.extent),
            ..Setup::default()
        });
    }
}
