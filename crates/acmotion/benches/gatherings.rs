//! The cost of a tick where many bodies are near each other, how it grows with their number, and what two threads gain:
//! players on one spot, a mob around one target, a chase of one target, walkers in the town and on level ground.
//!
//! `cargo bench -p acmotion --bench gatherings`
//!
//! With a name, a number of bodies and a number of ticks only that many ticks of one gathering are run, for a count of
//! instructions that other work on the machine does not disturb:
//!
//! `valgrind --tool=callgrind --toggle-collect='*measured_ticks*' BENCH_BINARY spot 1600 10`
//!
//! `cargo bench -p acmotion --bench gatherings -- --plot FILE.svg` draws how the minima grow, as in docs/performance.md.

#[path = "support/plot.rs"]
mod plot;

use std::sync::Arc;
use std::time::Instant;

use acmotion::components::{MovementParams, Order};
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::{MoverFlags, Scene};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{Settings, World};
use plot::Line;

const TICK: f64 = 0.033_334;
/// The number of ticks before anything is measured: 2 s, or 10 s after which a mob has arrived.
const WARM_UP: usize = 60;
const WARM_UP_WITH_TARGET: usize = 300;
const TICKS: usize = 300;
const TARGET: Guid = Guid(0x7000_0000);

/// A world full of bodies.
struct Gathering {
    world: World,
    now: f64,
    ticks: usize,
    /// The heading of the target changes every second, so that its pursuers need new courses.
    has_target: bool,
}

impl Gathering {
    fn on_level_ground() -> Self {
        Self { world: World::new(Assets::mannequin()), now: 10.0, ticks: 0, has_target: false }
    }

    fn in_town() -> Self {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town loads");
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        Self {
            world: World::with_settings(Assets::mannequin(), settings),
            now: 10.0,
            ticks: 0,
            has_target: false,
        }
    }

    fn add(&mut self, guid: Guid, start: &CellPosition, flags: MoverFlags, motions: &[MotionCommand]) {
        self.world.add_stand_in(guid, start, self.now);
        self.world.act(guid, self.now, |actor, _| {
            actor.entity.mover_flags = flags;
            for motion in motions {
                let _ = actor.do_interpreted_motion(*motion, &MovementParams::default());
            }
        });
    }

    /// Adds bodies in a square, `apart` metres from each other. They walk in circles.
    fn add_square(&mut self, centre: CellPosition, count: usize, apart: f32, flags: MoverFlags) {
        let side = (count as f32).sqrt().ceil() as usize;
        let along = |number: usize| (number as f32 - side as f32 / 2.0) * apart;
        for number in 0..count {
            let mut start = moved(centre, along(number % side), along(number / side));
            start.frame.set_heading((number * 67 % 360) as f32);
            let circle = [MotionCommand::WALK_FORWARD, MotionCommand::TURN_RIGHT];
            self.add(guid(number), &start, flags, &circle);
        }
    }

    /// Puts all bodies where one is.
    fn gather(&mut self, at: &CellPosition) {
        let guids: Vec<Guid> = self.world.entities().map(|entity| entity.guid()).collect();
        for guid in guids {
            self.world.act(guid, self.now, |actor, around| actor.set_position(at, true, around));
        }
    }

    /// Adds a target, and orders all bodies to go to it.
    fn add_target(&mut self, at: &CellPosition, motions: &[MotionCommand]) {
        let pursuers: Vec<Guid> = self.world.entities().map(|entity| entity.guid()).collect();
        self.add(TARGET, at, MoverFlags::IS_PLAYER, motions);
        for guid in pursuers {
            self.world.act(guid, self.now, |actor, _| actor.order(&Order::chase(TARGET)));
        }
        self.has_target = true;
    }

    fn tick(&mut self, tick: fn(&mut World, f64) -> bool) {
        self.ticks += 1;
        self.now += TICK;
        if self.has_target && self.ticks.is_multiple_of(30) {
            self.world.act(TARGET, self.now, |actor, _| {
                let frame = &mut actor.entity.body.position.frame;
                frame.set_heading((frame.heading() + 70.0) % 360.0);
            });
        }
        tick(&mut self.world, self.now);
        self.world.drain_events().for_each(drop);
    }

    fn warm_up(mut self) -> Self {
        let ticks = if self.has_target { WARM_UP_WITH_TARGET } else { WARM_UP };
        (0..ticks).for_each(|_| self.tick(World::tick));
        self
    }

