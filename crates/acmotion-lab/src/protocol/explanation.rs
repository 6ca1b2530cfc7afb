//! The state of an entity after a tick, and why it moved as it did.

use serde::Serialize;

use super::{HexId, NamedCommand};

/// The state of one entity after a tick. Values that a result of `replay --json` does not have are null, and its lists
/// are empty.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Explanation {
    pub(crate) cell: HexId,
    /// The origin in the axes of the cell's landblock.
    pub(crate) origin: [f32; 3],
    /// The position in the scene's coordinates.
    pub(crate) position: [f32; 3],
    /// Degrees.
    pub(crate) heading: Option<f32>,
    pub(crate) rotation: [f32; 4],
    /// The body's own velocity.
    pub(crate) velocity: Option<[f32; 3]>,
    /// The velocity by which the body moved in its last step.
    pub(crate) shown_velocity: Option<[f32; 3]>,
    /// The body's angular velocity, in radians a second.
    pub(crate) omega: Option<[f32; 3]>,
    pub(crate) contact: bool,
    pub(crate) on_walkable: bool,
    pub(crate) style: Option<NamedCommand>,
    pub(crate) substate: Option<NamedCommand>,
    pub(crate) substate_speed: Option<f32>,
    pub(crate) modifiers: Vec<MotionSpeed>,
    pub(crate) actions: Vec<MotionSpeed>,
    /// The raw motion state: what was asked for.
    pub(crate) raw: Option<MotionInput>,
    /// The interpreted motion state: what is allowed.
    pub(crate) interpreted: Option<MotionInput>,
    pub(crate) pending: Vec<PendingMotion>,
    pub(crate) animation: Option<HexId>,
    /// The frame number with its fraction.
    pub(crate) frame: Option<f64>,
    /// The animations that play or wait, in order.
    pub(crate) queue: Vec<QueuedAnimation>,
    pub(crate) stamps: Option<Stamps>,
    pub(crate) interpolation: Option<Interpolation>,
    /// The entity that this one sticks to.
    pub(crate) sticky: Option<HexId>,
    /// Null if the constraint is not active.
    pub(crate) constraint: Option<Constraint>,
    /// Null if the entity has no order.
    pub(crate) move_to: Option<MoveTo>,
    /// Null if the step was not explained.
    pub(crate) step: Option<Step>,
    pub(crate) scale: Option<f32>,
    /// The bits of its physics state, such as `"ethereal, gravity"`.
    pub(crate) physics: Option<String>,
    /// The entity that it is attached to.
    pub(crate) holder: Option<HexId>,
    pub(crate) setup: Option<HexId>,
    pub(crate) table: Option<HexId>,
    /// The scripts that run or wait.
    pub(crate) scripts: Vec<HexId>,
    /// The messages of a capture that changed it, or were to, since the tick before.
    pub(crate) messages: Vec<TakenMessage>,
    /// The spheres that it collides with: x, y and z of the centre in the body's axes, and the radius.
    pub(crate) spheres: Vec<[f32; 4]>,
    /// What it stands on; null if it is in the air.
    pub(crate) ground: Option<Ground>,
    /// The last position that the server reported; null in a walk, and before the first report.
    pub(crate) report: Option<Report>,
    /// Metres from the truth, or from the last report when it arrived; null if unknown.
    pub(crate) error: Option<f32>,
}

/// A motion with its speed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MotionSpeed {
    pub(crate) motion: NamedCommand,
    pub(crate) speed: f32,
}

/// A raw or interpreted motion state.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MotionInput {
    pub(crate) style: NamedCommand,
    pub(crate) forward: MotionSpeed,
    pub(crate) sidestep: MotionSpeed,
    pub(crate) turn: MotionSpeed,
    /// Whether the run key is held; always false for an interpreted state.
    pub(crate) hold_run: bool,
}

/// A motion that has not ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PendingMotion {
    pub(crate) motion: NamedCommand,
    /// How many animations have to end before it does.
    pub(crate) animations: u32,
}

/// An animation of the sequence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct QueuedAnimation {
    pub(crate) animation: HexId,
    /// The first frame.
    pub(crate) low: i32,
    /// The last frame.
    pub(crate) high: i32,
    pub(crate) framerate: f32,
    /// Whether it repeats.
    pub(crate) cyclic: bool,
    /// Whether it is the one that plays.
    pub(crate) current: bool,
}

/// The stamps of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Stamps {
    pub(crate) position: u16,
    pub(crate) movement: u16,
    pub(crate) state: u16,
    pub(crate) vector: u16,
    pub(crate) teleport: u16,
    pub(crate) server_control: u16,
    pub(crate) force_position: u16,
    pub(crate) visual_desc: u16,
    pub(crate) instance: u16,
}

