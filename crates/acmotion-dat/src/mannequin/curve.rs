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
    blend(from, to, slopes, hermite_weights(t))
}

/// Returns the weights of both values and both slopes in [`hermite`].
fn hermite_weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, 3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2]
}

fn blend(from: f32, to: f32, slopes: [f32; 2], weights: [f32; 4]) -> f32 {
    from * weights[0] + to * weights[1] + slopes[0] * weights[2] + slopes[1] * weights[3]
}

/// The position of a time among the keys of a curve. It is the same for all channels of a pose.
pub(super) enum Location {
    /// Not between two keys: the curve has the value of the key with this index.
    At(usize),
    /// Between two keys.
    Between(Interval),
}

/// A time between the keys `first` and `first + 1`.
pub(super) struct Interval {
    first: usize,
    /// The index of the last key of the curve.
    last: usize,
    /// The durations of the intervals before, at and after the time; zero where there is none.
    durations: [f32; 3],
    weights: [f32; 4],
}

impl Location {
    /// Finds a time among `count` keys, given by their times in ascending order. There must be at least one.
    pub(super) fn of(count: usize, time: impl Fn(usize) -> f32, t: f32) -> Self {
        let last = count - 1;
        if last == 0 || t <= time(0) {
            return Self::At(0);
        }
        if t >= time(last) {
            return Self::At(last);
        }
        let mut first = 0;
        while time(first + 1) < t {
            first += 1;
        }
        let duration = time(first + 1) - time(first);
        let before = if first == 0 { 0.0 } else { time(first) - time(first - 1) };
        let after = if first + 1 == last { 0.0 } else { time(first + 2) - time(first + 1) };
        let weights = hermite_weights((t - time(first)) / duration);
        Self::Between(Interval { first, last, durations: [before, duration, after], weights })
    }

    /// Returns the value of a smooth curve through the keys.
    ///
    /// Between two keys the curve stays within their values, so a foot that is planted between two keys does not move.
    /// The slope is zero at both ends and at every turning point.
    pub(super) fn value(&self, value: impl Fn(usize) -> f32) -> f32 {
        match self {
            Self::At(key) => value(*key),
            Self::Between(interval) => interval.value(value),
        }
    }
}

impl Interval {
    fn value(&self, value: impl Fn(usize) -> f32) -> f32 {
        let Self { first, last, durations: [before, duration, after], weights } = *self;
        let (from, to) = (value(first), value(first + 1));
        let change = to - from;
        // A level interval is level at both ends, and most channels of a pose do not change.
        if change == 0.0 {
            return blend(from, to, [0.0; 2], weights);
        }
        let slope = change / duration;
        let at_first = if first == 0 {
            0.0
        } else {
            tangent([(from - value(first - 1)) / before, slope], [before, duration])
        };
        let at_next = if first + 1 == last {
            0.0
        } else {
            tangent([slope, (value(first + 2) - to) / after], [duration, after])
        };
        blend(from, to, [at_first * duration, at_next * duration], weights)
    }
}

/// Returns the slope at a key, given the mean slopes before and after it and the durations of these intervals.
fn tangent([before, after]: [f32; 2], [h0, h1]: [f32; 2]) -> f32 {
    if before * after <= 0.0 {
        return 0.0;
    }
    let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
    (w0 + w1) / (w0 / before + w1 / after)
}

/// Returns the value at `t` of a smooth curve through `count` keys (see [`Location::value`]), given by their times
/// (ascending) and values. Without keys it is zero.
pub(super) fn sample_by(
    count: usize,
    time: impl Fn(usize) -> f32,
    value: impl Fn(usize) -> f32,
    t: f32,
) -> f32 {
    if count == 0 { 0.0 } else { Location::of(count, time, t).value(value) }
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
