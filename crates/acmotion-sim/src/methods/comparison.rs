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
}

/// How well a method shows remotes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MethodQuality {
    /// The distances from the truth at the same time, in metres. Of a capture: those from each report, just before it.
    pub error: Spread,
    /// The distances from the truth one mean message delay earlier, in metres. None of a capture.
    pub delayed: Spread,
    /// The number of ticks in which a remote moved.
    pub moving: u64,
    /// The number of these ticks in which it moved against the direction of the tick before.
    pub backward: u64,
    /// The greatest jump over the ground: by how much a step was longer than both the step before and the motion that plays,
    /// in metres. Teleports do not count.
    pub jump: f32,
    /// The root mean square of the jerk over the ground, in metres a second cubed.
    pub jerk: f32,
    /// How far planted feet slide, in metres for each metre that the remotes truly go.
    pub sliding: f32,
}

impl MethodQuality {
    /// Returns the measures by name, all of which are the better the smaller they are.
    pub fn measures(&self) -> [(&'static str, f64); 10] {
        let Self { error, delayed, moving, backward, jump, jerk, sliding } = self;
        [
            ("error: mean", error.mean.into()),
            ("error: 95 %", error.p95.into()),
            ("error: worst", error.worst.into()),
            ("delayed: mean", delayed.mean.into()),
            ("delayed: 95 %", delayed.p95.into()),
            ("delayed: worst", delayed.worst.into()),
            ("backward", *backward as f64 / (*moving).max(1) as f64),
            ("jump", (*jump).into()),
            ("jerk", (*jerk).into()),
            ("sliding", (*sliding).into()),
        ]
    }
}

/// What was found about each method and about the truth itself, over any number of runs.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    methods: [Tally; Method::ALL.len()],
    truth: Smoothness,
    /// The way of the remotes, in metres: of each once, and in all views.
    truth_way: f64,
    way: f64,
}

impl Comparison {
    /// Adds what was found in other runs.
    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.methods.iter_mut().zip(&other.methods) {
            own.errors.extend_from_slice(&other.errors);
            own.delayed.extend_from_slice(&other.delayed);
            own.smoothness.merge(&other.smoothness);
        }
        self.truth.merge(&other.truth);
        self.truth_way += other.truth_way;
        self.way += other.way;
    }

    pub(super) fn tally(&mut self, method: Method) -> &mut Tally {
        &mut self.methods[method as usize]
    }

    /// Adds the truth about a remote that goes a way, in metres, in a number of views.
    pub(super) fn add_truth(&mut self, smoothness: &Smoothness, way: f64, views: usize) {
        self.truth.merge(smoothness);
        self.truth_way += way;
        self.way += way * views as f64;
    }

    /// Returns how well a method shows remotes. All is 0 if it was not recorded.
    pub fn quality(&self, method: Method) -> MethodQuality {
        let tally = &self.methods[method as usize];
        let [error, delayed] = [&tally.errors, &tally.delayed].map(|distances| Spread::of(distances.clone()));
        quality(&tally.smoothness, error, delayed, self.way)
    }

    /// Returns how smooth the truth is. It has no errors.
    pub fn truth(&self) -> MethodQuality {
        quality(&self.truth, Spread::default(), Spread::default(), self.truth_way)
    }

    /// Returns the measures by which a method is worse than the original by more than a hundredth and a millimetre, with the
    /// values of both: the method's first.
    pub fn worse_than_faithful(&self, method: Method) -> Vec<(&'static str, [f64; 2])> {
        let [own, faithful] = [method, Method::Faithful].map(|method| self.quality(method).measures());
        let pairs = own.into_iter().zip(faithful).map(|((name, own), (_, faithful))| (name, [own, faithful]));
        pairs.filter(|(_, [own, faithful])| *own > faithful * 1.01 + 1e-3).collect()
    }
}

fn quality(smoothness: &Smoothness, error: Spread, delayed: Spread, way: f64) -> MethodQuality {
    let Smoothness { moving, backward, jump, jerk, jerks, slid } = *smoothness;
    MethodQuality {
        error,
        delayed,
        moving,
        backward,
        jump,
        jerk: (jerk / jerks.max(1) as f64).sqrt() as f32,
        sliding: if way > 0.0 { (slid / way) as f32 } else { 0.0 },
    }
}
