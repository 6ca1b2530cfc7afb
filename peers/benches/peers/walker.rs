//! Walkers in circles: one of the engine, and one of each peer.

use std::hint::black_box;

use acmotion::components::{Body, PhysicsState};
use acmotion::internals::body::{BodyHost, commit};
use acmotion::scene::{MoverFlags, NoObstacles, Scene, Shape, Surroundings, Touch};
use acmotion::types::{CellPosition, Guid, Vec3};
use rapier3d::control::{CharacterLength, KinematicCharacterController};
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::prelude::*;

use crate::land::from_block;

/// The displacement of a walker in a tick, in metres: 4 m a second.
const METRES_A_TICK: f32 = 0.13;
/// The turn in a tick, in radians: walkers go round in circles, so that they stay where they were placed.
const TURN: f32 = 0.05;
/// The radius and the height of a human, in metres.
const RADIUS: f32 = 0.48;
const HEIGHT: f32 = 1.83;
const TICK: f32 = 1.0 / 30.0;

/// Returns the heading at which a walker starts.
fn heading(number: usize) -> f32 {
    number as f32 * 2.4
}

/// A body that sweeps through the scene and then stands where the sweep has led.
pub(crate) struct Walker {
    body: Body,
    heading: f32,
    touched: Vec<Touch>,
}

impl BodyHost for Walker {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

impl Walker {
    pub(crate) fn at(position: &CellPosition, number: usize, scene: &Scene, shape: &Shape) -> Self {
        let mut body = Body::new(*position);
        body.state.insert(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE);
        let mover = body.placement_mover(Guid(1), shape, MoverFlags::empty());
        let arrival = scene.place(&mover, position, true, &NoObstacles, &mut Vec::new());
        let mut walker = Self { body, heading: heading(number), touched: Vec::new() };
        if let Ok(arrival) = arrival {
            commit(&mut walker, &arrival, &[], 0.0);
        }
        walker
    }

    pub(crate) fn tick(&mut self, scene: &Scene, shape: &Shape) {
        let from = self.body.position;
        let mut to = from;
        let (sin, cos) = self.heading.sin_cos();
        to.frame.origin += Vec3::new(sin, cos, 0.0) * METRES_A_TICK;
        let mut touched = std::mem::take(&mut self.touched);
        let mover = self.body.mover(Guid(1), shape, MoverFlags::empty());
        if let Some(arrival) = scene.sweep(&mover, &from, &to, &NoObstacles, &mut touched).arrival {
            commit(self, &arrival, &touched, 0.0);
        }
        self.touched = touched;
        self.heading += TURN;
    }

    pub(crate) fn stands(&self) -> bool {
        self.body.is_standing()
    }
}

/// A capsule that the character controller moves.
#[derive(Clone)]
pub(crate) struct PeerWalker {
    /// The middle of the capsule.
    pose: Pose,
    heading: f32,
    shape: Capsule,
    controller: KinematicCharacterController,
    is_grounded: bool,
}

impl PeerWalker {
    pub(crate) fn at(position: &CellPosition, number: usize) -> Self {
        let above_ground = Vec3::new(0.0, 0.0, HEIGHT / 2.0 + 0.05);
        Self {
            pose: Pose::from_translation(from_block(position.frame.origin + above_ground)),
            heading: heading(number),
            shape: Capsule::new_y(HEIGHT / 2.0 - RADIUS, RADIUS),
            controller: KinematicCharacterController {
                // As steep as the engine lets bodies climb, and as far down as it lets them step.
                max_slope_climb_angle: 0.664_f32.acos(),
                min_slope_slide_angle: 0.664_f32.acos(),
                snap_to_ground: Some(CharacterLength::Absolute(1.5)),
                ..KinematicCharacterController::default()
            },
            is_grounded: true,
        }
    }

    /// The displacement that it wants in a tick.
    fn wanted(&self) -> Vector {
        let (sin, cos) = self.heading.sin_cos();
        Vector::new(sin, if self.is_grounded { 0.0 } else { -1.0 }, -cos) * METRES_A_TICK
    }

    pub(crate) fn tick(&mut self, queries: &QueryPipeline<'_>) {
        let moved = self.controller.move_shape(TICK, queries, &self.shape, &self.pose, self.wanted(), |_| {});
        self.pose.translation += moved.translation;
        self.is_grounded = moved.grounded;
        self.heading += TURN;
    }

    /// Casts a ball like the walker's foot along its path and down to the ground once, and does not move it.
    pub(crate) fn cast_ball(&mut self, queries: &QueryPipeline<'_>) {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let mut foot = self.pose;
        foot.translation.y += RADIUS - HEIGHT / 2.0;
        let down = Vector::new(0.0, -METRES_A_TICK, 0.0);
        black_box(queries.cast_shape(&foot, self.wanted() + down, &Ball::new(RADIUS), options));
        self.heading += TURN;
    }

    pub(crate) fn centre(&self) -> Vector {
        self.pose.translation
    }

    /// Returns the height of its feet.
    pub(crate) fn height(&self) -> f32 {
        self.pose.translation.y - HEIGHT / 2.0
    }
}
