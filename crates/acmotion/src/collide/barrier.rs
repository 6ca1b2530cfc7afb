//! What is in the way of a body.

use std::fmt;

use acmotion_dat::DataId;
use acmotion_types::{CellId, Guid};
use acmotion_wire::PhysicsState;

use super::geometry::PolygonId;
use super::landscape::Landscape;
use super::transition::{Transition, TransitionState};
use super::{InsertType, Obstacle};

/// What is in the way of a body: the reason for which an order or a request ends
/// ([`Unreachable::Blocked`](crate::Unreachable::Blocked)), and what a client's player went through
/// ([`Finding::ThroughWall`](crate::check::Finding::ThroughWall)).
///
/// ```
/// use acmotion::Barrier;
/// use acmotion::types::{CellId, Guid};
///
/// /// What a bot does about it.
/// fn remedy(barrier: Barrier) -> &'static str {
///     match barrier {
///         Barrier::Entity(_) => "open it, or wait until it has gone",
///         Barrier::Room { .. } | Barrier::Building { .. } => "look for the door",
///         Barrier::Guarded { .. } => "ask the owner of the house",
///         _ => "go around",
///     }
/// }
///
/// assert_eq!(remedy(Barrier::Entity(Guid(0x7A9B_4001))), "open it, or wait until it has gone");
/// let wall = Barrier::Room { cell: CellId(0xA9B4_0100), polygon: Some(3) };
/// assert_eq!(wall.to_string(), "polygon 3 of room 0xA9B40100");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Barrier {
    /// Another entity, such as a creature or a closed door.
    Entity(Guid),
    /// Ground in this cell that is too steep to walk on.
    Slope(CellId),
    /// The edge of a drop, at which walkers stop. The body stands in this cell.
    Drop(CellId),
    /// The open sea in this cell.
    Sea(CellId),
    /// A wall, the floor or the ceiling of a room.
    Room {
        /// The room.
        cell: CellId,
        /// The index of the polygon in the room's [solid](crate::scene::Room::solid), if a polygon was hit.
        polygon: Option<u32>,
    },
    /// The shell of a building.
    Building {
        /// The land cell that the building stands on.
        cell: CellId,
        /// The building's model; `None` if the scene does not know it.
        model: Option<DataId>,
        /// The index of the polygon in the building's [solid](crate::scene::Building::solid), if a polygon was hit.
        polygon: Option<u32>,
    },
    /// A tree, a fence, a piece of furniture: an object of the scene that never moves.
    Scenery {
        /// The cell that the object is in.
        cell: CellId,
        /// The object's model; `None` if the scene does not know it.
        model: Option<DataId>,
    },
    /// A cell that the player may not enter (`docs/collision.md` 8.7).
    Guarded {
        /// The cell.
        cell: CellId,
        /// The restriction object of the cell: the house.
        guard: Guid,
    },
    /// The end of the cells that exist.
    NoCell,
    /// Something in surroundings that do not report what.
    Surroundings,
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entity(guid) => write!(f, "{guid}"),
            Self::Slope(cell) => write!(f, "steep ground in cell {cell}"),
            Self::Drop(cell) => write!(f, "the edge of a drop in cell {cell}"),
            Self::Sea(cell) => write!(f, "the open sea in cell {cell}"),
            Self::Room { cell, polygon: Some(polygon) } => write!(f, "polygon {polygon} of room {cell}"),
            Self::Room { cell, polygon: None } => write!(f, "room {cell}"),
            Self::Building { cell, .. } => write!(f, "the building on cell {cell}"),
            Self::Scenery { cell, .. } => write!(f, "scenery in cell {cell}"),
            Self::Guarded { cell, .. } => write!(f, "guarded cell {cell}"),
            Self::NoCell => f.write_str("the end of the cells that exist"),
            Self::Surroundings => f.write_str("the surroundings"),
        }
    }
}

