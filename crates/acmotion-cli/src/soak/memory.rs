//! The resident memory of this process over simulated time.

/// The maximum growth of memory, in megabytes for each simulated hour.
pub(super) const MAX_SLOPE: f64 = 1.0;
/// The minimum simulated time, in seconds, for which growth is judged. Over a shorter one it is mostly noise.
const MIN_JUDGED: u64 = 1_800;
/// The number of samples in a run.
const SAMPLES: u64 = 30;

/// Memory at regular times.
pub(super) struct Memory {
    seconds: u64,
    /// Simulated seconds and megabytes.
    samples: Vec<(f64, f64)>,
}

impl Memory {
    /// Creates a record for a run of this many simulated seconds.
    pub(super) fn new(seconds: u64) -> Self {
        Self { seconds, samples: Vec::new() }
    }

    /// Takes a sample if one is due after this many seconds. Nothing is recorded where memory is not known.
    pub(super) fn sample(&mut self, second: u64) {
        let interval = self.seconds.div_ceil(SAMPLES).max(1);
        if second.is_multiple_of(interval) || second == self.seconds {
            self.samples.extend(resident_megabytes().map(|megabytes| (second as f64, megabytes)));
        }
    }

    pub(super) fn is_known(&self) -> bool {
        !self.samples.is_empty()
    }

    /// Iterates over the samples: simulated minutes and megabytes.
    pub(super) fn samples(&self) -> impl Iterator<Item = (f64, f64)> {
        self.samples.iter().map(|(seconds, megabytes)| (seconds / 60.0, *megabytes))
    }

    /// Returns the slope of the second half, in megabytes an hour; `None` with fewer than three samples.
    pub(super) fn slope(&self) -> Option<f64> {
        let half = self.seconds as f64 / 2.0;
        let samples: Vec<_> = self.samples.iter().filter(|(seconds, _)| *seconds >= half).copied().collect();
        if samples.len() < 3 {
            return None;
        }
        slope(&samples).map(|per_second| 3_600.0 * per_second)
    }

    /// Returns the slope if the run is long enough to judge it.
    pub(super) fn judged_slope(&self) -> Option<f64> {
        self.slope().filter(|_| self.seconds >= MIN_JUDGED)
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

/// Returns the resident memory of this process, in megabytes; `None` where the system does not tell it in `/proc`.
fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1_024.0)
}

#[cfg(test)]
mod tests {
    use super::{Memory, slope};

    #[test]
    fn the_slope_is_that_of_the_second_half() {
        let samples = (0..=60).map(|minute| {
            let growth = if minute < 30 { 10.0 * f64::from(minute) } else { 300.0 };
            (60.0 * f64::from(minute), 50.0 + growth + 2.0 * f64::from(minute) / 60.0)
        });
        let memory = Memory { seconds: 3_600, samples: samples.collect() };
        let slope = memory.judged_slope().unwrap();
        assert!((slope - 2.0).abs() < 1e-9, "{slope}");
        let short = Memory { seconds: 60, samples: vec![(30.0, 1.0), (45.0, 1.0), (60.0, 2.0)] };
        assert!(short.slope().is_some() && short.judged_slope().is_none());
    }

    #[test]
    fn points_above_each_other_have_no_slope() {
        assert_eq!(slope(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }
}
