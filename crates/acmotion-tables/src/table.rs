//! Tables: what their columns are, and rows that are collected and written in groups.

use std::io::{self, Write};

use thiserror::Error;

use crate::Format;
use crate::column::{AnyColumn, ColumnSpec};
use crate::csv::CsvWriter;
#[cfg(feature = "parquet")]
use crate::parquet::{ParquetWriter, SharedEncoder};

/// The number of rows after which a group is written, and the least that one has unless its texts and messages are long.
const GROUP_ROWS: usize = 1 << 16;
const SMALL_GROUP_ROWS: usize = 1 << 10;
/// The number of bytes of texts and messages after which a group is written, too, and the least number.
const GROUP_BYTES: usize = 8 << 20;
const SMALL_GROUP_BYTES: usize = 1 << 16;
/// The tables of a capture that grow long at the same time: messages, reports, states and events.
const LONG_TABLES: usize = 4;

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
    /// Returns the number of bytes of all values.
    fn memory(&self) -> usize;
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

            fn memory(&self) -> usize {
                use $crate::column::AnyColumn;
                0 $(+ AnyColumn::memory(&self.$column))*
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

/// Where a table is written to.
pub trait TableOutput: Write + Send {
    /// Ends the file and begins the next one of the same table. A Parquet file keeps an index of its groups in memory until
    /// its end, so that a table of many groups has several files.
    ///
    /// # Errors
    /// Returns an error if the file cannot be ended, or the next one not begun.
    fn next_file(&mut self) -> io::Result<()>;
}

/// The files of a table in memory.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct MemoryFiles {
    /// Those that are complete.
    ended: Vec<Vec<u8>>,
    current: Vec<u8>,
}

impl MemoryFiles {
    /// Returns the files, in their order.
    pub fn into_files(mut self) -> Vec<Vec<u8>> {
        self.ended.push(self.current);
        self.ended
    }
}

impl Write for MemoryFiles {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.current.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TableOutput for MemoryFiles {
    fn next_file(&mut self) -> io::Result<()> {
        self.ended.push(std::mem::take(&mut self.current));
        Ok(())
    }
}

/// What the tables of a capture share.
#[derive(Clone)]
pub(crate) struct TableContext {
    format: Format,
    /// The number of bytes that the rows of one table may take until they are written.
    memory: usize,
    #[cfg(feature = "parquet")]
    encoder: SharedEncoder,
}

impl TableContext {
    /// `memory` is what the rows of all tables may take until they are written, in bytes.
    pub(crate) fn new(format: Format, memory: usize) -> Result<Self, TableError> {
        Ok(Self {
            format,
            memory: memory / LONG_TABLES,
            #[cfg(feature = "parquet")]
            encoder: SharedEncoder::new()?,
        })
    }
}

/// Collects rows and writes them in groups.
pub(crate) struct TableWriter<T, W: TableOutput> {
    pub(crate) rows: T,
    output: Output<W>,
    written: u64,
    /// The number of bytes that the rows may take, and the share of texts and messages.
    memory: usize,
    group_bytes: usize,
}

enum Output<W: TableOutput> {
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<W>>),
    Csv(CsvWriter<W>),
}

impl<T: Rows, W: TableOutput> TableWriter<T, W> {
    /// Starts a table. `kept` are columns of `captures` with their values, which a Parquet file keeps besides its rows.
    pub(crate) fn new(
        context: &TableContext,
        output: W,
        kept: &[(&str, String)],
    ) -> Result<Self, TableError> {
        let output = match context.format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let (memory, encoder) = (context.memory, context.encoder.clone());
                let writer = ParquetWriter::new(T::NAME, T::COLUMNS, output, kept, memory, encoder)?;
                Output::Parquet(Box::new(writer))
            }
            Format::Csv => {
                let _ = kept;
                Output::Csv(CsvWriter::new(T::COLUMNS, output)?)
            }
        };
        let group_bytes = (context.memory / 2).clamp(SMALL_GROUP_BYTES, GROUP_BYTES);
        Ok(Self { rows: T::default(), output, written: 0, memory: context.memory, group_bytes })
    }

    /// Ends a row, and writes the group if it is full.
    #[inline]
    pub(crate) fn end_row(&mut self) -> Result<(), TableError> {
        self.rows.end_row();
        let rows = self.rows.len();
        if rows >= GROUP_ROWS || self.rows.size() >= self.group_bytes || self.is_full(rows) {
            self.write_group()?;
        }
        Ok(())
    }

    /// Returns `true` if there is no memory for as many rows again. Lists double their memory when they are full, which is
    /// at powers of two; in between there is nothing to look at.
    #[inline]
    fn is_full(&self, rows: usize) -> bool {
        rows.is_power_of_two() && rows >= SMALL_GROUP_ROWS && 2 * self.rows.memory() > self.memory
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
