//! Where the bytes of a capture come from.

use std::io::{self, Read};

/// The first size of a stream's buffer.
const BUFFER: usize = 128 * 1024;

/// Where the bytes of a capture come from: [`SliceSource`] or [`StreamSource`]. Sealed.
pub trait Source: sealed::Window {}

pub(super) mod sealed {
    use std::io;

    /// A window on the bytes that comes to hold more when asked.
    pub trait Window {
        /// What is there and not passed yet.
        fn window(&self) -> &[u8];
        /// Where the window starts, from the start of the capture.
        fn offset(&self) -> u64;
        /// Waits until the window has `needed` bytes; false when the capture ends before.
        fn fill(&mut self, needed: usize) -> io::Result<bool>;
        /// Passes over bytes of the window.
        fn consume(&mut self, len: usize);
    }
}

/// A capture that is in memory as a whole.
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

impl Source for SliceSource<'_> {}

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

/// A capture that is read as it comes. It never waits for more bytes than the next step needs.
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
        Self { reader, buffer: vec![0; BUFFER], start: 0, end: 0, offset: 0 }
    }

    /// Makes room for `needed` bytes from the start of the window, and for at least one more byte.
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

impl<R: Read> Source for StreamSource<R> {}

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
