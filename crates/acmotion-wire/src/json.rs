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
mod writer;

use acmotion_types::{Era, Guid};
use serde_json::Value;

use crate::direction::Direction;
use crate::error::DecodeError;
use crate::fields::Head;
use crate::message::{
    C2S, GameAction, GameActionBody, GameEvent, GameEventBody, S2C, decode_c2s, decode_s2c, is_movement,
};
use object::put_full_description;
use value::guid;
use writer::Plain;
pub use writer::{Hex, HexBytes, JsonWriter, ToJson, list, object};

/// A message or action that has a JSON form under `decoded`.
trait DecodedJson {
    /// Adds the fields of that form.
    fn put_fields(&self, json: &mut JsonWriter<'_>);
}

/// Returns a message as an object, as [`write_message`] writes it. Returns `None` where that writes nothing.
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
    let mut text = Vec::new();
    write_message(&mut text, time, direction, bytes, era, all).then(|| parsed(&text))
}

/// A message as [`decode_s2c`] and [`decode_c2s`] return it.
#[derive(Clone, Copy, Debug)]
pub enum Decoded<'m, 'a> {
    /// A message from the server.
    Server(&'m S2C<'a>),
    /// A message from the client.
    Client(&'m C2S<'a>),
    /// A message that cannot be decoded.
    Undecodable(Direction, &'m DecodeError),
}

impl Decoded<'_, '_> {
    fn direction(&self) -> Direction {
        match self {
            Self::Server(_) => Direction::S2C,
            Self::Client(_) => Direction::C2S,
            Self::Undecodable(direction, _) => *direction,
        }
    }
}

/// Appends a message as an object with the fields `time, direction, opcode, action_sequence, sub_opcode, name, guid,
/// decoded, bytes_total, bytes_consumed, raw_hex`. `action_sequence` and `sub_opcode` are present only for envelopes. A
/// message that cannot be decoded has `error {what, offset, needed, had}` in place of `decoded`.
///
/// Writes nothing and returns `false` for a message that is not about movement, unless `all` is set. In that case
/// `decoded` is `null` if the message is of an unknown type. With `all`, the player description also has its
/// enchantments. Allocates nothing but space in `out`, unless the message creates an object or cannot be decoded.
pub fn write_message(
    out: &mut Vec<u8>,
    time: f64,
    direction: Direction,
    bytes: &[u8],
    era: Era,
    all: bool,
) -> bool {
    let mut write = |decoded: Decoded<'_, '_>| write_decoded(out, time, bytes, decoded, all);
    match direction {
        Direction::S2C => match &decode_s2c(bytes, era) {
            Ok(message) => write(Decoded::Server(message)),
            Err(error) => write(Decoded::Undecodable(direction, error)),
        },
        Direction::C2S => match &decode_c2s(bytes, era) {
            Ok(message) => write(Decoded::Client(message)),
            Err(error) => write(Decoded::Undecodable(direction, error)),
        },
    }
}

/// Appends a message as [`write_message`] does. `decoded` is what the bytes were decoded to.
pub fn write_decoded(
    out: &mut Vec<u8>,
    time: f64,
    bytes: &[u8],
    decoded: Decoded<'_, '_>,
    all: bool,
) -> bool {
    let direction = decoded.direction();
    let line = MessageLine { time, direction, head: Head::peek(direction, bytes), bytes };
    let json = &mut JsonWriter::new(out);
    match decoded {
        Decoded::Server(message) if s2c_has_form(message, all) => {
            line.write_decoded(json, message.guid(), |json| put_s2c(json, message, all));
        }
        Decoded::Client(message) if c2s_has_form(message, all) => {
            line.write_decoded(json, message.guid(), |json| put_c2s(json, message));
        }
        Decoded::Server(message) if all => line.write_unknown(json, message.guid()),
        Decoded::Client(message) if all => line.write_unknown(json, message.guid()),
        Decoded::Undecodable(_, error) if all || is_movement(direction, bytes) => {
            line.write_error(json, error)
        }
        _ => return false,
    }
    true
}

/// Parses text of which it is known that it is JSON.
fn parsed(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap_or_default()
}

/// What the line of a message has besides the decoded message.
struct MessageLine<'a> {
    time: f64,
    direction: Direction,
    head: Head,
    bytes: &'a [u8],
}

