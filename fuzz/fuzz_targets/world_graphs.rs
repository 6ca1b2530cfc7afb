//! Graphs of orders, targets, sticking and attachments among a few dozen entities, built and torn down by a list of small
//! steps: nothing panics, notices come to an end, and every list stays within its limit.
//!
//! Each step is four bytes: what is done, to which entity, with which other, and a number. Many steps come before a tick.
#![no_main]

use acmotion::dat::{Assets, mannequin};
use acmotion::internals::steer::MAX_VOYEURS;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    DeleteObject, InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody,
    MovementData, Origin, Pad, ParentEvent, PhysicsState, PickupEvent, S2C, SetState, TurnToParams,
    UpdateMotion, VectorUpdate, WireBool,
};
use acmotion::{
    EntitySpec, Event, HeldBy, MAX_ATTACHMENT_DEPTH, MAX_CARRIED, MAX_CHILDREN, Resident, Settings, World,
};
use libfuzzer_sys::fuzz_target;

/// The number of entities.
const ENTITIES: u8 = 48;
/// The maximum number of events that a step may cause for each entity. Most cause none.
const MAX_EVENTS_EACH: usize = 64;

fuzz_target!(|input: &[u8]| {
    let mut graph = Graph {
        world: World::with_settings(Assets::mannequin(), Settings::default()),
        now: 1.0,
        stamp: Stamp(0),
        events: Vec::new(),
    };
    for number in 0..ENTITIES {
        graph.create(number);
    }
    for step in input.as_chunks::<4>().0 {
        graph.step(*step);
    }
    graph.tick(0.034);
    graph.check();
});

fn guid(number: u8) -> Guid {
    Guid(0x8000_0000 + u32::from(number % ENTITIES))
}

fn position(number: u8) -> CellPosition {
    let (x, y) = (f32::from(number % 8), f32::from(number / 8 % 8));
    CellPosition::at(CellId(0xA9B4_0001), Vec3::new(2.0 + 2.0 * x, 2.0 + 2.0 * y, 94.0))
}

struct Graph {
    world: World,
    now: f64,
    stamp: Stamp,
    events: Vec<Event>,
}

impl Graph {
    fn create(&mut self, number: u8) {
        let spec = EntitySpec {
            setup: Some(mannequin::HUMAN_SETUP),
            motion_table: Some(mannequin::HUMAN_TABLE),
            ..EntitySpec::new(guid(number), position(number))
        };
        // One that exists already stays.
        let _ = self.world.spawn(&spec, self.now);
    }

    fn step(&mut self, [what, who, other, number]: [u8; 4]) {
        let (child, target) = (guid(who), guid(other));
        self.stamp = self.stamp.next();
        let stamp = self.stamp;
        match what % 13 {
            0 => self.create(who),
            1 => self.send(DeleteObject { guid: child, instance: Stamp(0), pad: Pad::ZERO }),
            2 | 3 => self.order(
                who,
                MovementBody::MoveToObject {
                    target,
                    origin: origin(number),
                    params: MoveToParams {
                        flags: MoveFlags::from_bits_retain(u32::from(number) << (number % 20)),
                        distance_to_object: f32::from(number) / 32.0,
                        ..MoveToParams::default()
                    },
                    run_rate: 1.0 + f32::from(number) / 64.0,
                },
            ),
            4 => self.order(
                who,
                MovementBody::TurnToObject {
                    target,
                    heading: f32::from(number),
                    params: TurnToParams::default(),
                },
            ),
            5 => self.order(
                who,
                MovementBody::Interpreted {
                    state: InterpretedState {
                        forward_command: (number & 1 != 0).then_some(MotionCommand::RUN_FORWARD),
                        ..InterpretedState::default()
                    },
                    sticky: Some(target),
                },
            ),
            6 => self.send(ParentEvent {
                parent: target,
                child,
                location: u32::from(number % 4),
                placement: 0,
                parent_instance: Stamp(0),
                child_position: stamp,
            }),
            7 => {
                let held_by = HeldBy { parent: target, location: u32::from(number % 4) };
                if let Some(id) = self.world.id_of(child) {
                    // What cannot be attached is an error.
                    let _ = self.world.set_parent(id, held_by, 0, self.now);
                }
            }
            8 => self.send(PickupEvent { guid: child, instance: Stamp(0), position: stamp }),
            9 => {
                if let Some(id) = self.world.id_of(child) {
                    let _ = self.world.teleport(id, &position(number), self.now);
                }
            }
            10 => self.send(SetState {
                guid: child,
                state: PhysicsState::from_bits_retain(u32::from(number) << (other % 24)),
                instance: Stamp(0),
                state_stamp: stamp,
            }),
            11 => self.send(VectorUpdate {
                guid: child,
                velocity: Vec3::new(f32::from(number) - 128.0, 0.0, f32::from(other) / 8.0),
                omega: Vec3::ZERO,
                instance: Stamp(0),
                vector: stamp,
            }),
            _ => self.tick(f64::from(number) / 64.0),
        }
        self.world.swap_events(&mut self.events);
        let most = MAX_EVENTS_EACH * usize::from(ENTITIES);
        assert!(self.events.len() <= most, "{} events of one step", self.events.len());
    }

    fn tick(&mut self, seconds: f64) {
        self.now += seconds;
        self.world.advance(self.now);
    }

    fn order(&mut self, who: u8, body: MovementBody<'_>) {
        let movement = Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body };
        let data = MovementData {
            movement_stamp: self.stamp,
            server_control: Stamp(0),
            autonomous: WireBool::from(false),
            pad: Pad::ZERO,
            movement,
        };
        self.send(UpdateMotion { guid: guid(who), instance: Stamp(0), data });
    }

    fn send<'a>(&mut self, message: impl Into<S2C<'a>>) {
        self.world.receive_message(&message.into(), self.now);
    }

    fn check(&self) {
        for resident in self.world.entities() {
            assert!(resident.position().frame.origin.is_finite());
            let voyeurs = resident.entity().targets().map_or(0, |targets| targets.voyeurs().len());
            assert!(voyeurs <= MAX_VOYEURS.min(self.world.entities().len()), "{voyeurs} voyeurs");
            assert!(resident.children().len() <= MAX_CHILDREN);
            assert!(self.carried_by(resident, 0) <= MAX_CARRIED);
        }
    }

    fn carried_by(&self, resident: &Resident, depth: usize) -> usize {
        assert!(depth <= MAX_ATTACHMENT_DEPTH, "attached in a circle");
        let children = resident.children().iter().filter_map(|child| self.world.find(*child));
        children.map(|child| 1 + self.carried_by(child, depth + 1)).sum()
    }
}

fn origin(number: u8) -> Origin {
    let position = position(number);
    Origin { cell: position.cell, point: position.frame.origin }
}
