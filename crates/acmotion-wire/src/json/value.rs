//! The JSON forms of single values.

use acmotion_types::{CellPosition, Guid, MotionCommand, Quat, Stamp, Vec3};

use super::writer::{Hex, JsonWriter, ToJson, list, object};
use crate::parts::{ActionItem, Actions, EchoedStamps, MoveToParams, Origin, TurnToParams};

pub(super) fn hex32(value: u32) -> Hex {
    Hex::word(value)
}

pub(super) fn guid(guid: Guid) -> Hex {
    hex32(guid.0)
}

pub(super) fn command(command: MotionCommand) -> Hex {
    hex32(command.0)
}

/// Returns a style. The style with index 0 means "unchanged" and is `null`.
pub(super) fn style(style: MotionCommand) -> Option<Hex> {
    (style.wire_index() != 0).then(|| command(style))
}

pub(super) fn stamp(stamp: Stamp) -> u16 {
    stamp.0
}

pub(super) fn float(value: f32) -> Double {
    double(value.into())
}

pub(super) fn double(value: f64) -> Double {
    Double(value)
}

/// A number that may be `NaN` or infinite, which are strings.
pub(super) struct Double(f64);

impl ToJson for Double {
    #[inline]
    fn write_json(self, json: &mut JsonWriter<'_>) {
        match self.0 {
            value if value.is_finite() => value.write_json(json),
            value if value.is_nan() => "NaN".write_json(json),
            value => (if value > 0.0 { "Infinity" } else { "-Infinity" }).write_json(json),
        }
    }
}

pub(super) fn vector(v: Vec3) -> [Double; 3] {
    <[f32; 3]>::from(v).map(float)
}

fn rotation(q: Quat) -> [Double; 4] {
    [q.w, q.x, q.y, q.z].map(float)
}

/// Adds the four stamps the client echoes.
pub(super) fn put_echoed(json: &mut JsonWriter<'_>, stamps: &EchoedStamps) {
    json.put("instance_seq", stamp(stamps.instance))
        .put("server_control_seq", stamp(stamps.server_control))
        .put("teleport_seq", stamp(stamps.teleport))
        .put("force_position_seq", stamp(stamps.force_position));
}

pub(super) fn position(position: &CellPosition) -> impl ToJson {
    object(move |json| {
        json.put("cell", hex32(position.cell.0))
            .put("origin", vector(position.frame.origin))
            .put("rotation", rotation(position.frame.rotation));
    })
}

pub(super) fn origin_json(origin: &Origin) -> impl ToJson {
    object(move |json| {
        json.put("cell", hex32(origin.cell.0)).put("origin", vector(origin.point));
    })
}

pub(super) fn actions(actions: &Actions<'_>) -> impl ToJson {
    list(actions.iter().map(action))
}

fn action(item: ActionItem) -> impl ToJson {
    object(move |json| {
        json.put("command", command(item.command))
            .put("stamp", item.stamp.get())
            .put("autonomous", item.autonomous)
            .put("speed", float(item.speed));
    })
}

pub(super) fn move_to_params(params: &MoveToParams) -> impl ToJson {
    object(move |json| {
        json.put("flags", hex32(params.flags.bits()))
            .put("distance_to_object", float(params.distance_to_object))
            .put("min_distance", float(params.min_distance))
            .put("fail_distance", float(params.fail_distance))
            .put("speed", float(params.speed))
            .put("walk_run_threshold", float(params.walk_run_threshold))
            .put("desired_heading", float(params.desired_heading));
    })
}

pub(super) fn turn_to_params(params: &TurnToParams) -> impl ToJson {
    object(move |json| {
        json.put("flags", hex32(params.flags.bits()))
            .put("speed", float(params.speed))
            .put("desired_heading", float(params.desired_heading));
    })
}
