//! What does not move: ground, rooms, buildings, things.

use serde_json::{Value, json};

use super::{Answer, Words};
use crate::server::Shared;
use crate::values::Origin;

/// The middle of the walk.
pub(crate) fn home_block(shared: &Shared) -> u16 {
    shared.town().landblock()
}

pub(super) fn scenery(shared: &Shared, words: &Words) -> Answer<Value> {
    let block = super::word(words, "block", |text| {
        let block = text.parse::<acmotion::dat::DataId>()?.0;
        u16::try_from(block).map_err(|_| format!("`{text}` is no landblock: four hexadecimal digits"))
    })?;
    let block = block.unwrap_or(home_block(shared));
    let start = shared.town().start();
    Ok(json!({
        "origin": Origin::of_block(block).text(),
        "block": Origin::of_block(block).text(),
        "start": { "place": [start.x, start.y, start.z.unwrap_or(94.0)], "rotation": [1.0, 0.0, 0.0, 0.0] },
        "meshes": [level(94.0)],
        "objects": [],
    }))
}

/// Level ground, a landblock beyond the own on every side.
fn level(height: f32) -> Value {
    let (low, high) = (-192.0, 384.0);
    json!({
        "name": "level ground", "kind": "terrain", "place": [0.0, 0.0, height], "rotation": [1.0, 0.0, 0.0, 0.0],
        "scale": 1.0, "cell": null, "mesh": null,
        "positions": [low, low, 0.0, high, low, 0.0, high, high, 0.0, low, high, 0.0],
        "indices": [0, 1, 2, 0, 2, 3],
        "colours": [[0, 6, "0xFF7A8F5A"]],
    })
}
