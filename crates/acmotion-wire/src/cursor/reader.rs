//! The message reader.
//!
//! The code is arranged so that a reader stays in registers while a message is decoded: its address is never passed to
//! a function that is not inlined. Errors are built by functions that take plain numbers.

use std::cell::Cell;
use std::marker::PhantomData;

use acmotion_types::{CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};

use super::commands::table;
use super::fixed::{FixedGroup, FixedSize};
use super::{Pad, padding};
use crate::error::{DecodeError, DecodeErrorKind};

/// The result of reading a field.
pub(crate) type ReadResult<T> = Result<T, ReadFailure>;

/// A [`DecodeError`] while it is being returned through the readers.
///
/// The [`Cell`] hides the niches of the error from the compiler. Otherwise the compiler would encode success in one of
/// them, and would have to check every newly built error for that bit pattern.
#[derive(Clone, Debug)]
pub struct ReadFailure(Cell<DecodeError>);

impl From<DecodeError> for ReadFailure {
    #[cold]
    fn from(error: DecodeError) -> Self {
        Self(Cell::new(error))
    }
}

impl From<ReadFailure> for DecodeError {
    #[cold]
    fn from(failure: ReadFailure) -> Self {
        failure.0.get()
    }
}

/// Reads a message from front to back. Values borrow from the message, and errors name the field and its offset.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// The offset in the message at which `rest` ends.
    end: usize,
    opcode: u32,
    era: Era,
    commands: &'static [MotionCommand],
}

