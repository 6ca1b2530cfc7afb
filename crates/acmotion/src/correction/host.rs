//! What the corrections ask of the body's owner: to be placed, and to watch a target (rules I8, I10).
//!
//! Placing needs the surroundings, which an owner does not always have; so [`use_time`] is given how to do it.

use acmotion_types::{CellPosition, Guid};

use super::PositionManager;

/// A wish to be told where another object is (rules I10, I11).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "set_target")]
pub struct TargetRequest {
    /// Which object.
    pub object: Guid,
    /// How far it may move until it tells again, in metres.
    pub radius: f32,
    /// How far ahead it looks, in seconds.
    pub quantum: f64,
}

impl TargetRequest {
    /// How a body that sticks watches its target (rule I10).
    const fn sticky(object: Guid) -> Self {
        Self { object, radius: 0.5, quantum: 0.5 }
    }
}

/// Who owns a [`PositionManager`] and does what it asks for.
pub trait CorrectionHost {
    /// Its position manager.
    fn position_manager(&mut self) -> &mut PositionManager;

    /// Watches a target. It may answer at once by [`target_updated`].
    fn set_target(&mut self, request: TargetRequest);

    /// Watches no target any more.
    fn clear_target(&mut self);

    /// Gives up a move-to, code 0x36.
    #[doc(alias = "interrupt_current_movement")]
    fn cancel_moveto(&mut self);
}

/// The end of a tick: puts the body where catching up has failed, and ends a stick whose time is over (rules B4, I1, I8,
/// I10). `place` puts the body somewhere, sliding off what is in the way, and says whether it could (rule C18). Answers
/// where it has been put.
#[doc(alias = "UseTime")]
#[inline]
pub fn use_time<H: CorrectionHost>(
    host: &mut H,
    now: f64,
    place: impl FnOnce(&mut H, &CellPosition) -> bool,
) -> Option<CellPosition> {
    let target = host.position_manager().interpolation.blip_target();
    let placed = target.filter(|target| place(host, target));
    if placed.is_some() {
        host.position_manager().interpolation.stop();
    }
    if host.position_manager().sticky_is_over(now) {
        unstick(host);
    }
    placed
}

/// Sticks to an object of that radius, for a second (rule I10).
#[doc(alias = "StickTo")]
pub fn stick_to(host: &mut impl CorrectionHost, target: Guid, target_radius: f32, now: f64) {
    unstick(host);
    host.position_manager().sticky_mut().begin(target, target_radius, now);
    host.set_target(TargetRequest::sticky(target));
}

/// Sticks to nothing any more; if it did, it gives up its target and its move-to (rule I10).
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

/// A target has told where it is, or `None` that it cannot be followed any more (rule I10).
#[doc(alias = "HandleUpdateTarget")]
pub fn target_updated(host: &mut impl CorrectionHost, object: Guid, position: Option<&CellPosition>) {
    let manager = host.position_manager();
    if manager.sticky_target() != Some(object) {
        return;
    }
    match position {
        Some(position) => manager.sticky_mut().found(position),
        None => unstick(host),
    }
}
