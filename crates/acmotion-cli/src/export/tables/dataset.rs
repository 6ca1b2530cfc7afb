//! The folder that tables are written to.
//!
//! A capture is written to a folder of its own under `_unfinished` first. When all of its tables are complete they are moved to
//! their places, `captures` last: a capture is there when that is. Programs that read tables leave out folders whose names
//! start with an underscore.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use acmotion_tables::{ExportOptions, Format, StoredCapture, Table, TableOutput};
use anyhow::{Context as _, bail};

const UNFINISHED: &str = "_unfinished";
/// The name of a file up to its number.
const FILE_START: &str = "part-";
/// The time after which what another run has left unfinished is removed, unless it is still being written.
const STALE_AFTER: Duration = Duration::from_secs(3_600);
/// The number of names that are tried for the folder of a capture.
const MAX_ATTEMPTS: u32 = 100_000;
/// The size of the buffer before each file, in bytes.
const BUFFER: usize = 1 << 16;

/// A folder of tables.
pub(super) struct Dataset {
    root: PathBuf,
    format: Format,
    /// Whether there were captures at the start.
    pub(super) had_captures: bool,
    /// The number of captures that were begun.
    begun: AtomicU64,
}

/// The files of one table of a capture, until they are complete.
pub(super) struct Output {
    folder: PathBuf,
    table: Table,
    /// The number of the file that is written now.
    number: u32,
    file: BufWriter<File>,
}

impl Output {
    fn create(folder: &Path, table: Table) -> io::Result<Self> {
        let file = Self::create_file(folder, table, 0)?;
        Ok(Self { folder: folder.into(), table, number: 0, file })
    }

    fn create_file(folder: &Path, table: Table, number: u32) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(BUFFER, File::create(unfinished_file(folder, table, number))?))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TableOutput for Output {
    fn next_file(&mut self) -> io::Result<()> {
        self.flush()?;
        self.number += 1;
        self.file = Self::create_file(&self.folder, self.table, self.number)?;
        Ok(())
    }
}

/// Returns the place of a file of a table until it is complete.
fn unfinished_file(folder: &Path, table: Table, number: u32) -> PathBuf {
    folder.join(format!("{}-{number}.unfinished", table.name()))
}

impl Dataset {
    /// Opens a folder, which is created if it does not exist, and removes what interrupted runs have left.
    ///
    /// # Errors
    /// Returns an error if it cannot be created, or if it has tables in another format: nothing reads both at once.
    pub(super) fn open(root: &Path, format: Format) -> anyhow::Result<Self> {
        let (stored, format_name) =
            (stored_extension(&root.join(Table::Captures.name())), format.extension());
        if let Some(other) = stored.as_ref().filter(|stored| *stored != format_name) {
            let (root, format) = (root.display(), format_name);
            bail!("{root}: its tables are .{other} files; give --out another folder for .{format} files");
        }
        let unfinished = root.join(UNFINISHED);
        fs::create_dir_all(&unfinished).with_context(|| unfinished.display().to_string())?;
        remove_stale(&unfinished);
        Ok(Self { root: root.into(), format, had_captures: stored.is_some(), begun: AtomicU64::new(0) })
    }

    /// Returns the folder of a table.
    pub(super) fn table(&self, table: Table) -> PathBuf {
        self.root.join(table.name())
    }

    /// Returns the folder of a table of one capture.
    fn partition(&self, table: Table, key: &str) -> PathBuf {
        self.table(table).join(format!("capture={key}"))
    }

    /// Returns a file of a table of one capture, by its number.
    fn file(&self, table: Table, key: &str, number: u32) -> PathBuf {
        self.partition(table, key).join(format!("{FILE_START}{number}.{}", self.format.extension()))
    }

    /// Returns what is stored of a capture; `None` if it is not there with at least the tables and with the settings of these
    /// options.
    pub(super) fn find(&self, key: &str, options: &ExportOptions) -> Option<StoredCapture> {
        let file = File::open(self.file(Table::Captures, key, 0)).ok()?;
        StoredCapture::read(self.format, file).ok().filter(|stored| stored.satisfies(options))
    }

    /// Returns `true` if a table of a capture gets a file. Programs that guess the columns of CSV files take one that has
    /// only their names for a row of texts.
    pub(super) fn gets_file(&self, rows: u64) -> bool {
        rows > 0 || self.format != Format::Csv
    }

    /// Creates a folder for the tables of one capture.
    pub(super) fn begin(&self) -> io::Result<Unfinished> {
        let unfinished = self.root.join(UNFINISHED);
        let mut attempts = 1;
        loop {
            let number = self.begun.fetch_add(1, Ordering::Relaxed);
            let folder = unfinished.join(format!("{}-{number}", process::id()));
            match fs::create_dir_all(&unfinished).and_then(|()| fs::create_dir(&folder)) {
                // A process of the same number on another machine, or one that has just ended and removed the folder.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound)
                        && attempts < MAX_ATTEMPTS =>
                {
                    attempts += 1;
                }
                result => return result.map(|()| Unfinished { folder }),
            }
        }
    }

