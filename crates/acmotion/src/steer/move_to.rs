//! The state of a body's current order (rule J2).

use acmotion_types::{CellPosition, Cylinder, Guid, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags};

use super::limits::Progress;
use super::{TargetStatus, Unreachable};
use crate::interp::MovementParams;
use crate::small_list::SmallList;
use crate::table::MotionError;

/// The number of nodes stored inline; an order never has more.
const INLINE_NODES: usize = 3;

/// The kind of an order (rule J2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MovementTypes")]
#[repr(u8)]
pub enum MoveKind {
    /// No order.
    #[default]
    Idle = 0,
    /// Go to an object.
    MoveToObject = 6,
    /// Go to a position.
    MoveToPosition = 7,
    /// Turn to an object.
    TurnToObject = 8,
    /// Turn to a heading.
    TurnToHeading = 9,
}

impl MoveKind {
    /// The original's number of the kind, as on the wire.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// A node of an order (rule J2).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MovementNode")]
pub enum MoveToNode {
    /// 7: move to the right distance.
    #[default]
    Move,
    /// 9: turn to this heading, in degrees.
    Turn(f32),
}

/// The progress of an order.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MoveToEvent {
    /// The body started to follow an order.
    Started(MoveKind),
    /// The body started to turn on the spot.
    Turns {
        /// The turn command, to the right or to the left.
        turn: MotionCommand,
        /// The heading to turn to, in degrees.
        heading: f32,
    },
    /// The body completed a turn and faces exactly this heading, in degrees.
    Faces(f32),
    /// The body started to move.
    Moves {
        /// The motion, before [adjustment](crate::interp::Interpreter::adjust_motion).
        motion: MotionCommand,
        /// The hold key, which selects running or walking.
        hold_key: HoldKey,
        /// Whether the body moves away from its target.
        away: bool,
    },
    /// The body started to turn while moving, or stopped turning (`None`).
    Veers(Option<MotionCommand>),
    /// The body waits for a motion to end before it turns.
    Waits(MotionCommand),
    /// The target sent an update.
    TargetUpdated(TargetStatus),
    /// The order was completed.
    #[doc(alias = "MoveToComplete")]
    Arrived,
    /// The order was completed, and the body sticks to its target.
    Sticks(Guid),
    /// The order was cancelled, for this reason. A newer order cancels with [`MotionError::ActionCancelled`], as does
    /// anything else that stops the body; a target that is gone with [`MotionError::ObjectGone`].
    #[doc(alias = "CancelMoveTo")]
    Failed(MotionError),
    /// The body gave the order up, because it exceeded its [limits](crate::OrderLimits), of which orders of the server have
    /// none, or because the target is the body itself.
    GaveUp(Unreachable),
}

impl MoveToEvent {
    /// Returns `true` if the order is over. Each order that [`Started`](Self::Started) ends in exactly one such event, unless
    /// the body is removed before. [`Sticks`](Self::Sticks) may follow an [`Arrived`](Self::Arrived).
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Arrived | Self::Failed(_) | Self::GaveUp(_))
    }
}

/// The current order of a body (rule J2).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MoveToManager")]
pub struct MoveTo {
    pub(super) kind: MoveKind,
    pub(super) sought_position: CellPosition,
    pub(super) current_target: CellPosition,
    pub(super) starting_position: CellPosition,
    pub(super) params: MovementParams,
    pub(super) previous_heading: f32,
    pub(super) previous_distance: f32,
    pub(super) previous_time: f64,
    pub(super) original_distance: f32,
    pub(super) original_time: f64,
    pub(super) sought_object: Guid,
    pub(super) top_level: Guid,
    pub(super) sought_size: Cylinder,
    pub(super) current_command: MotionCommand,
    pub(super) aux_command: MotionCommand,
    pub(super) moving_away: bool,
    pub(super) initialized: bool,
    /// Whether the last progress check failed. Arrival is not checked then (rule J15).
    pub(super) stalled: bool,
    /// Whether it has been reported that the body waits for a motion to end.
    pub(super) waiting: bool,
    /// The progress of an order with limits.
    pub(super) progress: Progress,
    pub(super) nodes: SmallList<MoveToNode, INLINE_NODES>,
}

