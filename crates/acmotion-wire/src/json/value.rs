//! The JSON forms of single values, and a builder for objects with optional fields.

use acmotion_types::{CellPosition, Guid, MotionCommand, Quat, Stamp, Vec3};
use serde_json::{Map, Value, json};

use crate::parts::{ActionItem, Actions, EchoedStamps, MoveToParams, Origin, TurnToParams};

/// Builds an object. The fields keep the order in which they are added.
#[derive(Default)]
pub(super) struct ObjectBuilder(Map<String, Value>);

impl ObjectBuilder {
    pub(super) fn put(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn put_some(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Adds the four stamps the client echoes.
    pub(super) fn put_echoed(self, stamps: &EchoedStamps) -> Self {
        self.put("instance_seq", stamp(stamps.instance))
            .put("server_control_seq", stamp(stamps.server_control))
            .put("teleport_seq", stamp(stamps.teleport))
            .put("force_position_seq", stamp(stamps.force_position))
    }
}

impl From<ObjectBuilder> for Value {
    fn from(object: ObjectBuilder) -> Self {
        Self::Object(object.0)
    }
}

pub(super) fn hex32(value: u32) -> Value {
    json!(format!("0x{value:08X}"))
}

pub(super) fn guid(guid: Guid) -> Value {
    hex32(guid.0)
}

pub(super) fn command(command: MotionCommand) -> Value {
    hex32(command.0)
}

/// Returns a style. The style with index 0 means "unchanged" and is `null`.
pub(super) fn style(style: MotionCommand) -> Value {
    if style.wire_index() == 0 { Value::Null } else { command(style) }
}

pub(super) fn stamp(stamp: Stamp) -> Value {
    json!(stamp.0)
}

pub(super) fn float(value: f32) -> Value {
    double(value.into())
}

pub(super) fn double(value: f64) -> Value {
    if value.is_nan() {
        json!("NaN")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        json!(value)
    }
}

pub(super) fn vector(v: Vec3) -> Value {
    <[f32; 3]>::from(v).map(float).to_vec().into()
}

fn rotation(q: Quat) -> Value {
    [q.w, q.x, q.y, q.z].map(float).to_vec().into()
}

pub(super) fn position(position: &CellPosition) -> Value {
    ObjectBuilder::default()
        .put("cell", hex32(position.cell.0))
        .put("origin", vector(position.frame.origin))
        .put("rotation", rotation(position.frame.rotation))
        .into()
}

pub(super) fn origin_json(origin: &Origin) -> Value {
    ObjectBuilder::default().put("cell", hex32(origin.cell.0)).put("origin", vector(origin.point)).into()
}

pub(super) fn actions(actions: &Actions<'_>) -> Value {
    actions.iter().map(action).collect::<Vec<_>>().into()
}

fn action(item: ActionItem) -> Value {
    ObjectBuilder::default()
        .put("command", command(item.command))
        .put("stamp", item.stamp.get())
        .put("autonomous", item.autonomous)
        .put("speed", float(item.speed))
        .into()
}

pub(super) fn move_to_params(params: &MoveToParams) -> Value {
    ObjectBuilder::default()
        .put("flags", hex32(params.flags.bits()))
        .put("distance_to_object", float(params.distance_to_object))
        .put("min_distance", float(params.min_distance))
        .put("fail_distance", float(params.fail_distance))
        .put("speed", float(params.speed))
        .put("walk_run_threshold", float(params.walk_run_threshold))
        .put("desired_heading", float(params.desired_heading))
        .into()
}

pub(super) fn turn_to_params(params: &TurnToParams) -> Value {
    ObjectBuilder::default()
        .put("flags", hex32(params.flags.bits()))
        .put("speed", float(params.speed))
        .put("desired_heading", float(params.desired_heading))
        .into()
}
