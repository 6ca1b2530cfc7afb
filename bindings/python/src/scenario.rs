//! Scenarios.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use acmotion_sim::scenario;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{ScenarioError, file_error, raise, scenario_error};

/// The maximum size of a scenario file, in bytes.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// The initial state and the script of a simulation.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Scenario(pub(crate) scenario::Scenario);

fn read(path: &Path) -> PyResult<String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::InvalidData => {
            raise::<ScenarioError>(format_args!("{}: {error}", path.display()))
        }
        _ => file_error(path, &error),
    };
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_FILE_SIZE + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_FILE_SIZE {
        let name = path.display();
        return Err(raise::<ScenarioError>(format_args!(
            "{name}: larger than {MAX_FILE_SIZE} bytes, not a scenario"
        )));
    }
    Ok(text)
}

/// A scenario, or the path of one.
pub(crate) struct ScenarioSource(pub(crate) scenario::Scenario);

impl<'py> FromPyObject<'_, 'py> for ScenarioSource {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(scenario) = object.cast::<Scenario>() {
            return Ok(Self(scenario.get().0.clone()));
        }
        let path: PathBuf =
            object.extract().map_err(|_| PyTypeError::new_err("expected a Scenario or the path of one"))?;
        Scenario::load(object.py(), path).map(|scenario| Self(scenario.0))
    }
}

#[pymethods]
impl Scenario {
    /// Reads a scenario file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::parse(py, &py.detach(|| read(&path))?)
    }

    /// Parses the text of a scenario, in TOML. Raises `ScenarioError` if it is not valid.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        scenario::Scenario::parse(text).map(Self).map_err(|error| scenario_error(py, &error))
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    /// The duration in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// The seed of the virtual network.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The names of the players and observers.
    #[getter]
    fn clients(&self) -> Vec<&str> {
        self.0.clients.iter().map(|client| client.name.as_str()).collect()
    }

    /// The names of the creatures.
    #[getter]
    fn creatures(&self) -> Vec<&str> {
        self.0.creatures.iter().map(|creature| creature.name.as_str()).collect()
    }

    /// Returns the same scenario with another seed.
    fn with_seed(&self, seed: u64) -> Self {
        Self(scenario::Scenario { seed, ..self.0.clone() })
    }

    fn __repr__(&self) -> String {
        format!("<Scenario {:?} of {} s>", self.0.title, self.0.seconds)
    }
}
