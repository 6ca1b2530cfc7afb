//! A value that several threads may use.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;

/// A value behind a lock. Functions that use it get no access to Python, so that no code of the interpreter can run, and
/// ask for the same lock, while it is held.
pub(crate) struct Locked<T>(Mutex<T>);

fn poisoned<T>(_: PoisonError<T>) -> PyErr {
    PyRuntimeError::new_err("the object is unusable: an earlier call on it failed in the middle of its work")
}

impl<T: Send> Locked<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Runs a function that takes little time. Other Python threads wait for it.
    pub(crate) fn with<R>(&self, py: Python<'_>, run: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        let mut guard: MutexGuard<'_, T> = self.0.lock_py_attached(py).map_err(poisoned)?;
        Ok(run(&mut guard))
    }

    /// Runs a function that may take long. Other Python threads go on meanwhile.
    pub(crate) fn with_detached<R: Send>(
        &self,
        py: Python<'_>,
        run: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| Ok(run(&mut *self.0.lock().map_err(poisoned)?)))
    }
}
