//! Family `wire`: encoding and decoding of messages (`docs/wire.md`; rules D5, E1, E5, E7, K6, K7, K9). The message
//! built from the fields of a vector must encode to its bytes, and the bytes must decode to the message. Stamps are those that
//! a server's world gives its messages (rule D4).

use acmotion::dat::Assets;
use acmotion::{EntityId, EntitySpec, World};
use acmotion_types::{ActionStamp, CellId, CellPosition, Era, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion_wire::json::message_json;
use acmotion_wire::{
    ActionItem, Actions, AutonomousPosition, C2S, ContactFlags, Direction, EchoedStamps, GameAction,
    GameActionBody, HoldKey, InterpretedState, Jump, MotionFlags, MoveFlags, MoveToParams, MoveToState,
    Movement, MovementBody, ObjectStamps, Origin, Pad, PositionFlags, PositionPack, RawMotionState, S2C,
    TurnToParams, UpdateMotion, UpdatePosition, VectorUpdate, decode_c2s, decode_s2c,
};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact};
use super::{CaseResult, Family};

pub(super) struct WireFamily;

/// The opcode of the message that carries an action of the client (`docs/wire.md`).
const GAME_ACTION: u32 = 0xF7B1;
/// The sequence number of the game action that a client payload is put into.
const ACTION_SEQUENCE: u32 = 7;

impl Family for WireFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("msg")?.text()? {
            "UpdateMotion" => {
                let actions = interpreted_actions(case)?;
                check_server(case, update_motion(case, &actions)?.into())?;
            }
            "UpdatePosition" => {
                check_server(case, update_position(case)?.into())?;
                check_position_stamps(case)?;
            }
            "VectorUpdate" => check_server(case, vector_update(case)?.into())?,
            "MoveToState" => {
                let actions = raw_actions(case)?;
                check_client(case, move_to_state(case, &actions)?.into(), |decoded, length| {
                    exact("num_commands", case.get("num_commands")?.unsigned()?, action_count(decoded))?;
                    exact("bytes_consumed", case.get("bytes_consumed")?.unsigned()?, length as u64)
                })?;
            }
            "AutonomousPosition" => {
                check_client(case, autonomous_position(case)?.into(), |_, _| Ok(()))?;
            }
            "Jump" => {
                check_client(case, jump(case)?.into(), |_, _| Ok(()))?;
            }
            other => return Err(Difference::new("msg", "a message of this family", other)),
        }
        Ok(CaseResult::Passed)
    }
}

fn check_server(case: Field<'_>, expected: S2C<'_>) -> CheckResult {
    exact("dir", case.get("dir")?.text()?, "s2c")?;
    let bytes = read_bytes(case.get("hex")?)?;
    let mut encoded = Vec::new();
    expected.encode(&mut encoded);
    exact("opcode", case.get("opcode")?.hex()?, first_word(&encoded))?;
    compare(Direction::S2C, &bytes, &encoded)?;
    match decode_s2c(&bytes, Era::EndOfRetail) {
        Ok(got) if got == expected => Ok(()),
        Ok(got) => Err(Difference::new("decoded", format_args!("{expected:?}"), format_args!("{got:?}"))),
        Err(error) => Err(Difference::new("decoded", "a message", error)),
    }
}

