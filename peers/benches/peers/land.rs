//! The land of one landblock as a height field of `rapier3d`, whose second axis points up and whose third points south.

use acmotion::scene::{Scene, Surroundings};
use acmotion::types::{CellId, CellPosition, Vec3};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;

use crate::walker::PeerWalker;

/// The length of a landblock and of a cell, in metres.
const BLOCK: f32 = 192.0;
const CELL: f32 = 24.0;
/// The number of corners of cells along a side of a landblock.
const CORNERS: usize = 9;

pub(crate) struct Land {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
}

/// Returns where a point of a landblock is in the axes of the height field, which is centred on the landblock.
pub(crate) fn from_block(point: Vec3) -> Vector {
    Vector::new(point.x - BLOCK / 2.0, point.z, BLOCK / 2.0 - point.y)
}

impl Land {
    /// Takes the heights at the corners of the cells of a landblock from a scene.
    pub(crate) fn of(scene: &Scene, cell: CellId) -> Self {
        let height = |x: f32, y: f32| {
            // The far corners belong to the next landblock.
            let inside = |v: f32| v.min(BLOCK - 0.001);
            let corner =
                CellPosition::at(CellId(cell.0 & 0xFFFF_0000 | 1), Vec3::new(inside(x), inside(y), 0.0));
            let corner = corner.adjusted_to_outside().unwrap_or(corner);
            let plane = scene.ground(&corner).expect("there is land").plane;
            let Vec3 { x, y, .. } = corner.frame.origin;
            -(plane.normal.x * x + plane.normal.y * y + plane.d) / plane.normal.z
        };
        let mut heights = Vec::new();
        for column in 0..CORNERS {
            heights.extend((0..CORNERS).map(|row| height(column as f32 * CELL, BLOCK - row as f32 * CELL)));
        }
        let mut colliders = ColliderSet::new();
        let field = Array2::new(CORNERS, CORNERS, heights);
        colliders.insert(ColliderBuilder::heightfield(field, Vector::new(BLOCK, 1.0, BLOCK)));
        let mut land = Self {
            bodies: RigidBodySet::new(),
            colliders,
            broad_phase: DefaultBroadPhase::new(),
            narrow_phase: NarrowPhase::new(),
        };
        land.index();
        land
    }

    /// Makes the land known to queries.
    fn index(&mut self) {
        PhysicsPipeline::new().step(
            Vector::ZERO,
            &IntegrationParameters::default(),
            &mut IslandManager::new(),
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
    }

    pub(crate) fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, QueryFilter::default())
    }

    /// Returns the height of the land below or above a walker.
    pub(crate) fn height_below(&self, walker: &PeerWalker) -> f32 {
        let above = walker.centre() + Vector::new(0.0, 100.0, 0.0);
        let ray = Ray::new(above, Vector::new(0.0, -1.0, 0.0));
        let hit = self.queries().cast_ray(&ray, 1_000.0, true);
        hit.map_or(f32::NAN, |(_, distance)| above.y - distance)
    }
}
