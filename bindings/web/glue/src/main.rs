//! Makes the JavaScript that loads a WebAssembly module: `acmotion-glue MODULE FOLDER`. It does what the program
//! `wasm-bindgen` does, with versions that a lock file fixes, and takes less time to build.
#![forbid(unsafe_code)]

use std::env;

use anyhow::{Context as _, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        bail!("expected a module and a folder, found {} arguments", arguments.len());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(folder).with_context(|| format!("cannot make the JavaScript of {module}"))
}
