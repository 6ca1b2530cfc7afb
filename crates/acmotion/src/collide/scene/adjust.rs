//! Finding the cell that a position is actually in (`docs/collision.md` 7.7).

use acmotion_types::{CellId, CellPosition, Vec3};

use super::{Cell, Scene};

/// Where to search for the room that a position is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomSearch {
    /// The rooms behind the portals of the named room.
    Neighbours,
    /// All rooms that are visible from the named room.
    Visible,
}

impl Scene {
    /// Puts a position into the cell that it is actually in: the land cell under it, or the room that contains `point`,
    /// which is given in the position's own axes. `None` if there is no such cell.
    #[doc(alias = "AdjustPosition")]
    pub fn adjust_position(
        &self,
        position: &mut CellPosition,
        point: Vec3,
        search: RoomSearch,
    ) -> Option<Cell<'_>> {
        if !position.cell.is_room() {
            return self.adjust_to_land(position);
        }
        let own = self.room(position.cell)?;
        let point = position.frame.local_to_global(point);
        let contains = |id: CellId| {
            let room = self.room(id)?;
            room.contains(point - position.cell.block_offset(id)).then_some(room)
        };
        if own.contains(point) {
            return Some(Cell::Room(own));
        }
        let found = match search {
            RoomSearch::Visible => own.visible.iter().copied().find_map(contains),
            RoomSearch::Neighbours => own.portals.iter().filter_map(|portal| portal.other).find_map(contains),
        };
        match found {
            Some(room) => {
                position.cell = room.id();
                Some(Cell::Room(room))
            }
            None if own.seen_outside => self.adjust_to_land(position),
            None => None,
        }
    }

    fn adjust_to_land(&self, position: &mut CellPosition) -> Option<Cell<'_>> {
        let outside = position.adjusted_to_outside()?;
        *position = outside;
        self.land(outside.cell).map(Cell::Land)
    }
}
