//! The tests against obstacles (`docs/collision.md` 8).

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Vec3};
use acmotion_wire::PhysicsState;

use super::path::to_landblock;
use super::scene::Scene;
use super::transition::{Transition, TransitionState};
use super::{InsertType, MoverFlags, Obstacle, ObstacleFlags, Obstacles, SearchCylinder};

impl<'a> Transition<'a> {
    /// Tests the obstacles of a cell: first the scenery, then those that come and go. An initial placement ignores
    /// obstacles (`docs/collision.md` 8.2).
    #[doc(alias = "CObjCell::find_obj_collisions")]
    pub(super) fn test_obstacles(&mut self, scene: &'a Scene, cell: CellId) -> TransitionState {
        if self.path.insert_type == InsertType::InitialPlacement {
            return TransitionState::Ok;
        }
        let reach = Cell::new(self.path.reach());
        match self.test_listed(scene, cell, &reach) {
            TransitionState::Ok => self.test_listed(self.obstacles, cell, &reach),
            outcome => outcome,
        }
    }

    /// Tests the obstacles in a list of a cell up to the first that has an effect. `reach` follows the mover, which a
    /// test may move.
    fn test_listed(
        &mut self,
        obstacles: &'a dyn Obstacles,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
    ) -> TransitionState {
        let mut outcome = TransitionState::Ok;
        obstacles.visit_blocking(cell, reach, self.mover, &mut |obstacle| {
            let is_own = self.mover.is_same_as(obstacle.guid, obstacle.flags);
            if !is_own && !obstacle.flags.contains(ObstacleFlags::PARENTED) {
                outcome = self.test_obstacle(obstacle);
                reach.set(self.path.reach());
            }
            if outcome == TransitionState::Ok { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        outcome
    }

    /// Tests one obstacle, and records it if it was touched (`docs/collision.md` 8.3).
    #[doc(alias = "FindObjCollisions")]
    pub fn test_obstacle(&mut self, obstacle: &Obstacle<'a>) -> TransitionState {
        let (mut outcome, passes) = self.test_shapes(obstacle);
        if outcome != TransitionState::Ok && !self.path.step_down {
            if obstacle.state.contains(PhysicsState::STATIC) {
                self.info.collided_with_environment |= !self.has(MoverFlags::CONTACT);
            } else {
                if passes {
                    outcome = TransitionState::Ok;
                    self.info.collision_valid = false;
                }
                self.record_touch(obstacle);
            }
            if outcome != TransitionState::Ok {
                self.record_obstacle(obstacle);
            }
        }
        outcome
    }

    /// Tests the shapes of an obstacle. Returns the outcome and whether the obstacle does not block the mover in any case.
    fn test_shapes(&mut self, obstacle: &Obstacle<'a>) -> (TransitionState, bool) {
        let is_ethereal = obstacle.state.contains(PhysicsState::ETHEREAL);
        let is_creature = obstacle.flags.contains(ObstacleFlags::CREATURE);
        let is_static = obstacle.state.contains(PhysicsState::STATIC);
        let is_ignored = is_ethereal && obstacle.state.contains(PhysicsState::IGNORE_COLLISIONS);
        if is_ignored || (self.has(MoverFlags::IS_VIEWER) && is_creature) {
            return (TransitionState::Ok, true);
        }
        let passes = is_ethereal || (self.mover.state.contains(PhysicsState::ETHEREAL) && !is_static);
        if passes && self.path.step_down {
            return (TransitionState::Ok, true);
        }
        let counts_as_creature = is_creature || obstacle.state.contains(PhysicsState::MISSILE);
        let mut outcome = TransitionState::Ok;
        if !obstacle.flags.lets_player_pass(self.flags) && !self.passes_missile(obstacle) {
            self.path.obstruction_ethereal = passes;
            outcome = self.test_shape(obstacle, counts_as_creature);
            self.path.obstruction_ethereal = false;
        }
        (outcome, passes || (counts_as_creature && self.has(MoverFlags::IGNORE_CREATURES)))
    }

    /// Returns `true` if the mover overlaps an obstacle that blocks it (`docs/collision.md` 8.6).
    pub(super) fn overlaps(&mut self, obstacle: &Obstacle<'a>) -> bool {
        self.path.insert_type = InsertType::Placement;
        let (outcome, passes) = self.test_shapes(obstacle);
        outcome != TransitionState::Ok && !passes
    }

    /// Returns `true` if the obstacle is a missile, with which nothing collides, or the mover is a missile and the
    /// obstacle an ethereal object of the game (`docs/collision.md` 8.4).
    #[doc(alias = "missile_ignore")]
    fn passes_missile(&self, obstacle: &Obstacle<'_>) -> bool {
        let is_ethereal_object =
            obstacle.flags.contains(ObstacleFlags::WEENIE) && obstacle.state.contains(PhysicsState::ETHEREAL);
        obstacle.state.contains(PhysicsState::MISSILE) || (self.is_missile() && is_ethereal_object)
    }

    /// Tests the polygons of an obstacle, or else its cylinders, or else its spheres.
    fn test_shape(&mut self, obstacle: &Obstacle<'a>, counts_as_creature: bool) -> TransitionState {
        let Obstacle { position, scale, parts, cylinders, spheres, .. } = *obstacle;
        if obstacle.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
            return first_hit(parts, |part| {
                let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * scale);
                self.test_part(&part.solid, &CellPosition::new(position.cell, frame), part.scale * scale)
            });
        }
        let shift = self.path.check.cell.block_offset(position.cell);
        if !cylinders.is_empty() {
            return first_hit(cylinders, |cylinder| {
                let origin = to_landblock(&position, cylinder.origin * scale) + shift;
                let cylinder =
                    CylSphere { origin, radius: cylinder.radius * scale, height: cylinder.height * scale };
                self.test_cylinder(&cylinder, position.frame.rotation)
            });
        }
        first_hit(spheres, |sphere| {
            let origin = to_landblock(&position, sphere.origin * scale) + shift;
            self.test_sphere(&Sphere { origin, radius: sphere.radius * scale }, counts_as_creature)
        })
    }
}

/// Tests shapes up to the first that has an effect, and returns its outcome.
fn first_hit<'s, T>(shapes: &'s [T], test: impl FnMut(&'s T) -> TransitionState) -> TransitionState {
    shapes.iter().map(test).find(|outcome| *outcome != TransitionState::Ok).unwrap_or(TransitionState::Ok)
}
