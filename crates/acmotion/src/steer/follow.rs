//! Following an order step by step (rules J15, J16, J19), and updates between bodies (rules B4, I11).

use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

use super::{
    MoveToEvent, MoveToNode, Notice, TargetHost, TargetInfo, TargetManager, TargetStatus, clear_target,
    desired_heading, handle_targeting, notify_voyeurs, receive, set_target_quantum,
};
use crate::correction::target_updated;
use crate::entity::Actor;
use crate::interp::{MovementParams, heading_diff, heading_is_past};
use crate::table::MotionError;

/// The maximum deviation from the course, in degrees, at which a moving body does not turn.
const MAX_DEVIATION: f32 = 20.0;
/// The minimum speed, in metres a second, at which the time to arrival is estimated.
const MIN_SPEED: f32 = 0.1;
/// The minimum change of the time to arrival, in seconds, that is passed on to the target.
const MIN_QUANTUM_CHANGE: f64 = 1.0;

impl Actor<'_> {
    /// Continues the current order (rules B4, J19), if the body has contact, the order has a node, and its target, if any,
    /// has sent an update.
    #[doc(alias = "UseTime")]
    #[inline]
    pub(crate) fn move_to_use_time(&mut self) {
        let Some(order) = self.entity.move_to.as_deref() else { return };
        let is_ready = order.top_level.is_none() || !order.is_under_way() || order.initialized;
        let Some(node) = order.nodes.first().filter(|_| is_ready) else { return };
        if !self.entity.body.has_contact() {
            return;
        }
        match node {
            MoveToNode::Move => self.handle_move_to_position(),
            MoveToNode::Turn(heading) => self.handle_turn_to_heading(heading),
        }
    }

    /// Restarts the current node after a landing (rule J19).
    pub(crate) fn move_to_hit_ground(&mut self) {
        if self.entity.is_moving_to() {
            self.begin_next_node();
        }
    }

    /// Continues a move: keeps to the course and checks for arrival (rule J15). One parameter block is used for the whole
    /// step, so that a turn to the left leaves its negative speed to the stop at the end (rule J14).
    #[doc(alias = "HandleMoveToPosition")]
    fn handle_move_to_position(&mut self) {
        let mut params = self.move_to_mut().motion_params();
        if self.entity.interp.has_pending() {
            self.stop_aux_command(&mut params);
        } else {
            self.keep_course(&mut params);
        }
        let (distance, own, now) = (self.distance_to_target(), self.entity.body.position, self.now);
        let order = self.move_to_mut();
        order.stalled = !order.check_progress_made(distance, now);
        // A body that gives up when it makes no progress must not do so where it has arrived.
        if !order.stalled || order.params.limits.patience.is_some() {
            if order.has_arrived(distance) {
                self.end_move(&mut params);
            } else if order.starting_position.distance_to(&own) > order.params.fail_distance {
                self.cancel_move_to(MotionError::TooFar);
            }
        }
        self.update_target_quantum(distance);
    }

    /// Turns while moving, if the body deviates from its course (rule J15).
    fn keep_course(&mut self, params: &mut MovementParams) {
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        let facing = desired_heading(order.current_command, order.moving_away);
        let mut course = own.heading_to(&order.current_target) + facing;
        if course >= 360.0 {
            course -= 360.0;
        }
        let deviation = heading_diff(course, own.frame.heading(), MotionCommand::TURN_RIGHT);
        if deviation <= MAX_DEVIATION || deviation >= 360.0 - MAX_DEVIATION {
            return self.stop_aux_command(params);
        }
        let turn = if deviation >= 180.0 { MotionCommand::TURN_LEFT } else { MotionCommand::TURN_RIGHT };
        if turn != order.aux_command {
            // The result is ignored, as in the original (rule J15).
            let _ = self.steer_motion(turn, params);
            self.move_to_mut().aux_command = turn;
            self.emit_move_to(MoveToEvent::Veers(Some(turn)));
        }
    }

    fn stop_aux_command(&mut self, params: &mut MovementParams) {
        let turn = self.move_to_mut().aux_command;
        if turn != MotionCommand::NONE {
            let _ = self.steer_stop(turn, params);
            self.move_to_mut().aux_command = MotionCommand::NONE;
            self.emit_move_to(MoveToEvent::Veers(None));
        }
    }

    /// Ends a move at the right distance.
    fn end_move(&mut self, params: &mut MovementParams) {
        let order = self.move_to_mut();
        order.nodes.remove_first();
        let motion = order.current_command;
        // If this is refused, the run goes on until everything is stopped (rule J14).
        let _ = self.steer_stop(motion, params);
        self.move_to_mut().current_command = MotionCommand::NONE;
        self.stop_aux_command(params);
        self.begin_next_node();
    }

    /// Makes the target predict its position for as long as the body needs to arrive (rules J15, Q6).
    fn update_target_quantum(&mut self, distance: f32) {
        let order = self.move_to_mut();
        if order.top_level.is_none() || !order.is_under_way() {
            return;
        }
        let speed = self.entity.body.cached_velocity.length();
        let quantum = self.entity.targets.as_deref().map_or(0.0, TargetManager::quantum);
        let time = f64::from(distance / speed);
        if speed > MIN_SPEED && (time - quantum).abs() > MIN_QUANTUM_CHANGE {
            set_target_quantum(self, time);
        }
    }

    /// Continues a turn on the spot. When it passes the heading, the heading is set exactly (rule J16).
    #[doc(alias = "HandleTurnToHeading")]
    fn handle_turn_to_heading(&mut self, heading: f32) {
        let own = self.entity.body.position.frame.heading();
        let order = self.move_to_mut();
        let turn = order.current_command;
        if turn != MotionCommand::TURN_RIGHT && turn != MotionCommand::TURN_LEFT {
            return self.begin_turn_to_heading(heading);
        }
        if !heading_is_past(own, heading, turn) {
            order.previous_heading = own;
            return;
        }
        order.nodes.remove_first();
        let mut params = order.motion_params();
        self.entity.body.position.frame.set_heading(heading);
        self.emit_move_to(MoveToEvent::Faces(heading));
        // The node is done even if the stop is refused.
        let _ = self.steer_stop(turn, &mut params);
        self.move_to_mut().current_command = MotionCommand::NONE;
        self.begin_next_node();
    }

    /// Checks its target and its voyeurs (rules B4, I11).
    #[doc(alias = "HandleTargetting")]
    #[inline]
    pub(crate) fn handle_targeting(&mut self) {
        if self.entity.targets.is_some() {
            handle_targeting(self, self.entity.body.clock.update_time, self.now);
        }
    }

    /// Clears its target, and notifies its voyeurs of the reason why it is no longer where it was (rules C15, C16).
    pub(crate) fn forget_targets(&mut self, status: TargetStatus) {
        if self.entity.targets.is_some() {
            clear_target(self);
            notify_voyeurs(self, status);
        }
    }

    /// Handles a notice from another body (rule I11). The owner of all bodies delivers it.
    pub fn receive_notice(&mut self, notice: &Notice) {
        receive(self, notice, self.now);
    }
}

impl TargetHost for Actor<'_> {
    fn guid(&self) -> Guid {
        self.entity.guid
    }

    fn motion(&self) -> (CellPosition, Vec3) {
        (self.entity.body.position, self.entity.body.cached_velocity)
    }

    fn targets(&mut self) -> &mut TargetManager {
        self.entity.targets.get_or_insert_default()
    }

    fn send_notice(&mut self, notice: Notice) {
        self.events.push_notice(notice);
    }

    /// Passes the update to the movement manager first, then to the position manager (rule I11).
    fn on_target_update(&mut self, info: &TargetInfo) {
        if let Some(explanation) = self.entity.correction.explanation_mut() {
            explanation.record_target(info);
        }
        if info.context != 0 {
            return;
        }
        self.handle_update_target(info);
        let position = (info.status == TargetStatus::Ok).then_some(&info.target_position);
        target_updated(self, info.object, position);
    }
}
