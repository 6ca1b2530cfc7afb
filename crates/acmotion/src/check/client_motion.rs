//! The motion of a player as its client's messages describe it (rules K6–K9).

use acmotion_types::{CellPosition, Frame, MotionCommand, Vec3};
use acmotion_wire::{ContactFlags, EchoedStamps, GameActionBody};

use crate::interp::{InterpretedState, Interpreter, RawState, Weenie};

/// The maximum speed of a jump, in metres a second (rule C6).
const MAX_JUMP_SPEED: f32 = 50.0;

/// A client's message about its player. Servers and replays move players by it.
#[derive(Clone, PartialEq, Debug)]
pub struct ClientMotion {
    /// The position of the player; `None` if the message has none.
    pub position: Option<CellPosition>,
    /// Whether the player stands there.
    pub has_contact: bool,
    /// The newest stamps that the client had received.
    pub stamps: EchoedStamps,
    /// What it changes besides the position.
    pub kind: ClientMotionKind,
}

/// What a client's message changes besides the position.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientMotionKind {
    /// `AutonomousPosition`: nothing.
    Position,
    /// `MoveToState`: what the keys request.
    State {
        /// The raw state.
        raw: RawState,
        /// Whether a standing long jump is being charged (rule C27).
        is_long_jump: bool,
    },
    /// `Jump`: the player leaves the ground.
    Jump {
        /// The charge, 0 to 1.
        extent: f32,
        /// The launch velocity in metres a second, in the axes of the player.
        velocity: Vec3,
    },
}

impl ClientMotion {
    /// Reads an action. Returns `None` if it does not move the player.
    pub fn new(action: &GameActionBody<'_>) -> Option<Self> {
        Some(match action {
            GameActionBody::MoveToState(message) => Self {
                position: Some(message.position),
                has_contact: message.contact.contains(ContactFlags::CONTACT),
                stamps: message.stamps,
                kind: ClientMotionKind::State {
                    raw: RawState::from(&message.raw),
                    is_long_jump: message.contact.contains(ContactFlags::STANDING_LONG_JUMP),
                },
            },
            GameActionBody::AutonomousPosition(message) => Self {
                position: Some(message.position),
                has_contact: message.contact.get(),
                stamps: message.stamps,
                kind: ClientMotionKind::Position,
            },
            GameActionBody::Jump(message) => Self {
                position: message.position,
                has_contact: true,
                stamps: message.stamps,
                kind: ClientMotionKind::Jump { extent: message.extent, velocity: message.velocity },
            },
            _ => return None,
        })
    }
}

/// Returns the velocity of a jump in the axes of the landblock, for a player with that frame, limited to the maximum
/// speed; `None` if it is not finite.
pub fn launch_velocity(velocity: Vec3, frame: &Frame) -> Option<Vec3> {
    if !velocity.is_finite() {
        return None;
    }
    let velocity = frame.local_to_global_vec(velocity);
    let speed = velocity.length();
    let factor = if speed > MAX_JUMP_SPEED { MAX_JUMP_SPEED / speed } else { 1.0 };
    Some(velocity * factor)
}

/// Interprets a raw state: each axis with its own hold key (rules F2, F8), the actions, and the server's style.
pub fn interpreted(raw: RawState, weenie: &dyn Weenie, style: MotionCommand) -> InterpretedState {
    let interpreter = Interpreter { raw, ..Interpreter::default() };
    let mut state = interpreter.interpret_raw(Some(weenie));
    state.style = style;
    for axis in [&mut state.sidestep, &mut state.turn] {
        if axis.command == MotionCommand::NONE {
            axis.speed = 1.0;
        }
    }
    interpreter.raw.actions().for_each(|action| state.push_action(action));
    state
}
