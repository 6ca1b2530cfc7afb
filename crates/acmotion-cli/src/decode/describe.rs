//! Describes messages in one line of text each.

use std::collections::HashMap;
use std::fmt::Write as _;

use acmotion_types::{CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion_wire::{
    ActionItem, Actions, C2S, ContactFlags, DecodeError, Direction, GameActionBody, GameEventBody, HoldKey,
    InitialMovement, InterpretedState, JumpForm, MotionFlags, MoveToParams, Movement, MovementBody,
    ObjectDesc, PlayerDescription, PositionPack, RawMotionState, S2C, Skill, decode_c2s, decode_s2c,
    is_movement,
};

use super::character;
use crate::numbers::rounded;
use crate::output::escape_controls;

/// The names of objects, as far as the capture has created them.
#[derive(Default)]
pub(super) struct Names {
    by_guid: HashMap<Guid, String>,
}

/// The maximum number of names to keep: a live capture has no end.
const MAX_NAMES: usize = 100_000;
/// The maximum length of a name, in characters. Longer names are cut off.
const MAX_NAME_LENGTH: usize = 20;

impl Names {
    fn learn(&mut self, object: &ObjectDesc<'_>) {
        if self.by_guid.len() < MAX_NAMES {
            let name =
                object.weenie.name().chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH).collect();
            self.by_guid.insert(object.guid, name);
        }
    }

    /// Returns the id of an object, and its name if it is known. A message without an object is about the client itself.
    pub(super) fn label(&self, guid: Option<Guid>) -> String {
        let Some(guid) = guid else { return String::from("client") };
        match self.by_guid.get(&guid) {
            Some(name) => format!("{guid} {name}"),
            None => guid.to_string(),
        }
    }
}

/// A message as text, and what filters need to know about it.
pub(super) struct Description {
    /// `None` if the message is too short to have one.
    pub(super) opcode: Option<u32>,
    /// The number of a game event or game action.
    pub(super) sub_opcode: Option<u32>,
    pub(super) name: &'static str,
    /// The object that the message is about.
    pub(super) guid: Option<Guid>,
    pub(super) text: String,
    /// Whether the message is about movement, or too short to tell.
    pub(super) is_movement: bool,
    /// Whether the message could not be decoded.
    pub(super) is_error: bool,
}

impl Description {
    fn of_server_message(message: &S2C<'_>, names: &Names) -> Self {
        Self {
            opcode: Some(message.opcode()),
            sub_opcode: message.sub_opcode(),
            name: message.name(),
            guid: message.guid(),
            text: server_message(message, names),
            is_movement: message.is_movement(),
            is_error: false,
        }
    }

    fn of_client_message(message: &C2S<'_>, names: &Names) -> Self {
        Self {
            opcode: Some(message.opcode()),
            sub_opcode: message.sub_opcode(),
            name: message.name(),
            guid: message.guid(),
            text: client_message(message, names),
            is_movement: message.is_movement(),
            is_error: false,
        }
    }

    fn undecodable(direction: Direction, bytes: &[u8], error: &DecodeError) -> Self {
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
            text: format!("cannot be decoded: {error}"),
            is_movement: is_movement(direction, bytes),
            is_error: true,
        }
    }
}

/// Decodes and describes a message. The name of a created object is added to `names`.
pub(super) fn describe(direction: Direction, bytes: &[u8], era: Era, names: &mut Names) -> Description {
    let described = match direction {
        Direction::S2C => decode_s2c(bytes, era).map(|message| {
            if let S2C::CreateObject(object) = &message {
                names.learn(&object.0);
            }
            Description::of_server_message(&message, names)
        }),
        Direction::C2S => {
            decode_c2s(bytes, era).map(|message| Description::of_client_message(&message, names))
        }
    };
    described.unwrap_or_else(|error| Description::undecodable(direction, bytes, &error))
}

