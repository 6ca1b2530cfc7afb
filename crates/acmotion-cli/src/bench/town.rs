//! Walkers in the mannequin's town, for `acmotion bench`.

use std::sync::Arc;

use acmotion::World;
use acmotion::collide::Scene;
use acmotion::interp::MovementParams;
use acmotion::world::{Resident, Settings};
use acmotion_dat::Assets;
use acmotion_dat::mannequin::town::places;
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

/// The yard has room for so many.
pub(super) const MOST: usize = 1_000;
/// From one to the next, in metres, and how many are in a row.
const APART: f32 = 4.5;
const ROW: usize = 32;
/// A little more than a thirtieth of a second.
const TICK: f64 = 0.033_334;

/// People who walk in circles between the houses of the town, into walls, trees and each other.
pub(super) struct Town {
    world: World,
    now: f64,
}

impl Town {
    pub(super) fn new(count: usize) -> anyhow::Result<Self> {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        let mut town = Self { world: World::with_settings(Assets::mannequin(), settings), now: 10.0 };
        for number in 0..count.min(MOST) {
            let guid = Guid(0x5000_0000 + number as u32);
            town.world.add_stand_in(guid, &place(number), town.now);
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

    pub(super) fn count(&self) -> usize {
        self.world.entities().len()
    }

    pub(super) fn bytes_per_entity(&self) -> usize {
        let bytes: usize = self.world.entities().map(Resident::size_in_memory).sum();
        bytes / self.count().max(1)
    }
}

/// Where somebody begins, each looking in another direction.
fn place(number: usize) -> CellPosition {
    let mut place = places().spawn;
    let (x, y) = ((number % ROW) as f32 * APART, (number / ROW) as f32 * APART);
    place.frame.origin += Vec3::new(x - 70.0, y - 55.0, 0.0);
    place.frame.set_heading((number * 67 % 360) as f32);
    place.adjusted_to_outside().unwrap_or(place)
}
