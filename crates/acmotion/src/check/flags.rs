//! Which values the fields of a client's messages can have (rules C22, C27, K4–K6, K9).

use acmotion_types::{CellPosition, MotionCommand};
use acmotion_wire::{ContactFlags, GameActionBody, HoldKey, MoveToState, RawMotionState};

use super::ImpossibleFlag;

/// The maximum speed of a turn by the mouse (rule K5). Keys turn at 1.
const MAX_TURN_SPEED: f32 = 1.5;
/// The distance, in metres, by which a position may be outside of its outdoor cell: rounding at the border.
const CELL_MARGIN: f32 = 0.01;

/// Returns the first field of an action that cannot be as it is.
pub(super) fn impossible_flag(action: &GameActionBody<'_>) -> Option<ImpossibleFlag> {
    match action {
        GameActionBody::MoveToState(message) => state(message).or_else(|| position(&message.position)),
        GameActionBody::AutonomousPosition(message) => position(&message.position),
        GameActionBody::Jump(message) => {
            let is_finite = message.extent.is_finite() && message.velocity.is_finite();
            let position = message.position.as_ref().and_then(position);
            if is_finite { position } else { Some(ImpossibleFlag::Jump) }
        }
        _ => None,
    }
}

fn state(message: &MoveToState<'_>) -> Option<ImpossibleFlag> {
    let MoveToState { raw, contact, .. } = message;
    if raw.unknown_bits != 0 || !ContactFlags::all().contains(*contact) {
        return Some(ImpossibleFlag::UnknownBits);
    }
    if contact.contains(ContactFlags::STANDING_LONG_JUMP) && !contact.contains(ContactFlags::CONTACT) {
        return Some(ImpossibleFlag::LongJump);
    }
    raw_state(raw)
}

fn raw_state(raw: &RawMotionState<'_>) -> Option<ImpossibleFlag> {
    let keys = [raw.current_hold_key, raw.forward_hold_key, raw.sidestep_hold_key, raw.turn_hold_key];
    let is_key = |key: &HoldKey| [HoldKey::INVALID, HoldKey::NONE, HoldKey::RUN].contains(key);
    let is_one_of = |command: Option<MotionCommand>, commands: [MotionCommand; 2]| {
        command.is_none_or(|command| commands.contains(&command) || command == MotionCommand::NONE)
    };
    let is_forward = |command: MotionCommand| {
        command.is_substate() && command != MotionCommand::RUN_FORWARD && !is_sideways(command)
    };
    let is_at = |speed: Option<f32>, max: f32| speed.is_none_or(|speed| speed >= 0.0 && speed <= max);
    let turns = [MotionCommand::TURN_LEFT, MotionCommand::TURN_RIGHT];
    let sidesteps = [MotionCommand::SIDE_STEP_LEFT, MotionCommand::SIDE_STEP_RIGHT];
    let has_speeds = is_at(raw.forward_speed, 1.0)
        && is_at(raw.sidestep_speed, 1.0)
        && is_at(raw.turn_speed, MAX_TURN_SPEED);
    let are_actions = raw.actions.iter().all(|item| item.command.is_action() && item.speed == 1.0);
    [
        (keys.iter().flatten().all(is_key), ImpossibleFlag::HoldKey),
        (raw.current_style.is_none_or(MotionCommand::is_style), ImpossibleFlag::Style),
        (raw.forward_command.is_none_or(is_forward), ImpossibleFlag::ForwardCommand),
        (is_one_of(raw.sidestep_command, sidesteps), ImpossibleFlag::SidestepCommand),
        (is_one_of(raw.turn_command, turns), ImpossibleFlag::TurnCommand),
        (has_speeds, ImpossibleFlag::Speed),
        (are_actions, ImpossibleFlag::Action),
    ]
    .into_iter()
    .find_map(|(is_possible, flag)| (!is_possible).then_some(flag))
}

/// Turns and sidesteps have axes of their own.
fn is_sideways(command: MotionCommand) -> bool {
    matches!(
        command,
        MotionCommand::TURN_LEFT
            | MotionCommand::TURN_RIGHT
            | MotionCommand::SIDE_STEP_LEFT
            | MotionCommand::SIDE_STEP_RIGHT
    )
}

fn position(position: &CellPosition) -> Option<ImpossibleFlag> {
    let is_valid = position.cell.is_valid() && position.frame.is_valid() && position.frame.origin.is_finite();
    // Rooms overlap, and their walls are checked by sweeps; outdoors the cell follows from the origin (rule A13).
    let is_inside = || {
        position.cell.is_indoor()
            || position
                .adjusted_to_outside()
                .is_some_and(|adjusted| adjusted.cell == position.cell || is_near_border(position, &adjusted))
    };
    (!is_valid || !is_inside()).then_some(ImpossibleFlag::Position)
}

/// Returns `true` if a position is in the cell next to its own, by a rounding error.
fn is_near_border(position: &CellPosition, adjusted: &CellPosition) -> bool {
    let shifted = |dx: f32, dy: f32| {
        let mut moved = *position;
        moved.frame.origin.x += dx;
        moved.frame.origin.y += dy;
        moved.adjusted_to_outside().is_some_and(|moved| moved.cell == position.cell)
    };
    let margin = CELL_MARGIN;
    let corners = [(margin, margin), (margin, -margin), (-margin, margin), (-margin, -margin)];
    adjusted.frame.origin.is_finite() && corners.into_iter().any(|(dx, dy)| shifted(dx, dy))
}
