//! The JSON form of messages, as printed by `acmotion decode --json`: one object per message.
//!
//! Ids, cells, flags and commands are hexadecimal strings. A style of index 0 is `null`. A field that is absent on the
//! wire is absent here. A float is widened to a double without loss, so that parsing it gives the same bits; `NaN`,
//! `Infinity` and `-Infinity` are strings.

mod character;
mod client;
mod object;
mod server;
mod value;

use acmotion_types::Era;
use serde_json::{Map, Value, json};

use crate::direction::Direction;
use crate::error::DecodeError;
use crate::message::{
    C2S, GameAction, GameActionBody, GameEvent, GameEventBody, S2C, decode_c2s, decode_s2c, is_movement,
};
use value::guid;

/// A message or action that has a JSON form under `decoded`.
trait DecodedJson {
    fn decoded_json(&self) -> Value;
}

/// Returns a message as an object with the fields `time, direction, opcode, action_sequence, sub_opcode, name, guid,
/// decoded, bytes_total, bytes_consumed, raw_hex`. `action_sequence` and `sub_opcode` are present only for envelopes. A
/// message that cannot be decoded has `error {what, offset, needed, had}` in place of `decoded`.
///
/// Returns `None` for a message that is not about movement, unless `all` is set. In that case `decoded` is `null` if the
/// message is of an unknown type. With `all`, the player description also has its enchantments.
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
    let header = MessageHeader::peek(direction, bytes);
    let result = match direction {
        Direction::S2C => decode_s2c(bytes, era).map(|message| DecodedMessage {
            guid: message.guid().map(guid),
            decoded: s2c_json(&message, all),
        }),
        Direction::C2S => decode_c2s(bytes, era).map(|message| DecodedMessage {
            guid: message.guid().map(guid),
            decoded: c2s_json(&message, all),
        }),
    };
    let is_printed = match &result {
        Ok(message) => message.decoded.is_some(),
        Err(_) => header.is_movement,
    };
    if !all && !is_printed {
        return None;
    }
    let mut line = Map::new();
    line.insert("time".into(), json!(time));
    line.insert("direction".into(), json!(direction.to_string()));
    header.write(&mut line);
    line.insert("guid".into(), result.as_ref().ok().and_then(|message| message.guid.clone()).into());
    let consumed = match result {
        Ok(DecodedMessage { decoded: Some(decoded), .. }) => {
            line.insert("decoded".into(), decoded);
            bytes.len()
        }
        Ok(DecodedMessage { decoded: None, .. }) => {
            line.insert("decoded".into(), Value::Null);
            header.size
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

/// The object a message is about, and its JSON form. `decoded` is `None` if there is none.
struct DecodedMessage {
    guid: Option<Value>,
    decoded: Option<Value>,
}

/// The fields before the body of a message, as far as they are present.
struct MessageHeader {
    opcode: Option<u32>,
    action_sequence: Option<u32>,
    sub_opcode: Option<u32>,
    name: &'static str,
    /// Whether the opcodes are those of a message about movement, or incomplete.
    is_movement: bool,
    size: usize,
}

impl MessageHeader {
    fn peek(direction: Direction, bytes: &[u8]) -> Self {
        let word = |offset: usize| bytes.get(offset..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
        let opcode = word(0);
        let mut header = Self {
            opcode,
            action_sequence: None,
            sub_opcode: None,
            name: "Unknown",
            is_movement: is_movement(direction, bytes),
            size: 4,
        };
        let name = match (direction, opcode) {
            (Direction::S2C, Some(EVENT)) => {
                (header.sub_opcode, header.size) = (word(12), 16);
                header.sub_opcode.and_then(GameEventBody::name_of)
            }
            (Direction::C2S, Some(ACTION)) => {
                (header.action_sequence, header.sub_opcode, header.size) = (word(4), word(8), 12);
                header.sub_opcode.and_then(GameActionBody::name_of)
            }
            (Direction::S2C, Some(opcode)) => S2C::name_of(opcode),
            (Direction::C2S, _) | (_, None) => None,
        };
        header.name = name.unwrap_or("Unknown");
        header.size = header.size.min(bytes.len());
        header
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

/// Returns a decoding error as an object with the fields `what, offset, needed, had`.
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

/// Returns the JSON form of a message from the server. Without `all`, only a message about movement has one; with `all`,
/// every message of a known type has one, and the player description includes its enchantments.
pub fn s2c_json(message: &S2C<'_>, all: bool) -> Option<Value> {
    if !all && !message.is_movement() {
        return None;
    }
    Some(match message {
        S2C::UpdateMotion(message) => message.decoded_json(),
        S2C::UpdatePosition(message) => message.decoded_json(),
        S2C::VectorUpdate(message) => message.decoded_json(),
        S2C::PositionAndMovement(message) => message.decoded_json(),
        S2C::SetState(message) => message.decoded_json(),
        S2C::CreateObject(message) => message.0.decoded_json(),
        S2C::UpdateObject(message) => message.0.decoded_json(),
        S2C::PlayerCreate(message) => message.decoded_json(),
        S2C::DeleteObject(message) => message.decoded_json(),
        S2C::ParentEvent(message) => message.decoded_json(),
        S2C::PickupEvent(message) => message.decoded_json(),
        S2C::ObjDescEvent(message) => message.decoded_json(),
        S2C::Sound(message) => message.decoded_json(),
        S2C::PlayerTeleport(message) => message.decoded_json(),
        S2C::PlayScriptId(message) => message.decoded_json(),
        S2C::PlayScriptType(message) => message.decoded_json(),
        S2C::PrivateUpdateSkill(message) => message.decoded_json(),
        S2C::PublicUpdateSkill(message) => message.decoded_json(),
        S2C::PrivateUpdateSkillLevel(message) => message.decoded_json(),
        S2C::PublicUpdateSkillLevel(message) => message.decoded_json(),
        S2C::PrivateUpdatePropertyInt(message) => message.decoded_json(),
        S2C::PublicUpdatePropertyInt(message) => message.decoded_json(),
        S2C::PrivateUpdateAttribute(message) => message.decoded_json(),
        S2C::PrivateUpdateAttribute2ndLevel(message) => message.decoded_json(),
        S2C::GameEvent(GameEvent { event, .. }) => return event_json(event, all),
        S2C::Unknown { .. } => return None,
    })
}

fn event_json(event: &GameEventBody<'_>, all: bool) -> Option<Value> {
    Some(match event {
        GameEventBody::PlayerDescription(event) if all => object::full_description(event),
        GameEventBody::PlayerDescription(event) => event.decoded_json(),
        GameEventBody::MagicUpdateEnchantment(event) => event.decoded_json(),
        GameEventBody::MagicRemoveEnchantment(event) => event.decoded_json(),
        GameEventBody::UseDone(event) => event.decoded_json(),
        GameEventBody::AttackDone(event) => event.decoded_json(),
        GameEventBody::CombatCommenceAttack(event) => event.decoded_json(),
        GameEventBody::InventoryPutObjInContainer(event) => event.decoded_json(),
        GameEventBody::WieldItem(event) => event.decoded_json(),
        GameEventBody::InventoryPutObjIn3D(event) => event.decoded_json(),
        GameEventBody::Unknown { .. } => return None,
    })
}

/// Returns the JSON form of a message from the client. Without `all`, only a message about movement has one; with `all`,
/// every message of a known type has one.
pub fn c2s_json(message: &C2S<'_>, all: bool) -> Option<Value> {
    let C2S::GameAction(GameAction { action, .. }) = message else {
        return None;
    };
    if !all && !action.is_movement() {
        return None;
    }
    Some(match action {
        GameActionBody::MoveToState(action) => action.decoded_json(),
        GameActionBody::AutonomousPosition(action) => action.decoded_json(),
        GameActionBody::Jump(action) => action.decoded_json(),
        GameActionBody::AutonomyLevel(action) => action.decoded_json(),
        GameActionBody::DoMovementCommand(action) => action.decoded_json(),
        GameActionBody::StopMovementCommand(action) => action.decoded_json(),
        GameActionBody::TurnTo(action) => action.decoded_json(),
        GameActionBody::JumpNonAutonomous(action) => action.decoded_json(),
        GameActionBody::ChangeCombatMode(action) => action.decoded_json(),
        GameActionBody::TargetedMeleeAttack(action) => action.decoded_json(),
        GameActionBody::TargetedMissileAttack(action) => action.decoded_json(),
        GameActionBody::CastUntargetedSpell(action) => action.decoded_json(),
        GameActionBody::CastTargetedSpell(action) => action.decoded_json(),
        GameActionBody::Use(action) => action.decoded_json(),
        GameActionBody::UseWithTarget(action) => action.decoded_json(),
        GameActionBody::PutItemInContainer(action) => action.decoded_json(),
        GameActionBody::GetAndWieldItem(action) => action.decoded_json(),
        GameActionBody::DropItem(action) => action.decoded_json(),
        GameActionBody::CancelAttack(action) => action.decoded_json(),
        GameActionBody::Unknown { .. } => return None,
    })
}
