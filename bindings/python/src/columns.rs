//! Columns that several tables have.

use acmotion::types::{CellPosition, Vec3};
use arrow_array::builder::{Float32Builder, UInt32Builder};

use crate::arrow::TableBuilder;

/// The columns of a vector: three of them, each with a suffix.
#[derive(Default)]
pub(crate) struct VectorColumns([Float32Builder; 3]);

impl VectorColumns {
    pub(crate) fn push(&mut self, vector: Option<Vec3>) {
        let numbers: Option<[f32; 3]> = vector.map(Into::into);
        for (axis, column) in self.0.iter_mut().enumerate() {
            column.append_option(numbers.map(|numbers| numbers[axis]));
        }
    }

    /// Adds the columns to a table, `names` in the order x, y, z.
    pub(crate) fn finish(mut self, table: &mut TableBuilder, names: [&str; 3]) {
        for (name, column) in names.into_iter().zip(&mut self.0) {
            table.add(name, column.finish());
        }
    }
}

/// The columns of a position: `cell`, `x`, `y`, `z`, `heading`, and the rotation as `qw`, `qx`, `qy`, `qz`.
#[derive(Default)]
pub(crate) struct PositionColumns {
    cell: UInt32Builder,
    origin: VectorColumns,
    heading: Float32Builder,
    rotation: [Float32Builder; 4],
}

impl PositionColumns {
    pub(crate) fn push(&mut self, position: Option<&CellPosition>) {
        let frame = position.map(|position| position.frame);
        self.cell.append_option(position.map(|position| position.cell.0));
        self.origin.push(frame.map(|frame| frame.origin));
        self.heading.append_option(frame.map(|frame| frame.heading()));
        let rotation: Option<[f32; 4]> = frame.map(|frame| frame.rotation.into());
        for (index, column) in self.rotation.iter_mut().enumerate() {
            column.append_option(rotation.map(|rotation| rotation[index]));
        }
    }

    /// Adds the columns to a table, each with a prefix.
    pub(crate) fn finish(mut self, table: &mut TableBuilder, prefix: &str) {
        let name = |name: &str| format!("{prefix}{name}");
        table.add(&name("cell"), self.cell.finish());
        self.origin.finish(table, [&name("x"), &name("y"), &name("z")]);
        table.add(&name("heading"), self.heading.finish());
        for (axis, column) in ["qw", "qx", "qy", "qz"].into_iter().zip(&mut self.rotation) {
            table.add(&name(axis), column.finish());
        }
    }
}
