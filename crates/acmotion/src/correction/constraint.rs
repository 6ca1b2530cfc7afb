//! The leash: how far a body may go without word from the server (rule I9).

use acmotion_types::{CellPosition, Frame};

use super::ConstraintRange;

/// From which share of the whole length jumping is refused.
const FULL_SHARE: f32 = 0.9;

/// The leash of a body: it measures the way gone since the server last said where the body is, not the distance from
/// there (rule I9).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "ConstraintManager")]
pub struct Constraint {
    active: bool,
    pos_offset: f32,
    start: f32,
    max: f32,
}

/// What the leash did in a tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ConstraintStep {
    /// There is none.
    Off,
    /// It hangs loose.
    Slack,
    /// It left this share of the way, 0 for none.
    Scaled(f32),
}

impl Constraint {
    /// Binds a body at `own` to `anchor` (rule I9).
    #[doc(alias = "ConstrainTo")]
    pub fn constrain_to(&mut self, anchor: &CellPosition, own: &CellPosition, length: ConstraintRange) {
        let pos_offset = anchor.distance_to(own);
        *self = Self { active: true, pos_offset, start: length.start, max: length.max };
    }

    /// Unbinds the body; what was measured stays (rules I9, R6).
    #[doc(alias = "UnConstrain")]
    pub fn release(&mut self) {
        self.active = false;
    }

    /// Shortens a tick's way; the rotation is left alone (rule I9).
    #[inline]
    pub fn adjust_offset(&mut self, offset: &mut Frame, contact: bool) -> ConstraintStep {
        if !self.active {
            return ConstraintStep::Off;
        }
        let leash = if contact { self.pull() } else { ConstraintStep::Slack };
        if let ConstraintStep::Scaled(share) = leash {
            offset.origin *= share;
        }
        self.pos_offset += offset.origin.length();
        leash
    }

    #[inline]
    fn pull(&self) -> ConstraintStep {
        if self.pos_offset >= self.max {
            ConstraintStep::Scaled(0.0)
        } else if self.pos_offset > self.start {
            ConstraintStep::Scaled((self.max - self.pos_offset) / (self.max - self.start))
        } else {
            ConstraintStep::Slack
        }
    }

    /// Is it in force?
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// The way gone since the server last said where the body is, in metres.
    #[doc(alias = "constraint_pos_offset")]
    pub fn pos_offset(&self) -> f32 {
        self.pos_offset
    }

    /// From which way on it slows the body, and at which the body stops, in metres.
    pub fn length(&self) -> ConstraintRange {
        ConstraintRange { start: self.start, max: self.max }
    }

    /// Is so little left that the body may not jump? Whether the leash is in force does not matter (rule R6).
    #[doc(alias = "IsFullyConstrained")]
    pub fn is_fully_constrained(&self) -> bool {
        self.pos_offset > FULL_SHARE * self.max
    }
}
