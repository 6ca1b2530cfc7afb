//! The container: header, block chains and directory (`docs/dat.md` §1).

mod walk;

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use crate::error::{ContainerError, DatError};
use crate::id::{DataId, DataSet, ObjectKind};
use crate::objects::DatObject;
use crate::source::{self, DatSource, MemorySource};
pub use walk::Entries;

/// The size of the header at the start of the file, in bytes.
pub(crate) const HEADER_SIZE: usize = 400;
/// The offset of the header's numeric fields. They follow a version string and a transaction record.
pub(crate) const HEADER_FIELDS_OFFSET: usize = 0x140;
pub(crate) const MAGIC: u32 = 0x0000_5442;
/// The maximum number of entries in a directory node.
pub(crate) const NODE_ENTRIES: usize = 61;
/// The offset of the entry count in a node, after its 62 branches.
pub(crate) const NODE_COUNT_OFFSET: usize = 248;
pub(crate) const ENTRY_SIZE: usize = 24;
/// The size of a directory node, in bytes: branches, entry count and entries.
pub(crate) const NODE_SIZE: usize = NODE_COUNT_OFFSET + 4 + NODE_ENTRIES * ENTRY_SIZE;
/// The bit that the links of free blocks carry. Alone, it ends the free list.
pub(crate) const FREE_BLOCK: u32 = 0x8000_0000;
/// The bit of an entry's flags that marks a compressed object.
pub(crate) const COMPRESSED: u16 = 1;
/// The maximum depth of the directory. With at least 30 entries per node, 2³² ids need seven levels.
const MAX_DEPTH: usize = 32;
/// The maximum compression ratio of zlib, about 1032 to 1.
const MAX_INFLATION: u64 = 1032;

/// The header fields that matter to a reader (`docs/dat.md` §1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The size of a block, in bytes: 1024 in portal and local files, 256 in cell files.
    pub block_size: u32,
    /// The length of the file according to the header, in bytes.
    pub file_size: u32,
    /// The data set: which of the game's files this is.
    pub data_set: DataSet,
    /// The subset of the data set, such as the region of a cell file.
    pub data_subset: u32,
    /// The offset of the first block of the free list.
    pub first_free: u32,
    /// The offset of the last block of the free list.
    pub last_free: u32,
    /// The number of blocks in the free list.
    pub free_count: u32,
    /// The offset of the directory's root node.
    pub root: u32,
    /// The version of the engine that wrote the file.
    pub engine_version: u32,
    /// The version of the game that wrote the file.
    pub game_version: u32,
    /// The minor version of the data.
    pub minor_version: u32,
}

/// The directory entry of an object (`docs/dat.md` §1.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Flags; bit 0 marks a compressed object.
    pub flags: u16,
    /// The version of the entry.
    pub version: u16,
    /// The object's id.
    pub id: DataId,
    /// The file offset of the object's first block.
    pub offset: u32,
    /// The stored size of the object, in bytes; for a compressed object, the compressed size.
    pub size: u32,
    /// The time at which the object was written, in seconds since 1970.
    pub time: u32,
    /// The iteration of the data in which the object was written.
    pub iteration: u32,
}

impl Entry {
    /// Returns `true` if the object is compressed.
    pub const fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    /// Returns `true` if the entry has no bytes. The game's files contain such entries for landblocks.
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }
}

/// An open dat file. Opening reads only the header; each lookup reads the directory nodes on the path to its entry.
///
/// ```
/// use acmotion_dat::{Dat, DataId, MotionTable, mannequin};
///
/// # fn main() -> Result<(), acmotion_dat::DatError> {
/// let dat = Dat::from_bytes(mannequin::dat_file())?;
/// let table: MotionTable = dat.load(mannequin::HUMAN_TABLE)?;
/// assert!(table.cycles.len() > 10);
/// assert!(dat.find(DataId(0x0900_FFFF))?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct Dat {
    source: Box<dyn DatSource>,
    header: Header,
    /// Whether objects share bytes of the file, once that is known.
    overlap: OnceLock<Result<(), ContainerError>>,
}

impl Dat {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or has no valid header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DatError> {
        let path = path.as_ref();
        let source = source::open(path)
            .map_err(|error| DatError::Io { path: path.display().to_string(), reason: error.to_string() })?;
        Self::from_boxed(source)
    }