/// Checks an action of the client, and by `check` what it decodes to and the length of its payload, in bytes.
fn check_client(
    case: Field<'_>,
    action: GameActionBody<'_>,
    check: impl FnOnce(&GameActionBody<'_>, usize) -> CheckResult,
) -> CheckResult {
    exact("dir", case.get("dir")?.text()?, "c2s")?;
    let header = [GAME_ACTION, ACTION_SEQUENCE, case.get("opcode")?.hex()?].map(u32::to_le_bytes).concat();
    let bytes = [header.clone(), read_bytes(case.get("hex")?)?].concat();
    let expected = C2S::from(GameAction { sequence: ACTION_SEQUENCE, action });
    let mut encoded = Vec::new();
    expected.encode(&mut encoded);
    compare(Direction::C2S, &bytes, &encoded)?;
    match decode_c2s(&bytes, Era::EndOfRetail) {
        Ok(C2S::GameAction(got)) if C2S::from(got) == expected => {
            check(&got.action, encoded.len() - header.len())
        }
        Ok(got) => Err(Difference::new("decoded", format_args!("{expected:?}"), format_args!("{got:?}"))),
        Err(error) => Err(Difference::new("decoded", "a message", error)),
    }
}

fn action_count(action: &GameActionBody<'_>) -> u64 {
    match action {
        GameActionBody::MoveToState(message) => message.raw.actions.len() as u64,
        _ => 0,
    }
}

fn first_word(message: &[u8]) -> u32 {
    message.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

/// A server's world with the object of the case, which has the stamps of `seq_before`.
struct Sender {
    world: World,
    object: EntityId,
}

impl Sender {
    fn new(case: Field<'_>) -> CheckResult<Self> {
        let before = case.get("seq_before")?;
        let stamps = ObjectStamps {
            instance: stamp(before, "instance")?,
            movement: stamp(before, "movement")?,
            server_control: stamp(before, "server_control")?,
            position: stamp(before, "position")?,
            teleport: stamp(before, "teleport")?,
            force_position: stamp(before, "force_position")?,
            vector: stamp(before, "vector")?,
            ..ObjectStamps::default()
        };
        let spec = EntitySpec { stamps, ..EntitySpec::new(guid(case, "guid")?, SENDER_POSITION) };
        let mut world = World::new(Assets::mannequin());
        let spawned = world.spawn(&spec, 0.0);
        let object = spawned.map_err(|error| Difference::new("guid", "an object", error))?;
        Ok(Self { world, object })
    }
}

/// Where the object of a sender is, unless the message moves it.
const SENDER_POSITION: CellPosition = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 20.0));

fn no_message() -> Difference {
    Difference::new("message", "a message", "none")
}

/// Checks the stamps of a position against those of a server that reports one, or teleports the object.
fn check_position_stamps(case: Field<'_>) -> CheckResult {
    let Sender { mut world, object } = Sender::new(case)?;
    if case.get("teleport_bump")?.boolean()? {
        let teleported = world.teleport(object, &SENDER_POSITION, 0.0);
        teleported.map_err(|error| Difference::new("teleport", "a teleport", error))?;
    } else {
        world.report_position(object);
    }
    let PositionPack { instance, position_stamp, teleport, force_position, .. } =
        world.describe_position(object).ok_or_else(no_message)?.pack;
    for (name, got) in [
        ("instance", instance),
        ("position", position_stamp),
        ("teleport", teleport),
        ("force_position", force_position),
    ] {
        exact(name, stamp(case, name)?, got).map_err(|difference| difference.within("seq_before"))?;
    }
    Ok(())
}

/// Requires the same bytes. The difference names the first decoded field that differs, or the first byte if none does.
fn compare(direction: Direction, expected: &[u8], got: &[u8]) -> CheckResult {
    if expected == got {
        return Ok(());
    }
    let decoded = |bytes: &[u8]| {
        let object = message_json(0.0, direction, bytes, Era::EndOfRetail, true).unwrap_or_default();
        object.get("decoded").or_else(|| object.get("error")).cloned().unwrap_or_default()
    };
    first_difference("decoded", &decoded(expected), &decoded(got))?;
    let index = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    let byte =
        |bytes: &[u8]| bytes.get(index).map_or_else(|| "the end".into(), |byte| format!("0x{byte:02X}"));
    Err(Difference::new(format_args!("hex, byte {index}"), byte(expected), byte(got)))
}

