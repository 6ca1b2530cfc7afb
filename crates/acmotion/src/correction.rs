//! Where the server says a body is: catching up with it, sticking to another body, and the leash (rules I1–I10).
//!
//! All three work on the offset of one tick, which already holds the scaled root motion (rule B5), in the order
//! [interpolation](Interpolation), [sticky](Sticky), [constraint](Constraint). The first two replace it, the last scales
//! it.

mod actor;
mod constraint;
mod explain;
mod host;
mod interpolation;
mod range;
mod sticky;

use acmotion_types::{CellPosition, Frame, Guid};

pub use constraint::{Constraint, ConstraintStep};
pub use explain::StepExplanation;
pub use host::{CorrectionHost, TargetRequest, stick_to, target_updated, unstick, use_time};
pub use interpolation::{Interpolation, InterpolationStep, NODE_REACH, QUEUE_LENGTH, QueueResult};
pub use range::{ConstraintRange, blip_distance};
pub use sticky::{STICKY_SECONDS, Sticky};

/// What the corrections need to know of the body in a tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CorrectionInput {
    /// Where it is at the start of the tick.
    pub position: CellPosition,
    /// Does it touch ground?
    pub contact: bool,
    /// How fast its interpreter lets it go, for catching up (rule F10).
    #[doc(alias = "get_adjusted_max_speed")]
    pub adjusted_max_speed: f32,
    /// How fast its interpreter lets it go, for sticking (rule F10).
    #[doc(alias = "get_max_speed")]
    pub max_speed: f32,
    /// Its radius, scaled (rule A16).
    pub radius: f32,
    /// Where the object that it sticks to is now, if that object is known.
    pub sticky_target: Option<CellPosition>,
}

/// What the corrections did to a tick's offset, for those who ask why a body moved as it did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjustment {
    /// What catching up with the server did.
    pub interpolation: InterpolationStep,
    /// Did sticking to another body replace the offset?
    pub stuck: bool,
    /// What the leash did.
    pub constraint: ConstraintStep,
}

/// The three corrections of a body in their order (rule I1).
#[derive(Clone, Default, Debug)]
pub struct PositionManager {
    /// Catching up with the server.
    pub interpolation: Interpolation,
    /// The leash.
    pub constraint: Constraint,
    /// Behind a pointer, because few bodies ever stick to another.
    sticky: Option<Box<Sticky>>,
    explanation: Option<Box<StepExplanation>>,
}

impl PositionManager {
    /// Corrects a tick's offset: interpolation, then sticky, then constraint (rule I1).
    #[inline]
    pub fn adjust_offset(&mut self, offset: &mut Frame, quantum: f32, body: &CorrectionInput) -> Adjustment {
        let is_stuck = self.is_stuck();
        let catching = self.interpolation.adjust_offset(offset, quantum, body, is_stuck);
        let stuck = self.sticky.as_ref().is_some_and(|sticky| sticky.adjust_offset(offset, quantum, body));
        let leash = self.constraint.adjust_offset(offset, body.contact);
        Adjustment { interpolation: catching, stuck, constraint: leash }
    }

    /// The object that the body sticks to, if it does.
    pub fn sticky_target(&self) -> Option<Guid> {
        self.sticky.as_ref().and_then(|sticky| sticky.target())
    }

    /// Does the body stick to something?
    #[inline]
    pub fn is_stuck(&self) -> bool {
        self.sticky_target().is_some()
    }

    /// How the body sticks, if it ever did.
    pub fn sticky(&self) -> Option<&Sticky> {
        self.sticky.as_deref()
    }

    /// Has the stick lasted too long (rule I10)?
    pub fn sticky_is_over(&self, now: f64) -> bool {
        self.sticky.as_ref().is_some_and(|sticky| sticky.is_over(now))
    }

    /// From now on keeps why the body moved as it did in its last step, or does not any more.
    pub fn set_explained(&mut self, explained: bool) {
        if !explained {
            self.explanation = None;
        } else if self.explanation.is_none() {
            self.explanation = Some(Box::default());
        }
    }

    /// Why the body moved as it did in its last step, if that is kept.
    pub fn explanation(&self) -> Option<&StepExplanation> {
        self.explanation.as_deref()
    }

    pub(crate) fn explanation_mut(&mut self) -> Option<&mut StepExplanation> {
        self.explanation.as_deref_mut()
    }

    /// How many bytes it takes outside of its owner.
    pub fn side_bytes(&self) -> usize {
        self.interpolation.side_bytes() + self.sticky.as_ref().map_or(0, |_| size_of::<Sticky>())
    }

    fn sticky_mut(&mut self) -> &mut Sticky {
        self.sticky.get_or_insert_default()
    }
}
