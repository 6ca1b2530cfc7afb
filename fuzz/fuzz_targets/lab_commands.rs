//! Any text as commands of the lab's page, one on each line, to a session that walks: each is answered.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    acmotion_lab::internals::run_commands(text).expect("the built-in town is valid");
});