impl Default for MoveTo {
    fn default() -> Self {
        let mut idle = Self {
            kind: MoveKind::Idle,
            sought_position: CellPosition::default(),
            current_target: CellPosition::default(),
            starting_position: CellPosition::default(),
            params: MovementParams::default(),
            previous_heading: 0.0,
            previous_distance: f32::MAX,
            previous_time: 0.0,
            original_distance: f32::MAX,
            original_time: 0.0,
            sought_object: Guid::NONE,
            top_level: Guid::NONE,
            sought_size: Cylinder::default(),
            current_command: MotionCommand::NONE,
            aux_command: MotionCommand::NONE,
            moving_away: false,
            initialized: false,
            stalled: false,
            waiting: false,
            progress: Progress::default(),
            nodes: SmallList::new(),
        };
        idle.reset(0.0);
        idle
    }
}

impl MoveTo {
    /// Moves the stored times by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        self.previous_time += by;
        self.original_time += by;
        self.progress.shift_times(by);
    }

    /// The kind of the order.
    pub fn kind(&self) -> MoveKind {
        self.kind
    }

    /// Returns `true` if there is an order (rule J21).
    pub fn is_under_way(&self) -> bool {
        self.kind != MoveKind::Idle
    }

    /// The movement parameters of the order. When the body starts to move, the hold key becomes the one chosen for the move
    /// (rule R7).
    pub fn params(&self) -> &MovementParams {
        &self.params
    }

    /// Iterates over the nodes that are left, the current one first.
    #[doc(alias = "pending_actions")]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = MoveToNode> {
        self.nodes.iter()
    }

    /// The command of the current turn or move, before adjustment; `NONE` if there is none.
    pub fn current_command(&self) -> MotionCommand {
        self.current_command
    }

    /// The command of the turn while moving; `NONE` if there is none.
    pub fn aux_command(&self) -> MotionCommand {
        self.aux_command
    }

    /// Returns `true` if the body moves away from its target.
    pub fn is_moving_away(&self) -> bool {
        self.moving_away
    }

    /// Returns `true` if the target has sent its position.
    pub fn is_initialized(&self) -> bool {
        self.initialized
    }

    /// The object that the body goes or turns to, if any.
    pub fn object(&self) -> Option<Guid> {
        (!self.sought_object.is_none()).then_some(self.sought_object)
    }

    /// The position that the body goes to.
    pub fn target_position(&self) -> &CellPosition {
        &self.current_target
    }

    /// Resets to no order. The parameters of the last one stay, except for flags and context, and so do the target's
    /// size and the starting position (rule J2).
    #[doc(alias = "InitializeLocalVariables")]
    pub(super) fn reset(&mut self, now: f64) {
        self.kind = MoveKind::Idle;
        self.params.flags = MoveFlags::empty();
        self.params.context = 0;
        self.reset_progress(now);
        self.previous_heading = 0.0;
        self.sought_object = Guid::NONE;
        self.top_level = Guid::NONE;
        self.current_command = MotionCommand::NONE;
        self.aux_command = MotionCommand::NONE;
        self.moving_away = false;
        self.initialized = false;
        self.stalled = false;
        self.waiting = false;
        self.sought_position = CellPosition::default();
        self.current_target = CellPosition::default();
    }

    /// Restarts the measurement of progress.
    pub(super) fn reset_progress(&mut self, now: f64) {
        (self.previous_distance, self.previous_time) = (f32::MAX, now);
        (self.original_distance, self.original_time) = (f32::MAX, now);
    }

    /// Returns `true` if the body makes progress: at least a quarter of a metre a second, both since the last check and
    /// since the start. Within a second of the last check it always does (rule J17).
    #[doc(alias = "CheckProgressMade")]
    pub(super) fn check_progress_made(&mut self, distance: f32, now: f64) -> bool {
        let elapsed = now - self.previous_time;
        if elapsed <= PROGRESS_SECONDS {
            return true;
        }
        let gain = |from: f32| f64::from(if self.moving_away { distance - from } else { from - distance });
        if gain(self.previous_distance) / elapsed < MIN_PROGRESS {
            return false;
        }
        let total = gain(self.original_distance) / (now - self.original_time);
        (self.previous_distance, self.previous_time) = (distance, now);
        total >= MIN_PROGRESS
    }

    /// Returns `true` if the body is at the right distance (rule J15).
    pub(super) fn has_arrived(&self, distance: f32) -> bool {
        if self.moving_away {
            distance >= self.params.min_distance
        } else {
            distance <= self.params.distance_to_object
        }
    }

    /// The parameters for starting the order's motions (rules J12, J15).
    pub(super) fn motion_params(&self) -> MovementParams {
        MovementParams { speed: self.params.speed, ..self.stop_params() }
    }

    /// The parameters for stopping the order's motions (rule J20).
    pub(super) fn stop_params(&self) -> MovementParams {
        let mut params = MovementParams { hold_key: self.params.hold_key, ..MovementParams::default() };
        params.flags.remove(MoveFlags::CANCEL_MOVE_TO);
        params
    }
}

