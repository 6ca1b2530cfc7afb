//! An in-order walk of the whole directory.

use std::collections::HashSet;

use super::{Dat, DirectoryNode, Entry, MAX_DEPTH, NODE_SIZE};
use crate::error::ContainerError;
use crate::id::DataId;

/// An iterator over the directory in ascending order of ids, created by [`Dat::entries`].
pub struct Entries<'a> {
    dat: &'a Dat,
    /// The nodes from the root to the current one, each with its next step: even steps are branches, odd ones
    /// entries.
    path: Vec<(DirectoryNode, usize)>,
    pending: Option<u32>,
    seen: HashSet<u32>,
    /// The maximum number of nodes in a file of this length; if there are more, they overlap.
    budget: u64,
    /// The bytes of all objects that begin inside the file.
    stored: u64,
    last: Option<DataId>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(dat: &'a Dat) -> Self {
        let budget = dat.length() / NODE_SIZE as u64 + 1;
        Self {
            dat,
            path: Vec::new(),
            pending: Some(dat.header().root),
            seen: HashSet::new(),
            budget,
            stored: 0,
            last: None,
        }
    }

    fn enter(&mut self, offset: u32) -> Result<(), ContainerError> {
        let is_cycle = self.path.len() >= MAX_DEPTH || self.seen.len() as u64 >= self.budget;
        if is_cycle || !self.seen.insert(offset) {
            return Err(ContainerError::NodeCycle { offset });
        }
        let node = self.dat.read_node(offset)?;
        self.path.push((node, 0));
        Ok(())
    }

    /// Checks an entry of the node at an offset.
    fn check(&mut self, offset: u32, entry: Entry) -> Result<Entry, ContainerError> {
        let (id, size, length) = (entry.id, entry.size, self.dat.length());
        // One that is larger than the file, or begins after it, as in a truncated one, has no bytes to share.
        if u64::from(size) <= length && u64::from(entry.offset) < length {
            self.stored += u64::from(size);
            if self.stored > length {
                return Err(ContainerError::Overlap { id, size, length });
            }
        }
        match self.last {
            Some(before) if before >= entry.id => Err(ContainerError::Order { offset, id: entry.id, before }),
            _ => {
                self.last = Some(entry.id);
                Ok(entry)
            }
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(offset) = self.pending.take()
                && let Err(error) = self.enter(offset)
            {
                return Some(Err(error));
            }
            let (node, step) = self.path.last_mut()?;
            let (index, is_branch) = (*step / 2, *step % 2 == 0);
            *step += 1;
            if index > node.count() || (!is_branch && index == node.count()) {
                self.path.pop();
            } else if is_branch {
                self.pending = node.child(index);
            } else {
                let (offset, entry) = (node.offset, node.entry(index));
                return Some(self.check(offset, entry));
            }
        }
    }
}
