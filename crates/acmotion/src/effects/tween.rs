//! Values that change over time, and scripts that wait for their pause (rules B5.6, Q13, R4).

use acmotion_dat::DataId;
use acmotion_types::EPS;

/// The maximum number of tweens of one body. When another one starts, the oldest is completed at once.
pub const MAX_TWEENS: usize = 64;

/// What a tween changes, for a part or, where the part is `None`, for the whole body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TweenKind {
    /// The scale of the body.
    Scale,
    /// The translucency of the body or of a part: 0 is opaque, 1 invisible.
    Translucency(Option<u32>),
    /// The luminosity of the body or of a part.
    Luminosity(Option<u32>),
    /// The diffuse lighting of the body or of a part.
    Diffusion(Option<u32>),
    /// Nothing: the script, 0x33, starts when the tween ends.
    CallScript(DataId),
}

/// A change under way, from one value to another. It advances with the physics clock, which is that of the body's steps
/// (rules B8, R4), and the value changes only in steps.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "FPHook")]
pub struct Tween {
    /// What changes.
    pub kind: TweenKind,
    /// The initial value. The body never shows it exactly: the first step that applies the tween is the one after its
    /// creation, when the value has already changed a little.
    pub from: f32,
    /// The final value.
    pub to: f32,
    /// The time at which the tween was created, in seconds of the physics clock.
    pub created: f64,
    /// The duration, in seconds.
    pub duration: f64,
}

impl Tween {
    /// Returns the fraction of the duration that has passed, 0 to 1.
    pub fn progress(&self, clock: f64) -> f32 {
        let passed = clock - self.created;
        if passed >= self.duration {
            1.0
        } else if passed > 0.0 {
            (passed / self.duration) as f32
        } else {
            0.0
        }
    }

    /// Returns the value at a time of the physics clock.
    pub fn value(&self, clock: f64) -> f32 {
        let (from, to) = (f64::from(self.from), f64::from(self.to));
        ((to - from) * f64::from(self.progress(clock)) + from) as f32
    }

    /// Returns `true` if the final value has been reached.
    pub(super) fn is_complete(&self, clock: f64) -> bool {
        self.progress(clock) >= 1.0
    }
}

/// Returns `true` if a ramp of this many seconds takes its final value at once (rule Q13).
pub(super) fn is_immediate(seconds: f32) -> bool {
    seconds < EPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tween_runs_from_its_first_value_to_its_last() {
        let tween = Tween { kind: TweenKind::Scale, from: 1.0, to: 3.0, created: 10.0, duration: 0.5 };
        let values = [9.0, 10.0, 10.125, 10.25, 10.5, 99.0].map(|clock| tween.value(clock));
        assert_eq!(values, [1.0, 1.0, 1.5, 2.0, 3.0, 3.0]);
        assert!(!tween.is_complete(10.499) && tween.is_complete(10.5));
    }

    #[test]
    fn the_last_value_is_exact() {
        let tween = Tween { kind: TweenKind::Scale, from: 0.1, to: 0.7, created: 0.0, duration: 0.3 };
        assert_eq!(tween.value(1.0), 0.7);
    }
}
