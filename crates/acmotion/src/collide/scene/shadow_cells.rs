//! The cells in which an obstacle that comes and goes is listed (`docs/collision.md` 8.1).

use acmotion_dat::Sphere;
use acmotion_types::{Frame, Vec3};
use acmotion_wire::PhysicsState;

use super::boxes::OrientedBox;
use super::find_cells::are_clear_of_borders;
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
        if self.is_within_cell(obstacle) {
            cells.clear();
            cells.added_outside = true;
            return cells.add(obstacle.position.cell);
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

    /// Returns `true` if an obstacle without polygons is on land that has no building, and clear of the borders of its cell:
    /// then it is listed in that cell and no other. It takes an upright body whose spheres are on its axis, as nearly all are,
    /// so that the distances of their centres from the borders are those of its origin.
    #[inline]
    fn is_within_cell(&self, obstacle: &Obstacle<'_>) -> bool {
        let Frame { origin, rotation } = obstacle.position.frame;
        let is_upright = rotation.x == 0.0 && rotation.y == 0.0;
        let spheres = obstacle.spheres.iter().take(MAX_SPHERES);
        is_upright
            && !obstacle.spheres.is_empty()
            && spheres.clone().all(|sphere| sphere.origin.x == 0.0 && sphere.origin.y == 0.0)
            && spheres
                .map(|sphere| sphere.radius * obstacle.scale)
                .all(|radius| are_clear_of_borders(obstacle.position.cell, &[Sphere { origin, radius }]))
            && self.land(obstacle.position.cell).is_some_and(|land| land.building().is_none())
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
