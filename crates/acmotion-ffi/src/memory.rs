//! The caller's memory: pointers are checked as far as that is possible, read by value, and written through raw pointers.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::str;

use crate::status::{AcmStatus, Failure, Outcome};

/// A structure that says how large it is, so that callers built for another version are noticed.
///
/// # Safety
/// The first field is `struct_size`, a `u32`, and every bit pattern is a value of the type.
pub(crate) unsafe trait Versioned: Copy {}

fn check<T>(pointer: *const T, what: &'static str) -> Outcome {
    if pointer.is_null() {
        return Err(Failure::of(AcmStatus::NullPointer, format_args!("{what} is NULL")));
    }
    if !pointer.is_aligned() {
        return Err(Failure::of(AcmStatus::Misaligned, format_args!("{what} is not aligned")));
    }
    Ok(())
}

fn check_length<T>(length: usize, what: &'static str) -> Outcome {
    match length.checked_mul(size_of::<T>()) {
        Some(size) if size <= isize::MAX as usize => Ok(()),
        _ => Err(Failure::bad_argument(format_args!("{what} is longer than any memory"))),
    }
}

/// Reads a plain value.
///
/// # Safety
/// A pointer that is neither NULL nor misaligned must be valid for reading a `T`, and every bit pattern must be a `T`.
pub(crate) unsafe fn input<T: Copy>(pointer: *const T, what: &'static str) -> Outcome<T> {
    check(pointer, what)?;
    // SAFETY: not NULL and aligned; the caller promises the rest.
    Ok(unsafe { pointer.read() })
}

/// Reads a structure that has its size in it.
///
/// # Safety
/// As for [`input`]; but only its first four bytes need be valid if they are not the size of the structure.
pub(crate) unsafe fn sized<T: Versioned>(pointer: *const T, what: &'static str) -> Outcome<T> {
    // SAFETY: `struct_size` is the first field, and the caller promises that it can be read.
    let size = unsafe { input(pointer.cast::<u32>(), what)? };
    if size as usize != size_of::<T>() {
        let expected = size_of::<T>();
        let text = format!("{what}: struct_size is {size}, expected {expected}");
        return Err(Failure::of(AcmStatus::StructSize, text));
    }
    // SAFETY: the caller promises that as many bytes as `struct_size` says can be read.
    unsafe { input(pointer, what) }
}

/// Reads a list of plain values. NULL is an empty one.
///
/// # Safety
/// As for [`input`], for `length` values, which nothing may change during the call.
pub(crate) unsafe fn inputs<'a, T: Copy>(
    pointer: *const T,
    length: usize,
    what: &'static str,
) -> Outcome<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, what)?;
    check_length::<T>(length, what)?;
    // SAFETY: not NULL, aligned and not too long; the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Reads a text in UTF-8.
///
/// # Safety
/// As for [`inputs`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char, length: usize, what: &'static str) -> Outcome<&'a str> {
    // SAFETY: the caller promises what `inputs` needs.
    let bytes = unsafe { inputs(pointer.cast::<u8>(), length, what)? };
    str::from_utf8(bytes).map_err(|error| Failure::bad_argument(format_args!("{what} is not UTF-8: {error}")))
}

/// A place for one result.
pub(crate) struct Out<'a, T> {
    pointer: *mut T,
    memory: PhantomData<&'a mut T>,
}

impl<T: Copy> Out<'_, T> {
    /// # Safety
    /// A pointer that is neither NULL nor misaligned must be valid for writing a `T` as long as the result lives.
    pub(crate) unsafe fn new(pointer: *mut T, what: &'static str) -> Outcome<Self> {
        check(pointer, what)?;
        Ok(Self { pointer, memory: PhantomData })
    }

    pub(crate) fn set(&self, value: T) {
        // SAFETY: `new` checked the pointer, and its caller promised that it can be written.
        unsafe { self.pointer.write(value) }
    }
}

/// A place for a list of results.
pub(crate) struct OutList<'a, T> {
    pointer: *mut T,
    capacity: usize,
    memory: PhantomData<&'a mut T>,
}

impl<T: Copy> OutList<'_, T> {
    /// # Safety
    /// As for [`Out::new`], for `capacity` values. NULL is good for none.
    pub(crate) unsafe fn new(pointer: *mut T, capacity: usize, what: &'static str) -> Outcome<Self> {
        if capacity > 0 {
            check(pointer, what)?;
            check_length::<T>(capacity, what)?;
        }
        Ok(Self { pointer, capacity, memory: PhantomData })
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Writes a value at an index below the capacity; others are left out.
    pub(crate) fn put(&self, index: usize, value: T) {
        if index < self.capacity {
            // SAFETY: the index is in the memory that the caller of `new` promised.
            unsafe { self.pointer.add(index).write(value) }
        }
    }

    /// Copies values to an index, as far as there is room.
    pub(crate) fn put_all(&self, index: usize, values: &[T]) {
        let count = values.len().min(self.capacity.saturating_sub(index));
        if count > 0 {
            // SAFETY: the values fit into the memory that the caller of `new` promised. They are the engine's, so they do
            // not overlap with it.
            unsafe { self.pointer.add(index).copy_from_nonoverlapping(values.as_ptr(), count) }
        }
    }

    /// Writes all values or none, and sets how many there are.
    pub(crate) fn fill(&self, values: &[T], count: &Out<'_, usize>) -> Outcome {
        count.set(values.len());
        if values.len() > self.capacity {
            return Err(self.too_small(values.len()));
        }
        self.put_all(0, values);
        Ok(())
    }

    pub(crate) fn too_small(&self, needed: usize) -> Failure {
        let text = format!("the buffer has room for {}, needed are {needed}", self.capacity);
        Failure::of(AcmStatus::BufferTooSmall, text)
    }

    /// Lends the memory to the engine.
    ///
    /// # Safety
    /// Every bit pattern must be a `U`, which has the layout of `T`.
    pub(crate) unsafe fn as_slice_of<U>(&mut self) -> &mut [U] {
        const { assert!(size_of::<U>() == size_of::<T>() && align_of::<U>() == align_of::<T>()) };
        if self.capacity == 0 {
            return &mut [];
        }
        // SAFETY: `new` checked pointer and length, and its caller promised the memory; the result borrows `self`.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.cast(), self.capacity) }
    }
}
