//! Unpacks gzip and Zstandard while reading, and text in other forms than UTF-8.

mod text;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::input::is_standard_input;
use text::Utf8;

/// The first bytes of packed files.
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The first bytes of a zip archive.
pub(crate) const ZIP_MAGIC: [u8; 4] = *b"PK\x03\x04";

/// How many times its packed size a capture may have. Captures shrink to a third, repetitive ones to a thirtieth.
const MAX_EXPANSION: u64 = 200;
/// The unpacked size up to which [`MAX_EXPANSION`] does not count, in bytes.
const MIN_CHECKED_SIZE: u64 = 64 << 20;
/// The maximum memory that unpacking Zstandard may take, as a power of two: what level 19 needs, 8 MiB.
const MAX_WINDOW_LOG: u32 = 23;

/// A file as it is read, unpacked.
pub(crate) type Unpacked = Box<dyn Read + Send>;

/// Opens a file, or standard input, and unpacks it as it is read.
///
/// # Errors
/// Returns an error if it cannot be opened or read, or if it is a zip archive.
pub(crate) fn open(path: &Path) -> io::Result<Unpacked> {
    open_counted(path, Arc::default())
}

/// Like [`open`]; `packed` counts the bytes read from the file.
pub(crate) fn open_counted(path: &Path, packed: Arc<AtomicU64>) -> io::Result<Unpacked> {
    let input: Box<dyn Read + Send> = if is_standard_input(path) {
        Box::new(Counted::new(io::stdin(), Arc::clone(&packed)))
    } else {
        Box::new(Counted::new(File::open(path)?, Arc::clone(&packed)))
    };
    unpack(input, packed)
}

/// Returns the bytes of a file, unpacked if they are packed, and as UTF-8 if they are text. `packed` counts the bytes read
/// from the file.
pub(crate) fn unpack(input: Box<dyn Read + Send>, packed: Arc<AtomicU64>) -> io::Result<Unpacked> {
    Ok(Box::new(Utf8::new(unpack_bytes(input, packed)?)))
}

fn unpack_bytes(mut input: Box<dyn Read + Send>, packed: Arc<AtomicU64>) -> io::Result<Unpacked> {
    let mut start = Vec::new();
    input.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut start)?;
    let kind = (start.starts_with(&GZIP_MAGIC), start == ZSTD_MAGIC, start == ZIP_MAGIC);
    let input = Cursor::new(start).chain(input);
    match kind {
        (true, ..) => Ok(Box::new(Bounded::new(MultiGzDecoder::new(BufReader::new(input)), packed))),
        (_, true, _) => {
            let mut decoder = zstd::stream::read::Decoder::new(input)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Ok(Box::new(Bounded::new(decoder, packed)))
        }
        (.., true) => {
            let text = "a zip archive; unpack it first";
            Err(io::Error::new(io::ErrorKind::InvalidData, text))
        }
        _ => Ok(Box::new(input)),
    }
}

