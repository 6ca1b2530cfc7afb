//! The dat file writer: block chains and a balanced directory tree (`docs/dat.md` §1).

use std::collections::BTreeMap;
use std::io::Write as _;

use thiserror::Error;

use crate::container::{COMPRESSED, FREE_BLOCK, HEADER_FIELDS_OFFSET, HEADER_SIZE, MAGIC};
use crate::container::{NODE_COUNT_OFFSET, NODE_ENTRIES, NODE_SIZE};
use crate::cursor::ByteWriter;
use crate::id::{DataId, DataSet, ITERATION_ID};
use crate::objects::{DatObject, Iteration, IterationRange};

/// The block size of a dat file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSize {
    /// 256 bytes, used by cell files.
    Small,
    /// 1024 bytes, used by all other files.
    Large,
}

impl BlockSize {
    /// Returns the size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Small => 256,
            Self::Large => 1024,
        }
    }
}

/// An error while writing a dat file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DatWriteError {
    /// The file would exceed 4 GB. Offsets are 32-bit numbers.
    #[error("the file would exceed 4 GB, the maximum for 32-bit offsets")]
    TooLarge,
    /// A free block would lie beyond 2 GB. The links of free blocks have 31 bits for an offset.
    #[error("a free block would lie beyond 2 GB, the maximum for the links of free blocks")]
    FreeBlockTooFar,
    /// The operating system could not write the file.
    #[error("{path}: {reason}")]
    Io {
        /// The path of the file.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
}

/// Collects objects and writes them as a dat file. The same objects always give the same bytes.
///
/// ```
/// use acmotion_dat::{BlockSize, Dat, DataId, DataSet, DatWriter};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
/// writer.add(DataId(0x0A00_0001), b"any bytes".to_vec());
/// let dat = Dat::from_bytes(writer.finish()?)?;
/// let entry = dat.find(DataId(0x0A00_0001))?.expect("just written");
/// assert_eq!(dat.read(&entry)?.as_ref(), b"any bytes");
/// # Ok(())
/// # }
/// ```
pub struct DatWriter {
    block_size: usize,
    data_set: DataSet,
    objects: BTreeMap<DataId, StoredObject>,
    free_blocks: u32,
}

/// The free list of a file.
#[derive(Default)]
struct FreeList {
    first: u32,
    last: u32,
    count: u32,
}

struct StoredObject {
    flags: u16,
    bytes: Vec<u8>,
}

/// The directory entry of an object whose blocks have been written.
struct WrittenObject {
    id: DataId,
    flags: u16,
    offset: u32,
    size: u32,
}

/// The version in every directory entry.
const ENTRY_VERSION: u16 = 2;
/// The iteration in every directory entry.
const ITERATION: u32 = 1;

impl DatWriter {
    /// Creates a file with no objects except the iteration object.
    pub fn new(block_size: BlockSize, data_set: DataSet) -> Self {
        let mut writer =
            Self { block_size: block_size.bytes(), data_set, objects: BTreeMap::new(), free_blocks: 0 };
        let ranges = vec![IterationRange { consecutive: -1, start: 1 }];
        writer.add(ITERATION_ID, Iteration { total: 1, ranges }.encode());
        writer
    }

    /// Adds the bytes of an object. An object with the same id is replaced.
    pub fn add(&mut self, id: DataId, bytes: Vec<u8>) {
        self.objects.insert(id, StoredObject { flags: 0, bytes });
    }

    /// Adds an object under its own id. An object without an id (see [`DatObject::own_id`]) is ignored.
    pub fn add_object<T: DatObject>(&mut self, object: &T) {
        if let Some(id) = object.own_id() {
            self.add(id, object.encode());
        }
    }