    /// Opens a file that is in memory.
    ///
    /// # Errors
    /// Returns an error if it has no valid header.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, DatError> {
        Self::from_source(MemorySource(bytes))
    }

    /// Opens a file from any source.
    ///
    /// # Errors
    /// Returns an error if it has no valid header.
    pub fn from_source(source: impl DatSource + 'static) -> Result<Self, DatError> {
        Self::from_boxed(Box::new(source))
    }

    fn from_boxed(source: Box<dyn DatSource>) -> Result<Self, DatError> {
        let header = read_header(source.as_ref())?;
        Ok(Self { source, header, overlap: OnceLock::new() })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the actual length of the file in bytes, which may differ from [`Header::file_size`].
    pub fn length(&self) -> u64 {
        self.source.length()
    }

    /// Returns the kind that an id denotes in this file.
    pub fn kind_of(&self, id: DataId) -> ObjectKind {
        ObjectKind::of(id, self.header.data_set)
    }

    /// Looks up an id in the directory. Returns `None` if the file has no such object.
    ///
    /// # Errors
    /// Returns an error if a directory node on the path is damaged.
    pub fn find(&self, id: DataId) -> Result<Option<Entry>, ContainerError> {
        let mut offset = self.header.root;
        for _ in 0..MAX_DEPTH {
            let node = self.read_node(offset)?;
            let index = match node.search(id) {
                Ok(index) => return Ok(Some(node.entry(index))),
                Err(index) => index,
            };
            match node.child(index) {
                Some(child) => offset = child,
                None => return Ok(None),
            }
        }
        Err(ContainerError::NodeCycle { offset })
    }

    /// Iterates over all entries in ascending order of ids. A damaged subtree yields an error, and the iteration
    /// continues after it. An entry that brings the size of all objects above that of the file also yields an error.
    pub fn entries(&self) -> Entries<'_> {
        Entries::new(self)
    }

    /// Returns the bytes of an object, decompressed if necessary. They are borrowed if the source is in memory and
    /// the object fits into one block.
    ///
    /// The first read of a compressed object walks the whole directory. If its objects have more bytes than the file, they
    /// share them, and a file of a few kilobytes could decompress to terabytes.
    ///
    /// # Errors
    /// Returns an error if the block chain is damaged or the object cannot be decompressed. For a compressed object, also
    /// if the directory is cyclic or its objects have more bytes than the file.
    pub fn read(&self, entry: &Entry) -> Result<Cow<'_, [u8]>, ContainerError> {
        let length = self.length();
        if u64::from(entry.size) > length {
            return Err(ContainerError::ObjectTooLarge { id: entry.id, size: entry.size, length });
        }
        if entry.is_empty() && !entry.is_compressed() {
            // It has no block either, whatever its offset says.
            return Ok(Cow::Borrowed(&[]));
        }
        if entry.is_compressed() {
            self.overlap.get_or_init(|| self.check_overlap()).clone()?;
        }
        let stored = self.read_chain(entry.offset, entry.size as usize)?;
        if entry.is_compressed() {
            inflate(entry, self.kind_of(entry.id), &stored).map(Cow::Owned)
        } else {
            Ok(stored)
        }
    }

    /// Returns how many bytes [`read`](Self::read) of an object returns, without decompressing it. For one that is
    /// compressed this is what the object itself says, which is not checked; 0 if it says nothing.
    pub fn decompressed_size(&self, entry: &Entry) -> u32 {
        if !entry.is_compressed() {
            return entry.size;
        }
        let mut length = [0; 4];
        match self.read_block(entry.offset, 4, &mut length) {
            Ok(()) => u32::from_le_bytes(length),
            Err(_) => 0,
        }
    }

    /// Checks that all objects together are no larger than the file.
    fn check_overlap(&self) -> Result<(), ContainerError> {
        let overlaps = |error: &ContainerError| {
            matches!(error, ContainerError::Overlap { .. } | ContainerError::NodeCycle { .. })
        };
        self.entries().filter_map(Result::err).find(overlaps).map_or(Ok(()), Err)
    }

    /// Looks up an object and decodes it.
    ///
    /// # Errors
    /// Returns an error if the object is missing, of another kind, or damaged, or a landblock without bytes.
    pub fn load<T: DatObject>(&self, id: DataId) -> Result<T, DatError> {
        let entry = self.find(id)?.ok_or(DatError::NotFound(id))?;
        let found = self.kind_of(id);
        if found != T::KIND {
            return Err(DatError::WrongKind { id, expected: T::KIND, found });
        }
        let bytes = self.read(&entry)?;
        if bytes.is_empty() && found == ObjectKind::LandBlock {
            return Err(DatError::Empty(id));
        }
        let decoded = T::decode(&bytes).and_then(|object| object.check_id(id));
        decoded.map_err(|source| DatError::Object { id, offset: entry.offset, source })
    }

    /// Walks the list of free blocks from [`Header::first_free`] and checks that it has as many blocks as the header
    /// says and ends with [`Header::last_free`] (`docs/dat.md` §1.2). Reading objects never needs the list.
    ///
    /// # Errors
    /// Returns an error if a block lies outside the file, is not marked as free, or if the list is shorter or longer than
    /// the header says.
    pub fn check_free_list(&self) -> Result<(), ContainerError> {
        let Header { first_free, last_free, free_count, .. } = self.header;
        let damaged = |block, reason| Err(ContainerError::FreeList { block, reason });
        if u64::from(free_count) > self.length() / u64::from(self.header.block_size) {
            return damaged(first_free, "has more blocks than the file");
        }
        let (mut block, mut previous) = (first_free, 0);
        for _ in 0..free_count {
            if block == 0 {
                return damaged(previous, "ends early");
            }
            let link = self.next_block(block)?;
            if link & FREE_BLOCK == 0 {
                return damaged(block, "contains a block that is not marked as free");
            }
            (previous, block) = (block, link & !FREE_BLOCK);
        }
        match (block, previous) {
            (0, last) if last == last_free || free_count == 0 => Ok(()),
            (0, last) => damaged(last, "does not end with the last block of the header"),
            (more, _) => damaged(more, "has more blocks than the header says"),
        }
    }

    fn read_node(&self, offset: u32) -> Result<DirectoryNode, ContainerError> {
        let mut bytes = [0; NODE_SIZE];
        self.read_chain_into(offset, &mut bytes)?;
        DirectoryNode::new(offset, bytes)
    }

    /// Returns the number of bytes in a block after the pointer to the next one.
    fn payload_size(&self) -> usize {
        self.header.block_size as usize - 4
    }

    fn read_chain(&self, start: u32, size: usize) -> Result<Cow<'_, [u8]>, ContainerError> {
        if size <= self.payload_size()
            && let Some(memory) = self.source.memory()
        {
            let payload = start as usize + 4;
            let bytes = memory.get(payload..).and_then(|rest| rest.get(..size));
            let outside = ContainerError::BlockOutside { offset: start, length: self.length() };
            return bytes.map(Cow::Borrowed).ok_or(outside);
        }
        let mut bytes = vec![0; size];
        self.read_chain_into(start, &mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// Fills `out` from a block chain. It stops when `out` is full, not at a zero pointer, because the last block may
    /// have unused space (`docs/dat.md` §1.2).
    fn read_chain_into(&self, start: u32, out: &mut [u8]) -> Result<(), ContainerError> {
        let payload = self.payload_size();
        let needed = out.len();
        let mut seen = Vec::new();
        let mut block = start;
        for (index, piece) in out.chunks_mut(payload).enumerate() {
            if index > 0 {
                seen.push(block);
                block = self.next_block(block)?;
                if block == 0 {
                    let (needed, had) = (needed as u64, (index * payload) as u64);
                    return Err(ContainerError::ChainEnds { start, needed, had });
                }
            }
            self.read_block(block, 4, piece)?;
        }
        seen.push(block);
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ContainerError::ChainCycle { start, block: pair[0] }),
            None => Ok(()),
        }
    }

    fn next_block(&self, block: u32) -> Result<u32, ContainerError> {
        let mut pointer = [0; 4];
        self.read_block(block, 0, &mut pointer)?;
        Ok(u32::from_le_bytes(pointer))
    }

    fn read_block(&self, block: u32, from: u64, out: &mut [u8]) -> Result<(), ContainerError> {
        let (offset, needed, length) = (u64::from(block) + from, out.len(), self.length());
        if offset + needed as u64 > length {
            return Err(ContainerError::BlockOutside { offset: block, length });
        }
        self.source.read_at(offset, out).map_err(|error| ContainerError::Read {
            offset,
            needed,
            reason: error.to_string(),
        })
    }
}

