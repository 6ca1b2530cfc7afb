//! Finding the cell that a position is actually in (`docs/collision.md` 7.7).

use acmotion_types::{CellId, CellPosition, Vec3};

use super::{Cell, Scene};

/// Where to search for the room that a position is in.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::scene::{RoomSearch, Scene};
/// use acmotion::types::Vec3;
///
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// let town = landmarks();
/// // Something at the foot of the stairs that was last seen in the hall.
/// let mut position = town.stairs_foot;
/// position.cell = town.hall.cell;
/// let head = Vec3::new(0.0, 0.0, 1.8);
/// let room = scene.adjust_position(&mut position, head, RoomSearch::Visible).expect("it is in a room");
/// assert_eq!((room.id(), position.cell), (town.stairs_foot.cell, town.stairs_foot.cell));
/// # Ok(())
/// # }
/// ```
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