fn first_difference(path: &str, expected: &Value, got: &Value) -> CheckResult {
    match (expected, got) {
        (Value::Object(one), Value::Object(two)) => {
            for name in one.keys().chain(two.keys()) {
                let [one, two] = [one, two].map(|members| members.get(name).unwrap_or(&Value::Null));
                first_difference(&format!("{path}.{name}"), one, two)?;
            }
            Ok(())
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            for (index, (one, two)) in one.iter().zip(two).enumerate() {
                first_difference(&format!("{path}[{index}]"), one, two)?;
            }
            Ok(())
        }
        _ if expected == got => Ok(()),
        _ => Err(Difference::new(path, expected, got)),
    }
}

fn read_bytes(hex: Field<'_>) -> CheckResult<Vec<u8>> {
    let text = hex.text()?;
    let byte = |index: usize| text.get(index..index + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..text.len())
        .step_by(2)
        .map(|index| {
            byte(index)
                .ok_or_else(|| Difference::new("hex", "pairs of hexadecimal digits in the vector", text))
        })
        .collect()
}

fn short(field: Field<'_>) -> CheckResult<u16> {
    let number = field.unsigned()?;
    u16::try_from(number).map_err(|_| Difference::new("stamp", "16 bits in the vector", number))
}

fn stamp(case: Field<'_>, name: &'static str) -> CheckResult<Stamp> {
    short(case.get(name)?).map(Stamp)
}

fn guid(case: Field<'_>, name: &'static str) -> CheckResult<Guid> {
    case.get(name)?.hex().map(Guid)
}

fn command(field: Field<'_>) -> CheckResult<MotionCommand> {
    field.hex().map(MotionCommand)
}

/// Reads a command that has 16 bits on the wire, and so comes out as the table has it (rule E6).
fn short_command(field: Field<'_>) -> CheckResult<MotionCommand> {
    let command = command(field)?;
    Ok(Era::EndOfRetail.expand(command.wire_index()).unwrap_or(command))
}

fn position(case: Field<'_>) -> CheckResult<CellPosition> {
    let frame = Frame::new(case.get("o")?.vector()?, case.get("q_wxyz")?.quat()?);
    Ok(CellPosition::new(CellId(case.get("cell")?.hex()?), frame))
}

fn echoed(case: Field<'_>) -> CheckResult<EchoedStamps> {
    Ok(EchoedStamps {
        instance: stamp(case, "instance")?,
        server_control: stamp(case, "server_control")?,
        teleport: stamp(case, "teleport")?,
        force_position: stamp(case, "force_position")?,
    })
}

/// Returns the three or four fields of an action item, in the order of the vector.
fn item_fields(item: Field<'_>) -> CheckResult<Vec<Field<'_>>> {
    let fields: Vec<_> = item.elements()?.collect();
    if fields.len() < 3 {
        return Err(Difference::new(
            "commands",
            "items with three or four fields in the vector",
            item.value(),
        ));
    }
    Ok(fields)
}

/// Reads the actions of an interpreted state. The sender stamps each one with the next value of its counter.
fn interpreted_actions(case: Field<'_>) -> CheckResult<Vec<ActionItem>> {
    let Some(state) = case.find("state") else { return Ok(Vec::new()) };
    let mut counter = ActionStamp::new(short(case.get("seq_before")?.get("motion")?)?);
    let mut actions = Vec::new();
    for item in state.get("commands")?.elements()? {
        let fields = item_fields(item)?;
        actions.push(ActionItem {
            command: short_command(fields[0])?,
            stamp: counter.draw(),
            autonomous: fields[2].boolean()?,
            speed: fields[1].float()?,
        });
    }
    Ok(actions)
}

/// Reads the actions of a raw state: index, stamp, autonomous, speed.
fn raw_actions(case: Field<'_>) -> CheckResult<Vec<ActionItem>> {
    let mut actions = Vec::new();
    for item in case.get("commands_sent")?.elements()? {
        let fields = item_fields(item)?;
        let index = short(fields[0])?;
        let command = Era::EndOfRetail.expand(index);
        actions.push(ActionItem {
            command: command.ok_or_else(|| Difference::new("commands_sent", "a known command", index))?,
            stamp: ActionStamp::new(short(fields[1])?),
            autonomous: fields[2].boolean()?,
            speed: fields
                .get(3)
                .ok_or_else(|| Difference::new("commands_sent", "a speed", "none"))?
                .float()?,
        });
    }
    Ok(actions)
}

fn interpreted<'a>(case: Field<'_>, actions: &'a [ActionItem]) -> CheckResult<InterpretedState<'a>> {
    let state = case.get("state")?;
    let flags = state.get("flags")?.unsigned()?;
    let command = |bit: u64, field: CheckResult<Field<'_>>| {
        (flags & bit != 0).then(|| short_command(field?)).transpose()
    };
    let speed = |bit: u64, name| (flags & bit != 0).then(|| state.get(name)?.float()).transpose();
    Ok(InterpretedState {
        current_style: command(0x01, case.get("style"))?,
        forward_command: command(0x02, state.get("fwd"))?,
        sidestep_command: command(0x08, state.get("side"))?,
        turn_command: command(0x20, state.get("turn"))?,
        forward_speed: speed(0x04, "fwd_speed")?,
        sidestep_speed: speed(0x10, "side_speed")?,
        turn_speed: speed(0x40, "turn_speed")?,
        actions: Actions::new(actions),
        unknown_bits: 0,
        pad: Pad::ZERO,
    })
}

