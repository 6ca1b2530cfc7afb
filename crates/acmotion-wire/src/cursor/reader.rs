//! Reading a message.
//!
//! What is here is written so that a reader can live in registers while a message is decoded: nothing that is not
//! inlined ever sees its address. Errors are made by functions that get plain numbers.

use std::cell::Cell;
use std::marker::PhantomData;

use acmotion_types::{CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};

use super::commands::table;
use super::fixed::{Fixed, Group};
use super::{Pad, padding};
use crate::error::{DecodeError, Problem};

/// What reading gives.
pub(crate) type Read<T> = Result<T, Failure>;

/// A [`DecodeError`] on its way out.
///
/// The cell hides from the compiler which bit patterns an error cannot have. Otherwise it would use one of them to mark
/// success, and have to ask after each field whether the error that was just made is one.
#[derive(Clone, Debug)]
pub struct Failure(Cell<DecodeError>);

impl From<DecodeError> for Failure {
    #[cold]
    fn from(error: DecodeError) -> Self {
        Self(Cell::new(error))
    }
}

impl From<Failure> for DecodeError {
    #[cold]
    fn from(failure: Failure) -> Self {
        failure.0.get()
    }
}

/// Reads a message from front to back, borrowing from it, and knows where it is when something is wrong.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Where in the message `rest` ends.
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
            pub(crate) fn $name(&mut self, field: &'static str) -> Read<$type> {
                self.fixed(field)
            }
        )*
    };
}

impl<'a> Reader<'a> {
    /// A reader at the first of `bytes`. Padding and offsets count from here; `opcode` is for error messages and `era`
    /// for 16-bit commands.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], opcode: u32, era: Era) -> Self {
        Self::behind(0, bytes, opcode, era)
    }

    /// A reader of `rest`, before which there were `base` bytes, a multiple of four.
    #[inline(always)]
    pub(crate) fn behind(base: usize, rest: &'a [u8], opcode: u32, era: Era) -> Self {
        debug_assert!(base.is_multiple_of(4));
        // Saying so once more lets the compiler work out most of the padding.
        let end = (base & !3) + rest.len();
        Self { rest, end, opcode, era, commands: table(era) }
    }

    /// How many bytes have been read.
    #[inline(always)]
    pub(crate) fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// The bytes that have not been read yet.
    #[inline(always)]
    pub(crate) fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// The command table in use.
    #[inline(always)]
    pub(crate) fn era(&self) -> Era {
        self.era
    }

    read_values! {
        /// A byte.
        u8 u8;
        /// A number of 16 bits.
        u16 u16;
        /// A number of 32 bits.
        u32 u32;
        /// A float of 32 bits.
        f32 f32;
        /// A float of 64 bits.
        f64 f64;
        /// An object id.
        guid Guid;
        /// A 16-bit stamp.
        stamp Stamp;
        /// A command as a full 32-bit id.
        command MotionCommand;
        /// Three floats.
        vec3 Vec3;
        /// A whole position, 32 bytes: cell, origin, rotation with w first.
        position CellPosition;
    }

    #[inline(always)]
    fn fixed<T: Fixed>(&mut self, field: &'static str) -> Read<T> {
        match self.bytes(T::SIZE, field) {
            Ok(bytes) => Ok(T::parse(bytes)),
            Err(failure) => Err(failure),
        }
    }

    /// Several values in a row, each with its name.
    #[inline(always)]
    pub(crate) fn group<T: Group>(&mut self, names: &'static T::Names) -> Read<T> {
        match self.later(names) {
            Ok(values) => Ok(values.get()),
            Err(failure) => Err(failure),
        }
    }

    /// Several values in a row, each with its name, for later: until then they need not be kept in registers.
    #[inline(always)]
    pub(crate) fn later<T: Group>(&mut self, names: &'static T::Names) -> Read<Later<'a, T>> {
        let Some((bytes, rest)) = self.rest.split_at_checked(T::SIZE) else {
            return Err(missing_in(self.opcode, self.offset(), self.rest.len(), T::SIZES, names.as_ref()));
        };
        self.rest = rest;
        Ok(Later { bytes, values: PhantomData })
    }

    /// The next `N` bytes.
    #[inline(always)]
    pub(crate) fn chunk<const N: usize>(&mut self, field: &'static str) -> Read<&'a [u8; N]> {
        let Some((chunk, rest)) = self.rest.split_first_chunk() else {
            return Err(missing(self.opcode, self.offset(), self.rest.len(), field, N));
        };
        self.rest = rest;
        Ok(chunk)
    }

    /// The next `count` bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, count: usize, field: &'static str) -> Read<&'a [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(missing(self.opcode, self.offset(), self.rest.len(), field, count));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// All the bytes that are left.
    #[inline(always)]
    pub(crate) fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// A reader of the next `count` bytes alone, with offsets and padding that go on from here.
    #[inline(always)]
    pub(crate) fn limited(&mut self, count: usize, field: &'static str) -> Read<Self> {
        let start = self.offset();
        let rest = self.bytes(count, field)?;
        Ok(Self { rest, end: start + count, ..*self })
    }

    /// A command as a 16-bit index into the era's table (rule E6), expanded.
    #[inline(always)]
    pub(crate) fn command_index(&mut self, field: &'static str) -> Read<MotionCommand> {
        let index = self.u16(field)?;
        self.expand(index, field)
    }

    /// The full command behind the 16-bit index that was just read.
    #[inline(always)]
    pub(crate) fn expand(&self, index: u16, field: &'static str) -> Read<MotionCommand> {
        match self.commands.get(usize::from(index)) {
            Some(command) => Ok(*command),
            None => Err(self.refuse(field, 2, 2, Problem::UnknownCommand { index })),
        }
    }

    /// The bytes up to the next multiple of four.
    #[inline(always)]
    pub(crate) fn align(&mut self) -> Read<Pad> {
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

    /// That everything has been read; `field` is the last one.
    #[inline(always)]
    pub(crate) fn finish(&self, field: &'static str) -> Read<()> {
        match self.rest.len() {
            0 => Ok(()),
            had => Err(failure(self.opcode, self.offset(), had, field, 0, Problem::TrailingBytes)),
        }
    }

    /// An error about the field of `size` bytes that began `back` bytes before here.
    #[inline(always)]
    pub(crate) fn refuse(&self, field: &'static str, back: usize, size: usize, problem: Problem) -> Failure {
        failure(self.opcode, self.offset() - back, self.rest.len() + back, field, size, problem)
    }
}

/// Values that are there but have not been looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later<'a, T> {
    bytes: &'a [u8],
    values: PhantomData<T>,
}

impl<T: Group> Later<'_, T> {
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
    problem: Problem,
) -> Failure {
    Failure(Cell::new(DecodeError { opcode, field, offset, needed, had, problem }))
}

#[cold]
#[inline(never)]
fn missing(opcode: u32, offset: usize, had: usize, field: &'static str, needed: usize) -> Failure {
    failure(opcode, offset, had, field, needed, Problem::MissingBytes)
}

/// Which field of a group is the first that is not whole.
#[cold]
#[inline(never)]
fn missing_in(
    opcode: u32,
    mut offset: usize,
    mut had: usize,
    sizes: &[usize],
    names: &[&'static str],
) -> Failure {
    for (&size, &name) in sizes.iter().zip(names) {
        if size > had {
            return missing(opcode, offset, had, name, size);
        }
        (offset, had) = (offset + size, had - size);
    }
    missing(opcode, offset, had, "group", 0)
}
