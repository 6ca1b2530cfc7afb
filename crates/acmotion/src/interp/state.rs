//! The two states of a body: the requested and the actual movement (rules F1, F6).

use acmotion_types::{ActionStamp, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags};

use super::MovementParams;
use crate::limits::MAX_PENDING_MOTIONS;
use crate::small_list::SmallList;

/// The number of actions stored inline.
const INLINE_ACTIONS: usize = 2;

/// An action in a state's list.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ActionNode")]
pub struct Action {
    /// The motion.
    pub motion: MotionCommand,
    /// The speed; 1 is normal.
    pub speed: f32,
    /// The sender's action stamp.
    pub stamp: ActionStamp,
    /// Whether the client started it, not the server.
    pub autonomous: bool,
}

/// Actions, oldest first.
pub(crate) type Actions = SmallList<Action, INLINE_ACTIONS>;

/// The actual movement along one axis.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axis {
    /// The motion, or [`MotionCommand::NONE`].
    pub command: MotionCommand,
    /// The speed; negative is backwards, or to the left.
    pub speed: f32,
}

impl Axis {
    /// Creates an axis with a motion at speed 1.
    pub const fn new(command: MotionCommand) -> Self {
        Self { command, speed: 1.0 }
    }
}

/// The requested movement along one axis.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RawAxis {
    /// The motion, or [`MotionCommand::NONE`].
    pub command: MotionCommand,
    /// The speed; 1 is normal.
    pub speed: f32,
    /// The hold key of this axis; [`HoldKey::INVALID`] if the state's own counts.
    pub hold_key: HoldKey,
}

impl RawAxis {
    /// Creates an axis with a motion at speed 1, under the state's own hold key.
    pub const fn new(command: MotionCommand) -> Self {
        Self { command, speed: 1.0, hold_key: HoldKey::INVALID }
    }

    fn set(&mut self, motion: MotionCommand, params: &MovementParams) {
        let uses_state_key = params.flags.contains(MoveFlags::SET_HOLD_KEY);
        self.command = motion;
        self.speed = params.speed;
        self.hold_key = if uses_state_key { HoldKey::INVALID } else { params.hold_key };
    }
}

/// The movement that keys or a script requested, whether or not it is allowed.
///
/// Running is not part of it: a run is a walk with the run key held.
///
/// ```
/// use acmotion::components::{MovementParams, RawState};
/// use acmotion::types::MotionCommand;
///
/// let mut raw = RawState::default();
/// raw.apply(MotionCommand::RUN_FORWARD, &MovementParams::default());
/// assert_eq!(raw.forward.command, MotionCommand::READY);
/// raw.apply(MotionCommand::WALK_FORWARD, &MovementParams::default());
/// assert_eq!(raw.forward.command, MotionCommand::WALK_FORWARD);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "RawMotionState")]
pub struct RawState {
    /// The hold key held now.
    pub current_hold_key: HoldKey,
    /// The style (stance).
    pub style: MotionCommand,
    /// Forward and backward motion, and every other substate.
    pub forward: RawAxis,
    /// Sidestepping.
    pub sidestep: RawAxis,
    /// Turning.
    pub turn: RawAxis,
    pub(crate) actions: Actions,
}

impl Default for RawState {
    /// The initial state (rule F1): Ready in style `NonCombat`, no hold key.
    fn default() -> Self {
        Self {
            current_hold_key: HoldKey::NONE,
            style: MotionCommand::NON_COMBAT,
            forward: RawAxis::new(MotionCommand::READY),
            sidestep: RawAxis::new(MotionCommand::NONE),
            turn: RawAxis::new(MotionCommand::NONE),
            actions: Actions::new(),
        }
    }
}