fn move_to_params(case: Field<'_>) -> CheckResult<MoveToParams> {
    let params = case.get("params")?;
    Ok(MoveToParams {
        flags: MoveFlags::from_bits_retain(params.get("flags")?.hex()?),
        distance_to_object: params.get("distance_to_object")?.float()?,
        min_distance: params.get("min_distance")?.float()?,
        fail_distance: params.get("fail_distance")?.float()?,
        speed: params.get("speed")?.float()?,
        walk_run_threshold: params.get("walk_run_threshold")?.float()?,
        desired_heading: params.get("desired_heading")?.float()?,
    })
}

fn turn_to_params(case: Field<'_>) -> CheckResult<TurnToParams> {
    let params = case.get("params")?;
    Ok(TurnToParams {
        flags: MoveFlags::from_bits_retain(params.get("flags")?.hex()?),
        speed: params.get("speed")?.float()?,
        desired_heading: params.get("desired_heading")?.float()?,
    })
}

fn origin(case: Field<'_>) -> CheckResult<Origin> {
    let origin = case.get("origin")?;
    Ok(Origin { cell: CellId(origin.get("cell")?.hex()?), point: origin.get("o")?.vector()? })
}

fn movement_body<'a>(case: Field<'_>, actions: &'a [ActionItem]) -> CheckResult<MovementBody<'a>> {
    Ok(match case.get("movement_type")?.unsigned()? {
        0 => MovementBody::Interpreted {
            state: interpreted(case, actions)?,
            sticky: case.find("sticky").map(|sticky| sticky.hex().map(Guid)).transpose()?,
        },
        6 => MovementBody::MoveToObject {
            target: guid(case, "target")?,
            origin: origin(case)?,
            params: move_to_params(case)?,
            run_rate: case.get("run_rate")?.float()?,
        },
        7 => MovementBody::MoveToPosition {
            origin: origin(case)?,
            params: move_to_params(case)?,
            run_rate: case.get("run_rate")?.float()?,
        },
        8 => MovementBody::TurnToObject {
            target: guid(case, "target")?,
            heading: case.get("object_desired_heading")?.float()?,
            params: turn_to_params(case)?,
        },
        9 => MovementBody::TurnToHeading { params: turn_to_params(case)? },
        other => return Err(Difference::new("movement_type", "0 or 6 to 9", other)),
    })
}

fn update_motion<'a>(case: Field<'_>, actions: &'a [ActionItem]) -> CheckResult<UpdateMotion<'a>> {
    let flags = case.get("motion_flags")?.unsigned()? as u8;
    let movement = Movement {
        flags: MotionFlags::from_bits_retain(flags),
        style: command(case.get("style")?)?,
        body: movement_body(case, actions)?,
    };
    let Sender { mut world, object } = Sender::new(case)?;
    let message = world.set_movement(object, movement, case.get("autonomous")?.boolean()?, 0.0);
    message.ok_or_else(no_message)
}

