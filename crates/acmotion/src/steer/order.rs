//! Orders to go or turn somewhere, from code and from the server (rules E5, J6–J9).

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{MoveFlags, MovementBody, Origin};

use super::limits::Progress;
use super::{MoveKind, MoveTo, MoveToEvent, MoveToNode, TargetInfo, Unreachable, set_target};
use crate::correction;
use crate::entity::{Actor, MotionEvent};
use crate::interp::{MovementParams, MovementRequest};
use crate::table::MotionError;

/// How far a target may move, in metres, before it sends an update (rule J7).
const TARGET_RADIUS: f32 = 0.5;

/// An order to go or turn somewhere (rule J6).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    /// Go to an object.
    MoveToObject {
        /// The object. The order waits ten seconds for one that is unknown.
        object: Guid,
        /// The movement parameters.
        params: MovementParams,
    },
    /// Go to a position.
    MoveToPosition {
        /// The position.
        position: CellPosition,
        /// The movement parameters.
        params: MovementParams,
    },
    /// Turn to an object.
    TurnToObject {
        /// The object. The order waits ten seconds for one that is unknown.
        object: Guid,
        /// The movement parameters. The desired heading is ignored (rule Q6).
        params: MovementParams,
    },
    /// Turn to the desired heading.
    TurnToHeading {
        /// The movement parameters, including the heading.
        params: MovementParams,
    },
}

impl Order {
    /// Returns the order as a message carries it (rule E5). `find` returns the position of an object and the heading to it;
    /// `None` if it is unknown, and so is then the result.
    pub(crate) fn to_wire(
        self,
        run_rate: f32,
        find: impl FnOnce(Guid) -> Option<(CellPosition, f32)>,
    ) -> Option<MovementBody<'static>> {
        let origin = |position: CellPosition| Origin { cell: position.cell, point: position.frame.origin };
        Some(match self {
            Self::MoveToObject { object, params } => MovementBody::MoveToObject {
                target: object,
                origin: origin(find(object)?.0),
                params: (&params).into(),
                run_rate,
            },
            Self::MoveToPosition { position, params } => {
                MovementBody::MoveToPosition { origin: origin(position), params: (&params).into(), run_rate }
            }
            Self::TurnToObject { object, params } => MovementBody::TurnToObject {
                target: object,
                heading: find(object)?.1,
                params: (&params).into(),
            },
            Self::TurnToHeading { params } => MovementBody::TurnToHeading { params: (&params).into() },
        })
    }
}