/// The queue of positions that the body is moved towards.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Interpolation {
    /// x, y and z in the scene's coordinates, and the heading in degrees. Empty for results of `replay --json`.
    pub(crate) nodes: Vec<[f32; 4]>,
    /// How often the body did not get closer since the queue was last empty.
    pub(crate) fails: u32,
    pub(crate) keeps_heading: bool,
}

/// The constraint (leash): how far a body may move without a position from the server (rule I9).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Constraint {
    /// Metres moved since the server last reported a position; not the distance from there.
    pub(crate) offset: f32,
    /// The `offset` from which movement is scaled down; null if unknown.
    pub(crate) start: Option<f32>,
    /// The `offset` at which movement ends; null if unknown.
    pub(crate) max: Option<f32>,
}

/// An order to move or turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveTo {
    pub(crate) kind: String,
    /// Metres to the target.
    pub(crate) distance: f32,
    pub(crate) measure: DistanceMeasure,
    /// Degrees, negative to the left.
    pub(crate) heading_error: f32,
    pub(crate) runs: bool,
    /// What the entity waits for, in words.
    pub(crate) waits_for: Option<String>,
    /// What the entity is doing, in words.
    pub(crate) node: Option<String>,
    /// The target in the scene's coordinates.
    pub(crate) target: [f32; 3],
}

/// How the distance to a target is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum DistanceMeasure {
    /// Between bounding cylinders.
    Hulls,
    Centres,
    /// As one of these, but horizontally.
    Level,
}

/// How the last step moved the body.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Step {
    /// The length of the step in seconds.
    pub(crate) quantum: f32,
    /// The movement of the animation, in the body's axes.
    pub(crate) root_motion: [f32; 3],
    /// The turn of the animation in degrees, positive to the right.
    pub(crate) root_turn: f32,
    pub(crate) interpolation: InterpolationStep,
    pub(crate) is_sticky: bool,
    pub(crate) constraint: ConstraintStep,
    /// The movement after all corrections, in the body's axes.
    pub(crate) offset: [f32; 3],
    /// The turn after all corrections in degrees, positive to the right.
    pub(crate) turn: f32,
    /// The body's own velocity, which is added.
    pub(crate) velocity: [f32; 3],
    /// What messages did since the step before, by name.
    pub(crate) decisions: Vec<&'static str>,
    /// What was in the way, in order.
    pub(crate) contacts: Vec<Contact>,
    /// What each stage of the step did, in order.
    pub(crate) sentences: Vec<Sentence>,
}

/// What one stage of a step did, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Sentence {
    pub(crate) stage: Stage,
    pub(crate) text: String,
    /// Whether it says why the body did not get where it wanted to.
    pub(crate) hinders: bool,
}

/// What a message of a capture did to an entity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TakenMessage {
    /// The number of the message.
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) number: u64,
    /// What the gate decided, in words.
    pub(crate) sentences: Vec<String>,
}

/// A stage of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// The messages since the step before.
    Messages,
    /// The order that the body follows.
    Order,
    Animation,
    /// Interpolation, sticking and constraint.
    Correction,
    /// Velocity and acceleration.
    Integration,
    /// Collision.
    Sweep,
    /// The end of the step: landing, leaving the ground, snapping.
    Commit,
    /// What the server reports.
    Server,
}

/// Something that was in the way of a body.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Contact {
    /// In words.
    pub(crate) what: String,
    /// The entity, if it is one.
    pub(crate) guid: Option<HexId>,
    /// Null if the body was stopped without one.
    pub(crate) normal: Option<[f32; 3]>,
    /// Where the body touched it, in the scene's coordinates.
    pub(crate) point: [f32; 3],
    /// How many metres the body slid along it; 0 if it was stopped.
    pub(crate) slid: f32,
}

/// What a body stands on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ground {
    /// The point of the plane straight below or above the body's origin, in the scene's coordinates.
    pub(crate) point: [f32; 3],
    pub(crate) normal: [f32; 3],
    pub(crate) cell: HexId,
}

/// The last position that the server reported.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Report {
    /// In the scene's coordinates.
    pub(crate) position: [f32; 3],
    /// Seconds since it arrived.
    pub(crate) age: f32,
    /// Metres from the body now.
    pub(crate) distance: f32,
    /// How fast the reports of about the last second move, in metres a second; null if there are too few.
    pub(crate) speed: Option<f32>,
    /// How fast they approach the target of the body's order, in metres a second; null if it has none.
    pub(crate) advance: Option<f32>,
}

/// What interpolation did in a step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum InterpolationStep {
    Idle,
    NoContact,
    Reached,
    Stalled,
    /// Moved towards a node that was `distance` metres away, at up to `speed` metres a second.
    Toward {
        distance: f32,
        speed: f32,
    },
}

/// What the constraint did in a step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum ConstraintStep {
    Off,
    Slack,
    /// Multiplied the movement by `factor`.
    Scaled {
        factor: f32,
    },
}
