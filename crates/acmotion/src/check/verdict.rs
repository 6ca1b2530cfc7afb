//! What a checker says about a report.

use std::fmt;

use crate::collide::Barrier;

/// What a [`Checker`](super::Checker) says about one message of a client.
///
/// ```
/// use acmotion::check::{Finding, ImpossibleFlag, LateReason, Method, ReplayedStamp, Verdict};
///
/// /// The points that a server adds to a client's account. It disconnects the client at 100.
/// fn points(verdict: &Verdict) -> u32 {
///     match verdict.finding {
///         Finding::Ok | Finding::Late(LateReason::Overtaken | LateReason::BeforeTeleport) => 0,
///         // Nothing that an original client can ever send.
///         Finding::ImpossibleFlags(ImpossibleFlag::UnsentStamp)
///         | Finding::StampReplayed(ReplayedStamp::Sequence) => 100,
///         // Speed and walls alone leave some doubt.
///         _ if verdict.is_alarm() && verdict.method == Method::Reach => 10,
///         _ if verdict.is_alarm() => 25,
///         _ => 0,
///     }
/// }
///
/// let finding = Finding::TooFast { needed: 1.4, had: 1.0 };
/// let verdict =
///     Verdict { finding, method: Method::Predicted, error: 0.0, allowed: 0.75, needed: 1.4, lead: 0.4 };
/// assert_eq!(points(&verdict), 25);
/// assert_eq!(finding.to_string(), "too fast: 1.40 s of motion in 1.00 s");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// What was found.
    pub finding: Finding,
    /// How the position was judged.
    pub method: Method,
    /// The distance, in metres, between the reported position and the nearest one that an honest client could have
    /// reported; 0 if the position was not judged.
    pub error: f32,
    /// The error, in metres, up to which a report is honest.
    pub allowed: f32,
    /// The time, in seconds, that an honest client needs from its last report to this one.
    pub needed: f64,
    /// The time, in seconds, by which the client is ahead of the arrival of its messages. Network jitter causes some;
    /// more than [`latency_spread`](super::CheckSettings::latency_spread) is too fast.
    pub lead: f64,
}

impl Verdict {
    /// A verdict on a message whose position was not judged.
    pub(super) const fn unjudged(finding: Finding) -> Self {
        Self { finding, method: Method::None, error: 0.0, allowed: 0.0, needed: 0.0, lead: 0.0 }
    }

    /// Returns `true` if an honest client could not have sent the message. [`Ok`](Finding::Ok) and
    /// [`Late`](Finding::Late) are no alarms.
    pub const fn is_alarm(&self) -> bool {
        !matches!(self.finding, Finding::Ok | Finding::Late(_))
    }
}

/// How a position was judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Method {
    /// Not at all: the first report, or one that does not count.
    None,
    /// By the motion that follows from the client's last report: its position must lie on that path.
    Predicted,
    /// By where the orders of the server, such as a stance or a target to go to, can have led it, whenever the client
    /// received them, and by speed and walls.
    Ordered,
    /// By speed and walls alone, because the path is not known: the mouse turns the player while it moves, its skills
    /// change, something that moves is in the way, keys may move it as well as an order, or the land is unknown.
    Reach,
}

/// What a checker found. Everything except [`Ok`](Self::Ok) and [`Late`](Self::Late) is an alarm.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Finding {
    /// An honest client can have sent it.
    Ok,
    /// An honest client can have sent it, but it is out of date and does not count.
    Late(LateReason),
    /// The player needed more time than it had.
    TooFast {
        /// The time, in seconds, that the motion takes.
        needed: f64,
        /// The time, in seconds, that the client can have had.
        had: f64,
    },
    /// The player went through something solid, or is inside it.
    ThroughWall {
        /// What is in the way.
        by: Barrier,
        /// The distance, in metres, from where the barrier stops the player to the reported position.
        distance: f32,
    },
    /// The player is where its motion does not lead.
    Teleported {
        /// The distance, in metres, from the nearest position that its motion leads to.
        distance: f32,
    },
    /// A jump that is faster than the player's skill allows, or charged by more than 1 (rules C22, C25).
    JumpTooHigh {
        /// The charge.
        extent: f32,
        /// The launch speed, in metres a second: upwards, or along the ground if that is what is too fast.
        speed: f32,
        /// The maximum of that speed.
        max: f32,
    },
    /// The player claims to stand, or stays, where there is no ground below it.
    InAir {
        /// The height, in metres, above where it should be.
        height: f32,
    },
    /// A field with a value that the original client never sends.
    ImpossibleFlags(ImpossibleFlag),
    /// A number that was used before, or that is older than one already sent.
    StampReplayed(ReplayedStamp),
}

