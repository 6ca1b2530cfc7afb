//! Explanations of what a body with an order does.

use acmotion_types::{CellPosition, EPS, MotionCommand};
use acmotion_wire::MoveFlags;

use super::{Gait, MoveKind, MoveTo, MoveToNode, desired_heading};
use crate::entity::Entity;
use crate::interp::heading_diff;

/// The height, in metres, from which on a target above or below is on another storey: less than that of any room.
const STOREY: f32 = 2.0;

/// How a distance is measured (rule J18).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DistanceMeasure {
    /// Between the hulls, as upright cylinders (rule A15).
    Hulls,
    /// Between the centres.
    Centres,
    /// As one of these, but horizontally, for an order that [ignores the
    /// height](crate::components::MovementParams::ignores_height) of a target less than a storey above or below.
    Level,
}

/// Why an order does not continue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaitReason {
    /// The target has not sent its position.
    Target,
    /// The body is not on the ground.
    Ground,
    /// A motion has to end before the body can turn.
    Motion(MotionCommand),
    /// The body makes no progress. Until it does, arrival is not checked (rule J15).
    Progress,
}

/// The current state of an order, for explaining why a body moves as it does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveToExplanation {
    /// The kind of the order.
    pub kind: MoveKind,
    /// The current node; `None` until the target has sent its position.
    pub node: Option<MoveToNode>,
    /// The distance to the target, in metres.
    pub distance: f32,
    /// How the distance is measured.
    pub measure: DistanceMeasure,
    /// The angle to the heading of the node, or to the course if the body moves, in degrees; negative to the left.
    pub heading_error: f32,
    /// Whether the body would walk or run if it started here, and why.
    pub gait: Gait,
    /// Whether the body runs. That was chosen when it started to move, and stays.
    pub runs: bool,
    /// What the order waits for, if anything.
    pub waits: Option<WaitReason>,
}

fn is_on_storey_of(own: &CellPosition, target: &CellPosition) -> bool {
    (target.frame.origin.z - own.frame.origin.z).abs() < STOREY
}

/// Returns the target at the body's own height, if the two are on the same storey, else as it is.
pub(crate) fn at_height_of(own: &CellPosition, target: &CellPosition) -> CellPosition {
    let mut target = *target;
    if is_on_storey_of(own, &target) {
        target.frame.origin.z = own.frame.origin.z;
    }
    target
}

impl MoveTo {
    /// The distance of an entity from the target, in metres, between hulls or between centres (rule J18).
    pub(super) fn distance_from(&self, entity: &Entity) -> f32 {
        let own = &entity.body.position;
        let mut target = self.current_target;
        if self.params.ignores_height {
            target = at_height_of(own, &target);
        }
        if self.params.flags.contains(MoveFlags::USE_SPHERES) {
            own.cylinder_distance(entity.shape.cylinder(entity.body.scale), &target, self.sought_size)
        } else {
            own.distance_to(&target)
        }
    }

    /// Returns the distance between the centres, in metres, at which an entity has arrived at the target (rules J3, J18).
    pub(crate) fn arrival_distance(&self, entity: &Entity) -> f32 {
        let hulls = entity.shape.cylinder(entity.body.scale).radius + self.sought_size.radius;
        let uses_hulls = self.params.flags.contains(MoveFlags::USE_SPHERES);
        self.params.distance_to_object + if uses_hulls { hulls } else { 0.0 }
    }

    fn measure(&self, own: &CellPosition) -> DistanceMeasure {
        if self.params.ignores_height && is_on_storey_of(own, &self.current_target) {
            DistanceMeasure::Level
        } else if self.params.flags.contains(MoveFlags::USE_SPHERES) {
            DistanceMeasure::Hulls
        } else {
            DistanceMeasure::Centres
        }
    }

    /// The heading of the current node, or of the course if the body moves.
    fn desired_heading(&self, own: &CellPosition) -> f32 {
        match self.nodes.first() {
            Some(MoveToNode::Turn(heading)) => heading,
            _ => {
                own.heading_to(&self.current_target) + desired_heading(self.current_command, self.moving_away)
            }
        }
    }

    fn wait_reason(&self, entity: &Entity) -> Option<WaitReason> {
        let node = self.nodes.first();
        if node.is_none() && !self.initialized {
            Some(WaitReason::Target)
        } else if !entity.body.has_contact() {
            Some(WaitReason::Ground)
        } else if self.waiting {
            entity.interp.oldest_pending().map(WaitReason::Motion)
        } else {
            self.stalled.then_some(WaitReason::Progress)
        }
    }
}

impl Entity {
    /// Returns `true` if the entity follows an order (rule J21).
    pub fn is_moving_to(&self) -> bool {
        self.move_to.as_deref().is_some_and(MoveTo::is_under_way)
    }

    /// The current order, if there is one.
    pub fn move_to(&self) -> Option<&MoveTo> {
        self.move_to.as_deref().filter(|order| order.is_under_way())
    }

    /// Explains the current order, if there is one.
    pub fn explain_move_to(&self) -> Option<MoveToExplanation> {
        let order = self.move_to()?;
        let own = &self.body.position;
        let distance = order.distance_from(self);
        let turn = heading_diff(order.desired_heading(own), own.frame.heading(), MotionCommand::TURN_RIGHT);
        let turn = libm::fmodf(turn, 360.0);
        let heading_error = if turn > 180.0 { turn - 360.0 } else { turn };
        Some(MoveToExplanation {
            kind: order.kind,
            node: order.nodes.first(),
            distance,
            measure: order.measure(own),
            heading_error: if heading_error.abs() < EPS { 0.0 } else { heading_error },
            gait: order.params.gait(distance),
            runs: self.interp.interpreted.forward.command == MotionCommand::RUN_FORWARD,
            waits: order.wait_reason(self),
        })
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Cylinder, Guid, Vec3};

    use super::*;
    use crate::collide::Shape;

    fn at(z: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, z))
    }

    /// Less than two metres above or below is the same storey, at whatever height.
    #[test]
    fn a_target_on_the_same_storey_is_taken_to_the_height_of_the_body() {
        for (target, taken) in
            [(94.0, 94.0), (95.9, 94.0), (92.1, 94.0), (96.1, 96.1), (91.9, 91.9), (-94.0, -94.0)]
        {
            assert_eq!(at_height_of(&at(94.0), &at(target)), at(taken), "{target}");
        }
    }

    /// Rule J18: with the hulls of both, or without.
    #[test]
    fn the_distance_of_arrival_includes_the_hulls_that_are_measured() {
        let mut entity = Entity::new(Guid(1), None);
        entity.shape = Shape::human().into();
        entity.body.scale = 2.0;
        let own = entity.shape.cylinder(2.0).radius;
        let mut order = MoveTo { sought_size: Cylinder { radius: 0.25, height: 1.0 }, ..MoveTo::default() };
        order.params.distance_to_object = 0.75;
        assert_eq!(order.arrival_distance(&entity), 0.75, "between the centres");
        order.params.flags.insert(MoveFlags::USE_SPHERES);
        assert!((order.arrival_distance(&entity) - (1.0 + own)).abs() < 1e-5, "and both hulls");
        assert!((own - 0.96).abs() < 1e-3, "twice that of a human: {own}");
    }
}