    /// Returns the costs of ticks in milliseconds, sorted.
    fn measure(&mut self, tick: fn(&mut World, f64) -> bool, ticks: usize) -> Vec<f64> {
        let mut costs: Vec<f64> = (0..ticks)
            .map(|_| {
                let start = Instant::now();
                self.tick(tick);
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        costs.sort_by(f64::total_cmp);
        costs
    }
}

fn guid(number: usize) -> Guid {
    Guid(0x5000_0000 + number as u32)
}

fn moved(mut position: CellPosition, east: f32, north: f32) -> CellPosition {
    position.frame.origin += Vec3::new(east, north, 0.0);
    position.adjusted_to_outside().unwrap_or(position)
}

/// Where level ground is crowded: the middle of a landblock.
fn field() -> CellPosition {
    CellPosition::at(CellId(0xA9B4_0025), Vec3::new(96.0, 96.0, 94.0))
}

/// Returns a gathering by its name; `None` if there is none of that name.
fn gathering(name: &str, count: usize) -> Option<Gathering> {
    let spawn = landmarks().spawn;
    let mut gathering =
        if matches!(name, "flat" | "chase") { Gathering::on_level_ground() } else { Gathering::in_town() };
    match name {
        "spot" => {
            // Players pass through each other only once they are known as players, so they come here one after the other.
            gathering.add_square(spawn, count, 1.0, MoverFlags::IS_PLAYER);
            gathering.gather(&spawn);
        }
        "spread" => gathering.add_square(spawn, count, 4.5, MoverFlags::empty()),
        "dense" => gathering.add_square(spawn, count, 1.0, MoverFlags::empty()),
        "mob" => {
            gathering.add_square(spawn, count, 1.0, MoverFlags::empty());
            gathering.add_target(&spawn, &[]);
        }
        "flat" => gathering.add_square(field(), count, 1.9, MoverFlags::empty()),
        "chase" => {
            gathering.add_square(field(), count, 1.0, MoverFlags::empty());
            gathering.add_target(&field(), &[MotionCommand::RUN_FORWARD]);
        }
        _ => return None,
    }
    Some(gathering)
}

#[inline(never)]
fn measured_ticks(gathering: &mut Gathering, ticks: usize) {
    (0..ticks).for_each(|_| gathering.tick(World::tick));
}

/// Prints the cost of a gathering of several sizes, and by which power of their number it grows. Returns the minima.
fn print_growth(name: &'static str, counts: &[usize]) -> Line {
    let mut previous: Option<(usize, f64)> = None;
    let mut line = Line { name, points: Vec::new() };
    for count in counts {
        let Some(gathering) = gathering(name, *count) else { break };
        let costs = gathering.warm_up().measure(World::tick, TICKS);
        let (best, median) = (costs[0], costs[costs.len() / 2]);
        let slope = previous.map(|(fewer, cost)| (median / cost).ln() / (*count as f64 / fewer as f64).ln());
        println!(
            "{name} {count}: median {median:.3} ms, best {best:.3}, 95 % {:.3}, slope {:.2}",
            costs[costs.len() * 95 / 100],
            slope.unwrap_or(f64::NAN)
        );
        previous = Some((*count, median));
        line.points.push((*count as f64, best));
    }
    line
}

/// Prints what two threads gain: one tick on one thread after one on two, so that other work disturbs both alike.
fn print_threads(pool: &rayon::ThreadPool, name: &str, count: usize) {
    let Some(gathering) = gathering(name, count) else { return };
    let mut gathering = gathering.warm_up();
    let mut costs = [const { Vec::new() }; 2];
    for _ in 0..TICKS {
        costs[0].extend(gathering.measure(World::tick, 1));
        costs[1].extend(pool.install(|| gathering.measure(World::tick_parallel, 1)));
    }
    costs.iter_mut().for_each(|costs| costs.sort_by(f64::total_cmp));
    let [one, two] = [&costs[0], &costs[1]].map(|costs| (costs[0], costs[TICKS / 2]));
    println!(
        "{name} {count}, two threads: best {:.3} → {:.3} ms, {:.2} ×; median {:.3} → {:.3} ms, {:.2} ×",
        one.0,
        two.0,
        one.0 / two.0,
        one.1,
        two.1,
        one.1 / two.1
    );
}

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [name, count, ticks] = arguments.as_slice() {
        let numbers = (count.parse().unwrap_or(1_000), ticks.parse().unwrap_or(10));
        return match gathering(name, numbers.0) {
            Some(gathering) => measured_ticks(&mut gathering.warm_up(), numbers.1),
            None => println!("there is no gathering called {name}"),
        };
    }
    let plot = arguments.iter().position(|argument| argument == "--plot");
    let file = plot.map(|at| arguments.drain(at..).nth(1).unwrap_or_else(|| "growth.svg".to_owned()));
    let is_wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|wanted| wanted == name);
    let growth: [(&str, &[usize]); 6] = [
        ("spot", &[100, 400, 1_600]),
        ("spread", &[60, 250, 1_000]),
        ("dense", &[60, 250, 1_000]),
        ("mob", &[125, 500, 1_000]),
        ("chase", &[100, 1_000, 10_000]),
        ("flat", &[100, 1_000, 10_000]),
    ];
    let wanted = growth.iter().filter(|(name, _)| is_wanted(name));
    let lines: Vec<Line> = wanted.map(|(name, counts)| print_growth(name, counts)).collect();
    if let Some(file) = file {
        match std::fs::write(&file, plot::svg(&lines)) {
            Ok(()) => println!("drawn in {file}"),
            Err(error) => println!("{file}: {error}"),
        }
    } else if is_wanted("threads") {
        // This thread is one of the two, as `World::tick_parallel` advises.
        match rayon::ThreadPoolBuilder::new().num_threads(2).use_current_thread().build() {
            Ok(pool) => [("flat", 10_000), ("spread", 1_000), ("dense", 1_000), ("mob", 1_000)]
                .iter()
                .for_each(|(name, count)| print_threads(&pool, name, *count)),
            Err(error) => println!("two threads cannot be started: {error}"),
        }
    }
}