/// The minimum time between two progress checks, in seconds.
const PROGRESS_SECONDS: f64 = 1.0;
/// The minimum progress, in metres a second.
const MIN_PROGRESS: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule J17.
    #[test]
    fn progress_is_checked_after_a_second_at_the_earliest() {
        let mut order = MoveTo { previous_distance: 10.0, original_distance: 10.0, ..MoveTo::default() };
        assert!(order.check_progress_made(10.0, 0.5), "within the first second");
        assert!(order.check_progress_made(9.0, 2.0));
        assert!(!order.check_progress_made(9.0, 4.0), "the distance is unchanged");
    }

    /// The limit is a quarter of a metre a second, and it also holds for the time since the start.
    #[test]
    fn progress_needs_a_quarter_of_a_metre_a_second() {
        let start = MoveTo { previous_distance: 10.0, original_distance: 10.0, ..MoveTo::default() };
        assert!(start.clone().check_progress_made(9.48, 2.0));
        assert!(!start.clone().check_progress_made(9.52, 2.0));
        let late = MoveTo { previous_distance: 10.0, previous_time: 8.0, ..start.clone() };
        assert!(
            !late.clone().check_progress_made(9.0, 10.0),
            "fast since the last check, but slow since the start"
        );
        assert!(late.clone().check_progress_made(7.0, 10.0));
        let mut away = MoveTo { moving_away: true, ..start };
        assert!(!away.clone().check_progress_made(9.0, 2.0));
        assert!(away.check_progress_made(11.0, 2.0));
    }

    /// Times count from when the order began, not from when the clock did.
    #[test]
    fn progress_is_measured_from_the_start_of_the_order() {
        let (previous_time, original_time) = (100.0, 100.0);
        let mut order = MoveTo {
            previous_distance: 10.0,
            previous_time,
            original_distance: 10.0,
            original_time,
            ..MoveTo::default()
        };
        assert!(order.check_progress_made(10.0, 101.0), "within a second");
        assert!(order.check_progress_made(9.0, 102.0), "half a metre a second");
        assert_eq!((order.previous_distance, order.previous_time), (9.0, 102.0));
        assert!(!order.check_progress_made(8.8, 103.1), "0.2 m in 1.1 s");
    }

    /// Setting the clock moves every time that is kept.
    #[test]
    fn the_times_of_an_order_are_moved_together() {
        let mut order = MoveTo { previous_time: 8.0, original_time: 6.0, ..MoveTo::default() };
        order.progress = Progress::start(&CellPosition::default(), 6.0);
        order.shift_times(-2.0);
        assert_eq!((order.previous_time, order.original_time), (6.0, 4.0));
        assert_eq!(order.progress, Progress::start(&CellPosition::default(), 4.0));
    }

    /// Rule J2.
    #[test]
    fn a_body_without_an_order_has_no_flags() {
        assert_eq!(MoveTo::default().params.flags, MoveFlags::empty());
    }
}
