//! Finding the cells that spheres reach into (`docs/collision.md` 7.1 to 7.3).

use acmotion_dat::Sphere;
use acmotion_types::{CELL_LENGTH, CellId, CellPosition, EPS, Vec3};

use super::{Building, BuildingPortal, Cell, CellArray, Room, Scene};

/// The cell that contains the centre of a body's foot sphere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContainingCell {
    /// The cell, if there is one. A room takes precedence over land.
    pub cell: Option<CellId>,
    /// Whether the body reaches into a room.
    pub hits_interior: bool,
}

impl Scene {
    /// Lists the cells that spheres reach into, and finds the one that contains the centre of the first. The spheres
    /// are given in the axes of the landblock of `at` (`docs/collision.md` 7.1). On the way through a door, land and rooms are
    /// listed together (7.6).
    pub fn find_cell_list(
        &self,
        at: &CellPosition,
        spheres: &[Sphere],
        cells: &mut CellArray,
    ) -> ContainingCell {
        let mut found = ContainingCell::default();
        cells.clear();
        if let Some(land) = self.land(at.cell).filter(|_| are_clear_of_borders(at.cell, spheres)) {
            // The most common case: on land, clear of the borders of the cell, and in no room of a building.
            cells.added_outside = true;
            cells.add(at.cell);
            let building = land.building();
            if !building.is_some_and(|building| self.reaches_rooms_behind(building, at.cell, spheres)) {
                return ContainingCell { cell: Some(at.cell), hits_interior: false };
            }
        } else if at.cell.is_indoor() {
            found.hits_interior = true;
            cells.add(at.cell);
        } else {
            add_outside_once(at, spheres, cells);
        }
        let Some(first) = spheres.first() else { return found };
        if self.cell(at.cell).is_none() {
            return found;
        }
        let mut index = 0;
        while let Some(id) = cells.get(index) {
            match self.cell(id) {
                Some(Cell::Land(land)) => {
                    add_outside_once(at, spheres, cells);
                    if let Some(building) = land.building() {
                        found.hits_interior |= self.add_rooms_behind(building, at.cell, spheres, cells);
                    }
                }
                Some(Cell::Room(room)) => self.add_neighbours(room, at, spheres, cells),
                None => {}
            }
            index += 1;
        }
        self.find_containing_cell(at.cell, first.origin, cells, &mut found);
        if let Some(room) = self.room(at.cell).filter(|_| cells.only_visible) {
            cells.keep(|cell| cell == at.cell || room.visible.contains(&cell));
        }
        found
    }

    /// Finds the cell that contains a point of `from`'s landblock: the first such room, else the last such land cell.
    fn find_containing_cell(&self, from: CellId, point: Vec3, cells: &CellArray, found: &mut ContainingCell) {
        for cell in cells.iter().filter_map(|id| self.cell(id)) {
            if !cell.contains(point - from.block_offset(cell.id())) {
                continue;
            }
            found.cell = Some(cell.id());
            if matches!(cell, Cell::Room(_)) {
                found.hits_interior = true;
                return;
            }
        }
    }

    /// Adds the rooms behind a building's portals that a sphere reaches into. Returns `true` if there are any.
    fn add_rooms_behind(
        &self,
        building: &Building,
        from: CellId,
        spheres: &[Sphere],
        cells: &mut CellArray,
    ) -> bool {
        let mut any = false;
        for room in self.rooms_behind(building).filter(|room| is_reached(room, from, spheres)) {
            any = true;
            cells.add(room.id());
        }
        any
    }

    /// Returns `true` if one of the spheres, given in the axes of `from`'s landblock, reaches into a room behind a building's
    /// portals.
    pub(super) fn reaches_rooms_behind(&self, building: &Building, from: CellId, spheres: &[Sphere]) -> bool {
        self.rooms_behind(building).any(|room| is_reached(room, from, spheres))
    }

    /// Iterates over the rooms behind a building's portals.
    fn rooms_behind<'a>(&'a self, building: &'a Building) -> impl Iterator<Item = &'a Room> {
        let leads_inside = |portal: &&BuildingPortal| portal.other_portal >= 0;
        building.portals.iter().filter(leads_inside).filter_map(|portal| self.room(portal.room))
    }

    /// Adds the cells behind the portals of a room that a sphere reaches into or comes near.
    fn add_neighbours(&self, room: &Room, at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
        let mut reaches_outside = false;
        for portal in &room.portals {
            let Some(other) = portal.other else {
                reaches_outside |=
                    in_room_axes(room, at.cell, spheres).any(|sphere| portal.is_touched(&sphere));
                continue;
            };
            let is_reached = match self.room(other) {
                Some(other) => is_reached(other, at.cell, spheres),
                None => in_room_axes(room, at.cell, spheres).any(|sphere| portal.is_passed(&sphere)),
            };
            if is_reached {
                cells.add(other);
            }
        }
        if reaches_outside {
            add_outside_once(at, spheres, cells);
        }
    }
}

