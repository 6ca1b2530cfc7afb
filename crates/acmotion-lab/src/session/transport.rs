//! The clock of a session: running, standing, or winding through what was recorded.

use std::time::Duration;

use tokio::time::Instant;

/// How time goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// New ticks are made, or awaited.
    Live,
    /// Nothing moves.
    Paused,
    /// Records are played.
    Recorded,
}

impl Mode {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Paused => "paused",
            Self::Recorded => "recorded",
        }
    }
}

/// Who is farther behind than this lets time go by.
const PATIENCE: f64 = 0.25;

/// Mode, speed, and which time of the run belongs to which time of the day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transport {
    mode: Mode,
    /// How fast new ticks are made.
    speed: f64,
    /// How fast records are played, backward below zero.
    rate: f64,
    anchor: (Instant, f64),
}

impl Transport {
    pub(super) fn live() -> Self {
        Self { mode: Mode::Live, speed: 1.0, rate: 1.0, anchor: (Instant::now(), 0.0) }
    }

    pub(super) fn paused() -> Self {
        Self { mode: Mode::Paused, ..Self::live() }
    }

    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// How fast time goes in the mode it is in.
    pub(super) fn rate(&self) -> f64 {
        match self.mode {
            Mode::Recorded => self.rate,
            Mode::Live | Mode::Paused => self.speed,
        }
    }

    /// It is that time of the run now.
    pub(super) fn anchor(&mut self, t: f64) {
        self.anchor = (Instant::now(), t);
    }

    /// The time of the run.
    pub(super) fn now(&self) -> f64 {
        let (then, t) = self.anchor;
        t + then.elapsed().as_secs_f64() * self.rate()
    }

    /// Is that time of the run due? Who is far behind forgets how far.
    pub(super) fn is_due(&mut self, t: f64) -> bool {
        let now = self.now();
        if now - t > PATIENCE * self.speed.max(1.0) {
            self.anchor(t);
            return true;
        }
        now >= t
    }

    /// When a time of the run is due.
    pub(super) fn when(&self, t: f64) -> Instant {
        let (then, anchored) = self.anchor;
        let seconds = ((t - anchored) / self.rate()).clamp(0.0, 10.0);
        then + Duration::from_secs_f64(if seconds.is_finite() { seconds } else { 0.0 })
    }

    pub(super) fn go_live(&mut self, t: f64) {
        self.mode = Mode::Live;
        self.anchor(t);
    }

    pub(super) fn pause(&mut self) {
        self.mode = Mode::Paused;
    }

    /// Plays records from a time on.
    pub(super) fn play(&mut self, t: f64, rate: f64) {
        self.mode = Mode::Recorded;
        self.rate = rate;
        self.anchor(t);
    }

    /// New ticks are made faster or slower.
    pub(super) fn set_speed(&mut self, speed: f64) {
        let now = self.now();
        self.speed = speed;
        self.rate = speed.copysign(self.rate);
        self.anchor(now);
    }
}
