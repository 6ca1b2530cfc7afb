//! Questions to a world.

use acmotion::types::{CellId, Guid};
use pyo3::prelude::*;

use super::World;
use crate::errors::{SceneError, raise};
use crate::position::Position;
use crate::scene::{Ground, Obstruction, Sweep, filter, shape, sweep_kind};

/// Returns guids that do not count.
fn guids(list: Vec<u32>) -> Vec<Guid> {
    list.into_iter().map(Guid).collect()
}

#[pymethods]
impl World {
    /// Returns the height of the land in metres; `None` in a room, and in a world without surroundings.
    fn height_at(&self, py: Python<'_>, position: Position) -> PyResult<Option<f32>> {
        self.inner.with(py, |inner| inner.world.height_at(&position.0))
    }

    /// Returns what is below a position; `None` if there is nothing. `entities` that count are "none", "objects" or "all".
    #[pyo3(signature = (position, *, entities = "none", ignoring = Vec::new()), text_signature = "($self, position, *, entities='none', ignoring=())")]
    fn ground_at(
        &self,
        py: Python<'_>,
        position: Position,
        entities: &str,
        ignoring: Vec<u32>,
    ) -> PyResult<Option<Ground>> {
        let ignored = guids(ignoring);
        let filter = filter(entities, &ignored)?;
        self.inner.with(py, |inner| inner.world.ground_at(&position.0, filter).map(Ground))
    }

    /// Returns the first thing between two positions; `None` if one is visible from the other.
    #[pyo3(signature = (start, end, *, entities = "none", ignoring = Vec::new()), text_signature = "($self, start, end, *, entities='none', ignoring=())")]
    fn line_of_sight(
        &self,
        py: Python<'_>,
        start: Position,
        end: Position,
        entities: &str,
        ignoring: Vec<u32>,
    ) -> PyResult<Option<Obstruction>> {
        let ignored = guids(ignoring);
        let filter = filter(entities, &ignored)?;
        self.inner
            .with(py, |inner| inner.world.line_of_sight(&start.0, &end.0, filter).err().map(Obstruction))
    }

    /// Sweeps a body from one position to another and returns where it ends: on foot (`walk`) or like a missile (`fly`).
    /// `setup` gives its shape; by default it is a human.
    #[pyo3(
        signature = (start, end, kind = "walk", *, setup = None, entities = "none", ignoring = Vec::new()),
        text_signature = "($self, start, end, kind='walk', *, setup=None, entities='none', ignoring=())"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn sweep(
        &self,
        py: Python<'_>,
        start: Position,
        end: Position,
        kind: &str,
        setup: Option<u32>,
        entities: &str,
        ignoring: Vec<u32>,
    ) -> PyResult<Sweep> {
        let (shape, kind) = (shape(&self.assets, setup)?, sweep_kind(kind)?);
        let ignored = guids(ignoring);
        let filter = filter(entities, &ignored)?;
        self.inner.with(py, |inner| {
            let mut touched = Vec::new();
            let result = inner.world.sweep_shape(&shape, &start.0, &end.0, kind, filter, &mut touched);
            Sweep { result, touched: touched.iter().map(|touch| touch.guid.0).collect() }
        })
    }

    /// Returns the position at which a body would stand. Raises `SceneError` if it cannot.
    #[pyo3(
        signature = (position, *, setup = None, entities = "none", ignoring = Vec::new()),
        text_signature = "($self, position, *, setup=None, entities='none', ignoring=())"
    )]
    fn can_stand_at(
        &self,
        py: Python<'_>,
        position: Position,
        setup: Option<u32>,
        entities: &str,
        ignoring: Vec<u32>,
    ) -> PyResult<Position> {
        let shape = shape(&self.assets, setup)?;
        let ignored = guids(ignoring);
        let filter = filter(entities, &ignored)?;
        let found = self
            .inner
            .with(py, |inner| inner.world.can_stand_at(&shape, &position.0, filter, &mut Vec::new()))?;
        found.map(Position).map_err(raise::<SceneError>)
    }

    /// Returns the rooms that are visible from a cell.
    fn visible_cells(&self, py: Python<'_>, cell: u32) -> PyResult<Vec<u32>> {
        self.inner
            .with(py, |inner| inner.world.visible_cells(CellId(cell)).iter().map(|cell| cell.0).collect())
    }

    /// Returns the guids of the entities within a distance of a position, in metres.
    fn within(&self, py: Python<'_>, position: Position, distance: f32) -> PyResult<Vec<u32>> {
        self.inner.with(py, |inner| {
            let near = inner.world.who_is_within(&position.0, distance);
            near.map(|resident| resident.guid().0).collect()
        })
    }
}
