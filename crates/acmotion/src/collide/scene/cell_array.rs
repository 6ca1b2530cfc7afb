//! The list of cells that a body reaches into.

use acmotion_types::CellId;

use crate::small_list::SmallList;

/// The number of cells that are stored without allocating.
const INLINE_CELLS: usize = 12;
/// The maximum number of cells. No valid object reaches into more; this bounds the walk through rooms that overlap each
/// other.
const MAX_CELLS: usize = 256;

/// The cells that a body reaches into, each once, in the order in which they were found. Cells that are not in the
/// scene are listed too (`docs/collision.md` 7.1).
#[derive(Clone)]
#[doc(alias = "CELLARRAY")]
pub struct CellArray {
    cells: SmallList<CellId, INLINE_CELLS>,
    /// Whether cells that are not visible from the body's own cell are left out.
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
    /// Returns the number of cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns `true` if there are no cells.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the cell at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<CellId> {
        self.cells.get(index)
    }

    /// Iterates over the cells.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CellId> + '_ {
        self.cells.iter()
    }

    /// Returns `true` if a cell is in the list.
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.cells.iter().any(|known| known == cell)
    }

    /// Removes all cells.
    #[inline]
    pub fn clear(&mut self) {
        self.cells.clear();
        self.added_outside = false;
    }

    /// Adds a cell, unless it is in the list already or the list is full.
    #[doc(alias = "add_cell")]
    #[inline]
    pub fn add(&mut self, cell: CellId) {
        if self.len() < MAX_CELLS && !self.contains(cell) {
            self.cells.push(cell);
        }
    }

    /// Removes the cells for which `is_kept` returns `false`. The last cell takes the index of a removed one.
    #[doc(alias = "remove_cell")]
    pub(super) fn keep(&mut self, is_kept: impl Fn(CellId) -> bool) {
        let mut index = 0;
        while let Some(cell) = self.cells.get(index) {
            if is_kept(cell) {
                index += 1;
                continue;
            }
            let last = self.cells.remove(self.cells.len() - 1);
            if let (Some(last), Some(slot)) = (last, self.cells.get_mut(index)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_list_takes_no_more_cells() {
        let mut cells = CellArray::default();
        (0..2 * MAX_CELLS as u32).for_each(|cell| cells.add(CellId(cell)));
        assert_eq!(cells.len(), MAX_CELLS);
        assert!(cells.contains(CellId(MAX_CELLS as u32 - 1)) && !cells.contains(CellId(MAX_CELLS as u32)));
    }
}
