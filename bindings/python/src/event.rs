//! Events of a world.

use acmotion::Library;
use acmotion::json::{is_listed, named_event};
use arrow_array::builder::{Float32Builder, Float64Builder, LargeStringBuilder, UInt32Builder};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::arrow::{Table, TableBuilder};
use crate::convert::json_to_py;

/// Something that happened to an entity. `event["distance"]` and the like are the fields of its kind.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Event {
    time: f64,
    guid: u32,
    kind: &'static str,
    fields: Value,
}

impl Event {
    /// Returns an event as Python sees it; `None` if it is an effect and these are not wanted.
    pub(crate) fn new(event: &acmotion::Event, library: &Library, effects: bool) -> Option<Self> {
        (effects || is_listed(event)).then(|| {
            let (kind, fields) = named_event(event, library);
            Self { time: event.time, guid: event.guid.0, kind, fields }
        })
    }
}

#[pymethods]
impl Event {
    /// The time in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.time
    }

    /// The entity; 0 if a message could not be read, or the clock is wrong.
    #[getter]
    fn guid(&self) -> u32 {
        self.guid
    }

    /// What happened: `created`, `hook`, `motion_done`, `snap`, `request` and so on.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = self.fields.get(name);
        json_to_py(
            py,
            field.ok_or_else(|| PyKeyError::new_err(format!("{} has no field `{name}`", self.kind)))?,
        )
    }

    /// Returns the fields of a line of `acmotion replay --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &self.fields)
    }

    fn __repr__(&self) -> String {
        format!("<Event {} of 0x{:08X} at {:.3} s>", self.kind, self.guid, self.time)
    }
}

/// The columns of a table of events.
#[derive(Default)]
pub(crate) struct EventColumns {
    view: LargeStringBuilder,
    time: Float64Builder,
    guid: UInt32Builder,
    event: LargeStringBuilder,
    distance: Float32Builder,
    json: LargeStringBuilder,
}

impl EventColumns {
    /// Adds an event that is listed, of a view if the table has a column of views.
    pub(crate) fn push(&mut self, view: Option<&str>, event: &acmotion::Event, library: &Library) {
        if !is_listed(event) {
            return;
        }
        let (kind, fields) = named_event(event, library);
        self.view.append_option(view);
        self.time.append_value(event.time);
        self.guid.append_value(event.guid.0);
        self.event.append_value(kind);
        self.distance
            .append_option(fields.get("distance").and_then(Value::as_f64).map(|metres| metres as f32));
        self.json.append_value(fields.to_string());
    }

    /// Returns the table, with the column `view` if there is one.
    pub(crate) fn finish(mut self, has_views: bool) -> PyResult<Table> {
        let mut table = TableBuilder::default();
        if has_views {
            table.add("view", self.view.finish());
        }
        table.add("t", self.time.finish());
        table.add("guid", self.guid.finish());
        table.add("event", self.event.finish());
        table.add("distance", self.distance.finish());
        table.add("json", self.json.finish());
        table.finish()
    }
}
