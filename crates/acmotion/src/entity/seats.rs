//! Places that are kept for the managers that steer a body. Each is called exactly where the original calls it;
//! none of them is filled yet.

use acmotion_types::Guid;
use acmotion_wire::MovementBody;

use super::Actor;
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

    /// Who watches the body is told where it is (rules B4.6, I11).
    #[doc(alias = "HandleTargetting")]
    pub(super) fn handle_targeting(&mut self) {}
}
