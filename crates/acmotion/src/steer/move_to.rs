//! The order under way of one body (rule J2).

use acmotion_types::{CellPosition, Cylinder, Guid, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags};

use super::TargetStatus;
use crate::interp::MovementParams;
use crate::small_list::SmallList;
use crate::table::MotionError;

/// How many nodes lie in the order itself; there are never more.
const INLINE_NODES: usize = 3;

/// What kind of order (rule J2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "MovementTypes")]
#[repr(u8)]
pub enum MoveKind {
    /// None.
    #[default]
    Idle = 0,
    /// Go to an object.
    MoveToObject = 6,
    /// Go to a place.
    MoveToPosition = 7,
    /// Turn to an object.
    TurnToObject = 8,
    /// Turn to a heading.
    TurnToHeading = 9,
}

impl MoveKind {
    /// The original's number, as on the wire.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// One thing to do on the way (rule J2).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "MovementNode")]
pub enum MoveToNode {
    /// 7: come to the right distance.
    #[default]
    Move,
    /// 9: turn to this heading, in degrees.
    Turn(f32),
}

/// What happens to a body that follows an order.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum MoveToEvent {
    /// An order was taken up.
    Started(MoveKind),
    /// It begins to turn on the spot.
    Turns {
        /// To the right or to the left.
        turn: MotionCommand,
        /// To which heading.
        heading: f32,
    },
    /// It looks exactly where it should.
    Faces(f32),
    /// It begins to move.
    Moves {
        /// How, as keys ask for it.
        motion: MotionCommand,
        /// Running or walking.
        hold_key: HoldKey,
        /// Does it get farther away?
        away: bool,
    },
    /// It begins to turn while it moves, or ends doing so.
    Veers(Option<MotionCommand>),
    /// It waits for a motion to end before it turns.
    Waits(MotionCommand),
    /// Its target told how it is.
    TargetTold(TargetStatus),
    /// It is there.
    #[doc(alias = "MoveToComplete")]
    Arrived,
    /// It is there and sticks to its target.
    Sticks(Guid),
    /// It was ended for a reason.
    #[doc(alias = "CancelMoveTo")]
    Failed(MotionError),
}

/// The order under way of one body (rule J2).
#[derive(Clone, PartialEq, Debug)]
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
    /// Was the last look at its progress a disappointment? Then nobody looks whether it is there (rule J15).
    pub(super) stalled: bool,
    /// Has it said that it waits for a motion to end?
    pub(super) waiting: bool,
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
            nodes: SmallList::new(),
        };
        idle.reset(0.0);
        idle
    }
}

impl MoveTo {
    /// What kind of order is under way.
    pub fn kind(&self) -> MoveKind {
        self.kind
    }

    /// Is there an order under way (rule J21)?
    pub fn is_under_way(&self) -> bool {
        self.kind != MoveKind::Idle
    }

    /// How it is to be done. The hold key becomes the one chosen when it begins to move (rule R7).
    pub fn params(&self) -> &MovementParams {
        &self.params
    }

    /// What is still to do, the current node first.
    #[doc(alias = "pending_actions")]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = MoveToNode> {
        self.nodes.iter()
    }

    /// The turn or the move that is played, as keys ask for it; `NONE` if there is none.
    pub fn current_command(&self) -> MotionCommand {
        self.current_command
    }

    /// The turn that is played while it moves; `NONE` if there is none.
    pub fn aux_command(&self) -> MotionCommand {
        self.aux_command
    }

    /// Does it get farther away from its target?
    pub fn is_moving_away(&self) -> bool {
        self.moving_away
    }

    /// Has its target told where it is?
    pub fn is_initialized(&self) -> bool {
        self.initialized
    }

    /// The object it goes or turns to, if it is one.
    pub fn object(&self) -> Option<Guid> {
        (!self.sought_object.is_none()).then_some(self.sought_object)
    }

    /// Where it is going.
    pub fn target_position(&self) -> &CellPosition {
        &self.current_target
    }

    /// No order. How the last one was to be done stays, but for its flags; so do the target's size and where it began
    /// (rule J2).
    #[doc(alias = "InitializeLocalVariables")]
    pub(super) fn reset(&mut self, now: f64) {
        self.kind = MoveKind::Idle;
        self.params.flags = MoveFlags::empty();
        self.params.context = 0;
        self.forget_progress(now);
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

    /// The way made so far does not count any more.
    pub(super) fn forget_progress(&mut self, now: f64) {
        (self.previous_distance, self.previous_time) = (f32::MAX, now);
        (self.original_distance, self.original_time) = (f32::MAX, now);
    }

    /// Does it get on (rule J17)? Judged after a second at the earliest: a quarter of a metre a second, since the last
    /// look and since the beginning.
    #[doc(alias = "CheckProgressMade")]
    pub(super) fn makes_progress(&mut self, distance: f32, now: f64) -> bool {
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

    /// Is it at the right distance (rule J15)?
    pub(super) fn is_there(&self, distance: f32) -> bool {
        if self.moving_away {
            distance >= self.params.min_distance
        } else {
            distance <= self.params.distance_to_object
        }
    }

    /// How the motions of the order are asked for (rules J12, J15).
    pub(super) fn motion_params(&self) -> MovementParams {
        MovementParams { speed: self.params.speed, ..self.stop_params() }
    }

    /// How what is left of it is ended (rule J20).
    pub(super) fn stop_params(&self) -> MovementParams {
        let mut params = MovementParams { hold_key: self.params.hold_key, ..MovementParams::default() };
        params.flags.remove(MoveFlags::CANCEL_MOVE_TO);
        params
    }
}

/// How long progress is not judged, in seconds.
const PROGRESS_SECONDS: f64 = 1.0;
/// How many metres a second are progress.
const MIN_PROGRESS: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/figures.md` 4.
    #[test]
    fn progress_is_judged_over_two_windows() {
        let mut order = MoveTo { previous_distance: 10.0, original_distance: 10.0, ..MoveTo::default() };
        assert!(order.makes_progress(10.0, 0.5), "too early to tell");
        assert!(order.makes_progress(9.0, 2.0));
        assert!(!order.makes_progress(9.0, 4.0), "it stands");
    }

    /// A quarter of a metre a second is enough; and what was lost before has to be made up for.
    #[test]
    fn how_much_is_progress() {
        let start = MoveTo { previous_distance: 10.0, original_distance: 10.0, ..MoveTo::default() };
        assert!(start.clone().makes_progress(9.48, 2.0));
        assert!(!start.clone().makes_progress(9.52, 2.0));
        let late = MoveTo { previous_distance: 10.0, previous_time: 8.0, ..start.clone() };
        assert!(!late.clone().makes_progress(9.0, 10.0), "fast at last, but slow since the beginning");
        assert!(late.clone().makes_progress(7.0, 10.0));
        let mut away = MoveTo { moving_away: true, ..start };
        assert!(!away.clone().makes_progress(9.0, 2.0));
        assert!(away.makes_progress(11.0, 2.0));
    }
}