/// Describes a message from the server. The text is empty if the message is of an unknown type.
fn server_message(message: &S2C<'_>, names: &Names) -> String {
    match message {
        S2C::UpdateMotion(message) => movement(&message.data.movement, names),
        S2C::UpdatePosition(message) => position_pack(&message.pack),
        S2C::PositionAndMovement(message) => {
            format!("{}; {}", position_pack(&message.pack), movement(&message.data.movement, names))
        }
        S2C::VectorUpdate(message) => {
            format!("velocity {} m/s, omega {} rad/s", vector(message.velocity), vector(message.omega))
        }
        S2C::SetState(message) => format!("state 0x{:08X}", message.state.bits()),
        S2C::CreateObject(message) => created(&message.0, names),
        S2C::UpdateObject(message) => created(&message.0, names),
        S2C::PlayerCreate(_) => String::from("is the player"),
        S2C::DeleteObject(_) => String::from("is deleted"),
        S2C::PickupEvent(_) => String::from("is picked up"),
        S2C::ParentEvent(message) => {
            let child = names.label(Some(message.child));
            format!("holds {child} at location {}", message.location)
        }
        S2C::ObjDescEvent(_) => String::from("changes its appearance"),
        S2C::Sound(message) => format!("plays sound {} at volume {}", message.sound, number(message.volume)),
        S2C::PlayerTeleport(_) => String::from("the player is teleported"),
        S2C::PlayScriptId(message) => format!("plays script 0x{:08X}", message.script),
        S2C::PlayScriptType(message) => {
            format!("plays script type {} ×{}", message.script_type, number(message.speed))
        }
        S2C::GameEvent(event) => game_event(&event.event, names),
        S2C::PrivateUpdateSkill(message) => skill(message.skill, &message.value),
        S2C::PublicUpdateSkill(message) => skill(message.skill, &message.value),
        S2C::PrivateUpdateSkillLevel(message) => format!("skill {}: {} ranks", message.skill, message.ranks),
        S2C::PublicUpdateSkillLevel(message) => format!("skill {}: {} ranks", message.skill, message.ranks),
        S2C::PrivateUpdatePropertyInt(message) => character::property(message.property, message.value),
        S2C::PublicUpdatePropertyInt(message) => character::property(message.property, message.value),
        S2C::PrivateUpdateAttribute(message) => character::attribute(message.attribute, &message.value),
        S2C::PrivateUpdateAttribute2ndLevel(message) => character::vital(message.vital, message.current),
        _ => String::new(),
    }
}

fn game_event(event: &GameEventBody<'_>, names: &Names) -> String {
    match event {
        GameEventBody::PlayerDescription(player) => player_description(player),
        other => character::event(other, names),
    }
}

fn player_description(player: &PlayerDescription<'_>) -> String {
    let mut parts = Vec::new();
    for (name, skill) in [("run", player.run()), ("jump", player.jump())] {
        if let Some(skill) = skill {
            parts.push(format!("{name} {} + {} ranks", skill.init_level, skill.ranks));
        }
    }
    if let Some(burden) = player.burden() {
        parts.push(format!("burden {burden}"));
    }
    match player.enchantments().modifiers().count() {
        0 => {}
        1 => parts.push(String::from("1 enchantment")),
        count => parts.push(format!("{count} enchantments")),
    }
    parts.join(", ")
}

fn skill(number: u32, skill: &Skill) -> String {
    format!("skill {number}: {} + {} ranks", skill.init_level, skill.ranks)
}

fn created(object: &ObjectDesc<'_>, names: &Names) -> String {
    let physics = &object.physics;
    let mut text = escape_controls(&object.weenie.name().to_string()).into_owned();
    if let Some(at) = &physics.position {
        let _ = write!(text, " at {}", position(at));
    }
    if let Some(setup) = physics.setup {
        let _ = write!(text, ", setup 0x{setup:08X}");
    }
    if let Some(table) = physics.motion_table {
        let _ = write!(text, ", table 0x{table:08X}");
    }
    if let Some(InitialMovement::Movement { movement: state, .. }) = &physics.movement {
        let _ = write!(text, ", {}", movement(state, names));
    }
    text
}

/// Describes a message from the client. The text is empty if the message is of an unknown type.
fn client_message(message: &C2S<'_>, names: &Names) -> String {
    let C2S::GameAction(action) = message else { return String::new() };
    match &action.action {
        GameActionBody::MoveToState(message) => {
            let long_jump = if message.contact.contains(ContactFlags::STANDING_LONG_JUMP) {
                ", charging a standing long jump"
            } else {
                ""
            };
            format!("{} at {}{long_jump}", raw_state(&message.raw), position(&message.position))
        }
        GameActionBody::AutonomousPosition(message) => {
            let contact = if message.contact.get() { "on the ground" } else { "in the air" };
            format!("is at {}, {contact}", position(&message.position))
        }
        GameActionBody::Jump(message) => {
            let form = match message.form() {
                JumpForm::Full => "",
                JumpForm::Short => " (short form)",
                JumpForm::ShortWithTail => " (short form with a tail)",
            };
            format!(
                "jumps with extent {}, velocity {} m/s{form}",
                number(message.extent),
                vector(message.velocity)
            )
        }
        GameActionBody::JumpNonAutonomous(message) => {
            format!("requests a jump with extent {}", number(message.extent))
        }
        GameActionBody::AutonomyLevel(message) => format!("autonomy level {}", message.level),
        GameActionBody::ChangeCombatMode(message) => format!("combat mode {}", message.mode.0),
        GameActionBody::DoMovementCommand(message) => {
            format!(
                "does {} ×{}{}",
                message.motion,
                number(message.speed),
                hold_suffix(Some(message.hold_key))
            )
        }
        GameActionBody::StopMovementCommand(message) => format!("stops {}", message.motion),
        GameActionBody::TurnTo(message) => format!("turns to {}°", number(message.heading)),
        other => character::action(other, names),
    }
}

