//! Tables as Parquet files.

mod encode;

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};
use zstd::bulk::Compressor;

use crate::TableError;
use crate::column::{AnyColumn, ColumnSpec, ColumnType, Values};
use crate::table::{Rows, TableOutput};
use encode::Dictionary;

/// The memory that the index of a file takes for each column of a group, in bytes, and the part of a table's memory that it may
/// take. Where that is little, a file has at least some groups.
const INDEX_ENTRY: usize = 768;
const INDEX_SHARE: usize = 4;
const SMALL_FILE_GROUPS: usize = 8;

/// Writes groups of rows, column by column: besides the rows, one encoded column is in memory.
pub(crate) struct ParquetWriter<W: TableOutput> {
    schema: TypePtr,
    properties: WriterPropertiesPtr,
    /// `None` after an error.
    file: Option<SerializedFileWriter<W>>,
    /// The number of groups in the file, and the number after which it ends.
    groups: usize,
    file_groups: usize,
    columns: Vec<(ColumnDescPtr, ColumnSpec)>,
    encoder: SharedEncoder,
}

/// The encoder of all tables of a capture.
#[derive(Clone)]
pub(crate) struct SharedEncoder(Arc<Mutex<Encoder>>);

impl SharedEncoder {
    pub(crate) fn new() -> Result<Self, TableError> {
        Ok(Self(Arc::new(Mutex::new(Encoder::new()?))))
    }

