//! The cells that a body is in.

use acmotion_types::CellId;

use crate::small_list::SmallList;

/// How many cells have room without asking for memory.
const USUAL: usize = 12;
/// Nothing sound is in more cells than this. Rooms that are made to lie in each other could go on for ever.
const MAX_CELLS: usize = 256;

/// The cells that a body is in, each once, in the order in which they were found; also those that are not there
/// (`docs/collision.md` 7.1).
#[derive(Clone)]
#[doc(alias = "CELLARRAY")]
pub struct CellArray {
    cells: SmallList<CellId, USUAL>,
    /// Are cells left out that cannot be seen from the body's own?
    #[doc(alias = "do_not_load_cells")]
    pub only_visible: bool,
    pub(super) added_outside: bool,
}

impl Default for CellArray {
    fn default() -> Self {
        Self { cells: SmallList::new(), only_visible: false, added_outside: false }
    }
}

impl CellArray {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Is there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// One of them.
    #[inline]
    pub fn get(&self, place: usize) -> Option<CellId> {
        self.cells.get(place)
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CellId> + '_ {
        self.cells.iter()
    }

    /// Is a cell among them?
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.cells.iter().any(|known| known == cell)
    }

    /// Forgets all of them.
    #[inline]
    pub fn clear(&mut self) {
        self.cells.clear();
        self.added_outside = false;
    }

    /// Adds a cell, unless it is among them or they are too many.
    #[doc(alias = "add_cell")]
    #[inline]
    pub fn add(&mut self, cell: CellId) {
        if self.len() < MAX_CELLS && !self.contains(cell) {
            self.cells.push(cell);
        }
    }

    /// Drops the cells that are not to be kept; the last takes the place of one that is dropped.
    #[doc(alias = "remove_cell")]
    pub(super) fn keep(&mut self, is_kept: impl Fn(CellId) -> bool) {
        let mut place = 0;
        while let Some(cell) = self.cells.get(place) {
            if is_kept(cell) {
                place += 1;
                continue;
            }
            let last = self.cells.remove(self.cells.len() - 1);
            if let (Some(last), Some(slot)) = (last, self.cells.get_mut(place)) {
                *slot = last;
            }
        }
    }
}

impl std::fmt::Debug for CellArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
