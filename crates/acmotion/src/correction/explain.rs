//! Records of why a body moved as it did.

use acmotion_types::{Frame, Vec3};

use super::{Adjustment, Blip, ConstraintStep, InterpolationStep};
use crate::body::Body;
use crate::collide::SweepTrace;
use crate::gate::Action;
use crate::steer::TargetInfo;

/// The maximum number of decisions kept.
const MAX_DECISIONS: usize = 16;
/// The maximum number of updates of targets kept.
const MAX_TARGET_UPDATES: usize = 16;

/// Why a body moved as it did in its last step: by its animation, by the corrections, by what was in its way, and by the
/// messages since the step before.
#[derive(Clone, PartialEq, Debug)]
pub struct StepExplanation {
    /// The length of the step, in seconds.
    pub quantum: f32,
    /// The offset by animation alone, in the body's own axes.
    pub root_motion: Frame,
    /// What the corrections did.
    pub adjustment: Adjustment,
    /// The corrected offset, in the body's own axes.
    pub offset: Frame,
    /// The body's own velocity at the start of the step.
    pub velocity: Vec3,
    /// The body's acceleration at the start of the step.
    pub acceleration: Vec3,
    /// What happened when the body was swept to where the step leads. `None` if it was not swept, because it hardly moved
    /// or nothing can be in the way on level ground, or if its surroundings record nothing.
    pub sweep: Option<SweepTrace>,
    /// Where the body was to be moved at the end of the step, because interpolation failed (rule I8). There may have been no
    /// room.
    pub blip: Option<Blip>,
    /// By how many metres the body was moved at the end of the step, because interpolation failed (rule I8).
    pub snapped: Option<f32>,
    /// The actions of messages before the step, oldest first.
    decisions: Vec<Action>,
    /// The actions of messages since the step.
    newer: Vec<Action>,
    /// How many actions were recorded so far.
    decision_count: u64,
    /// The updates of its target since the step.
    target_updates: Vec<TargetInfo>,
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
            acceleration: Vec3::ZERO,
            sweep: None,
            blip: None,
            snapped: None,
            decisions: Vec::new(),
            newer: Vec::new(),
            decision_count: 0,
            target_updates: Vec::new(),
        }
    }
}

impl StepExplanation {
    /// The last sixteen actions of messages between the step before and this one, oldest first.
    pub fn decisions(&self) -> &[Action] {
        &self.decisions
    }

    /// The last sixteen actions of messages since the step, oldest first.
    pub fn new_decisions(&self) -> &[Action] {
        &self.newer
    }

    /// The number of actions of messages that were recorded so far, of which only the last ones are kept. What it has grown
    /// by when a message was handled are the actions of that message.
    pub fn decision_count(&self) -> u64 {
        self.decision_count
    }

    /// The last sixteen updates of the body's target since the corrections of the step, oldest first (rule I11).
    pub fn target_updates(&self) -> &[TargetInfo] {
        &self.target_updates
    }

    /// Records an update of the body's target.
    pub(crate) fn record_target(&mut self, info: &TargetInfo) {
        if self.target_updates.len() == MAX_TARGET_UPDATES {
            self.target_updates.remove(0);
        }
        self.target_updates.push(*info);
    }

    /// Records the actions of a message.
    pub(crate) fn record(&mut self, actions: &[Action]) {
        self.decision_count += actions.len() as u64;
        self.newer.extend_from_slice(actions);
        let surplus = self.newer.len().saturating_sub(MAX_DECISIONS);
        self.newer.drain(..surplus);
    }

    /// Records the start of a step.
    pub(super) fn begin(&mut self, quantum: f32, root_motion: &Frame, body: &Body) {
        self.quantum = quantum;
        self.root_motion = *root_motion;
        self.velocity = body.velocity;
        self.acceleration = body.acceleration;
        self.sweep = None;
        self.blip = None;
        self.snapped = None;
        self.decisions.clear();
        self.decisions.append(&mut self.newer);
        self.target_updates.clear();
    }

    /// Records what the corrections did in the step.
    pub(super) fn end(&mut self, adjustment: Adjustment, offset: &Frame) {
        self.adjustment = adjustment;
        self.offset = *offset;
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, MAX_DECISIONS, MAX_TARGET_UPDATES, StepExplanation, TargetInfo};
    use crate::gate::Stale;

    #[test]
    fn what_is_recorded_between_two_steps_is_bounded() {
        let mut explanation = StepExplanation::default();
        for number in 0..1_000 {
            explanation.record(&[Action::Drop(Stale::Instance); 3]);
            explanation.record_target(&TargetInfo { context: number, ..TargetInfo::default() });
        }
        assert_eq!(explanation.new_decisions().len(), MAX_DECISIONS);
        assert_eq!(explanation.decision_count(), 3_000, "those that are gone count");
        assert_eq!(explanation.target_updates().len(), MAX_TARGET_UPDATES);
        assert_eq!(
            explanation.target_updates().last().map(|info| info.context),
            Some(999),
            "the newest are kept"
        );
    }
}
