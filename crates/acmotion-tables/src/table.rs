//! Tables: what their columns are, and rows that are collected and written in groups.

use std::io::{self, Write};

use thiserror::Error;

use crate::Format;
use crate::column::{AnyColumn, ColumnSpec};
use crate::csv::CsvWriter;
#[cfg(feature = "parquet")]
use crate::parquet::ParquetWriter;

/// The number of rows after which a group is written.
const GROUP_ROWS: usize = 1 << 16;
/// The number of bytes of texts and messages after which a group is written, too.
const GROUP_BYTES: usize = 8 << 20;

/// An error while writing a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The library that writes Parquet failed.
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
}

/// The columns of a table, with the rows of one group.
pub(crate) trait Rows: Default {
    /// What the table is called.
    const NAME: &'static str;
    /// What its rows are.
    const MEANING: &'static str;
    /// Its columns.
    const COLUMNS: &'static [ColumnSpec];

    /// Returns the number of rows.
    fn len(&self) -> usize;
    /// Counts a row whose values have been set.
    fn end_row(&mut self);
    /// Calls a function for each column, in order.
    fn try_for_each<E>(&mut self, visit: impl FnMut(&mut dyn AnyColumn) -> Result<(), E>) -> Result<(), E>;
    /// Returns the number of bytes of texts and messages.
    fn size(&self) -> usize;
    /// Removes all rows.
    fn clear(&mut self);
}

/// Declares a table: the fields are its columns, and their documentation is what they mean.
macro_rules! table {
    (
        $(#[doc = $table_doc:literal])*
        $table:ident = $name:literal {
            $($(#[doc = $doc:literal])* $column:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $table_doc])*
        #[derive(Default)]
        pub(crate) struct $table {
            rows: usize,
            $($(#[doc = $doc])* pub(crate) $column: $type,)*
        }

        impl $crate::table::Rows for $table {
            const NAME: &'static str = $name;
            const MEANING: &'static str = concat!($($table_doc),*);
            const COLUMNS: &'static [$crate::ColumnSpec] = &[$(
                $crate::ColumnSpec {
                    name: stringify!($column),
                    kind: <$type as $crate::column::ColumnKind>::TYPE,
                    is_optional: <$type as $crate::column::ColumnKind>::IS_OPTIONAL,
                    meaning: concat!($($doc),*),
                },
            )*];

            #[inline]
            fn len(&self) -> usize {
                self.rows
            }

            #[inline]
            fn end_row(&mut self) {
                self.rows += 1;
            }

            fn try_for_each<E>(
                &mut self,
                mut visit: impl FnMut(&mut dyn $crate::column::AnyColumn) -> Result<(), E>,
            ) -> Result<(), E> {
                $(visit(&mut self.$column)?;)*
                Ok(())
            }

            #[inline]
            fn size(&self) -> usize {
                use $crate::column::AnyColumn;
                0 $(+ AnyColumn::size(&self.$column))*
            }

            fn clear(&mut self) {
                use $crate::column::AnyColumn;
                self.rows = 0;
                $(AnyColumn::clear(&mut self.$column);)*
            }
        }
    };
}
pub(crate) use table;

/// Collects rows and writes them in groups.
pub(crate) struct TableWriter<T, W: Write + Send> {
    pub(crate) rows: T,
    output: Output<W>,
    written: u64,
}

enum Output<W: Write + Send> {
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<W>>),
    Csv(CsvWriter<W>),
}

impl<T: Rows, W: Write + Send> TableWriter<T, W> {
    /// Starts a table. `metadata` are pairs of keys and values that are kept in a Parquet file.
    pub(crate) fn new(format: Format, output: W, metadata: &[(&str, &str)]) -> Result<Self, TableError> {
        let output = match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let writer = ParquetWriter::new(T::NAME, T::COLUMNS, output, metadata)?;
                Output::Parquet(Box::new(writer))
            }
            Format::Csv => {
                let _ = metadata;
                Output::Csv(CsvWriter::new(T::COLUMNS, output)?)
            }
        };
        Ok(Self { rows: T::default(), output, written: 0 })
    }

    /// Ends a row, and writes the group if it is full.
    #[inline]
    pub(crate) fn end_row(&mut self) -> Result<(), TableError> {
        self.rows.end_row();
        if self.rows.len() >= GROUP_ROWS || self.rows.size() >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    /// Returns the number of rows of the table so far.
    pub(crate) fn count(&self) -> u64 {
        self.written + self.rows.len() as u64
    }

    #[cold]
    fn write_group(&mut self) -> Result<(), TableError> {
        match &mut self.output {
            #[cfg(feature = "parquet")]
            Output::Parquet(writer) => writer.write_group(&mut self.rows)?,
            Output::Csv(writer) => writer.write_group(&mut self.rows)?,
        }
        self.written += self.rows.len() as u64;
        self.rows.clear();
        Ok(())
    }

    /// Writes what is left and returns the output.
    pub(crate) fn finish(mut self) -> Result<W, TableError> {
        if self.rows.len() > 0 {
            self.write_group()?;
        }
        match self.output {
            #[cfg(feature = "parquet")]
            Output::Parquet(writer) => writer.finish(),
            Output::Csv(writer) => writer.finish(),
        }
    }
}
