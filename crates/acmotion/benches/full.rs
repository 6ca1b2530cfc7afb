//! The *full* mode of the crowd workload as far as it goes: the whole tick of entities of the mannequin's kind that walk,
//! run, turn and act on level ground. Says nanoseconds per entity-tick (median of the runs), bytes per entity.
//!
//! `cargo bench -p acmotion --bench full`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use acmotion::Library;
use acmotion::body::{InfinitePlane, Shape};
use acmotion::dat::{Assets, mannequin};
use acmotion::entity::{Entity, Events};
use acmotion::interp::{MovementParams, MovementRequest, RemoteWeenie, Weenie};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};

const TICK: f64 = 1.0 / 30.0;
const RUNS: usize = 9;
const COMMANDS: [MotionCommand; 7] = [
    MotionCommand::READY,
    MotionCommand::WALK_FORWARD,
    MotionCommand::WALK_FORWARD,
    MotionCommand::RUN_FORWARD,
    MotionCommand::TURN_RIGHT,
    MotionCommand::WAVE,
    MotionCommand::NOD,
];

struct Crowd {
    library: Library,
    entities: Vec<Entity>,
    events: Events,
    ground: InfinitePlane,
    now: f64,
    random: u32,
}

impl Crowd {
    fn new(count: usize) -> Self {
        let assets = Assets::mannequin();
        let mut library = Library::new();
        let table = library.load_table(&assets, mannequin::HUMAN_TABLE).expect("the mannequin has a table");
        let weenie: Arc<dyn Weenie> = Arc::new(RemoteWeenie::Creature);
        let (mut events, ground) = (Events::with_capacity(1024), InfinitePlane::level(0.0));
        let entities = (0..count).map(|index| {
            let mut entity = Entity::new(Guid(index as u32 + 1), Some(table));
            entity.shape = Shape::human();
            entity.set_weenie(Some(Arc::clone(&weenie)));
            let mut act = entity.act(&library, 0.0, &mut events);
            act.enter_default_state();
            let place = Vec3::new((index % 180) as f32 + 0.5, (index / 180 % 180) as f32 + 0.5, 0.0);
            act.enter_world(&CellPosition::at(CellId(0x7F7F_0001), place), true, &ground);
            let walk = MovementRequest::Do(MotionCommand::WALK_FORWARD, MovementParams::default());
            let _ = act.perform(&walk);
            entity
        });
        let entities = entities.collect();
        Self { library, entities, events, ground, now: 0.0, random: 12_345 }
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
                (self.random() % 30 == 0).then(|| COMMANDS[self.random() as usize % COMMANDS.len()]);
            let mut act = self.entities[index].act(&self.library, self.now, &mut self.events);
            if let Some(motion) = command {
                let _ = act.perform(&MovementRequest::Do(motion, MovementParams::default()));
            }
            act.update(None, &self.ground);
        }
    }
}

fn main() {
    for count in [1_000, 10_000] {
        let mut crowd = Crowd::new(count);
        let ticks = 1_000_000 / count;
        for _ in 0..60 {
            crowd.tick();
        }
        let mut nanoseconds: Vec<f64> = (0..RUNS)
            .map(|_| {
                let begun = Instant::now();
                for _ in 0..ticks {
                    crowd.tick();
                }
                begun.elapsed().as_nanos() as f64 / (ticks * count) as f64
            })
            .collect();
        nanoseconds.sort_by(f64::total_cmp);
        let bytes = crowd.entities.iter().map(Entity::size_in_memory).sum::<usize>() / count;
        let standing = crowd.entities.iter().filter(|entity| entity.body.is_standing()).count();
        black_box(&crowd.entities);
        println!(
            "full, {count} entities: {:.1} ns per entity-tick (best {:.1}), {bytes} bytes each, {standing} standing",
            nanoseconds[RUNS / 2],
            nanoseconds[0]
        );
    }
}
