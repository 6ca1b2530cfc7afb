//! The *full* mode of the crowd workload: the whole tick of entities that walk, run, turn and act on level ground,
//! moved by the velocities of a motion table like the workload's. Prints nanoseconds per entity and tick (median of the
//! runs) and bytes per entity.
//!
//! `cargo bench -p acmotion --bench full`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use acmotion::components::{Entity, Events, MovementParams, MovementRequest};
use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DataId, MotionData, MotionFlags, MotionTable,
};
use acmotion::scene::{InfinitePlane, Shape};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::{Animations, HookBuffer, Library, RemoteWeenie, Weenie};

const TICK: f64 = 1.0 / 30.0;
const RUNS: usize = 101;
/// The number of entity-ticks of a run.
const TICKS_PER_RUN: usize = 10_000;
/// The maximum number of actions an entity may have waiting.
const MAX_ACTIONS: usize = 2;
const COMMANDS: [MotionCommand; 7] = [
    MotionCommand::READY,
    MotionCommand::WALK_FORWARD,
    MotionCommand::WALK_FORWARD,
    MotionCommand::RUN_FORWARD,
    MotionCommand::TURN_RIGHT,
    MotionCommand::WAVE,
    MotionCommand::NOD,
];

/// Animations of 20 frames, without parts or hooks.
struct Clips;

impl Animations for Clips {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        Ok(Arc::new(Animation::new(id, None, vec![AnimationFrame::default(); 20])))
    }
}

/// One animation at 30 frames a second, with a velocity and a turn.
fn motion(animation: u32, flags: u8, velocity: f32, omega: f32) -> MotionData {
    let anim = AnimData { animation: DataId(0x0370_0000 + animation), low: 0, high: -1, framerate: 30.0 };
    MotionData {
        flags: MotionFlags::from_bits_retain(flags),
        padding: 0,
        anims: vec![anim],
        velocity: Some(Vec3::new(0.0, velocity, 0.0)),
        omega: Some(Vec3::new(0.0, 0.0, omega)),
        other_flags: 0,
    }
}

fn human_table() -> MotionTable {
    let key = |motion: MotionCommand| MotionCommand::NON_COMBAT.0 << 16 | motion.0 & 0xFF_FFFF;
    let (ready, walk, run) = (MotionCommand::READY, MotionCommand::WALK_FORWARD, MotionCommand::RUN_FORWARD);
    let turn = MotionCommand::TURN_RIGHT;
    let from_ready = [walk, run, MotionCommand::WAVE, MotionCommand::NOD];
    let links = from_ready.map(|to| (to.0, motion(to.0 & 0xF, 0, 0.0, 0.0)));
    let back = |from| (key(from), [(ready.0, motion(8, 0, 0.0, 0.0))].into_iter().collect());
    MotionTable {
        id: DataId(0x0970_0001),
        default_style: MotionCommand::NON_COMBAT,
        style_defaults: [(MotionCommand::NON_COMBAT.0, ready)].into_iter().collect(),
        cycles: [
            (key(ready), motion(0, 0, 0.0, 0.0)),
            (key(walk), motion(1, 0, 3.12, 0.0)),
            (key(run), motion(2, 0, 4.0, 0.0)),
            (key(turn), motion(3, 2, 0.0, -1.5)),
            (key(MotionCommand::FALLING), motion(4, 0, 0.0, 0.0)),
        ]
        .into_iter()
        .collect(),
        modifiers: [(turn.0 & 0xFF_FFFF, motion(3, 0, 0.0, -1.5))].into_iter().collect(),
        links: [(key(ready), links.into_iter().collect()), back(walk), back(run)].into_iter().collect(),
    }
}

struct Crowd {
    library: Library,
    entities: Vec<Entity>,
    events: Events,
    ground: InfinitePlane,
    now: f64,
    random: u32,
    hooks: HookBuffer,
}

impl Crowd {
    fn new(count: usize) -> Self {
        let mut library = Library::new();
        let table = library.add_table(&human_table(), &Clips);
        let weenie: Arc<dyn Weenie> = Arc::new(RemoteWeenie::Creature);
        let (mut events, ground) = (Events::with_capacity(1024), InfinitePlane::level(0.0));
        let entities = (0..count).map(|index| {
            let mut entity = Entity::new(Guid(index as u32 + 1), Some(table));
            entity.shape = Shape::human().into();
            entity.set_weenie(Some(Arc::clone(&weenie)));
            let mut act = entity.act(&library, 0.0, &mut events);
            act.enter_default_state();
            let origin = Vec3::new((index % 180) as f32 + 0.5, (index / 180 % 180) as f32 + 0.5, 0.0);
            act.enter_world(&CellPosition::at(CellId(0x7F7F_0001), origin), true, &ground);
            let walk = MovementRequest::Do(MotionCommand::WALK_FORWARD, MovementParams::default());
            let _ = act.perform(&walk);
            entity
        });
        let entities = entities.collect();
        Self { library, entities, events, ground, now: 0.0, random: 12_345, hooks: HookBuffer::new() }
    }

    fn random(&mut self) -> u32 {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.random >> 8
    }

    fn tick(&mut self) {
        self.now += TICK;
        self.events.clear();
        for index in 0..self.entities.len() {
            let command =
                self.random().is_multiple_of(30).then(|| COMMANDS[self.random() as usize % COMMANDS.len()]);
            let mut act = self.entities[index].act(&self.library, self.now, &mut self.events);
            let full = act.entity.interp.interpreted.actions().len() >= MAX_ACTIONS;
            if let Some(motion) = command.filter(|motion| !(full && motion.is_action())) {
                let _ = act.perform(&MovementRequest::Do(motion, MovementParams::default()));
            }
            act.update(None, &self.ground);
        }
    }

    /// Updates only the sequences, for comparison.
    fn only_play(&mut self) {
        self.hooks.clear();
        for entity in &mut self.entities {
            let mut offset = Frame::IDENTITY;
            entity.animator.update(&self.library, TICK as f32, Some(&mut offset), Some(&mut self.hooks));
            black_box(offset);
        }
    }
}

/// Returns nanoseconds per entity and call: the median of the runs, and the minimum. Runs are short, so that on a busy
/// machine most of them are not interrupted.
fn measure(crowd: &mut Crowd, mut work: impl FnMut(&mut Crowd)) -> (f64, f64) {
    let count = crowd.entities.len();
    let ticks = (TICKS_PER_RUN / count).max(1);
    let mut nanoseconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            for _ in 0..ticks {
                work(crowd);
            }
            begun.elapsed().as_nanos() as f64 / (ticks * count) as f64
        })
        .collect();
    nanoseconds.sort_by(f64::total_cmp);
    (nanoseconds[RUNS / 2], nanoseconds[0])
}

fn main() {
    for count in [1_000, 10_000] {
        let mut crowd = Crowd::new(count);
        for _ in 0..60 {
            crowd.tick();
        }
        let (full, best) = measure(&mut crowd, Crowd::tick);
        let bytes = crowd.entities.iter().map(Entity::size_in_memory).sum::<usize>() / count;
        let (sequence, best_sequence) = measure(&mut crowd, Crowd::only_play);
        black_box(&crowd.entities);
        println!(
            "full, {count} entities: {full:.1} ns per entity-tick (best {best:.1}), of which the sequence {sequence:.1} \
             (best {best_sequence:.1}); {bytes} bytes each, {} of them inline",
            size_of::<Entity>()
        );
    }
}