impl Transition<'_> {
    /// Returns what was in the way of the sweep last, if anything was. Entities take precedence.
    pub fn barrier(&self) -> Option<Barrier> {
        self.barrier
    }

    /// Records a barrier, unless the insertion only probes: for a step, for ground, or for a free position. An entity is not
    /// replaced by anything else.
    #[cold]
    pub(super) fn record_barrier(&mut self, barrier: Barrier) {
        let probes = self.path.step_down
            || self.path.check_walkable
            || self.path.insert_type != InsertType::Transition;
        let is_entity = |barrier: Barrier| matches!(barrier, Barrier::Entity(_));
        if !probes && (is_entity(barrier) || !self.barrier.is_some_and(is_entity)) {
            self.barrier = Some(barrier);
        }
        self.note_barrier(barrier);
    }

    /// Returns `true` if the test of a room, a building or an obstacle has blocked the mover or will: a landing, or a polygon
    /// struck from behind, is resolved later.
    #[inline]
    pub(super) fn is_blocked_by(&self, outcome: TransitionState) -> bool {
        match outcome {
            TransitionState::Ok | TransitionState::Invalid => self.path.struck_behind.is_some(),
            TransitionState::Adjusted => self.path.collide,
            TransitionState::Collided | TransitionState::Slid => true,
        }
    }

    /// Takes the polygon that was struck last.
    pub(super) fn take_struck(&mut self) -> Option<u32> {
        self.struck.take().map(|PolygonId(index)| index)
    }

    /// Records an obstacle as a barrier.
    #[cold]
    pub(super) fn record_obstacle(&mut self, obstacle: &Obstacle<'_>) {
        let is_scenery = obstacle.guid == Guid::NONE && obstacle.state.contains(PhysicsState::STATIC);
        let barrier = if is_scenery {
            let cell = obstacle.position.cell;
            let model = match self.landscape {
                Landscape::Scene(scene) => {
                    let mut listed = scene.scenery(cell);
                    listed.find(|own| own.position == obstacle.position).and_then(|own| own.model)
                }
                Landscape::Plane(_) => None,
            };
            Barrier::Scenery { cell, model }
        } else {
            Barrier::Entity(obstacle.guid)
        };
        self.record_barrier(barrier);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellPosition, Vec3};

    use super::*;
    use crate::collide::{Mover, MoverFlags, NoObstacles, Scene, Shape};

    /// Records barriers one after the other, and returns the one that counts in the end.
    fn recorded(barriers: &[Barrier], begin: impl FnOnce(&mut Transition<'_>)) -> Option<Barrier> {
        let (scene, shape, mut touched) = (Scene::default(), Shape::human(), Vec::new());
        let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::empty(), MoverFlags::empty());
        let at = CellPosition::at(CellId(0x7F7F_0001), Vec3::ZERO);
        let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &at, &at, &mut touched);
        begin(&mut transition);
        barriers.iter().for_each(|barrier| transition.record_barrier(*barrier));
        transition.barrier()
    }

    #[test]
    fn the_last_barrier_counts_but_an_entity_stays() {
        let (sea, edge) = (Barrier::Sea(CellId(1)), Barrier::Drop(CellId(1)));
        let (first, second) = (Barrier::Entity(Guid(1)), Barrier::Entity(Guid(2)));
        assert_eq!(recorded(&[], |_| ()), None);
        assert_eq!(recorded(&[sea, edge], |_| ()), Some(edge));
        assert_eq!(recorded(&[sea, first], |_| ()), Some(first));
        assert_eq!(recorded(&[first, edge], |_| ()), Some(first));
        assert_eq!(recorded(&[first, second], |_| ()), Some(second));
    }

    #[test]
    fn what_a_probe_meets_is_no_barrier() {
        let entity = [Barrier::Entity(Guid(1))];
        assert_eq!(recorded(&entity, |transition| transition.path.step_down = true), None);
        assert_eq!(recorded(&entity, |transition| transition.path.check_walkable = true), None);
        let placement = InsertType::Placement;
        assert_eq!(recorded(&entity, |transition| transition.path.insert_type = placement), None);
    }
}
