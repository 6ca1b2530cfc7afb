//! An order step by step (rules J15, J16, J19), and targets told (rules B4, I11).

use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

use super::{
    MoveToEvent, MoveToNode, Notice, TargetHost, TargetInfo, TargetManager, TargetStatus, clear_target,
    desired_heading, handle_targeting, notify_voyeurs, receive, set_target_quantum,
};
use crate::correction::target_updated;
use crate::entity::Actor;
use crate::interp::{MovementParams, heading_diff, heading_is_past};
use crate::table::MotionError;

/// Off the course by more than this, in degrees, it turns while it moves.
const COURSE_WIDTH: f32 = 20.0;
/// Slower than this, in metres a second, it does not say how soon it will be there.
const MIN_SPEED: f32 = 0.1;
/// By how much, in seconds, the time to arrival has to change to be said again.
const QUANTUM_CHANGE: f64 = 1.0;

impl Actor<'_> {
    /// The order goes on (rules B4, J19): on the ground, with something to do, and with a target that has answered.
    #[doc(alias = "UseTime")]
    #[inline]
    pub(crate) fn move_to_use_time(&mut self) {
        let Some(order) = self.entity.move_to.as_deref() else { return };
        let knows_target = order.top_level.is_none() || !order.is_under_way() || order.initialized;
        let Some(node) = order.nodes.first().filter(|_| knows_target) else { return };
        if !self.entity.body.has_contact() {
            return;
        }
        match node {
            MoveToNode::Move => self.handle_move(),
            MoveToNode::Turn(heading) => self.handle_turn(heading),
        }
    }

    /// After a landing the current node is begun anew (rule J19).
    pub(crate) fn move_to_hit_ground(&mut self) {
        if self.entity.is_moving_to() {
            self.begin_next_node();
        }
    }

    /// Moving (rule J15): keeps to the course, and looks whether it is there. One block of parameters serves the whole
    /// step, so that a turn to the left leaves its negative speed to the stop at the end (rule J14).
    #[doc(alias = "HandleMoveToPosition")]
    fn handle_move(&mut self) {
        let mut params = self.move_to_mut().motion_params();
        if self.entity.interp.has_pending() {
            self.stop_veering(&mut params);
        } else {
            self.keep_course(&mut params);
        }
        let (distance, own, now) = (self.distance_to_target(), self.entity.body.position, self.now);
        let order = self.move_to_mut();
        order.stalled = !order.makes_progress(distance, now);
        if !order.stalled {
            if order.is_there(distance) {
                self.end_move(&mut params);
            } else if order.starting_position.distance_to(&own) > order.params.fail_distance {
                self.cancel_move_to(MotionError::TooFar);
            }
        }
        self.tell_time_to_arrival(distance);
    }

    /// Turns while it moves if it is off its course (rule J15).
    fn keep_course(&mut self, params: &mut MovementParams) {
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        let look = desired_heading(order.current_command, order.moving_away);
        let mut wanted = own.heading_to(&order.current_target) + look;
        if wanted >= 360.0 {
            wanted -= 360.0;
        }
        let off = heading_diff(wanted, own.frame.heading(), MotionCommand::TURN_RIGHT);
        if off <= COURSE_WIDTH || off >= 360.0 - COURSE_WIDTH {
            return self.stop_veering(params);
        }
        let turn = if off >= 180.0 { MotionCommand::TURN_LEFT } else { MotionCommand::TURN_RIGHT };
        if turn != order.aux_command {
            // Whether it can turn does not count (rule J15).
            let _ = self.steer_motion(turn, params);
            self.move_to_mut().aux_command = turn;
            self.tell_steering(MoveToEvent::Veers(Some(turn)));
        }
    }

    #[doc(alias = "stop_aux_command")]
    fn stop_veering(&mut self, params: &mut MovementParams) {
        let turn = self.move_to_mut().aux_command;
        if turn != MotionCommand::NONE {
            let _ = self.steer_stop(turn, params);
            self.move_to_mut().aux_command = MotionCommand::NONE;
            self.tell_steering(MoveToEvent::Veers(None));
        }
    }

    /// It is at the right distance.
    fn end_move(&mut self, params: &mut MovementParams) {
        let order = self.move_to_mut();
        order.nodes.remove_first();
        let motion = order.current_command;
        // A refusal lets the run go on until all stands still (rule J14).
        let _ = self.steer_stop(motion, params);
        self.move_to_mut().current_command = MotionCommand::NONE;
        self.stop_veering(params);
        self.begin_next_node();
    }

    /// A moving target looks as far ahead as this body needs to be there (rules J15, Q6).
    fn tell_time_to_arrival(&mut self, distance: f32) {
        let order = self.move_to_mut();
        if order.top_level.is_none() || !order.is_under_way() {
            return;
        }
        let speed = self.entity.body.cached_velocity.length();
        let quantum = self.entity.targets.as_deref().map_or(0.0, TargetManager::quantum);
        let time = f64::from(distance / speed);
        if speed > MIN_SPEED && (time - quantum).abs() > QUANTUM_CHANGE {
            set_target_quantum(self, time);
        }
    }

    /// Turning on the spot (rule J16): past the heading, it looks exactly there.
    #[doc(alias = "HandleTurnToHeading")]
    fn handle_turn(&mut self, heading: f32) {
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
        self.tell_steering(MoveToEvent::Faces(heading));
        // A refusal is no reason not to go on.
        let _ = self.steer_stop(turn, &mut params);
        self.move_to_mut().current_command = MotionCommand::NONE;
        self.begin_next_node();
    }

    /// What it watches and who watches it are looked after (rules B4, I11).
    #[doc(alias = "HandleTargetting")]
    #[inline]
    pub(crate) fn handle_targeting(&mut self) {
        if self.entity.targets.is_some() {
            handle_targeting(self, self.entity.body.clock.update_time, self.now);
        }
    }

    /// Watches nothing any more, and tells those who watch it why it cannot be watched as before (rules C15, C16).
    pub(crate) fn forget_targets(&mut self, status: TargetStatus) {
        if self.entity.targets.is_some() {
            clear_target(self);
            notify_voyeurs(self, status);
        }
    }

    /// Takes in what another body has to say (rule I11): the owner of all bodies delivers it.
    pub fn receive_notice(&mut self, mail: &Notice) {
        receive(self, mail, self.now);
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

    fn send_notice(&mut self, mail: Notice) {
        self.events.push_notice(mail);
    }

    /// The movement manager comes first, then the position manager (rule I11).
    fn on_target_update(&mut self, info: &TargetInfo) {
        if info.context != 0 {
            return;
        }
        self.move_to_target_told(info);
        let position = (info.status == TargetStatus::Ok).then_some(&info.target_position);
        target_updated(self, info.object, position);
    }
}
