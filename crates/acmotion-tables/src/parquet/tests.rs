//! Columns of any values, read back by the library that others read Parquet with.

use bytes::Bytes as Shared;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use proptest::prelude::*;

use crate::Format;
use crate::column::{Bytes, Name, Optional, Required, Text, Timestamp};
use crate::table::{MemoryFiles, Rows as _, TableContext, TableWriter, table};

/// Memory for groups of any size.
const MUCH: usize = 1 << 30;

table! {
    /// A table with columns of all types.
    Sample = "sample" {
        /// A number.
        id: Required<u32>,
        /// Another number.
        count: Required<i64>,
        /// A text.
        word: Required<Name>,
        /// Bytes.
        raw: Required<Bytes>,
        /// A flag.
        flag: Required<bool>,
        /// May be missing.
        small: Optional<u8>,
        /// May be missing.
        stamp: Optional<u16>,
        /// May be missing.
        guid: Optional<u32>,
        /// May be missing.
        signed: Optional<i32>,
        /// May be missing.
        long: Optional<i64>,
        /// May be missing.
        time: Optional<Timestamp>,
        /// May be missing.
        x: Optional<f32>,
        /// May be missing.
        t: Optional<f64>,
        /// May be missing.
        is: Optional<bool>,
        /// May be missing.
        name: Optional<Name>,
        /// May be missing.
        text: Optional<Text>,
    }
}

const WORDS: [&str; 5] = ["", "S2C", "C2S", "UpdatePosition", "Ärger"];

/// The values of a row.
#[derive(Clone, PartialEq, Debug)]
struct Values {
    id: u32,
    count: i64,
    word: usize,
    raw: Vec<u8>,
    /// Which of the other columns have a value.
    present: u16,
}

impl Values {
    fn has(&self, column: u32) -> bool {
        self.present >> column & 1 == 1
    }

    fn some<T>(&self, column: u32, value: T) -> Option<T> {
        self.has(column).then_some(value)
    }

    fn text(&self) -> String {
        format!("{} {}", WORDS[self.word], self.count)
    }

    fn push(&self, sample: &mut Sample) {
        let row = sample.len();
        let seed = self.count ^ i64::from(self.id);
        sample.id.push(self.id);
        sample.count.push(self.count);
        sample.word.push(WORDS[self.word]);
        sample.raw.push(&self.raw);
        sample.flag.push(self.has(15));
        sample.small.set_some(row, self.some(0, seed as u8));
        sample.stamp.set_some(row, self.some(1, seed as u16));
        sample.guid.set_some(row, self.some(2, self.id));
        sample.signed.set_some(row, self.some(3, seed as i32));
        sample.long.set_some(row, self.some(4, seed));
        sample.time.set_some(row, self.some(5, self.count / 2));
        sample.x.set_some(row, self.some(6, f32::from_bits(self.id)));
        sample.t.set_some(row, self.some(7, self.count as f64 / 7.0));
        sample.is.set_some(row, self.some(8, self.id.is_multiple_of(2)));
        sample.name.set_some(row, self.some(9, WORDS[self.word]));
        sample.text.set_some(row, self.some(10, &self.text()));
    }

    fn check(&self, row: &Row) {
        let seed = self.count ^ i64::from(self.id);
        let null = |field: Option<Field>| field.unwrap_or(Field::Null);
        let word = Field::Str(WORDS[self.word].into());
        let expected = [
            Field::UInt(self.id),
            Field::Long(self.count),
            word.clone(),
            Field::Bytes(self.raw.clone().into()),
            Field::Bool(self.has(15)),
            null(self.some(0, Field::UByte(seed as u8))),
            null(self.some(1, Field::UShort(seed as u16))),
            null(self.some(2, Field::UInt(self.id))),
            null(self.some(3, Field::Int(seed as i32))),
            null(self.some(4, Field::Long(seed))),
            null(self.some(5, Field::TimestampMicros(self.count / 2))),
            null(self.some(6, Field::Float(f32::from_bits(self.id)))),
            null(self.some(7, Field::Double(self.count as f64 / 7.0))),
            null(self.some(8, Field::Bool(self.id.is_multiple_of(2)))),
            null(self.some(9, word)),
            null(self.some(10, Field::Str(self.text()))),
        ];
        for ((name, field), expected) in row.get_column_iter().zip(expected) {
            match (field, &expected) {
                // NaN is no value that equals itself.
                (Field::Float(a), Field::Float(b)) => assert_eq!(a.to_bits(), b.to_bits(), "{name}"),
                _ => assert_eq!(*field, expected, "{name}"),
            }
        }
    }
}

/// Writes rows, which take some memory, and returns the files.
fn written(rows: &[Values], memory: usize) -> Vec<Vec<u8>> {
    let kept = [("key", String::from("value"))];
    let context = TableContext::new(Format::Parquet, memory).unwrap();
    let mut writer = TableWriter::<Sample, _>::new(&context, MemoryFiles::default(), &kept).unwrap();
    for row in rows {
        row.push(&mut writer.rows);
        writer.end_row().unwrap();
    }
    assert_eq!(writer.count(), rows.len() as u64);
    writer.finish().unwrap().into_files()
}

