//! Positions and part matrices of all bodies, in memory that JavaScript reads without a copy.

use acmotion::types::{CellId, CellPosition};
use acmotion::{Matrix, PartPoses, PresentedBody, View};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert::position;
use crate::errors::{Kind, Outcome};
use crate::world::World;

/// The arrays of the class `Bodies`. They are read where they lie: see `address` and `length`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Bodies {
    shown: Vec<PresentedBody>,
    guids: Vec<u32>,
    cells: Vec<u32>,
    origins: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    first: Vec<u32>,
    count: Vec<u32>,
    matrices: Vec<Matrix>,
    /// The number of matrices that the last update wrote.
    written: usize,
}

fn out_of_memory<E>(_: E) -> JsValue {
    Kind::Limit.error("there is no memory for the matrices")
}

#[wasm_bindgen]
impl Bodies {
    /// Creates empty arrays.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes all bodies that are drawn, as they are at a time between two ticks, or after the last one. `within` is a
    /// position and a distance in metres, or nothing. Returns the cell in whose landblock's axes the matrices are.
    pub fn update(
        &mut self,
        world: &World,
        origin: Option<u32>,
        now: Option<f64>,
        smooth: bool,
        within: &[f64],
    ) -> Outcome<u32> {
        let world = &world.world;
        let within = match within.split_last() {
            Some((distance, at)) => Some((position(at)?, *distance as f32)),
            None => None,
        };
        let first_cell = || world.entities().next().map(|resident| resident.position().cell);
        let own_cell = || world.player_position().map(|position| position.cell);
        let origin = origin.map(CellId).or_else(own_cell).or_else(first_cell).unwrap_or_default();
        let view = View {
            share: now.map_or(1.0, |now| world.presentation_share(now)),
            origin,
            poses: if smooth { PartPoses::Smooth } else { PartPoses::Retail },
            within,
        };
        let mut batch = world.present_all(&view, &mut self.matrices, &mut self.shown);
        if batch.missing > 0 {
            // Some more, so that a few new bodies do not cause this again.
            let needed = batch.written + batch.missing;
            let more = needed + needed / 8 - self.matrices.len();
            self.matrices.try_reserve_exact(more).map_err(out_of_memory)?;
            self.matrices.resize(self.matrices.len() + more, Matrix::IDENTITY);
            batch = world.present_all(&view, &mut self.matrices, &mut self.shown);
        }
        self.written = batch.written;
        self.list()?;
        Ok(origin.0)
    }

    /// Returns where in the module's memory an array lies, by its number.
    pub fn address(&self, array: u32) -> usize {
        match array {
            0 => self.guids.as_ptr() as usize,
            1 => self.cells.as_ptr() as usize,
            2 => self.origins.as_ptr() as usize,
            3 => self.rotations.as_ptr() as usize,
            4 => self.first.as_ptr() as usize,
            5 => self.count.as_ptr() as usize,
            _ => self.matrices.as_ptr() as usize,
        }
    }

    /// Returns the number of bodies.
    pub fn length(&self) -> usize {
        self.guids.len()
    }

    /// Returns the number of matrices.
    pub fn matrix_count(&self) -> usize {
        self.written
    }
}

impl Bodies {
    /// Fills the arrays that have one entry for each body.
    fn list(&mut self) -> Outcome<()> {
        for list in [&mut self.guids, &mut self.cells, &mut self.first, &mut self.count] {
            list.clear();
            list.try_reserve(self.shown.len()).map_err(out_of_memory)?;
        }
        self.origins.clear();
        self.origins.try_reserve(self.shown.len()).map_err(out_of_memory)?;
        self.rotations.clear();
        self.rotations.try_reserve(self.shown.len()).map_err(out_of_memory)?;
        for body in &self.shown {
            let CellPosition { cell, frame } = body.position;
            self.guids.push(body.guid.0);
            self.cells.push(cell.0);
            self.origins.push(frame.origin.into());
            self.rotations.push(frame.rotation.into());
            self.first.push(body.first);
            self.count.push(body.count);
        }
        Ok(())
    }
}
