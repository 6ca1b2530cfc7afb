//! Worlds of remotes and creatures, and the messages about them.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::hint::black_box;

use acmotion::components::{MovementParams, Order};
use acmotion::dat::{
    Animation, AnimationFrame, Assets, BlockSize, Dat, DatError, DatWriter, DataSet, ObjectKind, mannequin,
};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionFlags, PositionPack,
    S2C, UpdateMotion, UpdatePosition, WireBool,
};
use acmotion::{EntitySpec, Matrix, Presentation, Settings, World};

pub(crate) const TICK: f64 = 0.033_334;
pub(crate) const TICKS_A_SECOND: usize = 30;
/// The number of parts of a human of the game.
pub(crate) const PARTS: usize = 30;
/// The distance that a remote runs in a tick: 6 m a second.
const METRES_A_TICK: f32 = 0.2;

/// Returns the built-in data with as many parts in every animation as a human of the game has. The mannequin has fewer;
/// its parts are repeated.
pub(crate) fn assets() -> Assets {
    with_all_parts().expect("the built-in file is valid")
}

fn with_all_parts() -> Result<Assets, DatError> {
    let mannequin = Assets::mannequin();
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    for entry in mannequin.dat().entries() {
        let entry = entry?;
        if mannequin.dat().kind_of(entry.id) == ObjectKind::Animation {
            writer.add_object(&with_parts(&*mannequin.animation(entry.id)?));
        } else {
            writer.add(entry.id, mannequin.dat().read(&entry)?.into_owned());
        }
    }
    let bytes = writer.finish().expect("the file is small");
    Dat::from_bytes(bytes).map(Assets::new)
}

fn with_parts(animation: &Animation) -> Animation {
    let frames = (0..animation.frame_count()).map(|frame| AnimationFrame {
        parts: animation.pose(frame).iter().copied().cycle().take(PARTS).collect(),
        hooks: animation.hooks(frame).to_vec(),
    });
    let positions = animation.position_frames();
    Animation::new(animation.id(), (!positions.is_empty()).then(|| positions.to_vec()), frames.collect())
}

pub(crate) fn guid(number: usize) -> Guid {
    Guid(0x5000_0000 + number as u32)
}

/// The position of a remote that has run `run` metres.
pub(crate) fn position(number: usize, run: f32) -> CellPosition {
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
    announced(number, state, 1)
}

fn announced(number: usize, state: InterpretedState<'_>, stamp: u16) -> Vec<u8> {
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(0),
        autonomous: WireBool::from(true),
        pad: Pad::ZERO,
        movement,
    };
    encoded(UpdateMotion { guid: guid(number), instance: Stamp(0), data })
}

/// Remotes that run, each reported once a second.
pub(crate) struct Remotes {
    pub(crate) world: World,
    count: usize,
    pub(crate) now: f64,
    /// The distance that every remote has run, in metres.
    run: f32,
    stamp: u16,
    /// The number of ticks in this second.
    tick: usize,
}

impl Remotes {
    /// Creates remotes that have run for two seconds.
    pub(crate) fn new(count: usize) -> Self {
        Self::presented(count, Presentation::Faithful)
    }

    /// Creates remotes that have run for two seconds and are shown in some way, over a round trip of 0.2 s.
    pub(crate) fn presented(count: usize, presentation: Presentation) -> Self {
        let mut world = World::with_settings(assets(), Settings { presentation, ..Settings::default() });
        world.set_round_trip(Some(0.2));
        for number in 0..count {
            world.add_stand_in(guid(number), &position(number, 0.0), 10.0);
        }
        let mut remotes = Self { world, count, now: 10.0, run: 0.0, stamp: 1, tick: 0 };
        for number in 0..count {
            let _ = remotes.world.receive(&run_forward(number), remotes.now);
        }
        for _ in 0..2 * TICKS_A_SECOND {
            remotes.tick();
            let reports = remotes.reports();
            remotes.receive(&reports);
            remotes.world.drain_events().for_each(drop);
        }
        remotes
    }

    /// Lets every remote stop, and waits until it stands.
    pub(crate) fn stop(&mut self) {
        for number in 0..self.count {
            let _ = self.world.receive(&announced(number, InterpretedState::default(), 2), self.now);
        }
        for _ in 0..5 * TICKS_A_SECOND {
            self.tick();
            let messages: Vec<_> =
                (0..self.count).map(|number| report(number, self.run, self.stamp)).collect();
            self.receive(&messages);
            self.stamp = self.stamp.wrapping_add(1);
            self.world.drain_events().for_each(drop);
        }
    }

    /// Ticks the world.
    pub(crate) fn tick(&mut self) {
        self.now += TICK;
        self.world.tick(self.now);
    }

    /// Poses every remote.
    pub(crate) fn pose(&self) {
        let mut parts = [Matrix::default(); PARTS];
        for resident in self.world.entities() {
            black_box(resident.pose(self.world.library(), &mut parts));
        }
    }

    /// Returns the reports that arrive after a tick, about a thirtieth of the remotes.
    pub(crate) fn reports(&mut self) -> Vec<Vec<u8>> {
        self.run += METRES_A_TICK;
        let first = self.tick;
        self.tick = (self.tick + 1) % TICKS_A_SECOND;
        if first == 0 {
            self.stamp = self.stamp.wrapping_add(1);
        }
        let numbers = (first..self.count).step_by(TICKS_A_SECOND);
        numbers.map(|number| report(number, self.run, self.stamp)).collect()
    }

    /// Receives messages together.
    pub(crate) fn receive(&mut self, messages: &[Vec<u8>]) {
        let _ = black_box(self.world.receive_all(messages.iter().map(Vec::as_slice), self.now));
    }

    /// Receives messages one by one.
    pub(crate) fn receive_one_by_one(&mut self, messages: &[Vec<u8>]) {
        for message in messages {
            let _ = black_box(self.world.receive(message, self.now));
        }
    }
}

/// The number of entities of a [`herd`].
pub(crate) const HERD: usize = CREATURES + PLAYERS;
const CREATURES: usize = 1_000;
const PLAYERS: usize = 10;

/// What the creatures of a [`herd`] do.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Herd {
    Stands,
    Walks,
    /// Each creature chases one of ten running players.
    Chases,
}

/// Creates 1,000 creatures and 10 running players, which stand with the creatures.
pub(crate) fn herd(herd: Herd, now: f64) -> World {
    let mut world = World::new(assets());
    for number in 0..HERD {
        world.add_stand_in(guid(number), &position(number, 0.0), now);
    }
    for number in (0..HERD).filter(|_| herd != Herd::Stands) {
        let target = guid(CREATURES + number % PLAYERS);
        world.act(guid(number), now, |actor, _| {
            if herd == Herd::Chases && number < CREATURES {
                actor.order(&Order::MoveToObject { object: target, params: MovementParams::default() });
            } else {
                let speed = if number < CREATURES { 1.0 } else { 1.5 };
                let walk = MovementParams { speed, ..MovementParams::default() };
                let _ = actor.do_interpreted_motion(MotionCommand::WALK_FORWARD, &walk);
            }
        });
    }
    world
}

/// Creates a world of objects that are in no cell, such as what is in packs and shops.
pub(crate) fn stored(count: usize) -> World {
    let mut world = World::new(assets());
    for number in 0..count {
        let spec = EntitySpec { position: None, ..EntitySpec::item(guid(number), mannequin::SWORD_SETUP) };
        world.spawn(&spec, 10.0).expect("there is room for it");
    }
    world
}
