//! The memory of this process over simulated time.

use crate::allocator::{allocated, resident_megabytes};

/// The maximum growth of what is allocated, in megabytes for each simulated hour.
pub(super) const MAX_SLOPE: f64 = 1.0;
/// The minimum simulated time, in seconds, for which growth is judged. Over a shorter one, buffers still grow.
const MIN_JUDGED: u64 = 1_800;
/// The number of samples in a run.
const SAMPLES: u64 = 30;
/// The number of rests in a run, and the minimum time from one to the next, in seconds.
const RESTS: u64 = 8;
const MIN_BETWEEN_RESTS: u64 = 120;

/// The memory at some time, in megabytes. `None` where it is not known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    /// The simulated time, in seconds.
    pub(super) second: f64,
    /// The number of bodies in all worlds; 0 while nothing plays.
    pub(super) bodies: usize,
    /// What the program has allocated and not freed.
    pub(super) allocated: Option<f64>,
    /// What the system holds for the process. Freed memory that the allocator keeps is part of it.
    pub(super) resident: Option<f64>,
}

/// Memory at regular times.
pub(super) struct Memory {
    seconds: u64,
    samples: Vec<Sample>,
}

impl Memory {
    /// Creates a record for a run of this many simulated seconds.
    pub(super) fn new(seconds: u64) -> Self {
        Self { seconds, samples: Vec::new() }
    }

    /// Returns `true` if a sample is due after this many seconds.
    pub(super) fn is_due(&self, second: u64) -> bool {
        second.is_multiple_of(self.seconds.div_ceil(SAMPLES).max(1)) || second == self.seconds
    }

    /// Returns `true` if the soak is to rest after this many seconds.
    pub(super) fn is_rest_due(&self, second: u64) -> bool {
        let interval = self.seconds.div_ceil(RESTS).max(MIN_BETWEEN_RESTS);
        second.is_multiple_of(interval) || second == self.seconds
    }

    /// Takes a sample.
    pub(super) fn sample(&mut self, second: u64, bodies: usize) {
        let (allocated, resident) = (allocated().map(|bytes| bytes as f64 / 1e6), resident_megabytes());
        self.samples.push(Sample { second: second as f64, bodies, allocated, resident });
    }

    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Returns the slope of what is allocated at rest in the second half, in megabytes an hour; `None` if it is not known.
    pub(super) fn slope(&self) -> Option<f64> {
        self.slope_of(|sample| sample.allocated)
    }

    /// Returns the slope if the run is long enough to judge it.
    pub(super) fn judged_slope(&self) -> Option<f64> {
        self.slope().filter(|_| self.seconds >= MIN_JUDGED)
    }

    /// Returns the same of what is resident. It is not judged: how much freed memory an allocator keeps depends on where it
    /// lies, and grows for long.
    pub(super) fn resident_slope(&self) -> Option<f64> {
        self.slope_of(|sample| sample.resident)
    }

    fn slope_of(&self, value: fn(&Sample) -> Option<f64>) -> Option<f64> {
        let half = self.seconds as f64 / 2.0;
        let at_rest = self.samples.iter().filter(|sample| sample.bodies == 0 && sample.second >= half);
        let points: Vec<_> = at_rest.filter_map(|sample| Some((sample.second, value(sample)?))).collect();
        slope(&points).map(|per_second| 3_600.0 * per_second)
    }
}

/// Returns the slope of the line through points with the least squares; `None` if they are all above each other.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    let product: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (spread > 0.0).then(|| product / spread)
}

#[cfg(test)]
mod tests {
    use super::{MAX_SLOPE, Memory, Sample, slope};

    /// A run with samples each minute, half of them at rest, whose memory is given by the minute.
    fn run(minutes: u32, at_rest: impl Fn(f64) -> f64) -> Memory {
        let sample = |minute: u32| {
            let bodies = if minute.is_multiple_of(2) { 0 } else { 1_000 };
            let megabytes = at_rest(f64::from(minute)) + f64::from(bodies) * f64::from(minute % 7);
            Sample {
                second: 60.0 * f64::from(minute),
                bodies: bodies as usize,
                allocated: Some(megabytes),
                resident: None,
            }
        };
        Memory { seconds: 60 * u64::from(minutes), samples: (0..=minutes).map(sample).collect() }
    }

    #[test]
    fn the_slope_is_that_of_the_rests_of_the_second_half() {
        let memory = run(60, |minute| 50.0 + (10.0 * minute).min(300.0) + 2.0 * minute / 60.0);
        let slope = memory.judged_slope().unwrap();
        assert!((slope - 2.0).abs() < 1e-9, "{slope}");
        assert!(slope > MAX_SLOPE);
        assert!(run(60, |_| 50.0).judged_slope().unwrap().abs() < 1e-9);
        let short = run(10, |minute| minute);
        assert!(short.slope().is_some() && short.judged_slope().is_none());
        assert_eq!(memory.resident_slope(), None);
    }

    #[test]
    fn rests_are_spread_over_a_run_and_the_last_is_at_its_end() {
        let rests = |seconds: u64| {
            let memory = Memory::new(seconds);
            (1..=seconds).filter(|second| memory.is_rest_due(*second)).collect::<Vec<_>>()
        };
        assert_eq!(rests(3_600), (1..=8).map(|rest| 450 * rest).collect::<Vec<_>>());
        assert_eq!(rests(300), [120, 240, 300]);
        assert_eq!(rests(15), [15]);
    }

    #[test]
    fn points_above_each_other_have_no_slope() {
        assert_eq!(slope(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(slope(&[]), None);
    }
}