    /// Compresses and adds the bytes of an object. Retail files have no compressed objects, but user-made ones may
    /// (`docs/dat.md` §1.4).
    pub fn add_compressed(&mut self, id: DataId, bytes: &[u8]) {
        let mut stored = Vec::new();
        stored.count(bytes.len());
        let mut encoder = flate2::write::ZlibEncoder::new(stored, flate2::Compression::default());
        match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
            Ok(bytes) => self.objects.insert(id, StoredObject { flags: COMPRESSED, bytes }),
            Err(error) => unreachable!("writes to memory cannot fail: {error}"),
        };
    }

    /// Adds free blocks at the end of the file, into which other programs can write objects later. The default is none.
    pub fn set_free_blocks(&mut self, count: u32) {
        self.free_blocks = count;
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the file would exceed 4 GB, or a free block would lie beyond 2 GB.
    pub fn finish(&self) -> Result<Vec<u8>, DatWriteError> {
        let header = HEADER_SIZE.next_multiple_of(self.block_size);
        let chains = self.objects.values().map(|stored| self.blocks_of(stored.bytes.len()) * self.block_size);
        let mut file = Vec::with_capacity(header + chains.sum::<usize>());
        file.resize(header, 0);
        let mut written = Vec::with_capacity(self.objects.len());
        for (id, stored) in &self.objects {
            let offset = self.append_chain(&mut file, &stored.bytes)?;
            written.push(WrittenObject {
                id: *id,
                flags: stored.flags,
                offset,
                size: stored.bytes.len() as u32,
            });
        }
        let height = tree_height(written.len());
        let root = self.append_tree(&mut file, &written, height)?;
        let free = self.append_free_blocks(&mut file)?;
        self.write_header(&mut file, root, &free);
        Ok(file)
    }

    /// Writes the file to disk.
    ///
    /// # Errors
    /// Returns an error if the file would be too large (see [`finish`](Self::finish)) or cannot be written.
    pub fn write_to(&self, path: impl AsRef<std::path::Path>) -> Result<(), DatWriteError> {
        let (path, bytes) = (path.as_ref(), self.finish()?);
        std::fs::write(path, bytes).map_err(|error| DatWriteError::Io {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    }

    /// Returns the number of blocks in the chain of an object.
    fn blocks_of(&self, size: usize) -> usize {
        size.div_ceil(self.block_size - 4).max(1)
    }

    /// Appends a block chain and returns its offset.
    fn append_chain(&self, file: &mut Vec<u8>, bytes: &[u8]) -> Result<u32, DatWriteError> {
        let start = u32::try_from(file.len()).map_err(|_| DatWriteError::TooLarge)?;
        let payload = self.block_size - 4;
        let blocks = self.blocks_of(bytes.len());
        for index in 0..blocks {
            let is_last = index + 1 == blocks;
            let next = file.len() + self.block_size;
            let next = u32::try_from(next).map_err(|_| DatWriteError::TooLarge)?;
            file.u32(if is_last { 0 } else { next });
            let piece = &bytes[index * payload..bytes.len().min((index + 1) * payload)];
            file.bytes(piece);
            file.resize(next as usize, 0);
        }
        Ok(start)
    }

    /// Appends a directory subtree of the given height over sorted entries, children first, and returns the offset of
    /// its root. Entries are spread evenly, so every node except the root is at least half full.
    fn append_tree(
        &self,
        file: &mut Vec<u8>,
        entries: &[WrittenObject],
        height: u32,
    ) -> Result<u32, DatWriteError> {
        let mut branches = Vec::new();
        let mut own = Vec::new();
        if height == 0 {
            own.extend(entries);
        } else {
            let children = (entries.len() + 1).div_ceil(subtree_capacity(height - 1) + 1).max(2);
            let in_children = entries.len() - (children - 1);
            let mut rest = entries;
            for child in 0..children {
                let share = in_children / children + usize::from(child < in_children % children);
                let (below, behind) = rest.split_at(share);
                branches.push(self.append_tree(file, below, height - 1)?);
                rest = behind;
                if let Some((separator, behind)) = rest.split_first() {
                    own.push(separator);
                    rest = behind;
                }
            }
        }
        self.append_chain(file, &node_bytes(&branches, &own))
    }

    /// Appends the free blocks. Each one's link carries the mark of free blocks; the last one is nothing but the mark.
    fn append_free_blocks(&self, file: &mut Vec<u8>) -> Result<FreeList, DatWriteError> {
        let mut free = FreeList { count: self.free_blocks, ..FreeList::default() };
        for index in 0..self.free_blocks {
            // Offsets in links have 31 bits.
            let offset = u32::try_from(file.len()).ok().filter(|offset| offset & FREE_BLOCK == 0);
            let offset = offset.ok_or(DatWriteError::FreeBlockTooFar)?;
            let next = file.len() + self.block_size;
            let is_last = index + 1 == self.free_blocks;
            file.u32(if is_last { FREE_BLOCK } else { next as u32 | FREE_BLOCK });
            file.resize(next, 0);
            if index == 0 {
                free.first = offset;
            }
            free.last = offset;
        }
        Ok(free)
    }

    fn write_header(&self, file: &mut [u8], root: u32, free: &FreeList) {
        let length = file.len() as u32;
        let mut numbers = Vec::new();
        numbers.u32(MAGIC);
        numbers.u32(self.block_size as u32);
        numbers.u32(length);
        numbers.u32(self.data_set.number());
        numbers.u32(u32::from(self.data_set != DataSet::Portal));
        for number in [free.first, free.last, free.count] {
            numbers.u32(number);
        }
        numbers.u32(root);
        file[HEADER_FIELDS_OFFSET..HEADER_FIELDS_OFFSET + numbers.len()].copy_from_slice(&numbers);
    }
}

/// Returns the maximum number of entries in a subtree. A leaf has height 0.
fn subtree_capacity(height: u32) -> usize {
    (NODE_ENTRIES + 1).saturating_pow(height + 1) - 1
}

fn tree_height(entries: usize) -> u32 {
    let mut height = 0;
    while subtree_capacity(height) < entries {
        height += 1;
    }
    height
}

fn node_bytes(branches: &[u32], entries: &[&WrittenObject]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(NODE_SIZE);
    branches.iter().for_each(|branch| bytes.u32(*branch));
    bytes.resize(NODE_COUNT_OFFSET, 0);
    bytes.count(entries.len());
    for entry in entries {
        bytes.u16(entry.flags);
        bytes.u16(ENTRY_VERSION);
        bytes.id(entry.id);
        bytes.u32(entry.offset);
        bytes.u32(entry.size);
        bytes.u32(0);
        bytes.u32(ITERATION);
    }
    debug_assert!(bytes.len() <= NODE_SIZE);
    bytes.resize(NODE_SIZE, 0);
    bytes
}
