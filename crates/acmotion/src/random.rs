//! Numbers that look random and are the same on every machine.

/// Mixes the bits of a number well enough for the result to look random.
pub(crate) fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Returns the number from 0 up to, but not including, 1 that belongs to `number`.
pub(crate) fn unit(number: u64) -> f32 {
    // The 24 bits of a float's mantissa.
    (mix(number) >> 40) as f32 / (1u32 << 24) as f32
}

/// Returns the number from −1 up to, but not including, 1 at an index of the sequence that belongs to a seed.
pub(crate) fn signed_unit(seed: u64, index: u64) -> f32 {
    unit(mix(seed).wrapping_add(index)) * 2.0 - 1.0
}
