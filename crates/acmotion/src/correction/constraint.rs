//! The constraint: how far a body may move without a position from the server (rule I9).

use acmotion_types::{CellPosition, Frame, Vec3};

use super::ConstraintRange;

/// The fraction of the maximum path length beyond which a body may not jump.
const FULLY_CONSTRAINED: f32 = 0.9;

/// The constraint of a body. It measures the length of the path since the last server position, not the distance from that
/// position (rule I9).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ConstraintManager")]
pub struct Constraint {
    active: bool,
    pos_offset: f32,
    start: f32,
    max: f32,
}

/// What the constraint did in a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ConstraintStep {
    /// The constraint is not active.
    Off,
    /// The constraint did not shorten the offset.
    Slack,
    /// The constraint scaled the offset by this factor.
    Scaled(f32),
}

impl Constraint {
    /// Constrains a body at `own` to the position `anchor` (rule I9).
    #[doc(alias = "ConstrainTo")]
    #[inline]
    pub fn constrain_to(&mut self, anchor: &CellPosition, own: &CellPosition, range: ConstraintRange) {
        let pos_offset = anchor.distance_to(own);
        *self = Self { active: true, pos_offset, start: range.start, max: range.max };
    }

    /// Deactivates the constraint. The measured path length stays (rules I9, R6).
    #[doc(alias = "UnConstrain")]
    pub fn release(&mut self) {
        self.active = false;
    }

    /// Scales the offset of a step; its rotation is left alone (rule I9).
    #[inline]
    pub fn adjust_offset(&mut self, offset: &mut Frame, contact: bool) -> ConstraintStep {
        let (step, pos_offset) = self.scale_offset(&mut offset.origin, contact);
        self.set_pos_offset(pos_offset);
        step
    }

    /// Scales the offset of a step. Returns what that does, and the length of the path after the step, in metres.
    #[inline(always)]
    pub(crate) fn scale_offset(&self, offset: &mut Vec3, contact: bool) -> (ConstraintStep, f32) {
        if !self.active {
            return (ConstraintStep::Off, self.pos_offset);
        }
        let step = if contact { self.scale() } else { ConstraintStep::Slack };
        if let ConstraintStep::Scaled(factor) = step {
            *offset *= factor;
        }
        (step, self.pos_offset + offset.length())
    }

    /// Sets the length of the path after a step, as [`scale_offset`](Self::scale_offset) has returned it.
    #[inline(always)]
    pub(crate) fn set_pos_offset(&mut self, pos_offset: f32) {
        self.pos_offset = pos_offset;
    }

    /// Returns `true` if an offset without length would change nothing.
    #[inline]
    pub(crate) fn is_idle_at_rest(&self) -> bool {
        !self.active || self.pos_offset.is_sign_positive()
    }

    #[inline]
    fn scale(&self) -> ConstraintStep {
        if self.pos_offset >= self.max {
            ConstraintStep::Scaled(0.0)
        } else if self.pos_offset > self.start {
            ConstraintStep::Scaled((self.max - self.pos_offset) / (self.max - self.start))
        } else {
            ConstraintStep::Slack
        }
    }

    /// Returns `true` if the constraint is active.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// The length of the path since the last server position, in metres, plus the distance from that position at the time.
    #[doc(alias = "constraint_pos_offset")]
    pub fn pos_offset(&self) -> f32 {
        self.pos_offset
    }

    /// The path lengths between which the body is slowed down.
    pub fn range(&self) -> ConstraintRange {
        ConstraintRange { start: self.start, max: self.max }
    }

    /// Returns `true` if the path is so long that the body may not jump. Whether the constraint is active does not matter
    /// (rule R6).
    #[doc(alias = "IsFullyConstrained")]
    pub fn is_fully_constrained(&self) -> bool {
        self.pos_offset > FULLY_CONSTRAINED * self.max
    }
}
