//! A world of remotes, each reported once a second: the cost of ticks with poses, and of one message. Budgets: for
//! 10,000 entities at most 2.5 ms a tick with poses on one core, at most 1 KiB each, at most 200 ns to receive a
//! message. Creatures that chase a player cost at most twice as much as creatures that only walk. Also the cost of what is
//! shown between ticks, and of searches for entities.
//!
//! `cargo bench -p acmotion --bench world`

use std::hint::black_box;
use std::time::{Duration, Instant};

use acmotion::components::{MovementParams, Order};
use acmotion::dat::{Assets, mannequin};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionFlags, PositionPack,
    S2C, UpdateMotion, UpdatePosition, WireBool,
};
use acmotion::{Matrix, PartPoses, Settings, View, World};

const TICK: f64 = 0.033_334;
const TICKS_A_SECOND: usize = 30;
const RUNS: usize = 9;
/// The distance that a remote runs in a tick: 6 m a second.
const METRES_A_TICK: f32 = 0.2;

fn guid(number: usize) -> Guid {
    Guid(0x5000_0000 + number as u32)
}

/// The position of a remote that has run `run` metres.
fn position(number: usize, run: f32) -> CellPosition {
    let (x, y) = ((number % 100) as f32 * 1.9, (number / 100 % 100) as f32 * 1.9);
    let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y + run, 94.0));
    position.adjusted_to_outside().unwrap_or(position)
}

fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

fn report(number: usize, run: f32, stamp: u16) -> Vec<u8> {
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: position(number, run),
        velocity: None,
        placement: None,
        instance: Stamp(0),
        position_stamp: Stamp(stamp),
        teleport: Stamp(0),
        force_position: Stamp(0),
    };
    encoded(UpdatePosition { guid: guid(number), pack })
}

fn run_forward(number: usize) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(1.5),
        ..InterpretedState::default()
    };
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(1),
        server_control: Stamp(0),
        autonomous: WireBool::from(true),
        pad: Pad::ZERO,
        movement,
    };
    encoded(UpdateMotion { guid: guid(number), instance: Stamp(0), data })
}

struct Crowd {
    world: World,
    count: usize,
    now: f64,
    /// The distance that every remote has run, in metres.
    run: f32,
    stamp: u16,
}

/// The cost of one second.
#[derive(Default)]
struct Cost {
    tick: Duration,
    pose: Duration,
    receive: Duration,
}

impl Crowd {
    fn new(count: usize) -> Self {
        let mut world = World::new(Assets::mannequin());
        for number in 0..count {
            world.add_stand_in(guid(number), &position(number, 0.0), 10.0);
        }
        let mut crowd = Self { world, count, now: 10.0, run: 0.0, stamp: 1 };
        for number in 0..count {
            let _ = crowd.world.receive(&run_forward(number), crowd.now);
        }
        crowd.second();
        crowd.second();
        crowd
    }

    /// Runs one second. In every tick all remotes are ticked and posed, then a thirtieth of them is reported.
    fn second(&mut self) -> Cost {
        let mut cost = Cost::default();
        let mut parts = [Matrix::default(); 32];
        self.stamp = self.stamp.wrapping_add(1);
        for tick in 0..TICKS_A_SECOND {
            self.now += TICK;
            let start = Instant::now();
            self.world.tick(self.now);
            cost.tick += start.elapsed();
            let start = Instant::now();
            for resident in self.world.entities() {
                black_box(resident.pose(self.world.library(), &mut parts));
            }
            cost.pose += start.elapsed();
            self.run += METRES_A_TICK;
            let messages: Vec<_> = (tick..self.count)
                .step_by(TICKS_A_SECOND)
                .map(|number| report(number, self.run, self.stamp))
                .collect();
            let start = Instant::now();
            for message in &messages {
                let _ = black_box(self.world.receive(message, self.now));
            }
            cost.receive += start.elapsed();
            self.world.drain_events().for_each(drop);
        }
        cost
    }
}

/// 1,000 creatures and 10 running players. Each creature walks, or chases a player. Returns nanoseconds per entity and
/// tick.
fn herd(chasing: bool) -> f64 {
    const CREATURES: usize = 1_000;
    const PLAYERS: usize = 10;
    let mut world = World::new(Assets::mannequin());
    let mut now = 10.0;
    for number in 0..CREATURES + PLAYERS {
        world.add_stand_in(guid(number), &position(number, 0.0), now);
    }
    for number in 0..CREATURES + PLAYERS {
        let target = guid(CREATURES + number % PLAYERS);
        world.act(guid(number), now, |actor, _| {
            if chasing && number < CREATURES {
                actor.order(&Order::MoveToObject { object: target, params: MovementParams::default() });
            } else {
                let speed = if number < CREATURES { 1.0 } else { 1.5 };
                let walk = MovementParams { speed, ..MovementParams::default() };
                let _ = actor.do_interpreted_motion(MotionCommand::WALK_FORWARD, &walk);
            }
        });
    }
    let mut second = || {
        let start = Instant::now();
        for _ in 0..TICKS_A_SECOND {
            now += TICK;
            world.tick(now);
        }
        let spent = start.elapsed();
        world.drain_events().for_each(drop);
        spent.as_secs_f64() * 1e9 / (TICKS_A_SECOND * (CREATURES + PLAYERS)) as f64
    };
    second();
    median((0..RUNS).map(|_| second()).collect())
}

/// The cost of what is shown between ticks, for a number of walkers, in nanoseconds each: keeping it in a tick, and a batch of
/// smooth and of retail poses. And the cost of a search for the walkers within 10 m of one.
fn presentation(count: usize) -> [f64; 4] {
    let mut worlds = [false, true].map(|presents_between_ticks| {
        let settings = Settings { presents_between_ticks, ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    println!(
        "parts of a human: {}",
        Assets::mannequin().setup(mannequin::HUMAN_SETUP).map_or(0, |s| s.parts.len())
    );
    for count in [1_000, 10_000] {
        let mut crowd = Crowd::new(count);
        let costs: Vec<Cost> = (0..RUNS).map(|_| crowd.second()).collect();
        let per_tick = |pick: fn(&Cost) -> Duration| {
            median(costs.iter().map(|cost| pick(cost).as_secs_f64() * 1e3 / TICKS_A_SECOND as f64).collect())
        };
        let (tick, pose) = (per_tick(|cost| cost.tick), per_tick(|cost| cost.pose));
        let receive =
            median(costs.iter().map(|cost| cost.receive.as_secs_f64() * 1e9 / count as f64).collect());
        let bytes: usize = crowd.world.entities().map(|resident| resident.size_in_memory()).sum();
        println!(
            "{count} remotes: tick {tick:.3} ms + poses {pose:.3} ms a tick (budget 2.5 ms for 10,000), \
             {:.0} ns per entity-tick, receive {receive:.0} ns a message (budget 200), {} bytes each (budget 1,024)",
            (tick + pose) * 1e6 / count as f64,
            bytes / count
        );
    }
    let [kept, smooth, retail, search] = presentation(1_000);
    println!(
        "shown between ticks, 1,000 walkers: {kept:.0} ns a body and tick to keep it, {smooth:.0} ns a body smoothly, \
         {retail:.0} ns with whole key frames; a search within 10 m: {search:.0} ns"
    );
    let (walking, chasing) = (herd(false), herd(true));
    println!(
        "1,000 creatures: walking {walking:.0} ns, chasing {chasing:.0} ns per entity-tick, {:.2} times (budget 2)",
        chasing / walking
    );
}
