//! Messages in the form of `acmotion decode --json`: one object a message.
//!
//! Ids, cells, flags and commands are hexadecimal strings; a style of index 0 is `null`; what is absent on the wire is
//! absent here. A float is printed as the number it is, so that reading it back gives the same bits; `NaN`, `Infinity`
//! and `-Infinity` are strings.

mod client;
mod object;
mod server;
mod value;

use acmotion_types::Era;
use serde_json::{Map, Value, json};

use crate::direction::Direction;
use crate::error::DecodeError;
use crate::message::{Action, C2S, Event, GameAction, GameEvent, S2C, decode_c2s, decode_s2c};
use value::guid;

/// Something that has a form under `decoded`.
trait Decoded {
    fn decoded(&self) -> Value;
}

/// One message as an object: `time, direction, opcode, action_sequence, sub_opcode, name, guid, decoded, bytes_total,
/// bytes_consumed, raw_hex`; the two for envelopes only where there is one. A message that cannot be decoded has
/// `error {what, offset, needed, had}` in place of `decoded`.
///
/// `None` for messages that have nothing to do with movement, unless `all` are wanted; then `decoded` is `null`.
///
/// ```
/// use acmotion_wire::{Direction, Era, json::message_json};
///
/// let bytes = [0x46, 0xF7, 0, 0, 0x01, 0, 0, 0x50];
/// let object = message_json(1.5, Direction::S2C, &bytes, Era::default(), false).unwrap();
/// assert_eq!(object["name"], "PlayerCreate");
/// assert_eq!(object["decoded"]["guid"], "0x50000001");
/// ```
pub fn message_json(time: f64, direction: Direction, bytes: &[u8], era: Era, all: bool) -> Option<Value> {
    let head = Head::peek(direction, bytes);
    let outcome = match direction {
        Direction::S2C => decode_s2c(bytes, era)
            .map(|message| Outcome { guid: message.guid().map(guid), decoded: s2c(&message) }),
        Direction::C2S => decode_c2s(bytes, era)
            .map(|message| Outcome { guid: message.guid().map(guid), decoded: c2s(&message) }),
    };
    if !all && matches!(&outcome, Ok(Outcome { decoded: None, .. })) {
        return None;
    }
    let mut line = Map::new();
    line.insert("time".into(), json!(time));
    line.insert("direction".into(), json!(direction.to_string()));
    head.write(&mut line);
    line.insert("guid".into(), outcome.as_ref().ok().and_then(|outcome| outcome.guid.clone()).into());
    let consumed = match outcome {
        Ok(Outcome { decoded: Some(decoded), .. }) => {
            line.insert("decoded".into(), decoded);
            bytes.len()
        }
        Ok(Outcome { decoded: None, .. }) => {
            line.insert("decoded".into(), Value::Null);
            head.size
        }
        Err(error) => {
            line.insert("error".into(), error_json(&error));
            error.offset
        }
    };
    line.insert("bytes_total".into(), json!(bytes.len()));
    line.insert("bytes_consumed".into(), json!(consumed));
    line.insert("raw_hex".into(), json!(hex(bytes)));
    Some(line.into())
}

/// A message decoded: whom it is about, and its form, if it has one.
struct Outcome {
    guid: Option<Value>,
    decoded: Option<Value>,
}

/// What stands before the body of a message, as far as it is there.
struct Head {
    opcode: Option<u32>,
    action_sequence: Option<u32>,
    sub_opcode: Option<u32>,
    name: &'static str,
    size: usize,
}

