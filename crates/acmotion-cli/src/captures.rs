//! Captures to read: files, whole folders, archives and standard input, packed or not.

mod archive;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::allocator::peak_megabytes;
use crate::input::{input_name, is_standard_input};
use crate::output::{Progress, counted, thousands, warn};
use crate::unpack::{self, Unpacked, ZIP_MAGIC};
use archive::Member;

/// The ends of the names of files in folders and archives that are taken for captures. Packed ones have another end after it.
const CAPTURE_ENDS: [&str; 4] = [".pcap", ".pcapng", ".cap", ".jsonl"];
const PACKED_ENDS: [&str; 3] = [".gz", ".zst", ".zstd"];
const ARCHIVE_END: &str = ".zip";
/// The maximum number of captures in one run.
const MAX_CAPTURES: usize = 200_000;
/// The number of parts of a capture that there are warnings about.
const MAX_WARNINGS: u64 = 10;
/// The maximum depth of folders.
const MAX_DEPTH: usize = 64;

/// One capture.
#[derive(Clone, Debug)]
pub(crate) struct CaptureFile {
    path: PathBuf,
    part: Part,
    /// The number of bytes to read before they are unpacked; `None` for standard input.
    pub(crate) size: Option<u64>,
}

/// The part of a file that is a capture.
#[derive(Clone, Debug)]
enum Part {
    /// The whole file.
    Whole,
    /// A file in an archive.
    Member(Arc<Member>),
    /// An archive whose directory cannot be read, and why.
    Broken(Arc<str>),
}

/// What was found.
#[derive(Default, Debug)]
pub(crate) struct Found {
    /// The captures, in the order in which they were given; those of a folder or an archive by their names.
    pub(crate) captures: Vec<CaptureFile>,
    /// The number of files in folders and archives that are not taken for captures, by their names.
    pub(crate) ignored: usize,
}

impl CaptureFile {
    /// Returns the name for messages and tables: the path, and in an archive a slash and the name there.
    pub(crate) fn name(&self) -> String {
        let path = input_name(&self.path);
        match &self.part {
            Part::Member(member) => format!("{path}/{}", member.name),
            Part::Whole | Part::Broken(_) => path,
        }
    }

    /// Returns `true` if it comes from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        is_standard_input(&self.path)
    }

    /// Returns `true` if it is the file at `path`, or in it.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        !self.is_standard_input()
            && fs::canonicalize(&self.path)
                .is_ok_and(|own| fs::canonicalize(path).is_ok_and(|path| own == path))
    }

    /// Opens the capture and unpacks it as it is read. `progress` counts the bytes that are read from the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or read.
    pub(crate) fn open(&self, progress: Arc<AtomicU64>) -> io::Result<Unpacked> {
        match &self.part {
            Part::Member(member) => {
                let input = member.open(File::open(&self.path)?, &progress)?;
                unpack::unpack(input, progress)
            }
            Part::Broken(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason.to_string())),
            Part::Whole => unpack::open_counted(&self.path, progress),
        }
    }

    /// Opens the capture as it is, packed or damaged, where it is a file or in an archive.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub(crate) fn open_packed(&self) -> io::Result<Box<dyn Read + Send>> {
        let file = File::open(&self.path)?;
        Ok(match &self.part {
            Part::Member(member) => Box::new(member.open_packed(file)?),
            Part::Broken(_) | Part::Whole => Box::new(file),
        })
    }
}

/// How much of a capture has been read. It is shown if reading takes long and the size is known, unless lines are printed
/// on the same terminal.
pub(crate) struct ReadProgress {
    bar: Option<Progress>,
    read: Arc<AtomicU64>,
    messages: u32,
}

impl ReadProgress {
    /// The number of messages after which the bar is updated.
    const INTERVAL: u32 = 1024;

    /// Creates a bar for a capture, labelled `what`.
    pub(crate) fn new(capture: &CaptureFile, what: &'static str, prints_lines: bool) -> Self {
        let is_shown = !(prints_lines && io::stdout().is_terminal());
        let bar = capture.size.filter(|_| is_shown).map(|size| Progress::bytes(size, what));
        Self { bar, read: Arc::default(), messages: 0 }
    }

    /// Returns the counter of bytes for [`CaptureFile::open`].
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// Records that a message was read.
    pub(crate) fn message(&mut self) {
        self.messages += 1;
        if let Some(bar) = self.bar.as_ref().filter(|_| self.messages.is_multiple_of(Self::INTERVAL)) {
            bar.set(self.read.load(Ordering::Relaxed));
        }
    }
}

/// Warnings about the parts of a capture that cannot be read: the first ones, and how many more there are.
pub(crate) struct Damage {
    name: String,
    parts: u64,
}

impl Damage {
    pub(crate) fn new(capture: &CaptureFile) -> Self {
        Self { name: capture.name(), parts: 0 }
    }

    /// Counts a part that cannot be read, and warns about it if it is one of the first.
    pub(crate) fn add(&mut self, error: impl fmt::Display) {
        self.parts += 1;
        if self.parts <= MAX_WARNINGS {
            warn(format_args!("{}: {error}", self.name));
        }
    }

    /// Returns the number of parts that could not be read, and says how many of them there was no warning about.
    pub(crate) fn finish(self) -> u64 {
        let more = self.parts.saturating_sub(MAX_WARNINGS);
        if more > 0 {
            let noun = if more == 1 { "part" } else { "parts" };
            warn(format_args!("{}: {} more unreadable {noun}", self.name, thousands(more)));
        }
        self.parts
    }
}