impl MessageLine<'_> {
    fn write_decoded(
        &self,
        json: &mut JsonWriter<'_>,
        about: Option<Guid>,
        put_fields: impl FnOnce(&mut JsonWriter<'_>),
    ) {
        self.write(json, about, self.bytes.len(), |json| {
            json.put("decoded", object(put_fields));
        });
    }

    fn write_unknown(&self, json: &mut JsonWriter<'_>, about: Option<Guid>) {
        self.write(json, about, self.head.size, |json| {
            json.put("decoded", None::<Hex>);
        });
    }

    fn write_error(&self, json: &mut JsonWriter<'_>, error: &DecodeError) {
        let put_error = |json: &mut JsonWriter<'_>| {
            json.put("error", object(|json| error.put_fields(json)));
        };
        self.write(json, None, error.offset, put_error);
    }

    /// Writes the line of a message of which `consumed` bytes were decoded. `put_body` adds what they say.
    fn write(
        &self,
        json: &mut JsonWriter<'_>,
        about: Option<Guid>,
        consumed: usize,
        put_body: impl FnOnce(&mut JsonWriter<'_>),
    ) {
        json.object(|json| {
            json.put("time", self.time).put("direction", Plain(self.direction.name()));
            self.head.put_fields(json);
            json.put("guid", about.map(guid));
            put_body(json);
            json.put("bytes_total", self.bytes.len())
                .put("bytes_consumed", consumed)
                .put("raw_hex", HexBytes(self.bytes));
        });
    }
}

impl Head {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("opcode", self.opcode.map(Hex::opcode))
            .put_some("action_sequence", self.action_sequence)
            .put_some("sub_opcode", self.sub_opcode.map(Hex::opcode))
            .put("name", Plain(self.name));
    }
}

/// Returns a decoding error as an object with the fields `what, offset, needed, had`.
pub fn error_json(error: &DecodeError) -> Value {
    json_form(|json| error.put_fields(json))
}

impl DecodedJson for DecodeError {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("what", self.to_string())
            .put("offset", self.offset)
            .put("needed", self.needed)
            .put("had", self.had);
    }
}

