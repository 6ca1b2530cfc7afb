//! Positions: eight numbers, the cell, the origin, and the rotation as w, x, y, z.

use acmotion::types::{CellId, CellPosition, Frame, Quat, Vec3};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert::{numbers, position};
use crate::errors::{Kind, Outcome};

/// Returns a position that faces a heading in degrees.
#[wasm_bindgen]
pub fn position_facing(cell: u32, x: f32, y: f32, z: f32, heading: f32) -> Vec<f64> {
    let mut frame = Frame::from_origin(Vec3::new(x, y, z));
    if heading != 0.0 {
        frame.set_heading(heading);
    }
    numbers(&CellPosition::new(CellId(cell), frame))
}

/// Returns a position that is turned to a heading in degrees. The slope of its forward direction is kept.
#[wasm_bindgen]
pub fn position_turned(at: &[f64], heading: f32) -> Outcome<Vec<f64>> {
    let mut position = position(at)?;
    position.frame.set_heading(heading);
    Ok(numbers(&position))
}

/// Returns a position with another rotation, normalised.
#[wasm_bindgen]
pub fn position_rotated(at: &[f64], w: f32, x: f32, y: f32, z: f32) -> Outcome<Vec<f64>> {
    let mut position = position(at)?;
    if !position.frame.set_rotation(Quat { w, x, y, z }) {
        return Err(Kind::Argument.error(format_args!("({w}, {x}, {y}, {z}) is not a rotation")));
    }
    Ok(numbers(&position))
}

/// Returns the heading in degrees.
#[wasm_bindgen]
pub fn position_heading(at: &[f64]) -> Outcome<f32> {
    Ok(position(at)?.frame.heading())
}

/// Returns the distance to another position, in metres.
#[wasm_bindgen]
pub fn position_distance(from: &[f64], to: &[f64]) -> Outcome<f32> {
    Ok(position(from)?.distance_to(&position(to)?))
}

/// Returns the way to another position: east, north and up, in metres.
#[wasm_bindgen]
pub fn position_offset(from: &[f64], to: &[f64]) -> Outcome<Vec<f32>> {
    Ok(<[f32; 3]>::from(position(from)?.offset_to(&position(to)?)).to_vec())
}

/// Returns the heading towards another position, in degrees.
#[wasm_bindgen]
pub fn position_heading_to(from: &[f64], to: &[f64]) -> Outcome<f32> {
    Ok(position(from)?.heading_to(&position(to)?))
}

/// Returns the same place with the cell and landblock that it lies in; `None` in rooms and outside of the map.
#[wasm_bindgen]
pub fn position_outdoors(at: &[f64]) -> Outcome<Option<Vec<f64>>> {
    let position = position(at)?;
    if position.cell.is_room() {
        return Ok(None);
    }
    Ok(position.adjusted_to_outside().map(|position| numbers(&position)))
}