fn read_header(source: &dyn DatSource) -> Result<Header, ContainerError> {
    let (needed, had) = (HEADER_SIZE as u64, source.length());
    if had < needed {
        return Err(ContainerError::NoHeader { needed, had });
    }
    let mut bytes = [0; HEADER_SIZE];
    source.read_at(0, &mut bytes).map_err(|error| ContainerError::Read {
        offset: 0,
        needed: HEADER_SIZE,
        reason: error.to_string(),
    })?;
    let number = |offset: usize| u32_at(&bytes, offset);
    if number(HEADER_FIELDS_OFFSET) != MAGIC {
        return Err(ContainerError::Magic { found: number(HEADER_FIELDS_OFFSET) });
    }
    let block_size = number(0x144);
    if block_size != 256 && block_size != 1024 {
        return Err(ContainerError::BlockSize { found: block_size });
    }
    Ok(Header {
        block_size,
        file_size: number(0x148),
        data_set: DataSet::from_number(number(0x14C)),
        data_subset: number(0x150),
        first_free: number(0x154),
        last_free: number(0x158),
        free_count: number(0x15C),
        root: number(0x160),
        engine_version: number(0x174),
        game_version: number(0x178),
        minor_version: number(0x18C),
    })
}

/// Decompresses an object: its decompressed length, followed by a zlib stream (`docs/dat.md` §1.4).
fn inflate(entry: &Entry, kind: ObjectKind, stored: &[u8]) -> Result<Vec<u8>, ContainerError> {
    let fail = |reason: String| ContainerError::Compressed { id: entry.id, offset: entry.offset, reason };
    let Some((length, stream)) = stored.split_first_chunk::<4>() else {
        return Err(fail(format!("compressed object has only {} bytes", stored.len())));
    };
    let length = u32::from_le_bytes(*length);
    if u64::from(length) > stream.len() as u64 * MAX_INFLATION {
        return Err(fail(format!("{} bytes cannot decompress to {length}", stream.len())));
    }
    let limit = kind.max_decompressed_size();
    if length > limit {
        return Err(fail(format!(
            "decompresses to {length} bytes, but the limit for the type {kind} is {limit}"
        )));
    }
    let mut out = Vec::with_capacity(length as usize);
    let mut decoder = flate2::read::ZlibDecoder::new(stream).take(u64::from(length) + 1);
    decoder.read_to_end(&mut out).map_err(|error| fail(format!("not a zlib stream: {error}")))?;
    if out.len() != length as usize {
        return Err(fail(format!("decompresses to {} bytes, expected {length}", out.len())));
    }
    Ok(out)
}

