//! A world of remotes, each reported once a second: the cost of ticks with poses, and of one message. Budgets: for
//! 10,000 entities at most 1.4 ms a tick with poses of 30 parts on one core, at most 1 KiB each, at most 110 ns to
//! receive a message in a batch, and at most 40 ns a remote and tick for comfort. Creatures that chase a player cost at most twice as much as creatures that only walk. Also the cost
//! of what is shown between ticks, and of searches for entities.
//!
//! `cargo bench -p acmotion --bench world`

#[path = "support/remotes.rs"]
mod remotes;

use std::hint::black_box;
use std::time::{Duration, Instant};

use acmotion::components::MovementParams;
use acmotion::types::{CellId, MotionCommand};
use acmotion::{ComfortSettings, Matrix, PartPoses, Presentation, Settings, View, World};
use remotes::{HERD, Herd, PARTS, Remotes, TICK, TICKS_A_SECOND, assets, guid, position};

const RUNS: usize = 9;

/// Nanoseconds per entity and tick, and per message, in each second: all remotes step at the same time, so that a single tick
/// says little. Both the median and the minimum are of interest: on a busy machine the shortest second is the better measure.
#[derive(Default)]
struct Costs {
    tick: Vec<f64>,
    pose: Vec<f64>,
    receive: Vec<f64>,
}

