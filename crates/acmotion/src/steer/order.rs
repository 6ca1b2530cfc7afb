//! Orders from code and from the server (rules E5, J6–J9).

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::{MoveFlags, MovementBody, Origin};

use super::{MoveKind, MoveTo, MoveToEvent, MoveToNode, TargetInfo, set_target};
use crate::correction;
use crate::entity::{Actor, MotionEvent};
use crate::interp::{MovementParams, MovementRequest};
use crate::table::MotionError;

/// How closely a target is watched, in metres (rule J7).
const TARGET_RADIUS: f32 = 0.5;

/// Where to go or to turn (rule J6).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    /// Go to an object.
    MoveToObject {
        /// The object. One that is not known is waited for, ten seconds long.
        object: Guid,
        /// How.
        params: MovementParams,
    },
    /// Go to a place.
    MoveToPosition {
        /// The place.
        place: CellPosition,
        /// How.
        params: MovementParams,
    },
    /// Turn to an object.
    TurnToObject {
        /// The object. One that is not known is waited for, ten seconds long.
        object: Guid,
        /// How. The desired heading does not count (rule Q6).
        params: MovementParams,
    },
    /// Turn to the desired heading.
    TurnToHeading {
        /// How, and where.
        params: MovementParams,
    },
}

impl Actor<'_> {
    /// Gives an order, in place of the one under way (rule J6).
    ///
    /// It goes on by itself from step to step; how, [`MotionEvent::MoveTo`] tells.
    #[doc(alias = "PerformMovement")]
    pub fn order(&mut self, order: &Order) {
        self.entity.body.set_active(self.now);
        self.cancel_move_to(MotionError::ActionCancelled);
        self.unstick();
        match order {
            Order::MoveToObject { object, params } => self.move_to_object(*object, params),
            Order::MoveToPosition { place, params } => self.move_to_position(place, params),
            Order::TurnToObject { object, params } => self.turn_to_object(*object, params),
            Order::TurnToHeading { params } => self.turn_to_heading(params),
        }
    }

    /// The server's orders (rule E5). An object that is not known is replaced by the place or the heading that comes with
    /// the order.
    pub(crate) fn steer(&mut self, order: &MovementBody<'_>) {
        match order {
            MovementBody::Interpreted { .. } => {}
            MovementBody::MoveToObject { target, origin, params, .. } => {
                let params = params.into();
                if self.around.neighbour(*target).is_some() {
                    self.order(&Order::MoveToObject { object: *target, params });
                } else {
                    self.move_to_position(&place(origin), &params);
                }
            }
            MovementBody::MoveToPosition { origin, params, .. } => {
                self.move_to_position(&place(origin), &params.into());
            }
            MovementBody::TurnToObject { target, heading, params } => {
                let params: MovementParams = params.into();
                if self.around.neighbour(*target).is_some() {
                    self.order(&Order::TurnToObject { object: *target, params });
                } else {
                    self.turn_to_heading(&MovementParams { desired_heading: *heading, ..params });
                }
            }
            MovementBody::TurnToHeading { params } => self.turn_to_heading(&params.into()),
        }
    }

    /// Sticks to an object, or to what that hangs on; to one that is not known it does not (rules I10, Q5).
    #[doc(alias = "stick_to_object")]
    pub(crate) fn stick_to(&mut self, object: Guid) {
        let Some(found) = self.around.neighbour(object) else { return };
        let (top, found) = match found.parent {
            Some(parent) => match self.around.neighbour(parent) {
                Some(above) => (parent, above),
                None => return,
            },
            None => (object, found),
        };
        correction::stick_to(self, top, found.size.radius, self.now);
    }

    /// The object's own size counts, but what it hangs on is watched (rules J7, Q5).
    #[doc(alias = "MoveToObject")]
    fn move_to_object(&mut self, object: Guid, params: &MovementParams) {
        self.stop_motions();
        let found = self.around.neighbour(object);
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
        self.watch_or_stay(top);
    }

    /// Nodes are made at once (rule J8). The distance is measured as the *last* order would have: from centre to centre
    /// after one that has ended.
    #[doc(alias = "MoveToPosition")]
    fn move_to_position(&mut self, place: &CellPosition, params: &MovementParams) {
        self.stop_motions();
        self.tell_steering(MoveToEvent::Started(MoveKind::MoveToPosition));
        let own = self.entity.body.position;
        let order = self.move_to_mut();
        order.current_target = *place;
        order.sought_size.radius = 0.0;
        let distance = self.distance_to_target();
        let order = self.move_to_mut();
        if params.choose(distance).motion.is_some() {
            order.nodes.push(MoveToNode::Turn(own.heading_to(place)));
            order.nodes.push(MoveToNode::Move);
        }
        if params.flags.contains(MoveFlags::USE_FINAL_HEADING) {
            order.nodes.push(MoveToNode::Turn(params.desired_heading));
        }
        order.sought_position = *place;
        order.starting_position = own;
        order.kind = MoveKind::MoveToPosition;
        order.params = *params;
        order.params.flags.remove(MoveFlags::STICKY);
        self.begin_next_node();
    }

    /// What heading is desired does not matter in the end (rules J9, Q6).
    #[doc(alias = "TurnToObject")]
    fn turn_to_object(&mut self, object: Guid, params: &MovementParams) {
        if params.flags.contains(MoveFlags::STOP_COMPLETELY) {
            self.stop_motions();
        }
        let found = self.around.neighbour(object);
        let top = found.and_then(|found| found.parent).unwrap_or(object);
        let order = self.move_to_mut();
        order.kind = MoveKind::TurnToObject;
        order.current_target.frame.set_heading(params.desired_heading);
        order.sought_object = object;
        order.top_level = top;
        order.params = *params;
        order.initialized = false;
        self.watch_or_stay(top);
    }

    /// A single turn (rule J9).
    #[doc(alias = "TurnToHeading")]
    fn turn_to_heading(&mut self, params: &MovementParams) {
        if params.flags.contains(MoveFlags::STOP_COMPLETELY) {
            self.stop_motions();
        }
        self.tell_steering(MoveToEvent::Started(MoveKind::TurnToHeading));
        let order = self.move_to_mut();
        order.params = *params;
        order.params.flags.remove(MoveFlags::STICKY);
        order.sought_position.frame.set_heading(params.desired_heading);
        order.kind = MoveKind::TurnToHeading;
        order.nodes.push(MoveToNode::Turn(params.desired_heading));
        self.begin_next_node();
    }

    /// A known target answers, and then the nodes are made (rule J10). To itself a body need not go.
    fn watch_or_stay(&mut self, top: Guid) {
        if top == self.entity.guid {
            self.clean_up_move_to();
            return self.stop_motions();
        }
        let kind = self.move_to_mut().kind;
        self.tell_steering(MoveToEvent::Started(kind));
        let info = TargetInfo { object: top, radius: TARGET_RADIUS, ..TargetInfo::default() };
        set_target(self, info, self.now);
    }

    /// Stands still, through the front door: what takes no time is over at once (rule F19).
    pub(super) fn stop_motions(&mut self) {
        // Standing still cannot fail.
        let _ = self.perform(&MovementRequest::StopCompletely);
    }

    pub(super) fn move_to_mut(&mut self) -> &mut MoveTo {
        self.entity.move_to.get_or_insert_default()
    }

    pub(super) fn tell_steering(&mut self, event: MoveToEvent) {
        self.emit(MotionEvent::MoveTo(event));
    }
}

fn place(origin: &Origin) -> CellPosition {
    CellPosition::at(origin.cell, origin.point)
}
