//! The progress of the player's requests. Each has a number, and its steps are events of the world.

use std::fmt;

use acmotion_types::{Guid, MotionCommand};
use acmotion_wire::CombatMode;

use super::RequestError;
use super::answers::Exchange;
use crate::entity::MotionEvent;
use crate::steer::{MoveToEvent, Unreachable};
use crate::table::MotionError;

/// The number of a request, counting up from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestId(pub u32);

/// What a request asks of the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RequestKind {
    /// Walk to a position.
    WalkTo,
    /// Turn to a heading.
    TurnTo,
    /// Follow an entity.
    Follow(Guid),
    /// Jump.
    Jump,
    /// Play an action.
    Emote(MotionCommand),
    /// Change the stance.
    Stance(CombatMode),
    /// Attack a target, as often as the server repeats it.
    Attack(Guid),
    /// Cast a spell.
    Cast {
        /// The spell.
        spell: u32,
        /// The target; `None` for a spell without one.
        target: Option<Guid>,
    },
    /// Use an object.
    Use(Guid),
    /// Use a tool on a target.
    UseWith {
        /// The tool.
        tool: Guid,
        /// What it is used on.
        target: Guid,
    },
    /// Drop an item.
    Drop(Guid),
    /// Put an item into a container, the player's own pack included.
    PickUp(Guid),
    /// Wield or wear an item.
    Wield(Guid),
}

/// A step of a request. The first is `Refused`, `Started` or `Queued`; the last, of which there is exactly one, is
/// `Refused`, `Done` or `Cancelled`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RequestProgress {
    /// The request waits until the body is ready.
    Queued,
    /// The request is under way. For a stance and for everything that the server decides, this means that the server
    /// has been asked.
    Started,
    /// The server makes the player's body play a motion for the request: a swing, a wind-up, a gesture.
    Acting(MotionCommand),
    /// The attack frame of a motion was played: the moment at which it hits.
    AttackFrame,
    /// A swing of an attack is over. The server may [repeat](Self::Repeated) it.
    SwingDone,
    /// The server starts the next swing of an attack.
    Repeated,
    /// The player has come near enough to the entity that it follows, and waits for it to move away.
    Reached,
    /// The entity has moved away, and the player follows it again.
    Resumed,
    /// The request is fulfilled: the player has arrived, has turned, stands again after the jump, has played the
    /// action, or has changed the stance; or the server has confirmed that the attack, the spell, the use or the move
    /// of an item is done.
    Done,
    /// The request was not started.
    Refused(RequestError),
    /// The request was started and not fulfilled.
    Cancelled(CancelReason),
}

impl RequestProgress {
    /// Returns `true` if this is the last step of its request.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Done | Self::Refused(_) | Self::Cancelled(_))
    }
}

/// Why a request was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CancelReason {
    /// A key was pressed or released: keys take precedence over requests to walk and turn.
    Keys,
    /// The server made the player do something else.
    Server,
    /// A newer request replaced it.
    Request,
    /// It was [cancelled](super::Controls::cancel) by its number.
    Caller,
    /// The player cannot get there: it was blocked, made no progress, ran out of time, or is in no cell.
    Unreachable(Unreachable),
    /// The motion failed.
    Failed(MotionError),
    /// The server answered with this error code.
    ServerError(u32),
    /// The server did not answer.
    Unanswered,
}

/// A step of a request, as an event.
///
/// ```
/// use acmotion::types::Guid;
/// use acmotion::{CancelReason, MotionError, RequestEvent, RequestId, RequestKind, RequestProgress, Unreachable};
///
/// /// What a bot does next.
/// fn next(step: &RequestEvent) -> &'static str {
///     match (step.kind, step.progress) {
///         (_, RequestProgress::Done) => "the next task",
///         (RequestKind::Attack(_), RequestProgress::Cancelled(CancelReason::ServerError(_))) => "another target",
///         (_, RequestProgress::Cancelled(CancelReason::Unreachable(Unreachable::Blocked(_)))) => "a way around",
///         (_, RequestProgress::Cancelled(CancelReason::Failed(MotionError::Teleported))) => "look where it is",
///         (_, progress) if progress.is_last() => "give up",
///         _ => "wait",
///     }
/// }
///
/// let (id, kind) = (RequestId(1), RequestKind::Attack(Guid(0x8000_0001)));
/// assert_eq!(next(&RequestEvent { id, kind, progress: RequestProgress::Started }), "wait");
/// assert_eq!(next(&RequestEvent { id, kind, progress: RequestProgress::Done }), "the next task");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestEvent {
    /// The number of the request.
    pub id: RequestId,
    /// What was requested.
    pub kind: RequestKind,
    /// The step.
    pub progress: RequestProgress,
}

