//! What was found about each method.

use super::Method;
use super::path::Smoothness;
use crate::measure::Spread;

/// Distances and smoothness of one method, over any number of runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) errors: Vec<f32>,
    pub(super) delayed: Vec<f32>,
    pub(super) smoothness: Smoothness,
    pub(super) snaps: u64,
}

/// How well a method shows remotes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MethodQuality {
    /// The distances from the truth at the same time, in metres.
    pub error: Spread,
    /// The distances from the truth one mean message delay earlier, in metres.
    pub delayed: Spread,
    /// The number of ticks in which a remote moved.
    pub moving: u64,
    /// The number of these ticks in which it moved against the direction of the tick before.
    pub backward: u64,
    /// The greatest jump, in metres.
    pub jump: f32,
    /// The root mean square of the jerk over the ground, in metres a second cubed.
    pub jerk: f32,
    /// How far planted feet slide, in metres for each metre that the remotes truly go.
    pub slide: f32,
    /// The number of snaps.
    pub snaps: u64,
    pub slide_still: f32,
}

/// What was found about each method and about the truth itself, over any number of runs.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub(super) methods: [Tally; Method::ALL.len()],
    pub(super) truth: Smoothness,
    /// The way of the remotes in all views, in metres.
    pub(super) way: f64,
    pub(super) truth_way: f64,
}

impl Comparison {
    /// Adds what was found in other runs.
    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.methods.iter_mut().zip(&other.methods) {
            own.errors.extend_from_slice(&other.errors);
            own.delayed.extend_from_slice(&other.delayed);
            own.smoothness.merge(&other.smoothness);
            own.snaps += other.snaps;
        }
        self.truth.merge(&other.truth);
        self.way += other.way;
        self.truth_way += other.truth_way;
    }

    /// Returns how well a method shows remotes.
    pub fn quality(&self, method: Method) -> MethodQuality {
        let tally = &self.methods[method as usize];
        let error = Spread::of(tally.errors.clone());
        let delayed = Spread::of(tally.delayed.clone());
        quality(&tally.smoothness, error, delayed, tally.snaps, self.way)
    }

    /// Returns how smooth the truth is. It has no errors.
    pub fn truth(&self) -> MethodQuality {
        quality(&self.truth, Spread::default(), Spread::default(), 0, self.truth_way)
    }
}

fn quality(smoothness: &Smoothness, error: Spread, delayed: Spread, snaps: u64, way: f64) -> MethodQuality {
    let Smoothness { moving, backward, jump, jerk, jerks, slid, slid_still } = *smoothness;
    MethodQuality {
        error,
        delayed,
        moving,
        backward,
        jump,
        jerk: (jerk / jerks.max(1) as f64).sqrt() as f32,
        slide: if way > 0.0 { (slid / way) as f32 } else { 0.0 },
        snaps,
        slide_still: if way > 0.0 { (slid_still / way) as f32 } else { 0.0 },
    }
}
