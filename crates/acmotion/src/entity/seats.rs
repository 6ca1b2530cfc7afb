//! Places that are kept for the managers that correct and steer a body. Each is called exactly where the original calls
//! it; none of them is filled yet.

use acmotion_types::{Frame, Guid};
use acmotion_wire::MovementBody;

use super::Actor;
use crate::body::Surroundings;
use crate::table::MotionError;

impl Actor<'_> {
    /// Ends a move to somewhere (rule J20).
    #[doc(alias = "interrupt_current_movement")]
    pub(crate) fn cancel_move_to(&mut self, _reason: MotionError) {}

    /// A move to somewhere goes on after a landing (rule J19).
    pub(super) fn move_to_hit_ground(&mut self) {}

    /// A move to somewhere looks at the time (rules B4.7, J19).
    pub(super) fn move_to_use_time(&mut self) {}

    /// The server's orders to go or turn somewhere (rule E5).
    pub(crate) fn steer(&mut self, _order: &MovementBody<'_>) {}

    /// Sticks to an object (rule I10).
    #[doc(alias = "stick_to_object")]
    pub(crate) fn stick_to(&mut self, _object: Guid) {}

    /// Lets go of an object it sticks to (rule I10).
    #[doc(alias = "unstick_from_object")]
    pub(crate) fn unstick(&mut self) {}

    /// Interpolation, sticking and leash change the way of this tick, in that order (rules B5.3, I1).
    pub(super) fn adjust_offset(&mut self, _offset: &mut Frame, _quantum: f32) {}

    /// Interpolation and sticking look at the time (rules B4.7, I1).
    pub(super) fn position_use_time<S: Surroundings + ?Sized>(&mut self, _surroundings: &S) {}

    /// Who watches the body is told where it is (rules B4.6, I11).
    #[doc(alias = "HandleTargetting")]
    pub(super) fn handle_targeting(&mut self) {}

    /// Is it at the end of its leash (rule I9)?
    #[doc(alias = "IsFullyConstrained")]
    pub(crate) fn is_fully_constrained(&self) -> bool {
        false
    }
}
