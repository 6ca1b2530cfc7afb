//! Writing a message.

use acmotion_types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};

use super::fixed::Fixed;
use super::{Pad, padding};

/// Appends a message to a buffer.
#[derive(Debug)]
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// How many bytes of the message have been written. Mostly known when compiling, and with it the padding.
    written: usize,
}

macro_rules! write_values {
    ($($(#[$doc:meta])* $name:ident $type:ty;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name(&mut self, value: $type) {
                self.fixed(value);
            }
        )*
    };
}

/// The longest value or group.
const LONGEST: usize = 64;

impl<'a> Writer<'a> {
    /// A writer behind what is already in `out`; padding counts from there.
    #[inline(always)]
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, written: 0 }
    }

    /// How many bytes have been written.
    #[inline(always)]
    pub(crate) fn offset(&self) -> usize {
        self.written
    }

    write_values! {
        /// Appends a byte.
        u8 u8;
        /// Appends a number of 16 bits.
        u16 u16;
        /// Appends a number of 32 bits.
        u32 u32;
        /// Appends a float of 32 bits.
        f32 f32;
        /// Appends a float of 64 bits.
        f64 f64;
        /// Appends an object id.
        guid Guid;
        /// Appends a 16-bit stamp.
        stamp Stamp;
        /// Appends a command as a full 32-bit id.
        command MotionCommand;
        /// Appends three floats.
        vec3 Vec3;
        /// Appends a whole position, 32 bytes.
        position CellPosition;
    }

    /// Appends a value, or several in a row.
    #[inline(always)]
    pub(crate) fn fixed<T: Fixed>(&mut self, value: T) {
        const { assert!(T::SIZE <= LONGEST) }
        let mut bytes = [0; LONGEST];
        value.put(&mut bytes);
        self.out.extend_from_slice(&bytes[..T::SIZE]);
        self.written += T::SIZE;
    }

    /// Appends bytes as they are.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.written += bytes.len();
    }

    /// Appends as much of `pad` as leads to the next multiple of four.
    #[inline(always)]
    pub(crate) fn align(&mut self, Pad([a, b, c]): Pad) {
        match padding(self.written) {
            0 => {}
            1 => self.fixed(a),
            2 => self.fixed((a, b)),
            _ => self.fixed((a, b, c)),
        }
    }

    /// Appends up to `N` bytes: `head`, and those values that `fill` says are present.
    #[inline(always)]
    pub(crate) fn block<const N: usize>(&mut self, head: impl Fixed, fill: impl FnOnce(&mut Block<'_, N>)) {
        let start = self.out.len();
        self.out.extend_from_slice(&[0; N]);
        let Some(bytes) = self.out.last_chunk_mut() else { return };
        let mut block = Block { bytes, used: 0 };
        block.append(head);
        fill(&mut block);
        let used = block.used;
        self.out.truncate(start + used);
        self.written += used;
    }

    /// Overwrites a number that was written `back` bytes before the end.
    pub(crate) fn patch_u32(&mut self, back: usize, value: u32) {
        let at = self.out.len().saturating_sub(back);
        if let Some(slot) = self.out.get_mut(at..) {
            value.put(slot);
        }
    }
}

/// Room at the end of a message for values of which some may stay away.
///
/// Every value is written, and only those that are present move the place where the next goes: no jump depends on the
/// flags.
#[derive(Debug)]
pub(crate) struct Block<'a, const N: usize> {
    bytes: &'a mut [u8; N],
    used: usize,
}

impl<const N: usize> Block<'_, N> {
    /// Appends the value if it is present.
    #[inline(always)]
    pub(crate) fn put<T: Fixed + Default>(&mut self, value: Option<T>) {
        let before = self.used;
        self.append(value.unwrap_or_default());
        self.used = if value.is_some() { self.used } else { before };
    }

    #[inline(always)]
    fn append<T: Fixed>(&mut self, value: T) {
        debug_assert!(self.used + T::SIZE <= N, "the block is too small for its values");
        if self.used + T::SIZE <= N {
            value.put(&mut self.bytes[self.used..]);
            self.used += T::SIZE;
        }
    }
}
