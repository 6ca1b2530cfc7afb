//! What was exported before: a capture is not exported again if the same tables are there, with the same settings.

use std::io::Read;

use crate::{ExportOptions, Format, SCHEMA_VERSION, TableError};

/// What the table `captures` of an earlier export says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCapture {
    /// The version of the schema; `None` if there is none.
    pub schema_version: Option<u32>,
    /// The names of the tables that were written, in their order.
    pub tables: String,
    /// What else the rows depend on.
    pub settings: String,
}

impl StoredCapture {
    /// Reads the file of a `captures` table.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is not a table of this format.
    pub fn read(format: Format, mut file: impl Read) -> Result<Self, TableError> {
        let mut bytes = Vec::new();
        file.by_ref().take(MAX_SIZE).read_to_end(&mut bytes)?;
        match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::from_parquet(bytes),
            Format::Csv => Ok(Self::from_csv(&String::from_utf8_lossy(&bytes))),
        }
    }

    #[cfg(feature = "parquet")]
    fn from_parquet(bytes: Vec<u8>) -> Result<Self, TableError> {
        use parquet::file::reader::FileReader as _;
        use parquet::file::serialized_reader::SerializedFileReader;

        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
        let metadata = reader.metadata().file_metadata().key_value_metadata();
        let value = |key: &str| {
            let pair = metadata?.iter().find(|pair| pair.key == key)?;
            pair.value.clone()
        };
        Ok(Self {
            schema_version: value(crate::VERSION_KEY).and_then(|version| version.parse().ok()),
            tables: value(crate::TABLES_KEY).unwrap_or_default(),
            settings: value(crate::SETTINGS_KEY).unwrap_or_default(),
        })
    }

    /// The three values are in the last columns, and none of them has a comma or a quote.
    fn from_csv(text: &str) -> Self {
        let mut last = text.trim_end().rsplit('\n').next().unwrap_or_default().rsplitn(4, ',');
        let schema_version = last.next().and_then(|version| version.parse().ok());
        let mut next = || String::from(last.next().unwrap_or_default());
        let (settings, tables) = (next(), next());
        Self { schema_version, tables, settings }
    }

    /// Returns `true` if an export with these options would write the same, or less.
    pub fn satisfies(&self, options: &ExportOptions) -> bool {
        let stored: Vec<&str> = self.tables.split(' ').collect();
        self.schema_version == Some(SCHEMA_VERSION)
            && self.settings == options.clean_settings()
            && options.table_names().split(' ').all(|table| stored.contains(&table))
    }
}

/// The maximum size of such a file in bytes: it has one row.
const MAX_SIZE: u64 = 1 << 20;
