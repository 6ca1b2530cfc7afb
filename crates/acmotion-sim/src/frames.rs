//! The times at which a client or the server runs its frames.

/// Seconds added to the period, so that the engine's 30 Hz gate is open when a frame is due.
const PERIOD_MARGIN: f64 = 1e-7;

/// Frames at a steady rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    first: f64,
    period: f64,
    count: u64,
}

impl Frames {
    /// Creates frames at `rate` a second. Each `index` starts at another part of the period, so that no two run in step.
    pub(crate) fn new(rate: f64, index: usize) -> Self {
        let period = 1.0 / rate.clamp(1.0, 1_000.0) + PERIOD_MARGIN;
        let phase = (index as f64 * 0.618_033_988_749_895).fract();
        Self { first: period * phase, period, count: 0 }
    }

    /// Returns the time of the next frame, in seconds.
    pub(crate) fn next(&self) -> f64 {
        self.first + self.count as f64 * self.period
    }

    pub(crate) fn advance(&mut self) {
        self.count += 1;
    }
}