/// Returns `true` if spheres, given in the axes of a land cell's landblock, are clear of the cell's borders.
#[inline]
pub(super) fn are_clear_of_borders(cell: CellId, spheres: &[Sphere]) -> bool {
    let index = cell.low().wrapping_sub(1);
    let (west, south) = (f32::from(index >> 3) * CELL_LENGTH, f32::from(index & 7) * CELL_LENGTH);
    let is_within = |v: f32, radius: f32| v > radius && v < CELL_LENGTH - radius;
    !spheres.is_empty()
        && spheres.iter().all(|Sphere { origin, radius }| {
            is_within(origin.x - west, *radius) && is_within(origin.y - south, *radius)
        })
}

/// Returns `true` if one of the spheres, given in the axes of `from`'s landblock, reaches into a room.
fn is_reached(room: &Room, from: CellId, spheres: &[Sphere]) -> bool {
    in_room_axes(room, from, spheres).any(|sphere| room.inside.intersects_sphere(&sphere))
}

/// Converts spheres of `from`'s landblock to a room's own axes.
fn in_room_axes<'a>(
    room: &'a Room,
    from: CellId,
    spheres: &'a [Sphere],
) -> impl Iterator<Item = Sphere> + 'a {
    let offset = from.block_offset(room.id());
    spheres
        .iter()
        .map(move |sphere| room.sphere_to_local(&Sphere { origin: sphere.origin - offset, ..*sphere }))
}

/// Adds the land cells that spheres reach into, once for each array.
fn add_outside_once(at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
    if !std::mem::replace(&mut cells.added_outside, true) {
        add_all_outside_cells(at, spheres, cells);
    }
}

/// Adds the land cells that spheres reach into, whether or not they are in a scene. The spheres are given in the axes
/// of the landblock of `at`; without spheres, the cell of the position itself is added (`docs/collision.md` 7.2).
pub fn add_all_outside_cells(at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
    if spheres.is_empty() {
        if let Some(point) = OutdoorPoint::new(at.cell, at.frame.origin) {
            point.add(0, 0, cells);
        }
        return;
    }
    for sphere in spheres {
        let Some(point) = OutdoorPoint::new(at.cell, sphere.origin) else { return };
        point.add_with_neighbours(sphere.radius, cells);
    }
}

/// Returns the global cell coordinate of a coordinate of a landblock, and the remainder within the cell. `None` far outside
/// of the map, or for NaN.
#[inline]
pub(super) fn cell_coordinate(block: u8, v: f32) -> Option<(i64, f32)> {
    let v = if v.abs() < EPS { 0.0 } else { v };
    let cells = (v / CELL_LENGTH).floor();
    (cells.abs() < 1e6).then(|| (i64::from(block) * 8 + cells as i64, v - cells * CELL_LENGTH))
}

/// Returns the land cell under a point given in the axes of `from`'s landblock; `None` off the map.
pub(in crate::collide) fn outdoor_cell_at(from: CellId, point: Vec3) -> Option<CellId> {
    let OutdoorPoint { cell: [x, y], .. } = OutdoorPoint::new(from, point)?;
    CellId::outdoor(x, y)
}

/// A point on the map.
struct OutdoorPoint {
    /// The global coordinates of its cell.
    cell: [i64; 2],
    /// The coordinates within the cell, in metres.
    x: f32,
    y: f32,
}

impl OutdoorPoint {
    /// Converts a point of `from`'s landblock; `None` if it is off the map (rule A13).
    fn new(from: CellId, point: Vec3) -> Option<Self> {
        if !from.is_valid() {
            return None;
        }
        let (cell_x, x) = cell_coordinate(from.block_x(), point.x)?;
        let (cell_y, y) = cell_coordinate(from.block_y(), point.y)?;
        CellId::outdoor(cell_x, cell_y)?;
        Some(Self { cell: [cell_x, cell_y], x, y })
    }

    /// Adds the cell at an offset from the point's own, if it is on the map.
    fn add(&self, east: i64, north: i64, cells: &mut CellArray) {
        if let Some(cell) = CellId::outdoor(self.cell[0] + east, self.cell[1] + north) {
            cells.add(cell);
        }
    }

    /// Adds the point's own cell and the neighbours within a radius.
    fn add_with_neighbours(&self, radius: f32, cells: &mut CellArray) {
        let far = CELL_LENGTH - radius;
        self.add(0, 0, cells);
        for (east, is_near) in [(1, self.x > far), (-1, self.x < radius)] {
            if is_near {
                self.add(east, 0, cells);
                if self.y > far {
                    self.add(east, 1, cells);
                }
                if self.y < radius {
                    self.add(east, -1, cells);
                }
            }
        }
        if self.y > far {
            self.add(0, 1, cells);
        }
        if self.y < radius {
            self.add(0, -1, cells);
        }
    }
}
