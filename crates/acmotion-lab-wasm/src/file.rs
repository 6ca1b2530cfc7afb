//! Dat files of the page, which are read where they are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;

use acmotion::dat::DatSource;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};

thread_local! {
    /// The functions that read the open files, by number: a source can be shared between threads, but a function of JavaScript
    /// cannot.
    static READERS: RefCell<HashMap<u32, Function>> = RefCell::default();
    static LAST_NUMBER: RefCell<u32> = const { RefCell::new(0) };
}

/// A file of the page.
pub(crate) struct PageFile {
    number: u32,
    length: u64,
}

impl PageFile {
    /// A file of some bytes. `read` is called with an offset and a length, and returns these bytes.
    pub(crate) fn new(length: u64, read: Function) -> Self {
        let number = LAST_NUMBER.with_borrow_mut(|last| {
            *last += 1;
            *last
        });
        READERS.with_borrow_mut(|readers| readers.insert(number, read));
        Self { number, length }
    }
}

impl Drop for PageFile {
    fn drop(&mut self) {
        READERS.with_borrow_mut(|readers| readers.remove(&self.number));
    }
}

impl DatSource for PageFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let read = READERS.with_borrow(|readers| readers.get(&self.number).cloned());
        let read = read.ok_or(io::ErrorKind::NotFound)?;
        // Offsets in files that a page can open are exact as `f64`.
        let answer = read.call2(&JsValue::NULL, &(offset as f64).into(), &(buffer.len() as f64).into());
        let bytes = answer.ok().and_then(|answer| answer.dyn_into::<Uint8Array>().ok());
        match bytes {
            Some(bytes) if bytes.length() as usize == buffer.len() => {
                bytes.copy_to(buffer);
                Ok(())
            }
            // Also if the file was changed or removed since it was chosen.
            _ => Err(io::Error::other("the browser cannot read the file any more; choose it again")),
        }
    }
}
