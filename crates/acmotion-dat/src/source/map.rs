//! Memory mapping, the only `unsafe` code of this crate.
#![expect(
    unsafe_code,
    reason = "a map has no safe constructor, because the file may change while it is mapped. The game's dat files are \
              300 MB to 1 GB, and opening one must not read it (design budget: 5 ms for 1 GB)."
)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a whole file for reading.
///
/// The bytes are only read, through bounds-checked slices, and every value is validated. If another process changes
/// the file while it is mapped, objects decode wrongly or return errors. If another process truncates it, the next
/// access beyond the new end terminates this process with a bus error, as with any mapped file; disable the feature
/// `mmap` where that can happen.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and accessed only as bytes, for which every value is valid. The file must not be
    // truncated while it is mapped (see above).
    unsafe { Mmap::map(file) }
}
