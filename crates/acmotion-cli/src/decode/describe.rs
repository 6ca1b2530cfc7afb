//! Describes messages in one line of text each. The text is appended to a buffer of the caller, so that a long capture
//! does not allocate for each message.

use std::fmt::Write as _;

use acmotion_types::{CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion_wire::json::Decoded;
use acmotion_wire::{
    ActionItem, Actions, C2S, ContactFlags, CreateObject, Direction, GameActionBody, GameEventBody, HoldKey,
    InitialMovement, InterpretedState, JumpForm, Message as _, MotionFlags, MoveToParams, Movement,
    MovementBody, ObjectDesc, PlayerDescription, PositionPack, RawMotionState, S2C, Skill, decode_c2s,
    decode_s2c, is_movement,
};

use rustc_hash::FxHashMap;

use super::character;
use crate::numbers::{Line, push_hex, push_rounded};
use crate::output::push_escaped;

/// Appends formatted text to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($format:tt)*) => {{
        let _ = write!($out, $($format)*);
    }};
}
pub(super) use put;

/// The names of objects, as far as the capture has created them.
#[derive(Default)]
pub(super) struct Names {
    by_guid: FxHashMap<Guid, Name>,
}

#[derive(Default)]
struct Name {
    text: String,
    /// The number of its characters.
    width: usize,
}

/// The maximum number of names to keep: a live capture has no end.
const MAX_NAMES: usize = 100_000;
/// The maximum length of a name, in characters. Longer names are cut off.
const MAX_NAME_LENGTH: usize = 20;

impl Names {
    /// Returns `true` if a message could create an object: other messages name none.
    pub(super) fn are_told_by(message: &[u8]) -> bool {
        message.starts_with(&CreateObject::OPCODE.to_le_bytes())
    }

    /// Adds the name of an object if a message creates it.
    pub(super) fn learn(&mut self, message: Decoded<'_, '_>) {
        let Decoded::Server(S2C::CreateObject(object)) = message else { return };
        if self.by_guid.len() < MAX_NAMES {
            let name = self.by_guid.entry(object.0.guid).or_default();
            name.text.clear();
            let characters = object.0.weenie.name();
            name.text.extend(characters.chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH));
            name.width = name.text.chars().count();
        }
    }

    /// Appends the id of an object, and its name if it is known. A message without an object is about the client itself.
    /// Returns the number of characters.
    pub(super) fn put_label(&self, out: &mut Line, guid: Option<Guid>) -> usize {
        let Some(guid) = guid else {
            out.push_str(CLIENT);
            return CLIENT.len();
        };
        push_hex(out, guid.0);
        let Some(name) = self.by_guid.get(&guid) else { return HEX_WIDTH };
        out.push_str(" ");
        out.push_str(&name.text);
        HEX_WIDTH + 1 + name.width
    }
}

/// What stands in the column of objects for the client itself.
const CLIENT: &str = "client";
/// The number of characters of an id.
const HEX_WIDTH: usize = 10;

/// A decoded message, and what filters need to know about it.
pub(super) struct Description<'m, 'a> {
    /// `None` if the message is too short to have one.
    pub(super) opcode: Option<u32>,
    /// The number of a game event or game action.
    pub(super) sub_opcode: Option<u32>,
    pub(super) name: &'static str,
    /// The object that the message is about.
    pub(super) guid: Option<Guid>,
    /// Whether the message is about movement, or too short to tell.
    pub(super) is_movement: bool,
    pub(super) message: Decoded<'m, 'a>,
}

/// Decodes a message and passes it on. It is large, and would otherwise be copied several times.
pub(super) fn with_decoded<T>(
    direction: Direction,
    bytes: &[u8],
    era: Era,
    handle: impl FnOnce(Decoded<'_, '_>) -> T,
) -> T {
    match direction {
        Direction::S2C => match &decode_s2c(bytes, era) {
            Ok(message) => handle(Decoded::Server(message)),
            Err(error) => handle(Decoded::Undecodable(direction, error)),
        },
        Direction::C2S => match &decode_c2s(bytes, era) {
            Ok(message) => handle(Decoded::Client(message)),
            Err(error) => handle(Decoded::Undecodable(direction, error)),
        },
    }
}

