//! What the corrections need from the body's owner: moving the body, and watching a target (rules I8, I10).
//!
//! Moving the body needs the surroundings, which an owner does not always have; [`use_time`] therefore takes a closure.

use acmotion_types::{CellPosition, Guid};

use super::{Blip, PositionManager};

/// A request for updates about another object (rules I10, I11).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "set_target")]
pub struct TargetRequest {
    /// The object.
    pub object: Guid,
    /// How far it may move, in metres, before it sends another update.
    pub radius: f32,
    /// How far ahead it predicts its position, in seconds.
    pub quantum: f64,
}

impl TargetRequest {
    /// The request of a body that sticks to its target (rule I10).
    const fn sticky(object: Guid) -> Self {
        Self { object, radius: 0.5, quantum: 0.5 }
    }
}

/// The owner of a [`PositionManager`], which performs its requests.
pub trait CorrectionHost {
    /// The position manager.
    fn position_manager(&mut self) -> &mut PositionManager;

    /// Starts watching a target. Its first update may arrive at once, through [`target_updated`].
    fn set_target(&mut self, request: TargetRequest);

    /// Stops watching the target.
    fn clear_target(&mut self);

    /// Cancels the current order, code 0x36.
    #[doc(alias = "interrupt_current_movement")]
    fn cancel_moveto(&mut self);
}

/// Ends a step: moves the body if interpolation failed, and ends sticking when its time is over (rules B4, I1, I8, I10).
/// `blip_to` moves the body to its target, sliding off obstacles, and returns `true` if there was room (rule C18). Returns the
/// position the body was moved to.
#[doc(alias = "UseTime")]
#[inline]
pub fn use_time<H: CorrectionHost>(
    host: &mut H,
    now: f64,
    blip_to: impl FnOnce(&mut H, &Blip) -> bool,
) -> Option<CellPosition> {
    let blip = host.position_manager().interpolation.blip();
    let moved = blip.filter(|blip| blip_to(host, blip));
    if moved.is_some() {
        host.position_manager().interpolation.stop();
    }
    if host.position_manager().sticky_is_over(now) {
        unstick(host);
    }
    moved.map(|blip| blip.target)
}

/// Starts sticking to an object with the given radius, for one second (rule I10).
#[doc(alias = "StickTo")]
pub fn stick_to(host: &mut impl CorrectionHost, target: Guid, target_radius: f32, now: f64) {
    unstick(host);
    host.position_manager().sticky_mut().begin(target, target_radius, now);
    host.set_target(TargetRequest::sticky(target));
}

/// Stops sticking. If the body did stick to an object, its target is cleared and its order cancelled (rule I10).
#[doc(alias = "UnStick")]
#[doc(alias = "unstick_from_object")]
pub fn unstick(host: &mut impl CorrectionHost) {
    let manager = host.position_manager();
    if manager.is_stuck() {
        manager.sticky_mut().end();
        host.clear_target();
        host.cancel_moveto();
    }
}

/// Handles an update of a target: its position, or `None` if it cannot be followed any more (rule I10).
#[doc(alias = "HandleUpdateTarget")]
pub fn target_updated(host: &mut impl CorrectionHost, object: Guid, position: Option<&CellPosition>) {
    let manager = host.position_manager();
    if manager.sticky_target() != Some(object) {
        return;
    }
    match position {
        Some(position) => manager.sticky_mut().set_target_position(position),
        None => unstick(host),
    }
}