impl RawState {
    /// Iterates over the actions, oldest first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = Action> {
        self.actions.iter()
    }

    /// Appends an action. If there are [`MAX_PENDING_MOTIONS`], the oldest is forgotten.
    pub fn push_action(&mut self, action: Action) {
        self.actions.push_bounded(action, MAX_PENDING_MOTIONS);
    }

    /// Applies a motion (rule F6). Turns and sidesteps have their own axes; other substates are forward motion, except
    /// running, which is refused; another style starts at Ready and keeps the forward speed (rule R5); an action is
    /// appended.
    #[doc(alias = "ApplyMotion")]
    pub fn apply(&mut self, motion: MotionCommand, params: &MovementParams) {
        if is_turn(motion) {
            self.turn.set(motion, params);
        } else if is_sidestep(motion) {
            self.sidestep.set(motion, params);
        } else if motion.is_substate() {
            if motion != MotionCommand::RUN_FORWARD {
                self.forward.set(motion, params);
            }
        } else if motion.is_style() {
            if motion != self.style {
                self.forward.command = MotionCommand::READY;
                self.style = motion;
            }
        } else if motion.is_action() {
            self.push_action(params.action(motion));
        }
    }

    /// Removes a motion (rule F6).
    #[doc(alias = "RemoveMotion")]
    pub fn remove(&mut self, motion: MotionCommand) {
        if is_turn(motion) {
            self.turn.command = MotionCommand::NONE;
        } else if is_sidestep(motion) {
            self.sidestep.command = MotionCommand::NONE;
        } else if motion.is_substate() {
            if motion == self.forward.command {
                self.forward.command = MotionCommand::READY;
                self.forward.speed = 1.0;
            }
        } else if motion.is_style() && motion == self.style {
            self.style = MotionCommand::NON_COMBAT;
        }
    }

    /// Sets forward to Ready at speed 1 and removes sidestep and turn; everything else stays (rule F6).
    pub(crate) fn stand_still(&mut self) {
        self.forward.command = MotionCommand::READY;
        self.forward.speed = 1.0;
        self.sidestep.command = MotionCommand::NONE;
        self.turn.command = MotionCommand::NONE;
    }

    /// Copies the hold keys, style, commands and speeds, but not the actions.
    pub(crate) fn copy_movement_from(&mut self, other: &Self) {
        self.current_hold_key = other.current_hold_key;
        self.style = other.style;
        self.forward = other.forward;
        self.sidestep = other.sidestep;
        self.turn = other.turn;
    }
}

/// The movement that a body performs.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedState {
    /// The style (stance).
    pub style: MotionCommand,
    /// Forward and backward motion, and every other substate.
    pub forward: Axis,
    /// Sidestepping.
    pub sidestep: Axis,
    /// Turning.
    pub turn: Axis,
    pub(crate) actions: Actions,
}

impl Default for InterpretedState {
    /// The initial state (rule F1): Ready in style `NonCombat`.
    fn default() -> Self {
        Self {
            style: MotionCommand::NON_COMBAT,
            forward: Axis::new(MotionCommand::READY),
            sidestep: Axis::new(MotionCommand::NONE),
            turn: Axis::new(MotionCommand::NONE),
            actions: Actions::new(),
        }
    }
}

impl InterpretedState {
    /// Creates a state with a style and a forward motion, without sidestep, turn and actions.
    pub fn new(style: MotionCommand, forward: Axis) -> Self {
        Self { style, forward, ..Self::default() }
    }

    /// Iterates over the actions, oldest first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = Action> {
        self.actions.iter()
    }

    /// Appends an action. If there are [`MAX_PENDING_MOTIONS`], the oldest is forgotten.
    pub fn push_action(&mut self, action: Action) {
        self.actions.push_bounded(action, MAX_PENDING_MOTIONS);
    }

    /// Applies a motion (rule F6). Only the right turn and the right sidestep have axes of their own; the left ones are
    /// played as these at negative speed. A style starts at Ready even if it is the current one (rule R5).
    #[doc(alias = "ApplyMotion")]
    pub fn apply(&mut self, motion: MotionCommand, params: &MovementParams) {
        let axis = Axis { command: motion, speed: params.speed };
        if motion == MotionCommand::TURN_RIGHT {
            self.turn = axis;
        } else if motion == MotionCommand::SIDE_STEP_RIGHT {
            self.sidestep = axis;
        } else if motion.is_substate() {
            self.forward = axis;
        } else if motion.is_style() {
            self.forward.command = MotionCommand::READY;
            self.style = motion;
        } else if motion.is_action() {
            self.push_action(params.action(motion));
        }
    }

    /// Removes a motion (rule F6).
    #[doc(alias = "RemoveMotion")]
    pub fn remove(&mut self, motion: MotionCommand) {
        if motion == MotionCommand::TURN_RIGHT {
            self.turn.command = MotionCommand::NONE;
        } else if motion == MotionCommand::SIDE_STEP_RIGHT {
            self.sidestep.command = MotionCommand::NONE;
        } else if motion.is_substate() {
            if motion == self.forward.command {
                self.forward = Axis::new(MotionCommand::READY);
            }
        } else if motion.is_style() && motion == self.style {
            self.style = MotionCommand::NON_COMBAT;
        }
    }

    /// Sets forward to Ready at speed 1 and removes sidestep and turn; everything else stays (rule F6).
    pub(crate) fn stand_still(&mut self) {
        self.forward = Axis::new(MotionCommand::READY);
        self.sidestep.command = MotionCommand::NONE;
        self.turn.command = MotionCommand::NONE;
    }

    /// Copies style, commands and speeds, but not the actions (rule E8).
    pub fn copy_movement_from(&mut self, other: &Self) {
        self.style = other.style;
        self.forward = other.forward;
        self.sidestep = other.sidestep;
        self.turn = other.turn;
    }
}

