//! Arguments from Python and results for it.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;

use acmotion::types::{Era, MotionCommand, Vec3};
use acmotion_dat::DataId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList, PyMemoryView, PyString};
use serde_json::Value;

use crate::errors::file_error;

/// Three numbers.
pub(crate) type Triple = (f32, f32, f32);

pub(crate) fn triple(v: Vec3) -> Triple {
    (v.x, v.y, v.z)
}

pub(crate) fn vector((x, y, z): Triple) -> Vec3 {
    Vec3::new(x, y, z)
}

/// A motion command: its name, its id in hexadecimal digits, or its id.
pub(crate) struct Command(pub(crate) MotionCommand);

impl<'py> FromPyObject<'_, 'py> for Command {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            return object.extract::<u32>().map(|id| Self(MotionCommand(id)));
        };
        let text = text.to_cow()?;
        let found =
            MotionCommand::from_name(&text).or_else(|| Some(MotionCommand(text.parse::<DataId>().ok()?.0)));
        found.map(Self).ok_or_else(|| {
            PyValueError::new_err(format!(
                "`{text}` is neither the name of a motion nor a hexadecimal id such as 0x44000007"
            ))
        })
    }
}

/// The version of the client that defines the numbers of motion commands.
#[derive(Clone, Copy, Default)]
pub(crate) struct EraName(pub(crate) Era);

impl<'py> FromPyObject<'_, 'py> for EraName {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match &*object.cast::<PyString>()?.to_cow()? {
            "retail" => Ok(Self(Era::EndOfRetail)),
            "2013" => Ok(Self(Era::September2013)),
            other => Err(PyValueError::new_err(format!("`{other}` is not an era: expected retail or 2013"))),
        }
    }
}

/// The bytes of any object that has some: `bytes`, `bytearray`, `memoryview`.
pub(crate) struct Bytes(pub(crate) PyBackedBytes);

impl<'py> FromPyObject<'_, 'py> for Bytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyMemoryView>() {
            return Ok(Self(object.call_method0("tobytes")?.extract()?));
        }
        Ok(Self(object.extract()?))
    }
}

/// Where a capture is read from: a path, or the bytes of a file.
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(Bytes),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.extract::<Bytes>() {
            return Ok(Self::Bytes(bytes));
        }
        object.extract().map(Self::Path).map_err(|_| {
            let found = object
                .get_type()
                .name()
                .map_or_else(|_| String::from("another type"), |name| name.to_string());
            PyTypeError::new_err(format!("expected a path or the bytes of a file, found {found}"))
        })
    }
}

impl Source {
    /// Opens it. Other Python threads may run meanwhile: a pipe is open once another program writes to it.
    pub(crate) fn open(self, py: Python<'_>) -> PyResult<Box<dyn Read + Send + Sync>> {
        match self {
            Self::Path(path) => match py.detach(|| File::open(&path)) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(file_error(&path, &error)),
            },
            Self::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes.0))),
        }
    }
}

/// Returns a JSON value as objects of Python.
pub(crate) fn json_to_py<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => Ok(value.into_pyobject(py)?.to_owned().into_any()),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Ok(number.into_pyobject(py)?.into_any()),
            (None, Some(number)) => Ok(number.into_pyobject(py)?.into_any()),
            (None, None) => Ok(number.as_f64().into_pyobject(py)?.into_any()),
        },
        Value::String(text) => Ok(PyString::new(py, text).into_any()),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(json_to_py(py, item)?))?;
            Ok(list.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(name, value)| dict.set_item(name, json_to_py(py, value)?))?;
            Ok(dict.into_any())
        }
    }
}

/// Returns the name of a motion command, `None` if it has none.
#[pyfunction]
#[pyo3(signature = (motion, era = EraName::default()), text_signature = "(motion, era='retail')")]
pub(crate) fn motion_name(motion: Command, era: EraName) -> Option<&'static str> {
    era.0.name(motion.0)
}

/// Returns the id of a motion command.
#[pyfunction]
pub(crate) fn motion_id(motion: Command) -> u32 {
    motion.0.0
}
