//! Random sequences of calls of the C interface, with good and bad handles, buffers, numbers and messages: nothing panics and
//! nothing crashes. The sequences are those of a test of `acmotion-ffi`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/acmotion-ffi/tests/calls/mod.rs"]
mod calls;

fuzz_target!(|input: &[u8]| {
    calls::run(input);
});
