//! The folder that tables are written to.
//!
//! A capture is written to a folder of its own under `_unfinished` first. When all of its tables are complete they are moved to
//! their places, `captures` last: a capture is there when that is. Programs that read tables leave out folders whose names
//! start with an underscore.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use acmotion_tables::{ExportOptions, Format, StoredCapture, Table};
use anyhow::Context as _;

const UNFINISHED: &str = "_unfinished";
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

/// The output of a table.
pub(super) type Output = BufWriter<File>;

impl Dataset {
    /// Opens a folder, which is created if it does not exist, and removes what interrupted runs have left.
    pub(super) fn open(root: &Path, format: Format) -> anyhow::Result<Self> {
        let unfinished = root.join(UNFINISHED);
        fs::create_dir_all(&unfinished).with_context(|| unfinished.display().to_string())?;
        remove_stale(&unfinished);
        let captures = root.join(Table::Captures.name());
        let had_captures = fs::read_dir(captures).is_ok_and(|mut entries| entries.next().is_some());
        Ok(Self { root: root.into(), format, had_captures, begun: AtomicU64::new(0) })
    }

    /// Returns the folder of a table.
    pub(super) fn table(&self, table: Table) -> PathBuf {
        self.root.join(table.name())
    }

    /// Returns the file of a table of one capture.
    fn file(&self, table: Table, key: &str) -> PathBuf {
        let partition = self.table(table).join(format!("capture={key}"));
        partition.join(format!("part-0.{}", self.format.extension()))
    }

    /// Returns `true` if a capture is there, with at least the tables and with the settings of these options.
    pub(super) fn has(&self, key: &str, options: &ExportOptions) -> bool {
        let stored = File::open(self.file(Table::Captures, key)).ok();
        let stored = stored.and_then(|file| StoredCapture::read(self.format, file).ok());
        stored.is_some_and(|stored| stored.satisfies(options))
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

    /// Moves the tables of a capture to their places. Tables of an earlier export that are not written now are removed.
    pub(super) fn publish(
        &self,
        unfinished: &Unfinished,
        key: &str,
        options: &ExportOptions,
    ) -> io::Result<()> {
        // Without it the capture is not there, whatever happens in between.
        let row = self.file(Table::Captures, key);
        remove_if_there(&row)?;
        for table in Table::ALL {
            let file = self.file(table, key);
            if options.has(table) {
                if let Some(partition) = file.parent() {
                    fs::create_dir_all(partition)?;
                }
                fs::rename(unfinished.path(table), &file)?;
            } else {
                remove_if_there(&file)?;
                if let Some(partition) = file.parent() {
                    // It is not empty if it holds tables in the other format.
                    let _ = fs::remove_dir(partition);
                }
            }
        }
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

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
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
    fn path(&self, table: Table) -> PathBuf {
        self.folder.join(format!("{}.unfinished", table.name()))
    }

    /// Creates the file of a table.
    pub(super) fn create(&self, table: Table) -> io::Result<Output> {
        Ok(BufWriter::with_capacity(BUFFER, File::create(self.path(table))?))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