impl<'m, 'a> Description<'m, 'a> {
    /// Describes a message that the bytes were decoded to.
    pub(super) fn new(bytes: &[u8], message: Decoded<'m, 'a>) -> Self {
        match message {
            Decoded::Server(decoded) => Self {
                opcode: Some(decoded.opcode()),
                sub_opcode: decoded.sub_opcode(),
                name: decoded.name(),
                guid: decoded.guid(),
                is_movement: decoded.is_movement(),
                message,
            },
            Decoded::Client(decoded) => Self {
                opcode: Some(decoded.opcode()),
                sub_opcode: decoded.sub_opcode(),
                name: decoded.name(),
                guid: decoded.guid(),
                is_movement: decoded.is_movement(),
                message,
            },
            Decoded::Undecodable(direction, _) => {
                let opcode = bytes.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
                let name = match direction {
                    Direction::S2C => opcode.and_then(S2C::name_of),
                    Direction::C2S => opcode.and_then(C2S::name_of),
                };
                Self {
                    opcode,
                    sub_opcode: None,
                    name: name.unwrap_or("Unknown"),
                    guid: None,
                    is_movement: is_movement(direction, bytes),
                    message,
                }
            }
        }
    }

    /// Returns `true` if the message could not be decoded.
    pub(super) fn is_error(&self) -> bool {
        matches!(self.message, Decoded::Undecodable(..))
    }

    /// Appends the description. It is empty if the message is of an unknown type.
    pub(super) fn put_text(&self, out: &mut Line, names: &Names) {
        match self.message {
            Decoded::Server(message) => put_server_message(out, message, names),
            Decoded::Client(message) => put_client_message(out, message, names),
            Decoded::Undecodable(_, error) => put!(out, "cannot be decoded: {error}"),
        }
    }
}

fn put_server_message(out: &mut Line, message: &S2C<'_>, names: &Names) {
    match message {
        S2C::UpdateMotion(message) => put_movement(out, &message.data.movement, names),
        S2C::UpdatePosition(message) => put_position_pack(out, &message.pack),
        S2C::PositionAndMovement(message) => {
            put_position_pack(out, &message.pack);
            out.push_str("; ");
            put_movement(out, &message.data.movement, names);
        }
        S2C::VectorUpdate(message) => {
            out.push_str("velocity ");
            put_vector(out, message.velocity);
            out.push_str(" m/s, omega ");
            put_vector(out, message.omega);
            out.push_str(" rad/s");
        }
        S2C::SetState(message) => {
            out.push_str("state ");
            push_hex(out, message.state.bits());
        }
        S2C::CreateObject(message) => put_created(out, &message.0, names),
        S2C::UpdateObject(message) => put_created(out, &message.0, names),
        S2C::PlayerCreate(_) => out.push_str("is the player"),
        S2C::DeleteObject(_) => out.push_str("is deleted"),
        S2C::PickupEvent(_) => out.push_str("is picked up"),
        S2C::ParentEvent(message) => {
            out.push_str("holds ");
            names.put_label(out, Some(message.child));
            put!(out, " at location {}", message.location);
        }
        S2C::ObjDescEvent(_) => out.push_str("changes its appearance"),
        S2C::Sound(message) => {
            put!(out, "plays sound {} at volume ", message.sound);
            put_number(out, message.volume);
        }
        S2C::PlayerTeleport(_) => out.push_str("the player is teleported"),
        S2C::PlayScriptId(message) => {
            out.push_str("plays script ");
            push_hex(out, message.script);
        }
        S2C::PlayScriptType(message) => {
            put!(out, "plays script type {} ×", message.script_type);
            put_number(out, message.speed);
        }
        S2C::GameEvent(event) => put_game_event(out, &event.event, names),
        S2C::PrivateUpdateSkill(message) => put_skill(out, message.skill, &message.value),
        S2C::PublicUpdateSkill(message) => put_skill(out, message.skill, &message.value),
        S2C::PrivateUpdateSkillLevel(message) => {
            put!(out, "skill {}: {} ranks", message.skill, message.ranks);
        }
        S2C::PublicUpdateSkillLevel(message) => {
            put!(out, "skill {}: {} ranks", message.skill, message.ranks);
        }
        S2C::PrivateUpdatePropertyInt(message) => {
            character::put_property(out, message.property, message.value);
        }
        S2C::PublicUpdatePropertyInt(message) => {
            character::put_property(out, message.property, message.value);
        }
        S2C::PrivateUpdateAttribute(message) => {
            character::put_attribute(out, message.attribute, &message.value);
        }
        S2C::PrivateUpdateAttribute2ndLevel(message) => {
            character::put_vital(out, message.vital, message.current);
        }
        _ => {}
    }
}