    fn lock(&self) -> MutexGuard<'_, Encoder> {
        // Whatever is left in its buffers is cleared before they are used.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: TableOutput> ParquetWriter<W> {
    /// Starts a file. `kept` are columns of `captures` with their values; `memory` is what the table may take, in bytes.
    pub(crate) fn new(
        table: &str,
        columns: &[ColumnSpec],
        output: W,
        kept: &[(&str, String)],
        memory: usize,
        encoder: SharedEncoder,
    ) -> Result<Self, TableError> {
        let file_groups = (memory / INDEX_SHARE / (INDEX_ENTRY * columns.len())).max(SMALL_FILE_GROUPS);
        let fields = columns.iter().map(|column| Ok(Arc::new(column_type(column)?)));
        let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
        let schema = Type::group_type_builder(table).with_fields(fields).build()?;
        let pair = |(column, value): &(&str, String)| {
            KeyValue::new(format!("{}{column}", crate::KEY_PREFIX), value.clone())
        };
        let properties = WriterProperties::builder()
            .set_created_by(format!("acmotion-tables {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(kept.iter().map(pair).collect()))
            .build();
        let (schema, properties) = (Arc::new(schema), Arc::new(properties));
        let file = SerializedFileWriter::new(output, Arc::clone(&schema), Arc::clone(&properties))?;
        let described = file.schema_descr().columns().iter().cloned();
        let columns = described.zip(columns.iter().copied()).collect();
        Ok(Self { schema, properties, file: Some(file), groups: 0, file_groups, columns, encoder })
    }

    pub(crate) fn write_group<T: Rows>(&mut self, rows: &mut T) -> Result<(), TableError> {
        if self.groups == self.file_groups {
            self.next_file()?;
        }
        self.groups += 1;
        let count = rows.len();
        let mut encoder = self.encoder.lock();
        let mut group = self.file.as_mut().ok_or_else(no_file)?.next_row_group()?;
        let mut columns = self.columns.iter();
        rows.try_for_each(|column| -> Result<(), TableError> {
            if let Some((described, spec)) = columns.next() {
                let (chunk, result) = encoder.encode(described, spec, column, count)?;
                group.append_column(&chunk, result)?;
                encoder.chunk = Vec::from(chunk);
            }
            Ok(())
        })?;
        group.close()?;
        Ok(())
    }

    fn next_file(&mut self) -> Result<(), TableError> {
        let mut output = self.file.take().ok_or_else(no_file)?.into_inner()?;
        output.next_file()?;
        let (schema, properties) = (Arc::clone(&self.schema), Arc::clone(&self.properties));
        self.file = Some(SerializedFileWriter::new(output, schema, properties)?);
        self.groups = 0;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<W, TableError> {
        Ok(self.file.ok_or_else(no_file)?.into_inner()?)
    }
}

fn no_file() -> io::Error {
    io::Error::other("the last file of the table could not be ended")
}

/// Returns the Parquet type of a column.
fn column_type(column: &ColumnSpec) -> Result<Type, ParquetError> {
    let unsigned = |bits: i8| (PhysicalType::INT32, Some(LogicalType::integer(bits, false)));
    let (physical, logical) = match column.kind {
        ColumnType::U8 => unsigned(8),
        ColumnType::U16 => unsigned(16),
        ColumnType::U32 => unsigned(32),
        ColumnType::I32 => (PhysicalType::INT32, None),
        ColumnType::I64 => (PhysicalType::INT64, None),
        ColumnType::F32 => (PhysicalType::FLOAT, None),
        ColumnType::F64 => (PhysicalType::DOUBLE, None),
        ColumnType::Bool => (PhysicalType::BOOLEAN, None),
        ColumnType::Timestamp => (PhysicalType::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
        ColumnType::Name | ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Bytes => (PhysicalType::BYTE_ARRAY, None),
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

/// How strongly pages are compressed. Messages are compressed less, because they are most of the bytes and much of them are
/// coordinates, which hardly get smaller.
const LEVEL: i32 = -2;
const FAST_LEVEL: i32 = -10;
/// The size below which a page is not compressed, in bytes.
const SMALL_PAGE: usize = 64;

/// Encodes columns. Its buffers and its compressors are used for all of them.
struct Encoder {
    compressor: Compressor<'static>,
    fast_compressor: Compressor<'static>,
    dictionary: Dictionary,
    /// The levels and values of a page, plain and compressed.
    page: Vec<u8>,
    packed: Vec<u8>,
    /// The values of a dictionary, plain and compressed.
    dictionary_page: Vec<u8>,
    packed_dictionary: Vec<u8>,
    /// The pages of a column.
    chunk: Vec<u8>,
}

/// The columns by which questions choose rows. The least and the greatest value of each group are kept for these.
const KEYS: [&str; 6] = ["message", "t", "time", "guid", "opcode", "cell"];

impl Encoder {
    fn new() -> Result<Self, TableError> {
        Ok(Self {
            compressor: Compressor::new(LEVEL)?,
            fast_compressor: Compressor::new(FAST_LEVEL)?,
            dictionary: Dictionary::default(),
            page: Vec::new(),
            packed: Vec::new(),
            dictionary_page: Vec::new(),
            packed_dictionary: Vec::new(),
            chunk: Vec::new(),
        })
    }

    /// Encodes a column of `rows` rows as one page, after a page with its dictionary if it has one. Returns the pages and
    /// what the file has to know about them.
    fn encode(
        &mut self,
        described: &ColumnDescPtr,
        spec: &ColumnSpec,
        column: &mut dyn AnyColumn,
        rows: usize,
    ) -> Result<(Bytes, ColumnCloseResult), TableError> {
        let (values, present) = column.values();
        self.page.clear();
        if let Some(bits) = present {
            // The levels are preceded by their length.
            self.page.extend_from_slice(&[0; 4]);
            encode::put_levels(bits, rows, &mut self.page);
            let len = self.page.len() as u32 - 4;
            self.page[..4].copy_from_slice(&len.to_le_bytes());
        }
        let encoding = self.put_values(&values);
        let is_packed = self.compress(spec.kind)?;
        let (chunk, metadata) = self.write_pages(encoding, is_packed, rows)?;
        let compression =
            if is_packed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED };
        let has_dictionary = encoding == Encoding::RLE_DICTIONARY;
        let mut encodings = vec![Encoding::RLE, encoding];
        encodings.extend(has_dictionary.then_some(Encoding::PLAIN));
        let metadata = ColumnChunkMetaData::builder(Arc::clone(described))
            .set_compression(compression)
            .set_encodings(encodings)
            .set_num_values(rows as i64)
            .set_total_compressed_size(metadata.compressed as i64)
            .set_total_uncompressed_size(metadata.uncompressed as i64)
            .set_dictionary_page_offset(has_dictionary.then_some(0))
            .set_data_page_offset(metadata.data_page as i64)
            .set_statistics(statistics(&values, spec, (rows - values.len()) as u64))
            .build()?;
        let result = ColumnCloseResult {
            bytes_written: chunk.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((chunk, result))
    }

    /// Appends the values to the page, and fills the dictionary. Returns the encoding.
    fn put_values(&mut self, values: &Values<'_>) -> Encoding {
        let Self { page, dictionary, dictionary_page, .. } = self;
        dictionary_page.clear();
        match values {
            Values::Int32(values) => {
                if values.is_empty() || !dictionary.fill_numbers(values) {
                    encode::put_deltas(values, |new, old| new.wrapping_sub(old).into(), page);
                    return Encoding::DELTA_BINARY_PACKED;
                }
                encode::put_words(dictionary.values.iter().map(|value| value.to_le_bytes()), dictionary_page);
                dictionary.put_indices(page);
                Encoding::RLE_DICTIONARY
            }
            Values::Names(names) if !names.is_empty() => {
                dictionary.fill_texts(names);
                for text in &dictionary.texts {
                    dictionary_page.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    dictionary_page.extend_from_slice(text.as_bytes());
                }
                dictionary.put_indices(page);
                Encoding::RLE_DICTIONARY
            }
            Values::Names(_) => Encoding::PLAIN,
            Values::Int64(values) => {
                encode::put_deltas(values, |new, old| new.wrapping_sub(old), page);
                Encoding::DELTA_BINARY_PACKED
            }
            Values::Float(values) => {
                encode::put_words(values.iter().map(|value| value.to_le_bytes()), page);
                Encoding::PLAIN
            }
            Values::Double(values) => {
                encode::put_words(values.iter().map(|value| value.to_le_bytes()), page);
                Encoding::PLAIN
            }
            Values::Bool(values) => {
                encode::put_bools(values, page);
                Encoding::PLAIN
            }
            Values::Blobs(bytes, _) => {
                page.extend_from_slice(bytes);
                Encoding::PLAIN
            }
        }
    }

    /// Compresses the page and the dictionary. Returns `false` if that does not pay.
    fn compress(&mut self, kind: ColumnType) -> Result<bool, TableError> {
        if self.page.len() < SMALL_PAGE {
            return Ok(false);
        }
        let compressor =
            if kind == ColumnType::Bytes { &mut self.fast_compressor } else { &mut self.compressor };
        compress(compressor, &self.page, &mut self.packed)?;
        let pays = self.packed.len() < self.page.len();
        if pays {
            compress(compressor, &self.dictionary_page, &mut self.packed_dictionary)?;
        }
        Ok(pays)
    }

    /// Puts the page and its dictionary into one piece.
    fn write_pages(
        &mut self,
        encoding: Encoding,
        is_packed: bool,
        rows: usize,
    ) -> Result<(Bytes, ChunkSizes), TableError> {
        let mut chunk = mem::take(&mut self.chunk);
        chunk.clear();
        let mut sink = TrackedWrite::new(chunk);
        let mut writer = SerializedPageWriter::new(&mut sink);
        let mut sizes = ChunkSizes::default();
        if encoding == Encoding::RLE_DICTIONARY {
            let plain_size = self.dictionary_page.len();
            let stored = if is_packed { &mut self.packed_dictionary } else { &mut self.dictionary_page };
            let buf = Bytes::from(mem::take(stored));
            let num_values = self.dictionary.len() as u32;
            let (buf_again, encoding) = (buf.clone(), Encoding::PLAIN);
            let page = Page::DictionaryPage { buf, num_values, encoding, is_sorted: false };
            sizes.add(&writer.write_page(CompressedPage::new(page, plain_size))?);
            *stored = Vec::from(buf_again);
        }
        sizes.data_page = sizes.compressed;
        let plain_size = self.page.len();
        let stored = if is_packed { &mut self.packed } else { &mut self.page };
        let buf = Bytes::from(mem::take(stored));
        let buf_again = buf.clone();
        let page = Page::DataPage {
            buf,
            num_values: rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        sizes.add(&writer.write_page(CompressedPage::new(page, plain_size))?);
        // The memory is used again: nothing else refers to it any more.
        *stored = Vec::from(buf_again);
        Ok((Bytes::from(sink.into_inner()?), sizes))
    }
}

/// The sizes of the pages of a column, with their headers, in bytes.
#[derive(Clone, Copy, Default)]
struct ChunkSizes {
    compressed: usize,
    uncompressed: usize,
    /// Where the page of values starts: after that of the dictionary.
    data_page: usize,
}

impl ChunkSizes {
    fn add(&mut self, page: &PageWriteSpec) {
        self.compressed += page.compressed_size;
        self.uncompressed += page.uncompressed_size;
    }
}

/// Replaces what is in `packed` with compressed bytes.
fn compress(compressor: &mut Compressor<'_>, bytes: &[u8], packed: &mut Vec<u8>) -> Result<(), TableError> {
    packed.clear();
    packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
    compressor.compress_to_buffer(bytes, packed)?;
    Ok(())
}

/// Returns the number of rows without a value and, of the columns that questions choose rows by, the least and the greatest
/// value: readers leave out groups by them.
fn statistics(values: &Values<'_>, spec: &ColumnSpec, missing: u64) -> Statistics {
    let (missing, is_key) = (Some(missing), KEYS.contains(&spec.name));
    match values {
        // All keys of this size are without sign.
        Values::Int32(values) => {
            let unsigned = || values.iter().filter(|_| is_key).map(|value| *value as u32);
            let [min, max] =
                [unsigned().min(), unsigned().max()].map(|value| value.map(|value| value as i32));
            Statistics::int32(min, max, None, missing, false)
        }
        Values::Int64(values) => {
            let keys = || values.iter().copied().filter(|_| is_key);
            Statistics::int64(keys().min(), keys().max(), None, missing, false)
        }
        Values::Double(values) => {
            let is_ordered = is_key && values.iter().all(|value| value.is_finite());
            let keys = || values.iter().copied().filter(|_| is_ordered);
            Statistics::double(keys().reduce(f64::min), keys().reduce(f64::max), None, missing, false)
        }
        Values::Float(_) => Statistics::float(None, None, None, missing, false),
        Values::Bool(_) => Statistics::boolean(None, None, None, missing, false),
        Values::Names(_) | Values::Blobs(..) => Statistics::byte_array(None, None, None, missing, false),
    }
}

#[cfg(test)]
mod tests;
