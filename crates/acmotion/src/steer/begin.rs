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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, Guid, Vec3};

    use super::*;
    use crate::collide::{InfinitePlane, Shape};
    use crate::entity::{Entity, Events};
    use crate::interp::RemoteWeenie;
    use crate::library::Library;
    use crate::steer::{MoveTo, Order, Unreachable};

    const GROUND: InfinitePlane = InfinitePlane::level(0.0);
    const OTHER: Guid = Guid(2);

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 0.005))
    }

    fn near(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-3
    }

    /// A human at (12, 12) that faces north.
    struct Stage {
        library: Library,
        entity: Entity,
        events: Events,
        now: f64,
    }

    impl Stage {
        fn new() -> Self {
            let mut library = Library::new();
            let table =
                library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).expect("it is built in");
            let mut entity = Entity::new(Guid(1), Some(table));
            entity.shape = Shape::human().into();
            entity.set_weenie(Some(Arc::new(RemoteWeenie::Creature)));
            let mut stage = Self { library, entity, events: Events::new(), now: 100.0 };
            let mut actor = stage.act();
            actor.enter_default_state();
            assert!(actor.enter_world(&at(12.0, 12.0), true, &GROUND));
            stage.run(30);
            stage
        }

        fn act(&mut self) -> Actor<'_> {
            self.entity.act(&self.library, self.now, &mut self.events)
        }

        fn run(&mut self, ticks: usize) {
            for _ in 0..ticks {
                self.now += 1.0 / 30.0;
                self.act().update(None, &GROUND);
            }
        }

        fn order(&mut self, order: &Order) {
            self.act().order(order);
        }

        /// An update of the target, which predicts to be two metres north of where it is.
        fn update(&mut self, position: CellPosition) -> CellPosition {
            let mut interpolated_position = position;
            interpolated_position.frame.origin.y += 2.0;
            let info = TargetInfo {
                object: OTHER,
                target_position: position,
                interpolated_position,
                status: TargetStatus::Ok,
                ..TargetInfo::default()
            };
            self.act().handle_update_target(&info);
            interpolated_position
        }

        fn state(&self) -> &MoveTo {
            self.entity.move_to.as_deref().expect("it has had an order")
        }
    }

    fn chase() -> Order {
        Order::MoveToObject { object: OTHER, params: MovementParams::default() }
    }

    /// Rules J10 and J12: the position that is sought is the predicted one, and progress is measured from where the move
    /// begins, until an update begins it anew.
    #[test]
    fn the_progress_of_a_move_begins_with_the_move_and_with_each_update() {
        let mut stage = Stage::new();
        stage.order(&chase());
        stage.run(15);
        let predicted = stage.update(at(12.0, 60.0));
        assert_eq!(
            (stage.state().sought_position, stage.state().current_target),
            (predicted, at(12.0, 60.0))
        );
        assert_eq!(stage.state().current_command, MotionCommand::WALK_FORWARD, "it faces its target already");
        let (distance, now) = (stage.act().distance_to_target(), stage.now);
        let order = stage.state();
        assert_eq!((order.previous_distance, order.previous_time), (distance, now));
        assert_eq!((order.original_distance, order.original_time), (distance, now));

        stage.run(45);
        assert!(stage.state().previous_distance < distance, "checked once");
        let predicted = stage.update(at(12.0, 61.0));
        let order = stage.state();
        assert_eq!((order.sought_position, order.current_target), (predicted, at(12.0, 61.0)));
        assert_eq!((order.previous_distance, order.previous_time), (f32::MAX, stage.now));
        assert_eq!((order.original_distance, order.original_time), (f32::MAX, stage.now));
    }

    /// Rules J13 and J16: first the angle to turn by is stored, then the heading of each step.
    #[test]
    fn a_turn_stores_its_angle_and_then_its_headings() {
        let mut stage = Stage::new();
        let params = MovementParams { desired_heading: 90.0, ..MovementParams::default() };
        stage.order(&Order::TurnToHeading { params });
        assert!(near(stage.state().previous_heading, 90.0), "{}", stage.state().previous_heading);
        assert!(near(stage.state().sought_position.frame.heading(), 90.0));
        stage.run(10);
        let own = stage.entity.body.position.frame.heading();
        assert!((5.0..85.0).contains(&own), "{own}");
        assert_eq!(stage.state().previous_heading, own);
        stage.run(60);
        assert!(!stage.state().is_under_way());
        assert_eq!(stage.state().previous_heading, 0.0);
    }

    /// Rule J9: the heading is the bearing and that of the sought position, which is 0 when an order begins.
    #[test]
    fn a_turn_to_an_object_adds_the_heading_that_is_sought() {
        let mut stage = Stage::new();
        stage.order(&Order::TurnToObject { object: OTHER, params: MovementParams::default() });
        stage.act().move_to_mut().sought_position.frame.set_heading(30.0);
        stage.update(at(52.0, 12.0));
        let order = stage.state();
        let Some(MoveToNode::Turn(heading)) = order.nodes.first() else { panic!("{order:?}") };
        assert!(near(heading, 120.0), "90 and 30 degrees: {heading}");
        assert!(near(order.sought_position.frame.heading(), 120.0));
        assert_eq!(order.current_target, at(52.0, 12.0));
    }

    /// Rule J8.
    #[test]
    fn an_order_to_a_position_seeks_it() {
        let mut stage = Stage::new();
        stage.order(&Order::MoveToPosition { position: at(12.0, 30.0), params: MovementParams::default() });
        let order = stage.state();
        assert_eq!((order.sought_position, order.current_target), (at(12.0, 30.0), at(12.0, 30.0)));
        assert_eq!(order.starting_position, stage.entity.body.position);
    }

    /// Rule J2: what is reset when an order ends, and what is kept.
    #[test]
    fn an_order_that_ended_leaves_its_starting_position_alone() {
        let mut stage = Stage::new();
        let params = MovementParams { context: 7, fail_distance: 50.0, ..MovementParams::default() };
        stage.order(&Order::MoveToObject { object: OTHER, params });
        stage.update(at(12.0, 60.0));
        stage.run(60);
        assert_eq!(stage.state().params.context, 7);
        let start = stage.state().starting_position;
        stage.act().end_move_to(MoveToEvent::GaveUp(Unreachable::NoProgress));
        let order = stage.state();
        assert_eq!(
            (order.kind, order.params.context, order.params.flags),
            (MoveKind::Idle, 0, MoveFlags::empty())
        );
        assert_eq!((order.previous_distance, order.previous_time), (f32::MAX, stage.now));
        assert_eq!((order.original_distance, order.original_time), (f32::MAX, stage.now));
        assert_eq!((order.sought_position, order.current_target), Default::default());
        assert_eq!((order.sought_object, order.top_level), (Guid::NONE, Guid::NONE));
        assert_eq!((order.params.fail_distance, order.starting_position), (50.0, start));
        assert!(start.distance_to(&stage.entity.body.position) > 1.0);
    }

    /// Rule J13. Angles next to a full turn differ from one by no more than EPS.
    #[test]
    fn a_turn_by_next_to_nothing_is_none() {
        for (degrees, turn) in [
            (0.0, None),
            (0.000_15, None),
            (0.001, Some(MotionCommand::TURN_RIGHT)),
            (180.0, Some(MotionCommand::TURN_RIGHT)),
            (180.001, Some(MotionCommand::TURN_LEFT)),
            (359.999, Some(MotionCommand::TURN_LEFT)),
            (359.999_88, None),
            (360.0, None),
        ] {
            assert_eq!(shorter_turn(degrees), turn, "{degrees}");
        }
    }
}
