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

#[cfg(test)]
mod tests {
    use super::*;

    /// The first three outputs of `SplitMix64` from seed 0, which adds this constant to its state each time.
    #[test]
    fn numbers_are_those_of_split_mix_64() {
        let step = 0x9E37_79B9_7F4A_7C15_u64;
        let outputs = [0, 1, 2].map(|index: u64| mix(step.wrapping_mul(index)));
        assert_eq!(outputs, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    }

    /// The upper 24 bits, as a share of all that 24 bits can hold.
    #[test]
    fn units_are_between_0_and_1_and_signed_ones_on_both_sides() {
        assert_eq!(unit(0), 0xE220A8 as f32 / 16_777_216.0);
        let signed: Vec<f32> = (0..1000).map(|index| signed_unit(7, index)).collect();
        assert_eq!(signed[3], unit(mix(7).wrapping_add(3)) * 2.0 - 1.0);
        assert!(signed.iter().all(|number| (-1.0..1.0).contains(number)));
        let below = signed.iter().filter(|number| **number < 0.0).count();
        assert!((450..550).contains(&below), "{below} of 1,000");
    }
}