/// Returns an object whose fields `put_fields` adds.
fn json_form(put_fields: impl FnOnce(&mut JsonWriter<'_>)) -> Value {
    let mut text = Vec::new();
    JsonWriter::new(&mut text).object(put_fields);
    parsed(&text)
}

/// Returns the JSON form of a message from the server. Without `all`, only a message about movement has one; with `all`,
/// every message of a known type has one, and the player description includes its enchantments.
pub fn s2c_json(message: &S2C<'_>, all: bool) -> Option<Value> {
    s2c_has_form(message, all).then(|| json_form(|json| put_s2c(json, message, all)))
}

/// Returns `true` if a message from the server has a JSON form.
fn s2c_has_form(message: &S2C<'_>, all: bool) -> bool {
    let is_unknown = matches!(
        message,
        S2C::Unknown { .. } | S2C::GameEvent(GameEvent { event: GameEventBody::Unknown { .. }, .. })
    );
    !is_unknown && (all || message.is_movement())
}

/// Adds the fields of the JSON form of a message from the server. There are none if it is of an unknown type.
fn put_s2c(json: &mut JsonWriter<'_>, message: &S2C<'_>, all: bool) {
    match message {
        S2C::UpdateMotion(message) => message.put_fields(json),
        S2C::UpdatePosition(message) => message.put_fields(json),
        S2C::VectorUpdate(message) => message.put_fields(json),
        S2C::PositionAndMovement(message) => message.put_fields(json),
        S2C::SetState(message) => message.put_fields(json),
        S2C::CreateObject(message) => message.0.put_fields(json),
        S2C::UpdateObject(message) => message.0.put_fields(json),
        S2C::PlayerCreate(message) => message.put_fields(json),
        S2C::DeleteObject(message) => message.put_fields(json),
        S2C::ParentEvent(message) => message.put_fields(json),
        S2C::PickupEvent(message) => message.put_fields(json),
        S2C::ObjDescEvent(message) => message.put_fields(json),
        S2C::Sound(message) => message.put_fields(json),
        S2C::PlayerTeleport(message) => message.put_fields(json),
        S2C::PlayScriptId(message) => message.put_fields(json),
        S2C::PlayScriptType(message) => message.put_fields(json),
        S2C::PrivateUpdateSkill(message) => message.put_fields(json),
        S2C::PublicUpdateSkill(message) => message.put_fields(json),
        S2C::PrivateUpdateSkillLevel(message) => message.put_fields(json),
        S2C::PublicUpdateSkillLevel(message) => message.put_fields(json),
        S2C::PrivateUpdatePropertyInt(message) => message.put_fields(json),
        S2C::PublicUpdatePropertyInt(message) => message.put_fields(json),
        S2C::PrivateUpdateAttribute(message) => message.put_fields(json),
        S2C::PrivateUpdateAttribute2ndLevel(message) => message.put_fields(json),
        S2C::GameEvent(GameEvent { event, .. }) => put_event(json, event, all),
        S2C::Unknown { .. } => {}
    }
}

fn put_event(json: &mut JsonWriter<'_>, event: &GameEventBody<'_>, all: bool) {
    match event {
        GameEventBody::PlayerDescription(event) if all => put_full_description(json, event),
        GameEventBody::PlayerDescription(event) => event.put_fields(json),
        GameEventBody::MagicUpdateEnchantment(event) => event.put_fields(json),
        GameEventBody::MagicRemoveEnchantment(event) => event.put_fields(json),
        GameEventBody::UseDone(event) => event.put_fields(json),
        GameEventBody::AttackDone(event) => event.put_fields(json),
        GameEventBody::CombatCommenceAttack(event) => event.put_fields(json),
        GameEventBody::InventoryPutObjInContainer(event) => event.put_fields(json),
        GameEventBody::WieldItem(event) => event.put_fields(json),
        GameEventBody::InventoryPutObjIn3D(event) => event.put_fields(json),
        GameEventBody::Unknown { .. } => {}
    }
}

/// Returns the JSON form of a message from the client. Without `all`, only a message about movement has one; with `all`,
/// every message of a known type has one.
pub fn c2s_json(message: &C2S<'_>, all: bool) -> Option<Value> {
    c2s_has_form(message, all).then(|| json_form(|json| put_c2s(json, message)))
}

/// Returns `true` if a message from the client has a JSON form.
fn c2s_has_form(message: &C2S<'_>, all: bool) -> bool {
    let C2S::GameAction(GameAction { action, .. }) = message else { return false };
    !matches!(action, GameActionBody::Unknown { .. }) && (all || action.is_movement())
}

/// Adds the fields of the JSON form of a message from the client. There are none if it is of an unknown type.
fn put_c2s(json: &mut JsonWriter<'_>, message: &C2S<'_>) {
    let C2S::GameAction(GameAction { action, .. }) = message else { return };
    match action {
        GameActionBody::MoveToState(action) => action.put_fields(json),
        GameActionBody::AutonomousPosition(action) => action.put_fields(json),
        GameActionBody::Jump(action) => action.put_fields(json),
        GameActionBody::AutonomyLevel(action) => action.put_fields(json),
        GameActionBody::DoMovementCommand(action) => action.put_fields(json),
        GameActionBody::StopMovementCommand(action) => action.put_fields(json),
        GameActionBody::TurnTo(action) => action.put_fields(json),
        GameActionBody::JumpNonAutonomous(action) => action.put_fields(json),
        GameActionBody::ChangeCombatMode(action) => action.put_fields(json),
        GameActionBody::TargetedMeleeAttack(action) => action.put_fields(json),
        GameActionBody::TargetedMissileAttack(action) => action.put_fields(json),
        GameActionBody::CastUntargetedSpell(action) => action.put_fields(json),
        GameActionBody::CastTargetedSpell(action) => action.put_fields(json),
        GameActionBody::Use(action) => action.put_fields(json),
        GameActionBody::UseWithTarget(action) => action.put_fields(json),
        GameActionBody::PutItemInContainer(action) => action.put_fields(json),
        GameActionBody::GetAndWieldItem(action) => action.put_fields(json),
        GameActionBody::DropItem(action) => action.put_fields(json),
        GameActionBody::CancelAttack(action) => action.put_fields(json),
        GameActionBody::Unknown { .. } => {}
    }
}
