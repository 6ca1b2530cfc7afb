//! The walk through the whole directory.

use std::collections::HashSet;

use super::{Dat, DirectoryNode, Entry, MAX_DEPTH, NODE_SIZE};
use crate::error::ContainerError;
use crate::id::DataId;

/// Iterator over the directory in ascending order of ids; see [`Dat::entries`].
pub struct Entries<'a> {
    dat: &'a Dat,
    /// The nodes from the root to where the walk is, and the next step in each: even numbers are branches, odd entries.
    path: Vec<(DirectoryNode, usize)>,
    pending: Option<u32>,
    seen: HashSet<u32>,
    /// How many nodes a file of this length can hold; more means that they overlap.
    budget: u64,
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
            last: None,
        }
    }

    fn enter(&mut self, offset: u32) -> Result<(), ContainerError> {
        let circle = self.path.len() >= MAX_DEPTH || self.seen.len() as u64 >= self.budget;
        if circle || !self.seen.insert(offset) {
            return Err(ContainerError::NodeCycle { offset });
        }
        let node = self.dat.node(offset)?;
        self.path.push((node, 0));
        Ok(())
    }

    fn in_order(&mut self, offset: u32, entry: Entry) -> Result<Entry, ContainerError> {
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
                return Some(self.in_order(offset, entry));
            }
        }
    }
}
