//! Questions to a world.

use acmotion::dat::DataId;
use acmotion::scene::Shape;
use acmotion::types::CellId;
use wasm_bindgen::prelude::wasm_bindgen;

use super::World;
use crate::convert::{filter, guids, numbers, position, sweep_kind};
use crate::errors::{Kind, Outcome};
use crate::scene::{ground, obstruction, sweep};

impl World {
    /// Returns the collision shape of a setup; a human one if there is none.
    fn shape(&self, setup: Option<u32>) -> Outcome<Shape> {
        let Some(setup) = setup else { return Ok(Shape::human()) };
        let setup = self.assets.setup(DataId(setup)).map_err(Kind::Dat.of())?;
        Ok(Shape::from_setup(&setup))
    }
}

#[wasm_bindgen]
impl World {
    /// Returns the height of the ground under a position.
    pub fn height_at(&self, at: &[f64]) -> Outcome<Option<f32>> {
        Ok(self.world.height_at(&position(at)?))
    }

    /// Returns the ground under a position as JSON.
    pub fn ground_at(&self, at: &[f64], entities: &str, ignoring: &[u32]) -> Outcome<Option<String>> {
        let ignored = guids(ignoring);
        let found = self.world.ground_at(&position(at)?, filter(entities, &ignored)?);
        Ok(found.map(|hit| ground(&hit)))
    }

    /// Returns what is in the way between two positions as JSON.
    pub fn line_of_sight(
        &self,
        from: &[f64],
        to: &[f64],
        entities: &str,
        ignoring: &[u32],
    ) -> Outcome<Option<String>> {
        let ignored = guids(ignoring);
        let filter = filter(entities, &ignored)?;
        let found = self.world.line_of_sight(&position(from)?, &position(to)?, filter);
        Ok(found.err().map(|found| obstruction(&found)))
    }

    /// Moves a shape from one position towards another. Returns where it ends as JSON.
    pub fn sweep(
        &self,
        from: &[f64],
        to: &[f64],
        kind: &str,
        setup: Option<u32>,
        entities: &str,
        ignoring: &[u32],
    ) -> Outcome<String> {
        let (shape, kind) = (self.shape(setup)?, sweep_kind(kind)?);
        let (from, to) = (position(from)?, position(to)?);
        let (ignored, mut touched) = (guids(ignoring), Vec::new());
        let filter = filter(entities, &ignored)?;
        let result = self.world.sweep_shape(&shape, &from, &to, kind, filter, &mut touched);
        let touched: Vec<_> = touched.iter().map(|touch| touch.guid).collect();
        Ok(sweep(&result, &touched))
    }

    /// Returns the position nearest to another one at which a shape can stand.
    pub fn can_stand_at(
        &self,
        at: &[f64],
        setup: Option<u32>,
        entities: &str,
        ignoring: &[u32],
    ) -> Outcome<Vec<f64>> {
        let (shape, position, ignored) = (self.shape(setup)?, position(at)?, guids(ignoring));
        let filter = filter(entities, &ignored)?;
        let found = self.world.can_stand_at(&shape, &position, filter, &mut Vec::new());
        found.map(|position| numbers(&position)).map_err(Kind::Scene.of())
    }

    /// Returns the cells that can be seen from a cell.
    pub fn visible_cells(&self, cell: u32) -> Vec<u32> {
        self.world.visible_cells(CellId(cell)).iter().map(|cell| cell.0).collect()
    }

    /// Returns the entities within a distance of a position, in metres.
    pub fn within(&self, at: &[f64], distance: f32) -> Outcome<Vec<u32>> {
        let position = position(at)?;
        let near = self.world.who_is_within(&position, distance);
        Ok(near.map(|resident| resident.guid().0).collect())
    }
}
