//! The cells in which something that comes and goes is listed (`docs/collision.md` 8.1).

use acmotion_dat::Sphere;
use acmotion_types::Vec3;
use acmotion_wire::PhysicsState;

use super::boxes::Bounds;
use super::{CellArray, Scene};
use crate::collide::obstacle::{Obstacle, Part};
use crate::collide::path::DUMMY_SPHERE;

/// So many parts need no memory.
const FEW: usize = 8;
/// A body has so many spheres at most.
const MAX_SPHERES: usize = 2;

impl Scene {
    /// Finds the cells that an obstacle is in: those of its parts' boxes if it has polygons, else those of its spheres as a
    /// body.
    pub(in crate::collide) fn find_cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        if obstacle.state.contains(PhysicsState::HAS_PHYSICS_BSP) && !obstacle.parts.is_empty() {
            return self.find_cells_of_parts(obstacle, cells);
        }
        let frame = &obstacle.position.frame;
        let place = |sphere: &Sphere, scale: f32| Sphere {
            origin: frame.local_to_global(sphere.origin * scale),
            radius: sphere.radius * scale,
        };
        let mut spheres = [place(&DUMMY_SPHERE, 1.0); MAX_SPHERES];
        let own = &obstacle.spheres[..obstacle.spheres.len().min(MAX_SPHERES)];
        for (slot, sphere) in spheres.iter_mut().zip(own) {
            *slot = place(sphere, obstacle.scale);
        }
        self.find_cell_list(&obstacle.position, &spheres[..own.len().max(1)], cells);
    }

    fn find_cells_of_parts(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        let bounds = |part: &Part| {
            let scale = Vec3::ONE * obstacle.scale;
            let frame = obstacle.position.frame.combine_scaled(&part.frame, scale);
            Bounds::placed(part.solid.extent(), part.scale * obstacle.scale, &frame)
        };
        let mut few = [Bounds::default(); FEW];
        let mut boxes = obstacle.parts.iter().map(bounds);
        let mut count = 0;
        for (slot, bounds) in few.iter_mut().zip(boxes.by_ref()) {
            *slot = bounds;
            count += 1;
        }
        match boxes.next() {
            None => self.find_cells_of_boxes(&obstacle.position, &few[..count], cells),
            Some(next) => {
                let many: Vec<Bounds> = few.into_iter().chain([next]).chain(boxes).collect();
                self.find_cells_of_boxes(&obstacle.position, &many, cells);
            }
        }
    }
}
