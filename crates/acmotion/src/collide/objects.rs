//! A body against obstacles (`docs/collision.md` 8).

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition};
use acmotion_wire::PhysicsState;

use super::scene::Scene;
use super::transition::{Transition, TransitionState};
use super::{InsertType, MoverFlags, Obstacle, ObstacleFlags, Obstacles, Reach};

impl<'a> Transition<'a> {
    /// Tests the body against what stands in a cell: first what always stands there, then what comes and goes. Bodies that
    /// are pushed out of walls do not mind obstacles (`docs/collision.md` 8.2).
    #[doc(alias = "CObjCell::find_obj_collisions")]
    pub(super) fn test_obstacles(&mut self, scene: &'a Scene, cell: CellId) -> TransitionState {
        if self.path.insert_type == InsertType::InitialPlacement {
            return TransitionState::Ok;
        }
        let near = Cell::new(self.path.reach());
        match self.test_listed(scene, cell, &near) {
            TransitionState::Ok => self.test_listed(self.obstacles, cell, &near),
            outcome => outcome,
        }
    }

    fn test_listed(
        &mut self,
        obstacles: &'a dyn Obstacles,
        cell: CellId,
        near: &Cell<Reach>,
    ) -> TransitionState {
        let mut outcome = TransitionState::Ok;
        obstacles.visit_near(cell, near, &mut |obstacle| {
            let is_own = obstacle.guid == self.mover.guid && obstacle.flags.contains(ObstacleFlags::WEENIE);
            if !is_own && !obstacle.flags.contains(ObstacleFlags::PARENTED) {
                outcome = self.test_obstacle(obstacle);
                near.set(self.path.reach());
            }
            if outcome == TransitionState::Ok { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        outcome
    }

    /// Tests the body against an obstacle, and notes what it touches (`docs/collision.md` 8.3).
    #[doc(alias = "FindObjCollisions")]
    pub fn test_obstacle(&mut self, obstacle: &Obstacle<'a>) -> TransitionState {
        let (mut outcome, passes) = self.meet(obstacle);
        if outcome != TransitionState::Ok && !self.path.step_down {
            if obstacle.state.contains(PhysicsState::STATIC) {
                self.info.collided_with_environment |= !self.is(MoverFlags::CONTACT);
            } else {
                if passes {
                    outcome = TransitionState::Ok;
                    self.info.collision_valid = false;
                }
                self.touch(obstacle);
            }
        }
        outcome
    }

    /// What the shapes of an obstacle say, and whether the body passes it all the same.
    fn meet(&mut self, obstacle: &Obstacle<'a>) -> (TransitionState, bool) {
        let is_ethereal = obstacle.state.contains(PhysicsState::ETHEREAL);
        let is_creature = obstacle.flags.contains(ObstacleFlags::CREATURE);
        let is_static = obstacle.state.contains(PhysicsState::STATIC);
        let is_gone = is_ethereal && obstacle.state.contains(PhysicsState::IGNORE_COLLISIONS);
        if is_gone || (self.is(MoverFlags::IS_VIEWER) && is_creature) {
            return (TransitionState::Ok, true);
        }
        let passes = is_ethereal || (self.mover.state.contains(PhysicsState::ETHEREAL) && !is_static);
        if passes && self.path.step_down {
            return (TransitionState::Ok, true);
        }
        let counts_as_creature = is_creature || obstacle.state.contains(PhysicsState::MISSILE);
        let mut outcome = TransitionState::Ok;
        if !self.players_pass(obstacle.flags) && !self.missiles_pass(obstacle) {
            self.path.obstruction_ethereal = passes;
            outcome = self.test_shape(obstacle, counts_as_creature);
            self.path.obstruction_ethereal = false;
        }
        (outcome, passes || (counts_as_creature && self.is(MoverFlags::IGNORE_CREATURES)))
    }

    /// Does a body at a place overlap an obstacle (`docs/collision.md` 8.6)?
    pub(super) fn overlaps(&mut self, obstacle: &Obstacle<'a>) -> bool {
        self.path.insert_type = InsertType::Placement;
        let (outcome, passes) = self.meet(obstacle);
        outcome != TransitionState::Ok && !passes
    }

    /// Players walk through players, unless both are killers of one kind or one is impenetrable.
    fn players_pass(&self, target: ObstacleFlags) -> bool {
        let both = |own: MoverFlags, others: ObstacleFlags| self.is(own) && target.contains(others);
        both(MoverFlags::IS_PLAYER, ObstacleFlags::PLAYER)
            && !self.is(MoverFlags::IS_IMPENETRABLE)
            && !target.contains(ObstacleFlags::IMPENETRABLE)
            && !both(MoverFlags::IS_PK, ObstacleFlags::PK)
            && !both(MoverFlags::IS_PKLITE, ObstacleFlags::PKLITE)
    }

    /// Nothing collides with missiles, and missiles not with what is there for the game but lets things through
    /// (`docs/collision.md` 8.4).
    #[doc(alias = "missile_ignore")]
    fn missiles_pass(&self, obstacle: &Obstacle<'_>) -> bool {
        let is_ghost =
            obstacle.flags.contains(ObstacleFlags::WEENIE) && obstacle.state.contains(PhysicsState::ETHEREAL);
        obstacle.state.contains(PhysicsState::MISSILE) || (self.is_missile() && is_ghost)
    }

    /// Polygons, or else cylinders, or else spheres.
    fn test_shape(&mut self, obstacle: &Obstacle<'a>, counts_as_creature: bool) -> TransitionState {
        let Obstacle { position, scale, parts, cylinders, spheres, .. } = *obstacle;
        if obstacle.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
            return first_hit(parts, |part| {
                let frame = position.frame.combine_scaled(&part.frame, acmotion_types::Vec3::ONE * scale);
                self.test_part(&part.solid, &CellPosition::new(position.cell, frame), part.scale * scale)
            });
        }
        let shift = self.path.check.cell.block_offset(position.cell);
        if !cylinders.is_empty() {
            return first_hit(cylinders, |cylinder| {
                let origin = position.frame.local_to_global(cylinder.origin * scale) + shift;
                let cylinder =
                    CylSphere { origin, radius: cylinder.radius * scale, height: cylinder.height * scale };
                self.test_cylinder(&cylinder, position.frame.rotation)
            });
        }
        first_hit(spheres, |sphere| {
            let origin = position.frame.local_to_global(sphere.origin * scale) + shift;
            self.test_sphere(&Sphere { origin, radius: sphere.radius * scale }, counts_as_creature)
        })
    }
}

/// Tests one after the other up to the first that has something to say.
fn first_hit<'s, T>(shapes: &'s [T], test: impl FnMut(&'s T) -> TransitionState) -> TransitionState {
    shapes.iter().map(test).find(|outcome| *outcome != TransitionState::Ok).unwrap_or(TransitionState::Ok)
}
