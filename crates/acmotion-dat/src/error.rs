//! What can be wrong with a dat file, said with numbers.

use acmotion_types::MotionCommand;
use thiserror::Error;

use crate::id::{DataId, ObjectKind};

/// Anything that can go wrong between a file name and a decoded object.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DatError {
    /// The operating system refused.
    #[error("{path}: {reason}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The container itself is damaged.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file has no such object.
    #[error("there is no object {0} in this file")]
    NotFound(DataId),
    /// The object is there but cannot be decoded.
    #[error("object {id} at file offset 0x{offset:X}: {source}")]
    Object {
        /// Its id in the directory.
        id: DataId,
        /// Where its first block starts.
        offset: u32,
        /// What is wrong with its bytes.
        source: ParseError,
    },
    /// The id belongs to another kind of object than the one asked for.
    #[error("object {id} is a {found}, a {expected} was asked for")]
    WrongKind {
        /// The id.
        id: DataId,
        /// What was asked for.
        expected: ObjectKind,
        /// What ids of this range are.
        found: ObjectKind,
    },
    /// A motion that a table does not have.
    #[error("motion table {table} has no {motion} in style {style}")]
    Undefined {
        /// The table.
        table: DataId,
        /// The style.
        style: MotionCommand,
        /// The motion.
        motion: MotionCommand,
    },
}

/// Damage in the container: header, directory or block chains (`docs/dat.md` §1).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContainerError {
    /// Too short to hold a header.
    #[error("not a dat file: {had} bytes, the header alone has {needed}")]
    NoHeader {
        /// Bytes of a header.
        needed: u64,
        /// Bytes there are.
        had: u64,
    },
    /// The magic number is another.
    #[error("not a dat file: the magic number at offset 0x140 is 0x{found:08X}, expected 0x00005442")]
    Magic {
        /// What is there instead.
        found: u32,
    },
    /// No file has blocks of this size.
    #[error("block size {found} at offset 0x144: expected 256 or 1024")]
    BlockSize {
        /// The size in the header.
        found: u32,
    },
    /// A block lies, in part at least, behind the end of the file.
    #[error("block at offset 0x{offset:X} ends behind the end of the file ({length} bytes)")]
    BlockOutside {
        /// Where the block starts.
        offset: u32,
        /// Length of the file.
        length: u64,
    },
    /// A block chain ends before everything was read.
    #[error("block chain from offset 0x{start:X} ends after {had} of {needed} bytes")]
    ChainEnds {
        /// The first block.
        start: u32,
        /// Bytes wanted.
        needed: u64,
        /// Bytes found.
        had: u64,
    },
    /// A block chain comes back to itself.
    #[error("block chain from offset 0x{start:X} runs in a circle at block 0x{block:X}")]
    ChainCycle {
        /// The first block.
        start: u32,
        /// The block met twice.
        block: u32,
    },
    /// An object claims more bytes than the file has.
    #[error("object {id} claims {size} bytes in a file of {length}")]
    ObjectTooLarge {
        /// The object.
        id: DataId,
        /// The size in its entry.
        size: u32,
        /// Length of the file.
        length: u64,
    },
    /// A directory node claims more entries than fit.
    #[error("directory node at offset 0x{offset:X} claims {count} entries, 61 fit")]
    NodeCount {
        /// The node.
        offset: u32,
        /// Its entry count.
        count: u32,
    },
    /// A directory node is reached twice, or the tree is deeper than any file can make it.
    #[error("the directory runs in a circle at node 0x{offset:X}")]
    NodeCycle {
        /// The node.
        offset: u32,
    },
    /// The ids of the directory are not in ascending order.
    #[error("directory node at offset 0x{offset:X}: id {id} stands behind {before}")]
    Order {
        /// The node.
        offset: u32,
        /// The id.
        id: DataId,
        /// The larger (or equal) id before it.
        before: DataId,
    },
    /// A compressed entry cannot be unpacked.
    #[error("object {id} at offset 0x{offset:X}: {reason}")]
    Compressed {
        /// The object.
        id: DataId,
        /// Its first block.
        offset: u32,
        /// Why not.
        reason: String,
    },
    /// The byte source failed while reading.
    #[error("reading {needed} bytes at offset 0x{offset:X}: {reason}")]
    Read {
        /// Where.
        offset: u64,
        /// How many.
        needed: usize,
        /// What the source said.
        reason: String,
    },
}

/// Why bytes are not a valid object: which object, which field, where in its own byte stream, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{object}, {field} at byte {offset}: {problem}")]
pub struct ParseError {
    /// Kind of the object.
    pub object: &'static str,
    /// The field being read.
    pub field: &'static str,
    /// Where the field starts, counted from the first byte of the object.
    pub offset: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The object ends too early.
    #[error("{needed} bytes needed, {had} left")]
    Missing {
        /// Bytes the field takes.
        needed: usize,
        /// Bytes left.
        had: usize,
    },
    /// A count that the rest of the object cannot hold.
    #[error("a count of {count} needs at least {needed} bytes, {had} are left")]
    Count {
        /// The count.
        count: u64,
        /// The fewest bytes so many elements can take.
        needed: u64,
        /// Bytes left.
        had: usize,
    },
    /// Bytes are left over.
    #[error("{left} bytes left over")]
    Trailing {
        /// How many.
        left: usize,
    },
    /// A number that is not a number.
    #[error("not a number (NaN)")]
    NotANumber,
    /// The object calls itself by another id than the directory does.
    #[error("the object calls itself {found}, the directory {expected}")]
    OtherId {
        /// The id inside.
        found: DataId,
        /// The id in the directory.
        expected: DataId,
    },
    /// A hook type that does not exist.
    #[error("unknown hook type {found}, types are 0 to 26")]
    UnknownHook {
        /// The type.
        found: u32,
    },
    /// A BSP node of no known tag.
    #[error("unknown BSP node tag 0x{found:08X}")]
    UnknownNode {
        /// The tag.
        found: u32,
    },
    /// A tree nested deeper than a sound one can be.
    #[error("tree deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A compressed number that takes more bytes than it needs, which no writer produces.
    #[error("number {value} is not in its shortest form")]
    NotShortest {
        /// The number.
        value: u32,
    },
}
