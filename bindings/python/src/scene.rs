//! Land, rooms and buildings, and questions about them.

use std::path::PathBuf;
use std::sync::Arc;

use acmotion::EntityFilter;
use acmotion::scene::{self, GroundHit, Shape, SurfaceHit, Surroundings, SweepKind, SweepResult};
use acmotion::types::{CellId, Guid};
use acmotion_dat::DataId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::assets::{Assets, assets_or_mannequin, open_assets};
use crate::convert::{Triple, triple};
use crate::errors::{SceneError, dat_error, raise, scene_error};
use crate::position::Position;

/// Surroundings that worlds share.
pub(crate) type Shared = Arc<dyn Surroundings + Send + Sync>;

/// Land, rooms, buildings and scenery: everything that never moves. Any number of worlds and threads can share it.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Scene(pub(crate) scene::Scene);

/// Loads all land of a cell file.
fn load(
    py: Python<'_>,
    portal: &acmotion_dat::Assets,
    cells: &acmotion_dat::Assets,
) -> PyResult<scene::Scene> {
    let scene = py.detach(|| scene::Scene::load(portal, cells)).map_err(|error| scene_error(&error))?;
    if scene.blocks().next().is_none() {
        return Err(raise::<SceneError>("there is no land in it; expected a cell file"));
    }
    Ok(scene)
}

/// Where the land of a world comes from: `None`, `"town"`, the path of a cell file, its assets, or a scene.
pub(crate) struct Land<'py>(Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Land<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self((!object.is_none()).then(|| object.to_owned())))
    }
}

impl Land<'_> {
    /// No land at all.
    pub(crate) const NONE: Self = Self(None);

    /// Returns the cell file; `None` if there is none, or it is a scene.
    pub(crate) fn cells(&self, py: Python<'_>) -> PyResult<Option<acmotion_dat::Assets>> {
        let Some(object) = &self.0 else { return Ok(None) };
        if let Ok(assets) = object.cast::<Assets>() {
            return Ok(Some(assets.get().assets.clone()));
        }
        if object.is_instance_of::<Scene>() {
            return Ok(None);
        }
        let path: PathBuf = object.extract().map_err(|_| {
            PyTypeError::new_err("expected None, 'town', the path of a cell file, Assets or a Scene")
        })?;
        if path.as_os_str() == "town" && !path.exists() {
            return Ok(Some(py.detach(acmotion_dat::Assets::town)));
        }
        open_assets(py, &path).map(Some)
    }

    /// Returns the scene; `None` if there is no land.
    pub(crate) fn scene(
        &self,
        py: Python<'_>,
        portal: &acmotion_dat::Assets,
    ) -> PyResult<Option<scene::Scene>> {
        if let Some(scene) = self.0.as_ref().and_then(|object| object.cast::<Scene>().ok()) {
            return Ok(Some(scene.get().0.clone()));
        }
        self.cells(py)?.map(|cells| load(py, portal, &cells)).transpose()
    }

    /// Returns the surroundings; `None` if there are none.
    pub(crate) fn surroundings(
        &self,
        py: Python<'_>,
        portal: &acmotion_dat::Assets,
    ) -> PyResult<Option<Shared>> {
        Ok(self.scene(py, portal)?.map(|scene| Arc::new(scene) as Shared))
    }

    /// Returns `true` if it is a scene that is loaded already.
    pub(crate) fn is_scene(&self) -> bool {
        self.0.as_ref().is_some_and(|object| object.is_instance_of::<Scene>())
    }
}

/// Returns the shape of a setup; that of a human if there is none.
pub(crate) fn shape(assets: &acmotion_dat::Assets, setup: Option<u32>) -> PyResult<Shape> {
    let Some(setup) = setup else { return Ok(Shape::human()) };
    let setup = assets.setup(DataId(setup)).map_err(|error| dat_error(&error))?;
    Ok(Shape::from_setup(&setup))
}

/// Parses how a shape moves.
pub(crate) fn sweep_kind(name: &str) -> PyResult<SweepKind> {
    match name {
        "walk" => Ok(SweepKind::Walk),
        "fly" => Ok(SweepKind::Fly),
        other => {
            Err(PyValueError::new_err(format!("`{other}` is not a kind of sweep: expected walk or fly")))
        }
    }
}

/// Parses which entities count.
pub(crate) fn filter<'a>(name: &str, ignored: &'a [Guid]) -> PyResult<EntityFilter<'a>> {
    let filter = match name {
        "none" => EntityFilter::NONE,
        "objects" => EntityFilter::OBJECTS,
        "all" => EntityFilter::ALL,
        other => {
            return Err(PyValueError::new_err(format!(
                "`{other}` is no set of entities: expected none, objects or all"
            )));
        }
    };
    Ok(filter.except(ignored))
}

#[pymethods]
impl Scene {
    /// Loads all land of a cell file: a path, assets, or `"town"`. Meshes and heights come from `portal`.
    #[staticmethod]
    #[pyo3(signature = (cells, portal = None))]
    fn load(py: Python<'_>, cells: Land<'_>, portal: Option<&Assets>) -> PyResult<Self> {
        let scene = cells.scene(py, &assets_or_mannequin(portal))?;
        scene.map(Self).ok_or_else(|| PyTypeError::new_err("expected a cell file, found None"))
    }

    /// Returns the land of the built-in town.
    #[staticmethod]
    fn town(py: Python<'_>) -> PyResult<Self> {
        let (portal, cells) = py.detach(|| (acmotion_dat::Assets::mannequin(), acmotion_dat::Assets::town()));
        load(py, &portal, &cells).map(Self)
    }

    /// The landblocks: the upper 16 bits of the ids of their cells.
    #[getter]
    fn blocks(&self) -> Vec<u16> {
        self.0.blocks().collect()
    }

