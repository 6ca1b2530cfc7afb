//! The corrections as parts of an entity's update (rules B4, B5, C15).

use acmotion_types::{CellPosition, Frame};

use super::{
    CorrectionHost, CorrectionInput, PositionManager, QueueResult, TargetRequest, blip_distance, unstick,
    use_time,
};
#[cfg(feature = "parallel")]
use super::{interpolation::interpolation_speed, sticky::sticky_speed};
use crate::body::end_touches;
use crate::collide::Surroundings;
use crate::entity::{Actor, Entity, MotionEvent};
use crate::steer::{self, TargetInfo, TargetStatus};
use crate::table::MotionError;

impl CorrectionHost for Actor<'_> {
    fn position_manager(&mut self) -> &mut PositionManager {
        &mut self.entity.correction
    }

    fn set_target(&mut self, request: TargetRequest) {
        let TargetRequest { object, radius, quantum } = request;
        steer::set_target(self, TargetInfo { object, radius, quantum, ..TargetInfo::default() }, self.now);
    }

    fn clear_target(&mut self) {
        steer::clear_target(self);
    }

    fn cancel_moveto(&mut self) {
        self.cancel_move_to(MotionError::ActionCancelled);
    }
}

impl Entity {
    /// Queues a position for the body to interpolate to, or turns it at once if it is there already (rule I4).
    #[doc(alias = "InterpolateTo")]
    pub(crate) fn interpolate_to(&mut self, position: &CellPosition, keep_heading: bool, is_player: bool) {
        let own = self.body.position;
        let blip = blip_distance(own.cell, is_player);
        let queued = self.correction.interpolation.interpolate_to(*position, keep_heading, &own, blip);
        if let QueueResult::There { heading: Some(heading) } = queued {
            self.body.position.frame.set_heading(heading);
        }
    }
}

#[cfg(feature = "parallel")]
impl Entity {
    /// Returns the speed, in metres a second, that interpolation and sticking do not exceed in the next step; 0 if neither has
    /// anything to do, and infinity if there is no such speed.
    pub(crate) fn max_correction_speed(&self) -> f32 {
        let weenie = self.weenie.as_deref();
        let interpolates = !self.correction.interpolation.is_idle();
        let interpolation = interpolates.then(|| interpolation_speed(self.interp.adjusted_max_speed(weenie)));
        let sticking = self.correction.is_stuck().then(|| sticky_speed(self.interp.max_speed(weenie)));
        let speed = interpolation.unwrap_or(0.0) + sticking.unwrap_or(0.0);
        if speed.is_nan() { f32::INFINITY } else { speed }
    }
}

impl Actor<'_> {
    /// Applies interpolation, sticking and constraint to the offset of this step, in that order (rules B5, I1).
    #[inline]
    pub(crate) fn adjust_offset(&mut self, offset: &mut Frame, quantum: f32) {
        let entity = &mut *self.entity;
        if entity.correction.is_only_constrained() {
            entity.correction.constraint.adjust_offset(offset, entity.body.has_contact());
        } else {
            self.correct_offset(offset, quantum);
        }
    }

    #[inline(never)]
    fn correct_offset(&mut self, offset: &mut Frame, quantum: f32) {
        let entity = &mut *self.entity;
        let weenie = entity.weenie.as_deref();
        let (interpolates, sticks) =
            (!entity.correction.interpolation.is_idle(), entity.correction.is_stuck());
        let input = CorrectionInput {
            position: entity.body.position,
            contact: entity.body.has_contact(),
            adjusted_max_speed: if interpolates { entity.interp.adjusted_max_speed(weenie) } else { 0.0 },
            max_speed: if sticks { entity.interp.max_speed(weenie) } else { 0.0 },
            radius: entity.shape.radius * entity.body.scale,
            sticky_target: entity
                .correction
                .sticky_target()
                .and_then(|target| self.neighbours.neighbour(target))
                .map(|target| target.position),
        };
        if let Some(explanation) = entity.correction.explanation_mut() {
            explanation.begin(quantum, offset, &entity.body);
        }
        let adjustment = entity.correction.adjust_offset(offset, quantum, &input);
        if let Some(explanation) = entity.correction.explanation_mut() {
            explanation.end(adjustment, offset);
        }
    }

    /// Ends the step for the corrections (rules B4, I1). If interpolation failed, the body is moved to its target.
    #[inline]
    pub(crate) fn position_use_time<S: Surroundings + ?Sized>(&mut self, surroundings: &S) {
        if self.entity.correction.needs_use_time() {
            self.end_correction_step(surroundings);
        }
    }

    #[inline(never)]
    fn end_correction_step<S: Surroundings + ?Sized>(&mut self, surroundings: &S) {
        let (from, now) = (self.entity.body.position, self.now);
        let moved = use_time(self, now, |actor, blip| {
            if let Some(explanation) = actor.entity.correction.explanation_mut() {
                explanation.blip = Some(*blip);
            }
            actor.set_position(&blip.target, true, surroundings)
        });
        if let Some(target) = moved {
            let distance = from.distance_to(&target);
            if let Some(explanation) = self.entity.correction.explanation_mut() {
                explanation.snapped = Some(distance);
            }
            self.emit(MotionEvent::Snapped { distance });
        }
    }

    /// Stops sticking to an object (rule I10).
    #[doc(alias = "unstick_from_object")]
    pub(crate) fn unstick(&mut self) {
        unstick(self);
    }

    /// Ends everything that a teleport ends: order, sticking, interpolation, constraint, targets and touches (rule C15).
    pub fn teleport_hook(&mut self) {
        self.cancel_move_to(MotionError::Teleported);
        self.unstick();
        self.entity.correction.interpolation.stop();
        self.entity.correction.constraint.release();
        self.forget_targets(TargetStatus::Teleported);
        end_touches(self);
    }

    /// Returns `true` if the constraint forbids jumping (rule I9).
    #[doc(alias = "IsFullyConstrained")]
    pub(crate) fn is_fully_constrained(&self) -> bool {
        self.entity.correction.constraint.is_fully_constrained()
    }
}