/// A request that was started and is not over.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct TrackedRequest {
    pub(super) id: RequestId,
    pub(super) kind: RequestKind,
    /// Whether the body has started it. Until then, events about orders concern the order before it.
    is_under_way: bool,
    /// Whether the player waits for the entity that it follows to move away.
    is_paused: bool,
    /// Whether the start has been reported.
    has_started: bool,
    /// The style at the start of the request.
    style: MotionCommand,
    /// What the server has answered, for a stance and for a request that the server decides.
    pub(super) exchange: Option<Exchange>,
}

/// The state of the body that decides whether requests are over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct BodyStatus {
    pub(super) style: MotionCommand,
    pub(super) is_dead: bool,
    pub(super) is_steered: bool,
    pub(super) is_standing: bool,
    pub(super) has_pending: bool,
}

/// The requests that were started and are not over.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RequestTracker {
    last_id: u32,
    pub(super) tracked: Vec<TrackedRequest>,
    /// Why requests that end now are cancelled, while the player acts; `None` if the server ends them.
    pub(super) cause: Option<CancelReason>,
    /// The time of the last update, in seconds, for requests that are made without a time.
    pub(super) last_update: f64,
}

impl fmt::Display for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WalkTo => f.write_str("walk to a position"),
            Self::TurnTo => f.write_str("turn to a heading"),
            Self::Follow(target) => write!(f, "follow {target}"),
            Self::Jump => f.write_str("jump"),
            Self::Emote(action) => write!(f, "{action}"),
            Self::Stance(mode) => write!(f, "combat mode {}", mode.0),
            Self::Attack(target) => write!(f, "attack {target}"),
            Self::Cast { spell, target: None } => write!(f, "cast spell {spell}"),
            Self::Cast { spell, target: Some(target) } => write!(f, "cast spell {spell} at {target}"),
            Self::Use(object) => write!(f, "use {object}"),
            Self::UseWith { tool, target } => write!(f, "use {tool} on {target}"),
            Self::Drop(item) => write!(f, "drop {item}"),
            Self::PickUp(item) => write!(f, "pick up {item}"),
            Self::Wield(item) => write!(f, "wield {item}"),
        }
    }
}

impl fmt::Display for RequestProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued => f.write_str("waits"),
            Self::Started => f.write_str("begun"),
            Self::Acting(motion) => write!(f, "plays {motion}"),
            Self::AttackFrame => f.write_str("attack frame"),
            Self::SwingDone => f.write_str("swing done"),
            Self::Repeated => f.write_str("next swing"),
            Self::Reached => f.write_str("near enough"),
            Self::Resumed => f.write_str("follows again"),
            Self::Done => f.write_str("done"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Cancelled(why) => write!(f, "cancelled: {why}"),
        }
    }
}

impl fmt::Display for CancelReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys => f.write_str("keys take precedence over requests"),
            Self::Server => f.write_str("the server made the player do something else"),
            Self::Request => f.write_str("a newer request replaced it"),
            Self::Caller => f.write_str("on request"),
            Self::Unreachable(why) => why.fmt(f),
            Self::Failed(why) => why.fmt(f),
            Self::ServerError(code) => write!(f, "error 0x{code:02X} from the server"),
            Self::Unanswered => f.write_str("no answer from the server"),
        }
    }
}

impl RequestKind {
    /// Returns `true` if the request is an order to the body.
    pub(super) fn is_order(self) -> bool {
        matches!(self, Self::WalkTo | Self::TurnTo | Self::Follow(_))
    }