impl Actor<'_> {
    /// Gives an order, which replaces the current one (rule J6).
    ///
    /// Steps continue it; [`MotionEvent::MoveTo`] events report its progress.
    #[doc(alias = "PerformMovement")]
    pub fn order(&mut self, order: &Order) {
        self.entity.body.set_active(self.now);
        self.cancel_move_to(MotionError::ActionCancelled);
        self.unstick();
        match order {
            Order::MoveToObject { object, params } => self.move_to_object(*object, params),
            Order::MoveToPosition { position: place, params } => self.move_to_position(place, params),
            Order::TurnToObject { object, params } => self.turn_to_object(*object, params),
            Order::TurnToHeading { params } => self.turn_to_heading(params),
        }
        self.limit_order(order.params());
    }

    /// Takes over from parameters what the original does not have and the wire does not carry: when the current order is
    /// given up, and how its distance is measured.
    pub(crate) fn limit_order(&mut self, params: &MovementParams) {
        let (own, now) = (self.entity.body.position, self.now);
        let Some(order) = &mut self.entity.move_to else { return };
        order.params.limits = params.limits;
        order.params.ignores_height = params.ignores_height;
        if params.limits.is_set() {
            order.progress = Progress::start(&own, now);
        }
    }

    /// Follows an order of the server (rule E5). If its object is unknown, the position or heading in the order is used
    /// instead.
    pub(crate) fn follow_server_order(&mut self, order: &MovementBody<'_>) {
        match order {
            MovementBody::Interpreted { .. } => {}
            MovementBody::MoveToObject { target, origin, params, .. } => {
                let params = params.into();
                if self.neighbours.neighbour(*target).is_some() {
                    self.order(&Order::MoveToObject { object: *target, params });
                } else {
                    self.move_to_position(&position(origin), &params);
                }
            }
            MovementBody::MoveToPosition { origin, params, .. } => {
                self.move_to_position(&position(origin), &params.into());
            }
            MovementBody::TurnToObject { target, heading, params } => {
                let params: MovementParams = params.into();
                if self.neighbours.neighbour(*target).is_some() {
                    self.order(&Order::TurnToObject { object: *target, params });
                } else {
                    self.turn_to_heading(&MovementParams { desired_heading: *heading, ..params });
                }
            }
            MovementBody::TurnToHeading { params } => self.turn_to_heading(&params.into()),
        }
    }

    /// Sticks to an object, or to its parent if it has one. An unknown object is ignored (rules I10, Q5).
    #[doc(alias = "stick_to_object")]
    pub(crate) fn stick_to(&mut self, object: Guid) {
        let Some(found) = self.neighbours.neighbour(object) else { return };
        let (top, found) = match found.parent {
            Some(parent) => match self.neighbours.neighbour(parent) {
                Some(found) => (parent, found),
                None => return,
            },
            None => (object, found),
        };
        correction::stick_to(self, top, found.size.radius, self.now);
    }

    /// Starts moving to an object. The size is the object's own, but its parent is watched if it has one (rules J7, Q5).
    #[doc(alias = "MoveToObject")]
    fn move_to_object(&mut self, object: Guid, params: &MovementParams) {
        self.stop_motions();
        let found = self.neighbours.neighbour(object);
        let top = found.and_then(|found| found.parent).unwrap_or(object);
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        order.starting_position = own;
        order.sought_object = object;
        order.top_level = top;
        order.sought_size = found.map(|found| found.size).unwrap_or_default();
        order.kind = MoveKind::MoveToObject;
        order.params = *params;
        order.initialized = false;
        self.watch_target(top);
    }

    /// Starts moving to a position; the nodes are created at once (rule J8). The distance is measured by the flags of the
    /// *previous* order: from centre to centre if that has ended.
    #[doc(alias = "MoveToPosition")]
    fn move_to_position(&mut self, position: &CellPosition, params: &MovementParams) {
        self.stop_motions();
        self.emit_move_to(MoveToEvent::Started(MoveKind::MoveToPosition));
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        order.current_target = *position;
        order.sought_size.radius = 0.0;
        order.params.ignores_height = params.ignores_height;
        let distance = self.distance_to_target();
        let order = self.move_to_mut();
        if params.get_command(distance).motion.is_some() {
            order.nodes.push(MoveToNode::Turn(own.heading_to(position)));
            order.nodes.push(MoveToNode::Move);
        }
        if params.flags.contains(MoveFlags::USE_FINAL_HEADING) {
            order.nodes.push(MoveToNode::Turn(params.desired_heading));
        }
        order.sought_position = *position;
        order.starting_position = own;
        order.kind = MoveKind::MoveToPosition;
        order.params = *params;
        order.params.flags.remove(MoveFlags::STICKY);
        self.begin_next_node();
    }

    /// Starts turning to an object. The desired heading has no effect in the end (rules J9, Q6).
    #[doc(alias = "TurnToObject")]
    fn turn_to_object(&mut self, object: Guid, params: &MovementParams) {
        if params.flags.contains(MoveFlags::STOP_COMPLETELY) {
            self.stop_motions();
        }
        let found = self.neighbours.neighbour(object);
        let top = found.and_then(|found| found.parent).unwrap_or(object);
        let order = self.move_to_mut();
        order.kind = MoveKind::TurnToObject;
        order.current_target.frame.set_heading(params.desired_heading);
        order.sought_object = object;
        order.top_level = top;
        order.params = *params;
        order.initialized = false;
        self.watch_target(top);
    }

    /// Starts turning to the desired heading (rule J9).
    #[doc(alias = "TurnToHeading")]
    fn turn_to_heading(&mut self, params: &MovementParams) {
        if params.flags.contains(MoveFlags::STOP_COMPLETELY) {
            self.stop_motions();
        }
        self.emit_move_to(MoveToEvent::Started(MoveKind::TurnToHeading));
        let order = self.move_to_mut();
        order.params = *params;
        order.params.flags.remove(MoveFlags::STICKY);
        order.sought_position.frame.set_heading(params.desired_heading);
        order.kind = MoveKind::TurnToHeading;
        order.nodes.push(MoveToNode::Turn(params.desired_heading));
        self.begin_next_node();
    }

    /// Starts watching the target of the order. The target's first update creates the nodes (rule J10). An order to the
    /// body itself ends at once (rules J7, J9).
    fn watch_target(&mut self, top: Guid) {
        let kind = self.move_to_mut().kind;
        self.emit_move_to(MoveToEvent::Started(kind));
        if top == self.entity.guid {
            self.emit_move_to(MoveToEvent::GaveUp(Unreachable::Itself));
            self.clean_up_move_to();
            return self.stop_motions();
        }
        let info = TargetInfo { object: top, radius: TARGET_RADIUS, ..TargetInfo::default() };
        set_target(self, info, self.now);
    }

    /// Stops all motions by [`perform`](Self::perform), which also completes motions of zero length at once (rule F19).
    pub(super) fn stop_motions(&mut self) {
        // Stopping completely cannot fail.
        let _ = self.perform(&MovementRequest::StopCompletely);
    }

    pub(super) fn move_to_mut(&mut self) -> &mut MoveTo {
        self.entity.move_to.get_or_insert_default()
    }

    pub(super) fn emit_move_to(&mut self, event: MoveToEvent) {
        self.emit(MotionEvent::MoveTo(event));
    }
}

fn position(origin: &Origin) -> CellPosition {
    CellPosition::at(origin.cell, origin.point)
}