fn movement(movement: &Movement<'_>, names: &Names) -> String {
    let mut text = match &movement.body {
        MovementBody::Interpreted { state, sticky } => {
            let mut text = interpreted(state);
            if let Some(sticky) = sticky {
                let _ = write!(text, ", sticks to {}", names.label(Some(*sticky)));
            }
            text
        }
        MovementBody::MoveToObject { target, params, run_rate, .. } => {
            format!("moves to {} {}", names.label(Some(*target)), move_to_params(params, *run_rate))
        }
        MovementBody::MoveToPosition { origin, params, run_rate } => {
            let (cell, point) = (origin.cell, vector(origin.point));
            format!("moves to {cell} {point} {}", move_to_params(params, *run_rate))
        }
        MovementBody::TurnToObject { target, params, .. } => {
            format!("turns to {} ×{}", names.label(Some(*target)), number(params.speed))
        }
        MovementBody::TurnToHeading { params } => {
            format!("turns to {}° ×{}", number(params.desired_heading), number(params.speed))
        }
    };
    if movement.style != MotionCommand::INVALID && movement.style != MotionCommand::NONE {
        let _ = write!(text, ", style {}", movement.style);
    }
    if movement.flags.contains(MotionFlags::STANDING_LONG_JUMP) {
        text.push_str(", charging a standing long jump");
    }
    text
}

fn move_to_params(params: &MoveToParams, run_rate: f32) -> String {
    format!(
        "within {} m, speed ×{}, run rate {}",
        number(params.distance_to_object),
        number(params.speed),
        number(run_rate)
    )
}

fn interpreted(state: &InterpretedState<'_>) -> String {
    let axes = [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ];
    motion_state(axes, state.actions)
}

fn raw_state(state: &RawMotionState<'_>) -> String {
    let axes = [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ];
    let mut text = motion_state(axes, state.actions);
    text.push_str(hold_suffix(state.current_hold_key));
    text
}

fn hold_suffix(key: Option<HoldKey>) -> &'static str {
    if key == Some(HoldKey::RUN) { " (run key)" } else { "" }
}

fn motion_state(axes: [(Option<MotionCommand>, Option<f32>); 3], actions: Actions<'_>) -> String {
    let mut parts: Vec<String> =
        axes.into_iter().filter_map(|(command, speed)| Some(axis(command?, speed.unwrap_or(1.0)))).collect();
    parts.extend(actions.iter().map(action));
    if parts.is_empty() { String::from("stands ready") } else { parts.join(", ") }
}

/// Describes one axis of a motion state. A negative speed is the opposite motion.
fn axis(command: MotionCommand, speed: f32) -> String {
    let is_reversed = speed < 0.0;
    let verb = match (command, is_reversed) {
        (MotionCommand::READY, _) => return String::from("stands ready"),
        (MotionCommand::WALK_FORWARD, false) => "walks forward",
        (MotionCommand::WALK_FORWARD, true) | (MotionCommand::WALK_BACKWARDS, false) => "walks backwards",
        (MotionCommand::RUN_FORWARD, false) => "runs forward",
        (MotionCommand::RUN_FORWARD, true) => "runs backwards",
        (MotionCommand::SIDE_STEP_RIGHT, false) | (MotionCommand::SIDE_STEP_LEFT, true) => "sidesteps right",
        (MotionCommand::SIDE_STEP_LEFT, false) | (MotionCommand::SIDE_STEP_RIGHT, true) => "sidesteps left",
        (MotionCommand::TURN_RIGHT, false) | (MotionCommand::TURN_LEFT, true) => "turning right",
        (MotionCommand::TURN_LEFT, false) | (MotionCommand::TURN_RIGHT, true) => "turning left",
        (other, _) => return format!("{other}{}", speed_factor(speed)),
    };
    format!("{verb}{}", speed_factor(speed.abs()))
}

fn action(item: ActionItem) -> String {
    format!("does {}{}", item.command, speed_factor(item.speed))
}

/// Returns a speed factor, or an empty string if it is 1.
fn speed_factor(speed: f32) -> String {
    if speed == 1.0 { String::new() } else { format!(" ×{}", number(speed)) }
}

fn position_pack(pack: &PositionPack) -> String {
    let ground = if pack.is_grounded() { "on the ground" } else { "in the air" };
    format!("is at {}, {ground}", position(&pack.position))
}

fn position(position: &CellPosition) -> String {
    let heading = position.frame.heading();
    format!("{} {} facing {}°", position.cell, vector(position.frame.origin), number(heading))
}

fn vector(v: Vec3) -> String {
    format!("({}, {}, {})", number(v.x), number(v.y), number(v.z))
}

/// Returns a number with at most two decimals.
pub(super) fn number(value: f32) -> String {
    rounded(value, 2)
}
