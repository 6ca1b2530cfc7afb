//! Events of an entity.

use acmotion::{Event, Library};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::HexId;

/// An event of an entity in a view.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EventRecord {
    /// Seconds.
    pub(crate) t: f64,
    pub(crate) tick: u32,
    pub(crate) view: u8,
    pub(crate) guid: HexId,
    /// The number of the message of a capture in whose handling it happened; null for every other event.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub(crate) message: Option<u64>,
    #[serde(flatten)]
    pub(crate) detail: EventDetail,
}

/// What happened, in the form of `acmotion replay --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum EventDetail {
    /// A hook of an animation fired.
    Hook {
        animation: HexId,
        frame: i32,
        /// The name of the hook's kind.
        hook: String,
        direction: i32,
        #[cfg_attr(test, ts(type = "unknown"))]
        payload: Value,
    },
    /// A motion ended; `success` is false if it was interrupted.
    MotionDone {
        motion: HexId,
        success: bool,
    },
    /// The server moved the entity without a teleport, by this many metres.
    Snap {
        distance: Option<f32>,
    },
    /// A teleport, by this many metres.
    Teleport {
        distance: Option<f32>,
    },
    HitGround,
    LeaveGround,
    HitEnvironment,
    /// The entity started to touch another one.
    Touched {
        other: HexId,
    },
    /// The entity no longer touches the other one.
    Parted {
        other: HexId,
    },
    Hidden {
        hidden: bool,
    },
    /// The entity was attached to another one, at a holding location of its setup.
    Parented {
        parent: HexId,
        location: u32,
    },
    /// The entity was detached from another one.
    Unparented {
        parent: HexId,
    },
    /// Progress of an order to move or turn.
    #[serde(rename = "moveto")]
    MoveTo {
        what: String,
    },
    Created,
    Deleted {
        how: String,
    },
    /// A message about the entity was rejected.
    Rejected {
        reason: String,
    },
    /// The player entered or left portal space.
    PortalSpace {
        inside: bool,
    },
    /// The server took control of the player.
    ControlLost,
    /// The player has to report its position at once.
    PositionWanted,
    /// Progress of a request of the player.
    Request {
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        request: String,
        progress: String,
    },
    /// An event that has no form here yet.
    Other {
        name: String,
    },
}

impl EventDetail {
    /// Converts an event of the engine.
    pub(crate) fn of(event: &Event, library: &Library) -> Self {
        let (name, line) = acmotion::json::named_event(event, library);
        Self::deserialize(&line).unwrap_or_else(|_| Self::Other { name: name.into() })
    }

    /// Returns the name under `event`.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Hook { .. } => "hook",
            Self::MotionDone { .. } => "motion_done",
            Self::Snap { .. } => "snap",
            Self::Teleport { .. } => "teleport",
            Self::HitGround => "hit_ground",
            Self::LeaveGround => "leave_ground",
            Self::HitEnvironment => "hit_environment",
            Self::Touched { .. } => "touched",
            Self::Parted { .. } => "parted",
            Self::Hidden { .. } => "hidden",
            Self::Parented { .. } => "parented",
            Self::Unparented { .. } => "unparented",
            Self::MoveTo { .. } => "moveto",
            Self::Created => "created",
            Self::Deleted { .. } => "deleted",
            Self::Rejected { .. } => "rejected",
            Self::PortalSpace { .. } => "portal_space",
            Self::ControlLost => "control_lost",
            Self::PositionWanted => "position_wanted",
            Self::Request { .. } => "request",
            Self::Other { name } => name,
        }
    }

    /// Returns `true` if the entity's position before the event does not lead to the one after it.
    pub(crate) fn is_discontinuous(&self) -> bool {
        matches!(
            self,
            Self::Snap { .. }
                | Self::Teleport { .. }
                | Self::Created
                | Self::Parented { .. }
                | Self::Unparented { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_keeps_the_form_of_the_replay_command() {
        let detail = EventDetail::MotionDone { motion: HexId(0x4500_0005), success: true };
        let record =
            EventRecord { t: 1.5, tick: 45, view: 1, guid: HexId(0x5000_0001), message: Some(3), detail };
        let expected = json!({
            "t": 1.5, "tick": 45, "view": 1, "guid": "0x50000001", "message": 3, "event": "motion_done",
            "motion": "0x45000005", "success": true,
        });
        assert_eq!(serde_json::to_value(&record).unwrap(), expected);
        assert_eq!(EventDetail::deserialize(&expected).unwrap(), record.detail);
    }
}
