//! Curves through key values, and the easing functions that shape the poses.
//!
//! Angles are in degrees. Only `libm` is used, so that the dataset has the same bytes on every platform.

use std::f32::consts::TAU;

/// Returns the sine of an angle in whole turns: `sin_turns(0.25)` is 1.
pub(super) fn sin_turns(turns: f32) -> f32 {
    libm::sinf((turns - turns.floor()) * TAU)
}

/// Returns the cosine of an angle in whole turns.
pub(super) fn cos_turns(turns: f32) -> f32 {
    sin_turns(turns + 0.25)
}

/// Eases from 0 to 1 with zero slope at both ends. `t` is clamped to 0..=1.
pub(super) fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates linearly between two values.
pub(super) fn lerp(from: f32, to: f32, t: f32) -> f32 {
    from + (to - from) * t
}

/// Evaluates the cubic from `from` to `to` with the given slopes at its ends, for `t` from 0 to 1.
pub(super) fn hermite(from: f32, to: f32, slopes: [f32; 2], t: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + to * (3.0 * t2 - 2.0 * t3)
        + slopes[0] * (t3 - 2.0 * t2 + t)
        + slopes[1] * (t3 - t2)
}

/// Returns the value at `t` of a smooth curve through `count` keys, given by their times (ascending) and values.
///
/// Between two keys the curve stays within their values, so a foot that is planted between two keys does not move.
/// The slope is zero at both ends and at every turning point.
pub(super) fn sample_by(
    count: usize,
    time: impl Fn(usize) -> f32,
    value: impl Fn(usize) -> f32,
    t: f32,
) -> f32 {
    if count == 0 {
        return 0.0;
    }
    if count == 1 || t <= time(0) {
        return value(0);
    }
    let last = count - 1;
    if t >= time(last) {
        return value(last);
    }
    let mut k = 0;
    while time(k + 1) < t {
        k += 1;
    }
    let slope = |k: usize| (value(k + 1) - value(k)) / (time(k + 1) - time(k));
    let tangent = |k: usize| {
        if k == 0 || k == last {
            return 0.0;
        }
        let (before, after) = (slope(k - 1), slope(k));
        if before * after <= 0.0 {
            return 0.0;
        }
        let (h0, h1) = (time(k) - time(k - 1), time(k + 1) - time(k));
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        (w0 + w1) / (w0 / before + w1 / after)
    };
    let span = time(k + 1) - time(k);
    let slopes = [tangent(k) * span, tangent(k + 1) * span];
    hermite(value(k), value(k + 1), slopes, (t - time(k)) / span)
}

/// Like [`sample_by`], for pairs of time and value.
pub(super) fn sample(keys: &[(f32, f32)], t: f32) -> f32 {
    sample_by(keys.len(), |k| keys[k].0, |k| keys[k].1, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_passes_through_its_keys_and_never_overshoots() {
        let keys = [(0.0, 1.0), (2.0, 1.0), (3.0, 5.0), (6.0, 4.0)];
        for (time, value) in keys {
            assert_eq!(sample(&keys, time), value);
        }
        assert_eq!(sample(&keys, 1.3), 1.0, "level between equal keys");
        assert!((0..=60).map(|i| sample(&keys, i as f32 * 0.1)).all(|v| (1.0..=5.0).contains(&v)));
        assert_eq!((sample(&keys, -1.0), sample(&keys, 9.0)), (1.0, 4.0));
    }
}
