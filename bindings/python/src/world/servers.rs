//! What a server does to its entities, and the messages that describe them to clients.

use acmotion::components::{Axis, InterpretedState, PhysicsState};
use acmotion::types::Guid;
use acmotion::types::{ActionStamp, MotionCommand};
use acmotion::wire::{ActionItem, Actions, MotionFlags, Movement, MovementBody, S2C};
use acmotion::{EntityId, HeldBy};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Inner, World};
use crate::convert::{Command, Triple, vector};
use crate::errors::{Error, PlacementError, raise};
use crate::order::Order;
use crate::position::Position;

/// Returns the bytes of a message.
fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

impl World {
    /// Runs a function with an entity and returns the message that it makes; `None` if there is no message. Raises `Error` if
    /// there is no such entity.
    fn message<'py>(
        &self,
        py: Python<'py>,
        guid: u32,
        run: impl FnOnce(&mut Inner, EntityId) -> Option<Vec<u8>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let message = self.entity(py, guid, run)?;
        Ok(message.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Runs a function with an entity. Raises `Error` if there is no such entity.
    fn entity<R>(
        &self,
        py: Python<'_>,
        guid: u32,
        run: impl FnOnce(&mut Inner, EntityId) -> R,
    ) -> PyResult<R> {
        let found = self.inner.with(py, |inner| inner.id(guid).map(|id| run(inner, id)))?;
        found.ok_or_else(|| raise::<Error>(format_args!("there is no entity {}", Guid(guid))))
    }
}

#[pymethods]
impl World {
    /// Gives an entity an order, and returns the message for clients; `None` if the order's target is unknown.
    fn order<'py>(
        &self,
        py: Python<'py>,
        guid: u32,
        order: Order,
        now: f64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.at(now).order(id, &order.0, now).map(encoded))
    }

    /// Makes an entity move, and returns the message for clients. Each action is a motion and its stamp, which counts up.
    #[pyo3(
        signature = (
            guid, now, *, style = None, forward = None, forward_speed = 1.0, sidestep = None, sidestep_speed = 1.0,
            turn = None, turn_speed = 1.0, actions = Vec::new(), autonomous = false,
        ),
        text_signature = "($self, guid, now, *, style=None, forward=None, forward_speed=1.0, sidestep=None, sidestep_speed=1.0, turn=None, turn_speed=1.0, actions=(), autonomous=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn set_motion<'py>(
        &self,
        py: Python<'py>,
        guid: u32,
        now: f64,
        style: Option<Command>,
        forward: Option<Command>,
        forward_speed: f32,
        sidestep: Option<Command>,
        sidestep_speed: f32,
        turn: Option<Command>,
        turn_speed: f32,
        actions: Vec<(Command, u16)>,
        autonomous: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let axis = |command: Option<Command>, none: MotionCommand, speed: f32| Axis {
            command: command.map_or(none, |command| command.0),
            speed,
        };
        let item = |(command, stamp): &(Command, u16)| ActionItem {
            command: command.0,
            stamp: ActionStamp::new(*stamp),
            autonomous,
            speed: 1.0,
        };
        let items: Vec<ActionItem> = actions.iter().map(item).collect();
        self.message(py, guid, |inner, id| {
            let current = inner.world.get(id)?.entity().interp.interpreted.style;
            let style = style.map_or(current, |style| style.0);
            let mut state = InterpretedState::new(style, axis(forward, MotionCommand::READY, forward_speed));
            state.sidestep = axis(sidestep, MotionCommand::NONE, sidestep_speed);
            state.turn = axis(turn, MotionCommand::NONE, turn_speed);
            let mut state = state.to_wire_without_actions();
            state.actions = Actions::new(&items);
            let body = MovementBody::Interpreted { state, sticky: None };
            let movement = Movement { flags: MotionFlags::empty(), style, body };
            inner.at(now).set_movement(id, movement, autonomous, now).map(encoded)
        })
    }

    /// Sets the velocity in metres a second, and returns the message for clients.
    #[pyo3(
        signature = (guid, velocity, now, *, omega = (0.0, 0.0, 0.0)),
        text_signature = "($self, guid, velocity, now, *, omega=(0.0, 0.0, 0.0))"
    )]
    fn set_velocity<'py>(
        &self,
        py: Python<'py>,
        guid: u32,
        velocity: Triple,
        now: f64,
        omega: Triple,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| {
            inner.at(now).set_velocity(id, vector(velocity), vector(omega), now).map(encoded)
        })
    }

    /// Sets the bits of the physics state, and returns the message for clients.
    fn set_state<'py>(
        &self,
        py: Python<'py>,
        guid: u32,
        state: u32,
        now: f64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let state = PhysicsState::from_bits_retain(state);
        self.message(py, guid, |inner, id| inner.at(now).set_state(id, state, now).map(encoded))
    }

    /// Moves an entity to a position at once. Raises `PlacementError` if there is no room or no cell.
    fn teleport(&self, py: Python<'_>, guid: u32, position: Position, now: f64) -> PyResult<()> {
        let moved = self.entity(py, guid, |inner, id| inner.at(now).teleport(id, &position.0, now))?;
        moved.map_err(raise::<PlacementError>)
    }

    /// Starts the teleport of a player, and returns the message that puts its client into portal space.
    fn begin_teleport<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.begin_teleport(id).map(encoded))
    }

    /// Ends a teleport that was begun: moves the player to a position.
    fn end_teleport(&self, py: Python<'_>, guid: u32, position: Position, now: f64) -> PyResult<()> {
        let moved = self.entity(py, guid, |inner, id| inner.at(now).end_teleport(id, &position.0, now))?;
        moved.map_err(raise::<PlacementError>)
    }

    /// Attaches an entity to another, at a holding location: 1 right hand, 2 left hand, 3 shield.
    #[pyo3(signature = (guid, parent, location, now, *, placement = 0))]
    fn set_parent(
        &self,
        py: Python<'_>,
        guid: u32,
        parent: u32,
        location: u32,
        now: f64,
        placement: u32,
    ) -> PyResult<()> {
        let held_by = HeldBy { parent: Guid(parent), location };
        let attached =
            self.entity(py, guid, |inner, id| inner.at(now).set_parent(id, held_by, placement, now))?;
        attached.map_err(raise::<PlacementError>)
    }

    /// Takes an entity out of its cell, or from the entity that holds it.
    fn pick_up(&self, py: Python<'_>, guid: u32, now: f64) -> PyResult<()> {
        self.entity(py, guid, |inner, id| inner.at(now).pick_up(id, now)).map(drop)
    }

    /// Places an entity that is held, or in no cell, at a position.
    #[pyo3(signature = (guid, position, now, *, placement = 0))]
    fn drop_at(
        &self,
        py: Python<'_>,
        guid: u32,
        position: Position,
        now: f64,
        placement: u32,
    ) -> PyResult<()> {
        let dropped =
            self.entity(py, guid, |inner, id| inner.at(now).drop_at(id, &position.0, placement, now))?;
        dropped.map_err(raise::<PlacementError>)
    }

    /// Returns the message that creates an entity at a client.
    #[pyo3(signature = (guid, name = ""))]
    fn describe<'py>(&self, py: Python<'py>, guid: u32, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| {
            let mut bytes = Vec::new();
            inner.world.describe(id)?.named(name).encode(&mut bytes);
            Some(bytes)
        })
    }

    /// Returns the message that describes the motion of an entity; `None` if it has no motion table.
    fn describe_motion<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.describe_motion(id).map(encoded))
    }

    /// Reports where an entity is: advances its stamp and returns the message; `None` if it is in no cell.
    fn report_position<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.report_position(id).map(encoded))
    }

    /// Returns the message that describes what holds an entity; `None` if nothing does.
    fn describe_parent<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.describe_parent(id).map(encoded))
    }

    /// Returns the message that takes an entity out of the world of a client; `None` if it is in a cell or held.
    fn describe_pickup<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.describe_pickup(id).map(encoded))
    }

    /// Returns the message that deletes an entity at a client.
    fn describe_delete<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.message(py, guid, |inner, id| inner.world.describe_delete(id).map(encoded))
    }
}
