//! The message writer.

use acmotion_types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};

use super::fixed::FixedSize;
use super::{Pad, padding};

/// Appends a message to a buffer.
#[derive(Debug)]
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// The number of bytes written. It is usually known at compile time, and so is the padding.
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

/// The maximum size of a value or group, in bytes.
const MAX_SIZE: usize = 64;

impl<'a> Writer<'a> {
    /// Creates a writer that appends to `out`. Alignment is counted from the current end of `out`.
    #[inline(always)]
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, written: 0 }
    }

    /// Returns the number of bytes written.
    #[inline(always)]
    pub(crate) fn offset(&self) -> usize {
        self.written
    }

    write_values! {
        /// Appends a byte.
        u8 u8;
        /// Appends a 16-bit number.
        u16 u16;
        /// Appends a 32-bit number.
        u32 u32;
        /// Appends a signed 32-bit number.
        i32 i32;
        /// Appends a 32-bit float.
        f32 f32;
        /// Appends a 64-bit float.
        f64 f64;
        /// Appends an object id.
        guid Guid;
        /// Appends a 16-bit stamp.
        stamp Stamp;
        /// Appends a command as a full 32-bit id.
        command MotionCommand;
        /// Appends three floats.
        vec3 Vec3;
        /// Appends a full position, 32 bytes.
        position CellPosition;
    }

    /// Appends a value or a group of values.
    #[inline(always)]
    pub(crate) fn fixed<T: FixedSize>(&mut self, value: T) {
        const { assert!(T::SIZE <= MAX_SIZE) }
        let mut bytes = [0; MAX_SIZE];
        value.put(&mut bytes);
        self.out.extend_from_slice(&bytes[..T::SIZE]);
        self.written += T::SIZE;
    }

    /// Appends raw bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.written += bytes.len();
    }

    /// Appends as much of `pad` as is needed to reach the next multiple of four.
    #[inline(always)]
    pub(crate) fn align(&mut self, Pad([a, b, c]): Pad) {
        match padding(self.written) {
            0 => {}
            1 => self.fixed(a),
            2 => self.fixed((a, b)),
            _ => self.fixed((a, b, c)),
        }
    }

    /// Appends at most `N` bytes: `head`, followed by the values that `fill` puts into the block.
    #[inline(always)]
    pub(crate) fn block<const N: usize>(
        &mut self,
        head: impl FixedSize,
        fill: impl FnOnce(&mut Block<'_, N>),
    ) {
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

    /// Overwrites the number that starts `back` bytes before the end.
    pub(crate) fn patch_u32(&mut self, back: usize, value: u32) {
        let start = self.out.len().saturating_sub(back);
        if let Some(bytes) = self.out.get_mut(start..) {
            value.put(bytes);
        }
    }
}

/// Space at the end of a message for a run of optional values.
///
/// Every value is written, but only a value that is present advances the write offset. This avoids branches on the
/// flags.
#[derive(Debug)]
pub(crate) struct Block<'a, const N: usize> {
    bytes: &'a mut [u8; N],
    used: usize,
}

impl<const N: usize> Block<'_, N> {
    /// Appends the value if it is `Some`.
    #[inline(always)]
    pub(crate) fn put<T: FixedSize + Default>(&mut self, value: Option<T>) {
        let before = self.used;
        self.append(value.unwrap_or_default());
        self.used = if value.is_some() { self.used } else { before };
    }

    #[inline(always)]
    fn append<T: FixedSize>(&mut self, value: T) {
        debug_assert!(self.used + T::SIZE <= N, "the block is too small for its values");
        if self.used + T::SIZE <= N {
            value.put(&mut self.bytes[self.used..]);
            self.used += T::SIZE;
        }
    }
}
