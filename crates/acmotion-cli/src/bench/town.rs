//! Bodies that walk through the mannequin's town, for `acmotion bench`.

use std::sync::Arc;

use acmotion::components::MovementParams;
use acmotion::scene::Scene;
use acmotion::{Resident, Settings, World};
use acmotion_dat::Assets;
use acmotion_dat::mannequin::town::landmarks;
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

/// The maximum number of walkers that the yard has room for.
pub(super) const MAX_WALKERS: usize = 1_000;
/// The distance between neighbours, in metres.
const SPACING: f32 = 4.5;
/// The number of walkers in a row.
const ROW_LENGTH: usize = 32;
/// The time between ticks, in seconds: a little more than a thirtieth, so that the physics gate opens at each one.
const TICK: f64 = 0.033_334;

/// Bodies that walk in circles between the houses of the town, into walls, trees and each other.
pub(super) struct Town {
    world: World,
    now: f64,
}

impl Town {
    /// Creates a town with `count` walkers, at most [`MAX_WALKERS`].
    pub(super) fn new(count: usize) -> anyhow::Result<Self> {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        let mut town = Self { world: World::with_settings(Assets::mannequin(), settings), now: 10.0 };
        for number in 0..count.min(MAX_WALKERS) {
            let guid = Guid(0x5000_0000 + number as u32);
            town.world.add_stand_in(guid, &start_position(number), town.now);
            town.world.act(guid, town.now, |actor, _| {
                for motion in [MotionCommand::WALK_FORWARD, MotionCommand::TURN_RIGHT] {
                    let _ = actor.do_interpreted_motion(motion, &MovementParams::default());
                }
            });
        }
        Ok(town)
    }

    pub(super) fn tick(&mut self) {
        self.now += TICK;
        self.world.tick(self.now);
        self.world.drain_events().for_each(drop);
    }

    /// Returns the number of walkers.
    pub(super) fn count(&self) -> usize {
        self.world.entities().len()
    }

    pub(super) fn bytes_per_entity(&self) -> usize {
        let bytes: usize = self.world.entities().map(Resident::size_in_memory).sum();
        bytes / self.count().max(1)
    }
}

/// Returns the position at which a walker starts. Neighbours face different directions.
fn start_position(number: usize) -> CellPosition {
    let mut position = landmarks().spawn;
    let (x, y) = ((number % ROW_LENGTH) as f32 * SPACING, (number / ROW_LENGTH) as f32 * SPACING);
    position.frame.origin += Vec3::new(x - 70.0, y - 55.0, 0.0);
    position.frame.set_heading((number * 67 % 360) as f32);
    position.adjusted_to_outside().unwrap_or(position)
}
