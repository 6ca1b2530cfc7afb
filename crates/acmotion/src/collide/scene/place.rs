//! The cell that a place is really in (`docs/collision.md` 7.7).

use acmotion_types::{CellId, CellPosition, Vec3};

use super::{Cell, Scene};

/// Where to look for the room that a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Behind the ways out of the room that it names.
    Neighbours,
    /// In all rooms that can be seen from it.
    Visible,
}

impl Scene {
    /// Brings a place into the cell that it is really in: the piece of land under it, or the room that contains `point`,
    /// given in the place's own axes. `None`, and the place as it was, where there is no such cell.
    #[doc(alias = "AdjustPosition")]
    pub fn adjust_position(&self, place: &mut CellPosition, point: Vec3, search: Search) -> Option<Cell<'_>> {
        if !place.cell.is_room() {
            return self.adjust_to_land(place);
        }
        let own = self.room(place.cell)?;
        let point = place.frame.local_to_global(point);
        let contains = |id: CellId| {
            let room = self.room(id)?;
            room.contains(point - place.cell.block_offset(id)).then_some(room)
        };
        if own.contains(point) {
            return Some(Cell::Room(own));
        }
        let found = match search {
            Search::Visible => own.visible.iter().copied().find_map(contains),
            Search::Neighbours => own.portals.iter().filter_map(|portal| portal.other).find_map(contains),
        };
        match found {
            Some(room) => {
                place.cell = room.id();
                Some(Cell::Room(room))
            }
            None if own.seen_outside => self.adjust_to_land(place),
            None => None,
        }
    }

    fn adjust_to_land(&self, place: &mut CellPosition) -> Option<Cell<'_>> {
        let outside = place.adjusted_to_outside()?;
        *place = outside;
        self.land(outside.cell).map(Cell::Land)
    }
}
