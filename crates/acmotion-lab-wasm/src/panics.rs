//! How a fault in the lab itself is reported.

use std::panic;

use wasm_bindgen::prelude::wasm_bindgen;

/// Lets a panic throw an `Error` with its text, where WebAssembly would only stop with `unreachable`. The worker ends then.
#[wasm_bindgen(start)]
pub fn set_panic_hook() {
    panic::set_hook(Box::new(|fault| {
        wasm_bindgen::throw_str(&format!("a fault in acmotion, please report it: {fault}"))
    }));
}