    /// Returns `true` if the request is a message to the server, whose answer ends it.
    pub(super) fn is_answered(self) -> bool {
        matches!(
            self,
            Self::Attack(_)
                | Self::Cast { .. }
                | Self::Use(_)
                | Self::UseWith { .. }
                | Self::Drop(_)
                | Self::PickUp(_)
                | Self::Wield(_)
        )
    }
}

impl RequestTracker {
    /// Returns the number for a new request.
    pub(super) fn next_id(&mut self) -> RequestId {
        self.last_id = self.last_id.wrapping_add(1);
        RequestId(self.last_id)
    }

    /// Returns the number of the newest request.
    pub(super) fn last_id(&self) -> Option<RequestId> {
        (self.last_id != 0).then_some(RequestId(self.last_id))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tracked.is_empty()
    }

    /// Returns `true` if the body follows an order that the player requested.
    pub(super) fn is_ordered(&self) -> bool {
        self.tracked.iter().any(TrackedRequest::is_ordered)
    }

    /// Returns what a tracked request asks; `None` if it is over.
    pub(super) fn kind_of(&self, id: RequestId) -> Option<RequestKind> {
        self.tracked.iter().find(|request| request.id == id).map(|request| request.kind)
    }

    /// Returns `true` if the player waits for the entity that it follows to move away.
    pub(super) fn is_paused(&self, id: RequestId) -> bool {
        self.tracked.iter().any(|request| request.id == id && request.is_paused)
    }

    /// Returns `true` if the body follows the order of a request.
    pub(super) fn is_started(&self, id: RequestId) -> bool {
        self.tracked.iter().any(|request| request.id == id && request.is_under_way)
    }

    /// Prepares for the next order of a request to follow an entity.
    pub(super) fn resume(&mut self, id: RequestId) {
        if let Some(request) = self.tracked.iter_mut().find(|request| request.id == id) {
            (request.is_paused, request.is_under_way) = (false, false);
        }
    }

    /// Ends the request to follow an entity if the player is waiting for it: nothing that the body does would end it.
    pub(super) fn end_paused(&mut self, why: CancelReason) -> Option<RequestEvent> {
        self.end(|request| request.is_paused, RequestProgress::Cancelled(why))
    }

    /// Adds a request in the body's present style. An order is under way only once the body reports it.
    pub(super) fn add(&mut self, id: RequestId, kind: RequestKind, style: MotionCommand, now: f64) {
        let is_stance = matches!(kind, RequestKind::Stance(_));
        let exchange = (is_stance || kind.is_answered()).then(|| Exchange::new(now));
        let is_under_way = !kind.is_order();
        let request = TrackedRequest {
            id,
            kind,
            is_under_way,
            is_paused: false,
            has_started: is_under_way,
            style,
            exchange,
        };
        self.tracked.push(request);
    }

    /// Returns `true` if the server has been asked for a stance.
    pub(super) fn has_stance(&self) -> bool {
        self.tracked.iter().any(|request| matches!(request.kind, RequestKind::Stance(_)))
    }

    /// Cancels the stance that is still requested in favour of a new one.
    pub(super) fn cancel_stance(&mut self) -> Option<RequestEvent> {
        let why = RequestProgress::Cancelled(CancelReason::Request);
        self.end(|request| matches!(request.kind, RequestKind::Stance(_)), why)
    }

    /// Removes an order that the body did not start.
    pub(super) fn refuse_unstarted(&mut self) -> Option<RequestEvent> {
        let why = RequestProgress::Refused(RequestError::Motion(MotionError::Failed));
        self.end(|request| !request.is_under_way, why)
    }

