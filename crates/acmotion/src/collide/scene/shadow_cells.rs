//! The cells in which an obstacle that comes and goes is listed (`docs/collision.md` 8.1).

use acmotion_dat::Sphere;
use acmotion_types::Vec3;
use acmotion_wire::PhysicsState;

use super::boxes::OrientedBox;
use super::{CellArray, Scene};
use crate::collide::obstacle::{Obstacle, Part};
use crate::collide::path::{DUMMY_SPHERE, to_landblock};

/// The number of parts that are handled without allocating.
const INLINE_PARTS: usize = 8;
/// The maximum number of spheres of a mover.
const MAX_SPHERES: usize = 2;

impl Scene {
    /// Finds the cells in which an obstacle is listed: those of its parts' bounding boxes if it has polygons, else
    /// those of its spheres as a mover.
    pub(in crate::collide) fn find_cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        if obstacle.state.contains(PhysicsState::HAS_PHYSICS_BSP) && !obstacle.parts.is_empty() {
            return self.find_cells_of_parts(obstacle, cells);
        }
        let scaled = |sphere: &Sphere, scale: f32| Sphere {
            origin: to_landblock(&obstacle.position, sphere.origin * scale),
            radius: sphere.radius * scale,
        };
        let mut spheres = [scaled(&DUMMY_SPHERE, 1.0); MAX_SPHERES];
        let own = &obstacle.spheres[..obstacle.spheres.len().min(MAX_SPHERES)];
        for (slot, sphere) in spheres.iter_mut().zip(own) {
            *slot = scaled(sphere, obstacle.scale);
        }
        self.find_cell_list(&obstacle.position, &spheres[..own.len().max(1)], cells);
    }

    fn find_cells_of_parts(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        let part_box = |part: &Part| {
            let scale = Vec3::ONE * obstacle.scale;
            let frame = obstacle.position.frame.combine_scaled(&part.frame, scale);
            OrientedBox::new(part.solid.extent(), part.scale * obstacle.scale, &frame)
        };
        let mut inline = [OrientedBox::default(); INLINE_PARTS];
        let mut boxes = obstacle.parts.iter().map(part_box);
        let mut count = 0;
        for (slot, part_box) in inline.iter_mut().zip(boxes.by_ref()) {
            *slot = part_box;
            count += 1;
        }
        match boxes.next() {
            None => self.find_cells_of_boxes(&obstacle.position, &inline[..count], cells),
            Some(next) => {
                let all: Vec<OrientedBox> = inline.into_iter().chain([next]).chain(boxes).collect();
                self.find_cells_of_boxes(&obstacle.position, &all, cells);
            }
        }
    }
}
