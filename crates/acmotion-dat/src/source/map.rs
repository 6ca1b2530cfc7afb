//! The one place of the project that needs `unsafe`: mapping a file into memory.
#![expect(
    unsafe_code,
    reason = "a map has no safe constructor: the file may change under it. A dat file of the game is 300 MB to 1 GB \
              and opening it must not read it (design budget: 5 ms for 1 GB), so the map is worth this one line."
)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a whole file for reading.
///
/// The bytes are only ever read, through bounds-checked slices, and every value in them is taken as hostile; somebody
/// who changes the file meanwhile gets wrong objects or errors. Who shortens it while it is open ends the process with
/// a bus error, as with any mapped file; turn the feature `mmap` off where that can happen.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private to this process's reading; no reference into it is held as anything but bytes.
    unsafe { Mmap::map(file) }
}