impl Head {
    fn peek(direction: Direction, bytes: &[u8]) -> Self {
        let word = |at: usize| bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
        let opcode = word(0);
        let mut head = Self { opcode, action_sequence: None, sub_opcode: None, name: "Unknown", size: 4 };
        let name = match (direction, opcode) {
            (Direction::S2C, Some(EVENT)) => {
                (head.sub_opcode, head.size) = (word(12), 16);
                head.sub_opcode.and_then(Event::name_of)
            }
            (Direction::C2S, Some(ACTION)) => {
                (head.action_sequence, head.sub_opcode, head.size) = (word(4), word(8), 12);
                head.sub_opcode.and_then(Action::name_of)
            }
            (Direction::S2C, Some(opcode)) => S2C::name_of(opcode),
            (Direction::C2S, _) | (_, None) => None,
        };
        head.name = name.unwrap_or("Unknown");
        head.size = head.size.min(bytes.len());
        head
    }

    fn write(&self, line: &mut Map<String, Value>) {
        line.insert("opcode".into(), self.opcode.map(short_hex).into());
        if let Some(sequence) = self.action_sequence {
            line.insert("action_sequence".into(), json!(sequence));
        }
        if let Some(sub_opcode) = self.sub_opcode {
            line.insert("sub_opcode".into(), json!(short_hex(sub_opcode)));
        }
        line.insert("name".into(), json!(self.name));
    }
}

const EVENT: u32 = <GameEvent<'_> as crate::Message<'_>>::OPCODE;
const ACTION: u32 = <GameAction<'_> as crate::Message<'_>>::OPCODE;

fn short_hex(opcode: u32) -> String {
    format!("0x{opcode:04X}")
}

/// Why a message could not be decoded, as an object.
pub fn error_json(error: &DecodeError) -> Value {
    json!({
        "what": error.to_string(),
        "offset": error.offset,
        "needed": error.needed,
        "had": error.had,
    })
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// What a message from the server says; `None` if it is not about movement.
pub fn s2c(message: &S2C<'_>) -> Option<Value> {
    Some(match message {
        S2C::UpdateMotion(message) => message.decoded(),
        S2C::UpdatePosition(message) => message.decoded(),
        S2C::VectorUpdate(message) => message.decoded(),
        S2C::PositionAndMovement(message) => message.decoded(),
        S2C::SetState(message) => message.decoded(),
        S2C::CreateObject(message) => message.0.decoded(),
        S2C::UpdateObject(message) => message.0.decoded(),
        S2C::PlayerCreate(message) => message.decoded(),
        S2C::DeleteObject(message) => message.decoded(),
        S2C::ParentEvent(message) => message.decoded(),
        S2C::PickupEvent(message) => message.decoded(),
        S2C::ObjDescEvent(message) => message.decoded(),
        S2C::Sound(message) => message.decoded(),
        S2C::PlayerTeleport(message) => message.decoded(),
        S2C::PlayScriptId(message) => message.decoded(),
        S2C::PlayScriptType(message) => message.decoded(),
        S2C::PrivateUpdateSkill(message) => message.decoded(),
        S2C::PublicUpdateSkill(message) => message.decoded(),
        S2C::PrivateUpdateSkillLevel(message) => message.decoded(),
        S2C::PublicUpdateSkillLevel(message) => message.decoded(),
        S2C::GameEvent(GameEvent { event: Event::PlayerDescription(event), .. }) => event.decoded(),
        S2C::GameEvent(GameEvent { event: Event::Unknown { .. }, .. }) | S2C::Unknown { .. } => return None,
    })
}

/// What a message from the client says; `None` if it is not about movement.
pub fn c2s(message: &C2S<'_>) -> Option<Value> {
    let C2S::GameAction(GameAction { action, .. }) = message else {
        return None;
    };
    Some(match action {
        Action::MoveToState(action) => action.decoded(),
        Action::AutonomousPosition(action) => action.decoded(),
        Action::Jump(action) => action.decoded(),
        Action::AutonomyLevel(action) => action.decoded(),
        Action::DoMovementCommand(action) => action.decoded(),
        Action::StopMovementCommand(action) => action.decoded(),
        Action::TurnTo(action) => action.decoded(),
        Action::JumpNonAutonomous(action) => action.decoded(),
        Action::ChangeCombatMode(action) => action.decoded(),
        Action::Unknown { .. } => return None,
    })
}
