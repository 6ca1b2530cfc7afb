//! The cost of a whole tick in a world with the mannequin's town: for a walker on open land, on the stairs inside of a
//! house, and for 1,000 walkers in the town that collide with each other. Budgets on one core: 1 µs, 5 µs, and 3 ms for
//! the 1,000. Also the cost of questions to the scene.
//!
//! `cargo bench -p acmotion --bench town`

use std::sync::Arc;
use std::time::Instant;

use acmotion::components::MovementParams;
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::{Landmarks, landmarks};
use acmotion::scene::{MoverFlags, Scene, Shape};
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{Settings, World};

const TICK: f64 = 0.033_334;
const RUNS: usize = 100;
/// The number of ticks of a run: a second.
const TICKS: usize = 30;
/// The number of runs before anything is measured.
const WARM_UP: usize = 12;

/// Walkers in the town, and where each starts.
struct Walkers {
    world: World,
    starts: Vec<CellPosition>,
    now: f64,
}

fn guid(number: usize) -> Guid {
    Guid(0x5000_0000 + number as u32)
}

fn moved(position: CellPosition, east: f32, north: f32) -> CellPosition {
    let mut moved = position;
    moved.frame.origin += Vec3::new(east, north, 0.0);
    if moved.cell.is_outdoor() { moved.adjusted_to_outside().unwrap_or(moved) } else { moved }
}

impl Walkers {
    fn new(starts: Vec<CellPosition>, motions: &[MotionCommand], flags: MoverFlags) -> Self {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town loads");
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let now = 10.0;
        for (number, start) in starts.iter().enumerate() {
            world.add_stand_in(guid(number), start, now);
            world.act(guid(number), now, |actor, _| {
                actor.entity.mover_flags = flags;
                for motion in motions {
                    let _ = actor.do_interpreted_motion(*motion, &MovementParams::default());
                }
            });
        }
        Self { world, starts, now }
    }

    /// Returns the cost of one run in nanoseconds per walker and tick.
    fn run(&mut self) -> f64 {
        let start = Instant::now();
        for _ in 0..TICKS {
            self.now += TICK;
            self.world.tick(self.now);
        }
        let spent = start.elapsed();
        self.world.drain_events().for_each(drop);
        spent.as_secs_f64() * 1e9 / (TICKS * self.starts.len()) as f64
    }

    /// Puts all walkers back to where they started.
    fn reset(&mut self) {
        for (number, start) in self.starts.iter().enumerate() {
            self.world.act(guid(number), self.now, |actor, around| actor.set_position(start, true, around));
        }
    }

    /// Returns the median and the minimum of all runs. The walkers are put back every `reset_after` runs.
    fn measure(&mut self, reset_after: usize) -> (f64, f64) {
        let mut costs = Vec::new();
        for run in 0..WARM_UP + RUNS {
            if run % reset_after == 0 {
                self.reset();
            }
            let cost = self.run();
            if run >= WARM_UP {
                costs.push(cost);
            }
        }
        costs.sort_by(f64::total_cmp);
        (costs[costs.len() / 2], costs[0])
    }

    /// Returns the mean of all origins.
    fn centre(&self) -> Vec3 {
        let sum = self.world.entities().fold(Vec3::ZERO, |sum, one| sum + one.position().frame.origin);
        sum * (1.0 / self.starts.len() as f32)
    }
}

/// Walkers in circles on the slopes of the hill, out of each other's reach.
fn on_land(town: &Landmarks) -> Walkers {
    let starts = (0..100).map(|number| {
        let (x, y) = ((number % 10) as f32 * 12.0, (number / 10) as f32 * 12.0);
        let mut start = moved(town.hill_top, x - 60.0, y - 60.0);
        start.frame.origin.z += 2.0;
        start
    });
    let circle = [MotionCommand::WALK_FORWARD, MotionCommand::TURN_RIGHT];
    Walkers::new(starts.collect(), &circle, MoverFlags::empty())
}

/// Walkers up the stairs of the house, one behind the other. They are players, so they pass through each other.
fn on_stairs(town: &Landmarks) -> Walkers {
    let starts =
        (0..8).map(|number| moved(town.stairs_foot, 0.1 * (number % 3) as f32, 0.05 * number as f32));
    Walkers::new(starts.collect(), &[MotionCommand::WALK_FORWARD], MoverFlags::IS_PLAYER)
}

/// 1,000 walkers in circles, 4.5 m apart: through the yard, into walls, trees and each other.
fn in_town(town: &Landmarks) -> Walkers {
    let starts = (0..1_000).map(|number| {
        let (x, y) = ((number % 32) as f32 * 4.5, (number / 32) as f32 * 4.5);
        let mut start = moved(town.spawn, x - 70.0, y - 55.0);
        start.frame.set_heading((number * 67 % 360) as f32);
        start
    });
    let circle = [MotionCommand::WALK_FORWARD, MotionCommand::TURN_RIGHT];
    Walkers::new(starts.collect(), &circle, MoverFlags::empty())
}

/// Returns the cost of a line of sight, of the ground below a point and of a place to stand, in nanoseconds, for points that
/// are up to 30 m apart in the yard and the house.
fn questions(town: &Landmarks) -> [f64; 3] {
    let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town loads");
    let centres = [town.spawn, town.hall, town.loft, town.ramp_foot, town.cellar];
    let points: Vec<CellPosition> = (0..1_000)
        .map(|number| {
            let offset = |step: usize, width: usize| (number * step % width) as f32 / 10.0;
            let mut point = moved(centres[number % 5], offset(37, 60) - 3.0, offset(53, 60) - 3.0);
            point.frame.origin.z += 1.5;
            point
        })
        .collect();
    let measure = |ask: &dyn Fn(&CellPosition, &CellPosition) -> bool| {
        let mut costs: Vec<f64> = (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                for pair in points.windows(2) {
                    std::hint::black_box(ask(&pair[0], &pair[1]));
                }
                start.elapsed().as_secs_f64() * 1e9 / (points.len() - 1) as f64
            })
            .collect();
        costs.sort_by(f64::total_cmp);
        costs[costs.len() / 2]
    };
    let human = Shape::human();
    [
        measure(&|from, to| scene.line_of_sight(from, to).is_ok()),
        measure(&|from, _| scene.ground_at(from).is_some()),
        measure(&|from, _| scene.can_stand_at(&human, from).is_ok()),
    ]
}

fn main() {
    let town = landmarks();
    let [sight, ground, stand] = questions(&town);
    println!(
        "a line of sight: {sight:.0} ns; the ground below: {ground:.0} ns; a place to stand: {stand:.0} ns"
    );
    let (median, best) = on_land(&town).measure(usize::MAX);
    println!("walking on land: {median:.0} ns a tick, best {best:.0} (budget 1,000)");
    let mut stairs = on_stairs(&town);
    let (median, best) = stairs.measure(3);
    let risen = stairs.centre().z - town.stairs_foot.frame.origin.z;
    println!(
        "walking up stairs inside a house: {median:.0} ns a tick, best {best:.0} (budget 5,000); {risen:.2} m up"
    );
    let (median, best) = in_town(&town).measure(usize::MAX);
    println!("1,000 walkers in the town: {:.3} ms a tick, best {:.3} (budget 3)", median * 1e-3, best * 1e-3);
}
