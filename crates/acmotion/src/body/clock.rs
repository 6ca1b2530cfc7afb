//! When bodies are updated, and in which steps of time (rules B2, B3).

use acmotion_types::EPS;

use super::{Body, BodyFlags, PLAYER_FAR, PhysicsState, TransientState};

/// The minimum time between two updates, in seconds; also the minimum remainder that is stepped after a split (rules
/// B2, B3).
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;
/// The maximum length of a single step, in seconds.
pub const MAX_QUANTUM: f64 = 0.2;
/// The maximum time between two updates, in seconds. If more has passed, all of it is discarded.
pub const HUGE_QUANTUM: f64 = 2.0;

/// The gate that lets bodies be updated at most 30 times a second (rule B2).
///
/// ```
/// use acmotion::internals::body::PhysicsGate;
///
/// // At 60 frames a second, every second frame updates bodies.
/// let mut gate = PhysicsGate::new(10.0);
/// assert!(!gate.opens(10.0 + 1.0 / 60.0));
/// assert!(gate.opens(10.0 + 2.0 / 60.0 + 1e-9));
/// assert!(!gate.opens(9.0), "if the clock goes back, the gate only follows it");
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CPhysics::UseTime")]
pub struct PhysicsGate {
    last_update: f64,
}

impl PhysicsGate {
    /// Creates a gate that was last open at `last_update`, in seconds.
    pub const fn new(last_update: f64) -> Self {
        Self { last_update }
    }

    /// Returns the time at which the gate was last open, in seconds.
    pub const fn last_update(&self) -> f64 {
        self.last_update
    }

    /// Moves the time at which the gate was last open by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        self.last_update += by;
    }

    /// Returns `true` if bodies are to be updated now. If `now` is NaN, the gate stays closed.
    pub fn opens(&mut self, now: f64) -> bool {
        let passed = now - self.last_update;
        if passed < 0.0 {
            self.last_update = now;
        }
        let open = passed >= MIN_QUANTUM;
        if open {
            self.last_update = now;
        }
        open
    }
}

/// The time up to which a body has been simulated.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectClock {
    /// The time, in seconds.
    pub update_time: f64,
}

impl ObjectClock {
    /// Returns the steps that bring a body from its clock's time to `now` (rule B3.3–6). After the last of them its
    /// clock is to be set to [`Quanta::clock`].
    #[inline]
    pub fn quanta(&self, now: f64) -> Quanta {
        let elapsed = now - self.update_time;
        let counts = elapsed > f64::from(EPS) && elapsed <= HUGE_QUANTUM;
        if counts {
            Quanta { elapsed, clock: self.update_time, split: false }
        } else {
            Quanta { elapsed: 0.0, clock: now, split: false }
        }
    }
}

/// One step of a body's time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantum {
    /// The length of the step, in seconds.
    pub seconds: f64,
    /// The time at the end of the step, in seconds (rule B8).
    #[doc(alias = "PhysicsTimer")]
    pub clock: f64,
}

/// An iterator over the steps of one update of a body.
///
/// ```
/// use acmotion::components::{ObjectClock, Quanta, Quantum};
///
/// let clock = ObjectClock { update_time: 1.0 };
/// let mut quanta: Quanta = clock.quanta(1.45);
/// let steps: Vec<f64> = quanta.by_ref().map(|Quantum { seconds, .. }| seconds).collect();
/// assert_eq!(steps.len(), 3); // 0.2, 0.2 and the remaining 0.05
/// assert!((quanta.clock() - 1.45).abs() < 1e-9);
/// assert_eq!(clock.quanta(1.42).count(), 2); // 0.02 is too little after a split and waits
/// assert_eq!(clock.quanta(4.0).count(), 0); // too much, so it is discarded
/// ```
#[derive(Clone, Debug)]
pub struct Quanta {
    elapsed: f64,
    clock: f64,
    split: bool,
}

impl Quanta {
    /// Returns the time at the end of the steps taken until now, in seconds.
    pub const fn clock(&self) -> f64 {
        self.clock
    }
}

impl Iterator for Quanta {
    type Item = Quantum;

    /// Returns steps of 0.2 s while more than that is left, then the remainder. After a split, a remainder of 1/30 s or
    /// less is left for the next update.
    #[inline]
    fn next(&mut self) -> Option<Quantum> {
        let seconds = if self.elapsed > MAX_QUANTUM {
            self.split = true;
            MAX_QUANTUM
        } else if self.elapsed > if self.split { MIN_QUANTUM } else { 0.0 } {
            self.elapsed
        } else {
            return None;
        };
        self.clock += seconds;
        self.elapsed -= seconds;
        Some(Quantum { seconds, clock: self.clock })
    }
}

impl Body {
    /// Updates whether the body is active, and returns `true` if it is to be updated at all (rule B3.1–2).
    ///
    /// `player_distance` is in metres, or `None` while there is no player. A body that has no cell, is attached to
    /// another or is frozen becomes inactive and its clock stops. A body too far from the player becomes inactive, but
    /// its clock goes on.
    #[doc(alias = "update_object")]
    #[inline]
    pub fn update_activity(&mut self, player_distance: Option<f32>, now: f64) -> bool {
        let is_held = self.flags.contains(BodyFlags::HAS_PARENT)
            || !self.flags.contains(BodyFlags::IN_CELL)
            || self.state.contains(PhysicsState::FROZEN);
        if is_held {
            self.transient.remove(TransientState::ACTIVE);
            return false;
        }
        if let Some(distance) = player_distance {
            self.player_distance = distance;
            if distance > PLAYER_FAR {
                self.transient.remove(TransientState::ACTIVE);
            } else {
                self.set_active(now);
            }
        }
        now.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(from: f64, now: f64) -> (Vec<f64>, f64) {
        let mut quanta = ObjectClock { update_time: from }.quanta(now);
        let steps = quanta.by_ref().map(|quantum| (quantum.seconds * 1e6).round() / 1e6).collect();
        (steps, (quanta.clock() * 1e6).round() / 1e6)
    }

    /// Examples of rule B3.
    #[test]
    fn an_update_is_split_into_steps() {
        assert_eq!(steps(0.0, 0.0001), (vec![], 0.0001));
        assert_eq!(steps(0.0, 0.03), (vec![0.03], 0.03));
        assert_eq!(steps(0.0, 0.19), (vec![0.19], 0.19));
        assert_eq!(steps(0.0, 0.21), (vec![0.2], 0.2));
        assert_eq!(steps(0.0, 0.23), (vec![0.2], 0.2));
        assert_eq!(steps(0.0, 0.24), (vec![0.2, 0.04], 0.24));
        assert_eq!(steps(0.0, 0.45), (vec![0.2, 0.2, 0.05], 0.45));
        assert_eq!(steps(0.0, 2.5), (vec![], 2.5));
        assert_eq!(steps(0.2, 0.4), (vec![0.2], 0.4), "what was not stepped waits for the next update");
    }

    #[test]
    fn clock_jumps_and_nan_give_no_steps() {
        assert_eq!(steps(100.0, 3.0), (vec![], 3.0), "backwards");
        assert_eq!(steps(0.0, 7200.0), (vec![], 7200.0), "two hours");
        assert_eq!(ObjectClock { update_time: f64::NAN }.quanta(5.0).count(), 0);
        assert_eq!(ObjectClock { update_time: 5.0 }.quanta(f64::NAN).count(), 0);
        let mut gate = PhysicsGate::new(5.0);
        assert!(!gate.opens(f64::NAN));
        assert!(gate.opens(5.1));
    }
}
