//! The cells that boxes reach into, by which objects with polygons are listed (`docs/collision.md` 5.6.10, 8.1).

use acmotion_types::{CellId, CellPosition, EPS, Frame, Vec3};

use super::find_cells::cell_coordinate;
use super::{Cell, CellArray, Room, Scene};

/// The maximum number of cells along one axis that a box may cover. Larger boxes are not listed on land.
const MAX_SPAN: i64 = 64;

/// A box of any rotation, in the axes of a landblock.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct OrientedBox {
    corners: [Vec3; 8],
}

impl OrientedBox {
    /// Creates a box from its minimum and maximum corner in the axes of a frame, scaled.
    pub(super) fn new([low, high]: [Vec3; 2], scale: f32, frame: &Frame) -> Self {
        let corners = std::array::from_fn(|corner| {
            let pick = |bit: usize, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
            let own = Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
            frame.local_to_global(own * scale)
        });
        Self { corners }
    }

    /// Returns the corners in other axes.
    fn map(&self, f: impl Fn(Vec3) -> Vec3) -> [Vec3; 8] {
        self.corners.map(f)
    }

    /// Returns `true` if a box reaches to both sides of a plane or touches it.
    fn crosses(corners: &[Vec3; 8], distance: impl Fn(Vec3) -> f32) -> bool {
        let is_before = corners.iter().any(|corner| distance(*corner) >= -EPS);
        let is_behind = corners.iter().any(|corner| distance(*corner) <= EPS);
        is_before && is_behind
    }
}

impl Scene {
    /// Finds the cells that boxes reach into; they are given in the axes of the landblock of `at`.
    #[doc(alias = "find_bbox_cell_list")]
    pub(super) fn find_cells_of_boxes(
        &self,
        at: &CellPosition,
        boxes: &[OrientedBox],
        cells: &mut CellArray,
    ) {
        cells.clear();
        cells.add(at.cell);
        let mut index = 0;
        while let Some(id) = cells.get(index) {
            match self.cell(id) {
                Some(Cell::Land(land)) => {
                    add_outside_once(at.cell, boxes, cells);
                    for portal in land.building().iter().flat_map(|building| &building.portals) {
                        if self.room(portal.room).is_some_and(|room| is_reached(room, at.cell, boxes)) {
                            cells.add(portal.room);
                        }
                    }
                }
                Some(Cell::Room(room)) => self.add_neighbours_of_boxes(room, at.cell, boxes, cells),
                None if id.is_outdoor() => add_outside_once(at.cell, boxes, cells),
                None => {}
            }
            index += 1;
        }
    }

    /// Adds the cells behind the portals of a room that a box reaches into.
    fn add_neighbours_of_boxes(
        &self,
        room: &Room,
        from: CellId,
        boxes: &[OrientedBox],
        cells: &mut CellArray,
    ) {
        for portal in &room.portals {
            match portal.other {
                Some(other) => {
                    if self.room(other).is_some_and(|room| is_reached(room, from, boxes)) {
                        cells.add(other);
                    }
                }
                None => {
                    let crosses =
                        |corners: [Vec3; 8]| OrientedBox::crosses(&corners, |p| portal.plane.distance(p));
                    if in_room_axes(room, from, boxes).any(crosses) {
                        add_outside_once(from, boxes, cells);
                    }
                }
            }
        }
    }
}

/// Returns `true` if one of the boxes reaches into a room.
fn is_reached(room: &Room, from: CellId, boxes: &[OrientedBox]) -> bool {
    in_room_axes(room, from, boxes).any(|corners| room.inside.intersects_box(&corners))
}

/// Returns the corners of boxes of `from`'s landblock in a room's own axes.
fn in_room_axes<'a>(
    room: &'a Room,
    from: CellId,
    boxes: &'a [OrientedBox],
) -> impl Iterator<Item = [Vec3; 8]> + 'a {
    let offset = from.block_offset(room.id());
    boxes.iter().map(move |bounds| bounds.map(|corner| room.to_local(corner - offset)))
}

/// Adds the land cells that boxes cover, once for each array.
fn add_outside_once(from: CellId, boxes: &[OrientedBox], cells: &mut CellArray) {
    if std::mem::replace(&mut cells.added_outside, true) {
        return;
    }
    for bounds in boxes {
        let along = |block: u8, axis: fn(&Vec3) -> f32| {
            let mut span: Option<(i64, i64)> = None;
            for corner in &bounds.corners {
                let (cell, _) = cell_coordinate(block, axis(corner))?;
                span = Some(span.map_or((cell, cell), |(low, high)| (low.min(cell), high.max(cell))));
            }
            span.filter(|(low, high)| high - low < MAX_SPAN)
        };
        let spans = along(from.block_x(), |p| p.x).zip(along(from.block_y(), |p| p.y));
        let Some(((west, east), (south, north))) = spans else { continue };
        for x in west..=east {
            (south..=north).filter_map(|y| CellId::outdoor(x, y)).for_each(|cell| cells.add(cell));
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CELL_LENGTH, CellId, Frame, Vec3};

    use super::{CellArray, MAX_SPAN, OrientedBox, add_outside_once};

    #[test]
    fn a_box_that_covers_too_many_cells_is_not_listed_on_land() {
        let cells_along = |cells: i64| {
            let end = Vec3::new(cells as f32 * CELL_LENGTH - 1.0, 1.0, 1.0);
            let bounds = OrientedBox::new([Vec3::new(1.0, 0.5, 0.0), end], 1.0, &Frame::IDENTITY);
            let mut cells = CellArray::default();
            add_outside_once(CellId(0x4040_0001), &[bounds], &mut cells);
            cells.iter().count() as i64
        };
        assert_eq!(cells_along(3), 3);
        assert_eq!(cells_along(MAX_SPAN), MAX_SPAN);
        assert_eq!(cells_along(MAX_SPAN + 1), 0);
        assert_eq!(cells_along(1_000_000), 0);
    }
}
