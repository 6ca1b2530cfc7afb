//! Messages of which some fragments are there and others are not.

use super::Fragment;
use super::reassembly::MessageKey;

/// Buffers larger than this are given back when their message is done.
const KEEP_CAPACITY: usize = 64 * 1024;

/// One fragment's place in the data that arrived.
#[derive(Clone, Copy)]
struct Piece {
    index: u16,
    len: u16,
    start: u32,
}

/// One message that is not complete.
pub(super) struct Pending {
    pub(super) key: MessageKey,
    pub(super) count: u16,
    /// Sorted by index.
    pieces: Vec<Piece>,
    /// The pieces' data in the order of arrival.
    data: Vec<u8>,
}

/// What became of one fragment.
#[derive(PartialEq, Eq)]
pub(super) enum Added {
    /// It was new.
    New,
    /// It was there already.
    Repeated,
}

impl Pending {
    pub(super) const fn new(key: MessageKey, count: u16) -> Self {
        Self { key, count, pieces: Vec::new(), data: Vec::new() }
    }

    /// The same buffers for another message.
    pub(super) fn reuse(&mut self, key: MessageKey, count: u16) {
        self.clear();
        self.key = key;
        self.count = count;
    }

    /// Forgets the contents and gives large buffers back.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.data.clear();
        self.data.shrink_to(KEEP_CAPACITY);
        self.pieces.shrink_to(KEEP_CAPACITY / size_of::<Piece>());
    }

    pub(super) fn add(&mut self, fragment: &Fragment<'_>) -> Added {
        let index = fragment.header.index;
        let at = match self.pieces.last() {
            Some(last) if last.index >= index => {
                match self.pieces.binary_search_by_key(&index, |p| p.index) {
                    Ok(_) => return Added::Repeated,
                    Err(at) => at,
                }
            }
            _ => self.pieces.len(),
        };
        let start = self.data.len() as u32;
        self.pieces.insert(at, Piece { index, len: fragment.data.len() as u16, start });
        self.data.extend_from_slice(fragment.data);
        Added::New
    }

    pub(super) fn is_complete(&self) -> bool {
        self.pieces.len() == usize::from(self.count)
    }

    /// How many fragments are there.
    pub(super) fn present(&self) -> usize {
        self.pieces.len()
    }

    /// What it counts for against the limit of bytes.
    pub(super) fn weight(&self) -> usize {
        self.data.len() + self.pieces.len() * size_of::<Piece>()
    }

    /// Puts the whole message into `out`, whose old contents go.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        out.clear();
        if self.pieces.is_sorted_by_key(|piece| piece.start) {
            std::mem::swap(out, &mut self.data);
            return;
        }
        for piece in &self.pieces {
            let start = piece.start as usize;
            out.extend_from_slice(self.data.get(start..start + usize::from(piece.len)).unwrap_or_default());
        }
    }
}