/// Returns how many bytes of captures were read in which time, and with how much memory.
pub(crate) fn effort(bytes: u64, time: Duration) -> String {
    let (megabytes, seconds) = (bytes as f64 / 1e6, time.as_secs_f64());
    let memory = peak_megabytes().map_or_else(String::new, |peak| format!("; peak memory {peak:.0} MB"));
    format!("{megabytes:.1} MB of captures in {seconds:.1} s{memory}")
}

/// Finds the captures in files, folders and archives.
///
/// # Errors
/// Returns an error if something that is named does not exist or cannot be read, if there is nothing to read, or if there are
/// too many captures.
pub(crate) fn find(paths: &[PathBuf]) -> anyhow::Result<Found> {
    let mut found = Found::default();
    for path in paths {
        if is_standard_input(path) {
            found.captures.push(CaptureFile { path: path.clone(), part: Part::Whole, size: None });
            continue;
        }
        let metadata = fs::metadata(path).with_context(|| path.display().to_string())?;
        if metadata.is_dir() {
            add_folder(path, 0, &mut found)?;
        } else {
            add_file(path, metadata.len(), true, &mut found)?;
        }
        if found.captures.len() > MAX_CAPTURES {
            bail!("more than {MAX_CAPTURES} captures; give fewer at a time");
        }
    }
    match &found {
        Found { captures, ignored: 0 } if captures.is_empty() => bail!("no captures: nothing to read"),
        Found { captures, ignored } if captures.is_empty() => {
            let (ends, packed) = (CAPTURE_ENDS.join(", "), PACKED_ENDS.join(", "));
            bail!(
                "no captures: {} with other names; those of captures end in {ends} (packed: followed by {packed}), \
                 those of archives in {ARCHIVE_END}",
                counted(*ignored, "file")
            )
        }
        _ => Ok(found),
    }
}

/// Adds the captures of a folder and of those in it, sorted by their names.
fn add_folder(folder: &Path, depth: usize, found: &mut Found) -> anyhow::Result<()> {
    let context = || folder.display().to_string();
    if depth > MAX_DEPTH {
        bail!("{}: folders in more than {MAX_DEPTH} others", folder.display());
    }
    let mut entries = fs::read_dir(folder).with_context(context)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder could lead back here, and is not followed.
        if entry.file_type().with_context(context)?.is_dir() {
            add_folder(&path, depth + 1, found)?;
        } else if let Some(metadata) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) {
            add_file(&path, metadata.len(), false, found)?;
        }
        if found.captures.len() > MAX_CAPTURES {
            break;
        }
    }
    Ok(())
}

/// Adds a file, or the captures in an archive. A file that was not named itself has to have the name of a capture. An archive
/// that cannot be read counts as a capture, so that it does not stop the others.
fn add_file(path: &Path, size: u64, is_named: bool, found: &mut Found) -> anyhow::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_archive = if is_named { is_archive(path)? } else { has_end(&name, ARCHIVE_END) };
    if is_archive {
        let capture = |part, size| CaptureFile { path: path.into(), part, size: Some(size) };
        match archive::members(path) {
            Ok((members, ignored)) => {
                found.ignored += ignored;
                let parts =
                    members.into_iter().map(|member| (member.packed_size, Part::Member(Arc::new(member))));
                found.captures.extend(parts.map(|(size, part)| capture(part, size)));
            }
            // Whether it is among others or not, it is reported when it is opened.
            Err(error) => found.captures.push(capture(Part::Broken(format!("{error:#}").into()), size)),
        }
    } else if is_named || is_capture_name(&name) {
        found.captures.push(CaptureFile { path: path.into(), part: Part::Whole, size: Some(size) });
    } else {
        found.ignored += 1;
    }
    Ok(())
}

/// Returns `true` if a file starts like a zip archive.
fn is_archive(path: &Path) -> anyhow::Result<bool> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    read.with_context(|| path.display().to_string())?;
    Ok(start == ZIP_MAGIC)
}

/// Returns `true` if the name of a file in a folder or an archive is that of a capture.
fn is_capture_name(name: &str) -> bool {
    let unpacked = PACKED_ENDS.iter().find(|end| has_end(name, end));
    let stem = unpacked.map_or(name, |end| &name[..name.len() - end.len()]);
    CAPTURE_ENDS.iter().any(|end| has_end(stem, end))
}

/// Returns `true` if a name ends so, whatever its case. The end is ASCII.
fn has_end(name: &str, end: &str) -> bool {
    let name = name.as_bytes();
    name.len() > end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

/// Returns the one capture that a path names.
///
/// # Errors
/// Returns an error if it does not exist, or if there are several.
pub(crate) fn find_one(path: &Path) -> anyhow::Result<CaptureFile> {
    let found = find(&[path.into()])?;
    match &found.captures[..] {
        [capture] => Ok(capture.clone()),
        captures => bail!("{}: {} captures, expected one", path.display(), captures.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_captures_of_a_run_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.zip");
        archive::tests::write_archive(&path, 70_000);
        assert_eq!(find(&[path.clone(), path.clone()]).unwrap().captures.len(), 140_000);
        let error = find(&[path.clone(), path.clone(), path]).unwrap_err().to_string();
        assert!(error.contains("more than 200000 captures"), "{error}");
    }

    #[test]
    fn captures_are_known_by_their_names() {
        for name in ["a.pcap", "A.PCAPNG", "a.b.cap", "x.jsonl", "x.jsonl.gz", "x.pcap.ZST"] {
            assert!(is_capture_name(name), "{name}");
        }
        for name in [
            "README.md",
            "a.parquet",
            "x.gz",
            "pcap",
            ".pcap",
            ".pcap.gz",
            "x.pcap.bz2",
            "é.gz",
            "x.pcap.gz.gz",
        ] {
            assert!(!is_capture_name(name), "{name}");
        }
    }
}
