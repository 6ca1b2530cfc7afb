//! Tables as Parquet files.

mod encode;

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use zstd::bulk::Compressor;

use crate::TableError;
use crate::column::{AnyColumn, ColumnSpec, ColumnType, Values};
use crate::table::Rows;
use encode::Dictionary;

/// Writes groups of rows, column by column: besides the rows, one encoded column is in memory.
pub(crate) struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<(ColumnDescPtr, ColumnType)>,
    encoder: Encoder,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(crate) fn new(
        table: &str,
        columns: &[ColumnSpec],
        output: W,
        metadata: &[(&str, &str)],
    ) -> Result<Self, TableError> {
        let fields = columns.iter().map(|column| Ok(Arc::new(column_type(column)?)));
        let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
        let schema = Type::group_type_builder(table).with_fields(fields).build()?;
        let pair = |(key, value): &(&str, &str)| KeyValue::new(String::from(*key), String::from(*value));
        let properties = WriterProperties::builder()
            .set_created_by(format!("acmotion-tables {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(metadata.iter().map(pair).collect()))
            .build();
        let file = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))?;
        let described = file.schema_descr().columns().iter().cloned();
        let columns = described.zip(columns).map(|(described, column)| (described, column.kind)).collect();
        Ok(Self { file, columns, encoder: Encoder::new()? })
    }

    pub(crate) fn write_group<T: Rows>(&mut self, rows: &mut T) -> Result<(), TableError> {
        let count = rows.len();
        let mut group = self.file.next_row_group()?;
        let mut columns = self.columns.iter();
        rows.try_for_each(|column| -> Result<(), TableError> {
            if let Some((described, kind)) = columns.next() {
                let (chunk, result) = self.encoder.encode(described, *kind, column, count)?;
                group.append_column(&chunk, result)?;
            }
            Ok(())
        })?;
        group.close()?;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<W, TableError> {
        Ok(self.file.into_inner()?)
    }
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
const LEVEL: i32 = 1;
const FAST_LEVEL: i32 = -5;
/// The size below which a page is not compressed, in bytes.
const SMALL_PAGE: usize = 64;

/// Encodes columns. Its buffers and its compressors are used for all of them.
struct Encoder {
    compressor: Compressor<'static>,
    fast_compressor: Compressor<'static>,
    dictionary: Dictionary,
    /// The levels and values of a page.
    page: Vec<u8>,
    packed: Vec<u8>,
    dictionary_page: Vec<u8>,
}

impl Encoder {
    fn new() -> Result<Self, TableError> {
        Ok(Self {
            compressor: Compressor::new(LEVEL)?,
            fast_compressor: Compressor::new(FAST_LEVEL)?,
            dictionary: Dictionary::default(),
            page: Vec::new(),
            packed: Vec::new(),
            dictionary_page: Vec::new(),
        })
    }

    /// Encodes a column of `rows` rows as one page, after a page with its dictionary if it has one. Returns the pages and
    /// what the file has to know about them.
    fn encode(
        &mut self,
        described: &ColumnDescPtr,
        kind: ColumnType,
        column: &mut dyn AnyColumn,
        rows: usize,
    ) -> Result<(Bytes, ColumnCloseResult), TableError> {
        let (values, present) = column.values();
        let missing = rows - values.len();
        self.page.clear();
        if let Some(bits) = present {
            // The levels are preceded by their length.
            self.page.extend_from_slice(&[0; 4]);
            encode::put_levels(bits, rows, &mut self.page);
            let len = self.page.len() as u32 - 4;
            self.page[..4].copy_from_slice(&len.to_le_bytes());
        }
        let statistics = statistics(&values, kind, missing as u64);
        let encoding = self.put_values(&values);
        self.write_pages(described, kind, encoding, rows, statistics)
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
                dictionary_page.extend(dictionary.values.iter().flat_map(|value| value.to_le_bytes()));
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
                page.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                Encoding::PLAIN
            }
            Values::Double(values) => {
                page.extend(values.iter().flat_map(|value| value.to_le_bytes()));
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

    /// Compresses the page where that pays, and puts it and its dictionary into one piece.
    fn write_pages(
        &mut self,
        described: &ColumnDescPtr,
        kind: ColumnType,
        encoding: Encoding,
        rows: usize,
        statistics: Statistics,
    ) -> Result<(Bytes, ColumnCloseResult), TableError> {
        let compressor =
            if kind == ColumnType::Bytes { &mut self.fast_compressor } else { &mut self.compressor };
        let mut compression = Compression::UNCOMPRESSED;
        if self.page.len() >= SMALL_PAGE {
            compress(compressor, &self.page, &mut self.packed)?;
            if self.packed.len() < self.page.len() {
                compression = Compression::ZSTD(ZstdLevel::try_new(1)?);
            }
        }
        let is_packed = compression != Compression::UNCOMPRESSED;
        let mut sink = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut sink);
        let mut sizes = (0, 0);
        let has_dictionary = encoding == Encoding::RLE_DICTIONARY;
        if has_dictionary {
            let mut packed = Vec::new();
            if is_packed {
                compress(compressor, &self.dictionary_page, &mut packed)?;
            }
            let buf = Bytes::copy_from_slice(if is_packed { &packed } else { &self.dictionary_page });
            let num_values = self.dictionary.values.len().max(self.dictionary.texts.len()) as u32;
            let page = Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false };
            let spec = writer.write_page(CompressedPage::new(page, self.dictionary_page.len()))?;
            sizes = (spec.compressed_size, spec.uncompressed_size);
        }
        let data_page_offset = sizes.0 as i64;
        let page = Page::DataPage {
            buf: Bytes::copy_from_slice(if is_packed { &self.packed } else { &self.page }),
            num_values: rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let spec = writer.write_page(CompressedPage::new(page, self.page.len()))?;
        sizes = (sizes.0 + spec.compressed_size, sizes.1 + spec.uncompressed_size);
        let mut encodings = vec![Encoding::RLE, encoding];
        encodings.extend(has_dictionary.then_some(Encoding::PLAIN));
        let metadata = ColumnChunkMetaData::builder(Arc::clone(described))
            .set_compression(compression)
            .set_encodings(encodings)
            .set_num_values(rows as i64)
            .set_total_compressed_size(sizes.0 as i64)
            .set_total_uncompressed_size(sizes.1 as i64)
            .set_dictionary_page_offset(has_dictionary.then_some(0))
            .set_data_page_offset(data_page_offset)
            .set_statistics(statistics)
            .build()?;
        let result = ColumnCloseResult {
            bytes_written: sizes.0 as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((Bytes::from(sink.into_inner()?), result))
    }
}

/// Replaces what is in `packed` with compressed bytes.
fn compress(compressor: &mut Compressor<'_>, bytes: &[u8], packed: &mut Vec<u8>) -> Result<(), TableError> {
    packed.clear();
    packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
    compressor.compress_to_buffer(bytes, packed)?;
    Ok(())
}

/// Returns the least and the greatest value of a column, by which readers leave out groups, and the number of rows without
/// one.
fn statistics(values: &Values<'_>, kind: ColumnType, missing: u64) -> Statistics {
    let missing = Some(missing);
    match values {
        Values::Int32(values) if kind == ColumnType::I32 => {
            let (min, max) = (values.iter().copied().min(), values.iter().copied().max());
            Statistics::int32(min, max, None, missing, false)
        }
        Values::Int32(values) => {
            let unsigned = || values.iter().map(|value| *value as u32);
            let (min, max) = (unsigned().min(), unsigned().max());
            Statistics::int32(min.map(|min| min as i32), max.map(|max| max as i32), None, missing, false)
        }
        Values::Int64(values) => {
            let (min, max) = (values.iter().copied().min(), values.iter().copied().max());
            Statistics::int64(min, max, None, missing, false)
        }
        Values::Double(values) if values.iter().all(|value| value.is_finite()) => {
            let min = values.iter().copied().reduce(f64::min);
            let max = values.iter().copied().reduce(f64::max);
            Statistics::double(min, max, None, missing, false)
        }
        Values::Double(_) => Statistics::double(None, None, None, missing, false),
        Values::Float(_) => Statistics::float(None, None, None, missing, false),
        Values::Bool(_) => Statistics::boolean(None, None, None, missing, false),
        Values::Names(_) | Values::Blobs(..) => Statistics::byte_array(None, None, None, missing, false),
    }
}