fn check(rows: &[Values]) {
    let [file] = &written(rows, MUCH)[..] else { panic!("more than one file") };
    check_file(file, rows);
}

fn check_file(file: &[u8], rows: &[Values]) {
    let reader = SerializedFileReader::new(Shared::copy_from_slice(file)).unwrap();
    let metadata = reader.metadata();
    assert_eq!(metadata.file_metadata().num_rows(), rows.len() as i64);
    let pair = &metadata.file_metadata().key_value_metadata().unwrap()[0];
    assert_eq!((pair.key.as_str(), pair.value.as_deref()), ("acmotion.key", Some("value")));
    let mut count = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(rows) {
        expected.check(&row.unwrap());
        count += 1;
    }
    assert_eq!(count, rows.len());
    // Groups are left out by the least and the greatest value.
    let guids: Vec<u32> = rows.iter().filter(|row| row.has(2)).map(|row| row.id).collect();
    let column = metadata.row_groups().iter().map(|group| group.column(7));
    let nulls: u64 =
        column.clone().map(|column| column.statistics().unwrap().null_count_opt().unwrap()).sum();
    assert_eq!(nulls, (rows.len() - guids.len()) as u64);
    let bytes = |bytes: Option<&[u8]>| bytes.map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
    let least = column.clone().filter_map(|column| bytes(column.statistics().unwrap().min_bytes_opt())).min();
    let greatest = column.filter_map(|column| bytes(column.statistics().unwrap().max_bytes_opt())).max();
    assert_eq!((least, greatest), (guids.iter().copied().min(), guids.iter().copied().max()));
}

fn values() -> impl Strategy<Value = Values> {
    let id = prop_oneof![any::<u32>(), 0..4_u32, Just(u32::MAX)];
    let count = prop_oneof![any::<i64>(), -3..3_i64, Just(i64::MIN), Just(i64::MAX)];
    let raw = prop::collection::vec(any::<u8>(), 0..40);
    // All columns, none, or any.
    let present = prop_oneof![any::<u16>(), Just(0), Just(u16::MAX)];
    (id, count, 0..WORDS.len(), raw, present).prop_map(|(id, count, word, raw, present)| Values {
        id,
        count,
        word,
        raw,
        present,
    })
}

proptest! {
    #[test]
    fn any_rows_are_read_back(rows in prop::collection::vec(values(), 0..300)) {
        check(&rows);
    }

    /// Long runs of rows with and without values, whose ends are anywhere in a word of bits.
    #[test]
    fn runs_are_read_back(runs in prop::collection::vec((values(), 1..200_usize), 1..12)) {
        let rows: Vec<Values> =
            runs.into_iter().flat_map(|(values, count)| std::iter::repeat_n(values, count)).collect();
        check(&rows);
    }
}

/// Returns many different rows.
fn many(count: u32) -> Vec<Values> {
    (0..count)
        .map(|number| Values {
            id: number.wrapping_mul(2_654_435_761),
            count: i64::from(number) * 1_000_003 - 7_000_000_000,
            word: number as usize % WORDS.len(),
            raw: number.to_le_bytes()[..number as usize % 5].into(),
            present: (number / 1_000) as u16 ^ (number % 3) as u16,
        })
        .collect()
}

/// More different numbers than a dictionary has, and more rows than a group has.
#[test]
fn large_tables_are_read_back() {
    check(&many(140_000));
}

/// Returns the numbers of rows of the groups of a file.
fn groups(file: &[u8]) -> Vec<i64> {
    let reader = SerializedFileReader::new(Shared::copy_from_slice(file)).unwrap();
    reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect()
}

#[test]
fn tables_of_many_groups_have_several_files() {
    let rows = many(140_000);
    let files = written(&rows, 0);
    let mut left = &rows[..];
    for file in &files {
        let groups = groups(file);
        let (of_file, others) = left.split_at(groups.iter().sum::<i64>() as usize);
        assert!(others.is_empty() || groups == [1_024; 8], "{groups:?}");
        check_file(file, of_file);
        left = others;
    }
    // 137 groups.
    assert_eq!((files.len(), left.len()), (18, 0));
    assert_eq!(written(&rows, MUCH).len(), 1);
}

#[test]
fn groups_are_as_large_as_their_memory_allows() {
    let rows = many(140_000);
    let (mut sample, mut last) = (Sample::default(), 0);
    for (row, values) in rows.iter().enumerate().take(8_192) {
        values.push(&mut sample);
        sample.end_row();
        last = if row == 4_095 { sample.memory() } else { last };
    }
    // A table has a quarter of all memory.
    let size = |memory: usize| groups(&written(&rows, 4 * memory)[0])[0];
    assert_eq!(size(MUCH), 65_536);
    assert_eq!(size(2 * last), 8_192);
    assert_eq!(size(2 * last - 1), 4_096);
    assert!(sample.memory() <= 2 * last + last / 8, "{} after {last}", sample.memory());
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let file = written(&[], MUCH).remove(0);
    check_file(&file, &[]);
    let reader = SerializedFileReader::new(Shared::from(file)).unwrap();
    assert_eq!(reader.metadata().file_metadata().schema_descr().num_columns(), Sample::COLUMNS.len());
}
