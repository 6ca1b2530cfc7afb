//! What a server does to its entities, and the messages that describe them to clients. `None` means that there is no
//! message, because nothing changed that clients have to know.

use acmotion::HeldBy;
use acmotion::components::{Axis, InterpretedState, Order, PhysicsState};
use acmotion::types::{ActionStamp, Guid, MotionCommand};
use acmotion::wire::{ActionItem, Actions, MotionFlags, Movement, MovementBody, S2C};
use wasm_bindgen::prelude::wasm_bindgen;

use super::World;
use crate::convert::{position, vector, walk_goal};
use crate::errors::{Kind, Outcome};

fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// A motion that a server sets: style, the three axes, and actions.
#[wasm_bindgen]
#[derive(Default)]
pub struct Motion {
    style: Option<MotionCommand>,
    axes: [Option<Axis>; 3],
    actions: Vec<(MotionCommand, u16)>,
}

#[wasm_bindgen]
impl Motion {
    /// Creates a motion that stands still.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the style. By default it stays.
    pub fn set_style(&mut self, style: u32) {
        self.style = Some(MotionCommand(style));
    }

    /// Sets an axis: 0 forward, 1 sidestep, 2 turn.
    pub fn set_axis(&mut self, axis: usize, motion: u32, speed: f32) {
        if let Some(axis) = self.axes.get_mut(axis) {
            *axis = Some(Axis { speed, ..Axis::new(MotionCommand(motion)) });
        }
    }

    /// Adds an action with its stamp.
    pub fn add_action(&mut self, motion: u32, stamp: u16) {
        self.actions.push((MotionCommand(motion), stamp));
    }
}

impl World {
    /// Gives an entity an order. Returns the message that tells clients.
    fn give(&mut self, guid: u32, order: &Order, now: f64) -> Outcome<Option<Vec<u8>>> {
        let id = self.id(guid)?;
        Ok(self.at(now).order(id, order, now).map(encoded))
    }
}

#[wasm_bindgen]
impl World {
    /// Orders an entity to go to a position.
    #[expect(clippy::too_many_arguments, reason = "they are named in TypeScript")]
    pub fn order_move_to(
        &mut self,
        guid: u32,
        at: &[f64],
        within: f32,
        pace: &str,
        heading: Option<f32>,
        timeout: Option<f32>,
        now: f64,
    ) -> Outcome<Option<Vec<u8>>> {
        let order = walk_goal(at, within, pace, heading, timeout)?.into();
        self.give(guid, &order, now)
    }

    /// Orders an entity to run to another one, wherever it goes.
    pub fn order_chase(&mut self, guid: u32, target: u32, now: f64) -> Outcome<Option<Vec<u8>>> {
        self.give(guid, &Order::chase(Guid(target)), now)
    }

    /// Orders an entity to turn to a heading in degrees.
    pub fn order_turn_to(&mut self, guid: u32, heading: f32, now: f64) -> Outcome<Option<Vec<u8>>> {
        self.give(guid, &Order::turn_to_heading(heading), now)
    }

    /// Orders an entity to turn to another one.
    pub fn order_face(&mut self, guid: u32, target: u32, now: f64) -> Outcome<Option<Vec<u8>>> {
        self.give(guid, &Order::face(Guid(target)), now)
    }

    /// Sets what an entity does.
    pub fn set_motion(
        &mut self,
        guid: u32,
        motion: Motion,
        autonomous: bool,
        now: f64,
    ) -> Outcome<Option<Vec<u8>>> {
        let id = self.id(guid)?;
        let Some(resident) = self.world.get(id) else { return Ok(None) };
        let style = motion.style.unwrap_or_else(|| resident.entity().interp.interpreted.style);
        let [forward, sidestep, turn] = motion.axes;
        let none = || Axis { speed: 1.0, ..Axis::new(MotionCommand::NONE) };
        let ready = || Axis { speed: 1.0, ..Axis::new(MotionCommand::READY) };
        let mut state = InterpretedState::new(style, forward.unwrap_or_else(ready));
        state.sidestep = sidestep.unwrap_or_else(none);
        state.turn = turn.unwrap_or_else(none);
        let item = |(command, stamp): &(MotionCommand, u16)| ActionItem {
            command: *command,
            stamp: ActionStamp::new(*stamp),
            autonomous,
            speed: 1.0,
        };
        let items: Vec<ActionItem> = motion.actions.iter().map(item).collect();
        let mut state = state.to_wire_without_actions();
        state.actions = Actions::new(&items);
        let body = MovementBody::Interpreted { state, sticky: None };
        let movement = Movement { flags: MotionFlags::empty(), style, body };
        Ok(self.at(now).set_movement(id, movement, autonomous, now).map(encoded))
    }

