//! Runs the three worlds, on one thread and on several, and with comfort, and compares their digests with the pinned ones.

use std::process::ExitCode;

use acmotion::World;
use acmotion_determinism::{PINNED, PINNED_SHOWN, run, run_on_threads, run_with_comfort};

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
    for ((kind, pinned), (_, expected)) in PINNED.into_iter().zip(PINNED_SHOWN) {
        let (digest, shown) = run_with_comfort(kind, World::tick);
        if digest == pinned && shown == expected {
            println!("{kind}, comfort: shown {shown:#018X}");
        } else {
            println!(
                "{kind}, comfort: {digest}, shown {shown:#018X}; expected {pinned}, shown {expected:#018X}"
            );
            code = ExitCode::FAILURE;
        }
    }
    code
}