/// A directory node.
pub(crate) struct DirectoryNode {
    pub(crate) offset: u32,
    count: usize,
    bytes: [u8; NODE_SIZE],
}

impl DirectoryNode {
    fn new(offset: u32, bytes: [u8; NODE_SIZE]) -> Result<Self, ContainerError> {
        let count = u32_at(&bytes, NODE_COUNT_OFFSET);
        if count as usize > NODE_ENTRIES {
            return Err(ContainerError::NodeCount { offset, count });
        }
        Ok(Self { offset, count: count as usize, bytes })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    fn entry_at(index: usize) -> usize {
        NODE_COUNT_OFFSET + 4 + index * ENTRY_SIZE
    }

    fn id(&self, index: usize) -> DataId {
        DataId(u32_at(&self.bytes, Self::entry_at(index) + 4))
    }

    pub(crate) fn entry(&self, index: usize) -> Entry {
        let base = Self::entry_at(index);
        let first = u32_at(&self.bytes, base);
        let number = |offset: usize| u32_at(&self.bytes, base + offset);
        Entry {
            flags: first as u16,
            version: (first >> 16) as u16,
            id: self.id(index),
            offset: number(8),
            size: number(12),
            time: number(16),
            iteration: number(20),
        }
    }

    /// Returns the index of the entry with this id, or as an error the index of the branch that may contain it.
    fn search(&self, id: DataId) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.id(middle).cmp(&id) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Returns the offset of child node `index`, or `None` if this node is a leaf. A node is a leaf if its first
    /// branch is zero (`docs/dat.md` §1.3).
    pub(crate) fn child(&self, index: usize) -> Option<u32> {
        (u32_at(&self.bytes, 0) != 0).then(|| u32_at(&self.bytes, 4 * index))
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}
