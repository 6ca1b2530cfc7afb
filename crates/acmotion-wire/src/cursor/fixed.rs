//! Values of a fixed size, alone and in groups.
//!
//! For speed, a group is read with a single length check and written with a single extension of the buffer. Which field
//! is incomplete is worked out only after the check has failed.

use acmotion_types::{CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};

/// A value that always has the same size on the wire.
pub(crate) trait FixedSize: Copy {
    const SIZE: usize;
    /// Reads the value from the front of `bytes`, which has at least `SIZE` bytes.
    fn parse(bytes: &[u8]) -> Self;
    /// Writes the value to the front of `bytes`, which has at least `SIZE` bytes.
    fn put(self, bytes: &mut [u8]);
}

macro_rules! fixed_numbers {
    ($($type:ty)*) => {
        $(
            impl FixedSize for $type {
                const SIZE: usize = size_of::<Self>();

                #[inline]
                fn parse(bytes: &[u8]) -> Self {
                    bytes.first_chunk().map_or_else(Self::default, |chunk| Self::from_le_bytes(*chunk))
                }

                #[inline]
                fn put(self, bytes: &mut [u8]) {
                    if let Some(chunk) = bytes.first_chunk_mut() {
                        *chunk = self.to_le_bytes();
                    }
                }
            }
        )*
    };
}

fixed_numbers! { u8 u16 u32 i32 f32 f64 }

/// Implements [`FixedSize`] for types that are encoded like another type.
macro_rules! fixed_like {
    ($($type:ty: $inner:ty, $wrap:expr, $unwrap:expr;)*) => {
        $(
            impl FixedSize for $type {
                const SIZE: usize = <$inner>::SIZE;

                #[inline]
                fn parse(bytes: &[u8]) -> Self {
                    $wrap(<$inner>::parse(bytes))
                }

                #[inline]
                fn put(self, bytes: &mut [u8]) {
                    $unwrap(self).put(bytes);
                }
            }
        )*
    };
}

fixed_like! {
    Guid: u32, Guid, |guid: Self| guid.0;
    CellId: u32, CellId, |cell: Self| cell.0;
    MotionCommand: u32, MotionCommand, |command: Self| command.0;
    Stamp: u16, Stamp, |stamp: Self| stamp.0;
    Vec3: (f32, f32, f32), |(x, y, z)| Vec3::new(x, y, z), |v: Self| (v.x, v.y, v.z);
    Quat: (f32, f32, f32, f32), |(w, x, y, z)| Quat::new(w, x, y, z), |q: Self| (q.w, q.x, q.y, q.z);
    Frame: (Vec3, Quat), |(origin, rotation)| Frame::new(origin, rotation),
        |frame: Self| (frame.origin, frame.rotation);
    CellPosition: (CellId, Frame), |(cell, frame)| CellPosition::new(cell, frame),
        |position: Self| (position.cell, position.frame);
}

/// A tuple of consecutive values.
pub(crate) trait FixedGroup: FixedSize {
    /// The field names, for errors.
    type Names: AsRef<[&'static str]>;
    /// The size of each value.
    const SIZES: &'static [usize];
}

/// Splits a `T` off the front of `bytes`. The caller has checked the size of the whole group, so that the compiler
/// removes the check here.
#[inline]
fn split<T: FixedSize>(bytes: &[u8]) -> (T, &[u8]) {
    match bytes.split_at_checked(T::SIZE) {
        Some((own, rest)) => (T::parse(own), rest),
        None => (T::parse(&[]), &[]),
    }
}

#[inline]
fn split_put<T: FixedSize>(value: T, bytes: &mut [u8]) -> &mut [u8] {
    match bytes.split_at_mut_checked(T::SIZE) {
        Some((own, rest)) => {
            value.put(own);
            rest
        }
        None => &mut [],
    }
}

macro_rules! group {
    ($($part:ident)*) => {
        #[expect(non_snake_case, reason = "the parts are named like their types")]
        impl<$($part: FixedSize),*> FixedSize for ($($part,)*) {
            const SIZE: usize = 0 $(+ $part::SIZE)*;

            #[inline]
            fn parse(bytes: &[u8]) -> Self {
                $(let ($part, bytes) = split(bytes);)*
                let _ = bytes;
                ($($part,)*)
            }

            #[inline]
            fn put(self, bytes: &mut [u8]) {
                let ($($part,)*) = self;
                $(let bytes = split_put($part, bytes);)*
                let _ = bytes;
            }
        }

        impl<$($part: FixedSize),*> FixedGroup for ($($part,)*) {
            type Names = [&'static str; [$(stringify!($part)),*].len()];
            const SIZES: &'static [usize] = &[$($part::SIZE),*];
        }
    };
}

impl FixedSize for () {
    const SIZE: usize = 0;

    #[inline]
    fn parse(_: &[u8]) -> Self {}

    #[inline]
    fn put(self, _: &mut [u8]) {}
}

group! { A B }
group! { A B C }
group! { A B C D }
group! { A B C D E }
group! { A B C D E F }
group! { A B C D E F G }
group! { A B C D E F G H }
group! { A B C D E F G H I }
