//! Reading and writing the little-endian bytes of a message (`docs/wire.md` §1.5).

use acmotion_types::{CellId, CellPosition, Era, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};

use crate::error::{DecodeError, Problem};

type Result<T> = std::result::Result<T, DecodeError>;

/// Reads a message from front to back, borrowing from it, and knows where it is when something is wrong.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    end: usize,
    opcode: u32,
    era: Era,
}

macro_rules! read_numbers {
    ($($name:ident $type:ty;)*) => {
        $(
            #[doc = concat!("The next `", stringify!($type), "`.")]
            #[inline]
            pub fn $name(&mut self, field: &'static str) -> Result<$type> {
                Ok(<$type>::from_le_bytes(*self.chunk(field)?))
            }
        )*
    };
}

impl<'a> Reader<'a> {
    /// A reader at the first of `bytes`. Padding and offsets count from here; `opcode` is for error messages and `era`
    /// for 16-bit commands.
    pub fn new(bytes: &'a [u8], opcode: u32, era: Era) -> Self {
        Self { rest: bytes, end: bytes.len(), opcode, era }
    }

    /// How many bytes have been read.
    #[inline]
    pub fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// The bytes that have not been read yet.
    pub fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// The command table in use.
    pub fn era(&self) -> Era {
        self.era
    }

    /// Names the message in later errors.
    pub(crate) fn set_opcode(&mut self, opcode: u32) {
        self.opcode = opcode;
    }

    read_numbers! {
        u8 u8;
        u16 u16;
        u32 u32;
        f32 f32;
        f64 f64;
    }

    /// The next `N` bytes.
    #[inline]
    pub fn chunk<const N: usize>(&mut self, field: &'static str) -> Result<&'a [u8; N]> {
        let Some((chunk, rest)) = self.rest.split_first_chunk() else {
            return Err(self.missing(field, N));
        };
        self.rest = rest;
        Ok(chunk)
    }

    /// The next `count` bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize, field: &'static str) -> Result<&'a [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.missing(field, count));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// All the bytes that are left.
    pub fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// A reader of the next `count` bytes alone, with offsets and padding that go on from here.
    pub fn limited(&mut self, count: usize, field: &'static str) -> Result<Self> {
        let start = self.offset();
        let rest = self.bytes(count, field)?;
        Ok(Self { rest, end: start + count, ..*self })
    }

    /// An object id.
    #[inline]
    pub fn guid(&mut self, field: &'static str) -> Result<Guid> {
        self.u32(field).map(Guid)
    }

    /// A 16-bit stamp.
    #[inline]
    pub fn stamp(&mut self, field: &'static str) -> Result<Stamp> {
        self.u16(field).map(Stamp)
    }

    /// A command as a full 32-bit id.
    #[inline]
    pub fn command(&mut self, field: &'static str) -> Result<MotionCommand> {
        self.u32(field).map(MotionCommand)
    }

    /// A command as a 16-bit index into the era's table (rule E6), expanded.
    #[inline]
    pub fn command_index(&mut self, field: &'static str) -> Result<MotionCommand> {
        let before = self.clone();
        let index = self.u16(field)?;
        self.era.expand(index).ok_or_else(|| before.error(field, 2, Problem::UnknownCommand { index }))
    }

    /// Three floats.
    #[inline]
    pub fn vec3(&mut self, field: &'static str) -> Result<Vec3> {
        Ok(vec3(self.chunk(field)?))
    }

    /// A whole position, 32 bytes: cell, origin, rotation with w first.
    #[inline]
    pub fn position(&mut self, field: &'static str) -> Result<CellPosition> {
        let bytes: &[u8; 32] = self.chunk(field)?;
        let float = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let cell = CellId(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        let origin = Vec3::new(float(4), float(8), float(12));
        Ok(CellPosition::new(cell, Frame::new(origin, Quat::new(float(16), float(20), float(24), float(28)))))
    }

    /// The bytes up to the next multiple of four.
    #[inline]
    pub fn align(&mut self) -> Result<Pad> {
        let mut pad = Pad::ZERO;
        for slot in &mut pad.0[..padding(self.offset())] {
            *slot = self.u8("padding")?;
        }
        Ok(pad)
    }

    /// That everything has been read; `field` is the last one.
    #[inline]
    pub fn finish(&self, field: &'static str) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error(field, 0, Problem::TrailingBytes)) }
    }

    /// An error at the place where `self` stands.
    #[cold]
    #[inline(never)]
    pub fn error(&self, field: &'static str, needed: usize, problem: Problem) -> DecodeError {
        let (offset, had) = (self.offset(), self.rest.len());
        DecodeError { opcode: self.opcode, field, offset, needed, had, problem }
    }

    #[cold]
    #[inline(never)]
    fn missing(&self, field: &'static str, needed: usize) -> DecodeError {
        self.error(field, needed, Problem::MissingBytes)
    }
}

#[inline]
fn vec3(bytes: &[u8; 12]) -> Vec3 {
    let float = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Vec3::new(float(0), float(4), float(8))
}

/// How many bytes are missing to a multiple of four.
#[inline]
const fn padding(offset: usize) -> usize {
    offset.wrapping_neg() % 4
}

/// Appends a message to a buffer.
#[derive(Debug)]
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
}

macro_rules! write_numbers {
    ($($name:ident $type:ty;)*) => {
        $(
            #[doc = concat!("Appends a `", stringify!($type), "`.")]
            #[inline]
            pub fn $name(&mut self, value: $type) {
                self.out.extend_from_slice(&value.to_le_bytes());
            }
        )*
    };
}

impl<'a> Writer<'a> {
    /// A writer behind what is already in `out`; padding counts from there.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        Self { out, start }
    }

