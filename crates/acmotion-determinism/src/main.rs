//! Runs the three worlds, on one thread and on several, and compares their digests with the pinned ones.

use std::process::ExitCode;

use acmotion::World;
use acmotion_determinism::{PINNED, run, run_on_threads};

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for (kind, pinned) in PINNED {
        let mut digests = vec![(String::from("serial"), run(kind, World::tick))];
        // There are no threads in WebAssembly.
        if cfg!(not(target_family = "wasm")) {
            digests.extend(
                [1, 2, 5].map(|threads| (format!("{threads} threads"), run_on_threads(kind, threads))),
            );
        }
        for (how, digest) in digests {
            if digest == pinned {
                println!("{kind}, {how}: {digest}");
            } else {
                println!("{kind}, {how}: {digest}; expected {pinned}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
