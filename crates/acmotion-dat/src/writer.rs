//! Making a dat file: block chains and a directory of as many levels as it takes (`docs/dat.md` §1).

use std::collections::BTreeMap;
use std::io::Write as _;

use thiserror::Error;

use crate::container::{COMPRESSED, ENTRY_SIZE, HEADER_NUMBERS, HEADER_SIZE, MAGIC};
use crate::container::{NODE_COUNT_AT, NODE_ENTRIES, NODE_SIZE};
use crate::cursor::Put;
use crate::id::{DataId, DataSet, ITERATION_ID};
use crate::objects::{DatObject, Iteration, IterationRange};

/// The two sizes of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSize {
    /// 256 bytes: cell files.
    Small,
    /// 1024 bytes: all others.
    Large,
}

impl BlockSize {
    /// In bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Small => 256,
            Self::Large => 1024,
        }
    }
}

/// Why a file cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// Offsets are 32-bit numbers.
    #[error("the file would be larger than the 4 GB that its offsets can reach")]
    TooLarge,
    /// The operating system refused.
    #[error("{path}: {reason}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        reason: String,
    },
}

/// Collects objects and makes a dat file of them. The same objects give the same bytes.
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
    objects: BTreeMap<DataId, Stored>,
}

struct Stored {
    flags: u16,
    bytes: Vec<u8>,
}

/// What the directory gets to know of an object once its blocks are laid.
struct Laid {
    id: DataId,
    flags: u16,
    offset: u32,
    size: u32,
}

/// Version that entries carry.
const ENTRY_VERSION: u16 = 2;
/// Every file carries one iteration.
const ITERATION: u32 = 1;

impl DatWriter {
    /// An empty file, but for its iteration object.
    pub fn new(block_size: BlockSize, data_set: DataSet) -> Self {
        let mut writer = Self { block_size: block_size.bytes(), data_set, objects: BTreeMap::new() };
        let ranges = vec![IterationRange { consecutive: -1, start: 1 }];
        writer.add(ITERATION_ID, Iteration { total: 1, ranges }.encode());
        writer
    }

    /// Adds an object's bytes; an object of the same id is replaced.
    pub fn add(&mut self, id: DataId, bytes: Vec<u8>) {
        self.objects.insert(id, Stored { flags: 0, bytes });
    }

    /// Adds an object under the id it carries.
    pub fn add_object<T: DatObject>(&mut self, object: &T) {
        if let Some(id) = object.own_id() {
            self.add(id, object.encode());
        }
    }

    /// Adds an object's bytes compressed, as tools of today may (`docs/dat.md` §1.4); the original's files never are.
    pub fn add_compressed(&mut self, id: DataId, bytes: &[u8]) {
        let mut stored = Vec::new();
        stored.count(bytes.len());
        let mut encoder = flate2::write::ZlibEncoder::new(stored, flate2::Compression::default());
        match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
            Ok(bytes) => self.objects.insert(id, Stored { flags: COMPRESSED, bytes }),
            Err(error) => unreachable!("writing to memory cannot fail: {error}"),
        };
    }

    /// The file.
    ///
    /// # Errors
    /// When it would not fit into 4 GB.
    pub fn finish(&self) -> Result<Vec<u8>, WriteError> {
        let mut file = vec![0; HEADER_SIZE.next_multiple_of(self.block_size)];
        let mut laid = Vec::with_capacity(self.objects.len());
        for (id, stored) in &self.objects {
            let offset = self.lay(&mut file, &stored.bytes)?;
            laid.push(Laid { id: *id, flags: stored.flags, offset, size: stored.bytes.len() as u32 });
        }
        let height = height_of(laid.len());
        let root = self.lay_tree(&mut file, &laid, height)?;
        self.write_header(&mut file, root);
        Ok(file)
    }

    /// Writes the file to disk.
    ///
    /// # Errors
    /// When it would not fit into 4 GB, or the system refuses.
    pub fn write_to(&self, path: impl AsRef<std::path::Path>) -> Result<(), WriteError> {
        let (path, bytes) = (path.as_ref(), self.finish()?);
        std::fs::write(path, bytes)
            .map_err(|error| WriteError::Io { path: path.display().to_string(), reason: error.to_string() })
    }

    /// Appends a chain of blocks and returns where it starts.
    fn lay(&self, file: &mut Vec<u8>, bytes: &[u8]) -> Result<u32, WriteError> {
        let start = u32::try_from(file.len()).map_err(|_| WriteError::TooLarge)?;
        let payload = self.block_size - 4;
        let blocks = bytes.len().div_ceil(payload).max(1);
        for index in 0..blocks {
            let is_last = index + 1 == blocks;
            let next = file.len() + self.block_size;
            let next = u32::try_from(next).map_err(|_| WriteError::TooLarge)?;
            file.u32(if is_last { 0 } else { next });
            let piece = &bytes[index * payload..bytes.len().min((index + 1) * payload)];
            file.bytes(piece);
            file.resize(next as usize, 0);
        }
        Ok(start)
    }

    /// Lays a subtree of the given height over sorted entries, children first, and returns its root's offset. Entries
    /// are spread evenly, so every node but the root is at least half full.
    fn lay_tree(&self, file: &mut Vec<u8>, entries: &[Laid], height: u32) -> Result<u32, WriteError> {
        let mut branches = Vec::new();
        let mut own = Vec::new();
        if height == 0 {
            own.extend(entries);
        } else {
            let children = (entries.len() + 1).div_ceil(capacity(height - 1) + 1).max(2);
            let in_children = entries.len() - (children - 1);
            let mut rest = entries;
            for child in 0..children {
                let share = in_children / children + usize::from(child < in_children % children);
                let (below, behind) = rest.split_at(share);
                branches.push(self.lay_tree(file, below, height - 1)?);
                rest = behind;
                if let Some((separator, behind)) = rest.split_first() {
                    own.push(separator);
                    rest = behind;
                }
            }
        }
        self.lay(file, &node_bytes(&branches, &own))
    }

    fn write_header(&self, file: &mut [u8], root: u32) {
        let length = file.len() as u32;
        let mut numbers = Vec::new();
        numbers.u32(MAGIC);
        numbers.u32(self.block_size as u32);
        numbers.u32(length);
        numbers.u32(self.data_set.number());
        numbers.u32(u32::from(self.data_set != DataSet::Portal));
        for free_list in [0, 0, 0] {
            numbers.u32(free_list);
        }
        numbers.u32(root);
        file[HEADER_NUMBERS..HEADER_NUMBERS + numbers.len()].copy_from_slice(&numbers);
    }
}

/// How many entries a subtree of that height can hold: a leaf is of height 0.
fn capacity(height: u32) -> usize {
    (NODE_ENTRIES + 1).saturating_pow(height + 1) - 1
}

fn height_of(entries: usize) -> u32 {
    let mut height = 0;
    while capacity(height) < entries {
        height += 1;
    }
    height
}

fn node_bytes(branches: &[u32], entries: &[&Laid]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(NODE_SIZE);
    branches.iter().for_each(|branch| bytes.u32(*branch));
    bytes.resize(NODE_COUNT_AT, 0);
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
    debug_assert!(bytes.len() <= NODE_COUNT_AT + 4 + NODE_ENTRIES * ENTRY_SIZE);
    bytes.resize(NODE_SIZE, 0);
    bytes
}
