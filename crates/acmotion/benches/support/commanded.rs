//! Entities that walk, run, turn and act on level ground, moved by the velocities of a motion table like that of the
//! crowd workload, each reported once a second: mode *full* of the workload.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::hint::black_box;
use std::sync::Arc;

use acmotion::components::{Entity, Events, MovementParams, MovementRequest};
use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DataId, MotionData, MotionFlags, MotionTable,
};
use acmotion::explain::ConstraintRange;
use acmotion::scene::{InfinitePlane, Shape};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::{Animations, HookBuffer, Library, RemoteWeenie, Weenie};

const TICK: f64 = 1.0 / 30.0;
const TICKS_A_SECOND: usize = 30;
/// The distance between a body and where it is reported to be, in metres: a few ticks of walking.
const REPORTED_AHEAD: f32 = 0.3;
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

pub(crate) struct Crowd {
    library: Library,
    pub(crate) entities: Vec<Entity>,
    events: Events,
    ground: InfinitePlane,
    now: f64,
    ticks: usize,
    random: u32,
    hooks: HookBuffer,
}

impl Crowd {
    /// Creates walking entities.
    pub(crate) fn new(count: usize) -> Self {
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
        let hooks = HookBuffer::new();
        Self { library, entities, events, ground, now: 0.0, ticks: 0, random: 12_345, hooks }
    }

    fn random(&mut self) -> u32 {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.random >> 8
    }

    /// Ticks every entity; a thirtieth of them is reported a little ahead of where it is.
    pub(crate) fn tick(&mut self) {
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
            act.update_on_plane(None, &self.ground);
        }
        for entity in self.entities.iter_mut().skip(self.ticks % TICKS_A_SECOND).step_by(TICKS_A_SECOND) {
            report_ahead(entity);
        }
        self.ticks += 1;
    }

    /// Updates only the sequences, for comparison.
    pub(crate) fn only_play(&mut self) {
        self.hooks.clear();
        for entity in &mut self.entities {
            let mut offset = Frame::IDENTITY;
            entity.animator.update(&self.library, TICK as f32, Some(&mut offset), Some(&mut self.hooks));
            black_box(offset);
        }
    }
}

/// Reports an entity ahead of where it is. What the message does after its stamps have been compared: the entity is to
/// go there, and is tied to it (rules D7, I4, I9).
fn report_ahead(entity: &mut Entity) {
    let own = entity.body.position;
    let mut reported = own;
    reported.frame.origin = own.frame.local_to_global(Vec3::new(0.0, REPORTED_AHEAD, 0.0));
    let reported = reported.adjusted_to_outside().unwrap_or(reported);
    let correction = &mut entity.correction;
    let _ = correction.interpolation.interpolate_to(reported, false, &own, 100.0);
    correction.constraint.constrain_to(&own, &own, ConstraintRange::of(own.cell));
}
