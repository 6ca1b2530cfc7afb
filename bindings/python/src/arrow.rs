//! Tables of columns in Arrow's format, which data frames take without copying.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use numpy::{Element, PyArray1};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString};

/// A table of columns in Arrow's format.
///
/// Everything that knows Arrow's `PyCapsule` interface takes it without copying: `pyarrow.table(t)`, `polars.DataFrame(t)`,
/// `pandas.DataFrame.from_arrow(t)`. `t["x"]` is a column as a numpy array, which is a copy.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Table(RecordBatch);

/// The names and the contents of columns.
#[derive(Default)]
pub(crate) struct TableBuilder {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl TableBuilder {
    /// Adds a column.
    pub(crate) fn add(&mut self, name: &str, array: impl Array + 'static) {
        self.fields.push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(Arc::new(array));
    }

    /// Returns the table. Its columns have the same length.
    pub(crate) fn finish(self) -> PyResult<Table> {
        let batch = RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.arrays);
        batch.map(Table).map_err(|error| arrow_error(&error))
    }
}

/// Declares the columns of a table: each field is a builder and the name of its column. The function `finish` makes the table.
macro_rules! table_columns {
    ($(#[$doc:meta])* struct $name:ident { $($field:ident: $builder:ty = $column:literal,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        struct $name {
            $($field: $builder,)*
        }

        impl $name {
            fn finish(mut self) -> PyResult<Table> {
                let mut table = $crate::arrow::TableBuilder::default();
                $(table.add($column, self.$field.finish());)*
                table.finish()
            }
        }
    };
}
pub(crate) use table_columns;

fn arrow_error(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

#[pymethods]
impl Table {
    /// Arrow's `PyCapsule` interface: the types of the columns.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema =
            FFI_ArrowSchema::try_from(self.0.schema_ref().as_ref()).map_err(|error| arrow_error(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Arrow's `PyCapsule` interface: the columns, in one batch. A requested schema is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns the table as a `pyarrow.Table`, without copying. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// Returns the table as a `polars.DataFrame`, without copying. Needs polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Returns the table as a `pandas.DataFrame`. Needs pandas and pyarrow. Columns of numbers without gaps are not copied.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(slf.py());
        options.set_item("split_blocks", true)?;
        Self::to_pyarrow(slf)?.call_method("to_pandas", (), Some(&options))
    }

    /// Returns the rows as dicts.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let columns = self.0.columns().iter().map(|array| values(py, array));
        let columns: Vec<Vec<Bound<'py, PyAny>>> = columns.collect::<PyResult<_>>()?;
        let names: Vec<_> =
            self.0.schema_ref().fields().iter().map(|field| PyString::intern(py, field.name())).collect();
        let rows = PyList::empty(py);
        for row in 0..self.0.num_rows() {
            let dict = PyDict::new(py);
            for (name, column) in names.iter().zip(&columns) {
                dict.set_item(name, &column[row])?;
            }
            rows.append(dict)?;
        }
        Ok(rows)
    }

    /// Returns a column as a numpy array. Gaps are NaN in a column of floating-point numbers and masked in one of whole
    /// numbers; texts and bytes are objects, with `None` for gaps.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = self.0.column_by_name(name).ok_or_else(|| {
            PyKeyError::new_err(format!("no column `{name}`; there are {}", self.column_names().join(", ")))
        })?;
        match array.data_type() {
            DataType::Float64 => Ok(floats::<Float64Type>(py, array, f64::NAN)),
            DataType::Float32 => Ok(floats::<Float32Type>(py, array, f32::NAN)),
            DataType::UInt32 => integers::<UInt32Type>(py, array),
            DataType::UInt16 => integers::<UInt16Type>(py, array),
            DataType::UInt8 => integers::<UInt8Type>(py, array),
            DataType::Boolean if array.null_count() == 0 => {
                let bits: Vec<bool> = array.as_boolean().values().iter().collect();
                Ok(PyArray1::from_vec(py, bits).into_any())
            }
            _ => {
                let objects = PyList::new(py, values(py, array)?)?;
                py.import("numpy")?.call_method1("array", (objects, "object"))
            }
        }
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.0.num_rows(), self.column_names().join(", "))
    }
}

/// Returns a column of floating-point numbers with `gap` in its gaps.
fn floats<'py, T>(py: Python<'py>, array: &ArrayRef, gap: T::Native) -> Bound<'py, PyAny>
where
    T: ArrowPrimitiveType,
    T::Native: Element,
{
    let column = array.as_primitive::<T>();
    if column.null_count() == 0 {
        return PyArray1::from_slice(py, column.values()).into_any();
    }
    PyArray1::from_vec(py, column.iter().map(|value| value.unwrap_or(gap)).collect()).into_any()
}

/// Returns a column of whole numbers, masked if it has gaps.
fn integers<'py, T>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>>
where
    T: ArrowPrimitiveType,
    T::Native: Element,
{
    let column = array.as_primitive::<T>();
    let values = PyArray1::from_slice(py, column.values());
    let Some(nulls) = column.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return Ok(values.into_any());
    };
    let mask: Vec<bool> = nulls.iter().map(|is_valid| !is_valid).collect();
    py.import("numpy.ma")?.call_method1("masked_array", (values, PyArray1::from_vec(py, mask)))
}

/// Returns the values of a column as objects of Python.
fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Vec<Bound<'py, PyAny>>> {
    fn objects<'py, T>(
        py: Python<'py>,
        items: impl Iterator<Item = Option<T>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>>
    where
        T: IntoPyObject<'py>,
    {
        items.map(|item| item.into_pyobject(py).map_err(Into::into)).collect()
    }
    match array.data_type() {
        DataType::Float64 => objects(py, array.as_primitive::<Float64Type>().iter()),
        DataType::Float32 => objects(py, array.as_primitive::<Float32Type>().iter()),
        DataType::UInt32 => objects(py, array.as_primitive::<UInt32Type>().iter()),
        DataType::UInt16 => objects(py, array.as_primitive::<UInt16Type>().iter()),
        DataType::UInt8 => objects(py, array.as_primitive::<UInt8Type>().iter()),
        DataType::Boolean => objects(py, array.as_boolean().iter()),
        DataType::LargeUtf8 => objects(py, array.as_string::<i64>().iter()),
        DataType::LargeBinary => objects(
            py,
            array.as_binary::<i64>().iter().map(|bytes| bytes.map(|bytes| PyBytes::new(py, bytes))),
        ),
        other => Err(PyTypeError::new_err(format!("columns of {other} are not converted"))),
    }
}
