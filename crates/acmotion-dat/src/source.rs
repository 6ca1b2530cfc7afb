//! Byte sources of a container: memory, a memory map, or any reader that can seek.

#[cfg(feature = "mmap")]
mod map;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Random access to the bytes of a dat file. Bytes are read only when they are needed.
pub trait DatSource: Send + Sync {
    /// Returns the total number of bytes.
    fn length(&self) -> u64;

    /// Returns all bytes if they are in memory, otherwise `None`. Objects that fit into one block are then borrowed
    /// instead of copied.
    fn memory(&self) -> Option<&[u8]> {
        None
    }

    /// Fills `buffer` with the bytes that start at `offset`.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::UnexpectedEof`] if the source ends before the buffer is full, or the error of the
    /// underlying reader.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// A source of bytes in memory, such as a `Vec<u8>`, an `Arc<[u8]>` or a memory map.
pub struct MemorySource<T>(pub T);

impl<T: AsRef<[u8]> + Send + Sync> DatSource for MemorySource<T> {
    fn length(&self) -> u64 {
        self.0.as_ref().len() as u64
    }

    fn memory(&self) -> Option<&[u8]> {
        Some(self.0.as_ref())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let bytes = self.0.as_ref().get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A source over any reader that can seek. Reads are serialised by a lock.
pub struct SeekSource<R> {
    reader: Mutex<R>,
    length: u64,
}

impl<R: Read + Seek + Send> SeekSource<R> {
    /// Wraps a reader. Its length is determined once, here.
    ///
    /// # Errors
    /// Returns an error if the reader cannot seek.
    pub fn new(mut reader: R) -> io::Result<Self> {
        let length = reader.seek(SeekFrom::End(0))?;
        Ok(Self { reader: Mutex::new(reader), length })
    }
}

impl<R: Read + Seek + Send> DatSource for SeekSource<R> {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(offset))?;
        reader.read_exact(buffer)
    }
}

/// Opens a file: as a memory map if the feature `mmap` is enabled and the system supports it, otherwise with seeks
/// and reads.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn DatSource>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("is a directory"));
    }
    #[cfg(feature = "mmap")]
    if let Ok(map) = map::map(&file) {
        return Ok(Box::new(MemorySource(map)));
    }
    Ok(Box::new(SeekSource::new(file)?))
}