macro_rules! read_values {
    ($($(#[$doc:meta])* $name:ident $type:ty;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name(&mut self, field: &'static str) -> ReadResult<$type> {
                self.fixed(field)
            }
        )*
    };
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of `bytes`, from which alignment and offsets are counted. `opcode` appears in
    /// errors, and `era` selects the table for 16-bit commands.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], opcode: u32, era: Era) -> Self {
        Self::at_offset(0, bytes, opcode, era)
    }

    /// Creates a reader for `rest`, which starts at offset `base` of the message. `base` must be a multiple of four.
    #[inline(always)]
    pub(crate) fn at_offset(base: usize, rest: &'a [u8], opcode: u32, era: Era) -> Self {
        debug_assert!(base.is_multiple_of(4));
        // Masking tells the compiler what the assertion checks, so that it can compute most of the padding.
        let end = (base & !3) + rest.len();
        Self { rest, end, opcode, era, commands: table(era) }
    }

    /// Returns the number of bytes read.
    #[inline(always)]
    pub(crate) fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// Returns the bytes not yet read.
    #[inline(always)]
    pub(crate) fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the era whose command table is in use.
    #[inline(always)]
    pub(crate) fn era(&self) -> Era {
        self.era
    }

    read_values! {
        /// Reads a byte.
        u8 u8;
        /// Reads a 16-bit number.
        u16 u16;
        /// Reads a 32-bit number.
        u32 u32;
        /// Reads a signed 32-bit number.
        i32 i32;
        /// Reads a 32-bit float.
        f32 f32;
        /// Reads a 64-bit float.
        f64 f64;
        /// Reads an object id.
        guid Guid;
        /// Reads a 16-bit stamp.
        stamp Stamp;
        /// Reads a command as a full 32-bit id.
        command MotionCommand;
        /// Reads three floats.
        vec3 Vec3;
        /// Reads a full position, 32 bytes: cell, origin, and rotation with w first.
        position CellPosition;
    }

    #[inline(always)]
    fn fixed<T: FixedSize>(&mut self, field: &'static str) -> ReadResult<T> {
        match self.bytes(T::SIZE, field) {
            Ok(bytes) => Ok(T::parse(bytes)),
            Err(failure) => Err(failure),
        }
    }

    /// Reads consecutive values, each with its field name.
    #[inline(always)]
    pub(crate) fn group<T: FixedGroup>(&mut self, names: &'static T::Names) -> ReadResult<T> {
        match self.deferred_group(names) {
            Ok(values) => Ok(values.get()),
            Err(failure) => Err(failure),
        }
    }

    /// Checks that a group of values is present and advances past it. The values are parsed later, so that they do not
    /// occupy registers in the meantime.
    #[inline(always)]
    pub(crate) fn deferred_group<T: FixedGroup>(
        &mut self,
        names: &'static T::Names,
    ) -> ReadResult<Deferred<'a, T>> {
        let Some((bytes, rest)) = self.rest.split_at_checked(T::SIZE) else {
            return Err(missing_in_group(
                self.opcode,
                self.offset(),
                self.rest.len(),
                T::SIZES,
                names.as_ref(),
            ));
        };
        self.rest = rest;
        Ok(Deferred { bytes, values: PhantomData })
    }

    /// Reads the next `N` bytes.
    #[inline(always)]
    pub(crate) fn chunk<const N: usize>(&mut self, field: &'static str) -> ReadResult<&'a [u8; N]> {
        let Some((chunk, rest)) = self.rest.split_first_chunk() else {
            return Err(missing_bytes(self.opcode, self.offset(), self.rest.len(), field, N));
        };
        self.rest = rest;
        Ok(chunk)
    }

    /// Reads the next `count` bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, count: usize, field: &'static str) -> ReadResult<&'a [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(missing_bytes(self.opcode, self.offset(), self.rest.len(), field, count));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads all remaining bytes.
    #[inline(always)]
    pub(crate) fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Splits off a reader for the next `count` bytes. Its offsets and alignment continue from here.
    #[inline(always)]
    pub(crate) fn sub_reader(&mut self, count: usize, field: &'static str) -> ReadResult<Self> {
        let start = self.offset();
        let rest = self.bytes(count, field)?;
        Ok(Self { rest, end: start + count, ..*self })
    }

    /// Reads a command as a 16-bit index into the era's table, and expands it (rule E6).
    #[inline(always)]
    pub(crate) fn command_index(&mut self, field: &'static str) -> ReadResult<MotionCommand> {
        let index = self.u16(field)?;
        self.expand(index, field)
    }

    /// Expands the 16-bit index that was just read to the full command.
    #[inline(always)]
    pub(crate) fn expand(&self, index: u16, field: &'static str) -> ReadResult<MotionCommand> {
        match self.commands.get(usize::from(index)) {
            Some(command) => Ok(*command),
            None => Err(self.field_error(field, 2, 2, DecodeErrorKind::UnknownCommand { index })),
        }
    }

    /// Reads the padding up to the next multiple of four.
    #[inline(always)]
    pub(crate) fn align(&mut self) -> ReadResult<Pad> {
        let count = padding(self.offset());
        if count == 0 {
            return Ok(Pad::ZERO);
        }
        Ok(Pad(match *self.bytes(count, "padding")? {
            [a] => [a, 0, 0],
            [a, b] => [a, b, 0],
            [a, b, c, ..] => [a, b, c],
            [] => [0; 3],
        }))
    }

    /// Checks that no bytes remain. `field` is the last field read, for the error.
    #[inline(always)]
    pub(crate) fn finish(&self, field: &'static str) -> ReadResult<()> {
        match self.rest.len() {
            0 => Ok(()),
            had => Err(failure(self.opcode, self.offset(), had, field, 0, DecodeErrorKind::TrailingBytes)),
        }
    }

    /// Creates an error about the field of `size` bytes that started `back` bytes before the current offset.
    #[inline(always)]
    pub(crate) fn field_error(
        &self,
        field: &'static str,
        back: usize,
        size: usize,
        problem: DecodeErrorKind,
    ) -> ReadFailure {
        failure(self.opcode, self.offset() - back, self.rest.len() + back, field, size, problem)
    }
}

/// A group of values that is present but not parsed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deferred<'a, T> {
    bytes: &'a [u8],
    values: PhantomData<T>,
}

impl<T: FixedGroup> Deferred<'_, T> {
    #[inline(always)]
    pub(crate) fn get(self) -> T {
        T::parse(self.bytes)
    }
}

#[cold]
#[inline(never)]
fn failure(
    opcode: u32,
    offset: usize,
    had: usize,
    field: &'static str,
    needed: usize,
    problem: DecodeErrorKind,
) -> ReadFailure {
    ReadFailure(Cell::new(DecodeError { opcode, field, offset, needed, had, kind: problem }))
}

#[cold]
#[inline(never)]
fn missing_bytes(opcode: u32, offset: usize, had: usize, field: &'static str, needed: usize) -> ReadFailure {
    failure(opcode, offset, had, field, needed, DecodeErrorKind::MissingBytes)
}

/// Creates the error for the first field of a group that is incomplete.
#[cold]
#[inline(never)]
fn missing_in_group(
    opcode: u32,
    mut offset: usize,
    mut had: usize,
    sizes: &[usize],
    names: &[&'static str],
) -> ReadFailure {
    for (&size, &name) in sizes.iter().zip(names) {
        if size > had {
            return missing_bytes(opcode, offset, had, name, size);
        }
        (offset, had) = (offset + size, had - size);
    }
    missing_bytes(opcode, offset, had, "group", 0)
}
