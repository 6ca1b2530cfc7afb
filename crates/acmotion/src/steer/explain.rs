//! Why a body that follows an order does what it does.

use acmotion_types::{CellPosition, EPS, MotionCommand};
use acmotion_wire::MoveFlags;

use super::{Gait, MoveKind, MoveTo, MoveToNode, desired_heading};
use crate::entity::Entity;
use crate::interp::heading_diff;

/// How a distance is measured (rule J18).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DistanceMeasure {
    /// Between the hulls, as upright cylinders (rule A15).
    Hulls,
    /// Between the centres.
    Centres,
}

/// Why a body that has an order does nothing, or does not look whether it is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaitReason {
    /// Its target has not told where it is.
    Target,
    /// It is not on the ground.
    Ground,
    /// A motion has to end before it can turn.
    Motion(MotionCommand),
    /// It does not get on; before it does, nobody looks whether it is there (rule J15).
    Progress,
}

/// An order as it stands, for those who ask why a body moves as it does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveToExplanation {
    /// What kind of order.
    pub kind: MoveKind,
    /// What it does now; nothing before its target has told where it is.
    pub node: Option<MoveToNode>,
    /// How far it is to the target.
    pub distance: f32,
    /// How that is measured.
    pub measure: DistanceMeasure,
    /// How far it has to turn to the heading of its node, or to its course if it moves: in degrees, to the left if
    /// negative.
    pub heading_error: f32,
    /// Whether it would walk or run from here, and why.
    pub gait: Gait,
    /// Does it run? What it does was chosen when it began to move, and stays.
    pub runs: bool,
    /// What it waits for.
    pub waits: Option<WaitReason>,
}

impl MoveTo {
    /// How far it is: between hulls or between centres (rule J18).
    pub(super) fn distance_from(&self, entity: &Entity) -> f32 {
        let own = &entity.body.position;
        match self.measure() {
            DistanceMeasure::Hulls => {
                let size = entity.shape.cylinder(entity.body.scale);
                own.cylinder_distance(size, &self.current_target, self.sought_size)
            }
            DistanceMeasure::Centres => own.distance_to(&self.current_target),
        }
    }

    fn measure(&self) -> DistanceMeasure {
        let by_hulls = self.params.flags.contains(MoveFlags::USE_SPHERES);
        if by_hulls { DistanceMeasure::Hulls } else { DistanceMeasure::Centres }
    }

    /// Where it should look now.
    fn wanted_heading(&self, own: &CellPosition) -> f32 {
        match self.nodes.first() {
            Some(MoveToNode::Turn(heading)) => heading,
            _ => {
                own.heading_to(&self.current_target) + desired_heading(self.current_command, self.moving_away)
            }
        }
    }

    fn waits(&self, entity: &Entity) -> Option<WaitReason> {
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
    /// Does it follow an order (rule J21)?
    pub fn is_moving_to(&self) -> bool {
        self.move_to.as_deref().is_some_and(MoveTo::is_under_way)
    }

    /// The order that it follows, if there is one.
    pub fn move_to(&self) -> Option<&MoveTo> {
        self.move_to.as_deref().filter(|order| order.is_under_way())
    }

    /// The order that it follows as it stands now, and why.
    pub fn explain_move_to(&self) -> Option<MoveToExplanation> {
        let order = self.move_to()?;
        let own = &self.body.position;
        let distance = order.distance_from(self);
        let off = heading_diff(order.wanted_heading(own), own.frame.heading(), MotionCommand::TURN_RIGHT);
        let off = libm::fmodf(off, 360.0);
        let heading_error = if off > 180.0 { off - 360.0 } else { off };
        Some(MoveToExplanation {
            kind: order.kind,
            node: order.nodes.first(),
            distance,
            measure: order.measure(),
            heading_error: if heading_error.abs() < EPS { 0.0 } else { heading_error },
            gait: order.params.gait(distance),
            runs: self.interp.interpreted.forward.command == MotionCommand::RUN_FORWARD,
            waits: order.waits(self),
        })
    }
}