/// Counts the bytes that are read.
pub(crate) struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    pub(crate) fn new(input: R, count: Arc<AtomicU64>) -> Self {
        Self { input, count }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The number of bytes that are unpacked at a time.
const CHUNK: usize = 1 << 16;

/// Ends with an error if far more bytes come out than went in, and says where a packed file is damaged. After an error it is at
/// its end.
///
/// It always unpacks the same number of bytes at a time. However it is read, a damaged file therefore ends at the same byte, and
/// has the same hash.
pub(crate) struct Bounded<R> {
    input: R,
    packed: Arc<AtomicU64>,
    unpacked: u64,
    chunk: Cursor<Vec<u8>>,
    has_failed: bool,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(input: R, packed: Arc<AtomicU64>) -> Self {
        Self { input, packed, unpacked: 0, chunk: Cursor::default(), has_failed: false }
    }

    /// Unpacks the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        let chunk = self.chunk.get_mut();
        chunk.resize(CHUNK, 0);
        let result = self.input.read(chunk);
        chunk.truncate(*result.as_ref().unwrap_or(&0));
        self.chunk.set_position(0);
        let at = self.unpacked;
        let count = result.map_err(|error| {
            if is_passing(&error) {
                return error;
            }
            io::Error::new(error.kind(), format!("cannot be unpacked after {at} bytes: {error}"))
        })?;
        self.unpacked += count as u64;
        let packed = self.packed.load(Ordering::Relaxed);
        if self.unpacked > MIN_CHECKED_SIZE && self.unpacked / MAX_EXPANSION > packed {
            self.chunk.get_mut().clear();
            let text = format!(
                "{packed} packed bytes are more than {} unpacked, expected at most {MAX_EXPANSION} times as many",
                self.unpacked
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(())
    }
}

/// Returns `true` if reading can go on after the error.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.chunk.position() == self.chunk.get_ref().len() as u64 && !self.has_failed {
            self.fill().inspect_err(|error| self.has_failed = !is_passing(error))?;
        }
        self.chunk.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn unpacked(packed: Vec<u8>) -> io::Result<Vec<u8>> {
        let count = Arc::default();
        let input = Counted::new(Cursor::new(packed), Arc::clone(&count));
        let mut out = Vec::new();
        unpack(Box::new(input), count)?.read_to_end(&mut out)?;
        Ok(out)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn packed_bytes_are_unpacked_and_others_are_not_changed() {
        let text = b"{\"t\":1}\n".repeat(100);
        assert_eq!(unpacked(text.clone()).unwrap(), text);
        assert_eq!(unpacked(zstd::encode_all(&text[..], 3).unwrap()).unwrap(), text);
        assert_eq!(unpacked([gzip(&text), gzip(b"more")].concat()).unwrap(), [&text[..], b"more"].concat());
        for short in [&b""[..], b"{", b"\x1f", b"\x28\xB5\x2F"] {
            assert_eq!(unpacked(short.into()).unwrap(), short);
        }
    }

    #[test]
    fn files_that_unpack_to_far_more_end_with_an_error() {
        let zeros = vec![0; 80 << 20];
        for packed in [gzip(&zeros), zstd::encode_all(&zeros[..], 1).unwrap()] {
            let error = unpacked(packed).unwrap_err().to_string();
            assert!(error.contains("expected at most 200 times as many"), "{error}");
        }
        // A capture of 60 MB may be as repetitive as it likes.
        assert_eq!(unpacked(gzip(&zeros[..60 << 20])).unwrap().len(), 60 << 20);
    }

    #[test]
    fn unpacking_zstandard_takes_little_memory() {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(24).unwrap();
        encoder.write_all(&[1; 100]).unwrap();
        let error = unpacked(encoder.finish().unwrap()).unwrap_err().to_string();
        assert!(error.contains("cannot be unpacked after 0 bytes: "), "{error}");
    }

    #[test]
    fn damaged_files_end_at_the_same_byte_however_they_are_read() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut flipped = gzip(&text);
        let middle = flipped.len() / 2;
        flipped[middle..middle + 8].fill(0xFF);
        for packed in [flipped, gzip(&text)[..middle].into(), gzip(&vec![0; 80 << 20])] {
            let read = |size: usize| {
                let count = Arc::default();
                let input = Counted::new(Cursor::new(packed.clone()), Arc::clone(&count));
                let (mut input, mut buffer) = (unpack(Box::new(input), count).unwrap(), vec![0; size]);
                let mut len = 0;
                let error = loop {
                    match input.read(&mut buffer) {
                        Ok(0) => panic!("no error"),
                        Ok(count) => len += count,
                        Err(error) => break error.to_string(),
                    }
                };
                assert_eq!(input.read(&mut buffer).unwrap(), 0, "after {error}");
                (len, error)
            };
            let expected = read(1 << 16);
            assert!(expected.0 > 1_000, "{expected:?}");
            for size in [1_000, 8_192, 1 << 20] {
                assert_eq!(read(size), expected);
            }
        }
    }

    #[test]
    fn damaged_files_say_where() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut packed = gzip(&text);
        packed.truncate(packed.len() / 2);
        let error = unpacked(packed).unwrap_err().to_string();
        assert!(error.starts_with("cannot be unpacked after "), "{error}");
    }
}
