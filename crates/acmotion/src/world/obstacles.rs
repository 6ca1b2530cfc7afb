//! The entities of a world as a sweep or placement sees them: what it collides with, and which houses let it in.

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_types::{CellId, Guid};

use super::houses::HouseGuard;
use super::store::EntityIndex;
use crate::collide::{Mover, Obstacle, Obstacles, SearchCylinder};

/// The entities as obstacles, and what they and the embedder answer for houses.
#[derive(Clone, Copy)]
pub(super) struct WorldObstacles<'a> {
    pub(super) index: &'a EntityIndex,
    pub(super) guard: Option<&'a dyn HouseGuard>,
}

impl WorldObstacles<'_> {
    /// Returns whether a house lets a player in; `None` if nothing is known about it (`docs/collision.md` 8.7).
    ///
    /// The embedder's guard comes first. Of the objects that exist, those that are described without an owner let every
    /// player in.
    pub(super) fn answer(&self, player: Guid, house: Guid) -> Option<bool> {
        let guarded = self.guard.and_then(|guard| guard.may_enter(player, house));
        let known = || self.index.houses.lets_in(player, house);
        guarded.or_else(known).or_else(|| self.index.contains(house).then_some(true))
    }
}

impl Obstacles for WorldObstacles<'_> {
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        self.index.shadows.visit(cell, visitor);
    }

    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        self.index.shadows.visit_near(cell, reach, visitor);
    }

    fn visit_blocking<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        mover: &Mover<'_>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        self.index.shadows.visit_blocking(cell, reach, mover, visitor);
    }

    fn may_enter(&self, mover: Guid, restriction: Guid) -> bool {
        self.answer(mover, restriction).unwrap_or(false)
    }
}
