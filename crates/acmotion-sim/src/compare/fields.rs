//! How the fields of two states are compared.

use acmotion::types::{CellId, CellPosition, Frame, Quat, Vec3};
use serde::Serialize;
use serde_json::{Map, Value};

/// How far two values may be apart and still count as the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Tolerance {
    /// Of positions, in metres
    pub distance: f32,
    /// Of headings and rotations, in degrees
    pub angle: f32,
    /// Of velocities, in metres a second
    pub velocity: f32,
    /// Of all other numbers, as a share of the greater one or, below 1, as it is
    pub number: f64,
    /// Fields that are not compared
    pub ignored: Vec<String>,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { distance: 0.001, angle: 0.01, velocity: 0.01, number: 1e-4, ignored: Vec::new() }
    }
}

/// A field that differs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FieldDifference {
    /// The name of the field; `position` for `cell` and `origin` together, `event` for an event
    pub field: String,
    /// Its value in the first result
    pub a: Value,
    /// Its value in the second result
    pub b: Value,
}

impl FieldDifference {
    /// Returns it with values of at most `most` bytes as JSON. Of a longer one, the beginning is kept as text.
    pub(super) fn shortened(self, most: usize) -> Self {
        let shorten = |value: Value| {
            let text = value.to_string();
            let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            if text.len() <= most { value } else { Value::from(&text[..end]) }
        };
        Self { field: self.field, a: shorten(self.a), b: shorten(self.b) }
    }
}

/// The fields that two states of an entity have in common, compared.
pub(super) struct StateDifference {
    pub(super) fields: Vec<FieldDifference>,
    /// The distance of the two positions in metres, if both have one.
    pub(super) distance: Option<f32>,
}

/// The fields that make up a position.
const POSITION: [&str; 2] = ["cell", "origin"];
/// The fields that say which state it is.
const KEY: [&str; 3] = ["t", "guid", "view"];

/// Compares two states. Fields that only one of them has are left out.
pub(super) fn compare_states(
    a: &Map<String, Value>,
    b: &Map<String, Value>,
    tolerance: &Tolerance,
) -> StateDifference {
    let mut fields = Vec::new();
    let distance = position(a).zip(position(b)).map(|(a, b)| a.distance_to(&b));
    let is_apart = distance.is_some_and(|distance| distance.is_nan() || distance > tolerance.distance);
    if is_apart && !is_ignored("position", tolerance) {
        let place = |state: &Map<String, Value>| Value::from_iter(POSITION.map(|name| state[name].clone()));
        fields.push(FieldDifference { field: String::from("position"), a: place(a), b: place(b) });
    }
    for (name, a) in a {
        let is_special = POSITION.contains(&name.as_str()) || KEY.contains(&name.as_str());
        if let Some(b) = b.get(name)
            && !is_special
            && !is_ignored(name, tolerance)
            && !is_same(name, a, b, tolerance)
        {
            fields.push(FieldDifference { field: name.clone(), a: a.clone(), b: b.clone() });
        }
    }
    StateDifference { fields, distance }
}

/// Returns `true` if two events with the same name are the same: all fields that both have are.
pub(super) fn is_same_event(a: &Map<String, Value>, b: &Map<String, Value>, tolerance: &Tolerance) -> bool {
    let is_key = |name: &str| KEY.contains(&name);
    a.iter().all(|(name, a)| {
        is_key(name)
            || b.get(name).is_none_or(|b| is_ignored(name, tolerance) || is_same(name, a, b, tolerance))
    })
}

pub(super) fn is_ignored(field: &str, tolerance: &Tolerance) -> bool {
    tolerance.ignored.iter().any(|ignored| ignored == field)
}

fn position(state: &Map<String, Value>) -> Option<CellPosition> {
    let cell = u32::from_str_radix(state.get("cell")?.as_str()?.trim_start_matches("0x"), 16).ok()?;
    let [x, y, z] = numbers(state.get("origin")?)?;
    let origin = Vec3::new(x as f32, y as f32, z as f32);
    Some(CellPosition::new(CellId(cell), Frame::new(origin, Quat::IDENTITY)))
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let list: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    list.try_into().ok()
}

fn is_same(field: &str, a: &Value, b: &Value, tolerance: &Tolerance) -> bool {
    match field {
        "heading" => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return a == b };
            let turn = (a - b).rem_euclid(360.0);
            turn.min(360.0 - turn) <= f64::from(tolerance.angle)
        }
        "rotation" => {
            let (Some(a), Some(b)) = (numbers::<4>(a), numbers::<4>(b)) else { return a == b };
            // A rotation and its negative are the same. For small angles, the distance of unit quaternions is half of it.
            let distance =
                |sign: f64| libm::sqrt(a.iter().zip(b).map(|(a, b)| (a - sign * b) * (a - sign * b)).sum());
            let angle: f64 = 2.0 * f64::min(distance(1.0), distance(-1.0));
            angle.to_degrees() <= f64::from(tolerance.angle)
        }
        "velocity" | "shown_velocity" => {
            let (Some(a), Some(b)) = (numbers::<3>(a), numbers::<3>(b)) else { return a == b };
            let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
            libm::sqrt(square) <= f64::from(tolerance.velocity)
        }
        _ => is_alike(a, b, tolerance.number),
    }
}

/// Compares values of any shape: numbers within a tolerance, everything else exactly.
fn is_alike(a: &Value, b: &Value, tolerance: f64) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return a == b };
            (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b, tolerance))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.iter().all(|(name, a)| b.get(name).is_none_or(|b| is_alike(a, b, tolerance)))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(a: Value, b: Value) -> Vec<String> {
        let (Value::Object(a), Value::Object(b)) = (a, b) else { panic!("not objects") };
        let difference = compare_states(&a, &b, &Tolerance::default());
        difference.fields.into_iter().map(|field| field.field).collect()
    }

    #[test]
    fn positions_are_compared_across_landblocks() {
        let state = |cell: &str, x: f64| json!({ "cell": cell, "origin": [x, 0.0, 0.0] });
        assert_eq!(fields(state("0xA9B40001", 192.0), state("0xAAB40001", 0.0005)), [""; 0]);
        assert_eq!(fields(state("0xA9B40001", 192.0), state("0xAAB40001", 0.002)), ["position"]);
    }

    #[test]
    fn angles_are_compared_around_the_circle() {
        assert_eq!(fields(json!({ "heading": 359.995 }), json!({ "heading": 0.001 })), [""; 0]);
        assert_eq!(fields(json!({ "heading": 359.9 }), json!({ "heading": 0.1 })), ["heading"]);
        let turned = |sign: f64, w: f64, z: f64| json!({ "rotation": [sign * w, 0.0, 0.0, sign * z] });
        assert_eq!(fields(turned(1.0, 1.0, 0.0), turned(-1.0, 1.0, 0.0)), [""; 0]);
        assert_eq!(fields(turned(1.0, 1.0, 0.0), turned(1.0, 0.999_999, 0.001)), ["rotation"]);
    }

    #[test]
    fn fields_of_one_side_are_left_out_and_others_compared_in_depth() {
        let a = json!({ "frame": 1.0, "modifiers": [["0x6500000D", 1.0]], "moveto": null, "pending": 2 });
        let b = json!({ "frame": 1.000_01, "modifiers": [["0x6500000D", 1.5]], "moveto": "MoveToObject" });
        assert_eq!(fields(a, b), ["modifiers", "moveto"]);
    }
}
