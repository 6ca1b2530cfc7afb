//! Messages in words.

use std::collections::HashMap;
use std::fmt::Write as _;

use acmotion_types::{CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion_wire::{
    Action, ActionItem, Actions, C2S, ContactFlags, DecodeError, Direction, Event, HoldKey, InitialMovement,
    InterpretedState, JumpForm, MotionFlags, MoveToParams, Movement, MovementBody, ObjectDesc, PositionPack,
    RawMotionState, S2C, Skill, decode_c2s, decode_s2c,
};

/// Names that captures give to objects.
#[derive(Default)]
pub(super) struct Names {
    by_guid: HashMap<Guid, String>,
}

/// More names than this are not kept: a stream may go on for ever.
const MOST_NAMES: usize = 100_000;
/// Longer names are cut.
const LONGEST_NAME: usize = 20;

impl Names {
    fn learn(&mut self, object: &ObjectDesc<'_>) {
        if self.by_guid.len() < MOST_NAMES {
            let name = object.weenie.name().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
            self.by_guid.insert(object.guid, name);
        }
    }

    /// An object's id, and its name if it is known.
    pub(super) fn of(&self, guid: Option<Guid>) -> String {
        let Some(guid) = guid else { return String::from("client") };
        match self.by_guid.get(&guid) {
            Some(name) => format!("{guid} {name}"),
            None => guid.to_string(),
        }
    }
}

/// A message in words.
pub(super) struct Sentence {
    pub(super) opcode: Option<u32>,
    pub(super) sub_opcode: Option<u32>,
    pub(super) name: &'static str,
    pub(super) guid: Option<Guid>,
    pub(super) what: String,
    pub(super) is_movement: bool,
    pub(super) is_error: bool,
}

impl Sentence {
    /// A message that was decoded; one without words is not about movement.
    fn told(
        opcode: u32,
        sub_opcode: Option<u32>,
        name: &'static str,
        guid: Option<Guid>,
        what: Option<String>,
    ) -> Self {
        Self {
            opcode: Some(opcode),
            sub_opcode,
            name,
            guid,
            is_movement: what.is_some(),
            what: what.unwrap_or_default(),
            is_error: false,
        }
    }
}

/// Decodes a message and puts it into words.
pub(super) fn sentence(direction: Direction, bytes: &[u8], era: Era, names: &mut Names) -> Sentence {
    let told = match direction {
        Direction::S2C => decode_s2c(bytes, era).map(|message| {
            if let S2C::CreateObject(object) = &message {
                names.learn(&object.0);
            }
            let what = server_words(&message, names);
            Sentence::told(message.opcode(), message.sub_opcode(), message.name(), message.guid(), what)
        }),
        Direction::C2S => decode_c2s(bytes, era).map(|message| {
            let what = client_words(&message);
            Sentence::told(message.opcode(), message.sub_opcode(), message.name(), message.guid(), what)
        }),
    };
    told.unwrap_or_else(|error| failed(direction, bytes, &error))
}

fn failed(direction: Direction, bytes: &[u8], error: &DecodeError) -> Sentence {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
    let opcode = word(0);
    let name = match direction {
        Direction::S2C => opcode.and_then(S2C::name_of),
        Direction::C2S => opcode.and_then(C2S::name_of),
    };
    Sentence {
        opcode,
        sub_opcode: None,
        name: name.unwrap_or("Unknown"),
        guid: None,
        what: format!("cannot be decoded: {error}"),
        is_movement: true,
        is_error: true,
    }
}

/// What a message from the server says; `None` if it is not about movement.
fn server_words(message: &S2C<'_>, names: &Names) -> Option<String> {
    Some(match message {
        S2C::UpdateMotion(message) => movement(&message.data.movement, names),
        S2C::UpdatePosition(message) => placed(&message.pack),
        S2C::PositionAndMovement(message) => {
            format!("{}; {}", placed(&message.pack), movement(&message.data.movement, names))
        }
        S2C::VectorUpdate(message) => {
            format!("velocity {} m/s, omega {} rad/s", vector(message.velocity), vector(message.omega))
        }
        S2C::SetState(message) => format!("state 0x{:08X}", message.state.bits()),
        S2C::CreateObject(message) => created(&message.0, names),
        S2C::UpdateObject(message) => created(&message.0, names),
        S2C::PlayerCreate(_) => String::from("is the player"),
        S2C::DeleteObject(_) => String::from("is gone"),
        S2C::PickupEvent(_) => String::from("is picked up"),
        S2C::ParentEvent(message) => {
            let child = names.of(Some(message.child));
            format!("holds {child} at location {}", message.location)
        }
        S2C::ObjDescEvent(_) => String::from("looks different"),
        S2C::Sound(message) => format!("sounds {} at volume {}", message.sound, number(message.volume)),
        S2C::PlayerTeleport(_) => String::from("the player is teleported"),
        S2C::PlayScriptId(message) => format!("plays script 0x{:08X}", message.script),
        S2C::PlayScriptType(message) => {
            format!("plays script type {} ×{}", message.script_type, number(message.speed))
        }
        S2C::GameEvent(event) => return event_words(&event.event),
        S2C::PrivateUpdateSkill(message) => skill(message.skill, &message.value),
        S2C::PublicUpdateSkill(message) => skill(message.skill, &message.value),
        S2C::PrivateUpdateSkillLevel(message) => format!("skill {}: {} ranks", message.skill, message.ranks),
        S2C::PublicUpdateSkillLevel(message) => format!("skill {}: {} ranks", message.skill, message.ranks),
        _ => return None,
    })
}

fn event_words(event: &Event<'_>) -> Option<String> {
    let Event::PlayerDescription(player) = event else { return None };
    let mut words = Vec::new();
    for (name, skill) in [("run", player.run()), ("jump", player.jump())] {
        if let Some(skill) = skill {
            words.push(format!("{name} {} + {} ranks", skill.init_level, skill.ranks));
        }
    }
    if let Some(burden) = player.burden() {
        words.push(format!("burden {burden}"));
    }
    Some(words.join(", "))
}

fn skill(number: u32, skill: &Skill) -> String {
    format!("skill {number}: {} + {} ranks", skill.init_level, skill.ranks)
}

fn created(object: &ObjectDesc<'_>, names: &Names) -> String {
    let physics = &object.physics;
    let mut words = object.weenie.name().to_string();
    if let Some(position) = &physics.position {
        let _ = write!(words, " at {}", place(position));
    }
    if let Some(setup) = physics.setup {
        let _ = write!(words, ", setup 0x{setup:08X}");
    }
    if let Some(table) = physics.motion_table {
        let _ = write!(words, ", table 0x{table:08X}");
    }
    if let Some(InitialMovement::Movement { movement: state, .. }) = &physics.movement {
        let _ = write!(words, ", {}", movement(state, names));
    }
    words
}

/// What a message from the client says; `None` if it is not about movement.
fn client_words(message: &C2S<'_>) -> Option<String> {
    let C2S::GameAction(action) = message else { return None };
    Some(match &action.action {
        Action::MoveToState(message) => {
            let long_jump = if message.contact.contains(ContactFlags::STANDING_LONG_JUMP) {
                ", charging a standing jump"
            } else {
                ""
            };
            format!("{} at {}{long_jump}", raw_state(&message.raw), place(&message.position))
        }
        Action::AutonomousPosition(message) => {
            let contact = if message.contact.get() { "on the ground" } else { "in the air" };
            format!("is at {}, {contact}", place(&message.position))
        }
        Action::Jump(message) => {
            let form = match message.form() {
                JumpForm::Full => "",
                JumpForm::Short => " (short form)",
                JumpForm::ShortWithTail => " (short form with a tail)",
            };
            format!(
                "jumps at extent {}, velocity {} m/s{form}",
                number(message.extent),
                vector(message.velocity)
            )
        }
        Action::JumpNonAutonomous(message) => format!("asks to jump at extent {}", number(message.extent)),
        Action::AutonomyLevel(message) => format!("autonomy level {}", message.level),
        Action::ChangeCombatMode(message) => format!("combat mode {}", message.mode.0),
        Action::DoMovementCommand(message) => {
            format!("does {} ×{}{}", message.motion, number(message.speed), hold(Some(message.hold_key)))
        }
        Action::StopMovementCommand(message) => format!("stops {}", message.motion),
        Action::TurnTo(message) => format!("turns to {}°", number(message.heading)),
        _ => return None,
    })
}

fn movement(movement: &Movement<'_>, names: &Names) -> String {
    let mut words = match &movement.body {
        MovementBody::Interpreted { state, sticky } => {
            let mut words = interpreted(state);
            if let Some(sticky) = sticky {
                let _ = write!(words, ", sticks to {}", names.of(Some(*sticky)));
            }
            words
        }
        MovementBody::MoveToObject { target, params, run_rate, .. } => {
            format!("goes to {} {}", names.of(Some(*target)), way(params, *run_rate))
        }
        MovementBody::MoveToPosition { origin, params, run_rate } => {
            let (cell, at) = (origin.cell, vector(origin.point));
            format!("goes to {cell} {at} {}", way(params, *run_rate))
        }
        MovementBody::TurnToObject { target, params, .. } => {
            format!("turns to {} ×{}", names.of(Some(*target)), number(params.speed))
        }
        MovementBody::TurnToHeading { params } => {
            format!("turns to {}° ×{}", number(params.desired_heading), number(params.speed))
        }
    };
    if movement.style != MotionCommand::INVALID && movement.style != MotionCommand::NONE {
        let _ = write!(words, ", style {}", movement.style);
    }
    if movement.flags.contains(MotionFlags::STANDING_LONG_JUMP) {
        words.push_str(", charging a standing jump");
    }
    words
}

fn way(params: &MoveToParams, run_rate: f32) -> String {
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
    state_words(axes, state.actions)
}

fn raw_state(state: &RawMotionState<'_>) -> String {
    let axes = [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ];
    let mut words = state_words(axes, state.actions);
    words.push_str(hold(state.current_hold_key));
    words
}

fn hold(key: Option<HoldKey>) -> &'static str {
    if key == Some(HoldKey::RUN) { " (run key)" } else { "" }
}

