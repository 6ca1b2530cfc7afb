//! When bodies are moved, and by how much time (rules B2, B3).

use acmotion_types::EPS;

use super::{Body, BodyFlags, PLAYER_FAR, PhysicsState, TransientState};

/// How often, in seconds, bodies are moved at most; also the shortest rest that is moved after a split (rules B2, B3).
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;
/// The longest single step in seconds.
pub const MAX_QUANTUM: f64 = 0.2;
/// Time above this, in seconds, is thrown away.
pub const HUGE_QUANTUM: f64 = 2.0;

/// The gate before everything: bodies are moved thirty times a second at most (rule B2).
///
/// ```
/// use acmotion::body::PhysicsGate;
///
/// // At sixty frames a second every second frame moves bodies.
/// let mut gate = PhysicsGate::new(10.0);
/// assert!(!gate.opens(10.0 + 1.0 / 60.0));
/// assert!(gate.opens(10.0 + 2.0 / 60.0 + 1e-9));
/// assert!(!gate.opens(9.0), "a clock that goes back is only followed");
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "CPhysics::UseTime")]
pub struct PhysicsGate {
    last_update: f64,
}

impl PhysicsGate {
    /// A gate that was last open at that time.
    pub const fn new(last_update: f64) -> Self {
        Self { last_update }
    }

    /// When it last was open.
    pub const fn last_update(&self) -> f64 {
        self.last_update
    }

    /// Are bodies to be moved now? A time that is not a number is no time.
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

/// Up to when a body has been moved.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ObjectClock {
    /// That time in seconds.
    pub update_time: f64,
}

impl ObjectClock {
    /// The steps that bring a body from where its clock stands to `now` (rule B3.3–6). When they are done, its clock
    /// stands at [`Quanta::clock`].
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

/// One step of a body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantum {
    /// How much time passes.
    pub seconds: f64,
    /// What time it is afterwards (rule B8).
    #[doc(alias = "PhysicsTimer")]
    pub clock: f64,
}

/// The steps of a body, one after the other.
///
/// ```
/// use acmotion::body::ObjectClock;
///
/// let clock = ObjectClock { update_time: 1.0 };
/// let mut quanta = clock.quanta(1.45);
/// let steps: Vec<f64> = quanta.by_ref().map(|quantum| quantum.seconds).collect();
/// assert_eq!(steps.len(), 3); // 0.2, 0.2 and the 0.05 that are left
/// assert!((quanta.clock() - 1.45).abs() < 1e-9);
/// assert_eq!(clock.quanta(1.42).count(), 2); // 0.02 are too little after a split and wait
/// assert_eq!(clock.quanta(4.0).count(), 0); // too much: thrown away
/// ```
#[derive(Clone, Debug)]
pub struct Quanta {
    elapsed: f64,
    clock: f64,
    split: bool,
}

impl Quanta {
    /// What time it is after the steps taken so far.
    pub const fn clock(&self) -> f64 {
        self.clock
    }
}

impl Iterator for Quanta {
    type Item = Quantum;

    /// Whole steps of 0.2 s while there is more; then the rest, whole if there was no such step, else only if it is more
    /// than 1/30 s.
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
    /// Is the body to be moved at all, and is it awake (rule B3.1–2)? `player_distance` is `None` while there is no
    /// player. A body without a cell, on another body, or frozen sleeps and keeps its time; one too far from the player
    /// sleeps, but its time goes on.
    #[doc(alias = "update_object")]
    #[inline]
    pub fn takes_time(&mut self, player_distance: Option<f32>, now: f64) -> bool {
        let held = self.flags.contains(BodyFlags::HAS_PARENT)
            || !self.flags.contains(BodyFlags::IN_CELL)
            || self.state.contains(PhysicsState::FROZEN);
        if held {
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

    /// The table of `docs/figures.md` 10.
    #[test]
    fn steps_of_one_update() {
        assert_eq!(steps(0.0, 0.0001), (vec![], 0.0001));
        assert_eq!(steps(0.0, 0.03), (vec![0.03], 0.03));
        assert_eq!(steps(0.0, 0.19), (vec![0.19], 0.19));
        assert_eq!(steps(0.0, 0.21), (vec![0.2], 0.2));
        assert_eq!(steps(0.0, 0.23), (vec![0.2], 0.2));
        assert_eq!(steps(0.0, 0.24), (vec![0.2, 0.04], 0.24));
        assert_eq!(steps(0.0, 0.45), (vec![0.2, 0.2, 0.05], 0.45));
        assert_eq!(steps(0.0, 2.5), (vec![], 2.5));
        assert_eq!(steps(0.2, 0.4), (vec![0.2], 0.4), "what was not stepped waits for the next time");
    }

    #[test]
    fn clocks_that_jump_do_no_harm() {
        assert_eq!(steps(100.0, 3.0), (vec![], 3.0), "backwards");
        assert_eq!(steps(0.0, 7200.0), (vec![], 7200.0), "two hours");
        assert_eq!(ObjectClock { update_time: f64::NAN }.quanta(5.0).count(), 0);
        assert_eq!(ObjectClock { update_time: 5.0 }.quanta(f64::NAN).count(), 0);
        let mut gate = PhysicsGate::new(5.0);
        assert!(!gate.opens(f64::NAN));
        assert!(gate.opens(5.1));
    }
}
