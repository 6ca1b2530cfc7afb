//! Starting the nodes of an order one after the other, and ending the order (rules J10–J14, J18, J20).

use acmotion_types::{CellPosition, EPS, MotionCommand};
use acmotion_wire::MoveFlags;

use super::{MoveKind, MoveToEvent, MoveToNode, TargetInfo, TargetStatus, clear_target};
use crate::correction;
use crate::entity::Actor;
use crate::interp::{Interpreter, MovementParams, heading_diff};
use crate::table::MotionError;

impl Actor<'_> {
    /// Handles an update of the order's target (rule J10). The first one creates the nodes; later ones change the goal of a
    /// move, but not of a turn.
    #[doc(alias = "HandleUpdateTarget")]
    pub(super) fn handle_update_target(&mut self, info: &TargetInfo) {
        let Some(order) = self.entity.move_to.as_deref_mut() else { return };
        if order.kind == MoveKind::Idle || order.top_level != info.object {
            return;
        }
        let (kind, initialized) = (order.kind, order.initialized);
        self.emit_move_to(MoveToEvent::TargetUpdated(info.status));
        match (info.status, initialized, kind) {
            (TargetStatus::Ok, false, MoveKind::MoveToObject) => self.move_to_object_internal(info),
            (TargetStatus::Ok, false, MoveKind::TurnToObject) => {
                self.turn_to_object_internal(&info.target_position);
            }
            (TargetStatus::Ok, true, MoveKind::MoveToObject) => {
                let now = self.now;
                let order = self.move_to_mut();
                order.sought_position = info.interpolated_position;
                order.current_target = info.target_position;
                order.reset_progress(now);
                order.progress.target_moved = true;
            }
            (TargetStatus::Ok, ..) => {}
            (_, false, _) => self.cancel_move_to(MotionError::NoObject),
            (_, true, _) => self.cancel_move_to(MotionError::ObjectGone),
        }
    }

    /// Creates the nodes of a move to an object. The bearing is that of the target's predicted position, the distance
    /// that of its current one (rule J10).
    #[doc(alias = "MoveToObject_Internal")]
    fn move_to_object_internal(&mut self, info: &TargetInfo) {
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        order.sought_position = info.interpolated_position;
        order.current_target = info.target_position;
        let bearing = own.heading_to(&info.interpolated_position);
        let distance = self.distance_to_target();
        let order = self.move_to_mut();
        if order.params.get_command(distance).motion.is_some() {
            order.nodes.push(MoveToNode::Turn(bearing));
            order.nodes.push(MoveToNode::Move);
        }
        if order.params.flags.contains(MoveFlags::USE_FINAL_HEADING) {
            order.nodes.push(MoveToNode::Turn(wrapped(bearing + order.params.desired_heading)));
        }
        order.initialized = true;
        self.begin_next_node();
    }

    /// Creates the node of a turn to an object (rule J9).
    #[doc(alias = "TurnToObject_Internal")]
    fn turn_to_object_internal(&mut self, target: &CellPosition) {
        let bearing = self.entity.body.position.heading_to(target);
        let order = self.move_to_mut();
        order.current_target = *target;
        let heading = wrapped(bearing + order.sought_position.frame.heading());
        order.sought_position.frame.set_heading(heading);
        order.nodes.push(MoveToNode::Turn(heading));
        order.initialized = true;
        self.begin_next_node();
    }

    /// Starts the next node. Without one the order is complete, and the body sticks to its target if the sticky flag is set
    /// (rule J11).
    #[doc(alias = "BeginNextNode")]
    pub(super) fn begin_next_node(&mut self) {
        match self.move_to_mut().nodes.first() {
            Some(MoveToNode::Move) => self.begin_move_forward(),
            Some(MoveToNode::Turn(heading)) => self.begin_turn_to_heading(heading),
            None => self.finish_move_to(),
        }
    }

    fn finish_move_to(&mut self) {
        let order = self.move_to_mut();
        let sticks = order.params.flags.contains(MoveFlags::STICKY);
        let (target, radius) = (order.top_level, order.sought_size.radius);
        self.emit_move_to(MoveToEvent::Arrived);
        self.clean_up_move_to();
        self.stop_motions();
        if sticks {
            self.emit_move_to(MoveToEvent::Sticks(target));
            correction::stick_to(self, target, radius, self.now);
        }
    }

    /// Starts to move to the right distance, walking or running (rule J12).
    #[doc(alias = "BeginMoveForward")]
    fn begin_move_forward(&mut self) {
        let distance = self.distance_to_target();
        let now = self.now;
        let order = self.move_to_mut();
        let choice = order.params.get_command(distance);
        let Some(motion) = choice.motion else {
            order.nodes.remove_first();
            return self.begin_next_node();
        };
        let hold_key = choice.gait.hold_key();
        let mut params = MovementParams { hold_key, ..order.motion_params() };
        if let Err(error) = self.steer_motion(motion, &mut params) {
            return self.cancel_move_to(error);
        }
        let order = self.move_to_mut();
        order.current_command = motion;
        order.moving_away = choice.moving_away;
        order.params.hold_key = hold_key;
        (order.previous_distance, order.previous_time) = (distance, now);
        (order.original_distance, order.original_time) = (distance, now);
        self.emit_move_to(MoveToEvent::Moves { motion, hold_key, away: choice.moving_away });
    }

    /// Starts to turn in the shorter direction, once no motion is pending (rule J13). Before the body has moved, the order's
    /// hold key is Invalid, and the turn is made with the key that the body holds (rule Q11).
    #[doc(alias = "BeginTurnToHeading")]
    pub(super) fn begin_turn_to_heading(&mut self, heading: f32) {
        if let Some(motion) = self.entity.interp.oldest_pending() {
            if !std::mem::replace(&mut self.move_to_mut().waiting, true) {
                self.emit_move_to(MoveToEvent::Waits(motion));
            }
            return;
        }
        let own = self.entity.body.position.frame.heading();
        let order = self.move_to_mut();
        order.waiting = false;
        let diff = heading_diff(heading, own, MotionCommand::TURN_RIGHT);
        let Some(turn) = shorter_turn(diff) else {
            order.nodes.remove_first();
            return self.begin_next_node();
        };
        let mut params = order.motion_params();
        if let Err(error) = self.steer_motion(turn, &mut params) {
            return self.cancel_move_to(error);
        }
        let order = self.move_to_mut();
        order.current_command = turn;
        order.previous_heading = diff;
        self.emit_move_to(MoveToEvent::Turns { turn, heading });
    }

    /// Cancels the current order, if there is one (rule J20).
    #[doc(alias = "CancelMoveTo")]
    #[doc(alias = "interrupt_current_movement")]
    pub(crate) fn cancel_move_to(&mut self, reason: MotionError) {
        self.end_move_to(MoveToEvent::Failed(reason));
    }

    /// Ends the current order, if there is one, and reports why.
    pub(super) fn end_move_to(&mut self, event: MoveToEvent) {
        let Some(order) = self.entity.move_to.as_deref_mut() else { return };
        if !order.is_under_way() {
            return;
        }
        order.nodes.clear();
        self.emit_move_to(event);
        self.clean_up_move_to();
        self.stop_motions();
    }

    /// Stops the order's motions and resets its state (rule J20).
    #[doc(alias = "CleanUp")]
    pub(super) fn clean_up_move_to(&mut self) {
        let order = self.move_to_mut();
        let watches = !order.top_level.is_none() && order.is_under_way();
        let mut params = order.stop_params();
        for motion in [order.current_command, order.aux_command] {
            if motion != MotionCommand::NONE {
                // The order ends even if the stop is refused.
                let _ = self.steer_stop(motion, &mut params);
            }
        }
        if watches && self.entity.targets.is_some() {
            clear_target(self);
        }
        let now = self.now;
        self.move_to_mut().reset(now);
    }

    /// Starts a motion after adjusting it by hold key and speed, without touching the raw state or its refusals. The
    /// adjusted speed is written back into `params` (rule J14).
    #[doc(alias = "_DoMotion")]
    pub(super) fn steer_motion(
        &mut self,
        motion: MotionCommand,
        params: &mut MovementParams,
    ) -> Result<(), MotionError> {
        let motion = self.adjust_in_place(motion, params);
        self.do_interpreted_motion(motion, params)
    }

    /// Stops a motion in the same way (rule J14).
    #[doc(alias = "_StopMotion")]
    pub(super) fn steer_stop(
        &mut self,
        motion: MotionCommand,
        params: &mut MovementParams,
    ) -> Result<(), MotionError> {
        let motion = self.adjust_in_place(motion, params);
        self.stop_interpreted_motion(motion, params)
    }

    fn adjust_in_place(&self, motion: MotionCommand, params: &mut MovementParams) -> MotionCommand {
        let entity = &*self.entity;
        let (motion, speed) =
            entity.interp.adjust_motion(entity.weenie(), motion, params.speed, params.hold_key);
        params.speed = speed;
        motion
    }

    /// The distance to the order's target, in metres, between hulls or between centres (rule J18). `f32::MAX` if the
    /// body never had an order.
    #[doc(alias = "GetCurrentDistance")]
    pub(super) fn distance_to_target(&self) -> f32 {
        self.entity.move_to.as_deref().map_or(f32::MAX, |order| order.distance_from(self.entity))
    }
}

impl Interpreter {
    /// The pending motion that has to end before a turn on the spot can start.
    pub(super) fn oldest_pending(&self) -> Option<MotionCommand> {
        self.pending.first().map(|oldest| oldest.motion)
    }
}

/// Returns the heading within a full turn, in degrees.
fn wrapped(heading: f32) -> f32 {
    libm::fmodf(heading, 360.0)
}

/// Returns the shorter direction for a turn by `degrees` to the right; `None` if no turn is needed (rules J13, R9).
fn shorter_turn(degrees: f32) -> Option<MotionCommand> {
    if degrees <= 180.0 {
        (degrees > EPS).then_some(MotionCommand::TURN_RIGHT)
    } else {
        (degrees + EPS < 360.0).then_some(MotionCommand::TURN_LEFT)
    }
}
