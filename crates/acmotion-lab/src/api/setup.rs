//! A setup: its parts, how it stands, what of it bumps into things.

use acmotion::dat::{Assets, DataId};
use serde_json::{Value, json};

use super::Answer;
use crate::values::{frame, id_or_none, vector};

pub(super) fn setup(assets: &Assets, id: DataId) -> Answer<Value> {
    let setup = assets.setup(id)?;
    let part = |(at, mesh): (usize, &DataId)| {
        let parent = setup.parents.get(at).filter(|parent| (**parent as usize) < setup.parts.len());
        let scale = setup.scales.get(at).copied().map_or([1.0; 3], vector);
        json!({ "mesh": mesh.to_string(), "parent": parent, "scale": scale })
    };
    let placements = setup.placements.iter().map(|(key, placement)| {
        json!({ "key": key, "frames": placement.parts.iter().map(frame).collect::<Vec<_>>() })
    });
    let holding = setup.holding_locations.iter().map(
        |location| json!({ "key": location.key, "part": location.part, "frame": frame(&location.frame) }),
    );
    let spheres = setup
        .spheres
        .iter()
        .map(|sphere| json!({ "origin": vector(sphere.origin), "radius": sphere.radius }));
    let cylinders = setup.cyl_spheres.iter().map(|cylinder| {
        json!({ "origin": vector(cylinder.origin), "radius": cylinder.radius, "height": cylinder.height })
    });
    Ok(json!({
        "id": id.to_string(),
        "parts": setup.parts.iter().enumerate().map(part).collect::<Vec<_>>(),
        "placements": placements.collect::<Vec<_>>(),
        "holding": holding.collect::<Vec<_>>(),
        "spheres": spheres.collect::<Vec<_>>(),
        "cylinders": cylinders.collect::<Vec<_>>(),
        "height": setup.height,
        "radius": setup.radius,
        "step_up": setup.step_up,
        "step_down": setup.step_down,
        "default_table": id_or_none(setup.default_motion_table),
    }))
}
