//! Random sequences of calls, 3,000 in every run, or as many as `ACMOTION_FFI_SEQUENCES` says. The fuzz target `ffi_calls`
//! makes the same kind, guided by what they reach.
#![allow(unsafe_code, reason = "the functions under test take raw pointers")]

mod calls;

#[test]
fn random_calls_never_panic() {
    let sequences = std::env::var("ACMOTION_FFI_SEQUENCES").ok();
    let sequences: u32 = sequences.map_or(3000, |count| count.parse().expect("a number"));
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for _ in 0..sequences {
        let length = 16 + next() as usize % 400;
        let input: Vec<u8> = (0..length).map(|_| (next() >> 24) as u8).collect();
        calls::run(&input);
    }
}
