//! Where a container's bytes come from.

#[cfg(feature = "mmap")]
mod map;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Random access to the bytes of a dat file. Nothing is read before it is needed.
pub trait Source: Send + Sync {
    /// How many bytes there are.
    fn length(&self) -> u64;

    /// All of them, where they are in memory already; objects are then lent instead of copied if they are in one piece.
    fn memory(&self) -> Option<&[u8]> {
        None
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// What the medium says, or [`io::ErrorKind::UnexpectedEof`] when there are not so many.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// Bytes in memory: a `Vec<u8>`, a memory map, an `Arc<[u8]>` …
pub struct Memory<T>(pub T);

impl<T: AsRef<[u8]> + Send + Sync> Source for Memory<T> {
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

/// Any reader that can seek, one access at a time.
pub struct Seekable<R> {
    reader: Mutex<R>,
    length: u64,
}

impl<R: Read + Seek + Send> Seekable<R> {
    /// Takes over a reader; its length is asked once.
    ///
    /// # Errors
    /// When it cannot seek.
    pub fn new(mut reader: R) -> io::Result<Self> {
        let length = reader.seek(SeekFrom::End(0))?;
        Ok(Self { reader: Mutex::new(reader), length })
    }
}

impl<R: Read + Seek + Send> Source for Seekable<R> {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(offset))?;
        reader.read_exact(buffer)
    }
}

/// A file: mapped into memory where the feature `mmap` is on and the system can, else read piece by piece.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Source>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("is a directory"));
    }
    #[cfg(feature = "mmap")]
    if let Ok(map) = map::map(&file) {
        return Ok(Box::new(Memory(map)));
    }
    Ok(Box::new(Seekable::new(file)?))
}
