//! Errors of the container and of its objects, with the offsets and sizes involved.

use acmotion_types::MotionCommand;
use thiserror::Error;

use crate::id::{DataId, ObjectKind};

/// An error between opening a file and decoding one of its objects.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DatError {
    /// The operating system could not open or read the file.
    #[error("{path}: {reason}")]
    Io {
        /// The path of the file.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
    /// The header, the directory or a block chain is damaged.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file has no such object.
    #[error("there is no object {0} in this file")]
    NotFound(DataId),
    /// The landblock's entry has no bytes. The game's files contain such entries, so it is not damaged; it has no terrain.
    #[error("landblock {0} is empty")]
    Empty(DataId),
    /// The object exists but cannot be decoded.
    #[error("object {id} at file offset 0x{offset:X}: {source}")]
    Object {
        /// The object's id in the directory.
        id: DataId,
        /// The file offset of its first block.
        offset: u32,
        /// What is wrong with the object's bytes.
        source: ParseError,
    },
    /// The id belongs to a different kind of object than the caller requested.
    #[error("object {id} is of kind {found}, expected {expected}")]
    WrongKind {
        /// The requested id.
        id: DataId,
        /// The requested kind.
        expected: ObjectKind,
        /// The kind that ids in this range have.
        found: ObjectKind,
    },
    /// The motion table has no such motion.
    #[error("motion table {table} has no {motion} in style {style}")]
    UndefinedMotion {
        /// The motion table.
        table: DataId,
        /// The style.
        style: MotionCommand,
        /// The motion.
        motion: MotionCommand,
    },
}

/// Damage in the container: the header, the directory or a block chain (`docs/dat.md` §1).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContainerError {
    /// The file is too short to hold a header.
    #[error("not a dat file: {had} bytes, the header alone has {needed}")]
    NoHeader {
        /// The size of a header, in bytes.
        needed: u64,
        /// The length of the file, in bytes.
        had: u64,
    },
    /// The magic number is wrong.
    #[error("not a dat file: the magic number at offset 0x140 is 0x{found:08X}, expected 0x00005442")]
    Magic {
        /// The number found in its place.
        found: u32,
    },
    /// The block size is neither of the two that exist.
    #[error("block size {found} at offset 0x144: expected 256 or 1024")]
    BlockSize {
        /// The block size in the header.
        found: u32,
    },
    /// A block lies at least partly beyond the end of the file.
    #[error("block at offset 0x{offset:X} extends past the end of the file ({length} bytes)")]
    BlockOutside {
        /// The offset of the block.
        offset: u32,
        /// The length of the file, in bytes.
        length: u64,
    },
    /// A block chain ends before all its bytes were read.
    #[error("block chain from offset 0x{start:X} ends after {had} of {needed} bytes")]
    ChainEnds {
        /// The offset of the first block.
        start: u32,
        /// The number of bytes the chain must hold.
        needed: u64,
        /// The number of bytes it holds.
        had: u64,
    },
    /// A block chain visits the same block twice.
    #[error("block chain from offset 0x{start:X} visits the block at offset 0x{block:X} twice")]
    ChainCycle {
        /// The offset of the first block.
        start: u32,
        /// The offset of the repeated block.
        block: u32,
    },
    /// The directory gives an object more bytes than the file has.
    #[error("object {id} has a size of {size} bytes, but the file has only {length}")]
    ObjectTooLarge {
        /// The object's id.
        id: DataId,
        /// The size in its directory entry.
        size: u32,
        /// The length of the file, in bytes.
        length: u64,
    },
    /// The objects up to this one have more bytes than the file, so some of them share bytes.
    #[error(
        "object {id} of {size} bytes overlaps others: with it, objects have more bytes than the file ({length})"
    )]
    Overlap {
        /// The object's id.
        id: DataId,
        /// The size in its directory entry.
        size: u32,
        /// The length of the file, in bytes.
        length: u64,
    },
    /// The list of free blocks is damaged. Objects can be read nevertheless.
    #[error("damaged free list: it {reason}, at offset 0x{block:X}")]
    FreeList {
        /// The offset of the block.
        block: u32,
        /// What is wrong with the list.
        reason: &'static str,
    },
    /// A directory node has an entry count that exceeds its capacity.
    #[error("directory node at offset 0x{offset:X} has an entry count of {count}, the maximum is 61")]
    NodeCount {
        /// The offset of the node.
        offset: u32,
        /// The entry count in the file.
        count: u32,
    },
    /// A directory node is reached twice, or the tree is deeper than a valid directory can be.
    #[error("the directory tree has a cycle at the node at offset 0x{offset:X}")]
    NodeCycle {
        /// The offset of the node.
        offset: u32,
    },
    /// The ids of the directory are not in strictly ascending order.
    #[error("directory node at offset 0x{offset:X}: id {id} follows {before}, ids must ascend")]
    Order {
        /// The offset of the node.
        offset: u32,
        /// The id that is out of order.
        id: DataId,
        /// The larger or equal id before it.
        before: DataId,
    },
    /// A compressed object cannot be decompressed.
    #[error("object {id} at offset 0x{offset:X}: {reason}")]
    Compressed {
        /// The object's id.
        id: DataId,
        /// The offset of its first block.
        offset: u32,
        /// Why decompression failed.
        reason: String,
    },
    /// The [`DatSource`](crate::DatSource) failed to read.
    #[error("reading {needed} bytes at offset 0x{offset:X}: {reason}")]
    Read {
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes.
        needed: usize,
        /// The message of the source.
        reason: String,
    },
}

/// The reason why bytes are not a valid object: the kind of object, the field, its offset, and the problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{object}, {field} at byte {offset}: {problem}")]
pub struct ParseError {
    /// The kind of the object.
    pub object: &'static str,
    /// The field being read.
    pub field: &'static str,
    /// The offset of the field, in bytes from the start of the object.
    pub offset: usize,
    /// What is wrong with the field.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The object ends too early.
    #[error("{needed} bytes needed, {had} left")]
    Missing {
        /// The size of the field, in bytes.
        needed: usize,
        /// The number of bytes left in the object.
        had: usize,
    },
    /// A count needs more bytes than the object has left.
    #[error("a count of {count} needs at least {needed} bytes, {had} are left")]
    Count {
        /// The count.
        count: u64,
        /// The minimum number of bytes that this many elements take.
        needed: u64,
        /// The number of bytes left in the object.
        had: usize,
    },
    /// The object is followed by further bytes.
    #[error("{left} unexpected bytes after the end of the object")]
    Trailing {
        /// The number of further bytes.
        left: usize,
    },
    /// A float is NaN.
    #[error("not a number (NaN)")]
    NotANumber,
    /// The id stored in the object differs from the expected one.
    #[error("the object's own id is {found}, expected {expected}")]
    OtherId {
        /// The id stored in the object.
        found: DataId,
        /// The id in the directory, or the first of two copies in the object.
        expected: DataId,
    },
    /// The hook type does not exist.
    #[error("unknown hook type {found}, expected 0 to 26")]
    UnknownHook {
        /// The type in the file.
        found: u32,
    },
    /// The tag of a BSP node does not exist.
    #[error("unknown BSP node tag 0x{found:08X}")]
    UnknownNode {
        /// The tag in the file.
        found: u32,
    },
    /// A BSP tree is nested too deeply.
    #[error("tree is deeper than {limit} levels")]
    TooDeep {
        /// The maximum depth.
        limit: usize,
    },
    /// A variable-length number takes more bytes than it needs, which no writer produces.
    #[error("number {value} is not in its shortest encoding")]
    NotShortest {
        /// The decoded number.
        value: u32,
    },
}