fn is_turn(motion: MotionCommand) -> bool {
    matches!(motion, MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT)
}

fn is_sidestep(motion: MotionCommand) -> bool {
    matches!(motion, MotionCommand::SIDE_STEP_RIGHT | MotionCommand::SIDE_STEP_LEFT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_style_starts_at_ready_and_keeps_the_speed() {
        let mut params = MovementParams { speed: 2.0, ..MovementParams::default() };
        let (mut raw, mut interpreted) = (RawState::default(), InterpretedState::default());
        for motion in [MotionCommand::WALK_FORWARD, MotionCommand::HAND_COMBAT] {
            raw.apply(motion, &params);
            interpreted.apply(motion, &params);
        }
        assert_eq!((raw.forward.command, raw.forward.speed), (MotionCommand::READY, 2.0));
        assert_eq!((interpreted.forward.command, interpreted.forward.speed), (MotionCommand::READY, 2.0));
        params.speed = 3.0;
        for motion in [MotionCommand::WALK_FORWARD, MotionCommand::HAND_COMBAT] {
            raw.apply(motion, &params);
            interpreted.apply(motion, &params);
        }
        assert_eq!(
            raw.forward.command,
            MotionCommand::WALK_FORWARD,
            "the same style changes nothing in the raw state"
        );
        assert_eq!(
            interpreted.forward.command,
            MotionCommand::READY,
            "but it does in the interpreted state (R5)"
        );
        raw.remove(MotionCommand::HAND_COMBAT);
        assert_eq!(raw.style, MotionCommand::NON_COMBAT);
    }

    #[test]
    fn the_interpreted_state_applies_a_left_turn_as_forward_motion() {
        let (mut raw, mut interpreted) = (RawState::default(), InterpretedState::default());
        raw.apply(MotionCommand::TURN_LEFT, &MovementParams::default());
        interpreted.apply(MotionCommand::TURN_LEFT, &MovementParams::default());
        assert_eq!(raw.turn.command, MotionCommand::TURN_LEFT);
        assert_eq!(interpreted.forward.command, MotionCommand::TURN_LEFT);
    }

    #[test]
    fn an_axis_keeps_its_hold_key_only_without_set_hold_key() {
        let mut raw = RawState::default();
        let mut params = MovementParams { hold_key: HoldKey::RUN, ..MovementParams::default() };
        raw.apply(MotionCommand::WALK_FORWARD, &params);
        assert_eq!(raw.forward.hold_key, HoldKey::INVALID);
        params.flags.remove(MoveFlags::SET_HOLD_KEY);
        raw.apply(MotionCommand::WALK_FORWARD, &params);
        assert_eq!(raw.forward.hold_key, HoldKey::RUN);
    }

    #[test]
    fn copying_movement_does_not_copy_actions() {
        let mut from = InterpretedState::default();
        from.apply(MotionCommand::RUN_FORWARD, &MovementParams::default());
        from.apply(MotionCommand(0x1000_0050), &MovementParams::default());
        let mut to = InterpretedState::default();
        to.copy_movement_from(&from);
        assert_eq!(to.forward, from.forward);
        assert_eq!((to.actions().len(), from.actions().len()), (0, 1));
    }
}