impl Costs {
    /// Runs one second. In every tick all remotes are ticked and posed, then a thirtieth of them is reported.
    fn second(&mut self, remotes: &mut Remotes, count: usize) {
        let [mut tick, mut pose, mut receive] = [Duration::ZERO; 3];
        let mut received = 0;
        for _ in 0..TICKS_A_SECOND {
            tick += timed(|| remotes.tick());
            pose += timed(|| remotes.pose());
            let messages = remotes.reports();
            receive += timed(|| remotes.receive(&messages));
            received += messages.len();
            remotes.world.drain_events().for_each(drop);
        }
        let each = |spent: Duration, of: usize| spent.as_secs_f64() * 1e9 / of as f64;
        self.tick.push(each(tick, count * TICKS_A_SECOND));
        self.pose.push(each(pose, count * TICKS_A_SECOND));
        self.receive.push(each(receive, received));
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns nanoseconds per entity and tick of creatures: the median and the minimum.
fn herd(herd: Herd) -> (f64, f64) {
    let mut now = 10.0;
    let mut world = remotes::herd(herd, now);
    let mut second = || {
        let spent = timed(|| {
            for _ in 0..TICKS_A_SECOND {
                now += TICK;
                world.tick(now);
            }
        });
        world.drain_events().for_each(drop);
        spent.as_secs_f64() * 1e9 / (TICKS_A_SECOND * HERD) as f64
    };
    second();
    let seconds: Vec<f64> = (0..RUNS).map(|_| second()).collect();
    let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    (median(seconds), best)
}

/// The cost of what is shown between ticks, for a number of walkers, in nanoseconds each: keeping it in a tick, and a batch of
/// smooth and of retail poses. And the cost of a search for the walkers within 10 m of one.
fn presentation(count: usize) -> [f64; 4] {
    let mut worlds = [false, true].map(|presents_between_ticks| {
        let settings = Settings { presents_between_ticks, ..Settings::default() };
        let mut world = World::with_settings(assets(), settings);
        for number in 0..count {
            world.add_stand_in(guid(number), &position(number, 0.0), 10.0);
            world.act(guid(number), 10.0, |actor, _| {
                let _ = actor.do_interpreted_motion(MotionCommand::WALK_FORWARD, &MovementParams::default());
            });
        }
        world
    });
    let (mut now, mut matrices, mut bodies) = (10.0, vec![Matrix::default(); count * 32], Vec::new());
    let mut costs = [const { Vec::new() }; 5];
    for _ in 0..RUNS * TICKS_A_SECOND {
        now += TICK;
        let mut measure = |index: usize, cost: &mut dyn FnMut()| {
            let start = Instant::now();
            cost();
            costs[index].push(start.elapsed().as_secs_f64() * 1e9 / count as f64);
        };
        for (index, world) in worlds.iter_mut().enumerate() {
            measure(index, &mut || {
                world.tick(now);
            });
            world.drain_events().for_each(drop);
        }
        let world = &worlds[1];
        for (index, poses) in [(2, PartPoses::Smooth), (3, PartPoses::Retail)] {
            let view = View { poses, ..View::new(CellId(0xA9B4_0001), 0.4) };
            measure(index, &mut || {
                black_box(world.present_all(&view, &mut matrices, &mut bodies));
            });
        }
        measure(4, &mut || {
            for resident in world.entities() {
                black_box(world.who_is_within(&resident.position(), 10.0).count());
            }
        });
    }
    let [plain, kept, smooth, retail, search] = costs.map(median);
    [kept - plain, smooth, retail, search]
}

/// Returns what comfort costs, in nanoseconds a remote and tick: of remotes that run and are reported, and of remotes that stand.
/// The first of each is the median, the second that of the fastest ticks. Ticks with and without comfort take turns.
fn comfort(count: usize) -> [(f64, f64); 2] {
    [true, false].map(|runs| {
        let presentations = [Presentation::Faithful, Presentation::Comfort(ComfortSettings::default())];
        let mut sides = presentations.map(|presentation| {
            let mut remotes = Remotes::presented(count, presentation);
            if !runs {
                remotes.stop();
            }
            (remotes, Vec::new())
        });
        for _ in 0..RUNS * TICKS_A_SECOND {
            for (remotes, costs) in &mut sides {
                costs.push(timed(|| remotes.tick()).as_secs_f64() * 1e9 / count as f64);
                if runs {
                    let messages = remotes.reports();
                    remotes.receive(&messages);
                }
                remotes.world.drain_events().for_each(drop);
            }
        }
        let [plain, comfort] = sides.map(|(_, costs)| {
            let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
            (median(costs), best)
        });
        (comfort.0 - plain.0, comfort.1 - plain.1)
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    println!("parts of a body: {PARTS}");
    for count in [1_000, 10_000, 100_000] {
        let mut remotes = Remotes::new(count);
        let mut costs = Costs::default();
        (0..RUNS).for_each(|_| costs.second(&mut remotes, count));
        let bytes: usize = remotes.world.entities().map(|resident| resident.size_in_memory()).sum();
        let [tick, pose, receive] = [costs.tick, costs.pose, costs.receive].map(|costs| {
            let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
            (median(costs), best)
        });
        println!(
            "{count} remotes: tick {:.0} ns (best {:.0}) and pose {:.0} ns (best {:.0}) each, {:.2} ms in all (best {:.2}, \
             budget 1.4 ms for 10,000); receive {:.0} ns a message (best {:.0}, budget 110); {} bytes each (budget 1,024)",
            tick.0,
            tick.1,
            pose.0,
            pose.1,
            (tick.0 + pose.0) * count as f64 / 1e6,
            (tick.1 + pose.1) * count as f64 / 1e6,
            receive.0,
            receive.1,
            bytes / count
        );
    }
    let [kept, smooth, retail, search] = presentation(1_000);
    println!(
        "shown between ticks, 1,000 walkers: {kept:.0} ns a body and tick to keep it, {smooth:.0} ns a body smoothly, \
         {retail:.0} ns with whole key frames; a search within 10 m: {search:.0} ns"
    );
    for count in [1_000, 10_000] {
        let [running, standing] = comfort(count);
        println!(
            "comfort, {count} remotes: {:.0} ns (best {:.0}) a remote that runs and tick, {:.0} ns (best {:.0}) one that stands \
             (budget 40)",
            running.0, running.1, standing.0, standing.1
        );
    }
    let [standing, walking, chasing] = [Herd::Stands, Herd::Walks, Herd::Chases].map(herd);
    println!(
        "1,000 creatures: standing {:.0} ns (best {:.0}), walking {:.0} ns (best {:.0}), chasing {:.0} ns (best {:.0}) per \
         entity-tick, {:.2} times (budget 2)",
        standing.0,
        standing.1,
        walking.0,
        walking.1,
        chasing.0,
        chasing.1,
        chasing.0 / walking.0
    );
}
