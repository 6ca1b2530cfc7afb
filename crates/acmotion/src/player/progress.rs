//! What becomes of the player's requests: each has a number, and its steps are events of the world.

use std::fmt;

use acmotion_types::MotionCommand;
use acmotion_wire::CombatMode;

use super::RequestError;
use crate::entity::MotionEvent;
use crate::steer::MoveToEvent;
use crate::table::MotionError;

/// The number of a request; they count up from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub u32);

/// What was asked of the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RequestKind {
    /// To go to a place.
    WalkTo,
    /// To turn to a heading.
    TurnTo,
    /// To jump.
    Jump,
    /// To do an action.
    Emote(MotionCommand),
    /// To take a stance.
    Stance(CombatMode),
}

/// How far a request is. It begins with a refusal, or by being started or parked; it ends with a refusal, done or
/// cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RequestProgress {
    /// It waits until the body is ready.
    Parked,
    /// It is under way; of a stance: the server was asked.
    Started,
    /// It is done: he is there, has turned, stands again, the action is over, the stance is another.
    Done,
    /// It is not done at all.
    Refused(RequestError),
    /// It was begun and is not done.
    Cancelled(CancelReason),
}

/// Why a request that was begun was not done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CancelReason {
    /// Keys win over orders.
    Keys,
    /// The server wanted something else.
    Server,
    /// A newer request took its place.
    Request,
    /// It could not be done.
    Failed(MotionError),
}

/// A step of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestEvent {
    /// Which.
    pub id: RequestId,
    /// What was asked for.
    pub kind: RequestKind,
    /// How far it is.
    pub progress: RequestProgress,
}

/// A request that was begun.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Task {
    id: RequestId,
    kind: RequestKind,
    /// Has the body taken it up? Until then what happens to orders happens to the one before.
    is_going: bool,
    /// The stance before it.
    style: MotionCommand,
}

/// What the body does now, as far as requests go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Doing {
    pub(super) style: MotionCommand,
    pub(super) is_dead: bool,
    pub(super) is_steered: bool,
    pub(super) is_standing: bool,
    pub(super) has_pending: bool,
}

/// The requests that were begun and are not over.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Tasks {
    last: u32,
    list: Vec<Task>,
    /// Why what the player does is done, while he does it; else it is the server's doing.
    pub(super) cause: Option<CancelReason>,
    /// The time of the last frame, for requests that come without one.
    pub(super) clock: f64,
}

impl fmt::Display for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WalkTo => f.write_str("walk to a place"),
            Self::TurnTo => f.write_str("turn to a heading"),
            Self::Jump => f.write_str("jump"),
            Self::Emote(action) => write!(f, "{action}"),
            Self::Stance(mode) => write!(f, "combat mode {}", mode.0),
        }
    }
}

impl fmt::Display for RequestProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parked => f.write_str("waits"),
            Self::Started => f.write_str("begun"),
            Self::Done => f.write_str("done"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Cancelled(why) => write!(f, "cancelled: {why}"),
        }
    }
}

impl fmt::Display for CancelReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys => f.write_str("keys win over orders"),
            Self::Server => f.write_str("the server wanted something else"),
            Self::Request => f.write_str("a newer request took its place"),
            Self::Failed(why) => why.fmt(f),
        }
    }
}

impl RequestKind {
    fn is_order(self) -> bool {
        matches!(self, Self::WalkTo | Self::TurnTo)
    }
}

impl Tasks {
    /// The number of a new request.
    pub(super) fn number(&mut self) -> RequestId {
        self.last = self.last.wrapping_add(1);
        RequestId(self.last)
    }

