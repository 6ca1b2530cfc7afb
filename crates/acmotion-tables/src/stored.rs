//! What was exported before: a capture is not exported again if the same tables are there, with the same settings.

use std::io::Read;

use crate::{ExportOptions, Faults, Format, SCHEMA_VERSION, TableError};

/// What the table `captures` of an earlier export says.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredCapture {
    /// The version of the schema; `None` if there is none.
    pub schema_version: Option<u32>,
    /// The names of the tables that were written, in their order.
    pub tables: String,
    /// What else the rows depend on.
    pub settings: String,
    /// The number of messages.
    pub messages: u64,
    /// What is wrong with the capture.
    pub faults: Faults,
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
        Ok(Self::from_columns(|column| {
            let pair =
                metadata?.iter().find(|pair| pair.key.strip_prefix(crate::KEY_PREFIX) == Some(column))?;
            pair.value.clone()
        }))
    }

    fn from_csv(text: &str) -> Self {
        let mut lines = crate::csv::rows(text);
        let (names, values) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        Self::from_columns(|column| {
            let place = names.iter().position(|name| name == column)?;
            values.get(place).filter(|value| !value.is_empty()).cloned()
        })
    }

    /// Takes what is stored from the columns of its row. A number that is missing counts as 0.
    fn from_columns(value: impl Fn(&str) -> Option<String>) -> Self {
        let number = |column: &str| value(column).and_then(|number| number.parse::<u64>().ok());
        let count = |column: &str| number(column).unwrap_or(0);
        Self {
            schema_version: number("schema_version").and_then(|version| version.try_into().ok()),
            tables: value("tables").unwrap_or_default(),
            settings: value("settings").unwrap_or_default(),
            messages: count("messages"),
            faults: Faults {
                undecodable: count("undecodable"),
                errors: count("errors"),
                first: value("first_error").map(|what| (what, count("first_bad_offset"))),
            },
        }
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