fn put_game_event(out: &mut Line, event: &GameEventBody<'_>, names: &Names) {
    match event {
        GameEventBody::PlayerDescription(player) => put_player_description(out, player),
        other => character::put_event(out, other, names),
    }
}

fn put_player_description(out: &mut Line, player: &PlayerDescription<'_>) {
    let mut parts = Separated::new(out);
    for (name, skill) in [("run", player.run()), ("jump", player.jump())] {
        if let Some(skill) = skill {
            put!(parts.next(), "{name} {} + {} ranks", skill.init_level, skill.ranks);
        }
    }
    if let Some(burden) = player.burden() {
        put!(parts.next(), "burden {burden}");
    }
    match player.enchantments().modifiers().count() {
        0 => {}
        1 => parts.next().push_str("1 enchantment"),
        count => put!(parts.next(), "{count} enchantments"),
    }
}

/// Parts of a text with commas between them.
struct Separated<'a> {
    out: &'a mut Line,
    start: usize,
}

impl<'a> Separated<'a> {
    fn new(out: &'a mut Line) -> Self {
        let start = out.len();
        Self { out, start }
    }

    /// Returns the text, to which the next part is to be appended.
    fn next(&mut self) -> &mut Line {
        if !self.is_empty() {
            self.out.push_str(", ");
        }
        self.out
    }

    fn is_empty(&self) -> bool {
        self.out.len() == self.start
    }
}

fn put_skill(out: &mut Line, number: u32, skill: &Skill) {
    put!(out, "skill {number}: {} + {} ranks", skill.init_level, skill.ranks);
}

fn put_created(out: &mut Line, object: &ObjectDesc<'_>, names: &Names) {
    let physics = &object.physics;
    for character in object.weenie.name().chars() {
        push_escaped(out, character);
    }
    if let Some(at) = &physics.position {
        out.push_str(" at ");
        put_position(out, at);
    }
    if let Some(setup) = physics.setup {
        out.push_str(", setup ");
        push_hex(out, setup);
    }
    if let Some(table) = physics.motion_table {
        out.push_str(", table ");
        push_hex(out, table);
    }
    if let Some(InitialMovement::Movement { movement: state, .. }) = &physics.movement {
        out.push_str(", ");
        put_movement(out, state, names);
    }
}

/// Appends the description of a message from the client; nothing if the message is of an unknown type.
fn put_client_message(out: &mut Line, message: &C2S<'_>, names: &Names) {
    let C2S::GameAction(action) = message else { return };
    match &action.action {
        GameActionBody::MoveToState(message) => {
            put_raw_state(out, &message.raw);
            out.push_str(" at ");
            put_position(out, &message.position);
            if message.contact.contains(ContactFlags::STANDING_LONG_JUMP) {
                out.push_str(", charging a standing long jump");
            }
        }
        GameActionBody::AutonomousPosition(message) => {
            put_place(out, &message.position, message.contact.get());
        }
        GameActionBody::Jump(message) => {
            out.push_str("jumps with extent ");
            put_number(out, message.extent);
            out.push_str(", velocity ");
            put_vector(out, message.velocity);
            out.push_str(" m/s");
            out.push_str(match message.form() {
                JumpForm::Full => "",
                JumpForm::Short => " (short form)",
                JumpForm::ShortWithTail => " (short form with a tail)",
            });
        }
        GameActionBody::JumpNonAutonomous(message) => {
            out.push_str("requests a jump with extent ");
            put_number(out, message.extent);
        }
        GameActionBody::AutonomyLevel(message) => put!(out, "autonomy level {}", message.level),
        GameActionBody::ChangeCombatMode(message) => put!(out, "combat mode {}", message.mode.0),
        GameActionBody::DoMovementCommand(message) => {
            put!(out, "does {} ×", message.motion);
            put_number(out, message.speed);
            out.push_str(hold_suffix(Some(message.hold_key)));
        }
        GameActionBody::StopMovementCommand(message) => put!(out, "stops {}", message.motion),
        GameActionBody::TurnTo(message) => {
            out.push_str("turns to ");
            put_number(out, message.heading);
            out.push_str("°");
        }
        other => character::put_action(out, other, names),
    }
}

