//! How much a capture may make the engine simulate, in relation to its size.

use acmotion::World;

/// The body-seconds that any capture may take, however short: an hour of silence among seventy bodies. A body-second is a
/// body simulated for a second.
pub const MAX_BODY_SECONDS: f64 = 250_000.0;
/// The body-seconds that a capture may take in addition for each byte of its messages. Captures of real play take less
/// than half a body-second for each byte, because bodies that move are reported.
pub const MAX_BODY_SECONDS_PER_BYTE: f64 = 4.0;
/// How much of a body counts that is in no cell, such as one in a pack. It is not simulated, but listed.
const OUTSIDE_CELLS: f64 = 1.0 / 16.0;

/// The seconds after which the bodies are counted again: to look at all of them costs time, too.
const INTERVAL: f64 = 1.0;

/// The body-seconds that a capture may take, and those that it has taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    granted: f64,
    spent: f64,
    /// The seconds since the bodies were counted, which are not in `spent` yet.
    uncounted: f64,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { granted: MAX_BODY_SECONDS, spent: 0.0, uncounted: 0.0 }
    }

    /// Adds what a message of some bytes grants.
    pub(super) fn grant(&mut self, bytes: usize) {
        self.granted += MAX_BODY_SECONDS_PER_BYTE * bytes as f64;
    }

    /// Grants what some seconds take that the caller lets pass without a message.
    pub(super) fn grant_time(&mut self, seconds: f64, world: &World) {
        self.granted += body_seconds(seconds, world);
    }

    /// Takes what a tick costs that covers some seconds.
    pub(super) fn spend(&mut self, seconds: f64, world: &World) {
        self.uncounted += seconds;
        if self.uncounted >= INTERVAL {
            self.spent += body_seconds(self.uncounted, world);
            self.uncounted = 0.0;
        }
    }

    /// Returns `true` if more was spent than granted.
    pub(super) fn is_used_up(&self) -> bool {
        self.spent > self.granted
    }
}

/// Returns how many body-seconds some seconds are. The world itself counts as a body.
fn body_seconds(seconds: f64, world: &World) -> f64 {
    let entities = world.entities();
    let all = entities.len();
    let in_cells = entities.filter(|resident| resident.body().is_in_cell()).count();
    seconds * (1.0 + in_cells as f64 + OUTSIDE_CELLS * (all - in_cells) as f64)
}

#[cfg(test)]
mod tests {
    use acmotion::dat::Assets;
    use acmotion::types::{CellId, CellPosition, Guid, Vec3};

    use super::*;

    const HOUR: f64 = 3_600.0;

    /// Returns a world with bodies in cells.
    fn crowd(bodies: u32) -> World {
        let mut world = World::new(Assets::mannequin());
        for number in 0..bodies {
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
            world.add_stand_in(Guid(0x5000_0000 + number), &position, 0.0);
        }
        world
    }

    #[test]
    fn six_hours_of_play_among_hundreds_of_bodies_are_within_the_budget() {
        // A recording of a retail client: 941.6 s with 135 bodies on average, and 341,456 bytes of messages.
        let bytes_per_body_second = 341_456.0 / (941.6 * 135.0);
        let world = crowd(300);
        let mut budget = Budget::new();
        for _ in 0..6 * 60 {
            // A quarter as many bytes as recorded.
            budget.grant((bytes_per_body_second * 300.0 * 60.0 / 4.0) as usize);
            budget.spend(60.0, &world);
            assert!(!budget.is_used_up());
        }
        assert!(budget.spent > 6.0 * HOUR * 300.0);
    }

    #[test]
    fn an_hour_of_silence_is_within_the_budget_and_a_day_is_not() {
        let mut budget = Budget::new();
        budget.spend(HOUR, &crowd(68));
        assert!(!budget.is_used_up());
        budget.spend(23.0 * HOUR, &crowd(68));
        assert!(budget.is_used_up());
    }

    #[test]
    fn time_that_the_caller_lets_pass_is_granted() {
        let (mut budget, world) = (Budget::new(), crowd(100));
        for _ in 0..24 {
            budget.grant_time(HOUR, &world);
            budget.spend(HOUR, &world);
        }
        assert!(!budget.is_used_up());
    }
}
