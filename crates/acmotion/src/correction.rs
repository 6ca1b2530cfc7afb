//! Corrections of a body's motion: interpolation to the server's positions, sticking to another body, and the constraint
//! that ties a body to its last server position like a leash (rules I1–I10).
//!
//! All three adjust the offset of one step, which already contains the scaled root motion (rule B5), in the order
//! [interpolation](Interpolation), [sticky](Sticky), [constraint](Constraint). The first two replace it, the last scales
//! it.

mod actor;
mod constraint;
mod explain;
mod host;
mod interpolation;
mod range;
mod sticky;

#[cfg(feature = "serde")]
use crate::restore::{Checked, require_finite};
use acmotion_types::{CellPosition, Frame, Guid};

pub use constraint::{Constraint, ConstraintStep};
pub use explain::StepExplanation;
pub use host::{CorrectionHost, TargetRequest, stick_to, target_updated, unstick, use_time};
pub use interpolation::{Blip, Interpolation, InterpolationStep, MAX_NODES, NODE_REACH, QueueResult};
pub use range::{ConstraintRange, blip_distance};
pub use sticky::{STICKY_SECONDS, Sticky};

/// What the corrections depend on in a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CorrectionInput {
    /// The body's position at the start of the step.
    pub position: CellPosition,
    /// Whether the body touches ground.
    pub contact: bool,
    /// The interpreter's speed limit for interpolation, in metres a second (rule F10).
    #[doc(alias = "get_adjusted_max_speed")]
    pub adjusted_max_speed: f32,
    /// The interpreter's speed limit for sticking, in metres a second (rule F10).
    #[doc(alias = "get_max_speed")]
    pub max_speed: f32,
    /// The body's radius, scaled, in metres (rule A16).
    pub radius: f32,
    /// The current position of the object that the body sticks to, `None` if that object is unknown.
    pub sticky_target: Option<CellPosition>,
}

/// What the corrections did to the offset of a step, for explaining why a body moved as it did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjustment {
    /// What interpolation did.
    pub interpolation: InterpolationStep,
    /// Whether sticking to another body replaced the offset.
    pub stuck: bool,
    /// What the constraint did.
    pub constraint: ConstraintStep,
}

/// The three corrections of a body (rule I1).
///
/// A client that moves bodies by itself can use them alone, to follow the positions that the server reports as the original
/// does:
///
/// ```
/// use acmotion::components::{
///     Adjustment, Constraint, CorrectionInput, Interpolation, PositionManager, QueueResult, Sticky,
/// };
/// use acmotion::explain::{ConstraintRange, InterpolationStep};
/// use acmotion::types::{CellId, CellPosition, Frame, Vec3};
///
/// let at = |y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
/// let (mut own, reported) = (at(10.0), at(11.0));
/// let mut corrections = PositionManager::default();
///
/// // A report arrives: the body is to be a metre farther north.
/// let interpolation: &mut Interpolation = &mut corrections.interpolation;
/// assert_eq!(interpolation.interpolate_to(reported, true, &own, 100.0), QueueResult::Queued);
/// let constraint: &mut Constraint = &mut corrections.constraint;
/// constraint.constrain_to(&reported, &own, ConstraintRange::of(own.cell));
///
/// // In each tick the body moves towards it, at up to twice its own speed.
/// for _ in 0..30 {
///     let input = CorrectionInput {
///         position: own,
///         contact: true,
///         adjusted_max_speed: 4.0,
///         max_speed: 4.0,
///         radius: 0.48,
///         sticky_target: None,
///     };
///     let mut offset = Frame::IDENTITY;
///     let Adjustment { interpolation, .. } = corrections.adjust_offset(&mut offset, 1.0 / 30.0, &input);
///     if interpolation == InterpolationStep::Idle {
///         break;
///     }
///     own.frame.origin += own.frame.local_to_global_vec(offset.origin);
/// }
/// assert!(own.distance_to(&reported) < 0.05);
/// assert!(!corrections.constraint.is_fully_constrained(), "it may jump");
/// assert_eq!(corrections.sticky().and_then(Sticky::target), None, "it sticks to nothing");
/// ```
#[derive(Clone, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PositionManager {
    /// The interpolation to the server's positions.
    pub interpolation: Interpolation,
    /// The constraint to the last server position.
    pub constraint: Constraint,
    /// Boxed, because few bodies ever stick to another.
    sticky: Option<Box<Sticky>>,
    #[cfg_attr(feature = "serde", serde(skip))]
    explanation: Option<Box<StepExplanation>>,
}