    /// Moves some tables of a capture to their places. The others are removed, if an earlier export wrote them.
    pub(super) fn publish(&self, unfinished: &Unfinished, key: &str, tables: &[Table]) -> io::Result<()> {
        // Without it the capture is not there, whatever happens in between.
        remove_if_there(&self.file(Table::Captures, key, 0))?;
        for table in Table::ALL {
            let mut number = 0;
            if tables.contains(&table) {
                fs::create_dir_all(self.partition(table, key))?;
                // Each table has a file, even if it has no rows.
                while number == 0 || unfinished_file(&unfinished.folder, table, number).exists() {
                    let file = unfinished_file(&unfinished.folder, table, number);
                    fs::rename(file, self.file(table, key, number))?;
                    number += 1;
                }
            }
            self.remove_from(number, table, key)?;
        }
        Ok(())
    }

    /// Removes the tables of a capture, if it is there.
    pub(super) fn remove(&self, key: &str) -> io::Result<()> {
        if remove_if_there(&self.file(Table::Captures, key, 0))? {
            Table::ALL.into_iter().try_for_each(|table| self.remove_from(0, table, key))?;
        }
        Ok(())
    }

    /// Removes the files of a table of a capture from a number on, and its folder if that is empty then.
    fn remove_from(&self, mut number: u32, table: Table, key: &str) -> io::Result<()> {
        while remove_if_there(&self.file(table, key, number))? {
            number += 1;
        }
        let _ = fs::remove_dir(self.partition(table, key));
        Ok(())
    }
}

impl fmt::Display for Dataset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.display().fmt(formatter)
    }
}

/// The last run leaves no empty folder.
impl Drop for Dataset {
    fn drop(&mut self) {
        let _ = fs::remove_dir(self.root.join(UNFINISHED));
    }
}

/// Returns the end of the names of the files in the folder of a table; `None` if there are none.
fn stored_extension(table: &Path) -> Option<String> {
    let partitions = fs::read_dir(table).ok()?.flatten();
    let mut files =
        partitions.filter_map(|partition| fs::read_dir(partition.path()).ok()).flatten().flatten();
    files.find_map(|file| {
        let name = file.file_name();
        let (_, extension) = name.to_str()?.strip_prefix(FILE_START)?.split_once('.')?;
        Some(extension.into())
    })
}

/// Removes a file. Returns `false` if there is none.
fn remove_if_there(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        result => result.map(|()| true),
    }
}

/// Removes the folders of runs that were interrupted: those in which nothing has been written for long. What cannot be
/// removed stays.
fn remove_stale(unfinished: &Path) {
    let is_old = |path: PathBuf| {
        let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE_AFTER))
    };
    for folder in fs::read_dir(unfinished).into_iter().flatten().flatten() {
        let folder = folder.path();
        let mut files = fs::read_dir(&folder).into_iter().flatten().flatten().map(|file| file.path());
        if is_old(folder.clone()) && files.all(is_old) {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// The tables of one capture until they are complete. They are removed if that does not happen.
pub(super) struct Unfinished {
    folder: PathBuf,
}

impl Unfinished {
    /// Creates the first file of a table.
    pub(super) fn create(&self, table: Table) -> io::Result<Output> {
        Output::create(&self.folder, table)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names and contents of the files of a table of a capture.
    fn files(dataset: &Dataset, table: Table) -> Vec<(String, String)> {
        let partition = dataset.partition(table, "key");
        let entries = fs::read_dir(partition).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries
            .map(|entry| {
                (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    #[test]
    fn a_table_has_the_files_of_its_last_export() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = Dataset::open(folder.path(), Format::Csv).unwrap();
        let publish = |contents: &[&str], tables: &[Table]| {
            let unfinished = dataset.begin().unwrap();
            for table in tables {
                let mut output = unfinished.create(*table).unwrap();
                for (number, text) in contents.iter().enumerate() {
                    if number > 0 {
                        output.next_file().unwrap();
                    }
                    output.write_all(text.as_bytes()).unwrap();
                }
                output.flush().unwrap();
            }
            dataset.publish(&unfinished, "key", tables).unwrap();
            [Table::States, Table::Events].map(|table| files(&dataset, table))
        };
        let named = |names: &[(&str, &str)]| -> Vec<(String, String)> {
            names.iter().map(|(name, text)| (String::from(*name), String::from(*text))).collect()
        };
        let three = named(&[("part-0.csv", "a"), ("part-1.csv", "b"), ("part-2.csv", "c")]);
        let one = named(&[("part-0.csv", "d")]);
        assert_eq!(publish(&["a", "b", "c"], &[Table::States, Table::Events]), [three.clone(), three]);
        assert_eq!(publish(&["d"], &[Table::States]), [one, Vec::new()]);
        assert!(!dataset.partition(Table::Events, "key").exists());
    }
}