    /// Handles an event of the body. Returns the step of the request that it concerns.
    pub(super) fn on_motion_event(&mut self, kind: MotionEvent) -> Option<RequestEvent> {
        let cause = self.cause.unwrap_or(CancelReason::Server);
        let is_order = TrackedRequest::is_ordered;
        let is_jump = |request: &TrackedRequest| request.kind == RequestKind::Jump;
        match kind {
            MotionEvent::MoveTo(MoveToEvent::Started(_)) => self.set_under_way(),
            MotionEvent::MoveTo(MoveToEvent::Arrived) => {
                self.pause().or_else(|| self.end(is_order, RequestProgress::Done))
            }
            MotionEvent::MoveTo(MoveToEvent::Failed(why)) => {
                let cause =
                    if why == MotionError::ActionCancelled { cause } else { CancelReason::Failed(why) };
                self.end(is_order, RequestProgress::Cancelled(cause))
            }
            MotionEvent::MoveTo(MoveToEvent::GaveUp(why)) => {
                self.end(is_order, RequestProgress::Cancelled(CancelReason::Unreachable(why)))
            }
            MotionEvent::MotionDone { motion, success } => {
                let cause = self.cause.unwrap_or(CancelReason::Failed(MotionError::ActionCancelled));
                let last = if success { RequestProgress::Done } else { RequestProgress::Cancelled(cause) };
                self.end(|request| request.kind == RequestKind::Emote(motion), last)
            }
            MotionEvent::Teleported { .. } => self
                .end_paused(CancelReason::Failed(MotionError::Teleported))
                .or_else(|| self.end(is_jump, RequestProgress::Cancelled(cause))),
            _ => None,
        }
    }

    /// Removes one request that the state of the body shows to be over, if any. Called every client frame: a body that
    /// was created anew never reports the end of what the old one was doing.
    pub(super) fn take_ended(&mut self, body: &BodyStatus, now: f64) -> Option<RequestEvent> {
        let ended = self.tracked.iter_mut().map(|request| last_step(request, body, now));
        let (index, progress) = ended.enumerate().find_map(|(index, step)| Some((index, step?)))?;
        let TrackedRequest { id, kind, .. } = self.tracked.remove(index);
        Some(RequestEvent { id, kind, progress })
    }

    fn set_under_way(&mut self) -> Option<RequestEvent> {
        let request = self.tracked.iter_mut().find(|request| !request.is_under_way)?;
        request.is_under_way = true;
        let was_started = std::mem::replace(&mut request.has_started, true);
        let progress = if was_started { RequestProgress::Resumed } else { RequestProgress::Started };
        Some(RequestEvent { id: request.id, kind: request.kind, progress })
    }

    /// Pauses the request to follow an entity that has been reached.
    fn pause(&mut self) -> Option<RequestEvent> {
        let is_follow = |request: &&mut TrackedRequest| {
            matches!(request.kind, RequestKind::Follow(_)) && request.is_ordered()
        };
        let request = self.tracked.iter_mut().find(is_follow)?;
        request.is_paused = true;
        Some(RequestEvent { id: request.id, kind: request.kind, progress: RequestProgress::Reached })
    }

    pub(super) fn end(
        &mut self,
        is_wanted: impl Fn(&TrackedRequest) -> bool,
        progress: RequestProgress,
    ) -> Option<RequestEvent> {
        let index = self.tracked.iter().position(is_wanted)?;
        let TrackedRequest { id, kind, .. } = self.tracked.remove(index);
        Some(RequestEvent { id, kind, progress })
    }
}

impl TrackedRequest {
    /// Returns `true` if the body follows its order.
    fn is_ordered(&self) -> bool {
        self.kind.is_order() && self.is_under_way && !self.is_paused
    }
}

/// Returns the last step of a request if the state of the body shows it to be over.
fn last_step(request: &mut TrackedRequest, body: &BodyStatus, now: f64) -> Option<RequestProgress> {
    let cancelled = RequestProgress::Cancelled(CancelReason::Server);
    match request.kind {
        RequestKind::WalkTo | RequestKind::TurnTo | RequestKind::Follow(_) => {
            (!body.is_steered && !request.is_paused).then_some(cancelled)
        }
        RequestKind::Jump => body.is_standing.then_some(RequestProgress::Done),
        RequestKind::Emote(_) => (!body.has_pending).then_some(cancelled),
        RequestKind::Stance(_) if body.is_dead => Some(cancelled),
        RequestKind::Stance(mode) => {
            let has_changed = body.style != request.style
                || (mode == CombatMode::NON_COMBAT && body.style == MotionCommand::NON_COMBAT);
            if has_changed && !body.has_pending {
                return Some(RequestProgress::Done);
            }
            request.exchange.as_mut()?.last_step(body.is_steered || body.has_pending, now)
        }
        _ if body.is_dead => Some(cancelled),
        _ => request.exchange.as_mut()?.last_step(body.is_steered || body.has_pending, now),
    }
}