    /// The number of the newest request.
    pub(super) fn newest(&self) -> Option<RequestId> {
        (self.last != 0).then_some(RequestId(self.last))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Does the body follow an order of the player's own?
    pub(super) fn is_ordered(&self) -> bool {
        self.list.iter().any(|task| task.kind.is_order() && task.is_going)
    }

    /// A request is begun; an order is not going before the body says so.
    pub(super) fn begin(&mut self, id: RequestId, kind: RequestKind, style: MotionCommand) {
        self.list.push(Task { id, kind, is_going: !kind.is_order(), style });
    }

    /// The stance that is still asked for gives way to another.
    pub(super) fn supersede_stance(&mut self) -> Option<RequestEvent> {
        let why = RequestProgress::Cancelled(CancelReason::Request);
        self.end(|task| matches!(task.kind, RequestKind::Stance(_)), why)
    }

    /// An order that the body never took up is over.
    pub(super) fn forget_unheard(&mut self) -> Option<RequestEvent> {
        let why = RequestProgress::Refused(RequestError::Motion(MotionError::Failed));
        self.end(|task| !task.is_going, why)
    }

    /// Something happened to the body.
    pub(super) fn hear(&mut self, kind: MotionEvent) -> Option<RequestEvent> {
        let cause = self.cause.unwrap_or(CancelReason::Server);
        let is_order = |task: &Task| task.kind.is_order() && task.is_going;
        let is_jump = |task: &Task| task.kind == RequestKind::Jump;
        match kind {
            MotionEvent::MoveTo(MoveToEvent::Started(_)) => self.set_going(),
            MotionEvent::MoveTo(MoveToEvent::Arrived | MoveToEvent::Sticks(_)) => {
                self.end(is_order, RequestProgress::Done)
            }
            MotionEvent::MoveTo(MoveToEvent::Failed(why)) => {
                let cause =
                    if why == MotionError::ActionCancelled { cause } else { CancelReason::Failed(why) };
                self.end(is_order, RequestProgress::Cancelled(cause))
            }
            MotionEvent::MotionDone { motion, success } => {
                let cut = self.cause.unwrap_or(CancelReason::Failed(MotionError::ActionCancelled));
                let over = if success { RequestProgress::Done } else { RequestProgress::Cancelled(cut) };
                self.end(|task| task.kind == RequestKind::Emote(motion), over)
            }
            MotionEvent::Teleported { .. } => self.end(is_jump, RequestProgress::Cancelled(cause)),
            _ => None,
        }
    }

    /// What is over by what the body does now, once a frame: one at a time. So nothing waits for ever for a word that a
    /// body which was made anew never says.
    pub(super) fn look(&mut self, doing: &Doing) -> Option<RequestEvent> {
        let index = self.list.iter().position(|task| is_over(task, doing).is_some())?;
        let task = self.list.remove(index);
        Some(RequestEvent { id: task.id, kind: task.kind, progress: is_over(&task, doing)? })
    }

    fn set_going(&mut self) -> Option<RequestEvent> {
        let task = self.list.iter_mut().find(|task| !task.is_going)?;
        task.is_going = true;
        Some(RequestEvent { id: task.id, kind: task.kind, progress: RequestProgress::Started })
    }

    fn end(&mut self, is_it: impl Fn(&Task) -> bool, progress: RequestProgress) -> Option<RequestEvent> {
        let index = self.list.iter().position(is_it)?;
        let task = self.list.remove(index);
        Some(RequestEvent { id: task.id, kind: task.kind, progress })
    }
}

/// How it ended, if what the body does says that it has.
fn is_over(task: &Task, doing: &Doing) -> Option<RequestProgress> {
    let gone = RequestProgress::Cancelled(CancelReason::Server);
    match task.kind {
        RequestKind::WalkTo | RequestKind::TurnTo => (!doing.is_steered).then_some(gone),
        RequestKind::Jump => doing.is_standing.then_some(RequestProgress::Done),
        RequestKind::Emote(_) => (!doing.has_pending).then_some(gone),
        RequestKind::Stance(_) if doing.is_dead => Some(gone),
        RequestKind::Stance(mode) => {
            let is_there = doing.style != task.style
                || (mode == CombatMode::NON_COMBAT && doing.style == MotionCommand::NON_COMBAT);
            (is_there && !doing.has_pending).then_some(RequestProgress::Done)
        }
    }
}
