//! Bytes that JavaScript hands over: files and snapshots.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{Kind, Outcome};

/// Memory for the bytes of a file. JavaScript fills it and hands it over, so that a file is copied once. Unlike the memory of
/// other arguments, it may be refused.
#[wasm_bindgen]
pub struct Bytes(pub(crate) Vec<u8>);

#[wasm_bindgen]
impl Bytes {
    /// Reserves memory, filled with zeros.
    #[wasm_bindgen(constructor)]
    pub fn new(length: usize) -> Outcome<Self> {
        let mut bytes = Vec::new();
        let refused = |_| Kind::Limit.error(format_args!("there is no memory for {length} bytes"));
        bytes.try_reserve_exact(length).map_err(refused)?;
        bytes.resize(length, 0);
        Ok(Self(bytes))
    }

    /// Returns where in the module's memory the bytes lie.
    pub fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}