    /// Returns the height of the land in metres, whatever is built on it; `None` in a room and off the land.
    fn height_at(&self, position: Position) -> Option<f32> {
        self.0.height_at(&position.0)
    }

    /// Returns what is below a position; `None` if there is nothing.
    fn ground_at(&self, position: Position) -> Option<Ground> {
        self.0.ground_at(&position.0).map(Ground)
    }

    /// Returns the first thing between two positions; `None` if one is visible from the other.
    fn line_of_sight(&self, start: Position, end: Position) -> Option<Obstruction> {
        self.0.line_of_sight(&start.0, &end.0).err().map(Obstruction)
    }

    /// Sweeps a body from one position to another and returns where it ends: on foot (`walk`) or like a missile (`fly`).
    /// The shape is that of a human.
    #[pyo3(signature = (start, end, kind = "walk"))]
    fn sweep(&self, start: Position, end: Position, kind: &str) -> PyResult<Sweep> {
        let result = self.0.sweep_shape(&Shape::human(), &start.0, &end.0, sweep_kind(kind)?);
        Ok(Sweep { result, touched: Vec::new() })
    }

    /// Returns the position at which a human would stand. Raises `SceneError` if it cannot.
    fn can_stand_at(&self, position: Position) -> PyResult<Position> {
        self.0.can_stand_at(&Shape::human(), &position.0).map(Position).map_err(raise::<SceneError>)
    }

    /// Returns the rooms that are visible from a cell.
    fn visible_cells(&self, cell: u32) -> Vec<u32> {
        self.0.visible_cells(CellId(cell)).iter().map(|cell| cell.0).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Scene of {} landblocks>", self.0.blocks().count())
    }
}

/// What is below a point.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Ground(pub(crate) GroundHit);

#[pymethods]
impl Ground {
    /// The point of the surface straight below.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position)
    }

    /// The height of the surface in metres.
    #[getter]
    fn height(&self) -> f32 {
        self.0.height()
    }

    /// The height at which the lowest point of a body comes to rest, in metres.
    #[getter]
    fn standing_height(&self) -> f32 {
        self.0.standing_height()
    }

    /// The normal of the surface.
    #[getter]
    fn normal(&self) -> Triple {
        triple(self.0.plane.normal)
    }

    /// What the surface belongs to: `land`, `building`, `room`, `scenery` or `entity`.
    #[getter]
    fn surface(&self) -> &'static str {
        self.0.surface.name()
    }

    /// The entity that the surface belongs to, if it is one.
    #[getter]
    fn guid(&self) -> Option<u32> {
        self.0.surface.guid().map(|guid| guid.0)
    }

    /// How deep bodies sink in, in metres.
    #[getter]
    fn depth(&self) -> f32 {
        self.0.depth
    }

    /// Whether it is flat enough to stand on.
    #[getter]
    fn walkable(&self) -> bool {
        self.0.is_walkable()
    }

    fn __repr__(&self) -> String {
        format!("<Ground of {} at {:.3} m>", self.surface(), self.height())
    }
}

/// What lies between two positions. Its text says what it is.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Obstruction(pub(crate) scene::Obstruction);

impl Obstruction {
    fn hit(&self) -> Option<&SurfaceHit> {
        self.0.surface()
    }
}

#[pymethods]
impl Obstruction {
    /// What is in the way: `land`, `building`, `room`, `scenery` or `entity`; `None` if no cells lead from one position to
    /// the other.
    #[getter]
    fn surface(&self) -> Option<&'static str> {
        self.hit().map(|hit| hit.surface.name())
    }

    /// The entity in the way, if it is one.
    #[getter]
    fn guid(&self) -> Option<u32> {
        self.hit()?.surface.guid().map(|guid| guid.0)
    }

    /// Where the line meets it.
    #[getter]
    fn position(&self) -> Option<Position> {
        self.hit().map(|hit| Position(hit.position))
    }

    /// Its normal there.
    #[getter]
    fn normal(&self) -> Option<Triple> {
        self.hit().map(|hit| triple(hit.normal))
    }

    /// The share of the line in front of it, 0 to 1.
    #[getter]
    fn share(&self) -> Option<f32> {
        self.hit().map(|hit| hit.share)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Obstruction: {}>", self.0)
    }
}

/// Where a sweep ended.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Sweep {
    pub(crate) result: SweepResult,
    pub(crate) touched: Vec<u32>,
}

#[pymethods]
impl Sweep {
    /// Where the body ended; `None` if the sweep failed, and it stays where it is.
    #[getter]
    fn position(&self) -> Option<Position> {
        self.result.arrival.map(|arrival| Position(arrival.position))
    }

    /// Whether it stands on something there.
    #[getter]
    fn contact(&self) -> bool {
        self.result.arrival.is_some_and(|arrival| arrival.has_contact)
    }

    /// The normal of what it hit, if it hit anything.
    #[getter]
    fn normal(&self) -> Option<Triple> {
        self.result.arrival?.collision_normal.map(triple)
    }

    /// What was in the way, in words; `None` if nothing was.
    #[getter]
    fn barrier(&self) -> Option<String> {
        self.result.barrier.map(|barrier| barrier.to_string())
    }

    /// The entities that it touched.
    #[getter]
    fn touched(&self) -> Vec<u32> {
        self.touched.clone()
    }

    fn __repr__(&self) -> String {
        let end = self
            .result
            .arrival
            .map_or_else(|| String::from("nowhere"), |end| format!("{:?}", end.position.frame.origin));
        let barrier = self.barrier().map_or_else(String::new, |barrier| format!(", stopped by {barrier}"));
        format!("<Sweep to {end}{barrier}>")
    }
}
