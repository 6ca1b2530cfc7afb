//! The captures in a zip archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use anyhow::bail;
use flate2::bufread::DeflateDecoder;
use zip::CompressionMethod;
use zip::read::Config;
use zip::unstable::read::ZipIterable;

use super::{ARCHIVE_END, has_end, is_capture_name};
use crate::unpack::{Bounded, Counted};

/// The maximum number of files in an archive.
const MAX_MEMBERS: usize = 100_000;

/// A capture in an archive.
#[derive(Debug)]
pub(super) struct Member {
    /// Its name in the archive.
    pub(super) name: String,
    /// Its size in the archive, in bytes.
    pub(super) packed_size: u64,
    /// Where its header is in the archive.
    header: u64,
    /// How it is packed, or why it cannot be unpacked.
    packing: Result<Packing, String>,
}

#[derive(Clone, Copy, Debug)]
enum Packing {
    Stored,
    Deflated,
}

/// Returns the captures in an archive, sorted by their names, and the number of other files.
pub(super) fn members(path: &Path) -> anyhow::Result<(Vec<Member>, usize)> {
    let mut archive = ZipIterable::try_new(BufReader::new(File::open(path)?), Config::default())?;
    if archive.len() > MAX_MEMBERS {
        bail!("{} files in a zip archive, expected at most {MAX_MEMBERS}", archive.len());
    }
    let (mut members, mut ignored) = (Vec::new(), 0);
    for entry in archive.files()? {
        let entry = entry?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let file_name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        if entry.is_dir() {
            continue;
        }
        let is_archive = has_end(file_name, ARCHIVE_END);
        if !is_archive && !is_capture_name(file_name) {
            ignored += 1;
            continue;
        }
        let packing = match entry.compression() {
            _ if is_archive => Err(String::from("a zip archive inside another; unpack it first")),
            _ if entry.encrypted() => Err(String::from("encrypted; unpack it first")),
            CompressionMethod::Stored => Ok(Packing::Stored),
            CompressionMethod::DEFLATE => Ok(Packing::Deflated),
            other => Err(format!("packed by the method {other}, expected deflate; unpack it first")),
        };
        let (packed_size, header) = (entry.compressed_size(), entry.header_start());
        members.push(Member { name, packed_size, header, packing });
    }
    members.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((members, ignored))
}

impl Member {
    /// Opens the capture. `packed` counts the bytes that are read of it.
    pub(super) fn open(&self, archive: File, packed: &Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
        let invalid = |reason: &String| io::Error::new(io::ErrorKind::InvalidData, reason.clone());
        let packing = *self.packing.as_ref().map_err(invalid)?;
        let bytes = Counted::new(self.open_packed(archive)?, Arc::clone(packed));
        Ok(match packing {
            Packing::Stored => Box::new(bytes),
            Packing::Deflated => {
                let inflated = DeflateDecoder::new(BufReader::with_capacity(1 << 16, bytes));
                Box::new(Bounded::new(inflated, Arc::clone(packed)))
            }
        })
    }

    /// Opens the bytes of the capture as they are in the archive.
    pub(super) fn open_packed(&self, mut archive: File) -> io::Result<impl Read + Send + 'static> {
        archive.seek(SeekFrom::Start(self.header))?;
        // The name and the extra field follow the header, and have other lengths than in the directory.
        let mut header = [0; 30];
        archive.read_exact(&mut header)?;
        let len = |at: usize| i64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        archive.seek(SeekFrom::Current(len(26) + len(28)))?;
        Ok(archive.take(self.packed_size))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write as _;

    use super::*;

    /// Writes an archive of a number of empty files.
    pub(in crate::captures) fn write_archive(path: &Path, count: usize) {
        let mut writer = zip::ZipWriter::new(io::BufWriter::new(File::create(path).unwrap()));
        for number in 0..count {
            writer
                .start_file(
                    format!("{number:06}.pcap"),
                    zip::write::SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
                )
                .unwrap();
        }
        writer.finish().unwrap().flush().unwrap();
    }

    #[test]
    fn the_files_of_an_archive_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.zip");
        write_archive(&path, 100_001);
        let error = members(&path).unwrap_err().to_string();
        assert!(error.contains("100001 files in a zip archive, expected at most 100000"), "{error}");
        write_archive(&path, 3);
        assert_eq!(members(&path).unwrap().0.len(), 3);
    }
}
