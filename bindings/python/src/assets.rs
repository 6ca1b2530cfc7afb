//! Dat files and their motion tables.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use acmotion::Library;
use acmotion::query::{MotionQuery, motions, timing};
use acmotion::types::{Era, MotionCommand};
use acmotion_dat::mannequin::{self, town};
use acmotion_dat::{AnyObject, DataId, Entry, ObjectKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Command, json_to_py};
use crate::errors::{UndefinedMotion, dat_error, file_error, raise};
use crate::position::Position;
use crate::timing::Timing;

/// The objects of a dat file, read when they are needed. Any number of worlds and threads can share it.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Assets {
    pub(crate) assets: acmotion_dat::Assets,
    name: String,
}

/// Opens a dat file, with the exceptions of Python for files that cannot be opened.
pub(crate) fn open_assets(py: Python<'_>, path: &PathBuf) -> PyResult<acmotion_dat::Assets> {
    // The error of the operating system has a number, which the dat file's does not keep.
    py.detach(|| File::open(path)).map_err(|error| file_error(path, &error))?;
    py.detach(|| acmotion_dat::Assets::open(path)).map_err(|error| dat_error(&error))
}

/// Returns the assets of an argument, the mannequin if there is none.
pub(crate) fn assets_or_mannequin(assets: Option<&Assets>) -> acmotion_dat::Assets {
    assets.map_or_else(acmotion_dat::Assets::mannequin, |assets| assets.assets.clone())
}

#[pymethods]
impl Assets {
    /// Opens a dat file. Raises `OSError` if it cannot be read, `DatError` if it is not a dat file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Self { assets: open_assets(py, &path)?, name: path.display().to_string() })
    }

    /// Returns the built-in dataset: a humanoid, a quadruped, a door and a sword.
    #[staticmethod]
    fn mannequin(py: Python<'_>) -> Self {
        Self { assets: py.detach(acmotion_dat::Assets::mannequin), name: String::from("mannequin") }
    }

    /// Returns the cell file of the built-in dataset: a town of four landblocks.
    #[staticmethod]
    fn town(py: Python<'_>) -> Self {
        Self { assets: py.detach(acmotion_dat::Assets::town), name: String::from("town") }
    }

    /// Returns the ids of all objects, or of those of a kind, such as `MotionTable`.
    #[pyo3(signature = (kind = None))]
    fn ids(&self, py: Python<'_>, kind: Option<&str>) -> PyResult<Vec<u32>> {
        let kind: Option<ObjectKind> = kind.map(str::parse).transpose().map_err(PyValueError::new_err)?;
        let dat = self.assets.dat();
        let ids = || -> Result<Vec<u32>, acmotion_dat::DatError> {
            let mut ids = Vec::new();
            for entry in dat.entries() {
                let id = entry?.id;
                if kind.is_none_or(|kind| dat.kind_of(id) == kind) {
                    ids.push(id.0);
                }
            }
            Ok(ids)
        };
        py.detach(ids).map_err(|error| dat_error(&error))
    }

    /// Returns the bytes of an object.
    fn read(&self, id: u32) -> PyResult<Vec<u8>> {
        self.find(id).map(|(_, bytes)| bytes).map_err(|error| dat_error(&error))
    }

    /// Returns a decoded object as a dict: the field `object` of `acmotion dat show --json`.
    fn object<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        let kind = self.assets.dat().kind_of(DataId(id));
        if !AnyObject::KINDS.contains(&kind) {
            return Err(PyValueError::new_err(format!(
                "{} is of kind {kind}, which is not decoded",
                DataId(id)
            )));
        }
        let decoded = py.detach(|| {
            let (entry, bytes) = self.find(id)?;
            let damaged =
                |source| acmotion_dat::DatError::Object { id: entry.id, offset: entry.offset, source };
            AnyObject::decode(kind, entry.id, &bytes).map_err(damaged)
        });
        let object = decoded.map_err(|error| dat_error(&error))?;
        json_to_py(py, &acmotion_dat::json::object(&object))
    }

    /// Returns a motion table; by default that of the humanoid.
    #[pyo3(signature = (id = mannequin::HUMAN_TABLE.0), text_signature = "($self, id=0x09000001)")]
    fn motion_table(&self, py: Python<'_>, id: u32) -> PyResult<MotionTable> {
        let load = || {
            let mut library = Library::new();
            let table = library.load_table(&self.assets, DataId(id))?;
            Ok(MotionTable { library: Arc::new(library), table, id })
        };
        py.detach(load).map_err(|error| dat_error(&error))
    }

    fn __repr__(&self) -> String {
        format!("<Assets {}>", self.name)
    }
}