    /// Sets velocity and rotation of an entity.
    pub fn set_velocity(
        &mut self,
        guid: u32,
        velocity: &[f32],
        omega: &[f32],
        now: f64,
    ) -> Outcome<Option<Vec<u8>>> {
        let (id, velocity, omega) = (self.id(guid)?, vector(velocity)?, vector(omega)?);
        Ok(self.at(now).set_velocity(id, velocity, omega, now).map(encoded))
    }

    /// Sets the physics state of an entity.
    pub fn set_state(&mut self, guid: u32, state: u32, now: f64) -> Outcome<Option<Vec<u8>>> {
        let id = self.id(guid)?;
        Ok(self.at(now).set_state(id, PhysicsState::from_bits_retain(state), now).map(encoded))
    }

    /// Moves an entity at once.
    pub fn teleport(&mut self, guid: u32, at: &[f64], now: f64) -> Outcome<()> {
        let (id, position) = (self.id(guid)?, position(at)?);
        self.at(now).teleport(id, &position, now).map_err(Kind::Placement.of())
    }

    /// Sends a player into portal space.
    pub fn begin_teleport(&mut self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        let id = self.id(guid)?;
        Ok(self.world.begin_teleport(id).map(encoded))
    }

    /// Lets a player come out of portal space.
    pub fn end_teleport(&mut self, guid: u32, at: &[f64], now: f64) -> Outcome<()> {
        let (id, position) = (self.id(guid)?, position(at)?);
        self.at(now).end_teleport(id, &position, now).map_err(Kind::Placement.of())
    }

    /// Puts an entity into the hands of another one.
    pub fn set_parent(
        &mut self,
        guid: u32,
        parent: u32,
        location: u32,
        placement: u32,
        now: f64,
    ) -> Outcome<()> {
        let (id, held_by) = (self.id(guid)?, HeldBy { parent: Guid(parent), location });
        self.at(now).set_parent(id, held_by, placement, now).map_err(Kind::Placement.of())
    }

    /// Takes an entity out of the world.
    pub fn pick_up(&mut self, guid: u32, now: f64) -> Outcome<()> {
        let id = self.id(guid)?;
        self.at(now).pick_up(id, now);
        Ok(())
    }

    /// Puts an entity down.
    pub fn drop_at(&mut self, guid: u32, at: &[f64], placement: u32, now: f64) -> Outcome<()> {
        let (id, position) = (self.id(guid)?, position(at)?);
        self.at(now).drop_at(id, &position, placement, now).map_err(Kind::Placement.of())
    }

    /// Describes an entity: `CreateObject`.
    pub fn describe(&self, guid: u32, name: &str) -> Outcome<Option<Vec<u8>>> {
        let description = self.world.describe(self.id(guid)?);
        Ok(description.map(|description| {
            let mut bytes = Vec::new();
            description.named(name).encode(&mut bytes);
            bytes
        }))
    }

    /// Describes what an entity does: `UpdateMotion`.
    pub fn describe_motion(&self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        Ok(self.world.describe_motion(self.id(guid)?).map(encoded))
    }

    /// Reports where an entity is: `UpdatePosition`.
    pub fn report_position(&mut self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        let id = self.id(guid)?;
        Ok(self.world.report_position(id).map(encoded))
    }

    /// Describes what holds an entity: `ParentEvent`.
    pub fn describe_parent(&self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        Ok(self.world.describe_parent(self.id(guid)?).map(encoded))
    }

    /// Describes that an entity was picked up: `PickupEvent`.
    pub fn describe_pickup(&self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        Ok(self.world.describe_pickup(self.id(guid)?).map(encoded))
    }

    /// Describes that an entity is gone: `DeleteObject`.
    pub fn describe_delete(&self, guid: u32) -> Outcome<Option<Vec<u8>>> {
        Ok(self.world.describe_delete(self.id(guid)?).map(encoded))
    }
}
