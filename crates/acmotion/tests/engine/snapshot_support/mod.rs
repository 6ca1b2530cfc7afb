//! Worlds that hold every kind of state, and what happens to them tick by tick.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::sync::Arc;

use acmotion::components::{MovementParams, Order};
use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{
    Animation, AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Hook, HookDirection,
    HookEffect, PhysicsScript, ScriptHook, Setup, Sphere,
};
use acmotion::scene::Surroundings;
use acmotion::types::{Frame, Guid, MotionCommand, Vec3};
use acmotion::wire::{
    CombatMode, MoveFlags, ObjectStamps, PhysicsDesc, PhysicsState, PlayScriptId, WeenieDesc,
};
use acmotion::{Event, Identity, PlayerWeenie, RestoreError, Settings, World};

use crate::town_support::{self, CHARACTER, CREATURE, DOOR, beside, facing, town_scene};
use crate::world_support::{
    PLAYER, TICK, at, create, delete, describe, digest, encode, held_item, motion, position, running, vector,
};

type Around = Option<Arc<dyn Surroundings + Send + Sync>>;

/// A world, and what is done to it before each tick. It depends on nothing but the tick.
#[derive(Clone)]
pub(crate) struct Story {
    pub(crate) world: World,
    pub(crate) tick: u32,
    assets: fn() -> Assets,
    surroundings: Around,
    before: fn(&mut World, u32, f64),
    events: Vec<Event>,
}

impl Story {
    fn new(assets: fn() -> Assets, settings: Settings, before: fn(&mut World, u32, f64)) -> Self {
        let surroundings = settings.surroundings.clone();
        let world = World::with_settings(assets(), settings);
        Self { world, tick: 0, assets, surroundings, before, events: Vec::new() }
    }

    /// Advances by a tick. Returns the digest of the visible state and the events.
    pub(crate) fn step(&mut self) -> Vec<u32> {
        let now = f64::from(self.tick) * TICK;
        (self.before)(&mut self.world, self.tick, now);
        self.world.advance(now);
        self.tick += 1;
        self.world.swap_events(&mut self.events);
        digest(&self.world, self.events.len())
    }

    pub(crate) fn run(mut self, ticks: u32) -> Self {
        (0..ticks).for_each(|_| drop(self.step()));
        self
    }

    /// The events of the last step.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The same story with a world that was restored from bytes.
    pub(crate) fn restored(&self, bytes: &[u8]) -> Result<Self, RestoreError> {
        let world = self.restore(bytes)?;
        Ok(Self { world, ..self.clone() })
    }

    pub(crate) fn restore(&self, bytes: &[u8]) -> Result<World, RestoreError> {
        World::restore(bytes, (self.assets)(), self.surroundings.clone())
    }
}

/// Sends a message of the server.
fn send(world: &mut World, bytes: &[u8]) {
    world.queue_message(bytes).unwrap();
}

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

/// Fifty runners with swords, reported once a second; some jump, some chase others, one is deleted and comes back, and
/// messages wait for objects that are created late or never.
pub(crate) fn crowd() -> Story {
    Story::new(Assets::mannequin, Settings::default(), |world, tick, now| {
        let second = (tick / 30) as u16;
        for number in 0..50 {
            let (guid, x, y) =
                (guid(number), 20.0 + 3.0 * (number % 10) as f32, 20.0 + 5.0 * (number / 10) as f32);
            if tick == 0 {
                send(world, &create(guid, &at(x, y), ObjectStamps::default(), None));
                send(world, &held_item(Guid(0x8000_0000 + number), guid));
            }
            if tick % 30 != number % 30 || number >= 47 {
                continue;
            }
            let reported = at(x, y + 3.5 * f32::from(second));
            send(world, &position(guid, &reported, 1 + second));
            let mut state = running(0.5 + number as f32 / 50.0);
            // Sidesteps and turns move by the velocity and omega of their motions.
            if number % 3 == 1 {
                state.sidestep_command = Some(MotionCommand::SIDE_STEP_RIGHT);
                state.forward_command = None;
            }
            if number % 4 == 1 {
                state.turn_command = Some(MotionCommand::TURN_RIGHT);
            }
            send(world, &motion(guid, state, 1 + second));
            if number % 7 == 3 {
                send(world, &vector(guid, Vec3::new(0.0, 3.0, 8.0), 1 + second));
            }
        }
        if tick % 90 == 20 {
            let order = Order::MoveToObject { object: guid(38), params: MovementParams::default() };
            world.act(guid(48), now, |actor, _| actor.order(&order));
            let mut params = MovementParams::default();
            params.flags.insert(MoveFlags::STICKY);
            let order = Order::MoveToObject { object: guid(47), params };
            world.act(guid(49), now, |actor, _| actor.order(&order));
        }
        if tick % 100 == 50 {
            send(world, &delete(guid(5), 0));
            send(world, &position(Guid(0x6000_0000 + tick), &at(50.0, 50.0), 1));
        }
        if tick % 100 == 60 {
            send(world, &create(guid(5), &at(50.0, 50.0), ObjectStamps::default(), None));
        }
    })
}

