//! The sources of a capture's bytes.

use std::io::{self, Read};

/// The initial size of a stream's buffer, in bytes.
const INITIAL_BUFFER_SIZE: usize = 128 * 1024;

/// A source of a capture's bytes: [`SliceSource`] or [`StreamSource`]. The trait is sealed.
pub trait CaptureSource: sealed::Window {}

pub(super) mod sealed {
    use std::io;

    /// A window on the bytes, which can be extended.
    pub trait Window {
        /// Returns the bytes that are available and not consumed yet.
        fn window(&self) -> &[u8];
        /// Returns the offset of the window from the start of the capture.
        fn offset(&self) -> u64;
        /// Reads until the window has `needed` bytes. Returns `false` if the capture ends before that.
        fn fill(&mut self, needed: usize) -> io::Result<bool>;
        /// Removes `len` bytes from the start of the window.
        fn consume(&mut self, len: usize);
    }
}

/// A capture in memory.
#[derive(Clone, Debug)]
pub struct SliceSource<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> SliceSource<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }
}

impl CaptureSource for SliceSource<'_> {}

impl sealed::Window for SliceSource<'_> {
    #[inline]
    fn window(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn offset(&self) -> u64 {
        self.at as u64
    }

    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        Ok(self.window().len() >= needed)
    }

    #[inline]
    fn consume(&mut self, len: usize) {
        self.at = self.bytes.len().min(self.at.saturating_add(len));
    }
}

/// A capture that is read from a stream. It never waits for more bytes than the next record needs.
#[derive(Debug)]
pub struct StreamSource<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
}

impl<R: Read> StreamSource<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, buffer: vec![0; INITIAL_BUFFER_SIZE], start: 0, end: 0, offset: 0 }
    }

    /// Makes room for `needed` bytes from the start of the window, and for at least one byte after its end.
    fn make_room(&mut self, needed: usize) {
        if self.start > 0 && (self.end == self.buffer.len() || self.buffer.len() - self.start < needed) {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < needed {
            self.buffer.resize(needed.next_power_of_two(), 0);
        }
    }

    fn read_some(&mut self) -> io::Result<usize> {
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl<R: Read> CaptureSource for StreamSource<R> {}

impl<R: Read> sealed::Window for StreamSource<R> {
    #[inline]
    fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        while self.end - self.start < needed {
            self.make_room(needed);
            let got = self.read_some()?;
            if got == 0 {
                return Ok(false);
            }
            self.end = self.buffer.len().min(self.end + got);
        }
        Ok(true)
    }

    #[inline]
    fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.offset += len as u64;
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
    }
}
