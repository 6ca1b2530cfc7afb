//! One message of a capture.

use std::borrow::Cow;

use acmotion::types::{CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    C2S, DecodeError, Direction, EchoedStamps, GameActionBody, MovementBody, MovementData, PhysicsDesc,
    PositionFlags, PositionPack, S2C, decode_c2s, decode_s2c,
};
use acmotion_dat::DataId;
use acmotion_wire::ContactFlags;
use acmotion_wire::json::message_json;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::convert::{Triple, json_to_py, triple};
use crate::position::Position;

/// What a message says, as far as most messages about movement say the same.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) opcode: Option<u32>,
    pub(crate) sub_opcode: Option<u32>,
    pub(crate) name: Cow<'static, str>,
    pub(crate) guid: Option<u32>,
    pub(crate) position: Option<CellPosition>,
    pub(crate) velocity: Option<Vec3>,
    pub(crate) grounded: Option<bool>,
    pub(crate) style: Option<MotionCommand>,
    /// Forward, sidestep and turn: the command and its speed.
    pub(crate) axes: [(Option<MotionCommand>, Option<f32>); 3],
    pub(crate) stamps: Stamps,
    pub(crate) error: Option<DecodeError>,
}

/// The stamps of a message, as far as it has them.
#[derive(Default)]
pub(crate) struct Stamps {
    pub(crate) instance: Option<Stamp>,
    pub(crate) position: Option<Stamp>,
    pub(crate) movement: Option<Stamp>,
    pub(crate) teleport: Option<Stamp>,
    pub(crate) server_control: Option<Stamp>,
    pub(crate) force_position: Option<Stamp>,
}

impl Facts {
    /// Decodes a message.
    pub(crate) fn of(direction: Direction, bytes: &[u8], era: Era) -> Self {
        match direction {
            Direction::S2C => match &decode_s2c(bytes, era) {
                Ok(message) => Self::of_server(message),
                Err(error) => Self::undecodable(direction, bytes, era, *error),
            },
            Direction::C2S => match &decode_c2s(bytes, era) {
                Ok(message) => Self::of_client(message),
                Err(error) => Self::undecodable(direction, bytes, era, *error),
            },
        }
    }

    fn undecodable(direction: Direction, bytes: &[u8], era: Era, error: DecodeError) -> Self {
        let fields = message_json(0.0, direction, bytes, era, true).unwrap_or_default();
        let number = |name: &str| Some(fields.get(name)?.as_str()?.parse::<DataId>().ok()?.0);
        let name = fields.get("name").and_then(Value::as_str).unwrap_or("Unknown");
        Self {
            opcode: number("opcode"),
            sub_opcode: number("sub_opcode"),
            name: Cow::Owned(name.into()),
            error: Some(error),
            ..Self::default()
        }
    }

    fn named(opcode: u32, sub_opcode: Option<u32>, name: &'static str, guid: Option<Guid>) -> Self {
        let guid = guid.map(|guid| guid.0);
        Self { opcode: Some(opcode), sub_opcode, name: name.into(), guid, ..Self::default() }
    }

    fn of_server(message: &S2C<'_>) -> Self {
        let mut facts = Self::named(message.opcode(), message.sub_opcode(), message.name(), message.guid());
        match message {
            S2C::UpdatePosition(report) => facts.add_pack(&report.pack),
            S2C::UpdateMotion(update) => {
                facts.stamps.instance = Some(update.instance);
                facts.add_movement(&update.data);
            }
            S2C::PositionAndMovement(report) => {
                facts.add_pack(&report.pack);
                facts.add_movement(&report.data);
            }
            S2C::VectorUpdate(update) => {
                facts.velocity = Some(update.velocity);
                facts.stamps.instance = Some(update.instance);
            }
            S2C::SetState(update) => facts.stamps.instance = Some(update.instance),
            S2C::CreateObject(object) => facts.add_physics(&object.0.physics),
            S2C::UpdateObject(object) => facts.add_physics(&object.0.physics),
            _ => {}
        }
        facts
    }

    fn of_client(message: &C2S<'_>) -> Self {
        let mut facts = Self::named(message.opcode(), message.sub_opcode(), message.name(), message.guid());
        let C2S::GameAction(action) = message else { return facts };
        match &action.action {
            GameActionBody::MoveToState(state) => {
                let raw = &state.raw;
                facts.position = Some(state.position);
                facts.grounded = Some(state.contact.contains(ContactFlags::CONTACT));
                facts.style = raw.current_style;
                facts.axes = [
                    (raw.forward_command, raw.forward_speed),
                    (raw.sidestep_command, raw.sidestep_speed),
                    (raw.turn_command, raw.turn_speed),
                ];
                facts.add_echoed(&state.stamps);
            }
            GameActionBody::AutonomousPosition(report) => {
                facts.position = Some(report.position);
                facts.grounded = Some(report.contact.get());
                facts.add_echoed(&report.stamps);
            }
            GameActionBody::Jump(jump) => {
                (facts.position, facts.velocity) = (jump.position, Some(jump.velocity));
                facts.add_echoed(&jump.stamps);
            }
            _ => {}
        }
        facts
    }