/// A player in the town, with keys, requests and jumps, among creatures that run into each other, and a door.
pub(crate) fn town() -> Story {
    let settings = Settings {
        player: Identity::Known(PLAYER),
        surroundings: Some(Arc::new(town_scene())),
        ..Settings::default()
    };
    Story::new(Assets::mannequin, settings, |world, tick, now| {
        let spawn = landmarks().spawn;
        if tick == 0 {
            send(world, &town_support::describe(PLAYER, &spawn, &CHARACTER));
            let weenie = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
            world.player_mut().set_weenie(weenie, now);
            for number in 0..16 {
                let (x, y) = ((number % 4) as f32 * 1.5 - 4.0, (number / 4) as f32 * 1.5 - 4.0);
                let start = facing(beside(spawn, x, y, 0.0), (number * 77 % 360) as f32);
                send(world, &town_support::describe(guid(number), &start, &CREATURE));
            }
            send(world, &town_support::describe(guid(99), &beside(spawn, 3.0, 3.0, 0.0), &DOOR));
        }
        if tick % 40 == 5 {
            for number in 0..16 {
                send(world, &motion(guid(number), running(0.4 + number as f32 / 20.0), 1 + tick as u16));
            }
        }
        let mut player = world.player_mut();
        // What is refused is refused in both worlds.
        match tick % 200 {
            20 => drop(player.walk_to(beside(spawn, 6.0, 2.0, 0.0), now)),
            80 => drop(player.press(MotionCommand::WALK_FORWARD, now)),
            95 => drop(player.press(MotionCommand::JUMP, now)),
            105 => drop(player.release(MotionCommand::JUMP, now)),
            120 => drop(player.release(MotionCommand::WALK_FORWARD, now)),
            140 => drop(player.use_object(guid(99), now)),
            141 => drop(player.emote(MotionCommand::WAVE, now)),
            160 => drop(player.set_stance(CombatMode::MELEE)),
            _ => {}
        }
    })
}

const GROW: DataId = DataId(0x3300_F001);
const MILL: DataId = DataId(0x0200_F001);
const CLIP: DataId = DataId(0x0300_F001);

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

/// A mill whose animation has hooks, and a script that makes a body larger for two seconds and then plays a sound.
fn effect_assets() -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let at = |start, effect| ScriptHook { start, hook: hook(effect) };
    let hooks = vec![
        at(0.5, HookEffect::Scale { end: 1.5, time: 2.0 }),
        at(3.0, HookEffect::SoundTable(2)),
        at(4.0, HookEffect::Scale { end: 1.0, time: 1.0 }),
    ];
    writer.add_object(&PhysicsScript { id: GROW, hooks });
    let frame = AnimationFrame {
        parts: vec![Frame::IDENTITY],
        hooks: vec![hook(HookEffect::SoundTable(1)), hook(HookEffect::SetOmega(Vec3::new(0.0, 0.0, 0.1)))],
    };
    writer.add_object(&Animation::new(CLIP, None, vec![frame; 10]));
    let spheres = vec![Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 }];
    let parts = vec![DataId(0x0100_F001)];
    writer.add_object(&Setup { id: MILL, parts, default_animation: CLIP, spheres, ..Setup::default() });
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// Bodies with held objects, missiles in flight, static mills whose hooks fire, and scripts and tweens under way, with
/// stand-ins for what the assets lack.
pub(crate) fn effects() -> Story {
    Story::new(effect_assets, Settings::default(), |world, tick, _| {
        if tick == 0 {
            for number in 0..6 {
                let start = at(40.0 + 4.0 * number as f32, 40.0);
                send(world, &create(guid(number), &start, ObjectStamps::default(), None));
                send(world, &held_item(Guid(0x8000_0000 + number), guid(number)));
                send(world, &object(Guid(0x7000_0000 + number), 50.0 + 4.0 * number as f32, None));
            }
        }
        if tick % 75 == 10 {
            let velocity = Vec3::new(6.0, 1.0, 7.0);
            send(world, &object(Guid(0x7100_0000 + tick), 30.0, Some(velocity)));
            for number in 0..6 {
                let script = PlayScriptId { guid: guid(number), script: GROW.0 };
                send(world, &encode(script));
            }
        }
        if tick % 90 == 30 {
            for number in 0..6 {
                send(world, &motion(guid(number), running(1.0), 1 + tick as u16));
            }
        }
        if tick % 120 == 100 {
            send(world, &held_item(Guid(0x8000_0000), guid((tick / 120) % 6)));
        }
    })
}

/// A mill, or one that was thrown.
fn object(guid: Guid, x: f32, velocity: Option<Vec3>) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Mill", 1, 0x80, 0, &mut weenie);
    describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        let state = match velocity {
            Some(_) => PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::GRAVITY,
            None => PhysicsState::STATIC,
        };
        *physics = PhysicsDesc {
            state,
            setup: Some(MILL.0),
            position: Some(at(x, 60.0)),
            velocity,
            ..PhysicsDesc::default()
        };
    })
}
