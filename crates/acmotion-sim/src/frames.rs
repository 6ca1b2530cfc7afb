//! When whose next frame is.

/// A hair more than the period, so that the engine's gate of 30 ticks a second opens when it is due.
const HAIR: f64 = 1e-7;

/// Frames at a steady rate. Everybody begins a little later than the one before, so that nobody runs in step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    first: f64,
    period: f64,
    count: u64,
}

impl Frames {
    pub(crate) fn new(rate: f64, party: usize) -> Self {
        let period = 1.0 / rate.clamp(1.0, 1_000.0) + HAIR;
        let share = (party as f64 * 0.618_033_988_749_895).fract();
        Self { first: period * share, period, count: 0 }
    }

    /// When the next one is.
    pub(crate) fn next(&self) -> f64 {
        self.first + self.count as f64 * self.period
    }

    pub(crate) fn advance(&mut self) {
        self.count += 1;
    }
}
