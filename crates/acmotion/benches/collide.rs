//! The cost of a swept tick in the mannequin's town. Budgets: at most 1 µs for a walker on land, at most 5 µs in the
//! house, at most 3 ms a tick for 1,000 walkers all over the town.
//!
//! `cargo bench -p acmotion --bench collide`

use std::time::Instant;

use acmotion::components::{Body, PhysicsState};
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town;
use acmotion::internals::body::{BodyHost, commit};
use acmotion::scene::{MoverFlags, NoObstacles, Scene, Shape, Surroundings, Touch};
use acmotion::types::{CellPosition, Guid, Vec3};

const RUNS: usize = 9;
const TICKS: usize = 300;
/// The displacement of a walker in a tick, in metres: 4 m a second.
const METRES_A_TICK: f32 = 0.13;

struct Walker {
    body: Body,
    heading: f32,
}

impl BodyHost for Walker {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

impl Walker {
    fn at(position: &CellPosition, number: usize, scene: &Scene, shape: &Shape) -> Self {
        let mut body = Body::new(*position);
        body.state.insert(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE);
        let mover = body.placement_mover(Guid(1), shape, MoverFlags::empty());
        let arrival = scene.place(&mover, position, true, &NoObstacles, &mut Vec::new());
        let mut walker = Self { body, heading: number as f32 * 2.4 };
        if let Ok(arrival) = arrival {
            commit(&mut walker, &arrival, &[], 0.0);
        }
        walker
    }

    fn tick(&mut self, scene: &Scene, shape: &Shape, touched: &mut Vec<Touch>) {
        let from = self.body.position;
        let mut to = from;
        let (sin, cos) = self.heading.sin_cos();
        to.frame.origin +=
            Vec3::new(sin, cos, if self.body.is_standing() { 0.0 } else { -1.0 }) * METRES_A_TICK;
        let mover = self.body.mover(Guid(1), shape, MoverFlags::empty());
        match scene.sweep(&mover, &from, &to, &NoObstacles, touched).arrival {
            Some(arrival) => commit(self, &arrival, touched, 0.0),
            // Head-on against a wall: turn.
            None => self.heading += 2.0,
        }
        // In circles, so that walkers stay where they were placed.
        self.heading += 0.05;
    }
}

/// Returns the cost of a walker and tick in nanoseconds: the median over the runs.
fn measure(scene: &Scene, starts: &[CellPosition], count: usize) -> f64 {
    let (shape, mut touched) = (Shape::human(), Vec::new());
    let start = |number: usize| &starts[number % starts.len()];
    let mut walkers: Vec<_> = (0..count).map(|n| Walker::at(start(n), n, scene, &shape)).collect();
    let mut runs: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            for _ in 0..TICKS {
                for walker in &mut walkers {
                    walker.tick(scene, &shape, &mut touched);
                }
            }
            begun.elapsed().as_secs_f64() * 1e9 / (TICKS * count) as f64
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    runs[RUNS / 2]
}

fn main() {
    let scene = match Scene::load(&Assets::mannequin(), &Assets::town()) {
        Ok(scene) => scene,
        Err(error) => return println!("the town cannot be loaded: {error}"),
    };
    let landmarks = town::landmarks();
    let everywhere: Vec<_> = landmarks.iter().map(|(_, position)| position).collect();
    println!("on the land    {:8.0} ns a tick (budget 1,000)", measure(&scene, &[landmarks.spawn], 10));
    println!("on a hill      {:8.0} ns a tick", measure(&scene, &[landmarks.hill_top], 10));
    println!("in the hall    {:8.0} ns a tick (budget 5,000)", measure(&scene, &[landmarks.hall], 10));
    println!("on the stairs  {:8.0} ns a tick", measure(&scene, &[landmarks.stairs_foot], 10));
    let crowd = measure(&scene, &everywhere, 1_000);
    println!("1,000 in town  {crowd:8.0} ns a tick each, {:.2} ms all (budget 3)", crowd * 1e-3);
}
