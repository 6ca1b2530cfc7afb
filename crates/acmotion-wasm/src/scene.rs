//! Land, rooms and buildings, and questions about them.

use std::sync::Arc;

use acmotion::scene::{self, GroundHit, Obstruction, Shape, Surroundings, SweepResult};
use acmotion::types::{CellId, Guid};
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::assets::Assets;
use crate::convert::{numbers, position, position_json, sweep_kind, vector_json};
use crate::errors::{Kind, Outcome, scene_error};

/// Collision geometry.
#[wasm_bindgen]
pub struct Scene(pub(crate) scene::Scene);

#[wasm_bindgen]
impl Scene {
    /// Loads all landblocks of a cell file.
    pub fn load(cells: &Assets, portal: &Assets) -> Outcome<Self> {
        let scene = scene::Scene::load(&portal.0, &cells.0).map_err(|error| scene_error(&error))?;
        if scene.blocks().next().is_none() {
            return Err(Kind::Scene.error("there is no land in it; expected a cell file"));
        }
        Ok(Self(scene))
    }

    /// Returns the landblocks.
    pub fn blocks(&self) -> Vec<u16> {
        self.0.blocks().collect()
    }

    /// Returns the height of the ground under a position.
    pub fn height_at(&self, at: &[f64]) -> Outcome<Option<f32>> {
        Ok(self.0.height_at(&position(at)?))
    }

    /// Returns the ground under a position as JSON.
    pub fn ground_at(&self, at: &[f64]) -> Outcome<Option<String>> {
        Ok(self.0.ground_at(&position(at)?).map(|hit| ground(&hit)))
    }

    /// Returns what is in the way between two positions as JSON.
    pub fn line_of_sight(&self, from: &[f64], to: &[f64]) -> Outcome<Option<String>> {
        Ok(self.0.line_of_sight(&position(from)?, &position(to)?).err().map(|found| obstruction(&found)))
    }

    /// Moves a human shape from one position towards another. Returns where it ends as JSON.
    pub fn sweep(&self, from: &[f64], to: &[f64], kind: &str) -> Outcome<String> {
        let kind = sweep_kind(kind)?;
        let result = self.0.sweep_shape(&Shape::human(), &position(from)?, &position(to)?, kind);
        Ok(sweep(&result, &[]))
    }

    /// Returns the position nearest to another one at which a human shape can stand.
    pub fn can_stand_at(&self, at: &[f64]) -> Outcome<Vec<f64>> {
        let found = self.0.can_stand_at(&Shape::human(), &position(at)?);
        found.map(|position| numbers(&position)).map_err(Kind::Scene.of())
    }

    /// Returns the cells that can be seen from a cell.
    pub fn visible_cells(&self, cell: u32) -> Vec<u32> {
        self.0.visible_cells(CellId(cell)).iter().map(|cell| cell.0).collect()
    }
}

impl Scene {
    /// Returns the scene for a world. The geometry is shared.
    pub(crate) fn surroundings(&self) -> Arc<dyn Surroundings + Send + Sync> {
        Arc::new(self.0.clone())
    }
}

/// Returns what is under a position.
pub(crate) fn ground(hit: &GroundHit) -> String {
    let fields = json!({
        "position": position_json(&hit.position),
        "height": hit.height(),
        "standingHeight": hit.standing_height(),
        "normal": vector_json(hit.plane.normal),
        "surface": hit.surface.name(),
        "guid": hit.surface.guid().map(|guid| guid.0),
        "depth": hit.depth,
        "walkable": hit.is_walkable(),
    });
    fields.to_string()
}

/// Returns what is in the way.
pub(crate) fn obstruction(found: &Obstruction) -> String {
    let hit = found.surface();
    let fields = json!({
        "text": found.to_string(),
        "surface": hit.map(|hit| hit.surface.name()),
        "guid": hit.and_then(|hit| hit.surface.guid()).map(|guid| guid.0),
        "position": hit.map(|hit| position_json(&hit.position)),
        "normal": hit.map(|hit| vector_json(hit.normal)),
        "share": hit.map(|hit| hit.share),
    });
    fields.to_string()
}

/// Returns where a sweep ended, and the entities that it touched.
pub(crate) fn sweep(result: &SweepResult, touched: &[Guid]) -> String {
    let arrival = result.arrival.as_ref();
    let normal = arrival.and_then(|arrival| arrival.collision_normal);
    let fields = json!({
        "position": arrival.map_or(Value::Null, |arrival| position_json(&arrival.position)),
        "contact": arrival.is_some_and(|arrival| arrival.has_contact),
        "normal": normal.map(vector_json),
        "barrier": result.barrier.map(|barrier| barrier.to_string()),
        "touched": touched.iter().map(|guid| guid.0).collect::<Vec<_>>(),
    });
    fields.to_string()
}