/// Why a message is out of date.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LateReason {
    /// Sent before the client received its teleport (`docs/wire.md` 5).
    BeforeTeleport,
    /// Sent for an earlier instance of the player.
    OldInstance,
    /// A newer message of the client arrived before it.
    Overtaken,
    /// The player does not exist yet.
    NoPlayer,
}

/// A field whose value the original client never sends (rules C22, K4–K6, K9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ImpossibleFlag {
    /// Bits of the raw state, or of the contact byte, that have no meaning.
    UnknownBits,
    /// A hold key other than none, walk and run.
    HoldKey,
    /// A style that is not one.
    Style,
    /// A forward command that is not a substate, or `RunForward`: a run is a walk with the run key (rule K5).
    ForwardCommand,
    /// A sidestep command other than the two sidesteps.
    SidestepCommand,
    /// A turn command other than the two turns.
    TurnCommand,
    /// A forward, sidestep or turn speed that no key or mouse gives.
    Speed,
    /// An action that is not one, or at a speed other than 1.
    Action,
    /// A standing long jump that is charged in the air (rule C27).
    LongJump,
    /// A jump in the air, or with a load that forbids jumps.
    Jump,
    /// A position that is not finite, or whose cell does not exist or does not contain it.
    Position,
    /// A stamp that the server has not sent yet.
    UnsentStamp,
}

/// A number that must not be used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ReplayedStamp {
    /// The sequence number of the action.
    Sequence,
    /// The echo of the server's control stamp.
    ServerControl,
    /// The echo of the teleport stamp.
    Teleport,
    /// The echo of the forced position stamp.
    ForcePosition,
}

impl Finding {
    /// The short name of the kind, as in tables and JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Late(_) => "late",
            Self::TooFast { .. } => "too_fast",
            Self::ThroughWall { .. } => "through_wall",
            Self::Teleported { .. } => "teleported",
            Self::JumpTooHigh { .. } => "jump_too_high",
            Self::InAir { .. } => "in_air",
            Self::ImpossibleFlags(_) => "impossible_flags",
            Self::StampReplayed(_) => "stamp_replayed",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => write!(f, "ok"),
            Self::Late(LateReason::BeforeTeleport) => {
                write!(f, "late: sent before the teleport was received")
            }
            Self::Late(LateReason::OldInstance) => {
                write!(f, "late: sent for an earlier instance of the player")
            }
            Self::Late(LateReason::Overtaken) => write!(f, "late: overtaken by a newer message"),
            Self::Late(LateReason::NoPlayer) => write!(f, "late: the player does not exist yet"),
            Self::TooFast { needed, had } => write!(f, "too fast: {needed:.2} s of motion in {had:.2} s"),
            Self::ThroughWall { by: Barrier::Entity(guid), distance } => {
                write!(f, "{distance:.2} m through object {guid}")
            }
            Self::ThroughWall { by: Barrier::Surroundings, distance } => {
                write!(f, "{distance:.2} m through a wall")
            }
            Self::ThroughWall { by, distance } => write!(f, "{distance:.2} m through a wall: {by}"),
            Self::Teleported { distance } => write!(f, "{distance:.2} m away from where its motion leads"),
            Self::JumpTooHigh { extent, speed, max } => {
                write!(f, "a jump at {speed:.2} m/s of at most {max:.2} m/s, extent {extent:.2}")
            }
            Self::InAir { height } => write!(f, "{height:.2} m above the ground"),
            Self::ImpossibleFlags(flag) => write!(f, "impossible: {flag:?}"),
            Self::StampReplayed(stamp) => write!(f, "replayed: {stamp:?}"),
        }
    }
}