fn put_movement(out: &mut Line, movement: &Movement<'_>, names: &Names) {
    match &movement.body {
        MovementBody::Interpreted { state, sticky } => {
            put_interpreted(out, state);
            if let Some(sticky) = sticky {
                out.push_str(", sticks to ");
                names.put_label(out, Some(*sticky));
            }
        }
        MovementBody::MoveToObject { target, params, run_rate, .. } => {
            out.push_str("moves to ");
            names.put_label(out, Some(*target));
            put_move_to_params(out, params, *run_rate);
        }
        MovementBody::MoveToPosition { origin, params, run_rate } => {
            out.push_str("moves to ");
            push_hex(out, origin.cell.0);
            out.push_str(" ");
            put_vector(out, origin.point);
            put_move_to_params(out, params, *run_rate);
        }
        MovementBody::TurnToObject { target, params, .. } => {
            out.push_str("turns to ");
            names.put_label(out, Some(*target));
            out.push_str(" ×");
            put_number(out, params.speed);
        }
        MovementBody::TurnToHeading { params } => {
            out.push_str("turns to ");
            put_number(out, params.desired_heading);
            out.push_str("° ×");
            put_number(out, params.speed);
        }
    }
    if movement.style != MotionCommand::INVALID && movement.style != MotionCommand::NONE {
        out.push_str(", style ");
        put_command(out, movement.style);
    }
    if movement.flags.contains(MotionFlags::STANDING_LONG_JUMP) {
        out.push_str(", charging a standing long jump");
    }
}

fn put_move_to_params(out: &mut Line, params: &MoveToParams, run_rate: f32) {
    out.push_str(" within ");
    put_number(out, params.distance_to_object);
    out.push_str(" m, speed ×");
    put_number(out, params.speed);
    out.push_str(", run rate ");
    put_number(out, run_rate);
}

fn put_interpreted(out: &mut Line, state: &InterpretedState<'_>) {
    let axes = [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ];
    put_motion_state(out, axes, state.actions);
}

fn put_raw_state(out: &mut Line, state: &RawMotionState<'_>) {
    let axes = [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ];
    put_motion_state(out, axes, state.actions);
    out.push_str(hold_suffix(state.current_hold_key));
}

fn hold_suffix(key: Option<HoldKey>) -> &'static str {
    if key == Some(HoldKey::RUN) { " (run key)" } else { "" }
}

fn put_motion_state(out: &mut Line, axes: [(Option<MotionCommand>, Option<f32>); 3], actions: Actions<'_>) {
    let mut parts = Separated::new(out);
    for (command, speed) in axes {
        if let Some(command) = command {
            put_axis(parts.next(), command, speed.unwrap_or(1.0));
        }
    }
    for item in actions.iter() {
        put_action(parts.next(), item);
    }
    if parts.is_empty() {
        out.push_str("stands ready");
    }
}

