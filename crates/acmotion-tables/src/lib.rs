#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod captures;
mod column;
mod csv;
mod engine;
mod entities;
mod events;
mod export;
mod messages;
#[cfg(feature = "parquet")]
mod parquet;
mod reports;
mod sends;
mod states;
mod stored;
mod table;
mod time;

pub use captures::{CaptureInfo, Faults};
pub use column::{ColumnSpec, ColumnType};
pub use export::{CaptureExport, ExportOptions, Exported};
pub use stored::StoredCapture;
pub use table::{MemoryFiles, TableError, TableOutput};

use table::Rows;

/// The version of the tables and their columns. It changes when a column is removed, or changes its type or its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What a Parquet file keeps of its capture: the columns of `captures` under the same names after this prefix.
#[cfg(feature = "parquet")]
pub(crate) const KEY_PREFIX: &str = "acmotion.";

/// The format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Parquet, compressed with Zstandard.
    #[cfg(feature = "parquet")]
    Parquet,
    /// Comma-separated values.
    Csv,
}

impl Format {
    /// Returns the end of the names of files, without a dot.
    pub const fn extension(self) -> &'static str {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
            Self::Csv => "csv",
        }
    }
}

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Table {
    /// One row for each message.
    Messages,
    /// One row for each entity.
    Entities,
    /// One row for each reported position.
    Reports,
    /// One row for each change of an entity's state.
    States,
    /// One row for each event.
    Events,
    /// One row for each message about movement that the client sent.
    Sends,
    /// One row for the capture.
    Captures,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 7] = [
        Self::Messages,
        Self::Entities,
        Self::Reports,
        Self::States,
        Self::Events,
        Self::Sends,
        Self::Captures,
    ];

    /// Returns the name, which is that of its folder, too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messages => messages::Messages::NAME,
            Self::Entities => entities::Entities::NAME,
            Self::Reports => reports::Reports::NAME,
            Self::States => states::States::NAME,
            Self::Events => events::Events::NAME,
            Self::Sends => sends::Sends::NAME,
            Self::Captures => captures::Captures::NAME,
        }
    }

    /// Returns the columns.
    pub const fn columns(self) -> &'static [ColumnSpec] {
        match self {
            Self::Messages => messages::Messages::COLUMNS,
            Self::Entities => entities::Entities::COLUMNS,
            Self::Reports => reports::Reports::COLUMNS,
            Self::States => states::States::COLUMNS,
            Self::Events => events::Events::COLUMNS,
            Self::Sends => sends::Sends::COLUMNS,
            Self::Captures => captures::Captures::COLUMNS,
        }
    }

    /// Returns what its rows are, in a sentence or two.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Messages => messages::Messages::MEANING,
            Self::Entities => entities::Entities::MEANING,
            Self::Reports => reports::Reports::MEANING,
            Self::States => states::States::MEANING,
            Self::Events => events::Events::MEANING,
            Self::Sends => sends::Sends::MEANING,
            Self::Captures => captures::Captures::MEANING,
        }
    }

    /// Returns `true` if the engine has to run for it.
    pub const fn needs_engine(self) -> bool {
        matches!(self, Self::Entities | Self::Reports | Self::States | Self::Events)
    }
}