    fn add_physics(&mut self, physics: &PhysicsDesc<'_>) {
        (self.position, self.velocity) = (physics.position, physics.velocity);
        self.stamps.instance = Some(physics.stamps.instance);
        self.stamps.position = Some(physics.stamps.position);
        self.stamps.movement = Some(physics.stamps.movement);
        self.stamps.teleport = Some(physics.stamps.teleport);
        self.stamps.server_control = Some(physics.stamps.server_control);
        self.stamps.force_position = Some(physics.stamps.force_position);
    }

    fn add_pack(&mut self, pack: &PositionPack) {
        self.position = Some(pack.position);
        self.velocity = pack.velocity;
        self.grounded = Some(pack.flags.contains(PositionFlags::GROUNDED));
        self.stamps.instance = Some(pack.instance);
        self.stamps.position = Some(pack.position_stamp);
        self.stamps.teleport = Some(pack.teleport);
        self.stamps.force_position = Some(pack.force_position);
    }

    fn add_movement(&mut self, data: &MovementData<'_>) {
        self.stamps.movement = Some(data.movement_stamp);
        self.stamps.server_control = Some(data.server_control);
        // The style of index 0 means that it does not change.
        self.style = Some(data.movement.style).filter(|style| style.wire_index() != 0);
        if let MovementBody::Interpreted { state, .. } = &data.movement.body {
            self.axes = [
                (state.forward_command, state.forward_speed),
                (state.sidestep_command, state.sidestep_speed),
                (state.turn_command, state.turn_speed),
            ];
        }
    }

    fn add_echoed(&mut self, stamps: &EchoedStamps) {
        self.stamps.instance = Some(stamps.instance);
        self.stamps.teleport = Some(stamps.teleport);
        self.stamps.server_control = Some(stamps.server_control);
        self.stamps.force_position = Some(stamps.force_position);
    }
}

/// A message of a capture.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Message {
    pub(crate) time: f64,
    pub(crate) direction: Direction,
    pub(crate) bytes: Box<[u8]>,
    pub(crate) era: Era,
    /// Whether it was asked for among all messages, not only those about movement.
    pub(crate) all: bool,
    pub(crate) facts: Facts,
}

impl Message {
    pub(crate) fn new(time: f64, direction: Direction, bytes: &[u8], era: Era, all: bool) -> Self {
        Self { time, direction, bytes: bytes.into(), era, all, facts: Facts::of(direction, bytes, era) }
    }

    fn axis(&self, index: usize) -> (Option<u32>, Option<f32>) {
        let (command, speed) = self.facts.axes[index];
        (command.map(|command| command.0), speed)
    }

    fn json(&self) -> Value {
        let form = |all| message_json(self.time, self.direction, &self.bytes, self.era, all);
        form(self.all).or_else(|| form(true)).unwrap_or_default()
    }
}

#[pymethods]
impl Message {
    /// The time of the capture, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.time
    }

    /// `S2C` for a message from the server, `C2S` for one from the client.
    #[getter]
    fn direction(&self) -> &'static str {
        self.direction.name()
    }

    /// The opcode; `None` if the message is too short to have one.
    #[getter]
    fn opcode(&self) -> Option<u32> {
        self.facts.opcode
    }

    /// The opcode of the event or action that the message contains; `None` if it contains none.
    #[getter]
    fn sub_opcode(&self) -> Option<u32> {
        self.facts.sub_opcode
    }

    /// The name of the message, or of the event or action that it contains.
    #[getter]
    fn name(&self) -> &str {
        &self.facts.name
    }

    /// The object that the message is about; `None` if it names none.
    #[getter]
    fn guid(&self) -> Option<u32> {
        self.facts.guid
    }

    /// The position in the message, if it has one.
    #[getter]
    fn position(&self) -> Option<Position> {
        self.facts.position.map(Position)
    }

    /// The velocity in the message in metres a second, if it has one.
    #[getter]
    fn velocity(&self) -> Option<Triple> {
        self.facts.velocity.map(triple)
    }

    /// Whether the object stands on something, if the message tells.
    #[getter]
    fn grounded(&self) -> Option<bool> {
        self.facts.grounded
    }

    /// The id of the style in the message, if it has one.
    #[getter]
    fn style(&self) -> Option<u32> {
        self.facts.style.map(|style| style.0)
    }

    /// The motion forward and its speed, as far as the message has them.
    #[getter]
    fn forward(&self) -> (Option<u32>, Option<f32>) {
        self.axis(0)
    }

    /// The motion to the side and its speed, as far as the message has them.
    #[getter]
    fn sidestep(&self) -> (Option<u32>, Option<f32>) {
        self.axis(1)
    }

    /// The turn and its speed, as far as the message has them.
    #[getter]
    fn turn(&self) -> (Option<u32>, Option<f32>) {
        self.axis(2)
    }

    /// The bytes, from the opcode on.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The fields of the message, by their names in `acmotion decode --json`; `None` if it cannot be decoded, or is of an
    /// unknown type.
    #[getter]
    fn decoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, self.json().get("decoded").unwrap_or(&Value::Null))
    }

    /// What is wrong with the message; `None` if it can be decoded.
    #[getter]
    fn error(&self) -> Option<String> {
        self.facts.error.map(|error| error.to_string())
    }

    /// Returns the fields of a line of `acmotion decode --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &self.json())
    }

    fn __repr__(&self) -> String {
        let guid = self.facts.guid.map_or_else(String::new, |guid| format!(" of 0x{guid:08X}"));
        format!("<Message {}{guid}, {} at {:.3} s>", self.facts.name, self.direction.name(), self.time)
    }
}
