//! Why a body moved as it did.

use acmotion_types::{Frame, Vec3};

use super::{Adjustment, ConstraintStep, InterpolationStep};
use crate::gate::Action;

/// How many decisions are kept.
const DECISIONS: usize = 16;

/// Why a body moved as it did in its last step: what its animation wanted, what the corrections made of it, and what the
/// server's messages did since the step before.
#[derive(Clone, PartialEq, Debug)]
pub struct StepExplanation {
    /// How long the step was, in seconds.
    pub quantum: f32,
    /// What the animation wanted, in the body's own axes.
    pub root_motion: Frame,
    /// What the corrections did.
    pub adjustment: Adjustment,
    /// What came of it, in the body's own axes.
    pub offset: Frame,
    /// The body's own velocity at the start of the step.
    pub velocity: Vec3,
    /// What messages did before the step, oldest first; of very many the last.
    decisions: Vec<Action>,
    /// Those since the step.
    newer: Vec<Action>,
}

impl Default for StepExplanation {
    fn default() -> Self {
        Self {
            quantum: 0.0,
            root_motion: Frame::IDENTITY,
            adjustment: Adjustment {
                interpolation: InterpolationStep::Idle,
                stuck: false,
                constraint: ConstraintStep::Off,
            },
            offset: Frame::IDENTITY,
            velocity: Vec3::ZERO,
            decisions: Vec::new(),
            newer: Vec::new(),
        }
    }
}

impl StepExplanation {
    /// What messages did between the step before and this one, oldest first; of very many the last sixteen.
    pub fn decisions(&self) -> &[Action] {
        &self.decisions
    }

    /// A message has done this.
    pub(crate) fn note(&mut self, actions: &[Action]) {
        self.newer.extend_from_slice(actions);
        let surplus = self.newer.len().saturating_sub(DECISIONS);
        self.newer.drain(..surplus);
    }

    /// A step begins.
    pub(super) fn begin(&mut self, quantum: f32, root_motion: &Frame, velocity: Vec3) {
        self.quantum = quantum;
        self.root_motion = *root_motion;
        self.velocity = velocity;
        self.decisions.clear();
        self.decisions.append(&mut self.newer);
    }

    /// And is corrected.
    pub(super) fn end(&mut self, adjustment: Adjustment, offset: &Frame) {
        self.adjustment = adjustment;
        self.offset = *offset;
    }
}