    /// How many bytes have been written.
    #[inline]
    pub fn offset(&self) -> usize {
        self.out.len() - self.start
    }

    write_numbers! {
        u8 u8;
        u16 u16;
        u32 u32;
        f32 f32;
        f64 f64;
    }

    /// Appends bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends an object id.
    #[inline]
    pub fn guid(&mut self, guid: Guid) {
        self.u32(guid.0);
    }

    /// Appends a 16-bit stamp.
    #[inline]
    pub fn stamp(&mut self, stamp: Stamp) {
        self.u16(stamp.0);
    }

    /// Appends a command as a full 32-bit id.
    #[inline]
    pub fn command(&mut self, command: MotionCommand) {
        self.u32(command.0);
    }

    /// Appends a command as its 16-bit index.
    #[inline]
    pub fn command_index(&mut self, command: MotionCommand) {
        self.u16(command.wire_index());
    }

    /// Appends three floats.
    #[inline]
    pub fn vec3(&mut self, v: Vec3) {
        self.f32(v.x);
        self.f32(v.y);
        self.f32(v.z);
    }

    /// Appends a whole position, 32 bytes.
    #[inline]
    pub fn position(&mut self, position: &CellPosition) {
        self.u32(position.cell.0);
        self.vec3(position.frame.origin);
        let q = position.frame.rotation;
        self.f32(q.w);
        self.f32(q.x);
        self.f32(q.y);
        self.f32(q.z);
    }

    /// Appends as much of `pad` as leads to the next multiple of four.
    #[inline]
    pub fn align(&mut self, pad: Pad) {
        let count = padding(self.offset());
        self.bytes(&pad.0[..count]);
    }

    /// Writes a number where `placeholder` bytes were left at `offset`.
    pub(crate) fn patch_u32(&mut self, offset: usize, value: u32) {
        if let Some(slot) = self.out[self.start..].get_mut(offset..offset + 4) {
            slot.copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// The bytes between a field and the next multiple of four. Senders write zeros and receivers do not look; what came is
/// kept, so that the message comes out as it went in. As many are written as the place needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pad(pub [u8; 3]);

impl Pad {
    /// What every sender writes.
    pub const ZERO: Self = Self([0; 3]);
}

/// A yes or no in a whole number. Anything but zero is yes; the number is kept, so that it comes out as it went in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WireBool<T = u8>(pub T);

impl<T: Copy + Default + PartialEq> WireBool<T> {
    /// Is it a yes?
    #[inline]
    pub fn get(self) -> bool {
        self.0 != T::default()
    }
}

impl<T: From<bool>> From<bool> for WireBool<T> {
    fn from(value: bool) -> Self {
        Self(T::from(value))
    }
}