/// Appends one axis of a motion state. A negative speed is the opposite motion.
fn put_axis(out: &mut Line, command: MotionCommand, speed: f32) {
    let is_reversed = speed < 0.0;
    out.push_str(match (command, is_reversed) {
        (MotionCommand::READY, _) => return out.push_str("stands ready"),
        (MotionCommand::WALK_FORWARD, false) => "walks forward",
        (MotionCommand::WALK_FORWARD, true) | (MotionCommand::WALK_BACKWARDS, false) => "walks backwards",
        (MotionCommand::RUN_FORWARD, false) => "runs forward",
        (MotionCommand::RUN_FORWARD, true) => "runs backwards",
        (MotionCommand::SIDE_STEP_RIGHT, false) | (MotionCommand::SIDE_STEP_LEFT, true) => "sidesteps right",
        (MotionCommand::SIDE_STEP_LEFT, false) | (MotionCommand::SIDE_STEP_RIGHT, true) => "sidesteps left",
        (MotionCommand::TURN_RIGHT, false) | (MotionCommand::TURN_LEFT, true) => "turning right",
        (MotionCommand::TURN_LEFT, false) | (MotionCommand::TURN_RIGHT, true) => "turning left",
        (other, _) => {
            put_command(out, other);
            return put_speed_factor(out, speed);
        }
    });
    put_speed_factor(out, speed.abs());
}

fn put_action(out: &mut Line, item: ActionItem) {
    out.push_str("does ");
    put_command(out, item.command);
    put_speed_factor(out, item.speed);
}

/// Appends a speed factor unless it is 1.
fn put_speed_factor(out: &mut Line, speed: f32) {
    if speed != 1.0 {
        out.push_str(" ×");
        put_number(out, speed);
    }
}

fn put_position_pack(out: &mut Line, pack: &PositionPack) {
    put_place(out, &pack.position, pack.is_grounded());
}

/// Appends where a body is, and whether it is on the ground.
fn put_place(out: &mut Line, position: &CellPosition, is_grounded: bool) {
    out.push_str("is at ");
    put_position(out, position);
    out.push_str(if is_grounded { ", on the ground" } else { ", in the air" });
}

fn put_position(out: &mut Line, position: &CellPosition) {
    push_hex(out, position.cell.0);
    out.push_str(" ");
    put_vector(out, position.frame.origin);
    out.push_str(" facing ");
    put_number(out, position.frame.heading());
    out.push_str("°");
}

fn put_vector(out: &mut Line, v: Vec3) {
    out.push_str("(");
    put_number(out, v.x);
    out.push_str(", ");
    put_number(out, v.y);
    out.push_str(", ");
    put_number(out, v.z);
    out.push_str(")");
}

/// Appends the name of a command, or its id if it has none.
fn put_command(out: &mut Line, command: MotionCommand) {
    match command.name() {
        Some(name) => out.push_str(name),
        None => push_hex(out, command.0),
    }
}

/// Appends a number with at most two decimals.
pub(super) fn put_number(out: &mut Line, value: f32) {
    push_rounded(out, value, 2);
}

#[cfg(test)]
mod tests {
    use acmotion::World;
    use acmotion::dat::Assets;
    use acmotion_types::{CellId, CellPosition, Era, Vec3};
    use acmotion_wire::decode_s2c;

    use super::*;

    #[test]
    fn the_names_of_objects_are_bounded_and_cut() {
        let mut world = World::new(Assets::mannequin());
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        let mut learn = |names: &mut Names, guid: u32| {
            let id = world.add_stand_in(Guid(guid), &position, 0.0);
            let mut bytes = Vec::new();
            world
                .describe(id)
                .unwrap()
                .named("A name that is of more than twenty letters")
                .encode(&mut bytes);
            names.learn(Decoded::Server(&decode_s2c(&bytes, Era::default()).unwrap()));
        };
        let mut names = Names::default();
        learn(&mut names, 1);
        assert_eq!(names.by_guid[&Guid(1)].text, "A name that is of mo");
        assert_eq!(names.by_guid[&Guid(1)].text.len(), MAX_NAME_LENGTH);
        names.by_guid.extend((2..=MAX_NAMES as u32).map(|guid| (Guid(guid), Name::default())));
        learn(&mut names, u32::MAX);
        assert_eq!(names.by_guid.len(), MAX_NAMES);
    }
}