impl PositionManager {
    /// Adjusts the offset of a step: interpolation, then sticky, then constraint (rule I1).
    #[inline]
    pub fn adjust_offset(&mut self, offset: &mut Frame, quantum: f32, body: &CorrectionInput) -> Adjustment {
        let is_stuck = self.is_stuck();
        let interpolation = self.interpolation.adjust_offset(offset, quantum, body, is_stuck);
        let stuck = self.sticky.as_ref().is_some_and(|sticky| sticky.adjust_offset(offset, quantum, body));
        let constraint = self.constraint.adjust_offset(offset, body.contact);
        Adjustment { interpolation, stuck, constraint }
    }

    /// Returns `true` if only the constraint can adjust the offset of a step, and nothing is recorded.
    #[inline]
    fn is_only_constrained(&self) -> bool {
        self.interpolation.is_idle() && self.sticky.is_none() && self.explanation.is_none()
    }

    /// Returns `true` if interpolation or sticking may have something to do at the end of a step: without failures there
    /// is no position to move to (rule I8), and what does not stick does not come loose (rule I10).
    #[inline]
    fn needs_use_time(&self) -> bool {
        self.interpolation.fail_count() != 0 || self.sticky.is_some()
    }

    /// Returns `true` if only the constraint has anything to do in a step.
    #[inline]
    pub(crate) fn is_steady(&self) -> bool {
        self.is_only_constrained() && !self.needs_use_time()
    }

    /// Returns `true` if a step whose offset has no length changes nothing here, nor is the offset changed.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_steady() && self.constraint.is_idle_at_rest()
    }

    /// The object that the body sticks to, if any.
    pub fn sticky_target(&self) -> Option<Guid> {
        self.sticky.as_ref().and_then(|sticky| sticky.target())
    }

    /// Returns `true` if the body sticks to an object.
    #[inline]
    pub fn is_stuck(&self) -> bool {
        self.sticky_target().is_some()
    }

    /// The state of sticking, `None` if the body has never stuck to anything.
    pub fn sticky(&self) -> Option<&Sticky> {
        self.sticky.as_deref()
    }

    /// Returns `true` if the body sticks to an object and the time for that is over (rule I10).
    pub fn sticky_is_over(&self, now: f64) -> bool {
        self.sticky.as_ref().is_some_and(|sticky| sticky.is_over(now))
    }

    /// Starts or stops recording why the body moves as it does.
    pub fn set_explained(&mut self, explained: bool) {
        if !explained {
            self.explanation = None;
        } else if self.explanation.is_none() {
            self.explanation = Some(Box::default());
        }
    }

    /// Why the body moved as it did in its last step. `None` if that is not [recorded](Self::set_explained).
    pub fn explanation(&self) -> Option<&StepExplanation> {
        self.explanation.as_deref()
    }

    pub(crate) fn explanation_mut(&mut self) -> Option<&mut StepExplanation> {
        self.explanation.as_deref_mut()
    }

    /// The memory it has allocated, in bytes.
    pub fn side_bytes(&self) -> usize {
        self.interpolation.side_bytes() + self.sticky.as_ref().map_or(0, |_| size_of::<Sticky>())
    }

    /// Moves the stored times by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        if let Some(sticky) = &mut self.sticky {
            sticky.shift_times(by);
        }
    }

    fn sticky_mut(&mut self) -> &mut Sticky {
        self.sticky.get_or_insert_default()
    }
}

#[cfg(feature = "serde")]
impl PositionManager {
    /// Checks corrections that were read from a snapshot.
    pub(crate) fn check(&self) -> Checked {
        require_finite(self, "a correction with a number that is not finite")?;
        self.interpolation.check()
    }
}