impl Assets {
    /// Returns the directory entry of an object, and its bytes.
    fn find(&self, id: u32) -> Result<(Entry, Vec<u8>), acmotion_dat::DatError> {
        let dat = self.assets.dat();
        let entry = dat.find(DataId(id))?.ok_or(acmotion_dat::DatError::NotFound(DataId(id)))?;
        Ok((entry, dat.read(&entry)?.into_owned()))
    }
}

/// A motion table: which animations a requested motion plays, and how long they take.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct MotionTable {
    library: Arc<Library>,
    table: acmotion::TableId,
    id: u32,
}

impl MotionTable {
    fn table(&self) -> &acmotion::Table {
        self.library.table(self.table)
    }
}

#[pymethods]
impl MotionTable {
    /// The id of the table.
    #[getter]
    fn id(&self) -> u32 {
        self.id
    }

    /// Returns the styles of the table and the default substate of each, by name.
    fn styles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let styles = PyDict::new(py);
        for (style, default) in self.table().styles() {
            styles.set_item(style.to_string(), default.to_string())?;
        }
        Ok(styles)
    }

    /// Returns the names of the motions of a style: `cycles`, `modifiers`, `actions` and `links` (from, to).
    fn motions<'py>(&self, py: Python<'py>, style: Command) -> PyResult<Bound<'py, PyDict>> {
        let style = style.0;
        let default = self.table().style_default(style).ok_or_else(|| undefined(style, style))?;
        let found = motions(self.table(), style, Era::default());
        let names =
            |motions: &[MotionCommand]| motions.iter().map(MotionCommand::to_string).collect::<Vec<_>>();
        let mut actions: Vec<MotionCommand> = found.actions(default).collect();
        actions.sort_unstable();
        actions.dedup();
        let links: Vec<(Option<String>, String)> = found
            .links
            .iter()
            .map(|(from, to)| (from.map(|from| from.to_string()), to.to_string()))
            .collect();
        let dict = PyDict::new(py);
        dict.set_item("cycles", names(&found.cycles))?;
        dict.set_item("modifiers", names(&found.modifiers))?;
        dict.set_item("actions", names(&actions))?;
        dict.set_item("links", links)?;
        Ok(dict)
    }

    /// Returns how long a motion takes and when its hooks fire. Raises `UndefinedMotion` if the table does not have it.
    ///
    /// `start` is the substate before the motion; by default it is the default of the style.
    #[pyo3(signature = (style, motion, *, start = None, speed = 1.0))]
    fn motion(
        &self,
        style: Command,
        motion: Command,
        start: Option<Command>,
        speed: f32,
    ) -> PyResult<Timing> {
        if !speed.is_finite() {
            return Err(PyValueError::new_err(format!("`{speed}` is not a speed; expected a finite number")));
        }
        let query = MotionQuery { style: style.0, motion: motion.0, from: start.map(|start| start.0), speed };
        let found = timing(&self.library, self.table(), &query);
        found.map(Timing).map_err(|error| undefined(error.style, error.motion))
    }

    fn __repr__(&self) -> String {
        format!("<MotionTable {}>", DataId(self.id))
    }
}

fn undefined(style: MotionCommand, motion: MotionCommand) -> PyErr {
    raise::<UndefinedMotion>(acmotion::query::Undefined { style, motion })
}

/// Returns the named positions of the built-in town.
#[pyfunction]
pub(crate) fn landmarks(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, position) in town::landmarks().iter() {
        dict.set_item(name, Position(position))?;
    }
    Ok(dict)
}