fn update_position(case: Field<'_>) -> CheckResult<UpdatePosition> {
    let placement = case.find("placement").map(Field::unsigned).transpose()?;
    Ok(UpdatePosition {
        guid: guid(case, "guid")?,
        pack: PositionPack {
            flags: PositionFlags::from_bits_retain(case.get("flags")?.hex()?),
            position: position(case)?,
            velocity: case.find("velocity").map(Field::vector).transpose()?,
            placement: placement.map(|placement| placement as u32),
            instance: stamp(case, "instance")?,
            position_stamp: stamp(case, "position")?,
            teleport: stamp(case, "teleport")?,
            force_position: stamp(case, "force_position")?,
        },
    })
}

fn vector_update(case: Field<'_>) -> CheckResult<VectorUpdate> {
    let Sender { mut world, object } = Sender::new(case)?;
    let (velocity, omega) = (case.get("velocity")?.vector()?, case.get("omega")?.vector()?);
    world.set_velocity(object, velocity, omega, 0.0).ok_or_else(no_message)
}

/// Returns a field that the message has if its bit is set. One that it does not have must be 0 in the vector.
fn present<T>(flags: u32, bit: u32, name: &str, value: T) -> CheckResult<Option<T>>
where
    T: PartialEq + std::fmt::Debug + Default,
{
    if flags & bit != 0 {
        return Ok(Some(value));
    }
    exact(name, value, T::default())?;
    Ok(None)
}

fn move_to_state<'a>(case: Field<'_>, actions: &'a [ActionItem]) -> CheckResult<MoveToState<'a>> {
    let flags = case.get("flags")?.hex()?;
    let key = |bit: u32, name| -> CheckResult<_> {
        Ok(present(flags, bit, name, case.get(name)?.unsigned()? as u32)?.map(HoldKey))
    };
    let command = |bit: u32, name| -> CheckResult<_> {
        Ok(present(flags, bit, name, case.get(name)?.hex()?)?.map(MotionCommand))
    };
    let speed = |bit: u32, name| present(flags, bit, name, case.get(name)?.float()?);
    let raw = RawMotionState {
        current_hold_key: key(0x001, "hold")?,
        current_style: command(0x002, "style")?,
        forward_command: command(0x004, "fwd")?,
        forward_hold_key: key(0x008, "fwd_hold")?,
        forward_speed: speed(0x010, "fwd_speed")?,
        sidestep_command: command(0x020, "side")?,
        sidestep_hold_key: key(0x040, "side_hold")?,
        sidestep_speed: speed(0x080, "side_speed")?,
        turn_command: command(0x100, "turn")?,
        turn_hold_key: key(0x200, "turn_hold")?,
        turn_speed: speed(0x400, "turn_speed")?,
        actions: Actions::new(actions),
        unknown_bits: 0,
    };
    let mut contact = ContactFlags::empty();
    contact.set(ContactFlags::CONTACT, case.get("contact")?.boolean()?);
    contact.set(ContactFlags::STANDING_LONG_JUMP, case.get("standing_long_jump")?.boolean()?);
    let position = position(case.get("position")?)?;
    Ok(MoveToState { raw, position, stamps: echoed(case)?, contact, pad: Pad::ZERO })
}

fn autonomous_position(case: Field<'_>) -> CheckResult<AutonomousPosition> {
    Ok(AutonomousPosition {
        position: position(case.get("position")?)?,
        stamps: echoed(case)?,
        contact: case.get("contact")?.boolean()?.into(),
        pad: Pad::ZERO,
    })
}

fn jump(case: Field<'_>) -> CheckResult<Jump> {
    Ok(Jump {
        extent: case.get("extent")?.float()?,
        velocity: case.get("velocity")?.vector()?,
        position: Some(position(case.get("position")?)?),
        stamps: echoed(case)?,
        tail: None,
    })
}
