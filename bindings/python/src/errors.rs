//! Exceptions. Their texts are those of the engine.

#![allow(missing_docs, reason = "create_exception! documents the classes in Python")]

use std::io;
use std::path::Path;

use acmotion::scene::LoadError;
use acmotion::wire;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

macro_rules! exceptions {
    ($($(#[doc = $text:literal])+ $name:ident($base:ty);)*) => {
        $(pyo3::create_exception!(acmotion, $name, $base, concat!($($text),+));)*
    };
}

exceptions! {
    /// The base of all exceptions for data that the engine refuses.
    Error(PyValueError);
    /// A dat file is damaged, or lacks an object.
    DatError(Error);
    /// A motion table does not have a motion.
    UndefinedMotion(Error);
    /// The bytes of a message are not valid. Has the attributes `opcode`, `field`, `offset`, `needed` and `had`.
    DecodeError(Error);
    /// A file is not a capture, or is damaged.
    CaptureError(Error);
    /// An entity cannot be added to a world.
    SpawnError(Error);
    /// An entity cannot be placed at a position, or attached to another.
    PlacementError(Error);
    /// The local player cannot do what was asked of it.
    RequestError(Error);
    /// Bytes are not a snapshot that can be restored.
    RestoreError(Error);
    /// A scenario is not valid. Has the attribute `line`.
    ScenarioError(Error);
    /// Land, rooms or buildings cannot be loaded.
    SceneError(Error);
    /// A result would be larger than allowed, or a queue is full.
    LimitError(Error);
}

/// Creates an exception of a class with the text of an error.
pub(crate) fn raise<E: pyo3::type_object::PyTypeInfo>(text: impl ToString) -> PyErr {
    PyErr::new::<E, _>(text.to_string())
}

/// Creates the exception for a file that cannot be opened or read: `FileNotFoundError`, `PermissionError` and so on.
pub(crate) fn file_error(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// Creates the exception of a dat file.
pub(crate) fn dat_error(error: &acmotion_dat::DatError) -> PyErr {
    match error {
        acmotion_dat::DatError::Io { .. } => PyOSError::new_err(error.to_string()),
        _ => raise::<DatError>(error),
    }
}

/// Creates the exception of a scene.
pub(crate) fn scene_error(error: &LoadError) -> PyErr {
    match error {
        LoadError::Dat(error) => dat_error(error),
        _ => raise::<SceneError>(error),
    }
}

/// Creates the exception of a message.
pub(crate) fn decode_error(py: Python<'_>, error: &wire::DecodeError) -> PyErr {
    let exception = raise::<DecodeError>(error);
    let value = exception.value(py);
    let fields = [
        ("opcode", error.opcode as usize),
        ("offset", error.offset),
        ("needed", error.needed),
        ("had", error.had),
    ];
    let set = fields.into_iter().try_for_each(|(name, number)| value.setattr(name, number));
    match set.and_then(|()| value.setattr("field", error.field)) {
        Ok(()) => exception,
        Err(failed) => failed,
    }
}

/// Creates the exception of a scenario, with its line.
pub(crate) fn scenario_error(py: Python<'_>, error: &acmotion_sim::scenario::ScenarioError) -> PyErr {
    let exception = raise::<ScenarioError>(error);
    match exception.value(py).setattr("line", error.line) {
        Ok(()) => exception,
        Err(failed) => failed,
    }
}