fn state_words(axes: [(Option<MotionCommand>, Option<f32>); 3], actions: Actions<'_>) -> String {
    let mut words: Vec<String> =
        axes.into_iter().filter_map(|(command, speed)| Some(axis(command?, speed.unwrap_or(1.0)))).collect();
    words.extend(actions.iter().map(action));
    if words.is_empty() { String::from("stands ready") } else { words.join(", ") }
}

/// One axis of a state: what a body does, and how fast. A negative speed is the opposite motion.
fn axis(command: MotionCommand, speed: f32) -> String {
    let turned = speed < 0.0;
    let verb = match (command, turned) {
        (MotionCommand::READY, _) => return String::from("stands ready"),
        (MotionCommand::WALK_FORWARD, false) => "walks forward",
        (MotionCommand::WALK_FORWARD, true) | (MotionCommand::WALK_BACKWARDS, false) => "walks backwards",
        (MotionCommand::RUN_FORWARD, false) => "runs forward",
        (MotionCommand::RUN_FORWARD, true) => "runs backwards",
        (MotionCommand::SIDE_STEP_RIGHT, false) | (MotionCommand::SIDE_STEP_LEFT, true) => "sidesteps right",
        (MotionCommand::SIDE_STEP_LEFT, false) | (MotionCommand::SIDE_STEP_RIGHT, true) => "sidesteps left",
        (MotionCommand::TURN_RIGHT, false) | (MotionCommand::TURN_LEFT, true) => "turning right",
        (MotionCommand::TURN_LEFT, false) | (MotionCommand::TURN_RIGHT, true) => "turning left",
        (other, _) => return format!("{other}{}", times(speed)),
    };
    format!("{verb}{}", times(speed.abs()))
}

fn action(item: ActionItem) -> String {
    format!("does {}{}", item.command, times(item.speed))
}

/// A speed, left out where it is 1.
fn times(speed: f32) -> String {
    if speed == 1.0 { String::new() } else { format!(" ×{}", number(speed)) }
}

fn placed(pack: &PositionPack) -> String {
    let ground = if pack.is_grounded() { "on the ground" } else { "in the air" };
    format!("is at {}, {ground}", place(&pack.position))
}

fn place(position: &CellPosition) -> String {
    let heading = position.frame.heading();
    format!("{} {} facing {}°", position.cell, vector(position.frame.origin), number(heading))
}

fn vector(v: Vec3) -> String {
    format!("({}, {}, {})", number(v.x), number(v.y), number(v.z))
}

/// A number with at most two decimals.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { String::from("0") } else { String::from(text) }
}
